/* SPDX-License-Identifier: Apache-2.0 */
/* Contact points of shapes that keep a closed mesh, on those meshes, for the contacts of a scene as it stands. */
#ifndef ABUT_SCENE_MESH_CONTACTS_H
#define ABUT_SCENE_MESH_CONTACTS_H

#include "contact/touch_patch.h"
#include "scene/feature_set.h"

/* Zeroed: empty. */
typedef struct AbutMeshSearch {
    AbutFeatureSet set;
    AbutTouchRoom room;
    AbutTouchScratch scratch;
    AbutPatch patch[ABUT_TOUCH_PATCHES];
    double size; /* of the smaller body of the last pair */
} AbutMeshSearch;

/* Shapes a and b, one of which keeps a mesh. */
typedef struct AbutMeshSides {
    int32_t a, b;
    double margins; /* of both together */
} AbutMeshSides;

/* Patches where the shapes are at most the margins apart; *count of them stay in search->patch, in the frame of A,
 * thickness above the margins where they overlap. */
AbutStatus abut_mesh_search(
    AbutMeshSearch *search, const AbutScene *scene, const AbutMeshSides *sides, int32_t *count, AbutError *error);
void abut_mesh_search_free(AbutMeshSearch *search);

#endif
