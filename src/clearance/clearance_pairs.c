/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clearance of many pairs of moving bodies.
 *
 * In: movers and pairs. Out: an answer for each pair, or for the worst alone. Method: boxes around the swept bodies
 * over eight parts of the interval rule out pairs that stay beyond the care distance. For the worst pair, quick upper
 * bounds of all pairs put them in order; the first is searched in full, the others in rounds that only have to prove
 * that they are no nearer than the best of the rounds before. Rounds are cut by count alone, so that no answer depends
 * on the number of threads.
 */
#include "clearance/search.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 8, ROUND = 16 };

typedef struct Many {
    const AbutMover *movers;
    const AbutPair *pairs;
    const AbutClearanceDef *def;
    AbutClearance *out;
    AbutAabb (*box)[PARTS]; /* of each mover that is in a pair */
    uint8_t *paired;        /* is a mover in a pair? */
    AbutClearanceSpace **spaces;
    int workers;
    const int32_t *order; /* NULL: pairs as they stand */
    int32_t first;        /* of the round, in the order */
    double care;
} Many;

/* ---- swept boxes ------------------------------------------------------------------------------------------------- */

static AbutAabb swept_box(AbutClearanceSpace *space, const AbutMover *m, double from, double to) {
    AbutAabb box = abut_aabb_empty();
    AbutPoseModel room, model;
    double a = from;
    const AbutClearanceBody *body = abut_clearance_body_of(m);
    if (body->sides) return (AbutAabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    do {
        double next = abut_motion_next_break(&m->motion, a), e = abut_smaller(next, to);
        model = *abut_space_model(space, &m->motion, a, e, &room);
        abut_model_move(&model, body->center);
        double r = (body->reach + model.error_t) * (1.0 + 1e-12) + 1e-12 * abut_length(model.t[0]);
        AbutVec3 grow = abut_vec3(r, r, r);
        for (int k = 0; k < ABUT_CONTROLS; ++k) {
            AbutVec3 p = abut_control_point(model.t, k);
            box = abut_aabb_add(abut_aabb_add(box, abut_sub(p, grow)), abut_add(p, grow));
        }
        a = e;
    } while (a < to);
    return box;
}

static double box_distance(AbutAabb a, AbutAabb b) {
    AbutVec3 gap = abut_max(abut_max(abut_sub(a.min, b.max), abut_sub(b.min, a.max)), abut_zero());
    return abut_length(gap) * (1.0 - 1e-12);
}

/* No nearer than this at any time. */
static double apart_by(const Many *m, AbutPair p) {
    double least = INFINITY;
    for (int k = 0; k < PARTS; ++k) least = abut_smaller(least, box_distance(m->box[p.a][k], m->box[p.b][k]));
    return least;
}

static void make_boxes(int begin, int end, int worker, void *user) {
    Many *m = user;
    double step = (m->def->to - m->def->from) / PARTS;
    for (int i = begin; i < end; ++i)
        for (int k = 0; k < PARTS && m->paired[i]; ++k)
            m->box[i][k] = swept_box(m->spaces[worker], &m->movers[i], m->def->from + k * step,
                k + 1 < PARTS ? m->def->from + (k + 1) * step : m->def->to);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static AbutClearance beyond(double lb) {
    AbutClearance out = abut_clearance_nothing(ABUT_CLEARANCE_CLEAR, INFINITY);
    out.lb = lb;
    out.certified = out.containment_known = 1;
    return out;
}

static void answer_pair(Many *m, int32_t i, int worker) {
    AbutPair p = m->pairs[i];
    AbutClearanceDef def = *m->def;
    AbutSearch s;
    def.care = m->care;
    double lb = def.care > 0.0 && abut_clearance_body_of(&m->movers[p.a])->leaf_count > 0 &&
                        abut_clearance_body_of(&m->movers[p.b])->leaf_count > 0
                    ? apart_by(m, p)
                    : 0.0;
    if (def.care > 0.0 && lb >= def.care)
        m->out[i] = beyond(lb);
    else /* after the first round a guess has found nothing nearer */
        m->out[i] =
            abut_search_run(&s, &m->movers[p.a], &m->movers[p.b], &def, m->order && m->first > 0, m->spaces[worker]);
}

static void answer_some(int begin, int end, int worker, void *user) {
    Many *m = user;
    for (int i = begin; i < end; ++i) answer_pair(m, m->order ? m->order[m->first + i] : i, worker);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void close_many(Many *m) {
    for (int k = 0; k < m->workers && m->spaces; ++k) abut_clearance_space_free(m->spaces[k]);
    abut_free(m->spaces);
    abut_free(m->paired);
    abut_free(m->box);
}

/* A link of the chain that was looked at just before. */
static int is_known(const AbutMotion *before, const AbutMotion *m) {
    return m->chain && m->chain == before->chain && m->link >= 0 && m->link < m->chain->joint_count;
}

static AbutStatus check_all(int32_t count, const AbutMover *movers, int32_t pair_count, const AbutPair *pairs,
    const AbutClearanceDef *def, AbutError *error) {
    AbutError why;
    for (int32_t i = 0; i < count; ++i) {
        if (!abut_clearance_body_of(&movers[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "mover %d: its solid is not prepared", i);
        if (i > 0 && is_known(&movers[i - 1].motion, &movers[i].motion)) continue;
        AbutStatus status = abut_motion_check(&movers[i].motion, &why);
        if (status != ABUT_OK) return abut_fail(error, status, "mover %d: %.400s", i, why.text);
    }
    for (int32_t i = 0; i < pair_count; ++i)
        if (pairs[i].a < 0 || pairs[i].a >= count || pairs[i].b < 0 || pairs[i].b >= count || pairs[i].a == pairs[i].b)
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "pair %d: there are no movers %d and %d", i, pairs[i].a, pairs[i].b);
    if (!abut_search_is_good_def(def))
        return abut_fail(error, ABUT_ERROR_NUMBER, "clearance: a setting is not finite, or out of its range");
    return ABUT_OK;
}

/* Swept boxes of the movers that are in a pair. */
static AbutStatus box_movers(Many *m, int32_t count, int32_t pair_count, int threads, AbutError *error) {
    m->box = abut_alloc_array((size_t)count, sizeof *m->box);
    m->paired = abut_alloc_array((size_t)count, sizeof *m->paired);
    if (!m->box || !m->paired) return abut_fail_memory(error);
    memset(m->paired, 0, (size_t)count);
    for (int32_t i = 0; i < pair_count; ++i) m->paired[m->pairs[i].a] = m->paired[m->pairs[i].b] = 1;
    abut_parallel_for(count, 1, threads, make_boxes, m);
    return ABUT_OK;
}

static AbutStatus open_many(Many *m, int threads, AbutError *error) {
    AbutStatus status = ABUT_OK;
    m->workers = abut_thread_count(threads);
    m->spaces = abut_alloc_array((size_t)m->workers, sizeof *m->spaces);
    if (!m->spaces) return abut_fail_memory(error);
    memset(m->spaces, 0, sizeof *m->spaces * (size_t)m->workers);
    for (int k = 0; k < m->workers && status == ABUT_OK; ++k) {
        status = abut_clearance_space_create(0, &m->spaces[k], error);
        if (status == ABUT_OK && !abut_space_keep(m->spaces[k])) /* chains do not change while pairs are answered */
            status = abut_fail_memory(error);
    }
    return status;
}

AbutStatus abut_clearance_pairs(int32_t mover_count, const AbutMover *movers, int32_t pair_count, const AbutPair *pairs,
    const AbutClearanceDef *def, AbutClearance *out, int threads, AbutError *error) {
    Many m = {.movers = movers, .pairs = pairs, .def = def, .out = out, .care = def->care};
    AbutStatus status = check_all(mover_count, movers, pair_count, pairs, def, error);
    if (status == ABUT_OK) status = open_many(&m, threads, error);
    if (status == ABUT_OK && def->care > 0.0) status = box_movers(&m, mover_count, pair_count, threads, error);
    if (status == ABUT_OK) abut_parallel_for(pair_count, 1, threads, answer_some, &m);
    close_many(&m);
    return status;
}

/* ---- the worst pair ---------------------------------------------------------------------------------------------- */

typedef struct Guess {
    double ub;
    int32_t pair;
} Guess;

typedef struct Guessing {
    Many *many;
    Guess *guess;
    int between; /* the second time: those that may be nearer than the best of the first */
    double best;
} Guessing;

static void guess_some(int begin, int end, int worker, void *user) {
    Guessing *g = user;
    Many *m = g->many;
    AbutSearch s;
    for (int i = begin; i < end; ++i) {
        AbutPair p = m->pairs[i];
        if (!g->between) g->guess[i] = (Guess){INFINITY, i};
        if (!abut_search_open(&s, &m->movers[p.a], &m->movers[p.b], m->def, m->spaces[worker]) ||
            s.a->leaf_count == 0 || s.b->leaf_count == 0)
            continue;
        s.ub = abut_smaller(s.ub, g->best);
        abut_search_guess(&s, g->between);
        g->guess[i].ub = abut_smaller(g->guess[i].ub, s.witness.leaf_a >= 0 ? s.ub : INFINITY);
    }
}

/* Upper bounds of all pairs, from few times; from more only where that can change which is the least. */
static void guess_all(Many *m, int32_t count, int threads, Guess *guess) {
    Guessing g = {m, guess, 0, INFINITY};
    abut_parallel_for(count, 1, threads, guess_some, &g);
    for (int32_t i = 0; i < count; ++i) g.best = abut_smaller(g.best, guess[i].ub);
    g.between = 1;
    abut_parallel_for(count, 1, threads, guess_some, &g);
}

static int by_guess(const void *x, const void *y) {
    const Guess *a = x, *b = y;
    if (a->ub != b->ub) return a->ub < b->ub ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Is an answer worse than the worst so far? One without numbers is; ties go to the pair that stands first. */
static int is_worse(const AbutClearance *x, int32_t pair, const AbutClearanceWorst *worst) {
    int unknown = x->status == ABUT_CLEARANCE_INVALID, known = worst->clearance.status != ABUT_CLEARANCE_INVALID;
    if (worst->pair < 0) return 1;
    if (unknown == known) return unknown;
    return unknown ? pair < worst->pair
                   : x->ub < worst->clearance.ub || (x->ub == worst->clearance.ub && pair < worst->pair);
}

/* Takes what a round has found. */
static void take_round(const Many *m, int32_t count, AbutClearanceWorst *worst) {
    for (int32_t k = m->first; k < m->first + count; ++k) {
        const AbutClearance *x = &m->out[m->order[k]];
        worst->lb = abut_smaller(worst->lb, x->lb);
        worst->certified = worst->certified && x->certified;
        if (is_worse(x, m->order[k], worst)) {
            worst->clearance = *x;
            worst->pair = m->order[k];
        }
    }
}

/* The first pair in full, the others in rounds against the best so far. */
static void search_worst(Many *m, int32_t pair_count, int threads, AbutClearanceWorst *worst) {
    double eps = m->def->eps > 0.0 ? m->def->eps : 1e-3;
    for (int32_t count = 1; m->first < pair_count; m->first += count, count = ROUND) {
        count = count < pair_count - m->first ? count : pair_count - m->first;
        double known = worst->pair >= 0 ? worst->clearance.ub : INFINITY;
        m->care = isfinite(known) ? abut_larger(known - eps, 1e-12) : m->def->care;
        abut_parallel_for(count, 1, threads, answer_some, m);
        take_round(m, count, worst);
        int invalid = worst->clearance.status == ABUT_CLEARANCE_INVALID;
        if (invalid || (worst->clearance.ub <= 0.0 && m->first + count < pair_count)) {
            worst->lb = invalid ? NAN : -INFINITY; /* nothing is known, or contact: nothing else is asked */
            break;
        }
    }
}

AbutStatus abut_clearance_worst(int32_t mover_count, const AbutMover *movers, int32_t pair_count, const AbutPair *pairs,
    const AbutClearanceDef *def, int threads, AbutClearanceWorst *out, AbutError *error) {
    Many m = {.movers = movers, .pairs = pairs, .def = def};
    memset(out, 0, sizeof *out);
    out->pair = -1;
    out->clearance = abut_clearance_empty();
    out->lb = INFINITY;
    out->certified = 1;
    AbutStatus status = check_all(mover_count, movers, pair_count, pairs, def, error);
    if (status != ABUT_OK || pair_count == 0) return status;
    size_t n = (size_t)pair_count;
    Guess *guess = abut_alloc_array(n, sizeof *guess);
    int32_t *order = abut_alloc_array(n, sizeof *order);
    m.out = abut_alloc_array(n, sizeof *m.out);
    status = guess && order && m.out ? open_many(&m, threads, error) : abut_fail_memory(error);
    if (status == ABUT_OK) status = box_movers(&m, mover_count, pair_count, threads, error);
    if (status == ABUT_OK) {
        guess_all(&m, pair_count, threads, guess);
        qsort(guess, n, sizeof *guess, by_guess);
        for (size_t i = 0; i < n; ++i) order[i] = guess[i].pair;
        m.order = order;
        search_worst(&m, pair_count, threads, out);
        out->lb = abut_smaller(out->lb, out->clearance.ub);
    }
    close_many(&m);
    abut_free(guess);
    abut_free(order);
    abut_free(m.out);
    return status;
}
