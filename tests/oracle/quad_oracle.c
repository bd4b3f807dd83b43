/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Apart: nearest point of the difference set by an active set of at most four of its points, proved by the plane across
 * it. Overlapping: least support value over all directions that three points of a body or two of each span.
 */
#include "oracle/quad_oracle.h"

#include <math.h>

typedef struct Vec {
    Quad x, y, z;
} Vec;

typedef struct Set {
    int count;
    Vec p[QUAD_VERTICES * QUAD_VERTICES];
} Set;

static Vec vec(AbutVec3 v) { return (Vec){v.x, v.y, v.z}; }

static Vec sub(Vec a, Vec b) { return (Vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static Vec add_scaled(Vec a, Vec b, Quad t) { return (Vec){a.x + b.x * t, a.y + b.y * t, a.z + b.z * t}; }

static Quad dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Vec cross(Vec a, Vec b) { return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static Quad root(Quad x) {
    Quad y = sqrt((double)x);
    for (int i = 0; i < 3 && y > 0; ++i) y = (y + x / y) / 2;
    return y;
}

/* p + 2 (w u x p + u x (u x p)) / |q|^2, u the vector part. */
static Vec place(AbutVec3 point, AbutPose pose) {
    Vec p = vec(point), u = {pose.q.x, pose.q.y, pose.q.z}, up = cross(u, p);
    Quad w = pose.q.w, square = w * w + dot(u, u);
    p = add_scaled(add_scaled(p, up, 2 * w / square), cross(u, up), 2 / square);
    return add_scaled(p, vec(pose.p), 1);
}

/* ---- apart ------------------------------------------------------------------------------------------------------- */

/* The point of the affine hull of n <= 3 points nearest to the origin; false when it is outside their hull. */
static int foot(const Vec *p, int n, Vec *v) {
    *v = p[0];
    if (n == 1) return 1;
    Vec e = sub(p[1], p[0]);
    if (n == 2) {
        Quad t = -dot(p[0], e) / dot(e, e);
        *v = add_scaled(p[0], e, t);
        return t > 0 && t < 1;
    }
    Vec f = sub(p[2], p[0]), normal = cross(e, f);
    Quad nn = dot(normal, normal);
    if (!(nn > 0)) return 0;
    Quad s = dot(cross(f, p[0]), normal) / nn, t = dot(cross(p[0], e), normal) / nn;
    *v = add_scaled((Vec){0, 0, 0}, normal, dot(normal, p[0]) / nn);
    return s > 0 && t > 0 && s + t < 1;
}

/* By distance from the origin: a foot seen from a far point would lose digits. */
static void sort_points(Vec *p, int count) {
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && dot(p[k], p[k]) < dot(p[k - 1], p[k - 1]); --k) {
            Vec keep = p[k];
            p[k] = p[k - 1];
            p[k - 1] = keep;
        }
}

/* Nearest point of the hull of `count` points, by all of its subsets; keeps those that carry it. */
static Vec nearest(Vec *p, int *count) {
    sort_points(p, *count);
    Vec best = p[0], kept[3] = {p[0]};
    Quad least = dot(best, best);
    int kept_count = 1;
    for (int mask = 1; mask < 1 << *count; ++mask) {
        Vec part[4], v;
        int n = 0;
        for (int i = 0; i < *count; ++i)
            if (mask >> i & 1) part[n++] = p[i];
        if (n > 3 || !foot(part, n, &v) || !(dot(v, v) < least)) continue;
        best = v;
        least = dot(v, v);
        kept_count = n;
        for (int i = 0; i < n; ++i) kept[i] = part[i];
    }
    *count = kept_count;
    for (int i = 0; i < kept_count; ++i) p[i] = kept[i];
    return best;
}

/*
 * The point to go on with from v: of those at least half as far beyond the plane across v as the farthest, the one
 * nearest to the origin. Points along an edge across v are all as far but for the last digit, and one far away would
 * get no weight.
 */
static int next_point(const Set *set, Vec v, Quad square, Quad *beyond) {
    int best = 0;
    *beyond = square - dot(set->p[0], v);
    for (int i = 1; i < set->count; ++i)
        if (square - dot(set->p[i], v) > *beyond) {
            *beyond = square - dot(set->p[i], v);
            best = i;
        }
    for (int i = 0; i < set->count; ++i)
        if (square - dot(set->p[i], v) >= *beyond / 2 && dot(set->p[i], set->p[i]) < dot(set->p[best], set->p[best]))
            best = i;
    return best;
}

/* Upper bound of the distance of the set to the origin; *low: lower bound. */
static Quad distance_apart(const Set *set, Quad *low) {
    Vec p[4] = {set->p[0]}, v = set->p[0];
    int count = 1;
    *low = -1;
    for (int round = 0; round < 200; ++round) {
        Quad square = dot(v, v), beyond;
        p[count++] = set->p[next_point(set, v, square, &beyond)];
        Quad bound = (square - beyond) / root(square);
        *low = bound > *low ? bound : *low;
        Vec next = nearest(p, &count);
        if (!(dot(next, next) < square)) break;
        v = next;
    }
    return root(dot(v, v));
}

/* ---- overlapping ------------------------------------------------------------------------------------------------- */

static void try_direction(const Set *set, Vec n, Quad *depth) {
    Quad nn = dot(n, n), high, low;
    if (!(nn > 0)) return;
    high = low = dot(n, set->p[0]);
    for (int i = 1; i < set->count; ++i) {
        Quad value = dot(n, set->p[i]);
        high = value > high ? value : high;
        low = value < low ? value : low;
    }
    Quad value = (high < -low ? high : -low) / root(nn);
    *depth = value < *depth ? value : *depth;
}

static void try_faces(const Set *set, const Vec *p, int n, Quad *depth) {
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            for (int k = j + 1; k < n; ++k) try_direction(set, cross(sub(p[j], p[i]), sub(p[k], p[i])), depth);
}

static Quad depth_of(const Set *set, const Vec *a, int count_a, const Vec *b, int count_b) {
    Quad depth = 1e300;
    try_faces(set, a, count_a, &depth);
    try_faces(set, b, count_b, &depth);
    for (int i = 0; i < count_a; ++i)
        for (int j = i + 1; j < count_a; ++j)
            for (int k = 0; k < count_b; ++k)
                for (int l = k + 1; l < count_b; ++l)
                    try_direction(set, cross(sub(a[j], a[i]), sub(b[l], b[k])), &depth);
    return depth;
}

Quad quad_distance(const AbutVec3 *a, int count_a, const AbutVec3 *b, int count_b, AbutPose b_in_a, Quad *error) {
    Vec pa[QUAD_VERTICES], pb[QUAD_VERTICES];
    Set set = {0};
    Quad low, far = 0;
    for (int j = 0; j < count_b; ++j) pb[j] = place(b[j], b_in_a);
    for (int i = 0; i < count_a; ++i) {
        pa[i] = vec(a[i]);
        for (int j = 0; j < count_b; ++j) set.p[set.count++] = sub(pa[i], pb[j]);
    }
    for (int i = 0; i < set.count; ++i) far = dot(set.p[i], set.p[i]) > far ? dot(set.p[i], set.p[i]) : far;
    *error = root(far) * (Quad)1e-20;
    Quad high = distance_apart(&set, &low);
    if (low > 0) {
        *error += high - low;
        return high;
    }
    return -depth_of(&set, pa, count_a, pb, count_b);
}
