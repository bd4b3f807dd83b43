/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Positions and velocities of a configuration: setting them, where they stand, moving along the tangent space.
 * Quaternions move by the exponential of a turn about the axes of the moving body, on the right.
 */
#include "math/numbers.h"
#include "robot/configuration.h"

#include <string.h>

/* ---- setting ----------------------------------------------------------------------------------------------------- */

AbutStatus abut_robot_check_numbers(
    const char *what, int32_t wanted, int32_t count, const double *numbers, AbutError *error) {
    if (count != wanted)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected %d numbers, got %d", what, (int)wanted, (int)count);
    if (count && !numbers)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected %d numbers, got NULL", what, (int)wanted);
    for (int32_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "%s: number %d is not finite", what, (int)i);
    return ABUT_OK;
}

static AbutStatus check_quaternions(const AbutConfiguration *c, const double *q, AbutError *error) {
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        int32_t at = abut_move_quaternion(&c->tree->moves[i]);
        if (at >= 0 && q[at] == 0.0 && q[at + 1] == 0.0 && q[at + 2] == 0.0 && q[at + 3] == 0.0)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "positions: the quaternion at %d is zero", (int)at);
    }
    return ABUT_OK;
}

static void set_state(AbutConfiguration *c, const double *q, const double *v) {
    memcpy(c->q, q, (size_t)c->tree->nq * sizeof *q);
    if (v)
        memcpy(c->v, v, (size_t)c->tree->nv * sizeof *v);
    else
        memset(c->v, 0, (size_t)c->tree->nv * sizeof *c->v);
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        int32_t at = abut_move_quaternion(&c->tree->moves[i]);
        if (at >= 0) abut_quat_put(abut_quat_normalize(abut_quat_at(c->q + at)), c->q + at);
    }
    abut_robot_place(c);
}

AbutStatus abut_configuration_set(AbutConfiguration *configuration, int32_t position_count, const double *positions,
    int32_t velocity_count, const double *velocities, AbutError *error) {
    ABUT_ASSERT(configuration);
    AbutConfiguration *c = configuration;
    AbutStatus status = abut_robot_check_numbers("positions", c->tree->nq, position_count, positions, error);
    if (!status && velocity_count)
        status = abut_robot_check_numbers("velocities", c->tree->nv, velocity_count, velocities, error);
    if (!status) status = check_quaternions(c, positions, error);
    if (!status) set_state(c, positions, velocity_count ? velocities : NULL);
    return status;
}

static void put_reference(const AbutConfiguration *c, double *q) {
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        double *to = q + move->position;
        if (move->kind == ABUT_MOVE_FREE) {
            abut_vec3_put(c->tree->links[move->link].fixed.p, to);
            abut_quat_put(c->tree->links[move->link].fixed.q, to + 3);
        } else if (move->kind == ABUT_MOVE_BALL) {
            abut_quat_put(abut_quat_identity(), to);
        } else {
            *to = c->tree->model->joints[move->joint].reference;
        }
    }
}

void abut_configuration_reset(AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    put_reference(configuration, configuration->ik_best);
    set_state(configuration, configuration->ik_best, NULL);
}

AbutStatus abut_configuration_set_keyframe(AbutConfiguration *configuration, int32_t keyframe, AbutError *error) {
    ABUT_ASSERT(configuration);
    AbutConfiguration *c = configuration;
    if (keyframe < 0 || keyframe >= c->tree->model->keyframe_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "no such keyframe: %d of %d", (int)keyframe,
            (int)c->tree->model->keyframe_count);
    const AbutKeyframeDef *key = &c->tree->model->keyframes[keyframe];
    put_reference(c, c->ik_best);
    return abut_configuration_set(c, key->position_count ? key->position_count : c->tree->nq,
        key->position_count ? key->positions : c->ik_best, key->velocity_count, key->velocities, error);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

const AbutTree *abut_configuration_tree(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->tree;
}

const AbutModel *abut_configuration_model(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->tree->model;
}

int32_t abut_configuration_position_count(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->tree->nq;
}

int32_t abut_configuration_velocity_count(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->tree->nv;
}

const double *abut_configuration_positions(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->q;
}

const double *abut_configuration_velocities(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->v;
}

int32_t abut_configuration_joint_place(const AbutConfiguration *configuration, int32_t joint, int which) {
    ABUT_ASSERT(configuration && joint >= 0 && joint < configuration->tree->model->joint_count);
    const AbutMove *move = &configuration->tree->moves[configuration->tree->move_of[joint]];
    return which == ABUT_NUMBERS_VELOCITIES ? move->velocity : move->position;
}

int32_t abut_configuration_body_place(const AbutConfiguration *configuration, int32_t body, int which) {
    ABUT_ASSERT(configuration && body >= 0 && body < configuration->tree->model->body_count);
    const AbutBodyPlace *place = &configuration->tree->bodies[body];
    return which == ABUT_NUMBERS_VELOCITIES ? place->velocity : place->position;
}

/* ---- tangent space ----------------------------------------------------------------------------------------------- */

static void move_on(const AbutMove *move, const double *q, const double *v, double h, double *out) {
    q += move->position, v += move->velocity, out += move->position;
    if (move->kind == ABUT_MOVE_HINGE || move->kind == ABUT_MOVE_SLIDE) {
        *out = *q + h * *v;
        return;
    }
    if (move->kind == ABUT_MOVE_FREE) {
        abut_vec3_put(abut_add_scaled(abut_vec3_at(q), abut_vec3_at(v), h), out);
        q += 3, v += 3, out += 3;
    }
    abut_quat_put(
        abut_quat_normalize(abut_quat_mul(abut_quat_at(q), abut_quat_exp(abut_scale(abut_vec3_at(v), h)))), out);
}

void abut_configuration_integrate(
    const AbutConfiguration *configuration, const double *q, const double *v, double h, double *out) {
    ABUT_ASSERT(configuration && q && v && out);
    for (int32_t i = 0; i < configuration->tree->move_count; ++i) move_on(&configuration->tree->moves[i], q, v, h, out);
}

void abut_configuration_difference(
    const AbutConfiguration *configuration, const double *a, const double *b, double *out) {
    ABUT_ASSERT(configuration && a && b && out);
    for (int32_t i = 0; i < configuration->tree->move_count; ++i) {
        const AbutMove *move = &configuration->tree->moves[i];
        const double *from = a + move->position, *to = b + move->position;
        double *v = out + move->velocity;
        if (move->kind == ABUT_MOVE_HINGE || move->kind == ABUT_MOVE_SLIDE) {
            *v = *to - *from;
            continue;
        }
        if (move->kind == ABUT_MOVE_FREE) {
            abut_vec3_put(abut_sub(abut_vec3_at(to), abut_vec3_at(from)), v);
            from += 3, to += 3, v += 3;
        }
        abut_vec3_put(abut_quat_log(abut_quat_mul(abut_quat_conj(abut_quat_at(from)), abut_quat_at(to))), v);
    }
}
