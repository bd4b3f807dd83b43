/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and answers, bodies, and questions about pairs. In: calls of web/npm/index.ts. Out: JSON. */
#include "npm.h"

#include <stdlib.h>
#include <string.h>

static struct Shared {
    void *text, *numbers, *integers;
    size_t text_room, number_room, integer_room;
    AbutJson json;
    char error[sizeof((AbutError *)0)->text];
} shared;

char *js_text(int bytes) {
    return abut_grow(&shared.text, &shared.text_room, (size_t)bytes + 1, 1) ? shared.text : NULL;
}

double *js_numbers(int count) {
    return abut_grow(&shared.numbers, &shared.number_room, (size_t)count + 1, sizeof(double)) ? shared.numbers : NULL;
}

int32_t *js_integers(int count) {
    return abut_grow(&shared.integers, &shared.integer_room, (size_t)count + 1, sizeof(int32_t)) ? shared.integers
                                                                                                 : NULL;
}

const char *js_error(void) { return shared.error; }

void js_fail(const char *text) { snprintf(shared.error, sizeof shared.error, "%s", text); }

int js_result(AbutStatus status, const AbutError *error) {
    if (status != ABUT_OK) js_fail(error->text);
    return status == ABUT_OK;
}

AbutVec3 js_vec3(const double *numbers) { return abut_vec3(numbers[0], numbers[1], numbers[2]); }

AbutPose js_pose(const double *numbers) {
    return (AbutPose){.p = js_vec3(numbers), .q = {numbers[3], numbers[4], numbers[5], numbers[6]}};
}

AbutJson *js_begin(void) {
    abut_json_free(&shared.json);
    shared.json = abut_json_to_file(NULL, 0);
    return &shared.json;
}

const char *js_finish(void) {
    AbutError error;
    return js_result(abut_json_finish(&shared.json, &error), &error) ? shared.json.text : NULL;
}

const char *js_answer(const AbutRecord *record, const void *data) {
    abut_record_put_object(js_begin(), record, data);
    return js_finish();
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Keeps the body where all went well. */
static AbutSolidBody *keep(AbutSolidBody body, AbutStatus status, AbutError *error) {
    AbutSolidBody *kept = status == ABUT_OK ? abut_alloc_array(1, sizeof *kept) : NULL;
    if (kept) {
        *kept = body;
        return kept;
    }
    if (status == ABUT_OK)
        js_fail("out of memory");
    else
        js_result(status, error);
    abut_solid_body_free(&body);
    return NULL;
}

AbutSolidBody *js_body_words(void) {
    AbutError error;
    AbutSolidBody body = {.kind = ABUT_SOLID_CONVEX, .is_convex = 1};
    int found = 0;
    AbutStatus status = abut_convex_parse(shared.text, &body.convex, &found, &error);
    if (status == ABUT_OK && !found)
        status = abut_fail(&error, ABUT_ERROR_ARGUMENT,
            "expected a body in words such as 'box:1,1,1' or 'sphere:0.5', got '%.60s'", (const char *)shared.text);
    return keep(body, status, &error);
}

AbutSolidBody *js_body_points(int count) {
    AbutError error;
    AbutSolidBody body = {.kind = ABUT_SOLID_CONVEX, .is_convex = 1};
    AbutStatus status = abut_polyhedron_from_points(shared.numbers, count, NULL, &body.hull, &error);
    if (status == ABUT_OK) body.convex = abut_convex_polyhedron(body.hull, 0.0);
    return keep(body, status, &error);
}

static AbutStatus check_corners(const AbutMesh *mesh, AbutError *error) {
    for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
        int corner = mesh->triangles[i / 3].v[i % 3];
        if (corner < 0 || corner >= mesh->vertex_count)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "triangle %d: expected vertices 0 .. %d, got %d", i / 3,
                mesh->vertex_count - 1, corner);
    }
    return ABUT_OK;
}

AbutSolidBody *js_body_mesh(int vertex_count, int triangle_count, int choice) {
    AbutError error;
    AbutMesh mesh = {0};
    AbutSolidBody body = {0};
    AbutStatus status = abut_mesh_create(vertex_count, triangle_count, &mesh, &error);
    if (status == ABUT_OK) {
        memcpy(mesh.vertices, shared.numbers, (size_t)vertex_count * sizeof *mesh.vertices);
        memcpy(mesh.triangles, shared.integers, (size_t)triangle_count * sizeof *mesh.triangles);
        status = check_corners(&mesh, &error);
    }
    if (status == ABUT_OK) status = abut_solid_from_mesh(&mesh, (AbutSolidChoice)choice, NULL, &body, &error);
    abut_mesh_free(&mesh);
    return keep(body, status, &error);
}

void js_body_free(AbutSolidBody *body) {
    if (body) abut_solid_body_free(body);
    abut_free(body);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static const char *answer_unless(int invalid, const AbutRecord *record, const void *data) {
    if (!invalid) return js_answer(record, data);
    js_fail(
        "expected finite numbers, a rotation of unit length and kinds of bodies that this question takes, got others");
    return NULL;
}

static const char *answer_gap(AbutGap gap) {
    return answer_unless(gap.outcome == ABUT_INVALID, &abut_gap_record, &gap);
}

const char *js_distance(const AbutSolidBody *a, const AbutSolidBody *b) {
    const double *n = shared.numbers;
    AbutGapDef def = {.within = n[JS_POSE]};
    return answer_gap(abut_distance(abut_solid_of(a), abut_solid_of(b), js_pose(n), &def, NULL));
}

const char *js_depth(const AbutSolidBody *a, const AbutSolidBody *b) {
    return answer_gap(abut_depth(abut_solid_of(a), abut_solid_of(b), js_pose(shared.numbers), NULL, NULL));
}

const char *js_collide(const AbutSolidBody *a, const AbutSolidBody *b) {
    AbutCollision collision = abut_collide(abut_solid_of(a), abut_solid_of(b), js_pose(shared.numbers), NULL);
    return answer_unless(collision.outcome == ABUT_INVALID, &abut_collision_record, &collision);
}

static const AbutField volume_fields[] = {
    {ABUT_FIELD(AbutVolume, low, REAL, "m^3", "At least this much.")},
    {ABUT_FIELD(AbutVolume, high, REAL, "m^3", "At most this much.")},
};
const AbutRecord js_volume_record = ABUT_RECORD("Volume", "Bounds of a volume.", AbutVolume, volume_fields);

const char *js_overlap_volume(const AbutSolidBody *a, const AbutSolidBody *b) {
    enum { DIRECTIONS = 200 };
    AbutError error;
    AbutVolume volume;
    AbutStatus status =
        abut_overlap_volume(abut_solid_of(a), abut_solid_of(b), js_pose(shared.numbers), DIRECTIONS, &volume, &error);
    return js_result(status, &error) ? js_answer(&js_volume_record, &volume) : NULL;
}

const char *js_cast(const AbutSolidBody *body) {
    const double *n = shared.numbers;
    AbutPlaced placed = {abut_solid_of(body), js_pose(n)};
    AbutCast cast = {.ray = {js_vec3(n + JS_POSE), js_vec3(n + JS_POSE + 3)}};
    AbutCastHit hit = abut_cast(&placed, &cast);
    return answer_unless(hit.outcome == ABUT_IMPACT_INVALID, &abut_cast_hit_record, &hit);
}

static AbutMotion motion(const double *n) {
    AbutVec3 axis = js_vec3(n + 13);
    return axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0
               ? abut_motion_translation(js_pose(n), js_vec3(n + JS_POSE))
               : abut_motion_screw(js_pose(n), js_vec3(n + 10), abut_normalize(axis), n[16], n[17]);
}

const char *js_time_of_impact(const AbutSolidBody *a, const AbutSolidBody *b) {
    const double *n = shared.numbers, *interval = n + (size_t)2 * JS_MOTION;
    AbutMover first = {abut_solid_of(a), motion(n)}, second = {abut_solid_of(b), motion(n + JS_MOTION)};
    AbutImpactDef def = {.from = interval[0], .to = interval[1], .tolerance = interval[2]};
    AbutImpact impact = abut_time_of_impact(&first, &second, &def);
    return answer_unless(impact.outcome == ABUT_IMPACT_INVALID, &abut_impact_record, &impact);
}
