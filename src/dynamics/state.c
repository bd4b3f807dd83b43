/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving, restoring and hashing the whole state: bodies, the tree and pool of pairs, contacts with their impulses. One
 * walk over the state serves all three ways (measure, save, restore), so they cannot disagree. The state belongs to a
 * scene with the same bodies and shapes, which a fingerprint checks; geometry, definitions, and settings but gravity
 * are not part of it. Everything is checked before anything is changed: a state that is refused leaves the simulation
 * as it was.
 */
#include "dynamics/tree.h"
#include "scene/scene_state.h"

#include <string.h>

typedef struct Header {
    uint64_t magic;
    uint32_t version, current; /* current: the contacts were built from the scene as it was */
    uint64_t bytes;
    int32_t contact_places, order_count, memory_count, mover_count, contact_free, pad;
    int64_t step;
    double time, last_dt;
    AbutVec3 gravity;
    AbutMarginRule contact_margins;
    AbutStepConstants constants; /* of the last step: forces are read with them */
    AbutSceneState scene;
} Header;

static const uint64_t MAGIC = 0x65746174736e7562u;
enum { VERSION = 13 };

static void pass_movers(AbutWalk *w, AbutSimulation *sim, int32_t count)
{
    AbutSolverBody none = {.island = -1};
    for (int32_t i = 0; i < count; ++i) {
        AbutSolverBody *m = w->way == ABUT_WALK_MEASURE ? &none : &sim->mover[i];
        abut_walk_pass(w, &m->rest_time, sizeof m->rest_time);
        abut_walk_pass(w, &m->asleep, sizeof m->asleep);
        abut_walk_pass(w, &m->slept, sizeof m->slept);
        abut_walk_pass(w, &m->island, sizeof m->island);
        abut_walk_pass(w, &m->force, sizeof m->force);
        abut_walk_pass(w, &m->torque, sizeof m->torque);
    }
}

/* Joints of robots, with the impulses of what holds them and what they are told. Poses follow from them. */
static void pass_robots(AbutWalk *w, AbutSimulation *sim)
{
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; t && i < t->tree_count; ++i) {
        AbutConfiguration *c = t->tree[i].c;
        abut_walk_pass(w, c->q, (size_t)c->nq * sizeof *c->q);
        abut_walk_pass(w, c->v, (size_t)c->nv * sizeof *c->v);
        if (w->way == ABUT_WALK_RESTORE)
            abut_robot_update(c);
    }
    for (int32_t i = 0; t && i < t->row_count; ++i) {
        abut_walk_pass(w, &t->row[i].impulse, sizeof t->row[i].impulse);
        abut_walk_pass(w, &t->row[i].active, sizeof t->row[i].active);
        abut_walk_pass(w, &t->row[i].locked, sizeof t->row[i].locked);
    }
    for (int32_t i = 0; t && i < t->join_count; ++i)
        abut_walk_pass(w, t->join[i].impulse, sizeof t->join[i].impulse);
    if (t) {
        abut_walk_pass(w, t->control, (size_t)t->control_count * sizeof *t->control);
        abut_walk_pass(w, t->torque, (size_t)t->torque_count * sizeof *t->torque);
    }
}

/* Movers of the bodies as they are now: what was restored is not disturbed. */
static void settle_movers(AbutSimulation *sim, int32_t count)
{
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        const AbutBody *body = &sim->scene->body[i];
        AbutSolverBody *m = &sim->mover[i];
        m->alive = body->alive && i < count;
        m->generation = body->generation;
        m->disturbed = body->disturbed;
        m->revision = 0; /* its inertia may be that of other locks */
    }
}

static void pass_arrays(AbutWalk *w, AbutSimulation *sim, const Header *h)
{
    abut_scene_state_pass(w, sim->scene, &h->scene);
    pass_movers(w, sim, h->mover_count);
    abut_walk_pass(w, sim->contacts.memory, (size_t)h->memory_count * sizeof *sim->contacts.memory);
    abut_walk_pass(w, sim->contacts.at, (size_t)h->contact_places * sizeof *sim->contacts.at);
    abut_walk_pass(w, sim->islands.order, (size_t)h->order_count * sizeof *sim->islands.order);
    pass_robots(w, sim);
}

static Header describe(const AbutSimulation *sim)
{
    Header h;
    memset(&h, 0, sizeof h);
    h.magic = MAGIC;
    h.version = VERSION;
    h.current = sim->contacts.revision == sim->scene->revision;
    h.contact_places = sim->contacts.places, h.contact_free = sim->contacts.free;
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
static size_t measure(const AbutSimulation *simulation, const Header *h)
{
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* measuring writes nothing that a step would not */
    abut_trees_follow(sim, NULL);
    AbutWalk w = {ABUT_WALK_MEASURE, NULL, sizeof *h};
    pass_arrays(&w, sim, h);
    return w.used + sizeof(uint64_t);
}

size_t abut_simulation_state_size(const AbutSimulation *simulation)
{
    ABUT_ASSERT(simulation);
    Header h = describe(simulation);
    return measure(simulation, &h);
}

void abut_simulation_save(const AbutSimulation *simulation, void *state)
{
    ABUT_ASSERT(simulation && state);
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* saving reads only */
    Header h = describe(sim);
    h.bytes = measure(sim, &h);
    AbutWalk w = {ABUT_WALK_SAVE, state, sizeof h};
    memcpy(state, &h, sizeof h);
    pass_arrays(&w, sim, &h);
    uint64_t hash = abut_hash(state, w.used, 0);
    memcpy((unsigned char *)state + w.used, &hash, sizeof hash);
}

/* Room for the arrays that the header announces. */
static int reserve(AbutSimulation *sim, const Header *h)
{
    AbutContacts *c = &sim->contacts;
    AbutIslands *i = &sim->islands;
    return abut_movers_reserve(sim) && abut_scene_state_reserve(sim->scene, &h->scene) &&
           abut_grow((void **)&c->memory, &c->memory_capacity, (size_t)h->memory_count, sizeof *c->memory) &&
           abut_grow((void **)&c->at, &c->capacity, (size_t)h->contact_places, sizeof *c->at) &&
           abut_grow((void **)&i->order, &i->order_capacity, (size_t)h->order_count, sizeof *i->order);
}

static AbutStatus check_state(const AbutSimulation *sim, const void *state, size_t bytes, Header *h, AbutError *error)
{
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
    int good = h->contact_places >= 0 && h->order_count >= 0 && h->order_count <= h->contact_places &&
               h->memory_count >= 0 && h->mover_count >= 0 && h->mover_count <= h->scene.body_places &&
               abut_scene_state_counts(&h->scene, bytes);
    if (!good || !abut_is_finite(h->gravity) || measure(sim, h) != bytes)
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved state: inconsistent");
    return ABUT_OK;
}

AbutStatus abut_simulation_restore(AbutSimulation *sim, const void *state, size_t bytes, AbutError *error)
{
    ABUT_ASSERT(sim && (state || bytes == 0));
    Header h;
    AbutStatus status = check_state(sim, state, bytes, &h, error);
    if (status != ABUT_OK)
        return status;
    if (!reserve(sim, &h))
        return abut_fail(error, ABUT_ERROR_MEMORY, "saved state: no memory");
    AbutWalk w = {ABUT_WALK_RESTORE, (unsigned char *)(uintptr_t)state, sizeof h};
    pass_arrays(&w, sim, &h);
    int same = abut_scene_state_end(sim->scene, &h.scene);
    settle_movers(sim, h.mover_count);
    sim->contacts.places = h.contact_places, sim->contacts.free = h.contact_free;
    sim->contacts.memory_count = h.memory_count, sim->islands.order_count = h.order_count;
    sim->contacts.margins = h.contact_margins;
    sim->contacts.revision = h.current && same ? sim->scene->revision : sim->scene->revision - 1;
    sim->events.count = 0;
    sim->awake.body_count = -1; /* the next step looks at everything */
    sim->awake.settled_bodies = 0;
    sim->step = h.step, sim->time = h.time, sim->last_dt = h.last_dt;
    sim->constants = h.constants;
    sim->def.gravity = h.gravity;
    return ABUT_OK;
}

/* ---- hash -------------------------------------------------------------------------------------------------------- */

/* What is told to bodies and robots, and how long bodies rest, is hashed where it is not what they begin with, with its
 * kind and place. */
enum { GRAVITY = 1, WEIGHT_AND_DRAG, PENDING, PUSH, CONTROL, TORQUE, BELT, LOCKS, REST };

static uint64_t hash_told(
    uint64_t hash, int32_t kind, int32_t place, int count, const double *numbers, const double *usual)
{
    int32_t where[2] = {kind, place};
    int same = 1;
    for (int i = 0; i < count; ++i)
        same = same && numbers[i] == (usual ? usual[i] : 0.0);
    return same ? hash : abut_hash(numbers, (size_t)count * sizeof *numbers, abut_hash(where, sizeof where, hash));
}

static uint64_t hash_told_to_body(const AbutBody *b, int32_t place, uint64_t hash)
{
    const double locks = b->locked, drag[3] = {b->gravity_scale, b->damping, b->spin_damping},
                 no_drag[3] = {1.0, 0.0, 0.0};
    const double pending[6] = {b->force.x, b->force.y, b->force.z, b->torque.x, b->torque.y, b->torque.z};
    hash = hash_told(hash, WEIGHT_AND_DRAG, place, 3, drag, no_drag);
    hash = hash_told(hash, PENDING, place, 6, pending, NULL);
    return hash_told(hash, LOCKS, place, 1, &locks, NULL);
}

/* As abut_mover_follow will find it: the mover of another body begins anew, what was disturbed wakes. */
static uint64_t hash_mover(const AbutSolverBody *m, const AbutBody *b, int32_t place, uint64_t hash)
{
    if (!m->alive || m->generation != b->generation)
        return hash;
    const double push[6] = {m->force.x, m->force.y, m->force.z, m->torque.x, m->torque.y, m->torque.z},
                 rest[2] = {m->rest_time, m->asleep};
    hash = hash_told(hash, PUSH, place, 6, push, NULL);
    return m->disturbed == b->disturbed ? hash_told(hash, REST, place, 2, rest, NULL) : hash;
}

static uint64_t hash_all_told(const AbutSimulation *sim, uint64_t hash)
{
    const AbutTrees *t = sim->trees;
    const double gravity[3] = {sim->def.gravity.x, sim->def.gravity.y, sim->def.gravity.z},
                 standard[3] = {0.0, 0.0, -ABUT_GRAVITY};
    hash = hash_told(hash, GRAVITY, 0, 3, gravity, standard);
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        const AbutBody *b = &sim->scene->body[i];
        hash = b->alive ? hash_told_to_body(b, i, hash) : hash;
        hash = b->alive && i < sim->mover_count ? hash_mover(&sim->mover[i], b, i, hash) : hash;
    }
    for (int32_t i = 0; i < sim->scene->shape_places; ++i) {
        AbutVec3 u = sim->scene->shape[i].def.material.surface_velocity;
        const double belt[3] = {u.x, u.y, u.z};
        hash = sim->scene->shape[i].alive ? hash_told(hash, BELT, i, 3, belt, NULL) : hash;
    }
    for (int32_t i = 0; t && i < t->control_count; ++i)
        hash = hash_told(hash, CONTROL, i, 1, &t->control[i], NULL);
    for (int32_t i = 0; t && i < t->torque_count; ++i)
        hash = hash_told(hash, TORQUE, i, 1, &t->torque[i], NULL);
    return hash;
}

uint64_t abut_simulation_hash(const AbutSimulation *sim)
{
    ABUT_ASSERT(sim);
    uint64_t hash = 0;
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        const AbutBody *b = &sim->scene->body[i];
        if (!b->alive)
            continue;
        hash = abut_hash(&b->x, sizeof b->x, hash);
        hash = abut_hash(&b->q, sizeof b->q, hash);
        hash = abut_hash(&b->v, sizeof b->v, hash);
        hash = abut_hash(&b->w, sizeof b->w, hash);
    }
    for (int32_t i = 0; i < sim->scene->robot_tree_count; ++i) {
        const AbutConfiguration *c = sim->scene->robot_tree[i].configuration;
        hash = abut_hash(c->q, (size_t)c->nq * sizeof *c->q, hash);
        hash = abut_hash(c->v, (size_t)c->nv * sizeof *c->v, hash);
    }
    for (int32_t i = 0; sim->trees && i < sim->trees->row_count; ++i)
        hash = abut_hash(&sim->trees->row[i].impulse, sizeof sim->trees->row[i].impulse, hash);
    for (int32_t i = 0; sim->trees && i < sim->trees->join_count; ++i)
        hash = abut_hash(sim->trees->join[i].impulse, sizeof sim->trees->join[i].impulse, hash);
    for (int32_t k = 0; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        for (int i = 0; i < c->count; ++i) {
            double impulse[3] = {c->point[i].n, c->point[i].t1, c->point[i].t2};
            hash = abut_hash(impulse, sizeof impulse, hash);
        }
        if (abut_contact_resists_spin(c))
            hash = abut_hash(c->torque, sizeof c->torque, hash);
    }
    return hash_all_told(sim, hash);
}
