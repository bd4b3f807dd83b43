/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May a block of bytes from outside be trusted as a mesh tree?
 *
 * In: memory of a stated size. Out: OK, or FORMAT with the first fault found. First what can be read safely (size,
 * mark, counts, layout, links), then the numbers: source numbers are a permutation, floats are those of the exact
 * vertices, every box holds its triangles, and the surface has the inside that the header says.
 */
#include "support/mesh_tree_check.h"
#include "math/matrix.h"
#include "shape/hull.h"

#include <string.h>

static AbutStatus bad(AbutError *error, const char *what) {
    return abut_fail(error, ABUT_ERROR_FORMAT, "not a mesh tree: %s", what);
}

static int same_layout(const AbutMeshTree *t, size_t bytes) {
    AbutMeshTree h = *t;
    abut_tree_layout(&h, t->triangle_count, t->component_count);
    return h.bytes == bytes && t->bytes == bytes && h.inner_count == t->inner_count && h.leaf_count == t->leaf_count &&
           h.inner_at == t->inner_at && h.leaf_at == t->leaf_at && h.vertex_at == t->vertex_at &&
           h.source_at == t->source_at && h.component_at == t->component_at;
}

static AbutStatus check_header(const void *block, size_t bytes, AbutError *error) {
    const AbutMeshTree *t = block;
    if (!block || bytes < sizeof *t || (uintptr_t)block % 64 != 0) return bad(error, "too small or not aligned");
    if (t->magic != ABUT_MESH_TREE_MAGIC || t->version != ABUT_MESH_TREE_VERSION)
        return bad(error, "wrong mark or version");
    if (t->triangle_count < 0 || t->triangle_count > ABUT_MESH_TREE_MAX_TRIANGLES || t->component_count < 0 ||
        t->component_count > t->triangle_count || (t->component_count == 0) != (t->triangle_count == 0) ||
        t->inside < ABUT_MESH_OPEN || t->inside > ABUT_MESH_WINDING)
        return bad(error, "counts are out of range");
    if (!same_layout(t, bytes)) return bad(error, "the layout does not fit the counts");
    int exponent;
    if (!isfinite(t->unit) || frexp(t->unit, &exponent) != 0.5 || exponent < -961)
        return bad(error, "the unit is not a power of two");
    if (!abut_is_finite(t->center) || !(t->radius >= 0.0 && t->radius <= t->unit))
        return bad(error, "center or radius are out of range");
    return ABUT_OK;
}

static AbutStatus check_links(const AbutMeshTree *t, AbutError *error) {
    AbutTreeInner *inner = abut_alloc_array((size_t)t->inner_count, sizeof *inner);
    AbutTreeLeaf *leaf = abut_alloc_array((size_t)t->leaf_count, sizeof *leaf);
    AbutStatus status = inner && leaf ? ABUT_OK : abut_fail_memory(error);
    if (status == ABUT_OK) abut_tree_link(t, inner, leaf);
    for (int32_t i = 0; i < t->inner_count && status == ABUT_OK; ++i) {
        const AbutTreeInner *a = &inner[i], *b = &abut_tree_inner(t)[i];
        if (a->count != b->count || a->first != b->first || a->total != b->total || a->chunk != b->chunk ||
            memcmp(a->child, b->child, sizeof a->child) != 0)
            status = bad(error, "the nodes hang together in another way");
    }
    for (int32_t i = 0; i < t->leaf_count && status == ABUT_OK; ++i)
        if (leaf[i].count != abut_tree_leaves(t)[i].count) status = bad(error, "a leaf has the wrong count");
    abut_free(inner);
    abut_free(leaf);
    return status;
}

static AbutStatus check_source(const AbutMeshTree *t, AbutError *error) {
    unsigned char *seen = abut_alloc((size_t)t->triangle_count);
    AbutStatus status = seen ? ABUT_OK : abut_fail_memory(error);
    if (seen) memset(seen, 0, (size_t)t->triangle_count);
    for (int32_t slot = 0; slot < ABUT_TREE_WIDTH * t->leaf_count && status == ABUT_OK; ++slot) {
        int32_t s = abut_tree_source(t)[slot];
        if (s < 0 || s >= t->triangle_count || (slot < t->triangle_count && seen[s]))
            status = bad(error, "triangle numbers are no permutation");
        else
            seen[s] = 1;
    }
    for (int32_t i = 0; i < t->component_count && status == ABUT_OK; ++i)
        if (abut_tree_components(t)[i] < 0 || abut_tree_components(t)[i] >= t->triangle_count)
            status = bad(error, "a component is out of range");
    abut_free(seen);
    return status;
}

/* Vertex k of a slot: finite, within the radius, equal to its float; behind the last triangle equal to lane 0. */
static int good_vertex(const AbutMeshTree *t, int32_t slot, int k) {
    int32_t from = slot < t->triangle_count ? slot : slot / ABUT_TREE_WIDTH * ABUT_TREE_WIDTH;
    AbutVec3 p = abut_tree_vertices(t)[3 * (size_t)slot + (size_t)k];
    AbutVec3 same = abut_tree_vertices(t)[3 * (size_t)from + (size_t)k];
    const AbutTreeLeaf *leaf = &abut_tree_leaves(t)[slot / ABUT_TREE_WIDTH];
    if (!abut_is_finite(p) || abut_max_abs(p) > ABUT_SHAPE_MAX_COORDINATE || p.x != same.x || p.y != same.y ||
        p.z != same.z || !(abut_max_abs(abut_sub(p, t->center)) <= t->radius * (1.0 + 1e-12)))
        return 0;
    AbutVec3 q = abut_scale(abut_sub(p, t->center), 1.0 / t->unit);
    for (int c = 0; c < 3; ++c)
        if (leaf->v[k][c][slot % ABUT_TREE_WIDTH] != (float)abut_get(q, c)) return 0;
    return 1;
}

/* Do the box and the slab of child i hold its triangles? Solved in double, for the box as it stands in the node. */
static int good_child(const AbutMeshTree *t, const AbutTreeInner *node, int i) {
    AbutVec3 axis[3], n = abut_vec3((double)node->normal[0][i], (double)node->normal[1][i], (double)node->normal[2][i]);
    AbutVec3 c = abut_vec3((double)node->c[0][i], (double)node->c[1][i], (double)node->c[2][i]);
    for (int k = 0; k < 3; ++k)
        axis[k] = abut_vec3((double)node->a[k][0][i], (double)node->a[k][1][i], (double)node->a[k][2][i]);
    AbutMat3 back = abut_mat3_inv(abut_mat3(axis[0], axis[1], axis[2]));
    int32_t first = node->first + i * node->chunk, end = node->first + node->total;
    if (end > first + node->chunk) end = first + node->chunk;
    for (int32_t at = 3 * first; at < 3 * end; ++at) {
        AbutVec3 p = abut_scale(abut_sub(abut_tree_vertices(t)[at], t->center), 1.0 / t->unit);
        if (!(abut_max_abs(abut_mat3_apply(back, abut_sub(p, c))) <= 1.0) ||
            !(fabs(abut_dot(n, p) - (double)node->slab_offset[i]) <= (double)node->slab_half[i]))
            return 0;
    }
    return node->sine[i] >= 0.0F && node->sine[i] <= 2.0F;
}

static AbutStatus check_geometry(const AbutMeshTree *t, AbutError *error) {
    for (int32_t slot = 0; slot < ABUT_TREE_WIDTH * t->leaf_count; ++slot)
        for (int k = 0; k < 3; ++k)
            if (!good_vertex(t, slot, k)) return bad(error, "a vertex is not finite or differs from its copy");
    for (int32_t i = 0; i < t->inner_count; ++i)
        for (int k = 0; k < abut_tree_inner(t)[i].count; ++k)
            if (!good_child(t, &abut_tree_inner(t)[i], k)) return bad(error, "a box does not hold its triangles");
    if (!abut_is_finite(t->oriented_center) || !abut_is_finite(t->oriented_axis[0]) ||
        !abut_is_finite(t->oriented_axis[1]) || !abut_is_finite(t->oriented_axis[2]))
        return bad(error, "the oriented box is not finite");
    return ABUT_OK;
}

/* The triangles as a mesh of their own, and what its surface is. */
static AbutStatus check_surface(const AbutMeshTree *t, AbutError *error) {
    AbutMesh mesh = {0};
    AbutTreeSurface surface;
    AbutStatus status = abut_mesh_create(3 * t->triangle_count, t->triangle_count, &mesh, error);
    if (status != ABUT_OK) return status;
    for (int32_t i = 0; i < t->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            mesh.vertices[3 * i + k] = abut_tree_vertices(t)[3 * i + k];
            mesh.triangles[i].v[k] = 3 * i + k;
        }
    status = abut_tree_surface(&mesh, &surface, error);
    abut_mesh_free(&mesh);
    if (status != ABUT_OK) return status;
    abut_free(surface.component);
    return (int32_t)surface.inside == t->inside ? ABUT_OK : bad(error, "the surface is open where it should be closed");
}

AbutStatus abut_mesh_tree_check(const void *block, size_t bytes, AbutError *error) {
    AbutStatus status = check_header(block, bytes, error);
    if (status == ABUT_OK) status = check_links(block, error);
    if (status == ABUT_OK) status = check_source(block, error);
    if (status == ABUT_OK) status = check_geometry(block, error);
    if (status == ABUT_OK) status = check_surface(block, error);
    return status;
}
