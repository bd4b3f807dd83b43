/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phong projection onto a triangle (Panozzo, Baran, Diamanti, Sorkine-Hornung, "Weighted averages on surfaces", 2013;
 * Lee 2017, chapter V). In: corners and their unit normals. Out: places q with Psi(q) q = 0: the way from the origin to
 * q is at right angles to the tangent plane that is blended from those of the corners.
 *
 * T_i: orthonormal rows across normal i. Along each edge the two planes are turned onto each other, R = Ort(T' T^t);
 * the three edges are then turned onto each other by block coordinate descent. With l the barycentric coordinates,
 * P = l1 l2 l3 / 2 and S = l1 l2 + l2 l3 + l3 l1:
 *   Psi = [(l1^2 l2 + P) A1 + (l1 l2^2 + P) A2 + (l2^2 l3 + P) A3 + (l2 l3^2 + P) A4 + (l3^2 l1 + P) A5 + (l3 l1^2 + P)
 * A6] / S S Psi q is a quartic: if its Bernstein coefficients but those at the corners have one sign there is no root.
 */
#include "literature/direction/phong_triangle.h"
#include "literature/direction/tolerance.h"
#include "math/functions.h"

#include <string.h>

typedef struct Turn {
    double cosine, sine;
} Turn;

static AbutPhongPlane turn_plane(Turn t, AbutPhongPlane p) {
    AbutPhongPlane out = {{abut_sub(abut_scale(p.row[0], t.cosine), abut_scale(p.row[1], t.sine)),
        abut_add(abut_scale(p.row[0], t.sine), abut_scale(p.row[1], t.cosine))}};
    return out;
}

static AbutPhongPlane add_planes(AbutPhongPlane p, AbutPhongPlane q) {
    AbutPhongPlane out = {{abut_add(p.row[0], q.row[0]), abut_add(p.row[1], q.row[1])}};
    return out;
}

/* The rotation nearest to p q^t. */
static Turn nearest_turn(AbutPhongPlane p, AbutPhongPlane q) {
    double c = abut_dot(p.row[0], q.row[0]) + abut_dot(p.row[1], q.row[1]);
    double s = abut_dot(p.row[1], q.row[0]) - abut_dot(p.row[0], q.row[1]);
    double length = sqrt(c * c + s * s);
    Turn none = {1.0, 0.0}, out = {c / length, s / length};
    return length > 0.0 ? out : none;
}

/* Turns the three edges onto each other. */
static void align_edges(const AbutPhongPlane sum[3], Turn edge[3]) {
    enum { SWEEPS = 6 };
    for (int k = 0; k < 3 * SWEEPS; ++k) {
        int i = k % 3, j = (i + 1) % 3, m = (i + 2) % 3;
        edge[i] = nearest_turn(add_planes(turn_plane(edge[j], sum[j]), turn_plane(edge[m], sum[m])), sum[i]);
    }
}

void abut_phong_triangle(const AbutVec3 corner[3], const AbutVec3 normal[3], AbutPhongTriangle *out) {
    AbutPhongPlane tangent[3], part[6], sum[3];
    Turn edge[3] = {{1.0, 0.0}, {1.0, 0.0}, {1.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
        tangent[i].row[0] = abut_perpendicular(normal[i]);
        tangent[i].row[1] = abut_cross(normal[i], tangent[i].row[0]);
        out->corner[i] = corner[i];
    }
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        part[2 * i] = turn_plane(nearest_turn(tangent[next], tangent[i]), tangent[i]);
        part[2 * i + 1] = tangent[next];
        sum[i] = add_planes(part[2 * i], part[2 * i + 1]);
    }
    align_edges(sum, edge);
    for (int k = 0; k < 6; ++k) {
        out->plane[k] = turn_plane(edge[k / 2], part[k]);
        for (int m = 0; m < 6; ++m) out->x[k][m / 2][m % 2] = abut_dot(out->plane[k].row[m % 2], corner[m / 2]);
    }
}

/* The six coefficients and S; with `slope` their derivatives by l1 and l2. */
static double coefficients(double a, double b, double out[6], double slope[2][6], double s_slope[2]) {
    double c = 1.0 - a - b, p = 0.5 * a * b * c;
    const double plain[6] = {a * a * b, a * b * b, b * b * c, b * c * c, c * c * a, c * a * a};
    const double by_a[6] = {2 * a * b, b * b, -b * b, -2 * b * c, c * c - 2 * c * a, 2 * a * c - a * a};
    const double by_b[6] = {a * a, 2 * a * b, 2 * b * c - b * b, c * c - 2 * b * c, -2 * c * a, -a * a};
    for (int k = 0; k < 6; ++k) {
        out[k] = plain[k] + p;
        slope[0][k] = by_a[k] + 0.5 * b * (c - a);
        slope[1][k] = by_b[k] + 0.5 * a * (c - b);
    }
    s_slope[0] = c - a, s_slope[1] = c - b;
    return abut_larger(a * b + b * c + c * a, 1e-30);
}

AbutPhongPlane abut_phong_plane(const AbutPhongTriangle *t, double l1, double l2) {
    double c[6], slope[2][6], s_slope[2], s = coefficients(l1, l2, c, slope, s_slope);
    AbutPhongPlane out = {{abut_zero(), abut_zero()}};
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 2; ++i) out.row[i] = abut_add_scaled(out.row[i], t->plane[k].row[i], c[k] / s);
    return out;
}

void abut_phong_value(const AbutPhongTriangle *t, double l1, double l2, double value[2], double slope[2][2]) {
    double c[6], by[2][6], s_by[2], s = coefficients(l1, l2, c, by, s_by), l3 = 1.0 - l1 - l2;
    for (int i = 0; i < 2; ++i) {
        double f = 0.0, d[2] = {0.0, 0.0};
        for (int k = 0; k < 6; ++k) {
            double at = l1 * t->x[k][0][i] + l2 * t->x[k][1][i] + l3 * t->x[k][2][i];
            f += c[k] * at;
            d[0] += by[0][k] * at + c[k] * (t->x[k][0][i] - t->x[k][2][i]);
            d[1] += by[1][k] * at + c[k] * (t->x[k][1][i] - t->x[k][2][i]);
        }
        value[i] = f / s;
        for (int j = 0; j < 2 && slope; ++j) slope[i][j] = (d[j] - value[i] * s_by[j]) / s;
    }
}

int abut_phong_excluded(const AbutPhongTriangle *t) {
    static const int power[6][2] = {{2, 1}, {1, 2}, {0, 2}, {0, 1}, {1, 0}, {2, 0}}; /* of l1 and l2 */
    static const double factorial[5] = {1, 1, 2, 6, 24};
    for (int i = 0; i < 2; ++i) {
        double monomial[5][5];
        int positive = 0, negative = 0;
        memset(monomial, 0, sizeof monomial);
        for (int k = 0; k < 18; ++k) {
            int m = k % 3;
            double x = t->x[k / 3][m][i];
            monomial[power[k / 3][0] + (m == 0)][power[k / 3][1] + (m == 1)] += x;
            monomial[1 + (m == 0)][1 + (m == 1)] += 0.5 * x;
        }
        for (int a = 0; a < 4; ++a)
            for (int b = 0; a + b <= 4 && b < 4; ++b) {
                double value = monomial[a][b] * factorial[a] * factorial[b] * factorial[4 - a - b];
                positive += value >= 0.0 && a + b > 0;
                negative += value <= 0.0 && a + b > 0;
            }
        if (positive == 0 || negative == 0) return 1;
    }
    return 0;
}

/* One damped step of Newton's method; 0 when it does not help. */
static int improve(const AbutPhongTriangle *t, double *l1, double *l2, double value[2], double slope[2][2]) {
    enum { HALVINGS = 12 };
    double det = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
    double d1 = -(slope[1][1] * value[0] - slope[0][1] * value[1]) / det;
    double d2 = -(slope[0][0] * value[1] - slope[1][0] * value[0]) / det, part = 1.0;
    double size = value[0] * value[0] + value[1] * value[1];
    if (!isfinite(d1) || !isfinite(d2)) return 0;
    for (int k = 0; k < HALVINGS; ++k, part *= 0.5) {
        double a = *l1 + part * d1, b = *l2 + part * d2, next[2], next_slope[2][2];
        if (a < -0.3 || b < -0.3 || 1.0 - a - b < -0.3) continue;
        abut_phong_value(t, a, b, next, next_slope);
        if (next[0] * next[0] + next[1] * next[1] < size) {
            *l1 = a, *l2 = b;
            memcpy(value, next, sizeof next);
            memcpy(slope, next_slope, sizeof next_slope);
            return 1;
        }
    }
    return 0;
}

int abut_phong_root(const AbutPhongTriangle *t, double size, double l[3]) {
    enum { STARTS = 4, ITERATIONS = 25 };
    static const double start[STARTS][2] = {{1.0 / 3.0, 1.0 / 3.0}, {0.8, 0.1}, {0.1, 0.8}, {0.1, 0.1}};
    for (int k = 0; k < STARTS; ++k) {
        double l1 = start[k][0], l2 = start[k][1], value[2], slope[2][2];
        abut_phong_value(t, l1, l2, value, slope);
        for (int i = 0; i < ITERATIONS && abut_hypot(value[0], value[1]) > 1e-14 * size; ++i)
            if (!improve(t, &l1, &l2, value, slope)) break;
        if (abut_hypot(value[0], value[1]) <= ABUT_PHONG_RESIDUAL * size && l1 >= -ABUT_PHONG_EDGE &&
            l2 >= -ABUT_PHONG_EDGE && 1.0 - l1 - l2 >= -ABUT_PHONG_EDGE) {
            l[0] = l1, l[1] = l2, l[2] = 1.0 - l1 - l2;
            return 1;
        }
    }
    return 0;
}

AbutVec3 abut_phong_normal(const AbutPhongTriangle *t, const double l[3], AbutVec3 facing) {
    double l1 = abut_smaller(abut_larger(l[0], 1e-9), 1.0 - 2e-9),
           l2 = abut_smaller(abut_larger(l[1], 1e-9), 1.0 - 2e-9);
    AbutPhongPlane p = abut_phong_plane(t, l1, l2);
    AbutVec3 n = abut_normalize_or(abut_cross(p.row[0], p.row[1]), facing);
    return abut_dot(n, facing) < 0.0 ? abut_neg(n) : n;
}
