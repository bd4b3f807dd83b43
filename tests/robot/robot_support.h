/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of this room share: a model with a configuration of it in a random state. */
#ifndef ABUT_TESTS_ROBOT_SUPPORT_H
#define ABUT_TESTS_ROBOT_SUPPORT_H

#include "support/check.h"

#include "abut/robot.h"
#include "support/random_trees.h"
#include "support/tree_of.h"

enum { ROBOT_NUMBERS = 400 };

typedef struct Case {
    AbutModel *model;
    AbutConfiguration *c;
    int nq, nv;
    double q[ROBOT_NUMBERS], v[ROBOT_NUMBERS];
} Case;

static inline Case case_of(AbutRng *rng, AbutModel *model) {
    Case out = {.model = model};
    AbutError error = {0};
    good(configuration_of(model, &out.c, &error), &error);
    out.nq = abut_configuration_position_count(out.c);
    out.nv = abut_configuration_velocity_count(out.c);
    assert_true(out.nq < ROBOT_NUMBERS && out.nq == abut_model_number_count(model, ABUT_NUMBERS_POSITIONS));
    random_state(rng, model, out.q, out.v);
    good(abut_configuration_set(out.c, out.nq, out.q, out.nv, out.v, &error), &error);
    return out;
}

static inline void case_free(Case *item) {
    abut_configuration_free(item->c);
    abut_model_free(item->model);
}

/* Largest difference over the largest entry. */
static inline double relative_gap(const double *a, const double *b, size_t count) {
    double gap = 0.0, size = 1e-300;
    for (size_t i = 0; i < count; ++i) {
        gap = isfinite(a[i]) ? fmax(gap, fabs(a[i] - b[i])) : INFINITY;
        size = fmax(size, fabs(b[i]));
    }
    return gap / size;
}

#endif
