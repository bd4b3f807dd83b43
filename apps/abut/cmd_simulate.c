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

static void find_model(SimulateArgs *args) {
    const char *names[ABUT_CONTACT_MODEL_COUNT];
    args->def.model = abut_contact_model_find(args->model);
    if (args->def.model >= 0) return;
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i) names[i] = abut_contact_model_name(i);
    const char *near = abut_suggest(args->model, ABUT_CONTACT_MODEL_COUNT, names, sizeof names[0]);
    if (near) cli_error("--model: there is no model '%s'; did you mean '%s'?", args->model, near);
    cli_error("--model: there is no model '%s'; 'abut simulate --list' names them", args->model);
}

static void read_seed(SimulateArgs *args) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(args->seed_text, &end, 10);
    if (args->seed_text[0] < '0' || args->seed_text[0] > '9' || *end || errno)
        cli_error("--seed: expected a whole number from 0 to 18446744073709551615, got '%s'", args->seed_text);
    args->seed = value;
}

static void check(SimulateArgs *args) {
    find_model(args);
    read_seed(args);
    if (args->gravity.count != 0 && args->gravity.count != 3)
        cli_error("--gravity: expected x,y,z, got %d numbers", args->gravity.count);
    for (int i = 0; i < args->gravity.count; ++i)
        cli_check_range("--gravity", args->gravity.value[i], -MOST_GRAVITY, MOST_GRAVITY);
    if (args->pieces && args->hulls)
        cli_error("--pieces: expected no --hulls beside it, which takes meshes as their hulls");
    if (args->page && !abut_page_available())
        cli_error("--html: this build has no pages (Node.js was missing when it was built)");
}

/* ---- scene ------------------------------------------------------------------------------------------------------- */

/* Fills what was not given from the scene. */
static void settle(SimulateArgs *args, AbutModel *model) {
    if (isnan(args->time)) args->time = model->time > 0.0 ? model->time : DEFAULT_TIME;
    if (isnan(args->dt)) args->dt = model->timestep > 0.0 ? model->timestep : DEFAULT_STEP;
    if (!(args->time / args->dt <= MOST_STEPS))
        cli_error("--time %s with --dt %s makes more than %g steps", cli_written("--time", args->time).text,
            cli_written("--dt", args->dt).text, MOST_STEPS);
    if (args->gravity.count)
        model->gravity = abut_vec3(args->gravity.value[0], args->gravity.value[1], args->gravity.value[2]);
    args->def.gravity = model->gravity;
    model->timestep = args->dt;
    model->time = args->time;
}

/* A log that cannot be written at the end is refused at the beginning: poses and velocities alone need this much. */
static void check_log_size(const SimulateArgs *args, const AbutModel *model) {
    double rows = floor(args->time / args->dt / args->every) + 1.0, bytes = rows * model->body_count * 13.0 * 8.0;
    if ((!args->log && !args->page) || bytes <= (double)ABUT_NPZ_BYTES) return;
    cli_error("%s: %.0f steps of %d bodies need %.1e bytes, at most %.1e are written; --every K logs fewer",
        args->log ? args->log : args->page, rows, model->body_count, bytes, (double)ABUT_NPZ_BYTES);
}

/* Friction for all shapes; NaN: none was given. */
static void set_friction(double mu, AbutScene *scene) {
    AbutShapeDef shape;
    for (int i = 0; !isnan(mu) && i < abut_scene_body_count(scene); ++i) {
        AbutBodyId body = abut_scene_body_at(scene, i);
        for (int k = 0; k < abut_scene_shape_count(scene, body); ++k) {
            AbutShapeId id = abut_scene_shape_at(scene, body, k);
            abut_scene_get_shape(scene, id, &shape, NULL);
            shape.material.friction = mu, shape.material.friction_kinetic = -1.0;
            cli_need_of("--mu", abut_scene_set_material(scene, id, &shape.material, &cli_why));
        }
    }
}

static int simulate(SimulateArgs *args) {
    SimulateTotals totals = {0};
    int whole = args->def.model == ABUT_CONTACT_MODEL_VOL || args->def.model == ABUT_CONTACT_MODEL_PRESSURE;
    OperandMeshes meshes = args->hulls ? OPERAND_HULLS : whole && !args->pieces ? OPERAND_SURFACES : OPERAND_PIECES;
    operands_model_options.drawn_meshes = args->page != NULL;
    operands_faster = meshes == OPERAND_PIECES ? "--hulls takes their hulls instead, at once" : NULL;
    args->def.features = !args->hulls;
    AbutModel *model = operands_load_model(args->scene, args->seed, meshes);
    if (args->plan) totals.plan = simulate_plan_open(args);
    if (args->plan && isnan(args->time)) {
        const AbutTrajectory *t = &totals.plan->trajectory;
        args->time = t->times[t->piece_count] - t->times[0] + SETTLE;
    }
    settle(args, model);
    args->key = -1;
    if (args->keyframe) robot_find_key(model, args->scene, args->keyframe, &args->key);
    check_log_size(args, model);
    AbutScene *scene = operands_scene(model);
    const AbutModel *around = totals.plan ? totals.plan->setup.obstacles.model : NULL; /* in the way here too */
    if (around) cli_need(abut_scene_add_model(scene, around, abut_pose_identity(), NULL, &cli_why));
    set_friction(args->mu, scene);
    int status = simulate_run(args, scene, model, &totals);
    return status == CLI_OK ? simulate_print(args, &totals, scene, totals.partial ? CLI_NO : CLI_OK) : status;
}

static const char *const fits[] = {[ABUT_FIT_THICKNESS] = "thickness", [ABUT_FIT_MOMENTS] = "moments", NULL};

/* Models of impulses, and those of them that know the contact polygon. */
#define IMPULSES "with --model vol, vol-generator, convex, emin, paper, paper-guarded, direct or point: "
#define POLYGONS "with --model vol, vol-generator, convex, emin, paper, paper-guarded or direct: "

/* Time, accuracy and randomness. */
static int step_options(SimulateArgs *a, CliOption *out) {
    const CliOption rows[] = {
        OPTION(
            "--time", CLI_REAL, &a->time, "T", "seconds to simulate (default: taken from the scene, or 2)", 1e-9, 1e9),
        OPTION("--dt", CLI_REAL, &a->dt, "H",
            "step in seconds (default: taken from the scene; 0.002 for MJCF without a timestep, as that format states; "
            "else "
            "0.001)",
            1e-9, 1.0),
        OPTION("--model", CLI_TEXT, &a->model, "M", "contact model; --list names them"),
        OPTION("--iterations", CLI_COUNT, &a->def.iterations, "N",
            "most sweeps over the contacts in a step (default: by the step size)", 1, 1000000),
        OPTION("--tol", CLI_REAL, &a->def.tolerance, "E",
            "stop when a sweep changes velocities by less than E * g * dt", 0.0, 1.0),
        OPTION("--threads", CLI_COUNT, &a->def.threads, "N", "threads; the result is the same for any number", 1, 1024),
        OPTION("--seed", CLI_TEXT, &a->seed_text, "S", "chooses the poses of random scenes"),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

/* Files in and out, and what goes into them. */
static int file_options(SimulateArgs *a, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--output", CLI_OUTPUT, &a->log, "FILE", "write the log of the run as a NumPy archive (.npz)",
            .brief = "-o"),
        OPTION("--contacts", CLI_OUTPUT, &a->contacts, "FILE", "write the wrench of every contact as CSV"),
        OPTION("--keyframe", CLI_TEXT, &a->keyframe, "NAME",
            "start in this keyframe of the model, by name or number, with its controls"),
        OPTION("--ctrl", CLI_INPUT, &a->ctrl, "FILE", "controls over time as CSV: t,ACTUATOR,...; held between rows"),
        OPTION("--plan", CLI_INPUT, &a->plan, "FILE",
            "follow a trajectory by servos, from its start, and measure the distances of 'abut plan'"),
        OPTION("--obstacles", CLI_INPUT, &a->obstacles, "FILE", "with --plan: what stands around, as for 'abut plan'"),
        OPTION("--support", CLI_TEXT, &a->support, "FOOT", "with --plan: what stands at the start, as for 'abut plan'"),
        OPTION("--allow", CLI_TEXT, &a->allow, "A:B,..", "with --plan: pairs of links that are not measured"),
        OPTION("--joints", CLI_OUTPUT, &a->joints, "FILE", "write joints and forces of actuators as CSV"),
        OPTION("--html", CLI_OUTPUT, &a->page, "FILE", "write the run as one page to look at"),
        RUN_PAGE_OPTIONS(&a->page_size, &a->stages, "with --html: ", "with --html: "),
        OPTION(
            "--every", CLI_COUNT, &a->every, "K", "with --output, --contacts, --joints or --html: log every K-th step"),
        OPTION("--keep", CLI_WORD, &a->keep, "WHAT",
            "with --output or --html: what these hold: all, motion (no contacts) or poses",
            .words = abut_run_keep_names),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

/* The law of contact of impulses. */
static int impulse_options(SimulateArgs *a, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--gravity", CLI_REALS, &a->gravity, "X,Y,Z", "m/s^2 (default: taken from the scene)"),
        OPTION("--mu", CLI_REAL, &a->mu, "MU",
            "friction of all shapes, static and kinetic; pairs of a file keep theirs (default: taken from the scene)",
            0.0, 1e3),
        OPTION("--beta", CLI_REAL, &a->def.beta, "B",
            IMPULSES "part of the overlap that one step removes (default: by the step size)", 1e-6, 2.0),
        OPTION("--margin", CLI_REAL, &a->def.margin, "D",
            IMPULSES "contact is kept up to this distance, m (default: by sizes, gravity and the step size)", 0.0, 0.1),
        OPTION("--slop", CLI_REAL, &a->def.slop, "D", IMPULSES "overlap that is left alone, m", 0.0, 0.1),
        OPTION("--compliance", CLI_REAL, &a->def.compliance, "C",
            "with --model vol, vol-generator, convex, direct or point: "
            "softness under load; 0 is rigid (default: by the step size)",
            0.0, 1.0),
        OPTION("--rolling", CLI_REAL, &a->def.rolling, "R",
            "with --model vol: resistance of faceted bodies to rocking, part of their size", 0.0, 1.0),
        OPTION("--fit", CLI_WORD, &a->def.fit, "FIT",
            POLYGONS "target velocity: thickness, or the moments of the paper", .words = fits),
        OPTION("--generators", CLI_COUNT, &a->def.generators, "P",
            "with --model vol-generator, convex, emin, paper, paper-guarded or direct: sides of the friction "
            "pyramids",
            3, 64),
        OPTION("--uniform-torsion", CLI_FLAG, &a->def.torsion_uniform, NULL,
            POLYGONS "twisting friction as for uniform pressure"),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

/* Pressure, the form of bodies, what moves them. */
static int body_options(SimulateArgs *a, int *no_continuous, CliOption *out) {
    const CliOption rows[] = {
        OPTION("--pressure", CLI_REAL, &a->def.pressure, "P",
            "with --model pressure or penalty: Pa where a surface lies on another (default: by masses and sizes)", 1e-9,
            1e15),
        OPTION("--reach", CLI_REAL, &a->def.reach, "D",
            "with --model pressure: surfaces press from this distance on, m (default: by the smallest body)", 1e-9,
            1e3),
        OPTION("--spacing", CLI_REAL, &a->def.spacing, "D",
            "with --model pressure: spacing of the samples of surfaces, "
            "m, 20000 a shape at most (default: 0.6 of the reach)",
            1e-9, 1e3),
        OPTION("--pieces", CLI_FLAG, &a->pieces, NULL,
            "split closed meshes of a file that are not convex into convex pieces (default: off with models vol and "
            "pressure, else on)"),
        OPTION("--hulls", CLI_FLAG, &a->hulls, NULL, "take meshes that are not convex as their hulls"),
        OPERAND_MODELS,
        OPTION("--sleeping", CLI_FLAG, &a->def.sleeping, NULL,
            "leave out bodies that rest, or are as slow as at rest, until they are touched"),
        OPTION("--no-continuous", CLI_FLAG, no_continuous, NULL, IMPULSES "let fast bodies pass through thin ones"),
        OPTION("--push", CLI_TEXTS, &a->push, "PUSH",
            "BODY:t0,t1,fx,fy,fz[,px,py,pz]: a force on a body or link from "
            "t0 to t1, N, at a point of its frame; may be given several times"),
    };
    return cli_rows(out, rows, CLI_ROWS(rows));
}

int cli_simulate(int argc, char **argv) {
    SimulateArgs a = {.model = "vol",
        .seed_text = "1",
        .time = NAN,
        .dt = NAN,
        .every = 1,
        .page_size = NAN,
        .mu = NAN,
        .def = abut_simulation_default()};
    int no_continuous = 0, rows = 0;
    CliOption options[CLI_OPTIONS_MAX];
    const CliOption answer[] = {
        OPTION("--json", CLI_FLAG, &a.json, NULL, "print the summary as JSON"),
        OPTION("--final", CLI_FLAG, &a.final, NULL, "with --json: where every body is at the end"),
        OPTION("--list", CLI_FLAG, &a.list, NULL, "name the built-in scenes, robots and contact models"),
    };
    rows += step_options(&a, options);
    rows += file_options(&a, options + rows);
    rows += impulse_options(&a, options + rows);
    rows += body_options(&a, &no_continuous, options + rows);
    rows += cli_rows(options + rows, answer, CLI_ROWS(answer));
    int count = cli_parse(options, rows, argc, argv);
    a.def.continuous = !no_continuous;
    if (a.list) return simulate_print_list(a.json);
    if (count != 1) cli_error("expected one SCENE, got %d; 'abut simulate --list' names the built-in ones", count);
    a.scene = argv[0];
    check(&a);
    return simulate(&a);
}
