/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the directions in which triangles of a mesh can touch another body.
 *
 * A cone about an axis holds the normal of a triangle and those of all touches of the edges and vertices that it owns.
 * Two triangles touch only if the cone of one, turned round, meets that of the other.
 */
#ifndef ABUT_SRC_MESH_FACING_H
#define ABUT_SRC_MESH_FACING_H

#include <stdint.h>

/* For the eight children of an inner node, or the triangles of a leaf; a node covers all that is below it. */
typedef struct AbutFacing {
    float axis[3][8], angle[8]; /* unit; of 2 and more: any direction */
    uint32_t owns;              /* bits of the lanes that own a feature */
    int32_t padding[7];
} AbutFacing;

#endif
