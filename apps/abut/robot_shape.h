/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut robot` says about the shapes of a robot: nearest pairs, fitted capsules. */
#ifndef ABUT_CLI_ROBOT_SHAPE_H
#define ABUT_CLI_ROBOT_SHAPE_H

#include "robot.h"

/* Pairs of bodies that may meet, nearest first, in the state of the robot; to be freed with abut_free. CLI_GO, or
 * CLI_BAD after one line. */
typedef struct RobotPair {
    AbutSceneDistance d;
    double depth; /* of meshes that meet; NaN: not known */
} RobotPair;

void robot_distances(const Robot *robot, AbutScene **scene, RobotPair **out, int32_t *count);
void robot_print_distances(const AbutScene *scene, const RobotPair *pairs, int32_t count);
void robot_put_distances(const AbutScene *scene, const RobotPair *pairs, int32_t count, AbutJson *json);
extern const AbutRecord robot_pair_record;

/* A capsule around the shapes of each body, as CSV where `path` is not NULL; and a page of the robot in its state with
 * these, and with lines between the nearest pairs, where `page` is not NULL. */
void robot_write_shapes(
    const Robot *robot, const char *path, const char *page, const RobotPair *pairs, int32_t pair_count);

#endif
