/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boundary of a point set without volume: a point, a segment, or a convex polygon seen from both sides.
 *
 * In: scaled points, their simplex, the tolerance. Out: a shell. The polygon is the monotone-chain hull of the points
 * in the coordinates of their plane (exact turns), thinned so that no vertex lies on the line of its neighbors and
 * every dropped point is within the tolerance of the polygon. Also the memory of shells.
 */
#include "shape/hull.h"

#include <stdlib.h>
#include <string.h>

AbutStatus abut_shell_create(int dimension, int vertices, int half_edges, int faces, AbutShell *out, AbutError *error) {
    AbutShell shell = {dimension, vertices, half_edges, faces, NULL, NULL, NULL};
    shell.source = abut_alloc_array((size_t)vertices, sizeof *shell.source);
    shell.half_edges = abut_alloc_array((size_t)half_edges, sizeof *shell.half_edges);
    shell.faces = abut_alloc_array((size_t)faces, sizeof *shell.faces);
    *out = shell;
    if (shell.source && shell.half_edges && shell.faces) return ABUT_OK;
    abut_shell_free(out);
    return abut_fail_memory(error);
}

void abut_shell_free(AbutShell *shell) {
    abut_free(shell->source);
    abut_free(shell->half_edges);
    abut_free(shell->faces);
    AbutShell none = {0};
    *shell = none;
}

/* A point in its plane, with the index that it has outside. */
typedef struct Spot {
    AbutVec3 at; /* z = 0 */
    int32_t source;
} Spot;

static int compare_spots(const void *a, const void *b) {
    const Spot *p = a, *q = b;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    if (p->at.y != q->at.y) return p->at.y < q->at.y ? -1 : 1;
    return (p->source > q->source) - (p->source < q->source);
}

/* Appends the lower chain of spots (upper when step is -1) to `chain`, without its last spot. */
static int chain_half(const Spot *spots, int count, int step, Spot *chain) {
    int n = 0;
    for (int k = 0; k < count; ++k) {
        Spot s = spots[step > 0 ? k : count - 1 - k];
        while (n >= 2 && abut_exact_turn(chain[n - 2].at, chain[n - 1].at, s.at) <= 0) --n;
        if (n == 0 || chain[n - 1].at.x != s.at.x || chain[n - 1].at.y != s.at.y) chain[n++] = s;
    }
    return n - 1;
}

static double line_distance(AbutVec3 a, AbutVec3 b, AbutVec3 p) {
    AbutVec3 u = abut_normalize(abut_sub(b, a));
    return fabs(u.x * (p.y - a.y) - u.y * (p.x - a.x));
}

/* Marks in keep[] the corners between first and last that the chord misses by more than the tolerance. The open ends
 * wait on `stack`, which has room for two numbers per corner. */
static void keep_corners(
    const Spot *chain, int n, int first, int last, double tolerance, unsigned char *keep, int *stack) {
    int depth = 0;
    stack[depth++] = first;
    stack[depth++] = last;
    while (depth > 0) {
        int b = stack[--depth], a = stack[--depth], at = -1;
        double best = tolerance;
        for (int i = a + 1; i < b; ++i) {
            double d = line_distance(chain[a].at, chain[b % n].at, chain[i].at);
            if (d > best) {
                best = d;
                at = i;
            }
        }
        if (at < 0) continue;
        keep[at] = 1;
        stack[depth++] = a;
        stack[depth++] = at;
        stack[depth++] = at;
        stack[depth++] = b;
    }
}

/* Drops corners within the tolerance of the line of their neighbors, while more than three are left. */
static int drop_collinear(Spot *chain, int n, double tolerance) {
    for (int i = 0; i < n && n > 3;) {
        AbutVec3 before = chain[(i + n - 1) % n].at, after = chain[(i + 1) % n].at;
        if (line_distance(before, after, chain[i].at) <= tolerance) {
            memmove(chain + i, chain + i + 1, (size_t)(n - i - 1) * sizeof *chain);
            --n;
            i = i > 0 ? i - 1 : 0;
        } else {
            ++i;
        }
    }
    return n;
}

/* Sorted spots to the corners of their polygon in `chain`; gives their number. */
static int polygon(const Spot *spots, int count, double tolerance, Spot *chain, unsigned char *keep, int *stack) {
    int lower = chain_half(spots, count, 1, chain);
    int n = lower + chain_half(spots, count, -1, chain + lower);
    memset(keep, 0, (size_t)n);
    keep[0] = keep[lower] = 1;
    keep_corners(chain, n, 0, lower, tolerance, keep, stack);
    keep_corners(chain, n, lower, n, tolerance, keep, stack);
    int left = 0;
    for (int i = 0; i < n; ++i)
        if (keep[i]) chain[left++] = chain[i];
    return drop_collinear(chain, left, tolerance);
}

/* Two faces over n corners in order: the half-edge i of the first has the twin 2 n - 1 - i of the second. */
static AbutStatus fill_polygon(const Spot *chain, int n, AbutVec3 normal, AbutShell *out, AbutError *error) {
    AbutStatus status = abut_shell_create(2, n, 2 * n, 2, out, error);
    if (status != ABUT_OK) return status;
    for (int32_t i = 0; i < n; ++i) {
        out->source[i] = chain[i].source;
        AbutHalfEdge up = {i, 2 * n - 1 - i, 0}, down = {i + 1 < n ? i + 1 : 0, i, 1};
        out->half_edges[i] = up;
        out->half_edges[2 * n - 1 - i] = down;
    }
    AbutFace top = {{normal, 0.0}, 0, n}, bottom = {{abut_neg(normal), 0.0}, n, n};
    out->faces[0] = top;
    out->faces[1] = bottom;
    return ABUT_OK;
}

/* UNSUPPORTED: at the tolerance the set has only two corners, and is a segment after all. */
static AbutStatus flat_polygon(
    const AbutVec3 *points, int count, AbutHullSimplex simplex, double tolerance, AbutShell *out, AbutError *error) {
    AbutVec3 origin = points[simplex.v[0]];
    AbutVec3 normal = abut_exact_normal(origin, points[simplex.v[1]], points[simplex.v[2]]);
    AbutVec3 u = abut_normalize(abut_sub(points[simplex.v[1]], origin)), w = abut_cross(normal, u);
    size_t room = (size_t)count + 2;
    Spot *spots = abut_alloc_array(room, sizeof *spots), *chain = abut_alloc_array(2 * room, sizeof *chain);
    unsigned char *keep = abut_alloc_array(2 * room, 1);
    int *stack = abut_alloc_array(8 * room, sizeof *stack);
    AbutStatus status;
    if (spots && chain && keep && stack) {
        for (int32_t i = 0; i < count; ++i) {
            AbutVec3 p = abut_sub(points[i], origin);
            /* quarter scale and grid keep the exact turns within their range */
            Spot s = {
                {rint(0.25 * abut_dot(p, u) * 0x1p60) * 0x1p-60, rint(0.25 * abut_dot(p, w) * 0x1p60) * 0x1p-60, 0.0},
                i};
            spots[i] = s;
        }
        qsort(spots, (size_t)count, sizeof *spots, compare_spots);
        int n = polygon(spots, count, 0.25 * tolerance, chain, keep, stack);
        status = n >= 3 ? fill_polygon(chain, n, normal, out, error) : ABUT_ERROR_UNSUPPORTED;
    } else {
        status = abut_fail_memory(error);
    }
    abut_free(spots);
    abut_free(chain);
    abut_free(keep);
    abut_free(stack);
    return status;
}

/* The two ends along the line of a set of dimension 1. */
static void segment_ends(const AbutVec3 *points, int count, AbutHullSimplex simplex, int32_t ends[2]) {
    AbutVec3 along = abut_sub(points[simplex.v[1]], points[simplex.v[0]]);
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        double x = abut_dot(along, points[i]);
        if (x < low) {
            low = x;
            ends[0] = i;
        }
        if (x > high) {
            high = x;
            ends[1] = i;
        }
    }
}

AbutStatus abut_hull_flat(
    const AbutVec3 *points, int count, AbutHullSimplex simplex, double tolerance, AbutShell *out, AbutError *error) {
    AbutStatus status = ABUT_OK;
    if (simplex.dimension == 2) {
        status = flat_polygon(points, count, simplex, tolerance, out, error);
        if (status != ABUT_ERROR_UNSUPPORTED) return status;
        simplex.dimension = 1;
    }
    status = abut_shell_create(simplex.dimension, simplex.dimension + 1, 0, 0, out, error);
    if (status != ABUT_OK) return status;
    if (simplex.dimension == 1)
        segment_ends(points, count, simplex, out->source);
    else
        out->source[0] = simplex.v[0];
    return ABUT_OK;
}
