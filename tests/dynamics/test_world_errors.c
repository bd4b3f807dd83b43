/* SPDX-License-Identifier: Apache-2.0 */
/* Bad arguments are refused with a line of text; memory that runs out anywhere gives an error, no crash and no leak. */
#include "dynamics/world_support.h"
#include "abut/literature.h"

#include <string.h>

static void refuses(AbutScene *scene, const AbutSimulationDef *def, AbutStatus expected) {
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)1;
    AbutError error = {0};
    assert_int_equal(abut_simulation_create(scene, def, &sim, &error), expected);
    CHECK(sim == NULL && error.status == expected && strlen(error.text) > 5);
    assert_int_equal(abut_simulation_create(scene, def, &sim, NULL), expected);
}

static void bad_definitions_are_refused(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default(), bad;
    add_ground(scene, abut_quat_identity(), 0.5);
    bad = def, bad.gravity.y = NAN;
    refuses(scene, &bad, ABUT_ERROR_NUMBER);
    bad = def, bad.gravity.z = -INFINITY;
    refuses(scene, &bad, ABUT_ERROR_NUMBER);
    bad = def, bad.model = ABUT_CONTACT_MODEL_COUNT;
    refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    bad = def, bad.model = -1;
    refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    double *const numbers[] = {&bad.tolerance, &bad.beta, &bad.slop, &bad.stick_speed, &bad.margin, &bad.compliance};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        bad = def, *numbers[i] = NAN;
        refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
        bad = def, *numbers[i] = INFINITY;
        refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
        bad = def, *numbers[i] = -1.0;
        if (i < 3) refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    }
    bad = def, bad.iterations = -1;
    refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    bad = def, bad.generators = 2;
    refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    bad = def, bad.beta = 2.5;
    refuses(scene, &bad, ABUT_ERROR_ARGUMENT);
    add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 1)); /* no shape, no mass */
    refuses(scene, &def, ABUT_ERROR_ARGUMENT);
    abut_scene_free(scene);
    abut_simulation_free(NULL);
}

/* Every setting: the message names it, its value and what was expected. */
static void check_says(AbutScene *scene, const AbutSimulationDef *def, const char *field, const char *value) {
    AbutSimulation *sim;
    AbutError error;
    AbutStatus status = abut_simulation_create(scene, def, &sim, &error);
    if (status == ABUT_OK || sim || strncmp(error.text, field, strlen(field)) != 0 || !strstr(error.text, value) ||
        !strstr(error.text, "expected"))
        fail_msg("%s %s: status %d, '%s'", field, value, (int)status, error.text);
}

static void every_setting_is_checked(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default(), bad = def;
    AbutScene *scene;
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    const struct {
        const char *name;
        double *field;
        int negative; /* may it be? */
    } numbers[] = {{"tolerance", &bad.tolerance, 0}, {"beta", &bad.beta, 0}, {"margin", &bad.margin, 1},
        {"slop", &bad.slop, 0}, {"compliance", &bad.compliance, 1}, {"stick_speed", &bad.stick_speed, 1},
        {"rolling", &bad.rolling, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        bad = def, *numbers[i].field = (double)NAN;
        check_says(scene, &bad, numbers[i].name, "nan");
        bad = def, *numbers[i].field = (double)INFINITY;
        check_says(scene, &bad, numbers[i].name, "inf");
        bad = def, *numbers[i].field = -5.0;
        if (!numbers[i].negative) check_says(scene, &bad, numbers[i].name, "-5");
    }
    bad = def, bad.gravity.y = (double)NAN;
    check_says(scene, &bad, "gravity", "nan");
    char count[16];
    snprintf(count, sizeof count, "%d", (int)ABUT_CONTACT_MODEL_COUNT);
    bad = def, bad.model = ABUT_CONTACT_MODEL_COUNT;
    check_says(scene, &bad, "model", count);
    bad = def, bad.fit = 7;
    check_says(scene, &bad, "fit", "7");
    const struct {
        const char *name;
        int *field, below, above;
    } counts[] = {{"iterations", &bad.iterations, -1, 1000001}, {"torsion_uniform", &bad.torsion_uniform, -1, 2},
        {"generators", &bad.generators, 2, 65}, {"threads", &bad.threads, -1, 1 << 20},
        {"sleeping", &bad.sleeping, -1, 2}, {"continuous", &bad.continuous, -1, 2}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        bad = def, *counts[i].field = counts[i].below;
        check_says(scene, &bad, counts[i].name, "expected");
        bad = def, *counts[i].field = counts[i].above;
        check_says(scene, &bad, counts[i].name, "expected");
    }
    abut_scene_free(scene);
}

static void bad_steps_are_refused(void **state) {
    (void)state;
    static const double steps[] = {0.0, -1e-3, NAN, INFINITY, -INFINITY, 1.5};
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("drop", 0, &def);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        AbutError error = {0};
        uint64_t before = abut_simulation_hash(world.sim);
        assert_int_equal(abut_simulation_step(world.sim, steps[i], NULL, &error), ABUT_ERROR_ARGUMENT);
        CHECK(strstr(error.text, "step size") != NULL);
        CHECK(abut_simulation_hash(world.sim) == before && abut_simulation_time(world.sim) == 0.0);
    }
    static const double extremes[] = {1e-300, 1e-15, 1e-12, 1e-9, 1e-6, 0.1, 1.0};
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; ++i) {
        double before = abut_simulation_time(world.sim), speed = body_named(&world, "box0").velocity.z;
        world_step(&world, extremes[i]);
        CHECK_NEAR(abut_simulation_time(world.sim), before + extremes[i], 1e-15);
        CHECK(i >= 5 ||
              fabs(body_named(&world, "box0").velocity.z - (speed - 9.80665 * extremes[i])) < 1e-15); /* it did step */
        CHECK(abut_is_finite(body_named(&world, "box0").center));
    }
    world_free(&world);
}

/* A body without mass that appears while the simulation runs is refused too, and the simulation goes on without it. */
static void a_massless_body_added_later_is_refused(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("drop", 0, &def);
    AbutError error = {0};
    world_run(&world, 1e-3, 10);
    AbutBodyId id = add_body(world.scene, ABUT_BODY_DYNAMIC, at(1, 0, 1));
    assert_int_equal(abut_simulation_step(world.sim, 1e-3, NULL, &error), ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "mass") != NULL);
    good(abut_scene_remove_body(world.scene, id, &error), &error);
    world_run(&world, 1e-3, 10);
    world_free(&world);
}

/* Motions that give nonsense. */
static AbutPose wild_pose(double time, const void *user) {
    AbutPose pose = abut_pose_identity();
    if (time > 0.0045) *(const int *)user ? (pose.p.x = NAN) : (pose.q.w = INFINITY);
    return pose;
}

static void a_prescribed_motion_must_be_finite(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        AbutSimulationDef def = abut_simulation_default();
        AbutScene *scene = new_scene();
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = box_def(0.1, 0.1, 0.1, 1000.0, 0.5);
        AbutBodyId id;
        AbutError error = {0};
        body.kind = ABUT_BODY_KINEMATIC;
        body.motion = wild_pose;
        body.motion_user = &kind;
        good(abut_scene_add_body(scene, &body, &id, &error), &error);
        add_shape(scene, id, &shape);
        throw_box(scene, at(0, 0, 0.2), abut_zero(), abut_zero(), &shape);
        World world = world_of(scene, &def);
        world_run(&world, 1e-3, 4);
        assert_int_equal(abut_simulation_step(world.sim, 1e-3, NULL, &error), ABUT_ERROR_NUMBER);
        CHECK(abut_pose_is_finite(body_of(&world, id).pose) && abut_is_finite(body_of(&world, id).velocity));
        world_free(&world);
    }
}

/* A scene and a few steps with the k-th request for memory failing, for every k until all succeeds. */
static int run_with_memory(FailingMemory *memory, int requests, const char *spec) {
    AbutAllocator allocator = {failing_alloc, failing_release, memory};
    AbutScene *scene = NULL;
    AbutSimulation *sim = NULL;
    AbutSimulationDef def = abut_simulation_default();
    memory->left = 1 << 30; /* the scene is not under test here */
    memory->live = 0;
    abut_set_allocator(&allocator);
    AbutError error = {0};
    AbutStatus status = abut_scene_create(&scene, &error);
    if (status == ABUT_OK) status = abut_scene_build(scene, spec, 1, &error);
    CHECK(status == ABUT_OK);
    memory->left = requests;
    status = abut_simulation_create(scene, &def, &sim, &error);
    for (int i = 0; i < 300 && status == ABUT_OK; ++i) status = abut_simulation_step(sim, 1e-3, NULL, &error);
    if (status != ABUT_OK) {
        assert_int_equal(status, ABUT_ERROR_MEMORY);
        CHECK(strlen(error.text) > 0);
        memory->left = 1 << 30; /* memory is back: the simulation goes on */
        for (int i = 0; sim && i < 50; ++i) assert_int_equal(abut_simulation_step(sim, 1e-3, NULL, &error), ABUT_OK);
    }
    abut_simulation_free(sim);
    abut_scene_free(scene);
    abut_set_allocator(NULL);
    assert_int_equal(memory->live, 0);
    return status == ABUT_OK;
}

static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    static const char *const specs[] = {"stack:4", "hulls:5", "wall:3"};
    for (int s = 0; s < 3; ++s) {
        FailingMemory memory;
        int k = 0;
        while (!run_with_memory(&memory, k, specs[s])) k += k < 60 ? 1 : 7;
        CHECK(k > 10);
    }
}

static void restoring_without_memory_changes_nothing(void **state) {
    (void)state;
    FailingMemory memory = {1 << 30, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    abut_set_allocator(&allocator);
    World world = world_from("wall:3", 0, &def), fresh = world_from("wall:3", 0, &def);
    world_run(&world, 1e-3, 50);
    size_t size = abut_simulation_state_size(world.sim);
    void *bytes = malloc(size);
    abut_simulation_save(world.sim, bytes);
    uint64_t before = abut_simulation_hash(fresh.sim);
    int k = 0;
    for (;; ++k) {
        memory.left = k;
        AbutStatus status = abut_simulation_restore(fresh.sim, bytes, size, &error);
        if (status == ABUT_OK) break;
        assert_int_equal(status, ABUT_ERROR_MEMORY);
        CHECK(abut_simulation_hash(fresh.sim) == before);
    }
    CHECK(k >= 1);
    memory.left = 1 << 30;
    world_run(&world, 1e-3, 50);
    world_run(&fresh, 1e-3, 50);
    CHECK(abut_simulation_hash(world.sim) == abut_simulation_hash(fresh.sim));
    free(bytes);
    world_free(&world);
    world_free(&fresh);
    abut_set_allocator(NULL);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(every_setting_is_checked),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(a_massless_body_added_later_is_refused),
        cmocka_unit_test(a_prescribed_motion_must_be_finite),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(restoring_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
