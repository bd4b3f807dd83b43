/* SPDX-License-Identifier: Apache-2.0 */
/* The meshes that shapes of a scene stand for, as trees, and where their nearest triangles were: a tree for each
 * geometry, a warm start for each pair of shapes of which one has a tree. */
#ifndef ABUT_SCENE_SURFACES_H
#define ABUT_SCENE_SURFACES_H

#include "scene/scene.h"

typedef struct AbutSurfaceItem {
    const AbutGeometry *geometry; /* retained */
    AbutMeshTree *tree;
} AbutSurfaceItem;

struct AbutSceneSurfaces {
    const AbutScene *scene;
    AbutSurfaceItem *item; /* one for each geometry with a mesh */
    int32_t item_count;
    int32_t place_count, row_count; /* places of shapes that are known; those among them with a tree */
    int32_t *of_shape;              /* item; -1: none */
    int32_t *row;                   /* of a shape with a tree in `cache` */
    AbutPair *cache;                /* [row_count][place_count] */
};

/* The tree of a shape; NULL: it is convex, or was changed since the trees were made. */
const AbutMeshTree *abut_surfaces_tree(const AbutSceneSurfaces *surfaces, int32_t shape);

/* The warm start of two shapes, the first with a tree; NULL: the other came later. */
AbutPair *abut_surfaces_cache(AbutSceneSurfaces *surfaces, int32_t with_tree, int32_t other);

#endif
