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
 * abut_perpendicular(normal). The velocities are, in the order of the scene, six per free body, of the center of mass,
 * then angular, world axes; and where the root of links with joints stands those of its joints, as abut/robot.h has
 * them. Kinematic bodies count as standing. Limits of joints are no rows; velocities that keep equalities are those of
 * abut_scene_mode_basis. Release with abut_mode_system_free.
 */
ABUT_API AbutStatus abut_scene_mode_system(
    const AbutScene *scene, const AbutContactList *contacts, int lines, AbutModeSystem *out, AbutError *error);
ABUT_API int abut_scene_mode_dof(const AbutScene *scene);

/*
 * The velocities that keep the equalities of robots, where the bodies are: coupled joints, connect and weld. x = basis
 * y with dof rows of *count numbers; the y are velocities of the system, and the others follow from them. For
 * abut_mode_system_restrict; forces become basis^T f, masses basis^T M basis. Free *basis with abut_free; it is NULL,
 * and *count the dof, where there are no equalities.
 */
ABUT_API AbutStatus abut_scene_mode_basis(const AbutScene *scene, double **basis, int *count, AbutError *error);

/* Forces on that system; each array may be NULL. */
typedef struct AbutSceneForces {
    double *force;    /* dof: weights, less what is compensated; springs and motors are not in it */
    double *velocity; /* dof */
    double *mass;     /* dof x dof; of joints with their armature */
    double *friction; /* static, one per vertex of the contacts */
} AbutSceneForces;

ABUT_API void abut_scene_mode_forces(
    const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity, const AbutSceneForces *out);

/*
 * Leaves out the velocities that equalities give: *system becomes one of the velocities that keep them (its old rows
 * are freed), and the arrays of `forces` follow in place. *basis is that of abut_scene_mode_basis, NULL where nothing
 * changed.
 */
ABUT_API AbutStatus abut_scene_mode_restrict(
    const AbutScene *scene, AbutModeSystem *system, const AbutSceneForces *forces, double **basis, AbutError *error);

/*
 * The mode that the bodies are in: signs of the velocities at the contacts, kinematic bodies with theirs, those up to
 * `speed` (m/s) as zero. A vertex that moves inwards counts as contacting. `out` has room for abut_mode_words of the
 * system in each set.
 */
ABUT_API AbutStatus abut_scene_mode(
    const AbutScene *scene, const AbutContactList *contacts, int lines, double speed, AbutMode out, AbutError *error);

/* ---- grasps ------------------------------------------------------------------------------------------------------ */

/*
 * How contacts hold a free body. A vertex of a contact polygon is a contact with three force numbers: along its normal
 * into the body, along abut_perpendicular of the contact's normal, and across both.
 */
typedef struct AbutGrasp {
    int contacts;     /* vertices that touch the body */
    int velocities;   /* of abut_scene_mode_system */
    double *matrix;   /* 6 x 3 contacts: wrench on the body (force, torque about its center of mass) of unit forces */
    double *jacobian; /* 3 contacts x velocities: velocity of what touches it there; 0 in the columns of the body */
    double *friction; /* per contact */
    int rank;         /* of the matrix */
    double least_singular; /* least singular value of the matrix, torques over the reach of the contacts */
    int closure;           /* 1: forces within pyramids of friction of eight sides resist every wrench */
    void *memory;
} AbutGrasp;

/* Of a body without joints that forces move; release with abut_free(out->memory). A contact keeps when matrix^T (twist
 * of the body) = jacobian x. */
ABUT_API AbutStatus abut_scene_grasp(
    const AbutScene *scene, const AbutContactList *contacts, AbutBodyId body, AbutGrasp *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
