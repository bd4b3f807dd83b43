/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan roadmap: postures of a robot and proved edges between them, as a file that `abut plan --roadmap` and
 * `abut plan batch --roadmap` search. In: a robot, obstacles that always stand, a number of postures. Out: the file.
 */
#include "plan.h"

#include "progress.h"

typedef struct Answer {
    int32_t coordinates, postures, edges, pairs, largest;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, coordinates, INT, "", "Coordinates of the problem.")},
    {ABUT_FIELD(Answer, postures, INT, "", "Free postures.")},
    {ABUT_FIELD(Answer, edges, INT, "", "Proved edges between them.")},
    {ABUT_FIELD(Answer, largest, INT, "", "Postures of the largest part that hangs together.")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Pairs that are checked.")},
};
const AbutRecord cli_plan_roadmap_answer = ABUT_RECORD("plan roadmap", "", Answer, answer_fields);

static int is_interrupted(int32_t attempts, double best_cost, void *user) {
    (void)attempts, (void)best_cost, (void)user;
    return *interrupt_flag();
}

void plan_read_roadmap(PlanArgs *args, const char *file) {
    if (!file) return;
    cli_need(abut_roadmap_read(file, NULL, 0, &args->roadmap, &cli_why));
    args->settings.roadmap = &args->roadmap;
}

/* Postures that edges lead to from posture `root`, marked; `queue` is room for all. */
static int32_t count_part(const AbutRoadmap *map, int32_t root, uint8_t *seen, int32_t *queue) {
    int32_t count = 0;
    seen[root] = 1;
    queue[count++] = root;
    for (int32_t i = 0; i < count; ++i)
        for (int32_t e = map->start[queue[i]]; e < map->start[queue[i] + 1]; ++e)
            if (!seen[map->to[e]]) {
                seen[map->to[e]] = 1;
                queue[count++] = map->to[e];
            }
    return count;
}

static int32_t largest_part(const AbutRoadmap *map) {
    uint8_t *seen = cli_room((size_t)map->count, 1);
    int32_t *queue = cli_room((size_t)map->count, sizeof *queue), most = 0;
    for (int32_t i = 0; i < map->count; ++i) {
        int32_t count = seen[i] ? 0 : count_part(map, i, seen, queue);
        most = count > most ? count : most;
    }
    return most;
}

static int make(PlanArgs *args, int postures) {
    AbutRoadmap *map = &args->roadmap;
    plan_setup_read(&args->setup);
    plan_take_held(args);
    plan_find_support(&args->setup);
    plan_setup_problem(&args->setup);
    args->settings.progress = is_interrupted;
    interrupt_catch();
    plan_need(abut_roadmap_create(args->setup.problem, postures, &args->settings, map, &cli_why));
    interrupt_release();
    if (*interrupt_flag()) return CLI_NO;
    cli_need(abut_roadmap_write(args->output, map, &cli_why));
    const Answer a = {map->width, map->count, map->start[map->count] / 2, abut_plan_pair_count(args->setup.problem),
        largest_part(map)};
    if (map->count < postures) cli_warning("--count: %d free postures were found, not %d", (int)map->count, postures);
    return cli_answer(args->json ? 2 : CLI_AS_TEXT, &cli_plan_roadmap_answer,
        "  {postures} free postures, {edges} proved edges; {largest} of the postures hang together\n", &a, CLI_OK);
}

int cli_plan_roadmap(int argc, char **argv) {
    PlanArgs args = plan_args_make();
    CliOption options[CLI_OPTIONS_MAX];
    int count = 2000;
    const CliOption more[] = {
        OPTION("--output", CLI_OUTPUT, &args.output, "FILE", "the roadmap: .npz", .brief = "-o"),
        OPTION("--count", CLI_COUNT, &count, "N", "postures", 1, ABUT_ROADMAP_POSTURES),
        OPTION("--seed", CLI_WHOLE, &args.seed, "S", "of the random numbers (default: 1)"),
        OPTION("--threads", CLI_WHOLE, &args.settings.threads, "N", "0: all processors (default: 1)"),
        cli_row("--json", &args.json),
    };
    int rows = plan_robot_options(&args, options);
    rows += cli_rows(options + rows, more, CLI_ROWS(more));
    int operands = cli_parse(options, rows, argc, argv);
    if (operands != 1) cli_error("expected one model, got %d; see 'abut help plan roadmap'", operands);
    if (!args.output) cli_error("expected -o FILE for the roadmap");
    plan_check_ending("--output", args.output, ".npz", NULL);
    args.setup.robot.source = argv[0];
    plan_check_settings(&args);
    return make(&args, count);
}
