/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked for: refused by name before anything is made. */
#include "derivative/derivative.h"

#include <math.h>

const char *const abut_parameter_names[] = {
    "gravity", "mass", "center", "inertia", "friction", "body_damping", "damping", "gain", NULL};

static AbutStatus check_body(
    const AbutSimulation *sim, int32_t number, const AbutDerivativeParameter *p, AbutError *error) {
    const char *name = abut_parameter_names[p->kind];
    int32_t place = abut_scene_body_place(sim->scene, p->body);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameter %d (%s): expected a body of the scene", number, name);
    const AbutBody *body = &sim->scene->body[place];
    if (p->kind != ABUT_PARAMETER_FRICTION && (!(body->inv_mass > 0.0) || body->tree >= 0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameter %d (%s): expected a free dynamic body, got body '%s'",
            number, name, body->name);
    return ABUT_OK;
}

static AbutStatus check_robot(
    const AbutSimulation *sim, int32_t number, const AbutDerivativeParameter *p, AbutError *error) {
    const char *name = abut_parameter_names[p->kind];
    ABUT_TRY(abut_scene_check_robot(sim->scene, p->robot, error));
    const AbutSceneRobot *robot = &sim->scene->robot[p->robot];
    int gain = p->kind == ABUT_PARAMETER_GAIN;
    int32_t count = gain ? robot->model->actuator_count : robot->model->joint_count;
    if (p->number < 0 || p->number >= count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameter %d (%s): expected %s below %d, got %d", number, name,
            gain ? "an actuator" : "a joint", count, p->number);
    return ABUT_OK;
}

static AbutStatus check_parameter(
    const AbutSimulation *sim, int32_t number, const AbutDerivativeParameter *p, AbutError *error) {
    static const int32_t axes[] = {3, 1, 3, 6, 1, 2, 1, 4};
    if (p->kind < 0 || p->kind >= ABUT_PARAMETER_KIND_COUNT)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameter %d: expected a kind below %d, got %d", number,
            ABUT_PARAMETER_KIND_COUNT, p->kind);
    if (p->axis < 0 || p->axis >= axes[p->kind])
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameter %d (%s): expected an axis below %d, got %d", number,
            abut_parameter_names[p->kind], axes[p->kind], p->axis);
    if (p->kind == ABUT_PARAMETER_GRAVITY) return ABUT_OK;
    int robot = p->kind == ABUT_PARAMETER_DAMPING || p->kind == ABUT_PARAMETER_GAIN;
    return robot ? check_robot(sim, number, p, error) : check_body(sim, number, p, error);
}

AbutStatus abut_derivative_check(const AbutSimulation *sim, const AbutDerivativeDef *def, AbutError *error) {
    if (sim->def.model != ABUT_CONTACT_MODEL_VOL)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "derivative: expected the contact model vol, got %s",
            abut_contact_model_name(sim->def.model));
    if (!def) return ABUT_OK;
    if (!(def->smoothing >= 0.0) || !isfinite(def->smoothing))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "smoothing: expected a speed of 0 or above, got %g", def->smoothing);
    if (def->parameter_count < 0 || (def->parameter_count > 0 && !def->parameters))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "parameters: expected 0 or more, got %d", def->parameter_count);
    for (int32_t p = 0; p < def->parameter_count; ++p) ABUT_TRY(check_parameter(sim, p, &def->parameters[p], error));
    return ABUT_OK;
}
