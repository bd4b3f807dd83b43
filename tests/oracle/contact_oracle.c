/* SPDX-License-Identifier: Apache-2.0 */
#include "math/matrix.h"
#include "oracle/contact_oracle.h"

static void add_point(AbutVec3 r, AbutVec3 nu, double area, int projected, double q[6][6], double side[6]) {
    double h = fabs(abut_dot(nu, r));
    if (projected) r = abut_add_scaled(r, nu, -abut_dot(nu, r));
    AbutMat3 skew = abut_mat3_skew(r);
    double j[3][6]; /* velocity at r: [1 -[r]] */
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            j[i][k] = i == k ? 1.0 : 0.0;
            j[i][3 + k] = -abut_get(k == 0 ? skew.x : (k == 1 ? skew.y : skew.z), i);
        }
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b)
            for (int i = 0; i < 3; ++i) q[a][b] += area * j[i][a] * j[i][b];
        for (int i = 0; i < 3; ++i) side[a] += area * h * j[i][a] * abut_get(nu, i);
    }
}

/* A small triangle by the middles of its edges: exact where the integrand is quadratic. */
static void add_small(
    AbutVec3 at, AbutVec3 du, AbutVec3 dv, AbutVec3 nu, double area, int projected, double q[6][6], double side[6]) {
    AbutVec3 middle[3] = {abut_scale(du, 0.5), abut_scale(dv, 0.5), abut_scale(abut_add(du, dv), 0.5)};
    for (int k = 0; k < 3; ++k) add_point(abut_add(at, middle[k]), nu, area / 3.0, projected, q, side);
}

void oracle_surface(
    const AbutVec3 corner[3], AbutVec3 nu, int n, int projected, double shorter, double q[6][6], double side[6]) {
    AbutVec3 du = abut_scale(abut_sub(corner[1], corner[0]), 1.0 / n),
             dv = abut_scale(abut_sub(corner[2], corner[0]), 1.0 / n);
    double area = 0.5 * abut_length(abut_cross(du, dv)) * shorter;
    for (int i = 0; i < n; ++i)
        for (int k = 0; i + k < n; ++k) {
            AbutVec3 at = abut_add(corner[0], abut_add(abut_scale(du, i), abut_scale(dv, k)));
            add_small(at, du, dv, nu, area, projected, q, side);
            if (i + k < n - 1)
                add_small(abut_add(at, abut_add(du, dv)), abut_neg(du), abut_neg(dv), nu, area, projected, q, side);
        }
}

void oracle_response(double inv_mass, AbutMat3 inv_inertia, AbutVec3 r, double phi[6][6]) {
    double x[6][6] = {{0}}, m[6][6] = {{0}}, xm[6][6] = {{0}};
    AbutMat3 skew = abut_mat3_skew(r);
    for (int i = 0; i < 6; ++i) x[i][i] = 1.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            x[i][3 + k] = -abut_get(k == 0 ? skew.x : (k == 1 ? skew.y : skew.z), i);
            m[3 + i][3 + k] = abut_get(k == 0 ? inv_inertia.x : (k == 1 ? inv_inertia.y : inv_inertia.z), i);
            m[i][k] = i == k ? inv_mass : 0.0;
        }
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int l = 0; l < 6; ++l) xm[i][k] += x[i][l] * m[l][k];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int l = 0; l < 6; ++l) phi[i][k] += xm[i][l] * x[k][l];
}

void oracle_nonnegative(int n, const double *h, const double *g, double *x, int sweeps) {
    for (int i = 0; i < n; ++i) x[i] = 0.0;
    for (int it = 0; it < sweeps; ++it) {
        double moved = 0.0, largest = 0.0;
        for (int i = 0; i < n; ++i) {
            double slope = g[i], next;
            for (int k = 0; k < n; ++k) slope += h[i * n + k] * x[k];
            next = x[i] - slope / h[i * n + i];
            next = next > 0.0 ? next : 0.0;
            moved = abut_larger(moved, fabs(next - x[i]));
            largest = abut_larger(largest, next);
            x[i] = next;
        }
        if (moved <= 1e-16 * largest) return;
    }
}
