/* SPDX-License-Identifier: Apache-2.0 */
/* abut clearance --distance soft: the least soft distance over a motion. In: two closed meshes that move. Out: the
 * answer, printed as any other. */
#include "clearance_run.h"

#include <math.h>

static int make_body(const CliCommand *command, const Operand *o, double tau, AbutSoftBody **out)
{
    AbutSoftBodyDef def = {.tau = tau};
    AbutError error;
    if (abut_soft_body_create(&o->mesh, &def, out, &error) != ABUT_OK)
        return cli_error(command, "%s: %s", o->file, error.text);
    return CLI_GO;
}

static int check_meshes(const CliCommand *command, const Operands *operands)
{
    for (int k = 0; k < 2; ++k)
        if (!operands->of[k].body.tree)
            return cli_error(command, "--distance soft wants two mesh files, found '%s'", operands->of[k].file);
    return CLI_GO;
}

static int answer(const CliCommand *command, const ClearanceArgs *args, AbutSoftBody *const body[2])
{
    const MotionOperands *m = &args->motions;
    ClearanceRun run = {.args = args,
        .def = {.from = m->from, .to = m->to, .eps = args->eps, .budget = args->budget, .seconds = args->seconds}};
    AbutError error;
    if (!(run.def.to >= run.def.from))
        return cli_error(command, "--to %s is before --from %s", cli_written("--to", run.def.to).text,
            cli_written("--from", run.def.from).text);
    if (abut_clearance_soft(body[0], &m->motion[0], body[1], &m->motion[1], &run.def, &run.answer, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    if (run.answer.status == ABUT_CLEARANCE_INVALID)
        return cli_error(command, "the numbers are too large");
    run.depth.distance = NAN;
    return clearance_print(command, &run);
}

int clearance_run_soft(const CliCommand *command, ClearanceArgs *args)
{
    AbutSoftBody *body[2] = {NULL, NULL};
    args->operands.keep_meshes = 1;
    int status = operands_read(command, OPERAND_AS_IS, &args->operands);
    if (status == CLI_GO)
        status = check_meshes(command, &args->operands);
    const Operand *of = args->operands.of;
    double tau = status == CLI_GO && isnan(args->tau) ? abut_soft_tau(&of[0].mesh, &of[1].mesh) : args->tau;
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        status = make_body(command, &of[k], tau, &body[k]);
    if (status == CLI_GO)
        status = answer(command, args, body);
    abut_soft_body_free(body[0]);
    abut_soft_body_free(body[1]);
    return status;
}
