/* SPDX-License-Identifier: Apache-2.0 */
/* One reader per mesh format; abut_mesh_parse chooses. Each leaves *out empty on failure. */
#ifndef ABUT_SRC_FILE_MESH_FORMATS_H
#define ABUT_SRC_FILE_MESH_FORMATS_H

#include "file/mesh_builder.h"

AbutStatus abut_read_obj(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info);
AbutStatus abut_read_stl_ascii(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info);
AbutStatus abut_read_stl_binary(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info);
AbutStatus abut_read_ply(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info);

/* The bytes of a mesh file to a stream; false when the stream takes no more. PLY cannot be written. */
int abut_mesh_write_stream(FILE *file, const AbutMesh *mesh, AbutMeshFormat format);

/* Little-endian numbers at any address, on any machine. */
static inline uint32_t abut_load_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t abut_load_u64(const char *bytes)
{
    return (uint64_t)abut_load_u32(bytes) | (uint64_t)abut_load_u32(bytes + 4) << 32;
}

#endif
