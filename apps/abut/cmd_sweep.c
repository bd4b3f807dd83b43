/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut sweep: one command, many runs. In: a command with {name} in it and the values of each name. Out: one table with
 * a row per run. Exit 0 when all cases ran, 1 when some failed or the sweep was interrupted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"
#include "progress.h"

typedef struct Args {
    const char *output, *cases, *shard;
    double timeout;
    int jobs, merge, times, fresh, dry_run, json;
    int shard_index, shard_count;
    SweepWords names, values; /* of the variables, in their order */
} Args;

/* ---- command line ------------------------------------------------------------------------------------------------ */

static const CliOption *own_option(const CliOption *options, int count, const char *word) {
    size_t length = strcspn(word, "=");
    for (int i = 0; i < count; ++i)
        if ((strlen(options[i].name) == length && strncmp(options[i].name, word, length) == 0) ||
            (options[i].brief && strcmp(options[i].brief, word) == 0))
            return &options[i];
    return NULL;
}

/* Takes the variables out of argv: every --NAME that is no option of sweep itself. */
static void take_variables(Args *args, const CliOption *options, int option_count, int *argc, char **argv) {
    int kept = 0;
    for (int i = 0; i < *argc; ++i) {
        const CliOption *own = own_option(options, option_count, argv[i]);
        size_t length = strcspn(argv[i], "=");
        int other = !own && strncmp(argv[i], "--", 2) == 0 && argv[i][2] && strcmp(argv[i], "--help") != 0;
        if (!other) {
            argv[kept++] = argv[i];
            if (own && own->kind != CLI_FLAG && !argv[i][length] && i + 1 < *argc) argv[kept++] = argv[++i];
            continue;
        }
        sweep_words_add(&args->names, argv[i] + 2, length - 2);
        const char *values = argv[i][length] ? argv[i] + length + 1 : i + 1 < *argc ? argv[++i] : NULL;
        if (!values) cli_error("%s: expected its values, as 1..9 or a,b,c", argv[i]);
        sweep_words_add(&args->values, values, strlen(values));
    }
    *argc = kept;
}

static void read_shard(Args *args) {
    args->shard_index = args->shard_count = 1;
    if (!args->shard) return;
    char *end;
    long i = strtol(args->shard, &end, 10), n = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || i < 1 || n < 1 || i > n || n > SWEEP_CASES_MAX)
        cli_error("--shard: expected I/N with I from 1 to N, got '%s'", args->shard);
    args->shard_index = (int)i;
    args->shard_count = (int)n;
}

/* ---- plan -------------------------------------------------------------------------------------------------------- */

static void make_plan(const Args *args, const char *text, SweepPlan *plan) {
    sweep_plan_command(plan, text);
    if (args->cases) sweep_plan_cases(plan, args->cases);
    for (int i = 0; i < args->names.count; ++i) sweep_plan_values(plan, args->names.word[i], args->values.word[i]);
    sweep_plan_close(plan);
    if (!cli_is_command(plan->command.word[0]))
        cli_error("unknown command '%s'; 'abut help' lists the commands", plan->command.word[0]);
    static const char *const without[] = {"view", "render", "reproduce"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; ++i)
        if (strcmp(plan->command.word[0], without[i]) == 0)
            cli_error("'%s' prints no JSON and cannot be swept", without[i]);
}

static void print_word(const char *word) {
    const char *quote = *word && !word[strcspn(word, " \t\n'\"\\$`*?[](){}<>|&;~#!")] ? "" : "'";
    fputs(quote, stdout);
    for (; *word; ++word) fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, stdout);
    fputs(quote, stdout);
}

/* The command lines, as a shell would take them. */
static int print_plan(const Args *args, const SweepPlan *plan) {
    for (int64_t k = args->shard_index - 1; k < plan->case_count; k += args->shard_count) {
        SweepWords words = sweep_plan_words(plan, k);
        fputs("abut", stdout);
        for (int i = 0; i < words.count; ++i) {
            putchar(' ');
            print_word(words.word[i]);
        }
        putchar('\n');
        sweep_words_free(&words);
    }
    return CLI_OK;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

typedef struct Outcome {
    int64_t cases, ran, kept;
    double seconds;
    SweepTable table;
    const char *file;
} Outcome;

static const AbutField outcome_fields[] = {
    {ABUT_FIELD(Outcome, cases, LONG, "", "Number of cases.")},
    {ABUT_FIELD(Outcome, ran, LONG, "", "Cases that ran now.")},
    {ABUT_FIELD(Outcome, kept, LONG, "", "Cases taken from the journal.")},
    {ABUT_FIELD_AS("failed", Outcome, table.failed, LONG, "", "Cases that failed.")},
    {ABUT_FIELD_AS("columns", Outcome, table.columns, INT, "", "Columns of the table.")},
    {ABUT_FIELD(Outcome, seconds, REAL, "s", "Wall time.")},
    {ABUT_FIELD(Outcome, file, TEXT, "", "File of the table.")},
};

const AbutRecord cli_sweep_answer = ABUT_RECORD("sweep", "", Outcome, outcome_fields);

static const char outcome_text[] = "  cases    {cases}, {ran} run now, {kept} from the journal\n"
                                   "  failed   {failed}\n"
                                   "  time     {seconds:.3g} s\n"
                                   "  file     {file}\n";

static int report(const Args *args, const Outcome *o) {
    if (*o->table.left_out)
        cli_warning("arrays with more than 16 elements are in the table by their number only: %s", o->table.left_out);
    return cli_answer(
        args->json ? 2 : CLI_AS_TEXT, &cli_sweep_answer, outcome_text, o, o->table.failed ? CLI_NO : CLI_OK);
}

/* Number of cases that this journal has to hold. */
static int64_t share(const SweepJournal *j) { return (j->case_count - j->shard) / j->shards + 1; }

/* CLI_OK: all are done. */
static int run_cases(const Args *args, Sweep *s) {
    s->jobs = args->jobs ? args->jobs : abut_thread_count(0);
    s->seconds = args->timeout;
    s->cancel = interrupt_flag();
    s->todo = (s->journal.case_count >= s->journal.shard ? share(&s->journal) : 0) - s->journal.done_count;
    pthread_mutex_init(&s->lock, NULL);
    interrupt_catch();
    progress_begin(&s->progress);
    sweep_runner(s);
    progress_end(&s->progress);
    int interrupted = *s->cancel;
    interrupt_release();
    pthread_mutex_destroy(&s->lock);
    if (s->broken) return CLI_BAD;
    if (interrupted) {
        cli_warning("interrupted with %lld of %lld cases done; the same command goes on from there",
            (long long)s->journal.done_count, (long long)(s->todo + s->journal.done_count - s->given));
        return CLI_NO;
    }
    return CLI_OK;
}

/* The table of a whole sweep; the journal has done its duty then. */
static int finish(const Args *args, Sweep *s, const char *path, Outcome *o) {
    char *file = s->journal.path;
    s->journal.path = NULL;
    sweep_journal_close(&s->journal);
    sweep_journal_read(&s->journal, file);
    sweep_table_write(&s->journal, 1, path, args->times, &o->table);
    unlink(file);
    o->file = path;
    return report(args, o);
}

static int run(const Args *args, const SweepPlan *plan, Sweep *s) {
    SweepText path = {0};
    char ending[64] = ".journal";
    int whole = args->shard_count == 1;
    if (!whole) snprintf(ending, sizeof ending, ".shard-%d-of-%d", args->shard_index, args->shard_count);
    sweep_text_put(&path, args->output);
    sweep_text_put(&path, ending);
    double began = cli_clock();
    sweep_journal_open(&s->journal, path.text, plan, args->shard_index, args->shard_count, args->fresh);
    Outcome o = {.cases = plan->case_count, .kept = s->journal.done_count, .file = path.text};
    int status = run_cases(args, s);
    o.ran = s->given;
    o.seconds = cli_clock() - began;
    o.table.failed = s->failed;
    if (status != CLI_OK) return status;
    return whole ? finish(args, s, args->output, &o) : report(args, &o);
}

/* ---- merge ------------------------------------------------------------------------------------------------------- */

static int merge(const Args *args, int count, char **files) {
    Outcome o = {.file = args->output};
    double began = cli_clock();
    SweepJournal *journals = cli_room((size_t)count, sizeof *journals);
    for (int i = 0; i < count; ++i) {
        const SweepJournal *a = &journals[0], *b = &journals[i];
        sweep_journal_read(&journals[i], files[i]);
        if (b->case_count != a->case_count || b->shards != a->shards ||
            strncmp(strstr(b->header.text, "\"plan\""), strstr(a->header.text, "\"plan\""), 26))
            cli_error("%s and %s are of different sweeps", files[0], files[i]);
    }
    sweep_table_write(journals, count, args->output, args->times, &o.table);
    o.cases = o.kept = o.table.rows;
    o.seconds = cli_clock() - began;
    return report(args, &o);
}

/* The table can be written, before hours are spent on it. */
static void check_table(const char *path) {
    struct stat about;
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    if (!cli_has_ending(path, ".csv")) cli_error("-o %s: expected a name ending in .csv", path);
    if (access(folder, W_OK | X_OK) != 0) cli_error("%s: the folder %s: %s", path, folder, strerror(errno));
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) cli_error("%s: not a plain file", path);
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

/* Options that a merge or a dry run has no use for. */
static void check_unused(const Args *args) {
    static const char *const unused[] = {
        "--jobs", "--timeout", "--fresh", "--cases", "--shard", "--dry-run", "--json", "--times"};
    int first = args->merge ? 0 : 6, last = args->merge ? 6 : 8;
    const char *why = args->merge ? "--merge runs nothing" : "--dry-run runs nothing";
    for (int i = 0; i < last && (args->merge || args->dry_run); ++i)
        if (i < 3 || i >= first) cli_refuse(unused[i], why);
}

static int start(const Args *args, int operands, char **argv) {
    check_unused(args);
    if (!args->output && !args->dry_run) cli_error("-o: expected the table to write, as table.csv");
    if (args->output) check_table(args->output);
    if (args->merge && !operands) cli_error("--merge: expected the files of the shards, as table.csv.shard-*");
    if (args->merge) return merge(args, operands, argv);
    if (operands != 1)
        cli_error("expected one command in quotes, as \"simulate boxes:50 --seed {seed}\", got %d words", operands);
    Sweep sweep = {0};
    make_plan(args, argv[0], &sweep.plan);
    return args->dry_run ? print_plan(args, &sweep.plan) : run(args, &sweep.plan, &sweep);
}

int cli_sweep(int argc, char **argv) {
    Args args = {0};
    const CliOption options[] = {
        OPTION("--output", CLI_OUTPUT, &args.output, "FILE", "the table to write (.csv)", .brief = "-o"),
        OPTION("--cases", CLI_INPUT, &args.cases, "FILE", "CSV with a line of names and a line of values per case"),
        OPTION("--jobs", CLI_COUNT, &args.jobs, "N", "processes at a time (default: the number of processors)"),
        OPTION("--timeout", CLI_REAL, &args.timeout, "S", "end a case after S seconds; 0: no limit (default: 0)"),
        OPTION("--shard", CLI_TEXT, &args.shard, "I/N", "run every N-th case from the I-th on, for --merge later"),
        OPTION("--merge", CLI_FLAG, &args.merge, NULL, "make the table of the files of all shards"),
        OPTION(
            "--times", CLI_FLAG, &args.times, NULL, "keep wall times in the table; it is then another one every time"),
        OPTION("--fresh", CLI_FLAG, &args.fresh, NULL, "throw away what an interrupted sweep has done"),
        OPTION("--dry-run", CLI_FLAG, &args.dry_run, NULL, "print the command lines and run nothing"),
        OPTION("--json", CLI_FLAG, &args.json, NULL, "print the summary as JSON"),
    };
    take_variables(&args, options, CLI_ROWS(options), &argc, argv);
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (args.timeout != 0.0) cli_check_range("--timeout", args.timeout, 1e-3, 1e9);
    read_shard(&args);
    return start(&args, operands, argv);
}
