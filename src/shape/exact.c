/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact signs of determinants of point differences, and accurate normals.
 *
 * In: points whose coordinates lie in [-1, 1] and are 0 or at least 2^-250 (hulls: multiples of 2^-60), so that nothing
 * underflows. Out: signs that are right always: a hull built on them is a closed convex surface, and two triangles meet
 * or do not, whatever the input. Method: ordinary arithmetic with an error bound first;
 * where it does not decide, sums of doubles that do not overlap ("expansions"), in which sums and products lose nothing
 * (Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997).
 */
#include "shape/exact.h"
#include "shape/tolerance.h"

/* The most terms that each kind of number can have: a product of m and n terms has 2 m n, a sum m + n. */
enum { DIFFERENCE = 2, PRODUCT = 2 * DIFFERENCE * DIFFERENCE, MINOR = 2 * PRODUCT, VOLUME = 2 * MINOR * DIFFERENCE };

/* Terms in increasing order of magnitude, in memory of whoever made it; the value is their exact sum; n = 0 is zero. */
typedef struct Expansion {
    int n;
    double *term;
} Expansion;

static inline double two_sum(double a, double b, double *low) {
    double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *low = (a - a_part) + (b - b_part);
    return sum;
}

static inline void split(double a, double *high, double *low) {
    double c = 134217729.0 * a; /* 2^27 + 1 */
    *high = c - (c - a);
    *low = a - *high;
}

static inline double two_product(double a, double b, double *low) {
    double product = a * b, ah, al, bh, bl;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    *low = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    return product;
}

/* e += b */
static void grow(Expansion *e, double b) {
    int n = 0;
    double carry = b, low;
    for (int i = 0; i < e->n; ++i) {
        carry = two_sum(carry, e->term[i], &low);
        if (low != 0.0) e->term[n++] = low;
    }
    if (carry != 0.0) e->term[n++] = carry;
    e->n = n;
}

/* e += s f, s = 1 or -1 */
static void add(Expansion *e, const Expansion *f, double s) {
    for (int i = 0; i < f->n; ++i) grow(e, s * f->term[i]);
}

static void multiply(const Expansion *a, const Expansion *b, Expansion *out) {
    out->n = 0;
    for (int i = 0; i < a->n; ++i) {
        for (int k = 0; k < b->n; ++k) {
            double low, high = two_product(a->term[i], b->term[k], &low);
            grow(out, low);
            grow(out, high);
        }
    }
}

static void difference(double a, double b, Expansion *out) {
    out->n = 0;
    grow(out, a);
    grow(out, -b);
}

/* a d - b c */
static void minor2(const Expansion *a, const Expansion *b, const Expansion *c, const Expansion *d, Expansion *out) {
    double term[PRODUCT];
    Expansion t = {0, term};
    multiply(a, d, out);
    multiply(b, c, &t);
    add(out, &t, -1.0);
}

static int sign_of(const Expansion *e) { return e->n == 0 ? 0 : (e->term[e->n - 1] > 0.0 ? 1 : -1); }

static double estimate(const Expansion *e) {
    double sum = 0.0;
    for (int i = 0; i < e->n; ++i) sum += e->term[i];
    return sum;
}

static void subtract(AbutVec3 a, AbutVec3 b, Expansion out[3]) {
    difference(a.x, b.x, &out[0]);
    difference(a.y, b.y, &out[1]);
    difference(a.z, b.z, &out[2]);
}

static void cross_exact(const Expansion u[3], const Expansion w[3], Expansion out[3]) {
    minor2(&u[1], &u[2], &w[1], &w[2], &out[0]);
    minor2(&u[2], &u[0], &w[2], &w[0], &out[1]);
    minor2(&u[0], &u[1], &w[0], &w[1], &out[2]);
}

/* A vector of expansions with room for their terms. */
typedef struct Differences {
    Expansion x[3];
    double term[3][DIFFERENCE];
} Differences;

typedef struct Minors {
    Expansion x[3];
    double term[3][MINOR];
} Minors;

static void set_differences(Differences *d, AbutVec3 a, AbutVec3 b) {
    for (int i = 0; i < 3; ++i) d->x[i].term = d->term[i];
    subtract(a, b, d->x);
}

/* (b - a) x (c - a) */
static void set_cross(Minors *n, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    Differences u, w;
    set_differences(&u, b, a);
    set_differences(&w, c, a);
    for (int i = 0; i < 3; ++i) n->x[i].term = n->term[i];
    cross_exact(u.x, w.x, n->x);
}

static int side_exact(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d) {
    Differences q;
    Minors n;
    double term[VOLUME], sums[3 * VOLUME];
    Expansion sum = {0, sums}, t = {0, term};
    set_differences(&q, d, a);
    set_cross(&n, a, b, c);
    for (int i = 0; i < 3; ++i) {
        multiply(&n.x[i], &q.x[i], &t);
        add(&sum, &t, 1.0);
    }
    return sign_of(&sum);
}

int abut_exact_side(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d) {
    AbutVec3 u = abut_sub(a, d), v = abut_sub(b, d), w = abut_sub(c, d);
    double vxwy = v.x * w.y, wxvy = w.x * v.y, wxuy = w.x * u.y, uxwy = u.x * w.y, uxvy = u.x * v.y, vxuy = v.x * u.y;
    double below = u.z * (vxwy - wxvy) + v.z * (wxuy - uxwy) + w.z * (uxvy - vxuy);
    double size = (fabs(vxwy) + fabs(wxvy)) * fabs(u.z) + (fabs(wxuy) + fabs(uxwy)) * fabs(v.z) +
                  (fabs(uxvy) + fabs(vxuy)) * fabs(w.z);
    double bound = ABUT_HULL_ORIENT_BOUND * size;
    if (below > bound || below < -bound) return below > 0.0 ? -1 : 1;
    return side_exact(a, b, c, d);
}

int abut_exact_turn(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), det = left - right;
    double bound = ABUT_HULL_TURN_BOUND * (fabs(left) + fabs(right));
    if (det > bound || det < -bound) return det > 0.0 ? 1 : -1;
    Differences u, w;
    double term[MINOR];
    Expansion e = {0, term};
    set_differences(&u, a, c);
    set_differences(&w, b, c);
    minor2(&u.x[0], &u.x[1], &w.x[0], &w.x[1], &e);
    return sign_of(&e);
}

AbutVec3 abut_exact_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 u = abut_sub(b, a), w = abut_sub(c, a), n = abut_cross(u, w);
    double square = abut_length_sq(n);
    if (square > ABUT_HULL_THIN_TRIANGLE * abut_length_sq(u) * abut_length_sq(w) && square > ABUT_HULL_SMALL_SQUARE)
        return abut_scale(n, 1.0 / sqrt(square));
    Minors m;
    set_cross(&m, a, b, c);
    return abut_normalize(abut_vec3(estimate(&m.x[0]), estimate(&m.x[1]), estimate(&m.x[2])));
}

int abut_exact_area(double ax, double ay, double bx, double by) {
    double left = ax * by, right = ay * bx, det = left - right;
    double bound = ABUT_HULL_TURN_BOUND * (fabs(left) + fabs(right));
    if (det > bound || det < -bound) return det > 0.0 ? 1 : -1;
    double term[2 * DIFFERENCE];
    Expansion e = {0, term};
    double low, high = two_product(ax, by, &low);
    grow(&e, low);
    grow(&e, high);
    high = two_product(-ay, bx, &low);
    grow(&e, low);
    grow(&e, high);
    return sign_of(&e);
}
