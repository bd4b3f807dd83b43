/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The features of one piece of a height field. In: a grid, the number of a piece. Out: its faces, and the edges and
 * vertices that it owns, with all that surrounds them, so that edges between pieces are what they are on the surface.
 *
 * Method: a mesh of the triangles of the piece and of the cells around it; those of the piece stand first and alone are
 * in the tree. An edge or a vertex is owned by the triangle of the least number that it belongs to, but by one of a
 * rectangle only where there is no other. For a rectangle of many cells two triangles are its face, and the cells along
 * its sides give the edges. Walls below the sides of the field touch nothing.
 */
#include "mesh/mesh_features.h"
#include "shape/height_grid.h"

#include <string.h>

/* The surroundings of a piece while they are collected. */
typedef struct Window {
    const AbutHeightGrid *grid;
    AbutHeightRange own; /* points */
    int half;            /* triangle of the only cell; 2: both, of all cells */
    int rectangle;       /* 1: of more than one cell; its two large triangles come first */
    AbutMesh mesh;
    int64_t *key; /* of each triangle: its number, larger for those of rectangles */
    int32_t count, tree_count;
} Window;

static int64_t cell_of(const Window *w, int32_t c, int32_t r) { return (int64_t)r * (w->grid->field.columns - 1) + c; }

static int is_inside(const Window *w, int32_t c, int32_t r) {
    return c >= w->own.c0 && c < w->own.c1 && r >= w->own.r0 && r < w->own.r1;
}

static void put(Window *w, AbutVec3 a, AbutVec3 b, AbutVec3 c, int64_t key) {
    AbutVec3 *at = w->mesh.vertices + 3 * (size_t)w->count;
    at[0] = a, at[1] = b, at[2] = c;
    w->mesh.triangles[w->count] = (AbutTriangle){{3 * w->count, 3 * w->count + 1, 3 * w->count + 2}};
    w->key[w->count++] = key;
}

/* Triangle k of a cell. */
static void put_half(Window *w, int32_t c, int32_t r, int k) {
    int64_t cell = cell_of(w, c, r), late = w->grid->rectangle_of[cell] >= 0 ? INT64_C(1) << 40 : 0;
    AbutVec3 first = abut_height_point(w->grid, c, r), last = abut_height_point(w->grid, c + 1, r + 1);
    if (k == 0)
        put(w, first, abut_height_point(w->grid, c + 1, r), last, 2 * cell + late);
    else
        put(w, first, last, abut_height_point(w->grid, c, r + 1), 2 * cell + 1 + late);
}

/* Triangles of the piece, or of the others, in the cells around its sides; a NULL mesh: they are only counted. */
static void put_cells(Window *w, int own, int counting) {
    const AbutHeightField *f = &w->grid->field;
    AbutHeightRange o = w->own;
    for (int32_t r = o.r0 > 0 ? o.r0 - 1 : 0; r <= o.r1 && r + 1 < f->rows; ++r)
        for (int32_t c = o.c0 > 0 ? o.c0 - 1 : 0; c <= o.c1 && c + 1 < f->columns; ++c) {
            int deep = c > o.c0 && c + 2 < o.c1 + 1 && r > o.r0 && r + 2 < o.r1 + 1;
            if (deep) { /* nothing of the middle of a rectangle is an edge */
                c = o.c1 - 2;
                continue;
            }
            for (int k = 0; k < 2; ++k) {
                if ((is_inside(w, c, r) && (w->half == 2 || w->half == k)) != own) continue;
                if (counting)
                    ++w->count;
                else
                    put_half(w, c, r, k);
            }
        }
}

/* The two triangles of a rectangle, still without an area: their sides are no edges. */
static void put_face(Window *w) {
    AbutVec3 p = abut_height_point(w->grid, w->own.c0, w->own.r0);
    for (int k = 0; k < 2; ++k) put(w, p, p, p, INT64_MAX);
}

static AbutStatus collect(Window *w, AbutError *error) {
    w->count = w->rectangle ? 2 : 0;
    put_cells(w, 1, 1);
    w->tree_count = w->count;
    put_cells(w, 0, 1);
    ABUT_TRY(abut_mesh_create(3 * w->count, w->count, &w->mesh, error));
    w->key = abut_alloc_array((size_t)w->count, sizeof *w->key);
    if (!w->key) return abut_fail_memory(error);
    w->count = 0;
    if (w->rectangle) put_face(w);
    put_cells(w, 1, 0);
    put_cells(w, 0, 0);
    return ABUT_OK;
}

/* ---- who owns what ----------------------------------------------------------------------------------------------- */

static void lower(int64_t *least, int64_t key) { *least = key < *least ? key : *least; }

/* In a rectangle only points on its sides are surrounded. */
static int is_surrounded(const Window *w, AbutVec3 p) {
    AbutVec3 low = abut_height_point(w->grid, w->own.c0, w->own.r0),
             high = abut_height_point(w->grid, w->own.c1, w->own.r1);
    return !w->rectangle || p.x == low.x || p.x == high.x || p.y == low.y || p.y == high.y;
}

/* Owned are those of the piece, by the least of all keys. `least` has room for all edges and vertices. */
static void give_out(AbutMeshFeatures *f, const Window *w, int64_t *least) {
    int64_t *of_edge = least + f->mesh.vertex_count;
    uint8_t *tip = (uint8_t *)(of_edge + f->edge_count);
    memset(tip, 0, (size_t)f->mesh.vertex_count);
    for (int32_t i = 0; i < f->tip_count; ++i) tip[f->tip[i]] = 1;
    for (int32_t i = 0; i < f->mesh.vertex_count + f->edge_count; ++i) least[i] = INT64_MAX;
    for (int32_t t = w->rectangle ? 2 : 0; t < w->count; ++t)
        for (int k = 0; k < 3; ++k) {
            lower(&least[f->mesh.triangles[t].v[k]], w->key[t]);
            lower(&of_edge[f->side[t].v[k]], w->key[t]);
        }
    memset(f->own, 0, (size_t)f->mesh.triangle_count);
    for (int32_t t = w->rectangle ? 2 : 0; t < w->tree_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = f->mesh.triangles[t].v[k], e = f->side[t].v[k];
            if (!is_surrounded(w, f->mesh.vertices[v])) continue;
            if (tip[v] && least[v] == w->key[t]) f->own[t] |= (uint8_t)(ABUT_OWNS_VERTEX << k);
            if (f->edge[e].convex == 1 && of_edge[e] == w->key[t] &&
                is_surrounded(w, f->mesh.vertices[f->mesh.triangles[t].v[(k + 1) % 3]]))
                f->own[t] |= (uint8_t)(ABUT_OWNS_EDGE << k);
        }
}

static int32_t vertex_near(const AbutMesh *mesh, AbutVec3 p) {
    int32_t best = 0;
    for (int32_t v = 1; v < mesh->vertex_count; ++v)
        if (abut_point_distance(mesh->vertices[v], p) < abut_point_distance(mesh->vertices[best], p)) best = v;
    return best;
}

static void spread_face(AbutMeshFeatures *f, const Window *w) {
    int32_t v[4];
    for (int k = 0; k < 4; ++k)
        v[k] = vertex_near(
            &f->mesh, abut_height_point(w->grid, k & 1 ? w->own.c1 : w->own.c0, k & 2 ? w->own.r1 : w->own.r0));
    f->mesh.triangles[0] = (AbutTriangle){{v[0], v[1], v[3]}};
    f->mesh.triangles[1] = (AbutTriangle){{v[0], v[3], v[2]}};
    for (int k = 0; k < 2; ++k) f->normal[k] = f->normal[2];
}

static AbutStatus own_piece(AbutMeshFeatures *f, const Window *w, AbutError *error) {
    int64_t *least = abut_alloc_array((size_t)(2 * f->mesh.vertex_count + f->edge_count) + 1, sizeof *least);
    if (!least) return abut_fail_memory(error);
    give_out(f, w, least);
    abut_free(least);
    if (w->rectangle) spread_face(f, w);
    AbutMesh piece = f->mesh;
    piece.triangle_count = w->tree_count;
    abut_mesh_tree_free(f->tree);
    f->tree = NULL;
    ABUT_TRY(abut_mesh_tree_create(&piece, 1, &f->tree, error));
    f->radius = f->lever = f->tree->radius;
    return abut_mesh_facing_make(f) ? ABUT_OK : abut_fail_memory(error);
}

AbutStatus abut_field_features_create(
    const AbutHeightGrid *grid, int32_t piece, AbutMeshFeatures **out, AbutError *error) {
    Window w = {.grid = grid};
    *out = NULL;
    w.own = abut_height_piece_range(grid, piece, &w.half);
    w.rectangle = w.own.c1 - w.own.c0 > 1 || w.own.r1 - w.own.r0 > 1;
    AbutStatus status = collect(&w, error);
    if (status == ABUT_OK) status = abut_mesh_features_create(&w.mesh, 1, out, error);
    if (status == ABUT_OK) status = own_piece(*out, &w, error);
    if (status != ABUT_OK && *out) {
        abut_mesh_features_free(*out);
        *out = NULL;
    }
    abut_mesh_free(&w.mesh);
    abut_free(w.key);
    return status;
}
