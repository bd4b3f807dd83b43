/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All local minima of the distance over time that are not much larger than the least.
 *
 * In: movers and a band above the least distance. Out: minima, nearest first, each polished. Method: the samples of the
 * certified curve, in the order of time, fall into valleys with humps of more than 2 eps between them; the lowest
 * sample of each, or the time of the least distance that the search has found, is where polishing begins.
 */
#include "clearance/search.h"

#include <string.h>

static const double WIDTH = 2e-3, LEAST_WIDTH = 1e-6; /* of the interval: first and last window of the polishing */
static const double SAME = 1e-7;                      /* of the interval: minima this near are one */

const char *const abut_minimum_kind_names[ABUT_MINIMUM_KIND_COUNT + 1] = {
    "interior", "start", "end", "contact", "saturated", NULL};

typedef struct Valleys {
    AbutSearch *s;
    double hump; /* what parts two valleys */
    AbutClearanceMinimum now;
    int inside;  /* a valley, or on the way up from one */
    double last; /* time at which the valley was as low as it gets for the last time */
    double peak; /* highest since the last valley */
    AbutClearanceMinimum *out;
    int32_t capacity, kept, count;
} Valleys;

/* Puts m in front of the farther ones of `count` that lie in the order of distance, as far as there is room. */
static void insert(AbutClearanceMinimum *out, int32_t count, int32_t capacity, AbutClearanceMinimum m) {
    int32_t at = count;
    for (; at > 0 && out[at - 1].d > m.d; --at)
        if (at < capacity) out[at] = out[at - 1];
    if (at < capacity) out[at] = m;
}

static double distance_at(AbutSearch *s, double t, AbutWitness *w) {
    AbutPlace place = abut_search_place(s, t);
    return abut_search_nearest(s, &place, INFINITY, 0.0, w);
}

static void begin_valley(Valleys *v, const AbutClearanceSample *x) {
    memset(&v->now, 0, sizeof v->now);
    v->now.t = x->t, v->now.d = x->d, v->now.lb = x->lb, v->now.from = x->from, v->now.to = x->to;
    v->last = x->t;
    v->inside = 1;
}

static void widen_valley(Valleys *v, const AbutClearanceSample *x) {
    v->now.lb = abut_smaller(v->now.lb, x->lb);
    v->now.to = x->to;
    if (x->d < v->now.d) v->now.d = x->d, v->now.t = x->t;
    if (x->d <= v->now.d) v->last = x->t;
}

/* A contact that lasts is reported at its middle, unless the surfaces part for a moment just there. */
static void end_valley(Valleys *v) {
    AbutWitness w = {-1, -1};
    double middle = 0.5 * (v->now.t + v->last);
    if (!v->s->solid && v->now.d <= 0.0 && v->last > v->now.t && distance_at(v->s, middle, &w) <= 0.0)
        v->now.t = middle;
    insert(v->out, v->kept, v->capacity, v->now); /* the nearest are kept */
    v->kept += v->kept < v->capacity;
    ++v->count;
    v->inside = 0;
}

/* The sample, or the time of the least distance where that is in it: its valley must not be told by a shallower one. */
static AbutClearanceSample lowest_of(const Valleys *v, const AbutClearanceSample *x) {
    AbutClearanceSample out = *x;
    if (v->s->t >= x->from && v->s->t <= x->to && v->s->ub < x->d) out.t = v->s->t, out.d = v->s->ub, out.beyond = 0;
    return out;
}

static int take_sample(const AbutClearanceSample *sample, void *user) {
    Valleys *v = user;
    AbutClearanceSample x = lowest_of(v, sample);
    if (v->inside && (x.d > v->now.d + v->hump || x.beyond)) {
        end_valley(v);
        v->peak = sample->d;
    } else if (v->inside) {
        widen_valley(v, &x);
    } else {
        v->peak = abut_larger(v->peak, sample->d);
        if (!x.beyond && x.d < v->peak - v->hump) begin_valley(v, &x);
    }
    return 0;
}

static void fill(AbutSearch *s, AbutWitness w, AbutClearanceMinimum *m) {
    AbutSeen seen = abut_search_see(s, m->t, w);
    m->d = seen.d;
    m->point_a = seen.point_a, m->point_b = seen.point_b;
    m->normal = seen.normal;
    m->part_a = seen.part_a, m->part_b = seen.part_b;
    m->lb = abut_smaller(m->lb, m->d);
    m->from = abut_smaller(m->from, m->t), m->to = abut_larger(m->to, m->t);
    if (!s->solid && m->d <= 0.0)
        m->kind = ABUT_MINIMUM_CONTACT;
    else if (seen.saturated)
        m->kind = ABUT_MINIMUM_SATURATED;
    else if (m->polished && m->t <= s->from)
        m->kind = ABUT_MINIMUM_START;
    else if (m->polished && m->t >= s->to)
        m->kind = ABUT_MINIMUM_END;
}

/* One try to get from a sample at distance d to the minimum itself; 0 where that is no lower: it went to another. */
static int polish(AbutSearch *s, double width, double d, AbutClearanceMinimum *m, AbutWitness *w) {
    AbutWitness polished = *w;
    double t = m->t;
    if (!abut_search_polish(s, width, &t, &polished) || distance_at(s, t, &polished) > d + 1e-12) return 0;
    m->t = t;
    *w = polished;
    return 1;
}

/* From a sample to the minimum itself: a window with several of them may lead to a higher one, a narrower one then does
 * not. */
static void finish(AbutSearch *s, AbutClearanceMinimum *m) {
    AbutWitness w = {-1, -1};
    double d = distance_at(s, m->t, &w);
    for (double width = WIDTH; width > LEAST_WIDTH && !m->polished && (s->solid || d > 0.0); width *= 0.1)
        m->polished = polish(s, width * (s->to - s->from), d, m, &w);
    fill(s, w, m);
}

/* Two that were polished to one place are one; those above the band go, but for the first. */
static int32_t merge(AbutClearanceMinimum *m, int32_t count, double near, double most) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        int same = i > 0 && m[i].d > most;
        for (int32_t k = 0; k < kept; ++k) same |= fabs(m[k].t - m[i].t) <= near;
        if (!same) m[kept++] = m[i];
    }
    return kept;
}

AbutClearance abut_clearance_minima(const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, double band,
    int32_t capacity, AbutClearanceMinimum *out, int32_t *count, AbutClearanceSpace *space) {
    AbutSearch s;
    AbutClearanceDef plain = *def;
    plain.care = plain.relative = 0.0;
    ABUT_ASSERT(band >= 0.0 && capacity >= 0 && (capacity == 0 || out));
    *count = 0;
    AbutClearance answer = abut_search_run(&s, a, b, &plain, 0, space);
    if (answer.status == ABUT_CLEARANCE_INVALID || answer.status == ABUT_CLEARANCE_EMPTY) return answer;
    Valleys v = {.s = &s, .hump = 2.0 * s.eps, .peak = INFINITY, .out = out, .capacity = capacity};
    abut_search_curve(&s, band + 3.0 * s.eps, take_sample, &v); /* so that the least has sides to its valley */
    if (v.inside) end_valley(&v);
    s.top = 0;
    for (int32_t k = 0; k < v.kept; ++k) finish(&s, &out[k]);
    for (int32_t k = 1; k < v.kept; ++k) insert(out, k, capacity, out[k]);
    double least = answer.status == ABUT_CLEARANCE_CONTAINED ? s.ub : answer.ub; /* of the surfaces */
    int32_t kept = merge(out, v.kept, SAME * (def->to - def->from), least + band);
    *count = v.count - (v.kept - kept);
    return answer;
}
