/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka with the comparisons it lacks: doubles, vectors, and a scale for the number of random cases. */
#ifndef ABUT_TESTS_CHECK_H
#define ABUT_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/math.h"

/* |actual - expected| <= tolerance; NaN fails. */
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
    check_near_at((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define CHECK_VEC_NEAR(actual, expected, tolerance)                                                                    \
    check_near_at(abut_point_distance((actual), (expected)), 0.0, (tolerance), #actual, __FILE__, __LINE__)
#define CHECK(condition) check_true_at((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

static inline void check_near_at(
    double actual, double expected, double tolerance, const char *what, const char *file, int line) {
    if (fabs(actual - expected) <= tolerance || actual == expected) return;
    print_error(
        "%s = %.17g, expected %.17g +- %.3g (off by %.3g)\n", what, actual, expected, tolerance, actual - expected);
    _fail(file, line);
}

static inline void check_true_at(int condition, const char *what, const char *file, int line) {
    if (condition) return;
    print_error("not true: %s\n", what);
    _fail(file, line);
}

/* A call that must succeed; its error is printed when it does not. */
static inline void good(AbutStatus status, const AbutError *error) {
    if (status != ABUT_OK) fail_msg("%s", error->text);
}

/* Random cases to run: `full` normally, fewer where ABUT_TEST_SCALE says so (0.1 under a sanitizer). At least 1. */
static inline int check_cases(int full) {
    const char *scale = getenv("ABUT_TEST_SCALE");
    double cases = scale ? atof(scale) * full : (double)full;
    return cases < 1.0 ? 1 : (int)cases;
}

#endif
