/* SPDX-License-Identifier: Apache-2.0 */
/* Making and freeing simulations, names of stages, and what can be read from a simulation. */
#include "dynamics/newton.h"
#include "dynamics/packed.h"
#include "dynamics/pressure.h"
#include "dynamics/tolerance.h"
#include "dynamics/tree.h"

#include <string.h>

const char *abut_stage_name(AbutStage stage)
{
    static const char *const names[ABUT_STAGE_COUNT] = {"bounds", "pairs", "contacts", "islands", "solve", "advance"};
    return (unsigned)stage < ABUT_STAGE_COUNT ? names[stage] : "unknown";
}

/* ---- life and settings ------------------------------------------------------------------------------------------- */

/* Room of each worker for Newton steps and compact sweeps. Both NULL where the model has none; 0: no memory. */
static int make_workers(const AbutContactModel *model, int32_t workers, AbutNewton **newton, AbutPacked **packed)
{
    size_t count = (size_t)workers;
    *newton = model->newton ? abut_alloc_array(count, sizeof **newton) : NULL;
    *packed = model->newton ? abut_alloc_array(count, sizeof **packed) : NULL;
    if (model->newton && (!*newton || !*packed)) {
        abut_free(*newton);
        abut_free(*packed);
        *newton = NULL;
        *packed = NULL;
        return 0;
    }
    if (model->newton) {
        memset(*newton, 0, count * sizeof **newton);
        memset(*packed, 0, count * sizeof **packed);
    }
    return 1;
}

static void free_workers(AbutSimulation *sim)
{
    for (int32_t i = 0; sim->newton && i < sim->worker_count; ++i) {
        abut_newton_free(&sim->newton[i]);
        abut_packed_free(&sim->packed[i]);
    }
    abut_free(sim->newton);
    abut_free(sim->packed);
}

AbutStatus abut_simulation_create(
    AbutScene *scene, const AbutSimulationDef *def, AbutSimulation **out, AbutError *error)
{
    ABUT_ASSERT(scene && def && out);
    *out = NULL;
    AbutStatus status = abut_simulation_check(def, error);
    if (status == ABUT_OK)
        status = abut_scene_check(scene, error);
    if (status != ABUT_OK)
        return status;
    AbutSimulation *sim = abut_alloc(sizeof *sim);
    if (!sim)
        return abut_fail_memory(error);
    memset(sim, 0, sizeof *sim);
    sim->scene = scene;
    sim->def = *def;
    sim->model = abut_contact_model(def->model);
    sim->contact_free = -1;
    sim->coherence = sim->model->build ? 0.0 : ABUT_COHERENCE;
    sim->worker_count = abut_thread_count(def->threads);
    status = make_workers(sim->model, sim->worker_count, &sim->newton, &sim->packed) ? abut_trees_follow(sim, error)
                                                                                     : abut_fail_memory(error);
    if (status == ABUT_OK && sim->model->settle)
        status = sim->model->settle(sim, error);
    if (status == ABUT_OK)
        *out = sim;
    else
        abut_simulation_free(sim);
    return status;
}

void abut_simulation_free(AbutSimulation *sim)
{
    if (!sim)
        return;
    abut_grown_set_free(&sim->grown);
    abut_free(sim->workspace);
    abut_free(sim->memory);
    abut_free(sim->contact);
    abut_free(sim->order);
    abut_free(sim->parent);
    abut_free(sim->island);
    abut_free(sim->island_contact);
    abut_free(sim->mover);
    abut_free(sim->still);
    abut_free(sim->active);
    abut_free(sim->active_pair);
    abut_free(sim->settled);
    abut_free(sim->settled_energy);
    abut_free(sim->event);
    abut_free(sim->seat_first);
    abut_free(sim->model_memory);
    free_workers(sim);
    abut_trees_free(sim->trees);
    abut_pressure_forget(sim);
    abut_free(sim);
}

AbutSimulationDef abut_simulation_settings(const AbutSimulation *sim)
{
    ABUT_ASSERT(sim);
    return sim->def;
}

/* What was made for the old settings goes, to be made anew by the next step. */
static void drop_workspaces(AbutSimulation *sim)
{
    abut_free(sim->workspace);
    abut_free(sim->model_memory);
    sim->workspace = NULL;
    sim->model_memory = NULL;
    sim->workspace_bytes = sim->model_memory_bytes = 0;
    sim->grown_current = 0;
    sim->active_count = -1; /* lists, too */
}

/* What a model keeps with a contact goes, and all are built anew. */
static void drop_contacts(AbutSimulation *sim)
{
    for (int32_t k = 0; k < sim->contact_places; ++k) {
        memset(sim->contact[k].model, 0, sizeof sim->contact[k].model);
        memset(sim->contact[k].model_index, 0, sizeof sim->contact[k].model_index);
    }
    sim->contact_revision = sim->scene->revision - 1;
}

AbutStatus abut_simulation_set_settings(AbutSimulation *sim, const AbutSimulationDef *def, AbutError *error)
{
    ABUT_ASSERT(sim && def);
    AbutNewton *newton;
    AbutPacked *packed;
    AbutStatus status = abut_simulation_check(def, error);
    if (status != ABUT_OK)
        return status;
    const AbutContactModel *model = abut_contact_model(def->model);
    int32_t workers = abut_thread_count(def->threads);
    if (!make_workers(model, workers, &newton, &packed))
        return abut_fail_memory(error);
    free_workers(sim);
    drop_workspaces(sim);
    if (model != sim->model || def->fit != sim->def.fit || def->torsion_uniform != sim->def.torsion_uniform)
        drop_contacts(sim);
    abut_pressure_forget(sim); /* the next step makes it anew */
    sim->def = *def;
    sim->model = model;
    sim->coherence = model->build ? 0.0 : ABUT_COHERENCE;
    sim->worker_count = workers;
    sim->newton = newton;
    sim->packed = packed;
    abut_simulation_wake_all(sim);
    return ABUT_OK;
}

AbutStatus abut_simulation_set_gravity(AbutSimulation *sim, AbutVec3 gravity, AbutError *error)
{
    ABUT_ASSERT(sim);
    AbutSimulationDef def = sim->def;
    def.gravity = gravity;
    AbutStatus status = abut_simulation_check(&def, error);
    if (status != ABUT_OK)
        return status;
    sim->def = def;
    abut_simulation_wake_all(sim);
    return ABUT_OK;
}

void abut_simulation_wake_all(AbutSimulation *sim)
{
    for (int32_t i = 0; i < sim->scene->body_places; ++i)
        if (sim->scene->body[i].alive)
            abut_scene_disturb(sim->scene, &sim->scene->body[i]);
}

const AbutScene *abut_simulation_scene(const AbutSimulation *sim)
{
    ABUT_ASSERT(sim);
    return sim->scene;
}

int abut_simulation_get_activity(const AbutSimulation *sim, AbutBodyId id, AbutBodyActivity *out)
{
    ABUT_ASSERT(sim && out);
    AbutBodyActivity none = {0, -1};
    int32_t place = abut_scene_body_place(sim->scene, id);
    *out = none;
    if (place < 0)
        return 0;
    const AbutBody *body = &sim->scene->body[place];
    const AbutMover *m = place < sim->mover_count ? &sim->mover[place] : NULL;
    if (m && m->alive && m->generation == body->generation) {
        out->asleep = m->asleep && m->disturbed == body->disturbed;
        out->island = m->island;
    }
    return 1;
}

double abut_simulation_time(const AbutSimulation *sim)
{
    ABUT_ASSERT(sim);
    return sim->time;
}

double abut_body_potential(const AbutSimulation *sim, const AbutBody *body)
{
    return body->alive && body->inv_mass > 0.0 ? body->mass * body->gravity_scale * abut_dot(sim->def.gravity, body->x)
                                               : 0.0;
}

double abut_simulation_energy(const AbutSimulation *sim, double *kinetic, double *potential)
{
    ABUT_ASSERT(sim);
    double k = 0.0, p = 0.0;
    int settled = sim->settled_bodies > 0 && sim->seen_disturbances == sim->scene->disturbances &&
                  sim->seen_revision == sim->scene->revision; /* nothing was done since the step began */
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        if (settled && sim->settled[i]) {
            p -= sim->settled_energy[i];
            continue;
        }
        const AbutBody *body = &sim->scene->body[i];
        if (!body->alive || body->inv_mass == 0.0)
            continue;
        AbutVec3 w = abut_mat3_apply_t(body->rotation, body->w);
        k += 0.5 * body->mass * abut_length_sq(body->v) + 0.5 * abut_dot(w, abut_mat3_apply(body->inertia, w));
        p -= abut_body_potential(sim, body);
    }
    for (int32_t i = 0; i < sim->scene->robot_tree_count; ++i) {
        const AbutConfiguration *c = sim->scene->robot_tree[i].configuration;
        for (int32_t d = 0; d < c->nv; ++d)
            k += 0.5 * c->dofs[d].armature * c->v[d] * c->v[d];
    }
    if (kinetic)
        *kinetic = k;
    if (potential)
        *potential = p;
    return k + p;
}

int abut_simulation_contact_count(const AbutSimulation *sim)
{
    ABUT_ASSERT(sim);
    return sim->order_count;
}

/* World vector of contact-frame numbers. */
static AbutVec3 to_world(const AbutSolverContact *c, double x, double y, double z)
{
    return abut_add(abut_add(abut_scale(c->e1, x), abut_scale(c->e2, y)), abut_scale(c->nu, z));
}

/* Speed of B against A at a point, across the normal. */
static double slip_speed(const AbutScene *scene, const AbutSolverContact *c, AbutVec3 point)
{
    const AbutBody *a = &scene->body[c->body_a], *b = &scene->body[c->body_b];
    AbutVec3 of_a = abut_add(a->v, abut_cross(a->w, abut_sub(point, a->x)));
    AbutVec3 of_b = abut_add(b->v, abut_cross(b->w, abut_sub(point, b->x)));
    AbutVec3 u = abut_sub(of_b, of_a);
    if (c->moving)
        u = abut_add(u, to_world(c, c->surface[0], c->surface[1], 0.0));
    return abut_length(abut_sub(u, abut_scale(c->nu, abut_dot(u, c->nu))));
}

void abut_contact_read(const AbutSimulation *sim, const AbutSolverContact *c, AbutContact *out)
{
    const AbutScene *scene = sim->scene;
    double per_time = 1.0 / (c->whole ? sim->constants.kick : sim->constants.dt), wrench[6];
    memset(out, 0, sizeof *out);
    const AbutScenePair *pair = &scene->pair[c->pair];
    if (pair->alive && pair->serial == c->serial) {
        out->body_a = abut_scene_body_id(scene, c->body_a);
        out->body_b = abut_scene_body_id(scene, c->body_b);
        out->shape_a = abut_scene_shape_id(scene, c->shape_a);
        out->shape_b = abut_scene_shape_id(scene, c->shape_b);
    }
    out->normal = c->nu;
    out->center = abut_add(scene->body[c->body_a].x, abut_mat3_apply(scene->body[c->body_a].rotation, c->p_a));
    abut_contact_wrench(c, wrench);
    for (int k = 0; k < 6; ++k)
        wrench[k] += c->impact[k];
    out->force = abut_scale(to_world(c, wrench[0], wrench[1], wrench[2]), per_time);
    out->torque = abut_scale(to_world(c, wrench[3], wrench[4], wrench[5]), per_time);
    double n = wrench[2];
    double x = abut_contact_resists_spin(c) ? c->torque[1] - wrench[4] : -wrench[4],
           y = abut_contact_resists_spin(c) ? wrench[3] - c->torque[0] : wrench[3];
    out->pressure_center = n > 0.0 ? abut_add(out->center, to_world(c, x / n, y / n, 0.0)) : out->center;
    out->area = c->area;
    out->volume = c->volume;
    out->depth = c->depth;
    out->vertex_count = c->count;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        AbutContactVertex *to = &out->vertex[i];
        to->point = abut_add(out->center, to_world(c, v->x, v->y, 0.0));
        const double *hit = i == 0 ? c->impact : (const double[3]){0}; /* contacts of one vertex have impacts */
        double n_all = v->n + hit[2];
        to->force = abut_scale(to_world(c, v->t1 + hit[0], v->t2 + hit[1], n_all), per_time);
        to->pressure = c->area > 0.0 ? n_all * per_time * c->count / c->area : 0.0;
        /* friction at its limit, and motion that is more than what the solver leaves */
        to->sliding = v->sliding && v->n > 0.0 && slip_speed(scene, c, to->point) > abut_slip_speed(sim);
        out->sliding |= to->sliding;
    }
}

int abut_simulation_get_contact(const AbutSimulation *sim, int index, AbutContact *out)
{
    ABUT_ASSERT(sim && out);
    if (index < 0 || index >= sim->order_count)
        return 0;
    abut_contact_read(sim, &sim->contact[sim->order[index]], out);
    return 1;
}

AbutStatus abut_simulation_get_contacts(const AbutSimulation *sim, AbutContactList *out, AbutError *error)
{
    ABUT_ASSERT(sim && out);
    AbutContactList list = {abut_alloc_array((size_t)sim->order_count, sizeof *list.contacts), sim->order_count};
    *out = (AbutContactList){NULL, 0};
    if (!list.contacts)
        return abut_fail_memory(error);
    for (int i = 0; i < list.count; ++i)
        abut_simulation_get_contact(sim, i, &list.contacts[i]);
    *out = list;
    return ABUT_OK;
}
