/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this mesh the surface of a convex body? In: a mesh and its convex hull. Out: yes, or what first keeps it from
 * being the surface of that hull.
 *
 * Method: the surface must be closed, oriented and outward, enclose the volume of the hull, and have no vertex inside:
 * each is a corner of the hull (found by halving among the sorted corners) or lies on one of its faces.
 */
#include "abut/shape.h"

#include <stdlib.h>

/* Relative: of the volume of the hull, and of the radius of its bounding sphere. */
static const double SAME_VOLUME = 1e-9, ON_A_FACE = 1e-9;

const char *const abut_convexity_names[ABUT_CONVEXITY_COUNT + 1] = {[ABUT_CONVEXITY_CONVEX] = "it is convex",
    [ABUT_CONVEXITY_OPEN] = "its surface is not closed",
    [ABUT_CONVEXITY_UNORIENTED] = "its triangles do not run the same way",
    [ABUT_CONVEXITY_FLAT] = "it is flat",
    [ABUT_CONVEXITY_INSIDE_OUT] = "it is inside out",
    [ABUT_CONVEXITY_HOLLOW] = "its hull has another volume",
    [ABUT_CONVEXITY_INNER_VERTEX] = "a vertex lies inside its hull",
    NULL};

static int compare_vertices(const void *p, const void *q) {
    const AbutVec3 *a = p, *b = q;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

static int is_on_a_face(const AbutPolyhedron *hull, AbutVec3 v) {
    const AbutFace *face = abut_polyhedron_faces(hull);
    for (int f = 0; f < hull->face_count; ++f)
        if (face[f].plane.offset - abut_dot(face[f].plane.normal, v) <= ON_A_FACE * hull->bound.radius) return 1;
    return 0;
}

/* The first vertex of the mesh inside the hull, or -1. */
static AbutStatus find_inner_vertex(const AbutMesh *mesh, const AbutPolyhedron *hull, int32_t *out, AbutError *error) {
    size_t count = (size_t)hull->vertex_count;
    AbutVec3 *corner = abut_alloc_array(count, sizeof *corner);
    *out = -1;
    if (!corner) return abut_fail_memory(error);
    for (size_t i = 0; i < count; ++i) corner[i] = abut_polyhedron_vertices(hull)[i];
    qsort(corner, count, sizeof *corner, compare_vertices);
    for (int32_t i = 0; i < mesh->vertex_count && *out < 0; ++i)
        if (!bsearch(&mesh->vertices[i], corner, count, sizeof *corner, compare_vertices) &&
            !is_on_a_face(hull, mesh->vertices[i]))
            *out = i;
    abut_free(corner);
    return ABUT_OK;
}

/* Tests that need no vertices. */
static AbutConvexity judge_surface(const AbutMeshReport *report, const AbutPolyhedron *hull) {
    double volume = hull->mass.volume;
    if (!report->closed) return ABUT_CONVEXITY_OPEN;
    if (!report->oriented) return ABUT_CONVEXITY_UNORIENTED;
    if (hull->dimension < 3) return ABUT_CONVEXITY_FLAT;
    if (report->mass.volume < 0.0) return ABUT_CONVEXITY_INSIDE_OUT;
    return fabs(report->mass.volume - volume) <= SAME_VOLUME * volume ? ABUT_CONVEXITY_CONVEX : ABUT_CONVEXITY_HOLLOW;
}

AbutStatus abut_mesh_convexity(
    const AbutMesh *mesh, const AbutPolyhedron *hull, AbutConvexity *out, int32_t *vertex, AbutError *error) {
    ABUT_ASSERT(mesh && hull && out);
    AbutMeshReport report;
    int32_t inner = -1;
    *out = ABUT_CONVEXITY_CONVEX;
    AbutStatus status = abut_mesh_report(mesh, &report, error);
    if (status == ABUT_OK) *out = judge_surface(&report, hull);
    if (status == ABUT_OK && *out == ABUT_CONVEXITY_CONVEX) status = find_inner_vertex(mesh, hull, &inner, error);
    if (inner >= 0) *out = ABUT_CONVEXITY_INNER_VERTEX;
    if (vertex) *vertex = inner;
    return status;
}
