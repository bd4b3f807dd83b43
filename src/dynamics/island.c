/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Islands: bodies that touch, directly or through others; immovable bodies do not join. Each island is solved on its
 * own, in parallel, so its contacts are listed together, from the lowest up. Also here: which contacts are soft under
 * load, and sleep.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

#include <stdlib.h>
#include <string.h>

static int32_t find_root(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* ---- order by height --------------------------------------------------------------------------------------------- */

static int is_below(const AbutSolverContact *contact, int32_t i, int32_t j)
{
    double a = contact[i].height, b = contact[j].height;
    return a != b ? a < b : i < j;
}

static void merge_sort(const AbutSolverContact *contact, int32_t *order, int32_t *room, int32_t n)
{
    for (int32_t width = 1; width < n; width *= 2) {
        for (int32_t from = 0; from < n; from += 2 * width) {
            int32_t i = from, j = from + width < n ? from + width : n, middle = j,
                    end = from + 2 * width < n ? from + 2 * width : n, k = from;
            while (i < middle && j < end)
                room[k++] = is_below(contact, order[j], order[i]) ? order[j++] : order[i++];
            while (i < middle)
                room[k++] = order[i++];
            while (j < end)
                room[k++] = order[j++];
        }
        memcpy(order, room, (size_t)n * sizeof *order);
    }
}

/* Insertion sort, which is quick on the order of the last step; merge sort where that is no help. */
static void sort_by_height(const AbutSolverContact *contact, int32_t *order, int32_t *room, int32_t n)
{
    int64_t moves = 0;
    for (int32_t i = 1; i < n; ++i) {
        int32_t key = order[i], j = i;
        for (; j > 0 && is_below(contact, key, order[j - 1]); --j, ++moves)
            order[j] = order[j - 1];
        order[j] = key;
        if (moves > 16 * (int64_t)n) {
            merge_sort(contact, order, room, n);
            return;
        }
    }
}

/* Contacts alive: those of the last order that still live, then the new ones; sorted. */
static int order_contacts(AbutSimulation *sim)
{
    size_t places = (size_t)sim->contact_places;
    if (!abut_grow((void **)&sim->order, &sim->order_capacity, places, sizeof *sim->order) ||
        !abut_grow((void **)&sim->island_contact, &sim->island_contact_capacity, places, sizeof *sim->island_contact))
        return 0;
    AbutVec3 up = abut_normalize_or(abut_neg(sim->def.gravity), abut_axis(2));
    int32_t kept = 0;
    for (int32_t k = 0; k < sim->contact_places; ++k)
        sim->contact[k].island = -1;
    for (int32_t k = 0; k < sim->order_count; ++k) {
        AbutSolverContact *c = &sim->contact[sim->order[k]];
        if (c->alive && c->island == -1) {
            c->island = -2; /* listed */
            sim->order[kept++] = sim->order[k];
        }
    }
    for (int32_t k = 0; k < sim->contact_places; ++k) {
        AbutSolverContact *c = &sim->contact[k];
        if (!c->alive)
            continue;
        c->height = abut_dot(up, abut_add(sim->mover[c->body_a].x, c->ra));
        if (c->island == -1)
            sim->order[kept++] = k;
    }
    sim->order_count = kept;
    sort_by_height(sim->contact, sim->order, sim->island_contact, kept);
    return 1;
}

/* ---- islands ----------------------------------------------------------------------------------------------------- */

static int join_bodies(AbutSimulation *sim)
{
    if (!abut_grow((void **)&sim->parent, &sim->parent_capacity, (size_t)sim->mover_count, sizeof *sim->parent))
        return 0;
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        sim->parent[i] = i;
        sim->mover[i].island = -1;
    }
    for (int32_t k = 0; k < sim->order_count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->order[k]];
        if (sim->mover[c->body_a].inv_mass == 0.0)
            continue;
        int32_t i = find_root(sim->parent, c->body_b), j = find_root(sim->parent, c->body_a);
        sim->parent[i > j ? i : j] = i > j ? j : i;
    }
    return 1;
}

/* Numbers the islands by their lowest contact and lists their contacts. */
static int list_islands(AbutSimulation *sim)
{
    sim->island_count = 0;
    for (int32_t k = 0; k < sim->order_count; ++k) {
        AbutSolverContact *c = &sim->contact[sim->order[k]];
        AbutMover *root = &sim->mover[find_root(sim->parent, c->body_b)];
        if (root->island < 0) {
            if (!abut_grow(
                    (void **)&sim->island, &sim->island_capacity, (size_t)sim->island_count + 1, sizeof *sim->island))
                return 0;
            memset(&sim->island[sim->island_count], 0, sizeof *sim->island);
            root->island = sim->island_count++;
        }
        c->island = root->island;
        ++sim->island[c->island].count;
    }
    int32_t at = 0;
    for (int32_t i = 0; i < sim->island_count; ++i) {
        sim->island[i].first = at;
        at += sim->island[i].count;
        sim->island[i].contacts = sim->island[i].count;
        sim->island[i].count = 0;
    }
    for (int32_t k = 0; k < sim->order_count; ++k) {
        AbutIsland *island = &sim->island[sim->contact[sim->order[k]].island];
        sim->island_contact[island->first + island->count++] = sim->order[k];
    }
    for (int32_t i = 0; i < sim->mover_count; ++i)
        if (sim->mover[i].alive && sim->mover[i].inv_mass > 0.0)
            sim->mover[i].island = sim->mover[find_root(sim->parent, i)].island;
    return 1;
}

/* ---- load gate --------------------------------------------------------------------------------------------------- */

/*
 * A contact that carries much more than the weight of its lighter body is part of a tall stack, whose slow modes a few
 * sweeps do not solve; a little compliance there keeps it quiet. Contacts under light load stay rigid, so that friction
 * does not creep.
 */
static void set_compliance(AbutSimulation *sim, double h)
{
    double g = abut_length(sim->def.gravity);
    for (int32_t k = 0; k < sim->order_count; ++k) {
        AbutSolverContact *c = &sim->contact[sim->order[k]];
        const AbutMover *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
        double inv = abut_larger(a->inv_mass, b->inv_mass), load = 0.0;
        for (int i = 0; i < c->count; ++i)
            load += c->point[i].n;
        double weights = g > 0.0 ? load * inv / (g * h) : 0.0;
        c->alpha = sim->constants.alpha *
                   abut_smaller(1.0, abut_larger(0.0, (weights - ABUT_LOAD_FROM) / (ABUT_LOAD_FULL - ABUT_LOAD_FROM)));
    }
}

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

/* An island sleeps when all of its bodies have been slow for long, and wakes when one of them has not. */
static void update_sleep(AbutSimulation *sim)
{
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        AbutMover *body = &sim->mover[i];
        if (!body->alive || body->inv_mass == 0.0)
            continue;
        double speed = abut_length(body->v) + body->size * abut_length(body->w),
               slow = ABUT_SLEEP_SPEED * abut_scale_speed(&sim->def, body->size / ABUT_REFERENCE_SIZE);
        if (!body->asleep)
            body->rest_time = speed < slow && !body->never_sleeps ? body->rest_time + sim->constants.dt : 0.0;
    }
    for (int32_t i = 0; i < sim->island_count; ++i)
        sim->island[i].capped = 1; /* borrowed here: may sleep */
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        AbutMover *body = &sim->mover[i];
        double enough = ABUT_SLEEP_TIME * abut_scale_time(&sim->def, body->size / ABUT_REFERENCE_SIZE);
        if (body->alive && body->island >= 0 && body->rest_time < enough)
            sim->island[body->island].capped = 0;
    }
    for (int32_t k = 0; k < sim->order_count; ++k) { /* a moving kinematic body keeps what it touches awake */
        const AbutSolverContact *c = &sim->contact[sim->order[k]];
        const AbutMover *a = &sim->mover[c->body_a];
        if (a->kind == ABUT_BODY_KINEMATIC && abut_length_sq(a->v) + abut_length_sq(a->w) > 0.0)
            sim->island[c->island].capped = 0;
    }
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        AbutMover *body = &sim->mover[i];
        if (!body->alive || body->inv_mass == 0.0)
            continue;
        int sleeps = body->island >= 0 && sim->island[body->island].capped;
        if (sleeps && !body->asleep)
            body->v = body->w = abut_zero();
        if (!sleeps && body->asleep)
            body->rest_time = 0.0;
        body->asleep = sleeps;
    }
    for (int32_t i = 0; i < sim->island_count; ++i) {
        sim->island[i].asleep = sim->island[i].capped;
        sim->island[i].capped = 0;
    }
}

AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error)
{
    if (!order_contacts(sim) || !join_bodies(sim) || !list_islands(sim))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the islands of %d contacts", sim->contact_places);
    if (sim->def.sleeping)
        update_sleep(sim);
    set_compliance(sim, sim->constants.dt);
    return ABUT_OK;
}
