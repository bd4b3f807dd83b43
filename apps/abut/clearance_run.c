/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies from files or words, and the searches that were asked for. */
#include "clearance_run.h"
#include "operands.h"
#include "abut/literature.h"

#include <math.h>

typedef struct Bodies {
    AbutClearanceBody *body[2];
    AbutPieces pieces[2]; /* of --pieces; the bodies point to them */
    AbutClearanceSpace *space;
} Bodies;

/* What half-spaces and planes do not go with. */
static void check_unbounded(const ClearanceArgs *args)
{
    const Operand *of = args->operands.of;
    int count = is_endless(&of[0].body.convex) + is_endless(&of[1].body.convex);
    if (count == 2)
        cli_error("two half-spaces or planes have no end, and no clearance");
    if (count == 1 && abut_clearance_method_find(args->method) != ABUT_CLEARANCE_FRONT)
        cli_error("--method %s: half-spaces and planes go with front alone", args->method);
}

static int wants_pieces(const ClearanceArgs *args)
{
    return args->pieces || args->pieces_folder[0] || args->pieces_folder[1];
}

/* The pieces of one body where they are asked for: from a folder, or made here. */
static void make_pieces(const ClearanceArgs *args, int k, AbutPieces *out)
{
    const Operand *o = &args->operands.of[k];
    if (args->pieces_folder[k] && !o->body.tree)
        cli_error("--pieces-%c wants a mesh file for %c", "ab"[k], "AB"[k]);
    if (args->pieces_folder[k]) {
        pieces_folder_read(args->pieces_folder[k], o, out);
        return;
    }
    if (args->pieces && o->body.tree)
        depth_decompose(o, out);
}

static void make_bodies(const ClearanceArgs *args, Bodies *out)
{
    const Operand *of = args->operands.of;
    check_unbounded(args);
    if (args->pieces && !of[0].body.tree && !of[1].body.tree)
        cli_error("--pieces wants a mesh file");
    cli_need(abut_clearance_space_create(1 << 20, &out->space, &cli_why));
    for (int k = 0; k < 2; ++k) {
        make_pieces(args, k, &out->pieces[k]);
        AbutSolid solid =
            out->pieces[k].count > 0 ? abut_solid_pieces(&out->pieces[k]) : operands_solid(&args->operands, k);
        cli_need(abut_clearance_body_create(1, &solid, &out->body[k], &cli_why));
    }
}

static void free_bodies(Bodies *bodies)
{
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(bodies->body[k]);
        abut_pieces_free(&bodies->pieces[k]);
    }
    abut_clearance_space_free(bodies->space);
}

static int keep_sample(const AbutClearanceSample *sample, void *user)
{
    ClearanceRun *run = user;
    run->samples = cli_grow(run->samples, &run->sample_capacity, (size_t)run->sample_count + 1, sizeof *run->samples);
    run->samples[run->sample_count++] = *sample;
    return 0;
}

double clearance_distance_at(const ClearanceRun *run, double t)
{
    AbutClearanceDef def = {.from = t, .to = t, .eps = 1e-9, .budget = 100000};
    return abut_clearance(&run->a, &run->b, &def, run->space).ub;
}

/* The tolerance of the curve on a page: a part of its height that can just be seen, unless --eps says it. */
static double page_eps(const ClearanceRun *run)
{
    double most = -INFINITY;
    for (int k = 0; k <= 20; ++k) {
        double part = k / 20.0;
        most = fmax(most, clearance_distance_at(run, run->def.from * (1.0 - part) + run->def.to * part));
    }
    return cli_given("--eps") ? run->def.eps : fmax(run->def.eps, (most - run->answer.ub) / 300.0);
}

static void take_curve(ClearanceRun *run)
{
    AbutClearanceDef def = run->def;
    if (!run->args->curve && !run->args->page)
        return;
    if (!run->args->curve)
        def.eps = page_eps(run);
    abut_clearance_curve(&run->a, &run->b, &def, INFINITY, keep_sample, run, run->space);
}

static AbutGap depth_at(const ClearanceRun *run, double t)
{
    DepthArgs by_sweeps = {0};
    DepthState state = {0};
    AbutPose b_in_a = abut_pose_between(abut_motion_pose(&run->a.motion, t), abut_motion_pose(&run->b.motion, t));
    return depth_measure(&by_sweeps, &run->args->operands, b_in_a, &state, NULL);
}

/* What is proved clear has no contact, also where it comes nearer than the level of a touch. */
static AbutContactTime contact_time(const ClearanceRun *run, int last)
{
    int never_meet = run->answer.status == ABUT_CLEARANCE_CLEAR || run->answer.status == ABUT_CLEARANCE_CONTAINED;
    double end = last ? run->def.from : run->def.to;
    return never_meet ? (AbutContactTime){0, 1, end, end}
                      : abut_clearance_contact_time(&run->a, &run->b, &run->def, 0.0, 0.0, last, run->space);
}

static void take_contact_times(ClearanceRun *run)
{
    run->first = contact_time(run, 0);
    run->last = contact_time(run, 1);
}

/* How deep meshes that meet are in each other: in the middle between the first touch and the last, or, where they are
 * apart there or one is inside the other all the time, at the time of the answer. */
static void take_depth(ClearanceRun *run)
{
    DepthArgs by_sweeps = {0};
    run->depth.distance = NAN;
    if (run->answer.ub > 0.0 || run->pieces || !depth_is_wanted(&by_sweeps, &run->args->operands))
        return;
    if (!run->args->contact_times)
        take_contact_times(run);
    if (run->first.found && run->last.found) {
        run->depth_time = 0.5 * (run->first.touching + run->last.touching);
        run->depth = depth_at(run, run->depth_time);
    }
    if (run->depth.distance < 0.0)
        return;
    run->depth_time = run->answer.t;
    run->depth = depth_at(run, run->depth_time);
}

static void search(ClearanceRun *run)
{
    const ClearanceArgs *args = run->args;
    int32_t room = args->minima > 0 ? args->minima : 1;
    run->minima = cli_room((size_t)room, sizeof *run->minima);
    run->answer = args->minima > 0 ? abut_clearance_minima(&run->a, &run->b, &run->def, args->band, room, run->minima,
                                         &run->minimum_count, run->space)
                                   : abut_clearance_by((AbutClearanceMethod)abut_clearance_method_find(args->method),
                                         &run->a, &run->b, &run->def, run->space);
    if (run->answer.status == ABUT_CLEARANCE_INVALID)
        cli_error("the numbers are too large");
    if (run->answer.status == ABUT_CLEARANCE_EMPTY)
        cli_error("a mesh has no triangles");
    if (args->contact_times)
        take_contact_times(run);
    take_depth(run);
    take_curve(run);
}

/* What is asked over which time. */
static AbutClearanceDef definition(const ClearanceArgs *args)
{
    const MotionOperands *m = &args->motions;
    if (!(m->to >= m->from))
        cli_error("--to %s is before --from %s", cli_written("--to", m->to).text, cli_written("--from", m->from).text);
    return (AbutClearanceDef){
        .from = m->from, .to = m->to, .eps = args->eps, .budget = args->budget, .seconds = args->seconds};
}

static int answer(const ClearanceArgs *args, const Bodies *bodies)
{
    const MotionOperands *m = &args->motions;
    ClearanceRun run = {.args = args,
        .a = {abut_solid_prepared(bodies->body[0]), m->motion[0]},
        .b = {abut_solid_prepared(bodies->body[1]), m->motion[1]},
        .def = definition(args),
        .space = bodies->space,
        .pieces = wants_pieces(args) ? bodies->pieces : NULL};
    search(&run);
    if (args->curve)
        clearance_write_curve(&run);
    if (args->page)
        clearance_write_page(&run);
    int status = clearance_print(&run);
    abut_free(run.minima);
    abut_free(run.samples);
    return status;
}

int clearance_run(ClearanceArgs *args)
{
    Bodies bodies = {0};
    args->operands.keep_meshes = args->page || wants_pieces(args);
    args->operands.plates = !wants_pieces(args);
    if (args->page && args->minima == 0)
        args->minima = 8; /* the page marks the closest moments */
    operands_read(OPERAND_AS_IS, &args->operands);
    make_bodies(args, &bodies);
    int status = answer(args, &bodies);
    free_bodies(&bodies);
    return status;
}

/* ---- the soft distance ---------------------------------------------------------------------------------------------- */

int clearance_run_soft(ClearanceArgs *args)
{
    AbutSoftBody *body[2] = {NULL, NULL};
    const Operand *of = args->operands.of;
    const MotionOperands *m = &args->motions;
    ClearanceRun run = {.args = args, .depth = {.distance = NAN}, .def = definition(args)};
    args->operands.keep_meshes = 1;
    operands_read(OPERAND_AS_IS, &args->operands);
    for (int k = 0; k < 2; ++k)
        if (!of[k].body.tree)
            cli_error("--distance soft wants two mesh files, found '%s'", of[k].file);
    AbutSoftBodyDef def = {.tau = isnan(args->tau) ? abut_soft_tau(&of[0].mesh, &of[1].mesh) : args->tau};
    for (int k = 0; k < 2; ++k)
        cli_need_of(of[k].file, abut_soft_body_create(&of[k].mesh, &def, &body[k], &cli_why));
    cli_need(abut_clearance_soft(body[0], &m->motion[0], body[1], &m->motion[1], &run.def, &run.answer, &cli_why));
    if (run.answer.status == ABUT_CLEARANCE_INVALID)
        cli_error("the numbers are too large");
    abut_soft_body_free(body[0]);
    abut_soft_body_free(body[1]);
    return clearance_print(&run);
}
