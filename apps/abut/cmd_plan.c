/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan: a motion of a robot that keeps clear, with proof. In: a robot, a start, a goal, obstacles. Out: the motion
 * as a file, and its certificate. Exit 0 certified, 1 none found, 3 clear where it was looked at and not proved. `abut
 * plan check` proves or refutes a trajectory.
 */
#include "plan.h"
#include "abut/literature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void plan_take_method(PlanArgs *args)
{
    char *end;
    int mcd = args->mcd ? abut_word_find(abut_plan_mcd_names, args->mcd) : ABUT_PLAN_MCD_GOLDEN;
    if (mcd < 0)
        cli_error("--mcd: gss, ca, hybrid or as expected, got '%s'", args->mcd);
    args->settings.method = (AbutPlanMethod){NULL, 0};
    if (!args->method || strcmp(args->method, "certified") == 0)
        return;
    if (strcmp(args->method, "thesis") == 0) {
        args->settings.method = abut_plan_by_thesis((AbutPlanMcd)mcd);
        return;
    }
    long samples = strncmp(args->method, "sampled:", 8) == 0 ? strtol(args->method + 8, &end, 10) : 0;
    if (samples < 2 || samples > 1000 || *end)
        cli_error("--method: certified, thesis, or sampled:N with N from 2 to 1000 expected, got '%s'", args->method);
    args->settings.method = abut_plan_by_samples((int32_t)samples);
}

static void check(PlanArgs *args, int operands, char **argv)
{
    double budget = abut_plan_settings_default().budget;
    if (operands != 1)
        cli_error("one model expected, got %d; see 'abut help plan'", operands);
    if (!args->goal == !args->goal_pose.count)
        cli_error("--goal or --goal-pose expected, one of them");
    const char *const inputs[] = {argv[0], args->setup.obstacle_file, args->setup.robot.state, args->setup.limits_file,
        plan_pair_file(args->setup.allow), plan_pair_file(args->setup.pairs), plan_pair_file(args->setup.add)};
    const char *const outputs[] = {args->output, args->csv, args->cert, args->html, args->picture};
    cli_check_files(7, inputs, 5, outputs);
    plan_check_picture(args->picture);
    cli_check_range("--margin", args->setup.margin, 0.0, 1e3);
    cli_check_range("--level", args->settings.level, 0.0, args->setup.margin);
    cli_check_range("--balance-margin", args->setup.balance_margin, 0.0, 1e3);
    cli_check_range("--rate", args->rate, 1e-3, 1e5);
    if (args->attempts == 0)
        args->attempts = ABUT_PLAN_ATTEMPTS;
    else if (isinf(args->settings.budget))
        budget = INFINITY; /* attempts alone: the same plan in every run */
    if (isinf(args->settings.budget))
        args->settings.budget = budget;
    if (args->csv && !cli_has_ending(args->csv, ".csv"))
        cli_error("--csv: a name that ends in .csv expected, got '%s'", args->csv);
    if (args->output && !cli_has_ending(args->output, ".npz") && !cli_has_ending(args->output, ".csv"))
        cli_error("--output: a name that ends in .npz or .csv expected, got '%s'", args->output);
    if (args->retime && args->settings.duration > 0.0)
        cli_error("--retime: no --time expected with it");
    args->setup.retimed = args->retime;
    args->settings.seed = (uint64_t)args->seed;
    args->settings.torque = args->torque;
    args->settings.points = args->points;
    args->settings.attempts = args->attempts;
    args->settings.threads = args->threads;
    plan_take_method(args);
}

/* What is planned. */
static size_t add_problem_options(PlanArgs *args, CliOption *out)
{
    PlanSetup *setup = &args->setup;
    const CliOption options[] = {
        {"--start", NULL, CLI_TEXT, &args->start, "P",
            "posture: a keyframe, a file .json, joint=value,..., or all positions as numbers (default: as the state)"},
        {"--goal", NULL, CLI_TEXT, &args->goal, "P",
            "posture; joints that joint=value does not name are as at the start"},
        {"--goal-pose", NULL, CLI_TEXTS, &args->goal_pose, "F=POSE",
            "FRAME=x,y,z[,qw,qx,qy,qz], by inverse kinematics; several for several frames"},
        {"--via", NULL, CLI_TEXT, &args->via, "S:P;..", "postures at parts S of the time, 0 to 1"},
        {"--joints", NULL, CLI_TEXT, &args->joints, "A,B,..", "joints that move; others are held (default: all)"},
        cli_row("--obstacles", &setup->obstacle_file),
        cli_row("--state", &setup->robot.state),
        cli_row("--keyframe", &setup->robot.key),
        cli_row("--allow-outside", &operands_outside),
        cli_row("--warnings", &operands_warnings),
        cli_row("--no-cache", &operands_no_cache),
        cli_row("--support", &setup->support),
        {"--balance", NULL, CLI_TEXT, &setup->balance, "B",
            "feet: the centre of mass stays over them; x,y;x,y;..: over these corners; none (default: feet with "
            "--support)"},
        {"--balance-margin", NULL, CLI_REAL, &setup->balance_margin, "D",
            "with --support or --balance: distance from the edges of the support that the search keeps, m"},
        cli_row("--shapes", &setup->shapes),
        cli_row("--pairs", &setup->pairs),
        cli_row("--add", &setup->add),
        cli_row("--allow", &setup->allow),
        cli_row("--neighbours", &setup->neighbours),
        {"--margin", NULL, CLI_REAL, &setup->margin, "D",
            "distance that the search aims to keep, m; what is proved is the level"},
        {"--level", NULL, CLI_REAL, &args->settings.level, "D", "distance that is proved for all times, m"},
    };
    memcpy(out, options, sizeof options);
    return sizeof options / sizeof options[0];
}

/* How it is planned, and what is written. */
static size_t add_run_options(PlanArgs *args, CliOption *out)
{
    AbutPlanSettings *s = &args->settings;
    const CliOption options[] = {
        {"--limits", NULL, CLI_TEXT, &args->setup.limits_file, "FILE",
            "CSV joint,lower,upper,speed,acceleration,torque: limits beside those of the model"},
        {"--speed", NULL, CLI_REAL, &s->speed, "V", "of every joint at most, per second"},
        {"--acceleration", NULL, CLI_REAL, &s->acceleration, "A", "of every joint at most, per second squared"},
        {"--torque", NULL, CLI_FLAG, &args->torque, NULL,
            "keep the limits of torques, by the path and by the duration"},
        {"--time", NULL, CLI_REAL, &s->duration, "T",
            "duration in seconds; 0: as speed, acceleration, balance and torque allow (default: 0)"},
        {"--retime", NULL, CLI_FLAG, &args->retime, NULL,
            "run through the path in the least time that the limits allow, and prove that"},
        {"--budget", NULL, CLI_REAL, &s->budget, "S",
            "seconds of wall time to search at most; status budget where they end it (default: 5; none with "
            "--attempts)"},
        {"--attempts", NULL, CLI_COUNT, &args->attempts, "N",
            "attempts at most; alone, without --budget, the same plan in every run (default: 17)"},
        {"--points", NULL, CLI_WITHIN, &args->points_within, "N", "control points of each coordinate, 9 to 32"},
        {"--seed", NULL, CLI_WHOLE, &args->seed, "S", "of the random numbers (default: 1)"},
        {"--threads", NULL, CLI_WHOLE, &args->threads, "N", "0: all processors (default: 1)"},
        {"--method", NULL, CLI_TEXT, &args->method, "M",
            "certified; to compare: sampled:N, constraints at N times alone, or thesis, by IPOPT (default: certified)"},
        {"--mcd", NULL, CLI_TEXT, &args->mcd, "HOW",
            "with --method thesis: its least distances: gss, ca, hybrid or as (default: gss)"},
        {"--output", "-o", CLI_TEXT, &args->output, "FILE", "the motion: .npz with its polynomials, or .csv"},
        {"--csv", NULL, CLI_TEXT, &args->csv, "FILE", "the motion as rows"},
        {"--rate", NULL, CLI_REAL, &args->rate, "R", "with --output or --csv: rows per second in these files"},
        {"--cert", NULL, CLI_TEXT, &args->cert, "FILE", "write the bounds of every pair as JSON"},
        cli_row("--html", &args->html),
        cli_row("--picture", &args->picture),
        cli_row("--json", &args->json),
    };
    memcpy(out, options, sizeof options);
    return sizeof options / sizeof options[0];
}

static int plan(int argc, char **argv)
{
    AbutPlanSettings preset = abut_plan_settings_default();
    PlanArgs args = {.setup = plan_setup_make(),
        .settings = preset,
        .seed = (int)preset.seed,
        .points = preset.points,
        .threads = preset.threads,
        .rate = 100.0};
    args.settings.budget = INFINITY; /* not given */
    args.points_within = (CliWithin){&args.points, 9, 32};
    CliOption options[60];
    size_t count = add_problem_options(&args, options);
    count += add_run_options(&args, options + count);
    int operands = cli_parse(options, (int)count, argc, argv);
    check(&args, operands, argv);
    args.setup.robot.source = argv[0];
    plan_run(&args);
    int status = plan_print(&args);
    abut_plan_free(&args.plan);
    plan_setup_free(&args.setup);
    return status;
}

int cli_plan(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "check") == 0)
        return plan_check(argc - 1, argv + 1);
    if (argc > 0 && strcmp(argv[0], "scenario") == 0)
        return plan_scenario(argc - 1, argv + 1);
    if (argc > 0 && strcmp(argv[0], "bench") == 0)
        return plan_bench(argc - 1, argv + 1);
    return plan(argc, argv);
}
