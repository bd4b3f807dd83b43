/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves: one number over time as polynomials one after the other.
 *
 * In: pieces, Bernstein coefficients or a B-spline. Out: values, pieces, ranges. Method: a span of a spline is a
 * polynomial whose Bernstein coefficients are values of the blossom at the ends of the span (Ramshaw), which de Boor's
 * recursion gives without inserting knots.
 */
#include "math/poly.h"
#include "motion/curve.h"
#include "motion/chain.h"

#include <string.h>

enum { DEGREE = ABUT_CURVE_DEGREE };

int32_t abut_last_at(const void *records, size_t size, int32_t count, double t) {
    int32_t low = -1, high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        double time;
        memcpy(&time, (const char *)records + (size_t)middle * size, sizeof time);
        if (time <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Piece that holds t; -1 before the first. */
static int32_t find_piece(const AbutCurve *curve, double t) {
    return abut_last_at(curve->pieces, sizeof *curve->pieces, curve->piece_count, t);
}

static double piece_value(const AbutCurvePiece *p, double t) { return abut_piece_value(p->c, t - p->from, 0); }

double abut_curve_value(const AbutCurve *curve, double t) {
    if (curve->piece_count == 0) return 0.0;
    int32_t i = find_piece(curve, t);
    if (i < 0) return curve->pieces[0].c[0];
    return piece_value(&curve->pieces[i], t > curve->to ? curve->to : t);
}

AbutCurvePiece abut_curve_at(const AbutCurve *curve, double t) {
    AbutCurvePiece out = {t, {0}};
    int32_t i = curve->piece_count > 0 && t < curve->to ? find_piece(curve, t) : -1;
    if (i >= 0) return curve->pieces[i];
    out.c[0] = abut_curve_value(curve, t);
    return out;
}

double abut_curve_next_break(const AbutCurve *curve, double t) {
    if (curve->piece_count == 0 || t >= curve->to) return INFINITY;
    int32_t i = find_piece(curve, t) + 1;
    return i < curve->piece_count ? curve->pieces[i].from : curve->to;
}

AbutCurvePiece abut_curve_bernstein(double from, double to, int degree, const double *b) {
    AbutCurvePiece out = {from, {0}};
    double difference[DEGREE + 1], choose = 1.0, scale = 1.0;
    ABUT_ASSERT(degree >= 0 && degree <= DEGREE);
    memcpy(difference, b, sizeof(double) * (size_t)(degree + 1));
    for (int k = 0; k <= degree; ++k) { /* c[k] = C(n, k) times the k-th forward difference */
        out.c[k] = choose * difference[0] * scale;
        for (int i = 0; i < degree - k; ++i) difference[i] = difference[i + 1] - difference[i];
        choose = choose * (degree - k) / (k + 1);
        scale /= to - from;
    }
    return out;
}

/* ---- splines ----------------------------------------------------------------------------------------------------- */

/* The blossom of span i at the arguments x: de Boor's recursion with another argument in each round. */
static double blossom(int degree, int32_t i, const double *knots, const double *control, const double *x) {
    double d[DEGREE + 1];
    memcpy(d, control + (i - degree), sizeof(double) * (size_t)(degree + 1));
    for (int r = 1; r <= degree; ++r)
        for (int j = degree; j >= r; --j) {
            double low = knots[i - degree + j], high = knots[i + 1 + j - r], w = (x[r - 1] - low) / (high - low);
            d[j] = (1.0 - w) * d[j - 1] + w * d[j];
        }
    return d[degree];
}

static AbutCurvePiece span_piece(int degree, int32_t i, const double *knots, const double *control) {
    double b[DEGREE + 1], x[DEGREE];
    for (int k = 0; k <= degree; ++k) {
        for (int j = 0; j < degree; ++j) x[j] = j < k ? knots[i + 1] : knots[i];
        b[k] = blossom(degree, i, knots, control, x);
    }
    return abut_curve_bernstein(knots[i], knots[i + 1], degree, b);
}

AbutStatus abut_curve_spline(int degree, int32_t count, const double *knots, const double *control,
    AbutCurvePiece *pieces, AbutCurve *out, AbutError *error) {
    if (degree < 1 || degree > DEGREE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the degree of a spline is 1 to %d, not %d", DEGREE, degree);
    if (count <= degree)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "a spline of degree %d needs at least %d control values", degree, degree + 1);
    for (int32_t i = 0; i < count + degree + 1; ++i)
        if (!isfinite(knots[i]) || (i > 0 && knots[i] < knots[i - 1]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "knot %d is not finite, or falls", i);
    for (int32_t i = 0; i < count; ++i)
        if (!isfinite(control[i])) return abut_fail(error, ABUT_ERROR_NUMBER, "control value %d is not finite", i);
    int32_t written = 0;
    for (int32_t i = degree; i < count; ++i)
        if (knots[i + 1] > knots[i]) pieces[written++] = span_piece(degree, i, knots, control);
    if (written == 0) return abut_fail(error, ABUT_ERROR_EMPTY, "the knots leave no span");
    *out = (AbutCurve){written, pieces, knots[count]};
    return abut_curve_check(out, error);
}

AbutStatus abut_curve_check(const AbutCurve *curve, AbutError *error) {
    for (int32_t i = 0; i < curve->piece_count; ++i) {
        const AbutCurvePiece *p = &curve->pieces[i];
        double end = i + 1 < curve->piece_count ? p[1].from : curve->to;
        for (int k = 0; k <= DEGREE; ++k)
            if (!abut_motion_fits(p->c[k]))
                return abut_fail(
                    error, ABUT_ERROR_NUMBER, "piece %d has a number that is not finite, or beyond 1e60", i);
        if (!abut_motion_fits(p->from) || !abut_motion_fits(end))
            return abut_fail(error, ABUT_ERROR_NUMBER, "piece %d begins or ends at a time beyond 1e60", i);
        if (!(end > p->from))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "piece %d ends at %g, which is not after its begin %g", i, end, p->from);
        double at_end = piece_value(p, end), next = i + 1 < curve->piece_count ? p[1].c[0] : at_end;
        if (i + 1 < curve->piece_count && !abut_pieces_join(at_end, next, 1.0 + fabs(p->c[0])))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "there is a jump of %g at the end of piece %d", fabs(next - at_end), i);
    }
    return ABUT_OK;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static double largest_on(const AbutCurvePiece *p, double a, double b, int derivative) {
    AbutPoly poly = abut_poly(DEGREE, p->c);
    if (derivative) poly = abut_poly_derivative(&poly);
    AbutInterval range = abut_poly_bounds(&poly, a - p->from, b - p->from, 2);
    return abut_larger(fabs(range.lo), fabs(range.hi));
}

double abut_curve_largest(const AbutCurve *curve, double a, double b, int derivative) {
    double most = derivative ? 0.0 : abut_larger(fabs(abut_curve_value(curve, a)), fabs(abut_curve_value(curve, b)));
    for (int32_t i = 0; i < curve->piece_count; ++i) {
        double end = i + 1 < curve->piece_count ? curve->pieces[i + 1].from : curve->to;
        double low = abut_larger(a, curve->pieces[i].from), high = abut_smaller(b, end);
        if (low <= high) most = abut_larger(most, largest_on(&curve->pieces[i], low, high, derivative));
    }
    return most;
}
