/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two bodies made of boxes, a C and an L, whose depth is known by other means: two boxes moved along a direction
 * overlap for one interval, the intersection of those of fifteen axes; the first free place is the end of a chain of
 * intervals.
 */
#ifndef ABUT_TESTS_BOX_PIECES_H
#define ABUT_TESTS_BOX_PIECES_H

#include "abut/mesh.h"

enum { ORACLE_C_BOXES = 3, ORACLE_L_BOXES = 2 };

extern const AbutAabb oracle_c_box[ORACLE_C_BOXES], oracle_l_box[ORACLE_L_BOXES];

/* The same bodies as closed meshes of 28 and 20 triangles, to be freed. */
AbutMesh oracle_c_mesh(void);
AbutMesh oracle_l_mesh(void);

typedef struct OraclePieces {
    int axes, pairs;
    AbutVec3 axis[15];
    double reach[6][15], middle[6][15];
} OraclePieces;

/* The C at the origin, the L at `l_in_c`. */
void oracle_pieces_place(OraclePieces *o, AbutPose l_in_c);

/* Least s >= 0 at which the L moved by s along the unit vector d does not overlap the C; touching is free. */
double oracle_pieces_first_free(const OraclePieces *o, AbutVec3 d);

/* The least of that over all directions: `directions` even ones, the best of them followed by a pattern search. */
double oracle_pieces_depth(const OraclePieces *o, int directions, AbutVec3 *d);

#endif
