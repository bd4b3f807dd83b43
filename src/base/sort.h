/* SPDX-License-Identifier: Apache-2.0 */
/* Order of places in an array by a number that each of them has. */
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts n places by their keys, upwards, equal ones by place; quick where they are nearly in order. The key of place 0
 * is *key, that of the next one `stride` bytes further. `room` has space for n; it may be undefined afterwards.
 */
void abut_sort_places(const double *key, size_t stride, int32_t *order, int32_t *room, int32_t n);

#endif
