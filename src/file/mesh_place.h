/* SPDX-License-Identifier: Apache-2.0 */
/* Where a part of a mesh file stands: formats with a tree of nodes place meshes, some of them several times. */
#ifndef ABUT_SRC_FILE_MESH_PLACE_H
#define ABUT_SRC_FILE_MESH_PLACE_H

#include "abut/math.h"

/* More vertices or triangles of such a file, copies included, are refused: a small file could ask for any number. */
enum { ABUT_MESH_PLACED = 20000000 };

/* p -> m p + t */
typedef struct AbutMeshPlace {
    AbutMat3 m;
    AbutVec3 t;
} AbutMeshPlace;

static inline AbutMeshPlace abut_mesh_place(AbutMat3 m, AbutVec3 t) {
    AbutMeshPlace place = {m, t};
    return place;
}

static inline AbutVec3 abut_mesh_place_apply(const AbutMeshPlace *place, AbutVec3 p) {
    return abut_add(abut_mat3_apply(place->m, p), place->t);
}

/* First b, then a. */
static inline AbutMeshPlace abut_mesh_place_mul(const AbutMeshPlace *a, const AbutMeshPlace *b) {
    return abut_mesh_place(abut_mat3_mul(a->m, b->m), abut_mesh_place_apply(a, b->t));
}

/* Does it mirror, so that triangles run the other way round? */
static inline int abut_mesh_place_turns(const AbutMeshPlace *place) {
    return abut_triple(place->m.x, place->m.y, place->m.z) < 0.0;
}

#endif
