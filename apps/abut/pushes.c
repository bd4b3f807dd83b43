/* SPDX-License-Identifier: Apache-2.0 */
/* Forces on bodies over time, as text and in a simulation. */
#include <string.h>

#include "simulate.h"

AbutStatus push_parse(const char *text, const AbutScene *scene, Push *out, AbutError *error) {
    ABUT_ASSERT(text && scene && out);
    const char *colon = strrchr(text, ':');
    double v[9];
    char name[200];
    AbutBodyState state;
    int count = colon ? abut_numbers_parse(colon + 1, 9, v) : 0;
    if (!colon || colon == text || (count != 5 && count != 8) || !(v[0] <= v[1]))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "expected BODY:t0,t1,fx,fy,fz[,px,py,pz] with t0 <= t1, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    out->body = abut_scene_find_body(scene, name);
    if (!abut_scene_get_body(scene, out->body, &state))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "there is no body '%s'", name);
    if (state.kind != ABUT_BODY_DYNAMIC && state.kind != ABUT_BODY_LINK)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the body '%s' is %s, not dynamic and no link", name,
            abut_word(abut_body_kind_names, state.kind));
    out->link = state.kind == ABUT_BODY_LINK;
    out->from = v[0];
    out->to = v[1];
    out->force = abut_vec3(v[2], v[3], v[4]);
    out->point = count == 8 ? abut_vec3(v[5], v[6], v[7]) : state.local_center;
    return ABUT_OK;
}

static int acts(const Push *push, double time, double dt) {
    double early = 1e-6 * dt; /* rounding of times */
    return time >= push->from - early && time < push->to - early;
}

/* The sum of all that act on the link of push i now; it holds until the next step. */
static AbutStatus push_link(int count, const Push *pushes, int i, const AbutBodyState *state,
    AbutSimulation *simulation, double time, double dt, AbutError *error) {
    AbutVec3 force = abut_zero(), torque = abut_zero();
    for (int k = 0; k < count; ++k) {
        const Push *push = &pushes[k];
        if (memcmp(&push->body, &pushes[i].body, sizeof push->body) != 0 || !acts(push, time, dt)) continue;
        AbutVec3 arm = abut_sub(abut_pose_apply(state->pose, push->point), state->center);
        force = abut_add(force, push->force);
        torque = abut_add(torque, abut_cross(arm, push->force));
    }
    return abut_simulation_set_force(simulation, pushes[i].body, force, torque, error);
}

AbutStatus push_step(int count, const Push *pushes, AbutScene *scene, AbutSimulation *simulation, double time,
    double dt, AbutError *error) {
    ABUT_ASSERT((pushes || count == 0) && scene && simulation);
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        const Push *push = &pushes[i];
        AbutBodyState state;
        if (!abut_scene_get_body(scene, push->body, &state)) continue;
        if (push->link)
            status = push_link(count, pushes, i, &state, simulation, time, dt, error);
        else if (acts(push, time, dt))
            status =
                abut_scene_add_force(scene, push->body, push->force, abut_pose_apply(state.pose, push->point), error);
    }
    return status;
}
