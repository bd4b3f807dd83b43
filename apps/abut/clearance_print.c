/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `abut clearance` as text, JSON and CSV. */
#include "clearance_run.h"

#include <math.h>
#include <string.h>

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

/* A point of the answer; the soft distance has none. */
static void put_point(AbutJson *json, const char *key, AbutVec3 point, int known)
{
    if (known) {
        abut_json_put_vec3(json, key, point);
    } else {
        abut_json_key(json, key);
        abut_json_null(json);
    }
}

static int is_soft(const ClearanceRun *run)
{
    return strcmp(run->args->distance, "soft") == 0;
}

static void put_answer(AbutJson *json, const AbutClearance *x, const char *method, int points)
{
    abut_json_put_string(json, "status", abut_clearance_status_name(x->status));
    abut_json_put_bool(json, "certified", x->certified);
    abut_json_put_number(json, "ub", x->ub);
    abut_json_put_number(json, "t", x->t);
    abut_json_put_number(json, "lb", x->lb);
    put_point(json, "point_a", x->point_a, points);
    put_point(json, "point_b", x->point_b, points);
    abut_json_put_vec3(json, "normal", x->normal);
    abut_json_put_integer(json, "part_a", x->part_a);
    abut_json_put_integer(json, "part_b", x->part_b);
    abut_json_put_bool(json, "saturated", x->saturated);
    abut_json_put_bool(json, "containment_known", x->containment_known);
    abut_json_put_integer(json, "evaluations", x->evaluations);
    abut_json_put_integer(json, "node_pairs", x->node_pairs);
    abut_json_put_integer(json, "intervals", x->intervals);
    abut_json_put_string(json, "method", method);
}

static void put_pieces(AbutJson *json, const AbutPieces pieces[2])
{
    double count[2], excess[2];
    for (int k = 0; k < 2; ++k) { /* a body in words is one piece */
        count[k] = pieces[k].count > 0 ? pieces[k].count : 1;
        excess[k] = pieces[k].excess;
    }
    abut_json_key(json, "pieces");
    abut_json_numbers(json, count, 2);
    abut_json_key(json, "excess");
    abut_json_numbers(json, excess, 2);
}

static void put_minimum(AbutJson *json, const AbutClearanceMinimum *x)
{
    abut_json_begin_object(json);
    abut_json_put_string(json, "kind", abut_minimum_kind_name(x->kind));
    abut_json_put_number(json, "t", x->t);
    abut_json_put_number(json, "d", x->d);
    abut_json_put_number(json, "lb", x->lb);
    abut_json_put_number(json, "from", x->from);
    abut_json_put_number(json, "to", x->to);
    abut_json_put_vec3(json, "point_a", x->point_a);
    abut_json_put_vec3(json, "point_b", x->point_b);
    abut_json_put_vec3(json, "normal", x->normal);
    abut_json_put_integer(json, "part_a", x->part_a);
    abut_json_put_integer(json, "part_b", x->part_b);
    abut_json_put_bool(json, "polished", x->polished);
    abut_json_end_object(json);
}

static void put_contact_time(AbutJson *json, const char *key, const AbutContactTime *x)
{
    abut_json_key(json, key);
    if (!x->found && x->resolved) {
        abut_json_null(json);
        return;
    }
    abut_json_begin_object(json);
    abut_json_put_number(json, "free", x->free);
    abut_json_put_number(json, "touching", x->found ? x->touching : NAN);
    abut_json_put_bool(json, "resolved", x->resolved);
    abut_json_end_object(json);
}

static int print_json(const CliCommand *command, const ClearanceRun *run)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    put_answer(&json, &run->answer, run->args->method, !is_soft(run));
    abut_json_put_string(&json, "distance", run->args->distance);
    abut_json_put_number(&json, "depth_uncertified", 0.0 - run->depth.distance);
    abut_json_put_number(&json, "depth_t", isnan(run->depth.distance) ? NAN : run->depth_time);
    if (run->pieces)
        put_pieces(&json, run->pieces);
    abut_json_key(&json, "minima");
    abut_json_begin_array(&json);
    for (int32_t k = 0; k < clearance_minima_kept(run); ++k)
        put_minimum(&json, &run->minima[k]);
    abut_json_end_array(&json);
    if (run->args->contact_times) {
        put_contact_time(&json, "first_contact", &run->first);
        put_contact_time(&json, "last_contact", &run->last);
    }
    abut_json_end_object(&json);
    return cli_json_end(command, &json, exit_status(&run->answer));
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_pieces(const ClearanceRun *run)
{
    for (int k = 0; k < 2; ++k) {
        const AbutPieces *p = &run->pieces[k];
        if (p->count == 0)
            continue;
        printf("  pieces of %c  %d", "AB"[k], p -> count);
        if (isfinite(p->excess))
            printf(", with %.4g of its volume too much", p->excess);
        printf("\n");
    }
    if (run->answer.ub <= 0.0)
        printf("  %-12s the contact is one of the pieces, which cover the meshes\n", "note");
}

static void print_minima(const ClearanceRun *run)
{
    for (int32_t k = 0; k < clearance_minima_kept(run); ++k)
        printf("  %-12s %.9g m at %.9g s, %s\n", "minimum", run->minima[k].d, run->minima[k].t,
            abut_minimum_kind_name(run->minima[k].kind));
    if (run->minimum_count > run->args->minima)
        printf("  %-12s %d more minima within the band\n", "note", run->minimum_count - run->args->minima);
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
    printf("  %-12s %s%s\n", "status", abut_clearance_status_name(x->status),
        x->certified ? "" : ", not certified: the bracket is wider than --eps");
    printf("  %-12s %.9g to %.9g m\n", "clearance", x->lb, x->ub);
    if (!isnan(run->depth.distance))
        printf("  %-12s %.9g m at %.9g s, not certified: a short way out, perhaps not the shortest\n", "depth",
            0.0 - run->depth.distance, run->depth_time);
    printf("  %-12s %.9g s\n", "at time", x->t);
    if (is_soft(run)) {
        printf("  %-12s of the soft distance, not the exact one\n", "note");
    } else {
        double size = fmax(abut_max_abs(x->point_a), abut_max_abs(x->point_b));
        cli_print_vec("point of A", x->point_a, size, " m");
        cli_print_vec("point of B", x->point_b, size, " m");
    }
    cli_print_vec("normal", x->normal, 1.0, "");
    printf("  %-12s %lld node pairs, %lld distances, %d intervals\n", "work", (long long)x->node_pairs,
        (long long)x->evaluations, x->intervals);
    if (run->pieces)
        print_pieces(run);
    print_minima(run);
    if (run->args->contact_times) {
        print_contact_time("first touch", "before", &run->first);
        print_contact_time("last touch", "after", &run->last);
    }
    if (x->status == ABUT_CLEARANCE_CONTAINED)
        printf(
            "  %-12s a body is inside the other all the time; points, minima, curve and touches are of the surfaces\n",
            "note");
    if (!x->containment_known)
        printf("  %-12s a mesh is open: nothing is known about its inside\n", "note");
    return exit_status(x);
}

int clearance_print(const CliCommand *command, const ClearanceRun *run)
{
    return run->args->json ? print_json(command, run) : print_text(run);
}
