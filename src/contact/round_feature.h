/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The feature that a body shows to a contact: a point, a line, a flat polygon or a whole plane, with its height over
 * the contact plane. Places are in the contact plane about its origin, heights along the normal.
 */
#ifndef ABUT_CONTACT_ROUND_FEATURE_H
#define ABUT_CONTACT_ROUND_FEATURE_H

#include "contact/patch.h"
#include "contact/polygon2.h"

enum { ABUT_DISC_CORNERS = 8 };

/* The contact plane: origin and axes in the frame of A, e1, e2, normal right-handed. */
typedef struct AbutContactPlane {
    AbutVec3 origin, e1, e2, normal;
} AbutContactPlane;

typedef struct AbutShownFeature {
    int32_t kind;
    int count;                            /* corners: 2 of a line, any number of a polygon */
    AbutPoint2 corner[ABUT_DISC_CORNERS]; /* of lines and discs; polygons run counter-clockwise */
    double height[3];                     /* at the origin, slopes along e1, e2 */
    double radius;                        /* of curvature, infinite for flat bodies */
    const AbutConvex *body;               /* where the polygon is a face of this body ... */
    int face, backward;                   /* ... its number, and whether its corners run clockwise */
    AbutMat3 rotation;                    /* body to frame of A */
    AbutVec3 position;
} AbutShownFeature;

/* What A, or B, of the pair shows along the normal of the plane. */
AbutShownFeature abut_shown_feature(const AbutPatchPair *pair, int of_b, const AbutContactPlane *plane);

/* Corner i of a line or polygon. */
AbutPoint2 abut_feature_corner(const AbutShownFeature *feature, const AbutContactPlane *plane, int i);

static inline double abut_feature_height(const AbutShownFeature *feature, AbutPoint2 p) {
    return feature->height[0] + feature->height[1] * p.x + feature->height[2] * p.y;
}

#endif
