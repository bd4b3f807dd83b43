/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the mode room needs of a simulation beside the rows: contacts without a step, and weights, masses and friction
 * in the velocities of abut_simulation_mode_system. Six velocities per dynamic body, in the order of the scene: of the
 * centre of mass, then angular, world axes.
 */
#include "dynamics/sim.h"

#include <string.h>

AbutStatus abut_simulation_find_contacts(AbutSimulation *sim, double margin, AbutError *error)
{
    static const double MARGIN = 3e-6;
    if (!(margin <= 0.1))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "margin %g: at most 0.1 m was expected", margin);
    if (!(sim->constants.dt > 0.0)) /* never stepped; there are no impulses that dt could divide */
        sim->constants = (AbutStepConstants){
            .dt = 1.0, .margin = sim->def.margin >= 0.0 ? sim->def.margin : MARGIN, .iterations = 1};
    if (margin > 0.0)
        sim->constants.margin = margin;
    AbutStatus status = abut_stage_shapes(sim, error);
    if (status == ABUT_OK && (abut_scene_update_bounds(sim->scene, sim->constants.margin, 0.0, 0.0) != ABUT_OK ||
                                 abut_scene_update_pairs(sim->scene) != ABUT_OK))
        status = abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the pairs");
    if (status == ABUT_OK)
        status = abut_stage_contacts(sim, error);
    return status == ABUT_OK ? abut_stage_islands(sim, error) : status;
}

static int is_dynamic(const AbutBody *body)
{
    return body->alive && body->kind == ABUT_BODY_DYNAMIC;
}

int abut_simulation_mode_dof(const AbutSimulation *sim)
{
    int dof = 0;
    for (int32_t i = 0; i < sim->scene->body_places; ++i)
        dof += 6 * is_dynamic(&sim->scene->body[i]);
    return dof;
}

/* Mass and inertia about the centre of mass, world axes, into the block of a body. */
static void put_mass(const AbutBody *body, int at, int dof, double *mass)
{
    AbutMat3 turned = abut_mat3_mul(body->rotation, body->inertia);
    for (int r = 0; r < 3; ++r) {
        mass[(size_t)(at + r) * (size_t)dof + (size_t)(at + r)] = body->mass;
        AbutVec3 column = abut_mat3_apply(turned, abut_mat3_apply_t(body->rotation, abut_axis(r)));
        for (int k = 0; k < 3; ++k)
            mass[(size_t)(at + 3 + k) * (size_t)dof + (size_t)(at + 3 + r)] = abut_get(column, k);
    }
}

void abut_simulation_mode_forces(
    const AbutSimulation *sim, double *force, double *velocity, double *mass, double *friction)
{
    int dof = abut_simulation_mode_dof(sim), at = 0, n = 0;
    if (mass)
        memset(mass, 0, (size_t)dof * (size_t)dof * sizeof *mass);
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        const AbutBody *body = &sim->scene->body[i];
        if (!is_dynamic(body))
            continue;
        for (int k = 0; k < 3; ++k) {
            if (force)
                force[at + k] = body->mass * abut_get(sim->def.gravity, k), force[at + 3 + k] = 0.0;
            if (velocity)
                velocity[at + k] = abut_get(body->v, k), velocity[at + 3 + k] = abut_get(body->w, k);
        }
        if (mass)
            put_mass(body, at, dof, mass);
        at += 6;
    }
    for (int32_t k = 0; k < sim->order_count && friction; ++k)
        for (int i = 0; i < sim->contact[sim->order[k]].count; ++i)
            friction[n++] = sim->contact[sim->order[k]].mu_static;
}

const AbutScene *abut_simulation_scene(const AbutSimulation *sim)
{
    return sim->scene;
}
