/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving, restoring and hashing the whole state: bodies, the tree and pool of pairs, contacts with their impulses. One
 * walk over the state serves all three ways (measure, save, restore), so they cannot disagree. The state belongs to a
 * scene with the same bodies and shapes, which a fingerprint checks; geometry, definitions, and settings but gravity
 * are not part of it. Everything is checked before anything is changed: a state that is refused leaves the simulation
 * as it was.
 */
#include "dynamics/tree.h"

#include <string.h>

enum { MEASURE, SAVE, RESTORE };

typedef struct Walk {
    int way;
    unsigned char *at; /* NULL when measuring */
    size_t used;
} Walk;

typedef struct Header {
    uint64_t magic;
    uint32_t version, current; /* current: the contacts were built from the scene as it was */
    int32_t body_places, shape_places, node_places, pair_places, contact_places, order_count, memory_count, mover_count;
    int32_t node_free, root, pair_free, contact_free, pair_table_used, moved_count;
    uint32_t pair_serial;
    uint64_t pair_table_size, bytes, fingerprint;
    int64_t step;
    double time, last_dt, scene_margin;
    AbutVec3 gravity;
    AbutMarginRule contact_margins;
    AbutStepConstants constants; /* of the last step: forces are read with them */
} Header;

static const uint64_t MAGIC = 0x65746174736e7562u;
enum { VERSION = 12 };

static void pass(Walk *w, void *data, size_t bytes)
{
    if (w->way == SAVE && bytes > 0)
        memcpy(w->at + w->used, data, bytes);
    if (w->way == RESTORE && bytes > 0)
        memcpy(data, w->at + w->used, bytes);
    w->used += bytes;
}

static void pass_bodies(Walk *w, AbutScene *scene)
{
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *b = &scene->body[i];
        pass(w, &b->x, sizeof b->x);
        pass(w, &b->q, sizeof b->q);
        pass(w, &b->v, sizeof b->v);
        pass(w, &b->w, sizeof b->w);
        pass(w, &b->force, sizeof b->force);
        pass(w, &b->torque, sizeof b->torque);
        pass(w, &b->gravity_scale, sizeof b->gravity_scale);
        pass(w, &b->damping, sizeof b->damping);
        pass(w, &b->spin_damping, sizeof b->spin_damping);
        pass(w, &b->locked, sizeof b->locked);
        if (w->way == RESTORE)
            abut_body_moved(b);
    }
    for (int32_t i = 0; i < scene->shape_places; ++i) {
        AbutShape *s = &scene->shape[i];
        pass(w, &s->local_box, sizeof s->local_box);
        pass(w, &s->local_box_q, sizeof s->local_box_q);
        pass(w, &s->box, sizeof s->box);
        pass(w, &s->fat, sizeof s->fat);
        pass(w, &s->node, sizeof s->node);
        pass(w, &s->moved, sizeof s->moved);
        pass(w, &s->def.material.surface_velocity, sizeof s->def.material.surface_velocity);
    }
}

static void pass_movers(Walk *w, AbutSimulation *sim, int32_t count)
{
    AbutMover none = {.island = -1};
    for (int32_t i = 0; i < count; ++i) {
        AbutMover *m = w->way == MEASURE ? &none : &sim->mover[i];
        pass(w, &m->rest_time, sizeof m->rest_time);
        pass(w, &m->asleep, sizeof m->asleep);
        pass(w, &m->slept, sizeof m->slept);
        pass(w, &m->island, sizeof m->island);
        pass(w, &m->force, sizeof m->force);
        pass(w, &m->torque, sizeof m->torque);
    }
}

/* Joints of robots, with the impulses of what holds them and what they are told. Poses follow from them. */
static void pass_robots(Walk *w, AbutSimulation *sim)
{
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; t && i < t->tree_count; ++i) {
        AbutConfiguration *c = t->tree[i].c;
        pass(w, c->q, (size_t)c->nq * sizeof *c->q);
        pass(w, c->v, (size_t)c->nv * sizeof *c->v);
        if (w->way == RESTORE)
            abut_robot_update(c);
    }
    for (int32_t i = 0; t && i < t->row_count; ++i) {
        pass(w, &t->row[i].impulse, sizeof t->row[i].impulse);
        pass(w, &t->row[i].active, sizeof t->row[i].active);
        pass(w, &t->row[i].locked, sizeof t->row[i].locked);
    }
    for (int32_t i = 0; t && i < t->join_count; ++i)
        pass(w, t->join[i].impulse, sizeof t->join[i].impulse);
    if (t) {
        pass(w, t->control, (size_t)t->control_count * sizeof *t->control);
        pass(w, t->torque, (size_t)t->torque_count * sizeof *t->torque);
    }
}

/* Movers of the bodies as they are now: what was restored is not disturbed. */
static void settle_movers(AbutSimulation *sim, int32_t count)
{
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        const AbutBody *body = &sim->scene->body[i];
        AbutMover *m = &sim->mover[i];
        m->alive = body->alive && i < count;
        m->generation = body->generation;
        m->disturbed = body->disturbed;
        m->revision = 0; /* its inertia may be that of other locks */
    }
}

static void pass_arrays(Walk *w, AbutSimulation *sim, const Header *h)
{
    AbutScene *scene = sim->scene;
    pass_movers(w, sim, h->mover_count);
    pass(w, scene->tree.node, (size_t)h->node_places * sizeof *scene->tree.node);
    pass(w, scene->pair, (size_t)h->pair_places * sizeof *scene->pair);
    pass(w, scene->pair_table, (size_t)h->pair_table_size * sizeof *scene->pair_table);
    pass(w, scene->moved, (size_t)h->moved_count * sizeof *scene->moved);
    pass(w, sim->memory, (size_t)h->memory_count * sizeof *sim->memory);
    pass(w, sim->contact, (size_t)h->contact_places * sizeof *sim->contact);
    pass(w, sim->order, (size_t)h->order_count * sizeof *sim->order);
    pass_robots(w, sim);
}

/* Which bodies and shapes the scene has, and where: the same for a scene that was made by the same calls. */
static uint64_t fingerprint(const AbutScene *scene)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        const AbutBody *b = &scene->body[i];
        int32_t facts[6] = {b->alive, (int32_t)b->generation, (int32_t)b->kind, b->alive ? b->first_shape : -1,
            b->alive ? b->tree : -1, b->alive ? b->link : -1};
        hash = abut_hash(facts, sizeof facts, hash);
        if (b->alive)
            hash = abut_hash(&b->mass, sizeof b->mass, hash);
    }
    for (int32_t i = 0; i < scene->shape_places; ++i) {
        const AbutShape *s = &scene->shape[i];
        int32_t facts[4] = {s->alive, (int32_t)s->generation, (int32_t)s->def.form.kind, s->body};
        hash = abut_hash(facts, sizeof facts, hash);
        if (s->alive && abut_shape_grid(s))
            hash = abut_hash(&s->def.geometry->hash, sizeof s->def.geometry->hash, hash);
        else if (s->alive && s->polyhedron)
            hash = abut_hash(
                abut_polyhedron_vertices(s->polyhedron), (size_t)s->polyhedron->vertex_count * sizeof(AbutVec3), hash);
    }
    return hash;
}

static Header describe(const AbutSimulation *sim)
{
    const AbutScene *s = sim->scene;
    Header h;
    memset(&h, 0, sizeof h);
    h.magic = MAGIC;
    h.version = VERSION;
    h.current = sim->contact_revision == s->revision;
    h.body_places = s->body_places, h.shape_places = s->shape_places;
    h.node_places = s->tree.places, h.pair_places = s->pair_places;
    h.contact_places = sim->contact_places, h.order_count = sim->order_count, h.memory_count = sim->memory_count;
    h.mover_count = sim->mover_count;
    h.node_free = s->tree.free, h.root = s->tree.root, h.pair_free = s->pair_free, h.contact_free = sim->contact_free;
    h.pair_table_used = s->pair_table_used, h.moved_count = s->moved_count;
    h.pair_serial = s->pair_serial;
    h.pair_table_size = s->pair_table_size;
    h.fingerprint = fingerprint(s);
    h.step = sim->step;
    h.time = sim->time, h.last_dt = sim->last_dt, h.scene_margin = s->margin, h.contact_margins = sim->contact_margins;
    h.constants = sim->constants;
    h.gravity = sim->def.gravity;
    return h;
}

/* Bytes of a state with this header, the hash at the end included. */
static size_t measure(const AbutSimulation *simulation, const Header *h)
{
    AbutSimulation *sim = (AbutSimulation *)(uintptr_t)simulation; /* measuring writes nothing that a step would not */
    abut_trees_follow(sim, NULL);
    Walk w = {MEASURE, NULL, sizeof *h};
    pass_bodies(&w, sim->scene);
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
    Walk w = {SAVE, state, sizeof h};
    memcpy(state, &h, sizeof h);
    pass_bodies(&w, sim->scene);
    pass_arrays(&w, sim, &h);
    uint64_t hash = abut_hash(state, w.used, 0);
    memcpy((unsigned char *)state + w.used, &hash, sizeof hash);
}

/* Room for the arrays that the header announces. */
static int reserve(AbutSimulation *sim, const Header *h)
{
    AbutScene *s = sim->scene;
    if (!abut_grow((void **)&s->tree.node, &s->tree.capacity, (size_t)h->node_places, sizeof *s->tree.node) ||
        !abut_grow((void **)&s->pair, &s->pair_capacity, (size_t)h->pair_places, sizeof *s->pair) ||
        !abut_grow((void **)&sim->memory, &sim->memory_capacity, (size_t)h->memory_count, sizeof *sim->memory) ||
        !abut_grow((void **)&sim->contact, &sim->contact_capacity, (size_t)h->contact_places, sizeof *sim->contact) ||
        !abut_grow((void **)&sim->order, &sim->order_capacity, (size_t)h->order_count, sizeof *sim->order))
        return 0;
    if (h->pair_table_size != s->pair_table_size) {
        int32_t *table = abut_alloc_array((size_t)h->pair_table_size, sizeof *table);
        if (!table)
            return 0;
        abut_free(s->pair_table);
        s->pair_table = table;
        s->pair_table_size = (size_t)h->pair_table_size;
    }
    return 1;
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
    if (h->body_places != sim->scene->body_places || h->shape_places != sim->scene->shape_places ||
        h->fingerprint != fingerprint(sim->scene))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "saved state: of another scene (%d bodies and %d shapes were saved, %d and %d are here, or they differ)",
            h->body_places, h->shape_places, sim->scene->body_places, sim->scene->shape_places);
    const int32_t counts[] = {h->node_places, h->pair_places, h->contact_places, h->order_count, h->memory_count,
        h->moved_count, h->mover_count};
    int good = h->order_count <= h->contact_places && h->moved_count <= h->shape_places &&
               h->mover_count <= h->body_places && (h->pair_table_size & (h->pair_table_size - 1)) == 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        good = good && counts[i] >= 0;
    if (!good || !abut_is_finite(h->gravity) || h->pair_table_size > bytes || measure(sim, h) != bytes)
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
    if (!abut_movers_reserve(sim) || !reserve(sim, &h))
        return abut_fail_memory(error);
    Walk w = {RESTORE, (unsigned char *)(uintptr_t)state, sizeof h};
    AbutScene *s = sim->scene;
    pass_bodies(&w, s);
    pass_arrays(&w, sim, &h);
    s->tree.places = h.node_places, s->pair_places = h.pair_places;
    s->tree.free = h.node_free, s->tree.root = h.root, s->pair_free = h.pair_free;
    s->pair_table_used = h.pair_table_used, s->moved_count = h.moved_count;
    s->pair_serial = h.pair_serial;
    ++s->pair_changes;
    s->margin = h.scene_margin;
    settle_movers(sim, h.mover_count);
    sim->contact_places = h.contact_places, sim->order_count = h.order_count, sim->memory_count = h.memory_count;
    sim->contact_free = h.contact_free;
    sim->contact_margins = h.contact_margins;
    int changed = abut_scene_renew_pairs(s); /* margins of contact */
    sim->contact_revision = h.current && changed == 0 ? s->revision : s->revision - 1;
    sim->event_count = 0;
    sim->active_count = -1; /* the next step looks at everything */
    sim->settled_bodies = 0;
    sim->step = h.step;
    sim->time = h.time, sim->last_dt = h.last_dt;
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
static uint64_t hash_mover(const AbutMover *m, const AbutBody *b, int32_t place, uint64_t hash)
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
    for (int32_t k = 0; k < sim->order_count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->order[k]];
        for (int i = 0; i < c->count; ++i) {
            double impulse[3] = {c->point[i].n, c->point[i].t1, c->point[i].t2};
            hash = abut_hash(impulse, sizeof impulse, hash);
        }
        if (abut_contact_resists_spin(c))
            hash = abut_hash(c->torque, sizeof c->torque, hash);
    }
    return hash_all_told(sim, hash);
}
