/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut clearance: how near do two moving bodies come over a whole motion? In: mesh files and their motions. Out: a
 * proven bracket of the least distance, when and where. Exit 0 clear, 1 contact, 3 not decided.
 */
#include "clearance_run.h"
#include "abut/literature.h"

#include <math.h>

enum { MOST_MINIMA = 1000000, PAGE_MINIMA = 8 };
static const double BAND = 0.01;
static const char *const distances[] = {"exact", "soft", NULL};

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
    if (!run->curve && !run->page)
        return;
    if (!run->curve)
        def.eps = page_eps(run);
    abut_clearance_curve(&run->a, &run->b, &def, INFINITY, keep_sample, run, run->space);
}

static AbutGap depth_at(const ClearanceRun *run, double t)
{
    AbutPose b_in_a = abut_pose_between(abut_motion_pose(&run->a.motion, t), abut_motion_pose(&run->b.motion, t));
    return abut_mesh_depth(run->operands.of[0].body.tree, run->operands.of[1].body.tree, b_in_a, NULL, NULL);
}

/* What is proved clear has no contact, also where it comes nearer than the level of a touch. */
static void take_contact_times(ClearanceRun *run)
{
    int never_meet = run->answer.status == ABUT_CLEARANCE_CLEAR || run->answer.status == ABUT_CLEARANCE_CONTAINED;
    for (int last = 0; last < 2; ++last) {
        double end = last ? run->def.from : run->def.to;
        run->touch[last] = never_meet
                               ? (AbutContactTime){0, 1, end, end}
                               : abut_clearance_contact_time(&run->a, &run->b, &run->def, 0.0, 0.0, last, run->space);
    }
}

/* How deep meshes that meet are in each other: in the middle between the first touch and the last, or, where they are
 * apart there or one is inside the other all the time, at the time of the answer. */
static void take_depth(ClearanceRun *run)
{
    const Operand *of = run->operands.of;
    if (run->answer.ub > 0.0 || operands_by_pieces(&run->operands) || !of[0].body.tree || !of[1].body.tree)
        return;
    if (!run->contact_times)
        take_contact_times(run);
    if (run->touch[0].found && run->touch[1].found) {
        run->depth_time = 0.5 * (run->touch[0].touching + run->touch[1].touching);
        run->depth = depth_at(run, run->depth_time);
    }
    if (run->depth.distance < 0.0)
        return;
    run->depth_time = run->answer.t;
    run->depth = depth_at(run, run->depth_time);
}

static void search(ClearanceRun *run)
{
    int32_t room = run->minima > 0 ? run->minima : 1;
    run->minimum = cli_room((size_t)room, sizeof *run->minimum);
    run->answer = run->minima > 0
                      ? abut_clearance_minima(&run->a, &run->b, &run->def, isnan(run->band) ? BAND : run->band, room,
                            run->minimum, &run->minimum_count, run->space)
                      : abut_clearance_by((AbutClearanceMethod)run->method, &run->a, &run->b, &run->def, run->space);
    if (run->answer.status == ABUT_CLEARANCE_EMPTY)
        cli_error("a mesh has no triangles");
    if (run->answer.status == ABUT_CLEARANCE_INVALID)
        cli_error("the numbers are too large");
    if (run->contact_times)
        take_contact_times(run);
    take_depth(run);
    take_curve(run);
}

/* Bodies prepared for the search. */
static void prepare(ClearanceRun *run)
{
    const Operand *of = run->operands.of;
    int endless = is_endless(&of[0].body.convex) + is_endless(&of[1].body.convex);
    AbutMover *mover[2] = {&run->a, &run->b};
    if (endless == 2)
        cli_error("two half-spaces or planes have no end, and no clearance");
    if (endless == 1 && run->method != ABUT_CLEARANCE_FRONT)
        cli_error("--method %s: half-spaces and planes go with front alone", abut_clearance_method_names[run->method]);
    if (run->operands.pieces && !of[0].body.tree && !of[1].body.tree)
        cli_error("--pieces wants a mesh file");
    cli_need(abut_clearance_space_create(1 << 20, &run->space, &cli_why));
    for (int k = 0; k < 2; ++k) {
        AbutClearanceBody *body;
        AbutSolid solid = operands_solid(&run->operands, k);
        cli_need(abut_clearance_body_create(1, &solid, &body, &cli_why));
        *mover[k] = (AbutMover){abut_solid_prepared(body), of[k].motion};
    }
}

static void search_soft(ClearanceRun *run)
{
    AbutSoftBody *body[2];
    const Operand *of = run->operands.of;
    operands_need_meshes(&run->operands, "--distance soft");
    AbutSoftBodyDef def = {.tau = isnan(run->tau) ? abut_soft_tau(&of[0].mesh, &of[1].mesh) : run->tau};
    for (int k = 0; k < 2; ++k)
        cli_need_of(of[k].file, abut_soft_body_create(&of[k].mesh, &def, &body[k], &cli_why));
    cli_need(abut_clearance_soft(body[0], &of[0].motion, body[1], &of[1].motion, &run->def, &run->answer, &cli_why));
    if (run->answer.status == ABUT_CLEARANCE_INVALID)
        cli_error("the numbers are too large");
}

static void check(const ClearanceRun *run)
{
    if (run->method != ABUT_CLEARANCE_FRONT && (run->minima > 0 || run->curve || run->page || run->seconds > 0.0))
        cli_error("--minima, --curve, --html and --seconds go with --method front alone");
    if (run->soft && (run->minima > 0 || run->curve || run->page || run->contact_times || run->operands.convex ||
                         operands_by_pieces(&run->operands) || run->method != ABUT_CLEARANCE_FRONT))
        cli_error("--distance soft gives the bracket alone: it excludes --minima, --curve, --html, "
                  "--contact-times, --pieces, --pieces-a, --pieces-b, --convex and --method");
}

int cli_clearance(int argc, char **argv)
{
    ClearanceRun run = {.operands = operands_make(), .eps = 1e-3, .band = NAN, .tau = NAN, .depth = {.distance = NAN}};
    const CliOption options[] = {
        OPERAND_OPTIONS(&run.operands),
        OPERAND_MOTIONS(&run.operands),
        OPTION("--to", CLI_REAL, &run.operands.to, "T", "its end (default: the last time of the files)"),
        OPTION("--eps", CLI_REAL, &run.eps, "D", "width of the bracket to reach, m", 1e-12, 1e60),
        OPTION("--budget", CLI_COUNT, &run.budget, "N",
            "node pairs to look at; the bracket is what they prove (default: 5000000)"),
        OPTION("--seconds", CLI_REAL, &run.seconds, "T",
            "time for each question; the bracket is what it suffices for, and differs from run to run (default: no "
            "limit)",
            0.0, 1e9),
        OPTION("--method", CLI_WORD, &run.method, "NAME",
            "front, or one of the literature: gss, ca, hybrid-classic, hybrid, as, as-best, as-thesis, sampling",
            .words = abut_clearance_method_names),
        OPTION("--distance", CLI_WORD, &run.soft, "NAME",
            "exact, or soft: the soft distance of two closed meshes (abut distance --direction soft)",
            .words = distances),
        OPTION("--tau", CLI_REAL, &run.tau, "D",
            "with --distance soft: smoothing length, m (default: 0.04 of the smaller body's diameter)", 1e-12, 1e30),
        OPTION("--minima", CLI_COUNT, &run.minima, "K", "list the K nearest local minima as well, at most 1,000,000", 1,
            MOST_MINIMA),
        OPTION("--band", CLI_REAL, &run.band, "D",
            "with --minima or --html: of the minima those at most D above the least, m (default: 0.01)", 0.0, 1e60),
        OPTION("--contact-times", CLI_FLAG, &run.contact_times, NULL,
            "bracket the first and the last contact; meshes touch within 1e-9 of the smaller body's radius"),
        OPTION("--curve", CLI_OUTPUT, &run.curve, "FILE", "write the distance over time as CSV, with its proved band"),
        OPTION("--html", CLI_OUTPUT, &run.page, "FILE", "write a page with both bodies, the curve and the minima"),
        cli_row("--json", &run.json),
    };
    operands_parse(options, CLI_ROWS(options), argc, argv, "bodies", &run.operands);
    check(&run);
    operands_read_motions(&run.operands);
    const Operands *o = &run.operands;
    if (!(o->to >= o->from))
        cli_error("--to %s is before --from %s", cli_written("--to", o->to).text, cli_written("--from", o->from).text);
    run.def =
        (AbutClearanceDef){.from = o->from, .to = o->to, .eps = run.eps, .budget = run.budget, .seconds = run.seconds};
    operands_read(ABUT_SOLID_AS_IS, &run.operands);
    if (run.page && run.minima == 0)
        run.minima = PAGE_MINIMA; /* the page marks the closest moments */
    if (run.soft) {
        search_soft(&run);
        return clearance_print(&run);
    }
    prepare(&run);
    search(&run);
    if (run.curve)
        clearance_write_curve(&run);
    if (run.page)
        clearance_write_page(&run);
    return clearance_print(&run);
}
