/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut collide: do two bodies meet? In: mesh files, convex or not, or bodies in words, poses. Out: how they meet, the
 * first or all pairs of triangles; with --path a row of CSV for each pose of B. Exit 0 when they meet, 1 when they do
 * not.
 */
#include "operands.h"
#include "progress.h"

enum { USUAL_LIMIT = 100000 };

typedef struct Args {
    Operands operands;
    int json, all, limit;
    const char *path; /* NULL: not given */
} Args;

typedef struct Answer {
    double t;
    AbutCollision x;
    int32_t collide, count;
    const AbutPair *pairs;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, collide, FLAG, "", "The bodies meet.")},
    {ABUT_FIELD_OF(Answer, x, abut_collision_record, "outcome containment_known")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Triangles that meet, one of A and one of B: the first, or all with `--all`."),
        .rows = ABUT_FIELD_POINTER, .columns = 2, .count_at = offsetof(Answer, count)},
    {ABUT_FIELD_OF(Answer, x, abut_collision_record, "more")},
};
const AbutRecord cli_collide_answer = ABUT_RECORD("collide", "", Answer, answer_fields);

static const AbutField row_fields[] = {
    {ABUT_FIELD(Answer, t, REAL, "s", "")},
    {ABUT_FIELD(Answer, collide, INT, "", "")},
    {ABUT_FIELD_OF(Answer, x, abut_collision_record, "outcome first_a first_b")},
};
static const AbutRecord row_record = ABUT_RECORD("row", "", Answer, row_fields);

/* All pairs up to --limit, or the first one. */
static Answer ask(const Args *args, AbutPose pose_b, AbutPair *pairs, AbutGapCache *cache) {
    AbutSolid a = operands_solid(&args->operands, 0), b = operands_solid(&args->operands, 1);
    AbutPose b_in_a = abut_pose_between(args->operands.of[0].pose, pose_b);
    Answer out = {.pairs = pairs};
    out.x = args->all ? abut_collide_all(a, b, b_in_a, args->limit, pairs) : abut_collide(a, b, b_in_a, cache);
    out.collide = abut_gap_meets(out.x.outcome);
    out.count = args->all ? out.x.count : out.x.outcome == ABUT_PENETRATING && out.x.first.a + out.x.first.b > -2;
    if (!args->all && pairs) pairs[0] = out.x.first;
    return out;
}

static int answer(const Args *args) {
    AbutPair *pairs = cli_room(args->all ? (size_t)args->limit : 1, sizeof *pairs);
    Answer a = ask(args, args->operands.of[1].pose, pairs, NULL);
    int status = a.collide ? CLI_OK : CLI_NO;
    if (a.x.outcome == ABUT_INVALID) cli_error("the numbers are too large");
    if (args->json) return cli_answer(2, &cli_collide_answer, NULL, &a, status);
    abut_record_print(stdout, &cli_collide_answer, "  outcome      {outcome}\n", &a);
    for (int i = 0; i < a.count; ++i) printf("  %-12s %d %d\n", i == 0 ? "triangles" : "", pairs[i].a, pairs[i].b);
    if (a.x.more) printf("  %-12s there are more pairs than --limit\n", "");
    if (!a.x.containment_known) puts("  note         a mesh is open: what lies inside it is not known");
    return status;
}

/* A row for each pose; yes when any of them meets. */
static int follow(const Args *args, int32_t count, const AbutKeyframe *key) {
    AbutGapCache cache = {0};
    Progress progress;
    AbutCsv *csv;
    int status = CLI_NO;
    progress_begin_table(&progress);
    cli_need(abut_csv_open(NULL, "t,collide,outcome,triangle_a,triangle_b", &csv, &cli_why));
    for (int32_t i = 0; i < count; ++i) {
        Answer a = ask(args, key[i].pose, NULL, &cache);
        progress_bar(&progress, (double)i / count, "pose %d of %d", i + 1, count);
        if (a.x.outcome == ABUT_INVALID) cli_error("%s: pose %d: the numbers are too large", args->path, i + 1);
        a.t = key[i].t;
        abut_csv_record(csv, &row_record, "t collide outcome first_a first_b", &a);
        status = a.collide ? CLI_OK : status;
    }
    progress_end(&progress);
    return status;
}

int cli_collide(int argc, char **argv) {
    Args args = {.operands = operands_make()};
    AbutKeyframe *key;
    int32_t count;
    const CliOption options[] = {
        OPERAND_OPTIONS(&args.operands),
        OPTION("--all", CLI_FLAG, &args.all, NULL, "list all pairs of triangles that meet, sorted"),
        OPTION("--limit", CLI_COUNT, &args.limit, "N", "with --all: at most this many (default: 100000)"),
        cli_row("--path", &args.path),
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &args.operands);
    if (args.path && (args.json || args.all)) cli_error("--path prints CSV: --json and --all do not go with it");
    if (args.all && (args.operands.convex || operands_by_pieces(&args.operands)))
        cli_error("--all lists triangles: --convex and --pieces do not go with it");
    args.limit = args.limit ? args.limit : USUAL_LIMIT;
    if (args.path) operands_poses(&args.operands, args.path, &count, &key);
    operands_read(ABUT_SOLID_TRIANGLES, &args.operands);
    operands_refuse_planes(&args.operands);
    return args.path ? follow(&args, count, key) : answer(&args);
}
