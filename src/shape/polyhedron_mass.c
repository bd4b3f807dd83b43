/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volume, area, centroid and inertia of a convex polyhedron of density 1.
 *
 * In: a block with vertices and faces. Out: AbutMass; the inertia is about the centroid. Each face is cut into a fan of
 * triangles, and each triangle makes a tetrahedron with the mean of the vertices, whose moments are polynomials of its
 * corners. Flat sets: volume and inertia 0; area of both faces; centroid of the polygon, the segment or the point.
 */
#include "math/matrix.h"
#include "shape/hull.h"

enum { BLOCK = 128 };

static AbutVec3 mean_vertex(const AbutPolyhedron *p) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    AbutVec3 sum = abut_zero();
    for (int32_t i = 0; i < p->vertex_count; ++i) sum = abut_add(sum, abut_sub(v[i], v[0]));
    return abut_add_scaled(v[0], sum, 1.0 / p->vertex_count);
}

typedef struct Moments {
    double area, six_volume;
    AbutVec3 area_first;   /* of six times the area, over the corners */
    AbutVec3 volume_first; /* 24 times */
    AbutMat3 second;       /* 120 times the integral of x x^T */
} Moments;

/* Six times the volume under the triangle is twice its area times its height along the normal of its face: both are
 * positive, so that the volume of the thinnest needle does not drown in rounding. */
static void add_triangle(Moments *m, AbutVec3 normal, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 sum = abut_add(a, abut_add(b, c));
    double area = abut_length(abut_cross(abut_sub(b, a), abut_sub(c, a)));
    double det = area * fmax(abut_dot(normal, sum) / 3.0, 0.0);
    m->area += 0.5 * area;
    m->area_first = abut_add_scaled(m->area_first, sum, area);
    m->six_volume += det;
    m->volume_first = abut_add_scaled(m->volume_first, sum, det);
    AbutMat3 s = abut_mat3_add(abut_mat3_add(abut_mat3_outer(a, a), abut_mat3_outer(b, b)),
        abut_mat3_add(abut_mat3_outer(c, c), abut_mat3_outer(sum, sum)));
    m->second = abut_mat3_add(m->second, abut_mat3_scale(s, det));
}

static Moments no_moments(void) {
    AbutVec3 zero = abut_zero();
    Moments m = {0.0, 0.0, zero, zero, abut_mat3(zero, zero, zero)};
    return m;
}

static Moments add_moments(Moments a, Moments b) {
    Moments m = {a.area + b.area, a.six_volume + b.six_volume, abut_add(a.area_first, b.area_first),
        abut_add(a.volume_first, b.volume_first), abut_mat3_add(a.second, b.second)};
    return m;
}

/* Sums in blocks: many equal terms on one running sum would round the same way each time. */
static Moments sum_faces(const AbutPolyhedron *p, AbutVec3 origin) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    const AbutHalfEdge *h = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    Moments total = no_moments(), block = no_moments();
    int in_block = 0;
    for (int32_t f = 0; f < p->face_count; ++f) {
        const AbutHalfEdge *loop = h + faces[f].first;
        AbutVec3 a = abut_sub(v[loop[0].origin], origin), b = abut_sub(v[loop[1].origin], origin);
        for (int32_t i = 2; i < faces[f].count; ++i) {
            AbutVec3 c = abut_sub(v[loop[i].origin], origin);
            add_triangle(&block, faces[f].plane.normal, a, b, c);
            b = c;
            if (++in_block == BLOCK) {
                total = add_moments(total, block);
                block = no_moments();
                in_block = 0;
            }
        }
    }
    return add_moments(total, block);
}

AbutMass abut_polyhedron_integrate(const AbutPolyhedron *p) {
    AbutVec3 origin = mean_vertex(p), zero = abut_zero();
    AbutMass mass = {0.0, 0.0, origin, abut_mat3(zero, zero, zero)};
    if (p->dimension < 2) return mass;
    Moments m = sum_faces(p, origin);
    mass.area = m.area;
    if (p->dimension == 2 || !(m.six_volume > 0.0)) {
        if (m.area > 0.0) mass.centroid = abut_add_scaled(origin, m.area_first, 1.0 / (6.0 * m.area));
        return mass;
    }
    mass.volume = m.six_volume / 6.0;
    AbutVec3 shift = abut_scale(m.volume_first, 0.25 / m.six_volume);
    mass.centroid = abut_add(origin, shift);
    AbutMat3 c = abut_mat3_sub(
        abut_mat3_scale(m.second, 1.0 / 120.0), abut_mat3_scale(abut_mat3_outer(shift, shift), mass.volume));
    mass.inertia = abut_mat3_sub(abut_mat3_diagonal(abut_mat3_trace(c), abut_mat3_trace(c), abut_mat3_trace(c)), c);
    return mass;
}
