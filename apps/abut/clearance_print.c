/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `abut clearance` as text, JSON and CSV. */
#include "clearance_run.h"
#include "abut/literature.h"

#include <math.h>

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

static int print_json(const ClearanceRun *run)
{
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
        .minimum_count = clearance_minima_kept(run)};
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

static void print_pieces(const ClearanceRun *run)
{
    for (int k = 0; k < 2; ++k) {
        const AbutPieces *p = &run->operands.of[k].body.pieces;
        if (p->count == 0)
            continue;
        printf("  pieces of %c  %d", "AB"[k], p -> count);
        if (isfinite(p->excess))
            printf(", with %.4g of its volume too much", p->excess);
        printf("\n");
    }
    if (run->answer.ub <= 0.0)
        puts("  note         the contact is one of the pieces, which cover the meshes");
}

static void print_minima(const ClearanceRun *run)
{
    for (int32_t k = 0; k < clearance_minima_kept(run); ++k)
        abut_record_print(stdout, &minimum_record, "  minimum      {d:.9g} m at {t:.9g} s, {kind}\n", &run->minimum[k]);
    if (run->minimum_count > run->minima)
        printf("  %-12s %d more minima within the band\n", "note", run->minimum_count - run->minima);
}

static void print_contact_time(const char *name, const char *side, const AbutContactTime *x)
{
    if (x->found)
        printf("  %-12s free to touching %.9g to %.9g s%s\n", name, x->free, x->touching,
            x->resolved ? "" : ", not resolved: grazing, or out of budget");
    else if (x->resolved)
        printf("  %-12s none\n", name);
    else
        printf("  %-12s not resolved: none %s %.9g s\n", name, side, x->free);
}

static int print_text(const ClearanceRun *run)
{
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
    if (operands_by_pieces(&run->operands))
        print_pieces(run);
    print_minima(run);
    if (run->contact_times) {
        print_contact_time("first touch", "before", &run->touch[0]);
        print_contact_time("last touch", "after", &run->touch[1]);
    }
    if (x->status == ABUT_CLEARANCE_CONTAINED)
        puts("  note         a body is inside the other all the time; points, minima, curve and touches are of the "
             "surfaces");
    if (!x->containment_known)
        puts("  note         a mesh is open: nothing is known about its inside");
    return exit_status(x);
}

int clearance_print(const ClearanceRun *run)
{
    return run->json ? print_json(run) : print_text(run);
}

/* ---- files ---------------------------------------------------------------------------------------------------------- */

void clearance_write_curve(const ClearanceRun *run)
{
    AbutCsv *csv;
    cli_need(abut_csv_open(run->curve, "from,to,t,distance,lower", &csv, &cli_why));
    for (int32_t i = 0; i < run->sample_count; ++i)
        abut_csv_record(csv, &abut_clearance_sample_record, "start end t d lb", &run->samples[i]);
    cli_need(abut_csv_commit(csv, &cli_why));
}

/* Arrays of a page: rows for the samples, and for times between them, both ends of the motion among them. */
typedef struct Rows {
    int32_t count;
    double *times, *lower;
    AbutPose *pose[2];
    AbutGap *distance;
} Rows;

enum { GRID = 200 }; /* intervals of the times beside those of the samples */

static void add_row(const ClearanceRun *run, Rows *r, double t, double d, double lower)
{
    if (r->count > 0 && r->times[r->count - 1] == t)
        return;
    r->times[r->count] = t;
    r->lower[r->count] = lower;
    r->distance[r->count].distance = d;
    r->pose[0][r->count] = abut_motion_pose(&run->a.motion, t);
    r->pose[1][r->count++] = abut_motion_pose(&run->b.motion, t);
}

static double grid_time(const ClearanceRun *run, int k)
{
    double part = (double)k / GRID;
    return run->def.from * (1.0 - part) + run->def.to * part;
}

/* Samples may be far apart where little is open or the budget ended. */
static void fill_rows(const ClearanceRun *run, Rows *r)
{
    int k = 0;
    for (int32_t i = 0; i < run->sample_count; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        for (; k <= GRID && grid_time(run, k) < x->t; ++k)
            add_row(run, r, grid_time(run, k), clearance_distance_at(run, grid_time(run, k)), x->lb);
        add_row(run, r, x->t, x->d, x->lb);
        for (; k <= GRID && (grid_time(run, k) <= x->to || i + 1 == run->sample_count); ++k)
            add_row(run, r, grid_time(run, k), clearance_distance_at(run, grid_time(run, k)), x->lb);
    }
}

void clearance_write_page(const ClearanceRun *run)
{
    const Operands *operands = &run->operands;
    size_t n = (size_t)run->sample_count + GRID + 1;
    char note[200], text[256];
    Rows r = {.times = cli_room(n, sizeof *r.times),
        .lower = cli_room(n, sizeof *r.lower),
        .pose = {cli_room(n, sizeof **r.pose), cli_room(n, sizeof **r.pose)},
        .distance = cli_room(n, sizeof *r.distance)};
    fill_rows(run, &r);
    snprintf(note, sizeof note, "Proved: at no time nearer than %.6g m. The band under the curve holds at every time.",
        run->answer.lb);
    AbutPageHead head = {.subtitle = "Clearance over a motion", .note = endless_note(operands, note, text)};
    AbutPageMeshes meshes = {.count = r.count,
        .times = r.times,
        .poses_a = r.pose[0],
        .pose_b = r.pose[1],
        .distance = r.distance,
        .lower = r.lower,
        .minima = run->minimum,
        .minimum_count = clearance_minima_kept(run)};
    operands_write_page(operands, run->page, &head, &meshes);
}
