/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenes and simulations. In: calls of web/npm/index.ts. Out: numbers and JSON. Steps are those of `abut simulate`, so
 * that hashes are equal. Bodies are numbered in the order in which they were added.
 */
#include "npm.h"

#include <stddef.h>
#include <string.h>

struct World {
    AbutScene *scene;
    AbutSimulation *simulation; /* NULL: not started */
    AbutSimulationDef def;
    double time_step;
    AbutStepReport report;
};

static const double DEFAULT_STEP = 1e-3;

static AbutStatus build(World *world, unsigned seed, AbutError *error) {
    AbutModel *model = NULL;
    ABUT_TRY(abut_scene_create(&world->scene, error));
    if (!*js_text(0)) return ABUT_OK;
    ABUT_TRY(abut_model_build(js_text(0), seed, &model, error));
    world->def.gravity = model->gravity;
    if (model->timestep > 0.0) world->time_step = model->timestep;
    AbutStatus status = abut_scene_add_model(world->scene, model, abut_pose_identity(), NULL, error);
    abut_model_free(model);
    return status;
}

World *js_world(unsigned seed) {
    AbutError error;
    World *world = abut_alloc_array(1, sizeof *world);
    if (!world) return js_fail("out of memory"), NULL;
    *world = (World){.def = abut_simulation_default(), .time_step = DEFAULT_STEP};
    if (js_result(build(world, seed, &error), &error)) return world;
    js_world_free(world);
    return NULL;
}

void js_world_free(World *world) {
    if (world) {
        abut_simulation_free(world->simulation);
        abut_scene_free(world->scene);
    }
    abut_free(world);
}

const char *js_scenes(void) {
    AbutJson *json = js_begin();
    abut_json_begin_array(json);
    for (int robots = 0; robots < 2; ++robots) {
        int count = 0;
        const AbutBuiltinScene *scenes = abut_builtin_scenes(robots, &count);
        for (int i = 0; i < count; ++i) abut_record_put_object(json, &abut_builtin_scene_record, &scenes[i]);
    }
    abut_json_end_array(json);
    return js_finish();
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

int js_world_add_body(World *world, int kind) {
    AbutError error;
    const double *n = js_numbers(0);
    AbutBodyId id;
    AbutBodyDef def = abut_body_default();
    def.kind = (AbutBodyKind)kind;
    def.name = *js_text(0) ? js_text(0) : NULL;
    def.pose = js_pose(n);
    def.velocity = js_vec3(n + JS_POSE);
    def.spin = js_vec3(n + 10);
    return js_result(abut_scene_add_body(world->scene, &def, &id, &error), &error)
               ? abut_scene_body_count(world->scene) - 1
               : -1;
}

void js_world_remove_body(World *world, int body) {
    AbutError error;
    abut_scene_remove_body(world->scene, abut_scene_body_at(world->scene, body), &error);
}

int js_world_add_shape(World *world, int body, int kind, const AbutSolidBody *hull) {
    AbutError error;
    const double *n = js_numbers(0);
    AbutShapeDef def = abut_shape_default();
    def.form.kind = (AbutShapeKind)kind;
    def.form.size = js_vec3(n);
    def.form.polyhedron = hull ? hull->hull : NULL;
    def.pose = js_pose(n + 3);
    def.density = n[10];
    def.material.friction = n[11];
    def.material.restitution = n[12];
    AbutBodyId id = abut_scene_body_at(world->scene, body);
    return js_result(abut_scene_add_shape(world->scene, id, &def, NULL, &error), &error);
}

#define REAL(member)                                                                                                   \
    { #member, offsetof(AbutSimulationDef, member), 0 }
#define WHOLE(member)                                                                                                  \
    { #member, offsetof(AbutSimulationDef, member), 1 }
static const struct {
    const char *name;
    size_t at;
    int whole;
} settings[] = {
    {"gravity_x", offsetof(AbutSimulationDef, gravity.x), 0},
    {"gravity_y", offsetof(AbutSimulationDef, gravity.y), 0},
    {"gravity_z", offsetof(AbutSimulationDef, gravity.z), 0},
    REAL(tolerance),
    REAL(beta),
    REAL(margin),
    REAL(slop),
    REAL(compliance),
    REAL(stick_speed),
    REAL(rolling),
    WHOLE(iterations),
    WHOLE(sleeping),
    WHOLE(continuous),
};

int js_world_set(World *world, double value) {
    AbutError error;
    const char *name = js_text(0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
        char *at = (char *)&world->def + settings[i].at;
        if (strcmp(name, settings[i].name) != 0) continue;
        if (settings[i].whole && !(value >= 0.0 && value <= 1e9)) break;
        if (settings[i].whole)
            memcpy(at, &(int){(int)value}, sizeof(int));
        else
            memcpy(at, &value, sizeof value);
        return 1;
    }
    if (strncmp(name, "model=", 6) == 0) {
        int model = abut_contact_model_find(name + 6);
        world->def.model = model >= 0 ? model : world->def.model;
        if (model >= 0) return 1;
    }
    return js_result(
        abut_fail(&error, ABUT_ERROR_ARGUMENT, "expected a known setting within its range, got %s %g", name, value),
        &error);
}

int js_world_start(World *world) {
    AbutError error;
    AbutStatus status = world->simulation
                            ? abut_simulation_set_settings(world->simulation, &world->def, &error)
                            : abut_simulation_create(world->scene, &world->def, &world->simulation, &error);
    return js_result(status, &error);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

double js_world_time_step(const World *world) { return world->time_step; }

int js_world_step(World *world, int count, double dt) {
    AbutError error;
    for (int i = 0; i < count; ++i)
        if (!js_result(abut_simulation_step(world->simulation, dt, &world->report, &error), &error)) return 0;
    return 1;
}

const char *js_world_report(const World *world) { return js_answer(&abut_step_report_record, &world->report); }

double js_world_time(const World *world) { return abut_simulation_time(world->simulation); }

unsigned js_world_hash(const World *world, int half) {
    uint64_t hash = abut_simulation_hash(world->simulation);
    return (unsigned)(half ? hash >> 32 : hash & 0xffffffffu);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

int js_world_body_count(const World *world) { return abut_scene_body_count(world->scene); }

static double *put(double *to, AbutVec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

const double *js_world_state(const World *world) {
    int count = abut_scene_body_count(world->scene);
    double *numbers = js_numbers(JS_STATE * count), *to = numbers;
    for (int i = 0; i < count && numbers; ++i) {
        AbutBodyId id = abut_scene_body_at(world->scene, i);
        AbutBodyState s = {.pose = abut_pose_identity()};
        int32_t asleep = 0;
        abut_scene_get_body(world->scene, id, &s);
        if (world->simulation) abut_simulation_get_activity(world->simulation, id, &asleep, NULL);
        to = put(to, s.pose.p);
        *to++ = s.pose.q.w;
        to = put(to, abut_vec3(s.pose.q.x, s.pose.q.y, s.pose.q.z));
        to = put(put(to, s.velocity), s.spin);
        *to++ = asleep;
    }
    return numbers;
}

const char *js_world_body_name(const World *world, int body) {
    AbutBodyState state;
    return abut_scene_get_body(world->scene, abut_scene_body_at(world->scene, body), &state) ? state.name : NULL;
}

int js_world_set_pose(World *world, int body) {
    AbutError error;
    AbutBodyId id = abut_scene_body_at(world->scene, body);
    return js_result(abut_scene_set_pose(world->scene, id, js_pose(js_numbers(0)), &error), &error);
}

int js_world_set_velocity(World *world, int body) {
    AbutError error;
    const double *n = js_numbers(0);
    AbutBodyId id = abut_scene_body_at(world->scene, body);
    return js_result(abut_scene_set_velocity(world->scene, id, js_vec3(n), js_vec3(n + 3), &error), &error);
}

int js_world_push(World *world, int body) {
    AbutError error;
    const double *n = js_numbers(0);
    AbutBodyId id = abut_scene_body_at(world->scene, body);
    return js_result(abut_scene_add_impulse(world->scene, id, js_vec3(n), js_vec3(n + 3), &error), &error);
}

int js_world_set_force(World *world, int body) {
    AbutError error;
    const double *n = js_numbers(0);
    AbutBodyId id = abut_scene_body_at(world->scene, body);
    return js_result(abut_simulation_set_force(world->simulation, id, js_vec3(n), js_vec3(n + 3), &error), &error);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct Row {
    int32_t body_a, body_b;
    AbutContact contact;
} Row;

typedef struct AbutContactVertex Vertex;
static const AbutField vertex_fields[] = {
    {ABUT_FIELD_VEC3(Vertex, point, "m", "On the contact plane.")},
    {ABUT_FIELD_VEC3(Vertex, force, "N", "On B.")},
    {ABUT_FIELD(Vertex, pressure, REAL, "Pa", "Normal force over its share of the area.")},
    {ABUT_FIELD(Vertex, sliding, FLAG, "", "It slides.")},
};
static const AbutRecord vertex_record = ABUT_RECORD("ContactVertex", "A vertex of a contact.", Vertex, vertex_fields);

static const AbutField contact_fields[] = {
    {ABUT_FIELD(Row, body_a, INT, "", "Number of body A.")},
    {ABUT_FIELD(Row, body_b, INT, "", "Number of body B.")},
    {ABUT_FIELD_AS("normal", Row, contact.normal, REAL, "", "Unit normal from A to B."), .rows = 3},
    {ABUT_FIELD_AS("center", Row, contact.center, REAL, "m", "Centroid of the overlap."), .rows = 3},
    {ABUT_FIELD_AS("force", Row, contact.force, REAL, "N", "What A exerts on B."), .rows = 3},
    {ABUT_FIELD_AS("torque", Row, contact.torque, REAL, "N m", "The same about `center`."), .rows = 3},
    {ABUT_FIELD_AS("area", Row, contact.area, REAL, "m^2", "Of the contact polygon.")},
    {ABUT_FIELD_AS("volume", Row, contact.volume, REAL, "m^3", "Of the overlap with margins.")},
    {ABUT_FIELD_AS("depth", Row, contact.depth, REAL, "m", "Extent of the overlap along the normal.")},
    {ABUT_FIELD_AS("sliding", Row, contact.sliding, FLAG, "", "False where it sticks everywhere.")},
    {ABUT_FIELD_AS("vertices", Row, contact.vertex, RECORD, "", "Of the contact polygon."), .record = &vertex_record,
        .rows = ABUT_CONTACT_VERTICES, .count_at = offsetof(Row, contact.vertex_count)},
};
const AbutRecord js_contact_record = ABUT_RECORD("Contact", "Two bodies in contact, world axes.", Row, contact_fields);

/* The number of a body; -1: it was removed. */
static int32_t number_of(const World *world, AbutBodyId id) {
    for (int32_t i = 0; id.index1 && i < abut_scene_body_count(world->scene); ++i)
        if (abut_scene_body_at(world->scene, i).index1 == id.index1) return i;
    return -1;
}

const char *js_world_contacts(const World *world) {
    AbutJson *json = js_begin();
    Row row;
    abut_json_begin_array(json);
    for (int i = 0; i < abut_simulation_contact_count(world->simulation); ++i) {
        if (!abut_simulation_get_contact(world->simulation, i, &row.contact)) continue;
        row.body_a = number_of(world, row.contact.body_a);
        row.body_b = number_of(world, row.contact.body_b);
        abut_record_put_object(json, &js_contact_record, &row);
    }
    abut_json_end_array(json);
    return js_finish();
}

/* ---- saved states ------------------------------------------------------------------------------------------------ */

int js_world_save(const World *world) {
    size_t bytes = abut_simulation_state_size(world->simulation);
    char *text = bytes < INT32_MAX ? js_text((int)bytes) : NULL;
    if (!text) return js_fail("out of memory"), 0;
    abut_simulation_save(world->simulation, text);
    return (int)bytes;
}

int js_world_restore(World *world, int bytes) {
    AbutError error;
    return js_result(abut_simulation_restore(world->simulation, js_text(0), (size_t)bytes, &error), &error);
}
