/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two files of the reader of planning scenes: the message, and what is made of it. */
#ifndef ABUT_SRC_FILE_PLANNING_SCENE_H
#define ABUT_SRC_FILE_PLANNING_SCENE_H

#include "abut/file.h"
#include "json/ros_message.h"

typedef struct AbutSceneReader {
    const AbutJsonText *json;
    AbutError *error;
    const AbutJsonNode *scene; /* the PlanningScene */
    const AbutJsonNode *world; /* the PlanningSceneWorld in it, or alone */
    int search;                /* 1: meshes that are not convex get what a search takes */
    AbutModel *robot;
    AbutPlanningScene *out;
    AbutPose base; /* where the robot stands in the planning frame */
} AbutSceneReader;

AbutStatus abut_scene_fail(const AbutSceneReader *r, const AbutJsonNode *node, const char *expected, const char *got);

/* Where a frame is, by the name in the header of a message, in the coordinates of the robot's model. */
AbutStatus abut_scene_frame(AbutSceneReader *r, const AbutJsonNode *message, AbutPose *out);

/* The shapes of a CollisionObject, as a new body: of the obstacles, or with a link of the robot on that one. */
AbutStatus abut_scene_object(AbutSceneReader *r, const AbutJsonNode *object, int32_t link);

#endif
