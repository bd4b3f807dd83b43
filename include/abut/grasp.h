/* SPDX-License-Identifier: Apache-2.0 */
/* grasp: the contacts of a scene as a system of contact modes, and how contacts hold a body. */
#ifndef ABUT_GRASP_H
#define ABUT_GRASP_H

#include "abut/mode.h"
#include "abut/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- modes of a list of contacts --------------------------------------------------------------------------------- */

/*
 * The contacts of abut_scene_find_contacts with features as rows of a mode system, whose tolerance comes from the gaps
 * of the contacts: one point contact per vertex of each contact polygon, in their order, with its first tangent
 * abut_perpendicular(normal). The velocities are those of the scene, less those that follow from the equalities of
 * robots: in the order of the scene, six per free body, of the center of mass, then angular, world axes; and in place
 * of the root of a tree of links those of its joints, in the order of abut/robot.h. Kinematic bodies count as fixed.
 * Joint limits are not rows. Release with abut_mode_system_free.
 */
ABUT_API AbutStatus abut_scene_mode_system(
    const AbutScene *scene, const AbutContactList *contacts, int lines, AbutModeSystem *out, AbutError *error);

/* Number of all velocities of a scene, equalities or not. */
ABUT_API int abut_scene_mode_dof(const AbutScene *scene);

/*
 * All velocities x of a scene from those of the system: x = basis y, abut_scene_mode_dof rows of *count numbers, at the
 * present poses. They keep coupled joints, connect and weld. Free *basis with abut_free; it is NULL, and *count the
 * number of all, if there are no equalities.
 */
ABUT_API AbutStatus abut_scene_mode_basis(const AbutScene *scene, double **basis, int *count, AbutError *error);

/* Forces and masses of the mode system, in its velocities (dof); each array may be NULL. */
typedef struct AbutSceneForces {
    double *force;    /* dof: weights less gravity compensation, without springs and motors */
    double *velocity; /* dof */
    double *mass;     /* dof x dof; joints include their armature */
    double *friction; /* static, one per vertex of the contacts */
} AbutSceneForces;

ABUT_API AbutStatus abut_scene_mode_forces(const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity,
    const AbutSceneForces *out, AbutError *error);

/*
 * The present mode of the bodies: signs of the velocities at the contacts, including those of kinematic bodies; up to
 * `speed` (m/s) counts as zero. A vertex that moves inwards counts as contacting. `out` has room for abut_mode_words of
 * the system in each set.
 */
ABUT_API AbutStatus abut_scene_mode(
    const AbutScene *scene, const AbutContactList *contacts, int lines, double speed, AbutMode out, AbutError *error);

/* ---- grasps ------------------------------------------------------------------------------------------------------ */

/*
 * How contacts hold a free body. A vertex of a contact polygon is a contact with three force numbers: along its normal
 * into the body, along abut_perpendicular of the contact's normal, and across both.
 */
typedef struct AbutGrasp {
    int contacts;   /* vertices that touch the body */
    int velocities; /* of abut_scene_mode_dof */
    double *matrix; /* 6 x 3 contacts: wrench on the body (force, torque about its center of mass) of unit forces */
    double
        *jacobian; /* 3 contacts x velocities: velocity of the touching body there; 0 in the columns of the held body */
    double *friction;      /* per contact */
    int rank;              /* of the matrix */
    double least_singular; /* least singular value of the matrix, with torques divided by the reach of the contacts */
    int closure;           /* 1: forces within pyramids of friction of eight sides resist every wrench */
    void *memory;
} AbutGrasp;

/* For a dynamic body without joints; release with abut_free(out->memory). A contact is kept if matrix^T (twist of the
 * body) = jacobian x. */
ABUT_API AbutStatus abut_scene_grasp(
    const AbutScene *scene, const AbutContactList *contacts, AbutBodyId body, AbutGrasp *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
