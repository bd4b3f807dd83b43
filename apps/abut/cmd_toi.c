/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut toi: when do two moving meshes first touch? In: mesh files, or one body in words, and their motions. Out: time,
 * bracket, place and normal in the world frame. Exit 0 hit, 1 no hit, 3 grazing or not decided.
 */
#include "motion_operands.h"

typedef struct Args {
    Operands operands;
    int json;
    double tolerance;
    MotionOperands motions;
} Args;

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
    abut_json_integer(&json, x->part_a);
    abut_json_integer(&json, x->part_b);
    abut_json_end_array(&json);
    abut_json_put_integer(&json, "rounds", x->rounds);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, exit_status(x->outcome));
}

static int print_text(const AbutImpact *x)
{
    printf("  %-12s %s\n  %-12s %.9g s\n", "outcome", abut_impact_outcome_name(x->outcome), "t", x->t);
    printf("  %-12s %.9g to %.9g s\n  %-12s %.9g m\n", "bracket", x->t_lo, x->t_hi, "distance", x->distance);
    cli_print_vec("point", x->point_a, 0.0, " m");
    cli_print_vec("normal", x->normal, 1.0, "");
    printf("  %-12s %d %d\n", "triangles", x->part_a, x->part_b);
    return exit_status(x->outcome);
}

/* Motions first: an animation says how the meshes are read. */
static int answer(const CliCommand *command, Args *args)
{
    if (motion_operands_read(command, &args->operands, &args->motions) != CLI_GO ||
        operands_read_triangles(command, &args->operands) != CLI_GO)
        return CLI_BAD;
    const MotionOperands *motions = &args->motions;
    AbutMover body[2];
    for (int k = 0; k < 2; ++k)
        body[k] = (AbutMover){operands_solid(&args->operands, k), motions->motion[k]};
    AbutImpactDef def = {.from = motions->from, .to = motions->to, .tolerance = args->tolerance};
    AbutImpact x = abut_time_of_impact(&body[0], &body[1], &def);
    if (x.outcome == ABUT_IMPACT_INVALID)
        return cli_error(command, "the numbers are too large, a mesh is empty, or a half-space turns");
    return args->json ? print_json(command, &x) : print_text(&x);
}

int cli_toi(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .motions = motion_operands_make()};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        motion_operands_file(&args.motions, 0),
        motion_operands_file(&args.motions, 1),
        motion_operands_from(&args.motions),
        {"--to", NULL, CLI_REAL, &args.motions.to, "T",
            "its end, before the start for a search backward (default: the last time of the files)"},
        {"--tol", NULL, CLI_REAL, &args.tolerance, "D",
            "distance that counts as touching (default, and 0: 1e-6 of the smaller mesh's radius)"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status != CLI_GO)
        return status;
    const char *inputs[4] = {
        args.operands.of[0].file, args.operands.of[1].file, args.motions.name[0], args.motions.name[1]};
    if (cli_check_range(command, "--tol", args.tolerance, 0.0, 1e60) != CLI_GO ||
        cli_check_files(command, 4, inputs, 0, NULL) != CLI_GO)
        return CLI_BAD;
    status = answer(command, &args);
    motion_operands_free(&args.motions);
    operands_free(&args.operands);
    return status;
}
