/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields: ground given by heights over a grid of points.
 *
 * In: a field. Out: its solid as a closed mesh, or as convex pieces that do not overlap and together are that solid.
 * Method: each cell of the grid is two triangles, cut from (column, row) to (column + 1, row + 1) as MuJoCo does;
 * walls and a flat bottom close the mesh. A piece is what stands under a rectangle of points in one plane (found
 * greedily, along x first), under a cell whose two triangles bend down, or under a single triangle.
 */
#include "abut/shape.h"

#include <string.h>

static const double ON_PLANE = 1e-12; /* of the size of the field: points this near a plane lie in it */

enum { MOST_POINTS = 50000000 };

static AbutStatus check(const AbutHeightField *f, AbutError *error)
{
    if (f->columns < 2 || f->rows < 2 || (int64_t)f->columns * f->rows > MOST_POINTS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "height field: 2 columns and rows or more, and at most %d points expected, found %d by %d", MOST_POINTS,
            f->columns, f->rows);
    if (!(f->half_x > 0.0 && f->half_y > 0.0 && f->half_x < 1e50 && f->half_y < 1e50 && fabs(f->bottom) < 1e50))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "height field: half sizes above 0 and a bottom, all below 1e50, expected");
    for (int64_t i = 0; i < (int64_t)f->columns * f->rows; ++i)
        if (!(f->heights[i] > f->bottom && f->heights[i] < 1e50))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "height field: height %lld is %g, above the bottom %g and below 1e50 expected", (long long)i,
                f->heights[i], f->bottom);
    return ABUT_OK;
}

static double height_at(const AbutHeightField *f, int32_t column, int32_t row)
{
    return f->heights[(int64_t)row * f->columns + column];
}

static AbutVec3 point_at(const AbutHeightField *f, int32_t column, int32_t row, double z)
{
    double x = f->half_x * (2.0 * column / (f->columns - 1) - 1.0);
    double y = f->half_y * (2.0 * row / (f->rows - 1) - 1.0);
    return abut_vec3(x, y, z);
}

/* ---- mesh -------------------------------------------------------------------------------------------------------- */

/* Place k of the way around the grid, counter-clockwise from above. */
static void border(const AbutHeightField *f, int32_t k, int32_t *column, int32_t *row)
{
    int32_t right = f->columns - 1, back = f->rows - 1;
    int32_t side = k < right ? 0 : k < right + back ? 1 : k < 2 * right + back ? 2 : 3;
    *column = side == 0 ? k : side == 1 ? right : side == 2 ? 2 * right + back - k : 0;
    *row = side == 0 ? 0 : side == 1 ? k - right : side == 2 ? back : 2 * (right + back) - k;
}

/* Walls and bottom: vertices below the border behind those of the grid, and the middle of the bottom. */
static void add_underside(const AbutHeightField *f, int32_t around, AbutMesh *mesh, AbutTriangle *out)
{
    int32_t grid = f->columns * f->rows, middle = grid + around;
    mesh->vertices[middle] = abut_vec3(0.0, 0.0, f->bottom);
    for (int32_t k = 0; k < around; ++k) {
        int32_t column, row, next_column, next_row, next = (k + 1) % around;
        border(f, k, &column, &row);
        border(f, next, &next_column, &next_row);
        int32_t top = row * f->columns + column, next_top = next_row * f->columns + next_column;
        mesh->vertices[grid + k] = point_at(f, column, row, f->bottom);
        *out++ = (AbutTriangle){{grid + k, grid + next, next_top}};
        *out++ = (AbutTriangle){{grid + k, next_top, top}};
        *out++ = (AbutTriangle){{middle, grid + next, grid + k}};
    }
}

AbutStatus abut_height_field_mesh(const AbutHeightField *field, AbutMesh *out, AbutError *error)
{
    ABUT_ASSERT(field && field->heights && out);
    memset(out, 0, sizeof *out);
    AbutStatus status = check(field, error);
    if (status)
        return status;
    int32_t columns = field->columns, rows = field->rows, around = 2 * (columns + rows - 2);
    status = abut_mesh_create(columns * rows + around + 1, 2 * (columns - 1) * (rows - 1) + 3 * around, out, error);
    if (status)
        return status;
    AbutTriangle *t = out->triangles;
    for (int32_t r = 0; r < rows; ++r)
        for (int32_t c = 0; c < columns; ++c) {
            int32_t p = r * columns + c;
            out->vertices[p] = point_at(field, c, r, height_at(field, c, r));
            if (c + 1 == columns || r + 1 == rows)
                continue;
            *t++ = (AbutTriangle){{p, p + 1, p + columns + 1}};
            *t++ = (AbutTriangle){{p, p + columns + 1, p + columns}};
        }
    add_underside(field, around, out, t);
    return ABUT_OK;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

typedef struct Pieces {
    const AbutHeightField *field;
    char *done; /* per cell */
    double slack;
    AbutPieceFunction *take;
    void *user;
    AbutError *error;
} Pieces;

/* A range of points, both ends included. */
typedef struct Range {
    int32_t c0, r0, c1, r1;
} Range;

/* Do the points of a range lie in the plane of its first cell's point and its neighbours along x and y? */
static int is_flat(const Pieces *p, int32_t c0, int32_t r0, Range range)
{
    double z = height_at(p->field, c0, r0);
    double dx = height_at(p->field, c0 + 1, r0) - z, dy = height_at(p->field, c0, r0 + 1) - z;
    for (int32_t r = range.r0; r <= range.r1; ++r)
        for (int32_t c = range.c0; c <= range.c1; ++c)
            if (!(fabs(height_at(p->field, c, r) - (z + (c - c0) * dx + (r - r0) * dy)) <= p->slack))
                return 0;
    return 1;
}

static int is_free(const Pieces *p, Range cells)
{
    for (int32_t r = cells.r0; r <= cells.r1; ++r)
        for (int32_t c = cells.c0; c <= cells.c1; ++c)
            if (p->done[(int64_t)r * (p->field->columns - 1) + c])
                return 0;
    return 1;
}

/* The largest flat rectangle from a flat cell on: along x first, then along y. */
static Range grow(const Pieces *p, int32_t c, int32_t r)
{
    Range at = {c, r, c + 1, r + 1};
    while (at.c1 + 1 < p->field->columns && is_free(p, (Range){at.c1, r, at.c1, r}) &&
           is_flat(p, c, r, (Range){at.c1 + 1, r, at.c1 + 1, r + 1}))
        ++at.c1;
    while (at.r1 + 1 < p->field->rows && is_free(p, (Range){c, at.r1, at.c1 - 1, at.r1}) &&
           is_flat(p, c, r, (Range){c, at.r1 + 1, at.c1, at.r1 + 1}))
        ++at.r1;
    return at;
}

/* The solid under some corners of a range: 0 (c0, r0), 1 (c1, r0), 2 (c0, r1), 3 (c1, r1). */
static AbutStatus take_piece(const Pieces *p, Range at, int count, const int *corner)
{
    AbutVec3 points[8];
    AbutPolyhedron *piece;
    for (int k = 0; k < count; ++k) {
        int32_t c = corner[k] & 1 ? at.c1 : at.c0, r = corner[k] & 2 ? at.r1 : at.r0;
        points[k] = point_at(p->field, c, r, height_at(p->field, c, r));
        points[count + k] = point_at(p->field, c, r, p->field->bottom);
    }
    AbutStatus status = abut_polyhedron_from_points(points, 2 * count, NULL, &piece, p->error);
    if (status)
        return status;
    status = p->take(piece, p->user, p->error);
    abut_polyhedron_free(piece);
    return status;
}

static AbutStatus take_cell(const Pieces *p, int32_t c, int32_t r)
{
    static const int all[4] = {0, 1, 2, 3}, front[3] = {0, 1, 3}, back[3] = {0, 3, 2};
    const AbutHeightField *f = p->field;
    Range at = {c, r, c + 1, r + 1};
    int flat = is_flat(p, c, r, at);
    if (flat)
        at = grow(p, c, r);
    for (int32_t j = at.r0; j < at.r1; ++j)
        memset(p->done + (int64_t)j * (f->columns - 1) + at.c0, 1, (size_t)(at.c1 - at.c0));
    int bent_down = height_at(f, c, r) + height_at(f, c + 1, r + 1) >= height_at(f, c + 1, r) + height_at(f, c, r + 1);
    if (flat || bent_down)
        return take_piece(p, at, 4, all);
    AbutStatus status = take_piece(p, at, 3, front);
    return status ? status : take_piece(p, at, 3, back);
}

AbutStatus abut_height_field_pieces(const AbutHeightField *field, AbutPieceFunction *take, void *user, AbutError *error)
{
    ABUT_ASSERT(field && field->heights && take);
    AbutStatus status = check(field, error);
    if (status)
        return status;
    size_t cells = (size_t)(field->columns - 1) * (size_t)(field->rows - 1);
    Pieces p = {field, abut_alloc_array(cells, 1), 0.0, take, user, error};
    if (!p.done)
        return abut_fail(error, ABUT_ERROR_MEMORY, "height field: no memory for %zu cells", cells);
    memset(p.done, 0, cells);
    double size = abut_larger(fabs(field->bottom), abut_larger(field->half_x, field->half_y));
    for (int64_t i = 0; i < (int64_t)field->columns * field->rows; ++i)
        size = abut_larger(size, fabs(field->heights[i]));
    p.slack = ON_PLANE * size;
    for (int32_t r = 0; r + 1 < field->rows && !status; ++r)
        for (int32_t c = 0; c + 1 < field->columns && !status; ++c)
            if (!p.done[(int64_t)r * (field->columns - 1) + c])
                status = take_cell(&p, c, r);
    abut_free(p.done);
    return status;
}
