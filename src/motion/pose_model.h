/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: Taylor models of poses. Over an interval of time, s running from -1 to 1, a rotation and a translation are
 * polynomials of degree 5 with bounds of what they leave out; every true pose lies within them.
 */
#ifndef ABUT_MOTION_POSE_MODEL_H
#define ABUT_MOTION_POSE_MODEL_H

#include "abut/motion.h"

enum { ABUT_MODEL_TERMS = ABUT_CURVE_DEGREE + 1 };

/* A number: c[0] + c[1] s + ... +- error. */
typedef struct AbutTaylor {
    double c[ABUT_MODEL_TERMS], error;
} AbutTaylor;

/* |R true - R polynomial| <= error_r as an operator, |T true - T polynomial| <= error_t. */
typedef struct AbutPoseModel {
    AbutMat3 r[ABUT_MODEL_TERMS];
    AbutVec3 t[ABUT_MODEL_TERMS];
    double error_r, error_t;
    int32_t turning; /* r[k] is zero from this k on: 1 for a rotation that stays */
} AbutPoseModel;

void abut_taylor_sin_cos(const AbutTaylor *angle, AbutTaylor *sine, AbutTaylor *cosine);

/* The model of a motion over a .. e, in which it has no break (abut_motion_next_break). */
void abut_motion_model(const AbutMotion *motion, double a, double e, AbutPoseModel *out);

/* The model of a link from that of its parent, in place, for callers that keep them; it begins with the outer frame. */
void abut_model_identity(AbutPoseModel *pose);
void abut_model_joint(AbutPoseModel *pose, const AbutChainJoint *joint, double a, double e);

/* pose * (move by p) */
void abut_model_move(AbutPoseModel *pose, AbutVec3 p);

/* inverse(b) * a */
void abut_model_between(const AbutPoseModel *b, const AbutPoseModel *a, AbutPoseModel *out);

/* The piece of keyframes that holds from t on, as a motion without keyframes; other motions as they are. */
AbutMotion abut_motion_piece(const AbutMotion *motion, double t);

#endif
