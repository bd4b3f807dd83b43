/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of `abut simulate`: steps, totals, log, table of contacts, progress bar. An interrupt (Ctrl-C, or a request
 * to terminate) or a step that fails ends the loop; what was recorded until then is written and marked as partial.
 */
#include "simulate.h"

#include <string.h>

#include "progress.h"
#include "run_page.h"

typedef struct Run {
    const SimulateArgs *args;
    AbutScene *scene;
    SimulatePushes pushes;
    AbutSimulation *simulation;
    AbutRun *log; /* NULL: not wanted */
    SimulateRobots robots;
    AbutCsv *csv; /* NULL: not wanted */
    SimulateTotals *totals;
    int64_t steps; /* to do */
    double energy; /* after the last step */
    Progress progress;
} Run;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static void show_progress(Run *run)
{
    progress_bar(&run->progress, (double)run->totals->steps / (double)run->steps, "t = %.3f s  %d contacts",
        run->totals->time, run->totals->last.contacts);
}

/* ---- totals ------------------------------------------------------------------------------------------------------ */

static void count_bodies(const AbutScene *scene, SimulateTotals *t)
{
    t->bodies = abut_scene_body_count(scene);
    for (int i = 0; i < t->bodies; ++i) {
        AbutBodyState state;
        if (abut_scene_get_body(scene, abut_scene_body_at(scene, i), &state))
            t->dynamic += state.kind == ABUT_BODY_DYNAMIC;
    }
}

/* Names of the bodies whose energy was guarded in the last step. */
static void list_guarded(Run *run)
{
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
static void name_gain(Run *run, double time)
{
    SimulateTotals *t = run->totals;
    int count = abut_simulation_contact_count(run->simulation);
    AbutBodyState a, b;
    AbutContact c;
    t->gain_time = time;
    t->gain_depth = 0.0;
    t->gain_bodies[0] = 0;
    for (int i = 0; i < count; ++i)
        if (abut_simulation_get_contact(run->simulation, i, &c) && c.depth > t->gain_depth &&
            abut_scene_get_body(run->scene, c.body_a, &a) && abut_scene_get_body(run->scene, c.body_b, &b)) {
            t->gain_depth = c.depth;
            snprintf(t->gain_bodies, sizeof t->gain_bodies, "%.100s and %.100s", a.name, b.name);
        }
}

static void add_step(Run *run, const AbutStepReport *r, double seconds, double processor)
{
    SimulateTotals *t = run->totals;
    double energy = r->kinetic + r->potential;
    t->steps += 1;
    t->time = r->time;
    t->seconds += seconds;
    t->processor += processor;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        t->stage[i] += r->seconds[i];
    t->work += r->work;
    if (energy - run->energy - r->work > t->gain_max) {
        t->gain_max = energy - run->energy - r->work;
        name_gain(run, r->time);
    }
    t->rise_max = fmax(t->rise_max, energy - run->energy);
    t->excess_max = fmax(t->excess_max, energy - t->energy_start);
    run->energy = energy;
    t->kinetic = r->kinetic;
    t->potential = r->potential;
    t->max_depth = fmax(t->max_depth, r->max_depth);
    t->depth = r->max_depth;
    t->capped_steps += r->capped_islands > 0;
    if (r->guarded_islands > 0) {
        t->guarded_steps += 1;
        list_guarded(run);
    }
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

AbutStatus simulate_open_contacts(const char *path, AbutCsv **out, AbutError *error)
{
    return abut_csv_open(
        path, "t,body_a,body_b,fx,fy,fz,tx,ty,tz,cx,cy,cz,nx,ny,nz,area,volume,depth,state", out, error);
}

static void put_name(AbutCsv *csv, const AbutScene *scene, AbutBodyId id)
{
    AbutBodyState state;
    char number[32];
    int known = abut_scene_get_body(scene, id, &state);
    snprintf(number, sizeof number, "body%u", (unsigned)(id.index1 - 1));
    abut_csv_text(csv, known && state.name[0] ? state.name : number);
}

void simulate_put_contacts(AbutCsv *csv, const AbutScene *scene, const AbutSimulation *simulation, double time)
{
    int count = abut_simulation_contact_count(simulation);
    for (int i = 0; i < count; ++i) {
        AbutContact c;
        if (!abut_simulation_get_contact(simulation, i, &c))
            continue;
        abut_csv_number(csv, time);
        put_name(csv, scene, c.body_a);
        put_name(csv, scene, c.body_b);
        abut_csv_vec3(csv, c.force);
        abut_csv_vec3(csv, c.torque);
        abut_csv_vec3(csv, c.center);
        abut_csv_vec3(csv, c.normal);
        abut_csv_number(csv, c.area);
        abut_csv_number(csv, c.volume);
        abut_csv_number(csv, c.depth);
        abut_csv_text(csv, c.sliding ? "slip" : "stick");
        abut_csv_end_row(csv);
    }
}

static AbutStatus open_files(Run *run, const AbutModel *model, AbutError *error)
{
    const SimulateArgs *a = run->args;
    char settings[600], mu[8 + ABUT_DOUBLE_TEXT] = "", numbers[3][ABUT_DOUBLE_TEXT];
    const double given[3] = {a->time, a->dt, a->mu};
    AbutStatus status = ABUT_OK;
    for (int k = 0; k < 3; ++k)
        abut_format_double(numbers[k], sizeof numbers[k], given[k]);
    if (!isnan(a->mu))
        snprintf(mu, sizeof mu, " --mu %s", numbers[2]);
    snprintf(settings, sizeof settings, "abut simulate %.300s --seed %llu --time %s --dt %s --model %s --every %d%s",
        a->scene, (unsigned long long)a->seed, numbers[0], numbers[1], abut_contact_model_name(a->def.model), a->every,
        mu);
    if (a->log || a->page)
        status = abut_run_create_of_scene(run->scene, model, settings, &run->log, error);
    if (run->log)
        run->log->keep = a->kept;
    if (status == ABUT_OK && a->contacts)
        status = simulate_open_contacts(a->contacts, &run->csv, error);
    return status;
}

static AbutStatus record(Run *run, const AbutStepReport *report, AbutError *error)
{
    if (run->csv)
        simulate_put_contacts(run->csv, run->scene, run->simulation, report->time);
    simulate_robots_record(&run->robots, run->simulation, report->time);
    return run->log ? abut_run_record(run->log, run->simulation, report, error) : ABUT_OK;
}

/* Gives the files their names. */
static void close_files(Run *run)
{
    const SimulateArgs *a = run->args;
    char text[200];
    if (run->csv && run->totals->partial) {
        snprintf(text, sizeof text, "partial: the run ended at t = %.9g s of %.9g s", run->totals->time, a->time);
        abut_csv_comment(run->csv, text);
    }
    if (run->csv)
        cli_need(abut_csv_commit(run->csv, &cli_why));
    run->csv = NULL;
    cli_need(simulate_robots_close(&run->robots, &cli_why));
    if (run->log && run->totals->partial)
        run->log->partial = 1;
    if (a->log)
        cli_need(abut_run_write(a->log, run->log, &cli_why));
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
static AbutStatus start(Run *run, AbutError *error)
{
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    count_bodies(run->scene, run->totals);
    run->energy = run->totals->energy_start =
        abut_simulation_energy(run->simulation, &report.kinetic, &report.potential);
    run->steps = (int64_t)ceil(run->args->time / run->args->dt - 1e-6);
    run->steps = run->steps < 1 ? 1 : run->steps;
    progress_begin(&run->progress);
    simulate_robots_record(&run->robots, run->simulation, 0.0);
    return run->log ? abut_run_record(run->log, run->simulation, &report, error) : ABUT_OK;
}

static AbutStatus loop(Run *run, AbutError *error)
{
    AbutStatus status = start(run, error);
    while (status == ABUT_OK && run->totals->steps < run->steps && !*interrupt_flag()) {
        AbutStepReport report;
        double before = cli_clock(), busy = cli_processor_clock();
        status =
            simulate_robots_drive(&run->robots, run->simulation, (double)run->totals->steps * run->args->dt, error);
        if (status == ABUT_OK)
            status = simulate_push(&run->pushes, run->scene, run->simulation,
                (double)run->totals->steps * run->args->dt, run->args->dt, error);
        if (status == ABUT_OK)
            status = abut_simulation_step(run->simulation, run->args->dt, &report, error);
        if (status == ABUT_OK && !isfinite(report.kinetic + report.potential + report.max_depth))
            status =
                abut_fail(error, ABUT_ERROR_NUMBER, "energies or depths are not finite: the numbers are too large");
        if (status != ABUT_OK)
            break;
        report.time = (double)(run->totals->steps + 1) * run->args->dt; /* without the rounding of a sum */
        add_step(run, &report, cli_clock() - before, cli_processor_clock() - busy);
        if (run->robots.plan)
            status = simulate_plan_measure(run->robots.plan, run->scene, report.time, error);
        if (status != ABUT_OK)
            break;
        if (run->totals->steps % run->args->every == 0 || run->totals->steps == run->steps)
            status = record(run, &report, error);
        show_progress(run);
    }
    progress_end(&run->progress);
    run->totals->partial = run->totals->steps < run->steps;
    run->totals->hash = abut_simulation_hash(run->simulation);
    return status;
}

static int finish(Run *run, AbutStatus status)
{
    const SimulateTotals *t = run->totals;
    int result = CLI_OK;
    if (status != ABUT_OK)
        result = cli_complain("step %lld, t = %.9g s: %s", (long long)t->steps + 1, t->time, cli_why.text);
    else if (t->partial)
        cli_warning("interrupted at t = %.9g s of %.9g s", t->time, run->args->time);
    close_files(run);
    return result;
}

int simulate_run(const SimulateArgs *args, AbutScene *scene, const AbutModel *model, SimulateTotals *totals)
{
    Run run = {.args = args, .scene = scene, .totals = totals};
    SimulatePlan *plan = totals->plan;
    memset(totals, 0, sizeof *totals);
    totals->plan = run.robots.plan = plan;
    simulate_read_pushes(args, scene, &run.pushes);
    cli_need(abut_simulation_create(scene, &args->def, &run.simulation, &cli_why));
    cli_need(simulate_robots_begin(&run.robots, args, scene, run.simulation, &cli_why));
    cli_need(open_files(&run, model, &cli_why));
    interrupt_catch();
    int result = finish(&run, loop(&run, &cli_why));
    interrupt_release();
    abut_csv_cancel(run.csv);
    abut_run_free(run.log);
    simulate_robots_free(&run.robots);
    abut_simulation_free(run.simulation);
    return result;
}
