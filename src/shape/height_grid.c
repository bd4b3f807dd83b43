/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields kept as grids. In: a field. Out: its pieces by number, and those near a box or along a way. Method:
 * flat rectangles are found once, greedily, along x first; all else about a piece follows from the heights of its cell.
 * Squares of cells know their highest point, so that a search from above skips the ground far below.
 */
#include "shape/height_grid.h"

#include <string.h>

static const double ON_PLANE = 1e-12; /* of the heights: points this near a plane lie in it, as wide as the field be */

enum { MOST_POINTS = 50000000, BLOCK = 32 };

AbutStatus abut_height_field_check(const AbutHeightField *f, AbutError *error) {
    if (f->columns < 2 || f->rows < 2 || (int64_t)f->columns * f->rows > MOST_POINTS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "height field: expected 2 columns and rows or more, and at most %d points, got %d by %d", MOST_POINTS,
            f->columns, f->rows);
    if (!(f->half_x > 0.0 && f->half_y > 0.0 && f->half_x < 1e50 && f->half_y < 1e50 && fabs(f->bottom) < 1e50))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "height field: expected half sizes above 0 and a bottom, all below 1e50");
    for (int64_t i = 0; i < (int64_t)f->columns * f->rows; ++i)
        if (!(f->heights[i] > f->bottom && f->heights[i] < 1e50))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "height field: height %lld: expected above the bottom %g and below 1e50, got %g", (long long)i,
                f->bottom, f->heights[i]);
    return ABUT_OK;
}

static size_t point_count(const AbutHeightField *f) { return (size_t)f->columns * (size_t)f->rows; }

int abut_height_field_same(const AbutHeightField *a, const AbutHeightField *b) {
    if (!a || !b) return a == b;
    return a->columns == b->columns && a->rows == b->rows && a->half_x == b->half_x && a->half_y == b->half_y &&
           a->bottom == b->bottom && memcmp(a->heights, b->heights, point_count(a) * sizeof *a->heights) == 0;
}

uint64_t abut_height_field_hash(const AbutHeightField *f, uint64_t seed) {
    double numbers[5] = {f->columns, f->rows, f->half_x, f->half_y, f->bottom};
    return abut_hash(f->heights, point_count(f) * sizeof *f->heights, abut_hash(numbers, sizeof numbers, seed));
}

static double height_at(const AbutHeightGrid *g, int32_t column, int32_t row) {
    return g->field.heights[(int64_t)row * g->field.columns + column];
}

static double x_of(const AbutHeightField *f, int32_t column) {
    return f->half_x * (2.0 * column / (f->columns - 1) - 1.0);
}

static double y_of(const AbutHeightField *f, int32_t row) { return f->half_y * (2.0 * row / (f->rows - 1) - 1.0); }

static int64_t cell_at(const AbutHeightGrid *g, int32_t column, int32_t row) {
    return (int64_t)row * (g->field.columns - 1) + column;
}

/* ---- flat rectangles --------------------------------------------------------------------------------------------- */

/* Do the points of a range lie in the plane of a cell's first point and its neighbors along x and y? */
static int is_flat(const AbutHeightGrid *g, int32_t c0, int32_t r0, AbutHeightRange range) {
    double z = height_at(g, c0, r0), dx = height_at(g, c0 + 1, r0) - z, dy = height_at(g, c0, r0 + 1) - z;
    for (int32_t r = range.r0; r <= range.r1; ++r)
        for (int32_t c = range.c0; c <= range.c1; ++c)
            if (!(fabs(height_at(g, c, r) - (z + (c - c0) * dx + (r - r0) * dy)) <= g->slack)) return 0;
    return 1;
}

static int is_free(const AbutHeightGrid *g, AbutHeightRange cells) {
    for (int32_t r = cells.r0; r <= cells.r1; ++r)
        for (int32_t c = cells.c0; c <= cells.c1; ++c)
            if (g->rectangle_of[cell_at(g, c, r)] >= 0) return 0;
    return 1;
}

/* The largest flat rectangle from a flat cell on: along x first, then along y. */
static AbutHeightRange grow(const AbutHeightGrid *g, int32_t c, int32_t r) {
    AbutHeightRange at = {c, r, c + 1, r + 1};
    while (at.c1 + 1 < g->field.columns && is_free(g, (AbutHeightRange){at.c1, r, at.c1, r}) &&
           is_flat(g, c, r, (AbutHeightRange){at.c1 + 1, r, at.c1 + 1, r + 1}))
        ++at.c1;
    while (at.r1 + 1 < g->field.rows && is_free(g, (AbutHeightRange){c, at.r1, at.c1 - 1, at.r1}) &&
           is_flat(g, c, r, (AbutHeightRange){c, at.r1 + 1, at.c1, at.r1 + 1}))
        ++at.r1;
    return at;
}

static int keep_rectangle(AbutHeightGrid *g, AbutHeightRange at) {
    if (!abut_grow(
            (void **)&g->rectangle, &g->rectangle_capacity, (size_t)g->rectangle_count + 1, sizeof *g->rectangle))
        return 0;
    for (int32_t r = at.r0; r < at.r1; ++r)
        for (int32_t c = at.c0; c < at.c1; ++c) g->rectangle_of[cell_at(g, c, r)] = g->rectangle_count;
    g->rectangle[g->rectangle_count++] = at;
    return 1;
}

static int find_rectangles(AbutHeightGrid *g) {
    for (int32_t r = 0; r + 1 < g->field.rows; ++r)
        for (int32_t c = 0; c + 1 < g->field.columns; ++c) {
            AbutHeightRange at = {c, r, c + 1, r + 1};
            if (g->rectangle_of[cell_at(g, c, r)] >= 0 || !is_flat(g, c, r, at)) continue;
            at = grow(g, c, r);
            if ((at.c1 > c + 1 || at.r1 > r + 1) && !keep_rectangle(g, at)) return 0;
        }
    return 1;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void set_bounds(AbutHeightGrid *g) {
    const AbutHeightField *f = &g->field;
    double high = -INFINITY;
    g->lowest = INFINITY;
    for (int32_t r = 0; r < f->rows; ++r)
        for (int32_t c = 0; c < f->columns; ++c) {
            double z = height_at(g, c, r);
            g->lowest = abut_smaller(g->lowest, z);
            high = abut_larger(high, z);
            for (int k = 0; k < 4; ++k) { /* the cells around */
                int32_t cc = c - (k & 1), rr = r - (k >> 1);
                if (cc < 0 || rr < 0 || cc + 1 >= f->columns || rr + 1 >= f->rows) continue;
                double *top = &g->block_top[(int64_t)(rr / BLOCK) * g->block_columns + cc / BLOCK];
                *top = abut_larger(*top, z);
            }
        }
    g->slack = ON_PLANE * abut_larger(fabs(high), fabs(g->lowest));
    g->box.min = abut_vec3(-f->half_x, -f->half_y, f->bottom);
    g->box.max = abut_vec3(f->half_x, f->half_y, high);
}

static int fill(AbutHeightGrid *g, const AbutHeightField *field) {
    size_t cells = (size_t)(field->columns - 1) * (size_t)(field->rows - 1);
    g->block_columns = (field->columns - 2) / BLOCK + 1;
    size_t blocks = (size_t)g->block_columns * (size_t)((field->rows - 2) / BLOCK + 1);
    double *heights = abut_alloc_array(point_count(field), sizeof *heights);
    g->field = *field;
    g->field.heights = heights;
    g->rectangle_of = abut_alloc_array(cells, sizeof *g->rectangle_of);
    g->block_top = abut_alloc_array(blocks, sizeof *g->block_top);
    if (!heights || !g->rectangle_of || !g->block_top) return 0;
    memcpy(heights, field->heights, point_count(field) * sizeof *heights);
    for (size_t i = 0; i < cells; ++i) g->rectangle_of[i] = -1;
    for (size_t i = 0; i < blocks; ++i) g->block_top[i] = -INFINITY;
    set_bounds(g);
    return find_rectangles(g);
}

AbutStatus abut_height_grid_create(const AbutHeightField *field, AbutHeightGrid **out, AbutError *error) {
    *out = NULL;
    AbutHeightGrid *g = abut_alloc(sizeof *g);
    if (g) memset(g, 0, sizeof *g);
    if (!g || !fill(g, field)) {
        abut_height_grid_free(g);
        return abut_fail_memory(error);
    }
    *out = g;
    return ABUT_OK;
}

void abut_height_grid_free(AbutHeightGrid *g) {
    if (!g) return;
    abut_free((void *)(uintptr_t)g->field.heights);
    abut_free(g->rectangle_of);
    abut_free(g->rectangle);
    abut_free(g->block_top);
    abut_free(g);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* Kind of a cell: part of a flat rectangle, one piece, or two. */
static int is_whole(const AbutHeightGrid *g, int32_t c, int32_t r) {
    double across = height_at(g, c, r) + height_at(g, c + 1, r + 1);
    return across >= height_at(g, c + 1, r) + height_at(g, c, r + 1) ||
           is_flat(g, c, r, (AbutHeightRange){c, r, c + 1, r + 1});
}

static AbutHeightRange range_of(const AbutHeightGrid *g, int64_t cell) {
    int32_t width = g->field.columns - 1, c = (int32_t)(cell % width), r = (int32_t)(cell / width),
            rectangle = g->rectangle_of[cell];
    return rectangle >= 0 ? g->rectangle[rectangle] : (AbutHeightRange){c, r, c + 1, r + 1};
}

AbutHeightRange abut_height_piece_range(const AbutHeightGrid *g, int32_t piece, int *half) {
    AbutHeightRange at = range_of(g, piece / 2);
    *half = g->rectangle_of[piece / 2] >= 0 || is_whole(g, at.c0, at.r0) ? 2 : piece % 2;
    return at;
}

AbutVec3 abut_height_point(const AbutHeightGrid *g, int32_t column, int32_t row) {
    return abut_vec3(x_of(&g->field, column), y_of(&g->field, row), height_at(g, column, row));
}

AbutHeightPrism abut_height_piece(const AbutHeightGrid *g, int32_t piece) {
    static const int corners[3][4] = {{0, 1, 2, 3}, {0, 1, 3}, {0, 3, 2}}; /* bit 0: c1, bit 1: r1 */
    int half;
    AbutHeightRange at = abut_height_piece_range(g, piece, &half);
    const int *corner = corners[(half + 1) % 3], count = half == 2 ? 4 : 3;
    AbutHeightPrism out = {.count = 2 * count};
    for (int k = 0; k < count; ++k) {
        out.point[k] = abut_height_point(g, corner[k] & 1 ? at.c1 : at.c0, corner[k] & 2 ? at.r1 : at.r0);
        out.point[count + k] = abut_vec3(out.point[k].x, out.point[k].y, g->field.bottom);
    }
    return out;
}

AbutAabb abut_height_piece_box(const AbutHeightGrid *g, int32_t piece) {
    AbutHeightPrism p = abut_height_piece(g, piece);
    AbutAabb box = {p.point[0], p.point[0]};
    for (int k = 1; k < p.count; ++k) {
        box.min = abut_min(box.min, p.point[k]);
        box.max = abut_max(box.max, p.point[k]);
    }
    return box;
}

AbutVec3 abut_height_prism_support(AbutVec3 direction, const void *prism) {
    const AbutHeightPrism *p = prism;
    int best = 0;
    double most = abut_dot(direction, p->point[0]);
    for (int k = 1; k < p->count; ++k) {
        double along = abut_dot(direction, p->point[k]);
        if (along > most) most = along, best = k;
    }
    return p->point[best];
}

/* A line, and what is left of it. */
typedef struct Line {
    AbutVec3 origin, way, normal;
    double enter, exit;
} Line;

/* The part where n . (x - p) <= 0. */
static void cut_line(Line *l, AbutVec3 n, AbutVec3 p) {
    double speed = abut_dot(n, l->way), room = abut_dot(n, abut_sub(p, l->origin));
    if (speed < 0.0 && room / speed > l->enter)
        l->enter = room / speed, l->normal = n;
    else if (speed > 0.0)
        l->exit = abut_smaller(l->exit, room / speed);
    else if (speed == 0.0 && room < 0.0)
        l->exit = -INFINITY;
}

int abut_height_piece_cut(const AbutHeightGrid *g, int32_t piece, AbutVec3 origin, AbutVec3 way, double *enter,
    double *exit, AbutVec3 *normal) {
    AbutHeightRange at = range_of(g, piece / 2);
    int whole = g->rectangle_of[piece / 2] >= 0 || is_whole(g, at.c0, at.r0), front = whole || piece % 2 == 0,
        back = whole || piece % 2 == 1;
    double z00 = height_at(g, at.c0, at.r0), z10 = height_at(g, at.c1, at.r0), z01 = height_at(g, at.c0, at.r1),
           z11 = height_at(g, at.c1, at.r1);
    AbutVec3 low = abut_vec3(x_of(&g->field, at.c0), y_of(&g->field, at.r0), z00),
             high = abut_vec3(x_of(&g->field, at.c1), y_of(&g->field, at.r1), z11);
    double dx = high.x - low.x, dy = high.y - low.y;
    Line l = {origin, way, abut_zero(), -INFINITY, INFINITY};
    cut_line(&l, abut_vec3(0, 0, -1), abut_vec3(0, 0, g->field.bottom));
    if (front) {
        cut_line(&l, abut_vec3(0, -1, 0), low);
        cut_line(&l, abut_vec3(1, 0, 0), high);
        cut_line(&l, abut_vec3((z00 - z10) / dx, (z10 - z11) / dy, 1), low);
    }
    if (back) {
        cut_line(&l, abut_vec3(-1, 0, 0), low);
        cut_line(&l, abut_vec3(0, 1, 0), high);
        cut_line(&l, abut_vec3((z01 - z11) / dx, (z00 - z01) / dy, 1), low);
    }
    if (!whole) /* the wall between the two */
        cut_line(&l, front ? abut_vec3(-dy, dx, 0) : abut_vec3(dy, -dx, 0), low);
    *enter = l.enter, *exit = l.exit, *normal = l.normal;
    return l.enter <= l.exit;
}

/* ---- visits ------------------------------------------------------------------------------------------------------ */

typedef struct Visit {
    const AbutHeightGrid *grid;
    AbutHeightVisitor *visit;
    void *user;
    AbutHeightRange cells; /* those in question */
} Visit;

/* Cells from `low` to `high` along a side of half length `half` with `count` points, one more on either side for
 * rounding; an empty range where there are none. */
static void cells_between(double low, double high, double half, int32_t count, int32_t *first, int32_t *last) {
    double a = floor((low / half + 1.0) * 0.5 * (count - 1)) - 1.0,
           b = floor((high / half + 1.0) * 0.5 * (count - 1)) + 1.0;
    *first = a > 0.0 ? a < count ? (int32_t)a : count : 0;
    *last = b < count - 2 ? b >= 0.0 ? (int32_t)b : -1 : count - 2;
}

/* The pieces of a cell; a rectangle at its first cell in question. */
static int visit_cell(const Visit *v, int32_t c, int32_t r, AbutAabb box) {
    const AbutHeightGrid *g = v->grid;
    int64_t cell = cell_at(g, c, r);
    AbutHeightRange at = range_of(g, cell);
    int flat = g->rectangle_of[cell] >= 0;
    if (flat && (c != (at.c0 > v->cells.c0 ? at.c0 : v->cells.c0) || r != (at.r0 > v->cells.r0 ? at.r0 : v->cells.r0)))
        return 1;
    int32_t first = 2 * (int32_t)cell_at(g, at.c0, at.r0), last = flat || is_whole(g, c, r) ? first : first + 1;
    for (int32_t piece = first; piece <= last; ++piece)
        if (abut_aabb_overlap(abut_height_piece_box(g, piece), box) && !v->visit(piece, v->user)) return 0;
    return 1;
}

int abut_height_visit(const AbutHeightGrid *g, AbutAabb box, AbutHeightVisitor *visit, void *user) {
    Visit v = {g, visit, user, {0, 0, 0, 0}};
    if (!abut_aabb_overlap(g->box, box)) return 1;
    cells_between(box.min.x, box.max.x, g->field.half_x, g->field.columns, &v.cells.c0, &v.cells.c1);
    cells_between(box.min.y, box.max.y, g->field.half_y, g->field.rows, &v.cells.r0, &v.cells.r1);
    for (int32_t r = v.cells.r0; r <= v.cells.r1; ++r)
        for (int32_t c = v.cells.c0; c <= v.cells.c1; ++c)
            if (!visit_cell(&v, c, r, box)) return 0;
    return 1;
}

/* The times, within *from .. *to, at which something at `at` that moves by `way` is between `low` and `high`; 0: none.
 */
static int cut_times(double at, double way, double low, double high, double *from, double *to) {
    if (way == 0.0) return at >= low && at <= high;
    double a = (low - at) / way, b = (high - at) / way;
    *from = abut_larger(*from, abut_smaller(a, b));
    *to = abut_smaller(*to, abut_larger(a, b));
    return *from <= *to;
}

/* Part of the way between two times, as a box. */
static AbutAabb part_of_way(AbutVec3 middle, AbutVec3 half, AbutVec3 way, double from, double to) {
    AbutVec3 a = abut_add_scaled(middle, way, from), b = abut_add_scaled(middle, way, to);
    AbutAabb box = {abut_sub(abut_min(a, b), half), abut_add(abut_max(a, b), half)};
    return box;
}

int abut_height_visit_way(const AbutHeightGrid *g, AbutVec3 middle, AbutVec3 half, AbutVec3 way, const double *limit,
    AbutHeightVisitor *visit, void *user) {
    const AbutHeightField *f = &g->field;
    double from = 0.0, to = *limit, slack = 1e-9 * (f->half_x + f->half_y);
    AbutAabb all = g->box;
    half = abut_add(half, abut_vec3(slack, slack, slack));
    if (!cut_times(middle.x, way.x, all.min.x - half.x, all.max.x + half.x, &from, &to) ||
        !cut_times(middle.y, way.y, all.min.y - half.y, all.max.y + half.y, &from, &to) ||
        !cut_times(middle.z, way.z, all.min.z - half.z, all.max.z + half.z, &from, &to))
        return 1;
    AbutAabb box = part_of_way(middle, half, way, from, to);
    int32_t first, last;
    cells_between(box.min.y, box.max.y, f->half_y, f->rows, &first, &last);
    for (int32_t k = first; k <= last; ++k) { /* row by row, those it meets first at first */
        int32_t r = way.y < 0.0 ? first + last - k : k;
        double start = from, end = abut_smaller(to, *limit);
        if (start > end || !cut_times(middle.y, way.y, y_of(f, r) - half.y, y_of(f, r + 1) + half.y, &start, &end))
            continue;
        AbutAabb part = part_of_way(middle, half, way, start, end);
        part.min.y = abut_larger(part.min.y, y_of(f, r));
        part.max.y = abut_smaller(part.max.y, y_of(f, r + 1));
        if (!abut_height_visit(g, part, visit, user)) return 0;
    }
    return 1;
}

static double gap_of(double a0, double a1, double b0, double b1) {
    return abut_larger(0.0, abut_larger(b0 - a1, a0 - b1));
}

static AbutAabb widened(AbutAabb box, double by) {
    AbutVec3 d = abut_vec3(by, by, by);
    AbutAabb out = {abut_sub(box.min, d), abut_add(box.max, d)};
    return out;
}

int abut_height_visit_near(
    const AbutHeightGrid *g, AbutAabb box, const double *limit, AbutHeightVisitor *visit, void *user) {
    const AbutHeightField *f = &g->field;
    AbutVec3 m = abut_max(g->box.min, abut_min(g->box.max, abut_lerp(box.min, box.max, 0.5)));
    AbutAabb below = {abut_vec3(m.x, m.y, g->box.min.z), abut_vec3(m.x, m.y, g->box.max.z)};
    if (!abut_height_visit(g, below, visit, user)) return 0;
    for (int32_t r = 0; r + 1 < f->rows; r += BLOCK)
        for (int32_t c = 0; c + 1 < f->columns; c += BLOCK) {
            int32_t c1 = c + BLOCK < f->columns - 1 ? c + BLOCK : f->columns - 1,
                    r1 = r + BLOCK < f->rows - 1 ? r + BLOCK : f->rows - 1;
            AbutAabb block = {abut_vec3(x_of(f, c), y_of(f, r), f->bottom),
                abut_vec3(x_of(f, c1), y_of(f, r1), g->block_top[(int64_t)(r / BLOCK) * g->block_columns + c / BLOCK])};
            AbutVec3 gap = abut_vec3(gap_of(block.min.x, block.max.x, box.min.x, box.max.x),
                gap_of(block.min.y, block.max.y, box.min.y, box.max.y),
                gap_of(block.min.z, block.max.z, box.min.z, box.max.z));
            if (!(abut_length(gap) <= *limit)) continue;
            AbutAabb near = widened(box, *limit);
            near.min = abut_max(near.min, block.min);
            near.max = abut_min(near.max, block.max);
            if (!abut_height_visit(g, near, visit, user)) return 0;
        }
    return 1;
}
