/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One motion: the object goes towards a target in a contact mode, step by step, with the fingers sticking to it. At
 * every step the velocity is the one of the mode nearest to the wish, forces balance, fingers and touches fix the
 * velocity, and the surroundings cannot hold the object. Touches that stay are pulled back to gap zero after the step;
 * new ones end the motion. The poses do not depend on the fingers: the course of the object is found once, as far as
 * some hold needs it, and holds are tried along it.
 */
#include "manipulation/manip.h"

#include "contact/settle.h"
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
        if (!abut_contact_closing_step(rows, gap, count, 5e-3, d)) return 0;
        *x = abut_manip_move(m, *x, d, 1.0);
    }
    abut_manip_stand(m, *x, 1e-3, 0, &now);
    return now.nearest > -ABUT_MANIP_DEEP;
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

typedef AbutManipLeg Leg;

static void measure(const AbutManip *m, Leg *l) {
    l->speed = sqrt(l->u[0] * l->u[0] + l->u[1] * l->u[1] + l->u[2] * l->u[2]);
    l->turning = sqrt(l->u[3] * l->u[3] + l->u[4] * l->u[4] + l->u[5] * l->u[5]) / m->length;
}

/* A velocity that leads on; 0: none. */
static int find_velocity(AbutManip *m, const AbutManipAim *aim, Leg *l, int first) {
    double wish[6];
    abut_manip_wish(m, l->stance.x, aim->target, wish);
    if (!abut_manip_project(m, &l->stance, l->want, wish, l->u)) return 0;
    double full = sqrt(abut_manip_dot(wish, wish)), size = sqrt(abut_manip_dot(l->u, l->u));
    measure(m, l);
    if (full < aim->exact || size < 0.03 * full || size < 0.3 * aim->exact) return 0;
    if (!first && abut_manip_dot(l->u, wish) < 0.01 * full * full) return 0;
    abut_manip_classify(m, &l->stance, l->u, 1e-6, 1e-5, &l->pattern);
    return 1;
}

static double reach_of(const AbutManip *m, const Leg *l, double h) {
    return 3.0 * h * (l->speed + 2.0 * l->turning * m->length) + 2e-3;
}

/* The next pose, halved until it overlaps nothing; *h is the part of the velocity that it took. */
static int step_to(const AbutManip *m, Leg *l, double *h, AbutPose *out) {
    const AbutManipTask *task = m->task;
    AbutManipStance there;
    int held = 0;
    *h = abut_smaller(1.0, abut_smaller(task->step / (l->speed + 1e-12), m->turn_step / (l->turning + 1e-12)));
    for (int32_t i = 0; i < l->stance.count; ++i) held += l->pattern.state[i] != ABUT_MANIP_PART;
    for (int cut = 0; cut < 9; ++cut, *h *= 0.5) {
        *out = abut_manip_move(m, l->stance.x, l->u, *h);
        if (held && !abut_manip_settle(m, out, &l->stance, l->pattern.state, reach_of(m, l, *h))) continue;
        abut_manip_stand(m, *out, 1e-3, 0, &there);
        if (there.nearest < -ABUT_MANIP_DEEP) continue;
        l->ends = cut && *h * abut_larger(l->speed / task->step, l->turning / m->turn_step) < 0.02;
        return 1;
    }
    return 0;
}

/* Known touches go on in their way, new ones end the motion. */
static void inherit(Leg *l, Leg *next, double reach) {
    for (int32_t i = 0; i < next->stance.count; ++i) {
        int32_t k = same_touch(&l->stance, &next->stance.touch[i], reach);
        next->want[i] = k < 0 || l->pattern.state[k] == ABUT_MANIP_PART ? ABUT_MANIP_PART : l->want[k];
        l->ends |= k < 0;
    }
}

void abut_manip_set_out(AbutManip *m, const AbutManipStance *from, const AbutManipPattern *pattern,
    const AbutManipAim *aim, AbutManipCourse *out) {
    out->m = m;
    out->aim = *aim;
    out->known = 0;
    out->over = 0;
    out->leg[0].stance = *from;
    out->leg[0].gone = out->leg[0].turned = 0.0;
    memcpy(out->leg[0].want, pattern->state, sizeof out->leg[0].want);
}

/* Finds the leg after those that are known; 0: the course ends before it. */
static int go_farther(AbutManipCourse *c) {
    AbutManip *m = c->m;
    Leg *l = &c->leg[c->known], *next = l + 1;
    AbutPose y;
    double h;
    if (c->over || c->known == ABUT_MANIP_STEPS) return 0;
    c->over = 1;
    if (!find_velocity(m, &c->aim, l, c->known == 0) || !step_to(m, l, &h, &y)) return 0;
    double before = abut_manip_far(m, l->stance.x, c->aim.target, NULL, NULL);
    if (abut_manip_far(m, y, c->aim.target, NULL, NULL) > before - 1e-7) return 0;
    abut_manip_stand(m, y, ABUT_MANIP_TOUCH, 1, &next->stance);
    inherit(l, next, reach_of(m, l, h));
    next->gone = l->gone + abut_length(abut_sub(y.p, l->stance.x.p));
    next->turned = l->turned + l->turning * h;
    c->over = l->ends || next->gone > c->aim.most_distance || next->turned > c->aim.most_angle;
    ++c->known;
    return 1;
}

static int is_driven(AbutManip *m, const Leg *l, const AbutManipHold *hold, int first) {
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, m->force_least, 1, NULL};
    if (abut_manip_balance(m, &l->stance, &l->pattern, hold, demand, NULL) > ABUT_MANIP_BALANCED) return 0;
    if (!first && !abut_manip_determined(m, &l->stance, &l->pattern, hold)) return 0;
    return m->jam <= 0.0 || abut_manip_unjammed(m, &l->stance, hold, l->u) >= m->jam;
}

static int fingers_are_free(const AbutManip *m, const AbutManipHold *hold, AbutPose x) {
    for (int32_t i = 0; i < hold->count; ++i)
        if (hold->finger[i] >= 0 && !abut_manip_finger_free(m, x, hold->finger[i])) return 0;
    return 1;
}

static int takes_leg(AbutManipCourse *c, int32_t k, const AbutManipHold *hold) {
    if (k >= c->known && !go_farther(c)) return 0;
    return is_driven(c->m, &c->leg[k], hold, k == 0) && fingers_are_free(c->m, hold, c->leg[k + 1].stance.x);
}

int abut_manip_looks_good(AbutManipCourse *c, const AbutManipHold *hold) {
    static const int32_t AHEAD[] = {6, 12, 18, 28};
    for (size_t i = 0; i < sizeof AHEAD / sizeof *AHEAD; ++i) {
        while (c->known <= AHEAD[i] && go_farther(c)) continue;
        if (c->known <= AHEAD[i]) return 1;
        if (!takes_leg(c, AHEAD[i], hold)) return 0;
    }
    return 1;
}

/* At the end all that counts as touching has gap zero, so that the next motion starts balanced. */
static AbutPose snap(const AbutManip *m, const AbutManipStance *now) {
    static const int8_t all[ABUT_MANIP_TOUCHES] = {0};
    AbutPose y = now->x;
    AbutManipStance there;
    if (!now->count || !abut_manip_settle(m, &y, now, all, 2e-3)) return now->x;
    abut_manip_stand(m, y, 1e-3, 0, &there);
    return there.nearest > -ABUT_MANIP_DEEP && abut_manip_far(m, now->x, y, NULL, NULL) < 1e-3 ? y : now->x;
}

/* Steps are tested where they begin: does the last of them balance where it ends too? Full friction may be used. */
static int ends_balanced(AbutManipCourse *c, int32_t last, const AbutManipHold *hold) {
    AbutManipDemand demand = {1.0, 0.0, 1, NULL};
    const Leg *l = &c->leg[last], *end = l + 1;
    AbutManipPattern pattern;
    AbutVec3 w = abut_scale(abut_vec3(l->u[3], l->u[4], l->u[5]), 1.0 / c->m->length);
    AbutVec3 v = abut_cross(w, abut_sub(end->stance.x.p, l->stance.x.p)); /* the center is elsewhere on the screw */
    double u[6] = {l->u[0] + v.x, l->u[1] + v.y, l->u[2] + v.z, l->u[3], l->u[4], l->u[5]};
    abut_manip_classify(c->m, &end->stance, u, 0.02, 0.02, &pattern);
    return abut_manip_balance(c->m, &end->stance, &pattern, hold, demand, NULL) <= ABUT_MANIP_BALANCED;
}

int abut_manip_advance(AbutManipCourse *c, const AbutManipHold *hold, AbutManipPath *out) {
    int32_t k = 0;
    for (; k < ABUT_MANIP_STEPS && takes_leg(c, k, hold); ++k) out->pose[k] = c->leg[k + 1].stance.x;
    while (k && !ends_balanced(c, k - 1, hold)) --k;
    out->count = k;
    if (!k || c->leg[k].gone + c->m->length * c->leg[k].turned < 5e-4) return 0;
    out->pose[k - 1] = snap(c->m, &c->leg[k].stance);
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
    Leg l;
    AbutPose y;
    double h;
    out->count = 0;
    stand_closed(m, from, &l.stance);
    if (l.stance.nearest < -ABUT_MANIP_DEEP) return 0;
    while (falling(m, &l.stance, l.u)) {
        double size = sqrt(abut_manip_dot(l.u, l.u));
        if (size < STILL) {
            if (!out->count || !abut_manip_stable(m, &l.stance, &none)) return 0;
            out->pose[out->count - 1] = snap(m, &l.stance);
            return 1;
        }
        for (int k = 0; k < 6; ++k) l.u[k] /= size;
        measure(m, &l);
        abut_manip_classify(m, &l.stance, l.u, 1e-5, 1e-4, &l.pattern);
        if (out->count == ABUT_MANIP_STEPS - 1 || !step_to(m, &l, &h, &y)) return 0;
        stand_closed(m, y, &l.stance);
        out->pose[out->count++] = y;
    }
    return 0;
}
