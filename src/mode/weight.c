/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weight of a flat. In: the vectors of the rows that vanish on it. Out: w(M), the sum over the flats X of their matroid
 * M of |mu(X, top)|.
 *
 * M is split into connected components, over which w multiplies. A coloop has w = 2, a circuit of m elements
 * 2 + (m - 2) 2^(m-1); uniform matroids have a closed form too. Otherwise w = sum over subsets D of T(M*|D; 0, 1), with
 * T the Tutte polynomial and M* the dual: grouped by the flats G of M*, with b(G) the number of bases of G, J(G) =
 * 2^|G| sum over G' <= G of (-1/2)^rank(G') b(G'),   s(G) = J(G) - sum over G' < G of s(G'), w = sum over G of
 * (-1)^rank(G) s(G). When the rank is smaller than the nullity, the flats of M itself are listed and mu is summed from
 * the top.
 */
#include "mode/plan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct Flat {
    uint64_t mask;
    int rank;
    int64_t bases;
    double value; /* |mu| or s; whole numbers below 2^53 */
} Flat;

/* `count` vectors of `dim` numbers: what is left of them after some have been contracted. */
typedef struct Listing {
    int count, dim, by_bases;
    double tolerance;
    Flat *flats;
    size_t found, capacity;
    size_t *slots, slot_count; /* hash of masks: index + 1 */
    int failed;
} Listing;

static size_t *find_slot(Listing *l, uint64_t mask)
{
    uint64_t hash = (mask ^ (mask >> 31)) * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(hash >> 20) & (l->slot_count - 1);
    while (l->slots[at] && l->flats[l->slots[at] - 1].mask != mask)
        at = (at + 1) & (l->slot_count - 1);
    return &l->slots[at];
}

static int widen(Listing *l)
{
    if (2 * (l->found + 1) <= l->slot_count)
        return 1;
    size_t wider = l->slot_count ? 2 * l->slot_count : 256;
    size_t *slots = abut_alloc_array(wider, sizeof(size_t));
    if (!slots || !abut_grow((void **)&l->flats, &l->capacity, wider, sizeof(Flat))) {
        abut_free(slots);
        return 0;
    }
    abut_free(l->slots);
    memset(slots, 0, wider * sizeof(size_t));
    l->slots = slots, l->slot_count = wider;
    for (size_t i = 0; i < l->found; ++i)
        *find_slot(l, l->flats[i].mask) = i + 1;
    return 1;
}

static void note_flat(Listing *l, uint64_t mask, int rank)
{
    if (!widen(l)) {
        l->failed = 1;
        return;
    }
    size_t *slot = find_slot(l, mask);
    if (!*slot) {
        l->flats[l->found] = (Flat){mask, rank, 0, 0.0};
        *slot = ++l->found;
    }
    ++l->flats[*slot - 1].bases;
}

/* Contracts vector j: every vector loses its part along it. Gives the mask of the vectors that are now zero. */
static uint64_t contract(const Listing *l, const double *v, int j, double *out)
{
    int n = l->count, d = l->dim, at = 0;
    const double *p = v + j * d;
    uint64_t zero = 0;
    for (int k = 1; k < d; ++k)
        if (fabs(p[k]) > fabs(p[at]))
            at = k;
    for (int i = 0; i < n; ++i) {
        double factor = v[i * d + at] / p[at], most = 0.0;
        for (int k = 0; k < d; ++k) {
            out[i * d + k] = k == at ? 0.0 : v[i * d + k] - factor * p[k];
            double size = fabs(out[i * d + k]);
            most = size > most ? size : most;
        }
        if (most <= l->tolerance)
            zero |= (uint64_t)1 << i;
    }
    for (int i = 0; i < n; ++i)
        if (zero >> i & 1)
            memset(out + i * d, 0, sizeof(double) * (size_t)d);
    return zero;
}

/*
 * All flats above `mask`, built by contracting in increasing order. By bases: every independent set is visited and
 * counted at its closure. Otherwise only the first basis of each flat is.
 */
static void list_flats(Listing *l, const double *v, uint64_t mask, int rank, int last, double *room)
{
    note_flat(l, mask, rank);
    if (rank == l->dim || l->failed)
        return;
    for (int j = last + 1; j < l->count; ++j) {
        if (mask >> j & 1)
            continue;
        uint64_t closed = contract(l, v, j, room), fresh = closed & ~mask;
        if (l->by_bases || (fresh & (((uint64_t)1 << j) - 1)) == 0)
            list_flats(l, room, closed | mask, rank + 1, j, room + l->count * l->dim);
    }
}

static int start_listing(Listing *l, const double *vectors, int count, int dim, double tolerance, int by_bases)
{
    memset(l, 0, sizeof *l);
    l->count = count, l->dim = dim, l->tolerance = tolerance, l->by_bases = by_bases;
    double *room = abut_alloc_array((size_t)(count * dim) * (size_t)(dim + 1), sizeof(double));
    if (room)
        list_flats(l, vectors, 0, 0, -1, room);
    abut_free(room);
    return room && !l->failed;
}

/* (-1/2)^rank */
static double half_power(int rank)
{
    double power = 1.0 / (double)((uint64_t)1 << rank);
    return rank & 1 ? -power : power;
}

static int by_rank(const void *a, const void *b)
{
    return ((const Flat *)a)->rank - ((const Flat *)b)->rank;
}

/* Are all flats below the top as small as their rank? Then the matroid is uniform. */
static int is_uniform(const Listing *l)
{
    for (size_t i = 0; i < l->found; ++i)
        if (l->flats[i].rank < l->dim && __builtin_popcountll(l->flats[i].mask) != l->flats[i].rank)
            return 0;
    return 1;
}

/* Weight of the uniform matroid of rank r on n elements: 1 + sum over i < r of C(n, i) C(n-i-1, r-i-1). */
static double uniform_weight(int n, int r)
{
    double weight = 1.0, choose = 1.0;
    for (int i = 0; i < r; ++i) {
        double other = 1.0;
        for (int k = 1; k <= r - i - 1; ++k)
            other = other * (n - i - 1 - (r - i - 1) + k) / k;
        weight += choose * other;
        choose = choose * (n - i) / (i + 1);
    }
    return weight;
}

/* The formula of the file-top comment on the flats of the dual. */
static double weight_from_dual(Listing *l)
{
    double weight = 0.0;
    qsort(l->flats, l->found, sizeof(Flat), by_rank);
    for (size_t a = 0; a < l->found; ++a) {
        Flat *g = &l->flats[a];
        double j = half_power(g->rank) * (double)g->bases, below = 0.0;
        for (size_t b = 0; b < a && l->flats[b].rank < g->rank; ++b) {
            const Flat *h = &l->flats[b];
            if (h->mask & ~g->mask)
                continue;
            j += half_power(h->rank) * (double)h->bases;
            below += h->value;
        }
        g->value = ldexp(j, __builtin_popcountll(g->mask)) - below;
        weight += g->rank & 1 ? -g->value : g->value;
    }
    return weight;
}

/* Sum of |mu(X, top)| over the flats X, mu from the top down. */
static double weight_from_flats(Listing *l)
{
    double weight = 0.0;
    for (int rank = l->dim; rank >= 0; --rank)
        for (size_t a = 0; a < l->found; ++a) {
            Flat *x = &l->flats[a];
            if (x->rank != rank)
                continue;
            double sum = 0.0;
            for (size_t b = 0; b < l->found; ++b)
                if ((x->mask & ~l->flats[b].mask) == 0 && l->flats[b].rank > rank)
                    sum += l->flats[b].value;
            x->value = rank == l->dim ? 1.0 : -sum;
            weight += fabs(x->value);
        }
    return weight;
}

/* Row-reduced form of the vectors as columns: basis[i] is the element of row i, `a` holds the coefficients. */
typedef struct Reduced {
    int count, rank;
    int basis[MOST];
    uint64_t in_basis;
    double *a; /* rank x count, row-major, rows of length count */
} Reduced;

/* Gauss-Jordan with full pivoting; `a` is dim x count with columns of largest entry 1. */
static void reduce(Reduced *r, int dim, double tolerance)
{
    int n = r->count;
    r->rank = 0, r->in_basis = 0;
    while (r->rank < dim) {
        int row = -1, column = -1;
        for (int i = r->rank; i < dim; ++i)
            for (int j = 0; j < n; ++j)
                if (!(r->in_basis >> j & 1) && fabs(r->a[i * n + j]) > tolerance &&
                    (row < 0 || fabs(r->a[i * n + j]) > fabs(r->a[row * n + column])))
                    row = i, column = j;
        if (row < 0)
            return;
        double *to = r->a + r->rank * n, *from = r->a + row * n, pivot = from[column];
        for (int j = 0; j < n; ++j) {
            double t = from[j] / pivot;
            from[j] = to[j], to[j] = t;
        }
        for (int i = 0; i < dim; ++i) {
            double factor = r->a[i * n + column];
            for (int j = 0; j < n && i != r->rank && factor != 0.0; ++j)
                r->a[i * n + j] = j == column ? 0.0 : r->a[i * n + j] - factor * to[j];
        }
        r->in_basis |= (uint64_t)1 << column;
        r->basis[r->rank++] = column;
    }
}

/* The elements connected with element `seed` through non-zero coefficients. */
static uint64_t component(const Reduced *r, int seed, double tolerance)
{
    uint64_t part = (uint64_t)1 << seed, before = 0;
    while (part != before) {
        before = part;
        for (int i = 0; i < r->rank; ++i) {
            uint64_t row = (uint64_t)1 << r->basis[i];
            for (int j = 0; j < r->count; ++j)
                if (!(r->in_basis >> j & 1) && fabs(r->a[i * r->count + j]) > tolerance)
                    row |= (uint64_t)1 << j;
            if (row & part)
                part |= row;
        }
    }
    return part;
}

/* Nullity 2: the dual lies in a plane, and the sizes m of its parallel classes say everything. */
static double weight_in_plane(const double *v, int count, double tolerance)
{
    double classes = 0.0, squares = 0.0;
    uint64_t done = 0;
    for (int i = 0; i < count; ++i) {
        int m = 0;
        for (int j = i; j < count && !(done >> i & 1); ++j)
            if (!(done >> j & 1) && fabs(v[2 * i] * v[2 * j + 1] - v[2 * i + 1] * v[2 * j]) <= tolerance) {
                ++m;
                done |= (uint64_t)(j > i) << j;
            }
        squares += m * m;
        classes += m ? ldexp(1.0 - 0.5 * m, m) - 1.0 : 0.0;
    }
    double bases = 0.5 * (count * (double)count - squares);
    return ldexp(1.0 - 0.5 * count + 0.25 * bases, count) - 2.0 * classes;
}

/* Weight of one component: vectors of M (rank <= nullity) or of its dual into `room`, then the listing. */
static double component_weight(const Reduced *r, uint64_t part, double tolerance, double *room)
{
    int elements = __builtin_popcountll(part), rank = __builtin_popcountll(part & r->in_basis);
    int nullity = elements - rank, dual = nullity <= rank || nullity == 2, dim = dual ? nullity : rank, row = 0,
        other = 0, e = 0;
    if (nullity == 0)
        return 2.0;
    if (nullity == 1)
        return 2.0 + (elements - 2) * ldexp(1.0, elements - 1);
    memset(room, 0, sizeof(double) * (size_t)(elements * dim));
    for (int j = 0; j < r->count; ++j)
        if (part >> j & 1 && !(r->in_basis >> j & 1)) {
            /* element j = sum of a_ij basis_i; in the dual, basis_i has the coefficients -a_ij */
            row = 0;
            for (int i = 0; i < r->rank; ++i)
                if (part >> r->basis[i] & 1) {
                    double x = r->a[i * r->count + j];
                    int at = dual ? (nullity + row) * dim + other : (rank + other) * dim + row;
                    room[at] = fabs(x) > tolerance ? x : 0.0;
                    ++row;
                }
            ++other;
        }
    for (int k = 0; k < dim; ++k)
        room[k * dim + k] = 1.0;
    for (e = 0; e < elements; ++e) {
        double most = 0.0;
        for (int k = 0; k < dim; ++k)
            most = fmax(most, fabs(room[e * dim + k]));
        for (int k = 0; k < dim && most > 0.0; ++k)
            room[e * dim + k] /= most;
    }
    if (dual && dim == 2)
        return weight_in_plane(room, elements, tolerance);
    Listing l;
    double weight = 0.0;
    if (start_listing(&l, room, elements, dim, tolerance, dual))
        weight = is_uniform(&l) ? uniform_weight(elements, rank) : dual ? weight_from_dual(&l) : weight_from_flats(&l);
    abut_free(l.flats);
    abut_free(l.slots);
    return weight;
}

uint64_t abut_mode_flat_weight(const double *vectors, int count, int dim, double tolerance, AbutModeArena *arena)
{
    Reduced r = {.count = count};
    r.a = abut_mode_arena_take(arena, sizeof(double) * (size_t)(count * dim + 1));
    double *room = abut_mode_arena_take(arena, sizeof(double) * (size_t)(count * count + 1));
    if (!r.a || !room || count > MOST)
        return 0;
    for (int j = 0; j < count; ++j) {
        double most = 0.0;
        for (int k = 0; k < dim; ++k)
            most = fmax(most, fabs(vectors[j * dim + k]));
        for (int k = 0; k < dim; ++k)
            r.a[k * count + j] = most > 0.0 ? vectors[j * dim + k] / most : 0.0;
    }
    reduce(&r, dim, tolerance);
    uint64_t left = count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
    double weight = 1.0;
    while (left) {
        uint64_t part = component(&r, __builtin_ctzll(left), tolerance);
        weight *= component_weight(&r, part, tolerance, room);
        left &= ~part;
    }
    return weight < 9007199254740992.0 ? (uint64_t)weight : UINT64_MAX;
}
