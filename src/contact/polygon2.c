/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convex polygons in the contact plane. Sorting, hull and thinning take n log n steps, so that a disc of a thousand
 * sides costs a hundred times a box. Hull by A. Andrew's monotone chains, 1979.
 */
#include "contact/polygon2.h"
#include "math/functions.h"

#include <string.h>

static double turn(AbutPoint2 a, AbutPoint2 b, AbutPoint2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* ---- hull -------------------------------------------------------------------------------------------------------- */

static int is_left(AbutPoint2 a, AbutPoint2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/* Insertion sort of a short run. */
static void sort_run(AbutPoint2 *p, int n) {
    for (int i = 1; i < n; ++i) {
        AbutPoint2 key = p[i];
        int j = i;
        for (; j > 0 && is_left(key, p[j - 1]); --j) p[j] = p[j - 1];
        p[j] = key;
    }
}

/* Sorted runs, merged in pairs. */
static void sort_points(AbutPoint2 *p, int n, AbutPoint2 *room) {
    enum { RUN = 16 };
    for (int from = 0; from < n; from += RUN) sort_run(p + from, n - from < RUN ? n - from : RUN);
    for (int width = RUN; width < n; width *= 2) {
        for (int from = 0; from < n; from += 2 * width) {
            int middle = from + width < n ? from + width : n, end = middle + width < n ? middle + width : n;
            int i = from, j = middle, k = from;
            while (i < middle && j < end) room[k++] = is_left(p[j], p[i]) ? p[j++] : p[i++];
            while (i < middle) room[k++] = p[i++];
            while (j < end) room[k++] = p[j++];
        }
        memcpy(p, room, (size_t)n * sizeof *p);
    }
}

int abut_polygon_hull(AbutPoint2 *p, int n, void *room) {
    AbutPoint2 *out = room;
    int k = 0;
    sort_points(p, n, room);
    if (n < 3) return n;
    for (int i = 0; i < n; ++i) {
        while (k >= 2 && turn(out[k - 2], out[k - 1], p[i]) <= 0.0) --k;
        out[k++] = p[i];
    }
    for (int i = n - 2, lower = k + 1; i >= 0; --i) {
        while (k >= lower && turn(out[k - 2], out[k - 1], p[i]) <= 0.0) --k;
        out[k++] = p[i];
    }
    k = k > 1 ? k - 1 : k;
    memcpy(p, out, (size_t)k * sizeof *p);
    return k;
}

/* ---- integrals --------------------------------------------------------------------------------------------------- */

AbutPolygonMoments abut_polygon_moments(const AbutPoint2 *p, int n) {
    AbutPolygonMoments m = {0, 0, 0, 0, 0, 0};
    AbutPoint2 o = p[0];
    for (int i = 2; i < n; ++i) {
        double ax = p[i - 1].x - o.x, ay = p[i - 1].y - o.y, bx = p[i].x - o.x, by = p[i].y - o.y,
               t = 0.5 * (ax * by - ay * bx);
        m.area += t;
        m.cx += t * (ax + bx) / 3.0;
        m.cy += t * (ay + by) / 3.0;
        m.xx += t / 6.0 * (ax * ax + ax * bx + bx * bx);
        m.yy += t / 6.0 * (ay * ay + ay * by + by * by);
        m.xy += t / 12.0 * (2.0 * ax * ay + ax * by + bx * ay + 2.0 * bx * by);
    }
    if (m.area > 0.0) {
        m.cx /= m.area, m.cy /= m.area;
        m.xx = m.xx / m.area - m.cx * m.cx;
        m.yy = m.yy / m.area - m.cy * m.cy;
        m.xy = m.xy / m.area - m.cx * m.cy;
    } else {
        m.cx = m.cy = 0.0;
        for (int i = 0; i < n; ++i) m.cx += (p[i].x - o.x) / n, m.cy += (p[i].y - o.y) / n;
        m.area = m.xx = m.xy = m.yy = 0.0;
    }
    m.cx += o.x, m.cy += o.y;
    return m;
}

/* asinh(s / |h|) where r is the root of s^2 + h^2. */
static double inverse_sinh(double s, double h, double r) {
    double a = abut_ln((fabs(s) + r) / fabs(h));
    return s < 0.0 ? -a : a;
}

/* Integral of the distance from the origin over the triangle (origin, a, b); signed like its area. */
static double radius_integral(AbutPoint2 a, AbutPoint2 b) {
    double ex = b.x - a.x, ey = b.y - a.y, length = abut_hypot(ex, ey), cross = a.x * b.y - a.y * b.x;
    if (!(length > 0.0) || cross == 0.0) return 0.0;
    double h = cross / length, s0 = (a.x * ex + a.y * ey) / length, s1 = s0 + length, r0 = abut_hypot(a.x, a.y),
           r1 = abut_hypot(b.x, b.y);
    double fold = h * h * (inverse_sinh(s1, h, r1) - inverse_sinh(s0, h, r0));
    return h / 6.0 * (s1 * r1 - s0 * r0 + fold);
}

double abut_polygon_spread(const AbutPoint2 *p, int n, AbutPolygonMoments m) {
    double over_area = 0.0, over_corners = 0.0;
    for (int i = 0; i < n; ++i) {
        AbutPoint2 next = p[i + 1 < n ? i + 1 : 0], a = {p[i].x - m.cx, p[i].y - m.cy},
                   b = {next.x - m.cx, next.y - m.cy};
        over_area += radius_integral(a, b);
        over_corners += abut_hypot(a.x, a.y) / n;
    }
    return m.area > 0.0 && over_corners > 0.0 ? over_area / m.area / over_corners : 1.0;
}

/* ---- fewer corners ----------------------------------------------------------------------------------------------- */

static int are_near(AbutPoint2 a, AbutPoint2 b, double tolerance) {
    double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy < tolerance * tolerance;
}

int abut_polygon_merge(AbutPoint2 *p, int n, double tolerance, void *room) {
    AbutPoint2 *out = room;
    int start = -1, kept = 0;
    for (int i = 0; i < n && start < 0; ++i) /* a gap to begin behind */
        if (!are_near(p[i], p[i == 0 ? n - 1 : i - 1], tolerance)) start = i;
    if (start < 0) {
        AbutPoint2 mean = {0, 0};
        for (int i = 0; i < n; ++i) mean.x += p[i].x / n, mean.y += p[i].y / n;
        p[0] = mean;
        return 1;
    }
    for (int i = 0; i < n;) {
        AbutPoint2 sum = {0, 0}, last = p[(start + i) % n];
        int m = 0;
        for (; i < n; ++i, ++m) {
            AbutPoint2 q = p[(start + i) % n];
            if (m > 0 && !are_near(q, last, tolerance)) break;
            sum.x += q.x, sum.y += q.y;
            last = q;
        }
        out[kept].x = sum.x / m;
        out[kept++].y = sum.y / m;
    }
    memcpy(p, out, (size_t)kept * sizeof *p);
    return kept;
}

/* Corners in a ring, and a heap of them with the cheapest on top; of equal ones the first in the ring. */
typedef struct Ring {
    const AbutPoint2 *p;
    double *loss;
    int32_t *before, *after, *heap, *at; /* at: place in the heap */
    int32_t count;
} Ring;

static int is_cheaper(const Ring *r, int32_t i, int32_t j) {
    return r->loss[i] < r->loss[j] || (r->loss[i] == r->loss[j] && i < j);
}

static void put(Ring *r, int32_t place, int32_t corner) {
    r->heap[place] = corner;
    r->at[corner] = place;
}

static void sift_up(Ring *r, int32_t place) {
    int32_t corner = r->heap[place];
    for (; place > 0 && is_cheaper(r, corner, r->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(r, place, r->heap[(place - 1) / 2]);
    put(r, place, corner);
}

static void sift_down(Ring *r, int32_t place) {
    int32_t corner = r->heap[place];
    for (int32_t child; (child = 2 * place + 1) < r->count; place = child) {
        if (child + 1 < r->count && is_cheaper(r, r->heap[child + 1], r->heap[child])) ++child;
        if (!is_cheaper(r, r->heap[child], corner)) break;
        put(r, place, r->heap[child]);
    }
    put(r, place, corner);
}

static double loss_of(const Ring *r, int32_t i) { return fabs(turn(r->p[r->before[i]], r->p[i], r->p[r->after[i]])); }

static Ring make_ring(const AbutPoint2 *p, int32_t n, void *room) {
    double *loss = room;
    int32_t *index = (int32_t *)(void *)(loss + n);
    Ring r = {p, loss, index, index + n, index + 2 * (size_t)n, index + 3 * (size_t)n, n};
    for (int32_t i = 0; i < n; ++i) {
        r.before[i] = i > 0 ? i - 1 : n - 1;
        r.after[i] = i + 1 < n ? i + 1 : 0;
    }
    for (int32_t i = 0; i < n; ++i) {
        r.loss[i] = loss_of(&r, i);
        put(&r, i, i);
    }
    for (int32_t i = n / 2 - 1; i >= 0; --i) sift_down(&r, i);
    return r;
}

/* Takes the cheapest corner out; its neighbors count anew. */
static void drop_cheapest(Ring *r) {
    int32_t gone = r->heap[0], side[2] = {r->before[gone], r->after[gone]};
    r->at[gone] = -1;
    put(r, 0, r->heap[--r->count]);
    sift_down(r, 0);
    r->after[side[0]] = side[1];
    r->before[side[1]] = side[0];
    for (int k = 0; k < 2; ++k) {
        r->loss[side[k]] = loss_of(r, side[k]);
        sift_up(r, r->at[side[k]]);
        sift_down(r, r->at[side[k]]);
    }
}

int abut_polygon_thin(AbutPoint2 *p, int n, int most, void *room) {
    if (n <= most) return n;
    Ring r = make_ring(p, n, room);
    while (r.count > most) drop_cheapest(&r);
    int kept = 0;
    for (int i = 0; i < n; ++i)
        if (r.at[i] >= 0) p[kept++] = p[i];
    return kept;
}
