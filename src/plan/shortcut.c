/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path made shorter by edges that are proved: points left out from the far end, twice; then edges between random
 * places on the path, until enough of them in a row are no gain; points left out once more.
 */
#include "base/system.h"
#include "plan/roads.h"

#include <string.h>

static const double GAIN = 0.02; /* that is worth an edge, rad */
enum { TRIES = 40, FAILURES = 12, LOOKED_AT = 30 };

/* Points i + 1 .. k - 1 of n go. */
static int32_t leave_out(double *leg, int32_t width, int32_t n, int32_t i, int32_t k) {
    memmove(leg + (i + 1) * width, leg + k * width, (size_t)((n - k) * width) * sizeof *leg);
    return n - (k - i - 1);
}

static int32_t skip_points(AbutPlanRoads *r, double *leg, int32_t n) {
    for (int32_t i = 0; i + 2 < n && abut_clock() <= r->deadline; ++i)
        for (int32_t k = n - 1 < i + LOOKED_AT ? n - 1 : i + LOOKED_AT; k > i + 1; --k)
            if (abut_plan_roads_edge(r, leg + i * r->width, leg + k * r->width)) {
                n = leave_out(leg, r->width, n, i, k);
                break;
            }
    return n;
}

/* An edge between two random places; 1: taken. */
static int cut(AbutPlanRoads *r, double *leg, int32_t *n) {
    int32_t width = r->width;
    double total = abut_plan_path_length(width, *n, leg), *a = r->sample, *b = r->shift;
    double x = total * abut_rng_unit(r->rng), y = total * abut_rng_unit(r->rng);
    int32_t from = abut_plan_path_at(width, *n, leg, fmin(x, y), a),
            to = abut_plan_path_at(width, *n, leg, fmax(x, y), b);
    if (from == to || fabs(y - x) - abut_plan_apart(width, a, b) < GAIN || !abut_plan_roads_edge(r, a, b)) return 0;
    int32_t tail = *n - (to + 1);
    if (from + 3 + tail > ABUT_PLAN_PATH_MOST) return 0;
    memmove(leg + (from + 3) * width, leg + (to + 1) * width, (size_t)(tail * width) * sizeof *leg);
    memcpy(leg + (from + 1) * width, a, (size_t)width * sizeof *leg);
    memcpy(leg + (from + 2) * width, b, (size_t)width * sizeof *leg);
    *n = from + 3 + tail;
    return 1;
}

int32_t abut_plan_shorten(AbutPlanRoads *r, double *leg, int32_t n) {
    int failures = 0;
    n = skip_points(r, leg, n);
    n = skip_points(r, leg, n);
    for (int i = 0; i < TRIES && n > 2 && failures < FAILURES && abut_clock() <= r->deadline; ++i)
        failures = cut(r, leg, &n) ? 0 : failures + 1;
    return skip_points(r, leg, n);
}
