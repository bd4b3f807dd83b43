/* SPDX-License-Identifier: Apache-2.0 */
/*
 * B-splines of degree 5. The basis functions of a span are made as polynomials once, by the recursion of Cox and de
 * Boor; values, integrals of products (exact, not by quadrature) and the pieces of a trajectory follow from them.
 */
#include "plan/spline.h"

#include <string.h>

static double knot(const AbutPlanSpline *spline, int32_t i)
{
    int32_t inner = i - ABUT_SPLINE_DEGREE;
    return inner <= 0 ? 0.0 : inner >= spline->spans ? 1.0 : (double)inner / spline->spans;
}

/* to += (a + b x) from */
static void add_product(double *to, double a, double b, const double *from)
{
    for (int i = 0; i < 6; ++i)
        to[i] += a * from[i] + (i > 0 ? b * from[i - 1] : 0.0);
}

/* Basis functions of one span: degree by degree, those of degree d are numbers span + 5 - d .. span + 5. */
static void make_span(AbutPlanSpline *spline, int32_t span)
{
    double now[6][6] = {{0}}, next[6][6], width = 1.0 / spline->spans, begin = span * width;
    now[5][0] = 1.0;
    for (int d = 1; d <= ABUT_SPLINE_DEGREE; ++d) {
        memset(next, 0, sizeof next);
        for (int k = 5 - d; k <= 5; ++k) {
            int32_t i = span + k;
            double left = knot(spline, i + d) - knot(spline, i), right = knot(spline, i + d + 1) - knot(spline, i + 1);
            if (k > 5 - d && left > 0.0)
                add_product(next[k], (begin - knot(spline, i)) / left, width / left, now[k]);
            if (k < 5 && right > 0.0)
                add_product(next[k], (knot(spline, i + d + 1) - begin) / right, -width / right, now[k + 1]);
        }
        memcpy(now, next, sizeof now);
    }
    memcpy(spline->part[span], now, sizeof now);
}

/* Integral over x = 0 .. 1 of the product of the derivatives of two polynomials. */
static double product(const double *a, const double *b, int order)
{
    double sum = 0.0;
    for (int i = order; i < 6; ++i)
        for (int k = order; k < 6; ++k) {
            double factor = 1.0;
            for (int d = 0; d < order; ++d)
                factor *= (i - d) * (k - d);
            sum += factor * a[i] * b[k] / (i + k - 2 * order + 1);
        }
    return sum;
}

void abut_plan_spline_make(int32_t points, AbutPlanSpline *out)
{
    ABUT_ASSERT(points >= ABUT_SPLINE_LEAST && points <= ABUT_SPLINE_MOST);
    memset(out, 0, sizeof *out);
    out->points = points;
    out->spans = points - ABUT_SPLINE_DEGREE;
    out->free = points - 2 * ABUT_SPLINE_ENDS;
    double n = out->spans, n5 = n * n * n * n * n;
    for (int32_t k = 0; k < out->spans; ++k) {
        make_span(out, k);
        for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b) {
                out->jerk[k + a][k + b] += n5 / 720.0 * product(out->part[k][a], out->part[k][b], 3);
                out->mass[k + a][k + b] += product(out->part[k][a], out->part[k][b], 0) / n;
            }
    }
}

int32_t abut_plan_spline_basis(const AbutPlanSpline *spline, double s, double value[6])
{
    int32_t span = (int32_t)(s * spline->spans);
    span = span < 0 ? 0 : span >= spline->spans ? spline->spans - 1 : span;
    double x = s * spline->spans - span;
    for (int a = 0; a < 6; ++a) {
        const double *c = spline->part[span][a];
        value[a] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    }
    return span;
}

void abut_plan_spline_at(const AbutPlanSpline *spline, int32_t width, const double *control, double s, double *out)
{
    double value[6];
    int32_t first = abut_plan_spline_basis(spline, s, value);
    for (int32_t c = 0; c < width; ++c) {
        double sum = 0.0;
        for (int a = 0; a < 6; ++a)
            sum += value[a] * control[(first + a) * width + c];
        out[c] = sum;
    }
}

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

/* Values of the basis functions, less what the parts before account for (Gram and Schmidt), must not be next to zero.
 */
int32_t abut_plan_spline_unmet(const AbutPlanSpline *spline, int32_t count, const double *s)
{
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
            for (int32_t a = 0; a < n; ++a)
                row[a] -= part * rows[k][a];
        }
        double size = sqrt(dot(n, row, row));
        if (size < LEAST)
            return i;
        for (int32_t a = 0; a < n; ++a)
            row[a] /= size;
    }
    return -1;
}

double abut_plan_spline_cost(const AbutPlanSpline *spline, int32_t width, const double *control)
{
    double sum = 0.0;
    for (int32_t c = 0; c < width; ++c)
        for (int32_t a = 0; a < spline->points; ++a) {
            double row = 0.0;
            for (int32_t b = 0; b < spline->points; ++b)
                row += spline->jerk[a][b] * control[b * width + c];
            sum += control[a * width + c] * row;
        }
    return 0.5 * sum;
}

void abut_plan_spline_difference(const AbutPlanSpline *spline, int order, int32_t i, double out[4])
{
    double rows[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}; /* of control points i .. i + order */
    for (int d = 1; d <= order; ++d)
        for (int32_t k = 0; k + d <= order; ++k) {
            double span = knot(spline, i + k + ABUT_SPLINE_DEGREE + 1) - knot(spline, i + k + d);
            for (int c = 0; c < 4; ++c)
                rows[k][c] = (ABUT_SPLINE_DEGREE - d + 1) * (rows[k + 1][c] - rows[k][c]) / span;
        }
    memcpy(out, rows[0], 4 * sizeof *out);
}

double abut_plan_spline_steepest(
    const AbutPlanProblem *problem, const AbutPlanSpline *spline, const double *control, int32_t joint, int order)
{
    double most = 0.0, q[ABUT_SPLINE_MOST] = {0}, part[4];
    for (int32_t e = 0; e < problem->entry_count; ++e)
        for (int32_t i = 0; i < spline->points && problem->entries[e].joint == joint; ++i)
            q[i] +=
                problem->entries[e].factor * control[i * problem->coordinate_count + problem->entries[e].coordinate];
    for (int32_t i = 0; i + order < spline->points; ++i) {
        double sum = 0.0;
        abut_plan_spline_difference(spline, order, i, part);
        for (int k = 0; k <= order; ++k)
            sum += part[k] * q[i + k];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

/* Adds `factor` times coordinate c to the polynomials of a joint. */
static void add_coordinate(const AbutPlanSpline *spline, int32_t width, const double *control, int32_t c, double factor,
    int32_t joint, AbutTrajectory *out)
{
    for (int32_t k = 0; k < spline->spans; ++k)
        for (int a = 0; a < 6; ++a)
            for (int i = 0; i < 6; ++i)
                abut_trajectory_piece(out, k, joint)[i] +=
                    factor * control[(k + a) * width + c] * spline->part[k][a][i];
}

AbutStatus abut_plan_spline_trajectory(const AbutPlanProblem *problem, const AbutPlanSpline *spline,
    const double *control, double duration, AbutTrajectory *out, AbutError *error)
{
    int32_t joints = problem->model->joint_count, width = problem->coordinate_count;
    AbutStatus status = abut_trajectory_make(joints, spline->spans, out, error);
    if (status)
        return status;
    for (int32_t k = 0; k <= spline->spans; ++k)
        out->times[k] = duration * k / spline->spans;
    for (int32_t k = 0; k < spline->spans; ++k) {
        double *row = abut_trajectory_piece(out, k, 0);
        for (int32_t j = 0; j < joints; ++j)
            row[6 * j] = problem->rest[j];
        for (int32_t i = 0; i < problem->tree.joint_count; ++i)
            row[6 * problem->tree.joints[i]] = problem->offset[i];
    }
    for (int32_t e = 0; e < problem->entry_count; ++e) {
        const AbutPlanEntry *entry = &problem->entries[e];
        add_coordinate(
            spline, width, control, entry->coordinate, entry->factor, problem->tree.joints[entry->joint], out);
    }
    return ABUT_OK;
}
