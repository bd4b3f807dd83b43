/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A robot that moves: the links of a model as a chain of joints that follow random quintics over 0 .. 1, and a body for
 * each link with shapes. Free bodies stand at their pose.
 */
#ifndef ABUT_TESTS_MOVING_ROBOT_H
#define ABUT_TESTS_MOVING_ROBOT_H

#include "abut/clearance.h"
#include "abut/model.h"

enum { ROBOT_BODIES = 128, ROBOT_JOINTS = 512, ROBOT_HULLS = 512, ROBOT_PAIRS = 64 };

typedef struct MovingRobot {
    const AbutModel *model;
    AbutChain chain;
    AbutChainJoint joint[ROBOT_JOINTS];
    AbutCurvePiece piece[ROBOT_JOINTS];
    int32_t joint_of[ROBOT_JOINTS]; /* joint of the model that moves a joint of the chain, -1: none */
    int32_t link[ROBOT_BODIES];     /* joint of the chain that carries a body */
    AbutPolyhedron *hull[ROBOT_HULLS];
    int32_t hull_count;
    AbutMeshTree *tree[ROBOT_BODIES];  /* of meshes, else NULL */
    AbutCapsule capsule[ROBOT_BODIES]; /* of capsules */
    AbutMover mover[ROBOT_BODIES];
    int shaped[ROBOT_BODIES]; /* 0: a body without shapes */
    AbutPair pair[ROBOT_PAIRS];
    int32_t pair_count;
} MovingRobot;

/* Links as unions of hulls, as meshes of their surfaces, or as a capsule around all hulls of a link. */
typedef enum RobotForm { ROBOT_OF_HULLS = 0, ROBOT_OF_MESHES, ROBOT_OF_CAPSULES } RobotForm;

/* mirrored: everything as seen in a mirror across y. 0 on failure, with the reason. */
int moving_robot_make(const AbutModel *model, RobotForm form, int mirrored, MovingRobot *out, AbutError *error);
void moving_robot_free(MovingRobot *robot);

/* New curves: each joint stays within `most` of the middle of its range, or of its reference. */
void moving_robot_curves(MovingRobot *robot, AbutRng *rng, double most);

/* The pairs of bodies with these names, those that exist and have shapes. */
void moving_robot_pairs(MovingRobot *robot, int count, const char *const names[][2]);

/* The pairs of a humanoid that Lee's thesis asks about, by the names of TALOS. */
enum { TALOS_PAIRS = 19 };
extern const char *const talos_pairs[TALOS_PAIRS][2];

#endif
