/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A way through a roadmap by A* with edges proved late (Cohen and others 2014): the entry that promises most is taken
 * from the heap, and only then is its edge proved, among the obstacles as they are now. In: a roadmap, which may have
 * been made among others, two postures. Out: a path of proved edges, somewhat longer than the best one.
 */
#include "base/system.h"
#include "base/taker.h"
#include "plan/roadmap.h"

#include <string.h>

static const double GREED = 1.5; /* of the way that is left: more looks at fewer edges, for longer paths */
enum { ENDS = 24, EDGES = 500, LOOKED_AT = 64 };

/* ---- heap -------------------------------------------------------------------------------------------------------- */

static void push(AbutPlanRoute *x, AbutPlanRouteEntry entry) {
    int32_t k = x->heap_count++;
    for (; k > 0 && x->heap[(k - 1) / 2].least > entry.least; k = (k - 1) / 2) x->heap[k] = x->heap[(k - 1) / 2];
    x->heap[k] = entry;
}

static AbutPlanRouteEntry pop(AbutPlanRoute *x) {
    AbutPlanRouteEntry out = x->heap[0], last = x->heap[--x->heap_count];
    int32_t k = 0, below;
    for (; (below = 2 * k + 1) < x->heap_count; k = below) {
        below += below + 1 < x->heap_count && x->heap[below + 1].least < x->heap[below].least;
        if (x->heap[below].least >= last.least) break;
        x->heap[k] = x->heap[below];
    }
    x->heap[k] = last;
    return out;
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

static const double *posture(const AbutRoadmap *map, int32_t i) {
    return map->postures + (size_t)i * (size_t)map->width;
}

static void offer(AbutPlanRoads *r, int32_t from, double length, int32_t to, double step, const double *goal) {
    double left = to < r->map->count ? abut_plan_apart(r->width, posture(r->map, to), goal) : 0.0;
    if (r->route.parent[to] == -2)
        push(&r->route, (AbutPlanRouteEntry){length + step + GREED * left, length + step, to, from});
}

/* Entries of the edges that leave a posture. */
static void leave(AbutPlanRoads *r, const AbutPlanRouteEntry *at, const double *goal) {
    const AbutRoadmap *map = r->map;
    const double *u = posture(map, at->posture);
    for (int32_t e = map->start[at->posture]; e < map->start[at->posture + 1]; ++e)
        offer(r, at->posture, at->length, map->to[e], abut_plan_apart(r->width, u, posture(map, map->to[e])), goal);
    if (r->route.is_last[at->posture])
        offer(r, at->posture, at->length, map->count, abut_plan_apart(r->width, u, goal), goal);
}

static int32_t trace(const AbutPlanRoads *r, const double *from, const double *to) {
    const AbutPlanRoute *x = &r->route;
    size_t bytes = (size_t)r->width * sizeof *from;
    int32_t n = 2;
    for (int32_t i = x->parent[r->map->count]; i >= 0; i = x->parent[i]) ++n;
    if (n > ABUT_PLAN_PATH_MOST / 2) return 0;
    memcpy(r->leg, from, bytes);
    memcpy(r->leg + (n - 1) * r->width, to, bytes);
    for (int32_t i = x->parent[r->map->count], k = n - 2; i >= 0; i = x->parent[i], --k)
        memcpy(r->leg + k * r->width, posture(r->map, i), bytes);
    return n;
}

static void begin(AbutPlanRoads *r, const double *from, const double *to) {
    const AbutRoadmap *map = r->map;
    int32_t near[ENDS], count;
    double apart[ENDS];
    r->route.heap_count = 0;
    memset(r->route.is_last, 0, (size_t)map->count + 1);
    for (int32_t i = 0; i <= map->count; ++i) r->route.parent[i] = -2;
    count = abut_plan_near_postures(map, to, -1, ENDS, near, apart);
    for (int32_t i = 0; i < count; ++i) r->route.is_last[near[i]] = 1;
    count = abut_plan_near_postures(map, from, -1, ENDS, near, apart);
    for (int32_t i = 0; i < count; ++i) offer(r, -1, 0.0, near[i], apart[i], to);
}

int32_t abut_plan_route_find(AbutPlanRoads *r, const double *from, const double *to) {
    const AbutRoadmap *map = r->map;
    begin(r, from, to);
    for (int asked = 0; r->route.heap_count > 0 && asked < EDGES;) {
        AbutPlanRouteEntry at = pop(&r->route);
        if (r->route.parent[at.posture] != -2) continue;
        if (++asked % LOOKED_AT == 0 && abut_clock() > r->deadline) return 0;
        if (!abut_plan_roads_edge(r, at.from < 0 ? from : posture(map, at.from),
                at.posture == map->count ? to : posture(map, at.posture)))
            continue;
        r->route.parent[at.posture] = at.from;
        if (at.posture == map->count) return trace(r, from, to);
        leave(r, &at, to);
    }
    return 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void take_all(AbutTaker *t, const AbutRoadmap *map, AbutPlanRoute *x) {
    size_t postures = (size_t)map->count + 1;
    x->parent = abut_take(t, postures, sizeof *x->parent);
    x->is_last = abut_take(t, postures, 1);
    x->heap = abut_take(t, (size_t)map->start[map->count] + 2 * ENDS + 1, sizeof *x->heap);
}

AbutStatus abut_plan_route_make(const AbutRoadmap *map, AbutPlanRoute *out) {
    AbutTaker size = {NULL, 0};
    take_all(&size, map, out);
    *out = (AbutPlanRoute){.memory = abut_alloc(size.used + 64)};
    if (!out->memory) return ABUT_ERROR_MEMORY;
    AbutTaker taker = {(char *)out->memory + (64 - (uintptr_t)out->memory % 64) % 64, 0};
    take_all(&taker, map, out);
    return ABUT_OK;
}
