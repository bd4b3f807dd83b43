/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut toi: when do two moving meshes first touch? In: mesh files, or one body in words, and their motions. Out: time,
 * bracket, place and normal in the world frame. Exit 0 hit, 1 no hit, 3 grazing or not decided.
 */
#include "operands.h"

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

typedef struct Answer {
    AbutImpact x;
    int32_t feature[2];
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, x, abut_impact_record, "outcome t t_lo t_hi distance point=point_a normal")},
    {ABUT_FIELD(Answer, feature, INT, "", "Triangles of A and B; -1 for a convex body."), .rows = 2},
    {ABUT_FIELD_OF(Answer, x, abut_impact_record, "rounds")},
};
const AbutRecord cli_toi_answer = ABUT_RECORD("toi", "", Answer, answer_fields);

static const char answer_text[] = "  outcome      {outcome}\n"
                                  "  t            {t:.9g} s\n"
                                  "  bracket      {t_lo:.9g} to {t_hi:.9g} s\n"
                                  "  distance     {distance:.9g} m\n"
                                  "  point        {point~point:.9g} m\n"
                                  "  normal       {normal~:.9g}\n"
                                  "  triangles    {feature}\n";

/* Motions first: an animation says how the meshes are read. */
static int answer(Args *args)
{
    motion_operands_read(&args->operands, &args->motions);
    operands_read_triangles(&args->operands);
    const MotionOperands *motions = &args->motions;
    AbutMover body[2];
    for (int k = 0; k < 2; ++k)
        body[k] = (AbutMover){operands_solid(&args->operands, k), motions->motion[k]};
    AbutImpactDef def = {.from = motions->from, .to = motions->to, .tolerance = args->tolerance};
    AbutImpact x = abut_time_of_impact(&body[0], &body[1], &def);
    if (x.outcome == ABUT_IMPACT_INVALID)
        cli_error("the numbers are too large, a mesh is empty, or a half-space turns");
    return cli_answer(args->json ? 2 : CLI_AS_TEXT, &cli_toi_answer, answer_text, &(Answer){x, {x.part_a, x.part_b}},
        exit_status(x.outcome));
}

int cli_toi(int argc, char **argv)
{
    Args args = {.operands = operands_make(), .motions = motion_operands_make()};
    const CliOption options[] = {
        cli_row("--pose-a", &args.operands.of[0].pose),
        cli_row("--pose-b", &args.operands.of[1].pose),
        cli_row("--motion-a", &args.motions.name[0]),
        cli_row("--motion-b", &args.motions.name[1]),
        cli_row("--from", &args.motions.from),
        {"--to", NULL, CLI_REAL, &args.motions.to, "T",
            "its end, before the start for a search backward (default: the last time of the files)"},
        {"--tol", NULL, CLI_REAL, &args.tolerance, "D",
            "distance that counts as touching (default, and 0: 1e-6 of the smaller mesh's radius)"},
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files", &args.operands);
    const char *inputs[4] = {
        args.operands.of[0].file, args.operands.of[1].file, args.motions.name[0], args.motions.name[1]};
    cli_check_range("--tol", args.tolerance, 0.0, 1e60);
    cli_check_files(4, inputs, 0, NULL);
    int status = answer(&args);
    motion_operands_free(&args.motions);
    operands_free(&args.operands);
    return status;
}
