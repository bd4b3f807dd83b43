/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The method of Huang, Cheng and Mason, corrected: facets first, then the face lattice.
 *
 * Contacting / separating: the polar dual of the cone of allowed velocities is the hull of one point per contact. A
 * facet of the hull is an extreme ray of the cone, its vertices are the contacts that are zero on the ray. Facets are
 * found as supporting planes through every independent set of points, so coplanar ones come out merged. The faces are
 * all intersections of facets: on signs, all unions of the positive sets of rays.
 *
 * Sliding / sticking of one pattern: the rows of the separating contacts and the tangent rows of the others, in the
 * plane where the contacting normal rows vanish, generate a zonotope. Its facets are pairs of opposite rays of the
 * arrangement, its faces all compositions of rays. Rays that drive a separating contact in are left out at once, and
 * only faces on which every separating contact separates are kept.
 *
 * It shares nothing with the search but the rows, and is slow on large systems: its facets cost one elimination per
 * independent set of rows, its faces one pass over all rays each.
 */
#include "abut/literature.h"
#include "mode/constraints.h"
#include "mode/engine.h"

#include <string.h>

enum { MOST_ROWS = 64 };
static const uint64_t most_subsets = 3000000;

/* Sign vectors as pairs (positive, negative), found once each. */
typedef struct SignSet {
    uint64_t *signs; /* two words each */
    size_t count, capacity;
    size_t *slots, slot_count;
    int failed;
} SignSet;

static size_t *find_slot(const SignSet *set, uint64_t pos, uint64_t neg) {
    uint64_t key[2] = {pos, neg};
    size_t at = (size_t)abut_hash(key, sizeof key, 0) & (set->slot_count - 1);
    while (set->slots[at] && (set->signs[2 * set->slots[at] - 2] != pos || set->signs[2 * set->slots[at] - 1] != neg))
        at = (at + 1) & (set->slot_count - 1);
    return &set->slots[at];
}

static void add_signs(SignSet *set, uint64_t pos, uint64_t neg) {
    if (2 * (set->count + 1) > set->slot_count) {
        size_t wider = set->slot_count ? 2 * set->slot_count : 1024;
        size_t *slots = abut_alloc_array(wider, sizeof(size_t));
        if (!slots || !abut_grow((void **)&set->signs, &set->capacity, wider, 16)) {
            abut_free(slots);
            set->failed = 1;
            return;
        }
        memset(slots, 0, wider * sizeof(size_t));
        abut_free(set->slots);
        set->slots = slots, set->slot_count = wider;
        for (size_t i = 0; i < set->count; ++i) *find_slot(set, set->signs[2 * i], set->signs[2 * i + 1]) = i + 1;
    }
    size_t *slot = find_slot(set, pos, neg);
    if (*slot) return;
    set->signs[2 * set->count] = pos, set->signs[2 * set->count + 1] = neg;
    *slot = ++set->count;
}

static void free_signs(SignSet *set) {
    abut_free(set->signs);
    abut_free(set->slots);
    memset(set, 0, sizeof *set);
}

/* ---- the arrangement in as few dimensions as it has -------------------------------------------------------------- */

typedef struct Arrangement {
    int rows, dim;
    double tolerance;
    double *v;        /* rows x dim, each of largest entry 1 or zero */
    uint64_t subsets; /* tried so far */
    const AbutModeOptions *options;
    int stopped;
} Arrangement;

/* Rows `list` on the velocities where the rows `zero` vanish, in coordinates of their own row space. `room`: see
 * caller. */
static void arrange(
    const AbutModePrepared *prepared, uint64_t zero, const int *list, int count, Arrangement *a, double *room) {
    int d = prepared->dof, n = 0, free_columns = 0, pivots[ABUT_MODE_SIZE];
    double *eliminated = room, *reduced = room + MOST_ROWS * d, *copy = reduced + MOST_ROWS * d;
    for (int u = 0; u < prepared->unique; ++u)
        if (zero >> u & 1) memcpy(eliminated + (n++) * d, prepared->matrix + u * d, sizeof(double) * (size_t)d);
    int rank = abut_mode_rank(eliminated, n, d, prepared->tolerance, NULL, pivots);
    for (int j = 0; j < d; ++j) {
        int pivot = 0;
        for (int i = 0; i < rank; ++i) pivot |= pivots[i] == j;
        if (pivot) continue;
        for (int i = 0; i < count; ++i) {
            const double *row = prepared->matrix + list[i] * d;
            double x = row[j];
            for (int k = 0; k < rank; ++k) x -= row[pivots[k]] * eliminated[k * d + j];
            reduced[i * d + free_columns] = x;
        }
        ++free_columns;
    }
    for (int i = 0; i < count; ++i)
        memcpy(copy + i * free_columns, reduced + i * d, sizeof(double) * (size_t)free_columns);
    a->rows = count;
    a->dim = abut_mode_rank(copy, count, free_columns, prepared->tolerance, NULL, pivots);
    a->tolerance = prepared->tolerance;
    for (int i = 0; i < count; ++i) {
        double most = 0.0;
        for (int k = 0; k < a->dim; ++k) most = fmax(most, fabs(reduced[i * d + pivots[k]]));
        for (int k = 0; k < a->dim; ++k)
            a->v[i * a->dim + k] = most > prepared->tolerance ? reduced[i * d + pivots[k]] / most : 0.0;
    }
}

/* Signs of all rows on the vector y, and on -y. */
static void note_ray(const Arrangement *a, const double *y, SignSet *rays) {
    uint64_t pos = 0, neg = 0;
    double value[MOST_ROWS], most = 0.0;
    for (int i = 0; i < a->rows; ++i) {
        value[i] = 0.0;
        for (int k = 0; k < a->dim; ++k) value[i] += a->v[i * a->dim + k] * y[k];
        most = fmax(most, fabs(value[i]));
    }
    for (int i = 0; i < a->rows; ++i) {
        pos |= (uint64_t)(value[i] > a->tolerance * most) << i;
        neg |= (uint64_t)(value[i] < -a->tolerance * most) << i;
    }
    add_signs(rays, pos, neg);
    add_signs(rays, neg, pos);
}

/*
 * Extends a set of independent rows by rows from `next` on. `basis` holds the vectors on which the chosen rows vanish;
 * when one is left it is a ray.
 */
static void find_rays(Arrangement *a, int next, int left, const double *basis, double *room, SignSet *rays) {
    int d = a->dim;
    if (left == 1) {
        note_ray(a, basis, rays);
        return;
    }
    for (int i = next; a->rows - i >= left - 1 && !a->stopped && !rays->failed; ++i) {
        double value[MOST_ROWS] = {0.0};
        int best = 0;
        a->stopped |= ++a->subsets > most_subsets || (a->options->cancel && *a->options->cancel);
        for (int b = 0; b < left; ++b) {
            for (int k = 0; k < d; ++k) value[b] += a->v[i * d + k] * basis[b * d + k];
            best = fabs(value[b]) > fabs(value[best]) ? b : best;
        }
        if (fabs(value[best]) <= a->tolerance) continue;
        int n = 0;
        for (int b = 0; b < left; ++b) {
            double most = 0.0, factor = value[b] / value[best];
            for (int k = 0; k < d && b != best; ++k) {
                room[n * d + k] = basis[b * d + k] - factor * basis[best * d + k];
                most = fmax(most, fabs(room[n * d + k]));
            }
            for (int k = 0; k < d && b != best; ++k) room[n * d + k] /= most;
            n += b != best;
        }
        find_rays(a, i + 1, left - 1, room, room + d * d, rays);
    }
}

static void all_rays(Arrangement *a, double *room, SignSet *rays) {
    if (a->dim == 0) return;
    memset(room, 0, sizeof(double) * (size_t)(a->dim * a->dim));
    for (int k = 0; k < a->dim; ++k) room[k * a->dim + k] = 1.0;
    find_rays(a, 0, a->dim, room, room + a->dim * a->dim, rays);
}

/* The lattice: every composition of rays, from the zero vector up. */
static void all_faces(const SignSet *rays, const AbutModeOptions *o, SignSet *faces) {
    add_signs(faces, 0, 0);
    for (size_t i = 0; i < faces->count && !faces->failed && !(o->cancel && *o->cancel); ++i)
        for (size_t r = 0; r < rays->count && !faces->failed; ++r) {
            uint64_t pos = faces->signs[2 * i], neg = faces->signs[2 * i + 1];
            uint64_t p = rays->signs[2 * r], n = rays->signs[2 * r + 1];
            if (!(p & neg) && !(n & pos) && ((p & ~pos) | (n & ~neg))) add_signs(faces, pos | p, neg | n);
        }
}

/* ---- patterns and modes ------------------------------------------------------------------------------------------ */

typedef struct Paper {
    AbutModeRun *run;
    double *room, *v;
    uint64_t *mode;
    int too_large;
} Paper;

/* Rays and faces of the rows `list` where `zero` vanish. Rays positive on `no_pos` or negative on `no_neg` are left
 * out. */
static void faces_of(
    Paper *p, uint64_t zero, const int *list, int count, uint64_t no_pos, uint64_t no_neg, SignSet *faces) {
    Arrangement a = {.v = p->v, .options = p->run->options};
    SignSet rays = {0}, kept = {0};
    arrange(p->run->prepared, zero, list, count, &a, p->room);
    all_rays(&a, p->room, &rays);
    for (size_t i = 0; i < rays.count; ++i)
        if (!(rays.signs[2 * i] & no_pos) && !(rays.signs[2 * i + 1] & no_neg))
            add_signs(&kept, rays.signs[2 * i], rays.signs[2 * i + 1]);
    all_faces(&kept, p->run->options, faces);
    p->too_large |= a.subsets > most_subsets;
    p->run->stopped |= a.stopped;
    p->run->out_of_memory |= rays.failed || kept.failed || faces->failed;
    free_signs(&rays);
    free_signs(&kept);
}

static int hand_out(Paper *p) {
    AbutModeRun *run = p->run;
    const AbutModeOptions *o = run->options;
    ++run->modes;
    if ((o->visit && o->visit(abut_mode_in(p->mode, (size_t)run->prepared->words), o->user)) ||
        (o->limit && run->modes >= o->limit) || (o->cancel && *o->cancel))
        run->stopped = 1;
    return run->stopped;
}

/* All sliding / sticking modes of a pattern. */
static void modes_of(Paper *p, const uint8_t *separates) {
    const AbutModePrepared *prepared = p->run->prepared;
    int list[MOST_ROWS], place[MOST_ROWS], count = 0;
    uint64_t zero = 0, used = 0, must_pos = 0, must_neg = 0;
    for (int raw = 0; raw < prepared->raw; ++raw) {
        int contact = raw < prepared->contacts ? raw : (raw - prepared->contacts) / prepared->lines,
            u = prepared->index[raw];
        if (u >= 0 && raw < prepared->contacts && !separates[contact])
            zero |= (uint64_t)1 << u;
        else if (u >= 0 && (raw < prepared->contacts || !separates[contact]) && !(used >> u & 1))
            used |= (uint64_t)1 << u, place[u] = count, list[count++] = u;
    }
    for (int i = 0; i < prepared->contacts; ++i)
        if (separates[i]) *(prepared->sign[i] > 0 ? &must_pos : &must_neg) |= (uint64_t)1 << place[prepared->index[i]];
    SignSet faces = {0};
    faces_of(p, zero, list, count, must_neg, must_pos, &faces);
    size_t words = (size_t)prepared->words;
    for (size_t f = 0; f < faces.count && !p->run->stopped; ++f) {
        uint64_t pos = faces.signs[2 * f], neg = faces.signs[2 * f + 1];
        if ((must_pos & ~pos) | (must_neg & ~neg)) continue;
        memset(p->mode, 0, 16 * words);
        for (int raw = 0; raw < prepared->raw; ++raw) {
            int contact = raw < prepared->contacts ? raw : (raw - prepared->contacts) / prepared->lines,
                u = prepared->index[raw];
            if (u < 0 || (raw < prepared->contacts ? !separates[contact] : separates[contact])) continue;
            int sign = (int)(pos >> place[u] & 1) - (int)(neg >> place[u] & 1);
            if (sign)
                p->mode[(sign * prepared->sign[raw] > 0 ? 0 : words) + (size_t)(raw >> 6)] |= (uint64_t)1 << (raw & 63);
        }
        hand_out(p);
    }
    free_signs(&faces);
}

/* One pattern from a face of the cone of allowed velocities. */
static void pattern(Paper *p, uint64_t pos, uint64_t neg, const int *place, uint8_t *separates) {
    const AbutModePrepared *prepared = p->run->prepared;
    const AbutModeOptions *o = p->run->options;
    size_t words = (size_t)prepared->words;
    for (int i = 0; i < prepared->contacts; ++i) {
        int u = prepared->index[i];
        separates[i] = (uint8_t)(u >= 0 && ((prepared->sign[i] > 0 ? pos : neg) >> place[u] & 1));
        if (o->kind == ABUT_MODES_OF_CS && separates[i] != (o->cs[i] != 0)) return;
    }
    ++p->run->cs_modes;
    if (o->kind != ABUT_MODES_CS) {
        modes_of(p, separates);
        return;
    }
    memset(p->mode, 0, 16 * words);
    for (int i = 0; i < prepared->contacts; ++i) p->mode[i >> 6] |= (uint64_t)separates[i] << (i & 63);
    hand_out(p);
}

static void patterns(Paper *p, uint8_t *separates) {
    const AbutModePrepared *prepared = p->run->prepared;
    int list[MOST_ROWS], place[MOST_ROWS], count = 0;
    uint64_t used = 0, no_pos = 0, no_neg = 0;
    for (int i = 0; i < prepared->contacts; ++i) {
        int u = prepared->index[i];
        if (u < 0) continue;
        if (!(used >> u & 1)) used |= (uint64_t)1 << u, place[u] = count, list[count++] = u;
        *(prepared->sign[i] > 0 ? &no_neg : &no_pos) |= (uint64_t)1 << place[u];
    }
    SignSet faces = {0};
    faces_of(p, 0, list, count, no_pos, no_neg, &faces);
    for (size_t f = 0; f < faces.count && !p->run->stopped && !p->run->out_of_memory; ++f)
        pattern(p, faces.signs[2 * f], faces.signs[2 * f + 1], place, separates);
    free_signs(&faces);
}

AbutStatus abut_mode_paper(AbutModeRun *run, AbutError *error) {
    const AbutModePrepared *prepared = run->prepared;
    size_t d = (size_t)prepared->dof, rows = MOST_ROWS;
    if (prepared->unique > MOST_ROWS || prepared->dof > MOST_ROWS)
        return abut_fail(error, ABUT_ERROR_LIMIT, "method paper: %d different rows and %d velocities, at most %d",
            prepared->unique, prepared->dof, MOST_ROWS);
    if (run->options->nonlinear)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "method paper lists modes with directions of sliding only");
    Paper p = {.run = run};
    size_t room = 3 * rows * d + (d + 2) * d * d + 1;
    double *memory = abut_alloc((room + rows * d + 2 * (size_t)prepared->words + 1) * sizeof(double));
    uint8_t *separates = abut_alloc((size_t)prepared->contacts + 1);
    if (memory && separates) {
        p.room = memory, p.v = memory + room, p.mode = (uint64_t *)(void *)(p.v + rows * d);
        patterns(&p, separates);
    } else {
        run->out_of_memory = 1;
    }
    abut_free(memory);
    abut_free(separates);
    if (p.too_large)
        return abut_fail(error, ABUT_ERROR_LIMIT, "method paper: more than %llu sets of rows for one hull",
            (unsigned long long)most_subsets);
    return ABUT_OK;
}
