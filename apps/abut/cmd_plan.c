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

void plan_take_method(PlanArgs *args) {
    char *end;
    args->settings.method = (AbutPlanMethod){NULL, 0};
    if (!args->method || strcmp(args->method, "certified") == 0) return;
    if (strcmp(args->method, "thesis") == 0) {
        args->settings.method = abut_plan_by_thesis((AbutPlanMcd)args->mcd);
        return;
    }
    long samples = strncmp(args->method, "sampled:", 8) == 0 ? strtol(args->method + 8, &end, 10) : 0;
    if (samples < 2 || samples > 1000 || *end)
        cli_error("--method: expected certified, thesis, or sampled:N with N from 2 to 1000, got '%s'", args->method);
    args->settings.method = abut_plan_by_samples((int32_t)samples);
}

PlanArgs plan_args_make(void) {
    PlanArgs args = {.setup = plan_setup_make(), .settings = abut_plan_settings_default(), .rate = 100.0};
    args.seed = (int)args.settings.seed;
    args.settings.budget = INFINITY; /* not given */
    args.settings.attempts = 0;
    return args;
}

void plan_check_settings(PlanArgs *args) {
    AbutPlanSettings preset = abut_plan_settings_default(), *s = &args->settings;
    cli_check_range("--level", s->level, 0.0, args->setup.margin);
    if (isinf(s->budget) && s->attempts == 0) /* attempts alone: the same plan in every run */
        s->budget = preset.budget;
    if (s->attempts == 0) s->attempts = ABUT_PLAN_ATTEMPTS;
    s->seed = (uint64_t)args->seed;
    plan_take_method(args);
    plan_read_roadmap(args, args->roadmap_file);
}

static void check(PlanArgs *args, int operands, char **argv) {
    if (operands != 1) cli_error("expected one model, got %d; see 'abut help plan'", operands);
    args->setup.robot.source = argv[0];
    if (!args->goal == !args->goal_pose.count) cli_error("expected --goal or --goal-pose, one of them");
    plan_check_ending("--picture", args->picture, ".png", NULL);
    plan_check_ending("--csv", args->csv, ".csv", NULL);
    plan_check_ending("--output", args->output, ".npz", ".csv");
    if (args->retime && args->settings.duration > 0.0) cli_error("--retime: expected no --time");
    args->setup.retimed = args->retime;
    plan_check_settings(args);
}

/* The task of the robot. */
static int posture_options(PlanArgs *args, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--start", CLI_TEXT, &args->start, "P",
            "posture: a keyframe, a file .json, joint=value,..., or all positions as numbers (default: as the state)"),
        OPTION(
            "--goal", CLI_TEXT, &args->goal, "P", "posture; joints that joint=value does not name are as at the start"),
        OPTION("--goal-pose", CLI_TEXTS, &args->goal_pose, "F=POSE",
            "FRAME=x,y,z[,qw,qx,qy,qz], by inverse kinematics; several for several frames"),
        OPTION("--via", CLI_TEXT, &args->via, "S:P;..", "postures at parts S of the time, 0 to 1"),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

int plan_robot_options(PlanArgs *args, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--joints", CLI_TEXT, &args->joints, "A,B,..", "joints that move; others are held (default: all)"),
        cli_row("--obstacles", &args->setup.obstacle_file),
        cli_row("--radius", &args->setup.radius),
        cli_row("--voxel", &args->setup.voxel),
        cli_row("--state", &args->setup.robot.state),
        cli_row("--keyframe", &args->setup.robot.key),
        OPERAND_MODELS,
        cli_row("--support", &args->setup.support),
        OPTION("--balance", CLI_TEXT, &args->setup.balance, "B",
            "feet: the center of mass stays over them; x,y;x,y;..: over these corners; none (default: feet with "
            "--support)"),
        OPTION("--balance-margin", CLI_REAL, &args->setup.balance_margin, "D",
            "with --support or --balance: distance from the edges of the support that the search keeps, m", 0.0, 1e3),
        cli_row("--shapes", &args->setup.shapes),
        cli_row("--pairs", &args->setup.pairs),
        cli_row("--add", &args->setup.add),
        cli_row("--allow", &args->setup.allow),
        cli_row("--srdf", &args->setup.srdf_file),
        cli_row("--neighbors", &args->setup.neighbors),
        OPTION("--margin", CLI_REAL, &args->setup.margin, "D",
            "distance that the search aims to keep, m; what is proved is the level", 0.0, 1e3),
        OPTION("--level", CLI_REAL, &args->settings.level, "D", "distance that is proved for all times, m"),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

int plan_search_options(PlanArgs *args, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--limits", CLI_INPUT, &args->setup.limits_file, "FILE",
            "CSV joint,lower,upper,speed,acceleration,torque: limits beside those of the model"),
        OPTION("--speed", CLI_REAL, &args->settings.speed, "V", "of every joint at most, per second"),
        OPTION("--acceleration", CLI_REAL, &args->settings.acceleration, "A",
            "of every joint at most, per second squared"),
        OPTION("--torque", CLI_FLAG, &args->settings.torque, NULL,
            "keep the limits of torques, by the path and by the duration"),
        OPTION("--time", CLI_REAL, &args->settings.duration, "T",
            "duration in seconds; 0: as speed, acceleration, balance and torque allow (default: 0)"),
        OPTION("--budget", CLI_REAL, &args->settings.budget, "S",
            "seconds of wall time to search at most; status budget where they end it (default: 5; none with "
            "--attempts)"),
        OPTION("--attempts", CLI_COUNT, &args->settings.attempts, "N",
            "attempts at most; alone, without --budget, the same plan in every run (default: 17)"),
        OPTION("--quality", CLI_WORD, &args->settings.quality, "Q",
            "fast: the first certified plan; good: of the fast one and a smooth one the better; best: of six attempts "
            "(default: good)",
            .words = abut_plan_quality_names),
        OPTION("--roadmap", CLI_INPUT, &args->roadmap_file, "FILE",
            "of 'abut plan roadmap': searched for the fast attempt, with edges proved among these obstacles"),
        OPTION("--points", CLI_COUNT, &args->settings.points, "N", "control points of each coordinate, 9 to 32", 9, 32),
        OPTION("--seed", CLI_WHOLE, &args->seed, "S", "of the random numbers (default: 1)"),
        OPTION("--threads", CLI_WHOLE, &args->settings.threads, "N", "0: all processors (default: 1)"),
        OPTION("--method", CLI_TEXT, &args->method, "M",
            "certified; to compare: sampled:N, constraints at N times alone, or thesis, by IPOPT (default: certified)"),
        OPTION("--mcd", CLI_WORD, &args->mcd, "HOW",
            "with --method thesis: its least distances: gss, ca, hybrid or as (default: gss)",
            .words = abut_plan_mcd_names),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

int cli_plan(int argc, char **argv) {
    PlanArgs args = plan_args_make();
    CliOption options[CLI_OPTIONS_MAX];
    const CliOption files[] = {
        OPTION("--retime", CLI_FLAG, &args.retime, NULL,
            "run through the path in the least time that the limits allow, and prove that"),
        OPTION("--output", CLI_OUTPUT, &args.output, "FILE", "the motion: .npz with its polynomials, or .csv",
            .brief = "-o"),
        OPTION("--csv", CLI_OUTPUT, &args.csv, "FILE", "the motion as rows"),
        OPTION(
            "--rate", CLI_REAL, &args.rate, "R", "with --output or --csv: rows per second in these files", 1e-3, 1e5),
        OPTION("--cert", CLI_OUTPUT, &args.cert, "FILE", "write the bounds of every pair as JSON"),
        cli_row("--html", &args.html),
        cli_row("--picture", &args.picture),
        cli_row("--json", &args.json),
    };
    int rows = posture_options(&args, options);
    rows += plan_robot_options(&args, options + rows);
    rows += plan_search_options(&args, options + rows);
    rows += cli_rows(options + rows, files, CLI_ROWS(files));
    check(&args, cli_parse(options, rows, argc, argv), argv);
    plan_run(&args);
    return plan_print(&args);
}
