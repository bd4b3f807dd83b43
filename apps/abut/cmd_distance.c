/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: how far apart are two bodies, or how deep do they overlap? In: mesh files, or bodies in words, taken
 * exactly; poses. Bodies in words, convex meshes, the hulls of --convex and the pieces of --pieces have a signed
 * distance; of other meshes that overlap a verified depth is searched for. Out: outcome, distance, normal and witness
 * points in the world frame; with --direction the direction of parting (distance_direction.c); with --path a row of CSV
 * for each pose of B. Exit 3 when the search did not converge, or came to the end of --max-supports.
 */
#include "operands.h"
#include "abut/literature.h"
#include "distance_direction.h"
#include "progress.h"

#include <math.h>

typedef enum Depth { DEPTH_SWEEP = 0, DEPTH_CLASSIC, DEPTH_DECOMPOSITION, DEPTH_NONE } Depth;
static const char *const depth_names[] = {"sweep", "classic", "decomposition", "none", NULL};

typedef struct Args {
    Operands operands;
    int json;
    double within;           /* NaN: not given */
    int max_supports;        /* 0: not given */
    const char *page, *path; /* NULL: not given */
    int depth;               /* -1: not given */
    CliReals along;          /* count 0: not given */
    DirectionArgs direction;
} Args;

/* Made once and carried from pose to pose. */
typedef struct Caches {
    AbutGapCache gap;
    AbutMeshCore core[2];
    int ready;
} Caches;

/* An answer in the world frame. */
typedef struct Answer {
    double t;
    AbutGap gap;        /* of meshes that overlap: with the depth, where one is asked for */
    AbutGapOutcome how; /* as they stand */
    AbutWork work;
    int32_t certified, verified_free, containment_known, triangle_a, triangle_b, iterations;
    int is_mesh, has_depth, overlapping, is_farther, only_farther, with_direction;
    const char *kind;
    double farther_than, surface_distance, printed_gap;
    DirectionAnswer direction;
} Answer;

static const AbutField mesh_fields[] = {
    {ABUT_FIELD(Answer, surface_distance, REAL, "m", "Meshes: distance of the surfaces.")},
    {ABUT_FIELD(Answer, containment_known, FLAG, "", "Meshes: false where one is open.")},
    {ABUT_FIELD(Answer, triangle_a, INT, "", "Meshes: the nearest triangle of A; -1 for none.")},
    {ABUT_FIELD(Answer, triangle_b, INT, "", "Meshes: the nearest triangle of B; -1 for none.")},
};
static const AbutRecord mesh_record = ABUT_RECORD("meshes", "", Answer, mesh_fields);

static const AbutField answer_fields[] = {
    {ABUT_FIELD_AS("outcome", Answer, how, WORD, "", "How the bodies lie to each other; `farther` with `--within`."),
        .words = abut_gap_outcome_names},
    {ABUT_FIELD_AS(
        "distance", Answer, gap.distance, REAL, "m", "Negative: the depth; null for meshes that are `farther`.")},
    {ABUT_FIELD(Answer, farther_than, REAL, "m", "With the outcome `farther`: the limit of `--within`."),
        .shown_at = offsetof(Answer, is_farther)},
    {ABUT_FIELD_OF(Answer, gap, abut_gap_record, "normal point_a point_b")},
    {ABUT_FIELD(Answer, iterations, INT, "", "Steps of the search.")},
    {ABUT_FIELD_AS("gap", Answer, printed_gap, REAL, "m", "The true distance is at most this much smaller.")},
    {ABUT_FIELD(Answer, kind, TEXT, "", "`exact`, `sweep`, `classic`, `decomposition` or `surface`.")},
    {ABUT_FIELD(Answer, certified, FLAG, "", "The distance is proved.")},
    {ABUT_FIELD(Answer, verified_free, FLAG, "", "Verified: B moved by the depth is free.")},
    {.kind = ABUT_FIELD_PICK, .record = &mesh_record, .shown_at = offsetof(Answer, is_mesh)},
    {ABUT_FIELD_OF(Answer, direction, direction_record, NULL), .shown_at = offsetof(Answer, with_direction)},
};
const AbutRecord cli_distance_answer = ABUT_RECORD("distance", "", Answer, answer_fields);

/* ---- answer ------------------------------------------------------------------------------------------------------ */

/* Were options given that ask for the depth of meshes, convex or not? */
static int asks_depth(const Args *args) {
    return args->along.count > 0 || (args->depth >= 0 && args->depth != DEPTH_NONE);
}

static int has_trees(const Args *args) { return args->operands.of[0].body.tree && args->operands.of[1].body.tree; }

/* Can the depth be found? A mesh and a body in words know one way to look for it. */
static int knows_depth(const Args *args) {
    int some = args->operands.of[0].body.tree || args->operands.of[1].body.tree;
    return has_trees(args) || (some && args->depth <= DEPTH_SWEEP);
}

/* By its triangles; else convex bodies, or pieces, have a signed distance. */
static int is_mesh_pair(const Args *args) {
    const Operands *o = &args->operands;
    int convex = o->of[0].body.is_convex && o->of[1].body.is_convex && !asks_depth(args);
    return !o->convex && !convex && (!operands_by_pieces(o) || args->depth == DEPTH_DECOMPOSITION);
}

static AbutSolid solid_of(const Args *args, int which) {
    const AbutSolidBody *body = &args->operands.of[which].body;
    if (is_mesh_pair(args) && body->tree) return abut_solid_mesh(body->tree);
    return is_mesh_pair(args) || !operands_by_pieces(&args->operands) ? abut_solid_convex(&body->convex)
                                                                      : operands_solid(&args->operands, which);
}

/* The depth of two meshes in the frame of A: of the deepest pair of pieces, or by a way out. */
static AbutGap measure_depth(const Args *args, AbutPose b_in_a, Caches *c, AbutWork *work) {
    const AbutSolidBody *a = &args->operands.of[0].body, *b = &args->operands.of[1].body;
    const double *v = args->along.value;
    if (args->depth == DEPTH_DECOMPOSITION) {
        AbutGap out = abut_distance(
            abut_solid_pieces(&a->pieces), abut_solid_pieces(&b->pieces), b_in_a, &(AbutGapDef){.work = work}, NULL);
        out.distance = out.distance < 0.0 ? out.distance : 0.0;
        return out;
    }
    for (int k = 0; k < 2 && !c->ready; ++k)
        if (args->operands.of[k].body.tree) c->core[k] = abut_mesh_core(args->operands.of[k].body.tree);
    c->ready = 1;
    AbutDepthDef def = {.core_a = &c->core[0], .core_b = &c->core[1], .work = work};
    if (args->depth == DEPTH_CLASSIC) def.method = abut_depth_classic;
    if (args->along.count > 0)
        def.along = abut_quat_rotate_inv(args->operands.of[0].pose.q, abut_normalize(abut_vec3(v[0], v[1], v[2])));
    return abut_depth(solid_of(args, 0), solid_of(args, 1), b_in_a, &def, &c->gap);
}

static int are_closed(const Args *args) {
    const Operand *of = args->operands.of;
    return (of[0].body.pieces.closed || !of[0].body.pieces.count) &&
           (of[1].body.pieces.closed || !of[1].body.pieces.count);
}

/* Puts the depth of two meshes that overlap into the answer. */
static void add_depth(const Args *args, AbutPose b_in_a, Caches *caches, Answer *x) {
    x->work = (AbutWork){0};
    AbutGap d = measure_depth(args, b_in_a, caches, &x->work);
    double size = fmax(abut_max_abs(d.point_a), abut_max_abs(d.point_b));
    if (d.kind != ABUT_GAP_PIECES && cli_calm(d.distance, size) == 0.0)
        d.normal = d.plane; /* bodies that touch have no way out */
    x->has_depth = 1;
    x->certified = d.kind == ABUT_GAP_PIECES ? are_closed(args) : d.outcome == ABUT_SEPARATED;
    x->gap = d;
    x->gap.outcome = x->how;
}

static int triangle(AbutPart part) { return part.kind == ABUT_PART_TRIANGLE ? part.index[0] : -1; }

/* Printed beside the gap: work of the search, what is proved, and NaN for unknown values. */
static void complete(const Args *args, Answer *x) {
    int by_pieces = x->gap.kind == ABUT_GAP_PIECES;
    int64_t n = x->has_depth || by_pieces ? x->work.sweeps + x->work.piece_pairs
                : x->is_mesh              ? x->work.node_pairs
                                          : x->work.supports;
    x->iterations = (int)(n < INT32_MAX ? n : INT32_MAX);
    x->farther_than = args->within;
    x->is_farther = x->how == ABUT_FARTHER;
    x->only_farther = x->is_mesh && x->is_farther; /* of meshes beyond --within nothing is known but that */
    x->kind = x->has_depth || by_pieces ? abut_word(abut_gap_kind_names, x->gap.kind)
              : x->overlapping          ? "surface"
                                        : "exact";
    if (by_pieces && !x->is_mesh)
        x->certified = are_closed(args);
    else if (!x->has_depth)
        x->certified = !x->overlapping && x->gap.outcome != ABUT_NOT_CONVERGED;
    x->verified_free = x->has_depth ? x->gap.verified : x->gap.distance > 0.0;
    x->printed_gap = x->has_depth || x->only_farther ? NAN : x->is_mesh ? 0.0 : x->gap.error;
    x->triangle_a = triangle(x->gap.part_a);
    x->triangle_b = triangle(x->gap.part_b);
    if (x->only_farther) {
        x->gap.distance = x->surface_distance = NAN;
        x->gap.normal = x->gap.point_a = x->gap.point_b = abut_vec3(NAN, NAN, NAN);
    }
}

static Answer measure(const Args *args, AbutPose pose_b, Caches *caches) {
    AbutPose pose_a = args->operands.of[0].pose, b_in_a = abut_pose_between(pose_a, pose_b);
    Answer x = {.is_mesh = is_mesh_pair(args)};
    AbutGapDef def = {
        .within = isnan(args->within) ? 0.0 : args->within, .max_supports = args->max_supports, .work = &x.work};
    x.gap = abut_distance(solid_of(args, 0), solid_of(args, 1), b_in_a, &def, &caches->gap);
    if (!x.is_mesh && x.gap.distance - x.gap.error > args->within)
        x.gap.outcome = ABUT_FARTHER; /* the budget may have ended it, but that much is proved */
    if (x.gap.outcome == ABUT_EMPTY) x.gap.outcome = ABUT_INVALID;
    x.how = x.gap.outcome;
    x.surface_distance = x.gap.surface;
    x.containment_known = x.gap.containment_known;
    x.overlapping = x.is_mesh && x.how != ABUT_INVALID && x.gap.distance <= 0.0;
    if (x.overlapping && knows_depth(args) && args->depth != DEPTH_NONE) add_depth(args, b_in_a, caches, &x);
    x.gap = abut_gap_in(pose_a, x.gap);
    if (x.gap.distance == 0.0) x.gap.distance = 0.0; /* not -0 */
    if (args->direction.method && x.gap.outcome != ABUT_INVALID &&
        !direction_measure(&args->direction, &args->operands, pose_b, &x.gap, &x.direction))
        x.gap.outcome = ABUT_INVALID;
    x.with_direction = args->direction.method != DIRECTION_NOT_ASKED;
    complete(args, &x);
    return x;
}

/* ---- text and pages ---------------------------------------------------------------------------------------------- */

static const char places_text[] = "  distance     {distance~point_a point_b:.9g} m\n"
                                  "  normal       {normal~:.9g}\n"
                                  "  point a      {point_a~distance point_b:.9g} m\n"
                                  "  point b      {point_b~distance point_a:.9g} m\n"
                                  "  triangles    {triangle_a} {triangle_b}\n";

static void print(const char *text, const Answer *x) { abut_record_print(stdout, &cli_distance_answer, text, x); }

static void print_text(const Args *args, const Answer *x) {
    print("  outcome      {outcome}\n", x);
    print(x->only_farther ? "  distance     more than {farther_than:.9g} m\n" : places_text, x);
    print("  iterations   {iterations}\n", x);
    if (!x->is_mesh && x->gap.error > 0.0 && (x->is_farther || x->gap.outcome == ABUT_NOT_CONVERGED))
        print(
            "  gap          {gap:.9g} m: the search ended early, and the distance is within this of what is printed\n",
            x);
    if (x->has_depth || x->gap.kind == ABUT_GAP_PIECES)
        print(x->has_depth ? "  kind         {kind}{verified_free?, verified: B moved by this is free}\n"
                           : "  kind         {kind}\n",
            x);
    else if (x->overlapping)
        puts("  note         no depth was computed");
    else if (args->along.count > 0)
        puts("  note         the meshes are apart: the distance is in any direction, --along is for meshes that "
             "overlap");
    if (x->is_mesh && !x->containment_known) puts("  note         a mesh is open: what lies inside it is not known");
    if (args->direction.method) direction_print_text(&args->direction, &x->direction);
}

/* The page of both bodies at the poses of a path; at one pose `x` is the answer there. */
static void write_page(const Args *args, AbutPageMeshes *meshes, const Answer *x) {
    char text[256], method[100], title[300];
    if (x)
        snprintf(method, sizeof method, "%s%s%s", x->is_mesh ? "triangles of the meshes" : "convex bodies",
            x->has_depth ? ", depth: " : "", x->has_depth ? x->kind : "");
    AbutPageHead head = {.title = operands_title(&args->operands, title),
        .subtitle = x ? "Distance" : "Distance along a path",
        .outcome = x ? abut_word(abut_gap_outcome_names, x->how) : NULL,
        .note = endless_note(&args->operands, x ? method : cli_base_name(args->path), text)};
    operands_show(&args->operands, meshes);
    cli_need(abut_page_write_meshes(args->page, &head, meshes, &cli_why));
}

static int answer(const Args *args) {
    Caches caches = {0};
    const Operand *a = &args->operands.of[0], *b = &args->operands.of[1];
    Answer x = measure(args, b->pose, &caches);
    int status = x.gap.outcome == ABUT_NOT_CONVERGED ? CLI_UNDECIDED : CLI_OK;
    double zero = 0.0;
    if (x.gap.outcome == ABUT_INVALID) cli_error("the numbers are too large or not finite");
    if (!isfinite(x.gap.distance) && !x.only_farther)
        cli_error("no move parts %s and %s: they have no end and do not face each other", a->file, b->file);
    if (args->page)
        write_page(args, &(AbutPageMeshes){.count = 1, .times = &zero, .pose_b = &b->pose, .distance = &x.gap}, &x);
    if (args->json) return cli_answer(2, &cli_distance_answer, NULL, &x, status);
    print_text(args, &x);
    return status;
}

/* ---- path -------------------------------------------------------------------------------------------------------- */

static const AbutField row_fields[] = {
    {ABUT_FIELD(Answer, t, REAL, "s", "")},
    {.kind = ABUT_FIELD_PICK, .record = &cli_distance_answer},
};
static const AbutRecord row_record = ABUT_RECORD("row", "", Answer, row_fields);

static int follow(const Args *args, int32_t count, const AbutKeyframe *key) {
    Caches caches = {0};
    DirectionTurn turn = {0};
    Progress progress;
    AbutCsv *csv;
    size_t n = (size_t)count;
    double *times = cli_room(n, sizeof *times), *soft = cli_room(n, sizeof *soft);
    AbutPose *poses = cli_room(n, sizeof *poses);
    AbutGap *gaps = cli_room(n, sizeof *gaps);
    AbutVec3 *directions = cli_room(n, sizeof *directions);
    int status = CLI_OK, directed = args->direction.method != DIRECTION_NOT_ASKED;
    progress_begin_table(&progress);
    cli_need(abut_csv_open(NULL,
        directed ? "t,outcome,distance,nx,ny,nz,ax,ay,az,bx,by,bz,ux,uy,uz,vx,vy,vz"
                 : "t,outcome,distance,nx,ny,nz,ax,ay,az,bx,by,bz",
        &csv, &cli_why));
    for (int32_t i = 0; i < count; ++i) {
        Answer x = measure(args, key[i].pose, &caches);
        progress_bar(&progress, (double)i / count, "pose %d of %d", i + 1, count);
        if (x.gap.outcome == ABUT_INVALID) cli_error("%s: pose %d: the numbers are too large", args->path, i + 1);
        times[i] = x.t = key[i].t, poses[i] = key[i].pose, gaps[i] = x.gap;
        directions[i] = x.direction.direction, soft[i] = x.direction.soft.distance;
        abut_csv_record(csv, &row_record,
            directed ? "t outcome distance normal point_a point_b direction vector"
                     : "t outcome distance normal point_a point_b",
            &x);
        if (x.gap.outcome == ABUT_NOT_CONVERGED) status = CLI_UNDECIDED;
        if (directed) direction_follow(&args->direction, &args->operands, x.t, poses[i], &x.direction, &turn);
    }
    progress_end(&progress);
    if (directed) direction_print_turn(&args->direction, &turn);
    if (args->page)
        write_page(args,
            &(AbutPageMeshes){.count = count,
                .times = times,
                .pose_b = poses,
                .distance = gaps,
                .direction = directed ? directions : NULL,
                .soft = args->direction.method == DIRECTION_SOFT ? soft : NULL},
            NULL);
    return status;
}

/* The times of a page must grow. */
static void check_times(const Args *args, int32_t count, const AbutKeyframe *key) {
    for (int32_t i = 1; i < count && args->page; ++i)
        if (!(key[i].t >= key[i - 1].t))
            cli_error("%s: pose %d: --html shows times that grow, got %g behind %g", args->path, i + 1, key[i].t,
                key[i - 1].t);
}

static void check(const Args *args) {
    const double *v = args->along.value;
    if (args->along.count > 0 && (args->along.count != 3 || !(abut_max_abs(abut_vec3(v[0], v[1], v[2])) > 0.0)))
        cli_error("--along: expected a direction x,y,z other than 0,0,0");
    if (args->along.count > 0 && args->depth > DEPTH_SWEEP) cli_error("--along goes with --depth sweep");
    if (operands_by_pieces(&args->operands) && asks_depth(args) && args->depth != DEPTH_DECOMPOSITION)
        cli_error("--depth and --along look at the meshes: --pieces does not go with them");
    if (!isnan(args->within) && args->direction.method)
        cli_error("--within gives no distance beyond its limit: --direction does not go with it");
    if (args->operands.convex && asks_depth(args))
        cli_error("--depth and --along look at the meshes: --convex does not go with them");
    if (args->path && args->json) cli_error("--path prints CSV: --json does not go with it");
}

/* Pieces where the method wants them; and what goes with triangles alone. */
static void prepare(Args *args) {
    for (int k = 0; k < 2 && args->depth == DEPTH_DECOMPOSITION && has_trees(args); ++k)
        if (!args->operands.of[k].body.pieces.count) operands_take_pieces(&args->operands.of[k]);
    if (is_mesh_pair(args)) operands_refuse_planes(&args->operands);
    if (args->max_supports > 0 && (is_mesh_pair(args) || operands_by_pieces(&args->operands)))
        cli_error("--max-supports is for convex meshes; --convex takes the hulls");
    if (asks_depth(args) && !knows_depth(args))
        cli_error(args->depth > DEPTH_SWEEP ? "--depth classic and decomposition want two mesh files"
                                            : "--depth and --along want a mesh file");
    args->direction.once = args->path == NULL;
    direction_prepare(&args->operands, &args->direction);
}

int cli_distance(int argc, char **argv) {
    Args args = {.operands = operands_make(), .within = NAN, .depth = -1, .direction = {.tau = NAN}};
    const CliOption options[] = {
        OPERAND_OPTIONS(&args.operands),
        OPTION("--within", CLI_REAL, &args.within, "D",
            "bodies farther apart than this are 'farther', and of meshes no more is told (default: any)", 1e-300, 1e60),
        OPTION("--depth", CLI_WORD, &args.depth, "METHOD",
            "how deep meshes overlap: sweep, classic, decomposition or none (default: sweep, exact for convex bodies)",
            .words = depth_names),
        OPTION("--along", CLI_REALS, &args.along, "X,Y,Z",
            "the least move of B in this direction that parts meshes that overlap (default: in any)"),
        DIRECTION_OPTIONS(&args.direction),
        OPTION("--max-supports", CLI_COUNT, &args.max_supports, "N",
            "end the search for convex bodies after about N support points, exit 3 (default: no limit)"),
        cli_row("--path", &args.path),
        OPTION(
            "--html", CLI_OUTPUT, &args.page, "FILE", "write the answer as a page to look at, with --path over time"),
        cli_row("--json", &args.json),
    };
    AbutKeyframe *key = NULL;
    int32_t count = 0;
    operands_parse(options, CLI_ROWS(options), argc, argv, "mesh files or bodies", &args.operands);
    check(&args);
    if (args.path) operands_poses(&args.operands, args.path, &count, &key);
    check_times(&args, count, key);
    operands_read(ABUT_SOLID_AS_IS, &args.operands);
    prepare(&args);
    return args.path ? follow(&args, count, key) : answer(&args);
}
