/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compliant model: surfaces of any form that come nearer than the reach press on each other; the force
 * is minus the gradient of an integral over the volumes (src/direction/pressure.c), so that it is continuous in the
 * poses and conservative. Shapes with a surface press with it, all others as the bodies that they are.
 */
#include "dynamics/pressure.h"

static int press(const AbutSimulation *sim, const AbutSolverContact *c, AbutPressure *out) {
    const AbutPressureSet *set = sim->pressure;
    const AbutGrownBody *piece = abut_grown_piece(&sim->shapes.grown, c->touch->shape_a, c->touch->pair);
    *out =
        abut_pressure_force(piece ? (AbutPressureBody){NULL, &piece->body} : abut_pressure_body(set, c->touch->shape_a),
            abut_pressure_body(set, c->touch->shape_b),
            abut_contact_shape_pose(sim->scene, c->touch->shape_a, c->touch->shape_b), &set->law);
    return out->valid;
}

static int build_pressure(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    return abut_pressed_build(sim, c, worker, press);
}

static AbutStatus settle_pressure(AbutSimulation *sim, AbutError *error) { return abut_pressure_settle(sim, 1, error); }

const AbutContactModel abut_contact_model_pressure = {.name = "pressure",
    .number = ABUT_CONTACT_MODEL_PRESSURE,
    .keeps = 1,
    .begin = abut_pressed_begin,
    .visit = abut_pressed_visit,
    .settle = settle_pressure,
    .build = build_pressure,
    .longest = abut_pressed_longest};
