/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Velocities of six numbers: rows of points, screws, and the velocity of a contact mode that is nearest to a wish. What
 * must vanish is taken out by an orthonormal basis; what may only separate leaves a quadratic program in six numbers.
 */
#include "manipulation/manip.h"

#include "math/functions.h"
#include "math/numbers.h"

#include <string.h>

void abut_manip_row(const AbutManip *m, AbutPose x, AbutVec3 p, AbutVec3 d, double r[6]) {
    AbutVec3 t = abut_scale(abut_cross(abut_sub(p, x.p), d), 1.0 / m->length);
    r[0] = d.x, r[1] = d.y, r[2] = d.z, r[3] = t.x, r[4] = t.y, r[5] = t.z;
}

double abut_manip_dot(const double *a, const double *b) {
    double s = 0.0;
    for (int i = 0; i < 6; ++i) s += a[i] * b[i];
    return s;
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

static AbutVec3 turn_between(AbutQuat a, AbutQuat b) { return abut_quat_log(abut_quat_mul(b, abut_quat_conj(a))); }

double abut_manip_far(const AbutManip *m, AbutPose a, AbutPose b, double *distance, double *angle) {
    double p = abut_length(abut_sub(b.p, a.p)), r = abut_length(turn_between(a.q, b.q));
    if (distance) *distance = p;
    if (angle) *angle = r;
    return sqrt(p * p + m->length * m->length * r * r);
}

AbutPose abut_manip_between(AbutPose a, AbutPose b, double t) {
    AbutVec3 w = abut_scale(turn_between(a.q, b.q), t);
    return abut_pose(abut_lerp(a.p, b.p, t), abut_quat_normalize(abut_quat_mul(abut_quat_exp(w), a.q)));
}

/* The center moves by the left Jacobian of the turn applied to v: the screw is exact, also far. */
AbutPose abut_manip_move(const AbutManip *m, AbutPose x, const double *u, double h) {
    AbutVec3 v = abut_scale(abut_vec3(u[0], u[1], u[2]), h);
    AbutVec3 w = abut_scale(abut_vec3(u[3], u[4], u[5]), h / m->length);
    double a = abut_length(w);
    AbutPose y = abut_pose(abut_add(x.p, v), abut_quat_normalize(abut_quat_mul(abut_quat_exp(w), x.q)));
    if (a < 1e-12) return y;
    AbutVec3 k = abut_scale(w, 1.0 / a), kv = abut_cross(k, v), kkv = abut_cross(k, kv);
    y.p = abut_add_scaled(y.p, kv, (1.0 - abut_cos(a)) / a);
    y.p = abut_add_scaled(y.p, kkv, 1.0 - abut_sin(a) / a);
    return y;
}

/* The screw that leads there; for large angles the center goes straight, as the screw would swing it far away. */
void abut_manip_wish(const AbutManip *m, AbutPose x, AbutPose goal, double u[6]) {
    AbutVec3 w = turn_between(x.q, goal.q), v = abut_sub(goal.p, x.p);
    double a = abut_length(w);
    if (a > 1e-9 && a <= 0.5) {
        AbutVec3 k = abut_scale(w, 1.0 / a), kv = abut_cross(k, v), kkv = abut_cross(k, kv);
        double cotangent = 0.5 * a * abut_cos(0.5 * a) / abut_sin(0.5 * a);
        v = abut_add_scaled(abut_add_scaled(v, kv, -0.5 * a), kkv, 1.0 - cotangent);
    }
    u[0] = v.x, u[1] = v.y, u[2] = v.z;
    u[3] = w.x * m->length, u[4] = w.y * m->length, u[5] = w.z * m->length;
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

void abut_manip_classify(
    const AbutManip *m, const AbutManipStance *s, const double *u, double parts, double slides, AbutManipPattern *out) {
    double size = sqrt(abut_manip_dot(u, u)) + 1e-300, r[6];
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *t = &s->touch[i];
        abut_manip_row(m, s->x, t->p, t->n, r);
        double away = abut_manip_dot(r, u) / size;
        abut_manip_row(m, s->x, t->p, t->t1, r);
        double x = abut_manip_dot(r, u) / size;
        abut_manip_row(m, s->x, t->p, t->t2, r);
        double y = abut_manip_dot(r, u) / size, speed = sqrt(x * x + y * y);
        out->state[i] = away > parts ? ABUT_MANIP_PART : speed > slides ? ABUT_MANIP_SLIDE : ABUT_MANIP_STICK;
        out->slide[i] = abut_zero();
        if (out->state[i] == ABUT_MANIP_SLIDE)
            out->slide[i] = abut_add(abut_scale(t->t1, x / speed), abut_scale(t->t2, y / speed));
    }
}

/* Orthonormal rows of what must vanish. */
typedef struct Null {
    int count;
    double row[6][6];
} Null;

static void take_out(const Null *z, double *r) {
    for (int i = 0; i < z->count; ++i) {
        double d = abut_manip_dot(z->row[i], r);
        for (int k = 0; k < 6; ++k) r[k] -= d * z->row[i][k];
    }
}

static void must_vanish(Null *z, const double *row) {
    if (z->count == 6) return;
    double *r = z->row[z->count], size = sqrt(abut_manip_dot(row, row));
    memcpy(r, row, 6 * sizeof *r);
    take_out(z, r);
    take_out(z, r);
    double left = sqrt(abut_manip_dot(r, r));
    if (!(left > 1e-5 * size)) return; /* follows from the others */
    for (int k = 0; k < 6; ++k) r[k] /= left;
    ++z->count;
}

static Null vanishing(const AbutManip *m, const AbutManipStance *s, const int8_t *state) {
    Null z = {0, {{0}}};
    double r[6];
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *t = &s->touch[i];
        if (state[i] == ABUT_MANIP_PART) continue;
        abut_manip_row(m, s->x, t->p, t->n, r);
        must_vanish(&z, r);
        if (state[i] == ABUT_MANIP_SLIDE) continue;
        abut_manip_row(m, s->x, t->p, t->t1, r);
        must_vanish(&z, r);
        abut_manip_row(m, s->x, t->p, t->t2, r);
        must_vanish(&z, r);
    }
    return z;
}

/* Rows -N u <= 0 of what may separate; true when u breaks one. */
static int separating_rows(const AbutManip *m, const AbutManipStance *s, const int8_t *state, const Null *z,
    const double *u, double *rows, int *count) {
    int broken = 0;
    *count = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        double *r = rows + 6 * *count;
        if (state[i] != ABUT_MANIP_PART) continue;
        abut_manip_row(m, s->x, s->touch[i].p, s->touch[i].n, r);
        take_out(z, r);
        double size = sqrt(abut_manip_dot(r, r));
        if (size < 1e-6) continue;
        for (int k = 0; k < 6; ++k) r[k] /= -size;
        broken |= abut_manip_dot(r, u) > 1e-12;
        ++*count;
    }
    return broken;
}

int abut_manip_project(AbutManip *m, const AbutManipStance *s, const int8_t *state, const double *wish, double u[6]) {
    double rows[6 * ABUT_MANIP_TOUCHES], zero[ABUT_MANIP_TOUCHES] = {0}, h[36] = {0}, g[6];
    int count;
    Null z = vanishing(m, s, state);
    memcpy(u, wish, 6 * sizeof *u);
    take_out(&z, u);
    if (!separating_rows(m, s, state, &z, u, rows, &count)) return 1;
    for (int k = 0; k < 6; ++k) h[7 * k] = 1.0, g[k] = -u[k];
    AbutQp qp = {6, count, 0, h, g, rows, zero};
    AbutQpResult result = abut_qp_solve(&qp, u, NULL, m->workspace, m->workspace_size);
    take_out(&z, u);
    return result.outcome == ABUT_QP_OK;
}
