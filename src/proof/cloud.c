/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clouds of points. In: points, a radius, half the edge of a cube. Out: the grid, and distances from it. Points are
 * sorted by counting. The gap of two cells that are k apart along an axis is at least k - 1 cells, squares of it add up
 * over the axes, and so the least over all occupied cells within REACH of them is found axis by axis. Questions take
 * that number, or look at the points in the cells that a ball reaches. Coordinates are single precision from the middle
 * of the grid: who asks adds what that loses.
 */
#include "proof/cloud.h"

#include "base/taker.h"

#include <math.h>
#include <string.h>

enum { SIDE = ABUT_CLOUD_SIDE, REACH = 8, LANES = 8 };
static const double ROUND = 1e-4; /* of a cell: where rounding may put a point into the next one */

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors go to inline functions only */
#define INLINE static inline __attribute__((always_inline))
typedef float Lane __attribute__((vector_size(32)));
typedef int32_t Mask __attribute__((vector_size(32)));

static int lowest_bit(uint64_t x) { return __builtin_ctzll(x); }
static int bit_count(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static int cell_of(float x, float inverse, int side) {
    int i = (int)(x * inverse);
    return i < side ? i : side - 1;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static AbutStatus check(int64_t count, const AbutVec3 *points, double radius, double half, AbutError *error) {
    if (count < 1 || count > 100000000)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "points: expected 1 to 100000000, got %lld", (long long)count);
    if (!(radius >= 0.0 && radius < 1e6))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "radius", ": expected 0 or more, got %g", radius);
    if (!(half >= 0.0 && half < 1e6))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "half", ": expected 0 or more, got %g", half);
    for (int64_t i = 0; i < count; ++i)
        if (!(fabs(points[i].x) + fabs(points[i].y) + fabs(points[i].z) < 1e12))
            return abut_fail(error, ABUT_ERROR_NUMBER, "point %lld: expected coordinates below 1e12, got %g %g %g",
                (long long)i, points[i].x, points[i].y, points[i].z);
    return ABUT_OK;
}

static AbutAabb box_of(int64_t count, const AbutVec3 *p) {
    AbutAabb box = {p[0], p[0]};
    for (int64_t i = 1; i < count; ++i) {
        box.min = abut_vec3(fmin(box.min.x, p[i].x), fmin(box.min.y, p[i].y), fmin(box.min.z, p[i].z));
        box.max = abut_vec3(fmax(box.max.x, p[i].x), fmax(box.max.y, p[i].y), fmax(box.max.z, p[i].z));
    }
    return box;
}

/* Lengths of the grid, without points yet. */
static void set_frame(struct AbutCloud *c) {
    AbutVec3 extent = abut_sub(c->box.max, c->box.min);
    const double length[3] = {extent.x, extent.y, extent.z};
    double most = fmax(fmax(extent.x, extent.y), extent.z), far = abut_length(c->box.max) + abut_length(c->box.min);
    c->middle = abut_scale(abut_add(c->box.min, c->box.max), 0.5);
    c->ball = (AbutSphere){c->middle, 0.5 * abut_length(extent) + c->radius + sqrt(3.0) * c->half};
    c->size = fmax(most / SIDE, fmax(1e-9, 1e-6 * far)) * 1.0001;
    c->inverse = (float)(1.0 / c->size);
    for (int i = 0; i < 3; ++i) {
        c->side[i] = (int32_t)fmin(SIDE, 1.0 + floor(length[i] / c->size));
        c->low[i] = (float)(-0.5 * length[i]);
    }
    for (int k = 0; k <= ABUT_CLOUD_FAR; ++k) {
        double gap = fmin(sqrt(k), REACH) * c->size * (1.0 - ROUND) - ROUND * c->size - sqrt(3.0) * c->half;
        c->gap[k] = (float)(fmax(gap, 0.0) * (1.0 - 1e-6));
    }
}

/* Single coordinates of all points, and their cells as z, y, x in six bits each; marks the rows. */
static void find_cells(struct AbutCloud *c, const AbutVec3 *p, float (*single)[3], uint32_t *cell) {
    for (int32_t i = 0; i < c->count; ++i) {
        AbutVec3 d = abut_sub(p[i], c->middle);
        const double x[3] = {d.x, d.y, d.z};
        uint32_t k[3];
        for (int a = 0; a < 3; ++a) {
            float up = (single[i][a] = (float)x[a]) - c->low[a];
            k[a] = (uint32_t)cell_of(up > 0.0f ? up : 0.0f, c->inverse, c->side[a]);
        }
        cell[i] = (k[2] * SIDE + k[1]) * SIDE + k[0];
        c->row[cell[i] / SIDE] |= (uint64_t)1 << k[0];
    }
}

static int32_t number_of(const struct AbutCloud *c, uint32_t cell) {
    uint64_t before = c->row[cell / SIDE] & (((uint64_t)1 << cell % SIDE) - 1);
    return c->first[cell / SIDE] + bit_count(before);
}

static void widen(AbutCloudCell *cell, const float p[3]) {
    for (int a = 0; a < 3; ++a) {
        cell->low[a] = p[a] < cell->low[a] ? p[a] : cell->low[a];
        cell->high[a] = p[a] > cell->high[a] ? p[a] : cell->high[a];
    }
}

/* Points into the order of their cells, equal ones in the caller's; `cell` becomes the number among occupied cells. */
static void sort_points(struct AbutCloud *c, const AbutVec3 *p, const float (*single)[3], uint32_t *cell) {
    for (int32_t k = 0; k <= c->cell_count; ++k)
        c->cells[k] = (AbutCloudCell){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    for (int32_t i = 0; i < c->count; ++i) {
        cell[i] = (uint32_t)number_of(c, cell[i]);
        ++c->cells[cell[i] + 1].start;
        widen(&c->cells[cell[i]], single[i]);
    }
    for (int32_t k = 0; k < c->cell_count; ++k) c->cells[k + 1].start += c->cells[k].start;
    for (int32_t i = 0; i < c->count; ++i) {
        int32_t to = c->cells[cell[i]].start++;
        c->points[to] = p[i];
        for (int a = 0; a < 3; ++a) c->at[a][to] = single[i][a];
    }
    for (int32_t k = c->cell_count; k > 0; --k) c->cells[k].start = c->cells[k - 1].start;
    c->cells[0].start = 0;
    for (int a = 0; a < 3; ++a) /* the last lanes read on */
        for (int i = 0; i < LANES; ++i) c->at[a][c->count + i] = c->at[a][c->count - 1];
}

/* ---- how far occupied cells are ---------------------------------------------------------------------------------- */

static void lower_row(uint8_t *out, const uint8_t *by, int k) {
    uint8_t add = (uint8_t)((k - 1) * (k - 1));
    for (int x = 0; x < SIDE; ++x) {
        uint8_t other = (uint8_t)(by[x] + add);
        out[x] = other < out[x] ? other : out[x];
    }
}

/* Along x, from the bits of a row. */
static void spread_row(uint64_t bits, uint8_t *out) {
    uint8_t wide[REACH + SIDE + REACH];
    memset(wide, ABUT_CLOUD_FAR, sizeof wide);
    for (; bits; bits &= bits - 1) wide[REACH + lowest_bit(bits)] = 0;
    memcpy(out, wide + REACH, SIDE);
    for (int k = 1; k <= REACH; ++k) {
        lower_row(out, wide + REACH - k, k);
        lower_row(out, wide + REACH + k, k);
    }
}

/* Along y or z: rows number i of `count` follow each other by `step`. */
static void spread_rows(uint8_t *rows, int count, size_t step, uint8_t *copy) {
    for (int i = 0; i < count; ++i) memcpy(copy + i * SIDE, rows + (size_t)i * step, SIDE);
    for (int i = 0; i < count; ++i)
        for (int k = 1; k <= REACH; ++k) {
            if (i >= k) lower_row(rows + (size_t)i * step, copy + (i - k) * SIDE, k);
            if (i + k < count) lower_row(rows + (size_t)i * step, copy + (i + k) * SIDE, k);
        }
}

static void find_gaps(struct AbutCloud *c) {
    uint8_t copy[SIDE * SIDE];
    for (int32_t z = 0; z < c->side[2]; ++z) {
        for (int32_t y = 0; y < c->side[1]; ++y) spread_row(c->row[z * SIDE + y], c->far + (z * SIDE + y) * SIDE);
        spread_rows(c->far + z * SIDE * SIDE, c->side[1], SIDE, copy);
    }
    for (int32_t y = 0; y < c->side[1]; ++y) spread_rows(c->far + y * SIDE, c->side[2], SIDE * SIDE, copy);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void take_all(AbutTaker *t, struct AbutCloud *c) {
    size_t rows = (size_t)c->side[2] * SIDE, count = (size_t)c->count;
    c->points = abut_take(t, count, sizeof *c->points);
    for (int a = 0; a < 3; ++a) c->at[a] = abut_take(t, count + LANES, sizeof(float));
    c->row = abut_take(t, rows, sizeof *c->row);
    c->first = abut_take(t, rows + 1, sizeof *c->first);
    c->far = abut_take(t, rows * SIDE, 1);
    c->cells = abut_take(t, (count < rows * SIDE ? count : rows * SIDE) + 1, sizeof *c->cells);
}

AbutStatus abut_cloud_make(
    int64_t count, const AbutVec3 *points, double radius, double half, const struct AbutCloud **out, AbutError *error) {
    struct AbutCloud plan = {.radius = radius, .half = half};
    AbutTaker size = {NULL, 0};
    *out = NULL;
    ABUT_TRY(check(count, points, radius, half, error));
    plan.count = (int32_t)count;
    plan.box = box_of(count, points);
    set_frame(&plan);
    abut_take(&size, 1, sizeof plan);
    take_all(&size, &plan);
    AbutTaker taker = {abut_alloc(size.used), 0};
    float(*single)[3] = abut_alloc_array((size_t)count, sizeof *single);
    uint32_t *cell = abut_alloc_array((size_t)count, sizeof *cell);
    if (taker.block && single && cell) {
        struct AbutCloud *c = abut_take(&taker, 1, sizeof *c);
        *c = plan;
        take_all(&taker, c);
        memset(c->row, 0, (size_t)c->side[2] * SIDE * sizeof *c->row);
        find_cells(c, points, single, cell);
        for (int32_t r = 0; r < c->side[2] * SIDE; ++r) {
            c->first[r] = c->cell_count;
            c->cell_count += bit_count(c->row[r]);
        }
        sort_points(c, points, (const float(*)[3])single, cell);
        find_gaps(c);
        *out = c;
    } else
        abut_free(taker.block);
    abut_free(single);
    abut_free(cell);
    return *out ? ABUT_OK : abut_fail_memory(error);
}

void abut_cloud_free(const struct AbutCloud *cloud) { abut_free((void *)(uintptr_t)cloud); }

/* ---- questions --------------------------------------------------------------------------------------------------- */

INLINE Lane magnitude(Lane x) { return (Lane)((Mask)x & 0x7fffffff); }
INLINE Lane above(Lane x, float less) {
    x -= less;
    return (Lane)((Mask)x & (x > 0.0f));
}

/* The least squared distance of the points of a cell. The last lanes may see points of the next cell. */
static float least_in(const struct AbutCloud *c, int32_t cell, const float p[3], float best) {
    Lane least = {best, best, best, best, best, best, best, best};
    float half = (float)c->half, out = best;
    for (int32_t i = c->cells[cell].start; i < c->cells[cell + 1].start; i += LANES) {
        Lane sum = {0};
        for (int a = 0; a < 3; ++a) {
            Lane x;
            memcpy(&x, c->at[a] + i, sizeof x);
            x = above(magnitude(x - p[a]), half);
            sum += x * x;
        }
        Mask m = sum < least;
        least = (Lane)((m & (Mask)sum) | (~m & (Mask)least));
    }
    for (int i = 0; i < LANES; ++i) out = least[i] < out ? least[i] : out;
    return out;
}

static float outside(float p, float low, float high) { return p < low ? low - p : p > high ? p - high : 0.0f; }

static float from_box(const AbutCloudCell *cell, const float p[3], float half) {
    float sum = 0.0f;
    for (int a = 0; a < 3; ++a) {
        float d = outside(p[a], cell->low[a], cell->high[a]) - half;
        sum += d > 0.0f ? d * d : 0.0f;
    }
    return sum;
}

/* Cells along an axis that a ball reaches, by floats from the lowest corner. */
static int range(const struct AbutCloud *c, int axis, float p, float reach, int32_t out[2]) {
    float low = p - reach - c->low[axis], high = p + reach - c->low[axis], all = (float)c->side[axis] * (float)c->size;
    out[0] = low > 0.0f ? cell_of(low < all ? low : all, c->inverse, c->side[axis]) : 0;
    out[1] = high < all ? cell_of(high > 0.0f ? high : 0.0f, c->inverse, c->side[axis]) : c->side[axis] - 1;
    return high >= 0.0f && low <= all;
}

static uint64_t bits_between(const int32_t range[2]) {
    return (~(uint64_t)0 << range[0]) & (~(uint64_t)0 >> (SIDE - 1 - range[1]));
}

/* Squared distance to cells number i along an axis. */
static float from_cells(const struct AbutCloud *c, int axis, int32_t i, float p) {
    float size = (float)c->size, low = c->low[axis] + (float)i * size;
    float d = outside(p, low, low + size) - (float)c->half - (float)(2.0 * ROUND * c->size);
    return d > 0.0f ? d * d : 0.0f;
}

typedef struct Walk {
    const struct AbutCloud *cloud;
    const float *p;
    int32_t in[3][2], middle[3];
    float best, enough;
} Walk;

static void look_at_row(Walk *w, int32_t row) {
    const struct AbutCloud *c = w->cloud;
    uint64_t seen = c->row[row] & bits_between(w->in[0]);
    if (!seen) return;
    int32_t cell = c->first[row] + bit_count(c->row[row] & (((uint64_t)1 << w->in[0][0]) - 1));
    for (; seen && w->best > w->enough; seen &= seen - 1, ++cell)
        if (from_box(&c->cells[cell], w->p, (float)c->half) < w->best) w->best = least_in(c, cell, w->p, w->best);
}

/* Rows of one z from `from` on in steps of 1 or -1, as long as they are near. */
static void look_along(Walk *w, int32_t z, float dz, int32_t from, int32_t step) {
    for (int32_t y = from; y >= w->in[1][0] && y <= w->in[1][1] && w->best > w->enough; y += step) {
        if (dz + from_cells(w->cloud, 1, y, w->p[1]) >= w->best) return;
        look_at_row(w, z * SIDE + y);
    }
}

static void look_across(Walk *w, int32_t from, int32_t step) {
    for (int32_t z = from; z >= w->in[2][0] && z <= w->in[2][1] && w->best > w->enough; z += step) {
        float dz = from_cells(w->cloud, 2, z, w->p[2]);
        if (dz >= w->best) return;
        look_along(w, z, dz, w->middle[1], 1);
        look_along(w, z, dz, w->middle[1] - 1, -1);
    }
}

/* From the middle outward. */
static float walk(Walk *w) {
    look_across(w, w->middle[2], 1);
    look_across(w, w->middle[2] - 1, -1);
    return w->best;
}

float abut_cloud_square(const struct AbutCloud *c, const float p[3], float most, float enough) {
    float sum = 0.0f, half = (float)c->half, limit = most * most;
    Walk w = {.cloud = c, .p = p, .best = limit, .enough = enough < most ? enough * enough : 0.99999f * limit};
    int32_t *k = w.middle;
    if (!(fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]) < INFINITY)) return NAN;
    for (int a = 0; a < 3; ++a) {
        float up = p[a] - c->low[a], off = outside(p[a], c->low[a], -c->low[a]) - half;
        sum += off > 0.0f ? off * off : 0.0f;
        k[a] = up > 0.0f ? cell_of(up < -2.0f * c->low[a] ? up : -2.0f * c->low[a], c->inverse, c->side[a]) : 0;
    }
    float gap = c->gap[c->far[(k[2] * SIDE + k[1]) * SIDE + k[0]]];
    if (sum > limit || !(most > 0.0f)) return sum;
    if (gap > most) return gap * gap;
    for (int a = 0; a < 3; ++a)
        if (!range(c, a, p[a], (most + half) * 1.0001f + (float)(4.0 * ROUND * c->size), w.in[a])) return limit;
    return walk(&w);
}

void abut_cloud_visit(const struct AbutCloud *c, AbutSphere ball, AbutCloudVisit *visit, void *user) {
    AbutVec3 d = abut_sub(ball.center, c->middle);
    const float p[3] = {(float)d.x, (float)d.y, (float)d.z};
    double far = fabs(d.x) + fabs(d.y) + fabs(d.z) + ball.radius + c->ball.radius;
    float reach = (float)((ball.radius + c->radius + c->half) * 1.0001 + 8.0 * ROUND * c->size + 1e-6 * far);
    int32_t in[3][2];
    for (int a = 0; a < 3; ++a)
        if (!range(c, a, p[a], reach, in[a])) return;
    for (int32_t z = in[2][0]; z <= in[2][1]; ++z)
        for (int32_t y = in[1][0]; y <= in[1][1]; ++y) {
            uint64_t row = c->row[z * SIDE + y], seen = row & bits_between(in[0]);
            int32_t cell = c->first[z * SIDE + y] + bit_count(row & (((uint64_t)1 << in[0][0]) - 1));
            for (; seen; seen &= seen - 1, ++cell)
                if (!visit(c, cell, user)) return;
        }
}
