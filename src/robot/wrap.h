/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tendons: the shortest way around a sphere or cylinder, and lengths of paths with what changes them. World axes.
 */
#ifndef ABUT_ROBOT_WRAP_H
#define ABUT_ROBOT_WRAP_H

#include "abut/model.h"

/*
 * The string from `from` to `to` around a sphere or cylinder (ABUT_PATH_...) that stands at `place`, on the side of
 * `side` (NULL: the shorter one), or inside where that is nearer than the radius. 1: it wraps; out has where it touches
 * and leaves, *arc the length between the two. 0: it is straight.
 */
int abut_wrap(int kind, AbutPose place, double radius, AbutVec3 from, AbutVec3 to, const AbutVec3 *side,
    AbutVec3 out[2], double *arc);

/* Where a body of the model is (-1: the world). */
typedef AbutPose AbutPathPose(const void *user, int32_t body);

/* The length grows by pull.x when the point of the body moves by x. */
typedef struct AbutPathPull {
    int32_t body;
    AbutVec3 point, pull;
} AbutPathPull;

typedef void AbutPathVisit(void *user, const AbutPathPull *pull);

/* The length of the path of a tendon. `visit` (NULL: none) gets the pulls of all its straight parts. */
double abut_path_length(
    const AbutTendonDef *def, AbutPathPose *pose, const void *bodies, AbutPathVisit *visit, void *user);

#endif
