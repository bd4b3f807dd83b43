/* SPDX-License-Identifier: Apache-2.0 */
/* Compliant contact: what a pair of shapes hands to the step. Wrenches act on B, in the frame of the shape of A. */
#ifndef ABUT_DYNAMICS_PRESSURE_H
#define ABUT_DYNAMICS_PRESSURE_H

#include "dynamics/mover.h"
#include "scene/pressure_set.h"

/* Law and shapes in step with the scene. `surfaces` 0: fields and samples are not needed. */
AbutStatus abut_pressure_settle(AbutSimulation *sim, int surfaces, AbutError *error);
void abut_pressure_forget(AbutSimulation *sim);

/* Action of two shapes on each other; 0: they do not touch. */
typedef int AbutPressFunction(const AbutSimulation *sim, const AbutSolverContact *contact, AbutPressure *out);

/* Contact from a wrench and a few points: its frame, its points; then damping and friction at them. */
int abut_pressed_build(AbutSimulation *sim, AbutSolverContact *contact, int worker, AbutPressFunction *press);
void abut_pressed_begin(AbutSimulation *sim, AbutSolverContact *contact, int worker);
double abut_pressed_visit(AbutSimulation *sim, AbutSolverContact *contact, int backward, int worker);

/* Longest part of a step: nothing may move by more than the reach, nor stiff contacts get out of step. */
double abut_pressed_longest(const AbutSimulation *sim);

#endif
