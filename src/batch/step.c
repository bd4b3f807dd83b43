/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step of all worlds. In: rows that callers may have written. Out: rows of positions, velocities, times, forces of
 * watched contacts, and the status of each world. Worlds are independent: threads share them in any way.
 */
#include <math.h>
#include <string.h>

#include "batch/batch.h"
#include "dynamics/mover.h"
#include "math/numbers.h"

typedef struct Step {
    AbutBatch *b;
    double dt;
    int32_t substeps;
} Step;

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_row(const AbutBatch *b, int field, int32_t world, AbutError *error) {
    const double *row = abut_batch_row(b, field, world);
    for (size_t i = 0; row && i < abut_batch_width(b, field); ++i)
        if (!isfinite(row[i]))
            return abut_fail_field(error, ABUT_ERROR_NUMBER, abut_batch_field_names[field],
                "[%d, %d]: expected a finite number, got %g", (int)world, (int)i, row[i]);
    return ABUT_OK;
}

/* Positions and velocities that a caller has changed. */
static AbutStatus take_state(AbutBatch *b, int32_t world, double *scratch, AbutError *error) {
    size_t nq = abut_batch_width(b, ABUT_BATCH_POSITIONS), nv = abut_batch_width(b, ABUT_BATCH_VELOCITIES);
    const double *q = abut_batch_row(b, ABUT_BATCH_POSITIONS, world),
                 *v = abut_batch_row(b, ABUT_BATCH_VELOCITIES, world);
    abut_scene_get_joints(b->world[world].scene, 0, scratch, scratch + nq);
    if (memcmp(q, scratch, nq * sizeof *q) == 0 && memcmp(v, scratch + nq, nv * sizeof *v) == 0) return ABUT_OK;
    ABUT_TRY(check_row(b, ABUT_BATCH_POSITIONS, world, error));
    ABUT_TRY(check_row(b, ABUT_BATCH_VELOCITIES, world, error));
    return abut_scene_set_joints(b->world[world].scene, 0, (int32_t)nq, q, (int32_t)nv, v, error);
}

/* Activations that a caller has changed. */
static AbutStatus take_activations(AbutBatch *b, int32_t world, double *scratch, AbutError *error) {
    int32_t count = b->width[ABUT_BATCH_ACTIVATIONS][0];
    const double *row = abut_batch_row(b, ABUT_BATCH_ACTIVATIONS, world);
    AbutRobotForces present = {.activation = scratch};
    if (count == 0) return ABUT_OK;
    abut_simulation_get_robot_forces(b->world[world].sim, 0, &present);
    if (memcmp(row, scratch, (size_t)count * sizeof *row) == 0) return ABUT_OK;
    ABUT_TRY(check_row(b, ABUT_BATCH_ACTIVATIONS, world, error));
    return abut_simulation_set_activation(b->world[world].sim, 0, count, row, error);
}

static AbutStatus take_inputs(AbutBatch *b, int32_t world, double *scratch, AbutError *error) {
    AbutWorld *w = &b->world[world];
    const double *torque = abut_batch_row(b, ABUT_BATCH_TORQUES, world);
    ABUT_TRY(check_row(b, ABUT_BATCH_CONTROLS, world, error));
    ABUT_TRY(check_row(b, ABUT_BATCH_TORQUES, world, error));
    ABUT_TRY(abut_world_tune(b, world, error));
    w->sim->time = b->array[ABUT_BATCH_TIME][world];
    ABUT_TRY(take_state(b, world, scratch, error));
    ABUT_TRY(take_activations(b, world, scratch, error));
    if (b->width[ABUT_BATCH_CONTROLS][0] > 0)
        ABUT_TRY(abut_simulation_set_control(
            w->sim, 0, b->width[ABUT_BATCH_CONTROLS][0], abut_batch_row(b, ABUT_BATCH_CONTROLS, world), error));
    if (!torque || b->width[ABUT_BATCH_TORQUES][0] == 0) return ABUT_OK;
    return abut_simulation_set_torque(w->sim, 0, b->width[ABUT_BATCH_TORQUES][0], torque, error);
}

/* ---- outputs ----------------------------------------------------------------------------------------------------- */

/* Adds the force of a contact on the body at `place`, and its torque about the center of mass. */
static void add_wrench(const AbutSimulation *sim, const AbutSolverContact *c, int32_t place, double out[6]) {
    AbutContact contact;
    abut_contact_read(sim, c, &contact);
    double sign = c->body_b == place ? 1.0 : -1.0;
    AbutVec3 arm = abut_sub(contact.center, sim->scene->body[place].x);
    AbutVec3 torque = abut_add(contact.torque, abut_cross(arm, contact.force));
    abut_vec3_put(abut_add_scaled(abut_vec3_at(out), contact.force, sign), out);
    abut_vec3_put(abut_add_scaled(abut_vec3_at(out + 3), torque, sign), out + 3);
}

static void read_watches(const AbutBatch *b, int32_t world) {
    const AbutSimulation *sim = b->world[world].sim;
    const AbutSceneRobot *robot = &sim->scene->robot[0];
    double *out = abut_batch_row(b, ABUT_BATCH_CONTACT, world);
    memset(out, 0, abut_batch_width(b, ABUT_BATCH_CONTACT) * sizeof *out);
    for (int32_t k = 0; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        for (int32_t i = 0; i < b->watch_count; ++i) {
            int32_t place = robot->body[b->watch[i].a], with = b->watch[i].b >= 0 ? robot->body[b->watch[i].b] : -1,
                    other = c->body_a == place ? c->body_b : c->body_a;
            if ((c->body_a == place || c->body_b == place) && (with < 0 || other == with))
                add_wrench(sim, c, place, out + 6 * (size_t)i);
        }
    }
}

static AbutStatus read_world(AbutBatch *b, int32_t world, AbutError *error) {
    const AbutWorld *w = &b->world[world];
    abut_scene_get_joints(
        w->scene, 0, abut_batch_row(b, ABUT_BATCH_POSITIONS, world), abut_batch_row(b, ABUT_BATCH_VELOCITIES, world));
    b->array[ABUT_BATCH_TIME][world] = w->sim->time;
    if (b->watch_count) read_watches(b, world);
    if (b->width[ABUT_BATCH_ACTIVATIONS][0]) {
        AbutRobotForces out = {.activation = abut_batch_row(b, ABUT_BATCH_ACTIVATIONS, world)};
        abut_simulation_get_robot_forces(w->sim, 0, &out);
    }
    if (!b->array[ABUT_BATCH_SENSORS] || b->width[ABUT_BATCH_SENSORS][0] == 0) return ABUT_OK;
    return abut_simulation_get_sensors(w->sim, 0, abut_batch_row(b, ABUT_BATCH_SENSORS, world), error);
}

/* ---- step -------------------------------------------------------------------------------------------------------- */

static AbutStatus step_world(const Step *s, int32_t world, AbutError *error) {
    for (int32_t k = 0; k < s->substeps; ++k)
        ABUT_TRY(abut_simulation_step(s->b->world[world].sim, s->dt, NULL, error));
    return ABUT_OK;
}

/* Exchanges the memory of a thread and of a world: before a step, and after it. */
static void exchange(AbutRoom *room, AbutSimulation *sim) {
    AbutRoom own = {sim->shapes.workspace, sim->shapes.workspace_bytes, sim->solver};
    sim->shapes.workspace = room->workspace;
    sim->shapes.workspace_bytes = room->workspace_bytes;
    if (sim->trees) sim->solver = room->solver;
    room->workspace = own.workspace;
    room->workspace_bytes = own.workspace_bytes;
    if (sim->trees) room->solver = own.solver;
}

static void step_worlds(int begin, int end, int worker, void *user) {
    const Step *s = user;
    AbutBatch *b = s->b;
    for (int32_t i = begin; i < end; ++i) {
        if (b->status[i] != ABUT_OK) continue;
        AbutError error;
        AbutStatus status = take_inputs(b, i, b->scratch + (size_t)worker * abut_batch_scratch(b), &error);
        AbutSimulation *sim = b->world[i].sim; /* perhaps made anew */
        exchange(&b->room[worker], sim);
        if (status == ABUT_OK) status = step_world(s, i, &error);
        exchange(&b->room[worker], sim);
        if (status == ABUT_OK) status = read_world(b, i, &error);
        if (status != ABUT_OK) abut_world_fail(b, i, status, error.text);
    }
}

AbutStatus abut_batch_step(AbutBatch *b, double dt, int32_t substeps, AbutError *error) {
    ABUT_ASSERT(b);
    if (!(dt > 0.0) || !(dt <= 1.0))
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "dt", ": expected a number above 0 and up to 1 second, got %g", dt);
    if (substeps < 1)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "substeps", ": expected 1 or more, got %d", (int)substeps);
    Step s = {b, dt, substeps};
    abut_parallel_for(b->worlds, 1, b->threads, step_worlds, &s);
    return ABUT_OK;
}
