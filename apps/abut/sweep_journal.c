/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: one line of JSON per finished case, behind a line that says of what sweep. A line is written at once and
 * is on the disk before the next case is handed out in its place, so that a sweep that is killed goes on where it was:
 * a last line that was cut off is dropped, and its case runs again.
 */
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_LIMIT = 1 << 27 };

/* ---- lines out --------------------------------------------------------------------------------------------------- */

/* The end of a line of JSON: its text, to be freed. */
static SweepText json_text(AbutJson *json) {
    SweepText text = {0};
    abut_json_end_object(json);
    cli_need(abut_json_finish(json, &cli_why));
    sweep_text_add(&text, json->text, json->count);
    abut_json_free(json);
    return text;
}

static SweepText header_line(const SweepPlan *plan, int shard, int shards) {
    char hash[24];
    AbutJson json = abut_json_to_file(NULL, 0);
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->hash);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "abut_sweep", abut_version());
    abut_json_put_string(&json, "plan", hash);
    abut_json_put_string(&json, "command", plan->command.word[0]);
    abut_json_put_integer(&json, "cases", plan->case_count);
    abut_json_put_integer(&json, "shard", shard);
    abut_json_put_integer(&json, "shards", shards);
    abut_json_key(&json, "variables");
    abut_json_begin_array(&json);
    for (int i = 0; i < plan->variable_count; ++i) abut_json_put_string(&json, NULL, plan->variable[i].name);
    abut_json_end_array(&json);
    return json_text(&json);
}

/* Why there is no answer, or the first line of what the process wrote to standard error. */
static SweepText message_of(const SweepAnswer *a, int no_json) {
    SweepText text = {0};
    const char *err = a->err.text ? a->err.text : "";
    char line[80];
    size_t length = strcspn(err, "\r\n"), more = 0;
    snprintf(line, sizeof line, "ended by signal %d", -a->exit);
    if (a->exit == SWEEP_TIMED_OUT)
        sweep_text_put(&text, "not done within its time");
    else if (a->exit == SWEEP_NOT_STARTED)
        sweep_text_put(&text, "the process could not be started");
    else if (a->exit < 0)
        sweep_text_put(&text, line);
    else if (no_json && !a->err.count)
        sweep_text_put(&text, "it printed no JSON");
    if (text.count) return text;
    sweep_text_add(&text, err, length);
    for (const char *c = err + length; *c; ++c) more += *c == '\n' && c[1] && c[1] != '\n';
    snprintf(line, sizeof line, " (and %zu more lines)", more);
    sweep_text_put(&text, more ? line : "");
    return text;
}

/* JSON on one line: spaces and line breaks outside strings go. */
static void add_compact(SweepText *to, const SweepText *json) {
    int quoted = 0;
    for (size_t i = 0; i < json->count; ++i) {
        const char *c = &json->text[i];
        int escaped = quoted && *c == '\\' && i + 1 < json->count;
        if (quoted || !strchr(" \n\r\t", *c)) sweep_text_add(to, c, escaped ? 2 : 1);
        quoted ^= *c == '"';
        i += escaped ? 1 : 0;
    }
}

static void pass_over(const AbutJsonLeaf *leaf, void *user) {
    (void)leaf;
    (void)user;
}

static int is_object(const SweepText *text) {
    return text->count && text->text[strspn(text->text, " \r\n\t")] == '{' &&
           abut_json_leaves(text->text, text->count, "answer", 0, pass_over, NULL, NULL) == ABUT_OK;
}

static SweepText entry_line(const SweepPlan *plan, int64_t index, const SweepAnswer *a, int *failed) {
    AbutJson json = abut_json_to_file(NULL, 0);
    int object = a->exit != SWEEP_TIMED_OUT && is_object(&a->out); /* a part of an answer is none */
    SweepText message = message_of(a, !object);
    *failed = !object || a->exit < 0 || a->exit == CLI_BAD || a->exit > CLI_UNDECIDED;
    abut_json_begin_object(&json);
    abut_json_put_integer(&json, "case", index);
    abut_json_put_integer(&json, "exit", a->exit);
    abut_json_put_bool(&json, "failed", *failed);
    abut_json_put_string(&json, "message", message.text);
    abut_json_key(&json, "values");
    abut_json_begin_array(&json);
    for (int i = 0; i < plan->variable_count; ++i) abut_json_put_string(&json, NULL, sweep_plan_value(plan, i, index));
    abut_json_end_array(&json);
    SweepText line = json_text(&json);
    if (object) { /* its numbers stay as they were printed */
        line.count = (size_t)(strrchr(line.text, '}') - line.text);
        sweep_text_put(&line, ",\"result\":");
        add_compact(&line, &a->out);
        sweep_text_put(&line, "}\n");
    }
    sweep_text_free(&message);
    return line;
}

int sweep_journal_add(SweepJournal *journal, const SweepPlan *plan, int64_t index, const SweepAnswer *a, int *failed) {
    SweepText line = entry_line(plan, index, a, failed);
    int fine = fwrite(line.text, 1, line.count, journal->file) == line.count && fflush(journal->file) == 0;
    sweep_text_free(&line);
    if (!fine) return cli_complain("%s: cannot be written: %s", journal->path, strerror(errno));
    ++journal->done_count;
    journal->entry[index].at = 0; /* there; where is found when it is read */
    return CLI_OK;
}

/* ---- lines in ---------------------------------------------------------------------------------------------------- */

/* One line with its end; 0: there is no whole one left. */
static int read_line(FILE *file, SweepText *line) {
    char part[1 << 12];
    line->count = 0;
    while (fgets(part, sizeof part, file)) {
        sweep_text_add(line, part, strlen(part));
        if (line->count > LINE_LIMIT) return 0;
        if (line->text[line->count - 1] == '\n') return 1;
    }
    return 0;
}

/* Contents of a header. */
static void take_header(const AbutJsonLeaf *leaf, void *user) {
    SweepJournal *j = user;
    double number = strtod(leaf->text, NULL);
    int64_t whole = !leaf->is_string && number >= 1 && number <= SWEEP_CASES_MAX ? (int64_t)number : 0;
    if (strcmp(leaf->path, "cases") == 0)
        j->case_count = whole;
    else if (strcmp(leaf->path, "shard") == 0)
        j->shard = (int)whole;
    else if (strcmp(leaf->path, "shards") == 0)
        j->shards = (int)whole;
    else if (strcmp(leaf->path, "command") == 0)
        snprintf(j->command, sizeof j->command, "%s", leaf->text);
    else if (strncmp(leaf->path, "variables.", 10) == 0)
        sweep_words_add(&j->names, leaf->text, leaf->count);
}

static int read_header(SweepJournal *j) {
    j->case_count = j->shard = j->shards = 0;
    return read_line(j->file, &j->header) && strncmp(j->header.text, "{\"abut_sweep\":", 14) == 0 &&
           abut_json_leaves(j->header.text, j->header.count, j->path, SWEEP_VARIABLES_MAX, take_header, j, NULL) ==
               ABUT_OK &&
           j->case_count > 0 && j->shard > 0 && j->shards > 0;
}

static void take_case(const AbutJsonLeaf *leaf, void *user) {
    int64_t *index = user;
    if (strcmp(leaf->path, "case") == 0 && !leaf->is_string) *index = strtoll(leaf->text, NULL, 10);
}

/* The case that a line is about; -1: the line is none. */
static int64_t case_of(const SweepJournal *j, const SweepText *line) {
    int64_t index = -1;
    if (abut_json_leaves(line->text, line->count, j->path, 0, take_case, &index, NULL) != ABUT_OK) return -1;
    return index < j->case_count ? index : -1;
}

/* All entries; gives what is behind the last whole line. */
static int64_t read_entries(SweepJournal *j) {
    SweepText line = {0};
    j->entry = cli_room((size_t)j->case_count, sizeof *j->entry);
    for (int64_t i = 0; i < j->case_count; ++i) j->entry[i].at = -1;
    int64_t end = ftello(j->file);
    for (; read_line(j->file, &line); end = ftello(j->file)) {
        int64_t index = case_of(j, &line);
        if (index < 0) cli_error("%s: line at byte %lld is no case of this sweep", j->path, (long long)end);
        if (j->entry[index].at >= 0) cli_error("%s: case %lld is there twice", j->path, (long long)index);
        j->entry[index] = (SweepEntry){end, (int32_t)line.count, 0};
        ++j->done_count;
    }
    sweep_text_free(&line);
    return end;
}

static void keep_path(SweepJournal *j, const char *path) {
    *j = (SweepJournal){.path = strcpy(cli_room(strlen(path), 1), path)};
}

void sweep_journal_read(SweepJournal *j, const char *path) {
    keep_path(j, path);
    j->file = fopen(path, "rb");
    if (!j->file) cli_error("%s: %s", path, strerror(errno));
    if (!read_header(j)) cli_error("%s: not the journal of a sweep", path);
    read_entries(j);
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

static void begin(SweepJournal *j, const SweepText *header, const SweepPlan *plan) {
    if (ftruncate(fileno(j->file), 0) != 0 || fseeko(j->file, 0, SEEK_SET) != 0 ||
        fwrite(header->text, 1, header->count, j->file) != header->count || fflush(j->file) != 0)
        cli_error("%s: cannot be written: %s", j->path, strerror(errno));
    j->case_count = plan->case_count;
    read_entries(j);
}

static void go_on(SweepJournal *j, const SweepText *header) {
    if (!read_header(j) || j->header.count != header->count || memcmp(j->header.text, header->text, header->count) != 0)
        cli_error(
            "%s: the journal of another sweep; finish that one with its own command, or give --fresh to start over",
            j->path);
    int64_t end = read_entries(j);
    if (ftruncate(fileno(j->file), end) != 0 || fseeko(j->file, end, SEEK_SET) != 0)
        cli_error("%s: %s", j->path, strerror(errno));
}

/* Never cut off before the lock is held: one sweep at a time writes a journal. */
void sweep_journal_open(SweepJournal *j, const char *path, const SweepPlan *plan, int shard, int shards, int fresh) {
    struct stat about;
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    SweepText header = header_line(plan, shard, shards);
    keep_path(j, path);
    j->shard = shard;
    j->shards = shards;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    j->file = file < 0 ? NULL : fdopen(file, "r+b");
    if (!j->file) cli_error("%s: %s", path, strerror(errno));
    if (fcntl(file, F_SETLK, &whole) != 0) cli_error("%s: another sweep is writing it", path);
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) cli_error("%s: not a plain file", path);
    if (fresh || about.st_size == 0)
        begin(j, &header, plan);
    else
        go_on(j, &header);
    sweep_text_free(&header);
}

void sweep_journal_close(SweepJournal *j) {
    if (j->file) fclose(j->file);
    abut_free(j->path);
    abut_free(j->entry);
    sweep_text_free(&j->header);
    sweep_words_free(&j->names);
    *j = (SweepJournal){0};
}
