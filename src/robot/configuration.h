/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration inside: a tree of joints and a state. Every root has a point O of its own, the origin of the root
 * link, about which all spatial vectors of its links are. M and L have the rows of the tree.
 */
#ifndef ABUT_ROBOT_CONFIGURATION_H
#define ABUT_ROBOT_CONFIGURATION_H

#include "solve/solve.h"
#include "robot/spatial.h"
#include "robot/tree.h"

/* Where a link is, and how it moves. */
typedef struct AbutLinkState {
    AbutPose pose;
    AbutMat3 axes;
    AbutInertia about; /* about O, along world axes; see `massed` */
    AbutSpatial velocity, acceleration, force;
} AbutLinkState;

enum { ABUT_IK_ROWS = 6 * ABUT_IK_TASKS };

/* For a subtree: the effect of a change of velocity on its force, as 12 numbers (dynamics_derivative.c). */
typedef struct AbutRate {
    AbutMat3 turn;
    AbutVec3 momentum;
} AbutRate;

struct AbutConfiguration {
    const AbutTree *tree; /* retained */
    AbutPool pool;
    AbutVec3 gravity;      /* of the model, unless a simulation has another one */
    AbutLinkState *states; /* per link */
    AbutVec3 *origins;     /* O, per root */
    double *q, *v;
    AbutSpatial *axes; /* per degree of freedom */
    double *matrix, *factor, *inverse_diagonal;
    AbutInertia *composite; /* per link */
    double *work, *work2;   /* nv each */
    int massed;             /* inertias of links are those of the present positions */
    int factored;           /* so is the factor */
    int summed;             /* and the composite inertias */
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

/* One without the memory of inverse kinematics, articulated inertias and derivatives, which simulations do not need. */
AbutStatus abut_configuration_create_lean(const AbutTree *tree, AbutConfiguration **out, AbutError *error);

/* kinematics.c: poses and axes from q; velocities from v; inertias, which kinematics alone does not need. */
void abut_robot_place(AbutConfiguration *c);
void abut_robot_place_inertias(AbutConfiguration *c);
void abut_robot_update(AbutConfiguration *c); /* both */
void abut_robot_velocities(AbutConfiguration *c);
AbutInertia abut_robot_link_inertia(const AbutConfiguration *c, int32_t link);

/* The inertia that is placed, or else what it would be, in `spare`. */
static inline const AbutInertia *abut_robot_inertia(const AbutConfiguration *c, int32_t link, AbutInertia *spare) {
    if (c->massed) return &c->states[link].about;
    *spare = abut_robot_link_inertia(c, link);
    return spare;
}

/* configuration_state.c: so many numbers, all of them finite? `what` names them. */
AbutStatus abut_robot_check_numbers(
    const char *what, int32_t wanted, int32_t count, const double *numbers, AbutError *error);

/* inverse.c: torques of the accelerations (NULL: none). */
void abut_robot_inverse(AbutConfiguration *c, const double *accelerations, double *torques);
void abut_robot_lift(const AbutConfiguration *c, double *out);    /* adds gravity compensation alone */
void abut_robot_springs(const AbutConfiguration *c, double *out); /* adds springs and gravity compensation */
double abut_robot_spring_energy(const AbutConfiguration *c);      /* potential of these forces, J */

/* mass_matrix.c */
void abut_robot_sum_inertias(AbutConfiguration *c);
void abut_robot_factor(AbutConfiguration *c); /* M and M = L^T L, unless they are there */

/*
 * As above, for M with an added diagonal: damping and springs in an implicit step. Velocities v
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
