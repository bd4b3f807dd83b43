/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eigenvalues and eigenvectors of a symmetric 3x3 matrix by cyclic Jacobi rotations.
 * In: a symmetric matrix (the upper triangle is read). Out: values in ascending order, a right-handed rotation whose
 * columns are the unit eigenvectors. Accurate to rounding of the largest entry at any scale.
 */
#include "abut/math.h"
#include "math/matrix.h"
#include "math/tolerance.h"

/* Turns rows and columns p, q of a so that a[p][q] vanishes, and the columns of v with them. */
static void rotate(double a[3][3], double v[3][3], int p, int q) {
    double apq = a[p][q];
    if (apq == 0.0) return;
    double theta = 0.5 * (a[q][q] - a[p][p]) / apq;
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    double arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int k = 0; k < 3; ++k) {
        double vp = v[k][p], vq = v[k][q];
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
}

static void swap_columns(double value[3], double v[3][3], int i, int j) {
    if (value[i] <= value[j]) return;
    double t = value[i];
    value[i] = value[j], value[j] = t;
    for (int k = 0; k < 3; ++k) {
        t = v[k][i];
        v[k][i] = v[k][j], v[k][j] = t;
    }
}

AbutMat3 abut_mat3_eigen_symmetric(AbutMat3 m, double found[3]) {
    double scale = fmax(abut_max_abs(m.x), fmax(abut_max_abs(m.y), abut_max_abs(m.z)));
    for (int k = 0; k < 3 && found; ++k) found[k] = 0.0;
    if (!(scale > 0.0) || !isfinite(scale)) return abut_mat3_identity();
    double u = 1.0 / scale, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double a[3][3] = {
        {m.x.x * u, m.y.x * u, m.z.x * u}, {m.y.x * u, m.y.y * u, m.z.y * u}, {m.z.x * u, m.z.y * u, m.z.z * u}};
    for (int sweep = 0; sweep < 12; ++sweep) {
        if (fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) < ABUT_EIGEN3_DONE) break;
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    double value[3] = {a[0][0], a[1][1], a[2][2]};
    swap_columns(value, v, 0, 1);
    swap_columns(value, v, 1, 2);
    swap_columns(value, v, 0, 1);
    for (int k = 0; k < 3 && found; ++k) found[k] = value[k] * scale;
    AbutVec3 x = abut_vec3(v[0][0], v[1][0], v[2][0]), y = abut_vec3(v[0][1], v[1][1], v[2][1]);
    return abut_mat3(x, y, abut_cross(x, y));
}
