/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inertia as MuJoCo keeps it: principal moments and axes, by turns of Jacobi, one at a time at the largest product of
 * inertia. For a mesh, products below 1e-7 of the largest moment are dropped, as MuJoCo 3.14 drops them (found by
 * comparison with it): mass matrices agree because the same is dropped here.
 */
#include "import/mjcf_read.h"

enum { TURNS = 100 };

/* The matrix in turned axes, by rows. */
static void in_axes(AbutMat3 m, AbutQuat axes, double out[3][3]) {
    AbutMat3 r = abut_quat_to_mat3(axes), t = abut_mat3_mul_t(r, abut_mat3_mul(m, r));
    const AbutVec3 column[3] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; ++i) {
        out[0][i] = column[i].x;
        out[1][i] = column[i].y;
        out[2][i] = column[i].z;
    }
}

static AbutQuat about(int axis, double cosine, double sine) {
    return abut_quat_normalize(
        abut_quat(cosine, axis == 0 ? sine : 0.0, axis == 1 ? sine : 0.0, axis == 2 ? sine : 0.0));
}

/* The turn that takes the largest product away; false: it is below `small`. */
static int next_turn(double d[3][3], double small, AbutQuat *turn) {
    double xy = fabs(d[0][1]), xz = fabs(d[0][2]), yz = fabs(d[1][2]);
    int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    int row = axis == 0, column = axis == 2 ? 1 : 2;
    double product = d[row][column];
    if (!(fabs(product) > small)) return 0;
    double tau = (d[column][column] - d[row][row]) / (2.0 * product);
    double tangent = 1.0 / (fabs(tau) + sqrt(1.0 + tau * tau)), cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    double half = sqrt(0.5 + 0.5 * cosine), sine = 0.5 * tangent * cosine / half;
    *turn = about(axis, half, (tau >= 0.0) == (axis == 1) ? sine : -sine);
    return 1;
}

/* Is some product that is left larger than rounding errors? */
static int drops(double d[3][3], double rounding) {
    return fabs(d[0][1]) > rounding || fabs(d[0][2]) > rounding || fabs(d[1][2]) > rounding;
}

/* Moments in descending order, the axes turned with them by right angles. */
static void sort(double moment[3], double small, AbutQuat *axes) {
    for (int k = 0; k < 3; ++k) {
        int i = k % 2;
        if (!(moment[i] + small < moment[i + 1])) continue;
        double kept = moment[i];
        moment[i] = moment[i + 1];
        moment[i + 1] = kept;
        *axes = abut_quat_normalize(abut_quat_mul(*axes, about((i + 2) % 3, 1.0, 1.0)));
    }
}

AbutMjcfInertial abut_mjcf_principal(double mass, AbutVec3 center, AbutMat3 inertia, double part) {
    AbutMjcfInertial out = {.mass = mass, .place = {center, abut_quat_identity()}};
    double d[3][3], small = part * abut_larger(fabs(inertia.x.x), abut_larger(fabs(inertia.y.y), fabs(inertia.z.z)));
    AbutQuat turn;
    in_axes(inertia, out.place.q, d);
    for (int i = 0; i < TURNS && next_turn(d, small, &turn); ++i) {
        out.place.q = abut_quat_normalize(abut_quat_mul(out.place.q, turn));
        in_axes(inertia, out.place.q, d);
    }
    for (int i = 0; i < 3; ++i) out.moment[i] = d[i][i];
    sort(out.moment, small, &out.place.q);
    out.inertia = drops(d, small * ABUT_MJCF_EXACT_PART / part) ? abut_mjcf_turned(&out) : inertia;
    return out;
}

AbutMat3 abut_mjcf_turned(const AbutMjcfInertial *x) {
    AbutMat3 r = abut_quat_to_mat3(x->place.q);
    AbutMat3 own = abut_mat3_diagonal(x->moment[0], x->moment[1], x->moment[2]);
    return abut_mat3_mul(abut_mat3_mul(r, own), abut_mat3_transpose(r));
}

int abut_mjcf_drop_small_place(AbutMjcfInertial *x) {
    const double small = 1e-6;
    AbutPose was = x->place;
    if (fabs(was.q.x) > small || fabs(was.q.y) > small || fabs(was.q.z) > small || fabs(was.q.w - 1.0) > small)
        return 0;
    x->place.q = abut_quat_identity();
    if (fabs(was.p.x) <= small && fabs(was.p.y) <= small && fabs(was.p.z) <= small) x->place.p = abut_zero();
    return was.q.x != 0.0 || was.q.y != 0.0 || was.q.z != 0.0;
}
