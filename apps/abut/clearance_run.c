/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies from files, the search, and its result as text or JSON. */
#include "clearance_run.h"

#include <math.h>

typedef struct Bodies {
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Bodies;

static int make_bodies(const CliCommand *command, const ClearanceArgs *args, Bodies *out)
{
    AbutError error;
    AbutStatus status = abut_clearance_space_create(1 << 20, &out->space, &error);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        const Operand *o = &args->operands.of[k];
        AbutConvex one = o->hull ? abut_convex_polyhedron(o->hull, 0.0) : o->convex; /* or a body in words */
        status = o->tree ? abut_clearance_mesh_create(o->tree, &out->body[k], &error)
                         : abut_clearance_convex_create(1, &one, &out->body[k], &error);
    }
    return status == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}

static int exit_status(const AbutClearance *x)
{
    switch (x->status) {
    case ABUT_CLEARANCE_CLEAR:
        return CLI_OK;
    case ABUT_CLEARANCE_CONTACT:
    case ABUT_CLEARANCE_CONTAINED:
        return CLI_NO;
    default:
        return CLI_UNDECIDED;
    }
}

static void put_answer(AbutJson *json, const AbutClearance *x)
{
    abut_json_put_string(json, "status", abut_clearance_status_name(x->status));
    abut_json_put_bool(json, "certified", x->certified);
    abut_json_put_number(json, "ub", x->ub);
    abut_json_put_number(json, "t", x->t);
    abut_json_put_number(json, "lb", x->lb);
    abut_json_put_vec3(json, "point_a", x->point_a);
    abut_json_put_vec3(json, "point_b", x->point_b);
    abut_json_put_vec3(json, "normal", x->normal);
    abut_json_put_integer(json, "part_a", x->part_a);
    abut_json_put_integer(json, "part_b", x->part_b);
    abut_json_put_bool(json, "containment_known", x->containment_known);
    abut_json_put_integer(json, "evaluations", x->evaluations);
    abut_json_put_integer(json, "node_pairs", x->node_pairs);
    abut_json_put_integer(json, "intervals", x->intervals);
    abut_json_put_string(json, "method", "front");
}

static int print_json(const CliCommand *command, const AbutClearance *x)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    put_answer(&json, x);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, exit_status(x));
}

static int print_text(const AbutClearance *x)
{
    printf("  %-12s %s%s\n", "status", abut_clearance_status_name(x->status),
        x->certified ? "" : ", the budget ended before the bracket was narrow enough");
    printf("  %-12s %.9g to %.9g m\n", "clearance", x->lb, x->ub);
    printf("  %-12s %.9g s\n", "at time", x->t);
    printf("  %-12s %.9g %.9g %.9g m\n", "point of A", x->point_a.x, x->point_a.y, x->point_a.z);
    printf("  %-12s %.9g %.9g %.9g m\n", "point of B", x->point_b.x, x->point_b.y, x->point_b.z);
    printf("  %-12s %.9g %.9g %.9g\n", "normal", x->normal.x, x->normal.y, x->normal.z);
    printf("  %-12s %lld node pairs, %lld distances, %d intervals\n", "work", (long long)x->node_pairs,
        (long long)x->evaluations, x->intervals);
    if (!x->containment_known)
        printf("  %-12s a mesh is open: nothing is known about its inside\n", "note");
    return exit_status(x);
}

static int answer(const CliCommand *command, const ClearanceArgs *args, const Bodies *bodies)
{
    const MotionOperands *m = &args->motions;
    AbutClearanceMover a = {bodies->body[0], m->motion[0]}, b = {bodies->body[1], m->motion[1]};
    AbutClearanceDef def = {.from = m->from, .to = m->to, .eps = args->eps, .budget = args->budget};
    if (!(def.to >= def.from))
        return cli_error(command, "--to %g is before --from %g", def.to, def.from);
    AbutClearance x = abut_clearance(&a, &b, &def, bodies->space);
    if (x.status == ABUT_CLEARANCE_INVALID)
        return cli_error(command, "the numbers are too large");
    if (x.status == ABUT_CLEARANCE_EMPTY)
        return cli_error(command, "a mesh has no triangles");
    return args->json ? print_json(command, &x) : print_text(&x);
}

int clearance_run(const CliCommand *command, ClearanceArgs *args)
{
    Bodies bodies = {{NULL, NULL}, NULL};
    int status = operands_read(command, OPERAND_AS_IS, &args->operands);
    if (status == CLI_GO)
        status = make_bodies(command, args, &bodies);
    if (status == CLI_GO)
        status = answer(command, args, &bodies);
    abut_clearance_body_free(bodies.body[0]);
    abut_clearance_body_free(bodies.body[1]);
    abut_clearance_space_free(bodies.space);
    return status;
}
