/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of joints that a trajectory breaks. */
#include "plan_support.h"

/* The largest excess of each joint and kind, by dense samples. */
static double sampled_excess(
    const World *w, const AbutTrajectory *t, int32_t i, int order, double lower, double upper) {
    double values[PLAN_JOINTS], worst = 0.0, from = t->times[0], to = t->times[t->piece_count];
    for (int k = 1; k < 3000; ++k) {
        abut_trajectory_value(t, from + (to - from) * k / 3000, order, values);
        double x = values[abut_plan_joint(w->problem, i)];
        worst = fmax(worst, fmax(lower - x, x - upper));
    }
    return worst;
}

/* Reports each broken limit with its value and time, and no limit that is kept. */
static void broken_limits_are_found(void **state) {
    (void)state;
    AbutRng rng = abut_rng(77, 0);
    int broken = 0, kept = 0;
    for (int trial = 0; trial < check_cases(20); ++trial) {
        AbutPlanJointLimits limits[PLAN_JOINTS];
        AbutPlanDef def = abut_plan_def_default();
        AbutPlanExcess found[3 * PLAN_JOINTS];
        AbutError error;
        int32_t count, at = 0;
        for (int i = 0; i < PLAN_JOINTS; ++i)
            limits[i] = (AbutPlanJointLimits){
                -1.5, 1.5, abut_rng_between(&rng, 0.5, 8), i % 2 ? NAN : abut_rng_between(&rng, 2, 90), NAN};
        def.limits = limits;
        World w = make_world("arm6", NULL, &def);
        AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_QUINTIC, 3);
        good(abut_plan_check_limits(w.problem, &t, 3 * PLAN_JOINTS, found, &count, &error), &error);
        for (int32_t i = 0; i < abut_plan_joint_count(w.problem); ++i)
            for (int kind = 0; kind < ABUT_PLAN_LIMIT_COUNT; ++kind) {
                AbutPlanJointLimits x = abut_plan_joint_limits(w.problem, i);
                double most = kind == 1 ? x.speed : x.acceleration, values[PLAN_JOINTS];
                double upper = kind == 0 ? x.upper : isnan(most) ? INFINITY : most;
                double excess = sampled_excess(&w, &t, i, kind, kind == 0 ? x.lower : -upper, upper);
                int told =
                    at < count && found[at].joint == abut_plan_joint(w.problem, i) && (int)found[at].kind == kind;
                CHECK(told || !(excess > 1e-6));
                broken += told;
                kept += !told;
                if (!told) continue;
                abut_trajectory_value(&t, found[at].t, kind, values);
                CHECK_NEAR(values[found[at].joint], found[at].value, 1e-6);
                CHECK(fabs(found[at].value - found[at].limit) >= excess - 1e-9);
                CHECK(fabs(found[at].limit - (found[at].value > 0 ? upper : kind == 0 ? x.lower : -upper)) < 1e-12);
                ++at;
            }
        CHECK(at == count);
        abut_trajectory_free(&t);
        free_world(&w);
    }
    CHECK(broken > 5 && kept > 5);
}

/* Straight lines between rows have no acceleration but at the rows, where it is infinite. */
static void jumps_of_speed_are_found(void **state) {
    (void)state;
    AbutPlanJointLimits limits[PLAN_JOINTS];
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanExcess found[40];
    AbutError error;
    int32_t count;
    for (int i = 0; i < PLAN_JOINTS; ++i) limits[i] = (AbutPlanJointLimits){NAN, NAN, NAN, 1e6, NAN};
    def.limits = limits;
    World w = make_world("arm6", NULL, &def);
    double times[3] = {0, 1, 3}, q[18] = {0};
    q[6] = 0.5, q[12] = 0.1;
    AbutJointSamples samples = {6, 3, times, q, NULL, NULL};
    AbutTrajectory t;
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
    good(abut_plan_check_limits(w.problem, &t, 40, found, &count, &error), &error);
    assert_int_equal(count, 1);
    CHECK(found[0].joint == 0 && found[0].kind == ABUT_PLAN_LIMIT_ACCELERATION && isinf(found[0].value));
    CHECK_NEAR(found[0].t, 1.0, 0.0);
    good(abut_plan_check_limits(w.problem, &t, 0, NULL, &count, &error), &error);
    assert_int_equal(count, 1);
    abut_trajectory_free(&t);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_limits_are_found),
        cmocka_unit_test(jumps_of_speed_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
