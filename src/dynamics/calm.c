/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Islands whose sweeps run away. Where friction holds more than the walls of a groove are steep, each impulse on one
 * wall asks for a larger one on the other. Coulomb's law together with targets that push bodies out of both walls then
 * has no solution, and impulses grow from step to step until rounding moves the body. An island runs away that did not
 * converge and has an impulse far above the momentum that there is; contacts with a compliance of their own have a
 * bound, and are let be. Only contact models that were seen to run away are watched (tests/dynamics,
 * test_world_grooves.c), but for the printed algorithm, which is kept as it is.
 *
 * Such an island, and one that gained energy (guard.c), begins anew without impulses, with nothing pushed out in this
 * step, under the convex law, in which an impulse is the nearest point of its cone. With impulses p, velocities
 * u before and u' after, every sweep lowers p.(u + u') / 2 less p times the targets, from 0 on: without targets the
 * energy that the bodies gain. Limits, friction losses and joins keep their laws, which have that property as they are.
 * Sliding bodies are lifted in such a step, by the friction coefficient times its speed.
 *
 * In: an island after its sweeps. Out: new impulses and velocities.
 * The convex law is that of M. Anitescu, Optimization-based simulation of nonsmooth rigid multibody dynamics, 2006.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* Velocity of a vertex when the contact has u: along the normal, and across. */
static void vertex_velocity(const AbutSolverVertex *v, const double u[6], double out[3]) {
    out[0] = u[2] + u[3] * v->y - u[4] * v->x;
    out[1] = u[0] - u[5] * v->yt;
    out[2] = u[1] + u[5] * v->xt;
}

static double mass_of(const AbutSolverBody *m) { return m->inv_mass > 0.0 ? 1.0 / m->inv_mass : 0.0; }

int abut_island_runs_away(const AbutSimulation *sim, const AbutIsland *island) {
    double momentum = 0.0, most = 0.0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
        double u[6];
        abut_contact_relative(c, a->free_v, a->free_w, b->free_v, b->free_w, u);
        abut_contact_add_surface(c, u);
        double speed = fabs(u[0]) + fabs(u[1]) + fabs(u[2]) + sim->constants.gravity_dt;
        momentum += (mass_of(a) + mass_of(b)) * speed;
        for (int i = 0; i < c->count; ++i) most = abut_larger(most, c->point[i].n);
    }
    return sim->def.compliance <= 0.0 && !(most <= ABUT_CALM_MOMENTUM * momentum);
}

/* One vertex: a step down the slope, back into the cone; as solve_point of model_vol.c otherwise. */
static void calm_point(AbutSolverVertex *v, double alpha, double u[6], double w[6]) {
    double at[3], step = 1.0 / ((1.0 + alpha) / v->inv_kn + 1.0 / v->inv_kt);
    vertex_velocity(v, u, at);
    double n = v->n - step * (at[0] - v->target + alpha * v->n / v->inv_kn);
    double s1 = v->t1 - step * at[1], s2 = v->t2 - step * at[2], t = sqrt(s1 * s1 + s2 * s2);
    if (t > v->mu * n) {
        double on = abut_larger((n + v->mu * t) / (1.0 + v->mu * v->mu), 0.0);
        s1 *= t > 0.0 ? v->mu * on / t : 0.0;
        s2 *= t > 0.0 ? v->mu * on / t : 0.0;
        n = on;
    }
    double dn = n - v->n, d1 = s1 - v->t1, d2 = s2 - v->t2;
    v->n = n, v->t1 = s1, v->t2 = s2;
    for (int k = 0; k < 6; ++k) u[k] += v->cn[k] * dn + v->c1[k] * d1 + v->c2[k] * d2;
    w[0] += d1, w[1] += d2, w[2] += dn;
    w[3] += dn * v->y, w[4] -= dn * v->x, w[5] += d2 * v->xt - d1 * v->yt;
}

static double calm_contact(AbutSimulation *sim, AbutSolverContact *c) {
    double u[6], u0[6], w[6] = {0, 0, 0, 0, 0, 0}, change = 0.0;
    abut_contact_velocity(sim, c, u);
    memcpy(u0, u, sizeof u0);
    for (int i = 0; i < c->count; ++i)
        if (c->point[i].inv_kn > 0.0 && c->point[i].inv_kt > 0.0) calm_point(&c->point[i], c->alpha, u, w);
    abut_contact_apply(sim, c, w);
    for (int k = 0; k < 6; ++k) change += (k < 3 ? 1.0 : c->ell * c->ell) * (u[k] - u0[k]) * (u[k] - u0[k]);
    return change;
}

static int is_friction(const AbutTreeRow *row) {
    return row->kind == ABUT_ROW_FRICTION || row->kind == ABUT_ROW_TENDON_FRICTION;
}

void abut_island_push_nothing(AbutSimulation *sim, const AbutIsland *island) {
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t k = tree->first_row; k < tree->first_row + tree->row_count; ++k) {
            AbutTreeRow *row = &sim->trees->row[k];
            if (row->active && !row->soft) row->target = row->low < 0.0 ? 0.0 : abut_smaller(row->target, 0.0);
        }
    }
    for (int32_t k = 0; k < island->join_count; ++k)
        memset(abut_island_join(sim, island, k)->target, 0, sizeof abut_island_join(sim, island, k)->target);
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i) c->point[i].target = abut_smaller(c->point[i].target, 0.0);
    }
}

/* Without impulses; rigid rows give way. */
static void calm_rows(AbutTrees *t, const AbutSolverTree *tree) {
    for (int32_t k = 0; k < tree->row_count; ++k) {
        AbutTreeRow *row = &t->row[tree->first_row + k];
        row->impulse = row->locked ? row->impulse : 0.0;
        if (!row->active || row->soft || !(row->inverse > 0.0) || is_friction(row)) continue;
        row->softness = ABUT_CALM_SOFT / row->inverse;
        row->inverse /= 1.0 + ABUT_CALM_SOFT;
    }
}

static void calm_robots(AbutSimulation *sim, const AbutIsland *island) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        memcpy(t->z + tree->first, t->free + tree->first, (size_t)tree->c->tree->nv * sizeof *t->z);
        calm_rows(t, tree);
    }
    for (int32_t k = 0; k < island->join_count; ++k)
        memset(abut_island_join(sim, island, k)->impulse, 0, sizeof abut_island_join(sim, island, k)->impulse);
}

void abut_island_calm(AbutSimulation *sim, AbutIsland *island) {
    double worst = INFINITY, limit = island->tolerance * island->tolerance;
    int robots = island->tree_count + island->join_count > 0;
    abut_island_restart(sim, island);
    abut_island_push_nothing(sim, island);
    if (robots) calm_robots(sim, island);
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i) c->point[i].n = c->point[i].t1 = c->point[i].t2 = 0.0;
        memset(c->torque, 0, sizeof c->torque);
        if (robots) c->alpha = abut_larger(c->alpha, ABUT_CALM_SOFT);
        if (c->room) c->room->index[0] = 0; /* generators in use */
    }
    for (int i = 0; i < ABUT_CALM_SWEEPS && worst > limit; ++i, ++island->sweeps) {
        worst = robots ? abut_trees_sweep(sim, island, 0) : 0.0;
        for (int32_t k = 0; k < island->count; ++k)
            worst = abut_larger(worst, calm_contact(sim, abut_island_contact(sim, island, k)));
    }
    island->residual = sqrt(worst);
}
