/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut collide: do two meshes meet, or a mesh and a body in words? In: mesh files, convex or not, poses. Out: how they
 * meet, the first or all pairs of triangles; with --path a row of CSV for each pose of B. Exit 0 when they meet, 1 when
 * they do not.
 */
#include "mesh_operands.h"
#include "progress.h"

typedef struct Args {
    Operands operands;
    int json, all, limit;
    const char *path; /* NULL: not given */
} Args;

static int collides(const AbutMeshCollision *c)
{
    return abut_gap_meets(c->outcome);
}

static int print_json(
    const CliCommand *command, const AbutMeshCollision *c, const AbutMeshPairOfTriangles *pair, int count)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_bool(&json, "collide", collides(c));
    abut_json_put_string(&json, "how", operands_how(c->outcome));
    abut_json_put_bool(&json, "containment_known", c->containment_known);
    abut_json_key(&json, "pairs");
    abut_json_begin_array(&json);
    for (int i = 0; i < count; ++i) {
        abut_json_begin_array(&json);
        abut_json_integer(&json, pair[i].a);
        abut_json_integer(&json, pair[i].b);
        abut_json_end_array(&json);
    }
    abut_json_end_array(&json);
    abut_json_put_bool(&json, "more", c->more);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, collides(c) ? CLI_OK : CLI_NO);
}

static int print_text(const AbutMeshCollision *c, const AbutMeshPairOfTriangles *pair, int count)
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

/* The answer to the question with A and B exchanged. */
static AbutMeshCollision exchanged(AbutMeshCollision c)
{
    AbutMeshCollision out = c;
    out.outcome = c.outcome == ABUT_B_IN_A ? ABUT_A_IN_B : c.outcome;
    out.first.a = c.first.b, out.first.b = c.first.a;
    return out;
}

/* First pair of two meshes, or of a mesh and a body in words. */
static AbutMeshCollision ask(const MeshOperands *m, AbutPose pose, AbutMeshCache *cache)
{
    if (m->tree[0] && m->tree[1])
        return abut_mesh_collide(m->tree[0], m->tree[1], pose, cache);
    if (m->tree[0])
        return abut_mesh_convex_collide(m->tree[0], &m->convex[1], pose, cache);
    return exchanged(abut_mesh_convex_collide(m->tree[1], &m->convex[0], abut_pose_inv(pose), cache));
}

/* All pairs; of a body in words the number is -1. */
static AbutMeshCollision ask_all(const MeshOperands *m, AbutPose pose, int limit, AbutMeshPairOfTriangles *pairs)
{
    if (m->tree[0] && m->tree[1])
        return abut_mesh_collide_all(m->tree[0], m->tree[1], pose, limit, pairs);
    int second = m->tree[0] == NULL;
    int32_t *list = (int32_t *)(void *)pairs; /* room for twice as many numbers */
    AbutMeshCollision c = abut_mesh_convex_collide_all(
        m->tree[second], &m->convex[!second], second ? abut_pose_inv(pose) : pose, limit, list);
    for (int32_t i = c.count; i-- > 0;) {
        int32_t number = list[i];
        pairs[i] = second ? (AbutMeshPairOfTriangles){-1, number} : (AbutMeshPairOfTriangles){number, -1};
    }
    return second ? exchanged(c) : c;
}

static int answer(const CliCommand *command, const Args *args, const MeshOperands *m)
{
    AbutPose pose = operands_relative_pose(&args->operands);
    AbutMeshPairOfTriangles first, *pairs = &first;
    AbutMeshCollision c;
    int count;
    if (args->all) {
        pairs = abut_alloc_array((size_t)args->limit, sizeof *pairs);
        if (!pairs)
            return cli_error(command, "no memory for %d pairs; --limit takes fewer", args->limit);
        c = ask_all(m, pose, args->limit, pairs);
        count = c.count;
    } else {
        c = ask(m, pose, NULL);
        first = c.first;
        count = c.outcome == ABUT_PENETRATING;
    }
    int status = c.outcome == ABUT_INVALID ? cli_error(command, "the numbers are too large")
                 : args->json              ? print_json(command, &c, pairs, count)
                                           : print_text(&c, pairs, count);
    if (args->all)
        abut_free(pairs);
    return status;
}

/* A row for each pose; yes when any of them meets. */
static int follow(const CliCommand *command, const Args *args, const MeshOperands *m)
{
    AbutMeshCache cache = {0, 0};
    Progress progress;
    int any = 0, status = CLI_GO;
    progress_begin_table(&progress);
    puts("t,collide,how,triangle_a,triangle_b");
    for (int32_t i = 0; i < m->path_count && status == CLI_GO; ++i) {
        AbutPose pose = abut_pose_between(args->operands.of[0].pose, m->path[i].pose);
        AbutMeshCollision c = ask(m, pose, &cache);
        char t[ABUT_DOUBLE_TEXT];
        progress_bar(&progress, (double)i / m->path_count, "pose %d of %d", i + 1, m->path_count);
        if (c.outcome == ABUT_INVALID) {
            status = cli_error(command, "%s: pose %d: the numbers are too large", args->path, i + 1);
            break;
        }
        abut_format_double(t, sizeof t, m->path[i].t);
        printf("%s,%d,%s,%d,%d\n", t, collides(&c), operands_how(c.outcome), c.first.a, c.first.b);
        any = any || collides(&c);
    }
    progress_end(&progress);
    return status != CLI_GO ? status : any ? CLI_OK : CLI_NO;
}

int cli_collide(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        {"--all", NULL, CLI_FLAG, &args.all, NULL, "list all pairs of triangles that meet, sorted"},
        {"--limit", NULL, CLI_COUNT, &args.limit, "N", "with --all: at most this many (default: 100000)"},
        mesh_operands_path(&args.path),
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    MeshOperands meshes;
    int status =
        operands_parse(command, options, sizeof options / sizeof options[0], argc, argv, "mesh files", &args.operands);
    if (status != CLI_GO)
        return status;
    if (args.path && (args.json || args.all))
        return cli_error(command, "--path prints CSV: --json and --all do not go with it");
    if (args.limit && !args.all)
        return cli_error(command, "--limit says how many pairs --all may list: without --all it does nothing");
    args.limit = args.limit ? args.limit : 100000;
    status = mesh_operands_read(command, &args.operands, args.path, &meshes);
    if (status != CLI_GO)
        return status;
    status = args.path ? follow(command, &args, &meshes) : answer(command, &args, &meshes);
    mesh_operands_free(&meshes);
    return status;
}
