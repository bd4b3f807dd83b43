/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A polygon in space cut into triangles. It is projected along its Newell normal's largest axis; strictly convex ones
 * become a fan, others lose one ear after the other (a convex corner whose triangle holds no other corner). Polygons
 * that cross themselves have no ear at some point: the next corner is cut then, so the count is always corners - 2.
 */
#include "shape/polygon_cut.h"

typedef struct Point {
    double x, y;
} Point;

typedef struct Ring {
    Point *points;
    int32_t *next, *previous;
} Ring;

size_t abut_polygon_scratch(size_t count) { return count * (sizeof(Point) + 2 * sizeof(int32_t)); }

static double turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

static int same(Point a, Point b) { return a.x == b.x && a.y == b.y; }

/* Coordinates relative to the first corner and scaled by a power of two to at most 2, whatever the size. */
static AbutVec3 scaled(AbutVec3 v, AbutVec3 origin, int exponent) {
    return abut_vec3(ldexp(v.x, -exponent) - ldexp(origin.x, -exponent),
        ldexp(v.y, -exponent) - ldexp(origin.y, -exponent), ldexp(v.z, -exponent) - ldexp(origin.z, -exponent));
}

/* Projects the corners so that the polygon runs counter-clockwise. */
static void project(const AbutVec3 *vertices, const int32_t *corners, int count, Point *points) {
    double size = 0.0;
    for (int i = 0; i < count; ++i) {
        AbutVec3 v = vertices[corners[i]];
        size = fmax(size, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
    }
    int exponent = 0;
    frexp(size, &exponent);
    AbutVec3 origin = vertices[corners[0]], normal = abut_zero(),
             last = scaled(vertices[corners[count - 1]], origin, exponent);
    for (int i = 0; i < count; ++i) {
        AbutVec3 v = scaled(vertices[corners[i]], origin, exponent);
        normal = abut_add(normal, abut_cross(last, v));
        last = v;
    }
    double nx = fabs(normal.x), ny = fabs(normal.y), nz = fabs(normal.z);
    for (int i = 0; i < count; ++i) {
        AbutVec3 v = scaled(vertices[corners[i]], origin, exponent);
        Point p;
        int flip;
        if (nz >= nx && nz >= ny)
            p = (Point){v.x, v.y}, flip = normal.z < 0;
        else if (nx >= ny)
            p = (Point){v.y, v.z}, flip = normal.x < 0;
        else
            p = (Point){v.z, v.x}, flip = normal.y < 0;
        points[i] = flip ? (Point){p.y, p.x} : p;
    }
}

/* Every corner turns left, and so does every triangle of the fan from corner 0. */
static int fan_is_right(const Point *points, int count) {
    for (int i = 0; i < count; ++i) {
        Point a = points[i], b = points[i + 1 < count ? i + 1 : 0], c = points[(i + 2) % count];
        if (!(turn(a, b, c) > 0.0)) return 0;
    }
    for (int i = 1; i + 1 < count; ++i)
        if (!(turn(points[0], points[i], points[i + 1]) > 0.0)) return 0;
    return 1;
}

static int is_ear(const Ring *ring, int32_t at, int64_t *work) {
    Point a = ring->points[ring->previous[at]], b = ring->points[at], c = ring->points[ring->next[at]];
    if (!(turn(a, b, c) > 0.0)) return 0;
    for (int32_t i = ring->next[ring->next[at]]; i != ring->previous[at]; i = ring->next[i]) {
        Point p = ring->points[i];
        --*work;
        if (turn(a, b, p) < 0.0 || turn(b, c, p) < 0.0 || turn(c, a, p) < 0.0) continue;
        if (!same(p, a) && !same(p, b) && !same(p, c)) return 0;
    }
    return 1;
}

static int cut_ears(const Ring *ring, const int32_t *corners, int count, int64_t *work, AbutTriangle *out) {
    int32_t at = 0;
    for (int left = count, failures = 0; left > 2;) {
        --*work;
        if (*work < 0) return 0;
        if (!is_ear(ring, at, work) && ++failures < left) {
            at = ring->next[at];
            continue;
        }
        int32_t before = ring->previous[at], after = ring->next[at];
        *out++ = (AbutTriangle){{corners[before], corners[at], corners[after]}};
        ring->next[before] = after;
        ring->previous[after] = before;
        at = ring->next[after]; /* not the neighbor: cutting every other corner keeps the triangles stout */
        failures = 0;
        --left;
    }
    return 1;
}

int abut_polygon_cut(
    const AbutVec3 *vertices, const int32_t *corners, int count, void *scratch, int64_t *work, AbutTriangle *out) {
    Ring ring = {scratch, NULL, NULL};
    project(vertices, corners, count, ring.points);
    if (fan_is_right(ring.points, count)) {
        for (int i = 1; i + 1 < count; ++i) *out++ = (AbutTriangle){{corners[0], corners[i], corners[i + 1]}};
        return 1;
    }
    ring.next = (int32_t *)(void *)(ring.points + count);
    ring.previous = ring.next + count;
    for (int32_t i = 0; i < count; ++i) {
        ring.next[i] = i + 1 < count ? i + 1 : 0;
        ring.previous[i] = i > 0 ? i - 1 : count - 1;
    }
    return cut_ears(&ring, corners, count, work, out);
}
