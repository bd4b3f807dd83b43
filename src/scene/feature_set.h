/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of a scene by their features (mesh/mesh_features.h): equal geometry is made once, when a pair needs it. */
#ifndef ABUT_SCENE_FEATURE_SET_H
#define ABUT_SCENE_FEATURE_SET_H

#include "mesh/mesh_features.h"
#include "scene/scene.h"

typedef struct AbutFeatureItem {
    const AbutGeometry *geometry; /* retained */
    AbutMeshFeatures *features;   /* NULL: not needed yet, or a half-space */
} AbutFeatureItem;

/* Zeroed: empty. */
typedef struct AbutFeatureSet {
    AbutFeatureItem *item;
    size_t item_capacity;
    int32_t item_count;
    int32_t *of_shape; /* item; -1: touches nothing */
    size_t of_shape_capacity;
    int32_t shape_count;
    uint32_t revision; /* of the scene */
    int32_t current;
} AbutFeatureSet;

/* Does a pair touch by its features: is one side a closed mesh, and the other no height field as a whole? */
int abut_pair_has_features(const AbutScene *scene, const AbutScenePair *pair);

/* Brings the set in step with the shapes of the scene; features that are there already stay. */
AbutStatus abut_feature_set_update(AbutFeatureSet *set, const AbutScene *scene, AbutError *error);

/* Makes the features of both sides of a pair, if they are not there yet. */
AbutStatus abut_feature_set_need(AbutFeatureSet *set, const AbutScenePair *pair, int threads, AbutError *error);
void abut_feature_set_free(AbutFeatureSet *set); /* leaves an empty one */

/* Do the bodies of a question cross, meshes by more than `tolerance`? After abut_find_touches with the same list. */
int abut_features_cross(
    AbutTouchRoom *room, const AbutTouchQuestion *question, const AbutTouchList *list, double tolerance);

/* Bodies so deep in each other that no feature shows it: their shortest way out as the only touch. 0: no memory. */
int abut_features_way_out(AbutTouchRoom *room, const AbutTouchQuestion *question);

/* For a shape that is in a pair; NULL: a half-space or a height field. */
static inline const AbutMeshFeatures *abut_features_of(const AbutFeatureSet *set, int32_t shape) {
    return set->item[set->of_shape[shape]].features;
}

#endif
