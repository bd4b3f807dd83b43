/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Table 1 of "Efficient Contact Mode Enumeration in 3D": published, true and measured counts, both methods, and the
 * time of each phase; on request also the counts of the authors' program with its faults. Out: table.csv and summary.md
 * in the folder.
 */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"
#include "abut/literature.h"
#include "modes_check.h"
#include "modes_printed.h"

#include <stdlib.h>
#include <string.h>

/* Why a published number of modes is wrong: it is not, a fault that modes_printed has too, nobody knows. */
typedef enum Cause { RIGHT, KNOWN, NOT_KNOWN } Cause;

/* Counts below 0: none was given. */
typedef struct TableRow {
    const char *label, *system;
    int64_t cs_paper, ss_paper, cs_true, ss_true;
    int paper_method, slow; /* the method of the paper can finish; left out of quick runs */
    Cause cause;
    int drop_lifted; /* as printed, the pattern in which most contacts separate is lost */
    const char *why; /* a published number is wrong */
} TableRow;

#define UNKNOWN_MODES                                                                                                  \
    "modes: the cause is not known; neither without the rows of the separating contacts nor with the faults of box-4 " \
    "is it the published number"

static const TableRow rows[] = {
    {"box-1", "box:1", 10, 196, 10, 196, 1, 0, RIGHT, 0, NULL},
    {"box-2", "box:2", 46, 764, 46, 228, 1, 0, NOT_KNOWN, 0, UNKNOWN_MODES},
    {"box-3", "box:3", 190, 2386, 136, 136, 1, 0, NOT_KNOWN, 0,
        "cs: rounding of 1e-14 kept coplanar facets of the hull apart, which adds 81 patterns that cannot occur and "
        "loses 27 that can; how many depends on the rounding of one machine. " UNKNOWN_MODES
        ". Each sliding velocity at a corner of the cube is the normal velocity of a contact on another wall, so that "
        "there are as many modes as cs-modes"},
    {"box-4", "box:4", 10, 12, 10, 10, 1, 0, KNOWN, 0,
        "modes: the lattice was that of the hull of the feasible zonotope vertices, and a hull of a single vertex was "
        "counted as itself and as its facet; where one direction of motion is left, the signs of the first contacts "
        "were looked at instead of those that separate"},
    {"box-5", "box:5", 2, 2, 2, 2, 1, 0, RIGHT, 0, NULL},
    {"peg-in-hole-4", "peg:4", 1, 9, 1, 9, 1, 0, RIGHT, 0, NULL},
    {"peg-in-hole-8", "peg:8", 1, 9, 1, 9, 1, 0, RIGHT, 0, NULL},
    {"box-box-1", "box-box:1", 10, 9945, 10, 9996, 1, 0, KNOWN, 1,
        "modes: the lower box has 51 ways to slide on the ground, the contact of the boxes 196, and 51 x 196 = 9996; "
        "the cs-mode in which the upper box lifts off was lost with its 51 modes"},
    {"box-box-2", "box-box:2", 184, 168746, 184, 29046, 1, 0, NOT_KNOWN, 0, UNKNOWN_MODES},
    {"hand-ball", "hand-ball", 4096, -1, 4096, 598348730, 0, 1, RIGHT, 0, NULL},
    {"hand-ball-generic", "hand-ball-generic", -1, -1, 4096, 605156850, 0, 1, RIGHT, 0, NULL},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* One way to count, with its time. */
typedef struct Measure {
    int ran, flagged, saturated;
    uint64_t cs, ss;
    double seconds;
} Measure;

typedef struct RowResult {
    int contacts, dof;
    double rows_seconds;            /* making the rows */
    Measure cs, count, list, paper; /* cs-modes; counting; listing through a visitor; method of the paper */
    ModesChecked velocities;
    ModesPrinted printed;
} RowResult;

static int pass_over(AbutMode mode, void *user) {
    (void)mode;
    *(uint64_t *)user += 1;
    return 0;
}

/* Repeats short runs and keeps the best time. */
static AbutStatus measure(const AbutModeSystem *system, AbutModeOptions options, Measure *out, AbutError *error) {
    static const double ENOUGH = 0.02;
    uint64_t seen = 0;
    double spent = 0.0;
    options.user = &seen;
    *out = (Measure){.seconds = INFINITY};
    for (int round = 0; round < 20 && spent < ENOUGH; ++round) {
        AbutModeResult result;
        double began = cli_clock();
        AbutStatus status = abut_mode_enumerate(system, &options, &result, error);
        double seconds = cli_clock() - began;
        if (status != ABUT_OK) return status;
        *out = (Measure){1, result.depends_on_tolerance, result.saturated, result.cs_modes, result.modes,
            fmin(out->seconds, seconds)};
        spent += seconds;
    }
    return ABUT_OK;
}

static AbutStatus measure_row(const TableRow *row, const ReproduceArgs *args, RowResult *out, AbutError *error) {
    AbutModeSystem system;
    AbutModeOptions options = abut_mode_options_default();
    double began = cli_clock();
    memset(out, 0, sizeof *out);
    AbutStatus status = abut_mode_builtin(row->system, &system, error);
    out->rows_seconds = cli_clock() - began;
    if (status != ABUT_OK) return status;
    out->contacts = system.contacts;
    out->dof = system.dof;
    options.kind = ABUT_MODES_CS;
    status = measure(&system, options, &out->cs, error);
    options.kind = ABUT_MODES_FULL;
    if (status == ABUT_OK) status = measure(&system, options, &out->count, error);
    options.visit = pass_over;
    if (status == ABUT_OK && row->paper_method) { /* the others would be listed for minutes */
        status = measure(&system, options, &out->list, error);
        options.method = abut_mode_paper;
        if (status == ABUT_OK) status = measure(&system, options, &out->paper, error);
        if (status == ABUT_OK)
            status = modes_check(&system, out->list.ss, args->quick ? 2000 : 1000000, &out->velocities, error);
        if (status == ABUT_OK && args->as_printed)
            status = modes_printed(&system, row->drop_lifted, &out->printed, error);
    }
    abut_mode_system_free(&system);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_number(FILE *to, int64_t value, int known, int wrong) {
    if (!known || value < 0)
        fputs(" - |", to);
    else
        fprintf(to, wrong ? " **%lld** |" : " %lld |", (long long)value);
}

static void put_measured(FILE *to, const Measure *m) {
    if (!m->ran)
        fputs(" - |", to);
    else if (m->saturated)
        fputs(" does not fit 64 bits (!) |", to);
    else
        fprintf(to, " %llu%s |", (unsigned long long)m->ss, m->flagged ? " (!)" : "");
}

static void put_milliseconds(FILE *to, const Measure *m) {
    if (m->ran)
        fprintf(to, " %.4g |", 1e3 * m->seconds);
    else
        fputs(" - |", to);
}

static void put_counts(FILE *to, const RowResult *results, int count) {
    fputs("# Contact modes: published, true and measured\n\n"
          "Huang, Cheng, Mason: Efficient Contact Mode Enumeration in 3D, Table 1. cs: patterns of contacting and "
          "separating; modes: with sliding and\n"
          "sticking. A wrong published number is in bold. `search` is the method of abut, `paper` that of the paper "
          "with its errors mended; listed means\n"
          "through a visitor, counted without listing where that is possible. (!): the result depends on the "
          "tolerance. with velocity: modes for\n"
          "which a velocity was found and its signs were checked against the rows on the spot, of those looked at.\n\n"
          "| system | contacts | dof | cs published | cs true | cs search | cs paper | modes published | modes true | "
          "counted | listed | paper | with velocity |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        to);
    for (int i = 0; i < count; ++i) {
        const TableRow *row = &rows[i];
        const RowResult *r = &results[i];
        fprintf(to, "| %s | %d | %d |", row->label, r->contacts, r->dof);
        put_number(to, row->cs_paper, 1, row->cs_paper != row->cs_true);
        put_number(to, row->cs_true, 1, 0);
        put_number(to, (int64_t)r->cs.cs, r->cs.ran, 0);
        put_number(to, (int64_t)r->paper.cs, r->paper.ran, 0);
        put_number(to, row->ss_paper, 1, row->ss_paper != row->ss_true);
        put_number(to, row->ss_true, 1, 0);
        put_measured(to, &r->count);
        put_measured(to, &r->list);
        put_measured(to, &r->paper);
        if (r->velocities.checked)
            fprintf(to, " %llu of %llu |", (unsigned long long)r->velocities.proved,
                (unsigned long long)r->velocities.checked);
        else
            fputs(" - |", to);
        fputc('\n', to);
    }
}

static void put_reasons(FILE *to) {
    fputs("\n## What is wrong in the published table\n\n", to);
    for (int i = 0; i < ROWS; ++i)
        if (rows[i].why) fprintf(to, "- **%s**: %s.\n", rows[i].label, rows[i].why);
    fputs("\nhand-ball has no published number of modes (more than an hour). Mirrored fingers make its rows dependent "
          "up to 1e-10, so that no tolerance in\n"
          "double precision finds its true count; its rows carry twice the digits. hand-ball-generic, a variant "
          "without the mirror, is not in the\n"
          "published table.\n",
        to);
}

/* "as published", where the faults that are known give the published number, or what is missing. */
static const char *printed_verdict(const TableRow *row, const ModesPrinted *printed) {
    if (row->cause == NOT_KNOWN) return "cause not known";
    if (!printed->ran || (int64_t)printed->modes != row->ss_paper) return "**not the published number**";
    return row->cause == KNOWN ? "cause known: the published number" : "the published number is right";
}

static void put_printed(FILE *to, const RowResult *results, int count) {
    fputs("\n## As printed\n\n"
          "Modes counted with the faults of the program behind the published table: only the vertices of the zonotope "
          "with a plus for every\n"
          "separating contact are kept, and the faces of their hull are counted; a hull of one vertex counts as itself "
          "and as its facet; where one\n"
          "direction of motion is left, the signs of the first contacts are looked at instead of those that "
          "separate; of box-box-1 the cs-mode in\n"
          "which the upper box lifts off is lost. -: hulls with too many vertices.\n\n"
          "| system | modes published | modes true | modes as printed | |\n|---|---|---|---|---|\n",
        to);
    for (int i = 0; i < count; ++i) {
        const TableRow *row = &rows[i];
        const ModesPrinted *printed = &results[i].printed;
        if (row->ss_paper < 0) continue;
        fprintf(to, "| %s |", row->label);
        put_number(to, row->ss_paper, 1, row->ss_paper != row->ss_true);
        put_number(to, row->ss_true, 1, 0);
        put_number(to, (int64_t)printed->modes, printed->ran, 0);
        fprintf(to, " %s |\n", printed_verdict(row, printed));
    }
}

static void put_times(FILE *to, const RowResult *results, int count) {
    fputs("\n## Time of each phase, milliseconds, one thread\n\n"
          "| system | rows | cs-modes | count | list | list, ns per mode | method of the paper "
          "|\n|---|---|---|---|---|---|---|\n",
        to);
    for (int i = 0; i < count; ++i) {
        const RowResult *r = &results[i];
        fprintf(to, "| %s | %.4g |", rows[i].label, 1e3 * r->rows_seconds);
        put_milliseconds(to, &r->cs);
        put_milliseconds(to, &r->count);
        put_milliseconds(to, &r->list);
        if (r->list.ran && r->list.ss)
            fprintf(to, " %.0f |", 1e9 * r->list.seconds / (double)r->list.ss);
        else
            fputs(" - |", to);
        put_milliseconds(to, &r->paper);
        fputc('\n', to);
    }
    fputs(
        "\nPublished times (cs and modes together): box-box-1 22.3 s, box-box-2 991 s, hand-ball more than an hour.\n",
        to);
}

typedef struct Results {
    const RowResult *row;
    int count;
} Results;

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    const Results *r = results;
    put_counts(to, r->row, r->count);
    put_reasons(to);
    if (args->as_printed) put_printed(to, r->row, r->count);
    put_times(to, r->row, r->count);
}

static void put_csv_measure(AbutCsv *csv, const Measure *m) {
    abut_csv_number(csv, m->ran && !m->saturated ? (double)m->ss : NAN);
    abut_csv_number(csv, m->ran ? m->seconds : NAN);
}

static AbutStatus write_table(const ReproduceArgs *args, const RowResult *results, int count, AbutError *error) {
    AbutCsv *csv;
    char path[4096];
    snprintf(path, sizeof path, "%s/table.csv", args->folder);
    AbutStatus status = abut_csv_open(path,
        "system,contacts,dof,cs_published,cs_true,cs,cs_seconds,modes_published,modes_true,modes_counted,count_seconds,"
        "modes_listed,list_seconds,"
        "modes_paper_method,paper_method_seconds,depends_on_tolerance",
        &csv, error);
    if (status != ABUT_OK) return status;
    for (int i = 0; i < count; ++i) {
        const TableRow *row = &rows[i];
        const RowResult *r = &results[i];
        abut_csv_text(csv, row->label);
        abut_csv_integer(csv, r->contacts);
        abut_csv_integer(csv, r->dof);
        abut_csv_number(csv, row->cs_paper < 0 ? NAN : (double)row->cs_paper);
        abut_csv_integer(csv, row->cs_true);
        abut_csv_integer(csv, (int64_t)r->cs.cs);
        abut_csv_number(csv, r->cs.seconds);
        abut_csv_number(csv, row->ss_paper < 0 ? NAN : (double)row->ss_paper);
        abut_csv_integer(csv, row->ss_true);
        put_csv_measure(csv, &r->count);
        put_csv_measure(csv, &r->list);
        put_csv_measure(csv, &r->paper);
        abut_csv_integer(csv, r->count.flagged);
        abut_csv_end_row(csv);
    }
    return abut_csv_commit(csv, error);
}

int reproduce_modes(const ReproduceArgs *args) {
    RowResult results[ROWS];
    AbutStatus status = ABUT_OK;
    int count = 0, wrong = 0;
    for (; count < ROWS && status == ABUT_OK && !(args->quick && rows[count].slow); ++count) {
        status = measure_row(&rows[count], args, &results[count], &cli_why);
        const Measure *m = &results[count].count;
        wrong += status == ABUT_OK && results[count].velocities.proved != results[count].velocities.checked;
        if (status == ABUT_OK && !m->flagged)
            wrong += (int64_t)m->ss != rows[count].ss_true || (int64_t)m->cs != rows[count].cs_true;
        if (status == ABUT_OK && args->as_printed && rows[count].ss_paper >= 0 && rows[count].cause != NOT_KNOWN)
            wrong += (int64_t)results[count].printed.modes != rows[count].ss_paper;
    }
    if (status == ABUT_OK) status = write_table(args, results, count, &cli_why);
    if (status == ABUT_OK) status = reproduce_write_summary(args, put_summary, &(Results){results, count}, &cli_why);
    cli_need(status);
    printf("%d systems, %d counts differ from the expected ones; %s/summary.md and table.csv written\n", count, wrong,
        args->folder);
    return wrong ? CLI_NO : CLI_OK;
}
