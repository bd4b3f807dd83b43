/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default contact model: exact Coulomb friction at every vertex of the contact polygon, one vertex after the other.
 *
 * In: a contact with its polygon, thickness and responses, the velocities of its bodies. Out: impulses at the vertices,
 * applied. A vertex wants the normal velocity (k/2)(thickness - d0), k = beta/dt, d0 = both margins plus the slop:
 * a separation velocity where the overlap is too deep (with a limit, so that a deep one does not throw bodies apart), a
 * soft landing where it is not yet reached (between meshes all of the gap in this step). Its normal impulse
 * is what gives that velocity, never negative; its tangential impulse stops the vertex, or has the length mu n against
 * the sliding. Friction against spinning and rolling follows the vertices (spin_friction.c). The fixed point of the
 * sweeps is Coulomb's law at all vertices at once; the wrench of the pair is the sum.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

/* Impulses of the last step, capped: after an impact they are far larger than what rest needs. */
void abut_contact_warm_start(AbutSimulation *sim, AbutSolverContact *c) {
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        double cap =
            ABUT_WARM_GROWTH * c->touch->vertex[i].last_n + ABUT_WARM_ALLOWANCE * sim->constants.gravity_dt * v->inv_kn;
        if (v->n > cap) {
            double s = cap / v->n;
            v->n *= s;
            v->t1 *= s;
            v->t2 *= s;
        }
        c->touch->vertex[i].last_n = v->n;
    }
    if (abut_contact_resists_spin(c)) abut_spin_limit(c);
    double wrench[6];
    abut_contact_wrench(c, wrench);
    abut_contact_apply(sim, c, wrench);
}

/* Wanted velocities and friction of the vertices, from the velocities before the step. */
void abut_contact_set_targets(AbutSimulation *sim, AbutSolverContact *c) {
    const AbutTouch *t = c->touch;
    double u[6], half_k = 0.5 * sim->constants.beta / sim->constants.dt;
    double rest = t->margins + sim->constants.slop, bounce = ABUT_BOUNCE_STEPS * sim->constants.gravity_dt;
    double speed = abut_contact_speed(sim, c), push = ABUT_PUSH_SPEED * speed,
           stick = sim->def.stick_speed >= 0.0 ? sim->def.stick_speed : ABUT_STICK_SPEED * speed;
    abut_contact_start_velocity(sim, c, abut_zero(), u);
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        double un = u[2] + u[3] * v->y - u[4] * v->x, ut1 = u[0] - u[5] * v->yt, ut2 = u[1] + u[5] * v->xt;
        v->target = abut_smaller(half_k * (t->vertex[i].thickness - rest), push) - t->bend / sim->constants.dt;
        if (t->mesh && t->vertex[i].thickness < rest) /* up to the surface: a soft landing would brake a thread */
            v->target = (t->vertex[i].thickness - rest) / sim->constants.dt;
        if (t->restitution > 0.0 && un < -bounce && abut_contact_closes(sim, c, i, un))
            v->target = abut_larger(v->target, -t->restitution * un);
        v->mu = ut1 * ut1 + ut2 * ut2 < stick * stick ? t->mu_static : t->mu_kinetic;
    }
}

/*
 * Resistance to rocking: a torque against the tilting of one body on the other, as if the normal force acted by the
 * length `rolling` ahead of the contact. It is applied once a step and takes at most a part of the tilting away; slow
 * tilting, as of a structure at rest that trembles, is left alone.
 */
static void resist_rolling(AbutSimulation *sim, AbutSolverContact *c) {
    double u[6], n = 0.0, torque[6] = {0, 0, 0, 0, 0, 0};
    c->touch->rocked = 0;
    if (c->link_sides) {
        abut_contact_velocity(sim, c, u);
    } else {
        AbutVec3 w = abut_sub(sim->mover[c->body_b].w, sim->mover[c->body_a].w);
        u[3] = abut_dot(c->e1, w), u[4] = abut_dot(c->e2, w);
    }
    double from = ABUT_ROLLING_FROM * sim->constants.root_gravity / c->touch->root, square = u[3] * u[3] + u[4] * u[4];
    if (!(square > from * from)) return;
    for (int i = 0; i < c->count; ++i) n += c->point[i].n;
    double tilt = sqrt(square), largest = c->touch->phi[3][3] + c->touch->phi[4][4];
    double ramp = abut_smaller(1.0, tilt / from - 1.0), most = c->touch->rolling * n,
           part = ABUT_ROLLING_PART * tilt / largest;
    double length = ramp * (part < most ? part : most);
    if (!(length > 0.0)) return;
    torque[3] = -length * u[3] / tilt;
    torque[4] = -length * u[4] / tilt;
    c->touch->rocked = 1;
    abut_contact_apply(sim, c, torque);
}

static void begin(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    (void)worker;
    abut_contact_set_targets(sim, c);
    if (abut_contact_rests(c)) abut_contact_rest(sim, c);
    abut_contact_warm_start(sim, c);
    if (c->touch->rolling > 0.0) resist_rolling(sim, c);
}

/* One vertex: new impulses from the contact velocity u, which follows; the change of the wrench is added to w. */
static inline void solve_point(
    AbutSolverVertex *v, int16_t *sliding, double alpha, double soft, double u[6], double w[6]) {
    double un = u[2] + u[3] * v->y - u[4] * v->x;
    double n = v->n + ((v->target - un) * v->inv_kn - alpha * v->n) * soft;
    n = n > 0.0 ? n : 0.0;
    double dn = n - v->n;
    v->n = n;
    for (int k = 0; k < 6; ++k) u[k] += v->cn[k] * dn;
    double u1 = u[0] - u[5] * v->yt, u2 = u[1] + u[5] * v->xt, most = v->mu * n;
    double s1 = v->t1 - (v->it11 * u1 + v->it12 * u2), s2 = v->t2 - (v->it12 * u1 + v->it22 * u2);
    *sliding = s1 * s1 + s2 * s2 > most * most;
    if (*sliding) { /* a gradient step from the old impulse, back onto the disc: points against the sliding at the
                         fixed point */
        s1 = v->t1 - v->inv_kt * u1;
        s2 = v->t2 - v->inv_kt * u2;
        double length = sqrt(s1 * s1 + s2 * s2);
        if (length > most) {
            s1 *= most / length;
            s2 *= most / length;
        }
    }
    double d1 = s1 - v->t1, d2 = s2 - v->t2;
    v->t1 = s1;
    v->t2 = s2;
    for (int k = 0; k < 6; ++k) u[k] += v->c1[k] * d1 + v->c2[k] * d2;
    w[0] += d1;
    w[1] += d2;
    w[2] += dn;
    w[3] += dn * v->y;
    w[4] -= dn * v->x;
    w[5] += d2 * v->xt - d1 * v->yt;
}

static double visit(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    (void)worker;
    double u[6], w[6] = {0, 0, 0, 0, 0, 0}, u0[6], alpha = c->alpha, soft = 1.0 / (1.0 + alpha);
    abut_contact_velocity(sim, c, u);
    for (int k = 0; k < 6; ++k) u0[k] = u[k];
    if (backward)
        for (int i = c->count - 1; i >= 0; --i) solve_point(&c->point[i], &c->sliding[i], alpha, soft, u, w);
    else
        for (int i = 0; i < c->count; ++i) solve_point(&c->point[i], &c->sliding[i], alpha, soft, u, w);
    if (abut_contact_resists_spin(c)) abut_spin_visit(c, u, w);
    abut_contact_apply(sim, c, w);
    double linear = 0.0, angular = 0.0;
    for (int k = 0; k < 3; ++k) {
        linear += (u[k] - u0[k]) * (u[k] - u0[k]);
        angular += (u[3 + k] - u0[3 + k]) * (u[3 + k] - u0[3 + k]);
    }
    return linear + c->ell * c->ell * angular; /* squared */
}

/* Violation of the law at the vertices: normal velocity off its target, sliding that friction does not oppose fully. */
static double residual(AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6], worst = 0.0;
    abut_contact_velocity(sim, c, u);
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        if (!(v->inv_kn > 0.0)) continue; /* nothing gives way there */
        double miss = u[2] + u[3] * v->y - u[4] * v->x - v->target + c->alpha * v->n / v->inv_kn;
        double u1 = u[0] - u[5] * v->yt, u2 = u[1] + u[5] * v->xt, most = v->mu * v->n;
        worst = abut_larger(worst, v->n > 0.0 ? fabs(miss) : -miss);
        if (v->n <= 0.0) continue;
        double t = abut_hypot(v->t1, v->t2), speed = t < most * (1.0 - 1e-9) || most <= 0.0 ? 0.0 : abut_hypot(u1, u2);
        worst = abut_larger(worst, most > 0.0 ? abut_hypot(u1 + speed * v->t1 / most, u2 + speed * v->t2 / most) : 0.0);
    }
    return worst;
}

const AbutContactModel abut_contact_model_vol = {.name = "vol",
    .number = ABUT_CONTACT_MODEL_VOL,
    .newton = 1,
    .watched = 1,
    .begin = begin,
    .visit = visit,
    .visit_two = abut_visit_two,
    .residual = residual};
