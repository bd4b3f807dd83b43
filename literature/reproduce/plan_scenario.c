/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan scenario: planning problems of a name, and many that are like them. In: a name, how many, how far their
 * ends are moved at random. Out: a row for each, and how many were certified. Exit 0 when all were, else 1.
 */
#include "plan_scenario.h"
#include "abut/literature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan.h"

typedef struct Args {
    PlanArgs plan;
    const Scenario *scenario;
    const char *model;
    const char *beside; /* method of another plan for the page; NULL: none */
    char *pairs;        /* of links */
    int count, list, json;
    double sigma;
    PlanMeasure *measure; /* filled instead of printing; NULL: printed */
} Args;

typedef struct Row {
    AbutPlanStatus status;
    double cost, seconds, cpu, ub;
    double proof; /* seconds of the certificate */
    const char *kind;
    int32_t attempt_count;
    AbutPlanAttempt attempts[ABUT_PLAN_ATTEMPTS];
} Row;

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Joints that follow several coordinates may be beyond their limits where all coordinates are within. */
static int is_within(const AbutPlanProblem *problem, const double *joints) {
    for (int32_t i = 0; i < abut_plan_joint_count(problem); ++i) {
        AbutPlanJointLimits limits = abut_plan_joint_limits(problem, i);
        double q = joints[abut_plan_joint(problem, i)];
        if (q < limits.lower || q > limits.upper) return 0;
    }
    return 1;
}

/* A posture near u within limits that keeps the margin and more; 0: none found. */
static int move_posture(
    const PlanArgs *args, AbutRng *rng, double sigma, const double *u, double *joints, double *out) {
    enum { TRIES = 500 };
    const AbutPlanProblem *problem = args->setup.problem;
    AbutPlanNear near;
    AbutPlanBalance balance;
    for (int i = 0; i < TRIES; ++i) {
        for (int32_t c = 0; c < abut_plan_coordinate_count(problem); ++c) {
            double limits[2];
            abut_plan_coordinate_limits(problem, c, limits);
            out[c] = fmin(fmax(u[c] + sigma * abut_rng_normal(rng), limits[0] + 0.005), limits[1] - 0.005);
        }
        abut_plan_joints_of(problem, out, joints);
        if (is_within(problem, joints) && abut_plan_nearest(problem, joints, &near, NULL, NULL) == ABUT_OK &&
            near.distance > args->setup.margin + 1e-3 &&
            abut_plan_balance(problem, joints, &balance, NULL) == ABUT_OK &&
            balance.inside > args->setup.balance_margin + 1e-3)
            return 1;
    }
    return 0;
}

/* Seconds of the processor that the certificate of the plan takes: the least of some. */
static double time_proof(const PlanArgs *a) {
    enum { TIMES = 5 };
    AbutCertifyDef def = {a->settings.level, 0, 0};
    AbutCertificate x;
    double least = INFINITY;
    for (int i = 0; i < TIMES && a->plan.trajectory.times; ++i) {
        clock_t began = clock();
        if (abut_plan_certify(a->setup.problem, &a->plan.trajectory, &def, &x, NULL, NULL) == ABUT_OK)
            least = fmin(least, (double)(clock() - began) / CLOCKS_PER_SEC);
    }
    return least;
}

/* Plans problem `number`; the plan is left in args->plan.plan. */
static void plan_one(Args *args, PlanPostures *p, double *ends, int number, Row *row) {
    PlanArgs *a = &args->plan;
    int32_t n = abut_plan_coordinate_count(a->setup.problem);
    AbutRng rng = abut_rng(a->settings.seed, 5000 + (uint64_t)number);
    AbutPlanQuery query = {ends, ends + n, p->via_count, p->via_at, p->via};
    memcpy(ends, p->start, (size_t)n * sizeof *ends);
    memcpy(ends + n, p->goals, (size_t)n * sizeof *ends);
    if (number > 0 && (!move_posture(a, &rng, args->sigma, p->start, p->joints, ends) ||
                          !move_posture(a, &rng, args->sigma, p->goals, p->joints, ends + n)))
        cli_error("--sigma %g: no clear posture near the ends in 500 tries", args->sigma);
    abut_plan_free(&a->plan);
    clock_t began = clock();
    plan_need(abut_plan_solve(a->setup.problem, &query, &a->settings, &a->plan, &cli_why));
    double cpu = (double)(clock() - began) / CLOCKS_PER_SEC;
    *row = (Row){a->plan.status, a->plan.cost, a->plan.seconds, cpu, a->plan.certificate.ub,
        args->measure ? time_proof(a) : NAN,
        a->plan.best < 0 ? "-" : abut_word(abut_plan_attempt_names, a->plan.attempts[a->plan.best].kind),
        a->plan.attempt_count, {{0}}};
    memcpy(row->attempts, a->plan.attempts, sizeof row->attempts);
    if (!args->json && !args->measure)
        printf("  %4d  %-18s %9.4g  %8.3f  %9.4f  %s%s%s\n", number, abut_word(abut_plan_status_names, row->status),
            row->cost, row->seconds, row->ub, row->kind, a->plan.reason[0] ? "  " : "", a->plan.reason);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b) {
    double x = ((const Row *)a)->seconds, y = ((const Row *)b)->seconds;
    return (x > y) - (x < y);
}

static int certified(const Row *rows, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += rows[i].status == ABUT_PLAN_CERTIFIED;
    return sum;
}

static void put_rows(AbutJson *json, const Row *rows, int count) {
    abut_json_key(json, "plans");
    abut_json_begin_array(json);
    for (int i = 0; i < count; ++i) {
        abut_json_begin_object(json);
        abut_json_put_string(json, "status", abut_word(abut_plan_status_names, rows[i].status));
        abut_json_put_number(json, "cost", rows[i].cost);
        abut_json_put_number(json, "time", rows[i].seconds);
        abut_json_put_number(json, "ub", rows[i].ub);
        abut_json_put_string(json, "kind", rows[i].kind);
        plan_put_attempts(json, rows[i].attempt_count, rows[i].attempts);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static int print_all(const Args *args, Row *rows) {
    int good = certified(rows, args->count), status = good == args->count ? CLI_OK : CLI_NO;
    AbutJson json = abut_json_to_file(stdout, 2);
    if (args->json) {
        abut_json_begin_object(&json);
        abut_json_put_string(&json, "scenario", args->scenario->name);
        abut_json_put_integer(&json, "count", args->count);
        abut_json_put_integer(&json, "certified", good);
        put_rows(&json, rows, args->count);
    }
    qsort(rows, (size_t)args->count, sizeof *rows, by_time);
    double median = rows[args->count / 2].seconds, most = rows[args->count - 1].seconds;
    if (!args->json) {
        printf("%d of %d certified, median %.3f s, longest %.3f s\n", good, args->count, median, most);
        return status;
    }
    abut_json_put_number(&json, "median_time", median);
    abut_json_put_number(&json, "longest_time", most);
    abut_json_end_object(&json);
    return cli_json_end(&json, status);
}

static int by_cpu(const void *a, const void *b) {
    double x = ((const Row *)a)->cpu, y = ((const Row *)b)->cpu;
    return (x > y) - (x < y);
}

static int by_proof(const void *a, const void *b) {
    double x = ((const Row *)a)->proof, y = ((const Row *)b)->proof;
    return (x > y) - (x < y);
}

static void sum_up(const Args *args, Row *rows) {
    const AbutPlanProblem *problem = args->plan.setup.problem;
    PlanMeasure *m = args->measure;
    *m = (PlanMeasure){.count = args->count,
        .certified = certified(rows, args->count),
        .coordinates = abut_plan_coordinate_count(problem),
        .pairs = abut_plan_pair_count(problem)};
    qsort(rows, (size_t)args->count, sizeof *rows, by_cpu);
    for (int i = 0; i < args->count; ++i) {
        m->seconds += rows[i].cpu;
        m->cost += rows[i].cost / args->count;
        m->overlapping += rows[i].status == ABUT_PLAN_CLEAR_UNCERTIFIED && rows[i].ub <= 0.0;
        m->deepest =
            fmax(m->deepest, rows[i].status == ABUT_PLAN_CLEAR_UNCERTIFIED && rows[i].ub < 0.0 ? -rows[i].ub : 0.0);
    }
    m->median = rows[args->count / 2].cpu;
    m->longest = rows[args->count - 1].cpu;
    qsort(rows, (size_t)args->count, sizeof *rows, by_proof);
    m->proof = rows[args->count / 2].proof;
}

/* This problem by the method of --beside. */
static void plan_beside(Args *args, const PlanPostures *p, const double *ends, AbutPlan *out) {
    int32_t n = abut_plan_coordinate_count(args->plan.setup.problem);
    AbutPlanQuery query = {ends, ends + n, p->via_count, p->via_at, p->via};
    PlanArgs other = {.settings = abut_plan_settings_default(), .method = args->beside};
    other.settings.budget = args->plan.settings.budget;
    other.settings.seed = args->plan.settings.seed;
    other.settings.quality = args->plan.settings.quality;
    plan_take_method(&other);
    plan_need(abut_plan_solve(args->plan.setup.problem, &query, &other.settings, out, &cli_why));
}

static void write_page(Args *args, const PlanPostures *p, const double *ends) {
    const AbutPlan *plan = &args->plan.plan;
    AbutPlan other = {0};
    char title[2][120];
    if (args->beside) plan_beside(args, p, ends, &other);
    snprintf(title[0], sizeof title[0], "%s%s%s", args->beside && args->plan.method ? args->plan.method : "",
        args->beside && args->plan.method ? ": " : "", abut_word(abut_plan_status_names, plan->status));
    snprintf(title[1], sizeof title[1], "%s: %s", args->beside ? args->beside : "",
        other.certificate.status == ABUT_CERTIFICATE_CONTACT ? "overlaps"
                                                             : abut_word(abut_plan_status_names, other.status));
    PlanMotion one = {&plan->trajectory, plan->pairs, title[0]}, two = {&other.trajectory, NULL, title[1]};
    plan_write_page(args->plan.html, &args->plan.setup, &one, other.trajectory.times ? &two : NULL);
    abut_plan_free(&other);
}

static int run_all(Args *args, PlanPostures *p) {
    int32_t n = abut_plan_coordinate_count(args->plan.setup.problem);
    int status = CLI_OK;
    double *ends = cli_room(2 * (size_t)n, sizeof *ends);
    Row *rows = cli_room((size_t)args->count, sizeof *rows);
    if (p->goal_count == 0) cli_error("%s: no clear posture reaches the goal", args->scenario->name);
    if (!args->json && !args->measure)
        printf("%s: %s; %d coordinates, %d pairs\n  %4s  %-18s %9s  %8s  %9s  %s\n", args->scenario->name,
            args->scenario->summary, (int)n, (int)abut_plan_pair_count(args->plan.setup.problem), "", "status", "cost",
            "seconds", "nearest m", "best by");
    for (int i = 0; i < args->count; ++i) {
        plan_one(args, p, ends, i, &rows[i]);
        if (i == 0 && args->plan.html && args->plan.plan.trajectory.times) write_page(args, p, ends);
        if (i == 0 && args->plan.plan.trajectory.times) plan_write_trajectory(&args->plan, args->plan.output);
        if (i == 0 && args->plan.picture && args->plan.plan.trajectory.times)
            plan_write_picture(args->plan.picture, &args->plan.setup, &args->plan.plan.trajectory);
    }
    if (args->measure)
        sum_up(args, rows);
    else
        status = print_all(args, rows);
    abut_free(ends);
    abut_free(rows);
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static int print_list(int as_json) {
    int count;
    const Scenario *all = plan_scenarios(&count);
    AbutJson json = abut_json_to_file(stdout, 2);
    if (as_json) {
        abut_json_begin_array(&json);
        for (int i = 0; i < count; ++i) {
            abut_json_begin_object(&json);
            abut_json_put_string(&json, "name", all[i].name);
            abut_json_put_string(&json, "robot", all[i].robot); /* null: that of --model */
            abut_json_put_string(&json, "summary", all[i].summary);
            abut_json_end_object(&json);
        }
        abut_json_end_array(&json);
        return cli_json_end(&json, CLI_OK);
    }
    for (int i = 0; i < count; ++i)
        printf("  %-14s %-10s %s\n", all[i].name, all[i].robot ? all[i].robot : "--model", all[i].summary);
    return CLI_OK;
}

static void find_scenario(const char *name, Args *args) {
    int count;
    const Scenario *all = plan_scenarios(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(all[i].name, name) == 0) args->scenario = &all[i];
    if (!args->scenario) {
        const char *near = abut_suggest(name, count, &all[0].name, sizeof all[0]);
        if (near)
            cli_error("no scenario '%s'; did you mean '%s'?", name, near);
        else
            cli_error("no scenario '%s'; 'abut plan scenario --list' names them", name);
        return;
    }
    if (args->scenario->robot && args->model)
        cli_error("--model: %s brings its own robot, %s; expected no file", name, args->scenario->robot);
    if (!args->scenario->robot && !args->model) cli_error("%s: expected --model with the MJCF file of the robot", name);
}

static void take_scenario(Args *args) {
    const Scenario *s = args->scenario;
    PlanArgs *a = &args->plan;
    a->setup.robot.source = s->robot ? s->robot : args->model;
    a->setup.robot.key = s->key;
    a->setup.support = s->support;
    a->setup.allow = s->allow;
    a->setup.balance = s->balance;
    a->setup.pairs = args->pairs;
    a->setup.shapes = s->capsules;
    a->setup.thin = s->thin;
    a->setup.neighbors = s->neighbors ? s->neighbors : a->setup.neighbors;
    a->start = s->start;
    a->goal = s->goal;
    a->goal_pose.count = s->goal_pose != NULL;
    a->goal_pose.value[0] = s->goal_pose;
    a->via = s->via;
    a->joints = s->joints;
    a->stand = s->robot ? NULL : &s->stand;
}

/* The triangles of the first obstacle. */
static AbutStatus add_mesh(Args *args, AbutError *error) {
    PlanSetup *setup = &args->plan.setup;
    AbutPlanMesh place = {.pose = abut_pose_identity(), .shape_count = setup->obstacles.model->shape_count};
    AbutMesh mesh = {0};
    AbutStatus status = args->scenario->mesh(&mesh, error);
    if (!status) status = abut_plan_obstacles_add(&setup->obstacles, &mesh, &place, error);
    abut_mesh_free(&mesh);
    return status;
}

static int run(Args *args) {
    PlanPostures postures = {0};
    args->pairs = args->scenario->pairs ? plan_expand_pairs(args->scenario->pairs) : NULL;
    if (args->scenario->pairs && !args->pairs) cli_error("no memory for pairs");
    take_scenario(args);
    if (args->scenario->obstacles) {
        cli_need(abut_model_create(&args->plan.setup.obstacles.model, &cli_why));
        cli_need(args->scenario->obstacles(args->plan.setup.obstacles.model, &cli_why));
    }
    if (args->scenario->mesh) cli_need(add_mesh(args, &cli_why));
    plan_prepare(&args->plan, &postures);
    int status = run_all(args, &postures);
    abut_free(postures.numbers);
    return status;
}

void plan_measure(const PlanTrial *trial, PlanMeasure *out) {
    Args args = {.plan = {.setup = plan_setup_make(),
                     .settings = abut_plan_settings_default(),
                     .method = trial->method,
                     .mcd = trial->mcd ? abut_word_find(abut_plan_mcd_names, trial->mcd) : 0},
        .model = trial->model,
        .count = trial->count,
        .sigma = 0.05,
        .measure = out};
    args.plan.setup.quiet = 1;
    args.plan.settings.budget = trial->budget;
    find_scenario(trial->name, &args);
    plan_take_method(&args.plan);
    run(&args);
    if (trial->look) trial->look(&args.plan.setup, &args.plan.plan.trajectory, trial->user);
    abut_plan_free(&args.plan.plan);
    plan_setup_free(&args.plan.setup);
    abut_free(args.pairs);
}

int cli_plan_scenario(int argc, char **argv) {
    Args args = {
        .plan = {.setup = plan_setup_make(), .settings = abut_plan_settings_default()}, .count = 1, .sigma = 0.05};
    int seed = (int)args.plan.settings.seed;
    const CliOption options[] = {
        OPTION("--list", CLI_FLAG, &args.list, NULL, "name the scenarios"),
        OPTION("--model", CLI_INPUT, &args.model, "FILE", "the robot of scenarios that bring none"),
        cli_row("--allow-outside", &operands_model_options.allow_outside),
        OPTION("--count", CLI_COUNT, &args.count, "N", "problems"),
        OPTION("--sigma", CLI_REAL, &args.sigma, "S", "with --count: deviation of the ends of all but the first, rad"),
        OPTION("--method", CLI_TEXT, &args.plan.method, "M", "as for 'abut plan' (default: certified)"),
        OPTION("--mcd", CLI_WORD, &args.plan.mcd, "HOW", "with --method thesis: as for 'abut plan' (default: gss)",
            .words = abut_plan_mcd_names),
        OPTION("--quality", CLI_WORD, &args.plan.settings.quality, "Q", "as for 'abut plan' (default: good)",
            .words = abut_plan_quality_names),
        OPTION("--budget", CLI_REAL, &args.plan.settings.budget, "S", "seconds for each at most"),
        OPTION("--seed", CLI_WHOLE, &seed, "S", "of the random numbers (default: 1)"),
        OPTION("--output", CLI_OUTPUT, &args.plan.output, "FILE", "the motion of the first problem: .npz or .csv",
            .brief = "-o"),
        cli_row("--html", &args.plan.html),
        OPTION("--beside", CLI_TEXT, &args.beside, "M",
            "with --html: the plan of this method beside it on the page: sampled:10"),
        cli_row("--picture", &args.plan.picture),
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (args.list) return print_list(args.json);
    if (operands != 1) cli_error("expected one name, got %d; --list names them", operands);
    args.plan.settings.seed = (uint64_t)seed;
    args.plan.rate = 100.0;
    plan_check_ending("--output", args.plan.output, ".npz", ".csv");
    find_scenario(argv[0], &args);
    plan_take_method(&args.plan);
    plan_check_ending("--picture", args.plan.picture, ".png", NULL);
    cli_check_range("--sigma", args.sigma, 0.0, 10.0);
    int status = run(&args);
    abut_plan_free(&args.plan.plan);
    plan_setup_free(&args.plan.setup);
    abut_free(args.pairs);
    return status;
}
