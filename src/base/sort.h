/* SPDX-License-Identifier: Apache-2.0 */
/* Order of places in an array by a number that each of them has; two places as one number. */
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts n places by their keys, upwards, equal ones by place; quick where they are nearly in order. The key of place 0
 * is *key, that of the next one `stride` bytes further. `room` has space for n; it may be undefined afterward.
 */
void abut_sort_places(const double *key, size_t stride, int32_t *order, int32_t *room, int32_t n);

/* Two places, whichever comes first: the lower one is the upper half of the key. */
static inline uint64_t abut_pair_key(int32_t a, int32_t b) {
    return (uint64_t)(uint32_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
}

#endif
