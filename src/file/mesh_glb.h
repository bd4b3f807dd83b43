/* SPDX-License-Identifier: Apache-2.0 */
/* A binary glTF 2.0 file while it is being read: its two chunks, tables of the objects in its JSON, its accessors. */
#ifndef ABUT_SRC_FILE_MESH_GLB_H
#define ABUT_SRC_FILE_MESH_GLB_H

#include "file/mesh_formats.h"
#include "json/read.h"

/* Members of a top-level array by their number. */
typedef struct AbutGlbTable {
    const AbutJsonNode **item;
    int32_t count;
} AbutGlbTable;

typedef struct AbutGlb {
    AbutText *text;
    AbutJsonText json;
    const char *binary; /* NULL: no second chunk */
    uint64_t binary_size;
    AbutGlbTable nodes, meshes, accessors, views;
    AbutMeshBuilder *builder;
} AbutGlb;

/* Numbers of the binary chunk: `count` rows, `stride` bytes apart. */
typedef struct AbutGlbRows {
    const char *at;
    int32_t count;
    uint32_t stride;
    int32_t type; /* component type of the format: 5121 uint8, 5123 uint16, 5125 uint32, 5126 float */
} AbutGlbRows;

/* Chunks, JSON and tables of a file of which text and builder are set; refuses what needs an extension that changes
 * geometry. On failure to be closed as well. */
AbutStatus abut_glb_open(AbutGlb *out);
void abut_glb_close(AbutGlb *glb);

/* Failure at a node of the JSON. */
#define ABUT_GLB_FAIL(glb, node, status, ...)                                                                          \
    abut_json_fail(&(glb)->json, node, (glb)->text->error, status, __VA_ARGS__)

/* A member that is an integer from 0 to `last`, or `*out` as it was when there is none. */
AbutStatus abut_glb_integer(
    const AbutGlb *glb, const AbutJsonNode *object, const char *key, int64_t last, int64_t *out);

/* The numbers of a member that is an array of exactly `count`; *found is 0 when there is none. */
AbutStatus abut_glb_numbers(
    const AbutGlb *glb, const AbutJsonNode *object, const char *key, int count, double *out, int *found);

/* The accessor of that number as positions (three floats) or as indices; `node` is who asks. */
AbutStatus abut_glb_positions(const AbutGlb *glb, const AbutJsonNode *node, int64_t accessor, AbutGlbRows *out);
AbutStatus abut_glb_indices(const AbutGlb *glb, const AbutJsonNode *node, int64_t accessor, AbutGlbRows *out);

/* Row i: a position, which must be finite, or an index. */
int abut_glb_position(const AbutGlbRows *rows, int32_t i, AbutVec3 *out);
uint32_t abut_glb_index(const AbutGlbRows *rows, int32_t i);

#endif
