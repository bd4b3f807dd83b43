/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: a question about two mesh trees, and the walks through them.
 *
 * Exact coordinates are those of the caller times `scale`, a power of two that brings both meshes within 1, in the
 * frame of A: a vertex p of B stands at r (scale p) + t, rounded. Bounds live in the query frame: origin at the center
 * of A, first axis along the direction that matters (the current shortest distance), lengths times `scale` and
 * `frame_scale`, so that the whole scene is of size 0.5 to 1 and fits float.
 */
#ifndef ABUT_SRC_MESH_PAIR_H
#define ABUT_SRC_MESH_PAIR_H

#include "abut/mesh.h"
#include "mesh/facing.h"
#include "mesh/triangle_pair.h"
#include "query/contract.h"
#include "shape/mesh_tree.h"

/* Coordinates of the nodes of a tree to the query frame; boxes grow by `spare`, which covers all rounding to float. */
typedef struct AbutMeshFrame {
    float m[3][3], t[3];
    float spare;
} AbutMeshFrame;

/* Eight boxes along the axes of the query frame. */
typedef struct AbutMeshBoxes {
    _Alignas(64) float low[3][8];
    float high[3][8];
} AbutMeshBoxes;

typedef struct AbutMeshBest {
    int32_t slot_a, slot_b; /* -1: none yet */
    AbutTriangleGap gap;    /* in exact coordinates */
} AbutMeshBest;

typedef struct AbutMeshPair AbutMeshPair;

/* Receives each pair of triangles nearer than the limit of a walk. */
typedef void AbutMeshVisit(AbutMeshPair *pair, int32_t slot_a, int32_t slot_b);

struct AbutMeshPair {
    const AbutMeshTree *a, *b;
    AbutMat3 r;
    AbutVec3 t;
    double scale, frame_scale;
    double size; /* of the scene in the query frame: radii and distance of the centers */
    AbutMeshFrame frame_a, frame_b;
    AbutMat3 turn; /* columns: the axes of the query frame in A */
    AbutMeshBest best;
    double enough;                 /* squared: a pair this near ends the walk */
    double absolute, one_relative; /* accepted errors: absolute, and 1 + relative */
    float limit;                   /* squared distance in the query frame from which nothing matters */
    int done;
    int waiting; /* pairs in `batch` */
    int32_t batch_a[8], batch_b[8];
    AbutMeshVisit *visit; /* NULL: the walk looks for the nearest pair */
    double visited;       /* squared distance of the pair that is shown, in exact coordinates; below 0: not known */
    void *user;
    const AbutFacing *facing_a, *facing_b; /* of a walk over triangles that face each other ... */
    float facing_turn[3][3], facing_tilt;  /* ... B in A, and how far it may turn from there */
    int64_t node_pairs, triangle_pairs;
};

struct AbutMeshSweep; /* sweep.h */

/* The walks, compiled for the vector units there are; all give the same bits (mesh_walk.inc). */
typedef struct AbutMeshWalk {
    void (*greedy)(AbutMeshPair *pair);   /* one triangle pair that is likely near */
    void (*distance)(AbutMeshPair *pair); /* the nearest pair, or all nearer than the limit to `visit` */
    void (*facing)(AbutMeshPair
            *pair); /* those that may face each other and own a feature and that bounds do not part, to `visit` */
    void (*collide)(AbutMeshPair *pair); /* pairs whose boxes and planes do not part them, to `visit`, until done */
    /* Slot of the triangle of a tree nearest to p (its own coordinates), at most sqrt(*square) away, or -1. */
    int32_t (*nearest)(const AbutMeshTree *tree, AbutVec3 p, double *square, AbutVec3 *at);
    void (*sweep)(struct AbutMeshSweep *sweep); /* ends of the intervals of a sweep */
    void (*boxes)(const AbutMeshTree *tree, int32_t node, const AbutMeshFrame *frame, AbutMeshBoxes *out);
    const char *name;
} AbutMeshWalk;

extern const AbutMeshWalk abut_mesh_walk_plain, abut_mesh_walk_avx2;

/* The one for this processor; `abut_mesh_walk_force` makes tests use another (NULL: no longer). */
const AbutMeshWalk *abut_mesh_walk(void);
void abut_mesh_walk_force(const AbutMeshWalk *walk);

/* A walk through one tree; the first member of what looks for something there. */
typedef struct AbutTreeVisit {
    const AbutMeshTree *tree;
    AbutMeshFrame frame;
    /* gives the bits of the boxes that count, each with its key */
    unsigned (*rank)(struct AbutTreeVisit *visit, const AbutMeshBoxes *boxes, int count, float key[8]);
    void (*look)(struct AbutTreeVisit *visit, int32_t slot); /* at a triangle */
    float limit; /* boxes with a key above it are left out, the least key comes first; `look` may lower it */
    int done;
    int64_t nodes; /* looked at so far */
} AbutTreeVisit;

void abut_tree_visit(AbutTreeVisit *visit);

/* Is a pose finite, with a quaternion of unit length? */
int abut_mesh_pose_is_good(AbutPose pose);

/* Makes a pair ready, with room for B to be moved by `room`, caller's lengths; 0 when the pose is not good or lengths
 * pass 1e60. Both trees have triangles. */
int abut_mesh_pair_open(AbutMeshPair *pair, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, double room);

/* Turns the query frame so that its first axis is the unit vector u (frame of A). */
void abut_mesh_pair_turn(AbutMeshPair *pair, AbutVec3 u);

/* The frame with first axis u and origin o of one tree alone; `size` in the tree's coordinates is what must fit. */
AbutMeshFrame abut_mesh_frame_alone(const AbutMeshTree *tree, AbutVec3 u, AbutVec3 o, double size, double *unit);

/* Pairs farther from each other than `within`, the caller's lengths, do not matter. */
void abut_mesh_pair_limit(AbutMeshPair *pair, double within);

/* Sets the limit after the best pair has changed. */
void abut_mesh_pair_tighten(AbutMeshPair *pair);

/* Looks at one pair of triangles and keeps it when it is nearer, or as near with smaller numbers. */
void abut_mesh_pair_try(AbutMeshPair *pair, int32_t slot_a, int32_t slot_b);

/* Number of children or triangles of a node. */
static inline int abut_mesh_node_count(const AbutMeshTree *tree, int32_t node) {
    return node >= 0 ? abut_tree_inner(tree)[node].count : abut_tree_leaves(tree)[~node].count;
}

/* The triangle of a slot in exact coordinates. */
static inline void abut_mesh_triangle_a(const AbutMeshPair *q, int32_t slot, AbutVec3 out[3]) {
    const AbutVec3 *v = abut_tree_vertices(q->a) + 3 * (size_t)slot;
    for (int k = 0; k < 3; ++k) out[k] = abut_scale(v[k], q->scale);
}

static inline void abut_mesh_triangle_b(const AbutMeshPair *q, int32_t slot, AbutVec3 out[3]) {
    const AbutVec3 *v = abut_tree_vertices(q->b) + 3 * (size_t)slot;
    for (int k = 0; k < 3; ++k) out[k] = abut_add(abut_mat3_apply(q->r, abut_scale(v[k], q->scale)), q->t);
}

/* Are all numbers of the settings finite and not negative? */
int abut_mesh_def_is_good(const AbutGapDef *def);

/* A triangle of a tree as part of an answer; a slot below 0 is none. */
static inline AbutPart abut_mesh_part(const AbutMeshTree *tree, int32_t slot) {
    AbutPart none = {ABUT_PART_NONE, {-1, -1, -1}};
    return slot < 0 ? none : (AbutPart){ABUT_PART_TRIANGLE, {abut_tree_source(tree)[slot], -1, -1}};
}

/* Adds work to that of a def, if it is wanted. */
static inline void abut_mesh_count(AbutWork *work, int64_t node_pairs, int64_t triangle_pairs) {
    if (work) work->node_pairs += node_pairs, work->triangle_pairs += triangle_pairs;
}

/* Is a vertex of some component of either tree inside the other? Asked where the surfaces do not meet. */
AbutGapOutcome abut_mesh_pair_nesting(const AbutMeshPair *pair, int *known);

/* How often the surface goes round p: 0 outside of a closed mesh with consistent triangles, 1 inside (inside.c). */
int abut_mesh_winding(const AbutMeshTree *mesh, AbutVec3 p);

/* Does the signed volume of a closed mesh with consistent triangles count all of its inside once? Not where parts
 * overlap, or some are inside out. Told by what lies beside up to 2048 triangles. */
int abut_mesh_counts_once(const AbutMeshTree *tree, const AbutMesh *mesh);

#endif
