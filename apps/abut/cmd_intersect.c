/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut intersect: do two convex bodies meet? In: files of convex meshes (with --convex the hulls of any), bodies in
 * words, or text files of half-spaces, and poses. Out: yes with a common point or no with a plane between them, in the
 * world frame; exit 0 or 1, or 3 when neither could be verified.
 */
#include "operands.h"
#include "abut/literature.h"

#include <string.h>

typedef struct Args {
    Operands operands;
    int method, json;
} Args;

static const char *const method_names[] = {"(default)", "ren", "lp", "gjk", NULL};

static int count_planes(const Operand *body) {
    return body->body.hull ? body->body.hull->face_count : body->plane_count;
}

static AbutPlane get_plane(const Operand *body, int i) {
    return body->body.hull ? abut_polyhedron_faces(body->body.hull)[i].plane : body->planes[i];
}

/* Rows of a body in the world: normals and offsets one after the other. */
static void write_region(const Operand *body, double *normal, double *offset) {
    for (int i = 0; i < count_planes(body); ++i) {
        AbutPlane plane = get_plane(body, i);
        AbutVec3 n = abut_quat_rotate(body->pose.q, plane.normal);
        normal[3 * i] = n.x, normal[3 * i + 1] = n.y, normal[3 * i + 2] = n.z;
        offset[i] = plane.offset + abut_dot(n, body->pose.p);
    }
}

static void ask_regions(const Operand *body, const AbutIntersectDef *def, AbutIntersection *out) {
    for (int k = 0; k < 2; ++k)
        if (body[k].body.hull && body[k].body.hull->dimension < 3)
            cli_error("%s: the hull is flat; a flat body can be asked about with another mesh only", body[k].file);
    size_t count_a = (size_t)count_planes(&body[0]), count = count_a + (size_t)count_planes(&body[1]);
    size_t bytes = abut_intersect_workspace_size(3, (int)count);
    double *rows = cli_room(count, 4 * sizeof(double)), *offset = rows + 3 * count;
    AbutRegion a = {(int)count_a, rows, offset}, b = {(int)(count - count_a), rows + 3 * count_a, offset + count_a};
    write_region(&body[0], rows, offset);
    write_region(&body[1], rows + 3 * count_a, offset + count_a);
    *out = abut_intersect_regions(3, &a, &b, def, cli_room(bytes, 1), bytes);
}

/* Answers come in the frame of A; the world is where the poses are given. */
static void to_world(AbutPose pose, AbutIntersection *r) {
    AbutVec3 x = abut_pose_apply(pose, abut_vec3(r->witness[0], r->witness[1], r->witness[2]));
    AbutVec3 n = abut_quat_rotate(pose.q, abut_vec3(r->plane[0], r->plane[1], r->plane[2]));
    r->witness[0] = x.x, r->witness[1] = x.y, r->witness[2] = x.z;
    r->plane[0] = n.x, r->plane[1] = n.y, r->plane[2] = n.z;
    r->plane_offset += abut_dot(n, pose.p);
}

static void ask_hulls(const Operands *operands, const AbutIntersectDef *def, AbutIntersection *out) {
    const AbutPolyhedron *a = operands->of[0].body.hull, *b = operands->of[1].body.hull;
    size_t bytes = abut_intersect_polyhedra_workspace_size(a, b);
    *out = abut_intersect_polyhedra(a, b, operands_relative_pose(operands), def, cli_room(bytes, 1), bytes);
    to_world(operands->of[0].pose, out);
}

/* Bodies in words. */
static void ask_words(const Operand *body, AbutIntersectMethod method, AbutIntersection *out) {
    if (body[0].planes || body[1].planes)
        cli_error("%s: half-spaces of a file go with meshes and such files; take half-space:",
            body[body[0].planes ? 0 : 1].file);
    if (method != ABUT_INTERSECT_DEFAULT && method != ABUT_INTERSECT_GJK)
        cli_error("--method: bodies in words are for gjk, not for %s", method_names[method]);
    *out = abut_intersect_convex(&body[0].body.convex, body[0].pose, &body[1].body.convex, body[1].pose);
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

typedef struct Answer {
    const char *method, *empty;
    int32_t meets, decided_by_box; /* meets -1: not verified */
    int is_meeting, is_apart, is_empty;
    double witness[3], plane[4], gap;
    int64_t tests;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD(Answer, meets, FLAG, "", "The bodies meet; null when neither could be verified.")},
    {ABUT_FIELD(Answer, method, TEXT, "", "Method that answered.")},
    {ABUT_FIELD(Answer, witness, REAL, "m", "A common point."), .rows = 3, .shown_at = offsetof(Answer, is_meeting)},
    {ABUT_FIELD(Answer, plane, REAL, "", "A plane between the bodies: normal and offset."), .rows = 4,
        .shown_at = offsetof(Answer, is_apart)},
    {ABUT_FIELD(Answer, gap, REAL, "m", "Width of the empty slab along it."), .shown_at = offsetof(Answer, is_apart)},
    {ABUT_FIELD(Answer, empty, TEXT, "", "Half-spaces: the region, `a` or `b`, that has no point at all."),
        .shown_at = offsetof(Answer, is_empty)},
    {ABUT_FIELD(Answer, tests, LONG, "", "Tests of the method.")},
    {ABUT_FIELD(Answer, decided_by_box, FLAG, "", "The bounding boxes lie apart.")},
};
const AbutRecord cli_intersect_answer = ABUT_RECORD("intersect", "", Answer, answer_fields);

static int print_json(const AbutIntersection *r, int status) {
    int empty_a = r->outcome == ABUT_INTERSECT_EMPTY_A, meet = r->outcome == ABUT_INTERSECT_MEET;
    Answer a = {method_names[r->method], empty_a ? "a" : "b", r->outcome == ABUT_INTERSECT_UNDECIDED ? -1 : meet,
        r->decided_by_box, meet, r->outcome == ABUT_INTERSECT_APART, empty_a || r->outcome == ABUT_INTERSECT_EMPTY_B,
        {r->witness[0], r->witness[1], r->witness[2]}, {r->plane[0], r->plane[1], r->plane[2], r->plane_offset}, r->gap,
        r->tests};
    return cli_answer(2, &cli_intersect_answer, NULL, &a, status);
}

static void print_text(const Operand *body, const AbutIntersection *r) {
    AbutVec3 witness = cli_calm_vec(abut_vec3(r->witness[0], r->witness[1], r->witness[2]), 0.0);
    AbutVec3 plane = cli_calm_vec(abut_vec3(r->plane[0], r->plane[1], r->plane[2]), 1.0);
    if (r->outcome == ABUT_INTERSECT_MEET)
        printf("they meet, for example at %.9g %.9g %.9g\n", witness.x, witness.y, witness.z);
    else if (r->outcome == ABUT_INTERSECT_APART)
        printf("they do not meet: a slab of width %.9g lies between them, about %.9g x + %.9g y + %.9g z = %.9g\n",
            r->gap, plane.x, plane.y, plane.z, cli_calm(r->plane_offset, r->gap));
    else
        printf("they do not meet: %s has no point at all\n", body[r->outcome == ABUT_INTERSECT_EMPTY_B].file);
    if (r->decided_by_box)
        printf("the bounding boxes lie apart\n");
    else
        printf("method %s, %lld tests\n", method_names[r->method], (long long)r->tests);
}

static void ask(const Args *args, AbutIntersection *r) {
    const Operand *body = args->operands.of;
    AbutIntersectDef def = {.method = (AbutIntersectMethod)args->method, .search = abut_intersect_ren};
    int words = (!body[0].body.hull && !body[0].planes) || (!body[1].body.hull && !body[1].planes);
    if (words)
        ask_words(body, def.method, r);
    else if (body[0].body.hull && body[1].body.hull)
        ask_hulls(&args->operands, &def, r);
    else
        ask_regions(body, &def, r);
    if (r->outcome == ABUT_INTERSECT_UNSUPPORTED)
        cli_error("the method gjk takes bounded bodies with volume only; try --method lp");
    if (r->outcome == ABUT_INTERSECT_INVALID) cli_error("the numbers are too large or not finite");
}

int cli_intersect(int argc, char **argv) {
    Args args = {.operands = operands_make()};
    AbutIntersection r = {0};
    const CliOption options[] = {
        OPTION("--method", CLI_WORD, &args.method, "NAME",
            "ren, lp or gjk (default: gjk for meshes, lp for half-spaces)", .words = method_names, .brief = "-m"),
        OPERAND_OPTIONS(&args.operands),
        cli_row("--json", &args.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "files", &args.operands);
    if (operands_by_pieces(&args.operands))
        cli_error("--pieces: a point or a plane is found for two convex bodies; abut collide takes pieces");
    args.operands.half_spaces = 1;
    operands_read(ABUT_SOLID_ONLY_CONVEX, &args.operands);
    ask(&args, &r);
    int status = r.outcome == ABUT_INTERSECT_MEET ? CLI_OK : CLI_NO;
    if (r.outcome == ABUT_INTERSECT_UNDECIDED) {
        cli_complain("undecided: neither a common point nor a plane between could be verified");
        status = CLI_UNDECIDED;
    }
    if (args.json) return print_json(&r, status);
    if (status != CLI_UNDECIDED) print_text(args.operands.of, &r);
    return status;
}
