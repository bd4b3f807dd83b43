/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the room asks of a curve besides its value. */
#ifndef ABUT_MOTION_CURVE_H
#define ABUT_MOTION_CURVE_H

#include "abut/motion.h"

#include <math.h>

/* Last of `count` records at or before t, -1 before the first. The records are `size` bytes long, begin with their time
 * and stand in its order: keyframes, pieces, turns. */
int32_t abut_last_at(const void *records, size_t size, int32_t count, double t);

/* The derivative of this order (0 .. 5) of c[0] + c[1] x + ... + c[5] x^5, by x. */
static inline double abut_piece_value(const double *c, double x, int order) {
    double value = 0.0;
    for (int i = ABUT_CURVE_DEGREE; i >= order; --i) {
        double factor = 1.0;
        for (int d = 0; d < order; ++d) factor *= i - d;
        value = i < ABUT_CURVE_DEGREE ? value * x + factor * c[i] : factor * c[i];
    }
    return value;
}

/* Does a piece of numbers of this size, which ends at `end`, join the next one? Rounding is forgiven. */
static inline int abut_pieces_join(double end, double next, double size) { return fabs(next - end) <= 1e-9 * size; }

/* The polynomial that holds from t on, up to the next break; outside of all pieces a constant. */
AbutCurvePiece abut_curve_at(const AbutCurve *curve, double t);

/* First end of a piece after t, or INFINITY. */
double abut_curve_next_break(const AbutCurve *curve, double t);

/* Bound of |value|, or of |derivative|, over a .. b. */
double abut_curve_largest(const AbutCurve *curve, double a, double b, int derivative);

#endif
