/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step of the trees of an island. In: forces, stiffness and damping along the degrees of freedom (tree_drive.c). Out:
 * z after the sweeps, and the velocities it stands for.
 *
 *     (M + h D + h^2 K) v+ = M v + h (f - bias - ...) + impulses,   M + h D + h^2 K = L^T L,   z = L v
 *
 * The bias (gravity, velocity products) is taken at the mean of the velocities before and after the step: what is after
 * is predicted with all impulses of the last step. With the velocity before alone a double pendulum loses most of its
 * energy. In an impact there is no mean velocity, and the second pass is left out. Friction losses that hold are on the
 * diagonal too (tree_lock.c).
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

double abut_tree_turn(const AbutConfiguration *c) {
    double most = 0.0;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        int32_t count = move->kind == ABUT_MOVE_HINGE ? 1 : move->kind == ABUT_MOVE_BALL ? 3 : 0;
        for (int32_t k = 0; k < count; ++k) most = abut_larger(most, fabs(c->v[move->velocity + k]));
    }
    return most;
}

/* A bias that changes z by more than a part of it in a step is not resolved by that step: it is cut. */
static void cut_bias(AbutSimulation *sim, AbutSolverTree *tree, double square, double *bias, double h) {
    AbutConfiguration *c = tree->c;
    double *r = sim->trees->work + tree->first, change = 0.0, fall = sim->constants.gravity_dt;
    for (int32_t i = 0; i < c->tree->nv; ++i) r[i] = h * bias[i];
    abut_robot_solve_up(c, r);
    for (int32_t i = 0; i < c->tree->nv; ++i) change += r[i] * r[i];
    double most = ABUT_BIAS_CHANGE * square + 4.0 * tree->mass * fall * fall;
    if (!(change > most)) return;
    double part = sqrt(most / change);
    for (int32_t i = 0; i < c->tree->nv; ++i) bias[i] *= part;
    tree->root_force = abut_spatial(abut_scale(tree->root_force.w, part), abut_scale(tree->root_force.l, part));
}

/* M + h D + h^2 K, bias, and z before impulses. */
static void prepare_tree(AbutSimulation *sim, AbutSolverTree *tree, double h) {
    AbutTrees *t = sim->trees;
    AbutConfiguration *c = tree->c;
    double *z = t->z + tree->first, *v = t->start + tree->first, *bias = t->bias + tree->first,
           *r = t->work + tree->first;
    const double *f = t->force + tree->first, *k = t->stiffness + tree->first, *d = t->damping + tree->first,
                 *lock = t->lock + tree->first;
    memcpy(v, c->v, (size_t)c->tree->nv * sizeof *v);
    memcpy(t->mean + tree->first, v, (size_t)c->tree->nv * sizeof *v);
    abut_robot_inverse(c, NULL, bias);
    tree->root_force = c->states[0].force;
    tree->square = 0.0;
    for (int32_t i = 0; i < c->tree->nv; ++i) r[i] = h * d[i] + h * h * k[i] + lock[i];
    abut_robot_factor_with(c, r);
    abut_robot_apply_factor(c, v, t->begin + tree->first);
    memcpy(z, t->begin + tree->first, (size_t)c->tree->nv * sizeof *z);
    tree->fast = h * abut_tree_turn(c) > ABUT_FAST_TURN;
    for (int32_t i = 0; i < c->tree->nv && tree->fast; ++i) tree->square += z[i] * z[i];
    if (tree->fast) cut_bias(sim, tree, tree->square, bias, h);
    for (int32_t i = 0; i < c->tree->nv; ++i) r[i] = h * (f[i] - bias[i] - (d[i] + h * k[i]) * v[i]) - lock[i] * v[i];
    abut_robot_solve_up(c, r);
    for (int32_t i = 0; i < c->tree->nv; ++i) t->free[tree->first + i] = z[i] += r[i];
}

void abut_trees_prepare(AbutSimulation *sim, const AbutIsland *island, double h) {
    for (int32_t i = 0; i < island->tree_count; ++i) prepare_tree(sim, abut_island_tree(sim, island, i), h);
    for (int32_t i = 0; i < island->tree_count; ++i) abut_rows_set(sim, abut_island_tree(sim, island, i), h);
    for (int32_t i = 0; i < island->join_count; ++i) abut_join_set(sim, abut_island_join(sim, island, i), h);
    for (int32_t k = 0; k < island->count; ++k) abut_trees_set_contact(sim, abut_island_contact(sim, island, k));
}

static void add_impulse(AbutTrees *t, const AbutTreeRow *row, double impulse) {
    const int32_t *dof = t->row_dof + row->first;
    const double *y = t->row_y + row->first;
    for (int32_t k = 0; k < row->count; ++k) t->z[dof[k]] += y[k] * impulse;
}

void abut_trees_begin(AbutSimulation *sim, const AbutIsland *island) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < island->join_count; ++i) abut_join_begin(sim, abut_island_join(sim, island, i));
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t k = 0; k < tree->row_count; ++k)
            if (t->row[tree->first_row + k].active)
                add_impulse(t, &t->row[tree->first_row + k], t->row[tree->first_row + k].impulse);
    }
}

/* ---- bias at the mean velocity ----------------------------------------------------------------------------------- */

static int is_impact(const AbutTrees *t, const AbutSolverTree *tree, double gravity_dt) {
    const double *z = t->z + tree->first, *before = t->begin + tree->first;
    double energy = 0.0, change = 0.0, step = ABUT_IMPACT_STEPS * gravity_dt;
    for (int32_t i = 0; i < tree->c->tree->nv; ++i) {
        energy += before[i] * before[i];
        change += (z[i] - before[i]) * (z[i] - before[i]);
    }
    return change > ABUT_IMPACT_CHANGE * energy + tree->mass * step * step;
}

static void repeat_bias(AbutSimulation *sim, AbutSolverTree *tree, double h) {
    AbutTrees *t = sim->trees;
    AbutConfiguration *c = tree->c;
    size_t bytes = (size_t)c->tree->nv * sizeof(double);
    double *z = t->z + tree->first, *v = t->start + tree->first, *bias = t->bias + tree->first,
           *r = t->work + tree->first, *again = t->other + tree->first;
    memcpy(r, z, bytes);
    abut_robot_solve_down(c, r);
    for (int32_t i = 0; i < c->tree->nv; ++i) t->mean[tree->first + i] = c->v[i] = 0.5 * (v[i] + r[i]);
    abut_robot_inverse(c, NULL, again);
    tree->root_force = c->states[0].force;
    if (tree->fast) cut_bias(sim, tree, tree->square, again, h);
    memcpy(c->v, v, bytes);
    for (int32_t i = 0; i < c->tree->nv; ++i) {
        r[i] = h * (bias[i] - again[i]);
        bias[i] = again[i];
    }
    abut_robot_solve_up(c, r);
    for (int32_t i = 0; i < c->tree->nv; ++i) {
        z[i] += r[i];
        t->free[tree->first + i] += r[i];
    }
}

void abut_trees_second_bias(AbutSimulation *sim, const AbutIsland *island, double h) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        AbutSolverTree *tree = abut_island_tree(sim, island, i);
        if (!is_impact(t, tree, sim->constants.gravity_dt)) repeat_bias(sim, tree, h);
    }
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

static double visit_row(AbutTrees *t, AbutTreeRow *row) {
    double l = row->impulse + (row->target - abut_row_speed(t, row) - row->softness * row->impulse) * row->inverse;
    l = l < row->low ? row->low : l > row->high ? row->high : l;
    double change = l - row->impulse;
    row->impulse = l;
    add_impulse(t, row, change);
    double speed = row->inverse > 0.0 ? change / row->inverse * row->weight : 0.0;
    return speed * speed;
}

static double sweep_rows(AbutTrees *t, const AbutSolverTree *tree, int backward) {
    double worst = 0.0;
    for (int32_t i = 0; i < tree->row_count; ++i) {
        AbutTreeRow *row = &t->row[tree->first_row + (backward ? tree->row_count - 1 - i : i)];
        if (row->active) worst = abut_larger(worst, visit_row(t, row));
    }
    return worst;
}

static double sweep_joins(AbutSimulation *sim, const AbutIsland *island, int backward) {
    AbutTrees *t = sim->trees;
    double worst = 0.0;
    for (int32_t i = 0; i < island->join_count; ++i) {
        int32_t k = island->first_join + (backward ? island->join_count - 1 - i : i);
        worst = abut_larger(worst, abut_join_visit(sim, &t->join[t->island_join[k]]));
    }
    return worst;
}

double abut_trees_sweep(AbutSimulation *sim, const AbutIsland *island, int backward) {
    AbutTrees *t = sim->trees;
    double worst = backward ? 0.0 : sweep_joins(sim, island, 0);
    for (int32_t i = 0; i < island->tree_count; ++i) {
        int32_t k = island->first_tree + (backward ? island->tree_count - 1 - i : i);
        worst = abut_larger(worst, sweep_rows(t, &t->tree[t->island_tree[k]], backward));
    }
    return backward ? abut_larger(worst, sweep_joins(sim, island, 1)) : worst;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* Velocities of the links while they are still where they were: continuous motion looks at them. */
static void show_velocities(AbutSimulation *sim, const AbutSolverTree *tree) {
    AbutConfiguration *c = tree->c;
    abut_robot_velocities(c);
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLinkState *link = &c->states[i];
        AbutSolverBody *m = &sim->mover[tree->body[i]];
        m->w = link->velocity.w;
        m->v = abut_add(link->velocity.l, abut_cross(link->velocity.w, abut_sub(m->x, c->origins[0])));
    }
}

/* Energy that impulses gave a tree; what shoves it comes as a change of z, and leaves as velocities. */
static void set_given(AbutTrees *t, AbutSolverTree *tree, int shoved) {
    tree->given = 0.0;
    for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) {
        double z = t->z[d] - (shoved ? t->shove[d] : 0.0);
        tree->given += 0.5 * (z - t->free[d]) * (z + t->begin[d]);
    }
    if (shoved) abut_robot_solve_down(tree->c, t->shove + tree->first);
}

void abut_trees_finish(AbutSimulation *sim, const AbutIsland *island) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        AbutSolverTree *tree = abut_island_tree(sim, island, i);
        set_given(t, tree, island->guarded);
        memcpy(tree->c->v, t->z + tree->first, (size_t)tree->c->tree->nv * sizeof(double));
        abut_robot_solve_down(tree->c, tree->c->v);
        show_velocities(sim, tree);
    }
}
