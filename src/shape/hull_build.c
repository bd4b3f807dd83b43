/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hull of points as a closed surface of triangles: quickhull with lists of the points above each triangle.
 *
 * In: scaled points (see hull.h), a simplex with volume, a tolerance. Out: triangles, counter-clockwise from outside,
 * with their neighbors. Steps for each triangle that has a point farther above it than the tolerance:
 *   1. take the farthest such point p; flood from the triangle over all triangles that p sees, by exact signs;
 *   2. the border of the flooded part is one simple cycle; join each of its edges with p by a new triangle;
 *   3. hand the points above flooded triangles to new triangles, or drop them when they are above none.
 * When no triangle has such a point, the points still in lists are held against the surface once more: beyond a sharp
 * edge a point is hardly above the two triangles there, and well above those that later make the edge blunt. Points
 * found so go through steps 1 to 3, until none is found.
 * Signs being exact and strict, the surface is convex and closed after every step and no triangle is without area; the
 * tolerance only decides which points are worth inserting. A point above a flooded and a standing triangle is above
 * the new one between them, if only by less than rounding shows; points in such doubt are kept in the lists, and their
 * surroundings searched for a triangle that they are clearly above of. A point that only rounding shows to be inside is
 * near a thick body. By the edges of a thin one it may be far away: there such points stay in the lists, too, and the
 * last look is at every triangle.
 */
#include "shape/hull.h"
#include "shape/tolerance.h"

#include <string.h>

enum { MAX_SEARCH = 256, FEW = 64 }; /* triangles: the most that a search visits; so few that it is cheap */

typedef struct Edge {
    int32_t from, to, outer;
} Edge;

typedef struct Builder {
    const AbutVec3 *points;
    double tolerance;
    double keep; /* points lower than this are dropped: below 0 for rounding, or the tolerance where that is coarse */
    int thin;    /* points that are inside within rounding may be outside by more than the tolerance */
    AbutHullTriangle *triangles;
    size_t triangle_capacity;
    int32_t triangle_count, free_first; /* unused triangles are linked through v[0] */
    int32_t *next;                      /* per point: link of the lists */
    int32_t *starts;                    /* per point: the new triangle whose border edge starts there */
    int32_t *queue;                     /* triangles with points above, in a ring of queue_capacity */
    size_t queue_capacity, queue_first, queue_count;
    int32_t *stack;
    size_t stack_capacity;
    Edge *edges;
    size_t edge_capacity, edge_count;
    int32_t *fresh; /* triangles of this round */
    size_t fresh_capacity;
    int32_t *orphans; /* visible triangles of this round */
    size_t orphan_capacity, orphan_count;
    int32_t round, probe;
} Builder;

static double height(const Builder *b, const AbutHullTriangle *t, AbutVec3 p) {
    return abut_dot(t->normal, abut_sub(p, b->points[t->v[0]]));
}

static int32_t make_triangle(Builder *b, int32_t i, int32_t j, int32_t k) {
    int32_t at = b->free_first;
    if (at >= 0) {
        b->free_first = b->triangles[at].v[0];
    } else {
        at = b->triangle_count;
        if (!abut_grow((void **)&b->triangles, &b->triangle_capacity, (size_t)at + 1, sizeof *b->triangles)) return -1;
        ++b->triangle_count;
    }
    AbutHullTriangle t = {.v = {i, j, k},
        .across = {-1, -1, -1},
        .outside = -1,
        .farthest = -1,
        .round = b->round,
        .seen = -1,
        .probe = -1};
    t.normal = abut_exact_normal(b->points[i], b->points[j], b->points[k]);
    b->triangles[at] = t;
    return at;
}

static void release_triangle(Builder *b, int32_t at) {
    b->triangles[at].round = -1;
    b->triangles[at].v[0] = b->free_first;
    b->free_first = at;
}

static int enqueue(Builder *b, int32_t triangle) {
    if (b->queue_count == b->queue_capacity) {
        size_t old = b->queue_capacity;
        if (!abut_grow((void **)&b->queue, &b->queue_capacity, old + 1, sizeof *b->queue)) return 0;
        /* unroll the ring: the part before the first moves behind the old end, where there is room after doubling */
        memcpy(b->queue + old, b->queue, b->queue_first * sizeof *b->queue);
    }
    size_t at = b->queue_first + b->queue_count++;
    b->queue[at < b->queue_capacity ? at : at - b->queue_capacity] = triangle;
    return 1;
}

static void link_point(Builder *b, AbutHullTriangle *t, int32_t point, double distance) {
    b->next[point] = t->outside;
    t->outside = point;
    if (distance > t->farthest_distance) {
        t->farthest_distance = distance;
        t->farthest = point;
    }
}

/* Looks around triangle `at` over triangles whose plane the point nearly touches, for one that it is well above of. */
static int32_t search(Builder *b, int32_t at, AbutVec3 p, double *distance) {
    int32_t near[MAX_SEARCH], count = 1, best = at;
    near[0] = at;
    b->triangles[at].probe = ++b->probe;
    for (int32_t k = 0; k < count; ++k)
        for (int i = 0; i < 3; ++i) {
            int32_t other = b->triangles[near[k]].across[i];
            if (b->triangles[other].probe == b->probe) continue;
            b->triangles[other].probe = b->probe;
            double d = height(b, &b->triangles[other], p);
            if (d > *distance) {
                *distance = d;
                best = other;
                if (d > b->tolerance) return best;
            }
            if (d > b->keep && count < MAX_SEARCH) near[count++] = other;
        }
    return best;
}

/* Puts a point into the list of one of `count` new triangles that it is above of, if any; one in doubt into the first
 * list, if there is none. False: no memory. */
static int place(Builder *b, int32_t point, size_t count, int doubt) {
    AbutVec3 p = b->points[point];
    double best = b->keep;
    int32_t at = doubt ? b->fresh[0] : -1;
    for (size_t i = 0; i < count; ++i) {
        double d = height(b, &b->triangles[b->fresh[i]], p);
        if (d > best) {
            best = d;
            at = b->fresh[i];
            if (d > b->tolerance) break;
        }
    }
    if (at < 0) return 1;
    if (best <= b->tolerance) at = search(b, at, p, &best);
    link_point(b, &b->triangles[at], point, best);
    return best <= b->tolerance || b->triangles[at].round == b->round || enqueue(b, at);
}

static int side_of(const Builder *b, int32_t triangle, int32_t point) {
    const int32_t *v = b->triangles[triangle].v;
    return abut_exact_side(b->points[v[0]], b->points[v[1]], b->points[v[2]], b->points[point]);
}

/* Step 1: visible triangles into `orphans`, their border into `edges`. */
static int flood(Builder *b, int32_t from, int32_t eye) {
    size_t depth = 0;
    b->edge_count = b->orphan_count = 0;
    if (!abut_grow((void **)&b->stack, &b->stack_capacity, 1, sizeof *b->stack)) return 0;
    b->stack[depth++] = from;
    b->triangles[from].seen = b->round;
    while (depth > 0) {
        int32_t at = b->stack[--depth];
        if (!abut_grow((void **)&b->orphans, &b->orphan_capacity, b->orphan_count + 1, sizeof *b->orphans) ||
            !abut_grow((void **)&b->stack, &b->stack_capacity, depth + 3, sizeof *b->stack) ||
            !abut_grow((void **)&b->edges, &b->edge_capacity, b->edge_count + 3, sizeof *b->edges))
            return 0;
        b->orphans[b->orphan_count++] = at;
        for (int i = 0; i < 3; ++i) {
            AbutHullTriangle *t = &b->triangles[at];
            int32_t other = t->across[i];
            if (b->triangles[other].seen == b->round) continue;
            if (side_of(b, other, eye) > 0) {
                b->triangles[other].seen = b->round;
                b->stack[depth++] = other;
            } else {
                Edge edge = {t->v[i], t->v[i == 2 ? 0 : i + 1], other};
                b->edges[b->edge_count++] = edge;
            }
        }
    }
    return 1;
}

static void set_across(AbutHullTriangle *t, int32_t from, int32_t neighbor) {
    for (int i = 0; i < 3; ++i)
        if (t->v[i] == from) t->across[i] = neighbor;
}

/* Step 2: the cone of new triangles from the border to the eye. */
static int make_cone(Builder *b, int32_t eye) {
    if (!abut_grow((void **)&b->fresh, &b->fresh_capacity, b->edge_count, sizeof *b->fresh)) return 0;
    for (size_t i = 0; i < b->edge_count; ++i) {
        Edge edge = b->edges[i];
        int32_t at = make_triangle(b, edge.from, edge.to, eye);
        if (at < 0) return 0;
        b->fresh[i] = at;
        b->starts[edge.from] = at;
        b->triangles[at].across[0] = edge.outer;
        set_across(&b->triangles[edge.outer], edge.to, at);
    }
    for (size_t i = 0; i < b->edge_count; ++i) {
        int32_t at = b->fresh[i], after = b->starts[b->edges[i].to];
        b->triangles[at].across[1] = after;
        b->triangles[after].across[2] = at;
    }
    return 1;
}

/* Step 3: new homes for the points above visible triangles; queues the new triangles that have some. */
static int hand_over(Builder *b, int32_t eye) {
    for (size_t i = 0; i < b->orphan_count; ++i) {
        int32_t next_point;
        for (int32_t q = b->triangles[b->orphans[i]].outside; q >= 0; q = next_point) {
            next_point = b->next[q];
            int doubt = b->thin && height(b, &b->triangles[b->orphans[i]], b->points[q]) <= -ABUT_HULL_KEEP_DISTANCE;
            if (q != eye && !place(b, q, b->edge_count, doubt)) return 0;
        }
        release_triangle(b, b->orphans[i]);
    }
    for (size_t i = 0; i < b->edge_count; ++i)
        if (b->triangles[b->fresh[i]].farthest_distance > b->tolerance && !enqueue(b, b->fresh[i])) return 0;
    return 1;
}

static int insert_points(Builder *b) {
    while (b->queue_count > 0) {
        int32_t at = b->queue[b->queue_first];
        b->queue_first = b->queue_first + 1 < b->queue_capacity ? b->queue_first + 1 : 0;
        --b->queue_count;
        AbutHullTriangle *t = &b->triangles[at];
        if (t->round < 0 || !(t->farthest_distance > b->tolerance)) continue;
        int32_t eye = t->farthest;
        if (side_of(b, at, eye) <= 0) { /* cannot be above by more than the tolerance: rounding of the normal */
            t->farthest_distance = 0.0;
            continue;
        }
        ++b->round;
        if (!flood(b, at, eye) || !make_cone(b, eye) || !hand_over(b, eye)) return 0;
    }
    return 1;
}

/* The side of triangle t that p lies beyond most, or too near to for rounding to tell; -1: its foot is in t. */
static int side_beyond(const Builder *b, const AbutHullTriangle *t, AbutVec3 p) {
    int worst = -1;
    double least = 0.0;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 from = b->points[t->v[i]], along = abut_sub(b->points[t->v[i == 2 ? 0 : i + 1]], from);
        double inside = abut_dot(abut_cross(t->normal, along), abut_sub(p, from));
        inside += 2.0 * ABUT_HULL_KEEP_DISTANCE * abut_max_abs(along); /* at least the rounding away from the side */
        if (inside < least) {
            least = inside;
            worst = i;
        }
    }
    return worst;
}

/* Is the point within the tolerance of a triangle, so that it can be no higher above any? Walks from `at` to its foot.
 */
static int touches(const Builder *b, int32_t at, AbutVec3 p) {
    for (int step = 0; step < MAX_SEARCH; ++step) {
        const AbutHullTriangle *t = &b->triangles[at];
        if (!(fabs(height(b, t, p)) <= b->tolerance)) return 0;
        int side = side_beyond(b, t, p);
        if (side < 0) return 1;
        at = t->across[side];
    }
    return 0;
}

/* The triangle that the point is highest above of: near `at`, and around a thin body anywhere. Stops at the first that
 * it is above of by more than the tolerance. */
static int32_t look_again(Builder *b, int32_t at, AbutVec3 p, double *distance) {
    if (b->triangle_count > FEW && touches(b, at, p)) return at;
    if (!b->thin) return search(b, at, p, distance);
    int32_t best = at;
    for (int32_t t = 0; t < b->triangle_count && *distance <= b->tolerance; ++t) {
        double d = b->triangles[t].round >= 0 ? height(b, &b->triangles[t], p) : -INFINITY;
        if (d > *distance) {
            *distance = d;
            best = t;
        }
    }
    return best;
}

/* Holds the points of the list of `home` against the surface as it is now, and queues the triangles that some are well
 * above of; *found counts those. */
static int revisit_list(Builder *b, int32_t home, int32_t *found) {
    int32_t next_point, first = b->triangles[home].outside;
    b->triangles[home].outside = -1;
    for (int32_t q = first; q >= 0; q = next_point) {
        next_point = b->next[q];
        double distance = height(b, &b->triangles[home], b->points[q]);
        int32_t at = distance > b->tolerance ? home : look_again(b, home, b->points[q], &distance);
        int above = distance > b->tolerance && side_of(b, at, q) > 0;
        link_point(b, &b->triangles[above ? at : home], q, above ? distance : 0.0);
        if (above && !enqueue(b, at)) return 0;
        *found += above;
    }
    return 1;
}

/* Every turn but the last inserts a point, so the turns end. */
static int insert_all(Builder *b) {
    for (int32_t found = 1; found > 0;) {
        if (!insert_points(b)) return 0;
        found = 0;
        for (int32_t t = 0; t < b->triangle_count; ++t)
            if (b->triangles[t].round >= 0 && !revisit_list(b, t, &found)) return 0;
    }
    return 1;
}

/* The four triangles of the simplex, neighbors set, and every point handed to them. */
static int start(Builder *b, int count, const int32_t *v) {
    int32_t s[4] = {v[0], v[1], v[2], v[3]};
    if (abut_exact_side(b->points[s[0]], b->points[s[1]], b->points[s[2]], b->points[s[3]]) > 0) {
        s[0] = v[1];
        s[1] = v[0];
    }
    static const int corner[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    static const int across[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    if (!abut_grow((void **)&b->fresh, &b->fresh_capacity, 4, sizeof *b->fresh)) return 0;
    for (int i = 0; i < 4; ++i) {
        b->fresh[i] = make_triangle(b, s[corner[i][0]], s[corner[i][1]], s[corner[i][2]]);
        if (b->fresh[i] < 0) return 0;
        for (int k = 0; k < 3; ++k) b->triangles[i].across[k] = across[i][k];
    }
    for (int32_t i = 0; i < count; ++i)
        if (!place(b, i, 4, 0)) return 0;
    for (int i = 0; i < 4; ++i)
        if (b->triangles[i].farthest >= 0 && !enqueue(b, i)) return 0;
    return 1;
}

/* Closes the gaps that released triangles left. `map` has room for every triangle. */
static void compact(AbutHullTriangle *triangles, int32_t *count, int32_t *map) {
    int32_t n = 0;
    for (int32_t i = 0; i < *count; ++i)
        if (triangles[i].round >= 0) {
            map[i] = n;
            triangles[n++] = triangles[i];
        }
    for (int32_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) triangles[i].across[k] = map[triangles[i].across[k]];
    *count = n;
}

static void release_all(Builder *b) {
    abut_free(b->triangles);
    abut_free(b->next);
    abut_free(b->starts);
    abut_free(b->queue);
    abut_free(b->stack);
    abut_free(b->edges);
    abut_free(b->fresh);
    abut_free(b->orphans);
}

/* A point at most the rounding above every plane is at most that, times size over radius, from a body with a ball of
 * the radius in it. */
static int is_thin(const AbutVec3 *points, const int32_t *v, double tolerance) {
    AbutVec3 a = abut_sub(points[v[1]], points[v[0]]), b = abut_sub(points[v[2]], points[v[0]]),
             c = abut_sub(points[v[3]], points[v[0]]);
    double areas = abut_length(abut_cross(a, b)) + abut_length(abut_cross(b, c)) + abut_length(abut_cross(c, a)) +
                   abut_length(abut_cross(abut_sub(b, a), abut_sub(c, a)));
    double radius = fabs(abut_dot(a, abut_cross(b, c))) / areas;
    return !(tolerance * radius > -2.0 * ABUT_HULL_KEEP_DISTANCE);
}

AbutStatus abut_hull_build(const AbutVec3 *points, int count, AbutHullSimplex simplex, AbutHullReach reach,
    AbutHullTriangles *out, AbutError *error) {
    Builder b = {.points = points, .tolerance = reach.tolerance, .keep = ABUT_HULL_KEEP_DISTANCE, .free_first = -1};
    if (reach.coarse) b.keep = reach.tolerance;
    b.thin = !reach.coarse && is_thin(points, simplex.v, reach.tolerance);
    b.next = abut_alloc_array((size_t)count, sizeof *b.next);
    b.starts = abut_alloc_array((size_t)count, sizeof *b.starts);
    int done = b.next && b.starts && start(&b, count, simplex.v) && insert_all(&b);
    int32_t *map = done ? abut_alloc_array((size_t)b.triangle_count, sizeof *map) : NULL;
    if (!map) {
        release_all(&b);
        return abut_fail_memory(error);
    }
    compact(b.triangles, &b.triangle_count, map);
    abut_free(map);
    out->items = b.triangles;
    out->count = b.triangle_count;
    b.triangles = NULL;
    release_all(&b);
    return ABUT_OK;
}
