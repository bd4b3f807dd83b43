/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constraints of a motion. For every pair of pieces the distance is taken at the postures of a grid; every local
 * minimum in time that is near is a row, refined between its neighbors, and so is every other sample of the band
 * around the margin: without these a step slips the motion in time instead of moving it aside, and minima at which the
 * normal changes would have one row where they need several. Samples inside an escape count along its direction.
 */
#include "plan/planner.h"

#include <stdlib.h>
#include <string.h>

static const double ACTIVE = 0.08;  /* beyond the margin: farther samples do not count */
static const double REFINED = 0.05; /* beyond the margin: farther minima stay where the grid has them */
static const double BAND = 0.02;    /* beyond the margin: all samples are rows */
enum { REFINEMENTS = 8 };

static double sample_time(const AbutPlanWork *work, int32_t i) { return (double)i / (work->grid - 1); }

void abut_plan_place(const AbutPlanWork *work, const double *u, AbutPlanPosture *out) {
    const AbutPlanProblem *p = work->problem;
    memcpy(work->joints, p->offset, (size_t)p->tree.joint_count * sizeof *work->joints);
    for (int32_t e = 0; e < p->entry_count; ++e)
        work->joints[p->entries[e].joint] += p->entries[e].factor * u[p->entries[e].coordinate];
    abut_plan_tree_place(&p->tree, work->joints, out);
}

static void place_at(const AbutPlanWork *work, const double *control, double s, AbutPlanPosture *out) {
    abut_plan_spline_at(work->spline, work->width, control, s, work->coordinates);
    abut_plan_place(work, work->coordinates, out);
}

/* How far a point of a piece goes between two postures, at most: 2 sin(angle / 2) is below twice the distance of the
 * quaternions. */
static double piece_move(const AbutPlanPiece *piece, const AbutPlanPosture *from, const AbutPlanPosture *to) {
    if (piece->node < 0) return 0.0;
    if (piece->flat) return INFINITY;
    AbutQuat a = from->node[piece->node].q, b = to->node[piece->node].q;
    double turn = sqrt(fmax(2.0 - 2.0 * fabs(abut_quat_dot(a, b)), 0.0)) + 1e-7;
    AbutVec3 c = abut_pose_apply(from->node[piece->node], piece->ball.center);
    AbutVec3 d = abut_pose_apply(to->node[piece->node], piece->ball.center);
    return abut_point_distance(c, d) + 2.0 * piece->ball.radius * turn;
}

void abut_plan_place_grid(AbutPlanWork *work, const double *control) {
    const AbutPlanProblem *p = work->problem;
    for (int32_t i = 0; i < work->grid; ++i) {
        size_t row = (size_t)i * (size_t)p->piece_count;
        const AbutPlanPosture *at = &work->postures[i];
        place_at(work, control, sample_time(work, i), &work->postures[i]);
        for (int32_t k = 0; k < p->piece_count; ++k) {
            work->centers[row + (size_t)k] = abut_plan_piece_point(&p->pieces[k], at, p->pieces[k].ball.center);
            work->moves[row + (size_t)k] = i > 0 ? piece_move(&p->pieces[k], at - 1, at) : INFINITY;
        }
    }
}

double abut_plan_grid_apart(const AbutPlanWork *work, const AbutPlanItem *item, int32_t i) {
    const AbutPlanProblem *p = work->problem;
    const AbutVec3 *centers = work->centers + (size_t)i * (size_t)p->piece_count;
    const AbutPlanPiece *a = &p->pieces[item->a], *b = &p->pieces[item->b];
    if (b->flat) return abut_plan_item_apart(p, item, &work->postures[i]);
    return abut_point_distance(centers[item->a], centers[item->b]) - a->ball.radius - b->ball.radius;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The row with the most to spare, which a nearer one may replace. */
static int32_t roomiest(const AbutPlanRows *rows) {
    int32_t at = 0;
    for (int32_t i = 1; i < rows->count; ++i)
        if (rows->rows[i].value - rows->rows[i].wanted > rows->rows[at].value - rows->rows[at].wanted) at = i;
    return at;
}

AbutPlanRow *abut_plan_new_row(AbutPlanWork *work, AbutPlanRows *out, int32_t item, double s, double value, int bare) {
    double wanted = abut_plan_wanted(work, item), missing = isnan(value) ? 1.0 : wanted - value;
    if (missing > 0.0) {
        out->sum += missing;
        if (missing > out->largest) {
            out->largest = missing;
            out->worst = item;
            out->worst_s = s;
        }
    }
    if (bare) return NULL;
    int full = out->count == ABUT_PLAN_ROWS_NEAR;
    AbutPlanRow *row = &out->rows[full ? roomiest(out) : out->count++];
    if (full && row->value - row->wanted <= -missing) return NULL;
    row->item = item;
    row->s = s;
    row->value = wanted - missing;
    row->wanted = wanted;
    return row;
}

static void add_row(AbutPlanWork *work, AbutPlanRows *out, int32_t item, double s, const AbutPlanDistance *d,
    const AbutPlanPosture *at, int bare) {
    AbutPlanRow *row = abut_plan_new_row(work, out, item, s, d->distance, bare);
    if (row) abut_plan_item_gradient(work->problem, &work->problem->items[item], at, d, row->gradient);
}

/* ---- minima ------------------------------------------------------------------------------------------------------ */

typedef struct Bracket {
    double a, b, c, at_a, at_b, at_c; /* b between a and c, and lowest */
} Bracket;

/* Where a parabola through the three has its least value; by golden section where that is of no use, and every third
 * time. */
static double next_guess(const Bracket *k, int round) {
    double den = (k->b - k->a) * (k->at_b - k->at_c) - (k->b - k->c) * (k->at_b - k->at_a), x = k->b;
    if (fabs(den) > 1e-15)
        x -= 0.5 *
             ((k->b - k->a) * (k->b - k->a) * (k->at_b - k->at_c) -
                 (k->b - k->c) * (k->b - k->c) * (k->at_b - k->at_a)) /
             den;
    if (!(x > k->a && x < k->c) || round % 3 == 2)
        x = k->b - k->a > k->c - k->b ? k->b - 0.382 * (k->b - k->a) : k->b + 0.382 * (k->c - k->b);
    return x;
}

static void narrow(Bracket *k, double x, double value) {
    int lower = value < k->at_b, left = x < k->b;
    double *end = lower == left ? &k->c : &k->a, *at_end = lower == left ? &k->at_c : &k->at_a;
    *end = lower ? k->b : x;
    *at_end = lower ? k->at_b : value;
    if (lower) {
        k->b = x;
        k->at_b = value;
    }
}

/* A minimum of the samples, brought nearer to the true one; the row is taken there. */
static void add_minimum(
    AbutPlanWork *work, const double *control, int32_t item, int32_t i, int bare, AbutPlanRows *out) {
    AbutPlanDistance best = work->along[i];
    double s = sample_time(work, i);
    AbutPlanPosture *spare = &work->postures[work->grid];
    int moved = 0;
    if (i > 0 && i + 1 < work->grid && work->distance[i - 1] < INFINITY && work->distance[i + 1] < INFINITY &&
        best.distance < abut_plan_wanted(work, item) + REFINED) {
        Bracket k = {sample_time(work, i - 1), s, sample_time(work, i + 1), work->distance[i - 1], work->distance[i],
            work->distance[i + 1]};
        for (int round = 0; round < REFINEMENTS; ++round) {
            double x = next_guess(&k, round);
            if (fabs(x - k.b) < 1e-5) break;
            place_at(work, control, x, spare);
            AbutPlanDistance d =
                abut_plan_item_distance(work->problem, &work->problem->items[item], spare, &work->caches[item]);
            if (d.distance < k.at_b) {
                best = d;
                s = x;
                moved = 1;
            }
            narrow(&k, x, d.distance);
        }
    }
    if (moved) place_at(work, control, s, spare);
    add_row(work, out, item, s, &best, moved ? spare : &work->postures[i], bare);
}

/* ---- one item over the grid -------------------------------------------------------------------------------------- */

static const AbutPlanEscape *escape_at(const AbutPlanWork *work, int32_t item, int32_t i) {
    for (int32_t e = 0; e < work->escape_count; ++e)
        if (i >= work->escapes[e].first[item] && i <= work->escapes[e].last[item]) return &work->escapes[e];
    return NULL;
}

/* How far an item is apart in posture i at least, from what it was in the posture before, by balls, by capsules; as
 * soon as that is beyond `enough`. After a posture in which it was near, capsules rarely tell. */
static double apart_at_least(const AbutPlanWork *work, const AbutPlanItem *item, int32_t i, double enough) {
    const double *moves = work->moves + (size_t)i * (size_t)work->problem->piece_count;
    double before = i > 0 ? work->distance[i - 1] : INFINITY, least = before - moves[item->a] - moves[item->b];
    if (before < INFINITY && least > enough) return least;
    least = abut_plan_grid_apart(work, item, i);
    return least > enough || before < enough ? least
                                             : abut_plan_item_hulls_apart(work->problem, item, &work->postures[i]);
}

/* Distances at all postures; bounds where these are beyond what counts, INFINITY where the pair may meet. Gives the
 * least. */
static double measure(AbutPlanWork *work, int32_t k, double active) {
    const AbutPlanItem *item = &work->problem->items[k];
    double least = INFINITY;
    for (int32_t i = 0; i < work->grid; ++i) {
        int free = abut_plan_may_meet(work->problem, item->pair, sample_time(work, i));
        work->distance[i] = free ? INFINITY : apart_at_least(work, item, i, active);
        if (!(work->distance[i] > active)) {
            work->along[i] = abut_plan_item_distance(work->problem, item, &work->postures[i], &work->caches[k]);
            work->distance[i] = isnan(work->along[i].distance) ? -1.0 : work->along[i].distance;
        }
        least = fmin(least, work->distance[i]);
    }
    return least;
}

static void collect_item(AbutPlanWork *work, const double *control, int32_t k, int bare, AbutPlanRows *out) {
    double wanted = abut_plan_wanted(work, k), active = wanted + ACTIVE;
    if (measure(work, k, active) > active) return;
    const double *d = work->distance;
    for (int32_t i = 0; i < work->grid; ++i) {
        const AbutPlanEscape *escape = escape_at(work, k, i);
        double s = sample_time(work, i);
        if (d[i] == INFINITY) continue;
        if (escape) {
            AbutPlanDistance along =
                abut_plan_item_along(work->problem, &work->problem->items[k], &work->postures[i], escape->n);
            add_row(work, out, k, s, &along, &work->postures[i], bare);
            continue;
        }
        if (d[i] > active) continue;
        int lowest = (i == 0 || d[i] <= d[i - 1]) && (i + 1 == work->grid || d[i] < d[i + 1]);
        if (lowest && !work->sampled)
            add_minimum(work, control, k, i, bare, out);
        else if (work->sampled || d[i] < wanted + BAND)
            add_row(work, out, k, s, &work->along[i], &work->postures[i], bare);
    }
}

void abut_plan_collect(AbutPlanWork *work, const double *control, int bare, AbutPlanRows *out) {
    out->count = 0;
    out->largest = out->sum = 0.0;
    out->worst = -1;
    out->worst_s = 0.0;
    abut_plan_place_grid(work, control);
    for (int32_t k = 0; k < work->problem->item_count; ++k) collect_item(work, control, k, bare, out);
    abut_plan_collect_static(work, control, bare, out);
}
