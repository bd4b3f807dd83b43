/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts in lanes: memory, levels and groups, the choice of the vector unit, threads; sweeps for any processor. See
 * lanes.h. */
#define SWEEP abut_lanes_sweep_plain
#define WIDTH 4
#define KERNEL
#include "solve/lanes_sweep.inc"

#include "base/team.h"

/* Groups of a chunk, some microseconds of work. */
enum { CHUNK = 3 };

void abut_lanes_free(AbutLanes *l) {
    abut_free(l->body);
    abut_free(l->contact);
    abut_free(l->group);
    abut_free(l->vertex);
    abut_free(l->chunk);
    abut_free(l->last);
    abut_free(l->first);
    abut_free(l->next);
    memset(l, 0, sizeof *l);
}

int abut_lanes_reserve(AbutLanes *l, int32_t contacts) {
    size_t count = (size_t)contacts, bodies = 2 * count + 1;
    l->body_count = l->contact_count = l->level_count = l->group_count = l->chunk_count = l->vertex_count = 0;
    return abut_grow((void **)&l->contact, &l->contact_capacity, count, sizeof *l->contact) &&
           abut_grow((void **)&l->first, &l->first_capacity, count + 1, sizeof *l->first) &&
           abut_grow((void **)&l->next, &l->next_capacity, count + 1, sizeof *l->next) &&
           abut_grow((void **)&l->chunk, &l->chunk_capacity, count, sizeof *l->chunk) &&
           abut_grow((void **)&l->last, &l->last_capacity, bodies, sizeof *l->last) &&
           abut_grow((void **)&l->body, &l->body_capacity, bodies, sizeof *l->body);
}

/* Levels of the contacts; `next` counts those of each. */
static void set_levels(AbutLanes *l) {
    memset(l->last, 0, ((size_t)l->body_count + 1) * sizeof *l->last);
    for (int32_t k = 0; k < l->contact_count; ++k) {
        AbutLaneContact *c = &l->contact[k];
        int32_t after_a = l->body[c->a].s[6] > 0.0 ? l->last[c->a] : 0,
                after_b = l->body[c->b].s[6] > 0.0 ? l->last[c->b] : 0;
        c->level = after_a > after_b ? after_a : after_b;
        l->last[c->a] = l->last[c->b] = c->level + 1;
        if (c->level == l->level_count) l->next[l->level_count++] = 0;
        ++l->next[c->level];
    }
}

/* Groups of each level, from the numbers in `next`. */
static int make_groups(AbutLanes *l) {
    for (int32_t k = 0; k < l->level_count; ++k) {
        l->first[k] = l->group_count;
        l->group_count += (l->next[k] + ABUT_LANES - 1) / ABUT_LANES;
        l->next[k] = 0;
    }
    l->first[l->level_count] = l->group_count;
    if (!abut_grow((void **)&l->group, &l->group_capacity, (size_t)l->group_count, sizeof *l->group)) return 0;
    memset(l->group, 0, (size_t)l->group_count * sizeof *l->group);
    for (int32_t g = 0; g < l->group_count; ++g)
        for (int k = 0; k < ABUT_LANES; ++k) {
            l->group[g].a[k] = l->group[g].b[k] = l->body_count;
            l->group[g].who[k] = -1;
        }
    return 1;
}

/* Cuts the levels into chunks of about the same size. */
static void cut_levels(AbutLanes *l) {
    for (int32_t level = 0; level < l->level_count; ++level) {
        int32_t first = l->first[level], count = l->first[level + 1] - first, before = l->chunk_count,
                pieces = (count + CHUNK - 1) / CHUNK;
        for (int32_t i = 0; i < pieces; ++i)
            l->chunk[l->chunk_count++] = (AbutLaneChunk){first + (int32_t)((int64_t)count * i / pieces),
                first + (int32_t)((int64_t)count * (i + 1) / pieces), before, before + pieces};
    }
}

static void place(AbutLanes *l, int32_t number) {
    AbutLaneContact *c = &l->contact[number];
    int32_t at = l->next[c->level]++;
    c->group = l->first[c->level] + at / ABUT_LANES;
    c->lane = at % ABUT_LANES;
    AbutLaneGroup *group = &l->group[c->group];
    group->a[c->lane] = c->a;
    group->b[c->lane] = c->b;
    group->who[c->lane] = number;
    group->count = c->count > group->count ? c->count : group->count;
}

int abut_lanes_arrange(AbutLanes *l) {
    memset(&l->body[l->body_count], 0, sizeof *l->body);
    set_levels(l);
    if (!make_groups(l)) return 0;
    cut_levels(l);
    for (int32_t k = 0; k < l->contact_count; ++k) place(l, k);
    for (int32_t g = 0; g < l->group_count; ++g) {
        l->group[g].first = l->vertex_count;
        l->vertex_count += l->group[g].count;
    }
    if (!abut_grow((void **)&l->vertex, &l->vertex_capacity, (size_t)l->vertex_count, sizeof *l->vertex)) return 0;
    memset(l->vertex, 0, (size_t)l->vertex_count * sizeof *l->vertex);
    return 1;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* The chunk that comes at this place of a sweep; how many have to be done before it. */
static const AbutLaneChunk *chunk_at(const AbutLanes *l, int32_t at, int backward) {
    return &l->chunk[backward ? l->chunk_count - 1 - at : at];
}

static int32_t chunks_before(const AbutLanes *l, int32_t at, int backward) {
    const AbutLaneChunk *chunk = chunk_at(l, at, backward);
    return backward ? l->chunk_count - chunk->through : chunk->before;
}

/* ---- visits ------------------------------------------------------------------------------------------------------ */

typedef struct Visiting {
    const AbutLanes *lanes;
    AbutLaneVisit *visit;
    void *user;
} Visiting;

static int32_t visits_before(int32_t piece, const void *user) {
    return chunks_before(((const Visiting *)user)->lanes, piece, 0);
}

static int visit_chunk(int32_t piece, int member, void *user) {
    const Visiting *v = user;
    const AbutLaneChunk *chunk = chunk_at(v->lanes, piece, 0);
    for (int32_t g = chunk->first; g < chunk->end; ++g) {
        const int32_t *who = v->lanes->group[g].who;
        for (int k = 0; k < ABUT_LANES && who[k] >= 0; ++k) {
            int32_t soon = k + 2 < ABUT_LANES ? who[k + 2] : v->lanes->group[g + 1 < chunk->end ? g + 1 : g].who[k & 1];
            v->visit(who[k], soon >= 0 ? soon : who[k], member, v->user);
        }
    }
    return 1;
}

void abut_lanes_each(AbutLanes *l, int threads, AbutLaneVisit *each, void *user) {
    Visiting visiting = {l, each, user};
    AbutTeamWork work = {l->chunk_count, visits_before, visit_chunk, &visiting};
    abut_team_run(threads, &work);
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* Sweeps in one go: after the chunks of each comes a piece that says whether another one follows. */
typedef struct Sweeping {
    AbutLanes *lanes;
    AbutLaneSweep *sweep;
    AbutLaneRun *run;
    double last;                  /* change in the last sweep that was finished */
    double worst[ABUT_TEAM_MOST]; /* in this one, as each member saw it */
} Sweeping;

static int is_backward(const Sweeping *s, int32_t sweep) {
    return s->run->one_way ? s->run->backward : (s->run->backward ^ sweep) & 1;
}

static int32_t sweeps_before(int32_t piece, const void *user) {
    const Sweeping *s = user;
    int32_t pieces = s->lanes->chunk_count + 1, sweep = piece / pieces, at = piece % pieces;
    return sweep * pieces + (at + 1 == pieces ? at : chunks_before(s->lanes, at, is_backward(s, sweep)));
}

static int end_sweep(Sweeping *s) {
    s->last = 0.0;
    for (int i = 0; i < ABUT_TEAM_MOST; ++i) {
        s->last = s->worst[i] > s->last ? s->worst[i] : s->last;
        s->worst[i] = 0.0;
    }
    ++s->run->done;
    return s->last > s->run->limit;
}

static int sweep_chunk(int32_t piece, int member, void *user) {
    Sweeping *s = user;
    int32_t pieces = s->lanes->chunk_count + 1, sweep = piece / pieces, at = piece % pieces;
    int backward = is_backward(s, sweep);
    if (at + 1 == pieces) return end_sweep(s);
    const AbutLaneChunk *chunk = chunk_at(s->lanes, at, backward);
    double change = s->sweep(s->lanes, chunk->first, chunk->end, backward);
    s->worst[member] = change > s->worst[member] ? change : s->worst[member];
    return 1;
}

static AbutLaneSweep *best_unit(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return abut_lanes_sweep_avx512;
    if (__builtin_cpu_supports("avx2")) return abut_lanes_sweep_avx2;
#endif
    return abut_lanes_sweep_plain;
}

double abut_lanes_run(AbutLanes *l, AbutLaneRun *run) {
    enum { MOST_PIECES = 1 << 30 };
    Sweeping sweeping = {.lanes = l, .sweep = best_unit(), .run = run, .last = INFINITY};
    int32_t most = MOST_PIECES / (l->chunk_count + 1);
    AbutTeamWork work = {
        (l->chunk_count + 1) * (run->most < most ? run->most : most), sweeps_before, sweep_chunk, &sweeping};
    run->done = 0;
    abut_team_run(run->threads, &work);
    return sweeping.last;
}
