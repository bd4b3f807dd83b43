/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear programs from bytes. The first byte is the dimension, the second the kind of numbers: small whole numbers
 * (many degenerate rows), or raw doubles of any size with NaN and infinity. Every answer must be proved by its
 * certificate.
 */
#include "fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "literature/solve/chebyshev.h"

enum { ROWS = 24 };

static double memory[20000];

static double number(const uint8_t **data, size_t *size, int raw) {
    double value = 0.0;
    size_t take = raw ? sizeof value : 1;
    if (*size < take) return 0.0;
    if (raw)
        memcpy(&value, *data, sizeof value);
    else
        value = (double)(int8_t) * *data / 32.0;
    *data += take, *size -= take;
    return value;
}

/* Whole-number input is far from the ends of double, so the proof must hold to 1e-7. */
static void check_answer(const AbutLp *lp, const AbutLpResult *r) {
    for (int i = 0; i < lp->rows && (r->outcome == ABUT_LP_OPTIMAL || r->outcome == ABUT_LP_UNBOUNDED); ++i) {
        double over = -lp->b[i], size = 1.0 + fabs(lp->b[i]);
        for (int j = 0; j < lp->dimension; ++j) {
            over += lp->a[i * lp->dimension + j] * r->x[j];
            size += fabs(lp->a[i * lp->dimension + j] * r->x[j]);
        }
        FUZZ_REQUIRE(over <= 1e-7 * size);
    }
    double right = 0.0;
    for (int k = 0; k < r->conflict_count; ++k) {
        FUZZ_REQUIRE(r->multiplier[k] > 0.0 && r->conflict[k] >= 0 && r->conflict[k] < lp->rows);
        right += r->multiplier[k] * lp->b[r->conflict[k]];
    }
    FUZZ_REQUIRE(r->outcome != ABUT_LP_INFEASIBLE || right < 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double a[ROWS * 8], b[ROWS], c[8];
    if (size < 3) return 0;
    int d = 1 + data[0] % 8, raw = data[1] % 2, rows = data[2] % (ROWS + 1);
    data += 3, size -= 3;
    for (int j = 0; j < d; ++j) c[j] = number(&data, &size, raw);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < d; ++j) a[i * d + j] = number(&data, &size, raw);
        b[i] = number(&data, &size, raw);
    }
    AbutLp lp = {d, rows, a, b, c, 1, 0.0};
    AbutLpResult r = abut_lp_solve(&lp, memory, sizeof memory);
    FUZZ_REQUIRE(r.outcome != ABUT_LP_UNDECIDED || r.status != ABUT_OK);
    FUZZ_REQUIRE(r.conflict_count <= d + 1 && r.active_count <= d);
    if (!raw) check_answer(&lp, &r);
    if (d < 8) {
        AbutLpResult ball = abut_lp_chebyshev(&lp, memory, sizeof memory);
        FUZZ_REQUIRE(ball.outcome != ABUT_LP_UNDECIDED || ball.status != ABUT_OK);
    }
    return 0;
}
