/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Friction losses that hold. A joint that stands still under less than its friction needs no row that is swept until it
 * holds: a large number on the diagonal of the mass matrix holds it at once. In: velocities, and impulses of the last
 * step. Out: locks, and after the sweeps the impulse of each, -lock v; one beyond its friction is a row from then on
 * and starts at its bound. A lock lets a joint creep by its force over ABUT_LOCK_STIFF.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* Does a row ask its joints to move: a coupling, what hangs on a tendon, a limit that was reached? Against a lock it
 * would need an impulse without bounds. */
static int asks_to_move(const AbutTreeRow *row) {
    int limit = row->kind == ABUT_ROW_LOW || row->kind == ABUT_ROW_HIGH || row->kind == ABUT_ROW_BALL;
    return row->kind != ABUT_ROW_FRICTION && (!limit || row->impulse > 0.0);
}

static void clear_marks(AbutTrees *t, const AbutSolverTree *tree) {
    memset(t->work + tree->first, 0, (size_t)tree->c->tree->nv * sizeof *t->work);
}

/* Degrees of freedom that other rows ask to move get a 1 in t->work. */
static void mark_asked(AbutTrees *t, const AbutSolverTree *tree) {
    for (int32_t i = 0; i < tree->row_count; ++i) {
        const AbutTreeRow *row = &t->row[tree->first_row + i];
        for (int32_t k = 0; asks_to_move(row) && k < row->term_count; ++k)
            t->work[t->term[row->first_term + k].dof] = 1.0;
    }
}

static int32_t lock_tree(AbutTrees *t, const AbutSolverTree *tree, double h) {
    int32_t locks = 0;
    for (int32_t i = 0; i < tree->row_count; ++i) {
        AbutTreeRow *row = &t->row[tree->first_row + i];
        if (row->kind != ABUT_ROW_FRICTION) continue;
        double most = h * t->loss[row->number], slow = ABUT_LOCK_SPEED * (row->turns ? tree->turning : tree->speed);
        row->locked = t->work[row->number] == 0.0 && fabs(tree->c->v[row->number - tree->first]) < slow &&
                      fabs(row->impulse) < ABUT_LOCK_PART * most;
        t->lock[row->number] = row->locked ? ABUT_LOCK_STIFF * most : 0.0;
        locks += row->locked;
    }
    return locks;
}

int32_t abut_locks_set(AbutSimulation *sim, const AbutIsland *island, double h) {
    AbutTrees *t = sim->trees;
    int32_t locks = 0;
    for (int32_t i = 0; i < island->tree_count; ++i) /* a row may name joints of two trees */
        clear_marks(t, abut_island_tree(sim, island, i));
    for (int32_t i = 0; i < island->tree_count; ++i) mark_asked(t, abut_island_tree(sim, island, i));
    for (int32_t i = 0; i < island->tree_count; ++i) locks += lock_tree(t, abut_island_tree(sim, island, i), h);
    return locks;
}

/* Impulses of the locks of a tree; those that do not hold become rows. Gives how many. */
static int break_tree(AbutTrees *t, const AbutSolverTree *tree, double h) {
    double *v = t->other + tree->first;
    int weak = 0;
    memcpy(v, t->z + tree->first, (size_t)tree->c->tree->nv * sizeof *v);
    abut_robot_solve_down(tree->c, v);
    for (int32_t i = 0; i < tree->row_count; ++i) {
        AbutTreeRow *row = &t->row[tree->first_row + i];
        if (row->kind != ABUT_ROW_FRICTION || !row->locked) continue;
        double most = h * t->loss[row->number];
        row->impulse = -t->lock[row->number] * v[row->number - tree->first];
        if (fabs(row->impulse) <= most) continue;
        row->impulse = row->impulse > 0.0 ? most : -most;
        row->locked = 0;
        t->lock[row->number] = 0.0;
        ++weak;
    }
    return weak;
}

static void unlock_tree(AbutTrees *t, const AbutSolverTree *tree) {
    for (int32_t i = 0; i < tree->row_count; ++i) {
        AbutTreeRow *row = &t->row[tree->first_row + i];
        row->locked = 0;
        if (row->kind == ABUT_ROW_FRICTION) t->lock[row->number] = 0.0;
    }
}

int abut_locks_break(AbutSimulation *sim, const AbutIsland *island, double h, int last) {
    AbutTrees *t = sim->trees;
    int weak = 0;
    for (int32_t i = 0; i < island->tree_count; ++i) weak += break_tree(t, abut_island_tree(sim, island, i), h);
    for (int32_t i = 0; i < island->tree_count && weak && last; ++i) unlock_tree(t, abut_island_tree(sim, island, i));
    return weak;
}
