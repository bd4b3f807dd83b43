/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the derivative of one part of a step. Columns of all matrices: changes of place (n), of velocity (n),
 * inputs, parameters. A group is an island, or a body or tree that nothing touches: what is solved together.
 */
#ifndef ABUT_DERIVATIVE_DERIVATIVE_H
#define ABUT_DERIVATIVE_DERIVATIVE_H

#include "abut/derivative.h"
#include "base/pool.h"
#include "dynamics/solver_tree.h"

struct AbutDerivative {
    AbutSimulation *sim;
    AbutDerivativeDef def;
    AbutDerivativeParameter *parameter;
    int32_t ready; /* 1: the last step has a derivative */
    int32_t n, controls, inputs, parameters, columns;
    int32_t body_count, *body; /* free bodies that forces move: places, ascending */
    int32_t *first_of_body;    /* by body place: its first number; -1: none of its own */
    int32_t *first_of_tree;
    AbutPool pool;               /* of the lists above and the matrices below */
    double *solved;              /* [n][columns]: velocities after the solution of a part */
    double *mean;                /* the same: velocities of trees that their bias is taken at */
    double *expected;            /* [n]: velocities when it has moved */
    double *part, *total, *next; /* [2n][columns]: of a part; of all so far */
    double *out[3];              /* by state, input, parameter */
    AbutPool work;               /* of one part */
    int good;                    /* 0: no memory */
    AbutDerivativeBreak why;
    int32_t contact; /* place of the contact that broke; -1 */
    double residual;
    int32_t unique;
};

/* Rows that act together in a group: conditions J dv + by dx = 0 with impulses that change by -law (J dv + by dx). */
typedef struct AbutDerivativeRows {
    int32_t rows, count; /* rows in blocks of `block`; numbers of the group that they see */
    int32_t block;
    int32_t *at;                    /* numbers of the group, count of them */
    double *j;                      /* [rows][count] */
    double *by_place, *by_velocity; /* [rows][count] */
    double *by_other;               /* [rows][inputs + parameters]; NULL: nothing */
    double *law;                    /* [rows][block] */
    double *soft;                   /* what `law` has of its own, per row: taken out by the second pass */
} AbutDerivativeRows;

typedef struct AbutDerivativeGroup {
    AbutDerivative *d;
    double h;
    int32_t n, columns;       /* numbers; columns: 2 n, then inputs and parameters */
    int32_t *number;          /* of each: in the whole */
    int32_t *local;           /* by number in the whole: in the group; -1 (shared by all groups of a part) */
    double *matrix, *right;   /* [n][n], [n][columns] */
    AbutDerivativeRows *rows; /* as many as row_count; room for row_most */
    int32_t row_count, row_most;
} AbutDerivativeGroup;

/* How the patch of a contact changes when B moves against A, axes of body A: three ways, three turns about the center
 * of B. */
typedef struct AbutPatchRate {
    AbutVec3 normal[6];
    AbutVec3 point[ABUT_CONTACT_VERTICES][6], grip[ABUT_CONTACT_VERTICES][6]; /* where normal force and friction act */
    double thickness[ABUT_CONTACT_VERTICES][6];
    int smooth;
    int bends; /* 1: the surfaces bend; then where they are nearest after the step, world */
    AbutVec3 after_normal, after_a, after_b;
    double ahead; /* places are those of that much later */
} AbutPatchRate;

static inline double *abut_derivative_take(AbutDerivative *d, size_t count) {
    return abut_pool_take_array(&d->work, count, sizeof(double), &d->good);
}

void abut_derivative_breaks(AbutDerivative *d, AbutDerivativeBreak why, int32_t contact);

/* check.c */
AbutStatus abut_derivative_check(const AbutSimulation *sim, const AbutDerivativeDef *def, AbutError *error);

/* patch.c. */
void abut_patch_rate(AbutSimulation *sim, const AbutSolverContact *c, AbutPatchRate *out);

/* tree.c: what a tree has in a group, beginning at its number `first` there. */
typedef struct AbutTreeRate {
    int32_t first, nv; /* nv 0: it is not in the group */
    double *twist;     /* [links][6][nv]: of centers of mass at unchanged joint velocities, as places change */
} AbutTreeRate;
void abut_derivative_tree(AbutDerivativeGroup *g, int32_t tree, AbutTreeRate *rate);

/* contact.c: rows and explicit terms of a contact. `rates` by tree. */
void abut_derivative_contact(AbutDerivativeGroup *g, const AbutSolverContact *c, const AbutTreeRate *rates);

/* reach.c. Along twelve directions: way of the center of mass and turn of A, of B. The numbers of a group that move two
 * bodies (-1: none), and the twists they give; 0: none, or no memory. New rows of them, NULL: no memory. `from` as
 * columns of the rows; what links of trees do at unchanged joint velocities; [force and torque][direction]. */
enum { ABUT_BOTH_SIDES = 12 };
int abut_derivative_reach(
    AbutDerivativeGroup *g, const int32_t body[2], int32_t **at, double (**twist)[ABUT_BOTH_SIDES]);
AbutDerivativeRows *abut_derivative_rows(
    AbutDerivativeGroup *g, int32_t rows, int32_t block, int32_t count, int32_t *at);
void abut_derivative_spread(
    const AbutDerivativeRows *rows, double (*twist)[ABUT_BOTH_SIDES], double (*from)[ABUT_BOTH_SIDES], double *to);
void abut_derivative_swing(AbutDerivativeGroup *g, const int32_t body[2], double (*j)[ABUT_BOTH_SIDES],
    const AbutTreeRate *rates, AbutDerivativeRows *rows);
void abut_derivative_push(AbutDerivativeGroup *g, const AbutDerivativeRows *rows, double (*twist)[ABUT_BOTH_SIDES],
    double (*push)[ABUT_BOTH_SIDES]);

/* join.c: the same of a join. */
void abut_derivative_join(AbutDerivativeGroup *g, const AbutJoin *join, const AbutTreeRate *rates);

/* body.c: mass and explicit terms of a free body. */
void abut_derivative_body(AbutDerivativeGroup *g, int32_t place);

/* group.c */
void abut_derivative_groups(AbutDerivative *d, double h);

/* move.c: the part from what was solved; what the body itself adds. */
void abut_derivative_moves(AbutDerivative *d, double h);
void abut_derivative_moved(AbutDerivative *d);
#endif
