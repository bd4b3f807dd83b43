/* SPDX-License-Identifier: Apache-2.0 */
/* One tree of joints: a configuration, a motion and a plan that share it agree on every link, and keep it alive. */
#include "plan_support.h"

#include "support/memory.h"
#include "robot/tree.h"
#include "support/random_trees.h"

enum { NUMBERS = 400, BODIES = 200 };

static double pose_gap(AbutPose a, AbutPose b) {
    return abut_point_distance(a.p, b.p) + 1.0 - fabs(abut_quat_dot(a.q, b.q));
}

/* Joints that bodies and balls do not turn back to are left out: a plan takes the posture of those. */
static void all_three_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(91, 0);
    AbutError error;
    for (int trial = 0; trial < check_cases(200); ++trial) {
        AbutModel *model = random_tree(&rng, 3 + trial % 14);
        const AbutTree *tree;
        AbutConfiguration *c;
        AbutRobotMotion *motion;
        AbutPlanProblem *problem;
        AbutPose poses[BODIES];
        double q[NUMBERS], v[NUMBERS], joints[NUMBERS], at = 0.0;
        good(abut_tree_create(model, &tree, &error), &error);
        assert_ptr_equal(tree->model, model);
        random_state(&rng, model, q, v);
        good(abut_configuration_create(tree, &c, &error), &error);
        assert_ptr_equal(abut_configuration_tree(c), tree);
        good(abut_configuration_set(c, abut_configuration_position_count(c), q, 0, NULL, &error), &error);
        good(abut_robot_motion_create(tree, 1, &at, q, &motion, &error), &error);
        good(abut_plan_problem_create(c, NULL, NULL, &problem, &error), &error);
        abut_tree_release(tree); /* the others keep theirs */
        abut_plan_joints_at(c, joints);
        good(abut_plan_link_poses(problem, joints, poses, &error), &error);
        double size = 1.0;
        for (int32_t i = 0; i < model->body_count; ++i)
            size = fmax(size, abut_length(abut_configuration_body_pose(c, i).p));
        for (int32_t i = 0; i < model->body_count; ++i) {
            AbutMotion moved = abut_robot_motion_body(motion, i);
            AbutPose pose = abut_configuration_body_pose(c, i);
            CHECK_NEAR(pose_gap(abut_motion_pose(&moved, 0.0), pose), 0.0, 1e-12 * size);
            CHECK_NEAR(pose_gap(poses[i], pose), 0.0, 1e-12 * size);
        }
        abut_configuration_free(c);
        good(abut_plan_link_poses(problem, joints, poses, &error), &error); /* and outlive each other */
        abut_robot_motion_free(motion);
        abut_plan_problem_free(problem);
        abut_model_free(model);
    }
}

/* A tree goes with its last reference, whoever has it. */
static void references_are_counted(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(3);
    const AbutTree *tree;
    AbutConfiguration *c[2];
    AbutError error;
    good(abut_tree_create(model, &tree, &error), &error);
    assert_ptr_equal(abut_tree_retain(tree), tree);
    abut_tree_release(tree);
    for (int i = 0; i < 2; ++i) good(abut_configuration_create(tree, &c[i], &error), &error);
    abut_tree_release(tree);
    abut_configuration_free(c[0]);
    assert_int_equal(abut_configuration_velocity_count(c[1]), 3);
    assert_ptr_equal(abut_configuration_model(c[1]), model);
    abut_configuration_free(c[1]);
    abut_tree_release(NULL);
    abut_model_free(model);
}

static AbutStatus make_all(void) {
    AbutModel *model;
    const AbutTree *tree = NULL;
    AbutConfiguration *c = NULL;
    AbutPlanProblem *problem = NULL;
    AbutStatus status = abut_model_build("arm6", 1, &model, NULL);
    if (!status) status = abut_tree_create(model, &tree, NULL);
    if (!status) status = abut_configuration_create(tree, &c, NULL);
    if (!status) status = abut_plan_problem_create(c, NULL, NULL, &problem, NULL);
    abut_tree_release(tree);
    abut_plan_problem_free(problem);
    abut_configuration_free(c);
    abut_model_free(model);
    return status;
}

static void runs_out_of_memory(void **state) {
    (void)state;
    assert_true(check_memory_failures("tree", make_all) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_three_agree),
        cmocka_unit_test(references_are_counted),
        cmocka_unit_test(runs_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
