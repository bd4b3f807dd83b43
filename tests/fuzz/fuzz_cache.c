/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cached hulls and pieces from arbitrary bytes. Key and hashes are made to fit, so that what lies behind them is
 * reached. What is accepted is written back as the same bytes.
 */
#include "fuzz.h"

#include "import/cache.h"
#include "shape/hull.h"

#include <string.h>

enum { HEADER = 64, KEY_AT = 8, MOST_BLOCKS = 64 };

/* Hashes of the polyhedra, where their sizes lead. */
static void mend_blocks(uint8_t *bytes, size_t end) {
    size_t at = HEADER;
    for (int i = 0; i < MOST_BLOCKS && at + sizeof(AbutPolyhedron) <= end; ++i) {
        AbutPolyhedron header;
        memcpy(&header, bytes + at, sizeof header);
        if (header.bytes < sizeof header || header.bytes > end - at) return;
        AbutPolyhedron *whole = abut_alloc((size_t)header.bytes);
        FUZZ_REQUIRE(whole);
        memcpy(whole, bytes + at, (size_t)header.bytes);
        whole->hash = abut_polyhedron_hash(whole);
        memcpy(bytes + at, whole, sizeof *whole);
        abut_free(whole);
        at += (size_t)header.bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutCacheKey key = {{0, 0}};
    AbutCached cached;
    if (size < HEADER + sizeof(uint64_t) || size > 1 << 20) {
        FUZZ_REQUIRE(size > 1 << 20 || !abut_cache_decode(data, size, key, &cached));
        return 0;
    }
    uint8_t *copy = abut_alloc(size);
    FUZZ_REQUIRE(copy);
    memcpy(copy, data, size);
    uint64_t mark, hash;
    char *again = NULL;
    size_t count = 0;
    FUZZ_REQUIRE(abut_cache_encode(&(AbutCached){.pieces = {.count = -1}}, key, &again, &count));
    memcpy(&mark, again, sizeof mark);
    abut_free(again);
    memcpy(copy, &mark, sizeof mark);
    memcpy(&key, copy + KEY_AT, sizeof key);
    mend_blocks(copy, size - sizeof hash);
    hash = abut_hash(copy, size - sizeof hash, mark);
    memcpy(copy + size - sizeof hash, &hash, sizeof hash);
    if (abut_cache_decode(copy, size, key, &cached)) {
        FUZZ_REQUIRE(abut_cache_encode(&cached, key, &again, &count));
        FUZZ_REQUIRE(cached.pieces.count > 0 ? count == size && memcmp(again, copy, size) == 0 : count == size);
        abut_free(again);
        abut_cached_free(&cached);
    }
    abut_free(copy);
    return 0;
}
