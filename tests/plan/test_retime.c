/* SPDX-License-Identifier: Apache-2.0 */
/* A path in the least time: the known optimum of one joint, limits, torques, the same path, and what is refused. */
#include "plan_support.h"

static double duration(const AbutTrajectory *t) { return t->times[t->piece_count]; }

/* One joint: full acceleration, full speed, full braking: d / v + v / a, or 2 sqrt(d / a) where v is not reached. */
static void one_joint_is_optimal(void **state) {
    (void)state;
    static const double ways[3] = {2.0, 0.3, 1.0};
    World w = make_world("arm6", NULL, NULL);
    AbutPlanSettings s = abut_plan_settings_default();
    for (int i = 0; i < 3; ++i) {
        double start[6] = {0}, goal[6] = {ways[i]}, d = ways[i], ramp = s.speed * s.speed / s.acceleration;
        double best = d > ramp ? d / s.speed + s.speed / s.acceleration : 2.0 * sqrt(d / s.acceleration);
        AbutTrajectory t = straight(&w, start, goal, 10.0), fast;
        AbutError error;
        good(abut_plan_retime(w.problem, &t, &s, &fast, &error), &error);
        CHECK(duration(&fast) >= best * (1.0 - 1e-9) && duration(&fast) < best * 1.005);
        abut_trajectory_free(&t);
        abut_trajectory_free(&fast);
    }
    free_world(&w);
}

/* How far a posture is from the nearest of the path. */
static double off_path(const AbutTrajectory *path, const double *q) {
    double least = INFINITY, at[PLAN_JOINTS];
    for (int i = 0; i <= 2000; ++i) {
        double sum = 0.0;
        abut_trajectory_value(path, duration(path) * i / 2000, 0, at);
        for (int32_t j = 0; j < path->joint_count; ++j) sum += (at[j] - q[j]) * (at[j] - q[j]);
        least = fmin(least, sqrt(sum));
    }
    return least;
}

/* Plans past posts: faster, within limits at all times, along the same path, and proved again. */
static void plans_become_faster(void **state) {
    (void)state;
    AbutModel *posts = no_obstacles();
    add_box(posts, "post", abut_pose(abut_vec3(0.45, 0.1, 0.4), abut_quat_identity()), abut_vec3(0.006, 0.006, 0.4));
    AbutPlanJointLimits limits[PLAN_JOINTS];
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanSettings s = abut_plan_settings_default();
    AbutError error;
    for (int i = 0; i < PLAN_JOINTS; ++i) limits[i] = (AbutPlanJointLimits){NAN, NAN, s.speed, s.acceleration, NAN};
    def.limits = limits;
    World w = make_world("arm6", posts, &def);
    double start[6] = {-0.6, 0.9, 0.6}, goal[6] = {1.9, 0.9, 0.6}, at[PLAN_JOINTS];
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutCertifyDef level = {s.level, 0, 0};
    AbutCertificate x;
    AbutTrajectory fast;
    AbutPlan plan;
    int32_t broken;
    s.budget = 1e6;
    good(abut_plan_solve(w.problem, &query, &s, &plan, &error), &error);
    assert_int_equal(plan.status, ABUT_PLAN_CERTIFIED);
    good(abut_plan_retime(w.problem, &plan.trajectory, &s, &fast, &error), &error);
    CHECK(duration(&fast) < 0.9 * duration(&plan.trajectory));
    good(abut_plan_check_limits(w.problem, &fast, 0, NULL, &broken, &error), &error);
    assert_int_equal(broken, 0);
    good(abut_plan_certify(w.problem, &fast, &level, &x, NULL, &error), &error);
    CHECK(abut_certificate_is_proof(&x));
    for (int i = 0; i <= 50; ++i) {
        abut_trajectory_value(&fast, duration(&fast) * i / 50, 0, at);
        CHECK(off_path(&plan.trajectory, at) < 2e-3);
    }
    abut_trajectory_value(&fast, duration(&fast), 0, at);
    for (int j = 0; j < 6; ++j) CHECK_NEAR(at[j], goal[j], 1e-9);
    abut_trajectory_free(&fast);
    abut_plan_free(&plan);
    free_world(&w);
}

/* Torques that are scarce make it slower, and are kept; those that gravity alone exceeds are refused. */
static void torques_are_kept(void **state) {
    (void)state;
    AbutPlanSettings s = abut_plan_settings_default();
    AbutPlanJointLimits limits[PLAN_JOINTS];
    AbutPlanDef def = abut_plan_def_default();
    AbutError error;
    double free_time = 0.0, start[6] = {0.0, 0.9, 0.6}, goal[6] = {0.5, 0.3, 1.2};
    s.speed = 50.0;
    s.acceleration = 100.0;
    s.torque = 1;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < PLAN_JOINTS; ++j)
            limits[j] = (AbutPlanJointLimits){NAN, NAN, NAN, NAN, i == 0 ? 1e6 : i == 1 ? 80.0 : 1.0};
        def.limits = limits;
        World w = make_world("arm6", NULL, &def);
        AbutTrajectory t = straight(&w, start, goal, 10.0), fast;
        AbutStatus status = abut_plan_retime(w.problem, &t, &s, &fast, &error);
        CHECK((status == ABUT_OK) == (i < 2));
        if (!status) {
            AbutPlanEffort effort;
            good(abut_plan_effort(w.problem, &fast, &effort, NULL, &error), &error);
            CHECK(effort.part <= 1.0 + 1e-3 && (i == 0 || effort.part > 0.8));
            CHECK(i == 0 || duration(&fast) > 1.05 * free_time);
            free_time = duration(&fast);
            abut_trajectory_free(&fast);
        } else {
            CHECK(strstr(error.text, "retiming") && !fast.times);
        }
        abut_trajectory_free(&t);
        free_world(&w);
    }
}

/* Nothing moves: there is no path. A path that turns back stops there. */
static void stops_are_kept(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanSettings s = abut_plan_settings_default();
    double still[6] = {0}, times[3] = {0, 1, 2}, q[18] = {0}, zero[18] = {0}, v[PLAN_JOINTS], most = 0.0;
    AbutTrajectory t = straight(&w, still, still, 10.0), fast;
    AbutError error;
    CHECK(abut_plan_retime(w.problem, &t, &s, &fast, &error) == ABUT_ERROR_ARGUMENT && !fast.times);
    abut_trajectory_free(&t);
    q[6] = 0.5; /* there and back */
    AbutJointSamples samples = {6, 3, times, q, zero, zero};
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_QUINTIC, &samples, &t, &error), &error);
    good(abut_plan_retime(w.problem, &t, &s, &fast, &error), &error);
    abut_trajectory_value(&fast, 0.5 * duration(&fast), 1, v);
    CHECK(fabs(v[0]) < 1e-6);
    for (int i = 0; i <= 100; ++i) {
        abut_trajectory_value(&fast, duration(&fast) * i / 100, 0, v);
        most = fmax(most, v[0]);
    }
    CHECK_NEAR(most, 0.5, 1e-6);
    CHECK(duration(&fast) < 1.01 * 4.0 * sqrt(0.5 / s.acceleration));
    abut_trajectory_free(&t);
    abut_trajectory_free(&fast);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_joint_is_optimal),
        cmocka_unit_test(plans_become_faster),
        cmocka_unit_test(torques_are_kept),
        cmocka_unit_test(stops_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
