/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two motions over an interval, as the search sees them: the motion of A in the frame of B.
 *
 * In: motions and an interval without breaks. Out: Bernstein control points of translation and rotation, the pose at
 * the middle, and bounds of what the polynomials leave out. Every true rotation is within `error` of a mean of the
 * control points, so a direction times a point lies between the values at the control points.
 */
#include "clearance/search.h"

#include <string.h>

enum { TERMS = ABUT_CONTROLS };

/* Coefficient j of s in -1 .. 1 to control point k of degree 5: sum over i <= k, j of C(k, i) C(5 - k, j - i)
 * (-1)^(...) / C(5, j), tabulated. */
static const double TO_CONTROL[TERMS][TERMS] = {
    {1.0, -1.0, 1.0, -1.0, 1.0, -1.0},
    {1.0, -0.6, 0.2, 0.2, -0.6, 1.0},
    {1.0, -0.2, -0.2, 0.2, 0.2, -1.0},
    {1.0, 0.2, -0.2, -0.2, 0.2, 1.0},
    {1.0, 0.6, 0.2, -0.2, -0.6, -1.0},
    {1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
};

AbutVec3 abut_control_point(const AbutVec3 *coefficients, int k) {
    AbutVec3 p = coefficients[0];
    for (int j = 1; j < TERMS; ++j) p = abut_add_scaled(p, coefficients[j], TO_CONTROL[k][j]);
    return p;
}

void abut_control_rows(double coefficients[TERMS][6], int columns, double *out) {
    for (int k = 0; k < TERMS; ++k) {
        double sum[6];
        for (int q = 0; q < 6; ++q) sum[q] = coefficients[0][q];
        for (int j = 1; j < TERMS; ++j)
            for (int q = 0; q < 6; ++q) sum[q] += TO_CONTROL[k][j] * coefficients[j][q];
        memcpy(out + k * columns, sum, sizeof sum);
    }
}

static AbutPlace place_of(const AbutSearch *s, AbutPose a, AbutPose b) {
    AbutPlace out;
    AbutMat3 ra = abut_quat_to_mat3(a.q), rb = abut_quat_to_mat3(b.q);
    AbutVec3 ca = abut_add(a.p, abut_mat3_apply(ra, s->a->center));
    AbutVec3 cb = abut_add(b.p, abut_mat3_apply(rb, s->b->center));
    out.t = abut_mat3_apply_t(rb, abut_sub(ca, cb));
    out.r = abut_mat3_mul_t(rb, ra);
    return out;
}

AbutPlace abut_search_place(const AbutSearch *s, double t) {
    return place_of(s, abut_space_pose(s->space, s->motion_a, t), abut_space_pose(s->space, s->motion_b, t));
}

int abut_clearance_stays(const AbutMotion *m) {
    return !m->chain && m->keyframe_count == 0 &&
           abut_length_sq(m->spin) + abut_length_sq(m->path[0]) + abut_length_sq(m->path[1]) +
                   abut_length_sq(m->path[2]) ==
               0.0;
}

static void relative_model(const AbutSearch *s, double a, double e, AbutPoseModel *out) {
    static const AbutPose identity = {{0, 0, 0}, {1, 0, 0, 0}};
    AbutPoseModel room, model_a = *abut_space_model(s->space, s->motion_a, a, e, &room), model_b;
    abut_model_move(&model_a, s->a->center);
    if (abut_clearance_stays(s->motion_b) && memcmp(&s->motion_b->start, &identity, sizeof identity) == 0) {
        *out = model_a;
        out->t[0] = abut_sub(out->t[0], s->b->center);
        return;
    }
    model_b = *abut_space_model(s->space, s->motion_b, a, e, &room);
    abut_model_move(&model_b, s->b->center);
    abut_model_between(&model_b, &model_a, out);
}

double abut_norm_square(AbutMat3 d) {
    double xy = fabs(abut_dot(d.x, d.y)), xz = fabs(abut_dot(d.x, d.z)), yz = fabs(abut_dot(d.y, d.z));
    double x = abut_length_sq(d.x) + xy + xz, y = abut_length_sq(d.y) + xy + yz, z = abut_length_sq(d.z) + xz + yz;
    return abut_larger(x, abut_larger(y, z));
}

static void control_points(const AbutPoseModel *m, AbutSpan *out) {
    const double *in[TERMS];
    double point[12];
    for (int j = 0; j < TERMS; ++j) in[j] = &m->r[j].x.x;
    for (int k = 0; k < TERMS; ++k) {
        for (int q = 0; q < 9; ++q) {
            point[q] = in[0][q];
            for (int j = 1; j < TERMS; ++j) point[q] += TO_CONTROL[k][j] * in[j][q];
        }
        memcpy(&out->r[k], point, sizeof out->r[k]);
        AbutVec3 t = abut_control_point(m->t, k);
        out->t[0][k] = t.x, out->t[1][k] = t.y, out->t[2][k] = t.z;
    }
}

void abut_search_span(AbutSearch *s, double a, double e, AbutSpan *out) {
    AbutPoseModel m;
    double turn = 0.0, far = 0.0;
    relative_model(s, a, e, &m);
    ++s->span_count;
    out->a = a, out->e = e;
    control_points(&m, out);
    out->middle.t = m.t[0];
    out->middle.r = m.r[0];
    for (int k = 0; k < TERMS; ++k) {
        turn = abut_larger(turn, abut_norm_square(abut_mat3_sub(out->r[k], m.r[0])));
        far = abut_larger(far, abut_length_sq(abut_vec3(out->t[0][k], out->t[1][k], out->t[2][k])));
    }
    out->turn = sqrt(turn) * (1.0 + 1e-14);
    out->error = m.error_t + m.error_r * s->a->reach;
    out->slack = out->error + 0x1p-46 * (sqrt(far) + s->a->reach + s->b->reach);
    if (!(out->slack < ABUT_CLEARANCE_LARGEST)) s->broken = s->spent = 1;
}
