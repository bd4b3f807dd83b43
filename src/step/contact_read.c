/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts as others read them. In: contacts after a step. Out: AbutContact, in world axes, with forces. */
#include "dynamics/mover.h"

#include <string.h>

void abut_contact_wrench(const AbutSolverContact *c, double wrench[6]) {
    for (int k = 0; k < 6; ++k) wrench[k] = c->touch->whole ? c->room->number[k] : 0.0;
    if (c->touch->whole) return;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        wrench[0] += v->t1;
        wrench[1] += v->t2;
        wrench[2] += v->n;
        wrench[3] += v->n * v->y;
        wrench[4] -= v->n * v->x;
        wrench[5] += v->t2 * v->xt - v->t1 * v->yt;
    }
    for (int k = 0; k < 3 && abut_contact_resists_spin(c); ++k) wrench[3 + k] += c->torque[k];
}

int abut_simulation_contact_count(const AbutSimulation *sim) {
    ABUT_ASSERT(sim);
    return sim->islands.order_count;
}

/* World vector of contact-frame numbers. */
static AbutVec3 to_world(const AbutSolverContact *c, double x, double y, double z) {
    return abut_add(abut_add(abut_scale(c->e1, x), abut_scale(c->e2, y)), abut_scale(c->nu, z));
}

/* Speed of B against A at a point, across the normal. */
static double slip_speed(const AbutScene *scene, const AbutSolverContact *c, AbutVec3 point) {
    const AbutBody *a = &scene->body[c->body_a], *b = &scene->body[c->body_b];
    AbutVec3 of_a = abut_add(a->v, abut_cross(a->w, abut_sub(point, a->x)));
    AbutVec3 of_b = abut_add(b->v, abut_cross(b->w, abut_sub(point, b->x)));
    AbutVec3 u = abut_sub(of_b, of_a);
    if (c->moving) u = abut_add(u, to_world(c, c->surface[0], c->surface[1], 0.0));
    return abut_length(abut_sub(u, abut_scale(c->nu, abut_dot(u, c->nu))));
}

void abut_contact_read(const AbutSimulation *sim, const AbutSolverContact *c, AbutContact *out) {
    const AbutScene *scene = sim->scene;
    double per_time = 1.0 / (c->touch->whole ? sim->constants.kick : sim->constants.dt), wrench[6];
    memset(out, 0, sizeof *out);
    const AbutScenePair *pair = &scene->pair[c->touch->pair];
    if (pair->alive && pair->serial == c->touch->serial) {
        out->body_a = abut_scene_body_id(scene, c->body_a);
        out->body_b = abut_scene_body_id(scene, c->body_b);
        out->shape_a = abut_scene_shape_id(scene, c->touch->shape_a);
        out->shape_b = abut_scene_shape_id(scene, c->touch->shape_b);
    }
    out->normal = c->nu;
    out->center = abut_add(scene->body[c->body_a].x, abut_mat3_apply(scene->body[c->body_a].rotation, c->touch->p_a));
    abut_contact_wrench(c, wrench);
    for (int k = 0; k < 6; ++k) wrench[k] += c->touch->impact[k];
    out->force = abut_scale(to_world(c, wrench[0], wrench[1], wrench[2]), per_time);
    out->torque = abut_scale(to_world(c, wrench[3], wrench[4], wrench[5]), per_time);
    double n = wrench[2];
    double x = abut_contact_resists_spin(c) ? c->torque[1] - wrench[4] : -wrench[4],
           y = abut_contact_resists_spin(c) ? wrench[3] - c->torque[0] : wrench[3];
    out->pressure_center = n > 0.0 ? abut_add(out->center, to_world(c, x / n, y / n, 0.0)) : out->center;
    out->area = c->touch->area;
    out->volume = c->touch->volume;
    out->depth = c->touch->depth;
    out->vertex_count = c->count;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        struct AbutContactVertex *to = &out->vertex[i];
        to->point = abut_add(out->center, to_world(c, v->x, v->y, 0.0));
        const double *hit = i == 0 ? c->touch->impact : (const double[3]){0}; /* contacts of one vertex have impacts */
        double n_all = v->n + hit[2];
        to->force = abut_scale(to_world(c, v->t1 + hit[0], v->t2 + hit[1], n_all), per_time);
        to->pressure = c->touch->area > 0.0 ? n_all * per_time * c->count / c->touch->area : 0.0;
        /* friction at its limit, and motion that is more than what the solver leaves */
        to->sliding = c->sliding[i] && v->n > 0.0 && slip_speed(scene, c, to->point) > abut_slip_speed(sim);
        out->sliding |= to->sliding;
    }
}

int abut_simulation_get_contact(const AbutSimulation *sim, int index, AbutContact *out) {
    ABUT_ASSERT(sim && out);
    if (index < 0 || index >= sim->islands.order_count) return 0;
    abut_contact_read(sim, abut_ordered_contact(sim, index), out);
    return 1;
}

AbutStatus abut_simulation_get_contacts(const AbutSimulation *sim, AbutContactList *out, AbutError *error) {
    ABUT_ASSERT(sim && out);
    AbutContactList list = {.count = sim->islands.order_count};
    list.contacts = abut_alloc_array((size_t)list.count, sizeof *list.contacts);
    *out = (AbutContactList){0};
    if (!list.contacts) return abut_fail_memory(error);
    for (int i = 0; i < list.count; ++i) abut_simulation_get_contact(sim, i, &list.contacts[i]);
    *out = list;
    return ABUT_OK;
}

int abut_simulation_body_contacts(const AbutSimulation *sim, AbutBodyId body, int capacity, AbutContact *out) {
    ABUT_ASSERT(sim && capacity >= 0 && (out || capacity == 0));
    int32_t place = abut_scene_body_place(sim->scene, body);
    int count = 0;
    for (int32_t k = 0; k < sim->islands.order_count && place >= 0; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        if (c->body_a != place && c->body_b != place) continue;
        if (count < capacity) abut_simulation_get_contact(sim, k, &out[count]);
        ++count;
    }
    return count;
}
