/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the motions of two bodies to the numbers of a group. In: matrices along twelve directions: way of the center of
 * mass and turn of A, then of B, world axes. Out: rows and explicit terms of the group. A number that moves both bodies
 * stands in the list twice, and what its two places have adds up.
 */
#include "derivative/derivative.h"

#include <string.h>

enum { SIDES = ABUT_BOTH_SIDES };

static void add3(double *to, AbutVec3 x) { to[0] += x.x, to[1] += x.y, to[2] += x.z; }

static int numbers_of(const AbutDerivative *d, int32_t place, const int32_t **chain) {
    *chain = NULL;
    if (place < 0) return 0;
    const AbutSolverBody *m = &d->sim->mover[place];
    if (m->tree < 0) return d->first_of_body[place] >= 0 ? 6 : 0;
    const AbutConfiguration *c = d->sim->trees->tree[m->tree].c;
    int32_t last = c->tree->links[d->sim->scene->body[place].link].last;
    if (last < 0) return 0;
    *chain = c->tree->ancestor + c->tree->row[last];
    return c->tree->dofs[last].depth;
}

static void fill_side(AbutDerivativeGroup *g, int32_t place, const int32_t *chain, int count, int32_t *at,
    double (*twist)[SIDES], int side) {
    const AbutDerivative *d = g->d;
    const AbutSolverBody *m = &d->sim->mover[place];
    for (int k = 0; k < count; ++k) {
        double *to = twist[k] + 6 * side;
        if (!chain) {
            at[k] = g->local[d->first_of_body[place] + k];
            to[k] = 1.0;
            continue;
        }
        const AbutConfiguration *c = d->sim->trees->tree[m->tree].c;
        AbutSpatial s = c->axes[chain[k]];
        at[k] = g->local[d->first_of_tree[m->tree] + chain[k]];
        add3(to, abut_add(s.l, abut_cross(s.w, abut_sub(m->x, c->origins[0]))));
        add3(to + 3, s.w);
    }
}

int abut_derivative_reach(AbutDerivativeGroup *g, const int32_t body[2], int32_t **at, double (**twist)[SIDES]) {
    AbutDerivative *d = g->d;
    const int32_t *chain[2];
    int count[2] = {numbers_of(d, body[0], &chain[0]), numbers_of(d, body[1], &chain[1])};
    size_t all = (size_t)(count[0] + count[1]);
    *at = abut_pool_take_array(&d->work, all, sizeof **at, &d->good);
    *twist = abut_pool_take_array(&d->work, all, sizeof **twist, &d->good);
    if (!d->good) return 0;
    if (count[0]) fill_side(g, body[0], chain[0], count[0], *at, *twist, 0);
    if (count[1]) fill_side(g, body[1], chain[1], count[1], *at + count[0], *twist + count[0], 1);
    return (int)all;
}

AbutDerivativeRows *abut_derivative_rows(
    AbutDerivativeGroup *g, int32_t rows, int32_t block, int32_t count, int32_t *at) {
    AbutDerivative *d = g->d;
    size_t size = (size_t)rows * (size_t)count;
    AbutDerivativeRows *r = &g->rows[g->row_count];
    *r = (AbutDerivativeRows){.rows = rows, .count = count, .block = block, .at = at};
    r->j = abut_derivative_take(d, size);
    r->by_place = abut_derivative_take(d, size);
    r->by_velocity = abut_derivative_take(d, size);
    r->law = abut_derivative_take(d, (size_t)rows * (size_t)block);
    r->soft = abut_derivative_take(d, (size_t)rows);
    if (!d->good) return NULL;
    ++g->row_count;
    return r;
}

static double dot12(const double *a, const double *b) {
    double sum = 0.0;
    for (int k = 0; k < SIDES; ++k) sum += a[k] * b[k];
    return sum;
}

void abut_derivative_spread(const AbutDerivativeRows *rows, double (*twist)[SIDES], double (*from)[SIDES], double *to) {
    for (int row = 0; row < rows->rows; ++row)
        for (int k = 0; k < rows->count; ++k)
            to[(size_t)row * (size_t)rows->count + (size_t)k] += dot12(from[row], twist[k]);
}

static int is_first(const AbutDerivativeRows *rows, int k) {
    for (int q = 0; q < k; ++q)
        if (rows->at[q] == rows->at[k]) return 0;
    return 1;
}

void abut_derivative_swing(AbutDerivativeGroup *g, const int32_t body[2], double (*j)[SIDES], const AbutTreeRate *rates,
    AbutDerivativeRows *rows) {
    const AbutSimulation *sim = g->d->sim;
    for (int s = 0; s < 2; ++s) {
        int32_t tree = body[s] >= 0 ? sim->mover[body[s]].tree : -1;
        if (tree < 0) continue;
        size_t nv = (size_t)rates[tree].nv;
        const double *twist = rates[tree].twist + (size_t)sim->scene->body[body[s]].link * 6 * nv;
        for (int k = 0; k < rows->count; ++k) {
            int32_t dof = rows->at[k] - rates[tree].first;
            if (dof < 0 || (size_t)dof >= nv || !is_first(rows, k)) continue;
            for (int row = 0; row < rows->rows; ++row)
                for (int i = 0; i < 6; ++i)
                    rows->by_place[(size_t)row * (size_t)rows->count + (size_t)k] +=
                        j[row][6 * s + i] * twist[(size_t)i * nv + (size_t)dof];
        }
    }
}

void abut_derivative_push(
    AbutDerivativeGroup *g, const AbutDerivativeRows *rows, double (*twist)[SIDES], double (*push)[SIDES]) {
    for (int q = 0; q < rows->count; ++q) {
        double pushed[SIDES];
        for (int i = 0; i < SIDES; ++i) pushed[i] = dot12(push[i], twist[q]);
        for (int k = 0; k < rows->count; ++k)
            g->right[(size_t)rows->at[k] * (size_t)g->columns + (size_t)rows->at[q]] += dot12(twist[k], pushed);
    }
}
