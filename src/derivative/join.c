/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A join in the derivative of a step: the place of B on A's, u = target - c l along world axes. The target follows from
 * the gap by a rule with limits, which is differenced as it stands; everything else is exact. The softness c is taken
 * as it is.
 */
#include "derivative/derivative.h"

enum { SIDES = ABUT_BOTH_SIDES };

#define WIDTH 1e-6

static AbutPose moved(AbutPose p, AbutVec3 arm, int k, double by) {
    AbutVec3 step = abut_scale(abut_axis(k % 3), by);
    if (k < 3) return abut_pose(abut_add(p.p, step), p.q);
    AbutQuat turn = abut_quat_exp(step);
    return abut_pose(abut_add(abut_sub(p.p, arm), abut_quat_rotate(turn, arm)), abut_quat_mul(turn, p.q));
}

/* Targets, with their sign turned. */
static void aim_along(const AbutJoin *join, const AbutPose pose[2], double h, double (*r)[SIDES]) {
    for (int k = 0; k < SIDES; ++k) {
        int side = k / 6;
        double low[6], high[6];
        AbutPose p[2] = {pose[0], pose[1]};
        if (join->body[side] < 0) continue;
        p[side] = moved(pose[side], join->arm[side], k % 6, -WIDTH);
        abut_join_aim(join, p[0], p[1], h, low);
        p[side] = moved(pose[side], join->arm[side], k % 6, WIDTH);
        abut_join_aim(join, p[0], p[1], h, high);
        for (int i = 0; i < join->rows; ++i) r[i][k] -= (high[i] - low[i]) / (2.0 * WIDTH);
    }
}

/* Places on both bodies turn with them. */
static void turn_along(const AbutSimulation *sim, const AbutJoin *join, double (*r)[SIDES], double (*push)[SIDES]) {
    AbutVec3 force = abut_vec3(join->impulse[0], join->impulse[1], join->impulse[2]);
    for (int side = 0; side < 2; ++side) {
        double sign = side ? 1.0 : -1.0;
        if (join->body[side] < 0) continue;
        const AbutSolverBody *m = &sim->mover[join->body[side]];
        for (int k = 0; k < 3; ++k) {
            AbutVec3 by = abut_cross(abut_axis(k), join->arm[side]), u = abut_cross(m->w, by),
                     t = abut_cross(by, force);
            for (int i = 0; i < 3; ++i) {
                if (i < join->rows) r[i][6 * side + 3 + k] += sign * abut_get(u, i);
                push[6 * side + 3 + i][6 * side + 3 + k] += sign * abut_get(t, i);
            }
        }
    }
}

static void rows_along(const AbutJoin *join, double (*j)[SIDES]) {
    for (int i = 0; i < join->rows; ++i)
        for (int side = 0; side < 2; ++side) {
            double sign = side ? 1.0 : -1.0;
            AbutVec3 turn = i < 3 ? abut_cross(join->arm[side], abut_axis(i)) : abut_axis(i - 3);
            if (i < 3) j[i][6 * side + i] = sign;
            for (int k = 0; k < 3; ++k) j[i][6 * side + 3 + k] = sign * abut_get(turn, k);
        }
}

void abut_derivative_join(AbutDerivativeGroup *g, const AbutJoin *join, const AbutTreeRate *rates) {
    AbutDerivative *d = g->d;
    double j[6][SIDES] = {{0}}, r[6][SIDES] = {{0}}, push[SIDES][SIDES] = {{0}}, miss[6];
    const AbutPose pose[2] = {abut_join_frame(d->sim, join, 0), abut_join_frame(d->sim, join, 1)};
    int32_t *at;
    double(*twist)[SIDES];
    int count = abut_derivative_reach(g, join->body, &at, &twist);
    if (count == 0) return;
    rows_along(join, j);
    aim_along(join, pose, g->h, r);
    turn_along(d->sim, join, r, push);
    AbutDerivativeRows *rows = abut_derivative_rows(g, join->rows, 1, count, at);
    if (!rows) return;
    abut_derivative_spread(rows, twist, j, rows->j);
    abut_derivative_spread(rows, twist, r, rows->by_place);
    abut_derivative_swing(g, join->body, j, rates, rows);
    abut_derivative_push(g, rows, twist, push);
    abut_join_rest(d->sim, join, miss);
    for (int i = 0; i < join->rows; ++i) {
        rows->soft[i] = 1e-3 * abut_join_softness(join, i);
        rows->law[i] = 1.0 / (abut_join_softness(join, i) + rows->soft[i]);
        if (i < 3) d->residual = miss[i] > d->residual ? miss[i] : -miss[i] > d->residual ? -miss[i] : d->residual;
    }
}
