/* SPDX-License-Identifier: Apache-2.0 */
/* What the built-in scenes share: the state of building one, and its pieces. */
#ifndef ABUT_MODEL_BUILTIN_SCENE_H
#define ABUT_MODEL_BUILTIN_SCENE_H

#include "abut/model.h"

typedef struct AbutBuild {
    AbutModel *model;
    AbutRng rng;
    double number; /* the argument */
    AbutError *error;
    double
        friction; /* of joints of robots, as a part of the force of their servos, which they have not then; 0: none */
    int round;    /* 1: links of robots are rounded hulls of many vertices instead of boxes */
} AbutBuild;

AbutStatus abut_build_ground(AbutBuild *build, AbutPose pose, double friction);
/* A body with one shape; the name is `stem` and `number` (none when negative). */
AbutStatus abut_build_body(
    AbutBuild *build, const AbutBodyDef *body, const AbutShapeDef *shape, const char *stem, int number);
/* The box of 0.2 x 0.1 x 0.05 m and 1 g that most scenes are made of. */
AbutBodyDef abut_build_box_body(AbutPose pose);
AbutShapeDef abut_build_box_shape(void);
AbutStatus abut_build_box(AbutBuild *build, AbutPose pose, int number);

AbutStatus abut_build_boxes(AbutBuild *build);
AbutStatus abut_build_bin(AbutBuild *build);
AbutStatus abut_build_hulls(AbutBuild *build);
AbutStatus abut_build_balls(AbutBuild *build);
AbutStatus abut_build_shapes(AbutBuild *build);
AbutStatus abut_build_roll(AbutBuild *build);
AbutStatus abut_build_bowling(AbutBuild *build);
AbutStatus abut_build_coin(AbutBuild *build);
AbutStatus abut_build_conveyor(AbutBuild *build);
AbutStatus abut_build_edge(AbutBuild *build);
AbutStatus abut_build_drop(AbutBuild *build);
AbutStatus abut_build_stack(AbutBuild *build);
AbutStatus abut_build_heavy(AbutBuild *build);
AbutStatus abut_build_incline(AbutBuild *build);
AbutStatus abut_build_slide(AbutBuild *build);
AbutStatus abut_build_spin(AbutBuild *build);
AbutStatus abut_build_bridge(AbutBuild *build);
AbutStatus abut_build_pyramid(AbutBuild *build);
AbutStatus abut_build_wall(AbutBuild *build);
AbutStatus abut_build_arch(AbutBuild *build);
AbutStatus abut_build_domino(AbutBuild *build);

AbutStatus abut_build_loops(AbutBuild *build);
AbutStatus abut_build_delta(AbutBuild *build);
AbutStatus abut_build_rope(AbutBuild *build);
AbutStatus abut_build_net(AbutBuild *build);
AbutStatus abut_build_squeeze(AbutBuild *build);
AbutStatus abut_build_humanoid_friction(AbutBuild *build);

AbutStatus abut_build_planar_arm(AbutBuild *build);
AbutStatus abut_build_arm6(AbutBuild *build);
AbutStatus abut_build_arm_gripper(AbutBuild *build);
AbutStatus abut_build_two_arms(AbutBuild *build);
AbutStatus abut_build_gripper(AbutBuild *build);
AbutStatus abut_build_hand16(AbutBuild *build);
AbutStatus abut_build_biped(AbutBuild *build);
AbutStatus abut_build_humanoid(AbutBuild *build);
AbutStatus abut_build_humanoid_mesh(AbutBuild *build);

#endif
