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

#include "progress.h"

typedef struct ModesRun {
    const ModesArgs *args;
    const ModesSystem *system;
    const AbutModeSystem *rows;
    const AbutModeForces *forces;  /* NULL: not asked for */
    const AbutModeLayers *lattice; /* NULL: not asked for */
    FILE *to;
    AbutJson json;
    char *line;     /* a sign string */
    int32_t *marks; /* JSON: feasible or not, per mode */
    size_t marks_capacity;
    double *velocity, *force; /* of the mode at hand; with --consistent */
    double *solution;         /* JSON: velocity and forces of each mode that is listed */
    size_t solution_capacity;
    uint64_t found, feasible;
    int begun; /* JSON: its first keys are out */
    int rests; /* the mode of no motion at any contact is feasible */
    AbutStatus status;
} ModesRun;

const char *const modes_methods[] = {"search", "paper", NULL};

/* How many times the tolerance could grow or shrink before a decision changed; infinite when exact. */
static double margin_of(const AbutModeResult *r) {
    if (r->exact || !(r->tolerance > 0.0)) return INFINITY;
    double above = r->smallest_nonzero / r->tolerance,
           below = r->largest_zero > 0.0 ? r->tolerance / r->largest_zero : INFINITY;
    return fmin(above, below);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static atomic_ullong live; /* modes until now, when they are listed */

static void show_listing(Progress *progress, void *user) {
    unsigned long long modes = atomic_load(&live);
    double seconds = cli_clock() - progress->started;
    (void)user;
    progress_line(progress, "%llu modes, %.0f s, %.3g per second", modes, seconds, (double)modes / seconds);
}

static void show_counting(Progress *progress, void *user) {
    (void)user;
    progress_line(progress, "counting, %.0f s", cli_clock() - progress->started);
}

/* ---- one mode ---------------------------------------------------------------------------------------------------- */

static int is_rest(const AbutModeSystem *rows, AbutMode mode) {
    uint64_t any = 0;
    for (int i = 0; i < abut_mode_words(rows, 0); ++i) any |= mode.plus[i] | mode.minus[i];
    return any == 0;
}

/* Rest is possible, and nothing else is. */
static int is_stable(const ModesRun *run) { return run->rests && run->feasible == 1; }

/* Force feasibility; negative after a failure. */
static int judge(ModesRun *run, AbutMode mode) {
    AbutModeForceResult result;
    run->status = abut_mode_force_feasible(run->rows, mode, run->forces, &result, run->velocity, run->force, &cli_why);
    if (run->status != ABUT_OK) return -1;
    run->feasible += result.feasible != 0;
    run->rests |= result.feasible && is_rest(run->rows, mode);
    return result.feasible != 0;
}

static void put_mark(ModesRun *run, int feasible) {
    run->marks = cli_grow(run->marks, &run->marks_capacity, (size_t)run->found + 1, sizeof *run->marks);
    run->marks[run->found] = feasible;
}

/* Numbers of a solution: all velocities, then three forces per contact. */
static size_t solution_width(const ModesRun *run) {
    int velocities = run->system->basis ? run->system->all_dof : run->rows->dof;
    return (size_t)velocities + 3 * (size_t)run->rows->contacts;
}

/* Keeps velocity and forces of the mode at hand as number `place`, the velocity in all velocities of the scene. */
static void put_solution(ModesRun *run, size_t place) {
    size_t width = solution_width(run), all = width - 3 * (size_t)run->rows->contacts, dof = (size_t)run->rows->dof;
    run->solution = cli_grow(run->solution, &run->solution_capacity, (place + 1) * width, sizeof *run->solution);
    double *to = run->solution + place * width;
    for (size_t i = 0; i < all; ++i) {
        to[i] = run->system->basis ? 0.0 : run->velocity[i];
        for (size_t j = 0; run->system->basis && j < dof; ++j)
            to[i] += run->system->basis[i * dof + j] * run->velocity[j];
    }
    for (size_t i = 0; i < 3 * (size_t)run->rows->contacts; ++i) /* of a step: impulses */
        to[all + i] = run->force[i] / (run->forces->mass ? run->forces->step : 1.0);
}

/* Velocities, and per contact the normal and two tangential forces, behind the signs. */
static void print_solution(ModesRun *run) {
    size_t width = solution_width(run), all = width - 3 * (size_t)run->rows->contacts;
    put_solution(run, 0);
    for (size_t i = 0; i < width; ++i)
        fprintf(run->to, "%s%.6g",
            i == 0                     ? "  velocity "
            : i == all                 ? "  forces "
            : i > all && (i - all) % 3 ? ","
                                       : " ",
            fabs(run->solution[i]) < 1e-12 ? 0.0 : run->solution[i]);
    fputc('\n', run->to);
}

static void begin_json(ModesRun *run);

static int visit(AbutMode mode, void *user) {
    ModesRun *run = user;
    int feasible = run->forces ? judge(run, mode) : 0;
    if (feasible < 0) return 1;
    if (run->args->consistent && !feasible) return 0;
    if (run->args->count) {
        atomic_store_explicit(&live, ++run->found, memory_order_relaxed);
        return 0;
    }
    size_t length = abut_mode_text(run->rows, run->args->nonlinear, mode, run->line, SIZE_MAX);
    if (run->args->cs) run->line[length = (size_t)run->rows->contacts] = 0;
    if (run->args->json) {
        if (!run->begun) begin_json(run);
        if (run->args->consistent)
            put_solution(run, (size_t)run->found);
        else if (run->forces)
            put_mark(run, feasible);
        abut_json_put_string(&run->json, NULL, run->line);
    } else {
        fwrite(run->line, 1, length, run->to);
        if (run->args->consistent)
            print_solution(run);
        else
            fputs(!run->forces ? "\n" : feasible ? " feasible\n" : " infeasible\n", run->to);
    }
    atomic_store_explicit(&live, ++run->found, memory_order_relaxed);
    return ferror(run->to) != 0;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void put_velocities(AbutJson *json, const void *member) {
    const ModesRun *run = *(ModesRun *const *)member;
    size_t width = solution_width(run);
    abut_json_begin_array(json);
    for (uint64_t i = 0; i < run->found; ++i)
        abut_json_numbers(json, run->solution + i * width, (int)(width - 3 * (size_t)run->rows->contacts));
    abut_json_end_array(json);
}

static void put_forces(AbutJson *json, const void *member) {
    const ModesRun *run = *(ModesRun *const *)member;
    size_t width = solution_width(run), contacts = (size_t)run->rows->contacts;
    abut_json_begin_array(json);
    for (uint64_t i = 0; i < run->found; ++i) {
        abut_json_begin_array(json);
        for (size_t k = 0; k < contacts; ++k)
            abut_json_numbers(json, run->solution + (i + 1) * width - 3 * (contacts - k), 3);
        abut_json_end_array(json);
    }
    abut_json_end_array(json);
}

typedef struct Answer {
    const ModesRun *run;
    int32_t contacts, dof, n_t, layer_count, found;
    const int32_t *feasible;
    int lists, solves, marks, lattice, cs_only, judges, asks_stable; /* what is shown */
    const int *layers;
    uint64_t edges, feasible_count;
    AbutModeResult r;
    int32_t stable, partial;
    double tolerance_margin, seconds;
    const char *method;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, contacts, INT, "", "Number of contacts.")},
    {ABUT_FIELD(Answer, dof, INT, "", "Number of velocities.")},
    {ABUT_FIELD(Answer, n_t, INT, "", "Lines that divide each tangent plane.")},
    {ABUT_FIELD_AS("modes", Answer, run, TEXT, "", "Sign strings, one per mode; not with `--count`."),
        .shown_at = offsetof(Answer, lists)},
    {ABUT_FIELD_AS("velocities", Answer, run, PUT, "m/s, rad/s",
         "With `--consistent`: per mode all velocities of the scene after a millisecond."),
        .put = put_velocities, .shown_at = offsetof(Answer, solves)},
    {ABUT_FIELD_AS("forces", Answer, run, PUT, "N",
         "With `--consistent`: per mode normal and two tangential forces of each contact."),
        .put = put_forces, .shown_at = offsetof(Answer, solves)},
    {ABUT_FIELD(Answer, feasible, FLAG, "", "With `--wrench`: per mode, can contact forces balance it."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, found), .shown_at = offsetof(Answer, marks)},
    {ABUT_FIELD(Answer, layers, INT, "", "With `--lattice`: modes of dimension 0, 1, ..."), .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Answer, layer_count), .shown_at = offsetof(Answer, lattice)},
    {ABUT_FIELD(Answer, edges, ULONG, "", "With `--lattice`: pairs of neighbors."),
        .shown_at = offsetof(Answer, lattice)},
    {ABUT_FIELD_AS("cs", Answer, r.cs_modes, ULONG, "", "Number of separation patterns.")},
    {ABUT_FIELD_AS("ss", Answer, r.modes, ULONG, "", "Number of modes; not with `--cs`."),
        .hidden_at = offsetof(Answer, cs_only)},
    {ABUT_FIELD(Answer, feasible_count, ULONG, "", "With `--wrench`: modes that contact forces can balance."),
        .shown_at = offsetof(Answer, judges)},
    {ABUT_FIELD(Answer, stable, FLAG, "", "With `--stable`: rest is possible, and nothing else."),
        .shown_at = offsetof(Answer, asks_stable)},
    {ABUT_FIELD(Answer, tolerance_margin, REAL, "", "Factor by which the tolerance may change; null when exact.")},
    {ABUT_FIELD_OF(
        Answer, r, abut_mode_result_record, "tolerance largest_zero smallest_nonzero exact depends_on_tolerance")},
    {ABUT_FIELD(Answer, partial, FLAG, "", "A limit or an interruption ended the enumeration.")},
    {ABUT_FIELD_OF(Answer, r, abut_mode_result_record, "out_of_budget saturated")},
    {ABUT_FIELD(Answer, method, TEXT, "", "`search` or `paper`.")},
    {ABUT_FIELD(Answer, seconds, REAL, "s", "Wall time.")},
};
const AbutRecord cli_modes_answer = ABUT_RECORD("modes", "", Answer, answer_fields);

static Answer make_answer(const ModesRun *run, const AbutModeResult *r, double seconds) {
    const ModesArgs *a = run->args;
    Answer out = {.run = run, .contacts = run->rows->contacts, .dof = run->rows->dof, .n_t = run->rows->lines, .r = *r};
    out.solves = a->consistent && !a->count;
    out.feasible = run->marks, out.found = (int32_t)run->found;
    out.marks = run->forces && !a->count && !a->consistent;
    out.cs_only = a->cs;
    out.judges = run->forces != NULL;
    out.asks_stable = a->stable;
    out.feasible_count = run->feasible;
    out.stable = r->complete && is_stable(run);
    out.partial = !r->complete;
    out.tolerance_margin = margin_of(r);
    out.seconds = seconds;
    out.method = modes_methods[a->method];
    out.lattice = run->lattice != NULL;
    if (run->lattice)
        out.layers = run->lattice->layers, out.layer_count = run->lattice->layer_count,
        out.edges = run->lattice->edge_count;
    return out;
}

/* Modes go out between the first keys and the others. */
static const char first_keys[] = "contacts dof n_t";
static const char other_keys[] =
    "velocities forces feasible layers edges cs ss feasible_count stable tolerance_margin tolerance largest_zero "
    "smallest_nonzero exact depends_on_tolerance partial out_of_budget saturated method seconds";

static void begin_json(ModesRun *run) {
    Answer a = make_answer(run, &(AbutModeResult){0}, 0.0);
    run->begun = 1;
    run->json = abut_json_to_file(run->to, 1);
    abut_json_begin_object(&run->json);
    abut_record_put(&run->json, &cli_modes_answer, first_keys, &a);
    if (run->args->count) return;
    abut_json_key(&run->json, "modes");
    abut_json_begin_array(&run->json);
}

static void end_json(ModesRun *run, const AbutModeResult *r, double seconds) {
    AbutJson *json = &run->json;
    if (!run->begun) begin_json(run);
    Answer a = make_answer(run, r, seconds);
    if (!run->args->count) abut_json_end_array(json);
    abut_record_put(json, &cli_modes_answer, other_keys, &a);
    abut_json_end_object(json);
    if (abut_json_finish(json, &cli_why) != ABUT_OK && run->status == ABUT_OK) run->status = cli_why.status;
}

static void put_count(ModesRun *run, const AbutModeResult *r, double seconds) {
    Answer a = make_answer(run, r, seconds);
    abut_record_print(run->to, &cli_modes_answer,
        "contacts   {contacts}\n"
        "dof        {dof}\n"
        "cs         {cs}{partial?  (partial)}\n"
        "ss         {saturated?more than }{ss}{partial?  (partial)}\n"
        "feasible   {feasible_count}{partial?  (partial)}\n",
        &a);
    if (run->args->stable)
        fprintf(run->to, "stable     %s\n", !r->complete ? "not known" : is_stable(run) ? "yes" : "no");
    abut_record_print(run->to, &cli_modes_answer,
        "layers     {layers}\n"
        "edges      {edges}\n",
        &a);
    abut_record_print(run->to, &cli_modes_answer,
        r->exact ? "arithmetic exact\n"
                 : "tolerance  {tolerance:g}, margin {tolerance_margin:.3g}{depends_on_tolerance? (too small to "
                   "trust)}\n",
        &a);
    abut_record_print(run->to, &cli_modes_answer, "seconds    {seconds:.6f}\n", &a);
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

AbutModeOptions modes_options(const ModesArgs *a, const int8_t *cs) {
    AbutModeOptions o = abut_mode_options_default();
    o.kind = a->cs ? ABUT_MODES_CS : cs ? ABUT_MODES_OF_CS : ABUT_MODES_FULL;
    o.method = a->method ? abut_mode_paper : NULL;
    o.cs = cs;
    o.nonlinear = a->nonlinear;
    o.limit = (uint64_t)a->limit;
    o.budget = (uint64_t)a->budget;
    o.threads = a->threads;
    o.cancel = interrupt_flag();
    return o;
}

/* Lists or counts into run->to, which is open. */
static int enumerate(ModesRun *run, AbutModeOptions *options) {
    AbutModeResult result = {0};
    Progress progress;
    int listing = !run->args->count || run->forces;
    if (listing) options->visit = visit, options->user = run;
    atomic_store(&live, 0);
    progress_begin(&progress);
    progress_watch(&progress, listing ? show_listing : show_counting, NULL);
    double began = cli_clock();
    AbutStatus status = abut_mode_enumerate(run->rows, options, &result, &cli_why);
    double seconds = cli_clock() - began;
    progress_end(&progress);
    if (run->status == ABUT_OK) run->status = status;
    if (run->args->json && (run->begun || run->status == ABUT_OK)) /* nothing of what fails at once */
        end_json(run, &result, seconds);
    else if (run->args->count && run->status == ABUT_OK)
        put_count(run, &result, seconds);
    cli_need(run->status);
    if (!result.complete)
        cli_warning("stopped after %llu modes: partial%s", (unsigned long long)result.modes,
            result.out_of_budget ? "; the budget ended it, --budget gives more" : "");
    if (result.depends_on_tolerance)
        cli_warning("the result depends on the tolerance %g: values taken for zero reach %.3g, others go down to %.3g",
            result.tolerance, result.largest_zero, result.smallest_nonzero);
    return *interrupt_flag() ? CLI_NO : result.out_of_budget ? CLI_UNDECIDED : CLI_OK;
}

int modes_run(const ModesArgs *args, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces,
    const AbutModeLayers *lattice) {
    ModesRun run = {
        .args = args, .system = system, .rows = &system->rows, .forces = forces, .to = stdout, .lattice = lattice};
    AbutModeOptions options = modes_options(args, cs);
    AbutFileOut out; /* takes its name when it is whole */
    size_t contacts = (size_t)system->rows.contacts;
    run.line = cli_room(contacts * (size_t)(1 + (args->nonlinear ? 1 : system->rows.lines)), 1);
    if (args->consistent) {
        run.velocity = cli_room((size_t)system->rows.dof, sizeof *run.velocity);
        run.force = cli_room(3 * contacts, sizeof *run.force);
    }
    if (args->output) {
        cli_need(abut_file_out_open(&out, args->output, &cli_why));
        run.to = out.file;
    }
    interrupt_catch();
    int status = enumerate(&run, &options);
    interrupt_release();
    if (args->output) cli_need(abut_file_out_commit(&out, &cli_why));
    return status;
}
