/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two bodies at rest touch by the features of their meshes. In: a scene, two of its shapes, how far apart they may
 * be. Out: patches, frame of A.
 *
 * Touches in overlap are asked for to the depth of the margins. Where surfaces cross and no touch says so, as with bodies
 * that were placed into each other, the depth is widened until one does.
 */
#include "scene/mesh_contacts.h"
#include "scene/internal.h"
#include "scene/tolerance.h"

void abut_mesh_search_free(AbutMeshSearch *search) {
    abut_feature_set_free(&search->set);
    abut_touch_room_free(&search->room);
    abut_touch_scratch_free(&search->scratch);
}

static int any_overlap(const AbutTouchRoom *room) {
    for (int32_t i = 0; i < room->touch_count; ++i)
        if (room->touch[i].gap <= 0.0) return 1;
    return 0;
}

/* Touches up to the depth asked for; 0: no memory. */
static int find_once(AbutTouchRoom *room, const AbutTouchQuestion *q) {
    if (q->a && !abut_near_triangles(room, q->a, q->b, q->b_in_a, abut_larger(q->within, q->depth))) return 0;
    return abut_find_touches(room, q, room->pair, q->a ? room->pair_count : 0);
}

static int find_touches(AbutTouchRoom *room, AbutTouchQuestion *q, double size) {
    if (!find_once(room, q)) return 0;
    if (!q->a || any_overlap(room) ||
        !abut_triangles_cross(room, q, room->pair, room->pair_count, ABUT_FEATURE_CROSSES * size))
        return 1;
    while (!any_overlap(room) && q->depth < ABUT_FEATURE_DEEPEST * size) {
        q->depth *= 3.0;
        if (!find_once(room, q)) return 0;
    }
    return 1;
}

AbutStatus abut_mesh_search(AbutMeshSearch *search, const AbutScene *scene, int32_t a, int32_t b, double margins,
    int32_t *count, AbutError *error) {
    AbutScenePair pair = {.a = a, .b = b};
    ABUT_TRY(abut_feature_set_update(&search->set, scene, error));
    ABUT_TRY(abut_feature_set_need(&search->set, &pair, 1, error));
    AbutTouchQuestion q = {.a = abut_features_of(&search->set, a),
        .b = abut_features_of(&search->set, b),
        .b_in_a = abut_pose_between(
            abut_shape_pose(scene, &scene->shape[a]), abut_shape_pose(scene, &scene->shape[b])),
        .within = margins,
        .depth = margins,
        .margin = margins};
    search->size = q.a ? abut_smaller(q.a->tree->radius, q.b->tree->radius) : q.b->tree->radius;
    AbutTouchPatchDef def = {margins, q.b->tree->radius, 2.0 * margins};
    if (!find_touches(&search->room, &q, search->size)) return abut_fail_memory(error);
    int found =
        abut_touch_patches(&search->scratch, search->room.touch, search->room.touch_count, &def, search->patch);
    *count = found;
    return found >= 0 ? ABUT_OK : abut_fail_memory(error);
}
