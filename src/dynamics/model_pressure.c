/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pressure: compliant contact of shapes of any form. Surfaces that come nearer than the reach press on each other; the
 * force is minus the gradient of an integral over the volumes (src/direction/pressure.c), so that it is continuous in
 * the poses and conservative. Shapes with a surface press with it, all others as the bodies that they are.
 */
#include "dynamics/pressure.h"

static int press(const AbutSimulation *sim, const AbutSolverContact *c, AbutPressure *out)
{
    const AbutPressureSet *set = sim->pressure;
    *out = abut_pressure_force(abut_pressure_body(set, c->shape_a), abut_pressure_body(set, c->shape_b),
        abut_contact_shape_pose(sim->scene, c->shape_a, c->shape_b), &set->law);
    return out->valid;
}

static int build(AbutSimulation *sim, AbutSolverContact *c, int worker)
{
    (void)worker;
    return abut_pressed_build(sim, c, press);
}

static AbutStatus settle(AbutSimulation *sim, AbutError *error)
{
    return abut_pressure_set_update(sim, 1, error);
}

const AbutContactModel abut_contact_model_pressure = {.name = "pressure",
    .kind = ABUT_CONTACT_MODEL_PRESSURE,
    .begin = abut_pressed_begin,
    .visit = abut_pressed_visit,
    .settle = settle,
    .build = build,
    .longest = abut_pressed_longest};
