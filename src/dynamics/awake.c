/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step looks at. Islands that sleep and that nothing awake touches are settled: their bodies, pairs and contacts
 * stay as they are until something is done to a body or something touches one of them. Steps run over lists without
 * them, so that they cost nothing.
 *
 * In: who sleeps and who touches whom at the end of a step. Out: the lists of movers and pairs that the next step looks
 * at; settled contacts stand first in sim->order, and settled islands have the lowest numbers. Lists are made anew when
 * a contact begins or ends and when a body falls asleep or wakes; before anything that may concern a settled body they
 * have everything again, and a step over all of it does what it would have done anyway: results do not depend on what
 * was settled.
 */
#include "dynamics/mover.h"

#include <string.h>

/* ---- everything -------------------------------------------------------------------------------------------------- */

static int reserve(AbutSimulation *sim)
{
    size_t bodies = (size_t)sim->mover_count, was = sim->settled_capacity;
    if (!abut_grow((void **)&sim->active, &sim->active_capacity, bodies, sizeof *sim->active) ||
        !abut_grow((void **)&sim->settled_energy, &sim->settled_energy_capacity, bodies, sizeof *sim->settled_energy) ||
        !abut_grow((void **)&sim->settled, &sim->settled_capacity, bodies, sizeof *sim->settled))
        return 0;
    if (sim->settled_capacity > was)
        memset(sim->settled + was, 0, sim->settled_capacity - was);
    return 1;
}

int abut_awake_all(AbutSimulation *sim)
{
    if (!reserve(sim))
        return 0;
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        sim->active[i] = i;
        sim->settled[i] = 0;
    }
    sim->active_count = sim->mover_count;
    sim->settled_bodies = sim->settled_contacts = sim->settled_islands = sim->settled_vertices = 0;
    sim->settled_depth = 0.0;
    sim->seen_revision = sim->scene->revision;
    sim->seen_disturbances = sim->scene->disturbances;
    sim->pairs_listed = 0;
    sim->all_awake = 1;
    return 1;
}

/* Was something done to a settled body since? */
static int is_disturbed(AbutSimulation *sim)
{
    const AbutScene *scene = sim->scene;
    if (scene->disturbances - sim->seen_disturbances > ABUT_DISTURBED_KEPT)
        return 1;
    for (; sim->seen_disturbances != scene->disturbances; ++sim->seen_disturbances)
        if (sim->settled[scene->disturbed[sim->seen_disturbances % ABUT_DISTURBED_KEPT]])
            return 1;
    return 0;
}

int abut_awake_follow(AbutSimulation *sim)
{
    const AbutScene *scene = sim->scene;
    int same = sim->active && sim->active_count + sim->settled_bodies == sim->mover_count &&
               sim->seen_revision == scene->revision;
    int quiet = sim->settled_bodies == 0 ||
                (abut_margin_rule_same(sim->contact_margins, sim->constants.margins) && same && !is_disturbed(sim));
    return (same && quiet) || abut_awake_all(sim);
}

int abut_awake_list_pairs(AbutSimulation *sim)
{
    const AbutScene *scene = sim->scene;
    if (sim->pairs_listed && sim->seen_pairs == scene->pair_changes)
        return 1;
    if (!abut_grow((void **)&sim->active_pair, &sim->active_pair_capacity, (size_t)scene->pair_places,
            sizeof *sim->active_pair))
        return 0;
    sim->active_pair_count = sim->pair_count = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        const AbutScenePair *pair = &scene->pair[i];
        if (!pair->alive)
            continue;
        ++sim->pair_count;
        if (!sim->settled[scene->shape[pair->a].body] || !sim->settled[scene->shape[pair->b].body])
            sim->active_pair[sim->active_pair_count++] = i;
    }
    sim->pairs_listed = 1;
    sim->seen_pairs = scene->pair_changes;
    return 1;
}

int abut_awake_touched(AbutSimulation *sim)
{
    for (int32_t k = 0; k < sim->active_pair_count && sim->settled_bodies > 0; ++k) {
        int32_t contact = sim->memory[sim->active_pair[k]].contact;
        if (contact < 0 || sim->contact[contact].sensor)
            continue;
        const AbutSolverContact *c = &sim->contact[contact];
        if ((sim->settled[c->body_a] && sim->mover[c->body_a].inv_mass > 0.0) || sim->settled[c->body_b])
            return abut_awake_all(sim) && abut_awake_list_pairs(sim);
    }
    return 1;
}

/* ---- settling ---------------------------------------------------------------------------------------------------- */

/* What a moving body awake, or a robot, touches does not settle. */
static void mark_held(AbutSimulation *sim)
{
    for (int32_t i = sim->settled_islands; i < sim->island_count; ++i)
        sim->island[i].held = !sim->island[i].asleep || sim->island[i].tree_count + sim->island[i].join_count > 0;
    for (int32_t k = sim->settled_contacts; k < sim->order_count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->order[k]];
        if (sim->mover[c->body_a].kind == ABUT_BODY_KINEMATIC)
            sim->island[c->island].held = 1;
    }
}

static int settles(const AbutSimulation *sim, const AbutSolverBody *m)
{
    if (!m->alive || m->kind == ABUT_BODY_STATIC)
        return 1;
    return m->inv_mass > 0.0 && m->asleep && m->tree < 0 && (m->island < 0 || !sim->island[m->island].held);
}

/* Settled islands get the numbers after those that are; `held` becomes the new number of each. */
static void number_islands(AbutSimulation *sim)
{
    int32_t settled = sim->settled_islands, other = settled;
    for (int32_t i = sim->settled_islands; i < sim->island_count; ++i)
        other += !sim->island[i].held;
    int32_t first_other = other;
    for (int32_t i = sim->settled_islands; i < sim->island_count; ++i)
        sim->island[i].held = sim->island[i].held ? other++ : settled++;
    for (int32_t k = 0; k < sim->active_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->active[k]];
        if (m->alive && m->island >= 0)
            m->island = sim->island[m->island].held;
    }
    for (int32_t k = sim->settled_contacts; k < sim->order_count; ++k) {
        AbutSolverContact *c = &sim->contact[sim->order[k]];
        c->island = sim->island[c->island].held;
    }
    sim->settled_islands = first_other;
}

/* Settled contacts to the front, by height. */
static void order_settled(AbutSimulation *sim)
{
    int32_t *room = sim->island_contact, count = sim->settled_contacts, others = 0;
    for (int32_t k = sim->settled_contacts; k < sim->order_count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->order[k]];
        if (c->island < sim->settled_islands) {
            sim->settled_depth = abut_larger(sim->settled_depth, c->depth);
            sim->settled_vertices += c->count;
            sim->order[count++] = sim->order[k];
        } else {
            room[others++] = sim->order[k];
        }
    }
    if (others > 0)
        memcpy(sim->order + count, room, (size_t)others * sizeof *room);
    sim->settled_contacts = count;
    abut_sort_by_height(sim, 0, count);
}

static void list_active(AbutSimulation *sim)
{
    int32_t count = 0;
    for (int32_t k = 0; k < sim->active_count; ++k) {
        int32_t i = sim->active[k];
        if (!sim->settled[i])
            sim->active[count++] = i;
    }
    sim->settled_bodies += sim->active_count - count;
    sim->active_count = count;
    sim->pairs_listed = 0;
}

void abut_awake_settle(AbutSimulation *sim)
{
    int32_t asleep = 0;
    if (!sim->def.sleeping || (!sim->all_awake && sim->event_count == 0))
        return;
    for (int32_t k = 0; k < sim->active_count; ++k)
        asleep += sim->mover[sim->active[k]].alive && sim->mover[sim->active[k]].asleep;
    if (asleep == 0 || sim->seen_revision != sim->scene->revision)
        return;
    mark_held(sim);
    for (int32_t k = 0; k < sim->active_count; ++k) {
        int32_t i = sim->active[k];
        if (!settles(sim, &sim->mover[i]))
            continue;
        sim->settled[i] = sim->still[i] = 1;
        sim->settled_energy[i] = abut_body_potential(sim, &sim->scene->body[i]);
    }
    number_islands(sim);
    order_settled(sim);
    list_active(sim);
    sim->seen_disturbances = sim->scene->disturbances;
    sim->all_awake = 0;
}
