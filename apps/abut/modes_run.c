/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The enumeration of `abut modes`. Modes go out as they are found; the numbers follow behind the last one. A thread of
 * its own shows the progress on a terminal. Ctrl-C ends the enumeration and what was found until then is marked as
 * partial.
 */
#include "modes.h"
#include "abut/literature.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "progress.h"

static const double SCENE_TOLERANCE =
    1e-6; /* contact polygons of a scene carry its margin and the rounding of its overlaps */

typedef struct ModesRun {
    const CliCommand *command;
    const ModesArgs *args;
    const ModesSystem *system;
    const AbutModeSystem *rows;
    const AbutModeForces *forces; /* NULL: not asked for */
    const ModesLattice *lattice;  /* NULL: not asked for */
    FILE *to;
    AbutJson json;
    char *line;           /* a sign string */
    unsigned char *marks; /* JSON: feasible or not, per mode */
    size_t marks_capacity;
    double *velocity, *force; /* of the mode at hand; with --consistent */
    double *solution;         /* JSON: velocity and forces of each mode that is listed */
    size_t solution_capacity;
    uint64_t found, feasible;
    int rests; /* the mode of no motion at any contact is feasible */
    AbutError error;
    AbutStatus status;
} ModesRun;

double modes_margin(const AbutModeResult *r)
{
    if (r->exact || !(r->tolerance > 0.0))
        return INFINITY;
    double above = r->smallest_nonzero / r->tolerance,
           below = r->largest_zero > 0.0 ? r->tolerance / r->largest_zero : INFINITY;
    return fmin(above, below);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static atomic_ullong live; /* modes until now, when they are listed */

static void show_listing(Progress *progress, void *user)
{
    unsigned long long modes = atomic_load(&live);
    double seconds = cli_clock() - progress->started;
    (void)user;
    progress_line(progress, "%llu modes, %.0f s, %.3g per second", modes, seconds, (double)modes / seconds);
}

static void show_counting(Progress *progress, void *user)
{
    (void)user;
    progress_line(progress, "counting, %.0f s", cli_clock() - progress->started);
}

/* ---- one mode ---------------------------------------------------------------------------------------------------- */

static int is_rest(const AbutModeSystem *rows, AbutMode mode)
{
    uint64_t any = 0;
    for (int i = 0; i < abut_mode_words(rows, 0); ++i)
        any |= mode.plus[i] | mode.minus[i];
    return any == 0;
}

/* Rest is possible, and nothing else is. */
static int is_stable(const ModesRun *run)
{
    return run->rests && run->feasible == 1;
}

/* Force feasibility; negative after a failure. */
static int judge(ModesRun *run, AbutMode mode)
{
    AbutModeForceResult result;
    run->status =
        abut_mode_force_feasible(run->rows, mode, run->forces, &result, run->velocity, run->force, &run->error);
    if (run->status != ABUT_OK)
        return -1;
    run->feasible += result.feasible != 0;
    run->rests |= result.feasible && is_rest(run->rows, mode);
    return result.feasible != 0;
}

static int put_mark(ModesRun *run, int feasible)
{
    if (!abut_grow((void **)&run->marks, &run->marks_capacity, (size_t)run->found + 1, 1)) {
        run->status = abut_fail_memory(&run->error);
        return 0;
    }
    run->marks[run->found] = (unsigned char)feasible;
    return 1;
}

/* Numbers of a solution: all velocities, then three forces per contact. */
static size_t solution_width(const ModesRun *run)
{
    int velocities = run->system->basis ? run->system->all_dof : run->rows->dof;
    return (size_t)velocities + 3 * (size_t)run->rows->contacts;
}

/* Keeps velocity and forces of the mode at hand, the velocity in all velocities of the scene. */
static int put_solution(ModesRun *run)
{
    size_t width = solution_width(run), all = width - 3 * (size_t)run->rows->contacts, dof = (size_t)run->rows->dof;
    if (!abut_grow((void **)&run->solution, &run->solution_capacity, ((size_t)run->found + 1) * width,
            sizeof *run->solution)) {
        run->status = abut_fail_memory(&run->error);
        return 0;
    }
    double *to = run->solution + (size_t)run->found * width;
    for (size_t i = 0; i < all; ++i) {
        to[i] = run->system->basis ? 0.0 : run->velocity[i];
        for (size_t j = 0; run->system->basis && j < dof; ++j)
            to[i] += run->system->basis[i * dof + j] * run->velocity[j];
    }
    for (size_t i = 0; i < 3 * (size_t)run->rows->contacts; ++i) /* of a step: impulses */
        to[all + i] = run->force[i] / (run->forces->mass ? run->forces->step : 1.0);
    return 1;
}

static int visit(AbutMode mode, void *user)
{
    ModesRun *run = user;
    int feasible = run->forces ? judge(run, mode) : 0;
    if (feasible < 0)
        return 1;
    if (run->args->consistent && !feasible)
        return 0;
    if (run->args->count) {
        atomic_store_explicit(&live, ++run->found, memory_order_relaxed);
        return 0;
    }
    size_t length = abut_mode_text(run->rows, run->args->nonlinear, mode, run->line, SIZE_MAX);
    if (run->args->cs)
        run->line[length = (size_t)run->rows->contacts] = 0;
    if (run->args->json) {
        if (run->args->consistent ? !put_solution(run) : run->forces && !put_mark(run, feasible))
            return 1;
        abut_json_string(&run->json, run->line);
    } else {
        fwrite(run->line, 1, length, run->to);
        fputs(!run->forces || run->args->consistent ? "\n" : feasible ? " feasible\n" : " infeasible\n", run->to);
    }
    atomic_store_explicit(&live, ++run->found, memory_order_relaxed);
    return ferror(run->to) != 0;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void put_big(AbutJson *json, const char *key, uint64_t value)
{
    if (value <= INT64_MAX)
        abut_json_put_integer(json, key, (int64_t)value);
    else
        abut_json_put_number(json, key, (double)value);
}

static void begin_json(ModesRun *run)
{
    run->json = abut_json_to_file(run->to, 1);
    abut_json_begin_object(&run->json);
    abut_json_put_integer(&run->json, "contacts", run->rows->contacts);
    abut_json_put_integer(&run->json, "dof", run->rows->dof);
    abut_json_put_integer(&run->json, "n_t", run->rows->lines);
    if (run->args->count)
        return;
    abut_json_key(&run->json, "modes");
    abut_json_begin_array(&run->json);
}

static void put_lattice(AbutJson *json, const ModesLattice *lattice)
{
    abut_json_key(json, "layers");
    abut_json_begin_array(json);
    for (int i = 0; i < lattice->layer_count; ++i)
        abut_json_integer(json, lattice->layers[i]);
    abut_json_end_array(json);
    put_big(json, "edges", lattice->edge_count);
}

/* An array per mode: velocities, and the forces of each contact. */
static void put_solutions(ModesRun *run)
{
    AbutJson *json = &run->json;
    size_t width = solution_width(run), contacts = (size_t)run->rows->contacts, all = width - 3 * contacts;
    abut_json_key(json, "velocities");
    abut_json_begin_array(json);
    for (uint64_t i = 0; i < run->found; ++i)
        abut_json_numbers(json, run->solution + i * width, (int)all);
    abut_json_end_array(json);
    abut_json_key(json, "forces");
    abut_json_begin_array(json);
    for (uint64_t i = 0; i < run->found; ++i) {
        abut_json_begin_array(json);
        for (size_t k = 0; k < contacts; ++k)
            abut_json_numbers(json, run->solution + i * width + all + 3 * k, 3);
        abut_json_end_array(json);
    }
    abut_json_end_array(json);
}

static void end_json(ModesRun *run, const AbutModeResult *r, double seconds)
{
    AbutJson *json = &run->json;
    if (!run->args->count)
        abut_json_end_array(json);
    if (run->args->consistent && !run->args->count)
        put_solutions(run);
    else if (run->forces && !run->args->count) {
        abut_json_key(json, "feasible");
        abut_json_begin_array(json);
        for (uint64_t i = 0; i < run->found; ++i)
            abut_json_bool(json, run->marks[i]);
        abut_json_end_array(json);
    }
    if (run->lattice)
        put_lattice(json, run->lattice);
    put_big(json, "cs", r->cs_modes);
    if (!run->args->cs)
        put_big(json, "ss", r->modes);
    if (run->forces)
        put_big(json, "feasible_count", run->feasible);
    if (run->args->stable)
        abut_json_put_bool(json, "stable", r->complete && is_stable(run));
    abut_json_put_number(json, "tolerance_margin", modes_margin(r));
    abut_json_put_number(json, "tolerance", r->tolerance);
    abut_json_put_number(json, "largest_zero", r->largest_zero);
    abut_json_put_number(json, "smallest_nonzero", r->smallest_nonzero);
    abut_json_put_bool(json, "exact", r->exact);
    abut_json_put_bool(json, "depends_on_tolerance", r->depends_on_tolerance);
    abut_json_put_bool(json, "partial", !r->complete);
    abut_json_put_bool(json, "saturated", r->saturated);
    abut_json_put_string(json, "method", run->args->method);
    abut_json_put_number(json, "seconds", seconds);
    abut_json_end_object(json);
    if (abut_json_finish(json, &run->error) != ABUT_OK && run->status == ABUT_OK)
        run->status = run->error.status;
    abut_json_free(json);
}

static void put_count(ModesRun *run, const AbutModeResult *r, double seconds)
{
    const char *partial = r->complete ? "" : "  (partial)";
    fprintf(run->to, "contacts   %d\ndof        %d\n", run->rows->contacts, run->rows->dof);
    fprintf(run->to, "cs         %llu%s\n", (unsigned long long)r->cs_modes, partial);
    if (!run->args->cs)
        fprintf(
            run->to, "ss         %s%llu%s\n", r->saturated ? "more than " : "", (unsigned long long)r->modes, partial);
    if (run->forces)
        fprintf(run->to, "feasible   %llu%s\n", (unsigned long long)run->feasible, partial);
    if (run->args->stable)
        fprintf(run->to, "stable     %s\n", !r->complete ? "not known" : is_stable(run) ? "yes" : "no");
    for (int i = 0; run->lattice && i < run->lattice->layer_count; ++i)
        fprintf(run->to, "%s%d%s", i ? " " : "layers     ", run->lattice->layers[i],
            i + 1 < run->lattice->layer_count ? "" : "\n");
    if (run->lattice)
        fprintf(run->to, "edges      %zu\n", run->lattice->edge_count);
    if (r->exact)
        fputs("arithmetic exact\n", run->to);
    else
        fprintf(run->to, "tolerance  %g, margin %.3g%s\n", r->tolerance, modes_margin(r),
            r->depends_on_tolerance ? " (too small to trust)" : "");
    fprintf(run->to, "seconds    %.6f\n", seconds);
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

AbutModeOptions modes_options(const ModesArgs *a, int from_scene, const int8_t *cs)
{
    AbutModeOptions o = abut_mode_options_default();
    o.kind = a->cs ? ABUT_MODES_CS : cs ? ABUT_MODES_OF_CS : ABUT_MODES_FULL;
    o.method = strcmp(a->method, "paper") == 0 ? abut_mode_paper : NULL;
    o.cs = cs;
    o.nonlinear = a->nonlinear;
    o.tolerance = !isnan(a->tolerance) ? a->tolerance : from_scene ? SCENE_TOLERANCE : 0.0;
    o.limit = (uint64_t)a->limit;
    o.threads = a->threads;
    o.cancel = interrupt_flag();
    return o;
}

/* Lists or counts into run->to, which is open. */
static int enumerate(ModesRun *run, AbutModeOptions *options)
{
    AbutModeResult result = {0};
    Progress progress;
    int listing = !run->args->count || run->forces;
    if (listing)
        options->visit = visit, options->user = run;
    if (run->args->json)
        begin_json(run);
    atomic_store(&live, 0);
    progress_begin(&progress);
    progress_watch(&progress, listing ? show_listing : show_counting, NULL);
    double began = cli_clock();
    AbutStatus status = abut_mode_enumerate(run->rows, options, &result, &run->error);
    double seconds = cli_clock() - began;
    progress_end(&progress);
    if (run->status == ABUT_OK)
        run->status = status;
    if (run->args->json)
        end_json(run, &result, seconds);
    else if (run->args->count && run->status == ABUT_OK)
        put_count(run, &result, seconds);
    if (run->status != ABUT_OK)
        return cli_error(run->command, "%s", run->error.text);
    if (!result.complete)
        cli_warning(run->command, "stopped after %llu modes: partial", (unsigned long long)result.modes);
    if (result.depends_on_tolerance)
        cli_warning(run->command,
            "the result depends on the tolerance %g: values taken for zero reach %.3g, others go down to %.3g",
            result.tolerance, result.largest_zero, result.smallest_nonzero);
    return *interrupt_flag() ? CLI_NO : CLI_OK;
}

/* Into a file that takes its name when it is whole. */
static int enumerate_to_file(ModesRun *run, AbutModeOptions *options)
{
    AbutFileOut out;
    AbutError error;
    if (abut_file_out_open(&out, run->args->output, &error) != ABUT_OK)
        return cli_error(run->command, "%s", error.text);
    run->to = out.file;
    int status = enumerate(run, options);
    if (status == CLI_BAD)
        abut_file_out_cancel(&out);
    else if (abut_file_out_commit(&out, &error) != ABUT_OK)
        status = cli_error(run->command, "%s", error.text);
    return status;
}

int modes_run(const CliCommand *command, const ModesArgs *args, const ModesSystem *system, const int8_t *cs,
    const AbutModeForces *forces, const ModesLattice *lattice)
{
    ModesRun run = {.command = command,
        .args = args,
        .system = system,
        .rows = &system->rows,
        .forces = forces,
        .to = stdout,
        .lattice = lattice};
    AbutModeOptions options = modes_options(args, system->from_scene, cs);
    size_t rows = (size_t)system->rows.contacts * (size_t)(1 + (args->nonlinear ? 1 : system->rows.lines));
    run.line = malloc(rows + 1);
    if (args->consistent) {
        run.velocity = malloc(((size_t)system->rows.dof + 1) * sizeof *run.velocity);
        run.force = malloc((3 * (size_t)system->rows.contacts + 1) * sizeof *run.force);
    }
    if (!run.line || (args->consistent && (!run.velocity || !run.force)))
        return cli_error(command, "no memory for the modes");
    interrupt_catch();
    int status = args->output ? enumerate_to_file(&run, &options) : enumerate(&run, &options);
    interrupt_release();
    free(run.line);
    free(run.velocity);
    free(run.force);
    abut_free(run.solution);
    abut_free(run.marks);
    return status;
}
