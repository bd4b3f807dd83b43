/* SPDX-License-Identifier: Apache-2.0 */
/* Contact points of the point-contact model. */
#ifndef ABUT_DYNAMICS_POINTS_H
#define ABUT_DYNAMICS_POINTS_H

#include "dynamics/sim.h"

enum { ABUT_MAX_FOUND_POINTS = 96 };

typedef struct AbutFoundPoint {
    AbutVec3 place, normal; /* frame of B; the normal points to A */
    double depth;
} AbutFoundPoint;

typedef struct AbutPointSet {
    int count;
    AbutFoundPoint point[ABUT_MAX_FOUND_POINTS];
} AbutPointSet;

/* Points of the pair whose overlap was just computed in `space`, at most ABUT_MAX_CONTACT_VERTICES, at least one. */
void abut_find_points(const AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutPatch *patch,
    AbutPointSet *set);

#endif
