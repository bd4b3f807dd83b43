/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies from files or words, and the searches that were asked for. */
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

static int keep_sample(const AbutClearanceSample *sample, void *user)
{
    ClearanceRun *run = user;
    if (!abut_grow((void **)&run->samples, &run->sample_capacity, (size_t)run->sample_count + 1, sizeof *run->samples))
        return 1;
    run->samples[run->sample_count++] = *sample;
    return 0;
}

static int take_curve(const CliCommand *command, ClearanceRun *run)
{
    if (!run->args->curve && !run->args->page)
        return CLI_GO;
    abut_clearance_curve(&run->a, &run->b, &run->def, INFINITY, keep_sample, run, run->space);
    int complete = run->sample_count > 0 && run->samples[run->sample_count - 1].e >= run->def.to;
    return complete ? CLI_GO : cli_error(command, "no memory for the curve");
}

static int search(const CliCommand *command, ClearanceRun *run)
{
    const ClearanceArgs *args = run->args;
    int32_t room = args->minima > 0 ? args->minima : 1;
    run->minima = abut_alloc_array((size_t)room, sizeof *run->minima);
    if (!run->minima)
        return cli_error(command, "no memory for %d minima", room);
    run->answer = args->minima > 0 ? abut_clearance_minima(&run->a, &run->b, &run->def, args->band, room, run->minima,
                                         &run->minimum_count, run->space)
                                   : abut_clearance_by((AbutClearanceMethod)abut_clearance_method_find(args->method),
                                         &run->a, &run->b, &run->def, run->space);
    if (run->answer.status == ABUT_CLEARANCE_INVALID)
        return cli_error(command, "the numbers are too large");
    if (run->answer.status == ABUT_CLEARANCE_EMPTY)
        return cli_error(command, "a mesh has no triangles");
    if (args->contact_times) {
        run->first = abut_clearance_contact_time(&run->a, &run->b, &run->def, 0.0, 0.0, 0, run->space);
        run->last = abut_clearance_contact_time(&run->a, &run->b, &run->def, 0.0, 0.0, 1, run->space);
    }
    return take_curve(command, run);
}

static int answer(const CliCommand *command, const ClearanceArgs *args, const Bodies *bodies)
{
    const MotionOperands *m = &args->motions;
    ClearanceRun run = {.args = args,
        .a = {bodies->body[0], m->motion[0]},
        .b = {bodies->body[1], m->motion[1]},
        .def = {.from = m->from, .to = m->to, .eps = args->eps, .budget = args->budget},
        .space = bodies->space};
    int status = run.def.to >= run.def.from
                     ? search(command, &run)
                     : cli_error(command, "--to %g is before --from %g", run.def.to, run.def.from);
    if (status == CLI_GO && args->curve)
        status = clearance_write_curve(command, &run);
    if (status == CLI_GO && args->page)
        status = clearance_write_page(command, &run);
    if (status == CLI_GO)
        status = clearance_print(command, &run);
    abut_free(run.minima);
    abut_free(run.samples);
    return status;
}

int clearance_run(const CliCommand *command, ClearanceArgs *args)
{
    Bodies bodies = {{NULL, NULL}, NULL};
    args->operands.keep_meshes = args->page != NULL;
    if (args->page && args->minima == 0)
        args->minima = 8; /* the page marks the closest moments */
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
