/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One motion: the object goes towards a target in a contact mode, step by step, with the fingers sticking to it. At
 * every step the velocity is the one of the mode nearest to the wish, forces balance, fingers and touches fix the
 * velocity, and the surroundings cannot hold the object. Touches that stay are pulled back to gap zero after the step;
 * new ones end the motion.
 */
#include "manipulation/manip.h"

#include "math/functions.h"
#include "math/numbers.h"

#include <string.h>

#define SETTLE_RANGE 4e-3 /* m: contacts that are found again after a step */

/* ---- touches that stay ------------------------------------------------------------------------------------------- */

/* The touch of the reference that this one is; -1: none within reach. */
static int32_t same_touch(const AbutManipStance *reference, const AbutManipTouch *t, double reach) {
    int32_t best = -1;
    for (int32_t k = 0; k < reference->count; ++k) {
        double far = abut_length(abut_sub(reference->touch[k].p, t->p));
        if (reference->touch[k].pair == t->pair && far < reach) best = k, reach = far;
    }
    return best;
}

/* Rows and gaps of the touches that are held; gives the largest gap. */
static double held_rows(const AbutManip *m, const AbutManipStance *now, const AbutManipStance *reference,
    const int8_t *state, double reach, double (*rows)[6], double *gap, int *count) {
    double worst = 0.0;
    *count = 0;
    for (int32_t i = 0; i < now->count; ++i) {
        const AbutManipTouch *t = &now->touch[i];
        int32_t k = same_touch(reference, t, reach);
        if (k < 0 || state[k] == ABUT_MANIP_PART) continue;
        abut_manip_row(m, now->x, t->p, t->n, rows[*count]);
        gap[*count] = t->gap;
        worst = abut_larger(worst, fabs(t->gap));
        ++*count;
    }
    return worst;
}

/* The least step that closes the gaps: (sum r r^T + a little) d = -sum r gap. */
static int closing_step(double (*rows)[6], const double *gap, int count, double d[6]) {
    double a[36] = {0}, scale[6], trace = 0.0;
    for (int k = 0; k < 6; ++k) d[k] = 0.0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k) {
            for (int j = 0; j < 6; ++j) a[6 * k + j] += rows[i][k] * rows[i][j];
            d[k] -= rows[i][k] * gap[i];
        }
    for (int k = 0; k < 6; ++k) trace += a[7 * k];
    for (int k = 0; k < 6; ++k) a[7 * k] += 1e-9 * trace;
    if (abut_cholesky_factor(6, a, scale, 1e-15) != -1) return 0;
    abut_cholesky_solve(6, a, scale, d);
    return abut_manip_dot(d, d) <= 5e-3 * 5e-3;
}

int abut_manip_settle(
    const AbutManip *m, AbutPose *x, const AbutManipStance *reference, const int8_t *state, double reach) {
    double rows[ABUT_MANIP_TOUCHES][6], gap[ABUT_MANIP_TOUCHES], d[6];
    AbutManipStance now;
    int count;
    for (int round = 0; round < 6; ++round) {
        abut_manip_stand(m, *x, SETTLE_RANGE, 1, &now);
        double worst = held_rows(m, &now, reference, state, reach, rows, gap, &count);
        if (!count) return reference->count == 0;
        if (worst < ABUT_MANIP_CLOSED) return 1;
        if (!closing_step(rows, gap, count, d)) return 0;
        *x = abut_manip_move(m, *x, d, 1.0);
    }
    abut_manip_stand(m, *x, 1e-3, 0, &now);
    return now.nearest > -ABUT_MANIP_DEEP;
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

typedef struct Motion {
    AbutManip *m;
    const AbutManipHold *hold;
    const AbutManipAim *aim;
    AbutManipStance now;
    int8_t want[ABUT_MANIP_TOUCHES]; /* of the touches now */
    AbutManipPattern pattern;        /* what they do */
    double u[6], wish[6];
    double speed, turning; /* of u */
    double gone, turned;
    int ends;
    AbutManipPath *path;
} Motion;

/* A velocity that leads on; 0: none. */
static int find_velocity(Motion *s) {
    AbutManip *m = s->m;
    abut_manip_wish(m, s->now.x, s->aim->target, s->wish);
    if (!abut_manip_project(m, &s->now, s->want, s->wish, s->u)) return 0;
    double full = sqrt(abut_manip_dot(s->wish, s->wish)), size = sqrt(abut_manip_dot(s->u, s->u));
    s->speed = sqrt(s->u[0] * s->u[0] + s->u[1] * s->u[1] + s->u[2] * s->u[2]);
    s->turning = sqrt(s->u[3] * s->u[3] + s->u[4] * s->u[4] + s->u[5] * s->u[5]) / m->length;
    if (full < s->aim->exact || size < 0.03 * full || size < 0.3 * s->aim->exact) return 0;
    if (s->path->count && abut_manip_dot(s->u, s->wish) < 0.01 * full * full) return 0;
    abut_manip_classify(m, &s->now, s->u, 1e-6, 1e-5, &s->pattern);
    return 1;
}

static int is_driven(Motion *s) {
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, s->m->force_least, 1, NULL};
    if (abut_manip_balance(s->m, &s->now, &s->pattern, s->hold, demand, NULL) > ABUT_MANIP_BALANCED) return 0;
    if (s->path->count && !abut_manip_determined(s->m, &s->now, &s->pattern, s->hold)) return 0;
    return s->m->jam <= 0.0 || abut_manip_unjammed(s->m, &s->now, s->hold, s->u) >= s->m->jam;
}

static double reach_of(const Motion *s, double h) {
    return 3.0 * h * (s->speed + 2.0 * s->turning * s->m->length) + 2e-3;
}

/* The next pose, halved until it overlaps nothing; *h is the part of the velocity that it took. */
static int step_to(Motion *s, double *h, AbutPose *out) {
    const AbutManipTask *task = s->m->task;
    AbutManipStance there;
    int held = 0;
    *h = abut_smaller(1.0, abut_smaller(task->step / (s->speed + 1e-12), s->m->turn_step / (s->turning + 1e-12)));
    for (int32_t i = 0; i < s->now.count; ++i) held += s->pattern.state[i] != ABUT_MANIP_PART;
    for (int cut = 0; cut < 9; ++cut, *h *= 0.5) {
        *out = abut_manip_move(s->m, s->now.x, s->u, *h);
        if (held && !abut_manip_settle(s->m, out, &s->now, s->pattern.state, reach_of(s, *h))) continue;
        abut_manip_stand(s->m, *out, 1e-3, 0, &there);
        if (there.nearest < -ABUT_MANIP_DEEP) continue;
        if (cut && *h * abut_larger(s->speed / task->step, s->turning / s->m->turn_step) < 0.02) s->ends = 1;
        return 1;
    }
    return 0;
}

static int fingers_are_free(const Motion *s, AbutPose x) {
    for (int32_t i = 0; i < s->hold->count; ++i)
        if (s->hold->finger[i] >= 0 && !abut_manip_finger_free(s->m, x, s->hold->finger[i])) return 0;
    return 1;
}

/* Known touches go on in their way, new ones end the motion. */
static void inherit(Motion *s, const AbutManipStance *next, double reach) {
    int8_t want[ABUT_MANIP_TOUCHES];
    for (int32_t i = 0; i < next->count; ++i) {
        int32_t k = same_touch(&s->now, &next->touch[i], reach);
        want[i] = k < 0 || s->pattern.state[k] == ABUT_MANIP_PART ? ABUT_MANIP_PART : s->want[k];
        s->ends |= k < 0;
    }
    memcpy(s->want, want, sizeof want);
}

static int step(Motion *s) {
    AbutManip *m = s->m;
    AbutManipStance next;
    AbutPose y;
    double h;
    if (!find_velocity(s) || !is_driven(s) || !step_to(s, &h, &y)) return 0;
    double before = abut_manip_far(m, s->now.x, s->aim->target, NULL, NULL);
    if (abut_manip_far(m, y, s->aim->target, NULL, NULL) > before - 1e-7 || !fingers_are_free(s, y)) return 0;
    abut_manip_stand(m, y, ABUT_MANIP_TOUCH, 1, &next);
    inherit(s, &next, reach_of(s, h));
    s->gone += abut_length(abut_sub(y.p, s->now.x.p));
    s->turned += s->turning * h;
    s->ends |= s->gone > s->aim->most_distance || s->turned > s->aim->most_angle;
    s->now = next;
    s->path->pose[s->path->count++] = y;
    return 1;
}

/* At the end all that counts as touching has gap zero, so that the next motion starts balanced. */
static void snap(Motion *s) {
    static const int8_t all[ABUT_MANIP_TOUCHES] = {0};
    AbutPose y = s->now.x;
    AbutManipStance there;
    if (!s->now.count || !abut_manip_settle(s->m, &y, &s->now, all, 2e-3)) return;
    abut_manip_stand(s->m, y, 1e-3, 0, &there);
    if (there.nearest > -ABUT_MANIP_DEEP && abut_manip_far(s->m, s->now.x, y, NULL, NULL) < 1e-3)
        s->path->pose[s->path->count - 1] = y;
}

int abut_manip_advance(AbutManip *m, const AbutManipStance *from, const AbutManipPattern *pattern,
    const AbutManipHold *hold, const AbutManipAim *aim, AbutManipPath *out) {
    Motion s = {.m = m, .hold = hold, .aim = aim, .now = *from, .path = out};
    memcpy(s.want, pattern->state, sizeof s.want);
    out->count = 0;
    while (out->count < ABUT_MANIP_STEPS && !s.ends && step(&s)) continue;
    if (!out->count || s.gone + m->length * s.turned < 5e-4) return 0;
    snap(&s);
    return 1;
}

/* ---- falls ------------------------------------------------------------------------------------------------------- */

/* Rows of the friction pyramid of a touch: nothing moves into it, nor, by more than `slip`, along it. */
static int falling_rows(const AbutManip *m, const AbutManipStance *s, const double *slip, double *a, double *b) {
    int rows = 0;
    double n[6], t[2][6];
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *c = &s->touch[i];
        abut_manip_row(m, s->x, c->p, c->n, n);
        abut_manip_row(m, s->x, c->p, c->t1, t[0]);
        abut_manip_row(m, s->x, c->p, c->t2, t[1]);
        for (int k = 0; k < ABUT_MANIP_SIDES; ++k, ++rows) {
            double angle = 2.0 * ABUT_PI * k / ABUT_MANIP_SIDES, x = c->friction * abut_cos(angle),
                   y = c->friction * abut_sin(angle);
            for (int j = 0; j < 6; ++j) a[6 * rows + j] = -n[j] + x * t[0][j] + y * t[1][j];
            b[rows] = c->friction * slip[i];
        }
    }
    return rows;
}

/*
 * The velocity after a moment of gravity from rest, with the mass as the metric. Friction cones make the program convex
 * where a touch that slides would lift off; adding the speed of sliding to the bound takes that back (De Saxce), so the
 * speeds are found by repeating. Free fall has size 1.
 */
static int falling(AbutManip *m, const AbutManipStance *s, double *u) {
    double slip[ABUT_MANIP_TOUCHES] = {0}, h[36] = {0}, g[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        AbutVec3 axis = abut_quat_rotate_inv(s->x.q, abut_axis(i));
        AbutVec3 spun = abut_quat_rotate(s->x.q, abut_mat3_apply(m->inertia, axis));
        h[7 * i] = 1.0;
        for (int j = 0; j < 3; ++j) h[6 * (3 + i) + 3 + j] = abut_get(spun, j) / (m->mass * m->length * m->length);
    }
    for (int round = 0; round < 12; ++round) {
        double change = 0.0;
        memset(u, 0, 6 * sizeof *u);
        int rows = falling_rows(m, s, slip, m->matrix, m->side);
        AbutQp qp = {6, rows, 0, h, g, m->matrix, m->side};
        if (abut_qp_solve(&qp, u, NULL, m->workspace, m->workspace_size).outcome != ABUT_QP_OK) return 0;
        for (int32_t i = 0; i < s->count; ++i) {
            const AbutManipTouch *t = &s->touch[i];
            double a[6], b[6];
            abut_manip_row(m, s->x, t->p, t->t1, a);
            abut_manip_row(m, s->x, t->p, t->t2, b);
            double x = abut_manip_dot(a, u), y = abut_manip_dot(b, u), speed = sqrt(x * x + y * y);
            change = abut_larger(change, fabs(speed - slip[i]));
            slip[i] = speed;
        }
        if (change < 1e-6) break;
    }
    return 1;
}

/* Touches without a gap alone; those of a pair come with gaps of its far side, which falls freely. */
static void stand_closed(const AbutManip *m, AbutPose x, AbutManipStance *out) {
    static const double CLOSE = 1e-5;
    int32_t kept = 0;
    abut_manip_stand(m, x, CLOSE, 1, out);
    for (int32_t i = 0; i < out->count; ++i)
        if (out->touch[i].gap <= CLOSE) out->touch[kept++] = out->touch[i];
    out->count = kept;
}

int abut_manip_fall(AbutManip *m, AbutPose from, AbutManipPath *out) {
    static const double STILL = 1e-3;
    static const AbutManipHold none = {0, {0}};
    Motion s = {.m = m, .hold = &none, .path = out};
    AbutPose y;
    double h;
    out->count = 0;
    stand_closed(m, from, &s.now);
    if (s.now.nearest < -ABUT_MANIP_DEEP) return 0;
    while (falling(m, &s.now, s.u)) {
        double size = sqrt(abut_manip_dot(s.u, s.u));
        if (size < STILL) {
            if (!out->count || !abut_manip_stable(m, &s.now, &none)) return 0;
            snap(&s);
            return 1;
        }
        for (int k = 0; k < 6; ++k) s.u[k] /= size;
        s.speed = sqrt(s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2]);
        s.turning = sqrt(s.u[3] * s.u[3] + s.u[4] * s.u[4] + s.u[5] * s.u[5]) / m->length;
        abut_manip_classify(m, &s.now, s.u, 1e-5, 1e-4, &s.pattern);
        if (out->count == ABUT_MANIP_STEPS - 1 || !step_to(&s, &h, &y)) return 0;
        stand_closed(m, y, &s.now);
        out->pose[out->count++] = y;
    }
    return 0;
}
