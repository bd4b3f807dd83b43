/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut cast: where does a ray, or a body moved along a straight way, first meet a body or a scene? In: a mesh file or a
 * body in words, or a scene; a ray, or a second body and its way. Out: part of the way, place, normal and feature in
 * the world frame. Exit 0 hit, 1 no hit, 3 grazing or not decided.
 */
#include "operands.h"

#include <math.h>
#include <string.h>

typedef struct Args {
    Operands operands;
    CliReals ray, way;
    const char *scene;
    int json, all;
    double tolerance;
    int moved; /* number of the operand that moves; -1: a ray */
} Args;

enum { MOST_HITS = 1000 };

/* A hit and what was hit. */
typedef struct Found {
    AbutCastHit hit;
    const char *shape; /* of a scene; NULL: the body */
} Found;

static AbutPlaced placed(const Operands *operands, int which)
{
    return (AbutPlaced){operands_solid(operands, which), operands->of[which].pose};
}

static AbutVec3 vec3_of(const double *v)
{
    return abut_vec3(v[0], v[1], v[2]);
}

static AbutRay ray_of(const Args *args)
{
    AbutRay ray = {abut_zero(), vec3_of(args->way.value)};
    if (args->moved < 0)
        ray = (AbutRay){vec3_of(args->ray.value), vec3_of(args->ray.value + 3)};
    return ray;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static int exit_status(AbutImpactOutcome outcome)
{
    if (outcome == ABUT_IMPACT_HIT || outcome == ABUT_IMPACT_AT_START)
        return CLI_OK;
    return outcome == ABUT_IMPACT_NONE ? CLI_NO : CLI_UNDECIDED;
}

static void put_hit(AbutJson *json, const Found *f)
{
    abut_json_put_string(json, "outcome", abut_impact_outcome_name(f->hit.outcome));
    abut_json_put_number(json, "t", f->hit.t);
    abut_json_put_number(json, "t_lo", f->hit.t_lo);
    abut_json_put_number(json, "t_hi", f->hit.t_hi);
    if (f->hit.outcome == ABUT_IMPACT_NONE)
        return;
    abut_json_put_vec3(json, "point", f->hit.point);
    abut_json_put_vec3(json, "normal", f->hit.normal);
    abut_json_put_integer(json, "feature", f->hit.feature);
    if (f->shape)
        abut_json_put_string(json, "body", f->shape);
}

static int print_json(const CliCommand *command, const Args *args, int count, const Found *found, int status)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    put_hit(&json, &found[0]);
    if (args->all) {
        abut_json_key(&json, "hits");
        abut_json_begin_array(&json);
        for (int i = 0; i < count; ++i) {
            abut_json_begin_object(&json);
            put_hit(&json, &found[i]);
            abut_json_end_object(&json);
        }
        abut_json_end_array(&json);
    }
    abut_json_end_object(&json);
    return cli_json_end(command, &json, status);
}

static void print_hit(const Found *f)
{
    printf("  %-12s %s\n", "outcome", abut_impact_outcome_name(f->hit.outcome));
    if (f->hit.outcome == ABUT_IMPACT_NONE)
        return;
    printf("  %-12s %.9g, between %.9g and %.9g\n", "t", f->hit.t, f->hit.t_lo, f->hit.t_hi);
    cli_print_vec("point", f->hit.point, 0.0, " m");
    cli_print_vec("normal", f->hit.normal, 1.0, "");
    printf("  %-12s %d\n", "feature", f->hit.feature);
    if (f->shape)
        printf("  %-12s %s\n", "body", f->shape);
}

static int print(const CliCommand *command, const Args *args, int count, const Found *found)
{
    int status = exit_status(found[0].hit.outcome);
    if (args->json)
        return print_json(command, args, count, found, status);
    print_hit(&found[0]);
    for (int i = 1; args->all && i < count; ++i)
        print_hit(&found[i]);
    return status;
}

/* ---- one body ---------------------------------------------------------------------------------------------------- */

static int cast_at_body(const CliCommand *command, const Args *args)
{
    AbutPlaced body = placed(&args->operands, 0), moved;
    Found found = {.shape = NULL};
    for (int k = 0; k < 2 && args->moved > 0; ++k)
        if (args->operands.of[!k].tree &&
            operands_refuse_plane(command, &args->operands, &args->operands.of[k].convex, k) != CLI_GO)
            return CLI_BAD;
    if (args->moved > 0) {
        moved = placed(&args->operands, 1);
        found.hit = abut_cast(&body, &moved, ray_of(args).way, args->tolerance);
    } else {
        found.hit = abut_ray(&body, ray_of(args));
    }
    if (found.hit.outcome == ABUT_IMPACT_INVALID)
        return cli_error(command, "the numbers are too large, or a mesh is empty");
    return print(command, args, found.hit.outcome == ABUT_IMPACT_NONE ? 0 : 1, &found);
}

/* ---- a scene ----------------------------------------------------------------------------------------------------- */

static int cast_in_scene(const CliCommand *command, const Args *args, const AbutScene *scene)
{
    static AbutSceneHit hit[MOST_HITS];
    static Found found[MOST_HITS];
    AbutPlaced moved = placed(&args->operands, 0);
    AbutSceneCast cast = {.scene = scene, .ray = ray_of(args), .tolerance = args->tolerance};
    cast.moved = args->moved < 0 ? NULL : &moved;
    int32_t count = abut_scene_cast_all(&cast, MOST_HITS, hit);
    if (count < 0)
        return cli_error(command, "the numbers are too large, or a mesh is empty");
    if (args->all && count > MOST_HITS)
        cli_warning(command, "%d hits, of which the first %d are listed", count, MOST_HITS);
    count = count < MOST_HITS ? count : MOST_HITS;
    found[0] = (Found){{.outcome = ABUT_IMPACT_NONE, .t = 1.0, .t_lo = 1.0, .t_hi = 1.0, .body = -1}, NULL};
    for (int32_t i = 0; i < count; ++i) {
        AbutBodyState body;
        abut_scene_get_body(scene, hit[i].body, &body);
        found[i] = (Found){hit[i].hit, body.name};
    }
    return print(command, args, count, found);
}

static int cast_scene(const CliCommand *command, const Args *args)
{
    AbutModel *model;
    AbutScene *scene = NULL;
    AbutError error;
    if (operands_load_model(command, args->scene, 1, OPERAND_PIECES, &model, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus status = abut_scene_create(&scene, &error);
    if (status == ABUT_OK)
        status = abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error);
    abut_model_free(model);
    int out = status == ABUT_OK ? cast_in_scene(command, args, scene) : cli_error(command, "%s", error.text);
    abut_scene_free(scene);
    return out;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static int is_origin(AbutPose pose)
{
    AbutQuat q = pose.q;
    return abut_max_abs(pose.p) == 0.0 && q.w == 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

/* Nothing is given that a ray, or a body left out, has no use for. */
static int check_unused(const CliCommand *command, const Args *args, int bodies)
{
    if (bodies < 1 && !is_origin(args->operands.of[0].pose))
        return cli_error(command, "--pose-a places a body, and with --scene and --ray there is none");
    if (bodies < 2 && !is_origin(args->operands.of[1].pose))
        return cli_error(command, "--pose-b places a second body, and there is none");
    return CLI_GO;
}

/* A ray or a way, and as many bodies as that needs. */
static int check_args(const CliCommand *command, Args *args, int count)
{
    int bodies = (args->scene ? 0 : 1) + (args->way.count > 0 ? 1 : 0);
    if (args->ray.count > 0 && args->way.count > 0)
        return cli_error(command, "--ray and --way: give one of them, not both");
    if (args->ray.count == 0 && args->way.count == 0)
        return cli_error(command, "expected --ray for a ray, or --way for a body that moves");
    if (args->ray.count > 0 && args->ray.count != 6)
        return cli_error(command, "--ray: expected x,y,z,dx,dy,dz, got %d numbers", args->ray.count);
    if (args->way.count > 0 && args->way.count != 3)
        return cli_error(command, "--way: expected x,y,z, got %d numbers", args->way.count);
    if (count != bodies)
        return cli_error(command, "expected %d bodies with %s%s, got %d", bodies, args->scene ? "--scene and " : "",
            args->way.count > 0 ? "--way" : "--ray", count);
    args->moved = args->way.count > 0 ? bodies - 1 : -1;
    int status = cli_check_range(command, "--tol", args->tolerance, 0.0, 1e60);
    return status == CLI_GO ? check_unused(command, args, bodies) : status;
}

int cli_cast(const CliCommand *command, int argc, char **argv)
{
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        {"--ray", NULL, CLI_REALS, &args.ray, "x,y,z,dx,dy,dz",
            "start of a ray, and the way to its end (default: none)"},
        {"--way", NULL, CLI_REALS, &args.way, "x,y,z", "way of the last body (default: none)"},
        {"--scene", NULL, CLI_TEXT, &args.scene, "SCENE", "what is met: a built-in scene or a file, instead of A"},
        operands_outside_option(),
        operands_pose(&args.operands, 0),
        operands_pose(&args.operands, 1),
        {"--tol", NULL, CLI_REAL, &args.tolerance, "D",
            "with --way: distance at which the body touches (default: 1e-6 of the smaller body's radius)"},
        {"--all", NULL, CLI_FLAG, &args.all, NULL, "with --scene: all bodies that are met, in order"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int count;
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &count);
    if (status == CLI_GO)
        status = check_args(command, &args, count);
    if (status != CLI_GO)
        return status;
    for (int k = 0; k < count; ++k)
        args.operands.of[k].file = argv[k];
    status = operands_read(command, OPERAND_AS_IS, &args.operands);
    if (status == CLI_GO)
        status = args.scene ? cast_scene(command, &args) : cast_at_body(command, &args);
    operands_free(&args.operands);
    return status;
}
