/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/tree_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

/* ---- rotations --------------------------------------------------------------------------------------------------- */

static void from_quat(const Real *q, Real *r) {
    Real n = 2.0L / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    Real w = q[0], x = q[1], y = q[2], z = q[3];
    Real m[9] = {1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y), n * (x * y + w * z),
        1 - n * (x * x + z * z), n * (y * z - w * x), n * (x * z - w * y), n * (y * z + w * x),
        1 - n * (x * x + y * y)};
    memcpy(r, m, sizeof m);
}

static void product(const Real *a, const Real *b, Real *out) {
    Real m[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(out, m, sizeof m);
}

/* p + R x */
static void place(const Real *p, const Real *r, AbutVec3 x, Real *out) {
    for (int i = 0; i < 3; ++i) out[i] = p[i] + r[3 * i] * x.x + r[3 * i + 1] * x.y + r[3 * i + 2] * x.z;
}

/* Rodrigues' formula. */
static void turn_about(AbutVec3 axis, Real angle, Real *r) {
    Real a[3] = {axis.x, axis.y, axis.z}, n = sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; ++i) a[i] /= n;
    Real s = sinl(angle), c = cosl(angle), k[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r[3 * i + j] = (i == j ? c : 0) + (1 - c) * a[i] * a[j] + s * k[3 * i + j];
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static int positions_of(const AbutModel *model, int joint) {
    return model->joints[joint].kind == ABUT_JOINT_BALL ? 4 : 1;
}

/* First place of a body's numbers. */
static int first_place(const AbutModel *model, int body, int velocities) {
    int at = 0;
    for (int b = 0; b < body; ++b) {
        at += model->bodies[b].kind == ABUT_BODY_DYNAMIC ? 7 - velocities : 0;
        for (int j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j))
            at += positions_of(model, j) == 4 ? 4 - velocities : 1;
    }
    return at;
}

static void apply_joint(const AbutJointDef *joint, const Real *q, Real *p, Real *r) {
    Real at[3], turn[9];
    place(p, r, joint->position, at);
    if (joint->kind == ABUT_JOINT_SLIDE) {
        AbutVec3 a = joint->axis;
        Real d = q[0] - joint->reference, x[3] = {0, 0, 0}, moved[3];
        place(x, r, a, moved);
        for (int i = 0; i < 3; ++i) p[i] += d * moved[i];
        return;
    }
    if (joint->kind == ABUT_JOINT_HINGE)
        turn_about(joint->axis, q[0] - joint->reference, turn);
    else
        from_quat(q, turn);
    product(r, turn, r);
    Real zero[3] = {0, 0, 0}, back[3];
    place(zero, r, joint->position, back);
    for (int i = 0; i < 3; ++i) p[i] = at[i] - back[i];
}

void tree_oracle_pose(const AbutModel *model, const long double *q, int body, long double p[3], long double r[9]) {
    const AbutBodyDef *def = &model->bodies[body];
    int at = first_place(model, body, 0);
    if (def->kind == ABUT_BODY_DYNAMIC) {
        memcpy(p, q + at, 3 * sizeof *p);
        from_quat(q + at + 3, r);
        return;
    }
    Real up[3] = {0, 0, 0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, own[9];
    Real quat[4] = {def->pose.q.w, def->pose.q.x, def->pose.q.y, def->pose.q.z};
    if (def->parent >= 0) tree_oracle_pose(model, q, def->parent, up, axes);
    place(up, axes, def->pose.p, p);
    from_quat(quat, own);
    product(axes, own, r);
    for (int j = abut_model_next_joint(model, body, -1); j >= 0; j = abut_model_next_joint(model, body, j)) {
        apply_joint(&model->joints[j], q + at, p, r);
        at += positions_of(model, j);
    }
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static void turn_on(const double *q, const double *v, Real h, Real *out) {
    Real w[3] = {h * v[0], h * v[1], h * v[2]}, angle = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    Real s = angle > 0 ? sinl(angle / 2) / angle : 0.5L, c = cosl(angle / 2);
    Real b[4] = {c, s * w[0], s * w[1], s * w[2]}, a[4] = {q[0], q[1], q[2], q[3]};
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

void tree_oracle_integrate(const AbutModel *model, const double *q, const double *v, long double h, long double *out) {
    for (int b = 0; b < model->body_count; ++b) {
        int at = first_place(model, b, 0), speed = first_place(model, b, 1);
        if (model->bodies[b].kind == ABUT_BODY_DYNAMIC) {
            for (int i = 0; i < 3; ++i) out[at + i] = q[at + i] + h * v[speed + i];
            turn_on(q + at + 3, v + speed + 3, h, out + at + 3);
        }
        for (int j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j)) {
            if (positions_of(model, j) == 4)
                turn_on(q + at, v + speed, h, out + at);
            else
                out[at] = q[at] + h * v[speed];
            speed += positions_of(model, j) == 4 ? 3 : 1;
            at += positions_of(model, j);
        }
    }
}

/* First and second derivatives of the 12 numbers of a point and the axes, by differences of order 8. */
static void differentiate(const AbutModel *model, const double *q, const double *v, int body, const double local[3],
    Real h, Real now[12], Real first[12], Real second[12]) {
    static const Real one[5] = {0, 4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    static const Real two[5] = {-205.0L / 72, 8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
    Real *moved = malloc(((size_t)abut_model_number_count(model, ABUT_NUMBERS_POSITIONS) + 1) * sizeof *moved);
    memset(first, 0, 12 * sizeof *first);
    memset(second, 0, 12 * sizeof *second);
    for (int k = -4; k <= 4; ++k) {
        Real x[12], origin[3];
        tree_oracle_integrate(model, q, v, k * h, moved);
        tree_oracle_pose(model, moved, body, origin, x + 3);
        place(origin, x + 3, abut_vec3(local[0], local[1], local[2]), x);
        for (int i = 0; i < 12; ++i) {
            first[i] += (k < 0 ? -one[-k] : one[k]) * x[i] / h;
            second[i] += two[abs(k)] * x[i] / (h * h);
            if (k == 0) now[i] = x[i];
        }
    }
    free(moved);
}

/* The vector of the antisymmetric part of a r^T. */
static void axial(const Real *a, const Real *r, Real *out) {
    Real t[9], m[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) t[3 * i + j] = r[3 * j + i];
    product(a, t, m);
    out[0] = (m[7] - m[5]) / 2;
    out[1] = (m[2] - m[6]) / 2;
    out[2] = (m[3] - m[1]) / 2;
}

void tree_oracle_velocity(const AbutModel *model, const double *q, const double *v, int body, const double local[3],
    double linear[3], double angular[3]) {
    Real now[12], first[12], second[12], w[3];
    differentiate(model, q, v, body, local, 1e-3L, now, first, second);
    axial(first + 3, now + 3, w);
    for (int i = 0; i < 3; ++i) {
        linear[i] = (double)first[i];
        angular[i] = (double)w[i];
    }
}

/* ---- dynamics ---------------------------------------------------------------------------------------------------- */

/* Jacobians of the center of mass and of the rotation of a body: [3][nv] each. */
static void body_rows(const AbutModel *model, const double *q, int body, double *linear, double *angular) {
    size_t nv = (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    double *unit = calloc(nv + 1, sizeof *unit);
    AbutVec3 c = model->bodies[body].center;
    double local[3] = {c.x, c.y, c.z}, a[3], b[3];
    for (size_t d = 0; d < nv; ++d) {
        unit[d] = 1.0;
        tree_oracle_velocity(model, q, unit, body, local, a, b);
        unit[d] = 0.0;
        for (size_t i = 0; i < 3; ++i) {
            linear[i * nv + d] = a[i];
            angular[i * nv + d] = b[i];
        }
    }
    free(unit);
}

/* R I R^T */
static void world_inertia(const AbutBodyDef *def, const Real *r, Real *out) {
    AbutMat3 m = def->inertia;
    Real own[9] = {m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z}, t[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) t[3 * i + j] = r[3 * j + i];
    product(r, own, out);
    product(out, t, out);
}

static int counts(const AbutModel *model, int body) {
    return abut_model_is_movable(model, body) && model->bodies[body].mass > 0.0;
}

static void add_armatures(const AbutModel *model, size_t nv, double *out) {
    for (int b = 0; b < model->body_count; ++b) {
        size_t at = (size_t)first_place(model, b, 1);
        int free = model->bodies[b].kind == ABUT_BODY_DYNAMIC;
        for (int i = 0; free && i < 6; ++i, ++at) out[at * nv + at] += model->bodies[b].armature;
        for (int j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j))
            for (int i = 0; i < (positions_of(model, j) == 4 ? 3 : 1); ++i, ++at)
                out[at * nv + at] += model->joints[j].armature;
    }
}

void tree_oracle_mass_matrix(const AbutModel *model, const double *q, double *out) {
    size_t nv = (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    double *rows = malloc((6 * nv + 1) * sizeof *rows), *none = calloc(nv + 1, sizeof *none), zero[3] = {0, 0, 0};
    memset(out, 0, nv * nv * sizeof *out);
    for (int b = 0; b < model->body_count; ++b) {
        if (!counts(model, b)) continue;
        Real now[12], first[12], second[12], inertia[9];
        differentiate(model, q, none, b, zero, 1e-3L, now, first, second);
        world_inertia(&model->bodies[b], now + 3, inertia);
        body_rows(model, q, b, rows, rows + 3 * nv);
        for (size_t i = 0; i < nv; ++i)
            for (size_t j = 0; j < nv; ++j)
                for (size_t k = 0; k < 3; ++k) {
                    out[i * nv + j] += model->bodies[b].mass * rows[k * nv + i] * rows[k * nv + j];
                    for (size_t l = 0; l < 3; ++l)
                        out[i * nv + j] += rows[(3 + k) * nv + i] * (double)inertia[3 * k + l] * rows[(3 + l) * nv + j];
                }
    }
    add_armatures(model, nv, out);
    free(rows);
    free(none);
}

static void cross(const Real *a, const Real *b, Real *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void tree_oracle_bias(const AbutModel *model, const double *q, const double *v, double *out) {
    size_t nv = (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    double *rows = malloc((6 * nv + 1) * sizeof *rows), g[3] = {model->gravity.x, model->gravity.y, model->gravity.z};
    memset(out, 0, nv * sizeof *out);
    for (int b = 0; b < model->body_count; ++b) {
        const AbutBodyDef *def = &model->bodies[b];
        double local[3] = {def->center.x, def->center.y, def->center.z};
        if (!counts(model, b)) continue;
        Real now[12], first[12], second[12], inertia[9], w[3], a[3], momentum[3], gyro[3];
        differentiate(model, q, v, b, local, 4e-3L, now, first, second);
        world_inertia(def, now + 3, inertia);
        axial(first + 3, now + 3, w);
        axial(second + 3, now + 3, a);
        for (int i = 0; i < 3; ++i)
            momentum[i] = inertia[3 * i] * w[0] + inertia[3 * i + 1] * w[1] + inertia[3 * i + 2] * w[2];
        cross(w, momentum, gyro);
        body_rows(model, q, b, rows, rows + 3 * nv);
        for (size_t d = 0; d < nv; ++d)
            for (size_t i = 0; i < 3; ++i) {
                Real torque = inertia[3 * i] * a[0] + inertia[3 * i + 1] * a[1] + inertia[3 * i + 2] * a[2] + gyro[i];
                out[d] +=
                    rows[i * nv + d] * def->mass * ((double)second[i] - g[i]) + rows[(3 + i) * nv + d] * (double)torque;
            }
    }
    free(rows);
}
