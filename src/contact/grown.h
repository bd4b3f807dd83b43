/* SPDX-License-Identifier: Apache-2.0 */
/* Private: convex bodies grown by the margin of contact, and the contact of two of them. */
#ifndef ABUT_CONTACT_GROWN_H
#define ABUT_CONTACT_GROWN_H

#include "abut/contact.h"

/* A convex body grown by the margin of contact, in its own frame: what contacts are made of. */
typedef struct AbutGrownBody {
    AbutConvex convex;                /* grown */
    AbutConvex body;                  /* as it was; a polyhedron is that of the caller, who keeps it */
    const AbutPolyhedron *polyhedron; /* the grown one with its faces; NULL for half-spaces and round bodies */
    double margin;
    double size;   /* cube root of the volume before growing; infinite for a half-space */
    double reach;  /* of the grown body, from the center of the bounding sphere before growing; likewise infinite */
    int32_t round; /* 1: sphere, capsule, cylinder, cone or ellipsoid; its contacts come from the exact distance */
    int32_t open;  /* 1: begun and not finished: convex, polyhedron and reach are missing */
} AbutGrownBody;

/* From a box, a polyhedron with volume, a half-space, or a sphere, capsule, cylinder, cone or ellipsoid with volume;
 * 0 <= margin. Boxes and polyhedra are not rounded. Free with abut_grown_body_free. */
AbutStatus abut_grown_body_create(const AbutConvex *body, double margin, AbutGrownBody *out, AbutError *error);

/* As above, in two parts: polyhedra, which take long, stay open until they are finished. */
AbutStatus abut_grown_body_begin(const AbutConvex *body, double margin, AbutGrownBody *out, AbutError *error);
AbutStatus abut_grown_body_finish(AbutGrownBody *body, AbutError *error);

void abut_grown_body_free(AbutGrownBody *body); /* leaves an empty one, which may be freed again */

/* Bytes of memory that the contact of two grown bodies needs. */
size_t abut_contact_workspace_size(const AbutGrownBody *a, const AbutGrownBody *b);

/* Two grown bodies placed in one frame, as the world. */
typedef struct AbutGrownPair {
    const AbutGrownBody *a, *b;
    AbutPose pose_a, pose_b;
} AbutGrownPair;

/*
 * The contact of two grown bodies at their poses: 1 and the contact, in the frame of the poses, without bodies and
 * shapes; 0 when they are farther apart than their margins together; -1 when that is not decided (a pose that is not
 * finite, two half-spaces, a workspace that is too small). Volume and center are those of the overlap, whatever the
 * number of corners; the area is that of its shadow, without faces that lie along the normal to one part in a hundred.
 * The polygon is reduced to its ABUT_CONTACT_VERTICES most telling corners.
 *
 * With a round body the contact comes from the exact distance: normal and depth are those of the distance, and the
 * vertices a point, the two ends of a line, or eight corners of a disc, those of them that lie within the margins. Area
 * and volume are then those of a ball, a rod or a disc of the body's radius.
 */
int abut_contact_find(const AbutGrownPair *pair, void *workspace, size_t workspace_size, AbutContact *out);

#endif
