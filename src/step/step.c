/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a simulation: the entry file of this room. abut_simulation_step at the end reads as the list of stages.
 */
#include "base/system.h"
#include "dynamics/pressure.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"
#include "scene/tolerance.h"

#include <string.h>

/* Settings that were left open follow from the step size and the smallest body, whose size in references is `scale`;
 * docs/theory/contact.md says why. */
static AbutStepConstants step_constants(const AbutSimulation *sim, double scale, double h) {
    AbutStepConstants k;
    const AbutSimulationDef *def = &sim->def;
    double g = abut_length(def->gravity), short_step = ABUT_BETA_STEP * abut_scale_time(def, scale);
    memset(&k, 0, sizeof k);
    k.dt = h;
    k.beta = def->beta > 0.0 ? def->beta : (h <= short_step ? ABUT_BETA_SHORT : ABUT_BETA_LONG);
    k.margins.fixed = def->margin >= 0.0 ? def->margin : -1.0;
    k.margins.alone = sim->pressure != NULL; /* pairs are looked at up to the reach */
    if (sim->pressure) k.margins.fixed = 0.5 * sim->pressure->law.reach;
    k.margins.of_size = ABUT_MARGIN_SIZE;
    k.margins.of_root = ABUT_MARGIN_SPEED * h * sqrt(abut_scale_gravity(def) / ABUT_REFERENCE_SIZE);
    k.slop = def->slop;
    k.iterations = def->iterations > 0 ? def->iterations : ABUT_SWEEPS;
    k.alpha = def->compliance >= 0.0 ? def->compliance : k.beta / k.iterations;
    k.gravity_dt = (g > 0.0 ? g : ABUT_GRAVITY) * h;
    k.tolerance = def->tolerance * k.gravity_dt;
    k.root_gravity = sqrt(abut_scale_gravity(def));
    return k;
}

/* Impulses are per step: a new step size scales them. */
static void scale_impulses(AbutSimulation *sim, double factor) {
    for (int32_t i = 0; i < sim->contacts.places; ++i) {
        AbutSolverContact *c = &sim->contacts.at[i];
        for (int k = 0; c->touch->alive && k < c->count; ++k) {
            c->point[k].n *= factor;
            c->point[k].t1 *= factor;
            c->point[k].t2 *= factor;
            c->touch->vertex[k].last_n *= factor;
        }
        for (int k = 0; c->touch->alive && k < 3; ++k) c->torque[k] *= factor;
    }
    for (int32_t i = 0; sim->trees && i < sim->trees->row_count; ++i) sim->trees->row[i].impulse *= factor;
    for (int32_t i = 0; sim->trees && i < sim->trees->join_count; ++i)
        for (int k = 0; k < 6; ++k) sim->trees->join[i].impulse[k] *= factor;
}

/* Velocities of kinematic bodies that reach their prescribed pose at the end of the step. */
static AbutStatus drive_kinematic(AbutSimulation *sim, double dt, AbutError *error) {
    AbutScene *scene = sim->scene;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutBody *body = &scene->body[sim->awake.body[k]];
        if (!body->alive || body->kind != ABUT_BODY_KINEMATIC || !body->motion) continue;
        AbutPose next = body->motion(sim->time + dt, body->motion_user);
        if (!abut_pose_is_finite(next) || !(fabs(abut_quat_dot(next.q, next.q) - 1.0) <= ABUT_MOTION_UNIT))
            return abut_fail(
                error, ABUT_ERROR_NUMBER, "body '%s': its motion gives no pose at time %g", body->name, sim->time + dt);
        AbutVec3 center = abut_pose_apply(next, body->local_center);
        body->v = abut_scale(abut_sub(center, body->x), 1.0 / dt);
        body->w =
            abut_scale(abut_quat_log(abut_quat_mul(abut_quat_normalize(next.q), abut_quat_conj(body->q))), 1.0 / dt);
    }
    return ABUT_OK;
}

/* Sweeps and residuals of this part into the report of the step. */
static void count_sweeps(AbutSimulation *sim) {
    AbutStepReport *r = &sim->report;
    double weighted = 0.0;
    r->islands = sim->islands.count;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        const AbutIsland *island = &sim->islands.at[i];
        r->sweeps = island->sweeps > r->sweeps ? island->sweeps : r->sweeps;
        r->capped_islands += island->capped;
        r->guarded_islands += island->guarded;
        r->residual = abut_larger(r->residual, island->residual);
        weighted += (double)island->sweeps * island->contacts;
    }
    r->sweeps_mean += sim->islands.order_count > 0 ? weighted / sim->islands.order_count : 0.0;
    for (int32_t k = 0; r->guarded_islands > 0 && k < sim->awake.body_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        m->guarded |= m->alive && m->island >= 0 && sim->islands.at[m->island].guarded;
    }
}

/* Outcome of the step. */
static void finish_report(AbutSimulation *sim) {
    AbutStepReport *r = &sim->report;
    r->max_depth = sim->awake.settled_depth;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        AbutSolverContact *c = abut_ordered_contact(sim, k);
        c->touch->depth = abut_contact_depth(c);
        r->max_depth = abut_larger(r->max_depth, c->touch->depth);
    }
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        const AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        r->bodies_awake += m->alive && m->inv_mass > 0.0 && !m->asleep;
    }
    abut_simulation_energy(sim, &r->kinetic, &r->potential);
    r->time = sim->time;
}

/* Adds the time since *clock to a stage and restarts the clock. */
static void lap(AbutSimulation *sim, int stage, double *clock) {
    double t = abut_clock();
    sim->report.seconds[stage] += t - *clock;
    *clock = t;
}

/* One part of a step: the stages in their order. */
static AbutStatus step_part(AbutSimulation *sim, double scale, double h, AbutError *error) {
    AbutStatus status;
    double clock = abut_clock();
    sim->constants = step_constants(sim, scale, h);
    sim->constants.kick = sim->last_dt > 0.0 ? 0.5 * (sim->last_dt + h) : h;
    if (sim->last_dt > 0.0 && sim->last_dt != h) scale_impulses(sim, h / sim->last_dt);
    sim->last_dt = h;

    status = sim->control ? sim->control(sim, sim->time, sim->control_user, error) : ABUT_OK;
    if (status == ABUT_OK) status = drive_kinematic(sim, h, error);
    if (status == ABUT_OK && !abut_awake_follow(sim)) status = abut_fail_memory(error);
    abut_movers_load(sim);
    lap(sim, ABUT_STAGE_BOUNDS, &clock);
    if (status == ABUT_OK) status = abut_stage_shapes(sim, error);
    clock = abut_clock(); /* growing shapes is work of loading, and of no stage */
    if (status == ABUT_OK && abut_scene_update_bounds(sim->scene, sim->shapes.grown.largest, ABUT_FAT_MARGIN, h,
                                 sim->awake.still) != ABUT_OK)
        status = abut_fail_memory(error);
    lap(sim, ABUT_STAGE_BOUNDS, &clock);
    if (status == ABUT_OK && abut_scene_update_pairs(sim->scene) != ABUT_OK) status = abut_fail_memory(error);
    lap(sim, ABUT_STAGE_PAIRS, &clock);
    if (status == ABUT_OK) status = abut_stage_pair_shapes(sim, error);
    clock = abut_clock();
    if (status == ABUT_OK) status = abut_stage_contacts(sim, error);
    lap(sim, ABUT_STAGE_CONTACTS, &clock);
    if (status == ABUT_OK) status = abut_stage_islands(sim, error);
    if (status == ABUT_OK && sim->model->prepare) status = sim->model->prepare(sim, error);
    if (status == ABUT_OK && sim->trees && !abut_trees_reserve_columns(sim)) status = abut_fail_memory(error);
    lap(sim, ABUT_STAGE_ISLANDS, &clock);
    if (status != ABUT_OK) return status;
    abut_sensors_begin(sim);
    abut_stage_solve(sim, h);
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        if (sim->islands.at[i].starved) return abut_fail_memory(error);
    sim->report.work += abut_work_of_motion(sim);
    lap(sim, ABUT_STAGE_SOLVE, &clock);
    if (sim->watch) ABUT_TRY(sim->watch(sim, h, 0, sim->watch_user, error));
    abut_stage_advance(sim, h);
    if (sim->watch) ABUT_TRY(sim->watch(sim, h, 1, sim->watch_user, error));
    abut_activations_advance(sim, h);
    ABUT_TRY(abut_sensors_end(sim, h, error));
    lap(sim, ABUT_STAGE_ADVANCE, &clock);
    sim->time += h;
    ++sim->step;
    count_sweeps(sim);
    return ABUT_OK;
}

/* Speeds without measure end in infinity: an error, not silence. */
static AbutStatus check_finite(const AbutSimulation *sim, AbutError *error) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        const AbutBody *b = &sim->scene->body[i];
        double sum = b->x.x + b->x.y + b->x.z + b->v.x + b->v.y + b->v.z + b->w.x + b->w.y + b->w.z + b->q.w + b->q.x +
                     b->q.y + b->q.z;
        if (b->alive && !isfinite(sum))
            return abut_fail(error, ABUT_ERROR_NUMBER, "body %d ('%s') has left the range of numbers", i, b->name);
    }
    return ABUT_OK;
}

/* A ball counts as larger for parts of a step. */
static void count_size(const AbutSimulation *sim, int32_t place, AbutSizes *sizes) {
    const AbutShape *s = &sim->scene->shape[place];
    const AbutBody *body = &sim->scene->body[s->body];
    const AbutSolverBody *m = &sim->mover[s->body];
    if (!(body->inv_mass > 0.0) || (m->alive && m->asleep) || !s->alive || s->def.visual || s->def.sensor ||
        !s->polyhedron)
        return;
    double size = body->tree < 0 ? s->size : sim->trees->tree[body->tree].size * (ABUT_REFERENCE_SIZE / ABUT_TREE_SIZE);
    sizes->least = abut_smaller(sizes->least, size);
    sizes->pace = abut_smaller(sizes->pace,
        body->tree < 0 && s->def.form.kind == ABUT_SHAPE_SPHERE ? ABUT_BALL_PACE * ABUT_BALL_PACE * size : size);
}

/* For bodies that are awake and touch another, or else for all that are awake. Kept while the contacts stay the same.
 */
static AbutSizes smallest_sizes(const AbutSimulation *sim) {
    AbutSizes sizes = {INFINITY, INFINITY, sim->contacts.changes, sim->scene->revision, !sim->def.sleeping, 0};
    if (sim->islands.listed && sim->sizes.known && sim->sizes.changes == sizes.changes &&
        sim->sizes.revision == sizes.revision)
        return sim->sizes;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutTouch *t = abut_ordered_contact(sim, k)->touch;
        if (!t->alive || t->shape_a >= sim->scene->shape_places || t->shape_b >= sim->scene->shape_places) continue;
        count_size(sim, t->shape_a, &sizes);
        count_size(sim, t->shape_b, &sizes);
    }
    int touching = isfinite(sizes.least);
    for (int32_t k = 0; !touching && k < sim->awake.body_count; ++k)
        for (int32_t s = sim->scene->body[sim->awake.body[k]].first_shape; s >= 0; s = sim->scene->shape[s].next)
            count_size(sim, s, &sizes);
    sizes.least = isfinite(sizes.least) ? sizes.least / ABUT_REFERENCE_SIZE : 1.0;
    sizes.pace = isfinite(sizes.pace) ? sizes.pace / ABUT_REFERENCE_SIZE : 1.0;
    return sizes;
}

AbutStatus abut_simulation_step(AbutSimulation *sim, double dt, AbutStepReport *report, AbutError *error) {
    ABUT_ASSERT(sim);
    if (!(dt > 0.0) || !(dt <= 1.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "step size %g: expected a number above 0 and up to 1 second", dt);
    if (!abut_movers_reserve(sim)) return abut_fail_memory(error);
    AbutStatus status = abut_trees_follow(sim, error);
    if (status == ABUT_OK && sim->model->settle) status = sim->model->settle(sim, error);
    if (status == ABUT_OK && !abut_awake_follow(sim)) status = abut_fail_memory(error);
    if (status != ABUT_OK) return status;
    sim->sizes = smallest_sizes(sim);
    double start = sim->time, longest = ABUT_LONGEST_PART * abut_scale_time(&sim->def, sim->sizes.pace);
    if (sim->model->longest) longest = abut_smaller(longest, sim->model->longest(sim));
    if (sim->model->longest && dt / longest > ABUT_MOST_PARTS)
        return abut_fail(error, ABUT_ERROR_LIMIT,
            "model %s: expected a step of %g s asks for %.3g parts, at most %g: shorter steps, or a longer reach",
            sim->model->name, dt, dt / longest, ABUT_MOST_PARTS);
    int parts = (int)abut_larger(1.0, ceil(abut_smaller(dt / longest, ABUT_MOST_PARTS) - 1e-9));
    memset(&sim->report, 0, sizeof sim->report);
    sim->events.count = sim->events.lost = 0;
    for (int k = 0; k < parts; ++k) {
        status = step_part(sim, sim->sizes.least, dt / parts, error);
        if (status == ABUT_OK) status = check_finite(sim, error);
        if (status != ABUT_OK) return status;
    }
    sim->time = start + dt;
    sim->report.sweeps_mean /= parts;
    for (int32_t k = 0; k < sim->awake.body_count; ++k)
        sim->scene->body[sim->awake.body[k]].force = sim->scene->body[sim->awake.body[k]].torque = abut_zero();
    abut_events_of_bodies(sim);
    if (sim->events.lost) return abut_fail_memory(error);
    finish_report(sim);
    abut_awake_settle(sim);
    if (report) *report = sim->report;
    return ABUT_OK;
}
