/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bodies that a step looks at. Islands that sleep and that nothing awake touches are settled: their bodies, pairs
 * and contacts stay as they are until something is done to a body or something touches one of them. Steps run over
 * lists without them, so that they cost nothing.
 *
 * In: who sleeps and who touches whom at the end of a step. Out: the lists of movers and pairs that the next step looks
 * at; settled contacts stand first in sim->islands.order, and settled islands have the lowest numbers. Lists are made
 * anew when a contact begins or ends and when a body falls asleep or wakes; before anything that may concern a settled
 * body they have everything again, and a step over all of it does what it would have done anyway: results do not depend
 * on what was settled.
 */
#include "dynamics/mover.h"

#include <string.h>

void abut_awake_free(AbutAwake *awake) {
    abut_free(awake->body);
    abut_free(awake->pair);
    abut_free(awake->build);
    abut_free(awake->settled);
    abut_free(awake->settled_energy);
    abut_free(awake->still);
}

/* ---- everything -------------------------------------------------------------------------------------------------- */

static int reserve(AbutAwake *awake, size_t bodies) {
    size_t was = awake->settled_capacity;
    if (!abut_grow((void **)&awake->body, &awake->body_capacity, bodies, sizeof *awake->body) ||
        !abut_grow(
            (void **)&awake->settled_energy, &awake->settled_energy_capacity, bodies, sizeof *awake->settled_energy) ||
        !abut_grow((void **)&awake->settled, &awake->settled_capacity, bodies, sizeof *awake->settled))
        return 0;
    if (awake->settled_capacity > was) memset(awake->settled + was, 0, awake->settled_capacity - was);
    return 1;
}

int abut_awake_all(AbutSimulation *sim) {
    if (!reserve(&sim->awake, (size_t)sim->mover_count)) return 0;
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        sim->awake.body[i] = i;
        sim->awake.settled[i] = 0;
    }
    sim->awake.body_count = sim->mover_count;
    sim->awake.settled_bodies = sim->awake.settled_contacts = sim->awake.settled_islands = sim->awake.settled_vertices =
        0;
    sim->awake.settled_depth = 0.0;
    sim->awake.seen_revision = sim->scene->revision;
    sim->awake.seen_disturbances = sim->scene->disturbances;
    sim->awake.pairs_listed = 0;
    sim->awake.all = 1;
    sim->islands.listed = 0;
    return 1;
}

/* Was something done to a settled body since? */
static int is_disturbed(AbutSimulation *sim) {
    const AbutScene *scene = sim->scene;
    if (scene->disturbances - sim->awake.seen_disturbances > ABUT_DISTURBED_KEPT) return 1;
    for (; sim->awake.seen_disturbances != scene->disturbances; ++sim->awake.seen_disturbances)
        if (sim->awake.settled[scene->disturbed[sim->awake.seen_disturbances % ABUT_DISTURBED_KEPT]]) return 1;
    return 0;
}

int abut_awake_follow(AbutSimulation *sim) {
    const AbutScene *scene = sim->scene;
    int same = sim->awake.body && sim->awake.body_count + sim->awake.settled_bodies == sim->mover_count &&
               sim->awake.seen_revision == scene->revision;
    int quiet = sim->awake.settled_bodies == 0 ||
                (abut_margin_rule_same(sim->contacts.margins, sim->constants.margins) && same && !is_disturbed(sim));
    return (same && quiet) || abut_awake_all(sim);
}

int abut_awake_list_pairs(AbutSimulation *sim) {
    const AbutScene *scene = sim->scene;
    if (sim->awake.pairs_listed && sim->awake.seen_pairs == scene->pair_changes) return 1;
    if (!abut_grow((void **)&sim->awake.pair, &sim->awake.pair_capacity, (size_t)scene->pair_places,
            sizeof *sim->awake.pair) ||
        !abut_grow((void **)&sim->awake.build, &sim->awake.build_capacity, (size_t)scene->pair_places,
            sizeof *sim->awake.build))
        return 0;
    sim->awake.pair_count = sim->awake.all_pairs = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        const AbutScenePair *pair = &scene->pair[i];
        if (!pair->alive) continue;
        ++sim->awake.all_pairs;
        if (!sim->awake.settled[scene->shape[pair->a].body] || !sim->awake.settled[scene->shape[pair->b].body])
            sim->awake.pair[sim->awake.pair_count++] = i;
    }
    sim->awake.pairs_listed = 1;
    sim->awake.seen_pairs = scene->pair_changes;
    return 1;
}

int abut_awake_touched(AbutSimulation *sim) {
    for (int32_t k = 0; k < sim->awake.pair_count && sim->awake.settled_bodies > 0; ++k) {
        int32_t contact = sim->contacts.memory[sim->awake.pair[k]].contact;
        while (contact >= 0 && sim->contacts.touch[contact].sensor) contact = sim->contacts.touch[contact].next - 1;
        if (contact < 0) continue;
        const AbutSolverContact *c = &sim->contacts.at[contact];
        if ((sim->awake.settled[c->body_a] && sim->mover[c->body_a].inv_mass > 0.0) || sim->awake.settled[c->body_b])
            return abut_awake_all(sim) && abut_awake_list_pairs(sim);
    }
    return 1;
}

/* ---- settling ---------------------------------------------------------------------------------------------------- */

/* A body touched by an awake moving body, or by a robot, does not settle. */
static void mark_held(AbutSimulation *sim) {
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        sim->islands.at[i].held =
            !sim->islands.at[i].asleep || sim->islands.at[i].tree_count + sim->islands.at[i].join_count > 0;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        if (sim->mover[c->body_a].kind == ABUT_BODY_KINEMATIC) sim->islands.at[c->touch->island].held = 1;
    }
}

static int settles(const AbutSimulation *sim, const AbutSolverBody *m) {
    if (!m->alive || m->kind == ABUT_BODY_STATIC) return 1;
    return m->inv_mass > 0.0 && m->asleep && m->tree < 0 && (m->island < 0 || !sim->islands.at[m->island].held);
}

/* Settled islands get the numbers after those that are; `held` becomes the new number of each. */
static void number_islands(AbutSimulation *sim) {
    int32_t settled = sim->awake.settled_islands, other = settled;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) other += !sim->islands.at[i].held;
    int32_t first_other = other;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        sim->islands.at[i].held = sim->islands.at[i].held ? other++ : settled++;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        if (m->alive && m->island >= 0) m->island = sim->islands.at[m->island].held;
    }
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        AbutSolverContact *c = abut_ordered_contact(sim, k);
        c->touch->island = sim->islands.at[c->touch->island].held;
    }
    sim->awake.settled_islands = first_other;
}

/* Settled contacts to the front, by height. */
static void order_settled(AbutSimulation *sim) {
    int32_t *room = sim->islands.contact, count = sim->awake.settled_contacts, others = 0;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        if (c->touch->island < sim->awake.settled_islands) {
            sim->awake.settled_depth = abut_larger(sim->awake.settled_depth, c->touch->depth);
            sim->awake.settled_vertices += c->count;
            sim->islands.order[count++] = sim->islands.order[k];
        } else {
            room[others++] = sim->islands.order[k];
        }
    }
    if (others > 0) memcpy(sim->islands.order + count, room, (size_t)others * sizeof *room);
    sim->awake.settled_contacts = count;
    abut_sort_by_height(&sim->islands, 0, count);
}

static void list_active(AbutSimulation *sim) {
    int32_t count = 0;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        if (!sim->awake.settled[i]) sim->awake.body[count++] = i;
    }
    sim->awake.settled_bodies += sim->awake.body_count - count;
    sim->awake.body_count = count;
    sim->awake.pairs_listed = 0;
}

void abut_awake_settle(AbutSimulation *sim) {
    int32_t asleep = 0;
    if (!sim->def.sleeping || (!sim->awake.all && sim->events.count == 0)) return;
    for (int32_t k = 0; k < sim->awake.body_count; ++k)
        asleep += sim->mover[sim->awake.body[k]].alive && sim->mover[sim->awake.body[k]].asleep;
    if (asleep == 0 || sim->awake.seen_revision != sim->scene->revision) return;
    mark_held(sim);
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        if (!settles(sim, &sim->mover[i])) continue;
        sim->awake.settled[i] = sim->awake.still[i] = 1;
        sim->awake.settled_energy[i] = abut_body_potential(sim, &sim->scene->body[i]);
    }
    number_islands(sim);
    order_settled(sim);
    list_active(sim);
    sim->awake.seen_disturbances = sim->scene->disturbances;
    sim->awake.all = 0;
    sim->islands.listed = 0;
}
