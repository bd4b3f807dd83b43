/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io: files in and out. Meshes as OBJ, STL (ascii and binary) and PLY in, OBJ and STL out, in double precision;
 * JSON out.
 *
 * Readers never trust the file: counts are checked against its size before memory is taken, indices and numbers are
 * checked, no other file is opened, and what is skipped is counted. A failure names the file, the line or byte, and
 * what was expected; nothing is left allocated.
 */
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <stdio.h>

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
    int32_t polygons_split;   /* faces with more than three corners, cut into triangles */
    int32_t elements_ignored; /* lines, points, curves and other things that are not faces */
} AbutMeshFileInfo;

/*
 * Reads by content, with the name's ending as a hint. STL vertices with equal coordinates are joined. `info` may be
 * NULL. Polygons become a fan when convex, ears otherwise. On failure *out is empty.
 */
ABUT_API AbutStatus abut_mesh_read(const char *path, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/* The same from memory; `name` is used in messages and for its ending. */
ABUT_API AbutStatus abut_mesh_parse(
    const void *bytes, size_t count, const char *name, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error);

/*
 * Writes by the ending: .obj, .stl (binary), or .stla (ascii STL). The file appears whole or not at all. The two texts
 * keep every bit of a coordinate; binary STL rounds to float and refuses what float cannot hold.
 */
ABUT_API AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error);

/* ---- numbers as text --------------------------------------------------------------------------------------------- */

/* Room that abut_format_double needs, the final zero included. */
#define ABUT_DOUBLE_TEXT 32

/*
 * The shortest decimal that reads back to the same double, whatever the locale: "0.1", "-0", "1e-07", "nan", "-inf".
 * Gives its length; a text that does not fit in `size` bytes is cut as snprintf does.
 */
ABUT_API int abut_format_double(char *buffer, size_t size, double value);

/* ---- JSON out ---------------------------------------------------------------------------------------------------- */

#define ABUT_JSON_DEPTH 64

/*
 * A writer of one JSON value, to a stream or to memory. Calls follow the structure: begin, key, value, end. Nothing
 * fails on the way: the first failure (memory, a full disk, a call that makes no JSON) is kept, later calls do nothing,
 * and abut_json_finish tells. NaN and infinity become null; bytes of a string that are not UTF-8 become U+FFFD.
 */
typedef struct AbutJson {
    FILE *file; /* NULL: to memory */
    int indent; /* spaces per level; 0: all on one line */
    char *text; /* what is not in the file yet, or the whole text, zero-terminated after abut_json_finish */
    size_t count, capacity;
    AbutStatus status;
    int depth, wants_value; /* wants_value: behind a key */
    unsigned char level[ABUT_JSON_DEPTH + 1];
} AbutJson;

ABUT_API AbutJson abut_json_to_memory(int indent);
ABUT_API AbutJson abut_json_to_file(FILE *file, int indent); /* the file stays the caller's */

ABUT_API void abut_json_begin_object(AbutJson *json);
ABUT_API void abut_json_end_object(AbutJson *json);
ABUT_API void abut_json_begin_array(AbutJson *json);
ABUT_API void abut_json_end_array(AbutJson *json);
ABUT_API void abut_json_key(AbutJson *json, const char *key);
ABUT_API void abut_json_number(AbutJson *json, double value);
ABUT_API void abut_json_integer(AbutJson *json, int64_t value);
ABUT_API void abut_json_bool(AbutJson *json, int value);
ABUT_API void abut_json_null(AbutJson *json);
ABUT_API void abut_json_string(AbutJson *json, const char *text); /* NULL becomes null */
/* Arrays of numbers stay on one line. */
ABUT_API void abut_json_numbers(AbutJson *json, const double *values, int count);
ABUT_API void abut_json_vec3(AbutJson *json, AbutVec3 value); /* [x, y, z] */

/* A key and its value at once. */
ABUT_API void abut_json_put_number(AbutJson *json, const char *key, double value);
ABUT_API void abut_json_put_integer(AbutJson *json, const char *key, int64_t value);
ABUT_API void abut_json_put_bool(AbutJson *json, const char *key, int value);
ABUT_API void abut_json_put_string(AbutJson *json, const char *key, const char *text);
ABUT_API void abut_json_put_vec3(AbutJson *json, const char *key, AbutVec3 value);

/* Ends the text with a line feed and writes what is left. Fails with the first failure of any call before. */
ABUT_API AbutStatus abut_json_finish(AbutJson *json, AbutError *error);
ABUT_API void abut_json_free(AbutJson *json); /* the text in memory; leaves an empty writer */

#ifdef __cplusplus
}
#endif

#endif
