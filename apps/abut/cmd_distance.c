/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: how far apart are two bodies, or how deep do they overlap? In: mesh files, or bodies in words, taken
 * exactly; poses. Bodies in words, convex meshes, and with --convex the hulls of any, have an exact signed distance; of
 * other meshes that overlap a verified depth is searched for (distance_depth.c). Out: outcome, distance, normal and
 * witness points in the world frame; with --direction the direction of parting (distance_direction.c); with --path a
 * row of CSV for each pose of B. Exit 3 when the search did not converge, or came to the end of --max-supports.
 */
#include "operands.h"
#include "distance_direction.h"
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
    AbutGapCache gap;
    DepthState depth;
} Caches;

/* An answer in the world frame. */
typedef struct Answer {
    AbutGap gap;        /* of meshes that overlap: with the depth, where one is asked for */
    AbutGapOutcome how; /* of meshes, as they stand */
    double surface;     /* the same */
    int containment_known;
    int is_mesh, has_depth, certified;
    AbutWork work;
    DirectionAnswer direction;
} Answer;

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int is_convex_pair(const Args *args)
{
    const Operands *o = &args->operands;
    return o->convex || (o->of[0].body.is_convex && o->of[1].body.is_convex && !depth_is_asked(&args->depth));
}

/* Convex pairs are asked as their bodies, others by their triangles. */
static AbutSolid solid_of(const Args *args, int which, int convex)
{
    return convex ? abut_solid_convex(&args->operands.of[which].body.convex) : operands_solid(&args->operands, which);
}

/* The distance in the frame of A. */
static Answer ask(const Args *args, AbutPose b_in_a, Caches *caches)
{
    int convex = is_convex_pair(args);
    Answer out = {.is_mesh = !convex};
    AbutGapDef def = {
        .within = isnan(args->within) ? 0.0 : args->within, .max_supports = args->max_supports, .work = &out.work};
    out.gap = abut_distance(solid_of(args, 0, convex), solid_of(args, 1, convex), b_in_a, &def, &caches->gap);
    if (convex && out.gap.distance - out.gap.error > args->within)
        out.gap.outcome = ABUT_FARTHER; /* the budget may have ended it, but that much is proved */
    out.how = out.gap.outcome;
    out.surface = out.gap.surface;
    out.containment_known = out.gap.containment_known;
    return out;
}

/* Do meshes overlap? Then their distance says nothing about the depth. */
static int overlapping_meshes(const Answer *x)
{
    return x->is_mesh && x->gap.outcome != ABUT_INVALID && x->gap.outcome != ABUT_EMPTY && x->gap.distance <= 0.0;
}

/* Puts the depth of two meshes that overlap into the answer. */
static void add_depth(const Args *args, AbutPose b_in_a, Caches *caches, Answer *x)
{
    AbutWork work = {0};
    AbutGap d = depth_measure(&args->depth, &args->operands, b_in_a, &caches->depth, &work);
    double size = fmax(abut_max_abs(d.point_a), abut_max_abs(d.point_b));
    if (d.kind != ABUT_GAP_PIECES && cli_calm(d.distance, size) == 0.0)
        d.normal = d.plane; /* bodies that touch have no way out */
    x->has_depth = 1;
    x->certified = depth_is_certified(&args->depth, &d);
    x->gap = d;
    x->gap.outcome = x->how;
    x->work = work;
}

static Answer measure(const Args *args, AbutPose pose_b, Caches *caches)
{
    AbutPose pose_a = args->operands.of[0].pose, b_in_a = abut_pose_between(pose_a, pose_b);
    Answer out = ask(args, b_in_a, caches);
    if (out.how == ABUT_EMPTY)
        out.gap.outcome = ABUT_INVALID;
    if (overlapping_meshes(&out) && depth_is_wanted(&args->depth, &args->operands))
        add_depth(args, b_in_a, caches, &out);
    out.gap = abut_gap_in(pose_a, out.gap);
    if (out.gap.distance == 0.0)
        out.gap.distance = 0.0; /* not -0 */
    if (args->direction.method && out.gap.outcome != ABUT_INVALID &&
        !direction_measure(&args->direction, &args->operands, pose_b, &out.gap, &out.direction))
        out.gap.outcome = ABUT_INVALID;
    return out;
}

static const char *outcome_word(const Answer *x)
{
    int overlap = x->is_mesh && x->how != ABUT_SEPARATED && x->how != ABUT_FARTHER;
    return overlap ? "overlapping" : abut_word(abut_gap_outcome_names, (int)(x->is_mesh ? x->how : x->gap.outcome));
}

/* Support points of convex bodies, pairs of nodes of meshes; of depths the sweeps or pairs of pieces. */
static int iterations(const Answer *x)
{
    int64_t n = x->has_depth ? x->work.sweeps + x->work.piece_pairs
                : x->is_mesh ? x->work.node_pairs
                             : x->work.supports;
    return (int)(n < INT32_MAX ? n : INT32_MAX);
}

/* Of meshes beyond --within nothing is known but that. */
static int is_only_farther(const Answer *x)
{
    return x->is_mesh && x->how == ABUT_FARTHER;
}

/* What is printed: the numbers of the answer, NaN where they are not known. */
static AbutGap printed(const Answer *x)
{
    AbutGap out = x->gap;
    if (is_only_farther(x)) {
        out.distance = NAN;
        out.normal = out.point_a = out.point_b = abut_vec3(NAN, NAN, NAN);
    }
    out.error = x->has_depth || is_only_farther(x) ? NAN : (x->is_mesh ? 0.0 : x->gap.error);
    return out;
}

static int triangle(AbutPart part)
{
    return part.kind == ABUT_PART_TRIANGLE ? part.index[0] : -1;
}

typedef struct Printed {
    AbutGap d; /* NaN where not known */
    const char *outcome, *kind, *how;
    double farther_than, surface_distance;
    int32_t iterations, certified, verified_free, containment_known, triangle_a, triangle_b;
    int is_farther, is_mesh, with_direction;
    DirectionPrinted direction;
} Printed;

static const AbutField mesh_fields[] = {
    {ABUT_FIELD(Printed, how, TEXT, "", "Meshes: `apart`, `crossing`, `a_in_b` or `b_in_a`.")},
    {ABUT_FIELD(Printed, surface_distance, REAL, "m", "Meshes: distance of the surfaces.")},
    {ABUT_FIELD(Printed, containment_known, FLAG, "", "Meshes: false where one is open.")},
    {ABUT_FIELD(Printed, triangle_a, INT, "", "Meshes: the nearest triangle of A; -1 for none.")},
    {ABUT_FIELD(Printed, triangle_b, INT, "", "Meshes: the nearest triangle of B; -1 for none.")},
};
static const AbutRecord mesh_record = ABUT_RECORD("meshes", "", Printed, mesh_fields);

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Printed, outcome, TEXT, "",
        "`separated`, `touching`, `penetrating` (meshes that are not convex: `overlapping`), `farther` with "
        "`--within`, "
        "`not converged`.")},
    {ABUT_FIELD_AS(
        "distance", Printed, d.distance, REAL, "m", "Negative: the depth; null for meshes that are `farther`.")},
    {ABUT_FIELD(Printed, farther_than, REAL, "m", "With the outcome `farther`: the limit of `--within`."),
        .shown_at = offsetof(Printed, is_farther)},
    {ABUT_FIELD_OF(Printed, d, abut_gap_record, "normal point_a point_b")},
    {ABUT_FIELD(Printed, iterations, INT, "", "Steps of the search.")},
    {ABUT_FIELD_AS("gap", Printed, d.error, REAL, "m", "The true distance is at most this much smaller.")},
    {ABUT_FIELD(Printed, kind, TEXT, "", "`exact`, `sweep`, `classic`, `decomposition` or `surface`.")},
    {ABUT_FIELD(Printed, certified, FLAG, "", "The distance is proved.")},
    {ABUT_FIELD(Printed, verified_free, FLAG, "", "Verified: B moved by the depth is free.")},
    {.kind = ABUT_FIELD_PICK, .record = &mesh_record, .shown_at = offsetof(Printed, is_mesh)},
    {ABUT_FIELD_OF(Printed, direction, direction_record, NULL), .shown_at = offsetof(Printed, with_direction)},
};
const AbutRecord cli_distance_answer = ABUT_RECORD("distance", "", Printed, answer_fields);

static int print_json(const Args *args, const Answer *x, int status)
{
    const Printed out = {.d = printed(x),
        .outcome = outcome_word(x),
        .kind = x->has_depth            ? abut_word(abut_gap_kind_names, x->gap.kind)
                : overlapping_meshes(x) ? "surface"
                                        : "exact",
        .how = operands_how(x->how),
        .farther_than = args->within,
        .surface_distance = is_only_farther(x) ? NAN : x->surface,
        .iterations = iterations(x),
        .certified = x->has_depth ? x->certified : !overlapping_meshes(x) && x->gap.outcome != ABUT_NOT_CONVERGED,
        .verified_free = x->has_depth ? x->gap.verified : x->gap.distance > 0.0,
        .containment_known = x->containment_known,
        .triangle_a = triangle(x->gap.part_a),
        .triangle_b = triangle(x->gap.part_b),
        .is_farther = x->gap.outcome == ABUT_FARTHER,
        .is_mesh = x->is_mesh,
        .with_direction = args->direction.method != DIRECTION_NOT_ASKED,
        .direction = direction_printed(&args->direction, &x->direction)};
    return cli_answer(2, &cli_distance_answer, NULL, &out, status);
}

/* Distance, normal and points, of meshes with triangles; beyond --within only that limit. */
static void print_places(const Args *args, const Answer *x)
{
    double size = fmax(fabs(x->gap.distance), fmax(abut_max_abs(x->gap.point_a), abut_max_abs(x->gap.point_b)));
    if (is_only_farther(x)) {
        printf("  %-12s more than %.9g m\n", "distance", args->within);
        return;
    }
    printf("  %-12s %.9g m\n", "distance", cli_calm(x->gap.distance, size));
    cli_print_vec("normal", x->gap.normal, 1.0, "");
    cli_print_vec("point a", x->gap.point_a, size, " m");
    cli_print_vec("point b", x->gap.point_b, size, " m");
    if (x->is_mesh)
        printf("  %-12s %d %d\n", "triangles", triangle(x->gap.part_a), triangle(x->gap.part_b));
}

static void print_text(const Args *args, const Answer *x)
{
    printf("  %-12s %s\n", "outcome", outcome_word(x));
    print_places(args, x);
    printf("  %-12s %d\n", "iterations", iterations(x));
    if (!x->is_mesh && x->gap.error > 0.0 && (x->gap.outcome == ABUT_FARTHER || x->gap.outcome == ABUT_NOT_CONVERGED))
        printf("  %-12s %.9g m: the search ended early, and the distance is within this of what is printed\n", "gap",
            x->gap.error);
    if (x->has_depth)
        printf("  %-12s %s%s\n", "kind", abut_word(abut_gap_kind_names, x->gap.kind),
            x->gap.verified ? ", verified: B moved by this is free" : "");
    else if (overlapping_meshes(x))
        printf("  %-12s no depth was computed\n", "note");
    else if (args->depth.along.count > 0)
        printf("  %-12s the meshes are apart: the distance is in any direction, --along is for meshes that overlap\n",
            "note");
    if (x->is_mesh && !x->containment_known)
        printf("  %-12s a mesh is open: what lies inside it is not known\n", "note");
}

/* What a page needs of a path. */
typedef struct Path {
    AbutKeyframe *key;
    int32_t count;
    double *times; /* NULL without a page */
    AbutPose *pose;
    AbutGap *distance;
    AbutVec3 *direction; /* NULL without --direction */
    double *soft;        /* NULL without --direction soft */
} Path;

/* The page of both bodies at the poses of a path; at one pose `x` is the answer there. */
static void write_page(const Args *args, const Path *path, const Answer *x)
{
    char text[256], method[100];
    if (x)
        snprintf(method, sizeof method, "%s%s%s", x->is_mesh ? "triangles of the meshes" : "convex bodies",
            x->has_depth ? ", depth: " : "", x->has_depth ? abut_word(abut_gap_kind_names, x->gap.kind) : "");
    AbutPageHead head = {.subtitle = x ? "Distance" : "Distance along a path",
        .outcome = x ? outcome_word(x) : NULL,
        .note = endless_note(&args->operands, x ? method : cli_base_name(args->path), text)};
    AbutPageMeshes meshes = {.count = path->count,
        .times = path->times,
        .pose_b = path->pose,
        .distance = path->distance,
        .direction = path->direction,
        .soft = path->soft};
    operands_write_page(&args->operands, args->page, &head, &meshes);
}

static int answer(const Args *args)
{
    Caches caches = {0};
    const Operand *a = &args->operands.of[0], *b = &args->operands.of[1];
    Answer x = measure(args, b->pose, &caches);
    int status = x.gap.outcome == ABUT_NOT_CONVERGED ? CLI_UNDECIDED : CLI_OK;
    if (x.gap.outcome == ABUT_INVALID)
        cli_error("the numbers are too large or not finite");
    double zero = 0.0;
    if (!isfinite(x.gap.distance))
        cli_error("no move parts %s and %s: they have no end and do not face each other", a->file, b->file);
    Path here = {.count = 1, .times = &zero, .pose = (AbutPose[]){b->pose}, .distance = &x.gap};
    if (args->page)
        write_page(args, &here, &x);
    if (args->json)
        return print_json(args, &x, status);
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
    AbutGap d = printed(x);
    const AbutVec3 v[5] = {d.normal, d.point_a, d.point_b, x->direction.direction, x->direction.vector};
    int last = directions ? 14 : 8;
    print_field(t, ',');
    printf("%s,", outcome_word(x));
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

/* The poses, and room for the answers; the times of a page must grow. */
static void read_path(Args *args, Path *out)
{
    DirectionMethod method = args->direction.method;
    operands_poses(&args->operands, args->path, &out->count, &out->key);
    size_t count = (size_t)out->count;
    out->times = cli_room(count, sizeof *out->times);
    out->pose = cli_room(count, sizeof *out->pose);
    out->distance = cli_room(count, sizeof *out->distance);
    out->direction = method ? cli_room(count, sizeof *out->direction) : NULL;
    out->soft = method == DIRECTION_SOFT ? cli_room(count, sizeof *out->soft) : NULL;
    for (int32_t i = 0; i < out->count; ++i) {
        out->times[i] = out->key[i].t, out->pose[i] = out->key[i].pose;
        if (args->page && i > 0 && !(out->times[i] >= out->times[i - 1]))
            cli_error("%s: pose %d: --html shows times that grow, found %g behind %g", args->path, i + 1, out->times[i],
                out->times[i - 1]);
    }
}

/* For the page. */
static void keep_answer(const Path *path, int32_t i, const Answer *x)
{
    path->distance[i] = x->gap;
    if (path->direction)
        path->direction[i] = x->direction.direction;
    if (path->soft)
        path->soft[i] = x->direction.soft.distance;
}

static int follow(const Args *args, const Path *path)
{
    Caches caches = {0};
    DirectionTurn turn = {0};
    Progress progress;
    int status = CLI_OK;
    progress_begin_table(&progress);
    printf("t,outcome,distance,nx,ny,nz,ax,ay,az,bx,by,bz%s\n", args->direction.method ? ",ux,uy,uz,vx,vy,vz" : "");
    for (int32_t i = 0; i < path->count; ++i) {
        Answer x = measure(args, path->key[i].pose, &caches);
        progress_bar(&progress, (double)i / path->count, "pose %d of %d", i + 1, path->count);
        if (x.gap.outcome == ABUT_INVALID)
            cli_error("%s: pose %d: the numbers are too large", args->path, i + 1);
        print_row(path->key[i].t, &x, args->direction.method != DIRECTION_NOT_ASKED);
        if (x.gap.outcome == ABUT_NOT_CONVERGED)
            status = CLI_UNDECIDED;
        if (args->direction.method)
            direction_follow(&args->direction, &args->operands, path->key[i].t, path->key[i].pose, &x.direction, &turn);
        keep_answer(path, i, &x);
    }
    progress_end(&progress);
    if (args->direction.method)
        direction_print_turn(&args->direction, &turn);
    if (args->page)
        write_page(args, path, NULL);
    return status;
}

static int run(Args *args)
{
    Path path = {0};
    if (args->path)
        read_path(args, &path);
    args->operands.keep_meshes =
        args->page != NULL || depth_needs_pieces(&args->depth) || direction_needs_meshes(&args->direction);
    args->operands.plates = !depth_needs_pieces(&args->depth) && !direction_needs_meshes(&args->direction);
    operands_read(OPERAND_AS_IS, &args->operands);
    for (int k = 0; k < 2 && !is_convex_pair(args); ++k)
        operands_refuse_plane(&args->operands, &args->operands.of[k].body.convex, k);
    if (args->max_supports > 0 && !is_convex_pair(args))
        cli_error("--max-supports is for convex meshes; --convex takes the hulls");
    if (depth_is_asked(&args->depth) && !depth_is_wanted(&args->depth, &args->operands))
        cli_error("--depth and --along want two mesh files");
    depth_prepare(&args->operands, &args->depth);
    args->direction.once = args->path == NULL;
    direction_prepare(&args->operands, &args->direction);
    int status = args->path ? follow(args, &path) : answer(args);
    free_path(&path);
    depth_free(&args->depth);
    direction_free(&args->direction);
    return status;
}

int cli_distance(int argc, char **argv)
{
    Args args = {.operands = operands_make(), .within = NAN, .direction = direction_args()};
    CliOption direction[DIRECTION_OPTIONS];
    direction_options(&args.direction, direction);
    const CliOption options[] = {
        cli_row("--pose-a", &args.operands.of[0].pose),
        cli_row("--pose-b", &args.operands.of[1].pose),
        cli_row("--convex", &args.operands.convex),
        {"--within", NULL, CLI_REAL, &args.within, "D",
            "bodies farther apart than this are 'farther', and of meshes no more is told (default: any)"},
        {"--depth", NULL, CLI_TEXT, &args.depth.method, "METHOD",
            "how deep meshes overlap: sweep, classic, decomposition or none (default: sweep, exact for convex bodies)"},
        {"--along", NULL, CLI_REALS, &args.depth.along, "X,Y,Z",
            "the least move of B in this direction that parts two meshes that overlap (default: in any)"},
        cli_row("--pieces-a", &args.depth.folder[0]),
        cli_row("--pieces-b", &args.depth.folder[1]),
        direction[0],
        direction[1],
        direction[2],
        direction[3],
        direction[4],
        {"--max-supports", NULL, CLI_COUNT, &args.max_supports, "N",
            "end the search for convex bodies after about N support points, exit 3 (default: no limit)"},
        cli_row("--path", &args.path),
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the answer as a page to look at, with --path over time"},
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &args.operands);
    const char *inputs[3] = {args.operands.of[0].file, args.operands.of[1].file, args.path};
    cli_check_files(3, inputs, 1, &args.page);
    cli_check_range("--within", args.within, 1e-300, 1e60);
    depth_check(&args.depth);
    direction_check(&args.direction);
    if (!isnan(args.within) && args.direction.name)
        cli_error("--within gives no distance beyond its limit: --direction does not go with it");
    if (args.operands.convex && depth_is_asked(&args.depth))
        cli_error("--depth and --along look at the meshes: --convex does not go with them");
    if (args.path && args.json)
        cli_error("--path prints CSV: --json does not go with it");
    int status = run(&args);
    operands_free(&args.operands);
    return status;
}
