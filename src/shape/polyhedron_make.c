/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polyhedra by name: box, prism, cone, the five regular ones; and the way to a triangle mesh.
 *
 * Box: vertex i has +x where bit 0 of i is set, +y bit 1, +z bit 2; faces in the order -x, +x, -y, +y, -z, +z.
 * A prism stands along z, centered at half their height; the first vertex of the polygon lies on +x.
 */
#include "shape/hull.h"

static const int box_corner[6][4] = {
    {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/* The half-edge of the box that starts at `from` and ends at `to`. */
static int32_t box_half_edge(int from, int to) {
    for (int h = 0; h < 24; ++h)
        if (box_corner[h / 4][h % 4] == from && box_corner[h / 4][(h + 1) % 4] == to) return h;
    return -1;
}

static int is_size(double x) { return x >= 1.0 / ABUT_SHAPE_MAX_COORDINATE && x <= ABUT_SHAPE_MAX_COORDINATE; }

AbutStatus abut_polyhedron_box(AbutVec3 half_size, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(out);
    *out = NULL;
    if (!is_size(half_size.x) || !is_size(half_size.y) || !is_size(half_size.z))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "half sizes of a box must be in 1e-50 .. 1e50: %g %g %g",
            half_size.x, half_size.y, half_size.z);
    AbutVec3 points[8];
    int32_t source[8];
    AbutHalfEdge half_edges[24];
    AbutFace faces[6];
    for (int32_t i = 0; i < 8; ++i) {
        points[i] = abut_vec3(
            i & 1 ? half_size.x : -half_size.x, i & 2 ? half_size.y : -half_size.y, i & 4 ? half_size.z : -half_size.z);
        source[i] = i;
    }
    for (int32_t h = 0; h < 24; ++h) {
        int from = box_corner[h / 4][h % 4], to = box_corner[h / 4][(h + 1) % 4];
        AbutHalfEdge edge = {from, box_half_edge(to, from), h / 4};
        half_edges[h] = edge;
    }
    for (int32_t f = 0; f < 6; ++f) {
        AbutFace face = {{abut_scale(abut_axis(f / 2), f % 2 ? 1.0 : -1.0), 0.0}, 4 * f, 4};
        faces[f] = face;
    }
    AbutShell shell = {3, 8, 24, 6, source, half_edges, faces};
    return abut_polyhedron_pack(points, &shell, out, error);
}

AbutStatus abut_polyhedron_prism(
    int sides, double radius, double top, double height, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(out);
    int tops = top == 0.0 ? 1 : sides;
    *out = NULL;
    if (sides < 3 || sides > 1000000)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a prism has 3 .. 1000000 sides, not %d", sides);
    if (!is_size(radius) || !is_size(height) || !(top == 0.0 || is_size(top)))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "radii %g and %g and height %g of a prism must be in 1e-50 .. 1e50, the upper radius may be 0", radius, top,
            height);
    AbutVec3 *points = abut_alloc_array((size_t)sides + (size_t)tops, sizeof *points);
    if (!points) return abut_fail_memory(error);
    for (int i = 0; i < sides; ++i) {
        double c = abut_cos(2.0 * ABUT_PI * i / sides), s = abut_sin(2.0 * ABUT_PI * i / sides);
        points[i] = abut_vec3(radius * c, radius * s, -0.5 * height);
        points[tops > 1 ? sides + i : sides] = abut_vec3(top * c, top * s, 0.5 * height);
    }
    if (tops == 1) points[sides] = abut_vec3(0.0, 0.0, 0.5 * height); /* no -0 */
    AbutHullDef def = {.solid_only = 1};
    AbutStatus status = abut_polyhedron_from_points(points, sides + tops, &def, out, error);
    abut_free(points);
    return status;
}

/* All points (+-a, +-b, +-c) with the coordinates turned in a circle `turns` times; gives how many were added. */
static int add_signed(AbutVec3 *points, int n, AbutVec3 p, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
        for (int sign = 0; sign < 8; ++sign) {
            if ((p.x == 0.0 && sign & 1) || (p.y == 0.0 && sign & 2) || (p.z == 0.0 && sign & 4)) continue;
            points[n++] = abut_vec3(sign & 1 ? -p.x : p.x, sign & 2 ? -p.y : p.y, sign & 4 ? -p.z : p.z);
        }
        p = abut_vec3(p.z, p.x, p.y);
    }
    return n;
}

/* Vertices of a regular polyhedron about the origin at any size; 0 when there is none with that many faces. */
static int regular_points(int faces, AbutVec3 *points) {
    double golden = 0.5 * (1.0 + sqrt(5.0));
    switch (faces) {
    case 4:
        points[0] = abut_vec3(1, 1, 1);
        points[1] = abut_vec3(1, -1, -1);
        points[2] = abut_vec3(-1, 1, -1);
        points[3] = abut_vec3(-1, -1, 1);
        return 4;
    case 6:
        return add_signed(points, 0, abut_vec3(1, 1, 1), 1);
    case 8:
        return add_signed(points, 0, abut_vec3(1, 0, 0), 3);
    case 12:
        return add_signed(points, add_signed(points, 0, abut_vec3(1, 1, 1), 1), abut_vec3(0, 1 / golden, golden), 3);
    case 20:
        return add_signed(points, 0, abut_vec3(0, 1, golden), 3);
    default:
        return 0;
    }
}

AbutStatus abut_polyhedron_regular(int faces, double radius, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutVec3 points[20];
    int n = regular_points(faces, points);
    *out = NULL;
    if (n == 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a regular polyhedron has 4, 6, 8, 12 or 20 faces, not %d", faces);
    if (!is_size(radius))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "radius %g of a regular polyhedron must be in 1e-50 .. 1e50", radius);
    for (int i = 0; i < n; ++i) points[i] = abut_scale(points[i], radius / abut_length(points[i]));
    return abut_polyhedron_from_points(points, n, NULL, out, error);
}

AbutStatus abut_polyhedron_to_mesh(const AbutPolyhedron *p, AbutMesh *out, AbutError *error) {
    ABUT_ASSERT(p && out);
    AbutMesh none = {0, 0, NULL, NULL};
    *out = none;
    if (p->dimension < 2)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "a polyhedron of dimension %d has no triangles", p->dimension);
    AbutStatus status = abut_mesh_create(p->vertex_count, p->half_edge_count - 2 * p->face_count, out, error);
    if (status != ABUT_OK) return status;
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    for (int32_t i = 0; i < p->vertex_count; ++i) out->vertices[i] = v[i];
    int32_t n = 0;
    for (int32_t f = 0; f < p->face_count; ++f) {
        const AbutHalfEdge *loop = h + faces[f].first;
        for (int32_t i = 2; i < faces[f].count; ++i) {
            AbutTriangle triangle = {{loop[0].origin, loop[i - 1].origin, loop[i].origin}};
            out->triangles[n++] = triangle;
        }
    }
    return ABUT_OK;
}
