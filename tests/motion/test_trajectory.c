/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolation of joint samples: values, speeds and accelerations at the samples, and what is refused. */
#include "support/check.h"

#include "abut/motion.h"

#include <string.h>

enum { ROWS = 6, JOINTS = 3 };

static void sample(AbutRng *rng, double *times, double *q, double *v, double *a) {
    for (int i = 0; i < ROWS; ++i) {
        times[i] = i + abut_rng_between(rng, 0.0, 0.5);
        for (int j = 0; j < JOINTS; ++j) {
            q[i * JOINTS + j] = abut_rng_between(rng, -2, 2);
            v[i * JOINTS + j] = abut_rng_between(rng, -2, 2);
            a[i * JOINTS + j] = abut_rng_between(rng, -2, 2);
        }
    }
}

static void samples_are_met(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1, 0);
    double times[ROWS], q[ROWS * JOINTS], v[ROWS * JOINTS], a[ROWS * JOINTS], out[JOINTS];
    AbutError error;
    for (int trial = 0; trial < 60; ++trial) {
        AbutJointSamples samples = {JOINTS, ROWS, times, q, v, a};
        AbutTrajectory t;
        int kind = trial % ABUT_INTERPOLATION_COUNT;
        const double *given[3] = {q, v, a};
        sample(&rng, times, q, v, a);
        good(abut_trajectory_interpolate((AbutInterpolation)kind, &samples, &t, &error), &error);
        for (int order = 0; order <= kind; ++order)
            for (int i = 0; i < ROWS; ++i) {
                abut_trajectory_value(&t, times[i], order, out);
                for (int j = 0; j < JOINTS; ++j) CHECK_NEAR(out[j], given[order][i * JOINTS + j], 1e-11);
            }
        abut_trajectory_free(&t);
    }
}

/* Both sides of every sample agree in value, speed and acceleration; the ends are at rest. */
static void splines_are_smooth(void **state) {
    (void)state;
    AbutRng rng = abut_rng(2, 0);
    double times[ROWS], q[ROWS * JOINTS], v[ROWS * JOINTS], a[ROWS * JOINTS], out[2][JOINTS];
    AbutJointSamples samples = {JOINTS, ROWS, times, q, NULL, NULL};
    AbutTrajectory t;
    AbutError error;
    sample(&rng, times, q, v, a);
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, &t, &error), &error);
    for (int i = 0; i < ROWS; ++i)
        for (int order = 0; order < 3; ++order) {
            abut_trajectory_value(&t, nextafter(times[i], -1), order, out[0]);
            abut_trajectory_value(&t, times[i], order, out[1]);
            for (int j = 0; j < JOINTS && i > 0 && i + 1 < ROWS; ++j) CHECK_NEAR(out[0][j], out[1][j], 1e-9);
            for (int j = 0; j < JOINTS && order == 1 && (i == 0 || i + 1 == ROWS); ++j)
                CHECK_NEAR(out[1][j], 0.0, 1e-11);
        }
    abut_trajectory_value(&t, -5.0, 0, out[0]);
    CHECK_NEAR(out[0][0], q[0], 0.0);
    abut_trajectory_value(&t, 50.0, 1, out[0]);
    CHECK_NEAR(out[0][0], 0.0, 0.0);
    abut_trajectory_free(&t);
}

static void refuses(AbutInterpolation kind, const AbutJointSamples *samples, const char *says) {
    AbutTrajectory t;
    AbutError error;
    assert_true(abut_trajectory_interpolate(kind, samples, &t, &error) != ABUT_OK);
    if (!strstr(error.text, says)) fail_msg("'%s' is not in '%s'", says, error.text);
    assert_true(!t.times && !t.coefficients);
}

static void bad_samples_are_refused(void **state) {
    (void)state;
    double times[3] = {0, 1, 1}, q[3] = {0, NAN, 0};
    AbutJointSamples samples = {1, 1, times, q, NULL, NULL};
    refuses(ABUT_INTERPOLATE_LINEAR, &samples, "two samples");
    samples.count = 3;
    refuses(ABUT_INTERPOLATE_LINEAR, &samples, "time after 1");
    samples.count = 2;
    refuses(ABUT_INTERPOLATE_LINEAR, &samples, "numbers below 1e9");
    refuses(ABUT_INTERPOLATE_QUINTIC, &samples, "speeds and accelerations");
    assert_int_equal(abut_word_find(abut_interpolation_names, "quintic"), ABUT_INTERPOLATE_QUINTIC);
    assert_int_equal(abut_word_find(abut_interpolation_names, "septic"), -1);
    assert_string_equal(abut_word(abut_interpolation_names, ABUT_INTERPOLATE_CUBIC), "cubic");
}

/* Pieces that do not join are no motion; rounding is. */
static void jumps_are_refused(void **state) {
    (void)state;
    double times[3] = {0, 1, 2}, q[6] = {0, 5, 1, 6, 0, 7};
    AbutJointSamples samples = {2, 3, times, q, NULL, NULL};
    AbutTrajectory t;
    AbutError error;
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, &t, &error), &error);
    t.coefficients[18] += 1e-12;
    good(abut_trajectory_check(&t, &error), &error);
    t.coefficients[18] += 1e-3;
    assert_int_equal(abut_trajectory_check(&t, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "there is a jump of 0.001 for joint 1 at the end of piece 0"));
    abut_trajectory_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_met),
        cmocka_unit_test(splines_are_smooth),
        cmocka_unit_test(bad_samples_are_refused),
        cmocka_unit_test(jumps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
