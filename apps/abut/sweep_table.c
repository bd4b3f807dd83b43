/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of a sweep. In: journals. Out: CSV, one row per case in their order: case, the variables, exit, message,
 * and the answer laid flat: "residual.max" for a key in an object, "normal.0" for an element of an array. Numbers are
 * the very texts that were printed. Arrays with more than 16 elements appear as "KEY.count" only. Wall times are left
 * out, as they would make every table another one.
 */
#include "sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 16, COLUMNS = 20000, NAME = 300, BUCKETS = 1 << 15 };

typedef struct Columns {
    SweepWords names;
    SweepText cell[COLUMNS]; /* of the row at hand */
    int32_t bucket[BUCKETS]; /* first column of a hash + 1, 0: none */
    int32_t next[COLUMNS];   /* of the same bucket, + 1 */
    int fixed;               /* case, variables, exit, message */
    int times, growing, full;
    const char *command;
    SweepTable *about;
} Columns;

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const char *name) { return (uint32_t)(abut_hash(name, strlen(name), 0) % BUCKETS); }

static int find_column(const Columns *c, const char *name) {
    for (int32_t i = c->bucket[bucket_of(name)]; i; i = c->next[i - 1])
        if (strcmp(c->names.word[i - 1], name) == 0) return i - 1;
    return -1;
}

static void add_column(Columns *c, const char *name) {
    if (c->names.count == COLUMNS) {
        c->full = 1;
        return;
    }
    uint32_t b = bucket_of(name);
    int at = c->names.count;
    sweep_words_add(&c->names, name, strlen(name));
    c->next[at] = c->bucket[b];
    c->bucket[b] = at + 1;
}

/* A key of the answer that is also the name of a fixed column is told apart. */
static int column_of(Columns *c, const char *key) {
    char name[NAME + 16];
    int at = find_column(c, key);
    if (at >= 0 && at < c->fixed) {
        snprintf(name, sizeof name, "result.%s", key);
        key = name;
        at = find_column(c, key);
    }
    if (at < 0 && c->growing) add_column(c, key);
    return at;
}

/* ---- an answer laid flat ----------------------------------------------------------------------------------------- */

/* Keys of wall times; `time` of a plan is the time it took, that of a simulation is not. */
static int is_wall_time(const Columns *c, const char *key) {
    static const char *const names[] = {
        "seconds", "seconds_total", "us_per_step", "wall_us_per_step", "stages", "wall_seconds"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(key, names[i]) == 0) return 1;
    return strcmp(key, "time") == 0 && strcmp(c->command, "plan") == 0;
}

static void set_cell(Columns *c, int at, const char *text, size_t count) {
    c->cell[at].count = 0;
    sweep_text_add(&c->cell[at], text, count);
}

static void put_cell(Columns *c, const char *key, const char *text, size_t count) {
    int at = column_of(c, key);
    if (!c->growing && at >= 0) set_cell(c, at, text, count);
}

static void note_left_out(Columns *c, const char *key) {
    char *list = c->about->left_out;
    size_t used = strlen(list), room = sizeof c->about->left_out;
    const char *at = strstr(list, key);
    if (at && (at == list || at[-1] == ' ') && (at[strlen(key)] == ',' || !at[strlen(key)])) return;
    if (used + strlen(key) + 8 < room)
        snprintf(list + used, room - used, "%s%s", used ? ", " : "", key);
    else if (used >= 4 && strcmp(list + used - 4, " ...") != 0 && used + 5 < room)
        strcpy(list + used, " ...");
}

static void put_count(Columns *c, const char *path, int elements) {
    char key[NAME + 8], text[16];
    snprintf(key, sizeof key, "%.*s.count", NAME, path);
    int length = snprintf(text, sizeof text, "%d", elements);
    put_cell(c, key, text, (size_t)length);
    note_left_out(c, path);
}

/* One of the keys in the path. */
static int has_wall_time(const Columns *c, const char *path) {
    char key[NAME];
    for (; *path; path += strcspn(path, ".") + (path[strcspn(path, ".")] == '.')) {
        snprintf(key, sizeof key, "%.*s", (int)strcspn(path, "."), path);
        if (is_wall_time(c, key)) return 1;
    }
    return 0;
}

static void put_result(Columns *c, const AbutJsonLeaf *leaf, const char *path) {
    if (!c->times && has_wall_time(c, path)) return;
    if (leaf->elements >= 0)
        put_count(c, path, leaf->elements);
    else
        put_cell(c, path, leaf->text, leaf->count);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void load_entry(SweepJournal *journals, SweepEntry e, SweepText *line) {
    SweepJournal *j = &journals[e.file];
    line->text = cli_grow(line->text, &line->capacity, (size_t)e.size + 1, 1);
    line->count = (size_t)e.size;
    if (fseeko(j->file, e.at, SEEK_SET) != 0 || fread(line->text, 1, line->count, j->file) != line->count)
        cli_error("%s: cannot be read again: %s", j->path, strerror(errno));
    line->text[line->count] = 0;
}

/* Each value of an entry to its column. */
static void put_leaf(const AbutJsonLeaf *leaf, void *user) {
    Columns *c = user;
    int at = -1;
    if (strncmp(leaf->path, "result.", 7) == 0) {
        put_result(c, leaf, leaf->path + 7);
        return;
    }
    if (strcmp(leaf->path, "case") == 0)
        at = 0;
    else if (strncmp(leaf->path, "values.", 7) == 0)
        at = 1 + atoi(leaf->path + 7);
    else if (strcmp(leaf->path, "exit") == 0)
        at = c->fixed - 2;
    else if (strcmp(leaf->path, "message") == 0)
        at = c->fixed - 1;
    else if (strcmp(leaf->path, "failed") == 0)
        c->about->failed += !c->growing && leaf->count == 4;
    if (at >= 0 && at < c->fixed && !c->growing) set_cell(c, at, leaf->text, leaf->count);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Calls for every case in their order: the first time to find the columns, the second time to write the rows. */
static void pass(SweepJournal *journals, const SweepEntry *entries, Columns *c, AbutCsv *csv) {
    SweepText line = {0};
    for (int64_t i = 0; i < journals[0].case_count; ++i) {
        load_entry(journals, entries[i], &line);
        for (int k = 0; k < c->names.count && csv; ++k) set_cell(c, k, "", 0);
        const char *name = journals[entries[i].file].path;
        cli_need(abut_json_leaves(line.text, line.count, name, ELEMENTS, put_leaf, c, &cli_why));
        for (int k = 0; k < c->names.count && csv; ++k) abut_csv_text(csv, c->cell[k].text);
        if (csv) abut_csv_end_row(csv);
    }
    sweep_text_free(&line);
    if (c->full) cli_error("the answers have more than 20,000 different keys");
}

static void fixed_columns(Columns *c, const SweepWords *variables) {
    add_column(c, "case");
    for (int i = 0; i < variables->count; ++i) add_column(c, variables->word[i]);
    add_column(c, "exit");
    add_column(c, "message");
    c->fixed = c->names.count;
}

static void write_rows(SweepJournal *journals, const SweepEntry *entries, Columns *c, const char *path) {
    AbutCsv *csv;
    SweepText header = {0};
    for (int i = 0; i < c->names.count; ++i) {
        sweep_text_put(&header, i ? "," : "");
        sweep_text_put(&header, c->names.word[i]);
    }
    cli_need(abut_csv_open(path, header.text, &csv, &cli_why));
    c->growing = 0;
    pass(journals, entries, c, csv);
    cli_need(abut_csv_commit(csv, &cli_why));
}

/* Where every case is; each must be in one journal. */
static void gather(SweepJournal *journals, int count, SweepEntry *entries) {
    int64_t missing = 0, first = -1;
    for (int64_t i = 0; i < journals[0].case_count; ++i) {
        entries[i].at = -1;
        for (int k = 0; k < count; ++k) {
            SweepEntry e = journals[k].entry[i];
            if (e.at >= 0 && entries[i].at >= 0)
                cli_error("case %" PRId64 " is in %s and in %s", i, journals[entries[i].file].path, journals[k].path);
            if (e.at >= 0) entries[i] = (SweepEntry){e.at, e.size, k};
        }
        first = entries[i].at < 0 && first < 0 ? i : first;
        missing += entries[i].at < 0;
    }
    if (missing)
        cli_error("%" PRId64 " of %" PRId64 " cases are missing, the first is %" PRId64
                  "; run the shards that are not done",
            missing, journals[0].case_count, first);
}

void sweep_table_write(SweepJournal *journals, int count, const char *path, int times, SweepTable *about) {
    *about = (SweepTable){.rows = journals[0].case_count};
    SweepEntry *entries = cli_room((size_t)about->rows, sizeof *entries);
    Columns *c = cli_room(1, sizeof *c);
    gather(journals, count, entries);
    c->times = times;
    c->growing = 1;
    c->command = journals[0].command;
    c->about = about;
    fixed_columns(c, &journals[0].names);
    pass(journals, entries, c, NULL);
    write_rows(journals, entries, c, path);
    about->columns = c->names.count;
}
