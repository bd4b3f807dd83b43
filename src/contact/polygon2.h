/* SPDX-License-Identifier: Apache-2.0 */
/* Convex polygons in the contact plane, any number of corners; corners run counter-clockwise. */
#ifndef ABUT_CONTACT_POLYGON2_H
#define ABUT_CONTACT_POLYGON2_H

#include "abut/math.h"

typedef struct AbutPoint2 {
    double x, y;
} AbutPoint2;

/* Bytes of room that the functions below need for n points. */
static inline size_t abut_polygon_room(size_t n) { return (2 * n + 2) * sizeof(AbutPoint2); }

/* Area, centroid and central second moments per area; a polygon without area is taken as its corners. */
typedef struct AbutPolygonMoments {
    double area, cx, cy, xx, xy, yy;
} AbutPolygonMoments;

AbutPolygonMoments abut_polygon_moments(const AbutPoint2 *p, int n);

/* Convex hull of points in place; gives the count. */
int abut_polygon_hull(AbutPoint2 *p, int n, void *room);

/* Joins neighbors closer than `tolerance` into their mean; gives the count. */
int abut_polygon_merge(AbutPoint2 *p, int n, double tolerance, void *room);

/* Drops the corner whose loss costs the least area until at most `most` are left; gives the count. */
int abut_polygon_thin(AbutPoint2 *p, int n, int most, void *room);

/* Mean distance from the centroid over the area, divided by that over the corners; 1 for a polygon without area. */
double abut_polygon_spread(const AbutPoint2 *p, int n, AbutPolygonMoments m);

#endif
