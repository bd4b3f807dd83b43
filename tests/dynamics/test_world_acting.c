/* SPDX-License-Identifier: Apache-2.0 */
/* Acting on a running simulation: forces, blows, weight and drag, materials, filters, gravity; what it tells of it. */
#include "dynamics/world_support.h"

#include <stdlib.h>
#include <string.h>

#define G 9.80665

static AbutSimulationDef weightless(void) {
    AbutSimulationDef def = abut_simulation_default();
    def.gravity = abut_zero();
    return def;
}

static AbutBodyId brick(AbutScene *scene, double z) {
    AbutShapeDef shape = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    return throw_box(scene, at(0, 0, z), abut_zero(), abut_zero(), &shape);
}

static AbutShapeId shape_of(const AbutScene *scene, AbutBodyId id) { return abut_scene_shape_at(scene, id, 0); }

static void forces_act_for_one_step(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = weightless();
    AbutBodyId id = brick(scene, 1.0);
    World world = world_of(scene, &def);
    AbutError error;
    AbutBodyState b = body_of(&world, id);
    AbutVec3 force = abut_vec3(3, 2, 1), point;
    for (int i = 0; i < 10; ++i) {
        good(abut_scene_add_force(scene, id, force, b.center, &error), &error);
        good(abut_scene_add_force(scene, id, force, b.center, &error), &error); /* they add up */
        world_step(&world, 1e-2);                                               /* cut into parts */
        b = body_of(&world, id);
    }
    CHECK_VEC_NEAR(b.velocity, abut_scale(force, 2.0 * 0.1 / b.mass), 1e-12);
    CHECK(abut_length(b.spin) < 1e-12);
    world_run(&world, 1e-2, 10);
    CHECK_VEC_NEAR(body_of(&world, id).velocity, b.velocity, 1e-15);
    point = abut_add(body_of(&world, id).center, abut_vec3(0.1, 0, 0));
    good(abut_scene_add_force(scene, id, abut_vec3(0, 1, 0), point, &error), &error);
    good(abut_scene_add_torque(scene, id, abut_vec3(0, 0, -0.1), &error), &error); /* takes the moment back */
    world_step(&world, 1e-3);
    CHECK(abut_length(body_of(&world, id).spin) < 1e-9);
    good(abut_scene_add_torque(scene, id, abut_vec3(0, 0, 0.1), &error), &error);
    world_step(&world, 1e-3);
    CHECK_NEAR(body_of(&world, id).spin.z, 1e-4 / b.inertia.z.z, 1e-7);
    world_free(&world);
}

static void a_blow_changes_momentum(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutBodyId id = brick(scene, 1.0);
    AbutBodyState b;
    AbutVec3 blow = abut_vec3(0.1, 0.2, -0.3), arm = abut_vec3(0.05, -0.02, 0.01);
    CHECK(abut_scene_get_body(scene, id, &b));
    good(abut_scene_add_impulse(scene, id, blow, abut_add(b.center, arm), &error), &error);
    CHECK(abut_scene_get_body(scene, id, &b));
    CHECK_VEC_NEAR(abut_scale(b.velocity, b.mass), blow, 1e-15);
    CHECK_VEC_NEAR(abut_mat3_apply(b.inertia, b.spin), abut_cross(arm, blow), 1e-15);
    abut_scene_free(scene);
}

static void weight_and_drag_can_be_set(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutBodyId id[3] = {brick(scene, 1.0), brick(scene, 2.0), brick(scene, 3.0)};
    good(abut_scene_set_gravity_scale(scene, id[0], 0.0, &error), &error);
    good(abut_scene_set_gravity_scale(scene, id[1], 0.5, &error), &error);
    good(abut_scene_set_gravity_scale(scene, id[2], 0.0, &error), &error);
    good(abut_scene_set_damping(scene, id[2], 2.0, 3.0, &error), &error);
    good(abut_scene_set_velocity(scene, id[2], abut_vec3(1, 0, 0), abut_vec3(0, 0, 1), &error), &error);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 400);
    CHECK_NEAR(body_of(&world, id[0]).center.z, 1.0, 1e-12);
    CHECK_NEAR(body_of(&world, id[1]).velocity.z, -0.5 * G * 0.4, 1e-9);
    CHECK_NEAR(body_of(&world, id[2]).velocity.x, exp(-0.8), 1e-9);
    CHECK_NEAR(body_of(&world, id[2]).spin.z, exp(-1.2), 1e-9);
    CHECK(body_of(&world, id[1]).gravity_scale == 0.5 && body_of(&world, id[2]).spin_damping == 3.0);
    world_free(&world);
}

static void gravity_material_and_filter_change(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutMaterial ice = {.friction_kinetic = -1.0};
    def.gravity = abut_vec3(0.3 * G, 0, -G);
    def.sleeping = 1;
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5), id = brick(scene, 0.025);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1000);
    CHECK(fabs(body_of(&world, id).center.x) < 1e-4); /* friction holds it, and it sleeps */
    good(abut_scene_set_material(scene, shape_of(scene, id), &ice, &error), &error);
    good(abut_scene_set_material(scene, shape_of(scene, ground), &ice, &error), &error);
    world_run(&world, 1e-3, 500);
    CHECK_NEAR(body_of(&world, id).velocity.x, 0.3 * G * 0.5, 1e-6);
    good(abut_simulation_set_gravity(world.sim, abut_vec3(0, 0, G), &error), &error);
    world_run(&world, 1e-3, 100);
    CHECK(body_of(&world, id).velocity.z > 0.9 * G * 0.1);
    good(abut_simulation_set_gravity(world.sim, abut_vec3(0, 0, -G), &error), &error);
    good(abut_scene_set_filter(scene, shape_of(scene, id), 2, 2, &error), &error);
    world_run(&world, 1e-3, 600);
    CHECK(body_of(&world, id).center.z < -0.1); /* through the floor */
    good(abut_scene_set_pose(scene, id, at(0, 0, 0.03), &error), &error);
    good(abut_scene_set_velocity(scene, id, abut_zero(), abut_zero(), &error), &error);
    good(abut_scene_set_filter(scene, shape_of(scene, id), 1, 1, &error), &error);
    world_run(&world, 1e-3, 300);
    CHECK_NEAR(body_of(&world, id).center.z, 0.025, 1e-5);
    world_free(&world);
}

static int count_events(const World *world, AbutEventKind kind, double *speed) {
    int count, found = 0;
    const AbutEvent *event = abut_simulation_events(world->sim, &count);
    for (int i = 0; i < count; ++i)
        if (event[i].kind == kind) {
            ++found;
            if (speed) *speed = event[i].speed;
        }
    return found;
}

static void events_tell_what_happened(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutShapeDef ball = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    int total[ABUT_EVENT_KIND_COUNT] = {0};
    double speed = 0.0;
    ball.form.kind = ABUT_SHAPE_SPHERE;
    ball.material.restitution = 0.5;
    def.sleeping = 1;
    add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.55), abut_zero(), abut_zero(), &ball);
    World world = world_of(scene, &def);
    for (int i = 0; i < 4000; ++i) {
        world_step(&world, 1e-3);
        for (int k = 0; k < ABUT_EVENT_KIND_COUNT; ++k)
            total[k] += count_events(&world, (AbutEventKind)k, total[0] == 0 ? &speed : NULL);
    }
    CHECK_NEAR(speed, sqrt(2.0 * G * 0.5), 0.02);
    CHECK(total[ABUT_EVENT_BEGIN] >= 3 && total[ABUT_EVENT_BEGIN] == total[ABUT_EVENT_END] + 1); /* it bounced */
    assert_int_equal(total[ABUT_EVENT_SLEEP], 1);
    AbutContact contact[2];
    assert_int_equal(abut_simulation_body_contacts(world.sim, id, 2, contact), 1);
    CHECK_NEAR(contact[0].force.z, body_of(&world, id).mass * G, 1e-6);
    assert_int_equal(abut_simulation_body_contacts(world.sim, id, 0, NULL), 1);
    good(abut_scene_wake(scene, id, &error), &error);
    world_step(&world, 1e-3);
    assert_int_equal(count_events(&world, ABUT_EVENT_WAKE, NULL), 1);
    good(abut_scene_remove_body(scene, id, &error), &error);
    world_step(&world, 1e-3);
    assert_int_equal(count_events(&world, ABUT_EVENT_END, NULL), 1);
    world_free(&world);
}

/* A force that waits is part of the state. */
static void a_saved_force_acts(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = weightless();
    AbutError error;
    AbutBodyId id = brick(scene, 1.0);
    World world = world_of(scene, &def);
    world_step(&world, 1e-3);
    good(abut_scene_add_force(scene, id, abut_vec3(1, 0, 0), body_of(&world, id).center, &error), &error);
    size_t bytes = abut_simulation_state_size(world.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(world.sim, saved);
    world_step(&world, 1e-3);
    uint64_t hash = abut_simulation_hash(world.sim);
    good(abut_simulation_restore(world.sim, saved, bytes, &error), &error);
    world_step(&world, 1e-3);
    CHECK(abut_simulation_hash(world.sim) == hash && body_of(&world, id).velocity.x > 0.0);
    free(saved);
    world_free(&world);
}

static void bad_calls_are_refused(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutVec3 nan = abut_vec3(NAN, 0, 0), zero = abut_zero();
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5), id = brick(scene, 1.0), none = {77, 1};
    AbutShapeId no_shape = {77, 1};
    AbutMaterial bad = {.friction = 0.5, .friction_kinetic = -1.0, .friction_spinning = -1.0};
    CHECK(abut_scene_add_force(scene, ground, zero, zero, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_add_force(scene, none, zero, zero, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_add_force(scene, id, nan, zero, &error) == ABUT_ERROR_NUMBER);
    CHECK(abut_scene_add_torque(scene, id, nan, &error) == ABUT_ERROR_NUMBER);
    CHECK(abut_scene_add_impulse(scene, id, zero, nan, &error) == ABUT_ERROR_NUMBER);
    CHECK(abut_scene_set_gravity_scale(scene, id, NAN, &error) == ABUT_ERROR_NUMBER);
    CHECK(abut_scene_set_damping(scene, id, -1.0, 0.0, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_wake(scene, none, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_set_material(scene, shape_of(scene, id), &bad, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_set_material(scene, no_shape, &bad, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_set_filter(scene, no_shape, 1, 1, &error) == ABUT_ERROR_ARGUMENT);
    AbutSimulationDef def = abut_simulation_default();
    World world = world_of(scene, &def);
    CHECK(abut_simulation_set_gravity(world.sim, nan, &error) != ABUT_OK);
    world_step(&world, 1e-3);
    CHECK(body_of(&world, id).velocity.z < 0.0);
    world_free(&world);
}

/* What a body is told is seen by the hash at once, and gone from it when it is taken back; so is gravity. */
static void the_hash_sees_what_was_told(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyId id = brick(scene, 1.0);
    World world = world_of(scene, &def);
    AbutVec3 push = abut_vec3(1, 0, 0);
    world_step(&world, 1e-3);
    uint64_t plain = abut_simulation_hash(world.sim), seen[8];
    int n = 0;
    assert_int_equal(abut_simulation_set_force(world.sim, id, push, abut_zero(), NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_simulation_set_force(world.sim, id, abut_zero(), push, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_simulation_set_force(world.sim, id, abut_zero(), abut_zero(), NULL), ABUT_OK);
    CHECK(abut_simulation_hash(world.sim) == plain);
    assert_int_equal(abut_scene_set_damping(scene, id, 0.5, 0.0, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_scene_set_damping(scene, id, 0.0, 0.5, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_scene_set_damping(scene, id, 0.0, 0.0, NULL), ABUT_OK);
    assert_int_equal(abut_scene_set_gravity_scale(scene, id, 0.5, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_scene_set_gravity_scale(scene, id, 1.0, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_set_gravity(world.sim, push, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    assert_int_equal(abut_simulation_set_gravity(world.sim, def.gravity, NULL), ABUT_OK);
    CHECK(abut_simulation_hash(world.sim) == plain);
    assert_int_equal(abut_scene_add_torque(scene, id, push, NULL), ABUT_OK);
    seen[n++] = abut_simulation_hash(world.sim);
    seen[n++] = plain;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k) CHECK(seen[i] != seen[k]);
    world_free(&world);
}

/* Gravity is part of a saved state. */
static void gravity_is_saved(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyId id = brick(scene, 1.0);
    World world = world_of(scene, &def);
    AbutError error;
    good(abut_simulation_set_gravity(world.sim, abut_vec3(1, 2, 3), &error), &error);
    size_t bytes = abut_simulation_state_size(world.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(world.sim, saved);
    uint64_t hash = abut_simulation_hash(world.sim);
    good(abut_simulation_set_gravity(world.sim, def.gravity, &error), &error);
    world_run(&world, 1e-3, 10);
    good(abut_simulation_restore(world.sim, saved, bytes, &error), &error);
    CHECK(abut_simulation_hash(world.sim) == hash);
    world_run(&world, 1e-3, 100);
    CHECK_VEC_NEAR(body_of(&world, id).velocity, abut_vec3(0.1, 0.2, 0.3), 1e-9);
    free(saved);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_act_for_one_step),
        cmocka_unit_test(a_blow_changes_momentum),
        cmocka_unit_test(weight_and_drag_can_be_set),
        cmocka_unit_test(gravity_material_and_filter_change),
        cmocka_unit_test(events_tell_what_happened),
        cmocka_unit_test(a_saved_force_acts),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(the_hash_sees_what_was_told),
        cmocka_unit_test(gravity_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
