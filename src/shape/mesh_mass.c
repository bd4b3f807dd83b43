/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of the solid inside a closed triangle mesh, for density 1.
 *
 * In: a mesh and its box. Out: signed volume, area, centroid, inertia about the centroid in the axes of the mesh.
 * Method: by the divergence theorem the solid is the signed sum of the tetrahedra between one origin and each triangle.
 * The origin is the middle of the box and the unit of length half its longest side, so that neither a far-away mesh
 * loses digits nor a tiny or huge one leaves the range of the numbers. An open or flat mesh without volume gets the
 * middle of the box as its centroid and no inertia.
 */
#include "shape/mesh_edges.h"
#include "shape/tolerance.h"

#include <float.h>

/* Integrals over the solid: 1, x, and x x^T (the six products xx yy zz xy yz zx). */
typedef struct Moments {
    double volume, area;
    AbutVec3 first, square, product;
} Moments;

/* Products (xy, yz, zx) of one vector. */
static AbutVec3 mixed(AbutVec3 a) { return abut_vec3(a.x * a.y, a.y * a.z, a.z * a.x); }

static void add_tetrahedron(Moments *m, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 normal = abut_cross(abut_sub(b, a), abut_sub(c, a)), sum = abut_add(a, abut_add(b, c));
    double det = abut_dot(a, normal);
    AbutVec3 square = abut_add(abut_mul(sum, sum), abut_add(abut_mul(a, a), abut_add(abut_mul(b, b), abut_mul(c, c))));
    AbutVec3 product = abut_add(mixed(sum), abut_add(mixed(a), abut_add(mixed(b), mixed(c))));
    m->area += 0.5 * abut_length(normal);
    m->volume += det / 6.0;
    m->first = abut_add_scaled(m->first, sum, det / 24.0);
    m->square = abut_add_scaled(m->square, square, det / 120.0);
    m->product = abut_add_scaled(m->product, product, det / 120.0);
}

/* Inertia about the centroid from the moments about the origin. */
static AbutMat3 central_inertia(const Moments *m, AbutVec3 centroid) {
    AbutVec3 s = abut_add_scaled(m->square, abut_mul(centroid, centroid), -m->volume);
    AbutVec3 p = abut_add_scaled(m->product, mixed(centroid), -m->volume);
    return abut_mat3(
        abut_vec3(s.y + s.z, -p.x, -p.z), abut_vec3(-p.x, s.x + s.z, -p.y), abut_vec3(-p.z, -p.y, s.x + s.y));
}

AbutMass abut_mesh_mass(const AbutMesh *mesh, AbutAabb box) {
    AbutMass mass = {0};
    AbutVec3 middle = abut_add(abut_scale(box.min, 0.5), abut_scale(box.max, 0.5));
    double unit = abut_max_abs(abut_sub(abut_scale(box.max, 0.5), abut_scale(box.min, 0.5)));
    mass.centroid = middle;
    if (mesh->triangle_count == 0 || !(unit >= DBL_MIN)) return mass;
    Moments m = {0};
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        AbutVec3 p[3];
        for (int i = 0; i < 3; ++i) {
            AbutVec3 d = abut_sub(mesh->vertices[mesh->triangles[t].v[i]], middle);
            p[i] = abut_vec3(d.x / unit, d.y / unit, d.z / unit);
        }
        add_tetrahedron(&m, p[0], p[1], p[2]);
    }
    mass.area = m.area * unit * unit;
    if (fabs(m.volume) <= ABUT_MESH_NO_VOLUME * m.area) return mass;
    AbutVec3 centroid = abut_scale(m.first, 1.0 / m.volume);
    mass.volume = m.volume * unit * unit * unit;
    mass.centroid = abut_add_scaled(middle, centroid, unit);
    mass.inertia = abut_mat3_scale(central_inertia(&m, centroid), unit * unit * unit * unit * unit);
    return mass;
}
