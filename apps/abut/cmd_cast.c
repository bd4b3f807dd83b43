/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut cast: where does a ray, or a body moved along a straight way, first meet a body or a scene? In: a mesh file or a
 * body in words, or a scene; a ray, or a second body and its way. Out: part of the way, place, normal and feature in
 * the world frame. Exit 0 hit, 1 no hit, 3 grazing or not decided.
 */
#include "operands.h"

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
    int missed, in_scene;
} Found;

static AbutPlaced placed(const Operands *operands, int which) {
    return (AbutPlaced){operands_solid(operands, which), operands->of[which].pose};
}

static AbutRay ray_of(const Args *args) {
    const double *r = args->ray.value, *w = args->moved < 0 ? r + 3 : args->way.value;
    AbutVec3 from = args->moved < 0 ? abut_vec3(r[0], r[1], r[2]) : abut_zero();
    return (AbutRay){from, abut_vec3(w[0], w[1], w[2])};
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static const AbutField place_fields[] = {
    {ABUT_FIELD_OF(Found, hit, abut_cast_hit_record, "point normal feature")},
    {ABUT_FIELD_AS("body", Found, shape, TEXT, "", "Scenes: the body that was hit."),
        .shown_at = offsetof(Found, in_scene)},
};
static const AbutRecord place_record = ABUT_RECORD("place", "", Found, place_fields);

static const AbutField hit_fields[] = {
    {ABUT_FIELD_OF(Found, hit, abut_cast_hit_record, "outcome t t_lo t_hi")},
    {.kind = ABUT_FIELD_PICK, .record = &place_record, .hidden_at = offsetof(Found, missed)},
};
static const AbutRecord hit_record = ABUT_RECORD("hit", "", Found, hit_fields);

typedef struct Answer {
    const Found *first, *hits;
    int32_t count;
    int all;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, first, hit_record, NULL), .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD_AT(Answer, hits, hit_record, "With `--all`: all hits along the way."),
        .count_at = offsetof(Answer, count), .shown_at = offsetof(Answer, all)},
};
const AbutRecord cli_cast_answer = ABUT_RECORD("cast", "", Answer, answer_fields);

static const char hit_text[] = "  t            {t:.9g}, between {t_lo:.9g} and {t_hi:.9g}\n"
                               "  point        {point~point:.9g} m\n"
                               "  normal       {normal~:.9g}\n"
                               "  feature      {feature}\n"
                               "  body         {body}\n";

static int print(const Args *args, int count, Found *found) {
    int status = operands_impact_status(found[0].hit.outcome);
    for (int i = 0; i < count || i == 0; ++i) {
        found[i].missed = found[i].hit.outcome == ABUT_IMPACT_NONE;
        found[i].in_scene = found[i].shape != NULL;
    }
    if (args->json)
        return cli_answer(2, &cli_cast_answer, NULL, &(Answer){found, found, (int32_t)count, args->all}, status);
    for (int i = 0; i == 0 || (args->all && i < count); ++i) {
        abut_record_print(stdout, &hit_record, "  outcome      {outcome}\n", &found[i]);
        if (!found[i].missed) abut_record_print(stdout, &hit_record, hit_text, &found[i]);
    }
    return status;
}

/* ---- one body ---------------------------------------------------------------------------------------------------- */

static int cast_at_body(const Args *args) {
    AbutPlaced body = placed(&args->operands, 0), moved = placed(&args->operands, 1);
    if (args->moved > 0) operands_refuse_planes(&args->operands);
    AbutCast cast = {ray_of(args), args->moved > 0 ? &moved : NULL, args->moved > 0 ? args->tolerance : 0.0};
    Found found = {.hit = abut_cast(&body, &cast)};
    if (found.hit.outcome == ABUT_IMPACT_INVALID) cli_error("the numbers are too large, or a mesh is empty");
    return print(args, found.hit.outcome == ABUT_IMPACT_NONE ? 0 : 1, &found);
}

/* ---- a scene ----------------------------------------------------------------------------------------------------- */

static int cast_in_scene(const Args *args) {
    static AbutSceneHit hit[MOST_HITS];
    static Found found[MOST_HITS];
    const AbutScene *scene = operands_scene(operands_load_model(args->scene, 1, OPERAND_PIECES));
    AbutPlaced moved = placed(&args->operands, 0);
    AbutCast cast = {ray_of(args), args->moved < 0 ? NULL : &moved, args->tolerance};
    int32_t count = abut_scene_cast_all(scene, &cast, NULL, NULL, MOST_HITS, hit);
    if (count < 0) cli_error("the numbers are too large, or a mesh is empty");
    if (args->all && count > MOST_HITS) cli_warning("%d hits, of which the first %d are listed", count, MOST_HITS);
    count = count < MOST_HITS ? count : MOST_HITS;
    found[0] = (Found){{.outcome = ABUT_IMPACT_NONE, .t = 1.0, .t_lo = 1.0, .t_hi = 1.0, .body = -1}, NULL, 1, 0};
    for (int32_t i = 0; i < count; ++i) {
        AbutBodyState body;
        abut_scene_get_body(scene, hit[i].body, &body);
        found[i] = (Found){.hit = hit[i].hit, .shape = body.name};
    }
    return print(args, count, found);
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

/* A ray or a way, and as many bodies as that needs. */
static void check_args(Args *args, int count) {
    int bodies = (args->scene ? 0 : 1) + (args->way.count > 0 ? 1 : 0);
    if (args->ray.count > 0 && args->way.count > 0) cli_error("--ray and --way: give one of them, not both");
    if (args->ray.count == 0 && args->way.count == 0)
        cli_error("expected --ray for a ray, or --way for a body that moves");
    if (args->ray.count > 0 && args->ray.count != 6)
        cli_error("--ray: expected x,y,z,dx,dy,dz, got %d numbers", args->ray.count);
    if (args->way.count > 0 && args->way.count != 3)
        cli_error("--way: expected x,y,z, got %d numbers", args->way.count);
    if (count != bodies)
        cli_error("expected %d bodies with %s%s, got %d", bodies, args->scene ? "--scene and " : "",
            args->way.count > 0 ? "--way" : "--ray", count);
    args->moved = args->way.count > 0 ? bodies - 1 : -1;
    static const char *const unused[] = {"--convex", "--pieces", "--pieces-a", "--pieces-b"};
    if (bodies < 1 && cli_given("--pose-a"))
        cli_error("--pose-a places a body, and with --scene and --ray there is none");
    if (bodies < 2 && cli_given("--pose-b")) cli_error("--pose-b places a second body, and there is none");
    for (int i = 0; i < 4; ++i)
        if (bodies < (i < 3 ? 1 : 2)) cli_refuse(unused[i], "there is no body whose mesh it is about");
}

int cli_cast(int argc, char **argv) {
    Args args = {.operands = operands_make()};
    const CliOption options[] = {
        OPTION(
            "--ray", CLI_REALS, &args.ray, "x,y,z,dx,dy,dz", "start of a ray, and the way to its end (default: none)"),
        OPTION("--way", CLI_REALS, &args.way, "x,y,z", "way of the last body (default: none)"),
        OPTION("--scene", CLI_INPUT, &args.scene, "SCENE", "what is met: a built-in scene or a file, instead of A"),
        OPERAND_MODELS,
        OPERAND_OPTIONS(&args.operands),
        OPTION("--tol", CLI_REAL, &args.tolerance, "D",
            "with --way: distance at which the body touches (default: 1e-6 of the smaller body's radius)", 0.0, 1e60),
        OPTION("--all", CLI_FLAG, &args.all, NULL, "with --scene: all bodies that are met, in order"),
        cli_row("--json", &args.json),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    check_args(&args, count);
    for (int k = 0; k < count; ++k) args.operands.of[k].file = argv[k];
    operands_read(ABUT_SOLID_AS_IS, &args.operands);
    return args.scene ? cast_in_scene(&args) : cast_at_body(&args);
}
