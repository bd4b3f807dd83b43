/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins: a point of one body on a point of another (3 rows), or a frame on a frame (6 rows), in world axes; each body a
 * link, a free body, or what stands still. The velocity of B's place against A's takes back half of the gap in a step,
 * no faster than limits do, and gives way a little: u = target - c l, with c a small part of the mean response. Loops
 * that hold a direction twice, or nearly so, then still have one answer of bounded impulses, also where they contradict
 * each other. One visit solves all rows of a join at once.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

static int is_free(const AbutSimulation *sim, int32_t place) { return place >= 0 && sim->mover[place].tree < 0; }

AbutPose abut_join_frame(const AbutSimulation *sim, const AbutJoin *join, int side) {
    if (join->body[side] < 0) return join->frame[side];
    const AbutSolverBody *m = &sim->mover[join->body[side]];
    return abut_pose_mul(abut_pose(m->x, m->q), join->frame[side]);
}

static void add_free_response(const AbutSolverBody *m, AbutVec3 arm, double phi[6][6]) {
    const AbutMat3 frame = abut_mat3(abut_axis(0), abut_axis(1), abut_axis(2));
    double own[6][6] = {{0}};
    abut_add_response(own, &frame, m, arm);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) phi[i][j] += own[i][j];
}

double abut_join_softness(const AbutJoin *join, int row) { return ABUT_JOIN_SOFT * join->trace[row / 3]; }

/* How much the place gives way, at least a small part of what its bodies would alone: a join at a point that a joint
 * holds already, as of a link and its parent at their hinge, would else divide by rounding. */
static void set_trace(const AbutSimulation *sim, AbutJoin *join, double phi[6][6]) {
    double alone[2] = {0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
        const AbutSolverBody *m = join->body[side] >= 0 ? &sim->mover[join->body[side]] : NULL;
        alone[0] += m ? 3.0 * m->inv_mass : 0.0;
        alone[1] += m ? m->inv_inertia.x.x + m->inv_inertia.y.y + m->inv_inertia.z.z : 0.0;
    }
    for (int i = 0; i < 2; ++i)
        join->trace[i] = abut_larger(
            ABUT_JOIN_LEAST * alone[i], phi[3 * i][3 * i] + phi[3 * i + 1][3 * i + 1] + phi[3 * i + 2][3 * i + 2]);
}

/* The inverse of the leading rows; those that are not there are left out. */
static void invert(AbutJoin *join, double phi[6][6]) {
    AbutMat6 k;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            k.m[i][j] = i < join->rows && j < join->rows ? phi[i][j] + (i == j ? abut_join_softness(join, i) : 0.0)
                                                         : (i == j ? 1.0 : 0.0);
    for (int j = 0; j < 6; ++j) {
        double unit[6] = {0, 0, 0, 0, 0, 0}, column[6];
        unit[j] = 1.0;
        abut_mat6_solve(&k, unit, column, NULL);
        for (int i = 0; i < 6; ++i) join->inverse[i][j] = i < join->rows && j < join->rows ? column[i] : 0.0;
    }
}

/* Part of a gap that is taken back, per second: half of it in a step, or as fast as is allowed. */
static double taken_back(AbutVec3 gap, double scale, double h) {
    double way = abut_length(gap), most = ABUT_ROW_SPEED * scale;
    return ABUT_JOIN_BETA * way > most * h ? most / way : ABUT_JOIN_BETA / h;
}

void abut_join_aim(const AbutJoin *join, AbutPose a, AbutPose b, double h, double target[6]) {
    AbutVec3 gap = abut_sub(b.p, a.p), turn = abut_quat_log(abut_quat_mul(b.q, abut_quat_conj(a.q)));
    double error[6] = {gap.x, gap.y, gap.z, turn.x, turn.y, turn.z};
    double take[2] = {taken_back(gap, join->speed, h), taken_back(turn, join->turning, h)};
    for (int i = 0; i < 6; ++i) target[i] = -take[i / 3] * error[i];
}

void abut_join_set(AbutSimulation *sim, AbutJoin *join, double h) {
    const AbutVec3 axis[3] = {abut_axis(0), abut_axis(1), abut_axis(2)};
    AbutPose a = abut_join_frame(sim, join, 0), b = abut_join_frame(sim, join, 1);
    double phi[6][6] = {{0}};
    for (int side = 0; side < 2; ++side)
        if (join->body[side] >= 0) join->arm[side] = abut_sub(side ? b.p : a.p, sim->mover[join->body[side]].x);
    /* each side moves its own place; they are apart by the gap, which is small */
    join->count = abut_columns_of(sim, join->body, a.p, axis, join->first);
    abut_columns_response(sim->trees, join->first, join->count, phi);
    for (int side = 0; side < 2; ++side)
        if (is_free(sim, join->body[side]) && sim->mover[join->body[side]].inv_mass > 0.0)
            add_free_response(&sim->mover[join->body[side]], join->arm[side], phi);
    set_trace(sim, join, phi);
    invert(join, phi);
    abut_join_aim(join, a, b, h, join->target);
}

void abut_join_apply(AbutSimulation *sim, const AbutJoin *join, const double w[6]) {
    AbutVec3 force = abut_vec3(w[0], w[1], w[2]), torque = abut_vec3(w[3], w[4], w[5]);
    abut_columns_scatter(sim->trees, join->first, join->count, w);
    if (is_free(sim, join->body[0]))
        abut_mover_push(&sim->mover[join->body[0]], join->arm[0], abut_neg(force), abut_neg(torque));
    if (is_free(sim, join->body[1])) abut_mover_push(&sim->mover[join->body[1]], join->arm[1], force, torque);
}

void abut_join_begin(AbutSimulation *sim, const AbutJoin *join) { abut_join_apply(sim, join, join->impulse); }

static void velocity(const AbutSimulation *sim, const AbutJoin *join, double u[6]) {
    memset(u, 0, 6 * sizeof *u);
    abut_columns_gather(sim->trees, join->first, join->count, u);
    for (int side = 0; side < 2; ++side) {
        if (!is_free(sim, join->body[side])) continue;
        const AbutSolverBody *m = &sim->mover[join->body[side]];
        AbutVec3 v = abut_add(m->v, abut_cross(m->w, join->arm[side]));
        double sign = side ? 1.0 : -1.0, twist[6] = {v.x, v.y, v.z, m->w.x, m->w.y, m->w.z};
        for (int i = 0; i < 6; ++i) u[i] += sign * twist[i];
    }
}

void abut_join_rest(const AbutSimulation *sim, const AbutJoin *join, double rest[6]) {
    double u[6];
    velocity(sim, join, u);
    for (int i = 0; i < 6; ++i) rest[i] = join->target[i] - u[i] - abut_join_softness(join, i) * join->impulse[i];
}

double abut_join_visit(AbutSimulation *sim, AbutJoin *join) {
    double rest[6], w[6] = {0, 0, 0, 0, 0, 0}, change = 0.0;
    abut_join_rest(sim, join, rest);
    for (int i = 0; i < join->rows; ++i) {
        for (int j = 0; j < join->rows; ++j) w[i] += join->inverse[i][j] * rest[j];
        join->impulse[i] += w[i];
    }
    abut_join_apply(sim, join, w);
    for (int i = 0; i < 3; ++i) { /* what it changed: a direction that nothing moves in always misses something */
        double moved = rest[i] - abut_join_softness(join, i) * w[i];
        change += moved * moved;
    }
    return change;
}
