/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A contact in the derivative of a step. In: its impulses and the velocities at the end of the step, the rates of its
 * patch. Out: rows of its vertices, and what its impulses become on both bodies as these move.
 *
 * The law of a vertex is u_n + alpha K n = target and, across the normal, u = 0 where it sticks, t = -mu n u / |u|
 * where it slides. With changes J dv + r dx of (u_n, u_1, u_2) its impulses change by -law (J dv + r dx). Conditions
 * that bodies cannot fulfill all at once, as of four legs, get a small softness of their own, which a second pass takes
 * out. Twelve directions: way and turn of A, then of B, world axes.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

#define SOFT 1e-7        /* of the response */
#define STILL_SPIN 1e-10 /* rad/s: nothing turns */

enum { SIDES = ABUT_BOTH_SIDES, ROWS = 3 * ABUT_CONTACT_VERTICES + 3 };

typedef struct Side {
    const AbutSolverBody *m;
    AbutVec3 v, w, start_v, start_w; /* after the solution; before the step */
} Side;

/* A contact along the twelve directions. */
typedef struct Along {
    const AbutSolverContact *c;
    Side a, b;
    AbutPatchRate rate;
    AbutVec3 off;              /* from where A is touched to where B is */
    double push[SIDES][SIDES]; /* what its impulses become: [force and torque][direction] */
    double j[ROWS][SIDES];     /* rows n, 1, 2 of a vertex */
    double r[ROWS][SIDES];     /* by place, at unchanged velocities of the bodies */
    double start[ROWS][SIDES]; /* by the velocities before the step */
} Along;

static void add3(double *to, AbutVec3 x, double sign) { to[0] += sign * x.x, to[1] += sign * x.y, to[2] += sign * x.z; }

/* Velocity along d of a point against the other body. */
static void set_row(AbutVec3 arm_a, AbutVec3 arm_b, AbutVec3 d, double *row) {
    add3(row, d, -1.0);
    add3(row + 3, abut_cross(arm_a, d), -1.0);
    add3(row + 6, d, 1.0);
    add3(row + 9, abut_cross(arm_b, d), 1.0);
}

/* How the patch moves with direction k: normal, axes, and a point that has `rate`. */
typedef struct Moved {
    AbutVec3 normal, e1, e2, shift_a, shift_b, turn_a;
    double relative[6];
} Moved;

static AbutVec3 along_relative(const Moved *m, const AbutVec3 rate[6]) {
    AbutVec3 sum = abut_zero();
    for (int k = 0; k < 6; ++k) sum = abut_add_scaled(sum, rate[k], m->relative[k]);
    return sum;
}

static AbutVec3 pick(int k, int first) { return k >= first && k < first + 3 ? abut_axis(k - first) : abut_zero(); }

static Moved moved_by(const Along *x, int k) {
    const AbutSolverContact *c = x->c;
    Moved m;
    AbutVec3 turn_b = pick(k, 9);
    m.shift_a = pick(k, 0), m.turn_a = pick(k, 3), m.shift_b = pick(k, 6);
    AbutVec3 between = abut_sub(x->b.m->x, x->a.m->x);
    AbutVec3 way = abut_sub(abut_sub(m.shift_b, m.shift_a), abut_cross(m.turn_a, between));
    AbutVec3 t = abut_mat3_apply_t(x->a.m->rotation, way),
             f = abut_mat3_apply_t(x->a.m->rotation, abut_sub(turn_b, m.turn_a));
    for (int i = 0; i < 3; ++i) m.relative[i] = abut_get(t, i), m.relative[3 + i] = abut_get(f, i);
    AbutVec3 own = abut_mat3_apply(x->a.m->rotation, along_relative(&m, x->rate.normal));
    m.normal = abut_add(abut_cross(m.turn_a, c->nu), own);
    m.e1 = abut_add_scaled(abut_cross(m.turn_a, c->e1), c->nu, -abut_dot(c->e1, own));
    m.e2 = abut_add_scaled(abut_cross(m.turn_a, c->e2), c->nu, -abut_dot(c->e2, own));
    return m;
}

typedef struct Arms {
    AbutVec3 a, b; /* from the centers of mass */
} Arms;

static Arms arms_at(const Along *x, double px, double py) {
    AbutVec3 p = abut_add(abut_scale(x->c->e1, px), abut_scale(x->c->e2, py));
    return (Arms){abut_add(x->c->ra, p), abut_add(x->c->rb, p)};
}

static Arms arms_moved(const Along *x, const Moved *m, Arms at, const AbutVec3 rate[6]) {
    AbutVec3 own = abut_mat3_apply(x->a.m->rotation, along_relative(m, rate));
    AbutVec3 turned = abut_cross(m->turn_a, at.a), off = abut_cross(m->turn_a, x->off);
    Arms out = {
        abut_add(turned, own), abut_add(abut_add(abut_sub(m->shift_a, m->shift_b), off), abut_add(turned, own))};
    return out;
}

static AbutVec3 speed_of(const Along *x, Arms at, int start) {
    AbutVec3 va = start ? x->a.start_v : x->a.v, wa = start ? x->a.start_w : x->a.w, vb = start ? x->b.start_v : x->b.v,
             wb = start ? x->b.start_w : x->b.w;
    return abut_sub(abut_add(vb, abut_cross(wb, at.b)), abut_add(va, abut_cross(wa, at.a)));
}

static AbutVec3 speed_moved(const Along *x, Arms by, int start) {
    return abut_sub(abut_cross(start ? x->b.start_w : x->b.w, by.b), abut_cross(start ? x->a.start_w : x->a.w, by.a));
}

/* Force f on B and its change; torques about both centers of mass. */
static void push(double (*w)[SIDES], int k, Arms at, Arms by, AbutVec3 f, AbutVec3 df) {
    AbutVec3 ta = abut_add(abut_cross(by.a, f), abut_cross(at.a, df)),
             tb = abut_add(abut_cross(by.b, f), abut_cross(at.b, df));
    for (int i = 0; i < 3; ++i) {
        w[i][k] -= abut_get(df, i), w[3 + i][k] -= abut_get(ta, i);
        w[6 + i][k] += abut_get(df, i), w[9 + i][k] += abut_get(tb, i);
    }
}

static void push_torque(double (*w)[SIDES], int k, AbutVec3 d) {
    for (int i = 0; i < 3; ++i) w[3 + i][k] -= abut_get(d, i), w[9 + i][k] += abut_get(d, i);
}

/* Change of the response along the normal at a point of a free body. */
static double response_moved(
    const Side *s, AbutVec3 arm, AbutVec3 by, AbutVec3 normal, AbutVec3 turned, AbutVec3 turn) {
    if (s->m->tree >= 0 || !(s->m->inv_mass > 0.0)) return 0.0;
    AbutVec3 lever = abut_cross(arm, normal), spin = abut_mat3_apply(s->m->inv_inertia, lever),
             moved = abut_add(abut_cross(by, normal), abut_cross(arm, turned));
    return 2.0 * (abut_dot(moved, spin) + abut_dot(lever, abut_cross(turn, spin)));
}

/* Which of its conditions gives the target of a vertex: thickness, the limit of pushing, or the bounce. */
typedef enum Target { TARGET_THICKNESS = 0, TARGET_FIXED, TARGET_BOUNCE } Target;

static Target target_of(const AbutSimulation *sim, const Along *x, int i, double *slope) {
    const AbutSolverContact *c = x->c;
    const AbutTouch *t = c->touch;
    const AbutSolverVertex *v = &c->point[i];
    double k = 0.5 * sim->constants.beta / sim->constants.dt, rest = t->margins + sim->constants.slop,
           wish = k * (t->vertex[i].thickness - rest), bent = t->bend / sim->constants.dt;
    int mesh = t->mesh && t->vertex[i].thickness < rest;
    *slope = mesh ? 1.0 / sim->constants.dt : k;
    if (mesh) wish = (t->vertex[i].thickness - rest) / sim->constants.dt, bent = 0.0;
    double miss = fabs(v->target - (wish - bent));
    if (miss <= 1e-12 * (fabs(wish) + fabs(bent) + sim->constants.gravity_dt)) return TARGET_THICKNESS;
    Arms at = arms_at(x, v->x, v->y);
    double u = abut_dot(c->nu, speed_of(x, at, 1));
    return t->restitution > 0.0 && fabs(v->target + t->restitution * u) <= 1e-9 * fabs(u) ? TARGET_BOUNCE
                                                                                          : TARGET_FIXED;
}

static void vertex_along(const AbutSimulation *sim, Along *x, int i) {
    const AbutSolverContact *c = x->c;
    const AbutSolverVertex *v = &c->point[i];
    Arms at = arms_at(x, v->x, v->y), grip = arms_at(x, v->xt, v->yt);
    AbutVec3 u = speed_of(x, at, 0), s = speed_of(x, grip, 0), before = speed_of(x, at, 1);
    AbutVec3 belt =
        c->moving ? abut_add(abut_scale(c->e1, c->surface[0]), abut_scale(c->e2, c->surface[1])) : abut_zero();
    AbutVec3 fn = abut_scale(c->nu, v->n), ft = abut_add(abut_scale(c->e1, v->t1), abut_scale(c->e2, v->t2));
    double(*j)[SIDES] = x->j + 3 * i, (*r)[SIDES] = x->r + 3 * i, slope;
    Target target = target_of(sim, x, i, &slope);
    s = abut_add(s, belt);
    set_row(at.a, at.b, c->nu, j[0]);
    set_row(grip.a, grip.b, c->e1, j[1]);
    set_row(grip.a, grip.b, c->e2, j[2]);
    for (int k = 0; k < SIDES; ++k) {
        Moved m = moved_by(x, k);
        Arms by = arms_moved(x, &m, at, x->rate.point[i]), grips = arms_moved(x, &m, grip, x->rate.grip[i]);
        AbutVec3 ds = abut_add(speed_moved(x, grips, 0), abut_cross(m.turn_a, belt));
        double thick = 0.0;
        for (int q = 0; q < 6; ++q) thick += x->rate.thickness[i][q] * m.relative[q];
        r[0][k] = abut_dot(m.normal, u) + abut_dot(c->nu, speed_moved(x, by, 0));
        r[1][k] = abut_dot(m.e1, s) + abut_dot(c->e1, ds);
        r[2][k] = abut_dot(m.e2, s) + abut_dot(c->e2, ds);
        if (target == TARGET_THICKNESS) r[0][k] -= slope * thick;
        if (c->alpha > 0.0 && v->n > 0.0)
            r[0][k] += c->alpha * v->n *
                       (response_moved(&x->a, at.a, by.a, c->nu, m.normal, m.turn_a) +
                           response_moved(&x->b, at.b, by.b, c->nu, m.normal, pick(k, 9)));
        if (target == TARGET_BOUNCE) {
            double e = c->touch->restitution;
            r[0][k] += e * (abut_dot(m.normal, before) + abut_dot(c->nu, speed_moved(x, by, 1)));
            x->start[3 * i][k] += e * j[0][k];
        }
        push(x->push, k, at, by, fn, abut_scale(m.normal, v->n));
        push(x->push, k, grip, grips, ft, abut_add(abut_scale(m.e1, v->t1), abut_scale(m.e2, v->t2)));
    }
}

/* ---- bend of round surfaces ---------------------------------------------------------------------------------------- */

/* How a turn of the place, or a change of the spin, turns a body at the end of the step h. */
static AbutVec3 turned_after(AbutVec3 w, AbutVec3 turn, AbutVec3 spin, double h) {
    AbutVec3 f = abut_scale(w, h), once = abut_cross(f, spin);
    AbutVec3 by = abut_add_scaled(abut_add_scaled(spin, once, 0.5), abut_cross(f, once), 1.0 / 6.0);
    return abut_add_scaled(abut_quat_rotate(abut_quat_exp(f), turn), by, h);
}

/* Change of the gap after the step, by the places of a side and by its velocities. */
static double after_moved(const Along *x, int side, int k, int velocity, double h) {
    const Side *s = side ? &x->b : &x->a;
    AbutVec3 way = pick(k, 0), turn = pick(k, 3), none = abut_zero();
    AbutVec3 center = abut_add_scaled(s->m->x, s->start_v, h), at = side ? x->rate.after_b : x->rate.after_a;
    AbutVec3 turned = velocity ? turned_after(s->start_w, none, turn, h) : turned_after(s->start_w, turn, none, h);
    AbutVec3 moved = abut_add(abut_scale(way, velocity ? h : 1.0), abut_cross(turned, abut_sub(at, center)));
    return (side ? 1.0 : -1.0) * abut_dot(x->rate.after_normal, moved);
}

/* The vertex that is nearest after the step, as the vertices see it. */
static int nearest_after(const Along *x, double h) {
    const AbutSolverContact *c = x->c;
    double least = INFINITY;
    int found = 0;
    for (int i = 0; i < c->count; ++i) {
        Arms at = arms_at(x, c->point[i].x, c->point[i].y);
        double gap = h * abut_dot(c->nu, speed_of(x, at, 1)) - c->touch->vertex[i].thickness;
        if (gap < least) least = gap, found = i;
    }
    return found;
}

/* Targets are less by the bend over h. */
static void add_bend(const AbutSimulation *sim, Along *x) {
    const AbutSolverContact *c = x->c;
    double h = sim->constants.dt;
    int near = nearest_after(x, h);
    Arms at = arms_at(x, c->point[near].x, c->point[near].y);
    AbutVec3 before = speed_of(x, at, 1);
    for (int k = 0; k < SIDES; ++k) {
        Moved m = moved_by(x, k);
        Arms by = arms_moved(x, &m, at, x->rate.point[near]);
        double thick = 0.0, speed = abut_dot(m.normal, before) + abut_dot(c->nu, speed_moved(x, by, 1));
        for (int q = 0; q < 6; ++q) thick += x->rate.thickness[near][q] * m.relative[q];
        double place = after_moved(x, k / 6, k % 6, 0, h) + thick - h * speed,
               velocity = after_moved(x, k / 6, k % 6, 1, h) - h * x->j[3 * near][k];
        for (int i = 0; i < c->count; ++i) x->r[3 * i][k] += place / h, x->start[3 * i][k] += velocity / h;
    }
}

static void contact_along(AbutSimulation *sim, const AbutSolverContact *c, Along *x) {
    memset(x, 0, sizeof *x);
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    x->c = c;
    x->a = (Side){a, a->v, a->w, a->start_v, a->start_w};
    x->b = (Side){b, b->v, b->w, b->start_v, b->start_w};
    x->off = abut_sub(c->rb, abut_add(abut_sub(a->x, b->x), c->ra));
    abut_patch_rate(sim, c, &x->rate);
    for (int i = 0; i < c->count; ++i) vertex_along(sim, x, i);
    double(*spin)[SIDES] = x->j + 3 * c->count;
    const AbutVec3 axis[3] = {c->e1, c->e2, c->nu};
    for (int i = 0; i < 3 && abut_contact_resists_spin(c); ++i) {
        add3(spin[i] + 3, axis[i], -1.0);
        add3(spin[i] + 9, axis[i], 1.0);
    }
    for (int k = 0; k < SIDES && abut_contact_resists_spin(c); ++k) {
        Moved m = moved_by(x, k);
        AbutVec3 w = abut_sub(x->b.w, x->a.w);
        const AbutVec3 moved[3] = {m.e1, m.e2, m.normal};
        for (int i = 0; i < 3; ++i) x->r[3 * c->count + i][k] = abut_dot(moved[i], w);
        push_torque(x->push, k,
            abut_add(abut_add(abut_scale(m.e1, c->torque[0]), abut_scale(m.e2, c->torque[1])),
                abut_scale(m.normal, c->torque[2])));
    }
    if (x->rate.bends) add_bend(sim, x);
    if (x->rate.ahead > 0.0) /* the patch of places that lie ahead */
        for (int row = 0; row < 3 * c->count; ++row)
            for (int k = 0; k < SIDES; ++k) x->start[row][k] += x->rate.ahead * x->r[row][k];
}

/* ---- law --------------------------------------------------------------------------------------------------------- */

static double slip_of(const AbutSolverContact *c, const Along *x, int i, double u[2]) {
    const AbutSolverVertex *v = &c->point[i];
    AbutVec3 s = speed_of(x, arms_at(x, v->xt, v->yt), 0);
    u[0] = abut_dot(c->e1, s) + (c->moving ? c->surface[0] : 0.0);
    u[1] = abut_dot(c->e2, s) + (c->moving ? c->surface[1] : 0.0);
    return sqrt(u[0] * u[0] + u[1] * u[1]);
}

/* Slopes of friction: sticking rows, or (1 - d d) mu n / |u| and -mu d with the normal impulse. */
static void set_friction(AbutDerivative *d, const Along *x, int i, double n, double law[3][3], double soft[3]) {
    const AbutSolverContact *c = x->c;
    const AbutSolverVertex *v = &c->point[i];
    double smooth = d->def.smoothing, most = v->mu * n, u[2], slip = slip_of(c, x, i, u),
           t = sqrt(v->t1 * v->t1 + v->t2 * v->t2), still = 1e-3 * abut_slip_speed(d->sim);
    int32_t place = (int32_t)(c - d->sim->contacts.at);
    if (!(v->inv_kt > 0.0) || !(most > 0.0)) return;
    int at_limit = t >= most * (1.0 - 1e-7), sliding = at_limit && slip > still;
    if (t > most * (1.0 - 1e-4) && slip < 10.0 * still && smooth <= 0.0)
        abut_derivative_breaks(d, ABUT_BREAK_SLIDES, place);
    if (!sliding) {
        double give = SOFT / v->inv_kt + smooth / most;
        law[1][1] = law[2][2] = 1.0 / give;
        soft[1] = soft[2] = SOFT / v->inv_kt;
        return;
    }
    double miss = sqrt((v->t1 + most * u[0] / slip) * (v->t1 + most * u[0] / slip) +
                       (v->t2 + most * u[1] / slip) * (v->t2 + most * u[1] / slip));
    if (smooth <= 0.0) d->residual = abut_larger(d->residual, miss / v->inv_kt);
    double way = smooth > 0.0 ? sqrt(slip * slip + smooth * smooth) : slip, e1 = u[0] / slip, e2 = u[1] / slip,
           k = most / way;
    law[1][1] = k * (1.0 - e1 * e1), law[2][2] = k * (1.0 - e2 * e2);
    law[1][2] = law[2][1] = -k * e1 * e2;
    law[1][0] = -v->mu * e1 * law[0][0], law[2][0] = -v->mu * e2 * law[0][0];
}

/* Does friction of a vertex follow its load? */
static int slides_at(const AbutDerivativeRows *rows, int i) {
    size_t n = (size_t)rows->rows, at = 3 * (size_t)i;
    return rows->law[(at + 1) * n + at] != 0.0 || rows->law[(at + 2) * n + at] != 0.0;
}

/* More corners that slide than a body has ways to press on them: which of them carries the load is open. */
static void count_sliding(AbutDerivative *d, const AbutSolverContact *c, const AbutDerivativeRows *rows) {
    int pressed = 0, slides = 0;
    for (int i = 0; i < c->count; ++i) {
        pressed += c->point[i].n > 0.0;
        slides |= slides_at(rows, i);
    }
    if (pressed > 3 && slides && !(c->alpha > 1e-3)) d->unique = 0;
}

static void set_law(AbutDerivative *d, const Along *x, int i, double law[3][3], double soft[3]) {
    const AbutSolverContact *c = x->c;
    const AbutSolverVertex *v = &c->point[i];
    int32_t place = (int32_t)(c - d->sim->contacts.at);
    memset(law, 0, 9 * sizeof(double));
    soft[0] = soft[1] = soft[2] = 0.0;
    if (!(v->inv_kn > 0.0)) return;
    double smooth = d->def.smoothing, n = v->n, k = 1.0 / v->inv_kn,
           gap = abut_dot(c->nu, speed_of(x, arms_at(x, v->x, v->y), 0)) - v->target,
           miss = n > 0.0 ? fabs(gap + c->alpha * k * n) : abut_larger(0.0, -gap),
           little = 1e-5 * d->sim->constants.gravity_dt;
    d->residual = abut_larger(d->residual, miss);
    if (smooth <= 0.0 && (n > 0.0 ? k * n : gap) < little) abut_derivative_breaks(d, ABUT_BREAK_OPENS, place);
    double give = c->alpha * k;
    if (smooth > 0.0) { /* n K and gap, of product smooth^2 */
        double s = k * n - abut_larger(gap, 0.0), carried = 0.5 * (s + sqrt(s * s + 4.0 * smooth * smooth));
        give += k * (carried - s) / carried;
        n = carried / k;
    } else if (!(n > 0.0)) {
        return;
    }
    soft[0] = SOFT * k;
    law[0][0] = 1.0 / (give + soft[0]);
    set_friction(d, x, i, n, law, soft);
}

/* Friction against rolling (two axes) and spinning (one): as at a vertex, with the load of all of them. `law` has
 * `rows` columns; its first axis is row `first`. */
static void set_spin_friction(
    AbutDerivative *d, const Along *x, int first, int count, double length, size_t rows, double *law, double *soft) {
    const AbutSolverContact *c = x->c;
    AbutVec3 w = abut_sub(x->b.w, x->a.w);
    const AbutVec3 axis[3] = {c->e1, c->e2, c->nu};
    double load = 0.0, u[2] = {0.0, 0.0}, speed = 0.0, torque = 0.0, give = 0.0;
    int own = first - 3 * c->count;
    for (int i = 0; i < c->count; ++i) load += c->point[i].n;
    for (int i = 0; i < count; ++i) {
        u[i] = abut_dot(axis[own + i], w);
        speed += u[i] * u[i];
        torque += c->torque[own + i] * c->torque[own + i];
        give = abut_larger(give, c->touch->phi[3 + own + i][3 + own + i]);
    }
    speed = sqrt(speed), torque = sqrt(torque);
    double most = length * load, still = STILL_SPIN;
    if (!(most > 0.0) || !(give > 0.0)) return;
    if (torque > most * (1.0 - 1e-4) && speed < 10.0 * still && d->def.smoothing <= 0.0)
        abut_derivative_breaks(d, ABUT_BREAK_SLIDES, (int32_t)(c - d->sim->contacts.at));
    for (int i = 0; i < count; ++i) {
        double *row = law + (size_t)(first + i) * rows;
        if (torque < most * (1.0 - 1e-7) || speed <= still) {
            soft[first + i] = SOFT * give;
            row[first + i] = 1.0 / soft[first + i];
            continue;
        }
        for (int k = 0; k < count; ++k)
            row[first + k] = most / speed * ((i == k ? 1.0 : 0.0) - u[i] * u[k] / (speed * speed));
        for (int v = 0; v < c->count; ++v)
            row[3 * v] = -length * u[i] / speed * law[(size_t)(3 * v) * rows + 3 * (size_t)v];
    }
}

/* The law of all rows of a contact, as one block. */
static void set_laws(AbutDerivative *d, const Along *x, AbutDerivativeRows *rows) {
    const AbutSolverContact *c = x->c;
    size_t n = (size_t)rows->rows;
    for (int i = 0; i < c->count; ++i) {
        double law[3][3];
        set_law(d, x, i, law, rows->soft + 3 * i);
        for (size_t r = 0; r < 3; ++r)
            for (size_t k = 0; k < 3; ++k) rows->law[(3 * (size_t)i + r) * n + 3 * (size_t)i + k] = law[r][k];
    }
    if (!abut_contact_resists_spin(c)) return;
    set_spin_friction(d, x, 3 * c->count, 2, c->rolling_length, n, rows->law, rows->soft);
    set_spin_friction(d, x, 3 * c->count + 2, 1, c->spinning_length, n, rows->law, rows->soft);
}

/* ---- into the group ---------------------------------------------------------------------------------------------- */

/* How friction changes with its coefficient: parameters of the bodies that give it. */
static double friction_share(const AbutDerivative *d, const AbutSolverContact *c, const AbutDerivativeParameter *p) {
    const AbutScene *scene = d->sim->scene;
    int32_t place = abut_scene_body_place(scene, p->body);
    const AbutShape *own = place == c->body_a   ? &scene->shape[c->touch->shape_a]
                           : place == c->body_b ? &scene->shape[c->touch->shape_b]
                                                : NULL;
    if (!own || own->def.material.friction != scene->pair[c->touch->pair].friction) return 0.0;
    return own->def.material.friction > 0.0 ? 1.0 / own->def.material.friction : 0.0;
}

static void add_parameters(AbutDerivativeGroup *g, const Along *x, AbutDerivativeRows *rows) {
    AbutDerivative *d = g->d;
    const AbutSolverContact *c = x->c;
    for (int32_t p = 0; p < d->parameters; ++p) {
        double share = d->parameter[p].kind == ABUT_PARAMETER_FRICTION ? friction_share(d, c, &d->parameter[p]) : 0.0;
        if (share == 0.0) continue;
        size_t column = 2 * (size_t)g->n + (size_t)(d->inputs + p);
        for (int i = 0; i < c->count; ++i) {
            const AbutSolverVertex *v = &c->point[i];
            double u[2], slip = slip_of(c, x, i, u), dt[2];
            if (!slides_at(rows, i) || !(slip > 0.0) || !(v->n > 0.0)) continue;
            for (int k = 0; k < 2; ++k) dt[k] = -share * v->mu * v->n * u[k] / slip;
            for (int k = 0; k < rows->count; ++k)
                for (int q = 0; q < 2; ++q)
                    g->right[(size_t)rows->at[k] * (size_t)g->columns + column] +=
                        rows->j[(size_t)(3 * i + 1 + q) * (size_t)rows->count + (size_t)k] * dt[q];
        }
    }
}

void abut_derivative_contact(AbutDerivativeGroup *g, const AbutSolverContact *c, const AbutTreeRate *rates) {
    AbutDerivative *d = g->d;
    Along x;
    int32_t *at;
    double(*twist)[SIDES];
    contact_along(d->sim, c, &x);
    const int32_t body[2] = {c->body_a, c->body_b};
    if (abut_length(x.off) > 1e-9 * abut_contact_size(d->sim, c)) /* round bodies that met within the last step */
        abut_derivative_breaks(d, ABUT_BREAK_FEATURE, (int32_t)(c - d->sim->contacts.at));
    if (c->touch->rocked) abut_derivative_breaks(d, ABUT_BREAK_ROCKING, (int32_t)(c - d->sim->contacts.at));
    for (int k = 0; k < 6; ++k)
        if (c->touch->impact[k] != 0.0)
            abut_derivative_breaks(d, ABUT_BREAK_SOLVER, (int32_t)(c - d->sim->contacts.at));
    int count = abut_derivative_reach(g, body, &at, &twist);
    if (!d->good || count == 0) return;
    if (!x.rate.smooth && d->def.smoothing <= 0.0)
        abut_derivative_breaks(d, ABUT_BREAK_FEATURE, (int32_t)(c - d->sim->contacts.at));
    int32_t conditions = 3 * c->count + (abut_contact_resists_spin(c) ? 3 : 0);
    AbutDerivativeRows *rows = abut_derivative_rows(g, conditions, conditions, count, at);
    if (!rows) return;
    abut_derivative_spread(rows, twist, x.j, rows->j);
    abut_derivative_spread(rows, twist, x.r, rows->by_place);
    abut_derivative_spread(rows, twist, x.start, rows->by_velocity);
    set_laws(d, &x, rows);
    count_sliding(d, c, rows);
    abut_derivative_swing(g, body, x.j, rates, rows);
    abut_derivative_push(g, rows, twist, x.push);
    add_parameters(g, &x, rows);
}
