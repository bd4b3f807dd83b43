/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the numbers of a robot. In: a model, which list, a place in it. Out: the name of the joint or body that the
 * number belongs to, with a suffix that tells which of its numbers it is.
 */
#include "abut/model.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const free_position[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}, *const free_velocity[] = {
                                                                                               ".vx", ".vy", ".vz",
                                                                                               ".wx", ".wy", ".wz"};

static int put(char *out, size_t room, const char *name, const char *kind, int32_t number, const char *suffix) {
    char own[32];
    size_t end = strlen(suffix) + 1;
    int most = room <= end ? 0 : room - end < INT_MAX ? (int)(room - end) : INT_MAX; /* the suffix is not cut off */
    snprintf(own, sizeof own, "%s%d", kind, (int)number);
    snprintf(out, room, "%.*s%s", most, name && *name ? name : own, suffix);
    return 1;
}

/* Takes the numbers of a body or joint off `*place`; 1: the place was among them, and is the one that is left. */
static int take(int32_t *place, int32_t count) {
    if (*place < count) return 1;
    *place -= count;
    return 0;
}

static int name_of_state(const AbutModel *model, int velocities, int32_t place, size_t room, char *out) {
    const char *const *of_free = velocities ? free_velocity : free_position;
    for (int32_t b = 0; b < model->body_count; ++b) {
        const AbutBodyDef *body = &model->bodies[b];
        if (body->kind == ABUT_BODY_DYNAMIC && take(&place, velocities ? 6 : 7))
            return put(out, room, body->name, "body", b, of_free[place]);
        for (int32_t j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j)) {
            const AbutJointDef *joint = &model->joints[j];
            int ball = joint->kind == ABUT_JOINT_BALL;
            if (take(&place, ball ? 4 - velocities : 1))
                return put(out, room, joint->name, "joint", j, ball ? of_free[3 + place] : (velocities ? ".v" : ""));
        }
    }
    return 0;
}

static int name_of_sensor(const AbutModel *model, int32_t place, size_t room, char *out) {
    for (int32_t i = 0; i < model->sensor_count; ++i) {
        const AbutSensorDef *def = &model->sensors[i];
        if (take(&place, def->width))
            return put(out, room, def->name, def->kind, i,
                def->width == 1   ? ""
                : def->width == 3 ? free_position[place]
                                  : free_position[3 + place]);
    }
    return 0;
}

static int name_of_activation(const AbutModel *model, int32_t place, size_t room, char *out) {
    for (int32_t a = 0; a < model->actuator_count; ++a)
        if (model->actuators[a].dynamics != ABUT_ACTIVATION_NONE && take(&place, 1))
            return put(out, room, model->actuators[a].name, "actuator", a, ".act");
    return 0;
}

int abut_model_number_name(const AbutModel *model, int which, int32_t place, size_t room, char *out) {
    ABUT_ASSERT(model && out && room > 0);
    out[0] = 0;
    if (place < 0) return 0;
    if (which == ABUT_NUMBERS_FORCES)
        return place < model->actuator_count &&
               put(out, room, model->actuators[place].name, "actuator", place, ".force");
    if (which == ABUT_NUMBERS_SENSORS) return name_of_sensor(model, place, room, out);
    if (which == ABUT_NUMBERS_ACTIVATIONS) return name_of_activation(model, place, room, out);
    return name_of_state(model, which == ABUT_NUMBERS_VELOCITIES, place, room, out);
}
