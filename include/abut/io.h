/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io: files in and out. Meshes as OBJ, STL (ascii and binary) and PLY in, OBJ and STL out, in double precision.
 *
 * Readers never trust the file: counts are checked against its size before memory is taken, indices and numbers are
 * checked, no other file is opened, and what is skipped is counted. A failure names the file, the line or byte, and
 * what was expected; nothing is left allocated.
 */
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More triangles or vertices than this are refused. */
#define ABUT_MESH_LIMIT 100000000

typedef enum AbutMeshFormat {
    ABUT_MESH_FORMAT_UNKNOWN = 0,
    ABUT_MESH_FORMAT_OBJ,
    ABUT_MESH_FORMAT_STL_ASCII,
    ABUT_MESH_FORMAT_STL_BINARY,
    ABUT_MESH_FORMAT_PLY
} AbutMeshFormat;

/* What a reader has to say beside the mesh. */
typedef struct AbutMeshFileInfo {
    AbutMeshFormat format;
    int32_t polygons_split;  /* faces with more than three corners, cut into triangles */
    int32_t elements_ignored; /* lines, points, curves and other things that are not faces */
} AbutMeshFileInfo;

/* Reads by content, with the name's ending as a hint. STL vertices with equal coordinates are joined. `info` may be NULL. */
ABUT_API AbutStatus abut_mesh_read(const char *path, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/* The same from memory; `name` is used in messages and for its ending. */
ABUT_API AbutStatus abut_mesh_parse(
    const void *bytes, size_t count, const char *name, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/* Writes by the ending: .obj, .stl (binary), or .stla (ascii STL). The file appears whole or not at all. */
ABUT_API AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
