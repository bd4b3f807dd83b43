/* SPDX-License-Identifier: Apache-2.0 */
/* What every mesh reader owes for any bytes: a sound mesh that survives being written and read again, or nothing. */
#ifndef ABUT_TESTS_FUZZ_MESH_ROUND_TRIP_H
#define ABUT_TESTS_FUZZ_MESH_ROUND_TRIP_H

#include "abut/file.h"
#include "fuzz.h"
#include "file/mesh_formats.h"

#include <string.h>

static void require_sound(const AbutMesh *mesh) {
    FUZZ_REQUIRE(mesh->triangle_count > 0 && mesh->vertex_count > 0);
    for (int i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            FUZZ_REQUIRE(mesh->triangles[i].v[k] >= 0 && mesh->triangles[i].v[k] < mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; ++i)
        FUZZ_REQUIRE(isfinite(mesh->vertices[i].x) && isfinite(mesh->vertices[i].y) && isfinite(mesh->vertices[i].z));
}

/* Writes the mesh to memory in a format, reads it back and compares bit for bit. */
static void require_round_trip(const AbutMesh *mesh, const AbutMeshFormat *format, const char *name) {
    char *text = NULL;
    size_t count = 0;
    FILE *stream = open_memstream(&text, &count);
    FUZZ_REQUIRE(stream && format->write(stream, mesh) && fclose(stream) == 0);
    AbutMesh back;
    AbutMeshFileInfo info;
    FUZZ_REQUIRE(abut_mesh_read(name, text, count, &back, &info, NULL) == ABUT_OK);
    FUZZ_REQUIRE(strcmp(info.format, format->name) == 0);
    FUZZ_REQUIRE(back.vertex_count == mesh->vertex_count && back.triangle_count == mesh->triangle_count);
    FUZZ_REQUIRE(!memcmp(back.vertices, mesh->vertices, (size_t)back.vertex_count * sizeof back.vertices[0]));
    FUZZ_REQUIRE(!memcmp(back.triangles, mesh->triangles, (size_t)back.triangle_count * sizeof back.triangles[0]));
    abut_mesh_free(&back);
    free(text);
}

static void fuzz_mesh(const uint8_t *data, size_t size, const char *name) {
    AbutMesh mesh;
    AbutMeshFileInfo info;
    AbutError error = {0};
    if (abut_mesh_read(name, data, size, &mesh, &info, &error) != ABUT_OK) {
        FUZZ_REQUIRE(error.status != ABUT_OK && error.text[0] && !strchr(error.text, '\n'));
        FUZZ_REQUIRE(!mesh.vertices && !mesh.triangles && mesh.vertex_count == 0 && mesh.triangle_count == 0);
        return;
    }
    require_sound(&mesh);
    require_round_trip(&mesh, &abut_mesh_obj, "back.obj");
    if (strncmp(info.format, "stl", 3) == 0) require_round_trip(&mesh, &abut_mesh_stl_ascii, "back.stla");
    if (strcmp(info.format, "stl-binary") == 0) require_round_trip(&mesh, &abut_mesh_stl_binary, "back.stl");
    abut_mesh_free(&mesh);
}

#endif
