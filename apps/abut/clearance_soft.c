/* SPDX-License-Identifier: Apache-2.0 */
/* abut clearance --distance soft: the least soft distance over a motion. In: two closed meshes that move. Out: the
 * answer, printed as any other. */
#include "clearance_run.h"

#include <math.h>

static void make_body(const Operand *o, double tau, AbutSoftBody **out)
{
    AbutSoftBodyDef def = {.tau = tau};
    cli_need_of(o->file, abut_soft_body_create(&o->mesh, &def, out, &cli_why));
}

static void check_meshes(const Operands *operands)
{
    for (int k = 0; k < 2; ++k)
        if (!operands->of[k].body.tree)
            cli_error("--distance soft wants two mesh files, found '%s'", operands->of[k].file);
}

static int answer(const ClearanceArgs *args, AbutSoftBody *const body[2])
{
    const MotionOperands *m = &args->motions;
    ClearanceRun run = {.args = args,
        .def = {.from = m->from, .to = m->to, .eps = args->eps, .budget = args->budget, .seconds = args->seconds}};
    if (!(run.def.to >= run.def.from))
        cli_error("--to %s is before --from %s", cli_written("--to", run.def.to).text,
            cli_written("--from", run.def.from).text);
    cli_need(abut_clearance_soft(body[0], &m->motion[0], body[1], &m->motion[1], &run.def, &run.answer, &cli_why));
    if (run.answer.status == ABUT_CLEARANCE_INVALID)
        cli_error("the numbers are too large");
    run.depth.distance = NAN;
    return clearance_print(&run);
}

int clearance_run_soft(ClearanceArgs *args)
{
    AbutSoftBody *body[2] = {NULL, NULL};
    args->operands.keep_meshes = 1;
    operands_read(OPERAND_AS_IS, &args->operands);
    check_meshes(&args->operands);
    const Operand *of = args->operands.of;
    double tau = isnan(args->tau) ? abut_soft_tau(&of[0].mesh, &of[1].mesh) : args->tau;
    for (int k = 0; k < 2; ++k)
        make_body(&of[k], tau, &body[k]);
    int status = answer(args, body);
    abut_soft_body_free(body[0]);
    abut_soft_body_free(body[1]);
    return status;
}
