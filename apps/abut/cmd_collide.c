/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut collide: do two meshes meet, or a mesh and a body in words? In: mesh files, convex or not, poses. Out: how they
 * meet, the first or all pairs of triangles; with --path a row of CSV for each pose of B. Exit 0 when they meet, 1 when
 * they do not.
 */
#include "operands.h"
#include "progress.h"

typedef struct Args {
    Operands operands;
    int json, all, limit;
    const char *path;    /* NULL: not given */
    AbutKeyframe *poses; /* of that file */
    int32_t pose_count;
} Args;

static int collides(const AbutCollision *c)
{
    return abut_gap_meets(c->outcome);
}

typedef struct Answer {
    AbutCollision x;
    int32_t collide, count;
    const char *how;
    const AbutPair *pairs;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, collide, FLAG, "", "The bodies meet.")},
    {ABUT_FIELD(Answer, how, TEXT, "", "`apart`, `crossing`, `a_in_b` or `b_in_a`.")},
    {ABUT_FIELD_OF(Answer, x, abut_collision_record, "containment_known")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Triangles that meet, one of A and one of B: the first, or all with `--all`."),
        .rows = ABUT_FIELD_POINTER, .columns = 2, .count_at = offsetof(Answer, count)},
    {ABUT_FIELD_OF(Answer, x, abut_collision_record, "more")},
};
const AbutRecord cli_collide_answer = ABUT_RECORD("collide", "", Answer, answer_fields);

static int print_text(const AbutCollision *c, const AbutPair *pair, int count)
{
    printf("  %-12s %s\n", "how", operands_how(c->outcome));
    for (int i = 0; i < count; ++i)
        printf("  %-12s %d %d\n", i == 0 ? "triangles" : "", pair[i].a, pair[i].b);
    if (c->more)
        printf("  %-12s there are more pairs than --limit\n", "");
    if (!c->containment_known)
        printf("  %-12s a mesh is open: what lies inside it is not known\n", "note");
    return collides(c) ? CLI_OK : CLI_NO;
}

/* All pairs up to --limit, or the first one. */
static AbutCollision ask(const Args *args, AbutPose b_in_a, AbutPair *pairs, AbutGapCache *cache)
{
    AbutSolid a = operands_solid(&args->operands, 0), b = operands_solid(&args->operands, 1);
    return args->all ? abut_collide_all(a, b, b_in_a, args->limit, pairs) : abut_collide(a, b, b_in_a, cache);
}

static int answer(const Args *args)
{
    AbutPair *pairs = abut_alloc_array(args->all ? (size_t)args->limit : 1, sizeof *pairs);
    if (!pairs)
        cli_error("out of memory for %d pairs; --limit takes fewer", args->limit);
    AbutCollision c = ask(args, operands_relative_pose(&args->operands), pairs, NULL);
    int count = args->all ? c.count : c.outcome == ABUT_PENETRATING;
    if (!args->all)
        pairs[0] = c.first;
    if (c.outcome == ABUT_INVALID)
        cli_error("the numbers are too large");
    Answer found = {c, collides(&c), count, operands_how(c.outcome), pairs};
    int status = args->json ? cli_answer(2, &cli_collide_answer, NULL, &found, collides(&c) ? CLI_OK : CLI_NO)
                            : print_text(&c, pairs, count);
    abut_free(pairs);
    return status;
}

/* A row for each pose; yes when any of them meets. */
static int follow(const Args *args)
{
    AbutGapCache cache = {0};
    Progress progress;
    int any = 0;
    progress_begin_table(&progress);
    puts("t,collide,how,triangle_a,triangle_b");
    for (int32_t i = 0; i < args->pose_count; ++i) {
        AbutPose pose = abut_pose_between(args->operands.of[0].pose, args->poses[i].pose);
        AbutCollision c = ask(args, pose, NULL, &cache);
        char t[ABUT_DOUBLE_TEXT];
        progress_bar(&progress, (double)i / args->pose_count, "pose %d of %d", i + 1, args->pose_count);
        if (c.outcome == ABUT_INVALID)
            cli_error("%s: pose %d: the numbers are too large", args->path, i + 1);
        abut_format_double(t, sizeof t, args->poses[i].t);
        printf("%s,%d,%s,%d,%d\n", t, collides(&c), operands_how(c.outcome), c.first.a, c.first.b);
        any = any || collides(&c);
    }
    progress_end(&progress);
    return any ? CLI_OK : CLI_NO;
}

int cli_collide(int argc, char **argv)
{
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        cli_row("--pose-a", &args.operands.of[0].pose),
        cli_row("--pose-b", &args.operands.of[1].pose),
        {"--all", NULL, CLI_FLAG, &args.all, NULL, "list all pairs of triangles that meet, sorted"},
        {"--limit", NULL, CLI_COUNT, &args.limit, "N", "with --all: at most this many (default: 100000)"},
        cli_row("--path", &args.path),
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files", &args.operands);
    if (args.path && (args.json || args.all))
        cli_error("--path prints CSV: --json and --all do not go with it");
    if (args.limit && !args.all)
        cli_error("--limit says how many pairs --all may list: without --all it does nothing");
    args.limit = args.limit ? args.limit : 100000;
    if (args.path)
        operands_poses(&args.operands, args.path, &args.pose_count, &args.poses);
    operands_read_triangles(&args.operands);
    int status = args.path ? follow(&args) : answer(&args);
    abut_free(args.poses);
    operands_free(&args.operands);
    return status;
}
