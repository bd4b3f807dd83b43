/* SPDX-License-Identifier: Apache-2.0 */
/* The two procedures of Ren, Hong and Meng (2000) as printed, for regions of few rows: to show what they do. */
#ifndef ABUT_CLI_REPRODUCE_LITERAL_H
#define ABUT_CLI_REPRODUCE_LITERAL_H

enum { LITERAL_ROWS = 12 };

/* Rows m[i][0..n-1] . x <= m[i][n], n up to 3; points have n numbers. */
typedef struct LiteralRegion {
    int n, count;
    double m[LITERAL_ROWS][4];
} LiteralRegion;

/* "xiangliang": a point of the region; 0: there is none. */
int literal_locate(const LiteralRegion *region, double *x);

int literal_holds(const LiteralRegion *region, const double *x);

/* "qiujiao": do they meet? With `mended` equal numbers of rows go the way of fewer rows in A; as printed they fall
 * through to no. */
int literal_meet(const LiteralRegion *a, const LiteralRegion *b, int mended);

/* Rows of A, or of B when those are fewer, that the procedure would turn into equations for points s of A and t of B.
 */
int literal_choices(const LiteralRegion *a, const LiteralRegion *b, const double *s, const double *t);

#endif
