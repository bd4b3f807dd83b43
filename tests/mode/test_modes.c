/* SPDX-License-Identifier: Apache-2.0 */
/* Known counts, Euler's relation, invariances, threads, limits, degenerate systems, bad input. */
#include "modes_support.h"
#include "abut/literature.h"
#include "support/memory.h"
#include "support/optional_data.h"

typedef struct Known {
    const char *name, *file;
    uint64_t cs, modes;
} Known;

static const Known known[] = {{"box:1", "box-1", 10, 196}, {"box:2", "box-2", 46, 228}, {"box:3", "box-3", 136, 136},
    {"box:4", "box-4", 10, 10}, {"box:5", "box-5", 2, 2}, {"peg:4", "peg-in-hole-4", 1, 9},
    {"peg:8", "peg-in-hole-8", 1, 9}, {"box-box:1", "box-box-1", 10, 9996}, {"box-box:2", "box-box-2", 184, 29046}};
enum { KNOWN = sizeof known / sizeof known[0] };

static void built_in_counts_are_exact(void **state) {
    (void)state;
    for (int i = 0; i < KNOWN; ++i) {
        AbutModeSystem s = builtin(known[i].name);
        for (int way = 0; way < 8; ++way) {
            AbutModeOptions o = abut_mode_options_default();
            AbutModeResult r;
            o.arithmetic = way & 1 ? ABUT_MODE_DOUBLE : ABUT_MODE_AUTO;
            o.count_by_search = way >> 1 & 1;
            o.threads = 1 + (way >> 2);
            assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
            assert_int_equal(r.cs_modes, known[i].cs);
            assert_int_equal(r.modes, known[i].modes);
            assert_true(r.complete && !r.saturated && !r.depends_on_tolerance);
            o.kind = ABUT_MODES_CS;
            assert_int_equal(count_modes(&s, &o), known[i].cs);
        }
        abut_mode_system_free(&s);
    }
}

/* The numbers behind "key": in a file, in order, nested brackets ignored. Gives how many there were. */
static int read_numbers(const char *text, const char *key, double *out, int capacity) {
    const char *at = strstr(text, key);
    int n = 0, depth = 0;
    for (at = at ? strchr(at, '[') : NULL; at && *at; ++at) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0) return n;
        if (strchr("-0123456789", *at) && n < capacity) {
            char *end;
            out[n++] = strtod(at, &end);
            at = end - 1;
        }
    }
    return n;
}

static char *read_case(const char *folder, const char *name) {
    static char text[1 << 16];
    char path[5000];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void built_in_rows_equal_the_files(void **state) {
    (void)state;
    const char *folder = optional_data("cases/modes");
    char kept[4096];
    if (!folder) skip();
    snprintf(kept, sizeof kept, "%s", folder);
    Known all[KNOWN + 2];
    memcpy(all, known, sizeof known);
    all[KNOWN] = (Known){"hand-ball", "hand-ball", 0, 0};
    all[KNOWN + 1] = (Known){"hand-ball-generic", "hand-ball-generic", 0, 0};
    for (int i = 0; i < KNOWN + 2; ++i) {
        AbutModeSystem s = builtin(all[i].name);
        const char *text = read_case(kept, all[i].file);
        double rows[2048];
        assert_non_null(text);
        int n = read_numbers(text, "\"normal_rows\"", rows, 2048);
        assert_int_equal(n, s.contacts * s.dof);
        for (int k = 0; k < n; ++k) CHECK_NEAR(s.normal_rows[k], rows[k], 1e-8);
        n = read_numbers(text, "\"tangent_rows\"", rows, 2048);
        assert_int_equal(n, s.contacts * s.lines * s.dof);
        for (int k = 0; k < n; ++k) CHECK_NEAR(s.tangent_rows[k], rows[k], 1e-8);
        abut_mode_system_free(&s);
    }
}

static void hand_counts(void **state) {
    (void)state;
    AbutModeSystem s = builtin("hand-ball-generic");
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[12] = {0};
    o.kind = ABUT_MODES_CS;
    assert_int_equal(count_modes(&s, &o), 4096);
    o.kind = ABUT_MODES_OF_CS, o.cs = cs;
    assert_int_equal(count_modes(&s, &o), 342243);
    o.count_by_search = 1;
    assert_int_equal(count_modes(&s, &o), 342243);
    /* one contact slides on a free hand in all 9 ways, for each of 12 contacts */
    uint64_t one = 0;
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 12; ++k) cs[k] = k != i;
        one += count_modes(&s, &o);
    }
    assert_int_equal(one, 108);
    if (check_cases(100) == 100) {
        o.kind = ABUT_MODES_FULL, o.count_by_search = 0;
        assert_int_equal(count_modes(&s, &o), 605156850);
    }
    abut_mode_system_free(&s);
}

/* Rank of the rows that a mode sets to zero. */
static int zero_rank(const AbutModeSystem *s, const int8_t *sign, int with_lines) {
    double a[200][20];
    int n = 0, rank = 0;
    for (int i = 0; i < s->contacts * (with_lines ? 1 + s->lines : 1); ++i) {
        int apart = i >= s->contacts && sign[(i - s->contacts) / s->lines];
        const double *row =
            i < s->contacts ? s->normal_rows + i * s->dof : s->tangent_rows + (i - s->contacts) * s->dof;
        if (sign[i] == 0 && !apart) memcpy(a[n++], row, sizeof(double) * (size_t)s->dof);
    }
    for (int column = 0; column < s->dof; ++column) {
        int at = rank;
        for (int i = rank; i < n; ++i)
            if (fabs(a[i][column]) > fabs(a[at][column])) at = i;
        if (at >= n || fabs(a[at][column]) < 1e-9) continue;
        for (int j = 0; j < s->dof; ++j) {
            double t = a[at][j];
            a[at][j] = a[rank][j], a[rank][j] = t;
        }
        for (int i = rank + 1; i < n; ++i) {
            double f = a[i][column] / a[rank][column];
            for (int j = 0; j < s->dof; ++j) a[i][j] -= f * a[rank][j];
        }
        ++rank;
    }
    return rank;
}

/* The open faces of an arrangement that fill an open cone: their signs (-1)^dimension sum to that of the cone. */
static void euler_holds_for_every_pattern(void **state) {
    (void)state;
    const char *names[] = {"box:1", "box:2", "box:3", "box-box:1", "peg:8", "grasp:3", "grasp:5"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        AbutModeSystem s = builtin(names[k]);
        AbutModeOptions o = abut_mode_options_default();
        o.kind = ABUT_MODES_CS;
        AbutModeList patterns = collect_modes(&s, &o);
        for (size_t p = 0; p < patterns.count; ++p) {
            int8_t cs[200], sign[200];
            abut_mode_signs(&s, 0, abut_mode_list_get(&patterns, p), cs);
            o.kind = ABUT_MODES_OF_CS, o.cs = cs;
            AbutModeList list = collect_modes(&s, &o);
            int sum = 0;
            for (size_t i = 0; i < list.count; ++i) {
                abut_mode_signs(&s, 0, abut_mode_list_get(&list, i), sign);
                sum += zero_rank(&s, sign, 1) % 2 ? -1 : 1;
            }
            assert_int_equal(sum, zero_rank(&s, cs, 0) % 2 ? -1 : 1);
            abut_mode_list_free(&list);
        }
        abut_mode_list_free(&patterns);
        abut_mode_system_free(&s);
    }
}

/* Contacts of a box, moved by a pose and scaled; permuted by `order`. */
static AbutModeSystem moved_box(AbutPose pose, double scale, const int *order, int lines) {
    AbutPointContact c[8] = {0};
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE, .position = abut_pose_apply(pose, abut_zero())};
    for (int k = 0; k < 8; ++k) {
        int i = order[k], wall = i / 4;
        AbutVec3 p =
            wall ? abut_vec3(i & 2 ? 1 : -1, -1, i & 1 ? 1 : -1) : abut_vec3(i & 2 ? 1 : -1, i & 1 ? 1 : -1, -1);
        c[k].point = abut_pose_apply(pose, abut_scale(p, scale));
        c[k].normal = abut_quat_rotate(pose.q, abut_axis(wall ? 1 : 2));
        c[k].tangent_x = abut_quat_rotate(pose.q, abut_axis(0));
        c[k].tangent_y = abut_quat_rotate(pose.q, abut_axis(wall ? 2 : 1));
        c[k].body_a = -1;
    }
    body.position = abut_pose_apply(pose, abut_scale(abut_vec3(0.3, 0.1, 0.2), scale));
    return build_system(&(AbutModeSystemDef){
        .contacts = c, .contact_count = 8, .bodies = &body, .body_count = 1, .dof = 6, .lines = lines});
}

static void motion_scale_and_order_change_nothing(void **state) {
    (void)state;
    const int straight[8] = {0, 1, 2, 3, 4, 5, 6, 7}, mixed[8] = {5, 2, 7, 0, 3, 6, 1, 4};
    for (int lines = 1; lines <= 4; ++lines) {
        AbutModeSystem base = moved_box(abut_pose_identity(), 1.0, straight, lines);
        AbutModeOptions o = abut_mode_options_default();
        AbutModeList want = collect_modes(&base, &o);
        sort_modes(&want);
        for (int k = 0; k < 8; ++k) {
            AbutRng rng = abut_rng(3, (uint64_t)k);
            AbutVec3 turn = abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng));
            double scale = pow(10.0, abut_rng_between(&rng, -6, 6));
            AbutPose pose = abut_pose(abut_scale(turn, scale), abut_quat_exp(turn));
            AbutModeSystem s = moved_box(pose, scale, straight, lines);
            AbutModeList got = collect_modes(&s, &o);
            sort_modes(&got);
            assert_int_equal(got.count, want.count);
            assert_memory_equal(got.bits, want.bits, 16 * want.count);
            abut_mode_list_free(&got);
            abut_mode_system_free(&s);
        }
        AbutModeSystem s = moved_box(abut_pose_identity(), 1.0, mixed, lines);
        AbutModeList got = collect_modes(&s, &o), back = {.words = 1};
        back.bits = abut_alloc(16 * got.count);
        for (size_t i = 0; i < got.count; ++i) {
            uint64_t out[2] = {0, 0};
            for (int w = 0; w < 2; ++w)
                for (int c = 0; c < 8; ++c) {
                    out[w] |= (got.bits[2 * i + (size_t)w] >> c & 1) << mixed[c];
                    for (int l = 0; l < lines; ++l)
                        out[w] |= (got.bits[2 * i + (size_t)w] >> (8 + c * lines + l) & 1)
                                  << (8 + mixed[c] * lines + l);
                }
            back.bits[2 * i] = out[0], back.bits[2 * i + 1] = out[1];
        }
        back.count = got.count;
        sort_modes(&back);
        assert_int_equal(back.count, want.count);
        assert_memory_equal(back.bits, want.bits, 16 * want.count);
        abut_mode_list_free(&got);
        abut_mode_list_free(&back);
        abut_mode_list_free(&want);
        abut_mode_system_free(&s);
        abut_mode_system_free(&base);
    }
}

static void order_is_the_same_for_any_thread_count_and_vector_unit(void **state) {
    (void)state;
    AbutModeSystem s = builtin("hand-ball-generic");
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[12] = {0};
    o.kind = ABUT_MODES_OF_CS, o.cs = cs;
    require_same_order(&s, o, 6, 342243);
    /* stick or slide, which takes other jobs */
    o.kind = ABUT_MODES_FULL, o.nonlinear = 1;
    require_same_order(&s, o, 5, 121683);
    o.kind = ABUT_MODES_OF_CS, o.nonlinear = 0;
    for (int threads = 1; threads <= 3; ++threads) {
        cs[3] = cs[7] = 1;
        o.threads = threads;
        o.count_by_search = 1;
        uint64_t want = count_modes(&s, &o);
        o.count_by_search = 0;
        assert_int_equal(count_modes(&s, &o), want);
    }
    abut_mode_system_free(&s);
}

static int stop_at(AbutMode mode, void *user) {
    (void)mode;
    return --*(int *)user == 0;
}

static void limits_and_canceling(void **state) {
    (void)state;
    AbutModeSystem s = builtin("hand-ball-generic");
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult r;
    for (int threads = 1; threads <= 2; ++threads) {
        int left = 120000, stop = 1;
        o = abut_mode_options_default();
        o.threads = threads, o.limit = 100000;
        AbutModeList list = collect_modes(&s, &o);
        assert_int_equal(list.count, 100000);
        abut_mode_list_free(&list);
        o.limit = 0, o.visit = stop_at, o.user = &left;
        assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
        assert_int_equal(r.modes, 120000);
        assert_false(r.complete);
        o.visit = NULL, o.cancel = &stop;
        assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
        assert_false(r.complete);
        o.cancel = NULL, o.limit = 1000;
        assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
        assert_int_equal(r.modes, 1000);
        assert_false(r.complete);
    }
    abut_mode_system_free(&s);
}

/* Stick / slide equals the full list with the directions of sliding forgotten. */
static void nonlinear_is_the_merged_list(void **state) {
    (void)state;
    int cases = check_cases(150), reached = 0;
    for (int k = 0; k < cases; ++k) {
        AbutRng rng = abut_rng(31, (uint64_t)k);
        AbutModeSystem s =
            random_contacts(&rng, 1 + (int)abut_rng_below(&rng, 5), 1 + (int)abut_rng_below(&rng, 2), 0, 2);
        AbutModeOptions o = abut_mode_options_default();
        o.limit = 50000;
        AbutModeList full = collect_modes(&s, &o);
        if (full.count < o.limit) {
            for (size_t i = 0; i < full.count; ++i) {
                uint64_t any = full.bits[2 * i] | full.bits[2 * i + 1], out = any & ((1u << s.contacts) - 1);
                for (int c = 0; c < s.contacts; ++c)
                    out |= (uint64_t)((any >> (s.contacts + 2 * c) & 3) != 0) << (s.contacts + c);
                full.bits[2 * i] = out, full.bits[2 * i + 1] = 0;
            }
            sort_modes(&full);
            size_t kept = 0;
            for (size_t i = 0; i < full.count; ++i)
                if (i == 0 || full.bits[2 * i] != full.bits[2 * kept - 2])
                    full.bits[2 * kept] = full.bits[2 * i], full.bits[2 * kept + 1] = 0, ++kept;
            o.nonlinear = 1;
            AbutModeList merged = collect_modes(&s, &o);
            sort_modes(&merged);
            assert_int_equal(merged.count, kept);
            assert_memory_equal(merged.bits, full.bits, 16 * kept);
            abut_mode_list_free(&merged);
            ++reached;
        }
        abut_mode_list_free(&full);
        abut_mode_system_free(&s);
    }
    assert_true(2 * reached > cases);
}

/* The method of the paper and the search list the same modes. */
static void both_methods_agree(void **state) {
    (void)state;
    for (int k = 0; k < KNOWN + check_cases(200); ++k) {
        AbutRng rng = abut_rng(91, (uint64_t)k);
        AbutModeSystem s = k < KNOWN
                               ? builtin(known[k].name)
                               : random_contacts(&rng, 1 + (int)abut_rng_below(&rng, 5), 1 + k % 2, k & 1, 1 + k % 3);
        AbutModeOptions o = abut_mode_options_default();
        for (int kind = 0; kind < 2; ++kind) {
            o.kind = kind ? ABUT_MODES_CS : ABUT_MODES_FULL;
            o.method = NULL;
            AbutModeList a = collect_modes(&s, &o);
            o.method = abut_mode_paper;
            AbutModeList b = collect_modes(&s, &o);
            sort_modes(&a);
            sort_modes(&b);
            assert_int_equal(a.count, b.count);
            assert_memory_equal(a.bits, b.bits, 16 * a.count);
            abut_mode_list_free(&a);
            abut_mode_list_free(&b);
        }
        abut_mode_system_free(&s);
    }
    AbutModeSystem s = builtin("hand-ball-generic");
    AbutModeOptions o = abut_mode_options_default();
    o.method = abut_mode_paper, o.kind = ABUT_MODES_CS;
    assert_int_equal(count_modes(&s, &o), 4096);
    abut_mode_system_free(&s);
}

static void small_and_empty_systems(void **state) {
    (void)state;
    double zero[12] = {0}, row[6] = {0, 0, 1, 0, 0, 0}, lines[12] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    double pinned[4] = {1, -1, 1, -1}, flat[2] = {0, 0};
    AbutModeOptions o = abut_mode_options_default();
    AbutModeSystem none = {0, 6, 2, NULL, NULL, NULL, NULL, NULL, 0.0},
                   no_motion = {2, 0, 2, NULL, NULL, NULL, NULL, NULL, 0.0};
    AbutModeSystem one = {1, 6, 2, row, lines, NULL, NULL, NULL, 0.0},
                   immobile = {4, 1, 0, pinned, NULL, NULL, NULL, NULL, 0.0};
    AbutModeSystem dead = {2, 6, 0, zero, NULL, NULL, NULL, NULL, 0.0},
                   line_only = {1, 2, 1, flat, row + 2, NULL, NULL, NULL, 0.0};
    for (int search = 0; search < 2; ++search) {
        o.count_by_search = search;
        assert_int_equal(count_modes(&none, &o), 1);
        assert_int_equal(count_modes(&no_motion, &o), 1);
        assert_int_equal(count_modes(&one, &o), 10);
        assert_int_equal(count_modes(&immobile, &o), 1);
        assert_int_equal(count_modes(&dead, &o), 1);
        assert_int_equal(count_modes(&line_only, &o), 3);
    }
    o.method = abut_mode_paper;
    assert_int_equal(count_modes(&none, &o), 1);
    assert_int_equal(count_modes(&no_motion, &o), 1);
    assert_int_equal(count_modes(&one, &o), 10);
    assert_int_equal(count_modes(&immobile, &o), 1);
    assert_int_equal(count_modes(&line_only, &o), 3);
    o.method = NULL, o.nonlinear = 1;
    assert_int_equal(count_modes(&one, &o), 3);
}

/* More than 64 different rows: n independent contacts with one line each have 2^n patterns and 4^n modes. */
static void many_rows(void **state) {
    (void)state;
    enum { N = 40 };
    static double normal[N * 2 * N], tangent[N * 2 * N];
    AbutModeSystem s = {N, 2 * N, 1, normal, tangent, NULL, NULL, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    int8_t cs[N];
    for (int i = 0; i < N; ++i) {
        normal[i * 2 * N + i] = 1.0, tangent[i * 2 * N + N + i] = i == 3 ? 0.7390851332151607 : 1.0;
        cs[i] = i % 4 != 0;
    }
    o.kind = ABUT_MODES_OF_CS, o.cs = cs;
    for (int a = 0; a < 2; ++a)
        for (int level = 0; level < 2; ++level) {
            AbutModeResult r;
            o.arithmetic = a ? ABUT_MODE_DOUBLE : ABUT_MODE_AUTO;
            assert_int_equal(abut_mode_enumerate_level(&s, &o, level, &r, NULL), ABUT_OK);
            assert_int_equal(r.unique_rows, 80);
            assert_int_equal(r.modes, 59049);
        }
    AbutModeList list = collect_modes(&s, &o);
    assert_int_equal(list.words, 2);
    char text[100];
    uint64_t plus[2], minus[2];
    for (size_t i = 0; i < list.count; i += 997) {
        assert_int_equal(abut_mode_text(&s, 0, abut_mode_list_get(&list, i), text, sizeof text), 80);
        assert_int_equal(abut_mode_parse(&s, 0, text, (AbutMode){plus, minus}, NULL), ABUT_OK);
        assert_memory_equal(plus, list.bits + 4 * i, 16);
        assert_memory_equal(minus, list.bits + 4 * i + 2, 16);
    }
    abut_mode_list_free(&list);
    o.nonlinear = 1;
    list = collect_modes(&s, &o);
    assert_int_equal(list.count, 1024);
    for (size_t i = 0; i < list.count; ++i) {
        assert_int_equal(abut_mode_text(&s, 1, abut_mode_list_get(&list, i), text, sizeof text), 80);
        assert_int_equal(abut_mode_parse(&s, 1, text, (AbutMode){plus, minus}, NULL), ABUT_OK);
        assert_memory_equal(plus, list.bits + 4 * i, 16);
        assert_memory_equal(minus, list.bits + 4 * i + 2, 16);
    }
    abut_mode_list_free(&list);
    text[40] = '-';
    assert_int_equal(abut_mode_parse(&s, 1, text, (AbutMode){plus, minus}, NULL), ABUT_ERROR_ARGUMENT);
}

/* Contacts that have nothing to do with each other: counts multiply, also far beyond what could be listed. */
static void independent_groups_multiply(void **state) {
    (void)state;
    enum { N = 40 };
    static double normal[N * 2 * N], tangent[N * 2 * N];
    for (int n = 1; n <= N; n += n < 30 ? 29 : 10) {
        memset(normal, 0, sizeof normal);
        memset(tangent, 0, sizeof tangent);
        for (int i = 0; i < n; ++i) normal[i * 2 * n + i] = 1.0, tangent[i * 2 * n + n + i] = 1.0;
        AbutModeSystem s = {n, 2 * n, 1, normal, tangent, NULL, NULL, NULL, 0.0};
        AbutModeResult r;
        assert_int_equal(abut_mode_enumerate(&s, NULL, &r, NULL), ABUT_OK);
        assert_int_equal(r.cs_modes, (uint64_t)1 << n);
        assert_int_equal(r.saturated, n == 40);
        assert_int_equal(r.modes, n == 40 ? UINT64_MAX : (uint64_t)1 << (2 * n));
    }
}

/* Two systems side by side, their contacts mixed: the listing by combination equals the plain search. */
static AbutModeSystem side_by_side(const AbutModeSystem *a, const AbutModeSystem *b) {
    int n = a->contacts + b->contacts, d = a->dof + b->dof, lines = a->lines;
    double *rows = abut_alloc_array((size_t)(n * (1 + lines) * d), sizeof(double));
    memset(rows, 0, sizeof(double) * (size_t)(n * (1 + lines) * d));
    for (int i = 0, next[2] = {0, 0}; i < n; ++i) {
        int which = next[0] == a->contacts || (next[1] < b->contacts && i % 2);
        const AbutModeSystem *s = which ? b : a;
        int from = next[which]++, column = which ? a->dof : 0;
        memcpy(rows + i * d + column, s->normal_rows + from * s->dof, sizeof(double) * (size_t)s->dof);
        for (int k = 0; k < lines; ++k)
            memcpy(rows + (n + i * lines + k) * d + column, s->tangent_rows + (from * lines + k) * s->dof,
                sizeof(double) * (size_t)s->dof);
    }
    return (AbutModeSystem){n, d, lines, rows, rows + n * d, rows, NULL, NULL, 0.0};
}

static void independent_groups_are_listed_by_combination(void **state) {
    (void)state;
    const char *pairs[][2] = {{"box:1", "peg:4"}, {"box:3", "grasp:2"}, {"box:2", "box:3"}, {"box-box:1", "grasp:1"}};
    for (int k = 0; k < 4; ++k) {
        AbutModeSystem a = builtin(pairs[k][0]), b = builtin(pairs[k][1]), s = side_by_side(&a, &b);
        for (int way = 0; way < 4; ++way) {
            AbutModeOptions o = abut_mode_options_default();
            AbutModeResult r;
            AbutModeList plain = {0}, list = {0};
            o.kind = way == 1 ? ABUT_MODES_CS : ABUT_MODES_FULL, o.nonlinear = way == 2;
            o.threads = way == 3 ? 2 : 1;
            assert_int_equal(abut_mode_collect(&s, &o, &list, &r, NULL), ABUT_OK);
            assert_true(r.complete && r.modes == list.count);
            uint64_t cs_modes = r.cs_modes, mask = ((uint64_t)1 << s.contacts) - 1, changes = 1;
            for (size_t i = 1; i < list.count; ++i) changes += ((list.bits[2 * i] ^ list.bits[2 * i - 2]) & mask) != 0;
            assert_int_equal(changes, cs_modes);
            o.limit = list.count / 2 + 1;
            AbutModeList half = collect_modes(&s, &o);
            assert_int_equal(half.count, o.limit);
            assert_memory_equal(half.bits, list.bits, 16 * half.count);
            o.limit = 0, o.count_by_search = 1;
            assert_int_equal(abut_mode_collect(&s, &o, &plain, &r, NULL), ABUT_OK);
            assert_int_equal(r.cs_modes, cs_modes);
            sort_modes(&plain);
            sort_modes(&list);
            assert_int_equal(list.count, plain.count);
            assert_memory_equal(list.bits, plain.bits, 16 * list.count);
            abut_mode_list_free(&plain);
            abut_mode_list_free(&half);
            abut_mode_list_free(&list);
        }
        abut_mode_system_free(&a);
        abut_mode_system_free(&b);
        abut_mode_system_free(&s);
    }
}

static int hash_word(AbutMode mode, void *user) {
    uint64_t *hash = user;
    *hash = (*hash ^ *mode.plus ^ *mode.minus << 32) * 0x9e3779b97f4a7c15u;
    return 0;
}

/* One pattern with far more modes than a job may have is split again and again; the order stays. */
static void huge_subtrees_keep_the_order(void **state) {
    (void)state;
    enum { N = 17 };
    static double normal[N * N], tangent[N * N];
    AbutModeSystem s = {N, N, 1, normal, tangent, NULL, NULL, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    uint64_t first = 0;
    for (int i = 0; i < N; ++i) tangent[i * N + i] = 1.0;
    int8_t cs[N] = {0};
    o.kind = ABUT_MODES_OF_CS, o.cs = cs, o.limit = 9000000, o.visit = hash_word;
    for (int threads = 1; threads <= 2; ++threads) {
        uint64_t hash = 0;
        AbutModeResult r;
        o.threads = threads, o.user = &hash;
        assert_int_equal(abut_mode_enumerate(&s, &o, &r, NULL), ABUT_OK);
        assert_int_equal(r.modes, 9000000);
        assert_false(r.complete);
        if (threads == 1) first = hash;
        assert_int_equal(hash, first);
    }
}

/* The allocator gives out after k blocks, for every k: a clean failure, nothing kept. */
static void no_memory_is_a_clean_failure(void **state) {
    (void)state;
    int failures = 0, successes = 0;
    for (int k = 0; k < 2000 && successes < 6; ++k)
        for (int way = 0; way < 6; ++way) {
            FailingMemory memory = {k, 0};
            AbutAllocator allocator = {failing_alloc, failing_release, &memory};
            abut_set_allocator(&allocator);
            AbutModeSystem s = {0};
            AbutModeList list = {0};
            AbutModeResult r;
            AbutModeOptions o = abut_mode_options_default();
            o.method = way == 4 ? abut_mode_paper : NULL;
            o.arithmetic = way & 1 ? ABUT_MODE_DOUBLE : ABUT_MODE_AUTO;
            AbutStatus status = abut_mode_builtin(way < 3 ? "box:2" : "box-box:1", &s, NULL);
            if (status == ABUT_OK)
                status = way == 2 || way == 5 ? abut_mode_enumerate(&s, &o, &r, NULL)
                                              : abut_mode_collect(&s, &o, &list, &r, NULL);
            assert_true(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
            failures += status != ABUT_OK;
            successes = status == ABUT_OK ? successes + 1 : 0;
            abut_mode_list_free(&list);
            abut_mode_system_free(&s);
            abut_set_allocator(NULL);
            assert_int_equal(memory.live, 0);
        }
    assert_true(failures > 20 && successes >= 6);
}

/* Rows built again from what a system keeps of its contacts and bodies are the same. */
static void systems_keep_their_def(void **state) {
    (void)state;
    static const char *const names[] = {"box:2", "peg:5", "box-box:2", "grasp:3", "hand-ball-generic"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        AbutModeSystem s, again, more;
        AbutError error;
        assert_int_equal(abut_mode_builtin(names[i], &s, &error), ABUT_OK);
        assert_int_equal(abut_mode_system_set_lines(&s, 3, &more, &error), ABUT_OK);
        assert_true(more.def && more.def != s.def && more.def->contacts != s.def->contacts);
        assert_int_equal(more.def->lines, 3);
        abut_mode_system_free(&more);
        assert_int_equal(s.def->contact_count, s.contacts);
        assert_int_equal(abut_mode_system_build(s.def, &again, &error), ABUT_OK);
        size_t bytes = sizeof(double) * (size_t)s.contacts * (size_t)s.dof;
        assert_memory_equal(s.normal_rows, again.normal_rows, bytes);
        assert_memory_equal(s.tangent_rows, again.tangent_rows, bytes * (size_t)s.lines);
        abut_mode_system_free(&again);
        abut_mode_system_free(&s);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutModeSystem s;
    AbutModeResult r;
    AbutError error = {0};
    const char *names[] = {"", "box", "box:", "box:0", "box:6", "box:x", "peg:0", "ball:3", "grasp:1000", "box-box:3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_int_not_equal(abut_mode_builtin(names[i], &s, &error), ABUT_OK);
        assert_true(error.text[0] != 0);
    }
    AbutPointContact c = {.normal = {0, 0, 1}, .body_a = -1};
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    AbutModeSystemDef def = {
        .contacts = &c, .contact_count = 1, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    c.body_b = 1;
    assert_int_equal(abut_mode_system_build(&def, &s, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "unknown body"));
    c.body_b = 0, c.normal = abut_zero();
    assert_int_equal(abut_mode_system_build(&def, &s, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "normal"));
    c.normal = abut_vec3(NAN, 0, 0);
    assert_int_equal(abut_mode_system_build(&def, &s, &error), ABUT_ERROR_NUMBER);
    c.normal = abut_axis(2);
    def.dof = 5;
    assert_int_equal(abut_mode_system_build(&def, &s, &error), ABUT_ERROR_ARGUMENT);
    double bad[6] = {INFINITY, 0, 0, 0, 0, 0}, fine[6] = {1, 0, 0, 0, 0, 0.7853981633974483};
    AbutModeSystem one = {1, 6, 0, bad, NULL, NULL, NULL, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    assert_int_equal(abut_mode_enumerate(&one, &o, &r, &error), ABUT_ERROR_NUMBER);
    one.normal_rows = fine, o.tolerance = 0.5;
    assert_int_equal(abut_mode_enumerate(&one, &o, &r, &error), ABUT_ERROR_ARGUMENT);
    o.tolerance = 0, o.kind = ABUT_MODES_OF_CS;
    assert_int_equal(abut_mode_enumerate(&one, &o, &r, &error), ABUT_ERROR_ARGUMENT);
    o.kind = ABUT_MODES_FULL, one.contacts = -1;
    assert_int_equal(abut_mode_enumerate(&one, &o, &r, &error), ABUT_ERROR_ARGUMENT);
    uint64_t plus, minus;
    one.contacts = 1;
    assert_int_equal(abut_mode_parse(&one, 0, "-", (AbutMode){&plus, &minus}, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mode_parse(&one, 0, "0+", (AbutMode){&plus, &minus}, &error), ABUT_ERROR_ARGUMENT);
}

/* A column of rounding beside rows that depend on each other is no direction: two rows and their sum have 4 patterns.
 */
static void rounding_is_no_direction(void **state) {
    (void)state;
    const double a = sqrt(3.0), b = 1.7746;
    const double rows[] = {a, b, 0, -2.42e-17, -a, b, 0, 2.42e-17, 0, 2.0 * b, 0, -5.97e-17};
    AbutModeSystem s = {.contacts = 3, .dof = 4, .normal_rows = rows};
    AbutModeResult result;
    AbutError error;
    good(abut_mode_enumerate(&s, NULL, &result, &error), &error);
    assert_true(result.modes == 4 && !result.exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_no_direction),
        cmocka_unit_test(built_in_counts_are_exact),
        cmocka_unit_test(built_in_rows_equal_the_files),
        cmocka_unit_test(hand_counts),
        cmocka_unit_test(euler_holds_for_every_pattern),
        cmocka_unit_test(motion_scale_and_order_change_nothing),
        cmocka_unit_test(order_is_the_same_for_any_thread_count_and_vector_unit),
        cmocka_unit_test(limits_and_canceling),
        cmocka_unit_test(nonlinear_is_the_merged_list),
        cmocka_unit_test(both_methods_agree),
        cmocka_unit_test(small_and_empty_systems),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(independent_groups_multiply),
        cmocka_unit_test(independent_groups_are_listed_by_combination),
        cmocka_unit_test(huge_subtrees_keep_the_order),
        cmocka_unit_test(no_memory_is_a_clean_failure),
        cmocka_unit_test(systems_keep_their_def),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
