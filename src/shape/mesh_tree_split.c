/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which triangles of a mesh go together.
 *
 * In: a mesh. Out: its triangles in an order in which every node of the tree (mesh_tree.h) covers a run. Method: ranges
 * are cut in two at the multiple of the node's chunk nearest to the middle, along the principal axis of the triangle
 * centers (weighted by area) on which the centers spread most; quickselect on records that move as a whole. All ranges
 * of one round are independent, so they go to the threads in any order.
 */
#include "shape/mesh_tree.h"
#include "math/matrix.h"

#include "shape/tolerance.h"

#include <string.h>

enum { RANGES_AT_ONCE = 16 };

/* Center and weight of a triangle, in the units of the tree. */
typedef struct Item {
    double x[3];
    float weight;
    int32_t triangle;
} Item;

typedef struct Range {
    int32_t first, count, chunk; /* chunk 0: nothing left to cut */
} Range;

typedef struct Order {
    const AbutMesh *mesh;
    AbutVec3 center;
    double scale;
    Item *item;
    Range *now, *next; /* range i of `now` gives ranges 2 i and 2 i + 1 of `next` */
} Order;

static double along(const Item *item, AbutVec3 axis) {
    return item->x[0] * axis.x + item->x[1] * axis.y + item->x[2] * axis.z;
}

static AbutMat3 covariance(const Item *item, int32_t n) {
    double w = 0.0, m[3] = {0.0, 0.0, 0.0}, s[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < n; ++i) {
        double x = item[i].x[0] - item[0].x[0], y = item[i].x[1] - item[0].x[1], z = item[i].x[2] - item[0].x[2];
        double k = item[i].weight, kx = k * x, ky = k * y, kz = k * z;
        w += k, m[0] += kx, m[1] += ky, m[2] += kz;
        s[0] += kx * x, s[1] += ky * y, s[2] += kz * z, s[3] += kx * y, s[4] += kx * z, s[5] += ky * z;
    }
    double xx = s[0] - m[0] * m[0] / w, yy = s[1] - m[1] * m[1] / w, zz = s[2] - m[2] * m[2] / w;
    double xy = s[3] - m[0] * m[1] / w, xz = s[4] - m[0] * m[2] / w, yz = s[5] - m[1] * m[2] / w;
    return abut_mat3(abut_vec3(xx, xy, xz), abut_vec3(xy, yy, yz), abut_vec3(xz, yz, zz));
}

/* The principal axis along which the centers spread most. */
static AbutVec3 longest_axis(const Item *item, int32_t n) {
    AbutMat3 axes = abut_mat3_eigen_symmetric(covariance(item, n), NULL);
    AbutVec3 axis[3] = {axes.x, axes.y, axes.z};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            double s = along(&item[i], axis[k]);
            low[k] = abut_smaller(low[k], s);
            high[k] = abut_larger(high[k], s);
        }
    int best = 2; /* of the largest eigenvalue */
    for (int k = 1; k >= 0; --k)
        if (high[k] - low[k] > high[best] - low[best]) best = k;
    return axis[best];
}

static double median3(double a, double b, double c) {
    return abut_larger(abut_smaller(a, b), abut_smaller(abut_larger(a, b), c));
}

/* Moves the k items of least value along the axis to the front. */
static void select_least(Item *item, int32_t n, int32_t k, AbutVec3 axis) {
    int32_t left = 0, right = n - 1;
    while (left < right) {
        double pivot =
            median3(along(&item[left], axis), along(&item[left + (right - left) / 2], axis), along(&item[right], axis));
        int32_t i = left, j = right;
        while (i <= j) {
            while (along(&item[i], axis) < pivot) ++i;
            while (along(&item[j], axis) > pivot) --j;
            if (i <= j) {
                Item swap = item[i];
                item[i++] = item[j];
                item[j--] = swap;
            }
        }
        if (k <= j)
            right = j;
        else if (k >= i)
            left = i;
        else
            return;
    }
}

/* Work left in a range: none when it is a leaf, its own chunk when it fills a node. */
static Range range_of(int32_t first, int32_t count, int32_t chunk) {
    if (count <= chunk) chunk = count > ABUT_TREE_WIDTH ? abut_tree_chunk(count) : 0;
    Range r = {first, count, chunk};
    return r;
}

static void cut_ranges(int begin, int end, int worker, void *user) {
    Order *o = user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        Range r = o->now[i];
        int32_t chunks = (r.count - 1) / r.chunk + 1, k = chunks / 2 * r.chunk;
        select_least(o->item + r.first, r.count, k, longest_axis(o->item + r.first, r.count));
        o->next[2 * i] = range_of(r.first, k, r.chunk);
        o->next[2 * i + 1] = range_of(r.first + k, r.count - k, r.chunk);
    }
}

static void fill_items(int begin, int end, int worker, void *user) {
    Order *o = user;
    (void)worker;
    for (int32_t t = begin; t < end; ++t) {
        AbutVec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = abut_scale(abut_sub(o->mesh->vertices[o->mesh->triangles[t].v[k]], o->center), o->scale);
        AbutVec3 c = abut_scale(abut_add(abut_add(p[0], p[1]), p[2]), 1.0 / 3.0);
        double area = abut_length(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        o->item[t] = (Item){{c.x, c.y, c.z}, (float)(area + ABUT_TREE_NO_AREA), t};
    }
}

static void run(Order *o, int32_t triangles, int threads) {
    abut_parallel_for(triangles, 4096, threads, fill_items, o);
    o->now[0] = range_of(0, triangles, triangles);
    int32_t count = o->now[0].chunk > 0;
    while (count > 0) {
        abut_parallel_for(count, count > 1024 ? RANGES_AT_ONCE : 1, threads, cut_ranges, o);
        int32_t kept = 0;
        for (int32_t i = 0; i < 2 * count; ++i)
            if (o->next[i].chunk > 0) o->now[kept++] = o->next[i];
        count = kept;
    }
}

AbutStatus abut_tree_order(
    const AbutMesh *mesh, AbutVec3 center, double unit, int threads, int32_t *order, AbutError *error) {
    size_t n = (size_t)mesh->triangle_count, ranges = n / ABUT_TREE_WIDTH + 2;
    Order o = {mesh, center, 1.0 / unit, abut_alloc_array(n, sizeof *o.item), abut_alloc_array(ranges, sizeof *o.now),
        abut_alloc_array(2 * ranges, sizeof *o.next)};
    AbutStatus status = ABUT_OK;
    if (o.item && o.now && o.next)
        run(&o, mesh->triangle_count, threads);
    else
        status = abut_fail_memory(error);
    for (size_t i = 0; status == ABUT_OK && i < n; ++i) order[i] = o.item[i].triangle;
    abut_free(o.item);
    abut_free(o.now);
    abut_free(o.next);
    return status;
}
