/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taylor models of poses along chains of joints.
 *
 * In: joints with polynomial curves, an interval of time. Out: polynomials of degree 5 for all entries of rotation and
 * translation, with proven bounds of the rest. Method: sine and cosine by their series about the middle; products are
 * cut off at degree 5, and what falls off goes to the bound as a norm. Because true rotations are orthogonal, an error
 * is carried along a chain, not enlarged. Rounding: each product of polynomials adds 1e-15 of its size, which covers
 * sums of six products.
 */
#include "motion/pose_model.h"
#include "motion/chain.h"
#include "motion/curve.h"

#include <string.h>

enum { TERMS = ABUT_MODEL_TERMS, DEGREE = ABUT_CURVE_DEGREE };

static const double ROUND = 1e-15;

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double one_norm(const AbutTaylor *a) {
    double s = 0.0;
    for (int k = 0; k < TERMS; ++k) s += fabs(a->c[k]);
    return s;
}

/* The product of numbers whose terms below la and lb are zero. */
static inline AbutTaylor product_from(const AbutTaylor *a, int la, const AbutTaylor *b, int lb) {
    double size_a = one_norm(a), size_b = one_norm(b);
    AbutTaylor out;
    out.error = size_a * b->error + size_b * a->error + a->error * b->error + ROUND * size_a * size_b;
    for (int k = 0; k < TERMS; ++k) {
        double low = 0.0, high = 0.0; /* terms k and k + 6 */
        for (int i = la; i <= k - lb; ++i) low += a->c[i] * b->c[k - i];
        for (int i = k + 1 > la ? k + 1 : la; i < TERMS && i <= k + TERMS - lb; ++i)
            high += a->c[i] * b->c[k + TERMS - i];
        out.c[k] = low;
        out.error += fabs(high);
    }
    return out;
}

/* sum += f * x */
static void add_scaled(AbutTaylor *sum, const AbutTaylor *x, double f) {
    for (int k = 0; k < TERMS; ++k) sum->c[k] += f * x->c[k];
    sum->error += fabs(f) * x->error;
}

void abut_taylor_sin_cos(const AbutTaylor *angle, AbutTaylor *sine, AbutTaylor *cosine) {
    AbutTaylor x = *angle, s = {{0}, 0.0}, c = {{1.0}, 0.0};
    double middle = x.c[0], sm = abut_sin(middle), cm = abut_cos(middle);
    x.c[0] = 0.0;
    double m = one_norm(&x) + x.error, m2 = m * m, m4 = m2 * m2;
    AbutTaylor x2 = product_from(&x, 1, &x, 1), x3 = product_from(&x2, 2, &x, 1), x4 = product_from(&x2, 2, &x2, 2);
    AbutTaylor x5 = product_from(&x4, 4, &x, 1);
    add_scaled(&s, &x, 1.0);
    add_scaled(&s, &x3, -1.0 / 6.0);
    add_scaled(&s, &x5, 1.0 / 120.0);
    add_scaled(&c, &x2, -0.5);
    add_scaled(&c, &x4, 1.0 / 24.0);
    s.error += m4 * m2 * m / 5040.0;
    c.error += m4 * m2 / 720.0;
    memset(sine, 0, sizeof *sine);
    memset(cosine, 0, sizeof *cosine);
    add_scaled(sine, &s, cm);
    add_scaled(sine, &c, sm);
    add_scaled(cosine, &c, cm);
    add_scaled(cosine, &s, -sm);
    double grain = ROUND * (1.0 + m);
    sine->error += grain, cosine->error += grain;
}

/* A polynomial on a .. e as one in s: shift to the middle, scale by half the length. */
static AbutTaylor taylor_of(const AbutCurvePiece *p, double a, double e) {
    AbutTaylor out;
    double m = 0.5 * (a + e) - p->from, h = 0.5 * (e - a), f = 1.0, size = 0.0, reach = 1.0;
    memcpy(out.c, p->c, sizeof out.c);
    for (int i = 0; i < DEGREE; ++i)
        for (int k = DEGREE - 1; k >= i; --k) out.c[k] += m * out.c[k + 1];
    for (int k = 0; k < TERMS; ++k) {
        out.c[k] *= f;
        size += fabs(p->c[k]) * reach;
        f *= h;
        reach *= fabs(m) + h;
    }
    out.error = 2.0 * ROUND * size;
    return out;
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

static double frobenius(AbutMat3 m) { return sqrt(abut_length_sq(m.x) + abut_length_sq(m.y) + abut_length_sq(m.z)); }

/* Sizes count for rounding alone: sums of entries, which no norm exceeds, do. */
static double sum_abs(const double *x, int count) {
    double even = 0.0, odd = 0.0;
    for (int k = 0; k + 1 < count; k += 2) even += fabs(x[k]), odd += fabs(x[k + 1]);
    return even + odd + (count % 2 ? fabs(x[count - 1]) : 0.0);
}

static double size_of_rotation(const AbutPoseModel *p) { return sum_abs(&p->r[0].x.x, 9 * p->turning); }

static double size_of_vectors(const AbutVec3 t[TERMS]) { return sum_abs(&t[0].x, 3 * TERMS); }

void abut_model_identity(AbutPoseModel *p) {
    memset(p, 0, sizeof *p);
    p->r[0] = abut_mat3_identity();
    p->turning = 1;
}

void abut_model_move(AbutPoseModel *pose, AbutVec3 p) {
    double length = abut_length(p);
    if (length == 0.0) return;
    for (int k = 0; k < pose->turning; ++k) pose->t[k] = abut_add(pose->t[k], abut_mat3_apply(pose->r[k], p));
    pose->error_t += pose->error_r * length + ROUND * (size_of_vectors(pose->t) + 2.0 * length);
}

/* pose * (rotation by q) */
static void model_rotate(AbutPoseModel *pose, AbutQuat q) {
    if (!abut_motion_turns(q)) return;
    AbutMat3 m = abut_quat_to_mat3(abut_quat_normalize(q));
    for (int k = 0; k < pose->turning; ++k) pose->r[k] = abut_mat3_mul(pose->r[k], m);
    pose->error_r += ROUND * size_of_rotation(pose);
}

static void model_fixed(AbutPoseModel *pose, AbutPose fixed) {
    abut_model_move(pose, fixed.p);
    model_rotate(pose, fixed.q);
}

/* Two columns of a matrix, one after the other. */
typedef double Columns[6];

static void put_columns(AbutVec3 u, AbutVec3 v, Columns out) {
    AbutVec3 both[2] = {u, v};
    memcpy(out, both, sizeof both);
}

/* Columns U and V turned by an angle: U c + V s and V c - U s. Writes count + 5 terms. */
static void turn_columns(int count, Columns in[TERMS], const AbutTaylor *s, const AbutTaylor *c, Columns out[]) {
    Columns across[TERMS];
    for (int i = 0; i < count; ++i)
        for (int q = 0; q < 3; ++q) across[i][q] = in[i][3 + q], across[i][3 + q] = -in[i][q];
    for (int k = 0; k < count + DEGREE; ++k) {
        Columns sum = {0};
        for (int i = k < TERMS ? 0 : k - DEGREE; i <= k && i < count; ++i)
            for (int q = 0; q < 6; ++q) sum[q] += c->c[k - i] * in[i][q] + s->c[k - i] * across[i][q];
        memcpy(out[k], sum, sizeof sum);
    }
}

/* m += (U' - U) u^T + (V' - V) v^T */
static void add_turned(AbutMat3 *m, const double *turned, const double *was, AbutVec3 u, AbutVec3 v) {
    AbutVec3 du = abut_vec3(turned[0] - was[0], turned[1] - was[1], turned[2] - was[2]);
    AbutVec3 dv = abut_vec3(turned[3] - was[3], turned[4] - was[4], turned[5] - was[5]);
    m->x = abut_add_scaled(abut_add_scaled(m->x, du, u.x), dv, v.x);
    m->y = abut_add_scaled(abut_add_scaled(m->y, du, u.y), dv, v.y);
    m->z = abut_add_scaled(abut_add_scaled(m->z, du, u.z), dv, v.z);
}

static double length6(const double *x) {
    return sqrt(((x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3])) + (x[4] * x[4] + x[5] * x[5]));
}

/* Which coordinate axis a unit vector is, with its sign; -1: none, also when it is only very nearly one. */
static int coordinate_of(AbutVec3 axis, double *sign) {
    int i = axis.x != 0.0 ? 0 : (axis.y != 0.0 ? 1 : 2);
    *sign = abut_get(axis, i);
    return fabs(*sign) == 1.0 && abut_get(axis, (i + 1) % 3) == 0.0 && abut_get(axis, (i + 2) % 3) == 0.0 ? i : -1;
}

/* Turns the columns across a coordinate axis: those of the matrix itself. */
static void turn_about_coordinate(
    AbutPoseModel *pose, int axis, const AbutTaylor *s, const AbutTaylor *c, Columns out[2 * TERMS - 1]) {
    Columns in[TERMS] = {{0}};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < pose->turning; ++k) {
        const AbutVec3 *column = &pose->r[k].x;
        put_columns(column[u], column[v], in[k]);
    }
    turn_columns(pose->turning, in, s, c, out);
    for (int k = 0; k < TERMS; ++k) {
        AbutVec3 *column = &pose->r[k].x;
        column[u] = abut_vec3(out[k][0], out[k][1], out[k][2]);
        column[v] = abut_vec3(out[k][3], out[k][4], out[k][5]);
    }
}

/* As above, across any unit vector: R keeps its effect along the axis, and its columns U = R u and V = R v, u and v
 * across the axis, turn in their plane. */
static void turn_about(
    AbutPoseModel *pose, AbutVec3 axis, const AbutTaylor *s, const AbutTaylor *c, Columns out[2 * TERMS - 1]) {
    Columns in[TERMS] = {{0}};
    AbutVec3 u = abut_perpendicular(axis), v = abut_cross(axis, u);
    for (int k = 0; k < pose->turning; ++k)
        put_columns(abut_mat3_apply(pose->r[k], u), abut_mat3_apply(pose->r[k], v), in[k]);
    turn_columns(pose->turning, in, s, c, out);
    for (int k = 0; k < TERMS; ++k) add_turned(&pose->r[k], out[k], in[k], u, v);
}

/* pose * (turn about a unit vector by an angle). Terms above degree 5 are cut off and count with their Frobenius norm.
 */
static void model_turn(AbutPoseModel *pose, AbutVec3 axis, const AbutTaylor *angle) {
    AbutTaylor s, c;
    Columns out[2 * TERMS - 1];
    double cut = 0.0, size = size_of_rotation(pose), sign = 1.0;
    axis = abut_normalize(axis);
    abut_taylor_sin_cos(angle, &s, &c);
    int coordinate = coordinate_of(axis, &sign);
    if (coordinate >= 0) {
        for (int k = 0; k < TERMS; ++k) s.c[k] *= sign;
        turn_about_coordinate(pose, coordinate, &s, &c, out);
    } else {
        turn_about(pose, axis, &s, &c, out);
    }
    for (int k = TERMS; k < TERMS - 1 + pose->turning; ++k) cut += length6(out[k]);
    double turn_error =
        sqrt(s.error * s.error + c.error * c.error); /* operator norm of the error of a plane rotation */
    pose->error_r =
        turn_error + pose->error_r * (1.0 + turn_error) + cut + ROUND * size * (2.0 + one_norm(&s) + one_norm(&c));
    pose->turning = TERMS;
}

/* pose * (move by a vector of three numbers) */
static void model_slide(AbutPoseModel *pose, const AbutTaylor d[3]) {
    AbutVec3 t[2 * TERMS - 1], way[TERMS];
    double error = sqrt(d[0].error * d[0].error + d[1].error * d[1].error + d[2].error * d[2].error), cut = 0.0;
    memset(t, 0, sizeof t);
    for (int k = 0; k < TERMS; ++k) way[k] = abut_vec3(d[0].c[k], d[1].c[k], d[2].c[k]);
    double size = size_of_vectors(way);
    for (int i = 0; i < pose->turning; ++i)
        for (int j = 0; j < TERMS; ++j) t[i + j] = abut_add(t[i + j], abut_mat3_apply(pose->r[i], way[j]));
    for (int k = 0; k < TERMS; ++k) pose->t[k] = abut_add(pose->t[k], t[k]);
    for (int k = TERMS; k < 2 * TERMS - 1; ++k) cut += abut_length(t[k]);
    pose->error_t += pose->error_r * (size + error) + error + cut +
                     ROUND * (size * size_of_rotation(pose) + size_of_vectors(pose->t));
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static void model_spin(AbutPoseModel *pose, const AbutSpin *spin, double a, double e) {
    double rate = abut_length(spin->spin);
    if (rate > 0.0) {
        AbutCurvePiece line = {spin->from, {0.0, rate, 0.0, 0.0, 0.0, 0.0}};
        AbutTaylor angle = taylor_of(&line, a, e);
        model_turn(pose, abut_scale(spin->spin, 1.0 / rate), &angle);
    }
    model_rotate(pose, spin->q);
}

void abut_model_joint(AbutPoseModel *pose, const AbutChainJoint *j, double a, double e) {
    AbutTaylor way[3] = {{{0}, 0.0}, {{0}, 0.0}, {{0}, 0.0}};
    double middle = 0.5 * (a + e); /* breaks stand at the ends: every piece that holds there holds in a .. e */
    model_fixed(pose, j->fixed);
    if (j->kind == ABUT_CHAIN_FIXED) return;
    if (j->kind == ABUT_CHAIN_BALL) {
        AbutSpin spin = abut_spin_at(j->turn_count, j->turns, middle);
        model_spin(pose, &spin, a, e);
        return;
    }
    for (int k = 0; k < (j->kind == ABUT_CHAIN_PLACE ? 3 : 1); ++k) {
        AbutCurvePiece piece = abut_curve_at(&j->curve[k], middle);
        way[k] = taylor_of(&piece, a, e);
    }
    if (j->kind == ABUT_CHAIN_HINGE) {
        model_turn(pose, j->axis, &way[0]);
        return;
    }
    if (j->kind == ABUT_CHAIN_SLIDE) {
        AbutTaylor along = way[0];
        memset(way, 0, sizeof way);
        add_scaled(&way[0], &along, j->axis.x);
        add_scaled(&way[1], &along, j->axis.y);
        add_scaled(&way[2], &along, j->axis.z);
    }
    model_slide(pose, way);
}

static void chain_model(const AbutChain *chain, int32_t link, double a, double e, AbutPoseModel *out) {
    enum { PATH = 64 };
    int32_t path[PATH], count = 0, first = link;
    for (; first >= 0 && count < PATH; first = chain->joints[first].parent) path[count++] = first;
    if (first >= 0) /* longer than the list: what is before comes first */
        chain_model(chain, first, a, e, out);
    else
        abut_model_identity(out);
    while (count > 0) abut_model_joint(out, &chain->joints[path[--count]], a, e);
}

/* A path with a constant spin: the center moves, the body turns about it. */
static void smooth_model(const AbutMotion *m, double a, double e, AbutPoseModel *out) {
    AbutTaylor way[3];
    AbutSpin spin = {m->from, m->start.q, m->spin};
    const double *path[3] = {&m->path[0].x, &m->path[0].y, &m->path[0].z};
    abut_model_identity(out);
    abut_model_move(out, abut_pose_apply(m->start, m->center));
    for (int i = 0; i < 3; ++i) {
        AbutCurvePiece piece = {m->from, {0.0, path[i][0], path[i][3], path[i][6], 0.0, 0.0}};
        way[i] = taylor_of(&piece, a, e);
    }
    if (abut_length_sq(m->path[0]) + abut_length_sq(m->path[1]) + abut_length_sq(m->path[2]) > 0.0)
        model_slide(out, way);
    model_spin(out, &spin, a, e);
    abut_model_move(out, abut_neg(m->center));
}

void abut_motion_model(const AbutMotion *motion, double a, double e, AbutPoseModel *out) {
    if (motion->chain) {
        chain_model(motion->chain, motion->link, a, e, out);
        return;
    }
    AbutMotion piece = abut_motion_piece(motion, 0.5 * (a + e));
    smooth_model(&piece, a, e, out);
}

void abut_model_between(const AbutPoseModel *b, const AbutPoseModel *a, AbutPoseModel *out) {
    AbutMat3 r[2 * TERMS - 1];
    AbutVec3 t[2 * TERMS - 1], d[TERMS];
    double cut_r = 0.0, cut_t = 0.0;
    memset(r, 0, sizeof r);
    memset(t, 0, sizeof t);
    for (int k = 0; k < TERMS; ++k) d[k] = abut_sub(a->t[k], b->t[k]);
    for (int i = 0; i < b->turning; ++i) {
        for (int j = 0; j < a->turning; ++j) r[i + j] = abut_mat3_add(r[i + j], abut_mat3_mul_t(b->r[i], a->r[j]));
        for (int j = 0; j < TERMS; ++j) t[i + j] = abut_add(t[i + j], abut_mat3_apply_t(b->r[i], d[j]));
    }
    out->turning = b->turning > a->turning ? b->turning : a->turning;
    if (b->turning > 1 && a->turning > 1) out->turning = TERMS;
    for (int k = TERMS; k < 2 * TERMS - 1; ++k) {
        cut_r += frobenius(r[k]);
        cut_t += abut_length(t[k]);
    }
    memcpy(out->r, r, sizeof out->r);
    memcpy(out->t, t, sizeof out->t);
    double size_b = size_of_rotation(b), way = size_of_vectors(d);
    double far = size_of_vectors(a->t) + size_of_vectors(b->t);
    out->error_r = a->error_r + b->error_r * (1.0 + a->error_r) + cut_r + ROUND * size_b * size_of_rotation(a);
    out->error_t =
        a->error_t + b->error_t + b->error_r * (way + a->error_t + b->error_t) + cut_t + ROUND * (size_b * way + far);
}
