/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of straight lines through postures, in planned coordinates: lengths, and places along them. */
#ifndef ABUT_SRC_PLAN_PATH_H
#define ABUT_SRC_PLAN_PATH_H

#include <math.h>
#include <stdint.h>

static inline double abut_plan_apart(int32_t width, const double *a, const double *b) {
    double sum = 0.0;
    for (int32_t c = 0; c < width; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sqrt(sum);
}

static inline double abut_plan_path_length(int32_t width, int32_t count, const double *path) {
    double sum = 0.0;
    for (int32_t i = 0; i + 1 < count; ++i) sum += abut_plan_apart(width, path + i * width, path + (i + 1) * width);
    return sum;
}

/* The place at a length along the path; gives the line that it is on. */
static inline int32_t abut_plan_path_at(int32_t width, int32_t count, const double *path, double length, double *out) {
    int32_t k = 0;
    double part = abut_plan_apart(width, path, path + width);
    while (k + 2 < count && length > part) {
        length -= part;
        ++k;
        part = abut_plan_apart(width, path + k * width, path + (k + 1) * width);
    }
    double x = part > 0.0 ? fmin(length / part, 1.0) : 0.0;
    for (int32_t c = 0; c < width; ++c)
        out[c] = path[k * width + c] + x * (path[(k + 1) * width + c] - path[k * width + c]);
    return k;
}

#endif
