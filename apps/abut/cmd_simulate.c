/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut simulate: a scene through time. In: a built-in scene or an MJCF file, and settings. Out: a summary, the log of
 * the run as a NumPy archive, and the contacts as a table. Exit status 1 when the run was interrupted.
 */
#include "simulate.h"
#include "abut/literature.h"

#include "robot.h"
#include "run_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

static const double DEFAULT_TIME = 2.0, DEFAULT_STEP = 1e-3, MOST_STEPS = 1e9, MOST_GRAVITY = 1e6, SETTLE = 0.5;

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void check_numbers(const SimulateArgs *args)
{
    const struct {
        const char *option;
        double value, low, high;
    } checks[] = {
        {"--time", args->time, 1e-9, 1e9},
        {"--dt", args->dt, 1e-9, 1.0},
        {"--tol", args->def.tolerance, 0.0, 1.0},
        {"--beta", args->beta, 1e-6, 2.0},
        {"--margin", args->margin, 0.0, 0.1},
        {"--slop", args->def.slop, 0.0, 0.1},
        {"--compliance", args->compliance, 0.0, 1.0},
        {"--rolling", args->def.rolling, 0.0, 1.0},
        {"--mu", args->mu, 0.0, 1e3},
        {"--pressure", args->pressure, 1e-9, 1e15},
        {"--reach", args->reach, 1e-9, 1e3},
        {"--spacing", args->spacing, 1e-9, 1e3},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i)
        cli_check_range(checks[i].option, checks[i].value, checks[i].low, checks[i].high);
}

static void find_model(SimulateArgs *args)
{
    const char *names[ABUT_CONTACT_MODEL_COUNT];
    int model = abut_contact_model_find(args->model);
    if (model >= 0) {
        args->def.model = model;
        return;
    }
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        names[i] = abut_contact_model_name(i);
    const char *near = abut_suggest(args->model, ABUT_CONTACT_MODEL_COUNT, names, sizeof names[0]);
    if (near)
        cli_error("--model: there is no model '%s'; did you mean '%s'?", args->model, near);
    cli_error("--model: there is no model '%s'; 'abut simulate --list' names them", args->model);
}

static void find_fit(SimulateArgs *args)
{
    if (strcmp(args->fit, "thickness") != 0 && strcmp(args->fit, "moments") != 0)
        cli_error("--fit: expected thickness or moments, got '%s'", args->fit);
    args->def.fit = args->fit[0] == 't' ? ABUT_FIT_THICKNESS : ABUT_FIT_MOMENTS;
}

static void find_keep(SimulateArgs *args)
{
    int keep = abut_word_find(abut_run_keep_names, args->keep);
    if (keep < 0)
        cli_error("--keep: expected all, motion or poses, got '%s'", args->keep);
    args->kept = (AbutRunKeep)keep;
}

static void read_seed(SimulateArgs *args)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(args->seed_text, &end, 10);
    if (args->seed_text[0] < '0' || args->seed_text[0] > '9' || *end || errno)
        cli_error("--seed: expected a whole number from 0 to 18446744073709551615, got '%s'", args->seed_text);
    args->seed = value;
}

static void check_files(const SimulateArgs *args)
{
    const char *files[] = {args->log, args->contacts, args->page, args->joints};
    const char *inputs[] = {args->scene, args->ctrl, args->plan, args->obstacles};
    cli_check_files(4, inputs, 4, files);
    if (args->page && !abut_page_available())
        cli_error("--html: this build has no pages (Node.js was missing when it was built)");
}

static void check(SimulateArgs *args)
{
    check_numbers(args);
    find_model(args);
    find_fit(args);
    find_keep(args);
    run_page_check(args->page_size);
    read_seed(args);
    if (args->gravity.count != 0 && args->gravity.count != 3)
        cli_error("--gravity: expected x,y,z, got %d numbers", args->gravity.count);
    for (int i = 0; i < args->gravity.count; ++i)
        cli_check_range("--gravity", args->gravity.value[i], -MOST_GRAVITY, MOST_GRAVITY);
    check_files(args);
}

/* ---- scene ------------------------------------------------------------------------------------------------------- */

static void choose(double *to, double given)
{
    if (!isnan(given))
        *to = given;
}

/* Fills what was not given from the scene. */
static void settle(SimulateArgs *args, AbutModel *model)
{
    if (isnan(args->time))
        args->time = model->time > 0.0 ? model->time : DEFAULT_TIME;
    if (isnan(args->dt))
        args->dt = model->timestep > 0.0 ? model->timestep : DEFAULT_STEP;
    if (!(args->time / args->dt <= MOST_STEPS))
        cli_error("--time %s with --dt %s makes more than %g steps", cli_written("--time", args->time).text,
            cli_written("--dt", args->dt).text, MOST_STEPS);
    if (args->gravity.count)
        model->gravity = abut_vec3(args->gravity.value[0], args->gravity.value[1], args->gravity.value[2]);
    args->def.gravity = model->gravity;
    choose(&args->def.beta, args->beta);
    choose(&args->def.margin, args->margin);
    choose(&args->def.compliance, args->compliance);
    choose(&args->def.pressure, args->pressure);
    choose(&args->def.reach, args->reach);
    choose(&args->def.spacing, args->spacing);
    model->timestep = args->dt;
    model->time = args->time;
}

/* A log that cannot be written at the end is refused at the beginning: poses and velocities alone need this much. */
static void check_log_size(const SimulateArgs *args, const AbutModel *model)
{
    double rows = floor(args->time / args->dt / args->every) + 1.0, bytes = rows * model->body_count * 13.0 * 8.0;
    if ((!args->log && !args->page) || bytes <= (double)ABUT_NPZ_BYTES)
        return;
    cli_error("%s: %.0f steps of %d bodies need %.1e bytes, at most %.1e are written; --every K logs fewer",
        args->log ? args->log : args->page, rows, model->body_count, bytes, (double)ABUT_NPZ_BYTES);
}

/* What stands around a planned motion is in its way here too. */
static void add_obstacles(const SimulateTotals *totals, AbutScene *scene)
{
    const AbutModel *obstacles = totals->plan ? simulate_plan_obstacles(totals->plan) : NULL;
    if (obstacles)
        cli_need(abut_scene_add_model(scene, obstacles, abut_pose_identity(), NULL, &cli_why));
}

/* The same friction for all shapes; NaN: none was given. */
static void set_friction(double mu, AbutScene *scene)
{
    AbutShapeState shape;
    for (int i = 0; !isnan(mu) && i < abut_scene_body_count(scene); ++i) {
        AbutBodyId body = abut_scene_body_at(scene, i);
        for (int k = 0; k < abut_scene_shape_count(scene, body); ++k) {
            AbutShapeId id = abut_scene_shape_at(scene, body, k);
            abut_scene_get_shape(scene, id, &shape);
            shape.def.material.friction = mu, shape.def.material.friction_kinetic = -1.0;
            cli_need_of("--mu", abut_scene_set_material(scene, id, &shape.def.material, &cli_why));
        }
    }
}

static int simulate(SimulateArgs *args)
{
    SimulateTotals totals = {0};
    OperandMeshes meshes = args->hulls                                      ? OPERAND_HULLS
                           : args->def.model == ABUT_CONTACT_MODEL_PRESSURE ? OPERAND_SURFACES
                                                                            : OPERAND_PIECES;
    operands_draw_meshes(args->page != NULL);
    operands_faster = meshes == OPERAND_PIECES ? "--hulls takes their hulls instead, at once" : NULL;
    AbutModel *model = operands_load_model(args->scene, args->seed, meshes);
    if (args->plan)
        simulate_plan_open(args, &totals.plan);
    if (args->plan && isnan(args->time))
        args->time = simulate_plan_duration(totals.plan) + SETTLE;
    settle(args, model);
    args->key = -1;
    if (args->keyframe)
        robot_find_key(model, args->scene, args->keyframe, &args->key);
    check_log_size(args, model);
    AbutScene *scene = operands_scene(model);
    add_obstacles(&totals, scene);
    set_friction(args->mu, scene);
    int status = simulate_run(args, scene, model, &totals);
    if (status == CLI_OK)
        status = simulate_print(args, &totals, scene, totals.partial ? CLI_NO : CLI_OK);
    simulate_plan_free(totals.plan);
    abut_scene_free(scene);
    abut_model_free(model);
    return status;
}

static SimulateArgs default_arguments(void)
{
    SimulateArgs a = {.model = "vol",
        .fit = "thickness",
        .seed_text = "1",
        .time = NAN,
        .dt = NAN,
        .every = 1,
        .beta = NAN,
        .margin = NAN,
        .compliance = NAN,
        .pressure = NAN,
        .reach = NAN,
        .spacing = NAN,
        .page_size = NAN,
        .mu = NAN,
        .keep = "all"};
    a.def = abut_simulation_default();
    return a;
}

/* Models of impulses, and those of them that know the contact polygon. */
#define IMPULSES "with --model vol, vol-generator, convex, emin, paper, paper-guarded, direct or point: "
#define POLYGONS "with --model vol, vol-generator, convex, emin, paper, paper-guarded or direct: "

/* Options of the contact models, for parse. */
#define MODEL_OPTIONS(a)                                                                                               \
    {"--mu", NULL, CLI_REAL, &a.mu, "MU",                                                                              \
        "friction of all shapes, static and kinetic; pairs of a file keep theirs (default: as the scene says)"},       \
        {"--beta", NULL, CLI_REAL, &a.beta, "B",                                                                       \
            IMPULSES "part of the overlap that one step removes (default: by the step size)"},                         \
        {"--margin", NULL, CLI_REAL, &a.margin, "D",                                                                   \
            IMPULSES "contact is kept up to this distance, m (default: by sizes, gravity and the step size)"},         \
        {"--slop", NULL, CLI_REAL, &a.def.slop, "D", IMPULSES "overlap that is left alone, m"},                        \
        {"--compliance", NULL, CLI_REAL, &a.compliance, "C",                                                           \
            "with --model vol, vol-generator, convex, direct or point: "                                               \
            "softness under load; 0 is rigid (default: by the step size)"},                                            \
        {"--rolling", NULL, CLI_REAL, &a.def.rolling, "R",                                                             \
            "with --model vol: resistance of faceted bodies to rocking, part of their size"},                          \
        {"--fit", NULL, CLI_TEXT, &a.fit, "FIT", POLYGONS "target velocity: thickness, or the moments of the paper"},  \
        {"--generators", NULL, CLI_WITHIN, &(CliWithin){&a.def.generators, 3, 64}, "P",                                \
            "with --model vol-generator, convex, emin, paper, paper-guarded or direct: sides of the friction "         \
            "pyramids"},                                                                                               \
        {"--uniform-torsion", NULL, CLI_FLAG, &a.def.torsion_uniform, NULL,                                            \
            POLYGONS "twisting friction as for uniform pressure"},                                                     \
        {"--pressure", NULL, CLI_REAL, &a.pressure, "P",                                                               \
            "with --model pressure or penalty: Pa where a surface lies on another (default: by masses and sizes)"},    \
        {"--reach", NULL, CLI_REAL, &a.reach, "D",                                                                     \
            "with --model pressure: surfaces press from this distance on, m (default: by the smallest body)"},         \
    {                                                                                                                  \
        "--spacing", NULL, CLI_REAL, &a.spacing, "D",                                                                  \
            "with --model pressure: spacing of the samples of surfaces, "                                              \
            "m, 20000 a shape at most (default: 0.6 of the reach)"                                                     \
    }

/* The number of operands. */
static int parse(int argc, char **argv, SimulateArgs *args)
{
    SimulateArgs a = default_arguments();
    int no_continuous = 0;
    const CliOption options[] = {
        {"--time", NULL, CLI_REAL, &a.time, "T", "seconds to simulate (default: as the scene says, or 2)"},
        {"--dt", NULL, CLI_REAL, &a.dt, "H",
            "step in seconds (default: as the scene says; MJCF without a timestep 0.002, as that format says; else "
            "0.001)"},
        {"--model", NULL, CLI_TEXT, &a.model, "M", "contact model; --list names them"},
        {"--iterations", NULL, CLI_WITHIN, &(CliWithin){&a.def.iterations, 1, 1000000}, "N",
            "most sweeps over the contacts in a step (default: by the step size)"},
        {"--tol", NULL, CLI_REAL, &a.def.tolerance, "E",
            "stop when a sweep changes velocities by less than E * g * dt"},
        {"--threads", NULL, CLI_WITHIN, &(CliWithin){&a.def.threads, 1, 1024}, "N",
            "threads; the result is the same for any number"},
        {"--seed", NULL, CLI_TEXT, &a.seed_text, "S", "chooses the poses of random scenes"},
        {"--output", "-o", CLI_TEXT, &a.log, "FILE", "write the log of the run as a NumPy archive (.npz)"},
        {"--contacts", NULL, CLI_TEXT, &a.contacts, "FILE", "write the wrench of every contact as CSV"},
        {"--keyframe", NULL, CLI_TEXT, &a.keyframe, "NAME",
            "start in this keyframe of the model, by name or number, with its controls"},
        {"--ctrl", NULL, CLI_TEXT, &a.ctrl, "FILE", "controls over time as CSV: t,ACTUATOR,...; held between rows"},
        {"--plan", NULL, CLI_TEXT, &a.plan, "FILE",
            "follow a trajectory by servos, from its start, and measure the distances of 'abut plan'"},
        {"--obstacles", NULL, CLI_TEXT, &a.obstacles, "FILE", "with --plan: what stands around, as for 'abut plan'"},
        {"--support", NULL, CLI_TEXT, &a.support, "FOOT", "with --plan: what stands at the start, as for 'abut plan'"},
        {"--allow", NULL, CLI_TEXT, &a.allow, "A:B,..", "with --plan: pairs of links that are not measured"},
        {"--joints", NULL, CLI_TEXT, &a.joints, "FILE", "write joints and forces of actuators as CSV"},
        {"--html", NULL, CLI_TEXT, &a.page, "FILE", "write the run as one page to look at"},
        RUN_PAGE_OPTION(&a.page_size, "with --html: "),
        RUN_PAGE_STAGES(&a.stages, "with --html: "),
        {"--every", NULL, CLI_COUNT, &a.every, "K",
            "with --output, --contacts, --joints or --html: log every K-th step"},
        {"--keep", NULL, CLI_TEXT, &a.keep, "WHAT",
            "with --output or --html: what these hold: all, motion (no contacts) or poses"},
        {"--gravity", NULL, CLI_REALS, &a.gravity, "X,Y,Z", "m/s^2 (default: as the scene says)"},
        MODEL_OPTIONS(a),
        {"--hulls", NULL, CLI_FLAG, &a.hulls, NULL,
            "take meshes that are not convex as their hulls, not in convex pieces, nor as they are (model pressure)"},
        cli_row("--allow-outside", &operands_outside),
        cli_row("--warnings", &operands_warnings),
        cli_row("--no-cache", &operands_no_cache),
        {"--sleeping", NULL, CLI_FLAG, &a.def.sleeping, NULL,
            "leave out bodies that rest, or are as slow as at rest, until they are touched"},
        {"--no-continuous", NULL, CLI_FLAG, &no_continuous, NULL, IMPULSES "let fast bodies pass through thin ones"},
        {"--push", NULL, CLI_TEXTS, &a.push, "PUSH",
            "BODY:t0,t1,fx,fy,fz[,px,py,pz]: a force on a body or link from "
            "t0 to t1, N, at a point of its frame; may be given several times"},
        {"--json", NULL, CLI_FLAG, &a.json, NULL, "print the summary as JSON"},
        {"--final", NULL, CLI_FLAG, &a.final, NULL, "with --json: where every body is at the end"},
        {"--list", NULL, CLI_FLAG, &a.list, NULL, "name the built-in scenes, robots and contact models"},
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    a.def.continuous = !no_continuous;
    *args = a;
    return count;
}

int cli_simulate(int argc, char **argv)
{
    SimulateArgs a;
    int count = parse(argc, argv, &a);
    if (a.list)
        return simulate_print_list(a.json);
    if (count != 1)
        cli_error("expected one SCENE, got %d; 'abut simulate --list' names the built-in ones", count);
    a.scene = argv[0];
    check(&a);
    return simulate(&a);
}
