/* SPDX-License-Identifier: Apache-2.0 */
/* A scene that changes while it runs: bodies come and go, sleep and wake, filters and rules hold, friction and steps
 * change. */
#include "dynamics/world_support.h"

static const double DT = 1e-3;

static void filters_and_exclusions_hold(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.05, 0.05, 0.05, 1000.0, 0.5), ghost = shape;
    AbutError error;
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId normal = throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &shape);
    ghost.category = 2;
    ghost.mask = 2;
    AbutBodyId passes =
        throw_box(scene, at(1, 0, 0.05), abut_zero(), abut_zero(), &ghost); /* meets only its own kind */
    AbutBodyId excluded = throw_box(scene, at(2, 0, 0.05), abut_zero(), abut_zero(), &shape);
    good(abut_scene_exclude(scene, ground, excluded, &error), &error);
    World world = world_of(scene, &def);
    world_run(&world, DT, 200);
    CHECK_NEAR(body_of(&world, normal).center.z, 0.05, 1e-4);
    CHECK(body_of(&world, passes).center.z < -0.1);
    CHECK(body_of(&world, excluded).center.z < -0.1);
    AbutContact c;
    CHECK(find_contact(&world, ground, normal, &c));
    CHECK(!find_contact(&world, ground, passes, &c) && !find_contact(&world, ground, excluded, &c));
    good(abut_scene_exclude(scene, ground, normal, &error), &error); /* while they touch */
    world_run(&world, DT, 100);
    CHECK(body_of(&world, normal).center.z < 0.01);
    CHECK(!find_contact(&world, ground, normal, &c));
    world_free(&world);
}

static void friction_of_a_pair_can_change_while_it_touches(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("incline:0.4", 0, &def);
    AbutError error;
    AbutBodyId ground = abut_scene_find_body(world.scene, "ground"), box = abut_scene_find_body(world.scene, "box0");
    world_run(&world, DT, 300);
    CHECK(abut_length(body_of(&world, box).velocity) < 1e-9);
    good(abut_scene_set_pair_friction(world.scene, abut_scene_shape_at(world.scene, ground, 0),
             abut_scene_shape_at(world.scene, box, 0), 0.1, 0.1, &error),
        &error);
    world_run(&world, DT, 300);
    double g = 9.80665, expected = g * (0.4 - 0.1) / sqrt(1.16) * 0.3;
    CHECK_NEAR(abut_length(body_of(&world, box).velocity), expected, 0.02 * expected);
    world_free(&world);
}

/* Boxes rain down and are taken away at random; the state stays sound and old ids are refused. */
static void bodies_come_and_go(void **state) {
    (void)state;
    for (int sleeping = 0; sleeping < 2; ++sleeping) {
        AbutRng rng = abut_rng(5, (uint64_t)sleeping);
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutShapeDef shape = box_def(0.05, 0.04, 0.03, 1000.0, 0.5);
        AbutBodyId id[24];
        AbutError error;
        int count = 0;
        def.sleeping = sleeping;
        add_ground(scene, abut_quat_identity(), 0.5);
        World world = world_of(scene, &def);
        for (int i = 0; i < 3000; ++i) {
            if (i % 30 == 0 && count < 24 && abut_rng_below(&rng, 2)) {
                AbutVec3 p = abut_vec3(abut_rng_between(&rng, -0.1, 0.1), abut_rng_between(&rng, -0.1, 0.1),
                    abut_rng_between(&rng, 0.6, 1.0));
                id[count++] = throw_box(scene, abut_pose(p, abut_random_quat(&rng)), abut_zero(), abut_zero(), &shape);
            }
            if (i % 45 == 0 && count > 5) {
                int k = (int)abut_rng_below(&rng, (uint32_t)count);
                AbutBodyId gone = id[k];
                good(abut_scene_remove_body(scene, gone, &error), &error);
                id[k] = id[--count];
                AbutBodyState dead;
                CHECK(!abut_scene_get_body(scene, gone, &dead));
            }
            AbutStepReport r = world_step(&world, DT);
            CHECK(isfinite(r.kinetic) && isfinite(r.residual) &&
                  r.max_depth < 0.1); /* they may appear inside each other */
            for (int c = 0; i % 50 == 0 && c < abut_simulation_contact_count(world.sim); ++c) {
                AbutContact report;
                AbutBodyState body;
                CHECK(abut_simulation_get_contact(world.sim, c, &report));
                CHECK(abut_scene_get_body(scene, report.body_a, &body) &&
                      abut_scene_get_body(scene, report.body_b, &body));
            }
        }
        for (int k = 0; k < count; ++k) CHECK(body_of(&world, id[k]).center.z > 0.02);
        world_free(&world);
    }
}

/* Between the removal of a body and the next step its contacts name nobody, not even who took its place. */
static void a_removed_body_leaves_no_contact(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("stack:3", 0, &def);
    AbutError error;
    world_run(&world, DT, 100);
    AbutBodyId middle = abut_scene_find_body(world.scene, "box1");
    good(abut_scene_remove_body(world.scene, middle, &error), &error);
    for (int again = 0; again < 2; ++again) {
        int named = 0;
        assert_int_equal(abut_simulation_contact_count(world.sim), 3);
        for (int c = 0; c < 3; ++c) {
            AbutContact report;
            CHECK(abut_simulation_get_contact(world.sim, c, &report));
            named += report.body_a.index1 != 0;
            CHECK((report.body_a.index1 != 0) == (report.body_b.index1 != 0) &&
                  (report.shape_a.index1 != 0) == (report.body_a.index1 != 0));
        }
        assert_int_equal(named, 1); /* the lowest on the ground */
        if (!again) add_box(world.scene, ABUT_BODY_DYNAMIC, at(5, 0, 1), abut_vec3(0.1, 0.1, 0.1));
    }
    world_run(&world, DT, 300);
    CHECK_NEAR(body_named(&world, "box2").center.z, 0.075, 2e-3); /* it has fallen onto the lowest */
    world_free(&world);
}

/* A removed body whose place is taken by another at once: the newcomer must not inherit contacts. */
static void a_reused_place_starts_anew(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("stack:2", 0, &def);
    AbutError error;
    world_run(&world, DT, 200);
    good(abut_scene_remove_body(world.scene, abut_scene_find_body(world.scene, "box1"), &error), &error);
    AbutShapeDef big = box_def(0.3, 0.3, 0.3, 5000.0, 0.5);
    AbutBodyId id = throw_box(world.scene, at(3.0, 0.0, 2.0), abut_zero(), abut_zero(), &big);
    world_step(&world, DT);
    AbutBodyState b = body_of(&world, id);
    CHECK_VEC_NEAR(b.velocity, abut_vec3(0, 0, -9.80665 * DT), 1e-12); /* free fall, nothing else */
    CHECK_VEC_NEAR(b.spin, abut_zero(), 0.0);
    world_run(&world, DT, 1200);
    CHECK_NEAR(body_of(&world, id).center.z, 0.3, 1e-3);
    world_free(&world);
}

/* A shape added to a resting body changes its mass: the ground bears the new weight. */
static void a_shape_added_at_rest_weighs(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.1, 0.1, 0.05, 1000.0, 0.5);
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, DT, 300);
    shape.pose = at(0, 0, 0.1);
    shape.density = 20000.0;
    add_shape(scene, id, &shape);
    world_run(&world, DT, 1000);
    AbutContact c;
    CHECK(find_contact(&world, ground, id, &c));
    double weight = body_of(&world, id).mass * 9.80665;
    CHECK_NEAR(weight, 21000.0 * 0.004 * 9.80665, 1e-6 * weight);
    CHECK_NEAR(c.force.z, weight, 1e-3 * weight);
    CHECK_NEAR(body_of(&world, id).pose.p.z, 0.05, 1e-4);
    world_free(&world);
}

static int is_asleep(const World *world, AbutBodyId id) {
    int32_t asleep;
    CHECK(abut_simulation_get_activity(world->sim, id, &asleep, NULL));
    return asleep;
}

static int sleepers(const World *world) {
    int count = 0;
    for (int i = 0; i < abut_scene_body_count(world->scene); ++i)
        count += is_asleep(world, abut_scene_body_at(world->scene, i));
    return count;
}

static void a_pile_sleeps_and_wakes_when_hit(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    def.sleeping = 1;
    World world = world_from("stack:5", 0, &def);
    AbutStepReport r = {0};
    for (int i = 0; i < 3000 && sleepers(&world) < 5; ++i) r = world_step(&world, DT);
    assert_int_equal(sleepers(&world), 5);
    r = world_step(&world, DT);
    assert_int_equal(r.bodies_awake, 0);
    AbutVec3 top = body_named(&world, "box4").center;
    world_run(&world, DT, 500);
    CHECK_VEC_NEAR(body_named(&world, "box4").center, top, 0.0); /* not moved by a bit */
    CHECK(abut_simulation_contact_count(world.sim) == 5);        /* and its contacts still say what they bear */
    AbutShapeDef ball = box_def(0.03, 0.03, 0.03, 8000.0, 0.5);
    throw_box(world.scene, abut_pose(abut_vec3(-0.5, 0.0, 0.22), abut_quat_identity()), abut_vec3(4.0, 0.0, 0.5),
        abut_zero(), &ball);
    world_run(&world, DT, 200);
    CHECK(sleepers(&world) == 0);
    CHECK(abut_point_distance(body_named(&world, "box4").center, top) > 0.01);
    world_free(&world);
}

static void taking_the_support_away_wakes(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    def.sleeping = 1;
    for (int how = 0; how < 3; ++how) {
        World world = world_from("stack:3", 0, &def);
        world_run(&world, DT, 2500);
        assert_int_equal(sleepers(&world), 3);
        AbutBodyId lowest = abut_scene_find_body(world.scene, "box0");
        if (how == 0)
            good(abut_scene_remove_body(world.scene, lowest, &error), &error);
        else if (how == 1)
            good(abut_scene_set_pose(world.scene, lowest, at(2.0, 0.0, 0.025), &error), &error);
        else
            good(abut_scene_set_velocity(world.scene, lowest, abut_vec3(5.0, 0.0, 0.0), abut_zero(), &error), &error);
        world_run(&world, DT, 300);
        CHECK(body_named(&world, "box2").center.z < 0.11); /* 0.125 while it stood */
        world_free(&world);
    }
}

static void a_moving_platform_keeps_its_load_awake(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutBodyDef lift = abut_body_default();
    AbutShapeDef plate = box_def(0.5, 0.5, 0.05, 1000.0, 0.5), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutBodyId lift_id;
    AbutError error;
    def.sleeping = 1;
    lift.kind = ABUT_BODY_KINEMATIC;
    lift.pose = at(0, 0, -0.05);
    lift.velocity = abut_vec3(0, 0, 5e-4); /* slower than what counts as rest */
    good(abut_scene_add_body(scene, &lift, &lift_id, &error), &error);
    add_shape(scene, lift_id, &plate);
    AbutBodyId id = throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &box);
    World world = world_of(scene, &def);
    world_run(&world, DT, 4000);
    CHECK_NEAR(body_of(&world, id).center.z, 0.05 + 4.0 * 5e-4, 2e-5);
    CHECK(!is_asleep(&world, id));
    world_free(&world);
}

static void one_that_never_sleeps_keeps_its_island_awake(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutBodyDef body = abut_body_default();
    AbutBodyId id;
    AbutError error;
    def.sleeping = 1;
    add_ground(scene, abut_quat_identity(), 0.5);
    throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &box);
    throw_box(scene, at(1, 0, 0.05), abut_zero(), abut_zero(), &box);
    body.never_sleeps = 1;
    body.pose = at(0, 0, 0.15);
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    add_shape(scene, id, &box);
    World world = world_of(scene, &def);
    world_run(&world, DT, 2000);
    assert_int_equal(sleepers(&world), 1); /* the one that stands alone */
    world_free(&world);
}

/* Another step size in the middle: impulses are scaled, nothing jumps. */
static void the_step_size_may_change(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 1e-4, 5e-3, 1e-2, 2e-3, 1.0 / 60.0, 1e-3};
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("stack:3", 0, &def);
    world_run(&world, DT, 300);
    for (int k = 0; k < 7; ++k) {
        for (int i = 0; i < 100; ++i) {
            AbutStepReport r = world_step(&world, steps[k]);
            CHECK(r.max_depth < 1e-3 && (i < 20 || r.contacts == 3)); /* a smaller margin can part them for a moment */
            CHECK(abut_length(body_named(&world, "box2").velocity) < 0.02);
        }
        CHECK_NEAR(body_named(&world, "box2").center.z, 0.125, 1e-3);
    }
    world_free(&world);
}

/* No bodies, only the ground, a body without shape but with mass: steps all the same. */
static void almost_nothing_is_simulated_too(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    World world = world_of(scene, &def);
    AbutStepReport r = world_step(&world, DT);
    CHECK(r.contacts == 0 && r.islands == 0 && r.kinetic == 0.0 && abut_simulation_contact_count(world.sim) == 0);
    add_ground(scene, abut_quat_identity(), 0.5);
    world_run(&world, DT, 3);
    AbutBodyDef body = abut_body_default();
    AbutBodyId id;
    AbutError error;
    body.mass = 1.0;
    body.inertia = abut_mat3_diagonal(1, 1, 1);
    good(abut_scene_add_body(scene, &body, &id, &error), &error);
    world_run(&world, DT, 1000);
    CHECK_NEAR(body_of(&world, id).velocity.z, -9.80665, 1e-9); /* nothing to hit: it falls */
    world_free(&world);
}

/* Forces are those of the model that is set, also after one that keeps the wrench of a contact as a whole. */
static void the_contact_model_may_change_while_bodies_touch(void **state) {
    (void)state;
    static const int models[] = {ABUT_CONTACT_MODEL_VOL, ABUT_CONTACT_MODEL_PRESSURE, ABUT_CONTACT_MODEL_VOL};
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutShapeDef shape = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutError error;
    AbutContact c;
    AbutBodyId ground = add_ground(scene, abut_quat_identity(), 0.5);
    AbutBodyId box = throw_box(scene, at(0, 0, 0.05), abut_zero(), abut_zero(), &shape);
    World world = world_of(scene, &def);
    for (int i = 0; i < 3; ++i) {
        def.model = models[i];
        good(abut_simulation_set_settings(world.sim, &def, &error), &error);
        world_run(&world, DT, 500);
        CHECK(find_contact(&world, ground, box, &c));
        CHECK_NEAR(c.force.z, ABUT_GRAVITY, 1e-3 * ABUT_GRAVITY);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_and_exclusions_hold),
        cmocka_unit_test(friction_of_a_pair_can_change_while_it_touches),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(a_removed_body_leaves_no_contact),
        cmocka_unit_test(a_reused_place_starts_anew),
        cmocka_unit_test(a_shape_added_at_rest_weighs),
        cmocka_unit_test(a_pile_sleeps_and_wakes_when_hit),
        cmocka_unit_test(taking_the_support_away_wakes),
        cmocka_unit_test(a_moving_platform_keeps_its_load_awake),
        cmocka_unit_test(one_that_never_sleeps_keeps_its_island_awake),
        cmocka_unit_test(the_step_size_may_change),
        cmocka_unit_test(the_contact_model_may_change_while_bodies_touch),
        cmocka_unit_test(almost_nothing_is_simulated_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
