/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as half-space rows of two regions: whole numbers or any doubles. Answers must carry a proof that holds. */
#include "abut/literature.h"
#include "abut/query.h"
#include "fuzz.h"
#include "input.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 24, MAX_N = 8 };

static void require_proof(
    int n, int count_a, int count, const double *normal, const double *offset, const AbutIntersection *r) {
    double total = 0.0;
    FUZZ_REQUIRE(r->proof_count >= 1 && r->proof_count <= n + 1);
    for (int k = 0; k < r->proof_count; ++k) {
        int i = r->proof_row[k];
        double length = 0.0;
        FUZZ_REQUIRE(i >= 0 && i < count && r->proof_weight[k] > 0.0);
        FUZZ_REQUIRE(r->outcome != ABUT_INTERSECT_EMPTY_A || i < count_a);
        FUZZ_REQUIRE(r->outcome != ABUT_INTERSECT_EMPTY_B || i >= count_a);
        for (int c = 0; c < n; ++c) length = hypot(length, normal[i * n + c]);
        total += r->proof_weight[k] * offset[i] / (length > 0.0 ? length : 1.0);
    }
    FUZZ_REQUIRE(!(total > 0.0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static double memory[60000], normal[2 * MAX_ROWS * MAX_N], offset[2 * MAX_ROWS];
    Input in = {data, size, 0};
    int n = 1 + next_byte(&in) % MAX_N, count_a = next_byte(&in) % MAX_ROWS, count_b = next_byte(&in) % MAX_ROWS;
    in.tame = next_byte(&in) & 1 ? 1.0 : 0.0;
    for (int i = 0; i < count_a + count_b; ++i) {
        for (int c = 0; c < n; ++c) normal[i * n + c] = next_number(&in);
        offset[i] = next_number(&in);
    }
    AbutRegion a = {count_a, normal, offset}, b = {count_b, normal + count_a * n, offset + count_a};
    AbutIntersection r[4];
    FUZZ_REQUIRE(abut_intersect_workspace_size(n, count_a + count_b) <= sizeof memory);
    for (int m = ABUT_INTERSECT_REN; m <= ABUT_INTERSECT_GJK; ++m) {
        AbutIntersectDef def = {(AbutIntersectMethod)m, 0.0, 100000, abut_intersect_ren};
        r[m] = abut_intersect_regions(n, &a, &b, &def, memory, sizeof memory);
        FUZZ_REQUIRE(r[m].outcome <= ABUT_INTERSECT_INVALID);
        for (int c = 0; c < n; ++c) FUZZ_REQUIRE(isfinite(r[m].witness[c]) && isfinite(r[m].plane[c]));
        int no = r[m].outcome >= ABUT_INTERSECT_APART && r[m].outcome <= ABUT_INTERSECT_EMPTY_B;
        if (no && r[m].method != ABUT_INTERSECT_GJK)
            require_proof(n, count_a, count_a + count_b, normal, offset, &r[m]);
    }
    if (in.tame != 0.0)
        FUZZ_REQUIRE((r[1].outcome == ABUT_INTERSECT_MEET) == (r[2].outcome == ABUT_INTERSECT_MEET) ||
                     r[1].outcome == ABUT_INTERSECT_UNDECIDED || r[2].outcome == ABUT_INTERSECT_UNDECIDED);
    return 0;
}
