/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of ROS 1 and 2 as nodes of JSON: their times, poses and lists, and messages inside others. */
#ifndef ABUT_SRC_JSON_ROS_MESSAGE_H
#define ABUT_SRC_JSON_ROS_MESSAGE_H

#include "abut/math.h"
#include "json/read.h"

/* A member of a message, or NULL; the first of several words with blanks between that is there. */
const AbutJsonNode *abut_ros_member(const AbutJsonText *json, const AbutJsonNode *message, const char *words);

/* The message inside others, through members of these names, that has a member `has`; NULL: there is none. Arrays
 * count where they have one element. */
const AbutJsonNode *abut_ros_find(
    const AbutJsonText *json, const AbutJsonNode *message, const char *inside, const char *has);

/* Elements of a list, which may be missing; -1 after an error. */
int32_t abut_ros_count(const AbutJsonText *json, const AbutJsonNode *list, AbutError *error);

/* As many numbers as that. Lists that a tool has cut short are named. */
AbutStatus abut_ros_numbers(
    const AbutJsonText *json, const AbutJsonNode *list, int32_t count, double *out, AbutError *error);

/* A text, or "" where the member is missing. */
AbutStatus abut_ros_text(
    const AbutJsonText *json, const AbutJsonNode *message, const char *member, const char **out, AbutError *error);

/* Seconds of {sec, nanosec} or {secs, nsecs}; missing parts are 0. */
AbutStatus abut_ros_seconds(const AbutJsonText *json, const AbutJsonNode *time, double *out, AbutError *error);

/* A geometry_msgs/Pose, or a Transform; a missing one, and a quaternion of zeros, is as good as none. */
AbutStatus abut_ros_pose(const AbutJsonText *json, const AbutJsonNode *pose, AbutPose *out, AbutError *error);

#endif
