/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compliant contact: what the shapes of a scene are for the models `pressure` and `penalty`, and what a pair of them
 * hands to the step. Wrenches act on B, in the frame of the shape of A.
 */
#ifndef ABUT_DYNAMICS_PRESSURE_H
#define ABUT_DYNAMICS_PRESSURE_H

#include "abut/direction.h"
#include "dynamics/mover.h"

/* Equal geometry is made once. */
typedef struct AbutPressureItem {
    const AbutGeometry *geometry; /* retained */
    AbutSoftBody *surface;        /* NULL: no samples */
    AbutConvex solid;             /* its field, in closed form */
    int32_t has_solid;
} AbutPressureItem;

typedef struct AbutPressureSet {
    AbutPressureItem *item;
    int32_t item_count;
    int32_t *of_shape; /* -1: touches nothing */
    AbutPressureDef law;
    double spacing;
    uint32_t revision; /* of the scene */
    int32_t current;
} AbutPressureSet;

/* Brings the set in step with the shapes of the scene; zeroed: empty. */
AbutStatus abut_pressure_set_update(AbutSimulation *sim, int surfaces, AbutError *error);
void abut_pressure_set_free(AbutPressureSet *set); /* accepts NULL */

/* A shape as a body that presses; it points into the set. */
AbutPressureBody abut_pressure_body(const AbutPressureSet *set, int32_t shape);

/* What two shapes do to each other; 0: they do not touch. */
typedef int AbutPressFunction(const AbutSimulation *sim, const AbutSolverContact *contact, AbutPressure *out);

/* Contact from a wrench and a few points: its frame, its points; then damping and friction at them. */
int abut_pressed_build(AbutSimulation *sim, AbutSolverContact *contact, AbutPressFunction *press);
void abut_pressed_begin(AbutSimulation *sim, AbutSolverContact *contact, int worker);
double abut_pressed_visit(AbutSimulation *sim, AbutSolverContact *contact, int backward, int worker);

/* Longest part of a step: nothing may move by more than the reach, nor stiff contacts get out of step. */
double abut_pressed_longest(const AbutSimulation *sim);

#endif
