/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Newton step for all contacts of an island at once. Vertices that carry (normal rows with n > 0, friction rows
 * that stick) are taken as equations u = wanted - c impulse. Without the impulses, (M + sum J^T 1/c J) dv = sum J^T r /
 * c,    d impulse = (r - J dv) / c, is a positive definite system of 6x6 blocks over the graph of the bodies.
 * docs/theory/contact.md says how it is used.
 *
 * The memory from step to step is a function of the graph alone, so results do not depend on what was solved before,
 * on threads, or on saving and restoring.
 */
#ifndef ABUT_DYNAMICS_NEWTON_H
#define ABUT_DYNAMICS_NEWTON_H

#include "dynamics/mover.h"
#include "solve/block_order.h"
#include "solve/block_patch.h"
#include "solve/row_newton.h"

/* Bodies of an island in the order of their columns, and the structure of the matrix: that of its factor, or, where
 * that is too dear, of the matrix itself when it was asked for (plain). */
typedef struct AbutNewtonOrder {
    uint64_t key;
    int32_t count, plain;
    AbutBlockOutcome outcome;
    int32_t *body; /* places */
    size_t body_capacity;
    AbutBlockStructure structure;
} AbutNewtonOrder;

enum { ABUT_NEWTON_ORDERS = 64 };

typedef struct AbutTreeNewton AbutTreeNewton; /* tree_newton.c */

/* Room of one worker. */
typedef struct AbutNewton {
    AbutNewtonOrder order[ABUT_NEWTON_ORDERS], *now;
    double weight, stiffest; /* of rows in this island; the largest in a step, by their load */
    AbutBlock *diagonal, *below;
    double *x; /* right-hand side, then dv: six a body */
    double *u; /* velocities of the contacts before the step: six a contact */
    AbutKept saved;
    double *gradient; /* room of solve/block_gradient.h */
    uint64_t *edge;
    AbutBlockRoom room;
    AbutTreeNewton *whole; /* of islands with robots; NULL: none yet */
    size_t diagonal_capacity, below_capacity, x_capacity, u_capacity, gradient_capacity, edge_capacity;
} AbutNewton;

void abut_newton_free(AbutNewton *newton);

/* Contacts of free bodies; those with links of robots keep their impulses in a Newton step. */
int32_t abut_newton_contacts(const AbutSimulation *sim, const AbutIsland *island);

/* newton_order.c: order of the bodies of an island, kept or found. 1: it is there; 0: the factor would cost too much
 * and no heavy body stands over light ones, or there is no memory (island->starved). Then: bodies know their places in
 * it.
 */
int abut_newton_order(AbutSimulation *sim, AbutIsland *island, AbutNewton *newton);
void abut_newton_number(AbutSimulation *sim, const AbutNewtonOrder *order);
uint64_t abut_newton_key(const AbutSimulation *sim, const AbutIsland *island); /* of who touches whom */

/* newton.c */
int abut_newton_begin(AbutSimulation *sim, AbutIsland *island, int worker); /* its order; 0: no Newton step for it */
int abut_newton_step(AbutSimulation *sim, const AbutIsland *island, int worker); /* 0: none was taken */
void abut_newton_undo(AbutSimulation *sim, const AbutIsland *island, int worker);

/* tree_newton.c: the same for islands with robots, all that acts in them at once. 0: too large, or mostly a pile. */
int abut_tree_newton_fits(AbutSimulation *sim, AbutIsland *island);
int abut_tree_newton_step(AbutSimulation *sim, AbutIsland *island, int first, int worker); /* 0: none was taken */
void abut_tree_newton_undo(AbutSimulation *sim, const AbutIsland *island, int worker);
int abut_tree_newton_runs_wild(const AbutSimulation *sim, const AbutIsland *island, int worker);
void abut_tree_newton_free(AbutTreeNewton *newton);

#endif
