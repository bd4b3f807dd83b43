/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: how far apart are two bodies, or how deep do they overlap? In: mesh files, or bodies in words, taken
 * exactly; poses. Bodies in words, convex meshes, and with --convex the hulls of any, have an exact signed distance; of
 * other meshes that overlap a verified depth is searched for (distance_depth.c). Out: outcome, distance, normal and
 * witness points in the world frame; with --direction the direction of parting (distance_direction.c); with --path a
 * row of CSV for each pose of B. Exit 3 when the search did not converge, or came to the end of --max-supports.
 */
#include "distance_depth.h"
#include "distance_direction.h"
#include "endless.h"
#include "mesh_operands.h"
#include "pieces_folder.h"
#include "progress.h"

#include <math.h>

typedef struct Args {
    Operands operands;
    int json;
    double within;           /* NaN: not given */
    int max_supports;        /* 0: not given */
    const char *page, *path; /* NULL: not given */
    DepthArgs depth;
    DirectionArgs direction;
} Args;

typedef struct Caches {
    AbutDistanceCache convex;
    AbutMeshCache mesh;
    DepthState depth;
} Caches;

/* An answer in the world frame, of convex bodies or of meshes. */
typedef struct Answer {
    AbutDistance d;
    const char *outcome;
    AbutMeshDistance mesh; /* of meshes; its words count, not its places */
    int is_mesh, has_depth;
    AbutMeshDepth depth; /* the same */
    DirectionAnswer direction;
} Answer;

static const char farther[] = "farther";

static const char *outcome_name(AbutDistanceOutcome outcome)
{
    static const char *const names[] = {"separated", "touching", "penetrating", "not converged"};
    return names[outcome];
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int is_convex_pair(const Args *args)
{
    const Operands *o = &args->operands;
    return o->convex || (o->of[0].is_convex && o->of[1].is_convex && !depth_is_asked(&args->depth));
}

/* From the frame of A to the world. */
static void turn_to_world(AbutDistance *d, AbutPose pose_a)
{
    d->normal = abut_quat_rotate(pose_a.q, d->normal);
    d->point_a = abut_pose_apply(pose_a, d->point_a);
    d->point_b = abut_pose_apply(pose_a, d->point_b);
}

static Answer measure_convex(const Args *args, AbutPose pose_b, Caches *caches)
{
    const Operands *o = &args->operands;
    AbutDistanceDef def = {.stop_beyond = isnan(args->within) ? 0.0 : args->within, .max_supports = args->max_supports};
    Answer out = {.is_mesh = 0};
    out.d = abut_convex_distance_within(
        &o->of[0].convex, &o->of[1].convex, abut_pose_between(o->of[0].pose, pose_b), &def, &caches->convex);
    turn_to_world(&out.d, o->of[0].pose);
    if (out.d.outcome != ABUT_INVALID)
        out.outcome = out.d.distance - out.d.gap > args->within ? farther : outcome_name(out.d.outcome);
    if (out.outcome == farther)
        out.d.outcome = ABUT_SEPARATED; /* the budget may have ended it, but that much is proved */
    return out;
}

/* The answer to the question with A and B exchanged, `b_in_a` the pose of the true B. */
static AbutMeshDistance exchanged(AbutMeshDistance m, AbutPose b_in_a)
{
    AbutMeshDistance out = m;
    out.meeting = m.meeting == ABUT_MESH_A_IN_B   ? ABUT_MESH_B_IN_A
                  : m.meeting == ABUT_MESH_B_IN_A ? ABUT_MESH_A_IN_B
                                                  : m.meeting;
    out.normal = abut_neg(abut_quat_rotate(b_in_a.q, m.normal));
    out.point_a = abut_pose_apply(b_in_a, m.point_b);
    out.point_b = abut_pose_apply(b_in_a, m.point_a);
    out.triangle_a = m.triangle_b;
    out.triangle_b = m.triangle_a;
    return out;
}

/* Two meshes, or a mesh and a body in words; in the frame of A. */
static AbutMeshDistance ask_meshes(const Args *args, AbutPose b_in_a, Caches *caches)
{
    const Operand *a = &args->operands.of[0], *b = &args->operands.of[1];
    AbutMeshDistanceDef def = {.within = isnan(args->within) ? 0.0 : args->within};
    if (!a->tree)
        return exchanged(
            abut_mesh_convex_distance(b->tree, &a->convex, abut_pose_inv(b_in_a), &def, &caches->mesh), b_in_a);
    return b->tree ? abut_mesh_distance(a->tree, b->tree, b_in_a, &def, &caches->mesh)
                   : abut_mesh_convex_distance(a->tree, &b->convex, b_in_a, &def, &caches->mesh);
}

static int overlapping_meshes(const Answer *x)
{
    return x->is_mesh && x->d.outcome != ABUT_INVALID && x->d.distance == 0.0;
}

/* Puts the depth of two meshes that overlap into the answer. */
static void add_depth(const Args *args, AbutPose pose_b, Caches *caches, Answer *x)
{
    AbutPose pose_a = args->operands.of[0].pose;
    AbutMeshDepth d = depth_measure(&args->depth, &args->operands, abut_pose_between(pose_a, pose_b), &caches->depth);
    x->has_depth = 1;
    x->depth = d;
    x->d.distance = 0.0 - d.depth; /* 0, not -0 */
    double size = fmax(abut_max_abs(d.point_a), abut_max_abs(d.point_b));
    x->d.normal = cli_calm(d.depth, size) == 0.0 ? d.normal : d.direction; /* bodies that touch have no way out */
    x->d.point_a = d.point_a;
    x->d.point_b = d.point_b;
    turn_to_world(&x->d, pose_a);
    x->mesh.triangle_a = d.triangle_a, x->mesh.triangle_b = d.triangle_b;
    x->d.iterations = (int32_t)(d.sweeps < INT32_MAX ? d.sweeps : INT32_MAX);
}

static Answer measure_meshes(const Args *args, AbutPose pose_b, Caches *caches)
{
    AbutPose pose_a = args->operands.of[0].pose;
    AbutMeshDistance m = ask_meshes(args, abut_pose_between(pose_a, pose_b), caches);
    Answer out = {.mesh = m, .is_mesh = 1};
    out.outcome = m.meeting == ABUT_MESH_APART ? "separated" : m.meeting == ABUT_MESH_FARTHER ? farther : "overlapping";
    out.d.outcome = m.meeting == ABUT_MESH_INVALID || m.meeting == ABUT_MESH_EMPTY ? ABUT_INVALID : ABUT_SEPARATED;
    out.d.distance = m.distance;
    out.d.normal = m.normal;
    out.d.point_a = m.point_a;
    out.d.point_b = m.point_b;
    turn_to_world(&out.d, pose_a);
    out.d.iterations = (int32_t)(m.node_pairs < INT32_MAX ? m.node_pairs : INT32_MAX);
    if (overlapping_meshes(&out) && depth_is_wanted(&args->depth, &args->operands))
        add_depth(args, pose_b, caches, &out);
    return out;
}

static Answer measure(const Args *args, AbutPose pose_b, Caches *caches)
{
    Answer out = is_convex_pair(args) ? measure_convex(args, pose_b, caches) : measure_meshes(args, pose_b, caches);
    if (out.d.distance == 0.0)
        out.d.distance = 0.0; /* not -0 */
    if (args->direction.method && out.d.outcome != ABUT_INVALID &&
        !direction_measure(&args->direction, &args->operands, pose_b, &out.d, &out.direction))
        out.d.outcome = ABUT_INVALID;
    return out;
}

/* Of meshes beyond --within nothing is known but that. */
static int is_only_farther(const Answer *x)
{
    return x->is_mesh && x->outcome == farther;
}

/* What is printed: the numbers of the answer, NaN where they are not known. */
static AbutDistance printed(const Answer *x)
{
    AbutDistance out = x->d;
    if (is_only_farther(x)) {
        out.distance = NAN;
        out.normal = out.point_a = out.point_b = abut_vec3(NAN, NAN, NAN);
    }
    out.gap = x->has_depth || is_only_farther(x) ? NAN : (x->is_mesh ? 0.0 : x->d.gap);
    return out;
}

static int print_json(const CliCommand *command, const Args *args, const Answer *x, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    AbutDistance d = printed(x);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", x->outcome);
    abut_json_put_number(&json, "distance", d.distance);
    if (x->outcome == farther)
        abut_json_put_number(&json, "farther_than", args->within);
    abut_json_put_vec3(&json, "normal", d.normal);
    abut_json_put_vec3(&json, "point_a", d.point_a);
    abut_json_put_vec3(&json, "point_b", d.point_b);
    abut_json_put_integer(&json, "iterations", d.iterations);
    abut_json_put_number(&json, "gap", d.gap);
    abut_json_put_string(&json, "kind",
        x->has_depth            ? abut_depth_kind_name(x->depth.kind)
        : overlapping_meshes(x) ? "surface"
                                : "exact");
    abut_json_put_bool(&json, "certified",
        x->has_depth ? x->depth.certified : !overlapping_meshes(x) && x->d.outcome != ABUT_NOT_CONVERGED);
    abut_json_put_bool(&json, "verified_free", x->has_depth ? x->depth.verified_free : x->d.distance > 0.0);
    if (x->is_mesh) {
        abut_json_put_string(&json, "how", abut_mesh_meeting_name(x->mesh.meeting));
        abut_json_put_number(&json, "surface_distance", is_only_farther(x) ? NAN : x->mesh.surface_distance);
        abut_json_put_bool(&json, "containment_known", x->mesh.containment_known);
        abut_json_put_integer(&json, "triangle_a", x->mesh.triangle_a);
        abut_json_put_integer(&json, "triangle_b", x->mesh.triangle_b);
    }
    if (args->direction.method)
        direction_print_json(&args->direction, &x->direction, &json);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

/* Distance, normal and points, of meshes with triangles; beyond --within only that limit. */
static void print_places(const Args *args, const Answer *x)
{
    double size = fmax(fabs(x->d.distance), fmax(abut_max_abs(x->d.point_a), abut_max_abs(x->d.point_b)));
    if (is_only_farther(x)) {
        printf("  %-12s more than %.9g m\n", "distance", args->within);
        return;
    }
    printf("  %-12s %.9g m\n", "distance", cli_calm(x->d.distance, size));
    cli_print_vec("normal", x->d.normal, 1.0, "");
    cli_print_vec("point a", x->d.point_a, size, " m");
    cli_print_vec("point b", x->d.point_b, size, " m");
    if (x->is_mesh)
        printf("  %-12s %d %d\n", "triangles", x->mesh.triangle_a, x->mesh.triangle_b);
}

static void print_text(const Args *args, const Answer *x)
{
    printf("  %-12s %s\n", "outcome", x->outcome);
    print_places(args, x);
    printf("  %-12s %d\n", "iterations", x->d.iterations);
    if (!x->is_mesh && x->d.gap > 0.0 && (x->outcome == farther || x->d.outcome == ABUT_NOT_CONVERGED))
        printf("  %-12s %.9g m: the search ended early, and the distance is within this of what is printed\n", "gap",
            x->d.gap);
    if (x->has_depth)
        printf("  %-12s %s%s\n", "kind", abut_depth_kind_name(x->depth.kind),
            x->depth.verified_free ? ", verified: B moved by this is free" : "");
    else if (overlapping_meshes(x))
        printf("  %-12s no depth was computed\n", "note");
    else if (args->depth.along.count > 0)
        printf("  %-12s the meshes are apart: the distance is in any direction, --along is for meshes that overlap\n",
            "note");
    if (x->is_mesh && !x->mesh.containment_known)
        printf("  %-12s a mesh is open: what lies inside it is not known\n", "note");
}

/* What a page needs of a path. */
typedef struct Path {
    AbutKeyframe *key;
    int32_t count;
    double *times; /* NULL without a page */
    AbutPose *pose;
    AbutDistance *distance;
    AbutVec3 *direction; /* NULL without --direction */
    double *soft;        /* NULL without --direction soft */
} Path;

/* The page of both bodies at the poses of a path. */
static int write_page(const CliCommand *command, const Args *args, const Path *path, const char *note)
{
    const Operand *of = args->operands.of;
    char text[256];
    AbutPageHead head = {.title = "Distance", .note = endless_note(&args->operands, note, text)};
    AbutError error;
    AbutMesh plate[2] = {{0}, {0}};
    const AbutMesh *shown[2];
    int status =
        endless_meshes(command, &args->operands, (EndlessPoses){.count = path->count, .b = path->pose}, plate, shown);
    AbutPageMeshes meshes = {.mesh = {shown[0], shown[1]},
        .name = {of[0].file, of[1].file},
        .pose_a = of[0].pose,
        .count = path->count,
        .times = path->times,
        .pose_b = path->pose,
        .distance = path->distance,
        .direction = path->direction,
        .soft = path->soft};
    if (status == CLI_GO && abut_page_write_meshes(args->page, &head, &meshes, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_mesh_free(&plate[0]);
    abut_mesh_free(&plate[1]);
    return status;
}

static int answer(const CliCommand *command, const Args *args)
{
    Caches caches = {0};
    const Operand *a = &args->operands.of[0], *b = &args->operands.of[1];
    Answer x = measure(args, b->pose, &caches);
    int status = x.d.outcome == ABUT_NOT_CONVERGED ? CLI_UNDECIDED : CLI_OK;
    if (x.d.outcome == ABUT_INVALID)
        return cli_error(command, "the numbers are too large or not finite");
    double zero = 0.0;
    if (!isfinite(x.d.distance))
        return cli_error(
            command, "no move parts %s and %s: they have no end and do not face each other", a->file, b->file);
    Path here = {.count = 1, .times = &zero, .pose = (AbutPose[]){b->pose}, .distance = &x.d};
    if (args->page && write_page(command, args, &here, x.outcome) != CLI_GO)
        return CLI_BAD;
    if (args->json)
        return print_json(command, args, &x, status);
    print_text(args, &x);
    if (args->direction.method)
        direction_print_text(&args->direction, &x.direction);
    return status;
}

/* ---- path -------------------------------------------------------------------------------------------------------- */

static void print_field(double value, char after)
{
    char text[ABUT_DOUBLE_TEXT];
    abut_format_double(text, sizeof text, value);
    printf("%s%c", text, after);
}

static void print_row(double t, const Answer *x, int directions)
{
    AbutDistance d = printed(x);
    const AbutVec3 v[5] = {d.normal, d.point_a, d.point_b, x->direction.direction, x->direction.vector};
    int last = directions ? 14 : 8;
    print_field(t, ',');
    printf("%s,", x->outcome);
    print_field(d.distance, ',');
    for (int i = 0; i <= last; ++i)
        print_field(abut_get(v[i / 3], i % 3), i < last ? ',' : '\n');
}

static void free_path(Path *path)
{
    abut_free(path->key);
    abut_free(path->times);
    abut_free(path->pose);
    abut_free(path->distance);
    abut_free(path->direction);
    abut_free(path->soft);
}

/* The poses, and room for the answers where a page is wanted, whose times must grow. */
static int read_path(const CliCommand *command, Args *args, Path *out)
{
    if (mesh_operands_poses(command, &args->operands, args->path, &out->count, &out->key) != CLI_GO)
        return CLI_BAD;
    if (!args->page)
        return CLI_GO;
    size_t count = (size_t)out->count;
    out->times = abut_alloc_array(count, sizeof *out->times);
    out->pose = abut_alloc_array(count, sizeof *out->pose);
    out->distance = abut_alloc_array(count, sizeof *out->distance);
    if (args->direction.method)
        out->direction = abut_alloc_array(count, sizeof *out->direction);
    if (args->direction.method == DIRECTION_SOFT)
        out->soft = abut_alloc_array(count, sizeof *out->soft);
    if (!out->times || !out->pose || !out->distance || (args->direction.method && !out->direction) ||
        (args->direction.method == DIRECTION_SOFT && !out->soft))
        return cli_error(command, "no memory for %d poses", out->count);
    for (int32_t i = 0; i < out->count; ++i) {
        out->times[i] = out->key[i].t, out->pose[i] = out->key[i].pose;
        if (i > 0 && !(out->times[i] >= out->times[i - 1]))
            return cli_error(command, "%s: pose %d: --html shows times that grow, found %g behind %g", args->path,
                i + 1, out->times[i], out->times[i - 1]);
    }
    return CLI_GO;
}

/* For the page. */
static void keep_answer(const Path *path, int32_t i, const Answer *x)
{
    if (path->distance)
        path->distance[i] = x->d;
    if (path->direction)
        path->direction[i] = x->direction.direction;
    if (path->soft)
        path->soft[i] = x->direction.soft.distance;
}

static int follow(const CliCommand *command, const Args *args, const Path *path)
{
    Caches caches = {0};
    DirectionTurn turn = {0};
    Progress progress;
    int status = CLI_OK;
    progress_begin_table(&progress);
    printf("t,outcome,distance,nx,ny,nz,ax,ay,az,bx,by,bz%s\n", args->direction.method ? ",ux,uy,uz,vx,vy,vz" : "");
    for (int32_t i = 0; i < path->count && status != CLI_BAD; ++i) {
        Answer x = measure(args, path->key[i].pose, &caches);
        progress_bar(&progress, (double)i / path->count, "pose %d of %d", i + 1, path->count);
        if (x.d.outcome == ABUT_INVALID)
            status = cli_error(command, "%s: pose %d: the numbers are too large", args->path, i + 1);
        else
            print_row(path->key[i].t, &x, args->direction.method != DIRECTION_NOT_ASKED);
        if (x.d.outcome == ABUT_NOT_CONVERGED)
            status = CLI_UNDECIDED;
        if (args->direction.method && status != CLI_BAD)
            direction_follow(&args->direction, &args->operands, path->key[i].t, path->key[i].pose, &x.direction, &turn);
        keep_answer(path, i, &x);
    }
    progress_end(&progress);
    if (status != CLI_BAD && args->direction.method)
        direction_print_turn(&args->direction, &turn);
    if (status != CLI_BAD && args->page && write_page(command, args, path, args->path) != CLI_GO)
        return CLI_BAD;
    return status;
}

static int run(const CliCommand *command, Args *args)
{
    Path path = {0};
    int status = args->path ? read_path(command, args, &path) : CLI_GO;
    args->operands.keep_meshes =
        args->page != NULL || depth_needs_pieces(&args->depth) || direction_needs_meshes(&args->direction);
    args->operands.plates = !depth_needs_pieces(&args->depth) && !direction_needs_meshes(&args->direction);
    if (status == CLI_GO)
        status = operands_read(command, OPERAND_AS_IS, &args->operands);
    for (int k = 0; k < 2 && status == CLI_GO && !is_convex_pair(args); ++k)
        status = operands_refuse_plane(command, &args->operands, &args->operands.of[k].convex, k);
    if (status == CLI_GO && args->max_supports > 0 && !is_convex_pair(args))
        status = cli_error(command, "--max-supports is for convex meshes; --convex takes the hulls");
    if (status == CLI_GO && depth_is_asked(&args->depth) && !depth_is_wanted(&args->depth, &args->operands))
        status = cli_error(command, "--depth and --along want two mesh files");
    if (status == CLI_GO)
        status = depth_prepare(command, &args->operands, &args->depth);
    args->direction.once = args->path == NULL;
    if (status == CLI_GO)
        status = direction_prepare(command, &args->operands, &args->direction);
    if (status == CLI_GO)
        status = args->path ? follow(command, args, &path) : answer(command, args);
    free_path(&path);
    depth_free(&args->depth);
    direction_free(&args->direction);
    return status;
}

int cli_distance(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .within = NAN, .direction = direction_args()};
    CliOption direction[DIRECTION_OPTIONS];
    direction_options(&args.direction, direction);
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--within", NULL, CLI_REAL, &args.within, "D",
            "bodies farther apart than this are 'farther', and of meshes no more is told (default: any)"},
        depth_method_option(&args.depth),
        depth_along_option(&args.depth),
        pieces_folder_option(&args.depth.folder[0], 0),
        pieces_folder_option(&args.depth.folder[1], 1),
        direction[0],
        direction[1],
        direction[2],
        direction[3],
        direction[4],
        {"--max-supports", NULL, CLI_COUNT, &args.max_supports, "N",
            "end the search for convex bodies after about N support points, exit 3 (default: no limit)"},
        mesh_operands_path(&args.path),
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the answer as a page to look at, with --path over time"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status = operands_parse(
        command, options, sizeof options / sizeof options[0], argc, argv, "mesh files or bodies", &args.operands);
    const char *inputs[3] = {args.operands.of[0].file, args.operands.of[1].file, args.path};
    if (status == CLI_GO)
        status = cli_check_files(command, 3, inputs, 1, &args.page);
    if (status == CLI_GO)
        status = cli_check_range(command, "--within", args.within, 1e-300, 1e60);
    if (status == CLI_GO)
        status = depth_check(command, &args.depth);
    if (status == CLI_GO)
        status = direction_check(command, &args.direction);
    if (status == CLI_GO && !isnan(args.within) && args.direction.name)
        status = cli_error(command, "--within gives no distance beyond its limit: --direction does not go with it");
    if (status == CLI_GO && args.operands.convex && depth_is_asked(&args.depth))
        status = cli_error(command, "--depth and --along look at the meshes: --convex does not go with them");
    if (status == CLI_GO && args.path && args.json)
        status = cli_error(command, "--path prints CSV: --json does not go with it");
    if (status != CLI_GO)
        return status;
    status = run(command, &args);
    operands_free(&args.operands);
    return status;
}
