/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adaptive subdivision and sampling.
 *
 * Subdivision (as) knows the distance at both ends of an interval; between them it cannot fall below the cone of the
 * speed bound, (d_a + d_e - v (e - a)) / 2 (Piyavskii, Shubert; 4.8 of the thesis), nor of convex bodies below the
 * bound along the normals of the ends. Intervals that may hold something smaller than ub - eps are halved. as-thesis
 * raises the cone by the humps that the nearest points of an end, frozen, show inside (4.9); another feature may become
 * the nearest one meanwhile, so that this proves nothing and is marked so. as-best takes the interval of the least
 * bound first, from a heap in the memory of the space; full, it stops with what is proved. Sampling takes n = ceil(v T
 * / (2 eps)) distances.
 */
#include "literature/clearance/methods.h"

enum { HUMP_SAMPLES = 16, MOST_SAMPLES = 2000000 };

typedef struct End {
    double t, d;
    AbutVec3 n;
    AbutWitness w;
} End;

typedef struct Subdivision {
    AbutMethod *m;
    int thesis;
    double shortest;
} Subdivision;

static End end_at(AbutMethod *m, double t) {
    End e = {t, 0.0, {0.0, 0.0, 0.0}, {-1, -1}};
    e.d = abut_method_distance(m, t, &e.n, &e.w);
    return e;
}

/* Sum of what the humps of a frozen pair of leaves stand above their higher neighbor, twice. */
static double humps(const Subdivision *c, const End *a, const End *e) {
    AbutSearch *s = c->m->s;
    double sum = 0.0, before = 0.0, value = 0.0, low = INFINITY, high = -INFINITY;
    for (int k = 0; k <= HUMP_SAMPLES; ++k, before = value) {
        AbutPlace place = abut_search_place(s, a->t + (e->t - a->t) * k / HUMP_SAMPLES);
        value = abut_leaf_gap(s, &place, a->w.leaf_a, a->w.leaf_b).d;
        if (k == 0)
            low = value;
        else if (value > before)
            high = abut_larger(high, value);
        else if (high > low && value < high) { /* past a maximum */
            sum += 2.0 * (high - abut_larger(low, value));
            low = value, high = -INFINITY;
        } else
            low = abut_smaller(low, value);
    }
    return sum;
}

static double lower_bound(const Subdivision *c, const End *a, const End *e) {
    double way = c->thesis ? abut_method_speed(c->m, a->t, e->t) * (e->t - a->t) : abut_method_way(c->m, a->t, e->t);
    if (c->thesis) way = abut_larger(way - humps(c, a, e), fabs(a->d - e->d));
    double lb = 0.5 * (a->d + e->d - way);
    if (c->thesis) return lb;
    lb = abut_larger(lb, abut_method_bound(c->m, a->t, e->t, a->n));
    lb = abut_larger(lb, abut_method_bound(c->m, a->t, e->t, e->n));
    return abut_larger(lb, abut_method_bound(c->m, a->t, e->t, abut_normalize(abut_add(a->n, e->n))));
}

static void divide(const Subdivision *c, const End *a, const End *e, double lb) {
    AbutMethod *m = c->m;
    lb = abut_larger(lb, lower_bound(c, a, e));
    lb = m->s->solid ? lb : abut_larger(lb, 0.0);
    double middle = 0.5 * (a->t + e->t);
    if (lb > m->ub - m->eps || abut_method_is_spent(m) || e->t - a->t <= c->shortest) {
        m->lb = abut_smaller(m->lb, lb);
        return;
    }
    End between = end_at(m, middle);
    int later = e->d < a->d; /* the nearer half first */
    divide(c, later ? &between : a, later ? e : &between, lb);
    divide(c, later ? a : &between, later ? &between : e, lb);
}

void abut_method_subdivide(AbutMethod *m, int thesis) {
    Subdivision c = {m, thesis, 1e-12 * (m->s->to - m->s->from)};
    End a = end_at(m, m->s->from), e = end_at(m, m->s->to);
    m->lb = INFINITY;
    divide(&c, &a, &e, -INFINITY);
    m->sound = !thesis;
}

/* ---- best first -------------------------------------------------------------------------------------------------- */

typedef struct Interval {
    End a, e;
    double lb;
} Interval;

typedef struct Heap {
    Interval *at;
    int32_t count, capacity;
} Heap;

static int comes_before(const Interval *x, const Interval *y) {
    return x->lb < y->lb || (x->lb == y->lb && x->a.t < y->a.t);
}

static void push(Heap *h, Interval x) {
    int32_t k = h->count++;
    for (; k > 0 && comes_before(&x, &h->at[(k - 1) / 2]); k = (k - 1) / 2) h->at[k] = h->at[(k - 1) / 2];
    h->at[k] = x;
}

static Interval pop(Heap *h) {
    Interval top = h->at[0], last = h->at[--h->count];
    int32_t k = 0;
    for (int32_t child = 1; child < h->count; child = 2 * k + 1) {
        if (child + 1 < h->count && comes_before(&h->at[child + 1], &h->at[child])) ++child;
        if (!comes_before(&h->at[child], &last)) break;
        h->at[k] = h->at[child];
        k = child;
    }
    h->at[k] = last;
    return top;
}

static Interval interval_of(const Subdivision *c, const End *a, const End *e, double lb) {
    Interval out = {*a, *e, abut_larger(lb, lower_bound(c, a, e))};
    if (!c->m->s->solid) out.lb = abut_larger(out.lb, 0.0);
    return out;
}

void abut_method_best_first(AbutMethod *m) {
    AbutClearanceSpace *space = m->s->space;
    Subdivision c = {m, 0, 1e-12 * (m->s->to - m->s->from)};
    size_t bytes = (size_t)space->capacity * sizeof *space->items;
    Heap heap = {(Interval *)(void *)space->items, 0, (int32_t)(bytes / sizeof(Interval))};
    End a = end_at(m, m->s->from), e = end_at(m, m->s->to);
    Interval x = interval_of(&c, &a, &e, -INFINITY);
    while (x.lb <= m->ub - m->eps && !abut_method_is_spent(m) && x.e.t - x.a.t > c.shortest &&
           heap.count + 2 <= heap.capacity) {
        End between = end_at(m, 0.5 * (x.a.t + x.e.t));
        push(&heap, interval_of(&c, &x.a, &between, x.lb));
        push(&heap, interval_of(&c, &between, &x.e, x.lb));
        x = pop(&heap);
    }
    m->lb = x.lb; /* the least of all */
}

void abut_method_sample(AbutMethod *m) {
    double from = m->s->from, length = m->s->to - from, way = abut_method_speed(m, from, m->s->to) * length;
    double count = ceil(way / (2.0 * m->eps));
    double most = abut_smaller((double)m->limit - 1.0, MOST_SAMPLES);
    count = abut_larger(1.0, abut_smaller(count, most));
    for (double k = 0.0; k <= count; k += 1.0)
        abut_method_distance(m, k < count ? from + length * k / count : m->s->to, NULL, NULL);
    m->lb = m->ub - 0.5 * way / count;
}
