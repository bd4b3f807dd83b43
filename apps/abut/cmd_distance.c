/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: the signed distance of two convex bodies. In: mesh files that are convex already, or with --convex any
 * meshes, taken as their hulls; or bodies in words, taken exactly; poses. Out: outcome, distance, normal and witness
 * points in the world frame; exit 3 when the search did not converge.
 */
#include "operands.h"

typedef struct Args {
    Operands operands;
    int json;
    const char *page; /* NULL: not wanted */
} Args;

static const char *outcome_name(AbutDistanceOutcome outcome)
{
    static const char *const names[] = {"separated", "touching", "penetrating", "not converged"};
    return names[outcome];
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int print_json(const CliCommand *command, const AbutDistance *d, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", outcome_name(d->outcome));
    abut_json_put_number(&json, "distance", d->distance);
    abut_json_put_vec3(&json, "normal", d->normal);
    abut_json_put_vec3(&json, "point_a", d->point_a);
    abut_json_put_vec3(&json, "point_b", d->point_b);
    abut_json_put_integer(&json, "iterations", d->iterations);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

static void print_vec3(const char *name, AbutVec3 v, const char *unit)
{
    printf("  %-12s %.9g %.9g %.9g%s\n", name, v.x, v.y, v.z, unit);
}

static void print_text(const AbutDistance *d)
{
    printf("  %-12s %s\n  %-12s %.9g m\n", "outcome", outcome_name(d->outcome), "distance", d->distance);
    print_vec3("normal", d->normal, "");
    print_vec3("point a", d->point_a, " m");
    print_vec3("point b", d->point_b, " m");
    printf("  %-12s %d\n", "iterations", d->iterations);
}

static int write_page(const CliCommand *command, const Args *args, const AbutDistance *d)
{
    AbutModel *model;
    AbutError error;
    int status = operands_make_model(command, &args->operands, &model);
    if (status != CLI_GO)
        return status;
    AbutPageHead head = {.title = "Distance", .note = outcome_name(d->outcome)};
    if (abut_page_write_distance(args->page, &head, model, d, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_model_free(model);
    return status;
}

static int answer(const CliCommand *command, const Args *args)
{
    const Operands *o = &args->operands;
    const Operand *a = &o->of[0], *b = &o->of[1];
    AbutDistance d = abut_convex_distance_world(&a->convex, &b->convex, a->pose, b->pose, NULL);
    int status = d.outcome == ABUT_NOT_CONVERGED ? CLI_UNDECIDED : CLI_OK;
    if (d.outcome == ABUT_INVALID)
        return cli_error(command, "the numbers are too large or not finite");
    if (!isfinite(d.distance))
        return cli_error(command, "no move parts %s and %s: they have no end and are not parallel", a->file, b->file);
    if (args->page && write_page(command, args, &d) != CLI_GO)
        return CLI_BAD;
    if (args->json)
        return print_json(command, &d, status);
    print_text(&d);
    return status;
}

int cli_distance(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the answer as a page to look at"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status = operands_parse(
        command, options, sizeof options / sizeof options[0], argc, argv, "mesh files or bodies", &args.operands);
    if (status == CLI_GO)
        status = operands_check_outputs(command, &args.operands, NULL, args.page);
    if (status != CLI_GO)
        return status;
    status = operands_read(command, OPERAND_CONVEX, &args.operands);
    if (status == CLI_GO)
        status = answer(command, &args);
    operands_free(&args.operands);
    return status;
}
