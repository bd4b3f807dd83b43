/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Islands that ask for nothing. At rest every vertex wants the velocity that brings its thickness back to what it
 * should be. In a pile with more contacts than its bodies have freedoms, wedged by friction, those wishes contradict
 * each other: sweeps shuttle velocities to and fro by the contradiction, without end, and Newton steps do not help. So
 * an island that did not converge for a while, though all it changes and all it wants is slow, wants nothing from then
 * on: no vertex a velocity, no contact compliance. Then sweeps converge, and the pile stands where it is.
 *
 * In: the change of velocity that the sweeps of an island ended with, targets of its vertices. Out: the count
 * `restless` of each contact: steps in succession that it was in such an island; above ABUT_REST_WAIT it rests. Rest
 * ends for all when the island gets a new contact, when velocities change faster, or when a vertex wants more:
 * something moves. An overlap beyond what is wanted by more than the margins of both shapes wants more, too.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

static double slow_of(const AbutSimulation *sim) { return ABUT_REST_SPEED * sim->constants.gravity_dt; }

static int may_rest(const AbutSimulation *sim, const AbutIsland *island) {
    return sim->model->newton && island->tree_count + island->join_count == 0;
}

void abut_island_rest_begin(AbutSimulation *sim, const AbutIsland *island) {
    int32_t least = ABUT_REST_WAIT + 1;
    for (int32_t k = 0; k < island->count; ++k) {
        int32_t count = abut_island_contact(sim, island, k)->touch->restless;
        least = count < least ? count : least;
    }
    if (least > ABUT_REST_WAIT && may_rest(sim, island)) return;
    for (int32_t k = 0; k < island->count; ++k) {
        AbutTouch *t = abut_island_contact(sim, island, k)->touch;
        t->restless = t->restless > ABUT_REST_WAIT ? 0 : t->restless;
    }
}

void abut_contact_rest(const AbutSimulation *sim, AbutSolverContact *c) {
    double slow = slow_of(sim), deep = 0.5 * sim->constants.beta / sim->constants.dt * c->touch->margins;
    for (int i = 0; i < c->count; ++i)
        if (c->point[i].target > abut_smaller(slow, deep) || (c->point[i].n > 0.0 && c->point[i].target < -slow)) {
            c->touch->restless = 0;
            return;
        }
    c->alpha = 0.0;
    for (int i = 0; i < c->count; ++i)
        if (c->point[i].n > 0.0 || c->point[i].target > 0.0) c->point[i].target = 0.0;
}

void abut_island_rest_end(AbutSimulation *sim, const AbutIsland *island) {
    if (!may_rest(sim, island)) return;
    int slow = island->residual < slow_of(sim);
    for (int32_t k = 0; k < island->count; ++k) {
        AbutTouch *t = abut_island_contact(sim, island, k)->touch;
        int rests = t->restless > ABUT_REST_WAIT;
        t->restless = !slow || !(rests || island->capped) ? 0 : rests ? t->restless : t->restless + 1;
    }
}
