/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More digits than a double: double-double numbers against quadruple precision and exact integers, rows built from
 * contacts taken literally, and the hand whose count no tolerance in double gets right.
 */
#include "mode/contact_rows.h"
#include "modes_support.h"
#include "support/mode_dimension.h"

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;

static double relative_error(AbutDD got, Quad want, Quad scale) {
    Quad error = ((Quad)got.hi - want + (Quad)got.lo) / scale;
    return (double)(error < 0 ? -error : error);
}

static void double_double_agrees_with_quadruple_precision(void **state) {
    (void)state;
    AbutRng rng = abut_rng(17, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        AbutDD a = abut_dd_sum(abut_rng_normal(&rng), 1e-17 * abut_rng_normal(&rng));
        AbutDD b = abut_dd_sum(abut_rng_normal(&rng), 1e-17 * abut_rng_normal(&rng));
        if (k % 3 == 0) /* nearly opposite: the sum must keep its digits */
            b = (AbutDD){-a.hi, a.lo * 3.0};
        Quad x = (Quad)a.hi + a.lo, y = (Quad)b.hi + b.lo, size = (x < 0 ? -x : x) + (y < 0 ? -y : y);
        assert_true(relative_error(abut_dd_add(a, b), x + y, size) < 1e-31);
        assert_true(relative_error(abut_dd_sub(a, b), x - y, size) < 1e-31);
        assert_true(relative_error(abut_dd_mul(a, b), x * y, x * y) < 1e-31);
        assert_true(relative_error(abut_dd_div(a, b), x / y, x / y) < 1e-31);
        if (k % 3 == 0) CHECK_NEAR(abut_dd_add(a, b).hi, a.lo + b.lo, 1e-15 * fabs(a.lo));
    }
}

/* 1 / |v|. */
static Quad inverse_length(const double v[3]) {
    Quad square = (Quad)v[0] * v[0] + (Quad)v[1] * v[1] + (Quad)v[2] * v[2], root = (Quad)sqrt((double)square);
    for (int i = 0; i < 3; ++i) root = (root + square / root) / 2;
    return 1 / root;
}

/* A row recomputed in quadruple precision: free body at `position`, direction cos(a) x + sin(a) y, a = pi k / lines. */
static void literal_rows_keep_their_digits(void **state) {
    (void)state;
    /* cosines of pi k / 5 and pi k / 6 from square roots, by Newton's method */
    Quad root3 = 1.7320508075688772, root5 = 2.23606797749979;
    for (int i = 0; i < 3; ++i) root3 = (root3 + 3 / root3) / 2, root5 = (root5 + 5 / root5) / 2;
    AbutRng rng = abut_rng(5, 1);
    for (int k = 0; k < check_cases(300); ++k) {
        AbutPointContact c = {.body_a = -1, .body_b = 0};
        AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
        double *from[] = {&c.point.x, &c.normal.x, &c.tangent_x.x, &c.tangent_y.x, &body.position.x};
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 3; ++j) from[i][j] = abut_rng_normal(&rng);
        c.tangent_x = abut_cross(c.normal, c.tangent_x); /* right angles to rounding, any length */
        c.tangent_y = abut_cross(c.normal, c.tangent_x);
        int lines = k % 2 ? 5 : 6, line = lines == 5 ? 1 + k % 4 : 1;
        AbutModeSystem s;
        s = build_system(&(AbutModeSystemDef){.contacts = &c,
            .contact_count = 1,
            .bodies = &body,
            .body_count = 1,
            .dof = 6,
            .lines = lines,
            .literal = 1});
        Quad cosine = lines == 6 ? root3 / 2 : (line == 1 || line == 4 ? root5 + 1 : root5 - 1) / 4;
        Quad square = 1 - cosine * cosine, sine = (Quad)sin(ABUT_PI * line / lines);
        for (int i = 0; i < 3; ++i) sine = (sine + square / sine) / 2;
        cosine = 2 * line > lines ? -cosine : cosine;
        Quad d[3], r[3], row[6], along_x = cosine * inverse_length(from[2]), along_y = sine * inverse_length(from[3]);
        for (int j = 0; j < 3; ++j) {
            d[j] = along_x * (Quad)from[2][j] + along_y * (Quad)from[3][j];
            r[j] = (Quad)from[0][j] - (Quad)from[4][j];
        }
        for (int j = 0; j < 3; ++j) {
            row[j] = d[j];
            row[3 + j] = r[(j + 1) % 3] * d[(j + 2) % 3] - r[(j + 2) % 3] * d[(j + 1) % 3];
        }
        for (int j = 0; j < 6; ++j) {
            AbutDD got = {s.tangent_rows[line * 6 + j], s.low_rows[(1 + line) * 6 + j]};
            assert_true(relative_error(got, row[j], 1) < 1e-29);
            CHECK_NEAR(got.hi, (double)row[j], 1e-15);
        }
        /* the normal row is a multiple of the normal and its moment, to all digits */
        for (int j = 0; j < 3; ++j) {
            Quad n[2];
            for (int i = 0; i < 2; ++i) n[i] = (Quad)s.normal_rows[(j + i) % 3] + s.low_rows[(j + i) % 3];
            Quad cross = n[0] * (Quad)from[1][(j + 1) % 3] - n[1] * (Quad)from[1][j];
            assert_true((double)(cross < 0 ? -cross : cross) < 1e-30);
        }
        abut_mode_system_free(&s);
    }
}
#else
static void double_double_agrees_with_quadruple_precision(void **state) {
    (void)state;
    skip();
}

static void literal_rows_keep_their_digits(void **state) {
    (void)state;
    skip();
}
#endif

/* Whole numbers: double-double, double and exact integers list the same modes in every engine, and count them alike. */
static void double_double_agrees_with_exact_integers(void **state) {
    (void)state;
    int cases = check_cases(150), reached = 0;
    for (int k = 0; k < cases; ++k) {
        AbutRng rng = abut_rng(77, (uint64_t)k);
        double rows[7 * 4 * 8], low[7 * 4 * 8] = {0};
        int n = 1 + (int)abut_rng_below(&rng, 6), d = 1 + (int)abut_rng_below(&rng, 8), lines = 1 + k % 3;
        for (int i = 0; i < n * (1 + lines) * d; ++i) rows[i] = (int)abut_rng_below(&rng, 3) - 1;
        AbutModeSystem s = {n, d, lines, rows, rows + n * d, NULL, NULL, NULL, 0.0};
        AbutModeOptions o = abut_mode_options_default();
        o.limit = 40000;
        AbutModeList want = collect_modes(&s, &o);
        sort_modes(&want);
        s.low_rows = low;
        o.arithmetic = ABUT_MODE_DOUBLE_DOUBLE;
        AbutModeList got = collect_modes(&s, &o);
        sort_modes(&got);
        assert_int_equal(got.count, want.count);
        if (want.count < o.limit) {
            ++reached;
            assert_memory_equal(got.bits, want.bits, 16 * want.count);
            o.limit = 0;
            for (int way = 0; way < 6; ++way) {
                AbutModeResult r;
                o.count_by_search = way / 3;
                assert_int_equal(abut_mode_enumerate_level(&s, &o, way % 3, &r, NULL), ABUT_OK);
                assert_int_equal(r.modes, want.count);
                assert_true(r.double_double && !r.exact && !r.depends_on_tolerance);
            }
        }
        abut_mode_list_free(&got);
        abut_mode_list_free(&want);
    }
    assert_true(4 * reached > 3 * cases);
}

/* Rows with more digits that are all zero are exact ones, and depend on each other as such: 32 modes by linear programs
 * over all signs. */
static void digits_of_zero_change_nothing(void **state) {
    (void)state;
    double rows[12 * 6] = {-2, -2, -1, 1, 1, 1, -1, 2, 0, 0, -2, -1, 2, -2, -2, -2, -2, -2}, low[12 * 6] = {0};
    for (int i = 18; i < 12 * 6; ++i) rows[i] = -2;
    rows[4 * 6] = -1, rows[5 * 6 + 4] = 2;
    AbutModeSystem s = {4, 6, 2, rows, rows + 4 * 6, NULL, low, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    for (int way = 0; way < 3; ++way) {
        o.arithmetic = way == 0 ? ABUT_MODE_AUTO : way == 1 ? ABUT_MODE_EXACT : ABUT_MODE_DOUBLE_DOUBLE;
        assert_int_equal(count_modes(&s, &o), 32);
        AbutModeList list = collect_modes(&s, &o);
        assert_int_equal(list.count, 32);
        abut_mode_list_free(&list);
    }
}

/* Rows that differ in the 15th digit: double merges them, double-double does not. Without more digits it is refused. */
static void digits_beyond_double_decide(void **state) {
    (void)state;
    double normal[2] = {0, 0}, tangent[6] = {1, 0.3, 1, 0.3, 1, 0.3}, low[8] = {0};
    AbutModeSystem s = {1, 2, 3, normal, tangent, NULL, low, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult r;
    low[2 + 2] = 1e-14, low[4 + 2] = -1e-14; /* lines 1 and 2 turn a little to either side of line 0 */
    o.arithmetic = ABUT_MODE_DOUBLE;
    assert_int_equal(count_modes(&s, &o), 3);
    o.arithmetic = ABUT_MODE_AUTO;
    assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
    assert_true(r.double_double && r.unique_rows == 3);
    assert_int_equal(r.modes, 13);
    s.low_rows = NULL, o.arithmetic = ABUT_MODE_DOUBLE_DOUBLE;
    assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_ERROR_UNSUPPORTED);
    low[3] = NAN, s.low_rows = low;
    assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_ERROR_NUMBER);
}

/* Dimensions, the Hasse diagram and neighbors are those of the modes that double-double numbers tell apart. */
static void queries_have_the_digits_of_the_enumeration(void **state) {
    (void)state;
    double normal[2] = {0, 0}, tangent[6] = {1, 0.3, 1, 0.3, 1, 0.3}, low[8] = {0};
    AbutModeSystem s = {1, 2, 3, normal, tangent, NULL, low, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    AbutPair *edges;
    size_t edge_count;
    AbutError error = {0};
    low[2 + 2] = 1e-14, low[4 + 2] = -1e-14;
    AbutModeList list = collect_modes(&s, &o);
    assert_int_equal(list.count, 13);
    int by_dimension[3] = {0};
    for (size_t i = 0; i < list.count; ++i) by_dimension[mode_dimension(&s, abut_mode_list_get(&list, i))] += 1;
    assert_true(by_dimension[0] == 1 && by_dimension[1] == 6 && by_dimension[2] == 6);
    good(abut_mode_hasse(&s, &list, &edge_count, &edges, &error), &error);
    assert_int_equal(edge_count, 6 + 2 * 6);
    for (size_t i = 0; i < list.count; ++i) {
        uint64_t facets, cofaces, faces_here = 0, around_here = 0;
        for (size_t k = 0; k < edge_count; ++k)
            faces_here += (size_t)edges[k].b == i, around_here += (size_t)edges[k].a == i;
        AbutMode mode = abut_mode_list_get(&list, i);
        good(abut_mode_neighbors(&s, mode, ABUT_MODE_FACETS, NULL, NULL, &facets, &error), &error);
        good(abut_mode_neighbors(&s, mode, ABUT_MODE_COFACES, NULL, NULL, &cofaces, &error), &error);
        assert_int_equal(facets, faces_here);
        assert_int_equal(cofaces, around_here);
    }
    abut_free(edges);
    abut_mode_list_free(&list);
}

/* Modes of the hand that stand on rows which depend on each other only in all digits have a velocity. */
static void modes_of_the_hand_have_velocities(void **state) {
    (void)state;
    AbutModeSystem s = builtin("hand-ball");
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[12] = {0};
    double velocity[64];
    AbutError error = {0};
    assert_true(s.dof <= 64 && s.low_rows);
    o.kind = ABUT_MODES_OF_CS, o.cs = cs, o.limit = (uint64_t)check_cases(300);
    AbutModeList list = collect_modes(&s, &o);
    for (size_t i = 0; i < list.count; ++i) {
        AbutMode mode = abut_mode_list_get(&list, i);
        uint64_t bits[8];
        assert_true(abut_mode_words(&s, 0) <= 4);
        good(abut_mode_velocity(&s, mode, velocity, &error), &error);
        AbutMode back = {bits, bits + 4};
        good(abut_mode_of_velocity(&s, velocity, 1e-7, back, &error), &error);
        assert_true(abut_mode_is_face(&s, back, mode));
    }
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

/* More than 64 different rows in double-double. */
static void many_rows_in_double_double(void **state) {
    (void)state;
    enum { N = 40 };
    static double normal[N * 2 * N], tangent[N * 2 * N], low[2 * N * 2 * N];
    AbutModeSystem s = {N, 2 * N, 1, normal, tangent, NULL, low, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[N];
    for (int i = 0; i < N; ++i) {
        normal[i * 2 * N + i] = 1.0, tangent[i * 2 * N + N + i] = 0.7390851332151607;
        cs[i] = i % 4 != 0;
    }
    o.kind = ABUT_MODES_OF_CS, o.cs = cs, o.arithmetic = ABUT_MODE_DOUBLE_DOUBLE;
    assert_int_equal(count_modes(&s, &o), 59049);
}

/* By number of contacting contacts, from an independent program in quadruple precision. */
static const uint64_t hand_by_contacts[13] = {
    1, 108, 5346, 152868, 2250039, 17247534, 70510962, 155557394, 186556449, 120057608, 39573006, 6095172, 342243};

static void hand_is_counted_exactly(void **state) {
    (void)state;
    AbutModeSystem s;
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult r;
    int8_t cs[12];
    uint64_t by_contacts[13] = {0};
    int whole = check_cases(100) == 100;
    assert_int_equal(abut_mode_builtin("hand-ball", &s, NULL), ABUT_OK);
    o.kind = ABUT_MODES_OF_CS, o.cs = cs;
    for (unsigned pattern = 0; pattern < 4096; ++pattern) {
        int k = 12 - __builtin_popcount(pattern);
        if (!whole && k > 3 && k < 11) continue;
        for (int i = 0; i < 12; ++i) cs[i] = pattern >> i & 1;
        assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
        assert_true(r.double_double && r.complete && !r.depends_on_tolerance);
        by_contacts[k] += r.modes;
    }
    for (int k = 0; k <= 12; ++k)
        if (whole || k <= 3 || k >= 11) assert_int_equal(by_contacts[k], hand_by_contacts[k]);
    /* no tolerance of double is right, and the result says so */
    memset(cs, 0, sizeof cs);
    o.arithmetic = ABUT_MODE_DOUBLE;
    assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
    assert_true(r.depends_on_tolerance && !r.double_double);
    abut_mode_system_free(&s);
}

/* The double-double engines list the same modes in the same order, for any vector unit and number of threads. */
static void double_double_engines_agree(void **state) {
    (void)state;
    AbutModeSystem s = builtin("hand-ball");
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[12] = {0};
    o.kind = ABUT_MODES_OF_CS, o.cs = cs;
    require_same_order(&s, o, 5, 342243);
    abut_mode_system_free(&s);
}

/* The generic hand has a clear gap between rounding and values: nothing to warn about. */
static void a_clear_gap_is_not_flagged(void **state) {
    (void)state;
    AbutModeSystem s;
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult r;
    assert_int_equal(abut_mode_builtin("hand-ball-generic", &s, NULL), ABUT_OK);
    int8_t cs[12] = {0};
    o.kind = check_cases(100) == 100 ? ABUT_MODES_FULL : ABUT_MODES_OF_CS, o.cs = cs;
    assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
    assert_true(!r.depends_on_tolerance && !r.double_double);
    assert_true(r.largest_zero < r.tolerance && r.smallest_nonzero > r.tolerance);
    abut_mode_system_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_double_agrees_with_quadruple_precision),
        cmocka_unit_test(literal_rows_keep_their_digits),
        cmocka_unit_test(queries_have_the_digits_of_the_enumeration),
        cmocka_unit_test(modes_of_the_hand_have_velocities),
        cmocka_unit_test(double_double_agrees_with_exact_integers),
        cmocka_unit_test(digits_of_zero_change_nothing),
        cmocka_unit_test(digits_beyond_double_decide),
        cmocka_unit_test(many_rows_in_double_double),
        cmocka_unit_test(hand_is_counted_exactly),
        cmocka_unit_test(double_double_engines_agree),
        cmocka_unit_test(a_clear_gap_is_not_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
