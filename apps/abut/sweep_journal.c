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

static SweepText json_text(AbutJson *json)
{
    SweepText text = {0};
    if (abut_json_finish(json, NULL) != ABUT_OK)
        text.lost = 1;
    else
        sweep_text_add(&text, json->text, json->count);
    abut_json_free(json);
    return text;
}

static SweepText header_line(const SweepPlan *plan, int shard, int shards)
{
    char hash[24];
    AbutJson json = abut_json_to_memory(0);
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
    for (int i = 0; i < plan->variable_count; ++i)
        abut_json_string(&json, plan->variable[i].name);
    abut_json_end_array(&json);
    abut_json_end_object(&json);
    return json_text(&json);
}

/* The first line of what the process wrote to standard error, without the name of the program. */
static void first_line(const SweepText *err, SweepText *out)
{
    const char *text = err->text ? err->text : "";
    size_t length = strcspn(text, "\r\n");
    sweep_text_add(out, text, length);
    size_t more = 0;
    for (const char *c = text + length; *c; ++c)
        more += *c == '\n' && c[1] && c[1] != '\n';
    char rest[40];
    int count = more ? snprintf(rest, sizeof rest, " (and %zu more lines)", more) : 0;
    sweep_text_add(out, rest, (size_t)count);
}

static SweepText message_of(const SweepAnswer *a, int no_json)
{
    SweepText text = {0};
    char why[80];
    int count = 0;
    if (a->exit == SWEEP_TIMED_OUT)
        count = snprintf(why, sizeof why, "not done within its time");
    else if (a->exit == SWEEP_NOT_STARTED)
        count = snprintf(why, sizeof why, "the process could not be started");
    else if (a->exit < 0)
        count = snprintf(why, sizeof why, "ended by signal %d", -a->exit);
    else if (no_json && !a->err.count)
        count = snprintf(why, sizeof why, "it printed no JSON");
    if (count)
        sweep_text_add(&text, why, (size_t)count);
    else
        first_line(&a->err, &text);
    return text;
}

/* JSON on one line: spaces and line breaks outside strings go. */
static void add_compact(SweepText *to, const SweepText *json)
{
    int quoted = 0;
    for (size_t i = 0; i < json->count; ++i) {
        char c = json->text[i];
        if (!quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t'))
            continue;
        if (quoted && c == '\\' && i + 1 < json->count) {
            sweep_text_add(to, json->text + i++, 2);
            continue;
        }
        quoted ^= c == '"';
        sweep_text_add(to, &c, 1);
    }
}

static void pass_over(const AbutJsonLeaf *leaf, void *user)
{
    (void)leaf;
    (void)user;
}

static int is_object(const SweepText *text)
{
    return text->count && !text->lost && text->text[strspn(text->text, " \r\n\t")] == '{' &&
           abut_json_leaves(text->text, text->count, "answer", 0, pass_over, NULL, NULL) == ABUT_OK;
}

static SweepText entry_line(const SweepPlan *plan, int64_t index, const SweepAnswer *a, int *failed)
{
    AbutJson json = abut_json_to_memory(0);
    int object = a->exit != SWEEP_TIMED_OUT && is_object(&a->out); /* a part of an answer is none */
    SweepText message = message_of(a, !object);
    *failed = !object || a->exit < 0 || a->exit == CLI_BAD || a->exit > CLI_UNDECIDED;
    abut_json_begin_object(&json);
    abut_json_put_integer(&json, "case", index);
    abut_json_put_integer(&json, "exit", a->exit);
    abut_json_put_bool(&json, "failed", *failed);
    abut_json_put_string(&json, "message", message.text ? message.text : "");
    abut_json_key(&json, "values");
    abut_json_begin_array(&json);
    for (int i = 0; i < plan->variable_count; ++i)
        abut_json_string(&json, sweep_plan_value(plan, i, index));
    abut_json_end_array(&json);
    abut_json_end_object(&json);
    SweepText line = json_text(&json);
    if (object && !line.lost) { /* its numbers stay as they were printed */
        while (line.text[line.count - 1] != '}')
            --line.count;
        --line.count;
        sweep_text_add(&line, ",\"result\":", 10);
        add_compact(&line, &a->out);
        sweep_text_add(&line, "}\n", 2);
    }
    line.lost |= message.lost;
    sweep_text_free(&message);
    return line;
}

int sweep_journal_add(const CliCommand *cli, SweepJournal *journal, const SweepPlan *plan, int64_t index,
    const SweepAnswer *a, int *failed)
{
    SweepText line = entry_line(plan, index, a, failed);
    int fine =
        !line.lost && fwrite(line.text, 1, line.count, journal->file) == line.count && fflush(journal->file) == 0;
    sweep_text_free(&line);
    if (!fine)
        return cli_error(cli, "%s: cannot be written: %s", journal->path, errno ? strerror(errno) : "no memory");
    ++journal->done_count;
    journal->entry[index].at = 0; /* there; where is found when it is read */
    return CLI_GO;
}

/* ---- lines in ---------------------------------------------------------------------------------------------------- */

/* One line with its end; 0: there is no whole one left. */
static int read_line(FILE *file, SweepText *line)
{
    char part[1 << 12];
    line->count = 0;
    while (fgets(part, sizeof part, file)) {
        sweep_text_add(line, part, strlen(part));
        if (line->lost || line->count > LINE_LIMIT)
            return 0;
        if (line->text[line->count - 1] == '\n')
            return 1;
    }
    return 0;
}

/* What a header says. */
static void take_header(const AbutJsonLeaf *leaf, void *user)
{
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

static int read_header(SweepJournal *j)
{
    j->case_count = j->shard = j->shards = 0;
    return read_line(j->file, &j->header) && strncmp(j->header.text, "{\"abut_sweep\":", 14) == 0 &&
           abut_json_leaves(j->header.text, j->header.count, j->path, SWEEP_VARIABLES_MAX, take_header, j, NULL) ==
               ABUT_OK &&
           j->case_count > 0 && j->shard > 0 && j->shards > 0 && !j->names.lost;
}

static void take_case(const AbutJsonLeaf *leaf, void *user)
{
    int64_t *index = user;
    if (strcmp(leaf->path, "case") == 0 && !leaf->is_string)
        *index = strtoll(leaf->text, NULL, 10);
}

/* The case that a line is about; -1: the line is none. */
static int64_t case_of(const SweepJournal *j, const SweepText *line)
{
    int64_t index = -1;
    if (abut_json_leaves(line->text, line->count, j->path, 0, take_case, &index, NULL) != ABUT_OK)
        return -1;
    return index < j->case_count ? index : -1;
}

/* All entries; *end is behind the last whole line. */
static int read_entries(const CliCommand *cli, SweepJournal *j, int64_t *end)
{
    SweepText line = {0};
    j->entry = abut_alloc_array((size_t)j->case_count, sizeof *j->entry);
    if (!j->entry)
        return cli_error(cli, "out of memory");
    for (int64_t i = 0; i < j->case_count; ++i)
        j->entry[i] = (SweepEntry){-1, 0, 0};
    int status = CLI_GO;
    for (*end = ftello(j->file); status == CLI_GO && read_line(j->file, &line); *end = ftello(j->file)) {
        int64_t index = case_of(j, &line);
        if (index < 0)
            status = cli_error(cli, "%s: line at byte %lld is no case of this sweep", j->path, (long long)*end);
        else if (j->entry[index].at >= 0)
            status = cli_error(cli, "%s: case %lld is there twice", j->path, (long long)index);
        else {
            j->entry[index] = (SweepEntry){*end, (int32_t)line.count, 0};
            ++j->done_count;
        }
    }
    if (line.lost)
        status = cli_error(cli, "out of memory");
    sweep_text_free(&line);
    return status;
}

static int keep_path(SweepJournal *j, const char *path)
{
    *j = (SweepJournal){.path = abut_alloc(strlen(path) + 1)};
    if (j->path)
        strcpy(j->path, path);
    return j->path != NULL;
}

int sweep_journal_read(const CliCommand *cli, SweepJournal *j, const char *path)
{
    int64_t end;
    if (!keep_path(j, path))
        return cli_error(cli, "out of memory");
    j->file = fopen(path, "rb");
    if (!j->file)
        return cli_error(cli, "%s: %s", path, strerror(errno));
    if (!read_header(j))
        return cli_error(cli, "%s: not the journal of a sweep", path);
    return read_entries(cli, j, &end);
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

/* One sweep at a time writes a journal. */
static int lock(const CliCommand *cli, SweepJournal *j)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(j->file), F_SETLK, &whole) != 0)
        return cli_error(cli, "%s: another sweep is writing it", j->path);
    return CLI_GO;
}

static int begin(const CliCommand *cli, SweepJournal *j, const SweepText *header, const SweepPlan *plan)
{
    if (ftruncate(fileno(j->file), 0) != 0 || fseeko(j->file, 0, SEEK_SET) != 0 ||
        fwrite(header->text, 1, header->count, j->file) != header->count || fflush(j->file) != 0)
        return cli_error(cli, "%s: cannot be written: %s", j->path, strerror(errno));
    int64_t end;
    j->case_count = plan->case_count;
    return read_entries(cli, j, &end);
}

static int go_on(const CliCommand *cli, SweepJournal *j, const SweepText *header)
{
    int64_t end;
    if (!read_header(j) || j->header.count != header->count || memcmp(j->header.text, header->text, header->count) != 0)
        return cli_error(cli,
            "%s: the journal of another sweep; finish that one with its own command, or give --fresh to start over",
            j->path);
    if (read_entries(cli, j, &end) != CLI_GO)
        return CLI_BAD;
    if (ftruncate(fileno(j->file), end) != 0 || fseeko(j->file, end, SEEK_SET) != 0)
        return cli_error(cli, "%s: %s", j->path, strerror(errno));
    return CLI_GO;
}

/* Never cut off before the lock is held. */
static FILE *open_file(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return file < 0 ? NULL : fdopen(file, "r+b");
}

int sweep_journal_open(
    const CliCommand *cli, SweepJournal *j, const char *path, const SweepPlan *plan, int shard, int shards, int fresh)
{
    struct stat about;
    SweepText header = header_line(plan, shard, shards);
    if (!keep_path(j, path) || header.lost) {
        sweep_text_free(&header);
        return cli_error(cli, "out of memory");
    }
    j->shard = shard;
    j->shards = shards;
    j->file = open_file(path);
    int status = j->file ? lock(cli, j) : cli_error(cli, "%s: %s", path, strerror(errno));
    if (status == CLI_GO && (fstat(fileno(j->file), &about) != 0 || !S_ISREG(about.st_mode)))
        status = cli_error(cli, "%s: not a plain file", path);
    if (status == CLI_GO)
        status = fresh || about.st_size == 0 ? begin(cli, j, &header, plan) : go_on(cli, j, &header);
    sweep_text_free(&header);
    return status;
}

void sweep_journal_close(SweepJournal *j)
{
    if (j->file)
        fclose(j->file);
    abut_free(j->path);
    abut_free(j->entry);
    sweep_text_free(&j->header);
    sweep_words_free(&j->names);
    *j = (SweepJournal){0};
}
