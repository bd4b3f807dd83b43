/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a model that robots have: frames, tendons, actuators, equalities and keyframes. Each is checked against
 * what the model holds already, copied with its arrays, and numbered in the order of adding. Names are found by
 * walking the array.
 */
#include "abut/model.h"

#include <string.h>

#include "model/check.h"
#include "model/inside.h"

typedef AbutModelInside Model;

static void *keep_array(Model *m, const void *from, int32_t count, size_t bytes_each) {
    void *copy = abut_pool_take(&m->texts, (size_t)count * bytes_each);
    if (copy && count > 0) memcpy(copy, from, (size_t)count * bytes_each);
    return copy;
}

static const char *text(const char *name) { return name ? name : ""; }

static int in_range(int32_t number, int32_t count) { return number >= 0 && number < count; }

static int all_finite(const double *numbers, int32_t count) {
    for (int32_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i])) return 0;
    return 1;
}

static AbutStatus check_range(
    const char *what, const char *name, int limited, const double range[2], AbutError *error) {
    if (limited && (!all_finite(range, 2) || !(range[0] < range[1])))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s '%.100s': the range %g .. %g is not ascending", what, name,
            range[0], range[1]);
    return ABUT_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_model_add_frame(AbutModel *model, const AbutFrameDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutFrameDef def = *given;
    if (def.body != -1 && !in_range(def.body, model->body_count))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "frame '%.100s': there is no body %d", text(def.name), (int)def.body);
    ABUT_TRY(abut_check_pose("frame", &def.pose, error));
    return ABUT_MODEL_APPEND(m, frames, frame, &def.name);
}

/* ---- tendons ----------------------------------------------------------------------------------------------------- */

static AbutStatus check_path_point(
    const AbutModel *model, const char *name, const AbutPathPoint *p, int number, AbutError *error) {
    int round = p->kind == ABUT_PATH_SPHERE || p->kind == ABUT_PATH_CYLINDER;
    if (p->kind < 0 || p->kind >= ABUT_PATH_KIND_COUNT)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': path[%d]: unknown kind %d", name, number, (int)p->kind);
    if (p->kind == ABUT_PATH_PULLEY && !(p->divisor > 0.0 && isfinite(p->divisor)))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': path[%d]: expected a divisor above 0, got %g",
            name, number, p->divisor);
    if (p->kind == ABUT_PATH_PULLEY) return ABUT_OK;
    int32_t body = round && p->sided && !in_range(p->side_body + 1, model->body_count + 1) ? p->side_body : p->body;
    if (!in_range(body + 1, model->body_count + 1))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': path[%d]: there is no body %d", name, number, (int)body);
    if (round && (!(p->radius > 0.0) || !isfinite(p->radius) || (p->sided && !abut_is_finite(p->side))))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "tendon '%.100s': path[%d]: expected a radius above 0 and a finite point beside it", name, number);
    return abut_check_pose("tendon", &p->pose, error);
}

/* Branches of two sites or more; what they go around is between two of them. */
static AbutStatus check_path(const AbutModel *model, const AbutTendonDef *def, AbutError *error) {
    const char *name = text(def->name), *why = NULL;
    int32_t sites = 0, i = 0;
    for (; i < def->path_count && !why; ++i) {
        int32_t kind = def->path[i].kind;
        ABUT_TRY(check_path_point(model, name, &def->path[i], (int)i, error));
        int branch_ends = i + 1 == def->path_count || def->path[i + 1].kind == ABUT_PATH_PULLEY;
        int round = kind == ABUT_PATH_SPHERE || kind == ABUT_PATH_CYLINDER;
        if (round && (sites == 0 || branch_ends || def->path[i + 1].kind != ABUT_PATH_SITE))
            why = "a sphere or cylinder between two sites";
        sites = kind == ABUT_PATH_PULLEY ? 0 : sites + (kind == ABUT_PATH_SITE);
        if (!why && branch_ends && sites < 2 && !(kind == ABUT_PATH_PULLEY && i == 0 && def->path_count > 1))
            why = "two sites or more in each branch";
    }
    return why ? abut_fail(error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': path[%d]: expected %s", name, (int)i - 1, why)
               : ABUT_OK;
}

static AbutStatus check_tendon(const AbutModel *model, const AbutTendonDef *def, AbutError *error) {
    const char *name = text(def->name);
    if ((def->count < 1) == (def->path_count < 1))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': expected at least one joint, or a path", name);
    ABUT_TRY(check_path(model, def, error));
    for (int32_t i = 0; i < def->count; ++i)
        if (!in_range(def->joints[i], model->joint_count) || model->joints[def->joints[i]].kind == ABUT_JOINT_BALL)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "tendon '%.100s': joint %d is not a hinge or slide", name,
                (int)def->joints[i]);
    double numbers[] = {def->stiffness, def->damping, def->friction_loss};
    for (int i = 0; i < 3; ++i)
        if (!(numbers[i] >= 0.0) || !isfinite(numbers[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "tendon '%.100s': stiffness %g, damping %g, friction loss %g: expected 0 or above", name, numbers[0],
                numbers[1], numbers[2]);
    if (!all_finite(def->coefficients, def->count) || !all_finite(def->rest, 2) || def->rest[0] > def->rest[1])
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "tendon '%.100s': a number is not finite, or the rest lengths are "
            "reversed",
            name);
    return check_range("tendon", name, def->limited, def->range, error);
}

AbutStatus abut_model_add_tendon(AbutModel *model, const AbutTendonDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutTendonDef def = *given;
    ABUT_TRY(check_tendon(model, &def, error));
    def.joints = keep_array(m, given->joints, def.count, sizeof *def.joints);
    def.coefficients = keep_array(m, given->coefficients, def.count, sizeof *def.coefficients);
    def.path = keep_array(m, given->path, def.path_count, sizeof *def.path);
    if (!def.joints || !def.coefficients || !def.path) return abut_fail_memory(error);
    return ABUT_MODEL_APPEND(m, tendons, tendon, &def.name);
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

static int32_t target_count(const AbutModel *model, int32_t target) {
    int32_t counts[ABUT_TARGET_COUNT] = {
        model->joint_count, model->body_count, model->tendon_count, model->frame_count, model->body_count};
    return counts[target];
}

static AbutStatus check_dynamics(const AbutActuatorDef *def, const char *name, AbutError *error) {
    if (def->dynamics < 0 || def->dynamics >= ABUT_ACTIVATION_COUNT)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "actuator '%.100s': unknown dynamics %d", name, (int)def->dynamics);
    for (int i = 0; i < 3; ++i)
        if (!(def->time[i] >= 0.0) || !isfinite(def->time[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "actuator '%.100s': expected times of at least 0, got %g",
                name, def->time[i]);
    if (def->muscle && !(def->length_range[0] < def->length_range[1]))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "actuator '%.100s': expected an ascending length range of the muscle, got %g .. %g", name,
            def->length_range[0], def->length_range[1]);
    return ABUT_OK;
}

static AbutStatus check_actuator(const AbutModel *model, const AbutActuatorDef *def, AbutError *error) {
    const char *name = text(def->name);
    if ((int)def->target < 0 || def->target >= ABUT_TARGET_COUNT)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "actuator '%.100s': unknown target %d", name, (int)def->target);
    if (!in_range(def->number, target_count(model, def->target)))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "actuator '%.100s': there is no %s %d", name,
            abut_word(abut_target_names, def->target), (int)def->number);
    if (def->target == ABUT_TARGET_BODY && model->bodies[def->number].kind != ABUT_BODY_DYNAMIC)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "actuator '%.100s': body %d is not dynamic", name, (int)def->number);
    if (!all_finite(def->gear, 6) || !all_finite(def->bias, 3) || !isfinite(def->gain) ||
        !all_finite(def->gain_by, 2) || !all_finite(def->muscle_numbers, ABUT_MUSCLE_NUMBERS) ||
        !all_finite(def->length_range, 2) || !isfinite(def->response))
        return abut_fail(error, ABUT_ERROR_NUMBER, "actuator '%.100s': a number is not finite", name);
    ABUT_TRY(check_dynamics(def, name, error));
    ABUT_TRY(check_range("control of actuator", name, def->control_limited, def->control_range, error));
    AbutStatus status =
        check_range("activation of actuator", name, def->activation_limited, def->activation_range, error);
    return status ? status : check_range("force of actuator", name, def->force_limited, def->force_range, error);
}

AbutStatus abut_model_add_actuator(AbutModel *model, const AbutActuatorDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutActuatorDef def = *given;
    ABUT_TRY(check_actuator(model, &def, error));
    return ABUT_MODEL_APPEND(m, actuators, actuator, &def.name);
}

/* ---- equalities -------------------------------------------------------------------------------------------------- */

static AbutStatus check_equality_joints(const AbutModel *model, const AbutEqualityDef *def, AbutError *error) {
    int32_t both[2] = {def->a, def->b};
    for (int i = 0; i < 2; ++i)
        if (!(i == 1 && both[i] == -1) &&
            (!in_range(both[i], model->joint_count) || model->joints[both[i]].kind == ABUT_JOINT_BALL))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "equality '%.100s': joint %d is not a hinge or slide",
                text(def->name), (int)both[i]);
    if (def->a == def->b)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "equality '%.100s': expected two different joints", text(def->name));
    return ABUT_OK;
}

static AbutStatus check_equality_bodies(const AbutModel *model, const AbutEqualityDef *def, AbutError *error) {
    int32_t both[2] = {def->a, def->b};
    for (int i = 0; i < 2; ++i)
        if (both[i] != -1 && !in_range(both[i], model->body_count))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "equality '%.100s': there is no body %d", text(def->name), (int)both[i]);
    if (def->a == def->b)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "equality '%.100s': expected two different bodies", text(def->name));
    AbutStatus status = abut_check_pose("equality", &def->pose_a, error);
    return status ? status : abut_check_pose("equality", &def->pose_b, error);
}

AbutStatus abut_model_add_equality(AbutModel *model, const AbutEqualityDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutEqualityDef def = *given;
    if ((int)def.kind < 0 || def.kind >= ABUT_EQUALITY_KIND_COUNT || !all_finite(def.polynomial, 5))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "equality '%.100s': expected a known kind and finite numbers", text(def.name));
    ABUT_TRY(def.kind == ABUT_EQUALITY_JOINT ? check_equality_joints(model, &def, error)
                                             : check_equality_bodies(model, &def, error));
    return ABUT_MODEL_APPEND(m, equalities, equality, &def.name);
}

/* ---- keyframes --------------------------------------------------------------------------------------------------- */

int32_t abut_model_number_count(const AbutModel *model, int which) {
    ABUT_ASSERT(model);
    int velocities = which == ABUT_NUMBERS_VELOCITIES;
    int32_t count = 0;
    if (which == ABUT_NUMBERS_FORCES) return model->actuator_count;
    if (which == ABUT_NUMBERS_SENSORS) return model->sensor_values;
    for (int32_t i = 0; which == ABUT_NUMBERS_ACTIVATIONS && i < model->actuator_count; ++i)
        count += model->actuators[i].dynamics != ABUT_ACTIVATION_NONE;
    if (which == ABUT_NUMBERS_ACTIVATIONS) return count;
    for (int32_t i = 0; i < model->body_count; ++i)
        count += model->bodies[i].kind == ABUT_BODY_DYNAMIC ? 7 - velocities : 0;
    for (int32_t i = 0; i < model->joint_count; ++i)
        count += model->joints[i].kind == ABUT_JOINT_BALL ? 4 - velocities : 1;
    return count;
}

static AbutStatus check_keyframe(const AbutModel *model, const AbutKeyframeDef *def, AbutError *error) {
    const struct {
        const char *what;
        int32_t given, wanted;
        const double *numbers;
    } lists[] = {
        {"positions", def->position_count, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), def->positions},
        {"velocities", def->velocity_count, abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), def->velocities},
        {"controls", def->control_count, model->actuator_count, def->controls},
        {"activations", def->activation_count, abut_model_number_count(model, ABUT_NUMBERS_ACTIVATIONS),
            def->activations}};
    for (int i = 0; i < 4; ++i) {
        if (lists[i].given && lists[i].given != lists[i].wanted)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "keyframe '%.100s': expected %d %s, got %d", text(def->name),
                (int)lists[i].wanted, lists[i].what, (int)lists[i].given);
        if (lists[i].given && !all_finite(lists[i].numbers, lists[i].given))
            return abut_fail(
                error, ABUT_ERROR_NUMBER, "keyframe '%.100s': %s that are not finite", text(def->name), lists[i].what);
    }
    return isfinite(def->time) ? ABUT_OK : abut_fail(error, ABUT_ERROR_NUMBER, "keyframe: its time is not finite");
}

AbutStatus abut_model_add_keyframe(AbutModel *model, const AbutKeyframeDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutKeyframeDef def = *given;
    ABUT_TRY(check_keyframe(model, &def, error));
    def.positions = keep_array(m, given->positions, def.position_count, sizeof *def.positions);
    def.velocities = keep_array(m, given->velocities, def.velocity_count, sizeof *def.velocities);
    def.controls = keep_array(m, given->controls, def.control_count, sizeof *def.controls);
    def.activations = keep_array(m, given->activations, def.activation_count, sizeof *def.activations);
    if (!def.positions || !def.velocities || !def.controls || !def.activations) return abut_fail_memory(error);
    return ABUT_MODEL_APPEND(m, keyframes, keyframe, &def.name);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

int32_t abut_model_find(const AbutModel *model, int what, const char *name) {
    ABUT_ASSERT(model && name && what >= 0 && what < ABUT_MODEL_KINDS);
    const struct {
        const void *first;
        size_t name, stride;
        int32_t count;
    } lists[ABUT_MODEL_KINDS] = {{model->bodies, offsetof(AbutBodyDef, name), sizeof(AbutBodyDef), model->body_count},
        {model->joints, offsetof(AbutJointDef, name), sizeof(AbutJointDef), model->joint_count},
        {model->frames, offsetof(AbutFrameDef, name), sizeof(AbutFrameDef), model->frame_count},
        {model->keyframes, offsetof(AbutKeyframeDef, name), sizeof(AbutKeyframeDef), model->keyframe_count}};
    for (int32_t i = 0; i < lists[what].count && *name; ++i) {
        const char *at;
        memcpy(&at, (const char *)lists[what].first + (size_t)i * lists[what].stride + lists[what].name, sizeof at);
        if (strcmp(at, name) == 0) return i;
    }
    return -1;
}
