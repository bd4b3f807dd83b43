/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: certified and clear at dense samples, the same for a seed, blocked and refused with reasons. */
#include "plan_support.h"
#include "abut/literature.h"
#include "plan/spline.h"

/* Two thin posts in the way of the arm. */
static AbutModel *posts(void) {
    AbutModel *model = no_obstacles();
    add_box(model, "post1", abut_pose(abut_vec3(0.45, 0.1, 0.4), abut_quat_identity()), abut_vec3(0.006, 0.006, 0.4));
    add_box(model, "post2", abut_pose(abut_vec3(0.25, 0.45, 0.4), abut_quat_identity()), abut_vec3(0.006, 0.006, 0.4));
    return model;
}

static const double arm_start[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, arm_goal[6] = {1.9, 0.9, 0.6, 0, 0, 0};

static AbutPlan plan(const World *w, const double *start, const double *goal, const AbutPlanSettings *settings) {
    AbutPlanQuery query = {start, goal, 0, NULL, NULL};
    AbutPlan out;
    AbutError error;
    good(abut_plan_solve(w->problem, &query, settings, &out, &error), &error);
    return out;
}

/* Rest at the ends, limits, and every pair farther than the level at many times. */
static void check_plan(const World *w, const AbutPlan *p, const double *start, const double *goal, double level) {
    enum { SAMPLES = 1000 };
    double joints[PLAN_JOINTS], u[PLAN_JOINTS], least = INFINITY, to = p->trajectory.times[p->trajectory.piece_count];
    AbutError error;
    for (int i = 0; i <= SAMPLES; ++i) {
        AbutPlanNear near;
        abut_trajectory_value(&p->trajectory, to * i / SAMPLES, 0, joints);
        good(abut_plan_nearest(w->problem, joints, &near, NULL, &error), &error);
        least = fmin(least, near.distance);
        abut_plan_coordinates_of(w->problem, joints, u);
        for (int32_t c = 0; c < p->coordinate_count; ++c) {
            double limits[2];
            abut_plan_coordinate_limits(w->problem, c, limits);
            CHECK(u[c] >= limits[0] - 1e-8 && u[c] <= limits[1] + 1e-8);
            if (i == 0 || i == SAMPLES) CHECK_NEAR(u[c], i ? goal[c] : start[c], 1e-12);
        }
        for (int order = 1; order <= 2 && (i == 0 || i == SAMPLES); ++order) {
            abut_trajectory_value(&p->trajectory, to * i / SAMPLES, order, joints);
            for (int32_t j = 0; j < p->trajectory.joint_count; ++j) CHECK_NEAR(joints[j], 0.0, 1e-9);
        }
    }
    CHECK(least > level && p->certificate.lb <= least + 1e-9);
}

static void an_arm_goes_round_posts(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    settings.budget = 60.0;
    AbutPlan p = plan(&w, arm_start, arm_goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
    assert_int_equal(p.certificate.status, ABUT_CERTIFICATE_CLEAR);
    assert_true(p.attempt_count == 2 && p.best >= 0 && !p.reason[0]);
    assert_int_equal(p.attempts[0].kind, ABUT_PLAN_FAST);
    check_plan(&w, &p, arm_start, arm_goal, settings.level);
    abut_plan_free(&p);
    free_world(&w);
}

/* All of the margin may have to be proved, where posts are in the way and where nothing is; and none of it. */
static void the_level_may_be_the_margin(void **state) {
    (void)state;
    static const double near_goal[6] = {-0.4, 0.9, 0.6, 0, 0, 0};
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanSettings settings = abut_plan_settings_default();
    settings.budget = 60.0;
    for (int i = 0; i < 3; ++i) {
        const double *goal = i ? near_goal : arm_goal;
        def.margin = settings.level = i < 2 ? 0.005 : 0.0;
        World w = make_world("arm6", posts(), &def);
        AbutPlan p = plan(&w, arm_start, goal, &settings);
        assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
        check_plan(&w, &p, arm_start, goal, settings.level);
        abut_plan_free(&p);
        free_world(&w);
    }
}

/* Speeds and accelerations keep their limits, and one of them is reached to within what the hull of the control points
 * loses. */
static void the_duration_keeps_limits(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    double d[PLAN_JOINTS], most[3] = {0};
    AbutPlan p = plan(&w, arm_start, arm_goal, &settings);
    double to = p.trajectory.times[p.trajectory.piece_count];
    for (int i = 0; i <= 2000; ++i)
        for (int order = 1; order <= 2; ++order) {
            abut_trajectory_value(&p.trajectory, to * i / 2000, order, d);
            for (int32_t j = 0; j < w.robot->joint_count; ++j) most[order] = fmax(most[order], fabs(d[j]));
        }
    CHECK(most[1] <= settings.speed + 1e-9 && most[2] <= settings.acceleration + 1e-9);
    CHECK(most[1] > 0.8 * settings.speed || most[2] > 0.8 * settings.acceleration);
    abut_plan_free(&p);
    settings.duration = 7.0;
    p = plan(&w, arm_start, arm_goal, &settings);
    CHECK_NEAR(p.trajectory.times[p.trajectory.piece_count], 7.0, 0.0);
    abut_plan_free(&p);
    free_world(&w);
}

/* Fast plans hold at many places, cost less with more effort, and are the same for a seed and any threads. */
static void quality_is_kept(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    double cost[ABUT_PLAN_QUALITY_COUNT];
    for (int q = 0; q < ABUT_PLAN_QUALITY_COUNT; ++q) {
        static const int32_t attempts[ABUT_PLAN_QUALITY_COUNT] = {1, 2, 6};
        AbutPlanSettings settings = abut_plan_settings_default();
        settings.budget = INFINITY;
        settings.attempts = 8;
        settings.quality = q;
        AbutPlan p = plan(&w, arm_start, arm_goal, &settings), same;
        assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
        assert_int_equal(p.attempt_count, attempts[q]);
        assert_int_equal(p.attempts[0].kind, ABUT_PLAN_FAST);
        assert_int_equal(p.attempts[0].status, ABUT_PLAN_CERTIFIED);
        check_plan(&w, &p, arm_start, arm_goal, settings.level);
        CHECK_NEAR(p.cost, abut_plan_curve_cost(p.coordinate_count, p.point_count, p.points), 1e-9 * p.cost);
        settings.threads = 2;
        same = plan(&w, arm_start, arm_goal, &settings);
        assert_int_equal(same.point_count, p.point_count);
        assert_memory_equal(
            same.points, p.points, (size_t)p.point_count * (size_t)p.coordinate_count * sizeof *p.points);
        cost[q] = p.cost;
        abut_plan_free(&p);
        abut_plan_free(&same);
    }
    CHECK(cost[0] > cost[1] && cost[1] >= cost[2]);
    free_world(&w);
}

/* Random ends among boxes: whatever the fast attempt certifies holds at many places, and it finds most; some have no
 * solution. */
static void fast_plans_hold(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "planar-arm:5", "two-arms"};
    AbutRng rng = abut_rng(71, 0);
    int asked = 0, found = 0;
    for (int r = 0; r < 3; ++r) {
        World w = make_world(robots[r], mixed(&rng, 5), NULL);
        AbutPlanSettings settings = abut_plan_settings_default();
        settings.quality = ABUT_PLAN_QUALITY_FAST;
        settings.budget = INFINITY;
        settings.attempts = 1;
        int32_t n = abut_plan_coordinate_count(w.problem);
        for (int i = 0; i < (r < 2 ? 12 : 6); ++i) {
            double u[2][PLAN_JOINTS], joints[2][PLAN_JOINTS];
            for (int k = 0; k < 2; ++k) {
                AbutPlanNear near = {.distance = -1.0};
                AbutError error;
                for (int tries = 0; tries < 400 && near.distance < 0.006; ++tries) {
                    for (int32_t c = 0; c < n; ++c) {
                        double limits[2];
                        abut_plan_coordinate_limits(w.problem, c, limits);
                        u[k][c] = abut_rng_between(&rng, fmax(limits[0], -3.0), fmin(limits[1], 3.0));
                    }
                    abut_plan_joints_of(w.problem, u[k], joints[k]);
                    good(abut_plan_nearest(w.problem, joints[k], &near, NULL, &error), &error);
                }
                if (near.distance < 0.006)
                    k = 2;
                else if (k == 1) {
                    AbutPlan p = plan(&w, u[0], u[1], &settings);
                    ++asked;
                    if (p.status == ABUT_PLAN_CERTIFIED) {
                        ++found;
                        check_plan(&w, &p, u[0], u[1], settings.level);
                    }
                    abut_plan_free(&p);
                }
            }
        }
        free_world(&w);
    }
    CHECK(asked > 8 && 10 * found >= 7 * asked);
}

static void a_seed_fixes_the_plan(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    settings.budget = INFINITY; /* attempts alone */
    settings.attempts = 4;
    AbutPlan one = plan(&w, arm_start, arm_goal, &settings), two = plan(&w, arm_start, arm_goal, &settings);
    settings.threads = 3;
    AbutPlan many = plan(&w, arm_start, arm_goal, &settings);
    size_t bytes = (size_t)one.point_count * (size_t)one.coordinate_count * sizeof(double);
    assert_memory_equal(one.points, two.points, bytes);
    assert_memory_equal(one.points, many.points, bytes);
    settings.seed = 2;
    AbutPlan other = plan(&w, arm_start, arm_goal, &settings);
    assert_int_equal(other.status, ABUT_PLAN_CERTIFIED);
    abut_plan_free(&one);
    abut_plan_free(&two);
    abut_plan_free(&many);
    abut_plan_free(&other);
    free_world(&w);
}

/* Constraints at few samples: the plan goes through a post between them, and the certificate says so. */
static void samples_are_not_enough(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    settings.method = abut_plan_by_samples(10);
    settings.attempts = 3;
    settings.budget = INFINITY;
    AbutPlan p = plan(&w, arm_start, arm_goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_CLEAR_UNCERTIFIED);
    assert_int_equal(p.certificate.status, ABUT_CERTIFICATE_CONTACT);
    CHECK(p.certificate.ub < -0.01);
    assert_non_null(strstr(p.reason, "overlap by"));
    abut_plan_free(&p);
    free_world(&w);
}

/* A plate between start and goal of a slide. */
static void a_blocked_way_is_told(void **state) {
    (void)state;
    AbutModel *plate = no_obstacles();
    add_box(plate, "plate", abut_pose(abut_vec3(0, 0, 0.27), abut_quat_identity()), abut_vec3(1, 1, 0.005));
    uint8_t held[3] = {0, 1, 1};
    AbutPlanDef def = abut_plan_def_default();
    def.held = held;
    World w = make_world("gripper", plate, &def);
    AbutPlanSettings settings = abut_plan_settings_default();
    double start = 0.25, goal = -0.1;
    settings.budget = INFINITY;
    settings.attempts = 5;
    AbutPlan p = plan(&w, &start, &goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_BLOCKED);
    assert_true(p.attempt_count == 5 && p.attempt_limit == 5 && !p.out_of_time);
    assert_non_null(strstr(p.reason, "5 attempts, none clear"));
    assert_non_null(strstr(p.reason, "plate"));
    assert_non_null(p.trajectory.times);
    abut_plan_free(&p);
    settings.budget = 1e-6; /* over before the first attempt has ended */
    p = plan(&w, &start, &goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_BUDGET);
    assert_true(p.attempt_count == 1 && p.attempt_limit == 5 && p.out_of_time);
    assert_non_null(strstr(p.reason, "budget: time ran out after 1e-06 s and 1 of 5 attempts; "));
    assert_string_equal(abut_word(abut_plan_status_names, p.status), "budget");
    abut_plan_free(&p);
    free_world(&w);
}

/* The palm of the gripper comes down on a plate, and may touch it in the last fifth of the time: refused without a
 * window, planned with it, clear of the plate before it; and a window that opens too late does not hide the contact. */
static void a_window_lets_links_meet(void **state) {
    (void)state;
    enum { SAMPLES = 2000 };
    AbutModel *plate = no_obstacles();
    add_box(plate, "plate", abut_pose(abut_vec3(0, 0, 0.2), abut_quat_identity()), abut_vec3(1, 1, 0.005));
    uint8_t held[3] = {0, 1, 1};
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanWindow windows[2] = {{{0, 0}, 0.8, 1.0}, {{0, 0}, 0.8, 1.0}};
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutCertificate x;
    AbutError error;
    def.held = held;
    World w = make_world("gripper", plate, &def);
    double start = 0.2, goal = 0.025, joints[PLAN_JOINTS], distances[40], before = INFINITY, after = INFINITY;
    AbutPlan p = plan(&w, &start, &goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_INFEASIBLE_INPUT);
    abut_plan_free(&p);
    int32_t link = find_link(w.problem, "plate");
    windows[0].links = (AbutPair){find_link(w.problem, "left"), link};
    windows[1].links = (AbutPair){link, find_link(w.problem, "right")};
    def.windows = windows;
    def.window_count = 2;
    AbutPlanProblem *plain = w.problem;
    good(abut_plan_problem_create(w.c, w.obstacles, &def, &w.problem, &error), &error);
    assert_non_null(strstr(abut_plan_note(w.problem, abut_plan_note_count(w.problem) - 1), "nothing is proved"));
    p = plan(&w, &start, &goal, &settings);
    if (p.status != ABUT_PLAN_CERTIFIED) fail_msg("%s: %s", abut_word(abut_plan_status_names, p.status), p.reason);
    double to = p.trajectory.times[p.trajectory.piece_count];
    for (int i = 0; i <= SAMPLES; ++i) {
        AbutPlanNear near;
        abut_trajectory_value(&p.trajectory, to * i / SAMPLES, 0, joints);
        good(abut_plan_nearest(w.problem, joints, &near, distances, &error), &error);
        *(i < 0.8 * SAMPLES ? &before : &after) = fmin(i < 0.8 * SAMPLES ? before : after, near.distance);
    }
    CHECK(before > settings.level && after <= 0.0);
    AbutCertifyDef level = {settings.level, 0, 0};
    good(abut_plan_certify(plain, &p.trajectory, &level, &x, NULL, &error), &error);
    assert_int_equal(x.status, ABUT_CERTIFICATE_CONTACT);
    abut_plan_problem_free(plain);
    abut_plan_problem_free(w.problem);
    windows[0].from = windows[1].from = 0.995;
    good(abut_plan_problem_create(w.c, w.obstacles, &def, &w.problem, &error), &error);
    good(abut_plan_certify(w.problem, &p.trajectory, &level, &x, NULL, &error), &error);
    assert_int_equal(x.status, ABUT_CERTIFICATE_CONTACT);
    CHECK(x.t < 0.995 * to);
    abut_plan_free(&p);
    free_world(&w);
}

static void bad_windows_are_refused(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    int32_t post = find_link(w.problem, "post1"), hand = find_link(w.problem, "flange");
    AbutPlanWindow windows[2] = {{{hand, post}, 0.5, 0.4}, {{post, hand}, 0.2, 0.4}};
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *problem;
    AbutError error;
    def.windows = windows;
    def.window_count = 1;
    static const double bad[][2] = {{0.5, 0.4}, {0.0, 1.0}, {-0.1, 0.5}, {0.5, 1.1}, {NAN, 0.5}, {0.5, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        windows[0].from = bad[i][0];
        windows[0].to = bad[i][1];
        assert_int_equal(abut_plan_problem_create(w.c, w.obstacles, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "window 0: expected parts of the time"));
    }
    windows[0].from = 0.5;
    windows[0].to = 0.6;
    def.window_count = 2;
    assert_int_equal(abut_plan_problem_create(w.c, w.obstacles, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "one for each pair"));
    windows[0].links.a = 99;
    assert_int_equal(abut_plan_problem_create(w.c, w.obstacles, &def, &problem, &error), ABUT_ERROR_ARGUMENT);
    free_world(&w);
}

/* Neighbors count when they are added. */
static void pairs_are_added(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPair pair = {find_link(w.problem, "upper"), find_link(w.problem, "fore")};
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *more;
    AbutError error;
    assert_true(pair.a >= 0 && pair.b >= 0);
    def.added = &pair;
    def.added_count = 1;
    good(abut_plan_problem_create(w.c, NULL, &def, &more, &error), &error);
    assert_int_equal(abut_plan_pair_count(more), abut_plan_pair_count(w.problem) + 1);
    abut_plan_problem_free(more);
    pair.b = 99;
    assert_int_equal(abut_plan_problem_create(w.c, NULL, &def, &more, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "added 0"));
    free_world(&w);
}

static void bad_ends_are_told(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    double u[6] = {0.11, 0.9, 0.6, 0, 0, 0}; /* in post1 */
    AbutPlan p = plan(&w, u, arm_goal, &settings);
    assert_int_equal(p.status, ABUT_PLAN_INFEASIBLE_INPUT);
    assert_true(strstr(p.reason, "start: ") && strstr(p.reason, "post1 overlap by"));
    abut_plan_free(&p);
    u[0] = 9.0;
    p = plan(&w, arm_start, u, &settings);
    assert_true(strstr(p.reason, "goal: shoulder is 9, its limits are"));
    abut_plan_free(&p);
    AbutPlanQuery query = {arm_start, arm_goal, 0, NULL, NULL};
    AbutError error;
    settings.points = 5;
    assert_int_equal(abut_plan_solve(w.problem, &query, &settings, &p, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "points: expected 9 to 32, got 5"));
    free_world(&w);
}

static void postures_on_the_way_are_met(void **state) {
    (void)state;
    World w = make_world("arm6", posts(), NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    double at[2] = {0.3, 0.6}, via[12] = {-0.4, -0.4, 1.0, 0, 0, 0, 1.0, -0.6, 1.2, 0.4, 0, 0}, joints[PLAN_JOINTS];
    AbutPlanQuery query = {arm_start, arm_goal, 2, at, via};
    AbutPlan p;
    AbutError error;
    settings.budget = 60.0;
    good(abut_plan_solve(w.problem, &query, &settings, &p, &error), &error);
    assert_int_equal(p.status, ABUT_PLAN_CERTIFIED);
    for (int i = 0; i < 2; ++i) {
        abut_trajectory_value(&p.trajectory, at[i] * p.trajectory.times[p.trajectory.piece_count], 0, joints);
        for (int c = 0; c < 6; ++c) CHECK_NEAR(joints[c], via[6 * i + c], 1e-6);
    }
    check_plan(&w, &p, arm_start, arm_goal, settings.level);
    abut_plan_free(&p);
    free_world(&w);
}

/* A biped on its left foot lifts the right one over a bar. */
static void a_foot_goes_over_a_bar(void **state) {
    (void)state;
    AbutModel *bar = no_obstacles();
    add_box(bar, "bar", abut_pose(abut_vec3(0.22, 0, 0.08), abut_quat_identity()), abut_vec3(0.005, 1.0, 0.005));
    AbutPlanDef def = abut_plan_def_default();
    World plain = make_world("biped", NULL, NULL);
    AbutPair ground = {0, find_link(plain.problem, "left_foot")};
    def.support = ground.b;
    def.left_out_count = 1;
    def.left_out = &ground;
    World w = make_world("biped", bar, &def);
    double start[12] = {0, 0, -0.2, 0.6, -0.4, 0, 0, 0, -0.3, 0.9, -0.5, 0}, goal[12];
    memcpy(goal, start, sizeof goal);
    goal[8] = -1.0;
    goal[9] = 0.75;
    goal[10] = 0.1;
    AbutPlanSettings settings = abut_plan_settings_default();
    settings.budget = 60.0;
    AbutPlan p = plan(&w, start, goal, &settings);
    if (p.status != ABUT_PLAN_CERTIFIED) fail_msg("%s: %s", abut_word(abut_plan_status_names, p.status), p.reason);
    check_plan(&w, &p, start, goal, settings.level);
    abut_plan_free(&p);
    free_world(&w);
    free_world(&plain);
}

static void poses_are_reached(void **state) {
    (void)state;
    enum { MOST = 4 };
    World w = make_world("arm6", posts(), NULL);
    AbutIkTask task = abut_ik_task_default();
    AbutPose poses[20];
    double goals[MOST * 6], joints[PLAN_JOINTS], last = 0.0;
    int32_t count, tool = abut_model_find(w.robot, ABUT_MODEL_FRAME, "tool");
    AbutError error;
    task.kind = ABUT_IK_POSITION;
    task.body = w.robot->frames[tool].body;
    task.pose = w.robot->frames[tool].pose;
    task.target.p = abut_vec3(0.1, 0.5, 0.3);
    AbutPlanReach reach = {arm_start, 1, &task, 60, 1};
    good(abut_plan_reach(w.problem, &reach, MOST, goals, &count, &error), &error);
    assert_true(count > 0);
    for (int32_t i = 0; i < count; ++i) {
        AbutPlanNear near;
        double square = 0.0;
        abut_plan_joints_of(w.problem, goals + 6 * i, joints);
        good(abut_plan_link_poses(w.problem, joints, poses, &error), &error);
        CHECK_VEC_NEAR(abut_pose_apply(poses[task.body], task.pose.p), task.target.p, 1e-5);
        good(abut_plan_nearest(w.problem, joints, &near, NULL, &error), &error);
        CHECK(near.distance >= 0.006);
        for (int c = 0; c < 6; ++c) square += (goals[6 * i + c] - arm_start[c]) * (goals[6 * i + c] - arm_start[c]);
        CHECK(square >= last);
        last = square;
    }
    task.target.p = abut_vec3(5, 0, 0);
    reach.tries = 5;
    good(abut_plan_reach(w.problem, &reach, MOST, goals, &count, &error), &error);
    assert_int_equal(count, 0);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_goes_round_posts),
        cmocka_unit_test(the_level_may_be_the_margin),
        cmocka_unit_test(the_duration_keeps_limits),
        cmocka_unit_test(quality_is_kept),
        cmocka_unit_test(fast_plans_hold),
        cmocka_unit_test(a_seed_fixes_the_plan),
        cmocka_unit_test(samples_are_not_enough),
        cmocka_unit_test(a_blocked_way_is_told),
        cmocka_unit_test(a_window_lets_links_meet),
        cmocka_unit_test(bad_windows_are_refused),
        cmocka_unit_test(pairs_are_added),
        cmocka_unit_test(bad_ends_are_told),
        cmocka_unit_test(postures_on_the_way_are_met),
        cmocka_unit_test(a_foot_goes_over_a_bar),
        cmocka_unit_test(poses_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
