/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two triangles, one pair at a time: distance with witness points, and the exact answer to whether they meet.
 *
 * In: corners in one frame, coordinates within 1. Out: AbutTriangleGap, whose square is 0 exactly where the closed
 * triangles have a common point. Method: the parts of triangle_pair.h for the distance; where that is so small, or the
 * sides cross so narrowly, that rounding could decide, the signs of determinants in exact arithmetic do (exact.h). Two
 * triangles meet iff a side of one meets the other.
 */
#include "math/matrix.h"
#include "mesh/triangle_pair.h"

#include "shape/exact.h"

/* ---- exact meeting ----------------------------------------------------------------------------------------------- */

/* Products of three coordinates below this would vanish; it is 0 against a triangle of size 1. */
static AbutVec3 without_dust(AbutVec3 p) {
    const double dust = 0x1p-250;
    return abut_vec3(fabs(p.x) < dust ? 0.0 : p.x, fabs(p.y) < dust ? 0.0 : p.y, fabs(p.z) < dust ? 0.0 : p.z);
}

/* Is p, on the line a b of the plane, between its ends? */
static int between(AbutVec3 a, AbutVec3 b, AbutVec3 p) {
    return p.x >= abut_smaller(a.x, b.x) && p.x <= abut_larger(a.x, b.x) && p.y >= abut_smaller(a.y, b.y) &&
           p.y <= abut_larger(a.y, b.y);
}

static int segments_meet(AbutVec3 p, AbutVec3 q, AbutVec3 a, AbutVec3 b) {
    int pa = abut_exact_turn(p, q, a), pb = abut_exact_turn(p, q, b);
    int ap = abut_exact_turn(a, b, p), aq = abut_exact_turn(a, b, q);
    if (pa * pb < 0 && ap * aq < 0) return 1;
    return (pa == 0 && between(p, q, a)) || (pb == 0 && between(p, q, b)) || (ap == 0 && between(a, b, p)) ||
           (aq == 0 && between(a, b, q));
}

static int same_side(int a, int b, int c) { return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0); }

/* In the plane; the triangle has an area. */
static int point_in_triangle(AbutVec3 p, const AbutVec3 t[3]) {
    return same_side(abut_exact_turn(t[0], t[1], p), abut_exact_turn(t[1], t[2], p), abut_exact_turn(t[2], t[0], p));
}

static int largest(AbutVec3 v) {
    AbutVec3 w = abut_abs(v);
    return w.x >= w.y && w.x >= w.z ? 0 : (w.y >= w.z ? 1 : 2);
}

/* Coordinates of the plane without coordinate k. */
static AbutVec3 without(AbutVec3 p, int k) {
    return abut_vec3(abut_get(p, (k + 1) % 3), abut_get(p, (k + 2) % 3), 0.0);
}

/* Does the segment p q meet the triangle t with normal n, in whose plane it lies? */
static int flat_segment_meets(AbutVec3 p, AbutVec3 q, const AbutVec3 t[3], AbutVec3 n) {
    int k = largest(n);
    AbutVec3 u[3];
    for (int i = 0; i < 3; ++i) u[i] = without(t[i], k);
    p = without(p, k), q = without(q, k);
    for (int i = 0; i < 3; ++i)
        if (segments_meet(p, q, u[i], u[(i + 1) % 3])) return 1;
    return point_in_triangle(p, u);
}

/* Does a side of triangle s meet the triangle t with normal n? `side` says where the corners of s are. */
static int sides_meet(const AbutVec3 s[3], const int side[3], const AbutVec3 t[3], AbutVec3 n) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        if (side[i] * side[j] > 0) continue;
        if (side[i] == 0 && side[j] == 0) {
            if (flat_segment_meets(s[i], s[j], t, n)) return 1;
            continue;
        }
        int a = abut_exact_side(s[i], s[j], t[0], t[1]), b = abut_exact_side(s[i], s[j], t[1], t[2]);
        if (a * b >= 0 && same_side(a, b, abut_exact_side(s[i], s[j], t[2], t[0]))) return 1;
    }
    return 0;
}

/* Coordinate to leave out so that four points of one plane, or of one line, keep apart. */
static int plain_view(const AbutVec3 p[4]) {
    static const int corner[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    AbutVec3 low = p[0], high = p[0];
    for (int i = 0; i < 4; ++i) {
        AbutVec3 n = abut_exact_normal(p[corner[i][0]], p[corner[i][1]], p[corner[i][2]]);
        if (abut_length_sq(n) > 0.0) return largest(n);
        low = abut_min(low, p[i]), high = abut_max(high, p[i]);
    }
    return (largest(abut_sub(high, low)) + 1) % 3;
}

/* Two triangles without area: their sides in space. */
static int thin_triangles_meet(const AbutVec3 a[3], const AbutVec3 b[3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const AbutVec3 p[4] = {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]};
            if (abut_exact_side(p[0], p[1], p[2], p[3]) != 0) continue;
            int k = plain_view(p);
            if (segments_meet(without(p[0], k), without(p[1], k), without(p[2], k), without(p[3], k))) return 1;
        }
    return 0;
}

/* Sides of the plane of t on which the corners of p lie; 0 when all lie on one. */
static int straddles(const AbutVec3 t[3], const AbutVec3 p[3], int side[3]) {
    for (int k = 0; k < 3; ++k) side[k] = abut_exact_side(t[0], t[1], t[2], p[k]);
    return !((side[0] > 0 && side[1] > 0 && side[2] > 0) || (side[0] < 0 && side[1] < 0 && side[2] < 0));
}

int abut_triangles_meet(const AbutVec3 a_in[3], const AbutVec3 b_in[3]) {
    AbutVec3 a[3], b[3];
    int side_a[3], side_b[3];
    for (int k = 0; k < 3; ++k) a[k] = without_dust(a_in[k]), b[k] = without_dust(b_in[k]);
    if (!straddles(b, a, side_a) || !straddles(a, b, side_b)) return 0;
    AbutVec3 na = abut_exact_normal(a[0], a[1], a[2]), nb = abut_exact_normal(b[0], b[1], b[2]);
    int thick_a = abut_length_sq(na) > 0.0, thick_b = abut_length_sq(nb) > 0.0;
    if (!thick_a && !thick_b) return thin_triangles_meet(a, b);
    return (thick_b && sides_meet(a, side_a, b, nb)) || (thick_a && sides_meet(b, side_b, a, na));
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

typedef struct Triangle {
    AbutTriangleSide side[3];
    AbutTriangleFace face;
} Triangle;

static Triangle triangle_of(const AbutVec3 t[3]) {
    Triangle out;
    for (int k = 0; k < 3; ++k) out.side[k] = abut_triangle_side(t[k], t[(k + 1) % 3]);
    out.face = abut_triangle_face(&out.side[0], &out.side[1], &out.side[2]);
    return out;
}

static void try_sides(const Triangle *a, const Triangle *b, AbutTriangleGap *gap) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double s, t;
            AbutVec3 d = abut_triangle_sides(&a->side[i], &b->side[j], &s, &t);
            double square = abut_length_sq(d);
            if (square < gap->square) {
                gap->square = square;
                gap->a = abut_add_scaled(a->side[i].p, a->side[i].d, s);
                gap->b = abut_add_scaled(b->side[j].p, b->side[j].d, t);
                gap->d = abut_neg(d);
            }
        }
}

/* Corners of `p` over the face of `t`; gives 1 and the place where a side of p crosses it. */
static int try_face(const Triangle *t, const Triangle *p, int p_is_b, AbutTriangleGap *gap, AbutVec3 *crossing) {
    AbutTrianglePlace at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = abut_triangle_place(&t->face, &t->side[0], &t->side[1], &t->side[2], p->side[k].p);
        double square = abut_triangle_over(&t->face, &at[k]);
        if (square < gap->square) {
            AbutVec3 up = abut_scale(t->face.n, at[k].h * t->face.inverse), corner = p->side[k].p;
            AbutVec3 foot = abut_sub(corner, up);
            gap->square = square;
            gap->a = p_is_b ? foot : corner, gap->b = p_is_b ? corner : foot;
            gap->d = p_is_b ? up : abut_neg(up);
        }
    }
    for (int k = 0; k < 3; ++k) {
        const AbutTrianglePlace *u = &at[k], *w = &at[(k + 1) % 3];
        if (abut_triangle_crosses(&t->face, u, w) == 0.0) {
            *crossing = abut_add_scaled(p->side[k].p, p->side[k].d, u->h / (u->h - w->h));
            return 1;
        }
    }
    return 0;
}

/* Rounding alone makes the gap zero: what the witness points are apart, or next to nothing. */
static void keep_apart(AbutTriangleGap *gap) {
    gap->d = abut_sub(gap->b, gap->a);
    gap->square = abut_length_sq(gap->d);
    if (!(gap->square > 0.0)) {
        gap->d = abut_vec3(0.0, 0.0, 0x1p-300);
        gap->square = 0x1p-600;
    }
}

AbutTriangleGap abut_triangle_gap(const AbutVec3 a[3], const AbutVec3 b[3]) {
    Triangle ta = triangle_of(a), tb = triangle_of(b);
    AbutTriangleGap gap = {1e300, a[0], b[0], abut_zero()};
    AbutVec3 crossing = a[0];
    try_sides(&ta, &tb, &gap);
    int crosses = try_face(&tb, &ta, 0, &gap, &crossing);
    crosses = try_face(&ta, &tb, 1, &gap, &crossing) || crosses;
    if ((crosses || gap.square <= ABUT_MESH_TOUCH * ABUT_MESH_TOUCH) && abut_triangles_meet(a, b)) {
        gap.a = gap.b = crosses ? crossing : gap.a;
        gap.d = abut_zero();
        gap.square = 0.0;
    } else if (gap.square == 0.0) {
        keep_apart(&gap);
    }
    return gap;
}

/* Squared distance of p from a side, with the point on it. */
static double side_nearest(AbutVec3 p, AbutVec3 a, AbutVec3 d, AbutVec3 *at) {
    double square = abut_length_sq(d), along = abut_dot(d, abut_sub(p, a));
    double s = along > 0.0 ? (along < square ? along / square : 1.0) : 0.0;
    *at = abut_add_scaled(a, d, s);
    return abut_length_sq(abut_sub(p, *at));
}

double abut_triangle_nearest(AbutVec3 p, const AbutVec3 t[3], AbutVec3 *at) {
    AbutVec3 d[3] = {abut_sub(t[1], t[0]), abut_sub(t[2], t[1]), abut_sub(t[0], t[2])}, n = abut_cross(d[0], d[1]);
    double best = 1e300, square = abut_length_sq(n), inside[3];
    int thick = square > ABUT_MESH_THICK * abut_length_sq(d[0]) * abut_length_sq(d[1]);
    for (int k = 0; k < 3; ++k) inside[k] = abut_dot(n, abut_cross(d[k], abut_sub(p, t[k])));
    if (square > 0.0 && inside[0] >= 0.0 && inside[1] >= 0.0 && inside[2] >= 0.0) {
        double h = abut_dot(n, abut_sub(p, t[0]));
        best = h * h / square;
        *at = abut_add_scaled(p, n, -h / square);
    }
    for (int k = 0; k < 3; ++k) { /* a side seen from inside has no nearest point, where rounding leaves an inside */
        AbutVec3 q;
        double other = thick && inside[k] > 0.0 ? 1e300 : side_nearest(p, t[k], d[k], &q);
        if (other < best) best = other, *at = q;
    }
    return best;
}
