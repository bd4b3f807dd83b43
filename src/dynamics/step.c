/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a simulation: the entry file of this room. abut_simulation_step at the end reads as the list of stages.
 */
#include "dynamics/sim.h"

#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Settings that were left open follow from the step size; docs/theory/contact.md says why. */
static AbutStepConstants step_constants(const AbutSimulationDef *def, double dt)
{
    AbutStepConstants k;
    double g = abut_length(def->gravity);
    k.dt = dt;
    k.substeps = dt > 1.01e-2 ? 8 : 1;
    double h = dt / k.substeps;
    k.beta = def->beta > 0.0 ? def->beta : (dt <= 2e-4 ? 0.02 : (dt < 4e-3 ? 0.05 : 0.1));
    double reach = k.substeps > 1 ? 0.018 : (dt < 4e-3 ? 0.005 : 0.01); /* m/s: how far a resting vertex may wander in a step */
    k.margin = def->margin >= 0.0 ? def->margin : abut_larger(3e-6, reach * dt);
    k.slop = def->slop;
    k.iterations = def->iterations > 0 ? def->iterations : (k.substeps > 1 ? 32 : (dt >= 4e-3 ? 20 : 10));
    k.sweeps_per_substep = (k.iterations + k.substeps - 1) / k.substeps;
    k.alpha = def->compliance >= 0.0 ? def->compliance : k.beta / k.iterations;
    k.gravity_dt = (g > 0.0 ? g : 9.80665) * h;
    k.tolerance = def->tolerance * k.gravity_dt;
    return k;
}

/* Impulses are per step: a new step size scales them. */
static void scale_impulses(AbutSimulation *sim, double factor)
{
    for (int32_t i = 0; i < sim->contact_places; ++i) {
        AbutContact *c = &sim->contact[i];
        for (int k = 0; c->alive && k < c->count; ++k) {
            c->point[k].n *= factor;
            c->point[k].t1 *= factor;
            c->point[k].t2 *= factor;
            c->point[k].last_n *= factor;
        }
    }
}

/* Velocities of kinematic bodies that reach their prescribed pose at the end of the step. */
static void drive_kinematic(AbutSimulation *sim, double dt)
{
    AbutScene *scene = sim->scene;
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *body = &scene->body[i];
        if (!body->alive || body->kind != ABUT_BODY_KINEMATIC || !body->motion)
            continue;
        AbutPose next = body->motion(sim->time + dt, body->motion_user);
        AbutVec3 center = abut_pose_apply(next, body->local_center);
        body->v = abut_scale(abut_sub(center, body->x), 1.0 / dt);
        body->w = abut_scale(abut_quat_log(abut_quat_mul(next.q, abut_quat_conj(body->q))), 1.0 / dt);
    }
}

/* Moves a body; its angular momentum is kept exactly, which is all of the gyroscopic term. */
static void advance_body(AbutBody *body, double h)
{
    body->x = abut_add_scaled(body->x, body->v, h);
    if (abut_length_sq(body->w) == 0.0)
        return;
    AbutVec3 momentum = abut_mat3_apply(body->rotation, abut_mat3_apply(body->inertia, abut_mat3_apply_t(body->rotation, body->w)));
    body->q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(body->w, h)), body->q));
    abut_body_moved(body);
    if (body->inv_mass > 0.0)
        body->w = abut_mat3_apply(body->inv_inertia_world, momentum);
}

void abut_stage_advance(AbutSimulation *sim, double h)
{
    AbutScene *scene = sim->scene;
    for (int32_t i = 0; i < scene->body_places; ++i)
        sim->motion_part[i] = 1.0;
    if (sim->def.continuous)
        abut_limit_motion(sim, h);
    for (int32_t i = 0; i < scene->body_places; ++i) {
        AbutBody *body = &scene->body[i];
        if (body->alive && body->kind != ABUT_BODY_STATIC && !body->asleep)
            advance_body(body, h * sim->motion_part[i]);
    }
}

/* Overlap at the vertices after a substep, without new geometry. */
static void follow_motion(AbutSimulation *sim)
{
    for (int32_t k = 0; k < sim->order_count; ++k)
        abut_refresh_contact(sim, &sim->contact[sim->order[k]]);
}

static void finish_report(AbutSimulation *sim)
{
    AbutStepReport *r = &sim->report;
    double weighted = 0.0;
    r->islands = sim->island_count;
    r->sweeps = r->capped_islands = r->bodies_awake = 0;
    r->residual = r->sweeps_mean = r->max_depth = 0.0;
    for (int32_t i = 0; i < sim->island_count; ++i) {
        const AbutIsland *island = &sim->island[i];
        r->sweeps = island->sweeps > r->sweeps ? island->sweeps : r->sweeps;
        r->capped_islands += island->capped;
        r->residual = abut_larger(r->residual, island->residual);
        weighted += (double)island->sweeps * island->contacts;
    }
    r->sweeps_mean = sim->order_count > 0 ? weighted / sim->order_count : 0.0;
    for (int32_t k = 0; k < sim->order_count; ++k) {
        AbutContact *c = &sim->contact[sim->order[k]];
        double sunk = -INFINITY;
        for (int i = 0; i < c->count; ++i)
            sunk = abut_larger(sunk, c->point[i].thickness - c->point[i].built_thickness);
        c->depth = abut_larger(0.0, c->built_depth + (c->count ? sunk : 0.0));
        r->max_depth = abut_larger(r->max_depth, c->depth);
    }
    for (int32_t i = 0; i < sim->scene->body_places; ++i) {
        const AbutBody *body = &sim->scene->body[i];
        r->bodies_awake += body->alive && body->inv_mass > 0.0 && !body->asleep;
    }
    abut_simulation_energy(sim, &r->kinetic, &r->potential);
    r->time = sim->time;
}

static int reserve_bodies(AbutSimulation *sim)
{
    size_t n = (size_t)sim->scene->body_places;
    return abut_grow((void **)&sim->start_v, &sim->start_v_capacity, n, sizeof *sim->start_v) &&
           abut_grow((void **)&sim->start_w, &sim->start_w_capacity, n, sizeof *sim->start_w) &&
           abut_grow((void **)&sim->motion_part, &sim->motion_part_capacity, n, sizeof *sim->motion_part);
}

static void solve_and_advance(AbutSimulation *sim, double *clock)
{
    int substeps = sim->constants.substeps;
    double h = sim->constants.dt / substeps;
    for (int s = 0; s < substeps; ++s) {
        if (s > 0)
            follow_motion(sim);
        abut_stage_solve(sim, h);
        double t = seconds_now();
        sim->report.seconds[ABUT_STAGE_SOLVE] += t - *clock;
        abut_stage_advance(sim, h);
        *clock = seconds_now();
        sim->report.seconds[ABUT_STAGE_ADVANCE] += *clock - t;
    }
}

/* Adds the time since *clock to a stage and restarts the clock. */
static void lap(AbutSimulation *sim, AbutStage stage, double *clock)
{
    double t = seconds_now();
    sim->report.seconds[stage] += t - *clock;
    *clock = t;
}

AbutStatus abut_simulation_step(AbutSimulation *sim, double dt, AbutStepReport *report, AbutError *error)
{
    if (!(dt > 0.0) || !(dt <= 1.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "step size %g: a number above 0 and up to 1 second was expected", dt);
    if (!reserve_bodies(sim))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d bodies", sim->scene->body_places);
    AbutStatus status = ABUT_OK;
    double clock = seconds_now();
    memset(&sim->report, 0, sizeof sim->report);
    sim->constants = step_constants(&sim->def, dt);
    if (sim->last_dt > 0.0 && sim->last_dt != dt)
        scale_impulses(sim, dt / sim->last_dt);
    sim->last_dt = dt;

    drive_kinematic(sim, dt);
    status = abut_stage_hulls(sim, error);
    if (status == ABUT_OK && abut_scene_update_bounds(sim->scene, sim->constants.margin, 0.02, dt) != ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the bounding boxes");
    lap(sim, ABUT_STAGE_BOUNDS, &clock);
    if (status == ABUT_OK && abut_scene_update_pairs(sim->scene) != ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the pairs");
    lap(sim, ABUT_STAGE_PAIRS, &clock);
    if (status == ABUT_OK)
        status = abut_stage_contacts(sim, error);
    lap(sim, ABUT_STAGE_CONTACTS, &clock);
    if (status == ABUT_OK)
        status = abut_stage_islands(sim, error);
    lap(sim, ABUT_STAGE_ISLANDS, &clock);
    if (status != ABUT_OK)
        return status;
    solve_and_advance(sim, &clock);
    sim->time += dt;
    ++sim->step;
    finish_report(sim);
    if (report)
        *report = sim->report;
    return ABUT_OK;
}
