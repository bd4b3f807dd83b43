/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes, cones of normals and slabs of the nodes of a mesh tree.
 *
 * In: a tree with its leaves. Out: for every child of every inner node an oriented box that holds its vertices with a
 * little to spare, the cone of its normals, and the slab of its vertices along the mean normal. Method: the box of
 * least surface among the axes of the mesh, the principal axes of the surface, and the mean normal with six rotations
 * about it; large children try these frames on a sample of their leaves, and the best one on all. Sums over the surface
 * are made once for each leaf. Lengths are in units of the tree.
 */
#include "shape/mesh_tree.h"
#include "math/matrix.h"

#include "shape/tolerance.h"

#include <float.h>
#include <string.h>

/* Children of more leaves than this choose their frame from about as many. */
enum { SAMPLE = 64, TURNS = 6 };

/* Sums over the triangles of a leaf or of many: twice the area, first and second moments with it, area vector. */
typedef struct Moments {
    double area, first[3], second[6], normal[3];
} Moments;

typedef struct Fit {
    AbutMeshTree *tree;
    Moments *moments; /* of each leaf */
} Fit;

/* A run of leaves. */
typedef struct Run {
    const AbutTreeLeaf *leaf;
    int32_t count;
} Run;

typedef struct Extent {
    float low[3], high[3];
} Extent;

/* ---- sums over the surface --------------------------------------------------------------------------------------- */

/* The vertices of a triangle; gives its area vector, twice. */
static AbutVec3 triangle_of(const AbutTreeLeaf *leaf, int lane, double p[3][3]) {
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) p[k][c] = (double)leaf->v[k][c][lane];
    AbutVec3 u = abut_vec3(p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]);
    AbutVec3 w = abut_vec3(p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]);
    return abut_cross(u, w);
}

static void add_triangle(Moments *m, const AbutTreeLeaf *leaf, int lane) {
    double p[3][3], g[3];
    AbutVec3 n = triangle_of(leaf, lane, p);
    double area = abut_length(n) + ABUT_TREE_NO_AREA;
    for (int c = 0; c < 3; ++c) g[c] = (p[0][c] + p[1][c] + p[2][c]) / 3.0;
    m->area += area;
    m->normal[0] += n.x, m->normal[1] += n.y, m->normal[2] += n.z;
    for (int c = 0, at = 0; c < 3; ++c) {
        m->first[c] += area * g[c];
        for (int d = 0; d <= c; ++d)
            m->second[at++] +=
                area / 12.0 * (9.0 * g[c] * g[d] + p[0][c] * p[0][d] + p[1][c] * p[1][d] + p[2][c] * p[2][d]);
    }
}

static void sum_leaves(int begin, int end, int worker, void *user) {
    Fit *f = user;
    (void)worker;
    const AbutTreeLeaf *leaf = abut_tree_leaves(f->tree);
    for (int l = begin; l < end; ++l) {
        memset(&f->moments[l], 0, sizeof f->moments[l]);
        for (int lane = 0; lane < leaf[l].count; ++lane) add_triangle(&f->moments[l], &leaf[l], lane);
    }
}

static Moments sum_run(const Moments *leaf, int32_t count) {
    Moments m = leaf[0];
    for (int32_t i = 1; i < count; ++i) {
        m.area += leaf[i].area;
        for (int c = 0; c < 3; ++c) m.first[c] += leaf[i].first[c], m.normal[c] += leaf[i].normal[c];
        for (int c = 0; c < 6; ++c) m.second[c] += leaf[i].second[c];
    }
    return m;
}

static AbutMat3 principal_axes(const Moments *m) {
    double s[6];
    for (int c = 0, at = 0; c < 3; ++c)
        for (int d = 0; d <= c; ++d, ++at)
            s[at] = m->second[at] / m->area - m->first[c] / m->area * (m->first[d] / m->area);
    AbutMat3 cov = abut_mat3(abut_vec3(s[0], s[1], s[3]), abut_vec3(s[1], s[2], s[4]), abut_vec3(s[3], s[4], s[5]));
    return abut_mat3_eigen_symmetric(cov, NULL);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static inline void widen(
    const AbutTreeLeaf *restrict leaf, int k, const float f[3][3], float low[3][8], float high[3][8]) {
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < 8; ++l) {
            float s = f[axis][0] * leaf->v[k][0][l] + f[axis][1] * leaf->v[k][1][l] + f[axis][2] * leaf->v[k][2][l];
            low[axis][l] = s < low[axis][l] ? s : low[axis][l];
            high[axis][l] = s > high[axis][l] ? s : high[axis][l];
        }
}

/* Extent along the columns of a frame of every `step`th leaf of a run. */
static Extent extent_of(Run run, int32_t step, AbutMat3 frame) {
    const float f[3][3] = {{(float)frame.x.x, (float)frame.x.y, (float)frame.x.z},
        {(float)frame.y.x, (float)frame.y.y, (float)frame.y.z}, {(float)frame.z.x, (float)frame.z.y, (float)frame.z.z}};
    float low[3][8], high[3][8];
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < 8; ++l) low[axis][l] = FLT_MAX, high[axis][l] = -FLT_MAX;
    for (int32_t i = 0; i < run.count; i += step)
        for (int k = 0; k < 3; ++k) widen(&run.leaf[i], k, f, low, high);
    Extent e;
    for (int axis = 0; axis < 3; ++axis) {
        e.low[axis] = low[axis][0], e.high[axis] = high[axis][0];
        for (int l = 1; l < 8; ++l) {
            e.low[axis] = low[axis][l] < e.low[axis] ? low[axis][l] : e.low[axis];
            e.high[axis] = high[axis][l] > e.high[axis] ? high[axis][l] : e.high[axis];
        }
    }
    return e;
}

static float surface_of(Extent e) {
    float x = e.high[0] - e.low[0], y = e.high[1] - e.low[1], z = e.high[2] - e.low[2];
    return x * y + y * z + z * x;
}

static void try_frame(Run run, int32_t step, AbutMat3 frame, AbutMat3 *best, float *least) {
    float surface = surface_of(extent_of(run, step, frame));
    if (surface < *least) {
        *least = surface;
        *best = frame;
    }
}

static AbutMat3 best_frame(Run run, const Moments *m) {
    static const double turn[TURNS][2] = {{1.0, 0.0}, {0.96592582628906829, 0.25881904510252076},
        {0.86602540378443865, 0.5}, {0.70710678118654752, 0.70710678118654752}, {0.5, 0.86602540378443865},
        {0.25881904510252076, 0.96592582628906829}};
    AbutMat3 best = abut_mat3_identity();
    int32_t step = run.count > SAMPLE ? run.count / SAMPLE : 1;
    float least = surface_of(extent_of(run, step, best));
    try_frame(run, step, principal_axes(m), &best, &least);
    AbutVec3 n = abut_vec3(m->normal[0], m->normal[1], m->normal[2]);
    if (abut_length(n) > ABUT_TREE_NO_NORMAL * m->area) {
        n = abut_normalize(n);
        AbutVec3 e = abut_perpendicular(n), f = abut_cross(n, e);
        for (int k = 0; k < TURNS; ++k) {
            AbutVec3 p = abut_add(abut_scale(e, turn[k][0]), abut_scale(f, turn[k][1]));
            try_frame(run, step, abut_mat3(n, p, abut_cross(n, p)), &best, &least);
        }
    }
    return best;
}

/* Center and half axes of the box of a run. */
static void fit_box(Run run, const Moments *m, AbutVec3 *center, AbutVec3 axis[3]) {
    AbutMat3 frame = best_frame(run, m);
    Extent e = extent_of(run, 1, frame);
    const AbutVec3 column[3] = {frame.x, frame.y, frame.z};
    *center = abut_zero();
    for (int k = 0; k < 3; ++k) {
        double low = (double)(e.low[k] - ABUT_TREE_SPARE), high = (double)(e.high[k] + ABUT_TREE_SPARE);
        *center = abut_add_scaled(*center, column[k], 0.5 * (low + high));
        axis[k] = abut_scale(column[k], 0.5 * (high - low));
    }
}

/* ---- cones and slabs --------------------------------------------------------------------------------------------- */

/* Least cosine between the unit vector n and the normal of a triangle of the run; triangles without area are left out.
 */
static double least_cosine(Run run, AbutVec3 n) {
    double least = 1.0;
    for (int32_t i = 0; i < run.count; ++i)
        for (int lane = 0; lane < run.leaf[i].count; ++lane) {
            double p[3][3];
            AbutVec3 g = triangle_of(&run.leaf[i], lane, p);
            double length = abut_length(g);
            if (length > 0.0) least = abut_smaller(least, abut_dot(g, n) / length);
        }
    return least;
}

static void fit_cone(Run run, const Moments *m, AbutTreeInner *node, int i) {
    AbutVec3 n = abut_normalize_or(abut_vec3(m->normal[0], m->normal[1], m->normal[2]), abut_zero());
    double cosine = abut_length_sq(n) > 0.0 ? least_cosine(run, n) : -1.0;
    node->normal[0][i] = (float)n.x, node->normal[1][i] = (float)n.y, node->normal[2][i] = (float)n.z;
    node->sine[i] = cosine > 0.0 ? (float)(sqrt(abut_larger(0.0, 1.0 - cosine * cosine)) + ABUT_TREE_CONE_SPARE) : 2.0F;
    Extent e = extent_of(run, 1, abut_mat3(n, n, n));
    node->slab_offset[i] = 0.5F * (e.low[0] + e.high[0]);
    node->slab_half[i] = 0.5F * (e.high[0] - e.low[0]) + ABUT_TREE_SPARE;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void fit_child(const Fit *f, AbutTreeInner *node, int i) {
    int32_t first = node->first + i * node->chunk, end = node->first + node->total;
    if (end > first + node->chunk) end = first + node->chunk;
    int32_t leaf = first / ABUT_TREE_WIDTH;
    Run run = {abut_tree_leaves(f->tree) + leaf, (end - first - 1) / ABUT_TREE_WIDTH + 1};
    Moments m = sum_run(f->moments + leaf, run.count);
    AbutVec3 center, axis[3];
    fit_box(run, &m, &center, axis);
    for (int c = 0; c < 3; ++c) {
        node->c[c][i] = (float)abut_get(center, c);
        for (int k = 0; k < 3; ++k) node->a[k][c][i] = (float)abut_get(axis[k], c);
    }
    fit_cone(run, &m, node, i);
}

static void fit_children(int begin, int end, int worker, void *user) {
    const Fit *f = user;
    (void)worker;
    AbutTreeInner *inner = (AbutTreeInner *)abut_tree_inner(f->tree);
    for (int at = begin; at < end; ++at)
        if (at % ABUT_TREE_WIDTH < inner[at / ABUT_TREE_WIDTH].count)
            fit_child(f, &inner[at / ABUT_TREE_WIDTH], at % ABUT_TREE_WIDTH);
}

/* Lanes without a child repeat child 0. */
static void repeat_lanes(AbutTreeInner *node) {
    for (int i = node->count; i < ABUT_TREE_WIDTH; ++i) {
        for (int c = 0; c < 3; ++c) {
            node->c[c][i] = node->c[c][0];
            node->normal[c][i] = node->normal[c][0];
            for (int k = 0; k < 3; ++k) node->a[k][c][i] = node->a[k][c][0];
        }
        node->sine[i] = node->sine[0];
        node->slab_offset[i] = node->slab_offset[0];
        node->slab_half[i] = node->slab_half[0];
    }
}

static void fit_whole(const Fit *f) {
    AbutMeshTree *t = f->tree;
    Run run = {abut_tree_leaves(t), t->leaf_count};
    Moments m = sum_run(f->moments, t->leaf_count);
    AbutVec3 center, axis[3];
    fit_box(run, &m, &center, axis);
    t->oriented_center = abut_add_scaled(t->center, center, t->unit);
    for (int k = 0; k < 3; ++k) t->oriented_axis[k] = abut_scale(axis[k], t->unit);
}

AbutStatus abut_tree_fit(AbutMeshTree *t, int threads, AbutError *error) {
    if (t->leaf_count == 0) return ABUT_OK;
    Fit f = {t, abut_alloc_array((size_t)t->leaf_count, sizeof *f.moments)};
    if (!f.moments) return abut_fail_memory(error);
    abut_parallel_for(t->leaf_count, 512, threads, sum_leaves, &f);
    abut_parallel_for(ABUT_TREE_WIDTH * t->inner_count, 1, threads, fit_children, &f);
    AbutTreeInner *inner = (AbutTreeInner *)abut_tree_inner(t);
    for (int32_t i = 0; i < t->inner_count; ++i) repeat_lanes(&inner[i]);
    fit_whole(&f);
    abut_free(f.moments);
    return ABUT_OK;
}
