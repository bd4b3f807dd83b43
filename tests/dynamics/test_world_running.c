/* SPDX-License-Identifier: Apache-2.0 */
/* Belts, sensors, and bodies whose mass or kind changes or that are put to sleep, in a running simulation. */
#include "dynamics/world_support.h"

#include <string.h>

#define G 9.80665

static AbutShapeDef round_def(AbutShapeKind kind, double radius) {
    AbutShapeDef shape = box_def(radius, radius, radius, 1000.0, 0.5);
    shape.form.kind = kind;
    return shape;
}

/* A static box of 10 x 10 x 0.2 m with its top at z = 0. */
static AbutBodyId add_belt(AbutScene *scene, AbutVec3 velocity, double turn) {
    AbutError error;
    AbutBodyId id;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = box_def(5.0, 5.0, 0.1, 1000.0, 0.5);
    body.kind = ABUT_BODY_STATIC;
    body.pose.p.z = -0.1;
    shape.pose.q = abut_quat_axis_angle(abut_axis(2), turn);
    shape.material.surface_velocity = velocity;
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    good(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    return id;
}

static int count_events(const World *world, AbutEventKind kind) {
    int count, found = 0;
    const AbutEvent *event = abut_simulation_events(world->sim, &count);
    for (int i = 0; i < count; ++i) found += event[i].kind == kind;
    return found;
}

/* Steps on, goes back, steps on again: the same bits, and the same number of events of a kind. */
static void check_restore(World *world, int steps, AbutEventKind kind, int events) {
    AbutError error;
    size_t bytes = abut_simulation_state_size(world->sim);
    void *saved = malloc(bytes);
    uint64_t hash[2];
    abut_simulation_save(world->sim, saved);
    for (int round = 0; round < 2; ++round) {
        int told = 0;
        for (int i = 0; i < steps; ++i) {
            world_step(world, 1e-3);
            told += count_events(world, kind);
        }
        assert_int_equal(told, events);
        hash[round] = abut_simulation_hash(world->sim);
        if (round == 0) good(abut_simulation_restore(world->sim, saved, bytes, &error), &error);
    }
    CHECK(hash[0] == hash[1]);
    free(saved);
}

/* ---- belts ------------------------------------------------------------------------------------------------------- */

static void a_belt_carries_a_box(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        AbutScene *scene = new_scene();
        AbutSimulationDef def = abut_simulation_default();
        AbutShapeDef box = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
        AbutVec3 along = turned ? abut_axis(1) : abut_axis(0);
        add_belt(scene, abut_vec3(1.0, 0.0, 3.0), turned ? 0.5 * ABUT_PI : 0.0);
        AbutBodyId id = throw_box(scene, at(0, 0, 0.025), abut_zero(), abut_zero(), &box);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 100);
        CHECK_NEAR(abut_dot(body_of(&world, id).velocity, along), 0.5 * G * 0.1, 0.01); /* mu g t */
        AbutContact contact;
        assert_int_equal(abut_simulation_body_contacts(world.sim, id, 1, &contact), 1);
        CHECK(contact.sliding);
        check_restore(&world, 60, ABUT_EVENT_END, 0);
        world_run(&world, 1e-3, 500);
        CHECK_VEC_NEAR(body_of(&world, id).velocity, along, 1e-6);
        CHECK(abut_length(body_of(&world, id).spin) < 1e-6);
        assert_int_equal(abut_simulation_body_contacts(world.sim, id, 1, &contact), 1);
        CHECK(!contact.sliding);
        world_free(&world);
    }
}

/* v = mu g t and r w = 5/2 mu g t until the ball rolls on the belt: v is 2/7 of its speed. */
static void a_belt_makes_a_ball_roll(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef ball = round_def(ABUT_SHAPE_SPHERE, 0.1);
    add_belt(scene, abut_vec3(1.4, 0.0, 0.0), 0.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &ball);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1000);
    CHECK_NEAR(body_of(&world, id).velocity.x, 0.4, 1e-3);
    CHECK_NEAR(body_of(&world, id).spin.y, -10.0, 2e-2);
    world_free(&world);
}

static void a_belt_can_be_stopped(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutShapeDef box = box_def(0.1, 0.05, 0.025, 1000.0, 0.5);
    AbutMaterial still = box.material, bad = still;
    AbutBodyId belt = add_belt(scene, abut_vec3(1.0, 0.0, 0.0), 0.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.025), abut_zero(), abut_zero(), &box);
    def.sleeping = 1;
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 500);
    bad.surface_velocity.x = NAN;
    CHECK(abut_scene_set_material(scene, abut_scene_shape_at(scene, belt, 0), &bad, &error) != ABUT_OK);
    good(abut_scene_set_material(scene, abut_scene_shape_at(scene, belt, 0), &still, &error), &error);
    world_run(&world, 1e-3, 1000);
    CHECK(abut_length(body_of(&world, id).velocity) < 1e-9);
    world_free(&world);
}

/* Parts go over the first belt, fall onto the second, and leave it. */
static void the_conveyor_hands_on(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("conveyor:4", 1, &def);
    world_run(&world, 2e-3, 500);
    CHECK(body_named(&world, "part2").center.z > 0.6);
    world_run(&world, 2e-3, 500);
    CHECK(body_named(&world, "part0").center.x > 0.0 && body_named(&world, "part0").velocity.y > 0.5);
    world_run(&world, 2e-3, 1500);
    CHECK(body_named(&world, "part0").center.y > 1.5);
    CHECK(body_named(&world, "part2").center.y > 1.5);
    world_free(&world);
}

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

static AbutBodyId add_sensor(AbutScene *scene, double z) {
    AbutError error;
    AbutBodyId id;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = box_def(0.5, 0.5, 0.1, 1000.0, 0.5);
    body.kind = ABUT_BODY_STATIC;
    body.pose.p.z = z;
    shape.sensor = 1;
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    good(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    return id;
}

static void a_sensor_tells_and_does_not_push(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef ball = round_def(ABUT_SHAPE_SPHERE, 0.05);
    AbutBodyId sensor = add_sensor(scene, 1.0), id;
    id = throw_box(scene, at(0, 0, 1.4), abut_zero(), abut_vec3(0, 1, 0), &ball);
    World world = world_of(scene, &def);
    int begun = 0, ended = 0, in_it = 0;
    for (int i = 0; i < 500; ++i) {
        AbutStepReport report = world_step(&world, 1e-3);
        int count;
        const AbutEvent *event = abut_simulation_events(world.sim, &count);
        for (int k = 0; k < count; ++k)
            CHECK(event[k].body_a.index1 == sensor.index1 && event[k].body_b.index1 == id.index1);
        begun += count_events(&world, ABUT_EVENT_BEGIN);
        ended += count_events(&world, ABUT_EVENT_END);
        in_it += begun > ended;
        CHECK(report.contacts == 0 && report.continuous_hits == 0 && abut_simulation_contact_count(world.sim) == 0);
        if (i == 300) /* it left the sensor at sqrt(2 (0.25 + 0.3) / g) = 0.335 s */
            check_restore(&world, 60, ABUT_EVENT_END, 1), ended = 1, i += 60;
    }
    CHECK(begun == 1 && ended == 1 && in_it > 50);
    CHECK_NEAR(body_of(&world, id).velocity.z, -G * 0.5, 1e-9);
    world_free(&world);
}

static void queries_pass_through_sensors(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutContactList list;
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5), feeler = box_def(1.0, 1.0, 1.0, 1000.0, 0.5);
    AbutSceneDistance distance;
    AbutBodyState before, after;
    feeler.sensor = 1;
    add_sensor(scene, 0.0);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &box);
    CHECK(abut_scene_get_body(scene, id, &before));
    good(abut_scene_add_shape(scene, id, &feeler, NULL, &error), &error);
    CHECK(abut_scene_get_body(scene, id, &after));
    CHECK(before.mass == after.mass && abut_point_distance(before.center, after.center) == 0.0);
    good(abut_scene_find_contacts(scene, -1.0, 0, &list, &error), &error);
    assert_int_equal(list.count, 0);
    abut_contact_list_free(&list);
    assert_int_equal(abut_scene_distances(scene, NULL, INFINITY, 1, &distance), 0);
    AbutCast cast = {.ray = {abut_vec3(0.3, 0, 2), abut_vec3(0, 0, -4)}};
    CHECK(abut_scene_cast(scene, &cast, NULL, NULL).shape.index1 == 0);
    abut_scene_free(scene);
}

/* ---- mass and kind ----------------------------------------------------------------------------------------------- */

static void mass_changes(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutContact contact;
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    AbutMat3 inertia = abut_mat3_diagonal(0.2, 0.2, 0.2), bad = abut_mat3_diagonal(0.2, 0.2, 2.0);
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.1), abut_zero(), abut_zero(), &box);
    def.sleeping = 1;
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1000);
    good(abut_scene_set_mass(scene, id, 30.0, abut_vec3(0.02, 0, 0), inertia, &error), &error);
    world_run(&world, 1e-3, 300);
    CHECK(abut_simulation_body_contacts(world.sim, id, 1, &contact) == 1);
    CHECK_NEAR(contact.force.z, 30.0 * G, 1e-3);
    CHECK_NEAR(contact.pressure_center.x, 0.02, 1e-4);
    check_restore(&world, 50, ABUT_EVENT_END, 0);
    CHECK(abut_scene_set_mass(scene, id, 30.0, abut_zero(), bad, &error) != ABUT_OK);
    CHECK(abut_scene_set_mass(scene, ground, 30.0, abut_zero(), inertia, &error) == ABUT_ERROR_ARGUMENT);
    CHECK_NEAR(body_of(&world, id).mass, 30.0, 0.0);
    good(abut_scene_set_velocity(scene, id, abut_vec3(1, 0, 0), abut_vec3(0, 0, 2), &error), &error);
    good(abut_scene_set_mass(scene, id, 0.0, abut_zero(), inertia, &error), &error);
    CHECK_NEAR(body_of(&world, id).mass, 8.0, 1e-9);
    CHECK_VEC_NEAR(body_of(&world, id).velocity, abut_vec3(1.0, -0.04, 0.0), 1e-3);
    world_free(&world);
}

static void kind_changes(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5), none = {77, 1};
    AbutBodyId low = throw_box(scene, at(0, 0, 0.5), abut_zero(), abut_zero(), &box),
               high = throw_box(scene, at(0, 0, 0.7), abut_zero(), abut_zero(), &box);
    good(abut_scene_set_kind(scene, low, ABUT_BODY_STATIC, &error), &error);
    def.sleeping = 1;
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 1500);
    CHECK_NEAR(body_of(&world, high).center.z, 0.7, 1e-4); /* rests on it, asleep */
    CHECK(body_of(&world, low).mass == 0.0);
    good(abut_scene_set_kind(scene, low, ABUT_BODY_DYNAMIC, &error), &error);
    CHECK_NEAR(body_of(&world, low).mass, 8.0, 1e-9);
    world_run(&world, 1e-3, 200);
    CHECK_NEAR(body_of(&world, high).velocity.z, -G * 0.2, 0.02); /* both fall */
    check_restore(&world, 100, ABUT_EVENT_SLEEP, 0);
    good(abut_scene_set_kind(scene, low, ABUT_BODY_KINEMATIC, &error), &error);
    good(abut_scene_set_velocity(scene, low, abut_vec3(0, 0, 0.5), abut_zero(), &error), &error);
    world_run(&world, 1e-3, 400);
    CHECK_NEAR(body_of(&world, high).velocity.z, 0.5, 1e-3); /* lifted */
    good(abut_scene_set_kind(scene, low, ABUT_BODY_DYNAMIC, &error), &error);
    world_run(&world, 1e-3, 1500);
    CHECK_NEAR(body_of(&world, low).center.z, 0.1, 1e-3);
    CHECK_NEAR(body_of(&world, high).center.z, 0.3, 1e-3);
    CHECK(abut_scene_set_kind(scene, none, ABUT_BODY_STATIC, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_set_kind(scene, ground, ABUT_BODY_DYNAMIC, &error) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_scene_set_kind(scene, low, ABUT_BODY_LINK, &error) == ABUT_ERROR_ARGUMENT);
    world_free(&world);
}

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

static void bodies_are_put_to_sleep(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    int32_t asleep;
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId sliding = throw_box(scene, at(3, 0, 0.1), abut_vec3(3, 0, 0), abut_zero(), &box),
               falling = throw_box(scene, at(0, 0, 1.0), abut_zero(), abut_zero(), &box);
    World rest = world_of(scene, &def);
    CHECK(abut_simulation_sleep(rest.sim, falling, &error) == ABUT_ERROR_ARGUMENT); /* nothing sleeps there */
    abut_simulation_free(rest.sim);
    def.sleeping = 1;
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 100);
    good(abut_simulation_sleep(world.sim, sliding, &error), &error);
    good(abut_simulation_sleep(world.sim, falling, &error), &error);
    CHECK(abut_simulation_sleep(world.sim, ground, &error) == ABUT_ERROR_ARGUMENT);
    double z = body_of(&world, falling).center.z, x = body_of(&world, sliding).center.x;
    check_restore(&world, 50, ABUT_EVENT_SLEEP, 2);
    CHECK(abut_simulation_get_activity(world.sim, falling, &asleep, NULL) && asleep);
    CHECK(body_of(&world, falling).center.z == z && body_of(&world, sliding).center.x == x);
    good(abut_scene_wake(scene, falling, &error), &error);
    world_run(&world, 1e-3, 100);
    CHECK_NEAR(body_of(&world, falling).velocity.z, -G * 0.1, 1e-9);
    CHECK(abut_simulation_get_activity(world.sim, sliding, &asleep, NULL) && asleep);
    world_free(&world);
}

/* ---- locked axes ------------------------------------------------------------------------------------------------- */

/* A box that cannot turn slides down a slope steeper than it could stand on; one that moves in a plane stays in it; one
 * whose normal is locked is not pushed. */
static void locked_axes_stay(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5), tall = box_def(0.02, 0.02, 0.2, 1000.0, 0.5);
    add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId flat = throw_box(scene, at(0, 0, 1.0), abut_vec3(0.5, 0.5, 0), abut_vec3(1, 2, 3), &box),
               pole = throw_box(scene, at(2, 0, 0.2), abut_vec3(2, 0, 0), abut_zero(), &tall),
               hung = throw_box(scene, at(-2, 0, 0.099), abut_vec3(0.5, 0, 0), abut_zero(), &box);
    good(abut_scene_lock_axes(scene, flat, ABUT_LOCK_Y | ABUT_LOCK_TURN_X | ABUT_LOCK_TURN_Z, &error), &error);
    good(abut_scene_lock_axes(scene, pole, ABUT_LOCK_TURN_X | ABUT_LOCK_TURN_Y | ABUT_LOCK_TURN_Z, &error), &error);
    good(abut_scene_lock_axes(scene, hung, 63 - ABUT_LOCK_X, &error), &error);
    CHECK(abut_scene_lock_axes(scene, flat, 64, &error) == ABUT_ERROR_ARGUMENT);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 200);
    CHECK_NEAR(body_of(&world, pole).velocity.x, 2.0 - 0.5 * G * 0.2, 1e-3); /* it does not topple */
    check_restore(&world, 300, ABUT_EVENT_SLEEP, 0);
    world_run(&world, 1e-3, 500);
    AbutBodyState b = body_of(&world, flat);
    CHECK(b.center.y == 0.0 && b.velocity.y == 0.0 && b.spin.x == 0.0 && b.spin.z == 0.0 && b.center.x > 0.1);
    CHECK(b.center.z > 0.09 && b.center.z < 0.16);
    b = body_of(&world, pole);
    CHECK_NEAR(b.center.z, 0.2, 1e-4);
    CHECK(abut_length(b.spin) == 0.0 && abut_length(b.velocity) < 1e-6);
    b = body_of(&world, hung);
    CHECK(b.center.z == 0.099 && b.center.y == 0.0 && b.velocity.z == 0.0);
    world_free(&world);
}

/* The state of a body that lies on the ground, with what it was told. */
static World lying_box(AbutBodyId *id) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
    def.sleeping = 1;
    add_ground(scene, abut_quat_identity(), 0.5);
    *id = throw_box(scene, at(0, 0, 0.12), abut_vec3(0.5, 0.5, 0), abut_vec3(1, 2, 3), &box);
    return world_of(scene, &def);
}

/* Locks that were set after saving are gone after restoring, with the inertia they made; the hash tells locks apart. */
static void locks_are_restored(void **state) {
    (void)state;
    AbutBodyId id, other;
    AbutError error;
    World world = lying_box(&id), twin = lying_box(&other);
    world_run(&world, 1e-3, 50);
    world_run(&twin, 1e-3, 50);
    size_t bytes = abut_simulation_state_size(world.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(world.sim, saved);
    good(abut_scene_lock_axes(world.scene, id, ABUT_LOCK_TURN_X | ABUT_LOCK_X, &error), &error);
    CHECK(abut_simulation_hash(world.sim) != abut_simulation_hash(twin.sim));
    world_run(&world, 1e-3, 3);
    good(abut_simulation_restore(world.sim, saved, bytes, &error), &error);
    for (int i = 0; i < 100; ++i) {
        CHECK(abut_simulation_hash(world.sim) == abut_simulation_hash(twin.sim));
        world_step(&world, 1e-3);
        world_step(&twin, 1e-3);
    }
    free(saved);
    world_free(&world);
    world_free(&twin);
}

/* Waking a body moves nothing, yet what comes next differs: so does the hash. */
static void sleep_is_hashed(void **state) {
    (void)state;
    AbutBodyId id;
    AbutError error;
    World world = lying_box(&id);
    world_run(&world, 1e-3, 400);
    good(abut_simulation_sleep(world.sim, id, &error), &error);
    world_step(&world, 1e-3);
    uint64_t asleep = abut_simulation_hash(world.sim);
    good(abut_scene_wake(world.scene, id, &error), &error);
    CHECK(abut_simulation_hash(world.sim) != asleep);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_carries_a_box),
        cmocka_unit_test(a_belt_makes_a_ball_roll),
        cmocka_unit_test(a_belt_can_be_stopped),
        cmocka_unit_test(the_conveyor_hands_on),
        cmocka_unit_test(a_sensor_tells_and_does_not_push),
        cmocka_unit_test(queries_pass_through_sensors),
        cmocka_unit_test(mass_changes),
        cmocka_unit_test(kind_changes),
        cmocka_unit_test(bodies_are_put_to_sleep),
        cmocka_unit_test(locked_axes_stay),
        cmocka_unit_test(locks_are_restored),
        cmocka_unit_test(sleep_is_hashed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
