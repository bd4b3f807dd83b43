/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two bodies at rest touch by the features of their meshes. In: a scene, two of its shapes, how far apart they
 * may be. Out: patches, frame of A.
 *
 * Touches in overlap are asked for to the depth of the margins. Where surfaces cross and no touch says so, as with
 * bodies that were placed into each other, the depth is widened until one does, at last to the shortest way out.
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
static int find_once(AbutTouchRoom *room, const AbutTouchQuestion *q, AbutTouchList *list) {
    if (q->a && !abut_touch_list_ready(list, room, q, 0.0)) return 0;
    return abut_find_touches(room, q, list);
}

static int find_with(AbutTouchRoom *room, AbutTouchQuestion *q, AbutTouchList *list, double size) {
    if (!find_once(room, q, list)) return 0;
    if (!q->a || any_overlap(room) || !abut_features_cross(room, q, list, ABUT_FEATURE_CROSSES * size)) return 1;
    while (!any_overlap(room) && q->depth < ABUT_FEATURE_DEEPEST * size) {
        q->depth *= 3.0;
        if (!find_once(room, q, list)) return 0;
    }
    return any_overlap(room) || abut_features_way_out(room, q, abut_zero(), 0.0);
}

static int find_touches(AbutTouchRoom *room, AbutTouchQuestion *q, double size) {
    AbutTouchList list = {0};
    int done = find_with(room, q, &list, size);
    abut_touch_list_free(&list);
    return done;
}

/* ---- the answer --------------------------------------------------------------------------------------------------- */

AbutStatus abut_mesh_search(
    AbutMeshSearch *search, const AbutScene *scene, const AbutMeshSides *sides, int32_t *count, AbutError *error) {
    const AbutShape *a = &scene->shape[sides->a], *b = &scene->shape[sides->b];
    AbutScenePair pair = {.a = sides->a, .b = sides->b};
    ABUT_TRY(abut_feature_set_update(&search->set, scene, error));
    ABUT_TRY(abut_feature_set_need(&search->set, &pair, 1, error));
    AbutTouchQuestion q = {.a = abut_features_of(&search->set, sides->a),
        .b = abut_features_of(&search->set, sides->b),
        .b_in_a = abut_pose_between(abut_shape_pose(scene, a), abut_shape_pose(scene, b)),
        .within = sides->margins,
        .depth = sides->margins,
        .margin = sides->margins};
    search->size = q.a ? abut_smaller(q.a->radius, q.b->radius) : q.b->radius;
    AbutTouchPatchDef def = {sides->margins, q.b->radius, 2.0 * sides->margins};
    int done = find_touches(&search->room, &q, search->size);
    if (!done) return abut_fail_memory(error);
    int found = abut_touch_patches(&search->scratch, search->room.touch, search->room.touch_count, &def, search->patch);
    *count = found;
    return found >= 0 ? ABUT_OK : abut_fail_memory(error);
}
