/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut manipulate: planning through contact. In: a built-in task, or a model with one body to move and its goal. Out:
 * the motions, each with its contact mode; how many of its places balance; with --simulate whether the object arrives.
 * Exit 0 planned (and arrived), 1 no plan, 3 planned, but the simulation misses the goal.
 */
#include "manip_record.h"
#include "operands.h"
#include "progress.h"
#include "run_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Args {
    const char *source, *object, *task, *page, *log;
    CliReals goal_tolerance;
    AbutPose goal;
    double radius, force, friction, seconds, trial_friction, trial_mass, page_size;
    int fingers, seed, attempts, falls, simulate, no_jam_test, list, json, open, stages;
} Args;

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct Motion {
    const char *mode;
    int32_t steps, relocations, falls, finger[ABUT_MANIP_FINGERS];
} Motion;

static const AbutField motion_fields[] = {
    {ABUT_FIELD(Motion, mode, TEXT, "",
        "What each contact with the surroundings does at the start: 0 sticks, s slides, + separates.")},
    {ABUT_FIELD(Motion, steps, INT, "", "Poses of the motion.")},
    {ABUT_FIELD(Motion, relocations, INT, "", "Fingers that go to other points before it.")},
    {ABUT_FIELD(Motion, falls, FLAG, "", "After its first pose the fingers let go, and the object falls to rest.")},
    {ABUT_FIELD(Motion, finger, INT, "", "Number of the point that each finger sticks to; -1: no such finger."),
        .rows = ABUT_MANIP_FINGERS},
};

static const AbutRecord motion_record = ABUT_RECORD("motion", "", Motion, motion_fields);

typedef struct Answer {
    AbutManipPlan plan;
    AbutManipReport report;
    Motion *motions;
    int simulated;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_AS("found", Answer, plan.found, FLAG, "", "A plan reaches the goal.")},
    {ABUT_FIELD_AS("attempts", Answer, plan.attempts, INT, "", "Attempts of the search.")},
    {ABUT_FIELD_AS("states", Answer, plan.states, INT, "", "States that the search reached.")},
    {ABUT_FIELD_AS("modes", Answer, plan.modes, INT, "", "Contact modes that it enumerated.")},
    {ABUT_FIELD_AS("left", Answer, plan.left, REAL, "m",
        "Nearest distance to the goal of any state, angles times the size of the object.")},
    {ABUT_FIELD_AS("out_of_time", Answer, plan.out_of_time, FLAG, "", "--seconds or an interrupt ended the search.")},
    {ABUT_FIELD_AS("motions", Answer, motions, RECORD, "", "The motions of the plan, in order."),
        .record = &motion_record, .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, plan.motion_count)},
    {ABUT_FIELD_AS("places", Answer, report.places, INT, "", "Places of the plan whose balance was checked.")},
    {ABUT_FIELD_AS("unbalanced", Answer, report.unbalanced, INT, "", "Places where no forces balance the weight.")},
    {ABUT_FIELD_AS("arrives", Answer, report.arrives, FLAG, "",
         "The simulated object ends within twice the tolerances of the goal."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS(
         "distance", Answer, report.distance, REAL, "m", "Of the simulated object from the goal, at the end."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS("angle", Answer, report.angle, REAL, "rad", "The same, its turn."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS(
         "off_distance", Answer, report.off_distance, REAL, "m", "Of the simulated object from its plan, at the end."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS("off_angle", Answer, report.off_angle, REAL, "rad", "The same, its turn."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS("most_distance", Answer, report.most_distance, REAL, "m", "Farthest from its plan, at any time."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS("most_angle", Answer, report.most_angle, REAL, "rad", "The same, its turn."),
        .shown_at = offsetof(Answer, simulated)},
    {ABUT_FIELD_AS("time", Answer, report.time, REAL, "s", "Simulated time."), .shown_at = offsetof(Answer, simulated)},
};

const AbutRecord cli_manipulate_answer = ABUT_RECORD("manipulate", "", Answer, answer_fields);

static const char answer_text[] = "  found        {found}\n"
                                  "  attempts     {attempts}, {states} states, {modes} contact modes\n"
                                  "  left         {left:.3g} m\n"
                                  "  unbalanced   {unbalanced} of {places} places\n"
                                  "  arrives      {arrives}\n"
                                  "  from goal    {distance:.3g} m, {angle:.3g} rad\n"
                                  "  from plan    {most_distance:.3g} m, {most_angle:.3g} rad at most\n"
                                  "  time         {time:.3g} s\n";

static void read_motions(Answer *a) {
    a->motions = cli_room((size_t)a->plan.motion_count, sizeof *a->motions);
    for (int32_t k = 0; k < a->plan.motion_count; ++k) {
        const struct AbutManipMotion *m = &a->plan.motions[k];
        a->motions[k] =
            (Motion){.mode = m->mode, .steps = m->step_count, .relocations = m->relocation_count, .falls = m->falls};
        memcpy(a->motions[k].finger, m->finger, sizeof m->finger);
    }
}

static void print_motions(const Answer *a) {
    for (int32_t k = 0; k < a->plan.motion_count; ++k) {
        const Motion *m = &a->motions[k];
        if (m->falls) {
            printf("  motion %-5d falls, %d steps\n", (int)k + 1, (int)m->steps);
            continue;
        }
        printf("  motion %-5d %s, %d steps, fingers at", (int)k + 1, *m->mode ? m->mode : "free", (int)m->steps);
        for (int i = 0; i < ABUT_MANIP_FINGERS; ++i)
            if (m->finger[i] >= 0) printf(" %d", (int)m->finger[i]);
        printf("\n");
    }
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

static void warn(const char *text, void *user) {
    (void)user;
    cli_warning("%s", text);
}

/* The body of that name, or the only dynamic one. */
static int32_t find_object(const Args *a, const AbutModel *model) {
    int32_t found = -1;
    if (a->object) {
        found = abut_model_find(model, ABUT_MODEL_BODY, a->object);
        if (found < 0) cli_error("--object: expected a body of %s, got '%s'", a->source, a->object);
        return found;
    }
    for (int32_t i = 0; i < model->body_count; ++i) {
        if (model->bodies[i].kind != ABUT_BODY_DYNAMIC) continue;
        if (found >= 0) cli_error("%s: expected one dynamic body, or --object, got several", a->source);
        found = i;
    }
    if (found < 0) cli_error("%s: expected a dynamic body to move, got none", a->source);
    return found;
}

/* The frame (site) "goal" of the world, unless --goal says where. */
static AbutPose find_goal(const Args *a, const AbutModel *model) {
    int32_t frame = abut_model_find(model, ABUT_MODEL_FRAME, "goal");
    if (cli_given("--goal")) return a->goal;
    if (frame < 0 || model->frames[frame].body >= 0)
        cli_error("%s: expected a frame (site) of the world named 'goal', or --goal, got neither", a->source);
    return model->frames[frame].pose;
}

static AbutManipTask read_task(const Args *a) {
    AbutManipTask task;
    AbutModel *model;
    int count = 0, scene_count;
    for (; abut_manip_tasks[count]; ++count)
        if (strcmp(abut_manip_tasks[count], a->source) == 0) {
            cli_need(abut_manip_task_build(a->source, &task, &model, &cli_why));
            return task;
        }
    const char *near = abut_suggest(a->source, count, abut_manip_tasks, sizeof abut_manip_tasks[0]);
    const AbutBuiltinScene *scenes = abut_builtin_scenes(0, &scene_count);
    for (int i = 0; i < scene_count; ++i)
        if (strcmp(scenes[i].name, a->source) == 0) near = NULL; /* a scene of that name is a task of its own */
    if (near) cli_error("no task '%s'; did you mean '%s'?", a->source, near);
    model = operands_read_model(a->source, 1, (AbutModelReadOptions){.warn = warn, .without_visuals = 1});
    return abut_manip_task_of(model, find_object(a, model), find_goal(a, model));
}

/* ---- the file of fingers ----------------------------------------------------------------------------------------- */

static const struct Entry {
    const char *key;
    size_t at;
    int count; /* 0: a whole number */
} entries[] = {{"goal_distance", offsetof(AbutManipTask, goal_distance), 1},
    {"goal_angle", offsetof(AbutManipTask, goal_angle), 1}, {"low", offsetof(AbutManipTask, low), 3},
    {"high", offsetof(AbutManipTask, high), 3}, {"axis", offsetof(AbutManipTask, axis), 3},
    {"angle_low", offsetof(AbutManipTask, angle_low), 1}, {"angle_high", offsetof(AbutManipTask, angle_high), 1},
    {"fingers", offsetof(AbutManipTask, fingers), 0}, {"finger_radius", offsetof(AbutManipTask, finger_radius), 1},
    {"force", offsetof(AbutManipTask, force), 1}, {"force_least", offsetof(AbutManipTask, force_least), 1},
    {"finger_friction", offsetof(AbutManipTask, finger_friction), 1},
    {"finger_low", offsetof(AbutManipTask, finger_low), 3}, {"finger_high", offsetof(AbutManipTask, finger_high), 3},
    {"step", offsetof(AbutManipTask, step), 1}, {"falls", offsetof(AbutManipTask, falls), 0}};

typedef struct Reading {
    const char *file;
    AbutManipTask *task;
} Reading;

static double leaf_number(const Reading *r, const AbutJsonLeaf *leaf) {
    char *end;
    double value = strtod(leaf->text, &end);
    if (leaf->is_string || leaf->elements >= 0 || leaf->count == 0 || end != leaf->text + leaf->count)
        cli_error("%s: %s: expected a number, got '%.*s'", r->file, leaf->path,
            (int)(leaf->count < 60 ? leaf->count : 60), leaf->text);
    return value;
}

/* The number behind a point of a path, below `limit`. */
static int leaf_place(const Reading *r, const AbutJsonLeaf *leaf, const char *at, int limit) {
    char *end = NULL;
    long place = *at == '.' ? strtol(at + 1, &end, 10) : -1;
    if (place < 0 || place >= limit)
        cli_error("%s: %s: expected at most %d elements in an array", r->file, leaf->path, limit);
    return (int)place;
}

static void take_normal(const Reading *r, const AbutJsonLeaf *leaf) {
    const char *at = leaf->path + strlen("forbidden");
    int row = leaf_place(r, leaf, at, ABUT_MANIP_FORBIDDEN), column = leaf_place(r, leaf, at + 2, 3);
    (&r->task->forbidden[row].x)[column] = leaf_number(r, leaf);
    if (r->task->forbidden_count <= row) r->task->forbidden_count = row + 1;
}

static void take_entry(const AbutJsonLeaf *leaf, void *user) {
    const Reading *r = user;
    size_t length = strcspn(leaf->path, "."), k = 0;
    if (length == strlen("forbidden") && strncmp(leaf->path, "forbidden", length) == 0) {
        take_normal(r, leaf);
        return;
    }
    while (
        k < CLI_ROWS(entries) && (strlen(entries[k].key) != length || strncmp(entries[k].key, leaf->path, length) != 0))
        ++k;
    if (k == CLI_ROWS(entries))
        cli_error("%s: expected fields of a task, such as fingers or force, got '%s'", r->file, leaf->path);
    double value = leaf_number(r, leaf);
    char *out = (char *)r->task + entries[k].at;
    if (entries[k].count == 3)
        ((double *)(void *)out)[leaf_place(r, leaf, leaf->path + length, 3)] = value;
    else if (leaf->path[length])
        cli_error("%s: %s: expected a number, got an array", r->file, entries[k].key);
    else if (entries[k].count == 1)
        *(double *)(void *)out = value;
    else if (value != floor(value) || fabs(value) > 1000.0)
        cli_error("%s: %s: expected a small whole number, got %g", r->file, leaf->path, value);
    else
        *(int32_t *)(void *)out = (int32_t)value;
}

static void read_fingers(const char *file, AbutManipTask *task) {
    Reading reading = {file, task};
    char *bytes;
    size_t count;
    cli_need(abut_file_load(file, "a file of fingers", 1 << 20, &bytes, &count, &cli_why));
    cli_need(abut_json_leaves(bytes, count, file, 100, take_entry, &reading, &cli_why));
    abut_free(bytes);
}

static void set_options(const Args *a, AbutManipTask *task) {
    if (a->goal_tolerance.count && a->goal_tolerance.count != 2)
        cli_error("--goal-tol: expected a distance and an angle, got %d numbers", a->goal_tolerance.count);
    if (a->task) read_fingers(a->task, task);
    if (cli_given("--goal")) task->goal = a->goal;
    if (a->goal_tolerance.count)
        task->goal_distance = a->goal_tolerance.value[0], task->goal_angle = a->goal_tolerance.value[1];
    if (cli_given("--fingers")) task->fingers = a->fingers;
    if (cli_given("--force")) task->force = a->force;
    if (a->falls) task->falls = 1;
    if (cli_given("--finger-radius")) task->finger_radius = a->radius;
    if (cli_given("--finger-friction")) task->finger_friction = a->friction;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

static void show(int32_t attempts, double left, void *user) {
    if (progress_due(user)) progress_line(user, "%d attempts, %.3g m left", (int)attempts, left);
}

static void plan(const Args *a, const AbutManipTask *task, Answer *out) {
    Progress progress;
    AbutManipOptions options = {.seed = (uint64_t)a->seed,
        .attempts = a->attempts,
        .seconds = isnan(a->seconds) ? 0.0 : a->seconds,
        .jam_test = a->no_jam_test,
        .cancel = interrupt_flag(),
        .progress = show,
        .user = &progress};
    progress_begin(&progress);
    interrupt_catch();
    cli_need_of(a->source, abut_manip_plan(task, &options, &out->plan, &cli_why));
    progress_end(&progress);
}

static void simulate(const Args *a, const AbutManipTask *task, Answer *out) {
    ManipRecord record = {.task = task, .plan = &out->plan};
    AbutManipTrial trial = {.friction = a->trial_friction, .mass = a->trial_mass, .user = &record};
    AbutManipReport checked = out->report;
    if (a->page || a->log) trial.watch = manip_record;
    cli_need(abut_manip_execute(task, &out->plan, &trial, &out->report, &cli_why));
    out->report.places = checked.places, out->report.unbalanced = checked.unbalanced;
    out->simulated = 1;
    if (a->log) cli_need(abut_run_write(a->log, record.run, &cli_why));
    if (a->page) {
        manip_record_finish(&record);
        run_page_write(&(RunPage){.path = a->page,
            .title = cli_base_name(a->source),
            .subtitle = out->report.arrives ? "manipulation plan; the object arrives"
                                            : "manipulation plan; the object misses its goal",
            .size = a->page_size,
            .stages = a->stages,
            .run = record.run,
            .beside = record.planned,
            .beside_title = "plan",
            .line_count = record.line_count,
            .lines = record.line});
    }
    manip_record_free(&record);
}

static int answer(const Args *a) {
    AbutManipTask task = read_task(a);
    Answer out = {.simulated = 0};
    set_options(a, &task);
    plan(a, &task, &out);
    read_motions(&out);
    if (out.plan.found) cli_need(abut_manip_check(&task, &out.plan, &out.report, &cli_why));
    if (out.plan.found && a->simulate) simulate(a, &task, &out);
    if (!out.plan.found && (a->page || a->log)) cli_warning("no plan was found: no page and no log are written");
    int status = !out.plan.found ? CLI_NO : out.simulated && !out.report.arrives ? CLI_UNDECIDED : CLI_OK;
    int end = cli_answer(a->json ? 0 : CLI_AS_TEXT, &cli_manipulate_answer, answer_text, &out, status);
    if (!a->json) print_motions(&out);
    return end;
}

static int list_tasks(void) {
    for (int i = 0; abut_manip_tasks[i]; ++i) printf("%s\n", abut_manip_tasks[i]);
    return CLI_OK;
}

int cli_manipulate(int argc, char **argv) {
    AbutManipTask preset = abut_manip_task_of(NULL, 0, abut_pose_identity());
    Args args = {.goal = abut_pose_identity(),
        .seconds = NAN,
        .trial_friction = 1.0,
        .trial_mass = 1.0,
        .page_size = NAN,
        .seed = 1,
        .fingers = preset.fingers,
        .force = preset.force,
        .radius = preset.finger_radius,
        .friction = preset.finger_friction};
    const CliOption options[] = {
        OPTION("--list", CLI_FLAG, &args.list, NULL, "print the names of the built-in tasks"),
        OPTION("--object", CLI_TEXT, &args.object, "NAME", "body to move (default: the only dynamic one)"),
        OPTION("--goal", CLI_POSE, &args.goal, "POSE", "of its frame (default: the frame or site named 'goal')"),
        OPTION("--goal-tol", CLI_REALS, &args.goal_tolerance, "D,A", "tolerances, m and rad (default: 0.005,0.05)"),
        OPTION("--task", CLI_TEXT, &args.task, "FILE", "JSON with fingers and limits: the fields of a task"),
        OPTION("--fingers", CLI_COUNT, &args.fingers, "N", "1 to 3"),
        OPTION("--force", CLI_REAL, &args.force, "F", "largest normal force of a finger, N", 1e-9, 1e9),
        OPTION("--finger-radius", CLI_REAL, &args.radius, "R", "of the tips, m", 1e-9, 1e9),
        OPTION("--finger-friction", CLI_REAL, &args.friction, "MU", "between fingers and object", 1e-9, 100.0),
        OPTION("--seed", CLI_WHOLE, &args.seed, "S", "of the search"),
        OPTION("--attempts", CLI_COUNT, &args.attempts, "N", "of the search at most (default: 20000)"),
        OPTION("--seconds", CLI_REAL, &args.seconds, "T", "of the search at most (default: no limit)", 1e-6, 1e9),
        OPTION("--falls", CLI_FLAG, &args.falls, NULL, "the object may be pushed over and left to fall to rest"),
        OPTION("--no-jam-test", CLI_FLAG, &args.no_jam_test, NULL, "allow motions that the surroundings may hold up"),
        OPTION("--simulate", CLI_FLAG, &args.simulate, NULL, "carry the plan out with fingers on springs"),
        OPTION("--friction", CLI_REAL, &args.trial_friction, "X",
            "with --simulate: friction of the surroundings, as a factor", 1e-3, 1e3),
        OPTION(
            "--mass", CLI_REAL, &args.trial_mass, "X", "with --simulate: mass of the object, as a factor", 1e-3, 1e3),
        OPTION("--log", CLI_OUTPUT, &args.log, "FILE", "with --simulate: write the run (.npz)"),
        OPTION("--html", CLI_OUTPUT, &args.page, "FILE", "with --simulate: write a page with the run"),
        RUN_PAGE_OPTIONS(&args.page_size, &args.stages, "with --html: ", "with --html: "),
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (args.list) return list_tasks();
    if (operands != 1) cli_error("expected one task, got %d; see 'abut help manipulate'", operands);
    args.source = argv[0];
    return answer(&args);
}
