/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: what stands inside the block of an AbutMeshTree, for the room shape that makes it and the room query that
 * walks it.
 *
 * Triangles stand in slots, eight to a leaf: slot = 8 leaf + lane; the lanes behind the last triangle repeat lane 0 of
 * their leaf. An inner node covers the slots first .. first + total - 1 and has ceil(total / chunk) children, each of
 * `chunk` slots (a power of eight) but the last. Floats are (x - center) / unit of the header.
 */
#ifndef ABUT_SHAPE_MESH_TREE_H
#define ABUT_SHAPE_MESH_TREE_H

#include "abut/shape.h"

enum { ABUT_TREE_WIDTH = 8, ABUT_TREE_NONE = INT32_MIN };

/* Structure of arrays over the eight children. Lanes without a child repeat child 0 and have the reference NONE. */
typedef struct AbutTreeInner {
    float c[3][8];      /* center of the child's oriented box */
    float a[3][3][8];   /* its half axes: a[axis][component] */
    float normal[3][8]; /* mean normal of the child's triangles, or zero */
    float sine[8];      /* of the half angle of the cone that holds all normals about it; 2: no cone below 90 degrees */
    float slab_offset[8], slab_half[8]; /* normal . x of all its vertices lies in offset -+ half */
    int32_t child[8];                   /* >= 0: inner node, < 0: ~leaf */
    int32_t count, first, total, chunk;
    int32_t padding[4];
} AbutTreeInner;

typedef struct AbutTreeLeaf {
    float v[3][3][8]; /* v[vertex][component][lane] */
    int32_t count;
    int32_t padding[7];
} AbutTreeLeaf;

static inline const void *abut_tree_part(const AbutMeshTree *t, uint64_t at) { return (const unsigned char *)t + at; }

static inline const AbutTreeInner *abut_tree_inner(const AbutMeshTree *t) {
    return (const AbutTreeInner *)abut_tree_part(t, t->inner_at);
}

static inline const AbutTreeLeaf *abut_tree_leaves(const AbutMeshTree *t) {
    return (const AbutTreeLeaf *)abut_tree_part(t, t->leaf_at);
}

/* Three vertices to a slot. */
static inline const AbutVec3 *abut_tree_vertices(const AbutMeshTree *t) {
    return (const AbutVec3 *)abut_tree_part(t, t->vertex_at);
}

/* The caller's number of the triangle in a slot. */
static inline const int32_t *abut_tree_source(const AbutMeshTree *t) {
    return (const int32_t *)abut_tree_part(t, t->source_at);
}

/* One slot of each component. */
static inline const int32_t *abut_tree_components(const AbutMeshTree *t) {
    return (const int32_t *)abut_tree_part(t, t->component_at);
}

/* Reference to the root: an inner node, a leaf (~0), or NONE for an empty mesh. */
static inline int32_t abut_tree_root(const AbutMeshTree *t) {
    return t->inner_count > 0 ? 0 : (t->leaf_count > 0 ? ~0 : ABUT_TREE_NONE);
}

/* Slots per child of a node that covers n > 8 of them. */
static inline int32_t abut_tree_chunk(int32_t n) {
    int32_t chunk = ABUT_TREE_WIDTH;
    while ((int64_t)chunk * ABUT_TREE_WIDTH < n) chunk *= ABUT_TREE_WIDTH;
    return chunk;
}

/* ---- stages of the making ---------------------------------------------------------------------------------------- */

/* Sets counts and offsets of a header for that many triangles and components (mesh_tree.c). */
void abut_tree_layout(AbutMeshTree *header, int32_t triangles, int32_t components);

/* References, ranges and counts of the inner nodes and leaves, which follow from the number of triangles. */
void abut_tree_link(const AbutMeshTree *t, AbutTreeInner *inner, AbutTreeLeaf *leaf);

/* Puts the numbers of all triangles in an order in which neighbors in space stand together (mesh_tree_split.c). */
AbutStatus abut_tree_order(
    const AbutMesh *mesh, AbutVec3 center, double unit, int threads, int32_t *order, AbutError *error);

/* Boxes, cones and slabs of all inner nodes from the leaves, and the oriented box of the whole (mesh_tree_fit.c). */
AbutStatus abut_tree_fit(AbutMeshTree *t, int threads, AbutError *error);

/* The surface as a whole (mesh_tree_surface.c). `component` holds one triangle of each, to be freed. */
typedef struct AbutTreeSurface {
    int32_t inside;
    int32_t component_count;
    int32_t *component;
} AbutTreeSurface;

AbutStatus abut_tree_surface(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error);

#endif
