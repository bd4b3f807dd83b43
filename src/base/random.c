/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter-based random numbers and the hash. Number i of a stream is a mix of (key, i) alone: two rounds of a
 * multiply-and-fold mixer over 128-bit products, so streams can be cut anywhere and replayed in any order.
 */
#include "abut/base.h"

#include <math.h>
#include <string.h>

static const uint64_t odd1 = 0x9e3779b97f4a7c15u, odd2 = 0xd1342543de82ef95u, odd3 = 0xaf251af3b0f025b5u;

/* High and low half of the 128-bit product, folded. */
static uint64_t fold(uint64_t a, uint64_t b) {
    uint64_t a1 = a >> 32, a0 = a & 0xffffffffu, b1 = b >> 32, b0 = b & 0xffffffffu;
    uint64_t low = a0 * b0, mid1 = a1 * b0, mid2 = a0 * b1, high = a1 * b1;
    uint64_t carry = ((low >> 32) + (mid1 & 0xffffffffu) + (mid2 & 0xffffffffu)) >> 32;
    return (high + (mid1 >> 32) + (mid2 >> 32) + carry) ^ (a * b);
}

static uint64_t scramble(uint64_t x) {
    x ^= x >> 32;
    x *= odd2;
    x ^= x >> 29;
    x *= odd3;
    x ^= x >> 32;
    return x;
}

AbutRng abut_rng(uint64_t seed, uint64_t stream) {
    AbutRng rng = {scramble(scramble(seed + odd1) ^ (stream * odd2 + odd3)), 0};
    return rng;
}

static uint64_t draw(uint64_t key, uint64_t index) {
    uint64_t x = scramble(index * odd1 + key);
    return fold(x ^ odd2, key | 1u) + scramble(x + odd3);
}

uint64_t abut_rng_u64(AbutRng *rng) {
    ABUT_ASSERT(rng);
    return draw(rng->key, rng->counter++);
}

uint32_t abut_rng_below(AbutRng *rng, uint32_t limit) {
    ABUT_ASSERT(rng);
    if (limit == 0) return 0;
    uint32_t skip = (uint32_t)(-limit) % limit; /* 2^32 mod limit: the first `skip` low halves would be favored */
    for (;;) {
        uint64_t wide = (abut_rng_u64(rng) >> 32) * limit;
        if ((uint32_t)wide >= skip) return (uint32_t)(wide >> 32);
    }
}

double abut_rng_unit(AbutRng *rng) {
    ABUT_ASSERT(rng);
    return (double)(abut_rng_u64(rng) >> 11) * 0x1p-53;
}

double abut_rng_between(AbutRng *rng, double low, double high) {
    ABUT_ASSERT(rng);
    return low + (high - low) * abut_rng_unit(rng);
}

uint64_t abut_hash(const void *bytes, size_t count, uint64_t seed) {
    ABUT_ASSERT(bytes || count == 0);
    const unsigned char *p = (const unsigned char *)bytes;
    uint64_t h = scramble(seed ^ (odd1 + count));
    for (; count >= 8; count -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = fold(h ^ word, odd2) + (h << 23 | h >> 41);
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < count; ++i) tail |= (uint64_t)p[i] << (8 * i);
    return scramble(fold(h ^ tail, odd3) + h);
}
