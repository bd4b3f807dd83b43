/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the distance of two triangles. Its parts are small functions without branches, used both one pair at a time
 * (triangle_pair.c) and eight at a time (mesh_walk.inc), so that both give the same bits.
 *
 * The squared distance is the least of nine pairs of sides and six vertices over faces, and 0 where a side crosses a
 * face. Vertex against side is part of side against side.
 */
#ifndef ABUT_SRC_MESH_TRIANGLE_PAIR_H
#define ABUT_SRC_MESH_TRIANGLE_PAIR_H

#include "abut/math.h"
#include "mesh/tolerance.h"

#if defined(__GNUC__)
#define ABUT_TRIANGLE_PART static inline __attribute__((always_inline))
#else
#define ABUT_TRIANGLE_PART static inline
#endif

typedef struct AbutTriangleGap {
    double square;    /* squared distance; 0 exactly where they meet */
    AbutVec3 a, b, d; /* witness points, and b - a formed without cancellation */
} AbutTriangleGap;

AbutTriangleGap abut_triangle_gap(const AbutVec3 a[3], const AbutVec3 b[3]);

/* Do two closed triangles have a point in common? Exact for the coordinates as given, which lie within 1. */
int abut_triangles_meet(const AbutVec3 a[3], const AbutVec3 b[3]);

/* The point of a triangle nearest to p; gives its squared distance. */
double abut_triangle_nearest(AbutVec3 p, const AbutVec3 t[3], AbutVec3 *at);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* A side of a triangle: start, vector, squared length and its inverse (1 for a length of zero). */
typedef struct AbutTriangleSide {
    AbutVec3 p, d;
    double square, inverse;
} AbutTriangleSide;

ABUT_TRIANGLE_PART AbutTriangleSide abut_triangle_side(AbutVec3 p, AbutVec3 q) {
    AbutTriangleSide s;
    s.p = p;
    s.d = abut_sub(q, p);
    s.square = abut_length_sq(s.d);
    s.inverse = 1.0 / (s.square > 0.0 ? s.square : 1.0);
    return s;
}

ABUT_TRIANGLE_PART double abut_clamp01(double x) {
    x = x < 0.0 ? 0.0 : x;
    return x > 1.0 ? 1.0 : x;
}

/* Vector from the nearest point of side b to that of side a; s and t say where on a and b these lie. */
ABUT_TRIANGLE_PART AbutVec3 abut_triangle_sides(
    const AbutTriangleSide *a, const AbutTriangleSide *b, double *s_out, double *t_out) {
    AbutVec3 r = abut_sub(a->p, b->p);
    double ab = abut_dot(a->d, b->d), c = abut_dot(a->d, r), f = abut_dot(b->d, r);
    double squares = a->square * b->square, den = squares - ab * ab;
    double slanted = den > ABUT_MESH_SLANTED * squares ? 1.0 : 0.0;
    double s = abut_clamp01((ab * f - c * b->square) / (slanted > 0.0 ? den : 1.0) * slanted);
    double t = abut_clamp01((ab * s + f) * b->inverse);
    s = abut_clamp01((ab * t - c) * a->inverse);
    *s_out = s;
    *t_out = t;
    return abut_sub(abut_add_scaled(r, a->d, s), abut_scale(b->d, t));
}

/* The plane of a triangle and the planes through its sides that stand on it. */
typedef struct AbutTriangleFace {
    AbutVec3 n, m0, m1, m2;
    double square, inverse, none; /* of n; none: 0, or a huge number when the triangle has no area */
} AbutTriangleFace;

ABUT_TRIANGLE_PART AbutTriangleFace abut_triangle_face(
    const AbutTriangleSide *s0, const AbutTriangleSide *s1, const AbutTriangleSide *s2) {
    AbutTriangleFace f;
    f.n = abut_cross(s0->d, s1->d);
    f.m0 = abut_cross(f.n, s0->d);
    f.m1 = abut_cross(f.n, s1->d);
    f.m2 = abut_cross(f.n, s2->d);
    f.square = abut_length_sq(f.n);
    f.inverse = 1.0 / (f.square > 0.0 ? f.square : 1.0);
    f.none = f.square > 0.0 ? 0.0 : 1e300;
    return f;
}

/* Height of a point over a face, and its places inside the three sides, all unnormalized. */
typedef struct AbutTrianglePlace {
    double h, g0, g1, g2;
} AbutTrianglePlace;

ABUT_TRIANGLE_PART AbutTrianglePlace abut_triangle_place(const AbutTriangleFace *f, const AbutTriangleSide *s0,
    const AbutTriangleSide *s1, const AbutTriangleSide *s2, AbutVec3 p) {
    AbutTrianglePlace at;
    AbutVec3 w = abut_sub(p, s0->p);
    at.h = abut_dot(f->n, w);
    at.g0 = abut_dot(f->m0, w);
    at.g1 = abut_dot(f->m1, abut_sub(p, s1->p));
    at.g2 = abut_dot(f->m2, abut_sub(p, s2->p));
    return at;
}

/* Squared height of a point that stands over the inside of the face, else a huge number. */
ABUT_TRIANGLE_PART double abut_triangle_over(const AbutTriangleFace *f, const AbutTrianglePlace *p) {
    double least = p->g0 < p->g1 ? p->g0 : p->g1, square = p->h * p->h * f->inverse + f->none;
    least = least < p->g2 ? least : p->g2;
    return least >= 0.0 ? square : 1e300;
}

/* 0 where the segment between two places crosses the face, else a huge number. */
ABUT_TRIANGLE_PART double abut_triangle_crosses(
    const AbutTriangleFace *f, const AbutTrianglePlace *p, const AbutTrianglePlace *q) {
    double drop = p->h - q->h, sign = drop > 0.0 ? 1.0 : -1.0;
    double k0 = (p->h * q->g0 - q->h * p->g0) * sign, k1 = (p->h * q->g1 - q->h * p->g1) * sign;
    double k2 = (p->h * q->g2 - q->h * p->g2) * sign, least = k0 < k1 ? k0 : k1;
    least = least < k2 ? least : k2;
    double value = p->h * q->h <= 0.0 ? f->none : 1e300;
    value = least >= 0.0 ? value : 1e300;
    return drop != 0.0 ? value : 1e300;
}

#endif
