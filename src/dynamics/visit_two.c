/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two visits of the model vol at once, of contacts that share no body that moves: one in each lane of a vector of two,
 * with the bits of one visit after the other. A visit is a chain of operations that wait for each other; two chains
 * take hardly longer than one. Contacts are read and written in place.
 */
#include "dynamics/mover.h"

typedef double Two __attribute__((vector_size(16)));
typedef int64_t Mask __attribute__((vector_size(16)));

typedef struct Two3 {
    Two x, y, z;
} Two3;

/* A field of what p and q point to. */
#define BOTH(p, q, field) ((Two){(p)->field, (q)->field})
#define BOTH3(p, q, field) ((Two3){BOTH(p, q, field.x), BOTH(p, q, field.y), BOTH(p, q, field.z)})
#define CHOOSE(mask, yes, no) ((Two)(((Mask)(yes) & (mask)) | ((Mask)(no) & ~(mask))))

static inline Two dot(Two3 a, Two3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline Two3 add(Two3 a, Two3 b) { return (Two3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline Two3 sub(Two3 a, Two3 b) { return (Two3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline Two3 scale(Two3 a, Two s) { return (Two3){a.x * s, a.y * s, a.z * s}; }

static inline Two3 cross(Two3 a, Two3 b) {
    return (Two3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Their sides and the axes of their frames. */
typedef struct Pair {
    AbutSolverContact *p, *q;
    AbutSolverBody *ap, *aq, *bp, *bq;
    Two3 e1, e2, nu, ra, rb;
} Pair;

static inline Pair pair_of(const AbutSimulation *sim, AbutSolverContact *p, AbutSolverContact *q) {
    AbutSolverBody *m = sim->mover;
    return (Pair){p, q, m + p->body_a, m + q->body_a, m + p->body_b, m + q->body_b, BOTH3(p, q, e1), BOTH3(p, q, e2),
        BOTH3(p, q, nu), BOTH3(p, q, ra), BOTH3(p, q, rb)};
}

/* As abut_contact_relative. */
static inline void relative(const Pair *c, Two u[6]) {
    Two3 wa = BOTH3(c->ap, c->aq, w), wb = BOTH3(c->bp, c->bq, w), w = sub(wb, wa);
    Two3 v = sub(add(BOTH3(c->bp, c->bq, v), cross(wb, c->rb)), add(BOTH3(c->ap, c->aq, v), cross(wa, c->ra)));
    u[0] = dot(c->e1, v), u[1] = dot(c->e2, v), u[2] = dot(c->nu, v);
    u[3] = dot(c->e1, w), u[4] = dot(c->e2, w), u[5] = dot(c->nu, w);
}

/* Changes of velocity and spin of one side by an impulse. */
static inline void push(
    const AbutSolverBody *p, const AbutSolverBody *q, Two3 r, Two3 force, Two3 torque, Two3 change[2]) {
    Two3 t = add(torque, cross(r, force));
    change[0] = scale(force, BOTH(p, q, inv_mass));
    change[1].x =
        BOTH(p, q, inv_inertia.x.x) * t.x + BOTH(p, q, inv_inertia.y.x) * t.y + BOTH(p, q, inv_inertia.z.x) * t.z;
    change[1].y =
        BOTH(p, q, inv_inertia.x.y) * t.x + BOTH(p, q, inv_inertia.y.y) * t.y + BOTH(p, q, inv_inertia.z.y) * t.z;
    change[1].z =
        BOTH(p, q, inv_inertia.x.z) * t.x + BOTH(p, q, inv_inertia.y.z) * t.y + BOTH(p, q, inv_inertia.z.z) * t.z;
}

static inline void move(AbutSolverBody *m, const Two3 change[2], int lane, double sign) {
    m->v.x += sign * change[0].x[lane], m->v.y += sign * change[0].y[lane], m->v.z += sign * change[0].z[lane];
    m->w.x += sign * change[1].x[lane], m->w.y += sign * change[1].y[lane], m->w.z += sign * change[1].z[lane];
}

/* As abut_contact_apply. */
static inline void apply(const Pair *c, const Two f[6]) {
    Two3 force = add(add(scale(c->e1, f[0]), scale(c->e2, f[1])), scale(c->nu, f[2])), change[2];
    Two3 torque = add(add(scale(c->e1, f[3]), scale(c->e2, f[4])), scale(c->nu, f[5]));
    push(c->bp, c->bq, c->rb, force, torque, change);
    move(c->bp, change, 0, 1.0);
    move(c->bq, change, 1, 1.0);
    if (!(c->ap->inv_mass > 0.0) && !(c->aq->inv_mass > 0.0)) return;
    push(c->ap, c->aq, c->ra, force, torque, change);
    if (c->ap->inv_mass > 0.0) move(c->ap, change, 0, -1.0);
    if (c->aq->inv_mass > 0.0) move(c->aq, change, 1, -1.0);
}

/* As solve_point of model_vol.c; an empty vertex stands where one contact has fewer. */
static inline void solve_two(AbutSolverVertex *p, AbutSolverVertex *q, int16_t *slides_p, int16_t *slides_q, Two alpha,
    Two soft, Two u[6], Two w[6]) {
    Two x = BOTH(p, q, x), y = BOTH(p, q, y), old = BOTH(p, q, n), un = u[2] + u[3] * y - u[4] * x;
    Two n = old + ((BOTH(p, q, target) - un) * BOTH(p, q, inv_kn) - alpha * old) * soft;
    n = (Two)((Mask)n & (n > 0.0));
    Two dn = n - old;
    for (int k = 0; k < 6; ++k) u[k] += BOTH(p, q, cn[k]) * dn;
    Two xt = BOTH(p, q, xt), yt = BOTH(p, q, yt), u1 = u[0] - u[5] * yt, u2 = u[1] + u[5] * xt;
    Two t1 = BOTH(p, q, t1), t2 = BOTH(p, q, t2), most = BOTH(p, q, mu) * n, it12 = BOTH(p, q, it12);
    Two s1 = t1 - (BOTH(p, q, it11) * u1 + it12 * u2), s2 = t2 - (it12 * u1 + BOTH(p, q, it22) * u2);
    Mask slides = s1 * s1 + s2 * s2 > most * most;
    if (slides[0] | slides[1]) {
        Two inv_kt = BOTH(p, q, inv_kt), g1 = t1 - inv_kt * u1, g2 = t2 - inv_kt * u2, square = g1 * g1 + g2 * g2;
        Two length = {sqrt(square[0]), sqrt(square[1])}, part = most / length;
        Mask beyond = length > most;
        s1 = CHOOSE(slides, CHOOSE(beyond, g1 * part, g1), s1);
        s2 = CHOOSE(slides, CHOOSE(beyond, g2 * part, g2), s2);
    }
    Two d1 = s1 - t1, d2 = s2 - t2;
    for (int k = 0; k < 6; ++k) u[k] += BOTH(p, q, c1[k]) * d1 + BOTH(p, q, c2[k]) * d2;
    w[0] += d1, w[1] += d2, w[2] += dn;
    w[3] += dn * y, w[4] -= dn * x, w[5] += d2 * xt - d1 * yt;
    p->n = n[0], q->n = n[1];
    p->t1 = s1[0], q->t1 = s1[1];
    p->t2 = s2[0], q->t2 = s2[1];
    *slides_p = slides[0] != 0, *slides_q = slides[1] != 0;
}

double abut_visit_two(AbutSimulation *sim, AbutSolverContact *p, AbutSolverContact *q, int backward) {
    Pair pair = pair_of(sim, p, q);
    Two u[6], u0[6], w[6] = {{0}}, alpha = BOTH(p, q, alpha), soft = 1.0 / (1.0 + alpha), ell = BOTH(p, q, ell);
    AbutSolverVertex none = {0};
    int16_t nothing;
    relative(&pair, u);
    for (int k = 0; k < 6; ++k) u0[k] = u[k];
    for (int i = 0, most = p->count > q->count ? p->count : q->count; i < most; ++i) {
        int in_p = backward ? p->count - 1 - i : i, in_q = backward ? q->count - 1 - i : i;
        int of_p = i < p->count, of_q = i < q->count;
        solve_two(of_p ? p->point + in_p : &none, of_q ? q->point + in_q : &none, of_p ? p->sliding + in_p : &nothing,
            of_q ? q->sliding + in_q : &nothing, alpha, soft, u, w);
    }
    apply(&pair, w);
    Two linear = {0}, angular = {0};
    for (int k = 0; k < 3; ++k) {
        linear += (u[k] - u0[k]) * (u[k] - u0[k]);
        angular += (u[3 + k] - u0[3 + k]) * (u[3 + k] - u0[3 + k]);
    }
    Two change = linear + ell * ell * angular; /* squared */
    return change[0] > change[1] ? change[0] : change[1];
}
