/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree over the triangles of a mesh: entry of building and refitting.
 *
 * In: a mesh. Out: one block without pointers (mesh_tree.h). Method: bounds and scale; an order of the triangles by
 * repeated halving; leaves of eight; nodes of eight whose number and ranges follow from the number of triangles, so
 * that nothing has to be agreed between threads; boxes fitted to all triangles of each child. O(n log n).
 */
#include "shape/mesh_tree.h"

#include "shape/hull.h"
#include "shape/mesh_edges.h"

#include <string.h>

enum { LEAVES_AT_ONCE = 512, LEAST_EXPONENT = -960 };

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static int32_t count_inner(int32_t n) {
    if (n <= ABUT_TREE_WIDTH) return 0;
    int32_t chunk = abut_tree_chunk(n), full = n / chunk, of_chunk = 0;
    for (int32_t c = ABUT_TREE_WIDTH; c < chunk; c *= ABUT_TREE_WIDTH) of_chunk = 1 + ABUT_TREE_WIDTH * of_chunk;
    return 1 + full * of_chunk + count_inner(n - full * chunk);
}

static uint64_t take(uint64_t *at, uint64_t count, uint64_t bytes_each) {
    uint64_t here = *at;
    *at = (here + count * bytes_each + 63) / 64 * 64;
    return here;
}

void abut_tree_layout(AbutMeshTree *h, int32_t triangles, int32_t components) {
    uint64_t at = (sizeof *h + 63) / 64 * 64;
    h->magic = ABUT_MESH_TREE_MAGIC;
    h->version = ABUT_MESH_TREE_VERSION;
    h->triangle_count = triangles;
    h->inner_count = count_inner(triangles);
    h->leaf_count = triangles / ABUT_TREE_WIDTH + (triangles % ABUT_TREE_WIDTH > 0);
    h->component_count = components;
    uint64_t leaves = (uint64_t)h->leaf_count, slots = leaves * ABUT_TREE_WIDTH;
    h->inner_at = take(&at, (uint64_t)h->inner_count, sizeof(AbutTreeInner));
    h->leaf_at = take(&at, leaves, sizeof(AbutTreeLeaf));
    h->vertex_at = take(&at, 3 * slots, sizeof(AbutVec3));
    h->source_at = take(&at, slots, sizeof(int32_t));
    h->component_at = take(&at, (uint64_t)components, sizeof(int32_t));
    h->bytes = at;
}

static int32_t link_range(AbutTreeInner *inner, int32_t *next, int32_t first, int32_t total) {
    if (total <= ABUT_TREE_WIDTH) return ~(first / ABUT_TREE_WIDTH);
    int32_t at = (*next)++, chunk = abut_tree_chunk(total);
    AbutTreeInner *node = &inner[at];
    node->first = first, node->total = total, node->chunk = chunk;
    node->count = (total - 1) / chunk + 1;
    for (int32_t i = 0; i < ABUT_TREE_WIDTH; ++i) {
        int32_t left = total - i * chunk;
        node->child[i] =
            i < node->count ? link_range(inner, next, first + i * chunk, left < chunk ? left : chunk) : ABUT_TREE_NONE;
    }
    return at;
}

void abut_tree_link(const AbutMeshTree *t, AbutTreeInner *inner, AbutTreeLeaf *leaf) {
    int32_t next = 0;
    if (t->triangle_count > 0) (void)link_range(inner, &next, 0, t->triangle_count);
    for (int32_t i = 0; i < t->leaf_count; ++i) {
        int32_t left = t->triangle_count - i * ABUT_TREE_WIDTH;
        leaf[i].count = left < ABUT_TREE_WIDTH ? left : ABUT_TREE_WIDTH;
    }
}

/* ---- content ----------------------------------------------------------------------------------------------------- */

static AbutStatus check_mesh(const AbutMesh *mesh, AbutError *error) {
    if (mesh->triangle_count < 0 || mesh->vertex_count < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "mesh tree: negative counts");
    if (mesh->triangle_count > ABUT_MESH_TREE_MAX_TRIANGLES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "mesh tree: %d triangles, at most %d are taken", mesh->triangle_count,
            ABUT_MESH_TREE_MAX_TRIANGLES);
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        if (!abut_is_finite(mesh->vertices[i]) || abut_max_abs(mesh->vertices[i]) > ABUT_SHAPE_MAX_COORDINATE)
            return abut_fail(error, ABUT_ERROR_NUMBER, "mesh tree: vertex %d is not finite or beyond %g", i,
                ABUT_SHAPE_MAX_COORDINATE);
    return abut_mesh_check_indices(mesh, error);
}

/* Bounds, scale and mean side of the triangles of a mesh. */
static void measure(const AbutMesh *mesh, AbutMeshTree *h) {
    AbutAabb box = abut_aabb_empty();
    double square = 0.0, sides = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            AbutVec3 p = mesh->vertices[mesh->triangles[t].v[k]];
            box = abut_aabb_add(box, p);
            sides += abut_point_distance(p, mesh->vertices[mesh->triangles[t].v[(k + 1) % 3]]);
        }
    h->box = box;
    h->center = abut_scale(abut_add(box.min, box.max), 0.5);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            square = abut_larger(square, abut_length_sq(abut_sub(mesh->vertices[mesh->triangles[t].v[k]], h->center)));
    h->radius = sqrt(square) * (1.0 + 4e-16);
    if (square < 1e-280) /* squares vanish */
        h->radius = 2.0 * abut_max_abs(abut_sub(box.max, h->center));
    int exponent = 0;
    (void)frexp(h->radius, &exponent);
    h->unit = h->radius > 0.0 ? ldexp(1.0, exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT) : 1.0;
    h->mean_side = sides / (3.0 * mesh->triangle_count);
}

typedef struct Fill {
    const AbutMesh *mesh;
    AbutMeshTree *tree;
} Fill;

/* Vertices of the leaves begin .. end - 1, exact and as floats, from the source numbers in their slots. */
static void fill_leaves(int begin, int end, int worker, void *user) {
    const Fill *f = user;
    (void)worker;
    AbutTreeLeaf *leaf = (AbutTreeLeaf *)abut_tree_leaves(f->tree);
    AbutVec3 *vertex = (AbutVec3 *)abut_tree_vertices(f->tree);
    const int32_t *source = abut_tree_source(f->tree);
    double scale = 1.0 / f->tree->unit;
    for (int32_t l = begin; l < end; ++l)
        for (int lane = 0; lane < ABUT_TREE_WIDTH; ++lane)
            for (int k = 0; k < 3; ++k) {
                int32_t slot = l * ABUT_TREE_WIDTH + lane;
                AbutVec3 p = f->mesh->vertices[f->mesh->triangles[source[slot]].v[k]];
                AbutVec3 q = abut_scale(abut_sub(p, f->tree->center), scale);
                vertex[3 * (size_t)slot + (size_t)k] = p;
                leaf[l].v[k][0][lane] = (float)q.x;
                leaf[l].v[k][1][lane] = (float)q.y;
                leaf[l].v[k][2][lane] = (float)q.z;
            }
}

/* Source numbers into slots, the unused ones of the last leaf repeating its first. */
static void fill_source(AbutMeshTree *t, const int32_t *order) {
    int32_t *source = (int32_t *)abut_tree_source(t);
    for (int32_t slot = 0; slot < t->leaf_count * ABUT_TREE_WIDTH; ++slot)
        source[slot] = order[slot < t->triangle_count ? slot : slot / ABUT_TREE_WIDTH * ABUT_TREE_WIDTH];
}

/* A slot of each component. `slot_of` has room for every triangle. */
static void fill_components(AbutMeshTree *t, const AbutTreeSurface *surface, int32_t *slot_of) {
    int32_t *component = (int32_t *)abut_tree_components(t);
    for (int32_t slot = 0; slot < t->triangle_count; ++slot) slot_of[abut_tree_source(t)[slot]] = slot;
    for (int32_t i = 0; i < t->component_count; ++i) component[i] = slot_of[surface->component[i]];
    t->inside = (int32_t)surface->inside;
}

/* The block with everything but nodes; `work` is the order of the triangles, and scratch thereafter. */
static AbutMeshTree *pack(
    const AbutMesh *mesh, const AbutMeshTree *header, const AbutTreeSurface *surface, int32_t *work, int threads) {
    AbutMeshTree *t = abut_alloc(header->bytes);
    if (!t) return NULL;
    memset(t, 0, header->bytes);
    *t = *header;
    fill_source(t, work);
    fill_components(t, surface, work);
    abut_tree_link(t, (AbutTreeInner *)abut_tree_inner(t), (AbutTreeLeaf *)abut_tree_leaves(t));
    Fill fill = {mesh, t};
    abut_parallel_for(t->leaf_count, LEAVES_AT_ONCE, threads, fill_leaves, &fill);
    return t;
}

/* A tree over the mesh with its triangles in the given order, which is overwritten. */
static AbutStatus build_ordered(
    const AbutMesh *mesh, AbutMeshTree *header, int32_t *order, int threads, AbutMeshTree **out, AbutError *error) {
    AbutTreeSurface surface = {ABUT_MESH_OPEN, 0, NULL};
    AbutStatus status = abut_tree_surface(mesh, &surface, error);
    if (status != ABUT_OK) return status;
    abut_tree_layout(header, mesh->triangle_count, surface.component_count);
    AbutMeshTree *t = pack(mesh, header, &surface, order, threads);
    abut_free(surface.component);
    if (!t) return abut_fail_memory(error);
    status = abut_tree_fit(t, threads, error);
    if (status == ABUT_OK)
        *out = t;
    else
        abut_free(t);
    return status;
}

AbutStatus abut_mesh_tree_create(const AbutMesh *mesh, int threads, AbutMeshTree **out, AbutError *error) {
    AbutMeshTree header;
    memset(&header, 0, sizeof header);
    header.unit = 1.0;
    AbutStatus status = check_mesh(mesh, error);
    if (status != ABUT_OK) return status;
    if (mesh->triangle_count > 0) measure(mesh, &header);
    int32_t *order = abut_alloc_array((size_t)mesh->triangle_count, sizeof *order);
    if (!order) return abut_fail_memory(error);
    status = abut_tree_order(mesh, header.center, header.unit, threads, order, error);
    if (status == ABUT_OK) status = build_ordered(mesh, &header, order, threads, out, error);
    abut_free(order);
    return status;
}

AbutStatus abut_mesh_tree_refit(AbutMeshTree *tree, const AbutMesh *mesh, int threads, AbutError *error) {
    AbutStatus status = check_mesh(mesh, error);
    if (status != ABUT_OK) return status;
    if (mesh->triangle_count != tree->triangle_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "mesh tree: made of %d triangles, refitted with %d",
            tree->triangle_count, mesh->triangle_count);
    if (mesh->triangle_count == 0) return ABUT_OK;
    AbutMeshTree header = *tree, *fresh = NULL;
    int32_t *order = abut_alloc_array((size_t)mesh->triangle_count, sizeof *order);
    if (!order) return abut_fail_memory(error);
    memcpy(order, abut_tree_source(tree), (size_t)mesh->triangle_count * sizeof *order);
    measure(mesh, &header);
    status = build_ordered(mesh, &header, order, threads, &fresh, error);
    abut_free(order);
    if (status != ABUT_OK) return status;
    if (fresh->bytes == tree->bytes)
        memcpy(tree, fresh, fresh->bytes);
    else
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "mesh tree: the mesh has %d components now, it had %d",
            fresh->component_count, tree->component_count);
    abut_free(fresh);
    return status;
}

void abut_mesh_tree_free(AbutMeshTree *tree) { abut_free(tree); }
