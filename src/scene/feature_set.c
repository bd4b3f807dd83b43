/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of the shapes in a scene. In: shapes, pairs that are near. Out: for each geometry in such a pair its
 * features: of the mesh it keeps, of its faces, of round shapes exactly. Half-spaces have none.
 */
#include "scene/feature_set.h"
#include "abut/solid.h"
#include "model/geometry.h"
#include "scene/tolerance.h"

#include <string.h>

int abut_pair_has_features(const AbutScene *scene, const AbutScenePair *pair) {
    const AbutGeometry *a = scene->shape[pair->a].def.geometry, *b = scene->shape[pair->b].def.geometry;
    return (a->surface_closed || b->surface_closed) && (pair->piece >= 0 || (!a->field && !b->field));
}

void abut_feature_set_free(AbutFeatureSet *set) {
    for (int32_t i = 0; i < set->item_count; ++i) {
        abut_mesh_features_free(set->item[i].features);
        abut_geometry_release(set->item[i].geometry);
    }
    abut_free(set->item);
    abut_free(set->of_shape);
    memset(set, 0, sizeof *set);
}

/* Items of geometry that no shape has any more go. */
static void drop_unused(AbutFeatureSet *set, const AbutScene *scene) {
    int32_t kept = 0;
    for (int32_t i = 0; i < set->item_count; ++i) {
        AbutFeatureItem item = set->item[i];
        int used = 0;
        for (int32_t s = 0; s < scene->shape_places && !used; ++s)
            used = scene->shape[s].alive && scene->shape[s].def.geometry == item.geometry;
        if (used) {
            set->item[kept++] = item;
        } else {
            abut_mesh_features_free(item.features);
            abut_geometry_release(item.geometry);
        }
    }
    set->item_count = kept;
}

static int32_t find_item(const AbutFeatureSet *set, const AbutGeometry *geometry) {
    int32_t i = set->item_count - 1;
    while (i >= 0 && set->item[i].geometry != geometry) --i;
    return i;
}

/* The item of the geometry of a shape; 0: no memory. */
static int add_shape(AbutFeatureSet *set, const AbutShape *shape, int32_t place) {
    int touches = shape->alive && !shape->def.visual;
    set->of_shape[place] = touches ? find_item(set, shape->def.geometry) : -1;
    if (!touches || set->of_shape[place] >= 0) return 1;
    if (!abut_grow((void **)&set->item, &set->item_capacity, (size_t)set->item_count + 1, sizeof *set->item)) return 0;
    set->item[set->item_count] = (AbutFeatureItem){abut_geometry_retain(shape->def.geometry), NULL};
    set->of_shape[place] = set->item_count++;
    return 1;
}

AbutStatus abut_feature_set_update(AbutFeatureSet *set, const AbutScene *scene, AbutError *error) {
    if (set->current && set->revision == scene->revision) return ABUT_OK;
    set->current = 0;
    drop_unused(set, scene);
    if (!abut_grow(
            (void **)&set->of_shape, &set->of_shape_capacity, (size_t)scene->shape_places + 1, sizeof *set->of_shape))
        return abut_fail_memory(error);
    for (int32_t i = 0; i < scene->shape_places; ++i)
        if (!add_shape(set, &scene->shape[i], i)) return abut_fail_memory(error);
    set->shape_count = scene->shape_places;
    set->revision = scene->revision;
    set->current = 1;
    return ABUT_OK;
}

static AbutStatus need(AbutFeatureSet *set, int32_t shape, int threads, AbutError *error) {
    AbutFeatureItem *item = &set->item[set->of_shape[shape]];
    AbutMesh mesh = {0};
    if (item->features || item->geometry->kind == ABUT_SHAPE_HALF_SPACE || item->geometry->field) return ABUT_OK;
    AbutConvex body = abut_geometry_convex(item->geometry);
    if (abut_geometry_is_round(item->geometry)) return abut_round_features_create(&body, &item->features, error);
    AbutStatus status = abut_geometry_to_mesh(item->geometry, 0, &mesh, error);
    if (status == ABUT_OK) status = abut_mesh_features_create(&mesh, threads, &item->features, error);
    abut_mesh_free(&mesh);
    return status;
}

AbutStatus abut_feature_set_need(AbutFeatureSet *set, const AbutScenePair *pair, int threads, AbutError *error) {
    AbutStatus status = need(set, pair->a, threads, error);
    return status == ABUT_OK ? need(set, pair->b, threads, error) : status;
}

static AbutSolid solid_of(const AbutMeshFeatures *f) {
    return f->kind == ABUT_FEATURES_MESH ? abut_solid_mesh(f->tree) : abut_solid_convex(&f->body);
}

int abut_features_cross(AbutTouchRoom *room, const AbutTouchQuestion *q, const AbutTouchList *list, double tolerance) {
    if (q->a->kind == ABUT_FEATURES_MESH && q->b->kind == ABUT_FEATURES_MESH)
        return abut_triangles_cross(room, q, tolerance);
    if (list->pair_count == 0) return 0;
    AbutGapOutcome outcome = abut_collide(solid_of(q->a), solid_of(q->b), q->b_in_a, NULL).outcome;
    return abut_gap_meets(outcome) && outcome != ABUT_TOUCHING;
}

int abut_features_way_out(AbutTouchRoom *room, const AbutTouchQuestion *q, AbutVec3 known, double most) {
    AbutDepthDef def = {.along = known};
    AbutGap way = {0};
    if (abut_length_sq(known) > 0.0) way = abut_depth(solid_of(q->a), solid_of(q->b), q->b_in_a, &def, NULL);
    if (!(way.distance < 0.0) || way.distance < -most)
        way = abut_depth(solid_of(q->a), solid_of(q->b), q->b_in_a, NULL, NULL);
    if (!(way.distance < 0.0) || !(abut_length_sq(way.normal) > 0.0)) return 1;
    room->touch_count = 0;
    if (!abut_grow((void **)&room->touch, &room->touch_capacity, 1, sizeof *room->touch)) return 0;
    room->touch[room->touch_count++] = (AbutFeatureTouch){
        abut_lerp(way.point_a, way.point_b, 0.5), way.normal, way.distance, way.distance, ABUT_TOUCH_FACE, 0};
    return 1;
}
