/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making the distance grid of a body, and the gradient of the field.
 *
 * In: a tree of a closed mesh. Out: floats at the nodes. Distances are those of the nearest triangle, looked for within
 * what the last node of the row allows. The sign of a row's first node comes from the winding number, and goes on along
 * the row for as long as a node is farther from the surface than the next node from it: nothing can lie between.
 */
#include "direction/field.h"
#include "mesh/mesh_pair.h"

typedef struct Filling {
    const AbutSoftBody *body;
    const AbutMeshTree *tree;
    float *out;
} Filling;

/* Distance of the surface, which is known to be within `reach`. */
static double distance_within(const AbutMeshTree *tree, AbutVec3 p, double reach) {
    AbutVec3 at;
    double square = reach * reach * (1.0 + 1e-9);
    if (abut_mesh_walk()->nearest(tree, p, &square, &at) < 0) {
        square = INFINITY;
        (void)abut_mesh_walk()->nearest(tree, p, &square, &at);
    }
    return sqrt(square);
}

static void fill_row(const Filling *f, int y, int z) {
    const AbutSoftBody *b = f->body;
    float *out = f->out + ((size_t)z * (size_t)b->grid_count[1] + (size_t)y) * (size_t)b->grid_count[0];
    double before = INFINITY;
    int inside = -1;
    for (int x = 0; x < b->grid_count[0]; ++x) {
        AbutVec3 p = abut_add_scaled(b->grid_origin, abut_vec3(x, y, z), b->step);
        double d = distance_within(f->tree, p, before + b->step);
        if (inside < 0 || !(abut_larger(d, before) > 1.000001 * b->step) || !isfinite(before))
            inside = abut_mesh_inside(f->tree, p) == 1;
        float value = (float)(inside ? -d : d);
        __atomic_store(&out[x], &value, __ATOMIC_RELAXED); /* others may read it, of a lazy body */
        before = d;
    }
}

static void fill_rows(int begin, int end, int worker, void *user) {
    const Filling *f = user;
    (void)worker;
    for (int i = begin; i < end; ++i) fill_row(f, i % f->body->grid_count[1], i / f->body->grid_count[1]);
}

void abut_soft_fill_grid(const AbutSoftBody *body, const AbutMeshTree *tree, int threads, float *out) {
    Filling f = {body, tree, out};
    int rows = body->grid_count[1] * body->grid_count[2];
    abut_parallel_for(rows, 16, threads, fill_rows, &f);
    size_t count = (size_t)rows * (size_t)body->grid_count[0];
    for (int k = 0; k < ABUT_SOFT_GRID_PADDING; ++k) out[count + (size_t)k] = 0.0f;
}

void abut_soft_empty_grid(const AbutSoftBody *body, float *out) {
    size_t count = (size_t)body->grid_count[0] * (size_t)body->grid_count[1] * (size_t)body->grid_count[2];
    for (size_t i = 0; i < count; ++i) out[i] = NAN;
}

/* Three nodes of a row; 0 when one of them is still empty. */
static int read_nodes(const float *row, float out[4]) {
    for (int k = 0; k < 3; ++k) __atomic_load(&row[k], &out[k], __ATOMIC_RELAXED);
    out[3] = 0.0f;
    return !isnan(out[0]) && !isnan(out[1]) && !isnan(out[2]);
}

void abut_soft_fetch(const AbutSoftGrid *g, const AbutSoftAxis axis[3], float node[ABUT_SOFT_NODES_AROUND]) {
    Filling f = {g->lazy, abut_soft_lazy_tree(g->lazy), abut_soft_lazy_grid(g->lazy)};
    const float *first = abut_soft_first_node(g, axis);
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y) {
            const float *row = first + z * g->layer + y * g->row;
            float *out = node + 12 * z + 4 * y;
            if (read_nodes(row, out)) continue;
            fill_row(&f, (int)axis[1].first + y, (int)axis[2].first + z);
            (void)read_nodes(row, out);
        }
}

/* sum: weights in y and z; in_y, in_z: their derivatives. Lane k is node k along x. */
static void add_row(const float *r, double w, double wy, double wz, double sum[4], double in_y[4], double in_z[4]) {
    for (int k = 0; k < 4; ++k) {
        double v = (double)r[k];
        sum[k] += w * v;
        in_y[k] += wy * v;
        in_z[k] += wz * v;
    }
}

static double along_x(const double w[4], const double sum[4]) {
    return (w[0] * sum[0] + w[1] * sum[1]) + w[2] * sum[2];
}

/* Outside the box: components across it are those of the way to the box. */
static double leave_box(const AbutSoftGrid *g, const AbutSoftAxis axis[3], double inside, AbutVec3 *gradient) {
    AbutVec3 e = abut_scale(abut_vec3(axis[0].outside, axis[1].outside, axis[2].outside), g->step);
    AbutVec3 t =
        abut_vec3(e.x != 0.0 ? 0.0 : gradient->x, e.y != 0.0 ? 0.0 : gradient->y, e.z != 0.0 ? 0.0 : gradient->z);
    inside = abut_larger(inside, 0.0);
    double out =
        axis[0].outside * axis[0].outside + axis[1].outside * axis[1].outside + axis[2].outside * axis[2].outside;
    double value = sqrt(inside * inside + out * (g->step * g->step));
    *gradient = abut_scale(abut_add_scaled(e, t, inside), 1.0 / value);
    return value;
}

static double blend_gradient(const AbutSoftGrid *g, const AbutSoftAxis axis[3], const float *at, AbutVec3 *gradient) {
    double wx[4], wy[4], wz[4], dx[4], dy[4], dz[4];
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, in_y[4] = {0.0, 0.0, 0.0, 0.0}, in_z[4] = {0.0, 0.0, 0.0, 0.0};
    abut_soft_weights(axis[0].t, wx), abut_soft_slopes(axis[0].t, dx);
    abut_soft_weights(axis[1].t, wy), abut_soft_slopes(axis[1].t, dy);
    abut_soft_weights(axis[2].t, wz), abut_soft_slopes(axis[2].t, dz);
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y)
            add_row(at + z * g->layer + y * g->row, wz[z] * wy[y], wz[z] * dy[y], dz[z] * wy[y], sum, in_y, in_z);
    double inside = along_x(wx, sum);
    *gradient = abut_scale(abut_vec3(along_x(dx, sum), along_x(wx, in_y), along_x(wx, in_z)), g->per_step);
    int out = axis[0].outside != 0.0 || axis[1].outside != 0.0 || axis[2].outside != 0.0;
    return out ? leave_box(g, axis, inside, gradient) : inside;
}

double abut_soft_value_gradient(const AbutSoftGrid *g, AbutVec3 p, AbutVec3 *gradient) {
    AbutSoftAxis axis[3];
    abut_soft_place(g, p, axis);
    if (ABUT_LIKELY(!g->lazy)) return blend_gradient(g, axis, abut_soft_first_node(g, axis), gradient);
    float node[ABUT_SOFT_NODES_AROUND];
    AbutSoftGrid around = abut_soft_nodes_around(g, axis, node);
    return blend_gradient(&around, axis, node, gradient);
}

double abut_soft_field(const AbutSoftBody *body, AbutVec3 point, AbutVec3 *gradient) {
    AbutVec3 unused, *out = gradient ? gradient : &unused;
    ABUT_ASSERT(body);
    *out = abut_zero();
    if (!abut_is_finite(point) || abut_max_abs(point) > ABUT_QUERY_LARGEST) return NAN;
    AbutSoftGrid g = abut_soft_grid_open(body);
    return abut_soft_value_gradient(&g, point, out);
}
