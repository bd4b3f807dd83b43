/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration inside. Bodies that are welded together form one link; links hang on each other by joints, parents
 * first; links that hang on the world are the roots of trees. Every tree has its own point O, the origin of its root
 * link, about which all its spatial vectors are.
 *
 * Rows of M hold the ancestors of a degree of freedom, root first and itself last: entry k of row i, at row[i] + k, is
 * the column ancestor[row[i] + k]. L has the same places.
 */
#ifndef ABUT_ROBOT_CONFIGURATION_H
#define ABUT_ROBOT_CONFIGURATION_H

#include "abut/robot.h"
#include "solve/solve.h"
#include "base/pool.h"
#include "robot/spatial.h"

typedef enum AbutMoveKind {
    ABUT_MOVE_HINGE = 0, /* as AbutJointKind */
    ABUT_MOVE_SLIDE,
    ABUT_MOVE_BALL,
    ABUT_MOVE_FREE
} AbutMoveKind;

typedef struct AbutMove {
    AbutMoveKind kind;
    int32_t joint; /* of the model; -1: a dynamic body */
    int32_t link;
    int32_t position, velocity; /* first places */
    int32_t force_limited;
    AbutVec3 at, axis; /* in the frame of the link */
    double reference, stiffness, spring_reference;
} AbutMove;

typedef struct AbutLink {
    int32_t parent; /* -1: the world */
    int32_t body;   /* the outermost of its bodies */
    int32_t tree;
    int32_t first_move, move_count, first_dof, dof_count;
    int32_t last;   /* last degree of freedom from the root to here */
    AbutPose fixed; /* in the parent */
    double mass, lifted_mass;
    AbutVec3 center, lifted_center; /* lifted: mass whose weight is compensated, and its centre */
    AbutMat3 inertia;               /* about the centre, link axes */
    /* state */
    AbutPose pose;
    AbutMat3 axes;
    AbutInertia about; /* about O */
    AbutSpatial velocity, acceleration, force;
} AbutLink;

/* Of a tree. */
typedef struct AbutTree {
    int32_t root;
    AbutVec3 origin; /* O */
} AbutTree;

/* One degree of freedom. */
typedef struct AbutDof {
    int32_t parent, depth, link; /* depth: number of those from the root to here, itself included */
    int32_t group;               /* those of one ball, or of one half of a free body, share a number */
    int32_t prismatic;           /* 1: of the linear half of a free body */
    double damping, armature;
} AbutDof;

typedef struct AbutBodyPlace {
    int32_t link;               /* -1: does not move */
    int32_t position, velocity; /* of a dynamic body, else -1 */
    AbutPose pose;              /* in the link, or in the world */
} AbutBodyPlace;

enum { ABUT_IK_ROWS = 6 * ABUT_IK_TASKS };

/* Of a subtree: what a change of velocity does to its force, as 12 numbers (dynamics_derivative.c). */
typedef struct AbutRate {
    AbutMat3 turn;
    AbutVec3 momentum;
} AbutRate;

struct AbutConfiguration {
    const AbutModel *model;
    AbutPool pool;
    int32_t nq, nv, link_count, move_count, tree_count, depth;
    double mass;
    AbutLink *links;
    AbutMove *moves;
    AbutTree *trees;
    AbutDof *dofs;
    AbutBodyPlace *bodies; /* per body of the model */
    int32_t *move_of;      /* per joint of the model */
    double *q, *v;
    AbutSpatial *axes;       /* per degree of freedom */
    int32_t *row, *ancestor; /* row: nv + 1 */
    double *matrix, *factor, *inverse_diagonal;
    AbutInertia *composite; /* per link */
    double *work, *work2;   /* nv each */
    int factored;           /* of the present positions */
    int summed;             /* composite inertias are those of the present positions */
    /* articulated inertias: per link, then per degree of freedom */
    AbutMat6 *articulated;
    AbutSpatial *resistance, *drift, *column;
    double *pivot, *drive;
    /* derivatives: per degree of freedom, then per link */
    AbutSpatial *swing, *surge, *sway;
    AbutRate *rates;
    /* inverse kinematics: ABUT_IK_ROWS rows of nv, the normal matrix, and vectors of nv, nq */
    double *ik_rows, *ik_matrix, *ik_step, *ik_best;
    uint8_t *ik_held; /* nv */
};

/* kinematics.c: poses, axes and inertias from q; velocities from v. */
void abut_robot_update(AbutConfiguration *c);
void abut_robot_velocities(AbutConfiguration *c);

/* configuration_state.c: so many numbers, all of them finite? `what` names them. */
AbutStatus abut_robot_check_numbers(
    const char *what, int32_t wanted, int32_t count, const double *numbers, AbutError *error);

/* inverse.c: torques of the accelerations (NULL: none). */
void abut_robot_inverse(AbutConfiguration *c, const double *accelerations, double *torques);
void abut_robot_springs(const AbutConfiguration *c, double *out); /* adds springs and gravity compensation */

/* mass_matrix.c */
void abut_robot_sum_inertias(AbutConfiguration *c);
void abut_robot_factor(AbutConfiguration *c); /* M and M = L^T L, unless they are there */

/*
 * The same for M with something added to its diagonal: what damping and springs do in an implicit step. Velocities v
 * become z = L v, of which the energy is |z|^2 / 2; forces f become L^-T f (solve_up), and z leads back by L^-1
 * (solve_down).
 */
void abut_robot_factor_with(AbutConfiguration *c, const double *diagonal);
void abut_robot_apply_factor(const AbutConfiguration *c, const double *x, double *out); /* L x; not in place */
void abut_robot_solve_up(const AbutConfiguration *c, double *x);
void abut_robot_solve_down(const AbutConfiguration *c, double *x);

/* articulated.c */
void abut_robot_articulated(AbutConfiguration *c, const double *torques, double *accelerations);

#endif
