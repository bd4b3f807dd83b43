/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Minkowski difference of two bodies as a mesh. In: two closed meshes, the pose of B in A. Out: the boundary of all
 * a - b: the translations at which B, moved by them, meets A.
 *
 * Convex meshes: the hull of all differences of vertices, exact. Others: nodes of a grid are inside where the bodies
 * meet at that translation (exact collision; balls around nodes that are apart are passed over by their distance), six
 * tetrahedra to a cell, and a vertex on each of their edges that changes sides, brought onto the boundary by bisection
 * and then into the plane of the facet of the convolution there. Closed and oriented whatever the data; what is thinner
 * than a step may be missed, and slits narrower than one are closed.
 */
#include "literature/minkowski/convolution.h"
#include "abut/solid.h"
#include "mesh/kernels.h"

#include <string.h>

enum { WAYS = 7, BISECTIONS = 14, MORE_BISECTIONS = 26 };

/* From a node to the other end of an edge of the tetrahedra: three sides, three diagonals of faces, one of the cell. */
static const int way[WAYS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}};

typedef struct Grid {
    const AbutMeshTree *a, *b;
    const AbutConvolution *c;
    AbutPose pose;
    AbutVec3 origin;
    double step;
    int32_t count[3]; /* nodes */
    uint8_t *inside;  /* of each node */
    int32_t *vertex;  /* of each way from each node; -1: none */
    int32_t vertices;
    AbutVec3 *place; /* of each vertex */
    int64_t *edge;   /* node and way of each vertex */
} Grid;

static int64_t node_number(const Grid *g, int x, int y, int z) {
    return ((int64_t)z * g->count[1] + y) * g->count[0] + x;
}

static AbutVec3 node_place(const Grid *g, int64_t node) {
    int64_t row = node / g->count[0];
    return abut_add_scaled(g->origin,
        abut_vec3((double)(node % g->count[0]), (double)(row % g->count[1]), (double)(row / g->count[1])), g->step);
}

static int64_t other_end(const Grid *g, int64_t node, int k) {
    return node + node_number(g, way[k][0], way[k][1], way[k][2]);
}

static int is_inside(const Grid *g, AbutVec3 shift) {
    AbutPose moved = abut_pose(abut_add(g->pose.p, shift), g->pose.q);
    return abut_mesh_collide(g->a, g->b, moved, NULL).outcome != ABUT_SEPARATED;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void classify_row(const Grid *g, int64_t first) {
    for (int x = 0; x < g->count[0];) {
        AbutVec3 shift = node_place(g, first + x);
        int inside = is_inside(g, shift);
        g->inside[first + x++] = (uint8_t)inside;
        if (inside) continue;
        AbutPose moved = abut_pose(abut_add(g->pose.p, shift), g->pose.q);
        double clear = 0.999 * abut_mesh_distance(g->a, g->b, moved, NULL, NULL).distance;
        for (int k = 1; k * g->step < clear && x < g->count[0]; ++k) g->inside[first + x++] = 0;
    }
}

static void classify_rows(int begin, int end, int worker, void *user) {
    const Grid *g = user;
    (void)worker;
    for (int row = begin; row < end; ++row) classify_row(g, (int64_t)row * g->count[0]);
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

/* Does the way k lead from the node to another one of the grid? */
static int has_way(const Grid *g, int64_t node, int k) {
    int64_t row = node / g->count[0];
    return node % g->count[0] + way[k][0] < g->count[0] && row % g->count[1] + way[k][1] < g->count[1] &&
           row / g->count[1] + way[k][2] < g->count[2];
}

/* Numbers the edges that change sides. */
static int32_t number_vertices(Grid *g) {
    int64_t nodes = (int64_t)g->count[0] * g->count[1] * g->count[2];
    int32_t count = 0;
    for (int64_t n = 0; n < nodes; ++n)
        for (int k = 0; k < WAYS; ++k) {
            int crosses = has_way(g, n, k) && g->inside[n] != g->inside[other_end(g, n, k)];
            g->vertex[WAYS * n + k] = crosses ? count++ : -1;
        }
    return count;
}

/* Facets that cross an edge within its bracket. */
typedef struct Snap {
    const AbutConvolution *c;
    AbutVec3 from, along;
    double low, high, best;
} Snap;

static double facet_distance(const AbutFacetCorner *p, int count, AbutVec3 q) {
    AbutConvex point = abut_convex_segment(q, q, 0.0);
    double least = INFINITY;
    for (int k = 2; k < count; ++k) {
        AbutConvex triangle = abut_convex_triangle(p[0].place, p[k - 1].place, p[k].place, 0.0);
        least = abut_smaller(abut_convex_distance(&point, &triangle, abut_pose_identity(), NULL, NULL).distance, least);
    }
    return least;
}

static void snap_to(const AbutFacet *facet, void *user) {
    Snap *s = user;
    AbutFacetCorner p[4];
    int count = abut_facet_corners(s->c, facet, p);
    AbutVec3 n = abut_normalize(abut_cross(abut_sub(p[1].place, p[0].place), abut_sub(p[2].place, p[0].place)));
    double t = abut_dot(n, abut_sub(p[0].place, s->from)) / abut_dot(n, s->along), middle = 0.5 * (s->low + s->high);
    int better = isnan(s->best) || fabs(t - middle) < fabs(s->best - middle);
    if (t >= s->low - ABUT_MINKOWSKI_ON && t <= s->high + ABUT_MINKOWSKI_ON && better &&
        facet_distance(p, count, abut_add_scaled(s->from, s->along, t)) <= ABUT_MINKOWSKI_ON * abut_length(s->along))
        s->best = t;
}

static void bisect(const Grid *g, Snap *s, int inside, int steps) {
    for (int k = 0; k < steps; ++k) {
        double middle = 0.5 * (s->low + s->high);
        *(is_inside(g, abut_add_scaled(s->from, s->along, middle)) == inside ? &s->low : &s->high) = middle;
    }
}

static AbutVec3 boundary_on(const Grid *g, int64_t edge) {
    int64_t node = edge / WAYS, other = other_end(g, node, (int)(edge % WAYS));
    Snap s = {g->c, node_place(g, node), abut_sub(node_place(g, other), node_place(g, node)), 0.0, 1.0, NAN};
    bisect(g, &s, g->inside[node], BISECTIONS);
    double middle = 0.5 * (s.low + s.high), width = (s.high - s.low) * abut_length(s.along);
    abut_convolution_facets(g->c, abut_add_scaled(s.from, s.along, middle), width, 0, snap_to, &s);
    if (isnan(s.best)) {
        bisect(g, &s, g->inside[node], MORE_BISECTIONS);
        s.best = 0.5 * (s.low + s.high);
    }
    return abut_add_scaled(s.from, s.along, abut_smaller(abut_larger(s.best, 0.0), 1.0));
}

static void place_some(int begin, int end, int worker, void *user) {
    const Grid *g = user;
    (void)worker;
    for (int i = begin; i < end; ++i) g->place[i] = boundary_on(g, g->edge[i]);
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

typedef struct Surface {
    const Grid *g;
    AbutTriangle *out; /* NULL: count alone */
    int64_t count;
} Surface;

/* The vertex between two nodes of a cell, given by their corners 0 .. 7 (bits x, y, z). */
static int32_t vertex_between(const Grid *g, int64_t cell, int a, int b) {
    int low = a & b, off = a ^ b, k = 0; /* one of the two holds all bits of the other */
    while (way[k][0] + 2 * way[k][1] + 4 * way[k][2] != off) ++k;
    int64_t node = cell + node_number(g, low & 1, low >> 1 & 1, low >> 2);
    return g->vertex[WAYS * node + k];
}

static AbutVec3 corner_place(int corner) { return abut_vec3(corner & 1, corner >> 1 & 1, corner >> 2); }

/* A triangle through the middles of three edges (a, b), turned so that it looks from the inner corners to the outer. */
static void add_triangle(Surface *s, int64_t cell, const int a[3], const int b[3]) {
    AbutTriangle t;
    AbutVec3 p[3], out = abut_zero();
    if (s->out) {
        for (int k = 0; k < 3; ++k) {
            t.v[k] = vertex_between(s->g, cell, a[k], b[k]);
            p[k] = abut_lerp(corner_place(a[k]), corner_place(b[k]), 0.5);
            out = abut_add(out, abut_sub(corner_place(b[k]), corner_place(a[k])));
        }
        if (abut_dot(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])), out) < 0.0) {
            int32_t kept = t.v[1];
            t.v[1] = t.v[2], t.v[2] = kept;
        }
        s->out[s->count] = t;
    }
    ++s->count;
}

/* in: inner corners of a tetrahedron, out: outer ones. */
static void add_tetrahedron(Surface *s, int64_t cell, const int *in, int in_count, const int *out) {
    if (in_count == 1) {
        const int a[3] = {in[0], in[0], in[0]};
        add_triangle(s, cell, a, out);
    } else if (in_count == 3) {
        const int b[3] = {out[0], out[0], out[0]};
        add_triangle(s, cell, in, b);
    } else if (in_count == 2) {
        const int a1[3] = {in[0], in[0], in[1]}, b1[3] = {out[0], out[1], out[1]};
        const int a2[3] = {in[0], in[1], in[1]}, b2[3] = {out[0], out[1], out[0]};
        add_triangle(s, cell, a1, b1);
        add_triangle(s, cell, a2, b2);
    }
}

/* The six ways from corner 0 to corner 7 of a cell along its sides are its tetrahedra. */
static void add_cell(Surface *s, int64_t cell) {
    static const int order[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    for (int k = 0; k < 6; ++k) {
        const int corner[4] = {0, order[k][0], order[k][1], 7};
        int in[4], out[4], ins = 0, outs = 0;
        for (int i = 0; i < 4; ++i) {
            int c = corner[i];
            if (s->g->inside[cell + node_number(s->g, c & 1, c >> 1 & 1, c >> 2)])
                in[ins++] = c;
            else
                out[outs++] = c;
        }
        add_tetrahedron(s, cell, in, ins, out);
    }
}

static int64_t add_cells(const Grid *g, AbutTriangle *out) {
    Surface s = {g, out, 0};
    for (int z = 0; z + 1 < g->count[2]; ++z)
        for (int y = 0; y + 1 < g->count[1]; ++y)
            for (int x = 0; x + 1 < g->count[0]; ++x) add_cell(&s, node_number(g, x, y, z));
    return s.count;
}

/* ---- grid -------------------------------------------------------------------------------------------------------- */

static AbutAabb box_of_b(const AbutConvolution *c) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t v = 0; v < c->b.vertex_count; ++v) box = abut_aabb_add(box, c->b_vertex[v]);
    return box;
}

/* A grid around the difference, with room of more than a step, off the corners of the boxes. */
static void plan_grid(Grid *g, int cells) {
    AbutAabb a = g->a->box, b = box_of_b(g->c);
    AbutVec3 low = abut_sub(a.min, b.max), side = abut_sub(abut_sub(a.max, b.min), low);
    g->step = abut_max_abs(side) / cells;
    g->origin = abut_add_scaled(low, abut_vec3(1.31, 1.37, 1.43), -g->step);
    for (int k = 0; k < 3; ++k) g->count[k] = (int32_t)ceil(abut_get(side, k) / g->step) + 4;
}

static void list_edges(const Grid *g) {
    int64_t ways = WAYS * (int64_t)g->count[0] * g->count[1] * g->count[2];
    for (int64_t i = 0; i < ways; ++i)
        if (g->vertex[i] >= 0) g->edge[g->vertex[i]] = i;
}

static AbutStatus take_surface(Grid *g, int threads, AbutMesh *out, AbutError *error) {
    int64_t triangles = add_cells(g, NULL);
    if (triangles > ABUT_MESH_TREE_MAX_TRIANGLES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "Minkowski difference: too many triangles");
    g->edge = abut_alloc_array((size_t)g->vertices, sizeof *g->edge);
    if (!g->edge) return abut_fail_memory(error);
    AbutStatus status = abut_mesh_create(g->vertices, (int)triangles, out, error);
    if (status != ABUT_OK) return status;
    list_edges(g);
    g->place = out->vertices;
    abut_parallel_for(g->vertices, 16, threads, place_some, g);
    (void)add_cells(g, out->triangles);
    return ABUT_OK;
}

static AbutStatus sample(Grid *g, const AbutMinkowskiDef *def, AbutMesh *out, AbutError *error) {
    plan_grid(g, def->grid ? def->grid : 32);
    size_t nodes = (size_t)g->count[0] * (size_t)g->count[1] * (size_t)g->count[2];
    g->inside = abut_alloc_array(nodes, sizeof *g->inside);
    g->vertex = abut_alloc_array(nodes, WAYS * sizeof *g->vertex);
    AbutStatus status = ABUT_OK;
    if (!g->inside || !g->vertex) status = abut_fail_memory(error);
    if (status == ABUT_OK) {
        abut_parallel_for(g->count[1] * g->count[2], 4, def->threads, classify_rows, g);
        g->vertices = number_vertices(g);
        status = take_surface(g, def->threads, out, error);
    }
    abut_free(g->inside);
    abut_free(g->vertex);
    abut_free(g->edge);
    return status;
}

static AbutStatus difference_by_grid(const AbutMesh *a, const AbutMesh *b, const AbutSolidBody body[2], AbutPose pose,
    const AbutMinkowskiDef *def, AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    AbutConvolution *c = NULL;
    AbutStatus status = abut_convolution_create(a, b, &c, error);
    if (status == ABUT_OK) {
        Grid g = {.a = body[0].tree, .b = body[1].tree, .c = c, .pose = pose};
        (void)abut_convolution_place(c, pose);
        status = sample(&g, def, out, error);
        report->step = g.step;
    }
    abut_convolution_free(c);
    return status;
}

/* ---- convex bodies ----------------------------------------------------------------------------------------------- */

static AbutStatus difference_of_hulls(
    const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose pose, AbutMesh *out, AbutError *error) {
    int64_t count = (int64_t)a->vertex_count * b->vertex_count;
    if (count > ABUT_MINKOWSKI_MAX_PAIRS)
        return abut_fail(error, ABUT_ERROR_LIMIT, "Minkowski difference: %d and %d vertices give more than %d pairs",
            a->vertex_count, b->vertex_count, ABUT_MINKOWSKI_MAX_PAIRS);
    AbutVec3 *points = abut_alloc_array((size_t)count, sizeof *points);
    AbutPolyhedron *hull = NULL;
    if (!points) return abut_fail_memory(error);
    for (int64_t i = 0; i < count; ++i)
        points[i] = abut_sub(abut_polyhedron_vertices(a)[i / b->vertex_count],
            abut_pose_apply(pose, abut_polyhedron_vertices(b)[i % b->vertex_count]));
    AbutStatus status = abut_polyhedron_from_points(points, (int)count, NULL, &hull, error);
    if (status == ABUT_OK) status = abut_polyhedron_to_mesh(hull, out, error);
    abut_free(points);
    abut_polyhedron_free(hull);
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus boundary(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    AbutSolidBody body[2] = {{0}};
    AbutStatus status = abut_solid_from_mesh(a, ABUT_SOLID_AS_IS, NULL, &body[0], error);
    if (status == ABUT_OK) status = abut_solid_from_mesh(b, ABUT_SOLID_AS_IS, NULL, &body[1], error);
    report->exact = body[0].is_convex && body[1].is_convex;
    if (status == ABUT_OK)
        status = report->exact ? difference_of_hulls(body[0].hull, body[1].hull, b_in_a, out, error)
                               : difference_by_grid(a, b, body, b_in_a, def, out, report, error);
    abut_solid_body_free(&body[0]);
    abut_solid_body_free(&body[1]);
    return status;
}

static AbutStatus signed_convolution(const AbutMesh *a, const AbutMesh *b, AbutPose pose, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    AbutConvolution *c = NULL;
    AbutStatus status = abut_convolution_create(a, b, &c, error);
    if (status != ABUT_OK) return status;
    (void)abut_convolution_place(c, pose);
    AbutVec3 center = def->radius > 0.0 ? def->center : abut_zero();
    double radius = def->radius > 0.0 ? def->radius : abut_convolution_reach(c);
    status = abut_convolution_mesh(c, center, radius, out, error);
    if (status == ABUT_OK) report->chain = abut_convolution_measure_ball(c, center, radius);
    abut_convolution_free(c);
    return status;
}

static AbutStatus check(const AbutMinkowskiDef *def, AbutPose pose, AbutError *error) {
    if (!abut_is_finite(def->center) || !isfinite(def->radius))
        return abut_fail(error, ABUT_ERROR_NUMBER, "Minkowski difference: the ball is not finite");
    if (def->radius < 0.0)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "Minkowski difference: the radius is %g m, expected 0 or more", def->radius);
    if (def->grid != 0 && (def->grid < 4 || def->grid > ABUT_MINKOWSKI_MAX_GRID))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "Minkowski difference: grid is %d, expected 4 to %d cells",
            def->grid, ABUT_MINKOWSKI_MAX_GRID);
    if (!abut_pose_is_finite(pose) || fabs(abut_quat_dot(pose.q, pose.q) - 1.0) > 1e-9)
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "Minkowski difference: the pose is not finite, or its quaternion is "
            "not of unit length");
    return ABUT_OK;
}

static AbutStatus difference(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    AbutStatus status = check(def, b_in_a, error);
    if (status != ABUT_OK) return status;
    return (def->convolution ? signed_convolution : boundary)(a, b, b_in_a, def, out, report, error);
}

/* The difference with B mirrored: -(R b + p) = R (-b) - p. */
static AbutStatus sum(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def, AbutMesh *out,
    AbutMinkowskiReport *report, AbutError *error) {
    AbutMesh mirrored;
    AbutStatus status = abut_mesh_create(b->vertex_count, b->triangle_count, &mirrored, error);
    if (status != ABUT_OK) return status;
    for (int32_t v = 0; v < b->vertex_count; ++v) mirrored.vertices[v] = abut_neg(b->vertices[v]);
    for (int32_t t = 0; t < b->triangle_count; ++t) {
        const int32_t *v = b->triangles[t].v;
        mirrored.triangles[t] = (AbutTriangle){{v[0], v[2], v[1]}};
    }
    status = difference(a, &mirrored, abut_pose(abut_neg(b_in_a.p), b_in_a.q), def, out, report, error);
    abut_mesh_free(&mirrored);
    return status;
}

AbutStatus abut_minkowski(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    static const AbutMinkowskiDef usual;
    AbutMinkowskiReport told = {0};
    ABUT_ASSERT(a && b && out);
    *out = (AbutMesh){0, 0, NULL, NULL};
    def = def ? def : &usual;
    AbutStatus status = (def->difference ? difference : sum)(a, b, b_in_a, def, out, &told, error);
    if (report && status == ABUT_OK) *report = told;
    return status;
}
