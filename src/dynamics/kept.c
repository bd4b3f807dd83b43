/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Impulses and velocities of an island, copied to a list of numbers or back: for a Newton step that may be undone, and
 * for a step that is solved again. One walk serves both directions, so they cannot disagree.
 */
#include "dynamics/solver_tree.h"

static inline double *pass(double *at, double *value, AbutKeep way) {
    *(way == ABUT_KEEP ? at : value) = *(way == ABUT_KEEP ? value : at);
    return at + 1;
}

static double *pass_three(double *at, double *a, double *b, double *c, AbutKeep way) {
    return pass(pass(pass(at, a, way), b, way), c, way);
}

static double *pass_rows(AbutTrees *t, const AbutSolverTree *tree, double *at, AbutKeep way) {
    for (int32_t k = 0; k < tree->row_count; ++k) {
        AbutTreeRow *row = &t->row[tree->first_row + k];
        at = way == ABUT_KEPT_BUT_LOSSES && row->kind == ABUT_ROW_FRICTION ? at + 1 : pass(at, &row->impulse, way);
    }
    return at;
}

double *abut_impulses_keep(AbutSimulation *sim, const AbutIsland *island, double *at, AbutKeep way) {
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i) at = pass_three(at, &c->point[i].n, &c->point[i].t1, &c->point[i].t2, way);
        at = pass_three(at, &c->torque[0], &c->torque[1], &c->torque[2], way);
    }
    for (int32_t i = 0; i < island->tree_count; ++i)
        at = pass_rows(sim->trees, abut_island_tree(sim, island, i), at, way);
    for (int32_t i = 0; i < island->join_count; ++i)
        for (int k = 0; k < 6; ++k) at = pass(at, &abut_island_join(sim, island, i)->impulse[k], way);
    return at;
}

void abut_velocities_keep(
    AbutSimulation *sim, const AbutIsland *island, const int32_t *body, int32_t count, double *at, AbutKeep way) {
    for (int32_t i = 0; i < count; ++i) {
        AbutSolverBody *m = &sim->mover[body[i]];
        at = pass_three(at, &m->v.x, &m->v.y, &m->v.z, way);
        at = pass_three(at, &m->w.x, &m->w.y, &m->w.z, way);
    }
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t d = 0; d < tree->c->tree->nv; ++d) at = pass(at, &sim->trees->z[tree->first + d], way);
    }
}

int abut_kept_reserve(const AbutSimulation *sim, const AbutIsland *island, int32_t bodies, AbutKept *kept) {
    size_t count =
        3 * (ABUT_CONTACT_VERTICES + 1) * (size_t)island->count + 6 * (size_t)island->join_count + 6 * (size_t)bodies;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        count += (size_t)(tree->c->tree->nv + tree->row_count);
    }
    return abut_grow((void **)&kept->at, &kept->capacity, count, sizeof *kept->at);
}
