/* SPDX-License-Identifier: Apache-2.0 */
/* Compact sweeps of large islands: see packed.h. One visit of the copy does what `visit` of model_vol.c does. */
#include "dynamics/packed.h"
#include "dynamics/tolerance.h"

#include <string.h>

void abut_packed_free(AbutPacked *p) {
    abut_lanes_free(&p->lanes);
    abut_free(p->place);
    memset(p, 0, sizeof *p);
}

static int is_packable(const AbutSimulation *sim, const AbutIsland *island) {
    int good = island->count >= ABUT_PACKED_LEAST && island->tree_count + island->join_count == 0;
    for (int32_t k = 0; k < island->count && good; ++k)
        good = abut_contact_is_plain(sim, abut_island_contact(sim, island, k));
    return good;
}

static int32_t add_body(AbutPacked *p, const AbutSolverBody *m, int32_t place) {
    AbutMat3 i = m->inv_inertia;
    AbutLaneBody *body = &p->lanes.body[p->lanes.body_count];
    *body = (AbutLaneBody){{0, 0, 0, 0, 0, 0, m->inv_mass, i.x.x, i.y.y, i.z.z, i.y.x, i.z.x, i.z.y}};
    if (!(m->inv_mass > 0.0)) memset(&body->s[6], 0, 7 * sizeof body->s[0]);
    p->place[p->lanes.body_count] = place;
    return p->lanes.body_count++;
}

/* A body that forces do not move belongs to several islands and keeps its velocity: it may stand here several times. */
static int32_t number_of(AbutSimulation *sim, AbutPacked *p, int32_t place, int32_t *last_fixed) {
    AbutSolverBody *m = &sim->mover[place];
    if (!(m->inv_mass > 0.0)) {
        if (*last_fixed < 0 || p->place[*last_fixed] != place) *last_fixed = add_body(p, m, place);
        return *last_fixed;
    }
    if (m->number < 0) m->number = add_body(p, m, place);
    return m->number;
}

static void number_bodies(AbutSimulation *sim, const AbutIsland *island, AbutPacked *p) {
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        sim->mover[c->body_b].number = -1;
        if (sim->mover[c->body_a].inv_mass > 0.0) sim->mover[c->body_a].number = -1;
    }
    for (int32_t k = 0, last = -1; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        int32_t a = number_of(sim, p, c->body_a, &last), b = number_of(sim, p, c->body_b, &last);
        p->lanes.contact[p->lanes.contact_count++] = (AbutLaneContact){a, b, c->count, 0, 0, 0};
    }
}

static void put3(double to[3][ABUT_LANES], int k, AbutVec3 v) { to[0][k] = v.x, to[1][k] = v.y, to[2][k] = v.z; }

static void copy_contact(AbutLanes *lanes, const AbutLaneContact *at, const AbutSolverContact *c) {
    AbutLaneGroup *to = &lanes->group[at->group];
    AbutLaneVertex *vertex = &lanes->vertex[to->first];
    int k = at->lane;
    put3(to->frame, k, c->e1), put3(to->frame + 3, k, c->e2), put3(to->frame + 6, k, c->nu);
    put3(to->ra, k, c->ra), put3(to->rb, k, c->rb);
    to->alpha[k] = c->alpha, to->ell[k] = c->ell, to->torsion[k] = c->touch->torsion;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) to->phi[ABUT_LANE_PHI(i, j)][k] = c->touch->phi[j][i];
    for (int i = 0; i < c->count; ++i, ++vertex) {
        const AbutSolverVertex *v = &c->point[i];
        vertex->x[k] = v->x, vertex->y[k] = v->y, vertex->target[k] = v->target;
        vertex->n[k] = v->n, vertex->t1[k] = v->t1, vertex->t2[k] = v->t2;
        vertex->inv_kn[k] = v->inv_kn, vertex->inv_kt[k] = v->inv_kt, vertex->mu[k] = v->mu;
        vertex->it11[k] = v->it11, vertex->it12[k] = v->it12, vertex->it22[k] = v->it22;
        vertex->sliding[k] = c->sliding[i];
    }
}

int abut_packed_begin(AbutSimulation *sim, AbutIsland *island, AbutPacked *p) {
    if (!is_packable(sim, island)) return 0;
    size_t bodies = 2 * (size_t)island->count + 1;
    int good = abut_lanes_reserve(&p->lanes, island->count) &&
               abut_grow((void **)&p->place, &p->place_capacity, bodies, sizeof *p->place);
    if (good) {
        number_bodies(sim, island, p);
        good = abut_lanes_arrange(&p->lanes);
    }
    island->starved |= !good;
    return good;
}

/* Shared by the threads of a team. */
typedef struct Copying {
    AbutSimulation *sim;
    const AbutIsland *island;
    AbutLanes *lanes;
} Copying;

static void fill_contact(int32_t k, int32_t soon, int worker, void *user) {
    const Copying *to = user;
    AbutSolverContact *c = abut_island_contact(to->sim, to->island, k);
    abut_contact_fetch(abut_island_contact(to->sim, to->island, soon));
    to->sim->model->begin(to->sim, c, worker);
    copy_contact(to->lanes, &to->lanes->contact[k], c);
}

static void copy_velocities(const AbutSimulation *sim, AbutPacked *p) {
    for (int32_t i = 0; i < p->lanes.body_count; ++i) {
        const AbutSolverBody *m = &sim->mover[p->place[i]];
        const double now[6] = {m->v.x, m->v.y, m->v.z, m->w.x, m->w.y, m->w.z};
        memcpy(p->lanes.body[i].s, now, sizeof now);
    }
}

void abut_packed_fill(AbutSimulation *sim, const AbutIsland *island, AbutPacked *p) {
    Copying to = {sim, island, &p->lanes};
    abut_lanes_each(&p->lanes, sim->solver.team, fill_contact, &to);
    copy_velocities(sim, p);
}

enum { GRAIN = 512 };

static void renew_contacts(int begin, int end, int worker, void *user) {
    const Copying *to = user;
    (void)worker;
    for (int k = begin; k < end; ++k) {
        const AbutSolverContact *c = abut_island_contact(to->sim, to->island, k);
        const AbutLaneContact *at = &to->lanes->contact[k];
        AbutLaneVertex *v = &to->lanes->vertex[to->lanes->group[at->group].first];
        for (int i = 0; i < c->count; ++i, ++v) {
            v->n[at->lane] = c->point[i].n;
            v->t1[at->lane] = c->point[i].t1;
            v->t2[at->lane] = c->point[i].t2;
        }
    }
}

void abut_packed_renew(AbutSimulation *sim, const AbutIsland *island, AbutPacked *p) {
    Copying to = {sim, island, &p->lanes};
    abut_parallel_for(island->count, GRAIN, sim->solver.team, renew_contacts, &to);
    copy_velocities(sim, p);
}

static void read_contacts(int begin, int end, int worker, void *user) {
    const Copying *from = user;
    (void)worker;
    for (int k = begin; k < end; ++k) {
        AbutSolverContact *c = abut_island_contact(from->sim, from->island, k);
        abut_contact_fetch(abut_island_contact(from->sim, from->island, k + 4 < end ? k + 4 : k));
        const AbutLaneContact *at = &from->lanes->contact[k];
        const AbutLaneVertex *v = &from->lanes->vertex[from->lanes->group[at->group].first];
        for (int i = 0; i < c->count; ++i, ++v) {
            c->point[i].n = v->n[at->lane];
            c->point[i].t1 = v->t1[at->lane];
            c->point[i].t2 = v->t2[at->lane];
            c->sliding[i] = v->sliding[at->lane] != 0;
        }
    }
}

void abut_packed_end(AbutSimulation *sim, const AbutIsland *island, AbutPacked *p) {
    Copying from = {sim, island, &p->lanes};
    abut_parallel_for(island->count, GRAIN, sim->solver.team, read_contacts, &from);
    for (int32_t i = 0; i < p->lanes.body_count; ++i) {
        AbutSolverBody *m = &sim->mover[p->place[i]];
        const double *s = p->lanes.body[i].s;
        if (m->inv_mass > 0.0) {
            m->v = abut_vec3(s[0], s[1], s[2]);
            m->w = abut_vec3(s[3], s[4], s[5]);
        }
    }
}
