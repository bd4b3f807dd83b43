/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a state: bodies, joints, impulses, and what bodies and robots were told. Equal states hash alike. */
#include "dynamics/solver_tree.h"

/* Settings of bodies and robots, and how long bodies have rested. Each is hashed only where it differs from its initial
 * value, with its kind and place. */
enum { GRAVITY = 1, WEIGHT_AND_DRAG, PENDING, PUSH, CONTROL, TORQUE, BELT, LOCKS, REST, RESTLESS, ACTIVATION };

static uint64_t hash_told(
    uint64_t hash, int32_t kind, int32_t place, int count, const double *numbers, const double *usual) {
    int32_t where[2] = {kind, place};
    int same = 1;
    for (int i = 0; i < count; ++i) same = same && numbers[i] == (usual ? usual[i] : 0.0);
    return same ? hash : abut_hash(numbers, (size_t)count * sizeof *numbers, abut_hash(where, sizeof where, hash));
}

static uint64_t hash_told_to_body(const AbutBody *b, int32_t place, uint64_t hash) {
    const double locks = b->locked, drag[3] = {b->gravity_scale, b->damping, b->spin_damping},
                 no_drag[3] = {1.0, 0.0, 0.0};
    const double pending[6] = {b->force.x, b->force.y, b->force.z, b->torque.x, b->torque.y, b->torque.z};
    hash = hash_told(hash, WEIGHT_AND_DRAG, place, 3, drag, no_drag);
    hash = hash_told(hash, PENDING, place, 6, pending, NULL);
    return hash_told(hash, LOCKS, place, 1, &locks, NULL);
}

/* As abut_mover_follow will find it: the mover of another body begins anew, what was disturbed wakes. */
static uint64_t hash_mover(const AbutSolverBody *m, const AbutBody *b, int32_t place, uint64_t hash) {
    if (!m->alive || m->generation != b->generation) return hash;
    const double push[6] = {m->force.x, m->force.y, m->force.z, m->torque.x, m->torque.y, m->torque.z},
                 rest[2] = {m->rest_time, m->asleep};
    hash = hash_told(hash, PUSH, place, 6, push, NULL);
    return m->disturbed == b->disturbed ? hash_told(hash, REST, place, 2, rest, NULL) : hash;
}

static uint64_t hash_all_told(const AbutSimulation *sim, uint64_t hash) {
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
    for (int32_t i = 0; t && i < t->control_count; ++i) hash = hash_told(hash, CONTROL, i, 1, &t->control[i], NULL);
    for (int32_t i = 0; t && i < t->control_count; ++i)
        hash = hash_told(hash, ACTIVATION, i, 1, &t->activation[i], NULL);
    for (int32_t i = 0; t && i < t->torque_count; ++i) hash = hash_told(hash, TORQUE, i, 1, &t->torque[i], NULL);
    return hash;
}

uint64_t abut_simulation_hash(const AbutSimulation *sim) {
    ABUT_ASSERT(sim);
    uint64_t hash = 0;
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        const AbutBody *b = &sim->scene->body[i];
        if (!b->alive) continue;
        hash = abut_hash(&b->x, sizeof b->x, hash);
        hash = abut_hash(&b->q, sizeof b->q, hash);
        hash = abut_hash(&b->v, sizeof b->v, hash);
        hash = abut_hash(&b->w, sizeof b->w, hash);
    }
    for (int32_t i = 0; i < sim->scene->robot_tree_count; ++i) {
        const AbutConfiguration *c = sim->scene->robot_tree[i].configuration;
        hash = abut_hash(c->q, (size_t)c->tree->nq * sizeof *c->q, hash);
        hash = abut_hash(c->v, (size_t)c->tree->nv * sizeof *c->v, hash);
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
        if (abut_contact_resists_spin(c)) hash = abut_hash(c->torque, sizeof c->torque, hash);
        const double restless = c->touch->restless;
        hash = hash_told(hash, RESTLESS, k, 1, &restless, NULL);
    }
    return hash_all_told(sim, hash);
}
