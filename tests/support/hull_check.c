/* SPDX-License-Identifier: Apache-2.0 */
#include "support/hull_check.h"
#include "shape/polyhedron.h"

#include <string.h>

static const char *topology_fault(const AbutPolyhedron *p) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    const int32_t *edges = abut_polyhedron_edges(p);
    if (p->vertex_count - p->half_edge_count / 2 + p->face_count != 2) return "Euler's formula";
    for (int32_t i = 0; i < p->half_edge_count; ++i) {
        int32_t next = abut_polyhedron_next(p, i), twin = h[i].twin;
        if (h[twin].twin != i || h[twin].origin != h[next].origin || h[next].face != h[i].face ||
            h[twin].face == h[i].face)
            return "twin or next";
        if (i < faces[h[i].face].first || i >= faces[h[i].face].first + faces[h[i].face].count)
            return "half-edge outside its face";
    }
    for (int32_t e = 0; e < p->half_edge_count / 2; ++e)
        for (int32_t k = e + 1; k < p->half_edge_count / 2 && k < e + 50; ++k)
            if (edges[e] == edges[k] || edges[e] == h[edges[k]].twin) return "edge listed twice";
    return NULL;
}

static const char *neighbor_fault(const AbutPolyhedron *p) {
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const int32_t *start = abut_polyhedron_neighbor_start(p), *list = abut_polyhedron_neighbors(p);
    for (int32_t v = 0; v < p->vertex_count; ++v) {
        if (p->dimension == 3 && start[v + 1] - start[v] < 3) return "vertex with fewer than three edges";
        for (int32_t i = start[v] + 1; i < start[v + 1]; ++i)
            if (list[i] <= list[i - 1]) return "neighbors not sorted";
    }
    for (int32_t i = 0; i < p->half_edge_count; ++i) {
        int32_t v = h[i].origin, to = h[h[i].twin].origin, found = 0;
        for (int32_t k = start[v]; k < start[v + 1]; ++k) found += list[k] == to;
        if (found != 1) return "edge is not among the neighbors";
    }
    return NULL;
}

static const char *row_fault(const AbutPolyhedron *p) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const double *row = abut_polyhedron_rows(p);
    if (p->row_at % 64 != 0 || p->padded_count % 8 != 0 || p->padded_count < p->vertex_count ||
        p->padded_count > p->vertex_count + 7)
        return "row layout";
    for (int32_t i = 0; i < p->padded_count; ++i) {
        AbutVec3 q = v[i < p->vertex_count ? i : 0];
        if (row[i] != q.x || row[i + p->padded_count] != q.y || row[i + 2 * p->padded_count] != q.z)
            return "row content";
    }
    return NULL;
}

static const char *plane_fault(const AbutPolyhedron *p, const AbutVec3 *points, int count, double tolerance) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    for (int32_t f = 0; f < p->face_count; ++f) {
        AbutPlane plane = faces[f].plane;
        if (fabs(abut_length(plane.normal) - 1.0) > 1e-14) return "normal is not unit";
        for (int i = 0; i < count; ++i)
            if (!(abut_dot(plane.normal, points[i]) <= plane.offset + tolerance)) return "point outside a face";
        for (int32_t i = 0; i < p->vertex_count; ++i)
            if (!(abut_dot(plane.normal, v[i]) <= plane.offset + tolerance)) return "vertex outside a face";
        for (int32_t i = 0; i < faces[f].count; ++i) {
            AbutVec3 a = v[h[faces[f].first + i].origin], b = v[h[faces[f].first + (i + 1) % faces[f].count].origin];
            AbutVec3 c = v[h[faces[f].first + (i + 2) % faces[f].count].origin];
            if (!(abut_dot(plane.normal, a) >= plane.offset - 2.0 * tolerance)) return "vertex below its face";
            if (!(abut_dot(plane.normal, abut_cross(abut_sub(b, a), abut_sub(c, b))) >=
                    -tolerance * abut_point_distance(a, c)))
                return "face is not convex";
        }
    }
    return NULL;
}

const char *hull_fault(const AbutPolyhedron *p, const AbutVec3 *points, int count, double tolerance) {
    const char *fault = row_fault(p);
    if (!fault && p->dimension >= 2) fault = topology_fault(p);
    if (!fault && p->dimension >= 2) fault = neighbor_fault(p);
    if (!fault) fault = plane_fault(p, points, count, tolerance);
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    for (int32_t i = 0; i < p->vertex_count && !fault; ++i)
        if (!(abut_point_distance(v[i], p->bound.center) <= p->bound.radius * (1.0 + 1e-15)))
            fault = "vertex outside the bounding sphere";
    AbutError error;
    if (!fault && abut_polyhedron_check(p, (size_t)p->bytes, &error) != ABUT_OK) {
        static _Thread_local char text[600];
        memcpy(text, error.text, sizeof error.text);
        fault = text;
    }
    return fault;
}
