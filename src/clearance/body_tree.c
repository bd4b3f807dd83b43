/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees of oriented boxes for the clearance search.
 *
 * In: the leaves of a body, triangles or pieces. Out: a binary tree with one of them per leaf. Method: top down; the
 * axes of a box are the principal axes of what is in it, a single triangle takes its longest side and its normal; cuts
 * are where the numbers of leaves on both sides, each times the surface of its box, have the least sum. Rounding: axes
 * and centers become floats first, extents are measured against these in double and grown by 2e-6 of the radius, which
 * covers axes that are orthonormal to 1e-7 only.
 */
#include "clearance/clearance_body.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

enum { BINS = 13, MOST_FREE_CUTS = 64 };

static const double GROW = 2e-6, GROW_RADIUS = 1e-7;

typedef struct Builder {
    AbutClearanceBody *body;
    AbutVec3 *middle; /* of each leaf */
    double *key;
    int32_t *order;
} Builder;

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

AbutVec3 abut_clearance_leaf_farthest(const AbutClearanceBody *body, int32_t leaf, AbutVec3 d) {
    if (body->piece) return abut_sub(abut_convex_farthest(&body->piece[leaf], d), body->center);
    const AbutVec3 *t = body->triangle[leaf];
    double x = abut_dot(t[0], d), y = abut_dot(t[1], d), z = abut_dot(t[2], d);
    return x >= y && x >= z ? t[0] : (y >= z ? t[1] : t[2]);
}

/* Has a piece no vertices to go through? */
static int is_smooth(const AbutClearanceBody *body, int32_t leaf) {
    return body->piece && body->piece[leaf].kind > ABUT_CONVEX_POLYHEDRON;
}

/* Number of points that stand for a leaf when boxes are turned and radii are measured. */
static int32_t point_count(const AbutClearanceBody *body, int32_t leaf) {
    if (!body->piece) return 3;
    const AbutConvex *c = &body->piece[leaf];
    if (is_smooth(body, leaf)) return 6;
    if (c->kind == ABUT_CONVEX_POLYHEDRON) return c->polyhedron->vertex_count;
    return c->kind == ABUT_CONVEX_BOX ? 8 : (int32_t)c->kind + 1; /* point, segment, triangle */
}

static AbutVec3 point_of(const AbutClearanceBody *body, int32_t leaf, int32_t i) {
    if (!body->piece) return body->triangle[leaf][i];
    const AbutConvex *c = &body->piece[leaf];
    AbutVec3 p;
    switch (c->kind) {
    case ABUT_CONVEX_POLYHEDRON:
        p = abut_polyhedron_vertices(c->polyhedron)[i];
        break;
    case ABUT_CONVEX_BOX:
        p = abut_mul(c->p[0], abut_vec3((i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0));
        break;
    case ABUT_CONVEX_POINT:
    case ABUT_CONVEX_SEGMENT:
    case ABUT_CONVEX_TRIANGLE:
        p = c->p[i];
        break;
    default:
        p = abut_convex_farthest(c, abut_clearance_side(i));
    }
    return abut_sub(p, body->center);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

/* Longest side, normal, and what is across both; 0 for a triangle without area. */
static int triangle_axes(const AbutVec3 t[3], AbutVec3 axis[3]) {
    AbutVec3 side[3] = {abut_sub(t[1], t[0]), abut_sub(t[2], t[1]), abut_sub(t[0], t[2])};
    AbutVec3 n = abut_cross(side[0], side[1]), e = side[0];
    for (int k = 1; k < 3; ++k) e = abut_length_sq(side[k]) > abut_length_sq(e) ? side[k] : e;
    double longest = abut_length_sq(e);
    if (!(longest > 0.0) || !(abut_length_sq(n) > 1e-16 * longest * longest)) return 0;
    axis[0] = abut_normalize(e);
    axis[2] = abut_normalize(n);
    axis[1] = abut_cross(axis[2], axis[0]);
    return 1;
}

typedef struct Moments {
    double weight;
    AbutVec3 first;
    AbutMat3 second;
} Moments;

static void add_point(Moments *m, AbutVec3 p, double w) {
    m->second = abut_mat3_add(m->second, abut_mat3_outer(abut_scale(p, w), p));
    m->first = abut_add_scaled(m->first, p, w);
    m->weight += w;
}

static void add_leaf(Moments *m, const AbutClearanceBody *body, int32_t leaf) {
    if (body->piece) {
        for (int32_t i = 0; i < point_count(body, leaf); ++i) add_point(m, point_of(body, leaf, i), 1.0);
        return;
    }
    const AbutVec3 *t = body->triangle[leaf];
    double area = abut_length(abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]))) + 1e-30;
    for (int k = 0; k < 3; ++k) add_point(m, t[k], area / 12.0);
    add_point(m, abut_scale(abut_add(abut_add(t[0], t[1]), t[2]), 1.0 / 3.0), area * 9.0 / 12.0);
}

/* Principal axes of leaves, the longest first. */
static void axes_of(const AbutClearanceBody *body, const int32_t *leaf, int32_t count, AbutVec3 axis[3]) {
    if (count == 1 && !body->piece && triangle_axes(body->triangle[leaf[0]], axis)) return;
    Moments m;
    memset(&m, 0, sizeof m);
    for (int32_t i = 0; i < count; ++i) add_leaf(&m, body, leaf[i]);
    AbutVec3 mean = abut_scale(m.first, 1.0 / m.weight);
    AbutMat3 cov = abut_mat3_sub(abut_mat3_scale(m.second, 1.0 / m.weight), abut_mat3_outer(mean, mean));
    AbutMat3 vectors = abut_mat3_eigen_symmetric(cov, NULL);
    axis[0] = vectors.z, axis[1] = vectors.y, axis[2] = abut_cross(axis[0], axis[1]);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* By way of memory: gcc 12 forgets to round where it takes two numbers to float and back side by side (-O2). */
AbutVec3 abut_clearance_to_float(AbutVec3 v) {
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    return abut_vec3(x, y, z);
}

static void widen(double *low, double *high, double at, double radius) {
    *low = abut_smaller(*low, at - radius);
    *high = abut_larger(*high, at + radius);
}

/* Range of leaves along an axis. */
static void range_along(
    const AbutClearanceBody *body, const int32_t *leaf, int32_t count, AbutVec3 axis, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        double radius = abut_clearance_leaf_radius(body, leaf[i]);
        if (is_smooth(body, leaf[i])) {
            widen(low, high, abut_dot(axis, abut_clearance_leaf_farthest(body, leaf[i], axis)), radius);
            widen(low, high, abut_dot(axis, abut_clearance_leaf_farthest(body, leaf[i], abut_neg(axis))), radius);
            continue;
        }
        for (int32_t k = 0; k < point_count(body, leaf[i]); ++k)
            widen(low, high, abut_dot(axis, point_of(body, leaf[i], k)), radius);
    }
}

/* Radius of leaves about a point; of smooth pieces what their box says. */
static double radius_about(
    const AbutClearanceBody *body, const int32_t *leaf, int32_t count, AbutVec3 c, double half_diagonal) {
    double most = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        if (is_smooth(body, leaf[i])) return half_diagonal;
        for (int32_t k = 0; k < point_count(body, leaf[i]); ++k)
            most = abut_larger(
                most, abut_point_distance(point_of(body, leaf[i], k), c) + abut_clearance_leaf_radius(body, leaf[i]));
    }
    return abut_smaller(most, half_diagonal);
}

static void fit(
    const AbutClearanceBody *body, const int32_t *leaf, int32_t count, const AbutVec3 axes[3], AbutClearanceNode *out) {
    AbutVec3 axis[3], c = abut_zero();
    double low[3], high[3], extent[3], square = 0.0;
    for (int k = 0; k < 3; ++k) {
        axis[k] = abut_clearance_to_float(axes[k]);
        range_along(body, leaf, count, axis[k], &low[k], &high[k]);
        c = abut_add_scaled(c, axis[k], 0.5 * (low[k] + high[k]));
    }
    c = abut_clearance_to_float(c);
    for (int k = 0; k < 3; ++k) {
        double at = abut_dot(axis[k], c);
        extent[k] = abut_larger(abut_larger(high[k] - at, at - low[k]), 0.0);
        square += extent[k] * extent[k];
    }
    double rho = radius_about(body, leaf, count, c, sqrt(square) * (1.0 + 1e-6));
    for (int k = 0; k < 3; ++k) {
        double e = extent[k] + GROW * rho;
        for (int i = 0; i < 3; ++i) out->h[i][k] = (float)(abut_get(axis[k], i) * e);
        out->c[k] = (float)abut_get(c, k);
    }
    out->rho = nextafterf((float)(rho * (1.0 + GROW_RADIUS)), INFINITY);
    out->padding[0] = out->padding[1] = 0;
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

static void swap(int32_t *a, int32_t *b) {
    int32_t keep = *a;
    *a = *b;
    *b = keep;
}

/* Moves the k leaves of least key to the front. */
static void select_least(const double *key, int32_t *leaf, int32_t count, int32_t k) {
    int32_t left = 0, right = count - 1;
    while (left < right) {
        double pivot = key[leaf[left + (right - left) / 2]];
        int32_t i = left, j = right;
        while (i <= j) {
            while (key[leaf[i]] < pivot) ++i;
            while (key[leaf[j]] > pivot) --j;
            if (i <= j) swap(&leaf[i++], &leaf[j--]);
        }
        if (k <= j)
            right = j;
        else if (k >= i)
            left = i;
        else
            return;
    }
}

/* The boxes of the leaves whose middles fall into one of equal parts of the range of an axis. */
typedef struct Bin {
    int32_t count;
    double low[3], high[3];
} Bin;

static Bin empty_bin(void) { return (Bin){0, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

static void add_bin(Bin *sum, const Bin *b) {
    sum->count += b->count;
    for (int k = 0; k < 3; ++k) {
        sum->low[k] = abut_smaller(sum->low[k], b->low[k]);
        sum->high[k] = abut_larger(sum->high[k], b->high[k]);
    }
}

/* Cost of visiting the leaves of a box: their number times its surface. */
static double cost_of(const Bin *b) {
    double x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return b->count > 0 ? b->count * (x * y + y * z + z * x) : 0.0;
}

/* Range of the middles along an axis. */
static void range_of_middles(
    const Builder *b, const int32_t *leaf, int32_t count, AbutVec3 axis, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int32_t i = 0; i < count; ++i) widen(low, high, abut_dot(axis, b->middle[leaf[i]]), 0.0);
}

/* Part of low .. high that x falls into. Rows of a regular grid do not lie on the borders of this many parts. */
static int bin_of(double x, double low, double high) {
    int k = (int)((x - low) / (high - low) * (BINS - 1e-3) + 5e-4);
    return k < BINS ? k : BINS - 1;
}

static void fill_bins(const Builder *b, const int32_t *leaf, int32_t count, const AbutVec3 axis[3], const double low[3],
    const double high[3], Bin bin[3][BINS]) {
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < BINS; ++i) bin[k][i] = empty_bin();
    for (int32_t i = 0; i < count; ++i) {
        Bin one = {1, {0}, {0}};
        for (int k = 0; k < 3; ++k) range_along(b->body, &leaf[i], 1, axis[k], &one.low[k], &one.high[k]);
        for (int k = 0; k < 3; ++k)
            if (high[k] > low[k])
                add_bin(&bin[k][bin_of(abut_dot(axis[k], b->middle[leaf[i]]), low[k], high[k])], &one);
    }
}

/* The cheapest border of the parts of one axis: the number of the first part behind it, 0 where there is none. */
static int cheapest_border(const Bin bin[BINS], double *least) {
    Bin left = empty_bin(), right[BINS + 1];
    int best = 0;
    right[BINS] = empty_bin();
    for (int i = BINS - 1; i >= 0; --i) {
        right[i] = bin[i];
        add_bin(&right[i], &right[i + 1]);
    }
    for (int i = 1; i < BINS; ++i) {
        add_bin(&left, &bin[i - 1]);
        double cost = cost_of(&left) + cost_of(&right[i]);
        if (left.count > 0 && right[i].count > 0 && cost < *least) *least = cost, best = i;
    }
    return best;
}

/* Cuts leaves in two where that costs least; gives the number on the first side. */
static int32_t cut_leaves(Builder *b, int32_t *leaf, int32_t count, const AbutVec3 axis[3], int32_t depth) {
    Bin bin[3][BINS];
    double low[3], high[3], least = INFINITY;
    int along = -1, border = 0;
    for (int k = 0; k < 3; ++k) range_of_middles(b, leaf, count, axis[k], &low[k], &high[k]);
    if (depth < MOST_FREE_CUTS) {
        fill_bins(b, leaf, count, axis, low, high, bin);
        for (int k = 0; k < 3; ++k) {
            int at = cheapest_border(bin[k], &least);
            if (at > 0) along = k, border = at;
        }
    }
    if (along < 0) { /* nothing to tell them apart, or cuts that go on and on */
        for (int32_t i = 0; i < count; ++i) b->key[leaf[i]] = abut_dot(axis[0], b->middle[leaf[i]]);
        select_least(b->key, leaf, count, count / 2);
        return count / 2;
    }
    int32_t i = 0, j = count - 1;
    while (i <= j)
        if (bin_of(abut_dot(axis[along], b->middle[leaf[i]]), low[along], high[along]) < border)
            ++i;
        else
            swap(&leaf[i], &leaf[j--]);
    return i;
}

static void build(Builder *b, int32_t at, int32_t *leaf, int32_t count, int32_t depth) {
    AbutClearanceBody *body = b->body;
    AbutVec3 axis[3];
    axes_of(body, leaf, count, axis);
    fit(body, leaf, count, axis, &body->nodes[at]);
    const AbutClearanceNode *n = &body->nodes[at];
    body->reach =
        abut_larger(body->reach, (abut_length(abut_vec3(n->c[0], n->c[1], n->c[2])) + n->rho) * (1.0 + 1e-14));
    body->depth = depth > body->depth ? depth : body->depth;
    if (count == 1) {
        body->nodes[at].child = ~leaf[0];
        return;
    }
    int32_t k = cut_leaves(b, leaf, count, axis, depth);
    int32_t child = body->node_count;
    body->node_count += 2;
    body->nodes[at].child = child;
    build(b, child, leaf, k, depth + 1);
    build(b, child + 1, leaf + k, count - k, depth + 1);
}

/* Leaves in the order of the tree, so that neighbors lie together in memory. */
static void put_in_order(Builder *b) {
    AbutClearanceBody *body = b->body;
    int32_t *place = (int32_t *)b->key; /* no longer needed as keys */
    for (int32_t i = 0; i < body->leaf_count; ++i) place[b->order[i]] = i;
    for (int32_t i = 0; i < body->node_count; ++i)
        if (body->nodes[i].child < 0) body->nodes[i].child = ~place[~body->nodes[i].child];
    for (int32_t i = 0; i < body->leaf_count; ++i) /* permute in place, cycle by cycle */
        while (place[i] != i) {
            int32_t to = place[i];
            if (body->triangle) {
                AbutVec3 keep[3];
                memcpy(keep, body->triangle[to], sizeof keep);
                memcpy(body->triangle[to], body->triangle[i], sizeof keep);
                memcpy(body->triangle[i], keep, sizeof keep);
            } else {
                AbutConvex keep = body->piece[to];
                body->piece[to] = body->piece[i];
                body->piece[i] = keep;
            }
            swap(&body->source[to], &body->source[i]);
            swap(&place[to], &place[i]);
        }
}

AbutStatus abut_clearance_body_tree(AbutClearanceBody *body, AbutError *error) {
    size_t n = (size_t)body->leaf_count;
    if (n == 0) return ABUT_OK;
    body->nodes = abut_alloc_array(2 * n - 1, sizeof *body->nodes);
    Builder b = {body, abut_alloc_array(n, sizeof *b.middle), abut_alloc_array(n, sizeof *b.key),
        abut_alloc_array(n, sizeof *b.order)};
    AbutStatus status = ABUT_OK;
    if (body->nodes && b.middle && b.key && b.order) {
        for (int32_t i = 0; i < body->leaf_count; ++i) {
            AbutVec3 sum = abut_zero();
            int32_t points = point_count(body, i);
            for (int32_t k = 0; k < points; ++k) sum = abut_add(sum, point_of(body, i, k));
            b.middle[i] = abut_scale(sum, 1.0 / points);
            b.order[i] = i;
        }
        body->node_count = 1;
        build(&b, 0, b.order, body->leaf_count, 1);
        put_in_order(&b);
    } else {
        status = abut_fail_memory(error);
    }
    abut_free(b.middle);
    abut_free(b.key);
    abut_free(b.order);
    return status;
}
