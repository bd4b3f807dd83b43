/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Impacts one after the other. Balls in a row that touch strike in turn: solved all at once, the first of five would
 * bounce back from four. In: an island after gravity and forces, before the impulses of its contacts. Out: velocities
 * after the impacts; they count as those before the step, so that what has bounced is left alone.
 *
 * Method: of the contacts with one vertex and restitution the one that closes fastest gets its impulse, with what
 * friction allows, until none closes faster than bodies at rest do. Contacts of several vertices share their blow and
 * are left to the sweeps. Every impulse takes energy or keeps it; the number of them has a limit.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

/* Impacts of an island: so many for each contact, and contacts looked at in all. */
enum { IMPACTS = 20, LOOKS = 400000 };

static int may_strike(const AbutSolverContact *c) {
    return c->touch->restitution > 0.0 && c->count == 1 && !c->link_sides && c->point[0].inv_kn > 0.0;
}

/* Speed along the normal without what gravity and forces add in this step. */
static double closing(const AbutSimulation *sim, const AbutSolverContact *c) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    double now[6], kick[6];
    AbutVec3 va = abut_sub(a->free_v, a->start_v), vb = abut_sub(b->free_v, b->start_v),
             wa = abut_sub(a->free_w, a->start_w), wb = abut_sub(b->free_w, b->start_w);
    abut_contact_velocity(sim, c, now);
    abut_contact_relative(c, va, wa, vb, wb, kick);
    return now[2] - kick[2] + (now[3] - kick[3]) * c->point[0].y - (now[4] - kick[4]) * c->point[0].x;
}

static void strike(const AbutSimulation *sim, AbutSolverContact *c, double speed) {
    const AbutSolverVertex *v = &c->point[0];
    double u[6];
    abut_contact_velocity(sim, c, u);
    double n = (-c->touch->restitution * speed - (u[2] + u[3] * v->y - u[4] * v->x)) * v->inv_kn;
    if (!(n > 0.0)) return;
    for (int k = 0; k < 6; ++k) u[k] += v->cn[k] * n;
    double u1 = u[0] - u[5] * v->yt, u2 = u[1] + u[5] * v->xt, t1 = -(v->it11 * u1 + v->it12 * u2),
           t2 = -(v->it12 * u1 + v->it22 * u2), t = sqrt(t1 * t1 + t2 * t2), most = c->touch->mu_kinetic * n;
    if (t > most) t1 *= most / t, t2 *= most / t;
    double w[6] = {t1, t2, n, n * v->y, -n * v->x, t2 * v->xt - t1 * v->yt};
    abut_contact_apply(sim, c, w);
    for (int k = 0; k < 6; ++k) c->touch->impact[k] += w[k];
}

/* Impulses added in this step stay added. */
static void begin_here(AbutSolverBody *m) {
    if (!(m->inv_mass > 0.0)) return;
    m->start_v = abut_sub(m->v, abut_sub(m->free_v, m->start_v));
    m->start_w = abut_sub(m->w, abut_sub(m->free_w, m->start_w));
    m->free_v = m->v;
    m->free_w = m->w;
}

void abut_island_strike(AbutSimulation *sim, const AbutIsland *island) {
    int64_t looks = 0, strikes = 0, most = IMPACTS * ((int64_t)island->count + 1);
    int able = 0;
    for (int32_t k = 0; k < island->count && !able; ++k) able = may_strike(abut_island_contact(sim, island, k));
    for (; able && strikes < most && looks < LOOKS; ++strikes, looks += island->count) {
        double fastest = -ABUT_BOUNCE_STEPS * sim->constants.gravity_dt;
        AbutSolverContact *first = NULL;
        for (int32_t k = 0; k < island->count; ++k) {
            AbutSolverContact *c = abut_island_contact(sim, island, k);
            double speed = may_strike(c) ? closing(sim, c) : 0.0;
            if (speed < fastest && abut_contact_closes(sim, c, 0, speed)) fastest = speed, first = c;
        }
        if (!first) break;
        strike(sim, first, fastest);
    }
    for (int32_t k = 0; k < island->count && strikes > 0; ++k) {
        begin_here(&sim->mover[abut_island_contact(sim, island, k)->body_a]);
        begin_here(&sim->mover[abut_island_contact(sim, island, k)->body_b]);
    }
}
