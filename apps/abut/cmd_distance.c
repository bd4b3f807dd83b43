/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: how far apart are two bodies, or how deep do they overlap? In: mesh files, or bodies in words, taken
 * exactly; poses. Bodies in words, convex meshes, and with --convex the hulls of any, have a signed distance; of other
 * meshes the surfaces count, and an overlap has distance 0. Out: outcome, distance, normal and witness points in the
 * world frame; with --path a row of CSV for each pose of B. Exit 3 when the search did not converge.
 */
#include "mesh_operands.h"

#include <math.h>

typedef struct Args {
    Operands operands;
    int json;
    double within;           /* NaN: not given */
    const char *page, *path; /* NULL: not given */
} Args;

typedef struct Caches {
    AbutDistanceCache convex;
    AbutMeshCache mesh;
} Caches;

/* An answer in the world frame, of convex bodies or of meshes. */
typedef struct Answer {
    AbutDistance d;
    const char *outcome;
    AbutMeshDistance mesh; /* of meshes; its words count, not its places */
    int is_mesh;
} Answer;

static const char *outcome_name(AbutDistanceOutcome outcome)
{
    static const char *const names[] = {"separated", "touching", "penetrating", "not converged"};
    return names[outcome];
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int is_convex_pair(const Operands *o)
{
    return o->convex || (o->of[0].is_convex && o->of[1].is_convex);
}

static Answer measure_convex(const Args *args, AbutPose pose_b, Caches *caches)
{
    const Operands *o = &args->operands;
    Answer out = {.is_mesh = 0};
    out.d = abut_convex_distance_world(&o->of[0].convex, &o->of[1].convex, o->of[0].pose, pose_b, &caches->convex);
    if (out.d.outcome != ABUT_INVALID)
        out.outcome = out.d.distance > args->within ? "farther" : outcome_name(out.d.outcome);
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

static Answer measure_meshes(const Args *args, AbutPose pose_b, Caches *caches)
{
    AbutPose pose_a = args->operands.of[0].pose;
    AbutMeshDistance m = ask_meshes(args, abut_pose_between(pose_a, pose_b), caches);
    Answer out = {.mesh = m, .is_mesh = 1};
    out.outcome = m.meeting == ABUT_MESH_APART     ? "separated"
                  : m.meeting == ABUT_MESH_FARTHER ? "farther"
                                                   : "overlapping";
    out.d.outcome = m.meeting == ABUT_MESH_INVALID || m.meeting == ABUT_MESH_EMPTY ? ABUT_INVALID : ABUT_SEPARATED;
    out.d.distance = m.distance;
    out.d.normal = abut_quat_rotate(pose_a.q, m.normal);
    out.d.point_a = abut_pose_apply(pose_a, m.point_a);
    out.d.point_b = abut_pose_apply(pose_a, m.point_b);
    out.d.iterations = (int32_t)(m.node_pairs < INT32_MAX ? m.node_pairs : INT32_MAX);
    return out;
}

static Answer measure(const Args *args, AbutPose pose_b, Caches *caches)
{
    return is_convex_pair(&args->operands) ? measure_convex(args, pose_b, caches)
                                           : measure_meshes(args, pose_b, caches);
}

static int overlapping_meshes(const Answer *x)
{
    return x->is_mesh && x->d.distance == 0.0;
}

static int print_json(const CliCommand *command, const Answer *x, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", x->outcome);
    abut_json_put_number(&json, "distance", x->d.distance);
    abut_json_put_vec3(&json, "normal", x->d.normal);
    abut_json_put_vec3(&json, "point_a", x->d.point_a);
    abut_json_put_vec3(&json, "point_b", x->d.point_b);
    abut_json_put_integer(&json, "iterations", x->d.iterations);
    abut_json_put_string(&json, "kind", overlapping_meshes(x) ? "surface" : "exact");
    abut_json_put_bool(&json, "certified", !overlapping_meshes(x) && x->d.outcome != ABUT_NOT_CONVERGED);
    abut_json_put_bool(&json, "verified_free", x->d.distance > 0.0);
    if (x->is_mesh) {
        abut_json_put_string(&json, "how", abut_mesh_meeting_name(x->mesh.meeting));
        abut_json_put_number(&json, "surface_distance", x->mesh.surface_distance);
        abut_json_put_bool(&json, "containment_known", x->mesh.containment_known);
        abut_json_put_integer(&json, "triangle_a", x->mesh.triangle_a);
        abut_json_put_integer(&json, "triangle_b", x->mesh.triangle_b);
    }
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

static void print_vec3(const char *name, AbutVec3 v, const char *unit)
{
    printf("  %-12s %.9g %.9g %.9g%s\n", name, v.x, v.y, v.z, unit);
}

static void print_text(const Answer *x)
{
    printf("  %-12s %s\n  %-12s %.9g m\n", "outcome", x->outcome, "distance", x->d.distance);
    print_vec3("normal", x->d.normal, "");
    print_vec3("point a", x->d.point_a, " m");
    print_vec3("point b", x->d.point_b, " m");
    printf("  %-12s %d\n", "iterations", x->d.iterations);
    if (x->is_mesh)
        printf("  %-12s %d %d\n", "triangles", x->mesh.triangle_a, x->mesh.triangle_b);
    if (overlapping_meshes(x))
        printf("  %-12s the depth of meshes is not computed; --convex gives that of their hulls\n", "note");
    if (x->is_mesh && !x->mesh.containment_known)
        printf("  %-12s a mesh is open: what lies inside it is not known\n", "note");
}

static int write_page(const CliCommand *command, const Args *args, const Answer *x)
{
    AbutModel *model;
    AbutError error;
    int status = operands_make_model(command, &args->operands, &model);
    if (status != CLI_GO)
        return status;
    AbutPageHead head = {.title = "Distance", .note = x->outcome};
    if (abut_page_write_distance(args->page, &head, model, &x->d, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_model_free(model);
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
    if (!isfinite(x.d.distance))
        return cli_error(command, "no move parts %s and %s: they have no end and are not parallel", a->file, b->file);
    if (args->page && x.is_mesh)
        return cli_error(command, "--html shows convex bodies; --convex takes the hulls");
    if (args->page && write_page(command, args, &x) != CLI_GO)
        return CLI_BAD;
    if (args->json)
        return print_json(command, &x, status);
    print_text(&x);
    return status;
}

/* ---- path -------------------------------------------------------------------------------------------------------- */

static void print_field(double value, char after)
{
    char text[ABUT_DOUBLE_TEXT];
    abut_format_double(text, sizeof text, value);
    printf("%s%c", text, after);
}

static void print_row(double t, const Answer *x)
{
    const AbutVec3 v[3] = {x->d.normal, x->d.point_a, x->d.point_b};
    print_field(t, ',');
    printf("%s,", x->outcome);
    print_field(x->d.distance, ',');
    for (int i = 0; i < 9; ++i)
        print_field(abut_get(v[i / 3], i % 3), i < 8 ? ',' : '\n');
}

static int follow(const CliCommand *command, const Args *args)
{
    Caches caches = {0};
    AbutKeyframe *pose;
    int32_t count;
    int status = CLI_OK;
    if (mesh_operands_poses(command, args->path, &count, &pose) != CLI_GO)
        return CLI_BAD;
    puts("t,outcome,distance,nx,ny,nz,ax,ay,az,bx,by,bz");
    for (int32_t i = 0; i < count && status != CLI_BAD; ++i) {
        Answer x = measure(args, pose[i].pose, &caches);
        if (x.d.outcome == ABUT_INVALID)
            status = cli_error(command, "%s: pose %d: the numbers are too large", args->path, i + 1);
        else
            print_row(pose[i].t, &x);
        if (x.d.outcome == ABUT_NOT_CONVERGED)
            status = CLI_UNDECIDED;
    }
    abut_free(pose);
    return status;
}

int cli_distance(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make(), .within = NAN};
    const CliOption options[] = {
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        operands_convex(&args.operands),
        {"--within", NULL, CLI_REAL, &args.within, "D", "bodies farther apart than this are 'farther' (default: any)"},
        mesh_operands_path(&args.path),
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the answer as a page to look at"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int status = operands_parse(
        command, options, sizeof options / sizeof options[0], argc, argv, "mesh files or bodies", &args.operands);
    if (status == CLI_GO)
        status = operands_check_outputs(command, &args.operands, NULL, args.page);
    if (status == CLI_GO)
        status = cli_check_range(command, "--within", args.within, 1e-300, 1e60);
    if (status == CLI_GO && args.path && (args.json || args.page))
        status = cli_error(command, "--path prints CSV: --json and --html do not go with it");
    if (status != CLI_GO)
        return status;
    status = operands_read(command, OPERAND_AS_IS, &args.operands);
    if (status == CLI_GO)
        status = args.path ? follow(command, &args) : answer(command, &args);
    operands_free(&args.operands);
    return status;
}
