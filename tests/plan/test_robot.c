/* SPDX-License-Identifier: Apache-2.0 */
/* The robot's half of problems: shared, it gives the same problems as a robot made for each; obstacles that are moved
 * are where a problem made anew has them. */
#include "plan_support.h"

static const char *const ROBOTS[] = {"arm6", "gripper", "biped", "two-arms"};
enum { ROBOT_COUNT = 4 };

static AbutPose draw_place(AbutRng *rng, int turned) {
    AbutVec3 at = abut_vec3(abut_rng_between(rng, -1, 1), abut_rng_between(rng, -1, 1), abut_rng_between(rng, 0.3, 1));
    return abut_pose(at, turned ? abut_random_quat(rng) : abut_quat_identity());
}

static AbutModel *boxes(int count, const AbutPose *poses) {
    AbutModel *model = no_obstacles();
    for (int i = 0; i < count; ++i) {
        char name[20];
        snprintf(name, sizeof name, "box%d", i);
        add_box(model, name, poses[i], abut_vec3(0.004 + 0.01 * i, 0.05, 0.3 - 0.02 * i));
    }
    return model;
}

/* Two problems answer alike: pairs, distances, certificates. */
static void check_alike(AbutRng *rng, const World *w, const AbutPlanProblem *other, double tolerance) {
    int32_t pairs = abut_plan_pair_count(w->problem);
    static double d[2][2000];
    assert_true(pairs <= 2000);
    assert_int_equal(abut_plan_pair_count(other), pairs);
    assert_int_equal(abut_plan_note_count(other), abut_plan_note_count(w->problem));
    for (int trial = 0; trial < 5; ++trial) {
        AbutTrajectory t = random_trajectory(rng, w, ABUT_INTERPOLATE_QUINTIC, 2);
        AbutCertifyDef def = {0.001, 0, 0};
        AbutCertificate x, y;
        AbutPlanNear near;
        AbutError error;
        double joints[PLAN_JOINTS];
        abut_trajectory_value(&t, t.times[0], 0, joints);
        good(abut_plan_nearest(w->problem, joints, &near, d[0], &error), &error);
        good(abut_plan_nearest(other, joints, &near, d[1], &error), &error);
        for (int32_t i = 0; i < pairs; ++i) assert_true(fabs(d[0][i] - d[1][i]) <= tolerance);
        good(abut_plan_certify(w->problem, &t, &def, &x, NULL, &error), &error);
        good(abut_plan_certify(other, &t, &def, &y, NULL, &error), &error);
        assert_int_equal(x.status, y.status);
        abut_trajectory_free(&t);
    }
}

static void shared_robots_give_the_same_problems(void **state) {
    (void)state;
    AbutRng rng = abut_rng(51, 0);
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        AbutPose poses[6];
        for (int i = 0; i < 6; ++i) poses[i] = draw_place(&rng, i % 2);
        World w = make_world(ROBOTS[r], boxes(6, poses), NULL);
        AbutPlanRobot *robot;
        AbutPlanProblem *other, *bare;
        AbutError error;
        good(abut_plan_robot_create(w.c, NULL, &robot, &error), &error);
        good(abut_plan_robot_problem(robot, NULL, NULL, &bare, &error), &error);
        good(abut_plan_robot_problem(robot, w.obstacles, NULL, &other, &error), &error);
        abut_plan_robot_free(robot); /* problems keep it */
        CHECK(abut_plan_pair_count(bare) < abut_plan_pair_count(other));
        abut_plan_problem_free(bare);
        check_alike(&rng, &w, other, 0.0);
        abut_plan_problem_free(other);
        free_world(&w);
    }
}

static void moved_obstacles_are_elsewhere(void **state) {
    (void)state;
    enum { COUNT = 5 };
    AbutRng rng = abut_rng(52, 0);
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        AbutPose at[COUNT];
        for (int i = 0; i < COUNT; ++i) at[i] = draw_place(&rng, i % 2);
        World w = make_world(ROBOTS[r], boxes(COUNT, at), NULL);
        for (int i = 0; i < 30; ++i) { /* here and there, and in the end to another place */
            at[i % COUNT] = draw_place(&rng, 1);
            abut_plan_move_obstacle(w.problem, w.robot->body_count + i % COUNT, at[i % COUNT]);
        }
        AbutModel *elsewhere = boxes(COUNT, at);
        AbutPlanProblem *anew;
        AbutPose poses[200];
        double joints[PLAN_JOINTS];
        AbutError error;
        good(abut_plan_problem_create(w.c, elsewhere, NULL, &anew, &error), &error);
        check_alike(&rng, &w, anew, 1e-12);
        abut_plan_joints_at(w.c, joints);
        good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
        for (int i = 0; i < COUNT; ++i) assert_memory_equal(&poses[w.robot->body_count + i], &at[i], sizeof poses[0]);
        abut_plan_problem_free(anew);
        abut_model_free(elsewhere);
        free_world(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_robots_give_the_same_problems),
        cmocka_unit_test(moved_obstacles_are_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
