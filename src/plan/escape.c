/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways out of thin things. For convex pieces and any unit n the least distance along n is never above the distance, so
 * that keeping it above the margin is enough; unlike the distance it does not turn round in the middle of a thin
 * obstacle. All pieces that are inside the same obstacle during an episode leave it in one direction, chosen among 26
 * by how many radians that takes; the rank says which of them. Then the escapes are dropped, and the true distances
 * decide.
 */
#include "plan/planner.h"

#include <string.h>

static const double INSIDE = -0.002; /* m: where an episode begins */
static const double HOPELESS = 0.03; /* m: violation after the escapes with which the attempt is given up */
enum { DIRECTIONS = 26, ESCAPE_ROUNDS = 2, ESCAPE_STEPS = 15 };

int32_t abut_plan_group(const AbutPlanProblem *problem, int32_t item) {
    int32_t bodies = problem->model->body_count, pair = problem->items[item].pair;
    return problem->pairs[pair].b >= bodies ? problem->pair_count + problem->pairs[pair].b : pair;
}

/* Number 0 .. 25: all sign patterns but zero. */
static AbutVec3 direction(int i) {
    int k = i < 13 ? i : i + 1;
    return abut_normalize(abut_vec3(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
}

/* ---- episodes ---------------------------------------------------------------------------------------------------- */

/* Distances of all items over the grid; where they are beyond the margin, less. */
static void measure(AbutPlanWork *w) {
    abut_plan_place_grid(w, w->control);
    for (int32_t k = 0; k < w->problem->item_count; ++k)
        for (int32_t i = 0; i < w->grid; ++i) {
            const AbutPlanItem *item = &w->problem->items[k];
            double part = (double)i / (w->grid - 1);
            double d = abut_plan_may_meet(w->problem, item->pair, part) ? INFINITY : abut_plan_grid_apart(w, item, i);
            if (d < w->problem->margin) d = abut_plan_item_hulls_apart(w->problem, item, &w->postures[i]);
            if (d < w->problem->margin)
                d = abut_plan_item_distance(w->problem, item, &w->postures[i], &w->caches[k]).distance;
            w->depth[(size_t)k * (size_t)w->grid + (size_t)i] = d;
        }
}

/* The least distance of a group at a sample. */
static double group_depth(const AbutPlanWork *w, int32_t group, int32_t i) {
    double least = INFINITY;
    for (int32_t k = 0; k < w->problem->item_count; ++k)
        if (abut_plan_group(w->problem, k) == group)
            least = fmin(least, w->depth[(size_t)k * (size_t)w->grid + (size_t)i]);
    return least;
}

/* The samples of each item that it is inside, and one more on each side. */
static void set_windows(const AbutPlanWork *w, AbutPlanEscape *e) {
    for (int32_t k = 0; k < w->problem->item_count; ++k) {
        const double *d = w->depth + (size_t)k * (size_t)w->grid;
        int32_t first = -1, last = -1;
        for (int32_t i = e->from; i <= e->to && abut_plan_group(w->problem, k) == e->group; ++i)
            if (d[i] < INSIDE) {
                first = first < 0 ? i : first;
                last = i;
            }
        e->first[k] = (int16_t)(first < 0 ? 1 : first > 1 ? first - 1 : 1);
        e->last[k] = (int16_t)(first < 0 ? 0 : last < w->grid - 2 ? last + 1 : w->grid - 2);
    }
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

/* How many radians it takes to leave along n, about. */
static double price(const AbutPlanWork *w, const AbutPlanEscape *e, AbutVec3 n) {
    double most = 0.0;
    for (int32_t k = 0; k < w->problem->item_count; ++k)
        for (int32_t i = e->first[k]; i <= e->last[k]; ++i) {
            const AbutPlanItem *item = &w->problem->items[k];
            AbutPlanDistance d = abut_plan_item_along(w->problem, item, &w->postures[i], n);
            double square = 0.0;
            abut_plan_item_gradient(w->problem, item, &w->postures[i], &d, w->coordinates);
            for (int32_t c = 0; c < w->width; ++c) square += w->coordinates[c] * w->coordinates[c];
            most = fmax(most, (w->problem->margin - d.distance) / (sqrt(square) + 0.05));
        }
    return most;
}

/* The direction with the price of that rank. */
static AbutVec3 choose(const AbutPlanWork *w, const AbutPlanEscape *e, int rank) {
    double prices[DIRECTIONS];
    int taken[DIRECTIONS] = {0}, best = 0;
    for (int i = 0; i < DIRECTIONS; ++i) prices[i] = price(w, e, direction(i));
    for (int r = 0; r <= rank && r < DIRECTIONS; ++r) {
        best = -1;
        for (int i = 0; i < DIRECTIONS; ++i)
            if (!taken[i] && (best < 0 || prices[i] < prices[best])) best = i;
        taken[best] = 1;
    }
    return direction(best);
}

/* ---- escapes ----------------------------------------------------------------------------------------------------- */

static int is_known(const AbutPlanWork *w, int32_t group, int32_t from, int32_t to) {
    for (int32_t e = 0; e < w->escape_count; ++e)
        if (w->escapes[e].group == group && w->escapes[e].from <= to + 1 && w->escapes[e].to >= from - 1) return 1;
    return 0;
}

/* Episodes of a group that have no escape yet get one; gives how many. */
static int add_escapes(AbutPlanWork *w, int32_t group, int rank) {
    int added = 0;
    for (int32_t i = 0; i < w->grid; ++i) {
        if (!(group_depth(w, group, i) < INSIDE)) continue;
        int32_t to = i;
        while (to + 1 < w->grid && group_depth(w, group, to + 1) < INSIDE) ++to;
        if (i > 0 && to + 1 < w->grid && !is_known(w, group, i, to) && w->escape_count < ABUT_PLAN_ESCAPES) {
            AbutPlanEscape *e = &w->escapes[w->escape_count];
            e->group = group;
            e->from = i;
            e->to = to;
            set_windows(w, e);
            e->n = choose(w, e, rank);
            ++w->escape_count;
            ++added;
        }
        i = to;
    }
    return added;
}

/* Is an item inside anywhere? */
static int is_inside(const AbutPlanWork *w, int32_t item) {
    const double *d = w->depth + (size_t)item * (size_t)w->grid;
    for (int32_t i = 0; i < w->grid; ++i)
        if (d[i] < INSIDE) return 1;
    return 0;
}

static int find_escapes(AbutPlanWork *w, int rank) {
    int added = 0;
    measure(w);
    for (int32_t k = 0; k < w->problem->item_count; ++k) {
        int32_t group = abut_plan_group(w->problem, k), seen = !is_inside(w, k);
        for (int32_t j = 0; j < k && !seen; ++j) seen = abut_plan_group(w->problem, j) == group && is_inside(w, j);
        if (!seen) added += add_escapes(w, group, rank);
    }
    return added;
}

AbutPlanSqp abut_plan_escape(AbutPlanWork *work, int rank, int steps) {
    work->escape_count = 0;
    for (int round = 0; round < ESCAPE_ROUNDS && find_escapes(work, rank) && !abut_plan_is_over(work); ++round)
        abut_plan_sqp(work, ESCAPE_STEPS);
    work->escape_count = 0;
    abut_plan_collect(work, work->control, 1, &work->next);
    if (work->next.largest > HOPELESS) {
        AbutPlanSqp out = {0, abut_plan_spline_cost(work->spline, work->width, work->control), work->next.largest};
        work->now.worst = work->next.worst;
        work->now.worst_s = work->next.worst_s;
        work->now.largest = work->next.largest;
        return out;
    }
    return abut_plan_sqp(work, steps);
}
