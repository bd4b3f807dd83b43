/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut clearance: how near do two moving bodies come over a whole motion? In: mesh files and their motions. Out: a
 * proven bracket of the least distance, when and where. Exit 0 clear, 1 contact, 3 not decided.
 */
#include "abut/literature.h"

#include "operands.h"

#include <math.h>

enum { MOST_MINIMA = 1000000, PAGE_MINIMA = 8 };
static const double BAND = 0.01;
static const char *const distances[] = {"exact", "soft", NULL};

typedef struct Run {
    Operands operands;
    double eps, band;   /* band NaN: not given */
    int budget, minima; /* 0: not given */
    double seconds;     /* 0: not given */
    int contact_times, json, method, soft;
    double tau;               /* of soft; NaN: not given */
    const char *curve, *page; /* files, or NULL */
    AbutMover a, b;
    AbutClearanceDef def;
    AbutClearanceSpace *space;
    AbutClearance answer;
    AbutGap depth;     /* of two meshes that meet; NaN where there is none */
    double depth_time; /* when */
    AbutClearanceMinimum *minimum;
    int32_t minimum_count;        /* how many there are; at most `minima` are kept */
    AbutContactTime touch[2];     /* first and last */
    AbutClearanceSample *samples; /* of the whole curve */
    int32_t sample_count;
    size_t sample_capacity;
} Run;

static int32_t minima_kept(const Run *run) {
    return run->minimum_count < run->minima ? run->minimum_count : run->minima;
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int exit_status(const AbutClearance *x) {
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

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

typedef struct Touch {
    AbutContactTime x;
    double touching; /* NaN: none */
} Touch;

static const AbutField touch_fields[] = {
    {ABUT_FIELD_OF(Touch, x, abut_contact_time_record, "free")},
    {ABUT_FIELD(Touch, touching, REAL, "s", "In contact at this time; null where none was found.")},
    {ABUT_FIELD_OF(Touch, x, abut_contact_time_record, "resolved")},
};
static const AbutRecord touch_record = ABUT_RECORD("contact time", "", Touch, touch_fields);

static const AbutField minimum_fields[] = {
    {ABUT_FIELD_OF(AbutClearanceMinimum, kind, abut_clearance_minimum_record,
        "kind t d lb from=start to=end point_a point_b normal part_a part_b polished")},
};
static const AbutRecord minimum_record = ABUT_RECORD("minimum", "", AbutClearanceMinimum, minimum_fields);

typedef struct Answer {
    AbutClearance x;
    int exact; /* points are known: not the soft distance */
    const char *method, *distance;
    double depth_uncertified, depth_t;
    int by_pieces, contact_times;
    double pieces[2], excess[2];
    const AbutClearanceMinimum *minima;
    int32_t minimum_count;
    const Touch *first_contact, *last_contact; /* NULL: proved that there is none */
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, x, abut_clearance_record, "status certified reason ub t lb")},
    {ABUT_FIELD_AS("point_a", Answer, x.point_a, REAL, "m", "Point of A at `t`; null with `--distance soft`."),
        .rows = 3, .known_at = offsetof(Answer, exact)},
    {ABUT_FIELD_AS("point_b", Answer, x.point_b, REAL, "m", "Point of B at `t`; null with `--distance soft`."),
        .rows = 3, .known_at = offsetof(Answer, exact)},
    {ABUT_FIELD_OF(Answer, x, abut_clearance_record,
        "normal part_a part_b saturated containment_known evaluations node_pairs intervals")},
    {ABUT_FIELD(Answer, method, TEXT, "", "Method of the search.")},
    {ABUT_FIELD(Answer, distance, TEXT, "", "`exact` or `soft`: the distance that `ub` and `lb` bound.")},
    {ABUT_FIELD(Answer, depth_uncertified, REAL, "m",
        "Meshes that meet: depth at `depth_t`, not proved over the motion; otherwise null.")},
    {ABUT_FIELD(Answer, depth_t, REAL, "s",
        "Middle between the first touch and the last; `t` where the bodies are apart there.")},
    {ABUT_FIELD(Answer, pieces, REAL, "", "With pieces: number of convex pieces of each body."), .rows = 2,
        .shown_at = offsetof(Answer, by_pieces)},
    {ABUT_FIELD(Answer, excess, REAL, "", "With pieces: their volume beyond the mesh, relative; null from a folder."),
        .rows = 2, .shown_at = offsetof(Answer, by_pieces)},
    {ABUT_FIELD_AT(Answer, minima, minimum_record, "Local minima, nearest first."),
        .count_at = offsetof(Answer, minimum_count)},
    {ABUT_FIELD_AT(Answer, first_contact, touch_record, "With `--contact-times`: the first contact; null: none."),
        .shown_at = offsetof(Answer, contact_times)},
    {ABUT_FIELD_AT(Answer, last_contact, touch_record, "With `--contact-times`: the last contact; null: none."),
        .shown_at = offsetof(Answer, contact_times)},
};
const AbutRecord cli_clearance_answer = ABUT_RECORD("clearance", "", Answer, answer_fields);

static int print_json(const Run *run) {
    Touch touch[2];
    const Touch *known[2];
    Answer a = {.x = run->answer,
        .exact = !run->soft,
        .method = abut_clearance_method_names[run->method],
        .distance = run->soft ? "soft" : "exact",
        .depth_uncertified = 0.0 - run->depth.distance,
        .depth_t = isnan(run->depth.distance) ? NAN : run->depth_time,
        .by_pieces = operands_by_pieces(&run->operands),
        .contact_times = run->contact_times,
        .minima = run->minimum,
        .minimum_count = minima_kept(run)};
    for (int k = 0; k < 2; ++k) { /* a body in words is one piece */
        const AbutContactTime *time = &run->touch[k];
        const AbutPieces *p = &run->operands.of[k].body.pieces;
        touch[k] = (Touch){*time, time->found ? time->touching : NAN};
        known[k] = time->found || !time->resolved ? &touch[k] : NULL;
        a.pieces[k] = p->count > 0 ? p->count : 1;
        a.excess[k] = p->excess;
    }
    a.first_contact = known[0], a.last_contact = known[1];
    return cli_answer(2, &cli_clearance_answer, NULL, &a, exit_status(&run->answer));
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_pieces(const Run *run) {
    for (int k = 0; k < 2; ++k) {
        const AbutPieces *p = &run->operands.of[k].body.pieces;
        if (p->count == 0) continue;
        printf("  pieces of %c  %d", "AB"[k], p -> count);
        if (isfinite(p->excess)) printf(", with %.4g of its volume too much", p->excess);
        printf("\n");
    }
    if (run->answer.ub <= 0.0) puts("  note         the contact is one of the pieces, which cover the meshes");
}

static void print_minima(const Run *run) {
    for (int32_t k = 0; k < minima_kept(run); ++k)
        abut_record_print(stdout, &minimum_record, "  minimum      {d:.9g} m at {t:.9g} s, {kind}\n", &run->minimum[k]);
    if (run->minimum_count > run->minima)
        printf("  %-12s %d more minima within the band\n", "note", run->minimum_count - run->minima);
}

static void print_contact_time(const char *name, const char *side, const AbutContactTime *x) {
    if (x->found)
        printf("  %-12s free to touching %.9g to %.9g s%s\n", name, x->free, x->touching,
            x->resolved ? "" : ", not resolved: grazing, or out of budget");
    else if (x->resolved)
        printf("  %-12s none\n", name);
    else
        printf("  %-12s not resolved: none %s %.9g s\n", name, side, x->free);
}

static int print_text(const Run *run) {
    const AbutClearance *x = &run->answer;
    static const char *const why[ABUT_CLEARANCE_REASON_COUNT] = {"",
        ", not certified: the budget ended before the bracket was as narrow as --eps",
        ", not certified: time ran out before the bracket was as narrow as --eps",
        ", not certified: the bracket is wider than --eps"};
    printf("  %-12s %s%s\n", "status", abut_word(abut_clearance_status_names, x->status),
        x->certified ? "" : why[x->reason ? x->reason : ABUT_CLEARANCE_BY_ROUNDING]);
    printf("  %-12s %.9g to %.9g m\n", "clearance", x->lb, x->ub);
    if (!isnan(run->depth.distance))
        printf("  %-12s %.9g m at %.9g s, not certified: a short way out, perhaps not the shortest\n", "depth",
            0.0 - run->depth.distance, run->depth_time);
    abut_record_print(stdout, &abut_clearance_record,
        run->soft ? "  at time      {t:.9g} s\n"
                    "  note         of the soft distance, not the exact one\n"
                  : "  at time      {t:.9g} s\n"
                    "  point of A   {point_a~point_b:.9g} m\n"
                    "  point of B   {point_b~point_a:.9g} m\n",
        x);
    abut_record_print(stdout, &abut_clearance_record,
        "  normal       {normal~:.9g}\n"
        "  work         {node_pairs} node pairs, {evaluations} distances, {intervals} intervals\n",
        x);
    if (operands_by_pieces(&run->operands)) print_pieces(run);
    print_minima(run);
    if (run->contact_times) {
        print_contact_time("first touch", "before", &run->touch[0]);
        print_contact_time("last touch", "after", &run->touch[1]);
    }
    if (x->status == ABUT_CLEARANCE_CONTAINED)
        puts("  note         a body is inside the other all the time; points, minima, curve and touches are of the "
             "surfaces");
    if (!x->containment_known) puts("  note         a mesh is open: nothing is known about its inside");
    return exit_status(x);
}

static int print_answer(const Run *run) { return run->json ? print_json(run) : print_text(run); }

/* ---- files ---------------------------------------------------------------------------------------------------------- */

static void write_curve(const Run *run) {
    AbutCsv *csv;
    cli_need(abut_csv_open(run->curve, "from,to,t,distance,lower", &csv, &cli_why));
    for (int32_t i = 0; i < run->sample_count; ++i)
        abut_csv_record(csv, &abut_clearance_sample_record, "start end t d lb", &run->samples[i]);
    cli_need(abut_csv_commit(csv, &cli_why));
}

static void write_page(const Run *run) {
    char note[200], text[256], title[300];
    if (run->answer.lb > 0.0)
        snprintf(note, sizeof note,
            "Proved: at no time nearer than %.6g m. The band under the curve holds at every time.", run->answer.lb);
    else
        snprintf(note, sizeof note, "%s The band under the curve holds at every time.",
            run->answer.ub > 0.0 ? "No distance is proved." : "They touch.");
    AbutPageHead head = {.title = operands_title(&run->operands, title),
        .subtitle = "Clearance over a motion",
        .note = endless_note(&run->operands, note, text)};
    AbutPageMeshes meshes = {.minima = run->minimum, .minimum_count = minima_kept(run)};
    AbutPageClearance page = {
        &run->a, &run->b, run->space, run->def.from, run->def.to, run->samples, run->sample_count};
    operands_show(&run->operands, &meshes);
    cli_need(abut_page_write_clearance(run->page, &head, meshes, &page, &cli_why));
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

static int keep_sample(const AbutClearanceSample *sample, void *user) {
    Run *run = user;
    run->samples = cli_grow(run->samples, &run->sample_capacity, (size_t)run->sample_count + 1, sizeof *run->samples);
    run->samples[run->sample_count++] = *sample;
    return 0;
}

static double distance_at(const Run *run, double t) {
    AbutClearanceDef def = {.from = t, .to = t, .eps = 1e-9, .budget = 100000};
    return abut_clearance(&run->a, &run->b, &def, run->space).ub;
}

/* The tolerance of the curve on a page: a part of its height that can just be seen, unless --eps says it. */
static double page_eps(const Run *run) {
    double most = -INFINITY;
    for (int k = 0; k <= 20; ++k) {
        double part = k / 20.0;
        most = fmax(most, distance_at(run, run->def.from * (1.0 - part) + run->def.to * part));
    }
    return cli_given("--eps") ? run->def.eps : fmax(run->def.eps, (most - run->answer.ub) / 300.0);
}

static void take_curve(Run *run) {
    AbutClearanceDef def = run->def;
    if (!run->curve && !run->page) return;
    if (!run->curve) def.eps = page_eps(run);
    abut_clearance_curve(&run->a, &run->b, &def, INFINITY, keep_sample, run, run->space);
}

static AbutGap depth_at(const Run *run, double t) {
    AbutPose b_in_a = abut_pose_between(abut_motion_pose(&run->a.motion, t), abut_motion_pose(&run->b.motion, t));
    return abut_depth(abut_solid_mesh(run->operands.of[0].body.tree), abut_solid_mesh(run->operands.of[1].body.tree),
        b_in_a, NULL, NULL);
}

/* A motion proved clear has no contact, even where it comes nearer than the level of a touch. */
static void take_contact_times(Run *run) {
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
static void take_depth(Run *run) {
    const Operand *of = run->operands.of;
    if (run->answer.ub > 0.0 || operands_by_pieces(&run->operands) || !of[0].body.tree || !of[1].body.tree) return;
    if (!run->contact_times) take_contact_times(run);
    if (run->touch[0].found && run->touch[1].found) {
        run->depth_time = 0.5 * (run->touch[0].touching + run->touch[1].touching);
        run->depth = depth_at(run, run->depth_time);
    }
    if (run->depth.distance < 0.0) return;
    run->depth_time = run->answer.t;
    run->depth = depth_at(run, run->depth_time);
}

static void search(Run *run) {
    int32_t room = run->minima > 0 ? run->minima : 1;
    run->minimum = cli_room((size_t)room, sizeof *run->minimum);
    run->answer = run->minima > 0
                      ? abut_clearance_minima(&run->a, &run->b, &run->def, isnan(run->band) ? BAND : run->band, room,
                            run->minimum, &run->minimum_count, run->space)
                      : abut_clearance_by((AbutClearanceMethod)run->method, &run->a, &run->b, &run->def, run->space);
    if (run->answer.status == ABUT_CLEARANCE_EMPTY) cli_error("a mesh has no triangles");
    if (run->answer.status == ABUT_CLEARANCE_INVALID) cli_error("the numbers are too large");
    if (run->contact_times) take_contact_times(run);
    take_depth(run);
    take_curve(run);
}

/* Bodies prepared for the search. */
static void prepare(Run *run) {
    const Operand *of = run->operands.of;
    int endless = is_endless(&of[0].body.convex) + is_endless(&of[1].body.convex);
    AbutMover *mover[2] = {&run->a, &run->b};
    if (endless == 2) cli_error("two half-spaces or planes have no end, and no clearance");
    if (endless == 1 && run->method != ABUT_CLEARANCE_FRONT)
        cli_error("--method %s: half-spaces and planes go with front alone", abut_clearance_method_names[run->method]);
    if (run->operands.pieces && !of[0].body.tree && !of[1].body.tree) cli_error("--pieces wants a mesh file");
    cli_need(abut_clearance_space_create(1 << 20, &run->space, &cli_why));
    for (int k = 0; k < 2; ++k) {
        AbutClearanceBody *body;
        AbutSolid solid = operands_solid(&run->operands, k);
        cli_need(abut_clearance_body_create(1, &solid, &body, &cli_why));
        *mover[k] = (AbutMover){abut_solid_prepared(body), of[k].motion};
    }
}

static void search_soft(Run *run) {
    AbutSoftBody *body[2];
    const Operand *of = run->operands.of;
    operands_need_meshes(&run->operands, "--distance soft");
    AbutSoftBodyDef def = {.tau = isnan(run->tau) ? abut_soft_tau(&of[0].mesh, &of[1].mesh) : run->tau};
    for (int k = 0; k < 2; ++k) cli_need_of(of[k].file, abut_soft_body_create(&of[k].mesh, &def, &body[k], &cli_why));
    cli_need(abut_clearance_soft(body[0], &of[0].motion, body[1], &of[1].motion, &run->def, &run->answer, &cli_why));
    if (run->answer.status == ABUT_CLEARANCE_INVALID) cli_error("the numbers are too large");
}

static void check(const Run *run) {
    if (run->method != ABUT_CLEARANCE_FRONT && (run->minima > 0 || run->curve || run->page || run->seconds > 0.0))
        cli_error("--minima, --curve, --html and --seconds go with --method front alone");
    if (run->soft && (run->minima > 0 || run->curve || run->page || run->contact_times || run->operands.convex ||
                         operands_by_pieces(&run->operands) || run->method != ABUT_CLEARANCE_FRONT))
        cli_error("--distance soft gives the bracket alone: it excludes --minima, --curve, --html, "
                  "--contact-times, --pieces, --pieces-a, --pieces-b, --convex and --method");
}

int cli_clearance(int argc, char **argv) {
    Run run = {.operands = operands_make(), .eps = 1e-3, .band = NAN, .tau = NAN, .depth = {.distance = NAN}};
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
    if (run.page && run.minima == 0) run.minima = PAGE_MINIMA; /* the page marks the closest moments */
    if (run.soft) {
        search_soft(&run);
        return print_answer(&run);
    }
    prepare(&run);
    search(&run);
    if (run.curve) write_curve(&run);
    if (run.page) write_page(&run);
    return print_answer(&run);
}
