/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion sort, which is quick on an order that is nearly right; merge sort where that is no help. See sort.h. */
#include "base/sort.h"

#include <string.h>

typedef struct Keys {
    const char *first;
    size_t stride;
} Keys;

static int is_before(Keys keys, int32_t i, int32_t j) {
    double a, b;
    memcpy(&a, keys.first + (size_t)i * keys.stride, sizeof a);
    memcpy(&b, keys.first + (size_t)j * keys.stride, sizeof b);
    return a != b ? a < b : i < j;
}

static void merge_sort(Keys keys, int32_t *order, int32_t *room, int32_t n) {
    for (int32_t width = 1; width < n; width *= 2) {
        for (int32_t from = 0; from < n; from += 2 * width) {
            int32_t i = from, j = from + width < n ? from + width : n, middle = j,
                    end = from + 2 * width < n ? from + 2 * width : n, k = from;
            while (i < middle && j < end) room[k++] = is_before(keys, order[j], order[i]) ? order[j++] : order[i++];
            while (i < middle) room[k++] = order[i++];
            while (j < end) room[k++] = order[j++];
        }
        memcpy(order, room, (size_t)n * sizeof *order);
    }
}

void abut_sort_places(const double *key, size_t stride, int32_t *order, int32_t *room, int32_t n) {
    Keys keys = {(const char *)key, stride};
    int64_t moves = 0;
    for (int32_t i = 1; i < n; ++i) {
        int32_t place = order[i], j = i;
        for (; j > 0 && is_before(keys, place, order[j - 1]); --j, ++moves) order[j] = order[j - 1];
        order[j] = place;
        if (moves > 16 * (int64_t)n) {
            merge_sort(keys, order, room, n);
            return;
        }
    }
}
