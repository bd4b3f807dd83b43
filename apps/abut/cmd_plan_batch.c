/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan batch: many plans of one robot. In: a robot, a file with a JSON object on each line: start, goal,
 * obstacles. Out: a row for each line, as text, JSON or CSV, and the motions as files. The robot's half is made once, a
 * problem for each of the different obstacles; then the lines are planned over threads, each with a thread of its own.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

enum { MOST_BYTES = 1 << 28, MOST_LINES = 1000000, POSTURE = 4000 };

typedef struct Line {
    int32_t number, set; /* in the file; its problem */
    int seed;            /* -1: as the settings say */
    char name[100], obstacles[400], start[POSTURE], goal[POSTURE];
    double radius, voxel;
    double *from, *to; /* coordinates */
    AbutPlan plan;
    AbutStatus failed;
    int done;
} Line;

typedef struct Batch {
    PlanArgs args;
    const char *file;
    Line *lines;
    size_t capacity;
    int32_t count, set_count;
    PlanSetup *sets; /* one for each of the obstacles */
    size_t set_capacity;
    Line *now; /* being read */
} Batch;

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void refuse(const Batch *b, const char *key, const char *expected, const AbutJsonLeaf *leaf) {
    cli_error("%s:%d: %s: expected %s, got '%.*s'", b->file, (int)b->now->number, key, expected,
        (int)(leaf->count < 60 ? leaf->count : 60), leaf->text);
}

static void take_text(const Batch *b, const AbutJsonLeaf *leaf, char *out, size_t room) {
    if (!leaf->is_string || leaf->count == 0 || leaf->count >= room)
        refuse(b, leaf->path, "a text that is not too long", leaf);
    snprintf(out, room, "%.*s", (int)leaf->count, leaf->text);
}

static double take_number(const Batch *b, const AbutJsonLeaf *leaf, double least) {
    char *end;
    double value = strtod(leaf->text, &end);
    if (leaf->is_string || leaf->elements >= 0 || end != leaf->text + leaf->count || !(value >= least))
        refuse(b, leaf->path, "a number of 0 or more", leaf);
    return value;
}

/* A posture as a text, or one of its numbers, which are put together with commas. */
static void take_posture(const Batch *b, const AbutJsonLeaf *leaf, char *out) {
    size_t used = strlen(out);
    if (leaf->is_string && !strchr(leaf->path, '.')) {
        take_text(b, leaf, out, POSTURE);
        return;
    }
    if (leaf->is_string || leaf->elements >= 0 || !strchr("-0123456789", leaf->text[0]) || leaf->count == 0 ||
        used + leaf->count + 2 > POSTURE)
        refuse(b, leaf->path, "a posture as a text, or an array of numbers", leaf);
    snprintf(out + used, POSTURE - used, "%s%.*s", used ? "," : "", (int)leaf->count, leaf->text);
}

static void take_leaf(const AbutJsonLeaf *leaf, void *user) {
    static const char *const keys[] = {"name", "start", "goal", "obstacles", "radius", "voxel", "seed"};
    Batch *b = user;
    size_t length = strcspn(leaf->path, ".");
    int k = 0;
    while (k < CLI_ROWS(keys) && (strlen(keys[k]) != length || strncmp(keys[k], leaf->path, length) != 0)) ++k;
    if (k == CLI_ROWS(keys) || (leaf->path[length] && k != 1 && k != 2))
        cli_error("%s:%d: expected keys name, start, goal, obstacles, radius, voxel and seed, got '%s'", b->file,
            (int)b->now->number, leaf->path);
    if (k == 0) take_text(b, leaf, b->now->name, sizeof b->now->name);
    if (k == 1) take_posture(b, leaf, b->now->start);
    if (k == 2) take_posture(b, leaf, b->now->goal);
    if (k == 3) take_text(b, leaf, b->now->obstacles, sizeof b->now->obstacles);
    if (k == 4) b->now->radius = take_number(b, leaf, 0.0);
    if (k == 5) b->now->voxel = take_number(b, leaf, 0.0);
    if (k == 6) {
        double seed = take_number(b, leaf, 0.0);
        if (seed != floor(seed) || seed > INT32_MAX) refuse(b, leaf->path, "a whole number", leaf);
        b->now->seed = (int)seed;
    }
}

static void read_line(Batch *b, const char *text, size_t length, int32_t number) {
    char place[500];
    if (strspn(text, " \t\r") >= length) return;
    if (b->count == MOST_LINES) cli_error("%s: expected at most %d plans", b->file, MOST_LINES);
    b->lines = cli_grow(b->lines, &b->capacity, (size_t)b->count + 1, sizeof *b->lines);
    b->now = &b->lines[b->count++];
    *b->now = (Line){.number = number, .seed = -1, .radius = NAN, .voxel = NAN};
    snprintf(b->now->name, sizeof b->now->name, "%d", (int)b->count);
    snprintf(place, sizeof place, "%.400s:%d", b->file, (int)number);
    cli_need(abut_json_leaves(text, length, place, ABUT_JSON_DEPTH * 16, take_leaf, b, &cli_why));
    if (!b->now->goal[0]) cli_error("%s: expected a key goal, got none", place);
}

static void read_lines(Batch *b) {
    char *bytes;
    size_t count;
    cli_need(abut_file_load(b->file, "lines of JSON", MOST_BYTES, &bytes, &count, &cli_why));
    char *copy = memcpy(cli_room(count, 1), bytes, count);
    for (size_t at = 0, number = 1; at < count; ++number) {
        size_t length = 0;
        while (at + length < count && copy[at + length] != '\n') ++length;
        copy[at + length] = 0;
        read_line(b, copy + at, length, (int32_t)number);
        at += length + 1;
    }
    if (b->count == 0) cli_error("%s: expected a JSON object on each line, got none", b->file);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static int is_equal(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* The problem with the obstacles of a line; what it does not name is as the options say. */
static int32_t find_set(Batch *b, const Line *line) {
    const PlanSetup *all = &b->args.setup;
    const char *file = line->obstacles[0] ? line->obstacles : all->obstacle_file;
    double radius = isnan(line->radius) ? all->radius : line->radius;
    double voxel = isnan(line->voxel) ? all->voxel : line->voxel;
    for (int32_t i = 0; i < b->set_count; ++i) {
        const PlanSetup *x = &b->sets[i];
        if ((x->obstacle_file == file || (x->obstacle_file && file && strcmp(x->obstacle_file, file) == 0)) &&
            is_equal(x->radius, radius) && is_equal(x->voxel, voxel))
            return i;
    }
    b->sets = cli_grow(b->sets, &b->set_capacity, (size_t)b->set_count + 1, sizeof *b->sets);
    PlanSetup *x = &b->sets[b->set_count];
    *x = *all;
    x->obstacle_file = file;
    x->radius = radius;
    x->voxel = voxel;
    plan_read_obstacles(x);
    plan_setup_problem(x);
    return b->set_count++;
}

/* Coordinates of the start, or of the goal, of which joint=value leaves the others as at the start. */
static double *take_posture_of(Batch *b, const Line *line, const char *key, const char *text) {
    PlanArgs args = b->args;
    char place[600];
    args.setup = b->sets[line->set];
    double *joints = cli_room((size_t)args.setup.robot.model->joint_count, sizeof *joints);
    double *u = cli_room((size_t)abut_plan_coordinate_count(args.setup.problem), sizeof *u);
    snprintf(place, sizeof place, "%.400s:%d: %s", b->file, (int)line->number, key);
    if (text[0]) posture_set(place, text, &args.setup.robot);
    plan_take_coordinates(&args, place, joints, u);
    free(joints);
    return u;
}

static void prepare(Batch *b) {
    PlanSetup *all = &b->args.setup;
    const char *file = all->obstacle_file;
    robot_load(&all->robot);
    robot_warn(&all->robot);
    plan_take_held(&b->args);
    plan_find_support(all);
    all->obstacle_file = NULL; /* of the robot alone */
    plan_setup_half(all);
    all->obstacle_file = file;
    int32_t n = abut_configuration_position_count(all->robot.c);
    double *home = cli_room((size_t)n, sizeof *home);
    memcpy(home, abut_configuration_positions(all->robot.c), (size_t)n * sizeof *home);
    for (int32_t i = 0; i < b->count; ++i) {
        Line *line = &b->lines[i];
        line->set = find_set(b, line);
        cli_need(abut_configuration_set(all->robot.c, n, home, 0, NULL, &cli_why));
        line->from = take_posture_of(b, line, "start", line->start);
        line->to = take_posture_of(b, line, "goal", line->goal);
    }
}

/* ---- planning ---------------------------------------------------------------------------------------------------- */

static int is_interrupted(int32_t attempts, double best_cost, void *user) {
    (void)attempts, (void)best_cost, (void)user;
    return *interrupt_flag();
}

static void plan_lines(int begin, int end, int worker, void *user) {
    Batch *b = user;
    (void)worker;
    for (int i = begin; i < end && !*interrupt_flag(); ++i) {
        Line *line = &b->lines[i];
        AbutPlanSettings settings = b->args.settings;
        AbutPlanQuery query = {.start = line->from, .goal = line->to};
        AbutError error;
        settings.threads = 1;
        settings.progress = is_interrupted;
        if (line->seed >= 0) settings.seed = (uint64_t)line->seed;
        line->failed = abut_plan_solve(b->sets[line->set].problem, &query, &settings, &line->plan, &error);
        line->done = !*interrupt_flag();
        if (line->failed) snprintf(line->plan.reason, sizeof line->plan.reason, "%.399s", error.text);
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

typedef struct RowAnswer {
    const char *name;
    int32_t line;
    AbutPlanStatus status;
    int certified;
    const char *reason;
    double cost, duration, time, lb;
} RowAnswer;

static const AbutField row_fields[] = {
    {ABUT_FIELD(RowAnswer, name, TEXT, "", "Name of the line, or its number among the plans.")},
    {ABUT_FIELD(RowAnswer, line, INT, "", "Line of the file.")},
    {ABUT_FIELD_WORDS(RowAnswer, status, abut_plan_status_names, "The result.")},
    {ABUT_FIELD(RowAnswer, certified, FLAG, "", "The plan is proved.")},
    {ABUT_FIELD(RowAnswer, reason, TEXT, "", "Why it is not; null when it is.")},
    {ABUT_FIELD(RowAnswer, cost, REAL, "", "Integral of jerk; null without a motion.")},
    {ABUT_FIELD(RowAnswer, duration, REAL, "s", "Length of the motion; null without one.")},
    {ABUT_FIELD(RowAnswer, time, REAL, "s", "Wall time of the search.")},
    {ABUT_FIELD(RowAnswer, lb, REAL, "m", "No pair is nearer at any time; null unless that is proved.")},
};
static const AbutRecord row_record = ABUT_RECORD("row", "", RowAnswer, row_fields);

typedef struct Answer {
    int32_t plans, done, certified, problems;
    const RowAnswer *rows;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, plans, INT, "", "Lines of the file.")},
    {ABUT_FIELD(Answer, done, INT, "", "Lines that were planned before an interrupt.")},
    {ABUT_FIELD(Answer, certified, INT, "", "Plans that are proved.")},
    {ABUT_FIELD(Answer, problems, INT, "", "Different obstacles.")},
    {ABUT_FIELD_AT(Answer, rows, row_record, "The plans, in the order of the lines."),
        .count_at = offsetof(Answer, done)},
};
const AbutRecord cli_plan_batch_answer = ABUT_RECORD("plan batch", "", Answer, answer_fields);

static RowAnswer answer_of(const Line *line) {
    const AbutPlan *p = &line->plan;
    int found = p->trajectory.times != NULL;
    double lb = p->certificate.status == ABUT_CERTIFICATE_CLEAR ? p->certificate.lb : NAN;
    return (RowAnswer){line->name, line->number, p->status, p->status == ABUT_PLAN_CERTIFIED,
        p->reason[0] ? p->reason : NULL, found ? p->cost : NAN,
        found ? p->trajectory.times[p->trajectory.piece_count] : NAN, p->seconds, lb};
}

/* Motions as PREFIX + name + .npz. */
static void write_motions(Batch *b) {
    for (int32_t i = 0; b->args.output && i < b->count; ++i) {
        Line *line = &b->lines[i];
        char path[800];
        if (!line->done || !line->plan.trajectory.times) continue;
        snprintf(path, sizeof path, "%.600s%s.npz", b->args.output, line->name);
        b->args.setup.problem = b->sets[line->set].problem;
        b->args.plan = line->plan;
        plan_write_trajectory(&b->args, path);
    }
}

static void write_csv(const Batch *b, const RowAnswer *rows, int32_t count) {
    AbutCsv *csv;
    if (!b->args.csv) return;
    cli_need(abut_csv_open(b->args.csv, "name,line,status,certified,cost,duration,time,lb", &csv, &cli_why));
    for (int32_t i = 0; i < count; ++i) {
        abut_csv_record(csv, &row_record, "name line status certified cost duration time lb", &rows[i]);
        abut_csv_end_row(csv);
    }
    cli_need(abut_csv_commit(csv, &cli_why));
}

static int print_answer(Batch *b) {
    RowAnswer *rows = cli_room((size_t)b->count, sizeof *rows);
    Answer a = {.plans = b->count, .problems = b->set_count, .rows = rows};
    int status = CLI_OK;
    for (int32_t i = 0; i < b->count; ++i) {
        const Line *line = &b->lines[i];
        if (line->done && line->failed) cli_error("%s:%d: %s", b->file, (int)line->number, line->plan.reason);
        int mine = line->done ? plan_exit_status(line->plan.status) : CLI_NO;
        status = mine == CLI_NO || status == CLI_OK ? mine : status;
        if (!line->done) continue;
        rows[a.done++] = answer_of(line);
        a.certified += rows[a.done - 1].certified;
    }
    write_motions(b);
    write_csv(b, rows, a.done);
    if (b->args.json) return cli_answer(2, &cli_plan_batch_answer, NULL, &a, status);
    for (int32_t i = 0; i < a.done; ++i)
        abut_record_print(stdout, &row_record,
            rows[i].certified ? "  {name:-12s} {status}, {duration:.4g} s long, found in {time:.3g} s\n"
                              : "  {name:-12s} {status}: {reason}\n",
            &rows[i]);
    printf("  %d of %d plans certified, %d problem%s\n", (int)a.certified, (int)a.plans, (int)a.problems,
        a.problems == 1 ? "" : "s");
    return status;
}

static void check_names(const Batch *b) {
    for (int32_t i = 0; b->args.output && i < b->count; ++i) {
        const Line *x = &b->lines[i];
        if (strpbrk(x->name, "/\\"))
            cli_error("%s:%d: name: expected no / with -o, got '%s'", b->file, (int)x->number, x->name);
        for (int32_t k = 0; k < i; ++k)
            if (strcmp(x->name, b->lines[k].name) == 0)
                cli_error("%s:%d: name: expected names that differ with -o, got '%s' twice", b->file, (int)x->number,
                    x->name);
    }
}

int cli_plan_batch(int argc, char **argv) {
    Batch b = {.args = plan_args_make()};
    CliOption options[CLI_OPTIONS_MAX];
    const CliOption files[] = {
        OPTION(
            "--output", CLI_TEXT, &b.args.output, "PREFIX", "write the motions as PREFIX + name + .npz", .brief = "-o"),
        OPTION("--csv", CLI_OUTPUT, &b.args.csv, "FILE", "the answers as rows"),
        cli_row("--json", &b.args.json),
    };
    int rows = plan_robot_options(&b.args, options);
    rows += plan_search_options(&b.args, options + rows);
    rows += cli_rows(options + rows, files, CLI_ROWS(files));
    int operands = cli_parse(options, rows, argc, argv);
    if (operands != 2) cli_error("expected a model and a file, got %d; see 'abut help plan batch'", operands);
    plan_check_ending("--csv", b.args.csv, ".csv", NULL);
    b.args.setup.robot.source = argv[0];
    b.file = argv[1];
    plan_check_settings(&b.args);
    read_lines(&b);
    check_names(&b);
    prepare(&b);
    interrupt_catch();
    abut_parallel_for(b.count, 1, b.args.settings.threads, plan_lines, &b);
    interrupt_release();
    return print_answer(&b);
}
