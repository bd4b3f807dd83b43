/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse kinematics: targets that are reachable by construction are reached; limits hold; closed forms of a planar
 * arm. */
#include "robot/robot_support.h"

#include <string.h>

/* An arm of `links` hinges about varying axes, every second one limited; its tip is a frame. */
static AbutModel *make_arm(int links, double range) {
    AbutModel *model = hinge_chain(links);
    AbutModel *arm;
    AbutError error = {0};
    AbutFrameDef tip = abut_frame_default();
    good(abut_model_create(&arm, &error), &error);
    for (int32_t i = 0; i < links; ++i) {
        AbutJointDef joint = model->joints[i];
        joint.limited = range > 0.0;
        joint.range[0] = -range;
        joint.range[1] = range;
        joint.axis = abut_axis((i + 1) % 3);
        good(abut_model_add_body(arm, &model->bodies[i], NULL, &error), &error);
        good(abut_model_add_joint(arm, &joint, NULL, &error), &error);
    }
    tip.body = links - 1;
    tip.pose.p = abut_vec3(0.1, 0.0, 0.02);
    good(abut_model_add_frame(arm, &tip, NULL, &error), &error);
    abut_model_free(model);
    return arm;
}

static AbutIkTask tip_task(const AbutModel *model) {
    AbutIkTask task = abut_ik_task_default();
    task.body = model->frames[0].body;
    task.pose = model->frames[0].pose;
    return task;
}

static void check_limits(const Case *item) {
    const double *q = abut_configuration_positions(item->c);
    for (int i = 0; i < item->model->joint_count; ++i)
        if (item->model->joints[i].limited)
            CHECK(q[i] >= item->model->joints[i].range[0] && q[i] <= item->model->joints[i].range[1]);
}

/* Targets are poses of random states within the limits; the search starts at the reference. */
static void test_reachable(void **state) {
    (void)state;
    AbutRng rng = abut_rng(21, 0);
    int reached = 0, cases = check_cases(200), first = 0;
    for (int i = 0; i < cases; ++i) {
        Case item = case_of(&rng, make_arm(6 + i % 2, 2.0));
        AbutError error = {0};
        AbutIkSettings settings = abut_ik_default();
        AbutIkTask task = tip_task(item.model);
        AbutIkResult result;
        task.target = abut_configuration_frame_pose(item.c, 0);
        abut_configuration_reset(item.c);
        good(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), &error);
        reached += result.reached;
        first += result.reached && result.restarts == 0;
        check_limits(&item);
        AbutPose pose = abut_configuration_frame_pose(item.c, 0);
        CHECK_NEAR(abut_point_distance(pose.p, task.target.p), result.error_position, 1e-12);
        CHECK(!result.reached || (result.error_position <= 1e-6 && result.error_rotation <= 1e-6));
        case_free(&item);
    }
    CHECK(reached >= cases - cases / 50);
    CHECK(first > cases / 2);
}

/* A planar arm of two links of 0.1 m: the distance to the target gives the elbow's angle. */
static void test_planar(void **state) {
    (void)state;
    AbutModel *model = make_arm(3, 0.0);
    AbutConfiguration *c;
    AbutError error = {0};
    good(configuration_of(model, &c, &error), &error);
    AbutIkTask task = abut_ik_task_default();
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    uint8_t locked[3] = {0, 1, 1};
    settings.locked = locked;
    task.kind = ABUT_IK_POSITION;
    task.body = 0;
    task.pose.p = abut_vec3(0.2, 0.0, 0.0);
    task.target.p = abut_vec3(0.2 * cos(0.7), 0.0, -0.2 * sin(0.7)); /* about +y */
    good(abut_configuration_ik(c, 1, &task, &settings, &result, &error), &error);
    CHECK(result.reached && result.restarts == 0);
    CHECK_NEAR(abut_configuration_positions(c)[0], 0.7, 1e-5);
    CHECK_NEAR(abut_configuration_positions(c)[1], 0.0, 0);
    task.target.p = abut_vec3(0.5, 0.0, 0.0); /* out of reach: the nearest point is on the way to it */
    settings.restarts = 2;
    good(abut_configuration_ik(c, 1, &task, &settings, &result, &error), &error);
    CHECK(!result.reached && result.restarts == 2);
    CHECK_NEAR(result.error_position, 0.3, 1e-3);
    abut_configuration_free(c);
    abut_model_free(model);
}

/* Several tasks at once: a position, and a direction of the same frame; and the center of mass alone. */
static void test_tasks(void **state) {
    (void)state;
    AbutRng rng = abut_rng(22, 0);
    AbutError error = {0};
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    for (int i = 0; i < check_cases(60); ++i) {
        Case item = case_of(&rng, make_arm(7, 0.0));
        AbutIkTask tasks[2] = {tip_task(item.model), tip_task(item.model)};
        AbutPose pose = abut_configuration_frame_pose(item.c, 0);
        AbutVec3 eye = abut_vec3(1.0, 2.0, -0.5);
        tasks[0].kind = ABUT_IK_POSITION;
        tasks[0].target.p = pose.p;
        tasks[1].kind = i % 2 ? ABUT_IK_UPRIGHT : ABUT_IK_LOOK_AT;
        tasks[1].axis = abut_random_direction(&rng);
        tasks[1].direction = abut_quat_rotate(pose.q, tasks[1].axis);
        tasks[1].target.p = i % 2 ? eye : abut_add_scaled(pose.p, tasks[1].direction, 0.8);
        tasks[1].weight = 2.0;
        abut_configuration_reset(item.c);
        good(abut_configuration_ik(item.c, 2, tasks, &settings, &result, &error), &error);
        CHECK(result.reached);
        AbutPose found = abut_configuration_frame_pose(item.c, 0);
        AbutVec3 axis = abut_quat_rotate(found.q, tasks[1].axis);
        CHECK_VEC_NEAR(found.p, pose.p, 1e-6);
        CHECK_VEC_NEAR(axis, tasks[1].direction, 3e-6);
        AbutIkTask center = abut_ik_task_default();
        center.kind = ABUT_IK_CENTER;
        random_state(&rng, item.model, item.q, item.v);
        good(abut_configuration_set(item.c, item.nq, item.q, 0, NULL, &error), &error);
        center.target.p = abut_configuration_center(item.c);
        abut_configuration_reset(item.c);
        good(abut_configuration_ik(item.c, 1, &center, &settings, &result, &error), &error);
        CHECK(result.reached);
        CHECK_VEC_NEAR(abut_configuration_center(item.c), center.target.p, 1e-6);
        case_free(&item);
    }
}

/* The same seed gives the same bits. */
static void test_same_bits(void **state) {
    (void)state;
    enum { COUNT = 12 };
    AbutRng rng = abut_rng(23, 0);
    AbutModel *model = make_arm(6, 1.5);
    AbutConfiguration *c[2 * COUNT];
    AbutIkTask tasks[COUNT];
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult one[COUNT], two[COUNT];
    AbutError error = {0};
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 2; ++k) good(configuration_of(model, &c[i + k * COUNT], &error), &error);
        tasks[i] = tip_task(model);
        tasks[i].target.p = abut_scale(abut_random_direction(&rng), 0.35);
        good(abut_configuration_ik(c[i], 1, &tasks[i], &settings, &one[i], &error), &error);
    }
    for (int i = 0; i < COUNT; ++i) {
        good(abut_configuration_ik(c[i + COUNT], 1, &tasks[i], &settings, &two[i], &error), &error);
        assert_memory_equal(&one[i], &two[i], sizeof one[i]);
        assert_memory_equal(
            abut_configuration_positions(c[i]), abut_configuration_positions(c[i + COUNT]), 6 * sizeof(double));
        abut_configuration_free(c[i]);
        abut_configuration_free(c[i + COUNT]);
    }
    abut_model_free(model);
}

/* After a random start, joints that no task depends on stand where they stood. */
static void test_others_stay(void **state) {
    (void)state;
    AbutModel *model;
    AbutConfiguration *c;
    AbutError error = {0};
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    uint8_t locked[18] = {1, 1, 1, 1, 1, 1};
    good(abut_model_build("biped", 1, &model, &error), &error);
    good(configuration_of(model, &c, &error), &error);
    AbutIkTask task = tip_task(model);
    task.kind = ABUT_IK_POSITION;
    task.target.p = abut_vec3(0.1, 0.15, 0.4);
    settings.locked = locked;
    good(abut_configuration_ik(c, 1, &task, &settings, &result, &error), &error);
    assert_true(result.reached && result.restarts > 0);
    for (int i = 13; i < 19; ++i) CHECK_NEAR(abut_configuration_positions(c)[i], 0.0, 0);
    abut_configuration_free(c);
    abut_model_free(model);
}

/* make_arm in another size. */
static AbutModel *make_scaled_arm(double scale) {
    AbutModel *unit = make_arm(6, 2.0), *arm;
    AbutError error = {0};
    AbutFrameDef tip = unit->frames[0];
    good(abut_model_create(&arm, &error), &error);
    for (int32_t i = 0; i < unit->body_count; ++i) {
        AbutBodyDef body = unit->bodies[i];
        AbutJointDef joint = unit->joints[i];
        body.pose.p = abut_scale(body.pose.p, scale);
        body.center = abut_scale(body.center, scale);
        body.inertia = abut_mat3_scale(body.inertia, scale * scale);
        joint.position = abut_scale(joint.position, scale);
        good(abut_model_add_body(arm, &body, NULL, &error), &error);
        good(abut_model_add_joint(arm, &joint, NULL, &error), &error);
    }
    tip.pose.p = abut_scale(tip.pose.p, scale);
    good(abut_model_add_frame(arm, &tip, NULL, &error), &error);
    abut_model_free(unit);
    return arm;
}

/* Arms of millimeters and of a hundred meters reach what an arm of a meter does. */
static void test_sizes(void **state) {
    (void)state;
    static const double scales[] = {1e-3, 1e-2, 1.0, 100.0};
    int reached[4] = {0}, most = check_cases(100) < 15 ? 15 : check_cases(100);
    for (int k = 0; k < 4; ++k) {
        AbutRng rng = abut_rng(27, 0);
        for (int i = 0; i < most; ++i) {
            Case item = case_of(&rng, make_scaled_arm(scales[k]));
            AbutIkSettings settings = abut_ik_default();
            AbutIkTask task = tip_task(item.model);
            AbutIkResult result;
            AbutError error = {0};
            settings.tolerance_position *= scales[k];
            task.target = abut_configuration_frame_pose(item.c, 0);
            abut_configuration_reset(item.c);
            good(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), &error);
            reached[k] += result.reached;
            case_free(&item);
        }
        CHECK(reached[k] >= most - most / 20);
    }
}

/* Targets beyond 1e60 are refused: squares of what is left would be none. */
static void test_far_targets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(28, 0);
    Case item = case_of(&rng, make_arm(3, 1.0));
    AbutError error = {0};
    AbutIkResult result;
    AbutIkTask task = tip_task(item.model);
    AbutIkSettings settings = abut_ik_default();
    task.kind = ABUT_IK_POSITION;
    task.target.p.x = 1e300;
    assert_int_equal(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), ABUT_ERROR_NUMBER);
    assert_non_null(strstr(error.text, "1e60"));
    task.target.p.x = 1e60;
    good(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), &error);
    CHECK(!result.reached && result.error_position > 0.99e60);
    case_free(&item);
}

static void test_bad_input(void **state) {
    (void)state;
    AbutRng rng = abut_rng(25, 0);
    Case item = case_of(&rng, make_arm(3, 1.0));
    AbutError error = {0};
    AbutIkResult result;
    AbutIkTask task = tip_task(item.model);
    AbutIkSettings settings = abut_ik_default();
    assert_int_equal(abut_configuration_ik(item.c, 0, &task, &settings, &result, &error), ABUT_ERROR_ARGUMENT);
    task.weight = 0.0;
    assert_int_equal(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), ABUT_ERROR_ARGUMENT);
    task.weight = 1.0;
    task.target.p.x = NAN;
    assert_int_equal(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), ABUT_ERROR_NUMBER);
    task.target.p.x = 0.0;
    settings.length = -1.0;
    assert_int_equal(abut_configuration_ik(item.c, 1, &task, &settings, &result, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "length"));
    case_free(&item);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reachable), cmocka_unit_test(test_planar),
        cmocka_unit_test(test_tasks), cmocka_unit_test(test_same_bits), cmocka_unit_test(test_others_stay),
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_far_targets), cmocka_unit_test(test_bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
