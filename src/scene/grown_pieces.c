/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of height fields, grown by the margin of contact. In: the pairs of a scene. Out: for each pair with a height
 * field the piece that it is about. A piece is made when its first pair comes, shared by all pairs with it, and kept
 * for a while after the last one has gone, for bodies that go to and fro. The result is a function of the field and
 * the number of the piece alone.
 */
#include "contact/grown.h"
#include "scene/grown_set.h"
#include "model/geometry.h"

#include <string.h>

enum { KEPT = 256 }; /* pieces without a pair that may stay, and as many again as there are in use */

AbutStatus abut_grown_piece_create(
    const AbutShape *field, int32_t piece, double margin, AbutGrownPiece **out, AbutError *error) {
    AbutHeightPrism prism = abut_height_piece(abut_shape_grid(field), piece);
    AbutGrownPiece *fresh = abut_alloc(sizeof *fresh);
    *out = NULL;
    if (!fresh) return abut_fail_memory(error);
    memset(fresh, 0, sizeof *fresh);
    fresh->geometry = abut_geometry_retain(field->def.geometry);
    fresh->piece = piece;
    AbutStatus status = abut_polyhedron_from_points(prism.point, prism.count, NULL, &fresh->polyhedron, error);
    if (status == ABUT_OK) {
        AbutConvex convex = abut_convex_polyhedron(fresh->polyhedron, 0.0);
        status = abut_grown_body_create(&convex, margin, &fresh->body, error);
    }
    if (status == ABUT_OK)
        *out = fresh;
    else
        abut_grown_piece_free(fresh);
    return status;
}

void abut_grown_piece_free(AbutGrownPiece *piece) {
    if (!piece) return;
    abut_grown_body_free(&piece->body);
    abut_polyhedron_free(piece->polyhedron);
    abut_geometry_release(piece->geometry);
    abut_free(piece);
}

size_t abut_grown_piece_workspace(void) {
    /* A cell that bends down along its middle has the most faces, seven. */
    static const AbutVec3 corner[8] = {
        {0, 0, 1}, {1, 0, 0.5}, {0, 1, 0.5}, {1, 1, 1}, {0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {1, 1, -1}};
    AbutPolyhedron *polyhedron;
    AbutGrownBody body;
    if (abut_polyhedron_from_points(corner, 8, NULL, &polyhedron, NULL) != ABUT_OK) return 0;
    AbutConvex convex = abut_convex_polyhedron(polyhedron, 0.0);
    size_t bytes = 0;
    if (abut_grown_body_create(&convex, 0.0, &body, NULL) == ABUT_OK) {
        bytes = abut_contact_workspace_size(&body, &body);
        abut_grown_body_free(&body);
    }
    abut_polyhedron_free(polyhedron);
    return bytes;
}

void abut_grown_pieces_free(AbutGrownSet *set) {
    for (int32_t i = 0; i < set->piece_count; ++i) abut_grown_piece_free(set->piece[i]);
    abut_free(set->piece);
    abut_free(set->of_pair);
    abut_free(set->piece_slot);
}

/* ---- in step with the pairs -------------------------------------------------------------------------------------- */

typedef struct Table {
    int32_t *slot;
    size_t size; /* a power of two */
} Table;

/* The slot of a piece, or the empty one where it belongs. */
static int32_t *find(const AbutGrownSet *set, Table table, const AbutGeometry *geometry, int32_t piece, double margin) {
    uint64_t hash = (geometry->hash + (uint64_t)(uint32_t)piece) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash ^ hash >> 32) & (table.size - 1);
    for (; table.slot[i] >= 0; i = (i + 1) & (table.size - 1)) {
        const AbutGrownPiece *p = set->piece[table.slot[i]];
        if (p->piece == piece && p->geometry == geometry && p->body.margin == margin) break;
    }
    return &table.slot[i];
}

/* A table of the pieces there are, with room for `more`; 0: no memory. */
static int make_table(AbutGrownSet *set, size_t more, Table *out) {
    size_t count = (size_t)set->piece_count + more;
    out->size = 64;
    while (out->size < 2 * count) out->size *= 2;
    if (!abut_grow((void **)&set->piece_slot, &set->piece_slot_capacity, out->size, sizeof *set->piece_slot) ||
        !abut_grow((void **)&set->piece, &set->piece_capacity, count, sizeof *set->piece))
        return 0;
    out->slot = set->piece_slot;
    for (size_t i = 0; i < out->size; ++i) out->slot[i] = -1;
    for (int32_t i = 0; i < set->piece_count; ++i) {
        const AbutGrownPiece *p = set->piece[i];
        *find(set, *out, p->geometry, p->piece, p->body.margin) = i;
        set->piece[i]->used = 0;
    }
    return 1;
}

/* The piece of a pair that has one, into `of_pair`. */
static AbutStatus take_piece(AbutGrownSet *set, Table table, const AbutScene *scene, size_t number, AbutError *error) {
    const AbutScenePair *pair = &scene->pair[number];
    int32_t place = abut_shape_grid(&scene->shape[pair->a]) ? pair->a : pair->b;
    const AbutShape *field = &scene->shape[place];
    double margin = abut_grown_whole(set, scene, place, (int32_t)number)->margin;
    int32_t *slot = find(set, table, field->def.geometry, pair->piece, margin);
    if (*slot < 0) {
        ABUT_TRY(abut_grown_piece_create(field, pair->piece, margin, &set->piece[set->piece_count], error));
        *slot = set->piece_count++;
    }
    AbutGrownPiece *piece = set->piece[*slot];
    piece->whole = set->of_shape[place];
    piece->used = 1;
    set->of_pair[number] = piece;
    return ABUT_OK;
}

/* Frees what no pair has, where that is much. */
static void drop_unused(AbutGrownSet *set) {
    int32_t used = 0, kept = 0;
    for (int32_t i = 0; i < set->piece_count; ++i) used += set->piece[i]->used;
    if (set->piece_count - used <= used + KEPT) return;
    for (int32_t i = 0; i < set->piece_count; ++i)
        if (set->piece[i]->used)
            set->piece[kept++] = set->piece[i];
        else
            abut_grown_piece_free(set->piece[i]);
    set->piece_count = kept;
}

AbutStatus abut_grown_set_pieces(AbutGrownSet *set, const AbutScene *scene, AbutError *error) {
    if (set->field_count == 0 || (set->pieces_current && set->seen_pairs == scene->pair_changes)) return ABUT_OK;
    size_t pairs = (size_t)scene->pair_places;
    Table table;
    set->pieces_current = 0;
    if (!abut_grow((void **)&set->of_pair, &set->of_pair_capacity, pairs + 1, sizeof *set->of_pair) ||
        !make_table(set, pairs, &table))
        return abut_fail_memory(error);
    for (size_t i = 0; i < pairs; ++i) {
        int has_piece = scene->pair[i].alive && scene->pair[i].piece >= 0;
        set->of_pair[i] = NULL;
        ABUT_TRY(has_piece ? take_piece(set, table, scene, i, error) : ABUT_OK);
    }
    drop_unused(set);
    set->seen_pairs = scene->pair_changes;
    set->pieces_current = 1;
    return ABUT_OK;
}
