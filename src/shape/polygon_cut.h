/* SPDX-License-Identifier: Apache-2.0 */
/* Polygons in space cut into triangles. */
#ifndef ABUT_SHAPE_POLYGON_CUT_H
#define ABUT_SHAPE_POLYGON_CUT_H

#include "abut/shape.h"

/*
 * Cuts the polygon of `count` corners into count - 2 triangles that run the same way round: a fan when it is convex,
 * ears otherwise. `scratch` has abut_polygon_scratch(count) bytes; *work goes down with the steps taken. False when the
 * work is used up.
 */
size_t abut_polygon_scratch(size_t count);
int abut_polygon_cut(
    const AbutVec3 *vertices, const int32_t *corners, int count, void *scratch, int64_t *work, AbutTriangle *out);

#endif
