/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut clearance: how near do two moving bodies come over a whole motion? In: mesh files and their motions. Out: a
 * proven bracket of the least distance, when and where. Exit 0 clear, 1 contact, 3 not decided.
 */
#include "clearance_run.h"
#include "abut/literature.h"

#include "operands.h"

#include <math.h>
#include <string.h>

enum { MOST_MINIMA = 1000000 };
static const double BAND = 0.01;

static void parse(int argc, char **argv, ClearanceArgs *args)
{
    const CliOption options[] = {
        cli_row("--pose-a", &args->operands.of[0].pose),
        cli_row("--pose-b", &args->operands.of[1].pose),
        cli_row("--motion-a", &args->motions.name[0]),
        cli_row("--motion-b", &args->motions.name[1]),
        cli_row("--from", &args->motions.from),
        {"--to", NULL, CLI_REAL, &args->motions.to, "T", "its end (default: the last time of the files)"},
        {"--eps", NULL, CLI_REAL, &args->eps, "D", "width of the bracket to reach, m"},
        {"--budget", NULL, CLI_COUNT, &args->budget, "N",
            "node pairs to look at; the bracket is what they prove (default: 5000000)"},
        {"--seconds", NULL, CLI_REAL, &args->seconds, "T",
            "time for each question; the bracket is what it suffices for, and differs from run to run (default: no "
            "limit)"},
        {"--method", NULL, CLI_TEXT, &args->method, "NAME",
            "front, or one of the literature: gss, ca, hybrid-classic, hybrid, as, as-best, as-thesis, sampling"},
        {"--distance", NULL, CLI_TEXT, &args->distance, "NAME",
            "exact, or soft: the soft distance of two closed meshes (abut distance --direction soft)"},
        {"--tau", NULL, CLI_REAL, &args->tau, "D",
            "with --distance soft: smoothing length, m (default: 0.04 of the smaller body's diameter)"},
        {"--minima", NULL, CLI_WITHIN, &(CliWithin){&args->minima, 1, MOST_MINIMA}, "K",
            "list the K nearest local minima as well, at most 1,000,000"},
        {"--band", NULL, CLI_REAL, &args->band, "D",
            "with --minima or --html: of the minima those at most D above the least, m (default: 0.01)"},
        {"--contact-times", NULL, CLI_FLAG, &args->contact_times, NULL,
            "bracket the first and the last contact; meshes touch within 1e-9 of the smaller body's radius"},
        {"--curve", NULL, CLI_TEXT, &args->curve, "FILE", "write the distance over time as CSV, with its proved band"},
        {"--html", NULL, CLI_TEXT, &args->page, "FILE", "write a page with both bodies, the curve and the minima"},
        cli_row("--convex", &args->operands.convex),
        {"--pieces", NULL, CLI_FLAG, &args->pieces, NULL,
            "take meshes as convex pieces that cover them: solid, with a proved distance below zero too"},
        cli_row("--pieces-a", &args->pieces_folder[0]),
        cli_row("--pieces-b", &args->pieces_folder[1]),
        cli_row("--json", &args->json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "bodies", &args->operands);
}

/* What does not go with the soft distance. */
static void check_soft(const ClearanceArgs *args)
{
    int soft = strcmp(args->distance, "soft") == 0;
    if (!soft && strcmp(args->distance, "exact") != 0)
        cli_error("--distance: expected exact or soft, got '%s'", args->distance);
    if (soft)
        cli_check_range("--tau", args->tau, 1e-12, 1e30);
    if (soft && (args->minima > 0 || args->curve || args->page || args->contact_times || args->pieces ||
                    args->pieces_folder[0] || args->pieces_folder[1] || args->operands.convex ||
                    strcmp(args->method, "front") != 0))
        cli_error("--distance soft gives the bracket alone: it excludes --minima, --curve, --html, "
                  "--contact-times, --pieces, --pieces-a, --pieces-b, --convex and --method");
}

static void check(const ClearanceArgs *args)
{
    const char *inputs[4] = {
        args->operands.of[0].file, args->operands.of[1].file, args->motions.name[0], args->motions.name[1]};
    const char *outputs[2] = {args->curve, args->page};
    cli_check_range("--eps", args->eps, 1e-12, 1e60);
    cli_check_range("--band", args->band, 0.0, 1e60);
    cli_check_range("--seconds", args->seconds, 0.0, 1e9);
    if (abut_clearance_method_find(args->method) < 0)
        cli_error("--method %s: expected front, gss, ca, hybrid-classic, hybrid, as, as-best, as-thesis or sampling",
            args->method);
    if (abut_clearance_method_find(args->method) != ABUT_CLEARANCE_FRONT &&
        (args->minima > 0 || args->curve || args->page || args->seconds > 0.0))
        cli_error("--minima, --curve, --html and --seconds go with --method front alone");
    if ((args->pieces || args->pieces_folder[0] || args->pieces_folder[1]) && args->operands.convex)
        cli_error("--pieces, --pieces-a and --pieces-b exclude --convex");
    check_soft(args);
    cli_check_files(4, inputs, 2, outputs);
}

int cli_clearance(int argc, char **argv)
{
    ClearanceArgs args = {.operands = operands_make(),
        .motions = motion_operands_make(),
        .eps = 1e-3,
        .band = NAN,
        .method = "front",
        .distance = "exact",
        .tau = NAN};
    parse(argc, argv, &args);
    check(&args);
    args.band = isnan(args.band) ? BAND : args.band;
    motion_operands_read(&args.operands, &args.motions);
    int status = strcmp(args.distance, "soft") == 0 ? clearance_run_soft(&args) : clearance_run(&args);
    motion_operands_free(&args.motions);
    operands_free(&args.operands);
    return status;
}
