/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public enumeration. In: a system and options. Out: modes to the visitor and their number: the options are
 * checked, the rows prepared, contacts that have nothing to do with each other taken apart, the engine chosen and run.
 */
#include "mode/independent_groups.h"
#include "mode/tolerance.h"

#include <string.h>

/* Counting by flats needs products of three numbers; longer ones are left to the search. */
static const double FLAT_BITS = 24.0;

AbutModeOptions abut_mode_options_default(void) {
    AbutModeOptions options = {.kind = ABUT_MODES_FULL, .threads = 1};
    return options;
}

int abut_mode_words(const AbutModeSystem *system, int nonlinear) {
    ABUT_ASSERT(system);
    int rows = system->contacts * (1 + (nonlinear ? 1 : system->lines));
    return rows > 64 ? (rows + 63) / 64 : 1;
}

static AbutStatus check_options(const AbutModeSystem *system, const AbutModeOptions *o, AbutError *error) {
    if (o->kind != ABUT_MODES_FULL && o->kind != ABUT_MODES_CS && o->kind != ABUT_MODES_OF_CS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "unknown kind of modes %d", (int)o->kind);
    if (o->arithmetic < ABUT_MODE_AUTO || o->arithmetic > ABUT_MODE_DOUBLE_DOUBLE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "unknown arithmetic %d", (int)o->arithmetic);
    if (o->kind == ABUT_MODES_OF_CS && system->contacts > 0 && !o->cs)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the modes of one pattern need that pattern in `cs`");
    if (o->threads < 0 || o->threads > 1024)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "threads %d: must be 0 to 1024", o->threads);
    return ABUT_OK;
}

/* Is the gap between what was taken for zero and what was not too narrow to be sure? */
static int is_close(AbutModeSeen seen, double rounding) {
    return seen.smallest_nonzero < ABUT_MODE_GAP * fmax(seen.largest_zero, rounding);
}

static void report(const AbutModeRun *run, AbutModeResult *out) {
    const AbutModePrepared *prepared = run->prepared;
    const AbutModeOptions *o = run->options;
    out->saturated = run->modes > UINT64_MAX;
    out->modes = out->saturated ? UINT64_MAX : (uint64_t)run->modes;
    if (o->limit && out->modes > o->limit) out->modes = o->limit;
    out->cs_modes = o->kind == ABUT_MODES_CS ? out->modes : run->cs_modes;
    out->complete = !run->stopped && !run->out_of_memory;
    out->out_of_budget = run->out_of_budget;
    out->exact = prepared->exact;
    out->unique_rows = prepared->unique;
    out->tolerance = prepared->exact ? 0.0 : prepared->tolerance;
    out->largest_zero = run->seen.largest_zero;
    out->smallest_nonzero = prepared->exact ? ABUT_MODE_WATCHED : run->seen.smallest_nonzero;
    out->depends_on_tolerance =
        !prepared->exact &&
        is_close(run->seen, prepared->double_double ? ABUT_MODE_ROUNDING_DOUBLE_DOUBLE : ABUT_MODE_ROUNDING);
    out->double_double = prepared->double_double;
}

/* One system as it is, by the chosen method. */
static AbutStatus run_prepared(const AbutModeSystem *system, const AbutModeOptions *options, AbutModePrepared *prepared,
    int level, AbutModeResult *result, AbutError *error) {
    AbutStatus status = ABUT_OK;
    prepared->words = abut_mode_words(system, options->nonlinear);
    AbutModeRun run = {.prepared = prepared, .options = options, .seen = {0.0, ABUT_MODE_WATCHED}};
    run.threads = abut_thread_count(options->threads);
    run.use_flats = !options->visit && !options->count_by_search && (!prepared->exact || prepared->bits < FLAT_BITS) &&
                    prepared->unique <= 64 && options->kind != ABUT_MODES_CS && !options->nonlinear &&
                    options->limit == 0;
    if (options->method) {
        prepared->exact = 0;
        status = options->method(&run, error);
    } else {
        abut_mode_choose_engine(prepared, level)(&run);
    }
    report(&run, result);
    if (status == ABUT_OK && run.out_of_memory) status = abut_fail_memory(error);
    return status;
}

/* a * b, or the largest number and the flag. */
static uint64_t product(uint64_t a, uint64_t b, int *saturated) {
    AbutU128 exact = (AbutU128)a * b;
    if (exact <= UINT64_MAX) return (uint64_t)exact;
    *saturated = 1;
    return UINT64_MAX;
}

void abut_mode_result_join(AbutModeResult *total, const AbutModeResult *part) {
    total->modes = product(total->modes, part->modes, &total->saturated);
    total->cs_modes = product(total->cs_modes, part->cs_modes, &(int){0});
    total->complete &= part->complete, total->saturated |= part->saturated, total->exact &= part->exact;
    total->out_of_budget |= part->out_of_budget;
    total->unique_rows += part->unique_rows;
    total->tolerance = fmax(total->tolerance, part->tolerance);
    total->largest_zero = fmax(total->largest_zero, part->largest_zero);
    total->smallest_nonzero = fmin(total->smallest_nonzero, part->smallest_nonzero);
    total->depends_on_tolerance |= part->depends_on_tolerance;
}

AbutStatus abut_mode_run_whole(
    const AbutModeSystem *system, const AbutModeOptions *options, int level, AbutModeResult *result, AbutError *error) {
    AbutModePrepared prepared;
    memset(result, 0, sizeof *result);
    AbutStatus status = abut_mode_prepare(system, options->tolerance, options->arithmetic, &prepared, error);
    if (status != ABUT_OK) return status;
    status = run_prepared(system, options, &prepared, level, result, error);
    abut_mode_prepared_free(&prepared);
    return status;
}

/* Counts of independent groups of contacts multiply. */
static AbutStatus count_groups(const AbutModeSystem *system, const AbutModeOptions *options, const int *group,
    int groups, int level, AbutModeResult *result, AbutError *error) {
    AbutStatus status = ABUT_OK;
    AbutModeResult total = {
        .cs_modes = 1, .modes = 1, .complete = 1, .exact = 1, .smallest_nonzero = ABUT_MODE_WATCHED};
    for (int g = 0; g < groups && status == ABUT_OK && total.complete; ++g) {
        AbutModeSystem part;
        AbutModeResult r;
        status = abut_mode_group_system(system, group, g, &part, error);
        if (status != ABUT_OK) break;
        status = abut_mode_run_whole(&part, options, level, &r, error);
        abut_mode_system_free(&part);
        abut_mode_result_join(&total, &r);
    }
    *result = total;
    return status;
}

/* The groups of a system that falls apart and may be taken by groups, else NULL. */
static int *find_groups(const AbutModePrepared *prepared, const AbutModeOptions *o, int *groups) {
    int whole = prepared->double_double || o->count_by_search || (!o->visit && o->limit) ||
                o->kind == ABUT_MODES_OF_CS || o->method;
    int *group = whole ? NULL : abut_alloc_array((size_t)prepared->contacts + 1, sizeof(int));
    *groups = group ? abut_mode_find_groups(prepared, group) : 1;
    if (*groups > 1) return group;
    abut_free(group);
    return NULL;
}

AbutStatus abut_mode_enumerate_level(
    const AbutModeSystem *system, const AbutModeOptions *options, int level, AbutModeResult *result, AbutError *error) {
    AbutModeOptions standard = abut_mode_options_default();
    AbutModePrepared prepared;
    ABUT_ASSERT(system && result);
    if (!options) options = &standard;
    memset(result, 0, sizeof *result);
    AbutStatus status = abut_mode_system_check(system, error);
    if (status == ABUT_OK) status = check_options(system, options, error);
    if (status == ABUT_OK)
        status = abut_mode_prepare(
            system, options->tolerance, options->method ? ABUT_MODE_DOUBLE : options->arithmetic, &prepared, error);
    if (status != ABUT_OK) return status;
    int groups, done = 0, *group = find_groups(&prepared, options, &groups);
    if (group && !options->visit) {
        status = count_groups(system, options, group, groups, level, result, error);
        done = 1;
    } else if (group) {
        status = abut_mode_group_product(system, options, group, groups, level, result, &done, error);
    }
    if (!done) status = run_prepared(system, options, &prepared, level, result, error);
    abut_free(group);
    abut_mode_prepared_free(&prepared);
    return status;
}

AbutStatus abut_mode_enumerate(
    const AbutModeSystem *system, const AbutModeOptions *options, AbutModeResult *result, AbutError *error) {
    return abut_mode_enumerate_level(system, options, -1, result, error);
}
