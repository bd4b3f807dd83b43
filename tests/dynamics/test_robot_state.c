/* SPDX-License-Identifier: Apache-2.0 */
/* Robots: the same bits for any number of threads, after saving and restoring, and placed anywhere; sleep. */
#include "dynamics/robot_world.h"
#include "abut/literature.h"

#include <string.h>

/* A biped that stands, a gripper over its box and a pile, each an island of its own. */
static World many(int threads) {
    static const char *const specs[] = {"biped", "gripper", "hand16", "boxes:6"};
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    AbutError error;
    def.threads = threads;
    for (int i = 0; i < 4; ++i) {
        AbutModel *model;
        AbutPose pose = abut_pose(abut_vec3(3.0 * i, 1.0, 0.0), abut_quat_exp(abut_vec3(0, 0, 0.3 * i)));
        good(abut_model_build(specs[i], 5, &model, &error), &error);
        good(abut_scene_add_model(scene, model, pose, NULL, &error), &error);
        abut_model_free(model);
    }
    return world_of(scene, &def);
}

static void test_threads(void **state) {
    (void)state;
    World one = many(1), two = many(3);
    int steps = check_cases(500) < 100 ? 100 : check_cases(500);
    for (int i = 0; i < steps; ++i) {
        world_step(&one, 1e-3);
        world_step(&two, 1e-3);
        if (abut_simulation_hash(one.sim) != abut_simulation_hash(two.sim)) fail_msg("other bits at step %d", i);
    }
    world_free(&one);
    world_free(&two);
}

/* A limp robot falls; the state saved on the way leads to the same bits, in the same simulation and in another. */
static void test_restore_in_mid_fall(void **state) {
    (void)state;
    World world = many(1), other = many(1);
    AbutError error;
    double u[2] = {-0.1, -0.02};
    good(abut_simulation_set_control(world.sim, 1, 2, u, &error), &error);
    good(abut_simulation_set_force(
             world.sim, abut_scene_find_body(world.scene, "trunk"), abut_vec3(30, 0, 0), abut_zero(), &error),
        &error);
    world_run(&world, 1e-3, 150);
    size_t bytes = abut_simulation_state_size(world.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(world.sim, saved);
    world_run(&world, 1e-3, 150);
    uint64_t hash = abut_simulation_hash(world.sim);
    good(abut_simulation_restore(world.sim, saved, bytes, &error), &error);
    good(abut_simulation_restore(other.sim, saved, bytes, &error), &error);
    CHECK(abut_simulation_hash(world.sim) == abut_simulation_hash(other.sim));
    world_run(&world, 1e-3, 150);
    world_run(&other, 1e-3, 150);
    CHECK(abut_simulation_hash(world.sim) == hash);
    CHECK(abut_simulation_hash(other.sim) == hash);
    free(saved);
    world_free(&world);
    world_free(&other);
}

/* A state of another robot is refused, and nothing changes. */
static void test_restore_refused(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World a = world_from("planar-arm:2", 1, &def), b = world_from("planar-arm:3", 1, &def);
    AbutError error;
    size_t bytes = abut_simulation_state_size(a.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(a.sim, saved);
    uint64_t hash = abut_simulation_hash(b.sim);
    assert_int_equal(abut_simulation_restore(b.sim, saved, bytes, &error), ABUT_ERROR_ARGUMENT);
    CHECK(abut_simulation_hash(b.sim) == hash);
    free(saved);
    world_free(&a);
    world_free(&b);
}

static int sleeps(const World *world, const char *name) {
    int32_t asleep;
    CHECK(abut_simulation_get_activity(world->sim, abut_scene_find_body(world->scene, name), &asleep, NULL));
    return asleep;
}

static void test_sleep(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    def.sleeping = 1;
    World world = robot_from("biped", &def);
    AbutError error;
    double u[12];
    world_run(&world, 1e-3, 12000);
    CHECK(sleeps(&world, "trunk") && sleeps(&world, "left_foot"));
    double z = joint_at(&world, 2);
    world_run(&world, 1e-3, 500);
    CHECK(joint_at(&world, 2) == z);
    abut_simulation_get_control(world.sim, 0, u);
    u[2] -= 0.05; /* another control wakes it */
    good(abut_simulation_set_control(world.sim, 0, 12, u, &error), &error);
    world_run(&world, 1e-3, 50);
    CHECK(!sleeps(&world, "trunk") && joint_at(&world, 9) < -0.31);
    world_free(&world);
}

/* The same robot placed elsewhere does the same, to rounding; its positions are in the world. */
static void test_placed_elsewhere(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutPose pose = abut_pose(abut_vec3(2, -1, 0), abut_quat_exp(abut_vec3(0, 0, 0.7)));
    World worlds[2];
    AbutModel *model;
    AbutError error;
    good(abut_model_build("biped", 1, &model, &error), &error);
    for (int i = 0; i < 2; ++i) {
        AbutScene *scene = new_scene();
        good(abut_scene_add_model(scene, model, i ? pose : abut_pose_identity(), NULL, &error), &error);
        good(abut_scene_set_keyframe(scene, 0, 0, &error), &error);
        worlds[i] = world_of(scene, &def);
        good(abut_simulation_set_control(worlds[i].sim, 0, 12, model->keyframes[0].controls, &error), &error);
        world_run(&worlds[i], 1e-3, 200);
    }
    AbutBodyState a = body_named(&worlds[0], "left_shin"), b = body_named(&worlds[1], "left_shin");
    CHECK_VEC_NEAR(abut_pose_apply(pose, a.center), b.center, 1e-9);
    CHECK_VEC_NEAR(abut_quat_rotate(pose.q, a.velocity), b.velocity, 1e-7);
    double q[64];
    abut_scene_get_joints(worlds[1].scene, 0, q, NULL);
    CHECK_VEC_NEAR(abut_vec3(q[0], q[1], q[2]), body_named(&worlds[1], "trunk").pose.p, 1e-12);
    abut_model_free(model);
    world_free(&worlds[0]);
    world_free(&worlds[1]);
}

/* Models that need more than contacts one by one refuse robots; the others take them. */
static void test_contact_models(void **state) {
    (void)state;
    for (int m = 0; m < ABUT_CONTACT_MODEL_COUNT; ++m) {
        AbutSimulationDef def = abut_simulation_default();
        AbutSimulation *sim;
        AbutError error;
        AbutScene *scene = new_scene();
        def.model = m;
        good(abut_scene_build(scene, "biped", 1, &error), &error);
        AbutStatus status = abut_simulation_create(scene, &def, &sim, &error);
        if (m == ABUT_CONTACT_MODEL_DIRECT) {
            assert_int_equal(status, ABUT_ERROR_UNSUPPORTED);
            CHECK(sim == NULL);
        } else {
            good(status, &error);
            for (int i = 0; i < 100 && m != ABUT_CONTACT_MODEL_PAPER; ++i)
                good(abut_simulation_step(sim, 1e-3, NULL, &error), &error);
            double q[32];
            abut_scene_get_joints(scene, 0, q, NULL);
            if (m != ABUT_CONTACT_MODEL_PAPER)
                CHECK_NEAR(q[2], 0.94, m < ABUT_CONTACT_MODEL_PRESSURE ? 1e-3 : 0.01); /* its legs are straight: it
                                                                                            stands for a while */
        }
        abut_simulation_free(sim);
        abut_scene_free(scene);
    }
}

/* Controls and torques are part of what the hash sees. */
static void test_hash_of_controls(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("gripper", 1, &def);
    const AbutModel *model = abut_scene_robot_model(world.scene, 0);
    AbutError error;
    double numbers[64] = {0};
    int32_t nv = abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    world_step(&world, 1e-3);
    uint64_t plain = abut_simulation_hash(world.sim);
    numbers[1] = 0.5;
    good(abut_simulation_set_control(world.sim, 0, model->actuator_count, numbers, &error), &error);
    uint64_t driven = abut_simulation_hash(world.sim);
    good(abut_simulation_set_torque(world.sim, 0, nv, numbers, &error), &error);
    uint64_t both = abut_simulation_hash(world.sim);
    CHECK(plain != driven && driven != both && both != plain);
    numbers[1] = 0.0;
    good(abut_simulation_set_control(world.sim, 0, model->actuator_count, numbers, &error), &error);
    good(abut_simulation_set_torque(world.sim, 0, nv, numbers, &error), &error);
    CHECK(abut_simulation_hash(world.sim) == plain);
    world_free(&world);
}

static void refuses_robot(const World *world, AbutStatus status, const AbutError *error, uint64_t hash) {
    assert_int_equal(status, ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error->text, "no such robot") != NULL);
    CHECK(abut_simulation_hash(world->sim) == hash);
}

/* Robots and keyframes that are not there are refused by name, in scenes without any robot too. */
static void test_no_such_robot(void **state) {
    (void)state;
    static const char *const specs[] = {"biped", "stack:1"};
    static const int32_t robots[] = {-1, 1, 2, INT32_MAX, INT32_MIN};
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    double numbers[64] = {7.0};
    for (int k = 0; k < 10; ++k) {
        World world = world_from(specs[k / 5], 1, &def);
        int32_t robot = k == 6 ? 0 : robots[k % 5];
        uint64_t hash = abut_simulation_hash(world.sim);
        refuses_robot(&world, abut_scene_set_keyframe(world.scene, robot, 0, &error), &error, hash);
        refuses_robot(&world, abut_scene_set_joints(world.scene, robot, 1, numbers, 0, NULL, &error), &error, hash);
        refuses_robot(&world, abut_simulation_set_control(world.sim, robot, 1, numbers, &error), &error, hash);
        refuses_robot(&world, abut_simulation_set_torque(world.sim, robot, 1, numbers, &error), &error, hash);
        AbutRobotForces forces = {numbers, numbers, numbers, numbers, numbers, numbers};
        CHECK(!abut_simulation_get_control(world.sim, robot, numbers));
        CHECK(!abut_simulation_get_robot_forces(world.sim, robot, &forces));
        CHECK(!abut_scene_get_joints(world.scene, robot, numbers, numbers) && numbers[0] == 7.0);
        CHECK(abut_scene_robot_model(world.scene, robot) == NULL);
        CHECK(!abut_scene_get_body(world.scene, abut_scene_robot_body(world.scene, robot, 0), &(AbutBodyState){0}));
        world_free(&world);
    }
}

static void test_no_such_keyframe(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("biped", 1, &def);
    AbutError error;
    uint64_t hash = abut_simulation_hash(world.sim);
    static const int32_t keys[] = {-1, 5, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(abut_scene_set_keyframe(world.scene, 0, keys[i], &error), ABUT_ERROR_ARGUMENT);
        CHECK(strstr(error.text, "no such keyframe") != NULL && abut_simulation_hash(world.sim) == hash);
        CHECK(!abut_scene_get_body(
            world.scene, abut_scene_robot_body(world.scene, 0, keys[i] > 0 ? INT32_MAX : -1), &(AbutBodyState){0}));
    }
    world_free(&world);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_restore_in_mid_fall),
        cmocka_unit_test(test_restore_refused),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_placed_elsewhere),
        cmocka_unit_test(test_contact_models),
        cmocka_unit_test(test_hash_of_controls),
        cmocka_unit_test(test_no_such_robot),
        cmocka_unit_test(test_no_such_keyframe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
