/* SPDX-License-Identifier: Apache-2.0 */
/* Feet, balance, limits and torques: against the kinematics and dynamics of room robot, and by hand. */
#include "plan_support.h"

/* ---- two feet ---------------------------------------------------------------------------------------------------- */

static World on_two_feet(const char *robot, int balance) {
    World plain = make_world(robot, NULL, NULL);
    AbutPlanDef def = abut_plan_def_default();
    int32_t feet[2];
    assert_int_equal(abut_plan_find_feet(plain.c, feet), 2);
    assert_string_equal(plain.robot->bodies[feet[0]].name, "left_foot");
    assert_string_equal(plain.robot->bodies[feet[1]].name, "right_foot");
    free_world(&plain);
    def.support = feet[0];
    def.other_foot = feet[1];
    def.balance = balance;
    return make_world(robot, NULL, &def);
}

/* Whatever sway, hip and knee are, the other foot stays where it is. */
static void both_feet_stand(void **state) {
    (void)state;
    World w = on_two_feet("humanoid", 0);
    int32_t n = abut_plan_coordinate_count(w.problem), foot = find_link(w.problem, "right_foot");
    AbutRng rng = abut_rng(4, 1);
    AbutPose poses[80], first;
    double u[PLAN_JOINTS], joints[PLAN_JOINTS];
    AbutError error;
    assert_int_equal(n, w.robot->joint_count - 12 + 3);
    assert_string_equal(abut_plan_coordinate_name(w.problem, n - 3), "sway");
    assert_string_equal(abut_plan_coordinate_name(w.problem, n - 2), "hip");
    assert_string_equal(abut_plan_coordinate_name(w.problem, n - 1), "knee");
    assert_true(w.robot->body_count <= 80);
    for (int i = 0; i < check_cases(1000); ++i) {
        for (int32_t c = 0; c < n; ++c) {
            double limits[2];
            abut_plan_coordinate_limits(w.problem, c, limits);
            u[c] = abut_rng_between(&rng, limits[0], limits[1]);
        }
        abut_plan_joints_of(w.problem, u, joints);
        good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
        if (i == 0) first = poses[foot];
        CHECK_VEC_NEAR(poses[foot].p, first.p, 1e-11);
        CHECK_NEAR(fabs(abut_quat_dot(poses[foot].q, first.q)), 1.0, 1e-12);
    }
    free_world(&w);
}

static void other_legs_are_refused(void **state) {
    (void)state;
    World plain = make_world("humanoid", NULL, NULL);
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *problem;
    AbutError error;
    def.support = find_link(plain.problem, "left_foot");
    def.other_foot = find_link(plain.problem, "left_hand");
    assert_int_equal(abut_plan_problem_create(plain.c, NULL, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "other_foot: expected legs of six hinges"));
    def.other_foot = def.support;
    assert_int_equal(abut_plan_problem_create(plain.c, NULL, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    def.support = def.other_foot = -1;
    def.balance = 1;
    assert_int_equal(abut_plan_problem_create(plain.c, NULL, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "balance: expected a support"));
    free_world(&plain);
}

/* ---- balance ----------------------------------------------------------------------------------------------------- */

/* The polygon is the hull of both soles: boxes of 0.22 by 0.1 m, 0.2 m apart, 3 cm before the ankles. */
static void the_polygon_is_that_of_the_soles(void **state) {
    (void)state;
    World w = on_two_feet("biped", 1);
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    int32_t n = abut_plan_polygon(w.problem, corners), ankle = find_link(w.problem, "left_foot");
    AbutVec3 at = abut_configuration_body_pose(w.c, ankle).p;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    assert_int_equal(n, 4);
    for (int32_t i = 0; i < n; ++i) {
        low[0] = fmin(low[0], corners[i].x);
        low[1] = fmin(low[1], corners[i].y);
        high[0] = fmax(high[0], corners[i].x);
        high[1] = fmax(high[1], corners[i].y);
        CHECK_NEAR(corners[i].z, 0.0, 1e-9);
    }
    CHECK_NEAR(low[0], at.x + 0.03 - 0.11, 1e-9);
    CHECK_NEAR(high[0], at.x + 0.03 + 0.11, 1e-9);
    CHECK_NEAR(low[1], -0.15, 1e-9);
    CHECK_NEAR(high[1], 0.15, 1e-9);
    free_world(&w);
}

/* The center of mass is that of room robot, and the certificate of balance agrees with dense samples. */
static void balance_is_proved_and_refuted(void **state) {
    (void)state;
    World w = on_two_feet("humanoid", 1);
    int32_t n = abut_plan_coordinate_count(w.problem);
    AbutRng rng = abut_rng(4, 2);
    int seen[2] = {0, 0};
    double joints[PLAN_JOINTS], u[2 * PLAN_JOINTS], q[2 * PLAN_JOINTS], times[2] = {0, 1};
    AbutError error;
    for (int trial = 0; trial < check_cases(100); ++trial) {
        AbutJointSamples samples = {w.robot->joint_count, 2, times, q, NULL, NULL};
        AbutTrajectory t;
        AbutCertifyDef def = {0.002, 0, 0};
        AbutCertificate x;
        double least = INFINITY;
        for (int i = 0; i < 2; ++i) {
            joints_of(w.c, joints);
            abut_plan_coordinates_of(w.problem, joints, u);
            for (int32_t c = 0; c < n; ++c) u[c] += 0.15 * abut_rng_normal(&rng);
            abut_plan_joints_of(w.problem, u, q + i * w.robot->joint_count);
        }
        good(abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, &t, &error), &error);
        good(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), &error);
        for (int i = 0; i <= 400; ++i) {
            AbutPlanBalance b;
            abut_trajectory_value(&t, i / 400.0, 0, joints);
            good(abut_plan_balance(w.problem, joints, &b, &error), &error);
            least = fmin(least, b.inside);
        }
        assert_true(x.balance.status != ABUT_CERTIFICATE_NOTHING);
        if (x.balance.status == ABUT_CERTIFICATE_CLEAR) CHECK(least > def.level && x.balance.lb <= least + 1e-9);
        if (x.balance.status == ABUT_CERTIFICATE_CONTACT) CHECK(x.balance.ub <= def.level && x.edge >= 0);
        ++seen[x.balance.status == ABUT_CERTIFICATE_CLEAR];
        abut_trajectory_free(&t);
    }
    CHECK(seen[0] > 0 && seen[1] > 0);
    free_world(&w);
}

static AbutPlan solve(const World *w, const double *start, const double *goal, const AbutPlanSettings *settings) {
    AbutPlanQuery query = {start, goal, 0, NULL, NULL};
    AbutPlan out;
    AbutError error;
    good(abut_plan_solve(w->problem, &query, settings, &out, &error), &error);
    return out;
}

/* Bending forward with both arms raised puts the center of mass too far ahead; a plan keeps it, start and goal too. */
static void plans_keep_balance(void **state) {
    (void)state;
    World w = on_two_feet("humanoid", 1);
    int32_t n = abut_plan_coordinate_count(w.problem), chest = -1, shoulders[2] = {-1, -1};
    AbutPlanSettings settings = abut_plan_settings_default();
    double start[PLAN_JOINTS], goal[PLAN_JOINTS], joints[PLAN_JOINTS];
    joints_of(w.c, joints);
    abut_plan_coordinates_of(w.problem, joints, start);
    memcpy(goal, start, sizeof goal);
    for (int32_t c = 0; c < n; ++c) {
        const char *name = abut_plan_coordinate_name(w.problem, c);
        chest = strcmp(name, "chest") == 0 ? c : chest;
        shoulders[0] = strcmp(name, "left_shoulder") == 0 ? c : shoulders[0];
        shoulders[1] = strcmp(name, "right_shoulder") == 0 ? c : shoulders[1];
    }
    goal[chest] = 0.8;
    goal[shoulders[0]] = goal[shoulders[1]] = -2.0;
    goal[n - 2] = 0.25;
    AbutPlan p = solve(&w, start, goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_INFEASIBLE_INPUT);
    assert_non_null(strstr(p.reason, "goal: out of balance"));
    abut_plan_free(&p);
    goal[n - 2] = start[n - 2];
    goal[chest] = 0.35;
    settings.budget = 60.0;
    p = solve(&w, start, goal, &settings);
    if (p.status != ABUT_PLAN_CERTIFIED) fail_msg("%s: %s", abut_word(abut_plan_status_names, p.status), p.reason);
    assert_int_equal(p.certificate.balance.status, ABUT_CERTIFICATE_CLEAR);
    CHECK(p.effort.zmp >= -1e-9 && p.effort.samples == ABUT_PLAN_EFFORT_SAMPLES);
    abut_plan_free(&p);
    settings.duration = 0.2;
    settings.speed = settings.acceleration = 1e6;
    p = solve(&w, start, goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_CLEAR_UNCERTIFIED);
    assert_non_null(strstr(p.reason, "too short for balance"));
    abut_plan_free(&p);
    free_world(&w);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static void limits_of_joints_hold(void **state) {
    (void)state;
    AbutPlanJointLimits limits[6];
    AbutPlanDef def = abut_plan_def_default();
    const double start[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[6] = {1.0, 0.5, 0.6, 0, 0, 0};
    double d[PLAN_JOINTS], most[6][2] = {{0}};
    for (int i = 0; i < 6; ++i) limits[i] = (AbutPlanJointLimits){NAN, NAN, NAN, NAN, NAN};
    limits[0].speed = 0.5;
    limits[1].acceleration = 0.1;
    limits[2].upper = 0.62;
    def.limits = limits;
    World w = make_world("arm6", NULL, &def);
    AbutPlanSettings settings = abut_plan_settings_default();
    assert_true(
        abut_plan_joint_limits(w.problem, 2).upper == 0.62 && isnan(abut_plan_joint_limits(w.problem, 2).speed));
    CHECK_NEAR(abut_plan_joint_limits(w.problem, 1).torque, 300.0, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
        AbutPlan p = solve(&w, start, goal, &settings);
        double to = p.trajectory.times[p.trajectory.piece_count];
        assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
        for (int i = 0; i <= 1000; ++i)
            for (int order = 1; order <= 2; ++order) {
                abut_trajectory_value(&p.trajectory, to * i / 1000, order, d);
                for (int j = 0; j < 6; ++j) most[j][order - 1] = fmax(most[j][order - 1], fabs(d[j]));
            }
        CHECK(most[0][0] <= 0.5 + 1e-7 && most[1][1] <= 0.1 + 1e-7);
        abut_plan_free(&p);
        settings.duration = 0.97 * to; /* no longer the smoothest path */
    }
    settings.duration = 0.5;
    AbutPlan p = solve(&w, start, goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_CLEAR_UNCERTIFIED);
    assert_non_null(strstr(p.reason, "0.5 s are too short"));
    abut_plan_free(&p);
    free_world(&w);
    limits[2].lower = 0.63;
    AbutPlanProblem *problem;
    AbutError error;
    w = make_world("arm6", NULL, NULL);
    assert_int_equal(abut_plan_problem_create(w.c, NULL, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "limits of joint 'fore'"));
    free_world(&w);
}

/* ---- torques ----------------------------------------------------------------------------------------------------- */

/* Of a fixed robot: inverse dynamics of room robot at the same times. */
static void torques_are_those_of_inverse_dynamics(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutRng rng = abut_rng(5, 5);
    AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_QUINTIC, 4);
    static double torques[ABUT_PLAN_EFFORT_SAMPLES * 6];
    double x[3][6], expected[6], part = 0.0;
    AbutPlanEffort e;
    AbutError error;
    good(abut_plan_effort(w.problem, &t, &e, torques, &error), &error);
    for (int i = 0; i < ABUT_PLAN_EFFORT_SAMPLES; ++i) {
        double time = t.times[0] + (t.times[t.piece_count] - t.times[0]) * i / (ABUT_PLAN_EFFORT_SAMPLES - 1);
        for (int order = 0; order < 3; ++order) abut_trajectory_value(&t, time, order, x[order]);
        good(abut_configuration_set(w.c, 6, x[0], 6, x[1], &error), &error);
        abut_configuration_inverse_dynamics(w.c, x[2], expected);
        for (int j = 0; j < 6; ++j) {
            CHECK_NEAR(torques[6 * i + j], expected[j], 1e-9 * (1.0 + fabs(expected[j])));
            part = fmax(part, fabs(expected[j]) / abut_plan_joint_limits(w.problem, j).torque);
        }
    }
    CHECK_NEAR(e.part, part, 1e-9);
    abut_trajectory_free(&t);
    free_world(&w);
}

/* Of a robot that stands: the feet carry its weight, and no torque is asked of the base. By virtual work: for any
 * velocity that keeps the feet, the power of the torques is the change of potential and kinetic energy. */
static void standing_robots_balance_their_power(void **state) {
    (void)state;
    World w = on_two_feet("humanoid", 1);
    int32_t n = abut_plan_coordinate_count(w.problem), nj = w.robot->joint_count;
    AbutRng rng = abut_rng(5, 6);
    enum { ROWS = 2 };
    double u[PLAN_JOINTS], q[ROWS * PLAN_JOINTS], v[PLAN_JOINTS], times[ROWS] = {0, 1.3}, energy[3];
    static double torques[ABUT_PLAN_EFFORT_SAMPLES * PLAN_JOINTS];
    AbutPose poses[80];
    AbutTrajectory t;
    AbutPlanEffort e;
    AbutError error;
    for (int i = 0; i < ROWS; ++i) {
        double joints[PLAN_JOINTS];
        joints_of(w.c, joints);
        abut_plan_coordinates_of(w.problem, joints, u);
        for (int32_t c = 0; c < n; ++c) u[c] += 0.2 * i * abut_rng_normal(&rng);
        abut_plan_joints_of(w.problem, u, q + i * nj);
    }
    AbutJointSamples samples = {nj, ROWS, times, q, NULL, NULL};
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, &t, &error), &error);
    good(abut_plan_effort(w.problem, &t, &e, torques, &error), &error);
    for (int i = 40; i < ABUT_PLAN_EFFORT_SAMPLES; i += 80) {
        double time = times[1] * i / (ABUT_PLAN_EFFORT_SAMPLES - 1), power = 0.0;
        abut_trajectory_value(&t, time, 1, v);
        for (int32_t j = 0; j < nj; ++j) power += torques[i * nj + j] * v[j];
        for (int k = 0; k < 3;
             ++k) { /* energy by room robot, the base from the poses of the plan, its speed by differences */
            static const double H = 1e-5;
            double at = time + (k - 1) * 2e-4, all[400], back[400], dv[400], joints[PLAN_JOINTS];
            int32_t np = abut_configuration_position_count(w.c), base = 0;
            double *sides[2] = {back, all};
            for (int side = 0; side < 2; ++side) {
                abut_trajectory_value(&t, at + (side ? H : -H), 0, joints);
                good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
                memcpy(sides[side], abut_configuration_positions(w.c), (size_t)np * sizeof(double));
                int32_t root = find_link(w.problem, "pelvis");
                base = abut_configuration_body_place(w.c, root, ABUT_NUMBERS_POSITIONS);
                const double pose[7] = {poses[root].p.x, poses[root].p.y, poses[root].p.z, poses[root].q.w,
                    poses[root].q.x, poses[root].q.y, poses[root].q.z};
                memcpy(sides[side] + base, pose, sizeof pose);
                for (int32_t j = 0; j < nj; ++j)
                    sides[side][abut_configuration_joint_place(w.c, j, ABUT_NUMBERS_POSITIONS)] = joints[j];
            }
            abut_configuration_difference(w.c, back, all, dv);
            for (int32_t d = 0; d < abut_configuration_velocity_count(w.c); ++d) dv[d] /= 2.0 * H;
            abut_configuration_integrate(w.c, back, dv, H, all);
            good(abut_configuration_set(w.c, np, all, abut_configuration_velocity_count(w.c), dv, &error), &error);
            energy[k] = abut_configuration_kinetic_energy(w.c) + abut_configuration_potential_energy(w.c);
        }
        CHECK_NEAR(power, (energy[2] - energy[0]) / 4e-4, 1e-3 * (1.0 + fabs(power)));
    }
    abut_trajectory_free(&t);
    free_world(&w);
}

/* A slower run of the same path divides what motion adds by the square. */
static void durations_follow_from_limits(void **state) {
    (void)state;
    AbutPlanJointLimits limits[6];
    AbutPlanDef def = abut_plan_def_default();
    const double start[6] = {-0.6, -0.6, 1.0, 0, 0, 0}, goal[6] = {1.0, -0.5, 1.1, 0, 0, 0};
    for (int i = 0; i < 6; ++i) limits[i] = (AbutPlanJointLimits){NAN, NAN, NAN, NAN, NAN};
    limits[0].torque = 0.5;
    def.limits = limits;
    World w = make_world("arm6", NULL, &def);
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlan fast = solve(&w, start, goal, &settings);
    settings.torque = 1;
    AbutPlan p = solve(&w, start, goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
    CHECK(p.trajectory.times[p.trajectory.piece_count] > fast.trajectory.times[fast.trajectory.piece_count]);
    CHECK(p.effort.part <= 1.0 + 1e-6 && p.effort.part > 0.99);
    abut_plan_free(&fast);
    abut_plan_free(&p);
    limits[1].torque = 5.0; /* less than gravity at the start */
    World weak = make_world("arm6", NULL, &def);
    p = solve(&weak, start, goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_INFEASIBLE_INPUT);
    assert_non_null(strstr(p.reason, "start: gravity asks joint upper for"));
    abut_plan_free(&p);
    free_world(&weak);
    free_world(&w);
}

/* The straight way lifts the arm level, for which a joint is too weak; a way that folds it is found. */
static void weak_joints_fold_the_arm(void **state) {
    (void)state;
    AbutPlanJointLimits limits[6];
    AbutPlanDef def = abut_plan_def_default();
    const double start[6] = {0, -1.0, 0.6, 0, 0, 0}, goal[6] = {0, 1.0, -0.6, 0, 0, 0};
    for (int i = 0; i < 6; ++i) limits[i] = (AbutPlanJointLimits){NAN, NAN, NAN, NAN, NAN};
    World strong = make_world("arm6", NULL, NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlan p = solve(&strong, start, goal, &settings);
    AbutPlanEffort e;
    AbutError error;
    static double torques[ABUT_PLAN_EFFORT_SAMPLES * 6];
    settings.duration = 100.0;
    abut_plan_free(&p);
    p = solve(&strong, start, goal, &settings);
    good(abut_plan_effort(strong.problem, &p.trajectory, &e, torques, &error), &error);
    double ends = fmax(fabs(torques[1]), fabs(torques[(ABUT_PLAN_EFFORT_SAMPLES - 1) * 6 + 1])), most = 0.0;
    for (int i = 0; i < ABUT_PLAN_EFFORT_SAMPLES; ++i) most = fmax(most, fabs(torques[6 * i + 1]));
    abut_plan_free(&p);
    free_world(&strong);
    limits[1].torque = 1.05 * ends;
    def.limits = limits;
    World w = make_world("arm6", NULL, &def);
    settings.duration = 0.0;
    settings.torque = 1;
    settings.budget = 60.0;
    p = solve(&w, start, goal, &settings);
    if (p.status != ABUT_PLAN_CERTIFIED)
        fail_msg("%s: %s (ends %g, most %g)", abut_word(abut_plan_status_names, p.status), p.reason, ends, most);
    CHECK(p.effort.part <= 1.0 + 1e-6);
    abut_plan_free(&p);
    free_world(&w);
}

/* A goal by the poses of two frames of a robot on both feet: reached, in balance, with the feet where they were. */
static void standing_robots_reach(void **state) {
    (void)state;
    enum { MOST = 4 };
    World w = on_two_feet("humanoid", 1);
    static const char *const frames[2] = {"left_grip", "right_grip"};
    AbutIkTask tasks[2];
    AbutPose poses[80];
    AbutPlanBalance balance;
    double start[PLAN_JOINTS], goals[MOST * PLAN_JOINTS], joints[PLAN_JOINTS];
    int32_t count, n = abut_plan_coordinate_count(w.problem);
    AbutError error;
    joints_of(w.c, joints);
    abut_plan_coordinates_of(w.problem, joints, start);
    for (int k = 0; k < 2; ++k) {
        int32_t f = abut_model_find(w.robot, ABUT_MODEL_FRAME, frames[k]);
        tasks[k] = abut_ik_task_default();
        tasks[k].kind = ABUT_IK_POSITION;
        tasks[k].body = w.robot->frames[f].body;
        tasks[k].pose = w.robot->frames[f].pose;
        tasks[k].target.p = abut_vec3(0.35, k ? -0.2 : 0.2, 1.0);
    }
    AbutPlanReach reach = {start, 2, tasks, 60, 1};
    good(abut_plan_reach(w.problem, &reach, MOST, goals, &count, &error), &error);
    assert_true(count > 0);
    for (int32_t i = 0; i < count; ++i) {
        abut_plan_joints_of(w.problem, goals + i * n, joints);
        good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
        for (int k = 0; k < 2; ++k)
            CHECK_VEC_NEAR(abut_pose_apply(poses[tasks[k].body], tasks[k].pose.p), tasks[k].target.p, 1e-5);
        good(abut_plan_balance(w.problem, joints, &balance, &error), &error);
        CHECK(balance.inside >= 0.006);
    }
    tasks[0].kind = ABUT_IK_CENTER;
    reach.tries = 5;
    assert_int_equal(abut_plan_reach(w.problem, &reach, MOST, goals, &count, &error), ABUT_ERROR_UNSUPPORTED);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_feet_stand),
        cmocka_unit_test(other_legs_are_refused),
        cmocka_unit_test(the_polygon_is_that_of_the_soles),
        cmocka_unit_test(balance_is_proved_and_refuted),
        cmocka_unit_test(plans_keep_balance),
        cmocka_unit_test(limits_of_joints_hold),
        cmocka_unit_test(torques_are_those_of_inverse_dynamics),
        cmocka_unit_test(standing_robots_balance_their_power),
        cmocka_unit_test(durations_follow_from_limits),
        cmocka_unit_test(weak_joints_fold_the_arm),
        cmocka_unit_test(standing_robots_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
