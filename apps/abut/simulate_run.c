/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of `abut simulate`: robots with their keyframe, controls and table of joints (a scene of the tool is one
 * model, so there is one robot, or none), steps, totals, log, table of contacts, progress bar. An interrupt (Ctrl-C, or
 * a request to terminate) or a step that fails ends the loop; what was recorded until then is written and marked as
 * partial.
 */
#include "simulate.h"

#include <string.h>

#include "progress.h"
#include "run_page.h"

/* Robots of a run: what drives the first one, and the table of joints. Good when zeroed. */
typedef struct Robots {
    AbutControls controls;
    double *control; /* of the first robot */
    AbutCsv *csv;
    AbutPlanFollower *plan; /* NULL: none */
} Robots;

/* ---- start ------------------------------------------------------------------------------------------------------- */

static void set_keyframe(Robots *r, int32_t key, AbutScene *scene, AbutSimulation *simulation) {
    const AbutKeyframeDef *def = &abut_scene_robot_model(scene, 0)->keyframes[key];
    for (int32_t i = 0; i < def->control_count; ++i) r->control[i] = def->controls[i];
    cli_need(abut_scene_set_keyframe(scene, 0, key, &cli_why));
    if (def->activation_count)
        cli_need(abut_simulation_set_activation(simulation, 0, def->activation_count, def->activations, &cli_why));
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

/* Room for the name of any number of the model. */
static size_t name_room(const AbutModel *model) {
    size_t longest = 0, length;
    for (int32_t i = 0; i < model->body_count; ++i)
        longest = (length = strlen(model->bodies[i].name)) > longest ? length : longest;
    for (int32_t i = 0; i < model->joint_count; ++i)
        longest = (length = strlen(model->joints[i].name)) > longest ? length : longest;
    for (int32_t i = 0; i < model->actuator_count; ++i)
        longest = (length = strlen(model->actuators[i].name)) > longest ? length : longest;
    for (int32_t i = 0; i < model->sensor_count; ++i)
        longest = (length = strlen(model->sensors[i].name)) > longest ? length : longest;
    return longest + 40; /* for a number instead, and an ending */
}

/* The first line has the names of all columns, in quotes where they need them. */
static void open_joints(Robots *r, const char *path, const AbutModel *model) {
    size_t room = name_room(model);
    char *name = cli_room(room, 1);
    cli_need(abut_csv_open(path, "", &r->csv, &cli_why));
    abut_csv_text(r->csv, "t");
    for (int list = 0; list < ABUT_NUMBERS_LISTS; ++list)
        for (int32_t i = 0; i < abut_model_number_count(model, list); ++i) {
            abut_model_number_name(model, list, i, room, name);
            abut_csv_text(r->csv, name);
        }
    abut_csv_end_row(r->csv);
}

static void record_joints(Robots *r, const AbutSimulation *simulation, double time) {
    if (!r->csv) return;
    const AbutScene *scene = abut_simulation_scene(simulation);
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    double *at[ABUT_NUMBERS_LISTS + 1] = {r->control + model->actuator_count}; /* behind the controls */
    for (int list = 0; list < ABUT_NUMBERS_LISTS; ++list)
        at[list + 1] = at[list] + abut_model_number_count(model, list);
    AbutRobotForces forces = {.actuator = at[ABUT_NUMBERS_FORCES], .activation = at[ABUT_NUMBERS_ACTIVATIONS]};
    abut_scene_get_joints(scene, 0, at[ABUT_NUMBERS_POSITIONS], at[ABUT_NUMBERS_VELOCITIES]);
    abut_simulation_get_robot_forces(simulation, 0, &forces);
    cli_need(abut_simulation_get_sensors(simulation, 0, at[ABUT_NUMBERS_SENSORS], &cli_why));
    abut_csv_number(r->csv, time);
    for (const double *x = at[0]; x < at[ABUT_NUMBERS_LISTS]; ++x) abut_csv_number(r->csv, *x);
    abut_csv_end_row(r->csv);
}

/* An actuator that a plan drives is not left to a file of controls as well. */
static void check_controls(const Robots *r, const char *file, const AbutModel *model) {
    for (int32_t i = 0; r->plan && i < r->controls.actuator_count; ++i)
        if (abut_plan_follower_drives(r->plan, r->controls.actuators[i]))
            cli_error(
                "--ctrl: %s drives '%s', which follows --plan", file, model->actuators[r->controls.actuators[i]].name);
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

static AbutStatus drive(Robots *r, AbutSimulation *simulation, double time, AbutError *error) {
    if (!r->control) return ABUT_OK;
    const AbutModel *model = abut_scene_robot_model(abut_simulation_scene(simulation), 0);
    if (r->controls.row_count > 0) abut_controls_at(&r->controls, time, r->control);
    if (r->plan) ABUT_TRY(abut_plan_follower_drive(r->plan, simulation, time, r->control, error));
    return abut_simulation_set_control(simulation, 0, model->actuator_count, r->control, error);
}

static void begin_robots(Robots *r, const SimulateArgs *args, AbutScene *scene, AbutSimulation *simulation) {
    if (abut_scene_robot_count(scene) == 0 && (args->ctrl || args->joints))
        cli_error("%s: %s has no joints or actuators", args->ctrl ? "--ctrl" : "--joints", args->scene);
    if (abut_scene_robot_count(scene) == 0) return;
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    size_t numbers = (size_t)model->actuator_count;
    for (int list = 0; list < ABUT_NUMBERS_LISTS; ++list) numbers += (size_t)abut_model_number_count(model, list);
    r->control = cli_room(numbers, sizeof *r->control);
    if (args->ctrl) cli_need(abut_controls_read(args->ctrl, NULL, 0, model, &r->controls, &cli_why));
    check_controls(r, args->ctrl, model);
    if (args->key >= 0) set_keyframe(r, args->key, scene, simulation);
    if (r->plan)
        cli_need(abut_scene_set_joints(
            scene, 0, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), r->plan->positions, 0, NULL, &cli_why));
    cli_need(drive(r, simulation, 0.0, &cli_why));
    if (args->joints) open_joints(r, args->joints, model);
}

typedef struct Run {
    const SimulateArgs *args;
    AbutScene *scene;
    Push pushes[CLI_TEXTS_MAX];
    AbutSimulation *simulation;
    AbutRun *log; /* NULL: not wanted */
    Robots robots;
    AbutCsv *csv; /* NULL: not wanted */
    SimulateTotals *totals;
    int64_t steps; /* to do */
    double energy; /* after the last step */
    Progress progress;
} Run;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static void show_progress(Run *run) {
    progress_bar(&run->progress, (double)run->totals->steps / (double)run->steps, "t = %.3f s  %d contacts",
        run->totals->time, run->totals->last.contacts);
}

/* ---- totals ------------------------------------------------------------------------------------------------------ */

static void count_bodies(const AbutScene *scene, SimulateTotals *t) {
    t->bodies = abut_scene_body_count(scene);
    for (int i = 0; i < t->bodies; ++i) {
        AbutBodyState state;
        if (abut_scene_get_body(scene, abut_scene_body_at(scene, i), &state))
            t->dynamic += state.kind == ABUT_BODY_DYNAMIC;
    }
}

/* Names of the bodies whose energy was guarded in the last step. */
static void list_guarded(Run *run) {
    SimulateTotals *t = run->totals;
    int count;
    const AbutEvent *events = abut_simulation_events(run->simulation, &count);
    size_t used = 0;
    for (int i = 0; i < count; ++i) {
        AbutBodyState state;
        if (events[i].kind != ABUT_EVENT_GUARDED || !abut_scene_get_body(run->scene, events[i].body_a, &state))
            continue;
        if (used + strlen(state.name) + 8 > sizeof t->guarded_bodies) {
            snprintf(t->guarded_bodies + used, sizeof t->guarded_bodies - used, ", ...");
            return;
        }
        used += (size_t)snprintf(
            t->guarded_bodies + used, sizeof t->guarded_bodies - used, "%s%s", used ? ", " : "", state.name);
    }
}

/* The step gained more energy than any before: which bodies lie deepest in each other, and push each other apart? */
static void name_gain(Run *run, double gain, double time) {
    SimulateTotals *t = run->totals;
    AbutBodyState a, b;
    AbutContact c;
    t->gain_max = gain, t->gain_time = time, t->gain_depth = 0.0, t->gain_bodies[0] = 0;
    for (int i = 0; abut_simulation_get_contact(run->simulation, i, &c); ++i)
        if (c.depth > t->gain_depth && abut_scene_get_body(run->scene, c.body_a, &a) &&
            abut_scene_get_body(run->scene, c.body_b, &b)) {
            t->gain_depth = c.depth;
            snprintf(t->gain_bodies, sizeof t->gain_bodies, "%.100s and %.100s", a.name, b.name);
        }
}

static void note_energies(SimulateTotals *t, double kinetic, double potential) {
    t->kinetic = kinetic;
    t->potential = potential;
    t->kinetic_max = fmax(t->kinetic_max, kinetic);
    t->potential_min = fmin(t->potential_min, potential);
    t->potential_max = fmax(t->potential_max, potential);
}

static void add_step(Run *run, const AbutStepReport *r, double seconds, double processor) {
    SimulateTotals *t = run->totals;
    double energy = r->kinetic + r->potential, gain = energy - run->energy - r->work;
    t->steps += 1;
    t->time = r->time;
    t->seconds += seconds;
    t->processor += processor;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i) t->stage[i] += r->seconds[i];
    t->work += r->work;
    if (gain > t->gain_max) name_gain(run, gain, r->time);
    t->rise_max = fmax(t->rise_max, energy - run->energy);
    t->excess_max = fmax(t->excess_max, energy - t->energy_start);
    run->energy = energy;
    note_energies(t, r->kinetic, r->potential);
    t->max_depth = fmax(t->max_depth, r->max_depth);
    t->depth = r->max_depth;
    t->capped_steps += r->capped_islands > 0;
    t->guarded_steps += r->guarded_islands > 0;
    if (r->guarded_islands > 0) list_guarded(run);
    t->continuous_hits += r->continuous_hits;
    t->contacts_max = r->contacts > t->contacts_max ? r->contacts : t->contacts_max;
    t->contacts_sum += r->contacts;
    if (r->contacts > 0) {
        t->contact_steps += 1;
        t->sweeps_sum += r->sweeps_mean;
        t->sweeps_max = r->sweeps > t->sweeps_max ? r->sweeps : t->sweeps_max;
        t->residual_sum += r->residual;
        t->residual_max = fmax(t->residual_max, r->residual);
    }
    t->last = *r;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct ContactRow {
    double t;
    const char *a, *b, *state;
    AbutContact c;
    char name[2][32]; /* of bodies without one */
} ContactRow;

static const AbutField contact_fields[] = {
    {ABUT_FIELD(ContactRow, t, REAL, "s", "")},
    {ABUT_FIELD(ContactRow, a, TEXT, "", "")},
    {ABUT_FIELD(ContactRow, b, TEXT, "", "")},
    {ABUT_FIELD_AS("force", ContactRow, c.force, REAL, "N", ""), .rows = 3},
    {ABUT_FIELD_AS("torque", ContactRow, c.torque, REAL, "N m", ""), .rows = 3},
    {ABUT_FIELD_AS("center", ContactRow, c.center, REAL, "m", ""), .rows = 3},
    {ABUT_FIELD_AS("normal", ContactRow, c.normal, REAL, "", ""), .rows = 3},
    {ABUT_FIELD_AS("area", ContactRow, c.area, REAL, "m^2", "")},
    {ABUT_FIELD_AS("volume", ContactRow, c.volume, REAL, "m^3", "")},
    {ABUT_FIELD_AS("depth", ContactRow, c.depth, REAL, "m", "")},
    {ABUT_FIELD(ContactRow, state, TEXT, "", "")},
};
static const AbutRecord contact_row = ABUT_RECORD("contact", "", ContactRow, contact_fields);

static const char *name_of(const AbutScene *scene, AbutBodyId id, char number[32]) {
    AbutBodyState state;
    snprintf(number, 32, "body%u", (unsigned)(id.index1 - 1));
    return abut_scene_get_body(scene, id, &state) && state.name[0] ? state.name : number;
}

/* One row per contact of the last step. */
static void put_contacts(const Run *run, double time) {
    for (int i = 0; i < abut_simulation_contact_count(run->simulation); ++i) {
        ContactRow row = {.t = time};
        if (!abut_simulation_get_contact(run->simulation, i, &row.c)) continue;
        row.a = name_of(run->scene, row.c.body_a, row.name[0]);
        row.b = name_of(run->scene, row.c.body_b, row.name[1]);
        row.state = row.c.sliding ? "slip" : "stick";
        abut_csv_record(run->csv, &contact_row, "t a b force torque center normal area volume depth state", &row);
    }
}

static void open_files(Run *run, const AbutModel *model) {
    const SimulateArgs *a = run->args;
    char settings[600], mu[8 + ABUT_DOUBLE_TEXT] = "", numbers[3][ABUT_DOUBLE_TEXT];
    const double given[3] = {a->time, a->dt, a->mu};
    for (int k = 0; k < 3; ++k) abut_format_double(numbers[k], sizeof numbers[k], given[k]);
    if (!isnan(a->mu)) snprintf(mu, sizeof mu, " --mu %s", numbers[2]);
    snprintf(settings, sizeof settings, "abut simulate %.300s --seed %llu --time %s --dt %s --model %s --every %d%s",
        a->scene, (unsigned long long)a->seed, numbers[0], numbers[1], abut_contact_model_name(a->def.model), a->every,
        mu);
    if (a->log || a->page) {
        cli_need(abut_run_create_of_scene(run->scene, model, settings, &run->log, &cli_why));
        run->log->keep = (AbutRunKeep)a->keep;
    }
    if (a->contacts)
        cli_need(abut_csv_open(a->contacts,
            "t,body_a,body_b,fx,fy,fz,tx,ty,tz,cx,cy,cz,nx,ny,nz,area,volume,depth,state", &run->csv, &cli_why));
}

static AbutStatus record(Run *run, const AbutStepReport *report, AbutError *error) {
    if (run->csv) put_contacts(run, report->time);
    record_joints(&run->robots, run->simulation, report->time);
    return run->log ? abut_run_record(run->log, run->simulation, report, error) : ABUT_OK;
}

/* Gives the files their names. */
static void close_files(Run *run) {
    const SimulateArgs *a = run->args;
    char text[200];
    if (run->csv && run->totals->partial) {
        snprintf(text, sizeof text, "partial: the run ended at t = %.9g s of %.9g s", run->totals->time, a->time);
        abut_csv_comment(run->csv, text);
    }
    if (run->csv) cli_need(abut_csv_commit(run->csv, &cli_why));
    if (run->robots.csv) cli_need(abut_csv_commit(run->robots.csv, &cli_why));
    if (run->log && run->totals->partial) run->log->partial = 1;
    if (a->log) cli_need(abut_run_write(a->log, run->log, &cli_why));
    snprintf(text, sizeof text, "model %s, step %g s, %g s", abut_contact_model_name(a->def.model), a->dt,
        run->totals->time);
    if (a->page)
        run_page_write(&(RunPage){.path = a->page,
            .title = cli_base_name(a->scene),
            .subtitle = text,
            .size = a->page_size,
            .stages = a->stages,
            .run = run->log,
            .robot = abut_scene_robot_model(run->scene, 0)});
}

/* ---- loop -------------------------------------------------------------------------------------------------------- */

/* The state before the first step is the first row of the log. */
static AbutStatus start(Run *run, AbutError *error) {
    AbutStepReport report = {0};
    count_bodies(run->scene, run->totals);
    run->energy = run->totals->energy_start =
        abut_simulation_energy(run->simulation, &report.kinetic, &report.potential);
    run->totals->potential_min = run->totals->potential_max = report.potential;
    note_energies(run->totals, report.kinetic, report.potential);
    run->steps = (int64_t)ceil(run->args->time / run->args->dt - 1e-6);
    run->steps = run->steps < 1 ? 1 : run->steps;
    progress_begin(&run->progress);
    record_joints(&run->robots, run->simulation, 0.0);
    return run->log ? abut_run_record(run->log, run->simulation, &report, error) : ABUT_OK;
}

static AbutStatus loop(Run *run, AbutError *error) {
    AbutStatus status = start(run, error);
    while (status == ABUT_OK && run->totals->steps < run->steps && !*interrupt_flag()) {
        AbutStepReport report;
        double before = cli_clock(), busy = cli_processor_clock();
        status = drive(&run->robots, run->simulation, (double)run->totals->steps * run->args->dt, error);
        if (status == ABUT_OK)
            status = push_step(run->args->push.count, run->pushes, run->scene, run->simulation,
                (double)run->totals->steps * run->args->dt, run->args->dt, error);
        if (status == ABUT_OK) status = abut_simulation_step(run->simulation, run->args->dt, &report, error);
        if (status == ABUT_OK && !isfinite(report.kinetic + report.potential + report.max_depth))
            status =
                abut_fail(error, ABUT_ERROR_NUMBER, "energies or depths are not finite: the numbers are too large");
        if (status != ABUT_OK) break;
        report.time = (double)(run->totals->steps + 1) * run->args->dt; /* without the rounding of a sum */
        add_step(run, &report, cli_clock() - before, cli_processor_clock() - busy);
        if (run->robots.plan) status = abut_plan_follower_measure(run->robots.plan, run->scene, report.time, error);
        if (status != ABUT_OK) break;
        if (run->totals->steps % run->args->every == 0 || run->totals->steps == run->steps)
            status = record(run, &report, error);
        show_progress(run);
    }
    progress_end(&run->progress);
    run->totals->partial = run->totals->steps < run->steps;
    run->totals->hash = abut_simulation_hash(run->simulation);
    return status;
}

static int finish(Run *run, AbutStatus status) {
    const SimulateTotals *t = run->totals;
    int result = CLI_OK;
    if (status != ABUT_OK)
        result = cli_complain("step %lld, t = %.9g s: %s", (long long)t->steps + 1, t->time, cli_why.text);
    else if (t->partial)
        cli_warning("interrupted at t = %.9g s of %.9g s", t->time, run->args->time);
    close_files(run);
    return result;
}

int simulate_run(const SimulateArgs *args, AbutScene *scene, const AbutModel *model, SimulateTotals *totals) {
    Run run = {.args = args,
        .scene = scene,
        .totals = totals,
        .robots = {.plan = totals->plan ? &totals->plan->follower : NULL}};
    for (int i = 0; i < args->push.count; ++i)
        cli_need_of("--push", push_parse(args->push.value[i], scene, &run.pushes[i], &cli_why));
    cli_need(abut_simulation_create(scene, &args->def, &run.simulation, &cli_why));
    begin_robots(&run.robots, args, scene, run.simulation);
    open_files(&run, model);
    interrupt_catch();
    int result = finish(&run, loop(&run, &cli_why));
    interrupt_release();
    return result;
}
