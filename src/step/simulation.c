/* SPDX-License-Identifier: Apache-2.0 */
/* Making and freeing simulations, names of stages, and what can be read from a simulation. */
#include "dynamics/mesh_contact.h"
#include "dynamics/newton.h"
#include "dynamics/packed.h"
#include "dynamics/pressure.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"

#include <string.h>

const char *const abut_stage_names[ABUT_STAGE_COUNT + 1] = {
    "bounds", "pairs", "contacts", "islands", "solve", "advance", NULL};

/* ---- life and settings ------------------------------------------------------------------------------------------- */

AbutStatus abut_simulation_create(
    AbutScene *scene, const AbutSimulationDef *def, AbutSimulation **out, AbutError *error) {
    ABUT_ASSERT(scene && def && out);
    *out = NULL;
    AbutStatus status = abut_simulation_check(def, error);
    if (status == ABUT_OK) status = abut_scene_check(scene, error);
    if (status != ABUT_OK) return status;
    AbutSimulation *sim = abut_alloc(sizeof *sim);
    if (!sim) return abut_fail_memory(error);
    memset(sim, 0, sizeof *sim);
    sim->scene = scene;
    sim->def = *def;
    sim->model = abut_contact_model(def->model);
    sim->contacts.free = -1;
    sim->contacts.coherence = sim->model->build ? 0.0 : ABUT_COHERENCE;
    status = abut_solver_make(&sim->solver, sim->model, abut_thread_count(def->threads)) &&
                     abut_contacts_ready(&sim->contacts, sim->solver.workers, sim->model->keeps)
                 ? abut_trees_follow(sim, error)
                 : abut_fail_memory(error);
    if (status == ABUT_OK && sim->model->settle) status = sim->model->settle(sim, error);
    if (status == ABUT_OK)
        *out = sim;
    else
        abut_simulation_free(sim);
    return status;
}

void abut_simulation_free(AbutSimulation *sim) {
    if (!sim) return;
    abut_grown_set_free(&sim->shapes.grown);
    abut_free(sim->shapes.workspace);
    abut_contacts_free(&sim->contacts);
    abut_islands_free(&sim->islands);
    abut_awake_free(&sim->awake);
    abut_solver_free(&sim->solver);
    abut_free(sim->mover);
    abut_free(sim->events.at);
    abut_trees_free(sim->trees);
    abut_pressure_forget(sim);
    abut_mesh_contacts_free(sim);
    abut_free(sim);
}

AbutSimulationDef abut_simulation_settings(const AbutSimulation *sim) {
    ABUT_ASSERT(sim);
    return sim->def;
}

/* Drops everything made for the old settings; the next step makes it anew. */
static void drop_workspaces(AbutSimulation *sim) {
    abut_free(sim->shapes.workspace);
    sim->shapes.workspace = NULL;
    sim->shapes.workspace_bytes = 0;
    sim->shapes.current = 0;
    sim->awake.body_count = -1; /* lists, too */
}

/* Drops the data that a model keeps with a contact; all are built anew. */
static void drop_contacts(AbutSimulation *sim) {
    abut_contacts_forget_models(&sim->contacts);
    sim->contacts.revision = sim->scene->revision - 1;
}

AbutStatus abut_simulation_set_settings(AbutSimulation *sim, const AbutSimulationDef *def, AbutError *error) {
    ABUT_ASSERT(sim && def);
    AbutSolver solver = {.wants_violation = sim->solver.wants_violation, .one_way = sim->solver.one_way};
    AbutStatus status = abut_simulation_check(def, error);
    if (status != ABUT_OK) return status;
    const AbutContactModel *model = abut_contact_model(def->model);
    if (!abut_solver_make(&solver, model, abut_thread_count(def->threads))) return abut_fail_memory(error);
    if (!abut_contacts_ready(&sim->contacts, solver.workers, model->keeps)) {
        abut_solver_free(&solver);
        return abut_fail_memory(error);
    }
    abut_solver_free(&sim->solver);
    sim->solver = solver;
    drop_workspaces(sim);
    if (model != sim->model || def->fit != sim->def.fit || def->torsion_uniform != sim->def.torsion_uniform)
        drop_contacts(sim);
    abut_pressure_forget(sim); /* the next step makes it anew */
    sim->def = *def;
    sim->model = model;
    sim->contacts.coherence = model->build ? 0.0 : ABUT_COHERENCE;
    abut_simulation_wake_all(sim);
    return ABUT_OK;
}

AbutStatus abut_simulation_set_gravity(AbutSimulation *sim, AbutVec3 gravity, AbutError *error) {
    ABUT_ASSERT(sim);
    AbutSimulationDef def = sim->def;
    def.gravity = gravity;
    AbutStatus status = abut_simulation_check(&def, error);
    if (status != ABUT_OK) return status;
    sim->def = def;
    abut_simulation_wake_all(sim);
    return ABUT_OK;
}

void abut_simulation_wake_all(AbutSimulation *sim) {
    for (int32_t i = 0; i < sim->scene->body_places; ++i)
        if (sim->scene->body[i].alive) abut_scene_disturb(sim->scene, &sim->scene->body[i]);
}

const AbutScene *abut_simulation_scene(const AbutSimulation *sim) {
    ABUT_ASSERT(sim);
    return sim->scene;
}

int abut_simulation_get_activity(const AbutSimulation *sim, AbutBodyId id, int32_t *asleep, int32_t *island) {
    ABUT_ASSERT(sim);
    int32_t place = abut_scene_body_place(sim->scene, id);
    const AbutSolverBody *m = place >= 0 && place < sim->mover_count ? &sim->mover[place] : NULL;
    const AbutBody *body = m ? &sim->scene->body[place] : NULL;
    int known = m && m->alive && m->generation == body->generation;
    if (asleep) *asleep = known && m->asleep && m->disturbed == body->disturbed;
    if (island) *island = known ? m->island : -1;
    return place >= 0;
}

double abut_simulation_time(const AbutSimulation *sim) {
    ABUT_ASSERT(sim);
    return sim->time;
}

double abut_body_potential(const AbutSimulation *sim, const AbutBody *body) {
    return body->alive && body->inv_mass > 0.0 ? body->mass * body->gravity_scale * abut_dot(sim->def.gravity, body->x)
                                               : 0.0;
}

double abut_simulation_energy(const AbutSimulation *sim, double *kinetic, double *potential) {
    ABUT_ASSERT(sim);
    double k = 0.0, p = 0.0;
    int settled = sim->awake.settled_bodies > 0 && sim->awake.seen_disturbances == sim->scene->disturbances &&
                  sim->awake.seen_revision == sim->scene->revision; /* nothing was done since the step began */
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        if (settled && sim->awake.settled[i]) {
            p -= sim->awake.settled_energy[i];
            continue;
        }
        const AbutBody *body = &sim->scene->body[i];
        if (!body->alive || body->inv_mass == 0.0) continue;
        AbutVec3 w = abut_mat3_apply_t(body->rotation, body->w);
        k += 0.5 * body->mass * abut_length_sq(body->v) + 0.5 * abut_dot(w, abut_mat3_apply(body->inertia, w));
        p -= abut_body_potential(sim, body);
    }
    for (int32_t i = 0; i < sim->scene->robot_tree_count; ++i) {
        const AbutConfiguration *c = sim->scene->robot_tree[i].configuration;
        for (int32_t d = 0; d < c->tree->nv; ++d) k += 0.5 * c->tree->dofs[d].armature * c->v[d] * c->v[d];
    }
    p += abut_spring_energy(sim->scene);
    if (kinetic) *kinetic = k;
    if (potential) *potential = p;
    return k + p;
}
