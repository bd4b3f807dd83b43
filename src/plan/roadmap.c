/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roadmaps of a robot (Kavraki and others 1996). In: a problem, how many postures. Random postures within the limits
 * that are proved free, and edges between near ones that are proved too. Out: postures and edges, row by row. Batches
 * of questions go over threads; the roadmap does not depend on their number.
 */
#include "plan/roadmap.h"
#include "plan/attempt.h"

#include <string.h>

enum { NEIGHBORS = 24, GRAIN = 64, DRAWN = 2048, TRIES = 200, EDGES = 16384 };

typedef struct Making {
    const AbutPlanProblem *problem;
    const AbutPlanSettings *settings;
    double level;
    AbutRoadmap *map;
    int32_t *near; /* [postures][NEIGHBORS]; -1: none */
    int32_t (*pair)[2];
    double *from, *to;
    uint8_t *free;
    int32_t edge_count;
} Making;

/* ---- postures ---------------------------------------------------------------------------------------------------- */

/* Where postures are drawn: within limits, of wide ones a turn about what is nearest to 0. */
static void set_box(const AbutPlanProblem *p, int32_t c, double box[2]) {
    double low = p->lower[c], high = p->upper[c], middle = fmin(fmax(0.0, low), high);
    int wide = !(high - low <= 4.0 * ABUT_PI);
    box[0] = wide ? fmax(low, middle - ABUT_PI) : low;
    box[1] = wide ? fmin(high, middle + ABUT_PI) : high;
}

static int is_canceled(const Making *m) {
    const AbutPlanSettings *s = m->settings;
    return s->progress && s->progress(0, INFINITY, s->user);
}

static AbutStatus draw_postures(Making *m, AbutError *error) {
    const AbutPlanProblem *p = m->problem;
    AbutRoadmap *map = m->map;
    AbutRng rng = abut_rng(m->settings->seed, ABUT_PLAN_ATTEMPTS + 1);
    int32_t width = map->width, wanted = map->count;
    map->count = 0;
    for (int64_t drawn = 0; map->count < wanted && drawn < (int64_t)TRIES * wanted && !is_canceled(m); drawn += DRAWN) {
        for (int32_t i = 0; i < DRAWN * width; ++i) {
            double box[2];
            set_box(p, i % width, box);
            m->from[i] = abut_rng_between(&rng, box[0], box[1]);
        }
        ABUT_TRY(abut_plan_free_batch(p, m->level, DRAWN, m->from, NULL, m->settings->threads, m->free, error));
        for (int32_t i = 0; i < DRAWN && map->count < wanted; ++i)
            if (m->free[i] && abut_plan_is_within(p, m->from + i * width))
                memcpy(map->postures + (size_t)map->count++ * (size_t)width, m->from + i * width,
                    (size_t)width * sizeof *m->from);
    }
    return map->count > 0 ? ABUT_OK
                          : abut_fail(error, ABUT_ERROR_EMPTY, "no posture of %d is proved free", TRIES * (int)wanted);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

int32_t abut_plan_near_postures(
    const AbutRoadmap *map, const double *u, int32_t but, int32_t most, int32_t *out, double *apart) {
    int32_t found = 0;
    for (int32_t i = 0; i < map->count; ++i) {
        const double *v = map->postures + (size_t)i * (size_t)map->width;
        double sum = 0.0, least = found < most ? INFINITY : apart[most - 1];
        for (int32_t c = 0; c < map->width && sum < least; ++c) sum += (u[c] - v[c]) * (u[c] - v[c]);
        if (i == but || !(sum < least)) continue;
        int32_t k = found < most ? found++ : most - 1;
        for (; k > 0 && apart[k - 1] > sum; --k) {
            apart[k] = apart[k - 1];
            out[k] = out[k - 1];
        }
        apart[k] = sum;
        out[k] = i;
    }
    for (int32_t k = 0; k < found; ++k) apart[k] = sqrt(apart[k]);
    return found;
}

static void find_near(int begin, int end, int worker, void *user) {
    const Making *m = user;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        double apart[NEIGHBORS];
        int32_t *near = m->near + (size_t)i * NEIGHBORS;
        int32_t found = abut_plan_near_postures(
            m->map, m->map->postures + (size_t)i * (size_t)m->map->width, i, NEIGHBORS, near, apart);
        while (found < NEIGHBORS) near[found++] = -1;
    }
}

static int is_near(const Making *m, int32_t i, int32_t of) {
    for (int32_t k = 0; k < NEIGHBORS; ++k)
        if (m->near[(size_t)of * NEIGHBORS + (size_t)k] == i) return 1;
    return 0;
}

/* Edges from posture *i on, as many as fit a batch; those that are proved are kept. */
static AbutStatus prove_edges(Making *m, int32_t *i, AbutError *error) {
    const AbutRoadmap *map = m->map;
    size_t width = (size_t)map->width;
    int32_t count = 0, (*asked)[2] = m->pair + m->edge_count;
    for (; *i < map->count && count + NEIGHBORS <= EDGES; ++*i)
        for (int32_t k = 0; k < NEIGHBORS; ++k) {
            int32_t j = m->near[(size_t)*i * NEIGHBORS + (size_t)k];
            if (j < 0 || (j < *i && is_near(m, *i, j))) continue; /* asked with j */
            memcpy(m->from + (size_t)count * width, map->postures + (size_t)*i * width, width * sizeof *m->from);
            memcpy(m->to + (size_t)count * width, map->postures + (size_t)j * width, width * sizeof *m->to);
            asked[count][0] = *i;
            asked[count++][1] = j;
        }
    ABUT_TRY(abut_plan_free_batch(m->problem, m->level, count, m->from, m->to, m->settings->threads, m->free, error));
    for (int32_t k = 0; k < count; ++k)
        if (m->free[k]) memmove(m->pair[m->edge_count++], asked[k], sizeof asked[k]);
    return ABUT_OK;
}

/* Both ways. */
static void list_edges(const Making *m) {
    AbutRoadmap *map = m->map;
    memset(map->start, 0, ((size_t)map->count + 1) * sizeof *map->start);
    for (int32_t e = 0; e < m->edge_count; ++e)
        for (int k = 0; k < 2; ++k) ++map->start[m->pair[e][k]];
    for (int32_t i = 0, sum = 0; i <= map->count; ++i) map->start[i] = sum += map->start[i];
    for (int32_t e = m->edge_count - 1; e >= 0; --e)
        for (int k = 0; k < 2; ++k) map->to[--map->start[m->pair[e][k]]] = m->pair[e][1 - k];
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus make_edges(Making *m, AbutError *error) {
    AbutRoadmap *map = m->map;
    size_t most = (size_t)map->count * NEIGHBORS;
    m->near = abut_alloc_array(most + 1, sizeof *m->near);
    m->pair = abut_alloc_array(most + 1, sizeof *m->pair);
    map->to = abut_alloc_array(2 * most + 1, sizeof *map->to);
    map->start = abut_alloc_array((size_t)map->count + 1, sizeof *map->start);
    if (!m->near || !m->pair || !map->to || !map->start) return abut_fail_memory(error);
    abut_parallel_for(map->count, GRAIN, m->settings->threads, find_near, m);
    for (int32_t i = 0; i < map->count && !is_canceled(m);) ABUT_TRY(prove_edges(m, &i, error));
    list_edges(m);
    return ABUT_OK;
}

AbutStatus abut_roadmap_create(const AbutPlanProblem *problem, int32_t count, const AbutPlanSettings *settings,
    AbutRoadmap *out, AbutError *error) {
    ABUT_ASSERT(problem && settings && out);
    size_t width = (size_t)problem->coordinate_count;
    Making m = {.problem = problem, .settings = settings, .level = abut_plan_road_level(problem, settings), .map = out};
    *out = (AbutRoadmap){.width = problem->coordinate_count};
    ABUT_TRY(abut_plan_check_settings(problem, settings, error));
    if (count < 1 || count > ABUT_ROADMAP_POSTURES || width < 1)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "count",
            ": expected 1 to %d postures of a problem that moves, got %d", ABUT_ROADMAP_POSTURES, (int)count);
    out->count = count;
    out->postures = abut_alloc_array((size_t)count * width, sizeof *out->postures);
    m.from = abut_alloc_array(EDGES * width, sizeof *m.from);
    m.to = abut_alloc_array(EDGES * width, sizeof *m.to);
    m.free = abut_alloc(EDGES);
    AbutStatus status = out->postures && m.from && m.to && m.free ? draw_postures(&m, error) : abut_fail_memory(error);
    if (!status) status = make_edges(&m, error);
    abut_free(m.from);
    abut_free(m.to);
    abut_free(m.free);
    abut_free(m.near);
    abut_free(m.pair);
    if (status) abut_roadmap_free(out);
    return status;
}

void abut_roadmap_free(AbutRoadmap *map) {
    ABUT_ASSERT(map);
    abut_free(map->postures);
    abut_free(map->start);
    abut_free(map->to);
    memset(map, 0, sizeof *map);
}
