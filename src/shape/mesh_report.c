/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this mesh a proper solid? Counts what is wrong with it and measures it.
 *
 * In: a mesh. Out: AbutMeshReport. Method: the sides sorted by edge tell the boundary, crowding and orientation; a
 * union-find over the triangles of each edge gives the components; one pass over the triangles finds the thin ones.
 */
#include "shape/mesh_edges.h"
#include "shape/tolerance.h"

#include <float.h>
#include <string.h>

static AbutStatus measure_box(const AbutMesh *mesh, AbutAabb *box, AbutError *error) {
    AbutAabb whole = {abut_zero(), abut_zero()};
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        AbutVec3 p = mesh->vertices[v];
        if (!abut_is_finite(p)) return abut_fail(error, ABUT_ERROR_NUMBER, "mesh: vertex %d is not finite", (int)v);
        whole.min = v ? abut_min(whole.min, p) : p;
        whole.max = v ? abut_max(whole.max, p) : p;
    }
    *box = whole;
    return ABUT_OK;
}

static void count_edges(const AbutMeshEdges *edges, int32_t *parent, AbutMeshReport *report) {
    report->oriented = 1;
    for (int32_t first = 0, end; first < edges->count; first = end) {
        const AbutMeshSide *side = &edges->sides[first];
        end = abut_mesh_edges_end(edges, first);
        report->boundary_edges += end - first == 1;
        report->crowded_edges += end - first > 2;
        if (end - first == 2 && side[0].up == side[1].up) report->oriented = 0;
        for (int32_t k = 1; k < end - first; ++k) abut_parts_join(parent, side[0].triangle, side[k].triangle);
    }
    report->closed = edges->count > 0 && report->boundary_edges == 0 && report->crowded_edges == 0;
}

static void count_components(const AbutMesh *mesh, int32_t *parent, AbutMeshReport *report) {
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        report->components += parent[t] == t && !abut_triangle_repeats(&mesh->triangles[t]);
}

/* Is the least height of the triangle below `limit`, in units of `unit`? */
static int is_thin(const AbutMesh *mesh, const AbutTriangle *t, double unit, double limit) {
    AbutVec3 p[3];
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 d = abut_sub(mesh->vertices[t->v[(i + 1) % 3]], mesh->vertices[t->v[i]]);
        p[i] = abut_vec3(d.x / unit, d.y / unit, d.z / unit);
        longest = fmax(longest, abut_length(p[i]));
    }
    return !(abut_length(abut_cross(p[0], p[1])) > limit * longest);
}

static void count_thin(const AbutMesh *mesh, AbutMeshReport *report) {
    AbutVec3 half = abut_sub(abut_scale(report->box.max, 0.5), abut_scale(report->box.min, 0.5));
    double unit = 2.0 * abut_max_abs(half);
    int measurable = unit >= DBL_MIN && isfinite(unit);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const AbutTriangle *triangle = &mesh->triangles[t];
        report->degenerate +=
            abut_triangle_repeats(triangle) || !measurable || is_thin(mesh, triangle, unit, ABUT_MESH_THIN);
    }
}

/* `seen` has room for one mark per vertex. */
static void count_unused(const AbutMesh *mesh, unsigned char *seen, AbutMeshReport *report) {
    memset(seen, 0, (size_t)mesh->vertex_count);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) seen[mesh->triangles[t].v[i]] = 1;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) report->unused_vertices += !seen[v];
}

/* Everything that needs memory. */
static AbutStatus examine_topology(const AbutMesh *mesh, AbutMeshReport *report, AbutError *error) {
    AbutMeshEdges edges;
    AbutStatus status = abut_mesh_edges_sort(mesh, &edges, error);
    if (status != ABUT_OK) return status;
    int32_t *parent = abut_alloc_array((size_t)mesh->triangle_count, sizeof *parent);
    unsigned char *seen = abut_alloc((size_t)mesh->vertex_count);
    if (parent && seen) {
        for (int32_t t = 0; t < mesh->triangle_count; ++t) parent[t] = t;
        count_edges(&edges, parent, report);
        count_components(mesh, parent, report);
        count_unused(mesh, seen, report);
    } else {
        status = abut_fail_memory(error);
    }
    abut_free(parent);
    abut_free(seen);
    abut_mesh_edges_free(&edges);
    return status;
}

static int mass_is_finite(const AbutMass *mass) {
    return isfinite(mass->volume) && isfinite(mass->area) && abut_is_finite(mass->centroid) &&
           abut_is_finite(mass->inertia.x) && abut_is_finite(mass->inertia.y) && abut_is_finite(mass->inertia.z);
}

AbutStatus abut_mesh_report(const AbutMesh *mesh, AbutMeshReport *out, AbutError *error) {
    ABUT_ASSERT(mesh && out);
    AbutMeshReport report = {0}, none = {0};
    *out = none;
    AbutStatus status = measure_box(mesh, &report.box, error);
    if (status == ABUT_OK) status = examine_topology(mesh, &report, error);
    if (status != ABUT_OK) return status;
    count_thin(mesh, &report);
    report.mass = abut_mesh_mass(mesh, report.box);
    if (!mass_is_finite(&report.mass))
        return abut_fail(error, ABUT_ERROR_NUMBER, "mesh: too large for its mass to be a number");
    report.outward = report.closed && report.oriented && report.mass.volume > 0.0;
    *out = report;
    return ABUT_OK;
}
