/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Free turning. In: the inverse J of an inertia, the angular momentum P of the whole and the part `inside` of it that
 * joints carry, all in body axes, and a time. Out: the turn of the body in its own axes, after which P' = turn^-1 P.
 *
 * Implicit midpoint rule: P is turned about W = J ((P + P') / 2 - inside) into P'. The turn keeps the part of P along
 * W, so (P' - P).W = 0, which is the change of energy: energy and angular momentum both stay. Fixed-point steps find W.
 * They contract by h/2 times the largest eigenvalue of J [P], which is the root of P.adj(J) P: of a slender body
 * h/2 |w| sqrt(It / Ia), however small its angle is. The time is cut into pieces so that they converge. A spin that no
 * number of pieces follows turns about its momentum, which keeps both as well.
 */
#include "step/turn.h"
#include "solve/tolerance.h"

#include <math.h>

typedef struct Top {
    AbutMat3 inverse;
    AbutVec3 inside;
} Top;

static AbutVec3 spin_of(const Top *top, AbutVec3 momentum) {
    return abut_mat3_apply(top->inverse, abut_sub(momentum, top->inside));
}

static AbutQuat turn_piece(const Top *top, AbutVec3 momentum, double h) {
    enum { MAX_ROUNDS = 24 };
    AbutVec3 w = spin_of(top, momentum);
    AbutQuat turn = abut_quat_exp(abut_scale(w, h));
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        AbutVec3 after = abut_quat_rotate_inv(turn, momentum);
        AbutVec3 next = spin_of(top, abut_scale(abut_add(momentum, after), 0.5));
        if (abut_length_sq(abut_scale(abut_sub(next, w), h)) <= ABUT_TURN_FOUND * ABUT_TURN_FOUND) break;
        w = next;
        turn = abut_quat_exp(abut_scale(w, h));
    }
    return turn;
}

/* Square of the largest eigenvalue of J [P]. */
static double stiffness_of(const AbutMat3 *j, AbutVec3 p) {
    AbutVec3 adjugate = abut_vec3(
        abut_dot(abut_cross(j->y, j->z), p), abut_dot(abut_cross(j->z, j->x), p), abut_dot(abut_cross(j->x, j->y), p));
    return abut_larger(0.0, abut_dot(adjugate, p));
}

AbutQuat abut_free_turn(const AbutMat3 *inverse, AbutVec3 momentum, AbutVec3 inside, double h) {
    enum { MAX_PIECES = 256 };
    Top top = {*inverse, inside};
    AbutVec3 w = spin_of(&top, momentum);
    double angle = h * h * abut_length_sq(w), step = 0.25 * h * h * stiffness_of(inverse, momentum); /* squares */
    if (angle <= ABUT_TURN_PIECE * ABUT_TURN_PIECE && step <= ABUT_TURN_CONTRACTS * ABUT_TURN_CONTRACTS)
        return turn_piece(&top, momentum, h);
    double count = abut_larger(sqrt(angle) / ABUT_TURN_PIECE, sqrt(step) / ABUT_TURN_CONTRACTS);
    if (!(count < MAX_PIECES)) {
        AbutVec3 axis = abut_normalize_or(momentum, abut_axis(2));
        return abut_quat_exp(abut_scale(axis, abut_dot(axis, w) * h));
    }
    int pieces = (int)count + 1;
    AbutQuat turn = turn_piece(&top, momentum, h / pieces);
    for (int i = 1; i < pieces; ++i)
        turn = abut_quat_normalize(
            abut_quat_mul(turn, turn_piece(&top, abut_quat_rotate_inv(turn, momentum), h / pieces)));
    return turn;
}
