/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Solids of blocks along the axes: box and axis cross.
 *
 * In: a lattice of up to 3 x 3 x 3 blocks, some of them filled, each side of the lattice cut into equal steps.
 * Out: the surface between filled and empty as one closed mesh. Method: each outer face of a block becomes a flat grid
 * of its own; the points on common edges have exactly equal coordinates and are joined by welding.
 */
#include "shape/make.h"

enum { MAX_CLASSES = 3 };

typedef struct Blocks {
    int count[3];       /* blocks along x, y, z */
    double plane[3][4]; /* coordinates of the planes between blocks */
    int class_of[3][3]; /* lengths that are cut alike: class of interval i along an axis */
    int classes;
    double length[MAX_CLASSES];
    int steps[MAX_CLASSES]; /* into how many steps the intervals of a class are cut */
    unsigned filled;        /* bit 9 z + 3 y + x */
} Blocks;

static int is_filled(const Blocks *b, const int cell[3]) {
    for (int a = 0; a < 3; ++a)
        if (cell[a] < 0 || cell[a] >= b->count[a]) return 0;
    return (int)(b->filled >> (9 * cell[2] + 3 * cell[1] + cell[0])) & 1;
}

static int steps_of(const Blocks *b, int axis, const int cell[3]) { return b->steps[b->class_of[axis][cell[axis]]]; }

/* Point `step` of the interval; the ends are exactly the planes. */
static double coordinate(const Blocks *b, int axis, int interval, int step, int steps) {
    double low = b->plane[axis][interval], high = b->plane[axis][interval + 1];
    return step == steps ? high : low + (high - low) * step / steps;
}

/* Calls back for each outer face: normal along `axis`, outward where `side` is 1 and inward of the axis where 0. */
typedef void FaceTask(const Blocks *b, const int cell[3], int axis, int side, void *user);

static void for_each_face(const Blocks *b, FaceTask *task, void *user) {
    for (int k = 0; k < 27 * 6; ++k) {
        int cell[3] = {k / 6 % 3, k / 18 % 3, k / 54}, axis = k % 6 / 2, side = k % 2;
        int beyond[3] = {cell[0], cell[1], cell[2]};
        beyond[axis] += side ? 1 : -1;
        if (is_filled(b, cell) && !is_filled(b, beyond)) task(b, cell, axis, side, user);
    }
}

typedef struct Tally {
    double triangles, vertices;
} Tally;

static void tally_face(const Blocks *b, const int cell[3], int axis, int side, void *user) {
    Tally *tally = user;
    double m = steps_of(b, (axis + 1) % 3, cell), n = steps_of(b, (axis + 2) % 3, cell);
    (void)side;
    tally->triangles += 2.0 * m * n;
    tally->vertices += (m + 1.0) * (n + 1.0);
}

static void write_face(const Blocks *b, const int cell[3], int axis, int side, void *user) {
    AbutMesh *mesh = user;
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    int m = steps_of(b, first, cell), n = steps_of(b, second, cell);
    int32_t base = mesh->vertex_count;
    for (int i = 0; i <= m; ++i)
        for (int j = 0; j <= n; ++j) {
            double x[3];
            x[axis] = b->plane[axis][cell[axis] + side];
            x[first] = coordinate(b, first, cell[first], i, m);
            x[second] = coordinate(b, second, cell[second], j, n);
            mesh->vertices[mesh->vertex_count++] = abut_vec3(x[0], x[1], x[2]);
        }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            int32_t p = base + i * (n + 1) + j, q = p + n + 1;
            AbutTriangle out[2] = {{{p, q, q + 1}}, {{p, q + 1, p + 1}}},
                         in[2] = {{{p, q + 1, q}}, {{p, p + 1, q + 1}}};
            mesh->triangles[mesh->triangle_count++] = side ? out[0] : in[0];
            mesh->triangles[mesh->triangle_count++] = side ? out[1] : in[1];
        }
}

static double count_triangles(const Blocks *b) {
    Tally tally = {0.0, 0.0};
    for_each_face(b, tally_face, &tally);
    return tally.triangles;
}

/* Cuts by step `h`, rounding up the classes whose bit is set in `up` and down the others. */
static void cut(Blocks *b, double h, unsigned up) {
    for (int k = 0; k < b->classes; ++k) {
        double steps = floor(b->length[k] / h) + (up >> k & 1);
        b->steps[k] = steps < 1.0 ? 1 : (int)steps;
    }
}

/* Chooses the cuts whose number of triangles is nearest to the wish, trying steps near the one that fits on average. */
static void choose_steps(Blocks *b, int triangles) {
    cut(b, INFINITY, 0);
    Blocks best = *b;
    double low = b->length[0], high = low, best_cost = fabs(count_triangles(b) - triangles);
    for (int k = 1; k < b->classes; ++k) high = fmax(high, b->length[k]);
    for (double h = high; h > 1e-9 * low; h *= 0.97) {
        for (unsigned up = 0; up < 1u << b->classes; ++up) {
            cut(b, h, up);
            double cost = fabs(count_triangles(b) - triangles);
            if (cost < best_cost) {
                best_cost = cost;
                best = *b;
            }
        }
        cut(b, h, 0);
        if (count_triangles(b) > 1.1 * triangles) break;
    }
    *b = best;
}

static AbutStatus make_blocks(Blocks *b, int triangles, AbutMesh *out, AbutError *error) {
    choose_steps(b, triangles);
    Tally tally = {0.0, 0.0};
    for_each_face(b, tally_face, &tally);
    if (!(tally.vertices < 1e9)) return abut_fail(error, ABUT_ERROR_LIMIT, "make: too many points");
    AbutStatus status = abut_mesh_create((int)tally.vertices, (int)tally.triangles, out, error);
    if (status != ABUT_OK) return status;
    out->vertex_count = out->triangle_count = 0;
    for_each_face(b, write_face, out);
    status = abut_mesh_weld(out, error);
    if (status != ABUT_OK) abut_mesh_free(out);
    return status;
}

AbutStatus abut_make_box(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    Blocks b = {.count = {1, 1, 1}, .classes = 3, .filled = 1u};
    for (int a = 0; a < 3; ++a) {
        b.plane[a][0] = -0.5 * sizes[a], b.plane[a][1] = 0.5 * sizes[a];
        b.class_of[a][0] = a;
        b.length[a] = sizes[a];
    }
    return make_blocks(&b, triangles, out, error);
}

AbutStatus abut_make_cross(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double length = sizes[0], width = sizes[1];
    if (!(width <= 0.9 * length))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "make cross: the width of a bar must be below 0.9 of its length");
    /* the middle block and its six neighbors */
    unsigned filled = 1u << 13 | 1u << 12 | 1u << 14 | 1u << 10 | 1u << 16 | 1u << 4 | 1u << 22;
    Blocks b = {.count = {3, 3, 3}, .classes = 2, .filled = filled, .length = {0.5 * (length - width), width}};
    for (int a = 0; a < 3; ++a) {
        double plane[4] = {-0.5 * length, -0.5 * width, 0.5 * width, 0.5 * length};
        for (int i = 0; i < 4; ++i) b.plane[a][i] = plane[i];
        b.class_of[a][1] = 1;
    }
    return make_blocks(&b, triangles, out, error);
}
