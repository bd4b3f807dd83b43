/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a scene: bodies, boxes, the tree and the pool of pairs. See scene_state.h. */
#include "scene/scene_state.h"

#include <string.h>

void abut_walk_pass(AbutWalk *w, void *data, size_t bytes) {
    if (w->way == ABUT_WALK_SAVE && bytes > 0) memcpy(w->at + w->used, data, bytes);
    if (w->way == ABUT_WALK_RESTORE && bytes > 0) memcpy(data, w->at + w->used, bytes);
    w->used += bytes;
}

/* Which bodies and shapes the scene has, and where: the same for a scene that was made by the same calls. */
static uint64_t fingerprint(const AbutScene *scene) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        const AbutBody *b = &scene->body[i];
        int32_t facts[6] = {b->alive, (int32_t)b->generation, (int32_t)b->kind, b->alive ? b->first_shape : -1,
            b->alive ? b->tree : -1, b->alive ? b->link : -1};
        hash = abut_hash(facts, sizeof facts, hash);
        if (b->alive) hash = abut_hash(&b->mass, sizeof b->mass, hash);
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

AbutSceneState abut_scene_state(const AbutScene *s) {
    AbutSceneState h;
    memset(&h, 0, sizeof h);
    h.body_places = s->body_places, h.shape_places = s->shape_places;
    h.node_places = s->tree.places, h.pair_places = s->pair_places;
    h.node_free = s->tree.free, h.root = s->tree.root, h.pair_free = s->pair_free;
    h.pair_table_used = s->pair_table_used, h.moved_count = s->moved_count;
    h.pair_serial = s->pair_serial;
    h.pair_table_size = s->pair_table_size;
    h.fingerprint = fingerprint(s);
    h.margin = s->margin;
    return h;
}

int abut_scene_state_belongs(const AbutSceneState *h, const AbutScene *scene) {
    return h->body_places == scene->body_places && h->shape_places == scene->shape_places &&
           h->fingerprint == fingerprint(scene);
}

int abut_scene_state_counts(const AbutSceneState *h, size_t bytes) {
    return h->node_places >= 0 && h->pair_places >= 0 && h->moved_count >= 0 && h->moved_count <= h->shape_places &&
           (h->pair_table_size & (h->pair_table_size - 1)) == 0 && h->pair_table_size <= bytes;
}

int abut_scene_state_reserve(AbutScene *s, const AbutSceneState *h) {
    if (!abut_grow((void **)&s->tree.node, &s->tree.capacity, (size_t)h->node_places, sizeof *s->tree.node) ||
        !abut_grow((void **)&s->pair, &s->pair_capacity, (size_t)h->pair_places, sizeof *s->pair))
        return 0;
    if (h->pair_table_size == s->pair_table_size) return 1;
    int32_t *table = abut_alloc_array((size_t)h->pair_table_size, sizeof *table);
    if (!table) return 0;
    abut_free(s->pair_table);
    s->pair_table = table;
    s->pair_table_size = (size_t)h->pair_table_size;
    return 1;
}

static void pass_bodies(AbutWalk *w, AbutScene *scene) {
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *b = &scene->body[i];
        abut_walk_pass(w, &b->x, sizeof b->x);
        abut_walk_pass(w, &b->q, sizeof b->q);
        abut_walk_pass(w, &b->v, sizeof b->v);
        abut_walk_pass(w, &b->w, sizeof b->w);
        abut_walk_pass(w, &b->force, sizeof b->force);
        abut_walk_pass(w, &b->torque, sizeof b->torque);
        abut_walk_pass(w, &b->gravity_scale, sizeof b->gravity_scale);
        abut_walk_pass(w, &b->damping, sizeof b->damping);
        abut_walk_pass(w, &b->spin_damping, sizeof b->spin_damping);
        abut_walk_pass(w, &b->locked, sizeof b->locked);
        if (w->way == ABUT_WALK_RESTORE) abut_body_moved(b);
    }
    for (int32_t i = 0; i < scene->shape_places; ++i) {
        AbutShape *s = &scene->shape[i];
        abut_walk_pass(w, &s->local_box, sizeof s->local_box);
        abut_walk_pass(w, &s->local_box_q, sizeof s->local_box_q);
        abut_walk_pass(w, &s->box, sizeof s->box);
        abut_walk_pass(w, &s->fat, sizeof s->fat);
        abut_walk_pass(w, &s->node, sizeof s->node);
        abut_walk_pass(w, &s->moved, sizeof s->moved);
        abut_walk_pass(w, &s->def.material.surface_velocity, sizeof s->def.material.surface_velocity);
    }
}

void abut_scene_state_pass(AbutWalk *w, AbutScene *s, const AbutSceneState *h) {
    pass_bodies(w, s);
    abut_walk_pass(w, s->tree.node, (size_t)h->node_places * sizeof *s->tree.node);
    abut_walk_pass(w, s->pair, (size_t)h->pair_places * sizeof *s->pair);
    abut_walk_pass(w, s->pair_table, (size_t)h->pair_table_size * sizeof *s->pair_table);
    abut_walk_pass(w, s->moved, (size_t)h->moved_count * sizeof *s->moved);
}

int abut_scene_state_end(AbutScene *s, const AbutSceneState *h) {
    s->tree.places = h->node_places, s->pair_places = h->pair_places;
    s->tree.free = h->node_free, s->tree.root = h->root, s->pair_free = h->pair_free;
    s->pair_table_used = h->pair_table_used, s->moved_count = h->moved_count;
    s->pair_serial = h->pair_serial;
    ++s->pair_changes;
    s->margin = h->margin;
    return abut_scene_renew_pairs(s) == 0; /* margins of contact */
}
