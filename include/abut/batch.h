/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch: many worlds of one model, stepped together. Model, geometry and trees of joints exist once; what moves stands
 * in arrays with a row for each world, which callers read and write between steps.
 *
 * Every world moves with the bits of a single simulation of the model at the origin, whatever the number of threads. A
 * world that fails is marked and left out of further steps until it is reset; the others go on.
 */
#ifndef ABUT_BATCH_H
#define ABUT_BATCH_H

#include "abut/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutBatch AbutBatch;

/*
 * Makes `worlds` worlds of a model, at its reference. The model is copied, geometry is shared. `def` is that of each
 * world; NULL: the defaults with the gravity of the model. Its `threads` share the worlds; a world uses one.
 *
 * `watches`: pairs of bodies of the model whose contact forces are wanted, b = -1: with all other bodies.
 */
ABUT_API AbutStatus abut_batch_create(const AbutModel *model, int32_t worlds, const AbutSimulationDef *def,
    int32_t watch_count, const AbutPair *watches, AbutBatch **out, AbutError *error);
ABUT_API void abut_batch_free(AbutBatch *batch); /* accepts NULL */

ABUT_API const AbutModel *abut_batch_model(const AbutBatch *batch); /* the copy of the batch */

/*
 * Arrays, with a row per world. Those up to TIME are read by each step, which also writes positions, velocities and
 * time; STATUS, CONTACT and SENSORS are only written; those after SENSORS are parameters of each world.
 */
enum {
    ABUT_BATCH_POSITIONS = 0, /* in the order of abut/robot.h, free bodies included; quaternions are normalized */
    ABUT_BATCH_VELOCITIES,
    ABUT_BATCH_CONTROLS,    /* one per actuator */
    ABUT_BATCH_TORQUES,     /* along the velocities, in addition to actuators; none where the model has no joints */
    ABUT_BATCH_ACTIVATIONS, /* of the actuators that have dynamics */
    ABUT_BATCH_TIME,
    ABUT_BATCH_STATUS,   /* int32_t: AbutStatus; 0: moves */
    ABUT_BATCH_CONTACT,  /* per watch: force on body a (N) and torque about its center of mass (N m), world axes, in the
                          * last step */
    ABUT_BATCH_SENSORS,  /* all values, as abut_simulation_get_sensors has them after the last step; 0 before */
    ABUT_BATCH_GRAVITY,  /* m/s^2 */
    ABUT_BATCH_FRICTION, /* per shape: static friction; the kinetic one keeps its ratio */
    ABUT_BATCH_MASS,     /* per body, kg; centers stay, inertia changes in proportion. A body without mass stays one */
    ABUT_BATCH_GAIN,     /* per actuator: gain, bias[0], bias[1], bias[2] */
    ABUT_BATCH_FIELD_COUNT
};

ABUT_API extern const char *const abut_batch_field_names[]; /* "qpos", "qvel", "ctrl", "torque", "time", ... */

/*
 * An array: doubles, or int32_t for the status. shape: worlds, columns, numbers per column (1: rank 2; 0: rank 1 with
 * one number per world). The memory belongs to the batch and never moves. Torques, sensors and parameters take memory,
 * and sensors time, only after the first call that asks for them. NULL: no such field, or out of memory.
 *
 * A changed mass or gain begins the world anew at its positions, velocities and time: forces of the last step are lost.
 */
ABUT_API void *abut_batch_array(AbutBatch *batch, int field, int32_t shape[3]);

/*
 * `substeps` steps of `dt` in each world, with the same controls. Numbers that are not finite or out of range mark
 * their world: its status is nonzero, and it keeps its state. Fails only for dt and substeps out of range.
 */
ABUT_API AbutStatus abut_batch_step(AbutBatch *batch, double dt, int32_t substeps, AbutError *error);

/* Why a world is marked; "" if it is not, NULL: no such world. */
ABUT_API const char *abut_batch_reason(const AbutBatch *batch, int32_t world);

/*
 * Puts the worlds whose byte in `mask` is not 0 (NULL: all) at a keyframe of the model (-1: the reference), as new
 * simulations with the present parameters: time, positions, velocities, controls and activations are those of the
 * keyframe, torques are 0. For other states, write them afterward.
 */
ABUT_API AbutStatus abut_batch_reset(AbutBatch *batch, const uint8_t *mask, int32_t keyframe, AbutError *error);

/* A world as the last step left it: contacts, events, energy, sensors. NULL: no such world. Never step it. */
ABUT_API const AbutSimulation *abut_batch_simulation(const AbutBatch *batch, int32_t world);

/* Size of the saved state of all worlds in bytes, which saving fills. It has all arrays and the state of each
 * simulation. Restoring needs a batch of the same model, worlds and watches; a state that is refused changes nothing.
 */
ABUT_API size_t abut_batch_state_size(const AbutBatch *batch);
ABUT_API void abut_batch_save(const AbutBatch *batch, void *state);
ABUT_API AbutStatus abut_batch_restore(AbutBatch *batch, const void *state, size_t bytes, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
