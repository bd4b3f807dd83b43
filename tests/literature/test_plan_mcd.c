/* SPDX-License-Identifier: Apache-2.0 */
/* Least distances over a piece of a trajectory: against dense samples; and the thesis' plan where IPOPT is built in. */
#include "plan/plan_support.h"
#include "abut/literature.h"

static void least_distances_are_found(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutRng rng = abut_rng(8, 1);
    int wrong[ABUT_PLAN_MCD_COUNT] = {0}, queries = 0;
    int64_t evaluations = 0;
    AbutError error;
    for (int trial = 0; trial < check_cases(40); ++trial) {
        AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_CUBIC, 5);
        int32_t piece = trial % t.piece_count;
        double joints[PLAN_JOINTS], least[64], now[64];
        AbutPlanNear near;
        assert_true(abut_plan_pair_count(w.problem) <= 64);
        for (int k = 0; k < 64; ++k) least[k] = INFINITY;
        for (int i = 0; i <= 400; ++i) {
            abut_trajectory_value(&t, t.times[piece] + (t.times[piece + 1] - t.times[piece]) * i / 400.0, 0, joints);
            good(abut_plan_nearest(w.problem, joints, &near, now, &error), &error);
            for (int32_t k = 0; k < abut_plan_pair_count(w.problem); ++k) least[k] = fmin(least[k], now[k]);
        }
        for (int32_t pair = 0; pair < abut_plan_pair_count(w.problem); ++pair, ++queries)
            for (int k = 0; k < ABUT_PLAN_MCD_COUNT; ++k) {
                AbutPlanLeast x;
                good(abut_plan_mcd(w.problem, &t, (AbutPlanMcd)k, pair, piece, &x, &error), &error);
                CHECK(x.x >= 0.0 && x.x <= 1.0 && x.distance >= least[pair] - 2e-3);
                wrong[k] += x.distance > least[pair] + 1.1e-3;
                evaluations += k == ABUT_PLAN_MCD_SUBDIVIDE ? x.evaluations : 0;
            }
        abut_trajectory_free(&t);
    }
    CHECK(wrong[ABUT_PLAN_MCD_SUBDIVIDE] == 0 && wrong[ABUT_PLAN_MCD_ADVANCE] == 0);
    CHECK((double)evaluations / queries < 40.0);
    free_world(&w);
}

/* Without obstacles in the way the program of the thesis has the same solution as the steps of ours. */
static void the_thesis_finds_the_same(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanSettings settings = abut_plan_settings_default();
    const double start[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[6] = {1.9, 0.9, 0.6, 0, 0, 0};
    AbutPlanQuery query = {start, goal, 0, NULL, NULL};
    AbutPlan ours, theirs;
    AbutError error;
    settings.budget = 60.0;
    good(abut_plan_solve(w.problem, &query, &settings, &ours, &error), &error);
    settings.method = abut_plan_by_thesis(ABUT_PLAN_MCD_GOLDEN);
    if (!abut_plan_has_thesis()) {
        assert_int_equal(abut_plan_solve(w.problem, &query, &settings, &theirs, &error), ABUT_ERROR_UNSUPPORTED);
        abut_plan_free(&ours);
        free_world(&w);
        skip();
    }
    for (int k = 0; k < ABUT_PLAN_MCD_COUNT; ++k) {
        settings.method = abut_plan_by_thesis((AbutPlanMcd)k);
        good(abut_plan_solve(w.problem, &query, &settings, &theirs, &error), &error);
        assert_int_equal(theirs.status, ABUT_PLAN_CERTIFIED);
        assert_int_equal(theirs.attempts[0].kind, ABUT_PLAN_THESIS);
        CHECK_NEAR(theirs.cost / ours.cost, 1.0, 0.02);
        abut_plan_free(&theirs);
    }
    abut_plan_free(&ours);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_distances_are_found), cmocka_unit_test(the_thesis_finds_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
