/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `abut simulate --push`: forces on bodies and links for a while. In: BODY:t0,t1,fx,fy,fz[,px,py,pz], any number of
 * them. Forces on the same body add up.
 */
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

static void read_push(const char *text, const AbutScene *scene, SimulatePush *out)
{
    const char *colon = strrchr(text, ':');
    CliReals r;
    char name[200];
    if (!colon || colon == text || !cli_read_reals(colon + 1, &r) || (r.count != 5 && r.count != 8) ||
        !(r.value[0] <= r.value[1]))
        cli_error("--push: expected BODY:t0,t1,fx,fy,fz[,px,py,pz] with t0 <= t1, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    out->body = abut_scene_find_body(scene, name);
    AbutBodyState state;
    if (!abut_scene_get_body(scene, out->body, &state))
        cli_error("--push: there is no body '%s'", name);
    if (state.kind != ABUT_BODY_DYNAMIC && state.kind != ABUT_BODY_LINK)
        cli_error("--push: the body '%s' is %s, not dynamic and no link", name, abut_body_kind_name(state.kind));
    out->link = state.kind == ABUT_BODY_LINK;
    out->from = r.value[0];
    out->to = r.value[1];
    out->force = abut_vec3(r.value[2], r.value[3], r.value[4]);
    out->point = r.count == 8 ? abut_vec3(r.value[5], r.value[6], r.value[7]) : state.local_center;
}

void simulate_read_pushes(const SimulateArgs *args, const AbutScene *scene, SimulatePushes *out)
{
    memset(out, 0, sizeof *out);
    for (; out->count < args->push.count; ++out->count)
        read_push(args->push.value[out->count], scene, &out->push[out->count]);
}

static int acts(const SimulatePush *push, double time, double dt)
{
    double early = 1e-6 * dt; /* rounding of times */
    return time >= push->from - early && time < push->to - early;
}

static int same_body(const SimulatePush *a, const SimulatePush *b)
{
    return memcmp(&a->body, &b->body, sizeof a->body) == 0;
}

/* The sum of all that act on the link of push i now; it holds until the next step. */
static AbutStatus push_link(const SimulatePushes *pushes, int i, const AbutBodyState *state, AbutSimulation *simulation,
    double time, double dt, AbutError *error)
{
    AbutVec3 force = abut_zero(), torque = abut_zero();
    for (int k = 0; k < pushes->count; ++k) {
        const SimulatePush *push = &pushes->push[k];
        if (!same_body(push, &pushes->push[i]) || !acts(push, time, dt))
            continue;
        AbutVec3 arm = abut_sub(abut_pose_apply(state->pose, push->point), state->center);
        force = abut_add(force, push->force);
        torque = abut_add(torque, abut_cross(arm, push->force));
    }
    return abut_simulation_set_force(simulation, pushes->push[i].body, force, torque, error);
}

AbutStatus simulate_push(const SimulatePushes *pushes, AbutScene *scene, AbutSimulation *simulation, double time,
    double dt, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < pushes->count && status == ABUT_OK; ++i) {
        const SimulatePush *push = &pushes->push[i];
        AbutBodyState state;
        if (!abut_scene_get_body(scene, push->body, &state))
            continue;
        if (push->link)
            status = push_link(pushes, i, &state, simulation, time, dt, error);
        else if (acts(push, time, dt))
            status =
                abut_scene_add_force(scene, push->body, push->force, abut_pose_apply(state.pose, push->point), error);
    }
    return status;
}
