/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines legal bodies, shapes, joints and pairs, for models and scenes. A check makes a given inertia
 * symmetric, and fails with one line that names the thing.
 */
#ifndef ABUT_MODEL_CHECK_H
#define ABUT_MODEL_CHECK_H

#include "model/geometry.h"

/* `what` begins the message. */
AbutStatus abut_check_pose(const char *what, const AbutPose *pose, AbutError *error);

/* All but the parent, which is for the model to know. */
AbutStatus abut_check_body(AbutBodyDef *def, AbutError *error);

/* Checks a shape of the body of this name, which forces move or not, and gives it its geometry: its own, retained, or
 * one of the set. On success the geometry is to be released, and form says what it is. */
AbutStatus abut_check_shape(AbutGeometrySet *set, const char *body, int movable, AbutShapeDef *def, AbutError *error);

AbutStatus abut_check_joint(AbutJointDef *def, AbutError *error);

/* Static and kinetic friction of a pair of shapes. */
/* Are all numbers of a material in their range? `what` begins the message. */
AbutStatus abut_check_material(const char *what, const AbutMaterial *material, AbutError *error);
AbutStatus abut_check_pair_friction(double friction, double friction_kinetic, AbutError *error);
AbutStatus abut_check_pair(const AbutPairDef *def, AbutError *error); /* what two shapes have with each other */

/* Inverse of a symmetric positive definite matrix of any scale; 0 when it is none. */
int abut_invert_inertia(AbutMat3 inertia, AbutMat3 *out);

#endif
