/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields: ground given by heights over a grid of points.
 *
 * In: a field. Out: its solid as a closed mesh, or as convex pieces that do not overlap and together are that solid.
 * Method: each cell of the grid is two triangles, cut from (column, row) to (column + 1, row + 1) as MuJoCo does;
 * walls and a flat bottom close the mesh. Pieces are those of the grid (height_grid.c).
 */
#include "shape/height_grid.h"

#include <string.h>

static double height_at(const AbutHeightField *f, int32_t column, int32_t row) {
    return f->heights[(int64_t)row * f->columns + column];
}

static AbutVec3 point_at(const AbutHeightField *f, int32_t column, int32_t row, double z) {
    double x = f->half_x * (2.0 * column / (f->columns - 1) - 1.0);
    double y = f->half_y * (2.0 * row / (f->rows - 1) - 1.0);
    return abut_vec3(x, y, z);
}

/* ---- mesh -------------------------------------------------------------------------------------------------------- */

/* Place k of the way around the grid, counter-clockwise from above. */
static void border(const AbutHeightField *f, int32_t k, int32_t *column, int32_t *row) {
    int32_t right = f->columns - 1, back = f->rows - 1;
    int32_t side = k < right ? 0 : k < right + back ? 1 : k < 2 * right + back ? 2 : 3;
    *column = side == 0 ? k : side == 1 ? right : side == 2 ? 2 * right + back - k : 0;
    *row = side == 0 ? 0 : side == 1 ? k - right : side == 2 ? back : 2 * (right + back) - k;
}

/* Walls and bottom: vertices below the border behind those of the grid, and the middle of the bottom. */
static void add_underside(const AbutHeightField *f, int32_t around, AbutMesh *mesh, AbutTriangle *out) {
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

AbutStatus abut_height_field_mesh(const AbutHeightField *field, AbutMesh *out, AbutError *error) {
    ABUT_ASSERT(field && field->heights && out);
    memset(out, 0, sizeof *out);
    AbutStatus status = abut_height_field_check(field, error);
    if (status) return status;
    int32_t columns = field->columns, rows = field->rows, around = 2 * (columns + rows - 2);
    status = abut_mesh_create(columns * rows + around + 1, 2 * (columns - 1) * (rows - 1) + 3 * around, out, error);
    if (status) return status;
    AbutTriangle *t = out->triangles;
    for (int32_t r = 0; r < rows; ++r)
        for (int32_t c = 0; c < columns; ++c) {
            int32_t p = r * columns + c;
            out->vertices[p] = point_at(field, c, r, height_at(field, c, r));
            if (c + 1 == columns || r + 1 == rows) continue;
            *t++ = (AbutTriangle){{p, p + 1, p + columns + 1}};
            *t++ = (AbutTriangle){{p, p + columns + 1, p + columns}};
        }
    add_underside(field, around, out, t);
    return ABUT_OK;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

typedef struct Pieces {
    const AbutHeightGrid *grid;
    AbutStatus (*take)(const AbutPolyhedron *, void *, AbutError *);
    void *user;
    AbutStatus status;
    AbutError *error;
} Pieces;

static int take_piece(int32_t number, void *user) {
    Pieces *p = user;
    AbutHeightPrism prism = abut_height_piece(p->grid, number);
    AbutPolyhedron *piece;
    p->status = abut_polyhedron_from_points(prism.point, prism.count, NULL, &piece, p->error);
    if (p->status) return 0;
    p->status = p->take(piece, p->user, p->error);
    abut_polyhedron_free(piece);
    return p->status == ABUT_OK;
}

AbutStatus abut_height_field_pieces(const AbutHeightField *field,
    AbutStatus (*take)(const AbutPolyhedron *, void *, AbutError *), void *user, AbutError *error) {
    ABUT_ASSERT(field && field->heights && take);
    AbutHeightGrid *grid;
    AbutStatus status = abut_height_field_check(field, error);
    if (!status) status = abut_height_grid_create(field, &grid, error);
    if (status) return status;
    Pieces p = {grid, take, user, ABUT_OK, error};
    abut_height_visit(grid, grid->box, take_piece, &p);
    abut_height_grid_free(grid);
    return p.status;
}
