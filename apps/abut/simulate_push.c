/* SPDX-License-Identifier: Apache-2.0 */
/* `abut simulate --push`: a force on a body for a while. In: BODY:t0,t1,fx,fy,fz[,px,py,pz]. */
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

int simulate_read_push(const CliCommand *command, const SimulateArgs *args, const AbutScene *scene, SimulatePush *out)
{
    const char *colon = args->push ? strrchr(args->push, ':') : NULL;
    CliReals r;
    char name[200];
    memset(out, 0, sizeof *out);
    if (!args->push)
        return CLI_GO;
    if (!colon || colon == args->push || !cli_read_reals(colon + 1, &r) || (r.count != 5 && r.count != 8) ||
        !(r.value[0] <= r.value[1]))
        return cli_error(
            command, "--push: expected BODY:t0,t1,fx,fy,fz[,px,py,pz] with t0 <= t1, got '%s'", args->push);
    snprintf(name, sizeof name, "%.*s", (int)(colon - args->push), args->push);
    out->body = abut_scene_find_body(scene, name);
    AbutBodyState state;
    if (!abut_scene_get_body(scene, out->body, &state))
        return cli_error(command, "--push: there is no body '%s'", name);
    if (state.kind != ABUT_BODY_DYNAMIC)
        return cli_error(command, "--push: the body '%s' is %s, not dynamic", name, abut_body_kind_name(state.kind));
    out->from = r.value[0];
    out->to = r.value[1];
    out->force = abut_vec3(r.value[2], r.value[3], r.value[4]);
    out->point = r.count == 8 ? abut_vec3(r.value[5], r.value[6], r.value[7]) : state.local_center;
    return CLI_GO;
}

AbutStatus simulate_push(const SimulatePush *push, AbutScene *scene, double time, double dt, AbutError *error)
{
    AbutBodyState state;
    double early = 1e-6 * dt; /* rounding of times */
    if (!abut_scene_get_body(scene, push->body, &state) || time < push->from - early || time >= push->to - early)
        return ABUT_OK;
    return abut_scene_add_force(scene, push->body, push->force, abut_pose_apply(state.pose, push->point), error);
}
