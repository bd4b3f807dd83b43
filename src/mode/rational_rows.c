/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are these rows small rationals? In: a matrix of doubles. Out: integers with the same signs on every velocity (rows
 * and columns multiplied by positive numbers), or 0.
 *
 * Every entry must be within rounding of p / q with a small q (continued fraction). Columns are multiplied by the
 * common denominator, then rows and columns divided by their greatest common divisor. By Hadamard's inequality every
 * number the exact engine meets is a determinant of at most `columns` rows, hence at most the product of the largest
 * row lengths; the rows are accepted when that stays below 2^31, so that products fit 64 bits and nothing overflows.
 */
#include "math/functions.h"
#include "mode/prepared_rows.h"
#include "mode/tolerance.h"
#include "solve/vector.h"

/* Denominators of an entry and of a column; bits of a determinant, with room for the rounding of the logarithms. */
enum { MOST_DENOMINATOR = 4096, MOST_COMMON = 1000000 };
static const double MOST_BITS = 30.9;
/* A continued fraction ends here: what is left, or the next quotient, belongs to no small denominator. */
static const double SMALLEST_REST = 1e-9, LARGEST_QUOTIENT = 5000.0;

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t t = a % b;
        a = b, b = t;
    }
    return a < 0 ? -a : a;
}

/* Smallest q <= MOST_DENOMINATOR with |x - p/q| within rounding; 0 when there is none. |x| < 2. */
static int64_t denominator(double x) {
    double rest = fabs(x), slack = ABUT_MODE_FRACTION;
    int64_t q0 = 0, q1 = 1, p0 = 1, p1 = (int64_t)floor(rest);
    for (int step = 0; step < 12; ++step) {
        if (fabs(fabs(x) - (double)p1 / (double)q1) <= slack) return q1;
        double fraction = rest - floor(rest);
        if (fraction < SMALLEST_REST) return 0;
        rest = 1.0 / fraction;
        if (rest > LARGEST_QUOTIENT) return 0;
        int64_t a = (int64_t)floor(rest), p2 = a * p1 + p0, q2 = a * q1 + q0;
        if (q2 > MOST_DENOMINATOR) return 0;
        p0 = p1, p1 = p2, q0 = q1, q1 = q2;
    }
    return 0;
}

/* Entry (i, j) when the largest entry of its row is made 1. */
static double entry(const double *matrix, int columns, int i, int j) {
    const double *row = matrix + (size_t)i * (size_t)columns;
    return row[j] / abut_row_largest(columns, row);
}

/* Column j times its common denominator, as integers. */
static int whole_column(const double *matrix, int rows, int columns, int j, int64_t *out) {
    int64_t common = 1, divisor = 0;
    for (int i = 0; i < rows; ++i) {
        int64_t q = denominator(entry(matrix, columns, i, j));
        if (q == 0) return 0;
        common = common / gcd(common, q) * q;
        if (common > MOST_COMMON) return 0;
    }
    for (int i = 0; i < rows; ++i) {
        size_t at = (size_t)i * (size_t)columns + (size_t)j;
        out[at] = llround(entry(matrix, columns, i, j) * (double)common);
        divisor = gcd(divisor, out[at]);
    }
    for (int i = 0; i < rows && divisor > 1; ++i) out[(size_t)i * (size_t)columns + (size_t)j] /= divisor;
    return 1;
}

static void divide_row(int64_t *row, int columns) {
    int64_t divisor = 0;
    for (int j = 0; j < columns; ++j) divisor = gcd(divisor, row[j]);
    for (int j = 0; j < columns && divisor > 1; ++j) row[j] /= divisor;
}

static const double LN2 = 0.69314718055994530942;

/* log2 of the product of the `columns` largest row lengths. */
static double determinant_bits(const int64_t *whole, int rows, int columns) {
    double bits[ABUT_MODE_ROWS], total = 0.0;
    for (int i = 0; i < rows; ++i) {
        double square = 0.0;
        for (int j = 0; j < columns; ++j) {
            double x = (double)whole[(size_t)i * (size_t)columns + (size_t)j];
            square += x * x;
        }
        bits[i] = square > 0.0 ? 0.5 / LN2 * abut_ln(square) : -1e300; /* a row of zeros has no size */
    }
    for (int k = 0; k < columns && k < rows; ++k) {
        int at = k;
        for (int i = k + 1; i < rows; ++i)
            if (bits[i] > bits[at]) at = i;
        double t = bits[k];
        bits[k] = bits[at], bits[at] = t;
        total += bits[k];
    }
    return total;
}

int abut_mode_rationalize(const double *matrix, int rows, int columns, int64_t *out, double *bits) {
    for (int j = 0; j < columns; ++j)
        if (!whole_column(matrix, rows, columns, j, out)) return 0;
    for (int i = 0; i < rows; ++i) divide_row(out + (size_t)i * (size_t)columns, columns);
    *bits = determinant_bits(out, rows, columns);
    return *bits < MOST_BITS;
}
