/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as a mesh: the first byte is the number of vertices, then three 16-bit words each, then triangles of three
 * bytes. Words become whole numbers times a power of two, huge and tiny numbers, infinities and NaN; indices may be
 * out of range.
 */
#include "abut/shape.h"
#include "fuzz/fuzz.h"

#include <math.h>

static double number_from(const uint8_t *bytes) {
    static const double special[8] = {INFINITY, NAN, 1e300, -1e300, 1e-300, -0.0, 1e140, 5e-324};
    double whole = bytes[0] - 128.0;
    return bytes[1] >= 0xf0 ? special[bytes[0] % 8] : whole * pow(2.0, bytes[1] % 32 - 16.0);
}

static int mesh_from(const uint8_t *data, size_t size, AbutMesh *mesh) {
    size_t vertices = size ? data[0] % 40u : 0u;
    if (size < 1 + 6 * vertices) return 0;
    const uint8_t *rest = data + 1 + 6 * vertices;
    size_t triangles = (size - 1 - 6 * vertices) / 3;
    if (triangles > 300 || abut_mesh_create((int)vertices, (int)triangles, mesh, NULL) != ABUT_OK) return 0;
    for (size_t v = 0; v < vertices; ++v) {
        const uint8_t *at = data + 1 + 6 * v;
        mesh->vertices[v] = abut_vec3(number_from(at), number_from(at + 2), number_from(at + 4));
    }
    for (size_t t = 0; t < triangles; ++t)
        for (int i = 0; i < 3; ++i)
            mesh->triangles[t].v[i] = rest[3 * t + (size_t)i] == 255 ? -1 : rest[3 * t + (size_t)i];
    return 1;
}

static void check_capsule(const AbutMesh *mesh) {
    AbutCapsule c;
    if (abut_capsule_around(mesh->vertices, mesh->vertex_count, &c, NULL) != ABUT_OK) return;
    FUZZ_REQUIRE(abut_is_finite(c.a) && abut_is_finite(c.b) && isfinite(c.radius) && c.radius >= 0.0);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        AbutVec3 d = abut_sub(c.b, c.a), p = abut_sub(mesh->vertices[v], c.a);
        double whole = abut_dot(d, d), t = whole > 0.0 ? fmin(fmax(abut_dot(p, d) / whole, 0.0), 1.0) : 0.0;
        FUZZ_REQUIRE(abut_length(abut_add_scaled(p, d, -t)) <= c.radius);
    }
}

static void check_report(AbutMesh *mesh) {
    AbutMeshReport before, after;
    AbutTriangle *adjacency;
    AbutStatus status = abut_mesh_adjacency(mesh, &adjacency, NULL);
    abut_free(adjacency);
    if (abut_mesh_report(mesh, &before, NULL) != ABUT_OK) return;
    FUZZ_REQUIRE(status == ABUT_OK);
    FUZZ_REQUIRE(!before.outward || (before.closed && before.oriented && before.mass.volume > 0.0));
    FUZZ_REQUIRE(abut_mesh_weld(mesh, NULL) == ABUT_OK);
    FUZZ_REQUIRE(abut_mesh_report(mesh, &after, NULL) == ABUT_OK);
    FUZZ_REQUIRE(after.unused_vertices == 0 && after.degenerate >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutMesh mesh;
    if (!mesh_from(data, size, &mesh)) return 0;
    check_capsule(&mesh);
    check_report(&mesh);
    abut_mesh_free(&mesh);
    return 0;
}
