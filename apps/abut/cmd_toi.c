/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut toi: when do two moving meshes first touch? In: mesh files, a motion for each as a CSV of poses, which are
 * joined by straight lines and constant spins. Out: time, bracket, place and normal in the world frame. Exit 0 hit, 1
 * no hit, 3 grazing or not decided.
 */
#include "mesh_operands.h"

#include <math.h>

typedef struct Args {
    Operands operands;
    int json;
    double from, to, tolerance; /* NaN: not given */
    const char *motion[2];
    AbutKeyframe *keyframes[2];
} Args;

/* The motion of operand k: its file, or its pose for all times. Times not given become those of the files. */
static int read_motion(const CliCommand *command, Args *args, int k, AbutMotion *out, double *from, double *to)
{
    int32_t count;
    AbutError error;
    *out = abut_motion_static(args->operands.of[k].pose);
    if (!args->motion[k])
        return CLI_GO;
    if (mesh_operands_poses(command, &args->operands, args->motion[k], &count, &args->keyframes[k]) != CLI_GO)
        return CLI_BAD;
    if (abut_motion_keyframes(count, args->keyframes[k], out, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", args->motion[k], error.text);
    *from = fmin(*from, args->keyframes[k][0].t);
    *to = fmax(*to, args->keyframes[k][count - 1].t);
    return CLI_GO;
}

static int exit_status(AbutImpactOutcome outcome)
{
    if (outcome == ABUT_IMPACT_HIT || outcome == ABUT_IMPACT_AT_START)
        return CLI_OK;
    return outcome == ABUT_IMPACT_NONE ? CLI_NO : CLI_UNDECIDED;
}

static int print_json(const CliCommand *command, const AbutImpact *x)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", abut_impact_outcome_name(x->outcome));
    abut_json_put_number(&json, "t", x->t);
    abut_json_put_number(&json, "t_lo", x->t_lo);
    abut_json_put_number(&json, "t_hi", x->t_hi);
    abut_json_put_number(&json, "distance", x->distance);
    abut_json_put_vec3(&json, "point", x->point_a);
    abut_json_put_vec3(&json, "normal", x->normal);
    abut_json_key(&json, "feature");
    abut_json_begin_array(&json);
    abut_json_integer(&json, x->triangle_a);
    abut_json_integer(&json, x->triangle_b);
    abut_json_end_array(&json);
    abut_json_put_integer(&json, "rounds", x->rounds);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, exit_status(x->outcome));
}

static int print_text(const AbutImpact *x)
{
    printf("  %-12s %s\n  %-12s %.9g s\n", "outcome", abut_impact_outcome_name(x->outcome), "t", x->t);
    printf("  %-12s %.9g to %.9g s\n  %-12s %.9g m\n", "bracket", x->t_lo, x->t_hi, "distance", x->distance);
    printf("  %-12s %.9g %.9g %.9g m\n", "point", x->point_a.x, x->point_a.y, x->point_a.z);
    printf("  %-12s %.9g %.9g %.9g\n", "normal", x->normal.x, x->normal.y, x->normal.z);
    printf("  %-12s %d %d\n", "triangles", x->triangle_a, x->triangle_b);
    return exit_status(x->outcome);
}

/* Motions first: an animation says how the meshes are read. */
static int answer(const CliCommand *command, Args *args)
{
    AbutMovingBody body[2] = {{.mesh = NULL}, {.mesh = NULL}};
    MeshOperands m;
    double from = INFINITY, to = -INFINITY;
    for (int k = 0; k < 2; ++k)
        if (read_motion(command, args, k, &body[k].motion, &from, &to) != CLI_GO)
            return CLI_BAD;
    if (mesh_operands_read(command, &args->operands, NULL, &m) != CLI_GO)
        return CLI_BAD;
    body[0].mesh = m.tree[0], body[1].mesh = m.tree[1];
    AbutImpactDef def = {isnan(args->from) ? from : args->from, isnan(args->to) ? to : args->to, args->tolerance, 0};
    AbutImpact x = abut_time_of_impact(&body[0], &body[1], &def);
    mesh_operands_free(&m);
    if (x.outcome == ABUT_IMPACT_INVALID)
        return cli_error(command, "the numbers are too large, or a mesh is empty");
    return args->json ? print_json(command, &x) : print_text(&x);
}

int cli_toi(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .from = NAN, .to = NAN};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        {"--motion-a", NULL, CLI_TEXT, &args.motion[0], "FILE",
            "poses of A: t,x,y,z,qw,qx,qy,qz to a line, or an animation (.ani)"},
        {"--motion-b", NULL, CLI_TEXT, &args.motion[1], "FILE", "poses of B"},
        {"--from", NULL, CLI_REAL, &args.from, "T", "begin of the interval (default: the first time of the files)"},
        {"--to", NULL, CLI_REAL, &args.to, "T",
            "its end, before the begin for a search backward (default: the last time of the files)"},
        {"--tol", NULL, CLI_REAL, &args.tolerance, "D",
            "distance that counts as touching (default: 1e-6 of the smaller mesh's radius)"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status != CLI_GO)
        return status;
    if (!args.motion[0] && !args.motion[1])
        return cli_error(command, "nothing moves: --motion-a or --motion-b takes a file of poses");
    if (cli_check_range(command, "--tol", args.tolerance, 0.0, 1e60) != CLI_GO)
        return CLI_BAD;
    status = answer(command, &args);
    abut_free(args.keyframes[0]);
    abut_free(args.keyframes[1]);
    return status;
}
