/* SPDX-License-Identifier: Apache-2.0 */
/*
 * B-splines of degree 5. The basis functions of a span are made as polynomials once, by the recursion of Cox and de
 * Boor; values, integrals of products (exact, not by quadrature) and the pieces of a trajectory follow from them.
 */
#include "plan/spline.h"

#include <string.h>

static double knot(int32_t spans, int32_t i) {
    int32_t inner = i - ABUT_SPLINE_DEGREE;
    return inner <= 0 ? 0.0 : inner >= spans ? 1.0 : (double)inner / spans;
}

/* to += (a + b x) from */
static void add_product(double *to, double a, double b, const double *from) {
    for (int i = 0; i < 6; ++i) to[i] += a * from[i] + (i > 0 ? b * from[i - 1] : 0.0);
}

/* Basis functions of one span: degree by degree, those of degree d are numbers span + 5 - d .. span + 5. */
static void make_span(int32_t spans, int32_t span, double out[6][6]) {
    double now[6][6] = {{0}}, next[6][6], width = 1.0 / spans, begin = span * width;
    now[5][0] = 1.0;
    for (int d = 1; d <= ABUT_SPLINE_DEGREE; ++d) {
        memset(next, 0, sizeof next);
        for (int k = 5 - d; k <= 5; ++k) {
            int32_t i = span + k;
            double left = knot(spans, i + d) - knot(spans, i), right = knot(spans, i + d + 1) - knot(spans, i + 1);
            if (k > 5 - d && left > 0.0) add_product(next[k], (begin - knot(spans, i)) / left, width / left, now[k]);
            if (k < 5 && right > 0.0)
                add_product(next[k], (knot(spans, i + d + 1) - begin) / right, -width / right, now[k + 1]);
        }
        memcpy(now, next, sizeof now);
    }
    memcpy(out, now, sizeof now);
}

/* Integral over x = 0 .. 1 of the product of the derivatives of two polynomials. */
static double product(const double *a, const double *b, int order) {
    double sum = 0.0;
    for (int i = order; i < 6; ++i)
        for (int k = order; k < 6; ++k) {
            double factor = 1.0;
            for (int d = 0; d < order; ++d) factor *= (i - d) * (k - d);
            sum += factor * a[i] * b[k] / (i + k - 2 * order + 1);
        }
    return sum;
}

void abut_plan_spline_make(int32_t points, AbutPlanSpline *out) {
    ABUT_ASSERT(points >= ABUT_SPLINE_LEAST && points <= ABUT_SPLINE_MOST);
    memset(out, 0, sizeof *out);
    out->points = points;
    out->spans = points - ABUT_SPLINE_DEGREE;
    out->free = points - 2 * ABUT_SPLINE_ENDS;
    double n = out->spans, n5 = n * n * n * n * n;
    for (int32_t k = 0; k < out->spans; ++k) {
        make_span(out->spans, k, out->part[k]);
        for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b) {
                out->jerk[k + a][k + b] += n5 / 720.0 * product(out->part[k][a], out->part[k][b], 3);
                out->mass[k + a][k + b] += product(out->part[k][a], out->part[k][b], 0) / n;
            }
    }
}

int32_t abut_plan_spline_basis(const AbutPlanSpline *spline, double s, double value[6]) {
    int32_t span = (int32_t)(s * spline->spans);
    span = span < 0 ? 0 : span >= spline->spans ? spline->spans - 1 : span;
    double x = s * spline->spans - span;
    for (int a = 0; a < 6; ++a) {
        const double *c = spline->part[span][a];
        value[a] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    }
    return span;
}

void abut_plan_spline_at(const AbutPlanSpline *spline, int32_t width, const double *control, double s, double *out) {
    double value[6];
    int32_t first = abut_plan_spline_basis(spline, s, value);
    for (int32_t c = 0; c < width; ++c) {
        double sum = 0.0;
        for (int a = 0; a < 6; ++a) sum += value[a] * control[(first + a) * width + c];
        out[c] = sum;
    }
}

static double dot(int32_t n, const double *a, const double *b) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* Values of the basis functions, less what the parts before account for (Gram and Schmidt), must not be next to zero.
 */
int32_t abut_plan_spline_unmet(const AbutPlanSpline *spline, int32_t count, const double *s) {
    static const double LEAST = 2e-3;
    int32_t n = spline->points;
    double rows[ABUT_PLAN_VIA_LIMIT][ABUT_SPLINE_MOST] = {{0}}, value[6];
    for (int32_t i = 0; i < count; ++i) {
        double *row = rows[i];
        int32_t first = abut_plan_spline_basis(spline, s[i], value);
        for (int32_t a = first; a < first + 6; ++a)
            row[a] = a < ABUT_SPLINE_ENDS || a >= n - ABUT_SPLINE_ENDS ? 0.0 : value[a - first];
        for (int32_t k = 0; k < i; ++k) {
            double part = dot(n, row, rows[k]);
            for (int32_t a = 0; a < n; ++a) row[a] -= part * rows[k][a];
        }
        double size = sqrt(dot(n, row, row));
        if (size < LEAST) return i;
        for (int32_t a = 0; a < n; ++a) row[a] /= size;
    }
    return -1;
}

double abut_plan_spline_cost(const AbutPlanSpline *spline, int32_t width, const double *control) {
    double sum = 0.0;
    for (int32_t c = 0; c < width; ++c)
        for (int32_t a = 0; a < spline->points; ++a) {
            double row = 0.0;
            for (int32_t b = 0; b < spline->points; ++b) row += spline->jerk[a][b] * control[b * width + c];
            sum += control[a * width + c] * row;
        }
    return 0.5 * sum;
}

void abut_plan_spline_difference(int32_t spans, int order, int32_t i, double out[4]) {
    double rows[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}; /* of control points i .. i + order */
    for (int d = 1; d <= order; ++d)
        for (int32_t k = 0; k + d <= order; ++k) {
            double span = knot(spans, i + k + ABUT_SPLINE_DEGREE + 1) - knot(spans, i + k + d);
            for (int c = 0; c < 4; ++c)
                rows[k][c] = (ABUT_SPLINE_DEGREE - d + 1) * (rows[k + 1][c] - rows[k][c]) / span;
        }
    memcpy(out, rows[0], 4 * sizeof *out);
}

double abut_plan_spline_steepest(
    const AbutPlanProblem *problem, int32_t points, const double *control, int32_t joint, int order) {
    double most = 0.0, part[4];
    for (int32_t i = 0; i + order < points; ++i) {
        double sum = 0.0;
        abut_plan_spline_difference(points - ABUT_SPLINE_DEGREE, order, i, part);
        for (int32_t e = 0; e < problem->entry_count; ++e) {
            const AbutPlanEntry *entry = &problem->entries[e];
            for (int k = 0; k <= order && entry->joint == joint; ++k)
                sum += entry->factor * part[k] * control[(i + k) * problem->coordinate_count + entry->coordinate];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

/* Basis functions of a span; those of inner spans of long curves are all the same. */
static void take_span(int32_t spans, int32_t span, double part[6][6]) {
    int is_inner = spans > ABUT_SPLINE_MOST && span > ABUT_SPLINE_DEGREE && span < spans - ABUT_SPLINE_DEGREE;
    if (!is_inner) make_span(spans, span, part);
}

double abut_plan_curve_cost(int32_t width, int32_t points, const double *control) {
    int32_t spans = points - ABUT_SPLINE_DEGREE;
    double n = spans, sum = 0.0, part[6][6];
    for (int32_t k = 0; k < spans; ++k) {
        take_span(spans, k, part);
        for (int32_t c = 0; c < width; ++c) {
            double curve[6] = {0};
            for (int a = 0; a < 6; ++a)
                for (int i = 3; i < 6; ++i) curve[i] += control[(k + a) * width + c] * part[a][i];
            sum += product(curve, curve, 3);
        }
    }
    return 0.5 * n * n * n * n * n / 720.0 * sum;
}

AbutStatus abut_plan_spline_trajectory(const AbutPlanProblem *problem, int32_t points, const double *control,
    double duration, AbutTrajectory *out, AbutError *error) {
    int32_t joints = problem->model->joint_count, width = problem->coordinate_count;
    int32_t spans = points - ABUT_SPLINE_DEGREE;
    double part[6][6];
    AbutStatus status = abut_trajectory_make(joints, spans, out, error);
    if (status) return status;
    for (int32_t k = 0; k <= spans; ++k) out->times[k] = duration * k / spans;
    for (int32_t k = 0; k < spans; ++k) {
        double *row = abut_trajectory_piece(out, k, 0);
        take_span(spans, k, part);
        for (int32_t j = 0; j < joints; ++j) row[6 * j] = problem->rest[j];
        for (int32_t i = 0; i < problem->tree.joint_count; ++i) row[6 * problem->tree.joints[i]] = problem->offset[i];
        for (int32_t e = 0; e < problem->entry_count; ++e) {
            const AbutPlanEntry *entry = &problem->entries[e];
            for (int a = 0; a < 6; ++a)
                for (int i = 0; i < 6; ++i)
                    row[6 * problem->tree.joints[entry->joint] + i] +=
                        entry->factor * control[(k + a) * width + entry->coordinate] * part[a][i];
        }
    }
    return ABUT_OK;
}
