/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays of vertices and triangles behind the mesh readers. */
#include "file/mesh_builder.h"
#include "shape/polygon_cut.h"

#include <string.h>

#define CUT_WORK INT64_C(500000000)

AbutMeshBuilder abut_mesh_builder(void) {
    AbutMeshBuilder builder = {0};
    builder.work = CUT_WORK;
    return builder;
}

void abut_mesh_builder_free(AbutMeshBuilder *builder) {
    abut_free(builder->vertices);
    abut_free(builder->triangles);
    abut_free(builder->corners);
    abut_free(builder->scratch);
    memset(builder, 0, sizeof *builder);
}

static AbutStatus reserve(void **memory, size_t *capacity, size_t have, size_t more, size_t bytes_each) {
    if (more > ABUT_MESH_LIMIT || have + more > ABUT_MESH_LIMIT) return ABUT_ERROR_LIMIT;
    return abut_grow(memory, capacity, have + more, bytes_each) ? ABUT_OK : ABUT_ERROR_MEMORY;
}

AbutStatus abut_mesh_builder_reserve_vertices(AbutMeshBuilder *b, size_t count) {
    return reserve((void **)&b->vertices, &b->vertex_capacity, b->vertex_count, count, sizeof *b->vertices);
}

AbutStatus abut_mesh_builder_reserve_triangles(AbutMeshBuilder *b, size_t count) {
    return reserve((void **)&b->triangles, &b->triangle_capacity, b->triangle_count, count, sizeof *b->triangles);
}

AbutStatus abut_mesh_builder_reserve_corners(AbutMeshBuilder *b, size_t count) {
    return reserve((void **)&b->corners, &b->corner_capacity, b->corner_count, count, sizeof *b->corners);
}

AbutStatus abut_mesh_builder_fail(const AbutText *text, const char *where, AbutStatus status, int binary) {
    char limit[80];
    const char *what = "out of memory";
    if (status == ABUT_ERROR_LIMIT) {
        snprintf(limit, sizeof limit, "expected at most %d vertices and triangles, got more", ABUT_MESH_LIMIT);
        what = limit;
    } else if (status == ABUT_ERROR_UNSUPPORTED) {
        what = "polygons with too many corners that are not convex";
    }
    return binary ? abut_byte_fail(text, where, status, "%s", what) : abut_text_fail(text, where, status, "%s", what);
}

/* Square of a diagonal in single precision, as MuJoCo's reader has it: where both are nearly equal, rounding decides.
 */
static float diagonal(AbutVec3 a, AbutVec3 b) {
    float x = (float)b.x - (float)a.x, y = (float)b.y - (float)a.y, z = (float)b.z - (float)a.z;
    return x * x + y * y + z * z;
}

/* A bent quadrilateral, along its shorter diagonal; false: it is flat. One that is nearly flat must be convex, too. */
static int cut_quad(const AbutVec3 *v, const int32_t *c, AbutTriangle out[2]) {
    static const double BENT = 1e-6; /* distance of the diagonals from each other, part of the longer */
    AbutVec3 first = abut_sub(v[c[2]], v[c[0]]), second = abut_sub(v[c[3]], v[c[1]]), all = abut_cross(first, second);
    double height = fabs(abut_dot(abut_sub(v[c[1]], v[c[0]]), all)),
           size = sqrt(fmax(abut_length_sq(first), abut_length_sq(second)));
    int from = diagonal(v[c[0]], v[c[2]]) >= diagonal(v[c[1]], v[c[3]]), convex = height != 0.0;
    for (int k = 0; k < 4; ++k)
        convex &=
            abut_dot(abut_cross(abut_sub(v[c[(k + 1) % 4]], v[c[k]]), abut_sub(v[c[(k + 2) % 4]], v[c[k]])), all) > 0.0;
    out[0] = (AbutTriangle){{c[0], c[1], c[from ? 3 : 2]}};
    out[1] = (AbutTriangle){{c[from], c[2], c[3]}};
    return convex || height > BENT * size * abut_length(all);
}

AbutStatus abut_mesh_builder_polygon(AbutMeshBuilder *builder) {
    size_t count = builder->corner_count;
    builder->corner_count = 0;
    ABUT_TRY(abut_mesh_builder_reserve_triangles(builder, count - 2));
    AbutTriangle *out = builder->triangles + builder->triangle_count;
    if (count == 3) {
        memcpy(out->v, builder->corners, sizeof out->v);
    } else if (count == 4 && cut_quad(builder->vertices, builder->corners, out)) {
        ++builder->polygons_split;
    } else {
        if (!abut_grow(&builder->scratch, &builder->scratch_capacity, abut_polygon_scratch(count), 1))
            return ABUT_ERROR_MEMORY;
        if (!abut_polygon_cut(builder->vertices, builder->corners, (int)count, builder->scratch, &builder->work, out))
            return ABUT_ERROR_UNSUPPORTED;
        ++builder->polygons_split;
    }
    builder->triangle_count += count - 2;
    return ABUT_OK;
}

void abut_mesh_builder_ignore(AbutMeshBuilder *builder, int64_t count) {
    int64_t room = INT32_MAX - builder->elements_ignored;
    builder->elements_ignored += (int32_t)(count < room ? count : room);
}

AbutStatus abut_mesh_builder_finish(AbutMeshBuilder *builder, const AbutText *text, AbutMesh *out) {
    if (builder->triangle_count == 0)
        return abut_name_fail(text, ABUT_ERROR_EMPTY, "no triangles (%zu vertices)", builder->vertex_count);
    *out = (AbutMesh){
        (int32_t)builder->vertex_count, (int32_t)builder->triangle_count, builder->vertices, builder->triangles};
    builder->vertices = NULL, builder->triangles = NULL;
    return ABUT_OK;
}
