/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of the meshes in a scene. In: the scene as it stands. Out: a tree for each geometry that keeps its mesh, and
 * empty warm starts. Memory goes with the number of shapes with a mesh times that of all shapes. */
#include "scene/surfaces.h"
#include "mesh/kernels.h"
#include "model/geometry.h"

#include <string.h>

void abut_scene_surfaces_free(AbutSceneSurfaces *surfaces) {
    if (!surfaces) return;
    for (int32_t i = 0; i < surfaces->item_count; ++i) {
        abut_mesh_tree_free(surfaces->item[i].tree);
        abut_geometry_release(surfaces->item[i].geometry);
    }
    abut_free(surfaces->item);
    abut_free(surfaces->of_shape);
    abut_free(surfaces->row);
    abut_free(surfaces->cache);
    abut_free(surfaces);
}

static int32_t find_item(const AbutSceneSurfaces *s, const AbutGeometry *geometry) {
    int32_t i = s->item_count - 1;
    while (i >= 0 && s->item[i].geometry != geometry) --i;
    return i;
}

static AbutStatus add_shape(AbutSceneSurfaces *s, int32_t shape, int threads, AbutError *error) {
    const AbutShape *of = &s->scene->shape[shape];
    const AbutGeometry *geometry = of->def.geometry;
    s->of_shape[shape] = s->row[shape] = -1;
    if (!of->alive || of->def.visual || !geometry->surface) return ABUT_OK;
    s->row[shape] = s->row_count++;
    s->of_shape[shape] = find_item(s, geometry);
    if (s->of_shape[shape] >= 0) return ABUT_OK;
    AbutSurfaceItem *item = &s->item[s->item_count];
    ABUT_TRY(abut_mesh_tree_create(geometry->surface, threads, &item->tree, error));
    item->geometry = abut_geometry_retain(geometry);
    s->of_shape[shape] = s->item_count++;
    return ABUT_OK;
}

static AbutStatus fill(AbutSceneSurfaces *s, int threads, AbutError *error) {
    size_t places = (size_t)s->place_count;
    s->item = abut_alloc_array(places + 1, sizeof *s->item);
    s->of_shape = abut_alloc_array(places + 1, sizeof *s->of_shape);
    s->row = abut_alloc_array(places + 1, sizeof *s->row);
    AbutStatus status = s->item && s->of_shape && s->row ? ABUT_OK : ABUT_ERROR_MEMORY;
    for (int32_t i = 0; i < s->place_count && status == ABUT_OK; ++i) status = add_shape(s, i, threads, error);
    if (status == ABUT_OK) {
        size_t pairs = (size_t)s->row_count * places;
        s->cache = abut_alloc_array(pairs + 1, sizeof *s->cache);
        if (s->cache) memset(s->cache, 0, (pairs + 1) * sizeof *s->cache);
    }
    if (!s->item || !s->of_shape || !s->row || (status == ABUT_OK && !s->cache)) return abut_fail_memory(error);
    return status;
}

AbutStatus abut_scene_surfaces_create(const AbutScene *scene, int threads, AbutSceneSurfaces **out, AbutError *error) {
    ABUT_ASSERT(scene && out);
    AbutSceneSurfaces *s = abut_alloc(sizeof *s);
    *out = NULL;
    if (!s) return abut_fail_memory(error);
    memset(s, 0, sizeof *s);
    s->scene = scene;
    s->place_count = scene->shape_places;
    AbutStatus status = fill(s, threads, error);
    if (status == ABUT_OK)
        *out = s;
    else
        abut_scene_surfaces_free(s);
    return status;
}

const AbutMeshTree *abut_surfaces_tree(const AbutSceneSurfaces *s, int32_t shape) {
    if (!s || shape >= s->place_count || s->of_shape[shape] < 0) return NULL;
    const AbutSurfaceItem *item = &s->item[s->of_shape[shape]];
    return s->scene->shape[shape].def.geometry == item->geometry ? item->tree : NULL;
}

AbutPair *abut_surfaces_cache(AbutSceneSurfaces *s, int32_t with_tree, int32_t other) {
    return other >= s->place_count ? NULL
                                   : &s->cache[(size_t)s->row[with_tree] * (size_t)s->place_count + (size_t)other];
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

/* The tree of a shape, or one of its polyhedron, which is then in *made and to be freed. */
static AbutStatus tree_of(
    const AbutSceneSurfaces *s, int32_t shape, const AbutMeshTree **out, AbutMeshTree **made, AbutError *error) {
    const AbutGeometry *geometry = s->scene->shape[shape].def.geometry;
    AbutMesh mesh = {0};
    *out = abut_surfaces_tree(s, shape);
    if (*out) return ABUT_OK;
    if (!geometry->polyhedron || geometry->field)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "expected depth of a mesh in a body that has an end, got a %s",
            abut_word(abut_shape_kind_names, geometry->kind));
    AbutStatus status = abut_polyhedron_to_mesh(geometry->polyhedron, &mesh, error);
    if (status == ABUT_OK) status = abut_mesh_tree_create(&mesh, 1, made, error);
    abut_mesh_free(&mesh);
    *out = *made;
    return status;
}

AbutStatus abut_scene_surface_depth(
    const AbutSceneSurfaces *surfaces, const AbutSceneDistance *pair, AbutGap *out, AbutError *error) {
    ABUT_ASSERT(surfaces && pair && out);
    const AbutScene *scene = surfaces->scene;
    int32_t a = abut_scene_shape_place(scene, pair->shape_a), b = abut_scene_shape_place(scene, pair->shape_b);
    const AbutMeshTree *tree_a = NULL, *tree_b = NULL;
    AbutMeshTree *made = NULL;
    memset(out, 0, sizeof *out);
    if (a < 0 || b < 0 || (!abut_surfaces_tree(surfaces, a) && !abut_surfaces_tree(surfaces, b)))
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "expected two shapes of the scene, one of them with a mesh");
    AbutStatus status = tree_of(surfaces, a, &tree_a, &made, error);
    if (status == ABUT_OK) status = tree_of(surfaces, b, &tree_b, &made, error);
    if (status == ABUT_OK) {
        AbutPose pose = abut_shape_pose(scene, &scene->shape[a]);
        AbutPose b_in_a = abut_pose_between(pose, abut_shape_pose(scene, &scene->shape[b]));
        AbutMeshCore core_a = abut_mesh_core(tree_a), core_b = abut_mesh_core(tree_b);
        AbutDepthDef def = {.core_a = &core_a, .core_b = &core_b};
        *out = abut_gap_in(pose, abut_mesh_depth(tree_a, tree_b, b_in_a, &def, NULL));
    }
    abut_mesh_tree_free(made);
    return status;
}
