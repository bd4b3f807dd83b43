/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the distance can fall over an interval, from the motion of A in the frame of B.
 *
 * In: an interval record. Out: lengths, the greatest speed times the length of the interval. Method: the derivative of
 * a polynomial with control points b_k lies in the hull of 5 (b_k+1 - b_k), per length of the interval. Along a
 * direction n the points of a leaf approach at no more than the largest of -n . h over its points and these vectors h
 * (S1); if only the reach of A is known, at no more than -n . v of its center and |R'^T n| times the reach (S2); in any
 * direction at the sum of both norms. Nothing is divided by a speed that may vanish, and nothing is cut off. These are
 * rates of the polynomials: between two times the true distance may fall by twice the slack of the record more.
 */
#include "literature/clearance/methods.h"

enum { DEGREE = ABUT_CONTROLS - 1 };

static AbutVec3 velocity(const AbutSpan *span, int k) {
    AbutVec3 a = abut_vec3(span->t[0][k], span->t[1][k], span->t[2][k]);
    AbutVec3 b = abut_vec3(span->t[0][k + 1], span->t[1][k + 1], span->t[2][k + 1]);
    return abut_scale(abut_sub(b, a), DEGREE);
}

static AbutMat3 turning(const AbutSpan *span, int k) {
    return abut_mat3_scale(abut_mat3_sub(span->r[k + 1], span->r[k]), DEGREE);
}

double abut_rate_leaf(const AbutSearch *s, const AbutSpan *span, int32_t leaf_a, AbutVec3 n) {
    double most = 0.0;
    for (int k = 0; k < DEGREE; ++k) {
        AbutVec3 u = abut_neg(abut_mat3_apply_t(turning(span, k), n));
        double at = abut_dot(u, abut_clearance_leaf_farthest(s->a, leaf_a, u)) +
                    abut_length(u) * abut_clearance_leaf_radius(s->a, leaf_a);
        most = abut_larger(most, at - abut_dot(n, velocity(span, k)));
    }
    return most;
}

double abut_rate_along(const AbutSearch *s, const AbutSpan *span, AbutVec3 n) {
    double fall = 0.0, turn = 0.0;
    for (int k = 0; k < DEGREE; ++k) {
        fall = abut_larger(fall, -abut_dot(n, velocity(span, k)));
        turn = abut_larger(turn, abut_length(abut_mat3_apply_t(turning(span, k), n)));
    }
    return fall + turn * s->a->reach;
}

double abut_rate_any(const AbutSearch *s, const AbutSpan *span) {
    double move = 0.0, turn = 0.0;
    for (int k = 0; k < DEGREE; ++k) {
        move = abut_larger(move, abut_length(velocity(span, k)));
        turn = abut_larger(turn, abut_norm_square(turning(span, k)));
    }
    return move + sqrt(turn) * (1.0 + 1e-14) * s->a->reach;
}
