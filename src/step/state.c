/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving and restoring the whole state: bodies, the tree and pool of pairs, contacts with their impulses. One
 * walk over the state serves all three ways (measure, save, restore), so they cannot disagree. The state belongs to a
 * scene with the same bodies and shapes, which a fingerprint checks; geometry, definitions, and settings but gravity
 * are not part of it. Everything is checked before anything is changed: a state that is refused leaves the simulation
 * as it was.
 */
#include "dynamics/solver_tree.h"
#include "scene/scene_state.h"

#include <string.h>

typedef struct Header {
    uint64_t magic;
    uint32_t version, current; /* current: the contacts were built from the scene as it was */
    uint64_t bytes;
    int32_t contact_places, vertex_count, order_count, memory_count, mover_count, contact_free;
    int32_t keeps, pad; /* keeps: with what the model keeps with contacts */
    int64_t step;
    double time, last_dt;
    AbutVec3 gravity;
    AbutMarginRule contact_margins;
    AbutStepConstants constants; /* of the last step: forces are read with them */
    AbutSceneState scene;
} Header;

static const uint64_t MAGIC = 0x65746174736e7562u;
enum { VERSION = 17 };

static void pass_movers(AbutWalk *w, AbutSimulation *sim, int32_t count) {
    AbutSolverBody none = {.island = -1};
    for (int32_t i = 0; i < count; ++i) {
        AbutSolverBody *m = w->way == ABUT_WALK_MEASURE ? &none : &sim->mover[i];
        abut_walk_pass(w, &m->rest_time, sizeof m->rest_time);
        abut_walk_pass(w, &m->asleep, sizeof m->asleep);
        abut_walk_pass(w, &m->slept, sizeof m->slept);
        abut_walk_pass(w, &m->island, sizeof m->island);
        abut_walk_pass(w, &m->force, sizeof m->force);
        abut_walk_pass(w, &m->torque, sizeof m->torque);
        abut_walk_pass(w, &m->odometer, sizeof m->odometer);
    }
}

/* Joints of robots, with the impulses of what holds them and what they are told. Poses follow from them. */
static void pass_robots(AbutWalk *w, AbutSimulation *sim) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; t && i < t->tree_count; ++i) {
        AbutConfiguration *c = t->tree[i].c;
        abut_walk_pass(w, c->q, (size_t)c->tree->nq * sizeof *c->q);
        abut_walk_pass(w, c->v, (size_t)c->tree->nv * sizeof *c->v);
        if (w->way == ABUT_WALK_RESTORE) abut_robot_update(c);
    }
    for (int32_t i = 0; t && i < t->row_count; ++i) {
        abut_walk_pass(w, &t->row[i].impulse, sizeof t->row[i].impulse);
        abut_walk_pass(w, &t->row[i].active, sizeof t->row[i].active);
        abut_walk_pass(w, &t->row[i].locked, sizeof t->row[i].locked);
    }
    for (int32_t i = 0; t && i < t->join_count; ++i) abut_walk_pass(w, t->join[i].impulse, sizeof t->join[i].impulse);
    if (t) {
        abut_walk_pass(w, t->control, (size_t)t->control_count * sizeof *t->control);
        abut_walk_pass(w, t->activation, (size_t)t->control_count * sizeof *t->activation);
        abut_walk_pass(w, t->torque, (size_t)t->torque_count * sizeof *t->torque);
        abut_walk_pass(w, t->acceleration, (size_t)t->torque_count * sizeof *t->acceleration);
    }
}

/* Movers of the bodies as they are now: what was restored is not disturbed. */
static void settle_movers(AbutSimulation *sim, int32_t count) {
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        const AbutBody *body = &sim->scene->body[i];
        AbutSolverBody *m = &sim->mover[i];
        m->alive = body->alive && i < count;
        m->generation = body->generation;
        m->disturbed = body->disturbed;
        m->revision = 0; /* its inertia may be that of other locks */
    }
}

/* A contact without its pointers, which a restored one gets anew. */
static AbutSolverContact unlinked(const AbutSolverContact *c) {
    AbutSolverContact copy = *c;
    copy.point = NULL;
    copy.touch = NULL;
    copy.room = NULL;
    copy.most = c->count;
    return copy;
}

/* Contacts, what others know of them, what the model keeps with them, and the vertices of all. */
static void pass_contacts(AbutWalk *w, AbutContacts *k, const Header *h, AbutVertexChunk *chunk) {
    size_t places = (size_t)h->contact_places, room = h->keeps ? places * sizeof *k->room : 0;
    for (size_t i = 0; i < places; ++i) {
        AbutSolverContact c = w->way == ABUT_WALK_SAVE ? unlinked(&k->at[i]) : (AbutSolverContact){0};
        abut_walk_pass(w, w->way == ABUT_WALK_RESTORE ? &k->at[i] : &c, sizeof c);
    }
    abut_walk_pass(w, k->touch, places * sizeof *k->touch);
    if (w->way == ABUT_WALK_RESTORE && k->keeps && !h->keeps && places > 0)
        memset(k->room, 0, places * sizeof *k->room);
    if (w->way == ABUT_WALK_RESTORE && !k->keeps)
        w->used += room;
    else
        abut_walk_pass(w, k->room, room);
    if (w->way == ABUT_WALK_RESTORE)
        abut_walk_pass(
            w, abut_contacts_adopt(k, h->contact_places, chunk), (size_t)h->vertex_count * sizeof *k->at->point);
    else if (w->way == ABUT_WALK_MEASURE)
        abut_walk_pass(w, NULL, (size_t)h->vertex_count * sizeof *k->at->point);
    for (size_t i = 0; i < places && w->way == ABUT_WALK_SAVE; ++i)
        abut_walk_pass(w, k->at[i].point, (size_t)k->at[i].count * sizeof *k->at->point);
}

/* `chunk` for the vertices of contacts that are restored. */
static void pass_arrays(AbutWalk *w, AbutSimulation *sim, const Header *h, AbutVertexChunk *chunk) {
    pass_contacts(w, &sim->contacts, h, chunk);
    abut_scene_state_pass(w, sim->scene, &h->scene);
    pass_movers(w, sim, h->mover_count);
    abut_walk_pass(w, sim->contacts.memory, (size_t)h->memory_count * sizeof *sim->contacts.memory);
    abut_walk_pass(w, sim->islands.order, (size_t)h->order_count * sizeof *sim->islands.order);
    pass_robots(w, sim);
}

static Header describe(const AbutSimulation *sim) {
    Header h;
    memset(&h, 0, sizeof h);
    h.magic = MAGIC;
    h.version = VERSION;
    h.current = sim->contacts.revision == sim->scene->revision;
    h.contact_places = sim->contacts.places, h.contact_free = sim->contacts.free;
    h.keeps = sim->contacts.keeps;
    for (int32_t i = 0; i < h.contact_places; ++i) h.vertex_count += sim->contacts.at[i].count;
    h.memory_count = sim->contacts.memory_count, h.order_count = sim->islands.order_count;
    h.mover_count = sim->mover_count;
    h.step = sim->step, h.time = sim->time, h.last_dt = sim->last_dt;
    h.gravity = sim->def.gravity;
    h.contact_margins = sim->contacts.margins;
    h.constants = sim->constants;
    h.scene = abut_scene_state(sim->scene);
    return h;
}

/* Bytes of a state with this header, the hash at the end included. */
static size_t measure(const AbutSimulation *simulation, const Header *h) {
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* measuring writes nothing that a step would not */
    abut_trees_follow(sim, NULL);
    AbutWalk w = {ABUT_WALK_MEASURE, NULL, sizeof *h};
    pass_arrays(&w, sim, h, NULL);
    return w.used + sizeof(uint64_t);
}

size_t abut_simulation_state_size(const AbutSimulation *simulation) {
    ABUT_ASSERT(simulation);
    Header h = describe(simulation);
    return measure(simulation, &h);
}

void abut_simulation_save(const AbutSimulation *simulation, void *state) {
    ABUT_ASSERT(simulation && state);
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* saving reads only */
    Header h = describe(sim);
    h.bytes = measure(sim, &h);
    AbutWalk w = {ABUT_WALK_SAVE, state, sizeof h};
    memcpy(state, &h, sizeof h);
    pass_arrays(&w, sim, &h, NULL);
    uint64_t hash = abut_hash(state, w.used, 0);
    memcpy((unsigned char *)state + w.used, &hash, sizeof hash);
}

/* Room for the arrays that the header announces. */
static int reserve(AbutSimulation *sim, const Header *h) {
    AbutContacts *c = &sim->contacts;
    AbutIslands *i = &sim->islands;
    return abut_movers_reserve(sim) && abut_scene_state_reserve(sim->scene, &h->scene) &&
           abut_grow((void **)&c->memory, &c->memory_capacity, (size_t)h->memory_count, sizeof *c->memory) &&
           abut_contacts_reserve(c, h->contact_places) &&
           abut_grow((void **)&i->order, &i->order_capacity, (size_t)h->order_count, sizeof *i->order);
}

/* Are the vertices of the contacts of a state as many as its header says? */
static int counts_agree(const void *state, const Header *h) {
    const unsigned char *at = (const unsigned char *)state + sizeof *h + offsetof(AbutSolverContact, count);
    int64_t sum = 0;
    int good = 1;
    for (int32_t i = 0; i < h->contact_places && good; ++i, at += sizeof(AbutSolverContact)) {
        int16_t count;
        memcpy(&count, at, sizeof count);
        good = count >= 0 && count <= ABUT_CONTACT_VERTICES;
        sum += count;
    }
    return good && sum == h->vertex_count;
}

static AbutStatus check_state(const AbutSimulation *sim, const void *state, size_t bytes, Header *h, AbutError *error) {
    if (bytes < sizeof *h + sizeof(uint64_t))
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved state: %zu bytes are too few", bytes);
    memcpy(h, state, sizeof *h);
    if (h->magic != MAGIC || h->version != VERSION || h->bytes != bytes)
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved state: not a state of this version, or cut short");
    uint64_t hash;
    memcpy(&hash, (const unsigned char *)state + bytes - sizeof hash, sizeof hash);
    if (hash != abut_hash(state, bytes - sizeof hash, 0))
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved state: damaged");
    if (!abut_scene_state_belongs(&h->scene, sim->scene))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "saved state: of another scene (%d bodies and %d shapes were saved, %d and %d are here, or they differ)",
            h->scene.body_places, h->scene.shape_places, sim->scene->body_places, sim->scene->shape_places);
    int good = h->contact_places >= 0 && h->vertex_count >= 0 && (h->keeps == 0 || h->keeps == 1) &&
               h->order_count >= 0 && h->order_count <= h->contact_places && h->memory_count >= 0 &&
               h->mover_count >= 0 && h->mover_count <= h->scene.body_places &&
               abut_scene_state_counts(&h->scene, bytes);
    if (!good || !abut_is_finite(h->gravity) || measure(sim, h) != bytes || !counts_agree(state, h))
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved state: inconsistent");
    return ABUT_OK;
}

AbutStatus abut_simulation_restore(AbutSimulation *sim, const void *state, size_t bytes, AbutError *error) {
    ABUT_ASSERT(sim && (state || bytes == 0));
    Header h;
    AbutStatus status = check_state(sim, state, bytes, &h, error);
    if (status != ABUT_OK) return status;
    AbutVertexChunk *chunk = reserve(sim, &h) ? abut_vertices_chunk(h.vertex_count) : NULL;
    if (!chunk) return abut_fail_memory(error);
    AbutWalk w = {ABUT_WALK_RESTORE, (unsigned char *)(uintptr_t)state, sizeof h};
    pass_arrays(&w, sim, &h, chunk);
    int same = abut_scene_state_end(sim->scene, &h.scene);
    settle_movers(sim, h.mover_count);
    sim->contacts.free = h.contact_free;
    sim->contacts.chained = 1; /* perhaps */
    sim->contacts.memory_count = h.memory_count, sim->islands.order_count = h.order_count;
    sim->contacts.margins = h.contact_margins;
    sim->contacts.revision = h.current && same ? sim->scene->revision : sim->scene->revision - 1;
    sim->events.count = 0;
    sim->awake.body_count = -1; /* the next step looks at everything */
    sim->awake.settled_bodies = 0;
    sim->islands.listed = sim->sizes.known = 0; /* what was found for other contacts */
    sim->step = h.step, sim->time = h.time, sim->last_dt = h.last_dt;
    sim->constants = h.constants;
    sim->def.gravity = h.gravity;
    return ABUT_OK;
}
