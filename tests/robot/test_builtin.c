/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in robots: what they are, and where their frames stand. */
#include "robot/robot_support.h"

#include <string.h>

static AbutModel *build(const char *name) {
    AbutModel *model;
    AbutError error = {0};
    good(abut_model_build(name, 1, &model, &error), &error);
    return model;
}

static void test_all(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int velocities, actuators, frames;
    } robots[] = {{"planar-arm", 3, 3, 1}, {"planar-arm:7", 7, 7, 1}, {"arm6", 6, 6, 1}, {"gripper", 9, 2, 1},
        {"hand16", 16, 16, 4}, {"biped", 18, 12, 2}, {"humanoid", 36, 30, 4}, {"arm-gripper", 8, 7, 1},
        {"two-arms", 16, 14, 2}, {"humanoid-mesh", 36, 30, 4}};
    int count;
    AbutRng rng = abut_rng(41, 0);
    abut_builtin_scenes(1, &count);
    assert_int_equal(count, 9);
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; ++i) {
        Case item = case_of(&rng, build(robots[i].name));
        AbutError error = {0};
        assert_int_equal(item.nv, robots[i].velocities);
        assert_int_equal(item.model->actuator_count, robots[i].actuators);
        assert_int_equal(item.model->frame_count, robots[i].frames);
        assert_int_equal(item.model->keyframe_count, 1);
        good(abut_configuration_set_keyframe(item.c, 0, &error), &error);
        for (int b = 0; b < item.model->body_count; ++b) {
            CHECK(abut_configuration_body_pose(item.c, b).p.z >= 0.0);
            CHECK(strcmp(item.model->bodies[b].name, "ground") == 0 || item.model->bodies[b].mass > 0.0);
        }
        for (int j = 0; j < item.model->joint_count; ++j) {
            double q =
                abut_configuration_positions(item.c)[abut_configuration_joint_place(item.c, j, ABUT_NUMBERS_POSITIONS)];
            CHECK(q >= item.model->joints[j].range[0] && q <= item.model->joints[j].range[1]);
        }
        case_free(&item);
    }
    AbutModel *model;
    AbutError error = {0};
    assert_int_equal(abut_model_build("planar-arm:31", 1, &model, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_model_build("arm7", 1, &model, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "did you mean 'arm6'"));
}

/* Both soles on the ground, and the center of mass over them. */
static void test_biped_stands(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 0);
    Case item = case_of(&rng, build("biped"));
    AbutError error = {0};
    good(abut_configuration_set_keyframe(item.c, 0, &error), &error);
    for (int f = 0; f < 2; ++f) {
        AbutPose sole = abut_configuration_frame_pose(item.c, f);
        CHECK_NEAR(sole.p.z, 0.0, 1e-12);
        CHECK_VEC_NEAR(abut_quat_rotate(sole.q, abut_axis(2)), abut_axis(2), 1e-12);
        CHECK_NEAR(fabs(sole.p.y), 0.1, 1e-12);
    }
    AbutVec3 center = abut_configuration_center(item.c), sole = abut_configuration_frame_pose(item.c, 0).p;
    CHECK(fabs(center.x - sole.x) < 0.05 && fabs(center.y) < 1e-12);
    case_free(&item);
}

/* The hand's fingertips reach points that are tips of another state, all four at once. */
static void test_hand_reaches(void **state) {
    (void)state;
    AbutRng rng = abut_rng(43, 0);
    Case item = case_of(&rng, build("hand16"));
    AbutIkSettings settings = abut_ik_default();
    AbutIkTask tasks[4];
    AbutIkResult result;
    AbutError error = {0};
    double q[16];
    for (int i = 0; i < 16; ++i) q[i] = i % 4 ? 0.7 : 0.1;
    good(abut_configuration_set(item.c, 16, q, 0, NULL, &error), &error);
    for (int i = 0; i < 4; ++i) {
        tasks[i] = abut_ik_task_default();
        tasks[i].kind = ABUT_IK_POSITION;
        tasks[i].body = item.model->frames[i].body;
        tasks[i].pose = item.model->frames[i].pose;
        tasks[i].target = abut_configuration_frame_pose(item.c, i);
    }
    good(abut_configuration_set_keyframe(item.c, 0, &error), &error);
    good(abut_configuration_ik(item.c, 4, tasks, &settings, &result, &error), &error);
    CHECK(result.reached && result.restarts == 0);
    case_free(&item);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all), cmocka_unit_test(test_biped_stands), cmocka_unit_test(test_hand_reaches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
