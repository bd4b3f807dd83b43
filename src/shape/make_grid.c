/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one grid builder behind tubes, surfaces of revolution and organic shapes.
 *
 * In: rows of u, a number of columns, and a function that gives the point at (u, v). Out: a closed mesh, oriented
 * outward when growing u, growing v and the outward normal are right-handed in the order v, u, outward. With poles the
 * first and last row are one vertex each, joined to its neighbors by a fan.
 */
#include "math/functions.h"
#include "shape/make.h"

typedef struct Writer {
    AbutMesh mesh;
    int32_t triangles;
} Writer;

static void put_triangle(Writer *w, int32_t a, int32_t b, int32_t c) {
    AbutTriangle t = {{a, b, c}};
    w->mesh.triangles[w->triangles++] = t;
}

/* The strip between the row of points that starts at `low` and the one that starts at `high`. */
static void put_strip(Writer *w, int32_t low, int32_t high, int columns) {
    for (int j = 0; j < columns; ++j) {
        int next = j + 1 < columns ? j + 1 : 0;
        put_triangle(w, low + j, low + next, high + next);
        put_triangle(w, low + j, high + next, high + j);
    }
}

/* Fan between a row and a pole; `up` when the pole lies on the side of growing u. */
static void put_fan(Writer *w, int32_t row, int32_t pole, int up, int columns) {
    for (int j = 0; j < columns; ++j) {
        int next = j + 1 < columns ? j + 1 : 0;
        put_triangle(w, pole, row + (up ? j : next), row + (up ? next : j));
    }
}

static void put_row(const AbutGrid *grid, int row, AbutVec3 *out) {
    for (int j = 0; j < grid->columns; ++j)
        out[j] = grid->surface(grid->u[row], 2.0 * ABUT_PI * j / grid->columns, grid->shape);
}

/* Full rows first, one after the other, then the two poles. */
static void put_points(const AbutGrid *grid, int first, int full, AbutVec3 *out) {
    for (int i = 0; i < full; ++i) put_row(grid, first + i, out + (size_t)i * (size_t)grid->columns);
    if (!grid->ring) {
        out[full * grid->columns] = grid->surface(grid->u[0], 0.0, grid->shape);
        out[full * grid->columns + 1] = grid->surface(grid->u[grid->rows - 1], 0.0, grid->shape);
    }
}

AbutStatus abut_make_grid(const AbutGrid *grid, AbutMesh *out, AbutError *error) {
    int first = grid->ring ? 0 : 1, full = grid->rows - 2 * first, columns = grid->columns;
    Writer w = {{0, 0, NULL, NULL}, 0};
    AbutStatus status = abut_mesh_create(full * columns + 2 * first, 2 * full * columns, &w.mesh, error);
    if (status != ABUT_OK) return status;
    put_points(grid, first, full, w.mesh.vertices);
    for (int i = 0; i + 1 < full; ++i) put_strip(&w, i * columns, (i + 1) * columns, columns);
    if (grid->ring) {
        put_strip(&w, (full - 1) * columns, 0, columns);
    } else {
        put_fan(&w, 0, full * columns, 0, columns);
        put_fan(&w, (full - 1) * columns, full * columns + 1, 1, columns);
    }
    *out = w.mesh;
    return ABUT_OK;
}

AbutGridSize abut_make_grid_size(int triangles, double length, double girth, AbutGridSize least) {
    double cells = 0.5 * triangles, ideal = fmax(sqrt(cells * girth / length), (double)least.around);
    ideal = fmax(fmin(ideal, cells / least.along), (double)least.around);
    int from = (int)(0.7 * ideal), to = (int)(1.4 * ideal) + 1;
    AbutGridSize best = least;
    double best_cost = INFINITY;
    for (int around = from < least.around ? least.around : from; around <= to; ++around) {
        int along = (int)(cells / around + 0.5);
        if (along < least.along) along = least.along;
        double cost = fabs((double)along * around - cells) / cells + 0.03 * fabs(abut_ln(around / ideal));
        if (cost < best_cost) {
            best_cost = cost;
            best.along = along, best.around = around;
        }
    }
    return best;
}

AbutStatus abut_make_even_grid(
    int ring, AbutGridSize size, AbutSurface *surface, const void *shape, AbutMesh *out, AbutError *error) {
    int rows = ring ? size.along : size.along + 2;
    double *u = abut_alloc_array((size_t)rows, sizeof *u);
    if (!u) return abut_fail_memory(error);
    for (int i = 0; i < rows; ++i) u[i] = (double)i / (ring ? rows : rows - 1);
    AbutGrid grid = {u, rows, size.around, ring, surface, shape};
    AbutStatus status = abut_make_grid(&grid, out, error);
    abut_free(u);
    return status;
}

void abut_make_center(AbutMesh *mesh) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t v = 0; v < mesh->vertex_count; ++v) box = abut_aabb_add(box, mesh->vertices[v]);
    AbutVec3 middle = abut_scale(abut_add(box.min, box.max), 0.5);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v] = abut_sub(mesh->vertices[v], middle);
}
