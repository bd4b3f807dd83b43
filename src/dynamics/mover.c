/* SPDX-License-Identifier: Apache-2.0 */
/* Movers in step with the bodies of the scene, and what they answer to an impulse. */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

#include <string.h>

int abut_movers_reserve(AbutSimulation *sim) {
    int32_t count = sim->scene->body_places;
    if (!abut_grow((void **)&sim->mover, &sim->mover_capacity, (size_t)count, sizeof *sim->mover) ||
        !abut_grow((void **)&sim->awake.still, &sim->awake.still_capacity, (size_t)count, sizeof *sim->awake.still))
        return 0;
    if (count > sim->mover_count)
        memset(sim->mover + sim->mover_count, 0, (size_t)(count - sim->mover_count) * sizeof *sim->mover);
    sim->mover_count = count;
    return 1;
}

void abut_mover_follow(AbutSolverBody *m, const AbutBody *body) {
    if (m->generation != body->generation || !m->alive) {
        memset(m, 0, sizeof *m);
        m->alive = 1;
        m->island = -1;
        m->generation = body->generation;
        m->disturbed = body->disturbed;
        m->odometer.x = body->x;
        m->odometer.q = body->q;
    }
    if (m->disturbed != body->disturbed) {
        m->asleep = 0;
        m->rest_time = 0.0;
        m->disturbed = body->disturbed;
    }
}

/* The inverse of the part of the inertia that belongs to the free axes; zero elsewhere. */
static AbutMat3 free_inverse(const AbutSolverBody *m, const AbutBody *body) {
    AbutMat3 j = abut_mat3_mul(body->rotation, abut_mat3_mul(body->inertia, abut_mat3_transpose(body->rotation)));
    double large = abut_larger(j.x.x, abut_larger(j.y.y, j.z.z));
    AbutVec3 f = m->about, hold = abut_scale(abut_sub(abut_vec3(1, 1, 1), f), large);
    j = abut_mat3(
        abut_scale(abut_mul(j.x, f), f.x), abut_scale(abut_mul(j.y, f), f.y), abut_scale(abut_mul(j.z, f), f.z));
    AbutMat3 inverse = abut_mat3_inv(abut_mat3_add(j, abut_mat3_diagonal(hold.x, hold.y, hold.z)));
    return abut_mat3(abut_scale(abut_mul(inverse.x, f), f.x), abut_scale(abut_mul(inverse.y, f), f.y),
        abut_scale(abut_mul(inverse.z, f), f.z));
}

static void load_locks(AbutSolverBody *m, const AbutBody *body) {
    uint32_t l = m->locked = body->locked;
    if (!l) return;
    m->along = abut_vec3(!(l & ABUT_LOCK_X), !(l & ABUT_LOCK_Y), !(l & ABUT_LOCK_Z));
    m->about = abut_vec3(!(l & ABUT_LOCK_TURN_X), !(l & ABUT_LOCK_TURN_Y), !(l & ABUT_LOCK_TURN_Z));
    m->v = abut_mul(m->v, m->along);
    m->w = abut_mul(m->w, m->about);
}

void abut_mover_turned(AbutSolverBody *m, const AbutBody *body) {
    m->q = body->q;
    m->rotation = body->rotation;
    if (body->inv_mass > 0.0)
        m->inv_inertia =
            abut_mat3_mul(body->rotation, abut_mat3_mul(body->inv_inertia, abut_mat3_transpose(body->rotation)));
    if (body->inv_mass > 0.0 && m->locked) m->inv_inertia = free_inverse(m, body);
}

AbutMat3 abut_mover_inertia(const AbutSimulation *sim, int32_t place) {
    AbutMat3 r = sim->mover[place].rotation;
    return abut_mat3_mul(abut_mat3_mul(r, sim->scene->body[place].inertia), abut_mat3_transpose(r));
}

static int is_same_turn(AbutQuat a, AbutQuat b) { return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z; }

/* The chord of a turn from q to p is at most 2 |p - q| long at a distance of 1. */
static void read_odometer(AbutOdometer *o, const AbutBody *body) {
    AbutQuat p = body->q, q = o->q;
    double moved = abut_length_sq(abut_sub(body->x, o->x)),
           turned = (p.w - q.w) * (p.w - q.w) + (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) +
                    (p.z - q.z) * (p.z - q.z);
    if (moved > 0.0) {
        o->moved += sqrt(moved);
        o->x = body->x;
    }
    if (turned > 0.0) {
        o->turned += 2.0 * sqrt(turned);
        o->q = body->q;
    }
}

static void load(AbutSolverBody *m, const AbutBody *body, const AbutScene *scene) {
    uint32_t revision = scene->revision;
    m->v = body->v, m->w = body->w;
    m->x = body->x;
    m->kind = body->kind;
    m->tree = body->tree;
    m->mark = 0;
    m->never_sleeps = body->never_sleeps;
    m->inv_mass = body->inv_mass;
    load_locks(m, body);
    if (m->revision != revision + 1) {
        abut_body_extent(scene, body, &m->size, &m->reach);
        m->size = m->size > 0.0 ? m->size : ABUT_REFERENCE_SIZE;
    }
    if (m->revision != revision + 1 || !is_same_turn(m->q, body->q)) abut_mover_turned(m, body);
    m->revision = revision + 1;
}

void abut_movers_load(AbutSimulation *sim) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        const AbutBody *body = &sim->scene->body[i];
        AbutSolverBody *m = &sim->mover[i];
        if (body->alive) {
            abut_mover_follow(m, body);
            load(m, body, sim->scene);
            read_odometer(&m->odometer, body);
        } else {
            m->alive = m->asleep = 0;
            m->island = -1;
        }
        sim->awake.still[i] = (uint8_t)m->asleep;
    }
}

void abut_movers_store(AbutSimulation *sim) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        const AbutSolverBody *m = &sim->mover[i];
        if (m->alive && m->inv_mass > 0.0) {
            sim->scene->body[i].v = m->v;
            sim->scene->body[i].w = m->w;
        }
    }
}

AbutPose abut_shape_pose_after(const AbutSolverBody *body, const AbutShape *shape, double t) {
    AbutQuat q = abut_quat_mul(abut_quat_exp(abut_scale(body->w, t)), body->q);
    AbutVec3 x = abut_add_scaled(body->x, body->v, t);
    return abut_pose(
        abut_add(x, abut_quat_rotate(q, shape->local_p)), abut_quat_normalize(abut_quat_mul(q, shape->local_q)));
}

/* Adds X M^-1 X^T of one mover: response of the velocity at r (contact frame) to an impulse there. */
static void add_free_response(double phi[6][6], double inv_mass, AbutMat3 inv_inertia, AbutVec3 r) {
    AbutMat3 s = abut_mat3_skew(r), is = abut_mat3_mul(inv_inertia, s), sis = abut_mat3_mul(s, is);
    AbutVec3 upper[3] = {sis.x, sis.y, sis.z}, cross[3] = {is.x, is.y, is.z},
             lower[3] = {inv_inertia.x, inv_inertia.y, inv_inertia.z};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            phi[i][j] += (i == j ? inv_mass : 0.0) - abut_get(upper[j], i);
            phi[3 + i][j] += abut_get(cross[j], i);
            phi[j][3 + i] += abut_get(cross[j], i);
            phi[3 + i][3 + j] += abut_get(lower[j], i);
        }
}

void abut_add_response(double phi[6][6], const AbutMat3 *frame, const AbutSolverBody *m, AbutVec3 arm) {
    add_free_response(phi, m->inv_mass, abut_mat3_mul_t(*frame, abut_mat3_mul(m->inv_inertia, *frame)),
        abut_mat3_apply_t(*frame, arm));
    for (int axis = 0; axis < 3 && m->locked; ++axis) {
        AbutVec3 n = abut_mat3_apply_t(*frame, abut_scale(abut_axis(axis), 1.0 - abut_get(m->along, axis)));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) phi[i][j] -= m->inv_mass * abut_get(n, i) * abut_get(n, j);
    }
}

void abut_contact_set_response(const AbutSimulation *sim, AbutSolverContact *c) {
    const AbutSolverBody *a = &sim->mover[c->body_a];
    AbutMat3 frame = abut_mat3(c->e1, c->e2, c->nu);
    memset(c->touch->phi, 0, sizeof c->touch->phi);
    abut_add_response(c->touch->phi, &frame, &sim->mover[c->body_b], c->rb);
    if (a->inv_mass > 0.0) abut_add_response(c->touch->phi, &frame, a, c->ra);
}
