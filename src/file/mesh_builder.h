/* SPDX-License-Identifier: Apache-2.0 */
/* Vertices and triangles of a file while it is being read, and polygons cut into triangles. */
#ifndef ABUT_SRC_FILE_MESH_BUILDER_H
#define ABUT_SRC_FILE_MESH_BUILDER_H

#include "abut/file.h"
#include "base/text.h"

typedef struct AbutMeshBuilder {
    AbutVec3 *vertices;
    AbutTriangle *triangles;
    int32_t *corners; /* of the polygon at hand */
    size_t vertex_count, triangle_count, corner_count;
    size_t vertex_capacity, triangle_capacity, corner_capacity;
    void *scratch;
    size_t scratch_capacity;
    int64_t work; /* left for cutting concave polygons, so that no file can hold the reader for minutes */
    int32_t polygons_split, elements_ignored;
} AbutMeshBuilder;

AbutMeshBuilder abut_mesh_builder(void);
void abut_mesh_builder_free(AbutMeshBuilder *builder);

/* Room for `count` more; a failure is MEMORY or LIMIT, told by the caller with abut_mesh_builder_fail. */
AbutStatus abut_mesh_builder_reserve_vertices(AbutMeshBuilder *builder, size_t count);
AbutStatus abut_mesh_builder_reserve_triangles(AbutMeshBuilder *builder, size_t count);
AbutStatus abut_mesh_builder_reserve_corners(AbutMeshBuilder *builder, size_t count);

/* Message for a failure of these functions, with the place in the text. */
AbutStatus abut_mesh_builder_fail(const AbutText *text, const char *where, AbutStatus status, int binary);

static inline AbutStatus abut_mesh_builder_vertex(AbutMeshBuilder *builder, AbutVec3 vertex) {
    if (ABUT_UNLIKELY(builder->vertex_count == builder->vertex_capacity)) {
        AbutStatus status = abut_mesh_builder_reserve_vertices(builder, 1);
        if (status) return status;
    }
    builder->vertices[builder->vertex_count++] = vertex;
    return ABUT_OK;
}

static inline AbutStatus abut_mesh_builder_corner(AbutMeshBuilder *builder, int32_t vertex) {
    if (ABUT_UNLIKELY(builder->corner_count == builder->corner_capacity)) {
        AbutStatus status = abut_mesh_builder_reserve_corners(builder, 1);
        if (status) return status;
    }
    builder->corners[builder->corner_count++] = vertex;
    return ABUT_OK;
}

/* Adds the polygon of the corners so far (three or more, in range) as triangles and clears them. */
AbutStatus abut_mesh_builder_polygon(AbutMeshBuilder *builder);

/* One more thing that is not a face. */
void abut_mesh_builder_ignore(AbutMeshBuilder *builder, int64_t count);

/* The mesh of what was added, which takes over its memory; an empty one fails. The builder is left to be freed. */
AbutStatus abut_mesh_builder_finish(AbutMeshBuilder *builder, const AbutText *text, AbutMesh *out);

#endif
