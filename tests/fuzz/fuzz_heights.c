/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as heights: finite numbers or one clear refusal. Sums of chunks are mended first, or nothing damaged would
 * get past them. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "abut/file.h"
#include "file/npz.h"

static void put32(uint8_t *to, uint32_t x) {
    to[0] = (uint8_t)(x >> 24), to[1] = (uint8_t)(x >> 16), to[2] = (uint8_t)(x >> 8), to[3] = (uint8_t)x;
}

static void mend_sums(uint8_t *bytes, size_t count) {
    for (size_t at = 8; count >= 12 && at <= count - 12;) {
        size_t size =
            (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (size > count - 12 - at) return;
        put32(bytes + at + 8 + size, abut_crc32(0, bytes + at + 4, 4 + size));
        at += 12 + size;
    }
}

static void check(const uint8_t *bytes, size_t count) {
    int32_t columns = 0, rows = 0;
    double *h;
    AbutError error = {0};
    AbutStatus status = abut_heights_read("input", bytes, count, &columns, &rows, &h, &error);
    FUZZ_REQUIRE(status == error.status && (!status || error.text[0]));
    FUZZ_REQUIRE(!status == (h != NULL));
    for (int64_t i = 0; h && i < (int64_t)columns * rows; ++i) FUZZ_REQUIRE(isfinite(h[i]));
    abut_free(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + 1);
    FUZZ_REQUIRE(copy);
    if (size) memcpy(copy, data, size);
    check(data, size);
    mend_sums(copy, size);
    check(copy, size);
    free(copy);
    return 0;
}
