/* SPDX-License-Identifier: Apache-2.0 */
/* Roadmaps: edges hold against distances at many places, the same for any number of threads; ways through them are
 * proved again among other obstacles, also where the map is wrong; families of problems; bad input. */
#include "plan_support.h"
#include "support/plan_families.h"

static AbutPlanSettings fast_settings(void) {
    AbutPlanSettings s = abut_plan_settings_default();
    s.quality = ABUT_PLAN_QUALITY_FAST;
    s.attempts = 2;
    s.budget = INFINITY;
    return s;
}

static AbutRoadmap make_map(const AbutPlanProblem *problem, int32_t count, int threads) {
    AbutPlanSettings s = abut_plan_settings_default();
    AbutRoadmap map;
    AbutError error;
    s.threads = threads;
    good(abut_roadmap_create(problem, count, &s, &map, &error), &error);
    return map;
}

static void edges_hold_for_any_number_of_threads(void **state) {
    (void)state;
    AbutRng rng = abut_rng(81, 0);
    World w = make_world("arm6", mixed(&rng, 8), NULL);
    AbutRoadmap one = make_map(w.problem, 300, 1), two = make_map(w.problem, 300, 2);
    assert_int_equal(one.count, 300);
    assert_int_equal(one.width, 6);
    assert_memory_equal(one.start, two.start, 301 * sizeof *one.start);
    assert_memory_equal(one.to, two.to, (size_t)one.start[300] * sizeof *one.to);
    assert_memory_equal(one.postures, two.postures, 300 * 6 * sizeof *one.postures);
    assert_true(one.start[300] > 600);
    for (int32_t i = 0, asked = 0; i < 300; ++i)
        for (int32_t e = one.start[i]; e < one.start[i + 1]; ++e) {
            int32_t k = one.to[e], back = one.start[k];
            while (back < one.start[k + 1] && one.to[back] != i) ++back;
            assert_true(k != i && back < one.start[k + 1]);
            if (k < i && asked++ % 40 == 0) refute(&w, one.postures + 6 * i, one.postures + 6 * k, 0.001, 200, 10);
        }
    abut_roadmap_free(&one);
    abut_roadmap_free(&two);
    free_world(&w);
}

/* A plan keeps the level by the kinematics of another room, and ends where it shall. */
static void check_plan(const World *w, const AbutPlanQuery *query, const AbutPlan *plan) {
    const AbutTrajectory *t = &plan->trajectory;
    double joints[PLAN_JOINTS], wanted[PLAN_JOINTS];
    assert_int_equal(plan->status, ABUT_PLAN_CERTIFIED);
    for (int i = 0; i <= 100; ++i) {
        abut_trajectory_value(t, t->times[t->piece_count] * i / 100, 0, joints);
        set_joints(w, joints);
        for (int32_t k = 0; k < abut_plan_pair_count(w->problem); ++k)
            CHECK(independent_distance(w, abut_plan_pair(w->problem, k)) > 0.001 - 1e-9);
        if (i % 100) continue;
        abut_plan_joints_of(w->problem, i ? query->goal : query->start, wanted);
        for (int32_t j = 0; j < w->robot->joint_count; ++j) CHECK(fabs(joints[j] - wanted[j]) < 1e-9);
    }
}

/* Postures of a map are kept, its edges lead anywhere. */
static void confuse(AbutRoadmap *map) {
    AbutRng rng = abut_rng(82, 0);
    for (int32_t e = 0; e < map->start[map->count]; ++e)
        map->to[e] = (int32_t)abut_rng_below(&rng, (uint32_t)map->count);
}

/* All families, arms of six and seven hinges: with and without a map of the robot alone, and with a wrong one. */
static void families_are_solved(void **state) {
    (void)state;
    static const char *const robots[2] = {"arm6", "arm7"};
    int used = 0;
    for (int k = 0; k < 2; ++k) {
        PlanFamilyRobot r;
        AbutError error;
        AbutPlanProblem *alone;
        good(plan_family_robot_make(robots[k], &r, &error), &error);
        good(abut_plan_robot_problem(r.half, NULL, &r.def, &alone, &error), &error);
        AbutRoadmap map = make_map(alone, 500, 0), wrong = make_map(alone, 500, 0);
        confuse(&wrong);
        for (int family = 0; family < PLAN_FAMILIES; ++family) {
            AbutRng rng = abut_rng(83, (uint64_t)family);
            for (int i = 0; i < 1 + check_cases(family == 3 || (k == 0 && family == 6) ? 1 : 3); ++i) {
                PlanFamilyProblem p;
                if (plan_family_draw(&r, family, i & 1, &rng, &p, &error)) continue;
                World w = {r.model, p.obstacles, r.c, p.problem};
                AbutPlanQuery query = {p.start, p.goal, 0, NULL, NULL};
                for (int with = 0; with < 3; ++with) {
                    AbutPlanSettings s = fast_settings();
                    AbutPlan plan;
                    s.roadmap = with == 0 ? NULL : with == 1 ? &map : &wrong;
                    good(abut_plan_solve(p.problem, &query, &s, &plan, &error), &error);
                    assert_int_equal(plan.attempts[0].kind, ABUT_PLAN_FAST);
                    check_plan(&w, &query, &plan);
                    abut_plan_free(&plan);
                    ++used;
                }
                plan_family_problem_free(&p);
            }
        }
        abut_roadmap_free(&map);
        abut_roadmap_free(&wrong);
        abut_plan_problem_free(alone);
        plan_family_robot_free(&r);
    }
    CHECK(used > 30);
}

/* A map that was made among the obstacles leads around them without trees: the same path for any random numbers. */
static void maps_are_used(void **state) {
    (void)state;
    World w = make_world("arm6", no_obstacles(), NULL);
    double start[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[6] = {1.9, 0.9, 0.6, 0, 0, 0};
    AbutError error;
    free_world(&w);
    AbutModel *posts = no_obstacles();
    add_box(posts, "post", abut_pose(abut_vec3(0.4, 0.25, 0.4), abut_quat_identity()), abut_vec3(0.01, 0.01, 0.4));
    w = make_world("arm6", posts, NULL);
    AbutRoadmap map = make_map(w.problem, 2000, 0);
    AbutPlanQuery query = {start, goal, 0, NULL, NULL};
    AbutPlan plan[2];
    for (int i = 0; i < 2; ++i) {
        AbutPlanSettings s = fast_settings();
        s.roadmap = &map;
        s.level = s.level + 1e-9 * i;
        good(abut_plan_solve(w.problem, &query, &s, &plan[i], &error), &error);
        check_plan(&w, &query, &plan[i]);
    }
    assert_int_equal(plan[0].point_count, plan[1].point_count);
    abut_plan_free(&plan[0]);
    abut_plan_free(&plan[1]);
    abut_roadmap_free(&map);
    free_world(&w);
}

static int stop(int32_t attempts, double cost, void *user) {
    (void)attempts, (void)cost;
    return ++*(int *)user > 1;
}

static void bad_input_is_refused(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanSettings s = fast_settings();
    double u[6] = {0};
    AbutPlanQuery query = {u, u, 0, NULL, NULL};
    AbutRoadmap map;
    AbutPlan plan;
    AbutError error;
    int calls = 0;
    assert_int_equal(abut_roadmap_create(w.problem, 0, &s, &map, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_roadmap_create(w.problem, ABUT_ROADMAP_POSTURES + 1, &s, &map, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "count: expected 1 to 100000 postures"));
    assert_null(map.postures);
    s.level = -1.0;
    assert_int_equal(abut_roadmap_create(w.problem, 10, &s, &map, &error), ABUT_ERROR_ARGUMENT);
    s.level = 0.001;
    s.progress = stop;
    s.user = &calls;
    good(abut_roadmap_create(w.problem, 20000, &s, &map, &error), &error); /* what there was when it was stopped */
    assert_true(map.count > 0 && map.count < 20000);
    s.progress = NULL;
    map.width = 5;
    s.roadmap = &map;
    assert_int_equal(abut_plan_solve(w.problem, &query, &s, &plan, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "roadmap: expected 6 coordinates, got 5"));
    map.width = 6;
    s.torque = 1;
    assert_int_equal(abut_plan_solve(w.problem, &query, &s, &plan, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "roadmap: expected no postures on the way"));
    abut_roadmap_free(&map);
    abut_roadmap_free(&map);
    AbutModel *wall = no_obstacles(); /* nothing is free within it */
    add_box(wall, "wall", abut_pose_identity(), abut_vec3(9, 9, 9));
    free_world(&w);
    w = make_world("arm6", wall, NULL);
    s = fast_settings();
    assert_int_equal(abut_roadmap_create(w.problem, 10, &s, &map, &error), ABUT_ERROR_EMPTY);
    assert_null(map.postures);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_hold_for_any_number_of_threads),
        cmocka_unit_test(families_are_solved),
        cmocka_unit_test(maps_are_used),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
