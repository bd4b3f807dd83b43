/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One world of a batch: a scene and a simulation that share model, trees and tables; made, made anew, and with
 * parameters of its own. In: rows of parameters. Out: a simulation that has them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch/batch.h"
#include "dynamics/sim.h"
#include "math/numbers.h"
#include "model/mass.h"

void abut_world_free(AbutWorld *world) {
    abut_simulation_free(world->sim);
    abut_scene_free(world->scene);
    if (world->variant) {
        abut_free((void *)(uintptr_t)world->variant->model.bodies);
        abut_free((void *)(uintptr_t)world->variant->model.actuators);
    }
    abut_free(world->variant);
    memset(world, 0, sizeof *world);
}

/* Takes over the variant, also when it fails. */
AbutStatus abut_world_make(
    const AbutBatch *b, AbutModelInside *variant, AbutShapeId *shapes, AbutWorld *out, AbutError *error) {
    const AbutModel *model = variant ? &variant->model : b->model;
    const AbutScene *like = variant ? NULL : b->first.scene; /* NULL of the first */
    AbutWorld world = {.variant = variant};
    AbutStatus status = abut_scene_create(&world.scene, error);
    if (status == ABUT_OK) status = abut_scene_share_model(world.scene, model, like, shapes, error);
    if (status == ABUT_OK) status = abut_simulation_create(world.scene, &b->def, &world.sim, error);
    if (status != ABUT_OK) {
        abut_world_free(&world);
        return status;
    }
    if (world.sim->trees) { /* lent by threads */
        abut_solver_free(&world.sim->solver);
        world.sim->solver = (AbutSolver){0};
    }
    *out = world;
    return ABUT_OK;
}

void abut_world_fail(AbutBatch *b, int32_t world, AbutStatus status, const char *reason) {
    b->status[world] = (int32_t)status;
    snprintf(b->world[world].reason, ABUT_REASON, "%s", reason);
}

/* ---- masses and gains -------------------------------------------------------------------------------------------- */

static AbutStatus set_mass(AbutBodyDef *body, AbutRigid own, int32_t number, double mass, AbutError *error) {
    if (!isfinite(mass) || (own.mass > 0.0 ? mass <= 0.0 : mass != 0.0))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "mass", "[%d]: expected %s, got %g", (int)number,
            own.mass > 0.0 ? "a number above 0" : "0 for a body without mass", mass);
    if (mass == own.mass) return ABUT_OK;
    body->mass = mass;
    body->center = own.center;
    body->inertia = abut_mat3_scale(own.inertia, mass / own.mass);
    return ABUT_OK;
}

static AbutStatus fill_variant(const AbutBatch *b, int32_t world, AbutModelInside *v, AbutError *error) {
    const double *mass = abut_batch_row(b, ABUT_BATCH_MASS, world), *gain = abut_batch_row(b, ABUT_BATCH_GAIN, world);
    AbutBodyDef *bodies = (AbutBodyDef *)(uintptr_t)v->model.bodies;
    AbutActuatorDef *actuators = (AbutActuatorDef *)(uintptr_t)v->model.actuators;
    for (int32_t i = 0; mass && i < b->model->body_count; ++i)
        ABUT_TRY(set_mass(&bodies[i], abut_rigid_of_body(b->model, i), i, mass[i], error));
    for (int32_t i = 0; gain && i < b->model->actuator_count; ++i) {
        double sum = fabs(gain[4 * i]) + fabs(gain[4 * i + 1]) + fabs(gain[4 * i + 2]) + fabs(gain[4 * i + 3]);
        if (!isfinite(sum))
            return abut_fail_field(error, ABUT_ERROR_NUMBER, "gain", "[%d]: expected finite numbers", (int)i);
        actuators[i].gain = gain[4 * i];
        memcpy(actuators[i].bias, gain + 4 * i + 1, sizeof actuators[i].bias);
    }
    return ABUT_OK;
}

/* The model with the masses and gains of a world. */
static AbutStatus make_variant(const AbutBatch *b, int32_t world, AbutModelInside **out, AbutError *error) {
    AbutWorld own = {.variant = abut_alloc(sizeof *own.variant)};
    if (!own.variant) return abut_fail_memory(error);
    *own.variant = *abut_model_inside(b->model);
    size_t bodies = (size_t)b->model->body_count * sizeof(AbutBodyDef),
           actuators = (size_t)b->model->actuator_count * sizeof(AbutActuatorDef);
    void *body = abut_alloc(bodies), *actuator = abut_alloc(actuators);
    own.variant->model.bodies = body;
    own.variant->model.actuators = actuator;
    AbutStatus status = body && actuator ? ABUT_OK : abut_fail_memory(error);
    if (status == ABUT_OK && bodies) memcpy(body, b->model->bodies, bodies);
    if (status == ABUT_OK && actuators) memcpy(actuator, b->model->actuators, actuators);
    if (status == ABUT_OK) status = fill_variant(b, world, own.variant, error);
    if (status == ABUT_OK)
        *out = own.variant;
    else
        abut_world_free(&own);
    return status;
}

/* The simulation is new: it has gravity and friction of the model. */
static void forget_applied(AbutBatch *b, int32_t world) {
    for (int f = ABUT_BATCH_GRAVITY; f <= ABUT_BATCH_FRICTION; ++f) {
        size_t width = abut_batch_width(b, f);
        if (b->applied[f] && width)
            memcpy(b->applied[f] + (size_t)world * width, b->model_row[f], width * sizeof(double));
    }
}

static int differs(const AbutBatch *b, int field, int32_t world, const double *from, int32_t from_row) {
    size_t width = abut_batch_width(b, field);
    return b->array[field] && width &&
           memcmp(abut_batch_row(b, field, world), from + (size_t)from_row * width, width * sizeof *from) != 0;
}

/* A new scene and simulation in place of those of a world. */
static AbutStatus make_anew(AbutBatch *b, int32_t world, AbutError *error) {
    AbutModelInside *variant = NULL;
    AbutWorld fresh;
    if (differs(b, ABUT_BATCH_MASS, world, b->model_row[ABUT_BATCH_MASS], 0) ||
        differs(b, ABUT_BATCH_GAIN, world, b->model_row[ABUT_BATCH_GAIN], 0))
        ABUT_TRY(make_variant(b, world, &variant, error));
    ABUT_TRY(abut_world_make(b, variant, NULL, &fresh, error));
    fresh.sim->time = b->array[ABUT_BATCH_TIME][world];
    abut_world_free(&b->world[world]);
    b->world[world] = fresh;
    for (int f = ABUT_BATCH_MASS; f <= ABUT_BATCH_GAIN; ++f) {
        size_t width = abut_batch_width(b, f);
        if (b->array[f] && width)
            memcpy(b->applied[f] + (size_t)world * width, abut_batch_row(b, f, world), width * sizeof(double));
    }
    forget_applied(b, world);
    return ABUT_OK;
}

AbutStatus abut_world_renew(AbutBatch *b, int32_t world, AbutError *error) {
    AbutWorld *w = &b->world[world];
    if (b->status[world] != ABUT_OK || w->variant) return make_anew(b, world, error);
    ABUT_TRY(abut_simulation_restore(w->sim, b->start, b->start_bytes, error));
    if (b->applied[ABUT_BATCH_GRAVITY])
        abut_vec3_put(b->def.gravity, b->applied[ABUT_BATCH_GRAVITY] + 3 * (size_t)world);
    return ABUT_OK;
}

/* ---- gravity and friction ---------------------------------------------------------------------------------------- */

static AbutStatus tune_gravity(AbutBatch *b, int32_t world, AbutError *error) {
    double *applied = b->applied[ABUT_BATCH_GRAVITY] + 3 * (size_t)world,
           *row = abut_batch_row(b, ABUT_BATCH_GRAVITY, world);
    ABUT_TRY(abut_simulation_set_gravity(b->world[world].sim, abut_vec3_at(row), error));
    memcpy(applied, row, 3 * sizeof *row);
    return ABUT_OK;
}

static AbutStatus tune_friction(AbutBatch *b, int32_t world, AbutError *error) {
    size_t width = abut_batch_width(b, ABUT_BATCH_FRICTION);
    double *applied = b->applied[ABUT_BATCH_FRICTION] + (size_t)world * width,
           *row = abut_batch_row(b, ABUT_BATCH_FRICTION, world);
    for (size_t i = 0; i < width; ++i) {
        AbutMaterial material = b->model->shapes[i].material;
        if (!(row[i] >= 0.0) || !isfinite(row[i]))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "friction",
                "[%d]: expected a number of 0 or above, got %g", (int)i, row[i]);
        if (row[i] == applied[i]) continue;
        double ratio = material.friction > 0.0 ? material.friction_kinetic / material.friction : 1.0;
        if (material.friction_kinetic >= 0.0) material.friction_kinetic = abut_smaller(row[i], ratio * row[i]);
        material.friction = row[i];
        ABUT_TRY(abut_scene_set_material(b->world[world].scene, b->shape[i], &material, error));
        applied[i] = row[i];
    }
    return ABUT_OK;
}

AbutStatus abut_world_tune(AbutBatch *b, int32_t world, AbutError *error) {
    if (differs(b, ABUT_BATCH_MASS, world, b->applied[ABUT_BATCH_MASS], world) ||
        differs(b, ABUT_BATCH_GAIN, world, b->applied[ABUT_BATCH_GAIN], world))
        ABUT_TRY(make_anew(b, world, error));
    if (differs(b, ABUT_BATCH_GRAVITY, world, b->applied[ABUT_BATCH_GRAVITY], world))
        ABUT_TRY(tune_gravity(b, world, error));
    if (differs(b, ABUT_BATCH_FRICTION, world, b->applied[ABUT_BATCH_FRICTION], world))
        ABUT_TRY(tune_friction(b, world, error));
    return ABUT_OK;
}
