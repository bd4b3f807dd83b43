/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Newton step for all contacts of an island at once. Vertices that carry (normal rows with n > 0, friction rows
 * that stick) are taken as equations u = wanted - c impulse. Without the impulses, (M + sum J^T 1/c J) dv = sum J^T r /
 * c,    d impulse = (r - J dv) / c, is a positive definite system of 6x6 blocks over the graph of the bodies.
 * docs/theory/contact.md says how it is used.
 *
 * What is kept from step to step is a function of the graph alone, so results do not depend on what was solved before,
 * on threads, or on saving and restoring.
 */
#ifndef ABUT_DYNAMICS_NEWTON_H
#define ABUT_DYNAMICS_NEWTON_H

#include "dynamics/mover.h"
#include "solve/block_factor.h"

/* Order of elimination of the bodies of an island and the structure of the factor (solve/block_factor.h). */
typedef struct AbutNewtonOrder {
    uint64_t key;
    int32_t count, blocks, refused; /* bodies; blocks below the diagonal; 1: too dear */
    int32_t *body, *first, *row;    /* places of the bodies in their order */
    int32_t *up_first, *up_column, *up_at;
    size_t body_capacity, first_capacity, row_capacity, up_first_capacity, up_column_capacity, up_at_capacity;
} AbutNewtonOrder;

/* What the rows of a contact add up to, in its frame: weights 1/c of normal rows times 1, x, y, ..., of friction rows
 * times 1, x, y, x^2 + y^2; and the impulses r / c as a wrench. */
typedef struct AbutRowSums {
    double nn, nx, ny, nxx, nxy, nyy, tt, tx, ty, tr, push[6];
} AbutRowSums;

enum { ABUT_NEWTON_ORDERS = 4 };

/* Room of one worker. */
typedef struct AbutNewton {
    AbutNewtonOrder order[ABUT_NEWTON_ORDERS], *now;
    int32_t next; /* order to be replaced */
    double weight;
    AbutBlock *diagonal, *below;
    double *x; /* right-hand side, then dv: six a body */
    double *saved;
    int32_t *degree, *head, *link, *back, *near, *near_count;
    uint64_t *edge;
    size_t diagonal_capacity, below_capacity, x_capacity, saved_capacity, degree_capacity, head_capacity, link_capacity,
        back_capacity, near_capacity, near_count_capacity, edge_capacity;
} AbutNewton;

void abut_newton_free(AbutNewton *newton);

/* Contacts of free bodies; those with links of robots keep their impulses in a Newton step. */
int32_t abut_newton_contacts(const AbutSimulation *sim, const AbutIsland *island);

/* newton_order.c: order of the bodies of an island, kept or found. 1: it is there; 0: the factor would cost too much,
 * or there is no memory (island->starved). */
int abut_newton_order(AbutSimulation *sim, AbutIsland *island, AbutNewton *newton);

/* newton.c */
int abut_newton_begin(AbutSimulation *sim, AbutIsland *island, int worker);      /* 0: no Newton step for this island */
int abut_newton_step(AbutSimulation *sim, const AbutIsland *island, int worker); /* 0: none was taken */
void abut_newton_undo(AbutSimulation *sim, const AbutIsland *island, int worker);

#endif
