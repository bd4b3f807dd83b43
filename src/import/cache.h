/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: hulls and convex pieces of meshes on disk, by the content of the mesh. A folder holds one file for each;
 * files that are damaged, foreign or of another version count as missing, and whatever fails is as no cache at all.
 */
#ifndef ABUT_SRC_IMPORT_CACHE_H
#define ABUT_SRC_IMPORT_CACHE_H

#include "abut/mesh.h"

#define ABUT_CACHE_LIMIT ((uint64_t)512 << 20) /* bytes of a folder; what was not used for longest goes first */

typedef struct AbutCacheKey {
    uint64_t word[2];
} AbutCacheKey;

/* Kept for a mesh: its hull, and its convex pieces where it has some. */
typedef struct AbutCached {
    AbutPolyhedron *hull;
    AbutPieces pieces;
} AbutCached;

void abut_cached_free(AbutCached *cached);

/* Hash of the bits of a mesh, of whether pieces are asked for and how fine, and of the version of their making. */
AbutCacheKey abut_cache_key(const AbutMesh *mesh, const AbutDecomposeDef *pieces);

/* As bytes, to be freed; and back, 0 where they are not such bytes of this key. */
int abut_cache_encode(const AbutCached *cached, AbutCacheKey key, char **bytes, size_t *count);
int abut_cache_decode(const void *bytes, size_t count, AbutCacheKey key, AbutCached *out);

/* From a folder, 0 where it is not there; into it, made when missing. */
int abut_cache_get(const char *folder, AbutCacheKey key, AbutCached *out);
void abut_cache_put(const char *folder, AbutCacheKey key, const AbutCached *cached);

/* Removes files until `limit` bytes are left. */
void abut_cache_trim(const char *folder, uint64_t limit);

#endif
