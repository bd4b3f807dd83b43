/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Newton step of newton.h: rows of the vertices, the matrix and its right-hand side, new impulses. In: contacts of
 * an island with impulses, targets and responses; velocities of their bodies. Out: impulses changed, put back into
 * their cones, and the difference applied.
 *
 * The compliance of a row is that of the contact plus 1/w of its response. The weight w grows with the load: what
 * carries a heavy body on a light one is as stiff for both. Islands without cycles have as many rows as they need and
 * take a large weight; where bodies meet in cycles the rows contradict each other, and a moderate weight lets them.
 *
 * The system is solved by its factor, or, where that is too dear, by conjugate gradients (solve/block_gradient.h).
 */
#include "dynamics/newton.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"
#include "solve/block_gradient.h"

#include <string.h>

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Compliances of the rows of a vertex, normal and tangential, 0: no such row; their weight. */
typedef struct Rows {
    double normal, tangent, weight;
} Rows;

static Rows rows_of(const AbutSimulation *sim, double weight, const AbutSolverContact *c, const AbutSolverVertex *v) {
    Rows rows = {0.0, 0.0, 0.0};
    double load = v->n / (v->inv_kn * sim->constants.gravity_dt), w = weight * abut_larger(1.0, load),
           most = v->mu * v->n;
    if (!(v->n > 0.0)) return rows;
    rows.weight = w;
    rows.normal = (c->alpha + 1.0 / w) / v->inv_kn;
    if (v->t1 * v->t1 + v->t2 * v->t2 < most * most * (1.0 - ABUT_NEWTON_STICKS)) rows.tangent = 1.0 / (w * v->inv_kt);
    return rows;
}

/* Missing part of the normal velocity that a vertex wants, its compliance counted. */
static double normal_rest(const AbutSolverContact *c, const AbutSolverVertex *v, const double u[6]) {
    return v->target - (u[2] + u[3] * v->y - u[4] * v->x) - c->alpha * v->n / v->inv_kn;
}

static void add_normal_row(AbutRowSums *s, const AbutSolverVertex *v, double w, double rest) {
    double f = w * rest;
    s->nn += w, s->nx += w * v->x, s->ny += w * v->y;
    s->nxx += w * v->x * v->x, s->nxy += w * v->x * v->y, s->nyy += w * v->y * v->y;
    s->push[2] += f, s->push[3] += f * v->y, s->push[4] -= f * v->x;
}

static void add_tangent_rows(AbutRowSums *s, const AbutSolverVertex *v, double w, const double u[6]) {
    double f1 = -w * (u[0] - u[5] * v->yt), f2 = -w * (u[1] + u[5] * v->xt);
    s->tt += w, s->tx += w * v->xt, s->ty += w * v->yt, s->tr += w * (v->xt * v->xt + v->yt * v->yt);
    s->push[0] += f1, s->push[1] += f2, s->push[5] += f2 * v->xt - f1 * v->yt;
}

static AbutRowSums sum_rows(const AbutSimulation *sim, AbutNewton *n, const AbutSolverContact *c, const double u[6]) {
    AbutRowSums s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        Rows rows = rows_of(sim, n->weight, c, v);
        n->stiffest = abut_larger(n->stiffest, rows.weight);
        if (rows.normal > 0.0) add_normal_row(&s, v, 1.0 / rows.normal, normal_rest(c, v, u));
        if (rows.tangent > 0.0) add_tangent_rows(&s, v, 1.0 / rows.tangent, u);
    }
    return s;
}

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

static void add_push(double *x, AbutVec3 force, AbutVec3 torque, double sign) {
    x[0] += sign * force.x, x[1] += sign * force.y, x[2] += sign * force.z;
    x[3] += sign * torque.x, x[4] += sign * torque.y, x[5] += sign * torque.z;
}

static AbutVec3 to_world(const AbutSolverContact *c, const double p[3]) {
    return abut_add(abut_add(abut_scale(c->e1, p[0]), abut_scale(c->e2, p[1])), abut_scale(c->nu, p[2]));
}

static void add_contact(const AbutSimulation *sim, AbutNewton *n, const AbutSolverContact *c, const AbutRowSums *s) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 force = to_world(c, s->push), torque = to_world(c, s->push + 3);
    AbutStiffness k = abut_stiffness(abut_mat3(c->e1, c->e2, c->nu), s);
    AbutStiffnessArm arm_b = abut_stiffness_arm(&k, c->rb);
    abut_block_stiffen(&n->diagonal[b->number], &k, &arm_b);
    add_push(n->x + 6 * (size_t)b->number, force, abut_add(torque, abut_cross(c->rb, force)), 1.0);
    if (!(a->inv_mass > 0.0)) return;
    AbutStiffnessArm arm_a = abut_stiffness_arm(&k, c->ra);
    int a_below = a->number > b->number;
    abut_block_stiffen(&n->diagonal[a->number], &k, &arm_a);
    add_push(n->x + 6 * (size_t)a->number, force, abut_add(torque, abut_cross(c->ra, force)), -1.0);
    abut_block_couple(&n->below[abut_block_at(&n->now->structure, a->number, b->number)], &k, a_below ? &arm_a : &arm_b,
        a_below ? &arm_b : &arm_a);
}

static void assemble(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n) {
    const AbutNewtonOrder *o = n->now;
    memset(n->diagonal, 0, (size_t)o->count * sizeof *n->diagonal);
    memset(n->below, 0, (size_t)o->structure.blocks * sizeof *n->below);
    memset(n->x, 0, 6 * (size_t)o->count * sizeof *n->x);
    n->stiffest = 1.0;
    for (int32_t j = 0; j < o->count; ++j) {
        double mass = 1.0 / sim->mover[o->body[j]].inv_mass;
        abut_block_add(
            &n->diagonal[j], 0, 0, abut_mat3(abut_vec3(mass, 0, 0), abut_vec3(0, mass, 0), abut_vec3(0, 0, mass)), 1.0);
        abut_block_add(&n->diagonal[j], 3, 3, abut_mover_inertia(sim, o->body[j]), 1.0);
        for (int k = 0; k < 6; ++k) /* a locked axis is as good as one of endless mass */
            if (sim->mover[o->body[j]].locked >> k & 1)
                n->diagonal[j].m[k][k] += n->diagonal[j].m[k][k] / ABUT_STIFF_PART;
    }
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        if (c->link_sides) continue;
        double *u = n->u + 6 * (size_t)k;
        abut_contact_velocity(sim, c, u);
        AbutRowSums s = sum_rows(sim, n, c, u);
        add_contact(sim, n, c, &s);
    }
}

/* ---- new impulses ------------------------------------------------------------------------------------------------ */

/* Impulses of a vertex for velocities u that change by du, back in their cone; the difference is added to w. */
static void move_vertex(AbutSolverVertex *v, double n, double s1, double s2, double w[6]) {
    n = n > 0.0 ? n : 0.0;
    double most = v->mu * n, length = sqrt(s1 * s1 + s2 * s2);
    if (length > most && length > 0.0) s1 *= most / length, s2 *= most / length;
    double dn = n - v->n, d1 = s1 - v->t1, d2 = s2 - v->t2;
    v->n = n, v->t1 = s1, v->t2 = s2;
    w[0] += d1, w[1] += d2, w[2] += dn;
    w[3] += dn * v->y, w[4] -= dn * v->x, w[5] += d2 * v->xt - d1 * v->yt;
}

/* u: its velocity before. */
static void move_contact(AbutSimulation *sim, const AbutNewton *n, AbutSolverContact *c, const double u[6]) {
    const AbutSolverBody *a = &sim->mover[c->body_a];
    const double *xb = n->x + 6 * (size_t)sim->mover[c->body_b].number;
    double du[6], w[6] = {0, 0, 0, 0, 0, 0}, none[6] = {0, 0, 0, 0, 0, 0};
    const double *xa = a->inv_mass > 0.0 ? n->x + 6 * (size_t)a->number : none;
    abut_contact_relative(c, abut_vec3(xa[0], xa[1], xa[2]), abut_vec3(xa[3], xa[4], xa[5]),
        abut_vec3(xb[0], xb[1], xb[2]), abut_vec3(xb[3], xb[4], xb[5]), du);
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        Rows rows = rows_of(sim, n->weight, c, v);
        double push = v->n, s1 = v->t1, s2 = v->t2;
        if (rows.normal > 0.0) push += (normal_rest(c, v, u) - (du[2] + du[3] * v->y - du[4] * v->x)) / rows.normal;
        if (rows.tangent > 0.0) {
            s1 -= (u[0] + du[0] - (u[5] + du[5]) * v->yt) / rows.tangent;
            s2 -= (u[1] + du[1] + (u[5] + du[5]) * v->xt) / rows.tangent;
        }
        move_vertex(v, push, s1, s2, w);
    }
    abut_contact_apply(sim, c, w);
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* Impulses and velocities, kept or back. */
static void keep(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n, AbutKeep way) {
    double *at = abut_impulses_keep(sim, island, n->saved.at, way);
    abut_velocities_keep(sim, island, n->now->body, n->now->count, at, way);
}

static int reserve(const AbutSimulation *sim, const AbutIsland *island, AbutNewton *n) {
    size_t bodies = (size_t)n->now->count, blocks = (size_t)n->now->structure.blocks + 1; /* one body has none */
    return abut_grow((void **)&n->diagonal, &n->diagonal_capacity, bodies, sizeof *n->diagonal) &&
           abut_grow((void **)&n->below, &n->below_capacity, blocks, sizeof *n->below) &&
           abut_grow((void **)&n->x, &n->x_capacity, 6 * bodies, sizeof *n->x) &&
           abut_grow((void **)&n->u, &n->u_capacity, 6 * (size_t)island->count, sizeof *n->u) &&
           abut_kept_reserve(sim, island, n->now->count, &n->saved) &&
           (!n->now->plain || abut_grow((void **)&n->gradient, &n->gradient_capacity, abut_gradient_room(n->now->count),
                                  sizeof *n->gradient));
}

int abut_newton_begin(AbutSimulation *sim, AbutIsland *island, int worker) {
    AbutNewton *n = &sim->solver.newton[worker];
    int32_t contacts = abut_newton_contacts(sim, island);
    if (contacts == 0 || !abut_newton_order(sim, island, n)) return 0;
    n->weight = contacts <= n->now->count ? ABUT_NEWTON_FOREST : ABUT_NEWTON_CYCLES;
    int good = reserve(sim, island, n);
    island->starved |= !good;
    return good;
}

/* dv in place of the right-hand side; 0: there is none. The residual of the gradients becomes velocity
 * by the masses alone, which is as much more as the rows are stiffer than those. */
static int solve_blocks(AbutNewton *n, int threads) {
    AbutBlocks blocks = abut_blocks_with(&n->now->structure, n->diagonal, n->below);
    if (n->now->plain) {
        AbutGradient run = {ABUT_NEWTON_ROUNDS, ABUT_NEWTON_LEFT / n->stiffest, threads, n->gradient, 0, 0.0};
        return abut_blocks_gradient(&blocks, n->x, &run);
    }
    if (!abut_blocks_factorize(&blocks)) return 0;
    abut_blocks_substitute(&blocks, n->x);
    return 1;
}

int abut_newton_step(AbutSimulation *sim, const AbutIsland *island, int worker) {
    AbutNewton *n = &sim->solver.newton[worker];
    abut_newton_number(sim, n->now);
    keep(sim, island, n, ABUT_KEEP);
    assemble(sim, island, n);
    if (!solve_blocks(n, sim->solver.team)) return 0;
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        if (!c->link_sides) move_contact(sim, n, c, n->u + 6 * (size_t)k);
    }
    return 1;
}

void abut_newton_undo(AbutSimulation *sim, const AbutIsland *island, int worker) {
    keep(sim, island, &sim->solver.newton[worker], ABUT_KEPT);
}
