/* SPDX-License-Identifier: Apache-2.0 */
/*
 * derivative: what the state after a step does when the state before it, its inputs, or parameters change. Contacts
 * that stick, slide and stand open are taken as they are at the end of the step (docs/theory/derivatives.md).
 *
 * A change of state has n numbers of place, then n of velocity. Free bodies come first, in the order of their slots:
 * the way of the body frame and its turn, world axes; then velocity of the center of mass and angular velocity, world
 * axes. Trees of robots follow, in the order of the scene, with the numbers of abut/robot.h.
 *
 * Experimental: derivatives of standing robots, stacks and closed loops can be wrong although `smooth` is 1; the page
 * says which cases are tested.
 */
#ifndef ABUT_DERIVATIVE_H
#define ABUT_DERIVATIVE_H

#include "abut/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutDerivative AbutDerivative;

/* Parameters, and what of AbutDerivativeParameter each one uses. */
enum {
    ABUT_PARAMETER_GRAVITY = 0,  /* axis */
    ABUT_PARAMETER_MASS,         /* body; inertia in proportion, center as it is */
    ABUT_PARAMETER_CENTER,       /* body, axis of its frame; the velocity of its center of mass stays */
    ABUT_PARAMETER_INERTIA,      /* body, axis 0 .. 5: xx, yy, zz, xy, xz, yz, about the center, body axes */
    ABUT_PARAMETER_FRICTION,     /* body: static friction of its shapes, where they decide; the ratio of both stays */
    ABUT_PARAMETER_BODY_DAMPING, /* body: drag; axis 0 of the velocity, 1 of the spin */
    ABUT_PARAMETER_DAMPING,      /* robot, number of a joint */
    ABUT_PARAMETER_GAIN,         /* robot, number of an actuator; axis 0: gain, 1 .. 3: bias[0] .. bias[2] */
    ABUT_PARAMETER_KIND_COUNT
};

ABUT_API extern const char *const abut_parameter_names[]; /* "gravity", "mass", ... */

typedef struct AbutDerivativeParameter {
    int32_t kind;
    int32_t axis;
    AbutBodyId body;
    int32_t robot, number;
} AbutDerivativeParameter;

typedef struct AbutDerivativeDef {
    int32_t forces;   /* 1: inputs also have force and torque on each free body (abut_simulation_set_force) */
    double smoothing; /* m/s, 0: exact. Speeds over which contacts open and begin to slide, as seen here alone */
    int32_t parameter_count;
    const AbutDerivativeParameter *parameters;
} AbutDerivativeDef;

/* Why a derivative is one of one side, or lacks something. */
typedef enum AbutDerivativeBreak {
    ABUT_BREAK_NONE = 0,
    ABUT_BREAK_OPENS,   /* a contact is about to open or to close */
    ABUT_BREAK_SLIDES,  /* one is about to slide or to stick */
    ABUT_BREAK_FEATURE, /* corners of its polygon come, go, or belong to other edges */
    ABUT_BREAK_LIMIT,   /* a joint, a friction loss or a servo is at the end of its range */
    ABUT_BREAK_ROCKING, /* resistance to rocking acts (AbutSimulationDef.rolling); it is taken as it is */
    ABUT_BREAK_SOLVER,  /* velocities do not fulfill the law: sweeps that stopped, impacts in turn, islands guarded */
    ABUT_BREAK_MOTION   /* a body was held back, or a robot slowed, while it moved */
} AbutDerivativeBreak;

ABUT_API extern const char *const abut_break_names[]; /* "none", "opens", ... */

/* Matrices by row; they stay valid until the next step. */
typedef struct AbutDerivativeResult {
    int32_t n, control_count, force_count, parameter_count; /* inputs: controls of all robots in order, then forces */
    int32_t smooth;                                         /* 0: see why */
    AbutDerivativeBreak why;                                /* the first that was met */
    int32_t contact; /* where that was, for abut_simulation_get_contact; -1: not at a contact of the last part */
    int32_t unique;  /* 0: four or more rigid corners slide, and how they share the load, which turns the body, is open;
                      * a compliance settles it */
    double residual; /* largest distance of the step from its own law, m/s */
    const double *by_state;     /* [2n][2n] */
    const double *by_input;     /* [2n][control_count + force_count] */
    const double *by_parameter; /* [2n][parameter_count] */
} AbutDerivativeResult;

/* For a simulation of model vol, which must outlive it; `def` NULL: no forces, no parameters, exact. The parameters are
 * copied. Refused: unknown bodies, shapes, robots and numbers, parameters of what does not move. */
ABUT_API AbutStatus abut_derivative_create(
    AbutSimulation *simulation, const AbutDerivativeDef *def, AbutDerivative **out, AbutError *error);
ABUT_API void abut_derivative_free(AbutDerivative *derivative); /* accepts NULL */

/* abut_simulation_step with its derivative: the simulation ends with the same bits as without. */
ABUT_API AbutStatus abut_derivative_step(
    AbutDerivative *derivative, double dt, AbutStepReport *report, AbutError *error);

/* The result of the last step: all zero before the first one, and after a step that failed. */
ABUT_API AbutDerivativeResult abut_derivative_result(const AbutDerivative *derivative);

#ifdef __cplusplus
}
#endif

#endif
