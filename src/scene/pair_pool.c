/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of shapes that may meet. In: fat boxes and the list of shapes whose fat box changed. Out: a pool of pairs with
 * their friction.
 *
 * Only the changed shapes are looked at: pairs with one of them are tested again, and the tree is asked for what is
 * new. New pairs are sorted before they are added, so that the pool depends on the history of the scene alone. A hash
 * table finds a pair by its shapes.
 */
#include "scene/internal.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_EMPTY = -1, TABLE_DELETED = -2 };

/* ---- hash table -------------------------------------------------------------------------------------------------- */

static size_t table_start(const AbutScene *scene, uint64_t shapes, int32_t piece) {
    uint64_t key = (shapes + ((uint64_t)(piece + 1) << 20)) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key ^ key >> 32) & (scene->pair_table_size - 1);
}

static void table_put(AbutScene *scene, int32_t place) {
    const AbutScenePair *pair = &scene->pair[place];
    size_t i = table_start(scene, abut_pair_key(pair->a, pair->b), pair->piece);
    while (scene->pair_table[i] >= 0) i = (i + 1) & (scene->pair_table_size - 1);
    if (scene->pair_table[i] == TABLE_EMPTY) ++scene->pair_table_used;
    scene->pair_table[i] = place;
}

/* Entry of a pair in the table; -1: not there. */
static ptrdiff_t table_find(const AbutScene *scene, int32_t a, int32_t b, int32_t piece) {
    if (scene->pair_table_size == 0) return -1;
    uint64_t key = abut_pair_key(a, b);
    for (size_t i = table_start(scene, key, piece);; i = (i + 1) & (scene->pair_table_size - 1)) {
        int32_t place = scene->pair_table[i];
        if (place == TABLE_EMPTY) return -1;
        if (place >= 0 && scene->pair[place].piece == piece &&
            abut_pair_key(scene->pair[place].a, scene->pair[place].b) == key)
            return (ptrdiff_t)i;
    }
}

/* Room for `more` entries with a third of the table empty; 0: no memory, and nothing has changed. */
static int table_reserve(AbutScene *scene, size_t more) {
    if (3 * ((size_t)scene->pair_table_used + more) <= 2 * scene->pair_table_size) return 1;
    size_t live = more, size = 64;
    for (int32_t i = 0; i < scene->pair_places; ++i) live += (size_t)scene->pair[i].alive;
    while (size < 3 * live) size *= 2;
    int32_t *table = abut_alloc_array(size, sizeof *table);
    if (!table) return 0;
    for (size_t i = 0; i < size; ++i) table[i] = TABLE_EMPTY;
    abut_free(scene->pair_table);
    scene->pair_table = table;
    scene->pair_table_size = size;
    scene->pair_table_used = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i)
        if (scene->pair[i].alive) table_put(scene, i);
    return 1;
}

int32_t abut_scene_find_pair(const AbutScene *scene, int32_t a, int32_t b, int32_t piece) {
    ptrdiff_t entry = table_find(scene, a, b, piece);
    return entry < 0 ? -1 : scene->pair_table[entry];
}

/* ---- pool -------------------------------------------------------------------------------------------------------- */

static void add_pair(AbutScene *scene, AbutPairKey key) {
    int32_t place = scene->pair_free;
    if (place >= 0)
        scene->pair_free = scene->pair[place].a;
    else
        place = scene->pair_places++;
    AbutScenePair pair = {
        .a = (int32_t)(key.shapes >> 32), .b = (int32_t)(key.shapes & UINT32_MAX), .alive = 1, .piece = key.piece};
    pair.serial = ++scene->pair_serial;
    ++scene->pair_changes;
    scene->pair[place] = pair;
    abut_scene_set_pair_material(scene, &scene->pair[place]);
    table_put(scene, place);
}

static void remove_pair(AbutScene *scene, int32_t place) {
    const AbutScenePair *pair = &scene->pair[place];
    scene->pair_table[table_find(scene, pair->a, pair->b, pair->piece)] = TABLE_DELETED;
    ++scene->pair_changes;
    scene->pair[place].alive = 0;
    scene->pair[place].a = scene->pair_free;
    scene->pair_free = place;
}

/* The body on the other side of a pair, -1 when the pair is not one of `body`. */
static int32_t other_body(const AbutScene *scene, const AbutScenePair *pair, int32_t body) {
    int32_t a = scene->shape[pair->a].body, b = scene->shape[pair->b].body;
    return a == body ? b : b == body ? a : -1;
}

void abut_scene_wake_neighbors(AbutScene *scene, int32_t body) {
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        int32_t other = scene->pair[i].alive ? other_body(scene, &scene->pair[i], body) : -1;
        if (other >= 0 && scene->body[other].inv_mass > 0.0) abut_scene_disturb(scene, &scene->body[other]);
    }
}

void abut_scene_drop_pairs(AbutScene *scene, int32_t body) {
    abut_scene_wake_neighbors(scene, body);
    for (int32_t i = 0; i < scene->pair_places; ++i)
        if (scene->pair[i].alive && other_body(scene, &scene->pair[i], body) >= 0) remove_pair(scene, i);
}

void abut_scene_drop_forbidden(AbutScene *scene) {
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        const AbutScenePair *pair = &scene->pair[i];
        if (!pair->alive || abut_scene_may_meet(scene, pair->a, pair->b)) continue;
        abut_scene_disturb(scene, &scene->body[scene->shape[pair->a].body]);
        abut_scene_disturb(scene, &scene->body[scene->shape[pair->b].body]);
        remove_pair(scene, i);
    }
}

/* ---- update ------------------------------------------------------------------------------------------------------ */

/* Does a piece of a height field reach to the fat box of a shape? */
static int piece_meets(const AbutScene *scene, const AbutShape *field, int32_t piece, const AbutShape *other) {
    return abut_aabb_overlap(abut_height_piece_box(abut_shape_grid(field), piece),
        abut_shape_box_inside(scene, field, other->fat, scene->margin));
}

static int boxes_meet(const AbutScene *scene, const AbutScenePair *pair) {
    const AbutShape *a = &scene->shape[pair->a], *b = &scene->shape[pair->b];
    if (pair->piece >= 0)
        return abut_shape_grid(a) ? piece_meets(scene, a, pair->piece, b) : piece_meets(scene, b, pair->piece, a);
    if (!a->polyhedron) return abut_shape_reaches(scene, a, b->fat);
    if (!b->polyhedron) return abut_shape_reaches(scene, b, a->fat);
    return abut_aabb_overlap(a->fat, b->fat);
}

typedef struct Search {
    AbutScene *scene;
    int32_t shape;
    int32_t count;
    int failed;
    int32_t other; /* while the pieces of a height field are offered */
} Search;

/* A pair that is not in the pool yet. */
static int add_fresh(int32_t piece, void *user) {
    Search *search = user;
    AbutScene *scene = search->scene;
    AbutPairKey key = {abut_pair_key(search->shape, search->other), piece, 0};
    if (abut_scene_find_pair(scene, search->shape, search->other, piece) >= 0) return 1;
    if (!abut_grow((void **)&scene->fresh, &scene->fresh_capacity, (size_t)search->count + 1, sizeof *scene->fresh)) {
        search->failed = 1;
        return 0;
    }
    scene->fresh[search->count++] = key;
    return 1;
}

static int offer_pieces(Search *search, const AbutShape *field, const AbutShape *other) {
    AbutAabb box = abut_shape_box_inside(search->scene, field, other->fat, search->scene->margin);
    return abut_height_visit(abut_shape_grid(field), box, add_fresh, search);
}

static int offer(int32_t other, void *user) {
    Search *search = user;
    AbutScene *scene = search->scene;
    int moved = scene->shape[other].moved; /* then the pair is found from the other side too */
    if (other == search->shape || (moved && other < search->shape)) return 1;
    if (!abut_scene_may_meet(scene, search->shape, other)) return 1;
    search->other = other;
    const AbutShape *a = &scene->shape[search->shape], *b = &scene->shape[other];
    if (abut_shape_grid(b)) return offer_pieces(search, b, a);
    return abut_shape_grid(a) ? offer_pieces(search, a, b) : add_fresh(-1, search);
}

/* A half-space has no place in the tree: it is held against every shape. */
static void search_half_space(Search *search) {
    AbutScene *scene = search->scene;
    const AbutShape *half_space = &scene->shape[search->shape];
    for (int32_t i = 0; i < scene->shape_places && !search->failed; ++i)
        if (scene->shape[i].alive && scene->shape[i].node >= 0 &&
            abut_shape_reaches(scene, half_space, scene->shape[i].fat))
            offer(i, search);
}

static int compare_keys(const void *a, const void *b) {
    const AbutPairKey *x = a, *y = b;
    if (x->shapes != y->shapes) return x->shapes < y->shapes ? -1 : 1;
    return x->piece < y->piece ? -1 : x->piece > y->piece;
}

AbutStatus abut_scene_update_pairs(AbutScene *scene) {
    if (scene->moved_count == 0) return ABUT_OK;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        const AbutScenePair *pair = &scene->pair[i];
        if (!pair->alive) continue;
        int moved = scene->shape[pair->a].moved || scene->shape[pair->b].moved;
        if (moved && !boxes_meet(scene, pair)) remove_pair(scene, i);
    }
    Search search = {scene, -1, 0, 0, -1};
    for (int32_t i = 0; i < scene->moved_count && !search.failed; ++i) {
        search.shape = scene->moved[i];
        if (scene->shape[search.shape].polyhedron)
            abut_scene_visit(scene, scene->shape[search.shape].fat, offer, &search);
        else
            search_half_space(&search);
    }
    size_t count = (size_t)search.count;
    if (search.failed || !table_reserve(scene, count) ||
        !abut_grow(
            (void **)&scene->pair, &scene->pair_capacity, (size_t)scene->pair_places + count, sizeof *scene->pair))
        return ABUT_ERROR_MEMORY; /* the list of moved shapes stays: the next update tries again */
    if (count) qsort(scene->fresh, count, sizeof *scene->fresh, compare_keys);
    for (size_t i = 0; i < count; ++i) add_pair(scene, scene->fresh[i]);
    for (int32_t i = 0; i < scene->moved_count; ++i) scene->shape[scene->moved[i]].moved = 0;
    scene->moved_count = 0;
    return ABUT_OK;
}
