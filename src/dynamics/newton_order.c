/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structure of the matrix of a Newton step. In: the contacts of an island, as edges between moving bodies. Out: the
 * bodies in the order of least degree and the structure of the Cholesky factor; or, where that is too dear and the
 * island is small or a heavy body stands over light ones, the bodies by place and the structure of the matrix
 * (solve/block_order.h).
 *
 * Bodies are numbered by place and edges sorted before that, so both are functions of the set of edges, of which a sum
 * of hashes is the key: they are found anew when that changes.
 */
#include "dynamics/newton.h"
#include "dynamics/tolerance.h"

#include <stdlib.h>
#include <string.h>

/* The sum before: without it twice a number often has twice its hash, and two contacts of one body the key of one
 * between two others. */
static uint64_t mixed(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Key of a contact: its two bodies, or the one that moves twice. */
static uint64_t contact_key(const AbutSimulation *sim, const AbutSolverContact *c) {
    return abut_pair_key(sim->mover[c->body_a].inv_mass > 0.0 ? c->body_a : c->body_b, c->body_b);
}

int32_t abut_newton_contacts(const AbutSimulation *sim, const AbutIsland *island) {
    int32_t count = 0;
    for (int32_t k = 0; k < island->count; ++k) count += !abut_island_contact(sim, island, k)->link_sides;
    return count;
}

uint64_t abut_newton_key(const AbutSimulation *sim, const AbutIsland *island) {
    uint64_t sum = (uint64_t)abut_newton_contacts(sim, island);
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        if (!c->link_sides) sum += mixed(contact_key(sim, c) + 1);
    }
    return sum;
}

/* ---- graph ------------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_places(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

#define ROOM(owner, field, n)                                                                                          \
    abut_grow((void **)&(owner)->field, &(owner)->field##_capacity, (n), sizeof *(owner)->field)

/* Bodies of the island by place, numbered. 0: no memory. */
static int number_bodies(AbutSimulation *sim, const AbutIsland *island, AbutNewtonOrder *o) {
    int32_t count = 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        if (c->link_sides) continue;
        sim->mover[c->body_b].number = -1;
        if (sim->mover[c->body_a].inv_mass > 0.0) sim->mover[c->body_a].number = -1;
    }
    if (!ROOM(o, body, 2 * (size_t)island->count)) return 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        int32_t side[2] = {c->body_b, sim->mover[c->body_a].inv_mass > 0.0 ? c->body_a : c->body_b};
        for (int s = 0; s < 2 && !c->link_sides; ++s)
            if (sim->mover[side[s]].number < 0) {
                sim->mover[side[s]].number = count;
                o->body[count++] = side[s];
            }
    }
    qsort(o->body, (size_t)count, sizeof *o->body, compare_places);
    for (int32_t i = 0; i < count; ++i) sim->mover[o->body[i]].number = i;
    o->count = count;
    return 1;
}

/* Edges between the numbers of the bodies, sorted. */
static AbutBlockEdges list_edges(const AbutSimulation *sim, const AbutIsland *island, AbutNewton *n) {
    AbutBlockEdges edges = {n->edge, 0, n->now->count};
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        uint64_t key = contact_key(sim, c);
        if (!c->link_sides)
            n->edge[edges.edges++] = abut_pair_key(sim->mover[key >> 32].number, sim->mover[key & UINT32_MAX].number);
    }
    qsort(n->edge, (size_t)edges.edges, sizeof *n->edge, compare_keys);
    return edges;
}

/* Bodies in their order. */
static void reorder_bodies(AbutNewtonOrder *o, const AbutBlockRoom *room) {
    int32_t *was = room->degree; /* no longer needed */
    memcpy(was, o->body, (size_t)o->count * sizeof *was);
    for (int32_t i = 0; i < o->count; ++i) o->body[room->turn[i]] = was[i];
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* 0: no memory. */
static int find_order(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n) {
    AbutNewtonOrder *o = n->now;
    double budget = ABUT_NEWTON_BUDGET * abut_newton_contacts(sim, island) + ABUT_NEWTON_BUDGET_LEAST;
    if (!number_bodies(sim, island, o) || !ROOM(n, edge, (size_t)island->count)) return 0;
    AbutBlockEdges edges = list_edges(sim, island, n);
    o->outcome = abut_blocks_order(&o->structure, &n->room, &edges, budget);
    if (o->outcome == ABUT_BLOCKS_FOUND) reorder_bodies(o, &n->room);
    return o->outcome != ABUT_BLOCKS_STARVED;
}

void abut_newton_number(AbutSimulation *sim, const AbutNewtonOrder *o) {
    for (int32_t i = 0; i < o->count; ++i) sim->mover[o->body[i]].number = i;
}

/* The matrix as it is, for an island whose factor is too dear. 0: no memory. */
static int find_plain(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n) {
    if (!ROOM(n, edge, (size_t)island->count)) return 0;
    abut_newton_number(sim, n->now);
    AbutBlockEdges edges = list_edges(sim, island, n);
    n->now->plain = abut_blocks_of_edges(&n->now->structure, &n->room, &edges);
    return n->now->plain;
}

/* Is there a body far heavier than the lightest that is higher than one far lighter than the heaviest? Sweeps would
 * need as many rounds as the ratio of such masses. */
static int heavy_stands_over_light(const AbutSimulation *sim, const AbutNewtonOrder *o) {
    double least = INFINITY, most = 0.0, heavy = INFINITY,
           light = -(double)INFINITY; /* 1/mass; lengths along gravity */
    for (int32_t i = 0; i < o->count; ++i) {
        least = abut_smaller(least, sim->mover[o->body[i]].inv_mass);
        most = abut_larger(most, sim->mover[o->body[i]].inv_mass);
    }
    for (int32_t i = 0; i < o->count && most > ABUT_NEWTON_RATIO * least; ++i) {
        const AbutSolverBody *m = &sim->mover[o->body[i]];
        double down = abut_dot(sim->def.gravity, m->x);
        if (m->inv_mass * ABUT_NEWTON_RATIO < most) heavy = abut_smaller(heavy, down);
        if (m->inv_mass > ABUT_NEWTON_RATIO * least) light = abut_larger(light, down);
    }
    return heavy <= light;
}

/* Small islands always do: sweeps cost them no less. */
static int wants_gradients(const AbutSimulation *sim, const AbutIsland *island, const AbutNewtonOrder *o) {
    return island->count < ABUT_PACKED_LEAST || heavy_stands_over_light(sim, o);
}

/* The order of this key, or the one that gives way to it. */
static AbutNewtonOrder *order_of(AbutNewton *n, uint64_t key, int *kept) {
    AbutNewtonOrder *o = &n->order[mixed(key) % ABUT_NEWTON_ORDERS];
    *kept = o->count > 0 && o->key == key;
    if (!*kept) o->plain = 0;
    o->key = key;
    return o;
}

int abut_newton_order(AbutSimulation *sim, AbutIsland *island, AbutNewton *n) {
    int kept;
    n->now = order_of(n, abut_newton_key(sim, island), &kept);
    int good = kept || find_order(sim, island, n);
    if (good && n->now->outcome == ABUT_BLOCKS_DEAR) {
        if (!wants_gradients(sim, island, n->now)) return 0;
        good = n->now->plain || find_plain(sim, island, n);
    }
    if (!good) {
        n->now->count = 0;
        island->starved = 1;
    }
    return good;
}

void abut_newton_free(AbutNewton *n) {
    for (int i = 0; i < ABUT_NEWTON_ORDERS; ++i) {
        abut_free(n->order[i].body);
        abut_block_structure_free(&n->order[i].structure);
    }
    abut_block_room_free(&n->room);
    abut_free(n->diagonal);
    abut_free(n->below);
    abut_free(n->x);
    abut_free(n->u);
    abut_free(n->saved.at);
    abut_free(n->edge);
    abut_free(n->gradient);
    abut_tree_newton_free(n->whole);
}
