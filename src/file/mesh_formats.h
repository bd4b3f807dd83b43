/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of mesh formats. A format is one file that defines an AbutMeshFormat, and one row of ABUT_MESH_FORMATS;
 * reading, writing, messages and the tool follow the table.
 */
#ifndef ABUT_SRC_FILE_MESH_FORMATS_H
#define ABUT_SRC_FILE_MESH_FORMATS_H

#include "file/mesh_builder.h"

#include <string.h>

/* How sure a format is that bytes are its own; the surest reads them. 0: they are not. */
enum { ABUT_SNIFF_GUESS = 1, ABUT_SNIFF_NAME, ABUT_SNIFF_WORD, ABUT_SNIFF_SIZE, ABUT_SNIFF_MARK };

typedef struct AbutMeshFormat {
    const char *name;   /* as AbutMeshFileInfo tells it */
    const char *ending; /* of its files, lower case with the dot */
    double largest;     /* magnitude of a coordinate that can be written */
    int (*sniff)(const AbutText *text);
    int weld; /* 1: vertices with equal coordinates are joined */
    AbutStatus (*read)(AbutText *text, AbutMeshBuilder *builder);
    int (*write)(FILE *file, const AbutMesh *mesh); /* false when the stream takes no more; NULL: not written */
} AbutMeshFormat;

/* clang-format off */
#define ABUT_MESH_FORMATS(row) \
    row(obj)                   \
    row(stl_binary)            \
    row(stl_ascii)             \
    row(ply)                   \
    row(tri)                   \
    row(glb)                   \
    row(dae)
/* clang-format on */

#define ABUT_MESH_FORMAT_DECLARE(name) extern const AbutMeshFormat abut_mesh_##name;
ABUT_MESH_FORMATS(ABUT_MESH_FORMAT_DECLARE)

/* ---- shared by formats ------------------------------------------------------------------------------------------- */

int abut_mesh_has_ending(const char *name, const char *lower); /* in any case */
int abut_mesh_looks_binary(const AbutText *text);

/* Some editors put a byte order mark in front of a text. */
void abut_mesh_skip_mark(AbutText *text);

/* A line "before x y z" with every bit of the numbers; false when the stream takes no more. */
int abut_mesh_put_vec3(FILE *file, const char *before, AbutVec3 v);

/* Unit normal of a triangle of any size, or zero. */
AbutVec3 abut_mesh_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c);

/* Little-endian numbers at any address, on any machine. */
static inline uint32_t abut_load_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t abut_load_u64(const char *bytes) {
    return (uint64_t)abut_load_u32(bytes) | (uint64_t)abut_load_u32(bytes + 4) << 32;
}

/* A little-endian float at `bytes` as double; the return value is false for NaN and infinity. */
static inline int abut_load_float(const char *bytes, double *out) {
    uint32_t bits = abut_load_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    *out = value;
    return (bits & 0x7f800000u) != 0x7f800000u;
}

#endif
