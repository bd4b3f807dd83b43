/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of convex queries over rows of numbers, in the widest form this processor has. */
#ifndef ABUT_MATH_SCAN_H
#define ABUT_MATH_SCAN_H

#include <stdint.h>

/*
 * Index of the largest x[i] d0 + y[i] d1 + z[i] d2, the first of equals. `rows` holds x, y, z one after the other, each
 * of `count` numbers; count is a multiple of 8 and rows is aligned to 64 bytes. All versions give the same index.
 */
typedef int AbutScanFarthest(const double *rows, int count, const double d[3]);

/* Index of the smallest of values[0..count-1], the first of equals; count is a multiple of 8, aligned to 64 bytes. */
typedef int AbutScanSmallest(const double *values, int count);

/*
 * Which of `count` planes see point w: bit i of `seen` is set where n.w - d >= least. `planes` holds the coordinates of
 * the normals, then the distances d, in rows of `stride` numbers, aligned to 64 bytes; count is a multiple of 8. Gives
 * the index of the smallest d among the others, the first of equals; 0 when there is none.
 */
typedef int AbutScanSees(const double *planes, int stride, int count, const double w[3], double least, uint64_t *seen);

typedef struct AbutScan {
    AbutScanFarthest *farthest;
    AbutScanSmallest *smallest;
    AbutScanSees *sees;
    const char *name; /* "avx512", "avx2", "plain" */
} AbutScan;

/* The widest set of kernels that runs here; chosen once. */
const AbutScan *abut_scan(void);

/* All sets that run here, the plain one first: for tests. */
int abut_scan_all(const AbutScan **sets);

#endif
