/* SPDX-License-Identifier: Apache-2.0 */
/* Private: readers of files of points. */
#ifndef ABUT_SRC_FILE_POINTS_H
#define ABUT_SRC_FILE_POINTS_H

#include "abut/file.h"
#include "base/text.h"

typedef struct AbutPoints {
    int64_t count;
    AbutVec3 *at;
} AbutPoints;

/* Room for 1 to ABUT_MESH_LIMIT points of at least `each` bytes in what is left of the file; a failure names `where`.
 */
AbutStatus abut_points_make(
    const AbutText *text, const char *where, int64_t count, int64_t left, int64_t each, AbutPoints *out);

/* Coordinate number 0 .. 2 of a point, if it is finite. */
AbutStatus abut_points_set(const AbutText *text, const char *where, AbutVec3 *point, int axis, double value);

/* mesh_ply.c: a PLY file with faces or without. */
struct AbutMeshBuilder;
AbutStatus abut_mesh_ply_points(AbutText *text, struct AbutMeshBuilder *builder);

/* The Point Cloud Library's format. */
int abut_points_is_pcd(const AbutText *text);
AbutStatus abut_points_pcd(AbutText *text, AbutPoints *out);

#endif
