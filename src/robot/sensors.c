/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sensors of a configuration. In: positions, velocities, and accelerations where they are given. Out: the values of all
 * sensors; NaN for those that need forces of a simulation.
 */
#include "robot/sensors.h"

#include <string.h>

/* Spatial velocities and accelerations are those of the point that is at O now. */
void abut_sense_link(const AbutConfiguration *c, const AbutBodyPlace *place, int accelerated, AbutBodyMotion *out) {
    const AbutLink *link = &c->tree->links[place->link];
    const AbutLinkState *state = &c->states[place->link];
    out->pose = abut_pose_mul(state->pose, place->pose);
    AbutVec3 r = abut_sub(out->pose.p, c->origins[link->root]), w = state->velocity.w;
    out->w = w;
    out->v = abut_add(state->velocity.l, abut_cross(w, r));
    if (!accelerated) return;
    out->spin = state->acceleration.w;
    out->a = abut_add(abut_add(state->acceleration.l, abut_cross(out->spin, r)), abut_cross(w, out->v));
}

static void sense_body(const AbutConfiguration *c, int32_t body, int accelerated, AbutBodyMotion *out) {
    const AbutBodyPlace *place = &c->tree->bodies[body];
    memset(out, 0, sizeof *out);
    out->pose = place->pose;
    out->a = abut_neg(c->gravity);
    if (place->link >= 0) abut_sense_link(c, place, accelerated, out);
    if (c->tree->model->bodies[body].mass > 0.0 || place->link >= 0)
        out->rigid = abut_rigid_of_body(c->tree->model, body);
}

void abut_sense_again(const AbutConfiguration *c, AbutSensed *s) {
    for (int32_t i = 0; i < s->model->body_count; ++i) sense_body(c, i, s->accelerated, &s->body[i]);
}

int abut_sense_configuration(AbutConfiguration *c, AbutPool *pool, AbutSensed *out) {
    const AbutModel *model = c->tree->model;
    int good = 1;
    int32_t *places = abut_pool_take_array(pool, 2 * (size_t)model->joint_count, sizeof *places, &good);
    AbutBodyMotion *bodies = abut_pool_take_array(pool, (size_t)model->body_count, sizeof *bodies, &good);
    for (int32_t j = 0; good && j < model->joint_count; ++j) {
        places[j] = c->tree->moves[c->tree->move_of[j]].position;
        places[model->joint_count + j] = c->tree->moves[c->tree->move_of[j]].velocity;
    }
    *out = (AbutSensed){.model = model,
        .gravity = c->gravity,
        .body = bodies,
        .q = c->q,
        .v = c->v,
        .joint_q = places,
        .joint_v = places ? places + model->joint_count : NULL};
    return good;
}

AbutStatus abut_configuration_sensors(
    AbutConfiguration *configuration, const double *accelerations, double *out, AbutError *error) {
    ABUT_ASSERT(configuration && out);
    AbutPool pool = {0};
    AbutSensed s;
    int good = abut_sense_configuration(configuration, &pool, &s);
    s.accelerated = accelerations != NULL;
    if (good && accelerations) abut_robot_inverse(configuration, accelerations, configuration->work);
    if (good) abut_sense_again(configuration, &s);
    if (good && accelerations) abut_robot_velocities(configuration);
    if (good) abut_sensors_read(&s, out);
    abut_pool_free(&pool);
    return good ? ABUT_OK : abut_fail_memory(error);
}
