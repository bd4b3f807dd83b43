/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes moved to their centroid: that of the volume, or where there is none of the surface. */
#include "abut/shape.h"

#include <math.h>

/* Centroid of the triangles by their area; not finite where they have none. */
static AbutVec3 surface_centroid(const AbutMesh *mesh) {
    AbutVec3 origin = mesh->vertices[mesh->triangles[0].v[0]], sum = abut_zero();
    double all = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        AbutVec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = abut_sub(mesh->vertices[mesh->triangles[i].v[k]], origin);
        double area = abut_length(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        sum = abut_add_scaled(sum, abut_add(p[0], abut_add(p[1], p[2])), area / 3.0);
        all += area;
    }
    return abut_add_scaled(origin, sum, 1.0 / all);
}

AbutStatus abut_mesh_center(AbutMesh *mesh, int *solid, AbutError *error) {
    ABUT_ASSERT(mesh && solid);
    AbutMeshReport report;
    AbutStatus status = abut_mesh_report(mesh, &report, error);
    if (status) return status;
    *solid = report.closed && report.oriented && fabs(report.mass.volume) > 0.0;
    AbutVec3 centroid = *solid ? report.mass.centroid : surface_centroid(mesh);
    if (!abut_is_finite(centroid))
        return abut_fail(error, ABUT_ERROR_EMPTY, "expected a mesh with an area, which an animation centers");
    for (int32_t i = 0; i < mesh->vertex_count; ++i) mesh->vertices[i] = abut_sub(mesh->vertices[i], centroid);
    return ABUT_OK;
}
