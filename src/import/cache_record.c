/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hull and convex pieces of a mesh as bytes. In and out: polyhedra, which are blocks without pointers, behind a header,
 * and a hash of all at the end. Bytes from outside are believed only after abut_polyhedron_check. Numbers are as in
 * memory: bytes of a machine of another order have another mark and are refused.
 */
#include <string.h>

#include "import/cache.h"

enum { VERSION = 1, MOST_BYTES = 1 << 30 };

static const uint64_t mark = UINT64_C(0x3163697475626100) + VERSION;

typedef struct Header {
    uint64_t mark;
    AbutCacheKey key;
    int32_t count, closed, target_met, padding;
    double mesh_volume, volume, excess;
} Header;

void abut_cached_free(AbutCached *cached) {
    abut_polyhedron_free(cached->hull);
    abut_pieces_free(&cached->pieces);
    memset(cached, 0, sizeof *cached);
}

AbutCacheKey abut_cache_key(const AbutMesh *mesh, const AbutDecomposeDef *pieces) {
    int32_t counts[4] = {mesh->vertex_count, mesh->triangle_count, pieces ? pieces->max_pieces : 0, pieces != NULL};
    double excess = pieces ? pieces->excess : 0.0;
    AbutCacheKey key;
    for (int k = 0; k < 2; ++k) {
        uint64_t hash = abut_hash(counts, sizeof counts, mark + (uint64_t)k);
        hash = abut_hash(abut_version(), strlen(abut_version()), hash);
        hash = abut_hash(&excess, sizeof excess, hash);
        hash = abut_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices, hash);
        key.word[k] = abut_hash(mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles, hash);
    }
    return key;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

static const AbutPolyhedron *block(const AbutCached *cached, int32_t i) {
    return i == 0 ? cached->hull : cached->pieces.piece[i - 1];
}

static char *append(char *at, const void *bytes, size_t count) {
    memcpy(at, bytes, count);
    return at + count;
}

int abut_cache_encode(const AbutCached *cached, AbutCacheKey key, char **bytes, size_t *count) {
    const AbutPieces *p = &cached->pieces;
    Header header = {mark, key, p->count, p->closed, p->target_met, 0, p->mesh_volume, p->volume, p->excess};
    uint64_t all = sizeof header + sizeof(uint64_t);
    *bytes = NULL;
    for (int32_t i = 0; i <= p->count; ++i) all += block(cached, i)->bytes;
    if (all > MOST_BYTES || !(*bytes = abut_alloc((size_t)all))) return 0;
    char *at = append(*bytes, &header, sizeof header);
    for (int32_t i = 0; i <= p->count; ++i) at = append(at, block(cached, i), (size_t)block(cached, i)->bytes);
    uint64_t hash = abut_hash(*bytes, (size_t)all - sizeof hash, mark);
    append(at, &hash, sizeof hash);
    *count = (size_t)all;
    return 1;
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* The rest of the bytes. */
typedef struct Bytes {
    const char *at;
    size_t count;
} Bytes;

static int take(Bytes *b, void *out, size_t count) {
    if (b->count < count) return 0;
    memcpy(out, b->at, count);
    b->at += count, b->count -= count;
    return 1;
}

/* A polyhedron with a volume, at the front of the bytes. */
static int take_polyhedron(Bytes *b, AbutPolyhedron **out) {
    AbutPolyhedron header;
    Bytes ahead = *b;
    *out = NULL;
    if (!take(&ahead, &header, sizeof header) || header.bytes > b->count || header.bytes < sizeof header) return 0;
    AbutPolyhedron *p = abut_alloc((size_t)header.bytes);
    int good = p && take(b, p, (size_t)header.bytes) &&
               abut_polyhedron_check(p, (size_t)header.bytes, NULL) == ABUT_OK && p->dimension == 3;
    if (good)
        *out = p;
    else
        abut_polyhedron_free(p);
    return good;
}

static int is_flag(int32_t value) { return value == 0 || value == 1; }

static int header_fits(const Header *h, AbutCacheKey key) {
    return h->mark == mark && memcmp(&h->key, &key, sizeof key) == 0 && h->count >= 0 && h->count <= ABUT_PIECES_MAX &&
           is_flag(h->closed) && is_flag(h->target_met) && h->padding == 0;
}

static int take_all(Bytes *b, const Header *h, AbutCached *out) {
    AbutPieces *p = &out->pieces;
    if (!take_polyhedron(b, &out->hull)) return 0;
    if (h->count == 0) return b->count == 0;
    p->piece = abut_alloc_array((size_t)h->count, sizeof *p->piece);
    p->closed = h->closed, p->target_met = h->target_met;
    p->mesh_volume = h->mesh_volume, p->volume = h->volume, p->excess = h->excess;
    while (p->piece && p->count < h->count && take_polyhedron(b, &p->piece[p->count])) ++p->count;
    return p->count == h->count && b->count == 0;
}

int abut_cache_decode(const void *bytes, size_t count, AbutCacheKey key, AbutCached *out) {
    Header header;
    uint64_t hash;
    memset(out, 0, sizeof *out);
    if (count < sizeof header + sizeof hash || count > MOST_BYTES) return 0;
    Bytes body = {bytes, count - sizeof hash}, end = {body.at + body.count, sizeof hash};
    if (!take(&end, &hash, sizeof hash) || hash != abut_hash(bytes, body.count, mark) ||
        !take(&body, &header, sizeof header) || !header_fits(&header, key))
        return 0;
    if (take_all(&body, &header, out)) return 1;
    abut_cached_free(out);
    return 0;
}
