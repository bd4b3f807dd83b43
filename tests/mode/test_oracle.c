/* SPDX-License-Identifier: Apache-2.0 */
/* Sign vectors against exact brute force: random contact sets, and random rows without any geometry. */
#include "modes_support.h"
#include "oracle/mode_oracle.h"

enum { LIMIT = 4000 };
static uint64_t plus[LIMIT], minus[LIMIT];
static ModeOracle oracle;

/* The rows of a system as whole numbers; slanted normals were normalized by the library, so each row is rescaled. */
static int whole_rows(const AbutModeSystem *s, ModeOracle *o) {
    int total = s->contacts * (1 + s->lines);
    memset(o->rows, 0, sizeof o->rows);
    o->contacts = s->contacts, o->lines = s->lines, o->dof = s->dof;
    o->plus = plus, o->minus = minus, o->limit = LIMIT, o->programs = 0;
    for (int i = 0; i < total; ++i) {
        const double *row =
            i < s->contacts ? s->normal_rows + i * s->dof : s->tangent_rows + (i - s->contacts) * s->dof;
        double least = INFINITY;
        for (int j = 0; j < s->dof; ++j)
            if (fabs(row[j]) > 1e-12) least = fmin(least, fabs(row[j]));
        for (int j = 0; j < s->dof; ++j) {
            double x = isfinite(least) ? row[j] / least : 0.0;
            o->rows[i][j] = (int)lround(x);
            if (fabs(x - o->rows[i][j]) > 1e-9) return 0;
        }
    }
    return 1;
}

static void compare(const AbutModeSystem *s, const AbutModeOptions *options, int level) {
    AbutModeList list = collect_modes(s, options);
    AbutModeOptions counting = *options;
    AbutModeResult r;
    sort_modes(&list);
    uint64_t words[2 * LIMIT];
    for (size_t i = 0; i < oracle.found; ++i) words[2 * i] = plus[i], words[2 * i + 1] = minus[i];
    qsort(words, oracle.found, 16, mode_order);
    assert_int_equal(list.count, oracle.found);
    assert_memory_equal(list.bits, words, 16 * oracle.found);
    assert_int_equal(abut_mode_enumerate_level(s, &counting, level, &r, NULL), ABUT_OK);
    assert_int_equal(r.modes, oracle.found);
    abut_mode_list_free(&list);
}

static void contact_sets_equal_brute_force(void **state) {
    (void)state;
    int cases = check_cases(2000), reached = 0, large = 0;
    for (int k = 0; k < cases; ++k) {
        AbutRng rng = abut_rng(77, (uint64_t)k);
        int planar = (int)abut_rng_below(&rng, 2), bodies = 1 + (int)abut_rng_below(&rng, 3);
        int contacts = 2 + (int)abut_rng_below(&rng, planar ? 7 : bodies == 1 ? 7 : 3);
        int lines = planar ? 1 : bodies == 1 ? 2 : 1 + (int)abut_rng_below(&rng, 2);
        AbutModeSystem s = random_contacts(&rng, contacts, bodies, planar, lines);
        AbutModeOptions o = abut_mode_options_default();
        o.limit = 400;
        AbutModeResult r;
        abut_mode_enumerate(&s, &o, &r, NULL);
        o.limit = 0;
        if (r.complete && whole_rows(&s, &oracle) && mode_oracle_run(&oracle)) {
            o.arithmetic = k & 1 ? ABUT_MODE_DOUBLE : ABUT_MODE_AUTO;
            compare(&s, &o, k % 4 - 1);
            ++reached, large += oracle.found > 100;
        }
        abut_mode_system_free(&s);
    }
    assert_true(reached * 10 >= cases * 7);
    assert_true(cases < 100 || large * 10 > cases);
}

static void random_rows_equal_brute_force(void **state) {
    (void)state;
    int cases = check_cases(600), reached = 0;
    for (int k = 0; k < cases; ++k) {
        AbutRng rng = abut_rng(78, (uint64_t)k);
        int n = 1 + (int)abut_rng_below(&rng, 6), d = 1 + (int)abut_rng_below(&rng, 5);
        int t = (int)abut_rng_below(&rng, 4), span = 1 + (int)abut_rng_below(&rng, 2);
        double rows[6 * 4 * 5];
        for (int i = 0; i < n * (1 + t) * d; ++i) rows[i] = (int)abut_rng_below(&rng, (uint32_t)(2 * span + 1)) - span;
        AbutModeSystem s = {n, d, t, rows, rows + n * d, NULL, NULL, NULL, 0.0};
        for (int i = 0; i < n * (1 + t); ++i)
            for (int j = 0; j < d; ++j) oracle.rows[i][j] = (int)rows[i * d + j];
        oracle.contacts = n, oracle.lines = t, oracle.dof = d, oracle.limit = 1500;
        oracle.plus = plus, oracle.minus = minus;
        if (!mode_oracle_run(&oracle)) continue;
        AbutModeOptions o = abut_mode_options_default();
        for (int a = 0; a < 2; ++a) {
            o.arithmetic = a ? ABUT_MODE_DOUBLE : ABUT_MODE_EXACT;
            compare(&s, &o, k % 3);
        }
        ++reached;
    }
    assert_true(reached * 2 > cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_sets_equal_brute_force),
        cmocka_unit_test(random_rows_equal_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
