/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a step, as a list: contacts that began and ended, bodies that fell asleep and woke, bodies of
 * guarded islands. The list lives in the simulation and begins anew with each step; contacts are noted in the order of
 * their pairs, part by part, bodies at the end of the step.
 */
#include "dynamics/mover.h"

#include <string.h>

static AbutEvent *add(AbutEvents *events, AbutEventKind kind) {
    if (!abut_grow((void **)&events->at, &events->capacity, (size_t)events->count + 1, sizeof *events->at)) {
        events->lost = 1;
        return NULL;
    }
    AbutEvent *event = &events->at[events->count++];
    memset(event, 0, sizeof *event);
    event->kind = kind;
    return event;
}

static void name_contact(const AbutSimulation *sim, const AbutSolverContact *c, AbutEvent *event) {
    const AbutScene *scene = sim->scene;
    if (!scene->pair[c->touch->pair].alive || scene->pair[c->touch->pair].serial != c->touch->serial) return;
    event->body_a = abut_scene_body_id(scene, c->body_a);
    event->body_b = abut_scene_body_id(scene, c->body_b);
    event->shape_a = abut_scene_shape_id(scene, c->touch->shape_a);
    event->shape_b = abut_scene_shape_id(scene, c->touch->shape_b);
}

void abut_event_contact(AbutSimulation *sim, const AbutSolverContact *c, AbutEventKind kind) {
    AbutEvent *event = add(&sim->events, kind);
    double u[6] = {0};
    if (!event) return;
    name_contact(sim, c, event);
    event->point = abut_add(sim->mover[c->body_a].x, c->ra);
    event->normal = c->nu;
    if (kind == ABUT_EVENT_BEGIN) abut_contact_velocity(sim, c, u); /* one that ends may come from a saved state */
    event->speed = kind == ABUT_EVENT_BEGIN ? -u[2] : 0.0;
}

static void add_body(AbutSimulation *sim, int32_t place, AbutEventKind kind) {
    AbutEvent *event = sim->mover[place].alive ? add(&sim->events, kind) : NULL;
    if (event) event->body_a = abut_scene_body_id(sim->scene, place);
}

void abut_events_of_bodies(AbutSimulation *sim) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        AbutSolverBody *m = &sim->mover[i];
        int asleep = m->alive && m->asleep;
        if (m->guarded) add_body(sim, i, ABUT_EVENT_GUARDED);
        if (asleep != m->slept) add_body(sim, i, asleep ? ABUT_EVENT_SLEEP : ABUT_EVENT_WAKE);
        m->guarded = 0;
        m->slept = asleep;
    }
}

const AbutEvent *abut_simulation_events(const AbutSimulation *sim, int *count) {
    ABUT_ASSERT(sim && count);
    *count = sim->events.count;
    return sim->events.at;
}
