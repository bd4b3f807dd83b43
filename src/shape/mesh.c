/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of triangle meshes. */
#include "abut/shape.h"

AbutStatus abut_mesh_create(int vertex_count, int triangle_count, AbutMesh *out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutMesh mesh = {vertex_count, triangle_count, NULL, NULL}, none = {0, 0, NULL, NULL};
    *out = none;
    if (vertex_count < 0 || triangle_count < 0)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "a mesh of %d vertices and %d triangles", vertex_count, triangle_count);
    mesh.vertices = abut_alloc_array((size_t)vertex_count, sizeof *mesh.vertices);
    mesh.triangles = abut_alloc_array((size_t)triangle_count, sizeof *mesh.triangles);
    if (mesh.vertices && mesh.triangles) {
        *out = mesh;
        return ABUT_OK;
    }
    abut_mesh_free(&mesh);
    return abut_fail_memory(error);
}

void abut_mesh_free(AbutMesh *mesh) {
    ABUT_ASSERT(mesh);
    AbutMesh none = {0, 0, NULL, NULL};
    abut_free(mesh->vertices);
    abut_free(mesh->triangles);
    *mesh = none;
}
