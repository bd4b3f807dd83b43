/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes become a small scene (hulls, boxes and half-spaces at poses, with masses and velocities) and some steps of it.
 * Whatever the numbers, the state stays finite or a step ends in a clean error, the same bytes give the same run, and a
 * saved state restores.
 */
#include "abut/dynamics.h"
#include "fuzz.h"
#include "input.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

enum { MAX_BODIES = 6, MAX_POINTS = 16, STEPS = 12 };

/* A shape for the body; nothing where the numbers do not make one. */
static void next_shape(Input *in, AbutScene *scene, AbutBodyId body) {
    AbutShapeDef def = abut_shape_default();
    AbutPolyhedron *hull = NULL;
    AbutVec3 point[MAX_POINTS];
    int kind = next_byte(in) % 4, count = 4 + next_byte(in) % (MAX_POINTS - 3);
    def.material.friction = 0.01 * next_byte(in);
    def.material.restitution = next_byte(in) / 255.0;
    def.density = pow(10.0, next_byte(in) / 32.0 - 2.0);
    if (kind < 2) {
        for (int i = 0; i < count; ++i) point[i] = next_vec3(in);
        if (abut_polyhedron_from_points(point, count, NULL, &hull, NULL) != ABUT_OK) return;
        def.form.kind = ABUT_SHAPE_POLYHEDRON;
        def.form.polyhedron = hull;
    } else {
        def.form.kind = kind == 2 ? ABUT_SHAPE_BOX : ABUT_SHAPE_HALF_SPACE;
        def.form.size = abut_abs(next_vec3(in));
    }
    abut_scene_add_shape(scene, body, &def, NULL, NULL);
    abut_polyhedron_free(hull);
}

static void next_body(Input *in, AbutScene *scene) {
    AbutBodyDef def = abut_body_default();
    AbutBodyId id;
    int kind = next_byte(in);
    def.kind = kind < 160 ? ABUT_BODY_DYNAMIC : (kind < 210 ? ABUT_BODY_STATIC : ABUT_BODY_KINEMATIC);
    def.pose.p = next_vec3(in);
    def.pose.q.w = 0.1 + next_byte(in), def.pose.q.x = next_byte(in), def.pose.q.y = next_byte(in),
    def.pose.q.z = next_byte(in);
    def.pose.q = abut_quat_normalize(def.pose.q);
    if (def.kind != ABUT_BODY_STATIC) {
        def.velocity = next_vec3(in);
        def.spin = next_vec3(in);
    }
    if (abut_scene_add_body(scene, &def, &id, NULL) != ABUT_OK) return;
    next_shape(in, scene, id);
    if (next_byte(in) > 200) next_shape(in, scene, id);
    AbutBodyState body;
    FUZZ_REQUIRE(abut_scene_get_body(scene, id, &body));
    if (body.kind == ABUT_BODY_DYNAMIC && body.mass == 0.0) /* no shape came of it */
        FUZZ_REQUIRE(abut_scene_remove_body(scene, id, NULL) == ABUT_OK);
}

/* Finite, unless the numbers themselves leave what doubles hold: then an error was due. */
static void require_finite(const AbutScene *scene, const AbutSimulation *sim) {
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyState b;
        FUZZ_REQUIRE(abut_scene_get_body(scene, abut_scene_body_at(scene, i), &b));
        FUZZ_REQUIRE(abut_is_finite(b.center) && abut_pose_is_finite(b.pose) && abut_is_finite(b.velocity) &&
                     abut_is_finite(b.spin));
        FUZZ_REQUIRE(fabs(abut_quat_dot(b.pose.q, b.pose.q) - 1.0) < 1e-9);
    }
    for (int i = 0; i < abut_simulation_contact_count(sim); ++i) {
        AbutContact c;
        FUZZ_REQUIRE(abut_simulation_get_contact(sim, i, &c));
        FUZZ_REQUIRE(c.vertex_count >= 1 && c.vertex_count <= ABUT_CONTACT_VERTICES && c.depth >= 0.0);
        FUZZ_REQUIRE(abut_is_finite(c.normal) && abut_is_finite(c.force) && abut_is_finite(c.torque));
    }
}

/* Saves, steps, restores, steps again: the same. */
static void require_restore(AbutSimulation *sim, double dt) {
    size_t size = abut_simulation_state_size(sim);
    void *state = malloc(size);
    FUZZ_REQUIRE(state != NULL);
    abut_simulation_save(sim, state);
    AbutStatus first = abut_simulation_step(sim, dt, NULL, NULL);
    uint64_t hash = abut_simulation_hash(sim);
    FUZZ_REQUIRE(abut_simulation_restore(sim, state, size, NULL) == ABUT_OK);
    AbutStatus again = abut_simulation_step(sim, dt, NULL, NULL);
    FUZZ_REQUIRE(first == again && (first != ABUT_OK || abut_simulation_hash(sim) == hash));
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    int options = next_byte(&in), bodies = 1 + next_byte(&in) % MAX_BODIES;
    AbutScene *scene = NULL;
    AbutSimulation *sim = NULL;
    AbutSimulationDef def = abut_simulation_default();
    double dt = pow(10.0, -1.0 - next_byte(&in) / 60.0); /* 0.1 .. 6e-6 */
    in.tame = options & 1 ? 0.0 : 0.0625;
    def.sleeping = options >> 1 & 1;
    def.continuous = options >> 2 & 1;
    def.torsion_uniform = options >> 3 & 1;
    if (options & 16) def.gravity = abut_zero();
    FUZZ_REQUIRE(abut_scene_create(&scene, NULL) == ABUT_OK);
    for (int i = 0; i < bodies; ++i) next_body(&in, scene);
    AbutStatus status = abut_simulation_create(scene, &def, &sim, NULL);
    for (int i = 0; i < STEPS && status == ABUT_OK; ++i) {
        AbutStepReport report;
        AbutError error = {0};
        status = abut_simulation_step(sim, dt, &report, &error);
        FUZZ_REQUIRE(status == ABUT_OK || error.text[0] != '\0');
        if (status == ABUT_OK) {
            require_finite(scene, sim);
            FUZZ_REQUIRE(report.sweeps >= 0 && report.sweeps <= 1000 && report.max_depth >= 0.0);
        }
    }
    if (status == ABUT_OK) require_restore(sim, dt);
    abut_simulation_free(sim);
    abut_scene_free(scene);
    return 0;
}
