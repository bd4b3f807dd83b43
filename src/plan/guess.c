/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an attempt begins: the smoothest motion without obstacles, the same with a bump, or control points fitted to a
 * path of straight lines in least squares.
 */
#include "plan/path.h"
#include "plan/planner.h"

#include <string.h>

/* The ends, and straight between them. */
static void straight(AbutPlanWork *w) {
    int32_t n = w->spline->points, first = ABUT_SPLINE_ENDS, last = n - ABUT_SPLINE_ENDS;
    for (int32_t i = 0; i < n; ++i)
        for (int32_t c = 0; c < w->width; ++c) {
            double x = i < first ? 0.0 : i >= last ? 1.0 : (double)(i - first + 1) / (last - first + 1);
            w->control[i * w->width + c] = w->task->start[c] + x * (w->task->goal[c] - w->task->start[c]);
        }
}

void abut_plan_guess(AbutPlanWork *work) {
    double promised;
    straight(work);
    work->now.count = 0;
    abut_plan_qp_step(work, 1e-9, 1.0, &promised);
    for (int32_t i = 0; i < work->spline->free * work->width; ++i)
        work->control[ABUT_SPLINE_ENDS * work->width + i] += work->step[i];
}

static double within(const AbutPlanWork *w, int32_t c, double u) {
    return fmin(fmax(u, w->problem->lower[c]), w->problem->upper[c]);
}

void abut_plan_bump(AbutPlanWork *work, double size) {
    for (int32_t c = 0; c < work->width; ++c) {
        double a = size * abut_rng_normal(&work->rng), b = 0.5 * size * abut_rng_normal(&work->rng);
        for (int32_t k = 0; k < work->spline->free; ++k) {
            double x = (k + 1.0) / (work->spline->free + 1);
            double *u = &work->control[(k + ABUT_SPLINE_ENDS) * work->width + c];
            *u = within(work, c, *u + a * abut_sin(ABUT_PI * x) + b * abut_sin(2.0 * ABUT_PI * x));
        }
    }
}

/* ---- fit --------------------------------------------------------------------------------------------------------- */

/* Adds one sample to the normal equations; what the fixed ends give is taken off. */
static void add_sample(const AbutPlanWork *w, double s, double *u, double *matrix, double *right) {
    double value[6];
    int32_t first = abut_plan_spline_basis(w->spline, s, value), n = w->spline->free;
    for (int a = 0; a < 6; ++a) {
        int32_t k = first + a - ABUT_SPLINE_ENDS;
        for (int32_t c = 0; c < w->width && (k < 0 || k >= n); ++c)
            u[c] -= value[a] * w->control[(first + a) * w->width + c];
    }
    for (int a = 0; a < 6; ++a) {
        int32_t k = first + a - ABUT_SPLINE_ENDS;
        if (k < 0 || k >= n) continue;
        for (int32_t c = 0; c < w->width; ++c) right[c * n + k] += value[a] * u[c];
        for (int b = 0; b < 6; ++b) {
            int32_t j = first + b - ABUT_SPLINE_ENDS;
            if (j >= 0 && j < n) matrix[k * n + j] += value[a] * value[b];
        }
    }
}

void abut_plan_fit(AbutPlanWork *work, int32_t count, const double *path) {
    enum { SAMPLES = 120 };
    int32_t n = work->spline->free;
    double matrix[ABUT_SPLINE_MOST * ABUT_SPLINE_MOST], scale[ABUT_SPLINE_MOST], *right = work->step;
    double total = abut_plan_path_length(work->width, count, path);
    straight(work);
    memset(right, 0, (size_t)n * (size_t)work->width * sizeof *right);
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = 0; b < n; ++b)
            matrix[a * n + b] = SAMPLES * (1e-6 * work->spline->jerk[a + ABUT_SPLINE_ENDS][b + ABUT_SPLINE_ENDS] +
                                              (a == b ? 1e-9 : 0.0));
    for (int i = 0; i <= SAMPLES; ++i) {
        double s = (double)i / SAMPLES, x = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        abut_plan_path_at(work->width, count, path, x * total, work->coordinates);
        add_sample(work, s, work->coordinates, matrix, right);
    }
    if (abut_cholesky_factor(n, matrix, scale, 1e-14) >= 0) return;
    for (int32_t c = 0; c < work->width; ++c) {
        abut_cholesky_solve(n, matrix, scale, right + c * n);
        for (int32_t k = 0; k < n; ++k)
            work->control[(k + ABUT_SPLINE_ENDS) * work->width + c] = within(work, c, right[c * n + k]);
    }
}
