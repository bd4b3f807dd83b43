/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order of elimination for the Newton step. In: the contacts of an island, as edges between moving bodies. Out: the
 * bodies in the order of least degree, and the structure of the Cholesky factor.
 *
 * Method: bodies wait in lists by their number of neighbours; the first of the lowest list is taken out, and its
 * neighbours become neighbours of each other. Bodies are numbered by place and edges sorted before that, so the order
 * is a function of the set of edges, of which a sum of hashes is the key: the order is found anew when that changes.
 * Reference: A. George, J. Liu, The evolution of the minimum degree ordering algorithm, SIAM Review 31, 1989.
 */
#include "dynamics/newton.h"
#include "dynamics/tolerance.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 48 }; /* neighbours of a body at its elimination stay below this */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t edge_key(int32_t a, int32_t b)
{
    return (uint64_t)(uint32_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
}

/* Key of a contact: its two bodies, or the one that moves twice. */
static uint64_t contact_key(const AbutSimulation *sim, const AbutSolverContact *c)
{
    return edge_key(sim->mover[c->body_a].inv_mass > 0.0 ? c->body_a : c->body_b, c->body_b);
}

int32_t abut_newton_contacts(const AbutSimulation *sim, const AbutIsland *island)
{
    int32_t count = 0;
    for (int32_t k = 0; k < island->count; ++k)
        count += !sim->contact[sim->island_contact[island->first + k]].link_sides;
    return count;
}

static uint64_t island_key(const AbutSimulation *sim, const AbutIsland *island)
{
    uint64_t sum = (uint64_t)abut_newton_contacts(sim, island);
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        if (!c->link_sides)
            sum += mixed(contact_key(sim, c) + 1);
    }
    return sum;
}

/* ---- graph ------------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_places(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

#define ROOM(owner, field, n)                                                                                          \
    abut_grow((void **)&(owner)->field, &(owner)->field##_capacity, (n), sizeof *(owner)->field)

/* Bodies of the island by place, numbered. 0: no memory. */
static int number_bodies(AbutSimulation *sim, const AbutIsland *island, AbutNewtonOrder *o)
{
    int32_t count = 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        if (c->link_sides)
            continue;
        sim->mover[c->body_b].number = -1;
        if (sim->mover[c->body_a].inv_mass > 0.0)
            sim->mover[c->body_a].number = -1;
    }
    if (!ROOM(o, body, 2 * (size_t)island->count))
        return 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        int32_t side[2] = {c->body_b, sim->mover[c->body_a].inv_mass > 0.0 ? c->body_a : c->body_b};
        for (int s = 0; s < 2 && !c->link_sides; ++s)
            if (sim->mover[side[s]].number < 0) {
                sim->mover[side[s]].number = count;
                o->body[count++] = side[s];
            }
    }
    qsort(o->body, (size_t)count, sizeof *o->body, compare_places);
    for (int32_t i = 0; i < count; ++i)
        sim->mover[o->body[i]].number = i;
    o->count = count;
    return 1;
}

static int reserve(AbutNewton *n, AbutNewtonOrder *o, size_t contacts)
{
    size_t bodies = (size_t)o->count;
    return ROOM(n, edge, contacts) && ROOM(n, degree, bodies) && ROOM(n, head, (size_t)WIDEST + 1) &&
           ROOM(n, link, bodies) && ROOM(n, back, bodies) && ROOM(n, near_count, bodies) &&
           ROOM(n, near, bodies * WIDEST) && ROOM(o, first, bodies + 1) && ROOM(o, up_first, bodies + 1) &&
           ROOM(o, row, bodies * WIDEST);
}

/* Adds a neighbour unless it is there; 0: there are too many. */
static int add_near(AbutNewton *n, int32_t of, int32_t neighbour)
{
    int32_t *list = n->near + (size_t)of * WIDEST;
    for (int32_t i = 0; i < n->near_count[of]; ++i)
        if (list[i] == neighbour)
            return 1;
    if (n->near_count[of] >= WIDEST - 1)
        return 0;
    list[n->near_count[of]++] = neighbour;
    return 1;
}

/* Neighbours of each body from the sorted edges; 0: some have too many. */
static int list_neighbours(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n, AbutNewtonOrder *o)
{
    int32_t count = 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        if (!c->link_sides)
            n->edge[count++] = contact_key(sim, c);
    }
    qsort(n->edge, (size_t)count, sizeof *n->edge, compare_keys);
    memset(n->near_count, 0, (size_t)o->count * sizeof *n->near_count);
    for (int32_t k = 0; k < count; ++k) {
        int32_t a = sim->mover[n->edge[k] >> 32].number, b = sim->mover[n->edge[k] & UINT32_MAX].number;
        if (a != b && (!add_near(n, a, b) || !add_near(n, b, a)))
            return 0;
    }
    return 1;
}

/* ---- least degree ------------------------------------------------------------------------------------------------ */

static void put_in(AbutNewton *n, int32_t i)
{
    int32_t *head = &n->head[n->near_count[i]];
    n->degree[i] = n->near_count[i];
    n->link[i] = *head;
    n->back[i] = -1;
    if (*head >= 0)
        n->back[*head] = i;
    *head = i;
}

static void take_out(AbutNewton *n, int32_t i)
{
    if (n->link[i] >= 0)
        n->back[n->link[i]] = n->back[i];
    if (n->back[i] >= 0)
        n->link[n->back[i]] = n->link[i];
    else
        n->head[n->degree[i]] = n->link[i];
}

static void remove_near(AbutNewton *n, int32_t of, int32_t neighbour)
{
    int32_t *list = n->near + (size_t)of * WIDEST, i = 0;
    while (list[i] != neighbour)
        ++i;
    list[i] = list[--n->near_count[of]];
}

/* The neighbours of v become neighbours of each other; 0: some have too many. */
static int join_neighbours(AbutNewton *n, int32_t v)
{
    const int32_t *list = n->near + (size_t)v * WIDEST;
    for (int32_t i = 0; i < n->near_count[v]; ++i) {
        take_out(n, list[i]);
        remove_near(n, list[i], v);
        for (int32_t k = 0; k < n->near_count[v]; ++k)
            if (k != i && !add_near(n, list[i], list[k]))
                return 0;
        put_in(n, list[i]);
    }
    return 1;
}

/* Eliminates all bodies: place[i] is the turn of body i, rows of the columns are bodies yet. 0: too dear. */
static int eliminate(AbutNewton *n, AbutNewtonOrder *o, double budget, int32_t *turn)
{
    double work = 0.0;
    for (int d = 0; d <= WIDEST; ++d)
        n->head[d] = -1;
    for (int32_t i = o->count - 1; i >= 0; --i)
        put_in(n, i);
    o->first[0] = 0;
    for (int32_t j = 0; j < o->count; ++j) {
        int low = 0;
        while (n->head[low] < 0)
            ++low;
        int32_t v = n->head[low], near = n->near_count[v];
        take_out(n, v);
        turn[v] = j;
        memcpy(o->row + o->first[j], n->near + (size_t)v * WIDEST, (size_t)near * sizeof *o->row);
        o->first[j + 1] = o->first[j] + near;
        work += 0.5 * (near + 1) * (near + 2);
        if (work > budget || !join_neighbours(n, v))
            return 0;
    }
    return 1;
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

/* Bodies in their order; `was` is room for them by place. */
static void reorder_bodies(AbutNewtonOrder *o, const int32_t *turn, int32_t *was)
{
    memcpy(was, o->body, (size_t)o->count * sizeof *was);
    for (int32_t i = 0; i < o->count; ++i)
        o->body[turn[i]] = was[i];
}

/* 0: no memory. */
static int find_order(AbutSimulation *sim, const AbutIsland *island, AbutNewton *n, AbutNewtonOrder *o)
{
    double budget = ABUT_NEWTON_BUDGET * abut_newton_contacts(sim, island) + ABUT_NEWTON_BUDGET_LEAST;
    o->refused = 1;
    if (!number_bodies(sim, island, o) || !reserve(n, o, (size_t)island->count))
        return 0;
    int32_t *turn = n->back; /* no longer needed for a body that is out */
    if (!list_neighbours(sim, island, n, o) || !eliminate(n, o, budget, turn))
        return 1;
    o->blocks = o->first[o->count];
    abut_blocks_sort_rows(o->count, o->first, o->row, turn);
    if (!ROOM(o, up_column, (size_t)o->blocks + 1) || !ROOM(o, up_at, (size_t)o->blocks + 1))
        return 0;
    abut_blocks_list_columns(o->count, o->first, o->row, o->up_first, o->up_column, o->up_at, n->link);
    reorder_bodies(o, turn, n->degree);
    o->refused = 0;
    return 1;
}

int abut_newton_order(AbutSimulation *sim, AbutIsland *island, AbutNewton *n)
{
    uint64_t key = island_key(sim, island);
    n->now = NULL;
    for (int i = 0; i < ABUT_NEWTON_ORDERS; ++i)
        if (n->order[i].count > 0 && n->order[i].key == key)
            n->now = &n->order[i];
    if (!n->now) {
        n->now = &n->order[n->next];
        n->next = (n->next + 1) % ABUT_NEWTON_ORDERS;
        n->now->key = key;
        if (!find_order(sim, island, n, n->now)) {
            n->now->count = 0;
            island->starved = 1;
            return 0;
        }
    }
    if (n->now->refused)
        return 0;
    for (int32_t i = 0; i < n->now->count; ++i)
        sim->mover[n->now->body[i]].number = i;
    return 1;
}

static void free_order(AbutNewtonOrder *o)
{
    abut_free(o->body);
    abut_free(o->first);
    abut_free(o->row);
    abut_free(o->up_first);
    abut_free(o->up_column);
    abut_free(o->up_at);
}

void abut_newton_free(AbutNewton *n)
{
    for (int i = 0; i < ABUT_NEWTON_ORDERS; ++i)
        free_order(&n->order[i]);
    abut_free(n->diagonal);
    abut_free(n->below);
    abut_free(n->x);
    abut_free(n->saved);
    abut_free(n->degree);
    abut_free(n->head);
    abut_free(n->link);
    abut_free(n->back);
    abut_free(n->near);
    abut_free(n->near_count);
    abut_free(n->edge);
}
