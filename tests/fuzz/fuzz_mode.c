/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes become a small system of rows; all ways of counting must agree, every mode must be sane. Byte 0: contacts,
 * 1: velocities, 2: lines, 3: kind of numbers; then the entries.
 */
#include "abut/mode.h"
#include "fuzz.h"

#include <string.h>

typedef struct Check {
    const AbutModeSystem *system;
    int left;
} Check;

static int check_mode(AbutMode mode, void *user) {
    Check *c = user;
    const AbutModeSystem *s = c->system;
    char text[64];
    uint64_t p, m;
    FUZZ_REQUIRE((*mode.plus & *mode.minus) == 0);
    FUZZ_REQUIRE((*mode.minus & (((uint64_t)1 << s->contacts) - 1)) == 0);
    abut_mode_text(s, 0, mode, text, sizeof text);
    FUZZ_REQUIRE(
        abut_mode_parse(s, 0, text, (AbutMode){&p, &m}, NULL) == ABUT_OK && p == *mode.plus && m == *mode.minus);
    return --c->left <= 0;
}

/* Entries from bytes: small whole numbers, or raw doubles (any bits, so NaN and infinity too). */
static void fill(const uint8_t *data, size_t size, int raw, double *rows, int count) {
    for (int i = 0; i < count; ++i) {
        rows[i] = 0.0;
        if (raw && (size_t)(8 * i + 8) <= size)
            memcpy(&rows[i], data + 8 * i, 8);
        else if (!raw && (size_t)i < size)
            rows[i] = (int)(data[i] % 5) - 2;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double rows[5 * 3 * 6];
    if (size < 4) return 0;
    int n = data[0] % 6, d = data[1] % 7, t = data[2] % 3, raw = data[3] % 4 == 0;
    fill(data + 4, size - 4, raw, rows, n * (1 + t) * d);
    AbutModeSystem s = {n, d, t, rows, rows + n * d, NULL, NULL, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult a, b, c;
    Check check = {&s, 3000};
    AbutError error;
    o.visit = check_mode, o.user = &check;
    AbutStatus status = abut_mode_enumerate(&s, &o, &a, &error);
    if (status != ABUT_OK || !a.complete) return 0;
    FUZZ_REQUIRE(a.cs_modes >= 1 && a.modes >= a.cs_modes);
    if (raw) /* numbers of any size: ways may differ where the tolerance decides */
        return 0;
    FUZZ_REQUIRE(a.exact);
    o.visit = NULL, o.arithmetic = ABUT_MODE_DOUBLE;
    FUZZ_REQUIRE(abut_mode_enumerate(&s, &o, &b, &error) == ABUT_OK && b.modes == a.modes);
    o.count_by_search = 1;
    FUZZ_REQUIRE(abut_mode_enumerate(&s, &o, &c, &error) == ABUT_OK && c.modes == a.modes && c.cs_modes == a.cs_modes);
    double low[5 * 3 * 6] = {0};
    s.low_rows = low,
    o.arithmetic = ABUT_MODE_DOUBLE_DOUBLE; /* whole numbers in double-double, by flats and by search */
    for (int k = 0; k < 2; ++k) {
        o.count_by_search = k;
        FUZZ_REQUIRE(
            abut_mode_enumerate(&s, &o, &b, &error) == ABUT_OK && b.modes == a.modes && !b.depends_on_tolerance);
    }
    o.nonlinear = 1;
    FUZZ_REQUIRE(abut_mode_enumerate(&s, &o, &b, &error) == ABUT_OK && b.modes <= a.modes && b.modes >= a.cs_modes);
    o.threads = 3, o.arithmetic = ABUT_MODE_AUTO;
    FUZZ_REQUIRE(abut_mode_enumerate(&s, &o, &c, &error) == ABUT_OK && c.modes == b.modes);
    return 0;
}
