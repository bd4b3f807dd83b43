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

static int check_numbers(const CliCommand *command, const SimulateArgs *args)
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
    int status = CLI_GO;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == CLI_GO; ++i)
        status = cli_check_range(command, checks[i].option, checks[i].value, checks[i].low, checks[i].high);
    return status;
}

static int find_model(const CliCommand *command, SimulateArgs *args)
{
    const char *names[ABUT_CONTACT_MODEL_COUNT];
    int model = abut_contact_model_find(args->model);
    if (model >= 0) {
        args->def.model = model;
        return CLI_GO;
    }
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        names[i] = abut_contact_model_name(i);
    const char *near = abut_suggest(args->model, ABUT_CONTACT_MODEL_COUNT, names, sizeof names[0]);
    if (near)
        return cli_error(command, "--model: there is no model '%s'; did you mean '%s'?", args->model, near);
    return cli_error(command, "--model: there is no model '%s'; 'abut simulate --list' names them", args->model);
}

static int find_fit(const CliCommand *command, SimulateArgs *args)
{
    if (strcmp(args->fit, "thickness") != 0 && strcmp(args->fit, "moments") != 0)
        return cli_error(command, "--fit: expected thickness or moments, got '%s'", args->fit);
    args->def.fit = args->fit[0] == 't' ? ABUT_FIT_THICKNESS : ABUT_FIT_MOMENTS;
    return CLI_GO;
}

static int find_keep(const CliCommand *command, SimulateArgs *args)
{
    int keep = abut_run_keep_find(args->keep);
    if (keep < 0)
        return cli_error(command, "--keep: expected all, motion or poses, got '%s'", args->keep);
    args->kept = (AbutRunKeep)keep;
    return CLI_GO;
}

static int read_seed(const CliCommand *command, SimulateArgs *args)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(args->seed_text, &end, 10);
    if (args->seed_text[0] < '0' || args->seed_text[0] > '9' || *end || errno)
        return cli_error(
            command, "--seed: expected a whole number from 0 to 18446744073709551615, got '%s'", args->seed_text);
    args->seed = value;
    return CLI_GO;
}

static int check_files(const CliCommand *command, const SimulateArgs *args)
{
    const char *files[] = {args->log, args->contacts, args->page, args->joints};
    const char *inputs[] = {args->scene, args->ctrl, args->plan, args->obstacles};
    int status = cli_check_files(command, 4, inputs, 4, files);
    if (status == CLI_GO && args->page && !abut_page_available())
        status = cli_error(command, "--html: this build has no pages (Node.js was missing when it was built)");
    return status;
}

static int check(const CliCommand *command, SimulateArgs *args)
{
    int status = check_numbers(command, args);
    if (status == CLI_GO)
        status = find_model(command, args);
    if (status == CLI_GO)
        status = find_fit(command, args);
    if (status == CLI_GO)
        status = find_keep(command, args);
    if (status == CLI_GO)
        status = run_page_check(command, args->page_size);
    if (status == CLI_GO)
        status = read_seed(command, args);
    if (status == CLI_GO && args->gravity.count != 0 && args->gravity.count != 3)
        status = cli_error(command, "--gravity: expected x,y,z, got %d numbers", args->gravity.count);
    for (int i = 0; i < args->gravity.count && status == CLI_GO; ++i)
        status = cli_check_range(command, "--gravity", args->gravity.value[i], -MOST_GRAVITY, MOST_GRAVITY);
    return status == CLI_GO ? check_files(command, args) : status;
}

/* ---- scene ------------------------------------------------------------------------------------------------------- */

static void choose(double *to, double given)
{
    if (!isnan(given))
        *to = given;
}

/* Fills what was not given from the scene. */
static int settle(const CliCommand *command, SimulateArgs *args, AbutModel *model)
{
    if (isnan(args->time))
        args->time = model->time > 0.0 ? model->time : DEFAULT_TIME;
    if (isnan(args->dt))
        args->dt = model->timestep > 0.0 ? model->timestep : DEFAULT_STEP;
    if (!(args->time / args->dt <= MOST_STEPS))
        return cli_error(command, "--time %s with --dt %s makes more than %g steps",
            cli_written("--time", args->time).text, cli_written("--dt", args->dt).text, MOST_STEPS);
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
    return CLI_GO;
}

/* A log that cannot be written at the end is refused at the beginning: poses and velocities alone need this much. */
static int check_log_size(const CliCommand *command, const SimulateArgs *args, const AbutModel *model)
{
    double rows = floor(args->time / args->dt / args->every) + 1.0, bytes = rows * model->body_count * 13.0 * 8.0;
    if ((!args->log && !args->page) || bytes <= (double)ABUT_NPZ_BYTES)
        return CLI_GO;
    return cli_error(command,
        "%s: %.0f steps of %d bodies need %.1e bytes, at most %.1e are written; --every K logs fewer",
        args->log ? args->log : args->page, rows, model->body_count, bytes, (double)ABUT_NPZ_BYTES);
}

/* What stands around a planned motion is in its way here too. */
static int add_obstacles(const CliCommand *command, const SimulateTotals *totals, AbutScene *scene)
{
    AbutError error;
    const AbutModel *obstacles = totals->plan ? simulate_plan_obstacles(totals->plan) : NULL;
    if (obstacles && abut_scene_add_model(scene, obstacles, abut_pose_identity(), NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    return CLI_GO;
}

/* The same friction for all shapes; NaN: none was given. */
static int set_friction(const CliCommand *command, double mu, AbutScene *scene)
{
    AbutShapeState shape;
    AbutError error;
    for (int i = 0; !isnan(mu) && i < abut_scene_body_count(scene); ++i) {
        AbutBodyId body = abut_scene_body_at(scene, i);
        for (int k = 0; k < abut_scene_shape_count(scene, body); ++k) {
            AbutShapeId id = abut_scene_shape_at(scene, body, k);
            abut_scene_get_shape(scene, id, &shape);
            shape.def.material.friction = mu, shape.def.material.friction_kinetic = -1.0;
            if (abut_scene_set_material(scene, id, &shape.def.material, &error) != ABUT_OK)
                return cli_error(command, "--mu: %s", error.text);
        }
    }
    return CLI_GO;
}

static int simulate(const CliCommand *command, SimulateArgs *args)
{
    AbutScene *scene = NULL;
    AbutModel *model = NULL;
    AbutError error;
    SimulateTotals totals = {0};
    OperandMeshes meshes = args->hulls                                      ? OPERAND_HULLS
                           : args->def.model == ABUT_CONTACT_MODEL_PRESSURE ? OPERAND_SURFACES
                                                                            : OPERAND_PIECES;
    operands_draw_meshes(args->page != NULL);
    if (operands_load_model(command, args->scene, args->seed, meshes, &model, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    int status = args->plan ? simulate_plan_open(command, args, &totals.plan) : CLI_GO;
    if (status == CLI_GO && args->plan && isnan(args->time))
        args->time = simulate_plan_duration(totals.plan) + SETTLE;
    if (status == CLI_GO)
        status = settle(command, args, model);
    args->key = -1;
    if (status == CLI_GO && args->keyframe)
        status = robot_find_key(command, model, args->scene, args->keyframe, &args->key);
    if (status == CLI_GO)
        status = check_log_size(command, args, model);
    if (status == CLI_GO &&
        (abut_scene_create(&scene, &error) || abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error)))
        status = cli_error(command, "%s", error.text);
    if (status == CLI_GO)
        status = add_obstacles(command, &totals, scene);
    if (status == CLI_GO)
        status = set_friction(command, args->mu, scene);
    if (status == CLI_GO)
        status = simulate_run(command, args, scene, model, &totals);
    if (status == CLI_GO)
        status = simulate_print(command, args, &totals, scene, totals.partial ? CLI_NO : CLI_OK);
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

/* CLI_GO, or the status to end with. */
static int parse(const CliCommand *command, int argc, char **argv, SimulateArgs *args, int *count)
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
        operands_outside_option(),
        operands_warnings_option(),
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
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, count);
    a.def.continuous = !no_continuous;
    *args = a;
    return status;
}

int cli_simulate(const CliCommand *command, int argc, char **argv)
{
    SimulateArgs a;
    int count, status = parse(command, argc, argv, &a, &count);
    if (status != CLI_GO)
        return status;
    if (a.list)
        return simulate_print_list(command, a.json);
    if (count != 1)
        return cli_error(command, "expected one SCENE, got %d; 'abut simulate --list' names the built-in ones", count);
    a.scene = argv[0];
    status = check(command, &a);
    return status == CLI_GO ? simulate(command, &a) : status;
}
