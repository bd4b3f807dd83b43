/* SPDX-License-Identifier: Apache-2.0 */
/* Many arrays in one block of memory. The takes run twice: without a block they add up its size. */
#ifndef ABUT_SRC_BASE_TAKER_H
#define ABUT_SRC_BASE_TAKER_H

#include <stddef.h>

typedef struct AbutTaker {
    char *block; /* at a multiple of 64; NULL: only `used` is wanted */
    size_t used;
} AbutTaker;

/* The next `count` things of `size` bytes, at a multiple of 64; NULL without a block. */
static inline void *abut_take(AbutTaker *taker, size_t count, size_t size) {
    void *out = taker->block ? taker->block + taker->used : NULL;
    taker->used += (count * size + 63) / 64 * 64;
    return out;
}

#endif
