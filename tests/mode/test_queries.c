/* SPDX-License-Identifier: Apache-2.0 */
/* Velocities of modes, projection, neighbors and diagram, forces against cases worked out by hand. */
#include "modes_support.h"
#include "support/mode_dimension.h"

static void check_velocities(const AbutModeSystem *s, size_t step, AbutRng *rng) {
    AbutModeOptions o = abut_mode_options_default();
    AbutModeList list = collect_modes(s, &o);
    AbutError error = {0};
    for (size_t i = 0; i < list.count; i += step) {
        AbutMode mode = abut_mode_list_get(&list, i);
        double v[20];
        uint64_t plus, minus;
        for (int k = 0; k < 3; ++k) {
            AbutStatus status =
                k == 0 ? abut_mode_velocity(s, mode, v, &error) : abut_mode_sample(s, mode, rng, v, &error);
            if (status != ABUT_OK) fail_msg("mode %zu: %s", i, error.text);
            assert_int_equal(abut_mode_of_velocity(s, v, 1e-7, (AbutMode){&plus, &minus}, &error), ABUT_OK);
            assert_int_equal(plus, *mode.plus);
            assert_int_equal(minus, *mode.minus);
        }
    }
    abut_mode_list_free(&list);
}

static void velocities_reproduce_their_modes(void **state) {
    (void)state;
    const char *names[] = {"box:1", "box:2", "box:3", "box:4", "box:5", "peg:4", "grasp:3", "grasp:4"};
    AbutRng rng = abut_rng(8, 8);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        AbutModeSystem s = builtin(names[k]);
        check_velocities(&s, 1, &rng);
        abut_mode_system_free(&s);
    }
    AbutModeSystem s = builtin("box-box:2");
    check_velocities(&s, 101, &rng);
    abut_mode_system_free(&s);
    for (int k = 0; k < check_cases(60); ++k) {
        s = random_contacts(&rng, 4, 1 + k % 3, k & 1, 2);
        check_velocities(&s, 7, &rng);
        abut_mode_system_free(&s);
    }
}

static void modes_that_do_not_exist_have_no_velocity(void **state) {
    (void)state;
    AbutModeSystem s = builtin("box:1");
    AbutModeOptions o = abut_mode_options_default();
    AbutModeList list = collect_modes(&s, &o);
    AbutRng rng = abut_rng(4, 4);
    sort_modes(&list);
    int missing = 0;
    for (int k = 0; k < 300; ++k) {
        uint64_t mode[2] = {abut_rng_below(&rng, 16), 0};
        for (int i = 0; i < 8; ++i)
            if (!(mode[0] >> (i / 2) & 1))
                mode[abut_rng_below(&rng, 2)] |= (uint64_t)abut_rng_below(&rng, 2) << (4 + i);
        double v[6];
        mode[1] &= ~mode[0];
        int listed = bsearch(mode, list.bits, list.count, 16, mode_order) != NULL;
        AbutStatus status = abut_mode_velocity(&s, (AbutMode){mode, mode + 1}, v, NULL);
        assert_int_equal(status, listed ? ABUT_OK : ABUT_ERROR_EMPTY);
        missing += !listed;
    }
    assert_true(missing > 50 && missing < 300);
    double down[6] = {0, 0, -1, 0, 0, 0};
    uint64_t plus, minus;
    assert_int_equal(abut_mode_of_velocity(&s, down, 0, (AbutMode){&plus, &minus}, NULL), ABUT_ERROR_EMPTY);
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

/* The projection is in the closed cone and no sample of the mode is closer. */
static void projection_is_the_closest_velocity(void **state) {
    (void)state;
    AbutModeSystem s = builtin("box:2");
    AbutModeOptions o = abut_mode_options_default();
    AbutModeList list = collect_modes(&s, &o);
    AbutRng rng = abut_rng(21, 0);
    for (size_t i = 0; i < list.count; i += 3) {
        AbutMode mode = abut_mode_list_get(&list, i);
        double want[6], got[6], again[6], other[6], distance, second;
        for (int j = 0; j < 6; ++j) want[j] = abut_rng_normal(&rng);
        assert_int_equal(abut_mode_project(&s, 0, mode, want, NULL, got, &distance, NULL), ABUT_OK);
        assert_int_equal(abut_mode_project(&s, 0, mode, got, NULL, again, &second, NULL), ABUT_OK);
        CHECK_NEAR(second, 0.0, 1e-9);
        /* the cone contains all positive multiples, so the difference is at right angles to the answer */
        double along = 0.0;
        for (int j = 0; j < 6; ++j) along += got[j] * (want[j] - got[j]);
        CHECK_NEAR(along, 0.0, 1e-8);
        for (int k = 0; k < 5; ++k) {
            double inner = 0.0;
            assert_int_equal(abut_mode_sample(&s, mode, &rng, other, NULL), ABUT_OK);
            for (int j = 0; j < 6; ++j) inner += (want[j] - got[j]) * other[j];
            assert_true(inner < 1e-7);
        }
    }
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

typedef struct Seen {
    const AbutModeSystem *system;
    AbutMode mode;
    AbutModeList *sorted;
    int side;
    int count;
} Seen;

static int check_neighbor(AbutMode mode, void *user) {
    Seen *seen = user;
    uint64_t words[2] = {*mode.plus, *mode.minus};
    assert_non_null(bsearch(words, seen->sorted->bits, seen->sorted->count, 16, mode_order));
    int below = seen->side == ABUT_MODE_FACETS;
    assert_true(abut_mode_is_face(seen->system, below ? mode : seen->mode, below ? seen->mode : mode));
    ++seen->count;
    return 0;
}

static void neighbors_are_the_edges_of_the_diagram(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 2);
    for (int k = 0; k < 6 + check_cases(20); ++k) {
        AbutModeSystem s = k == 0   ? builtin("box:1")
                           : k == 1 ? builtin("box:2")
                           : k == 2 ? builtin("grasp:2")
                                    : random_contacts(&rng, 3, 1 + k % 2, k & 1, 1);
        AbutModeOptions o = abut_mode_options_default();
        AbutModeList list = collect_modes(&s, &o);
        AbutPair *edges;
        size_t count;
        sort_modes(&list);
        assert_int_equal(abut_mode_hasse(&s, &list, &count, &edges, NULL), ABUT_OK);
        for (size_t i = 0; i < list.count; i += 1 + list.count / 60) {
            int down = 0, up = 0;
            for (size_t e = 0; e < count; ++e) down += (size_t)edges[e].b == i, up += (size_t)edges[e].a == i;
            for (int k2 = 0; k2 < 2; ++k2) {
                int side = k2 ? ABUT_MODE_COFACES : ABUT_MODE_FACETS;
                Seen seen = {&s, abut_mode_list_get(&list, i), &list, side, 0};
                uint64_t found;
                assert_int_equal(
                    abut_mode_neighbors(&s, seen.mode, side, check_neighbor, &seen, &found, NULL), ABUT_OK);
                assert_int_equal(found, k2 ? up : down);
                assert_int_equal(seen.count, found);
            }
        }
        abut_free(edges);
        abut_mode_list_free(&list);
        abut_mode_system_free(&s);
    }
}

/* Merging keeps the modes of full freedom: no kept one is a face of another, every dropped one is. */
static void merging_drops_only_faces(void **state) {
    (void)state;
    AbutModeSystem s = builtin("box:1");
    AbutModeOptions o = abut_mode_options_default();
    AbutModeList full = collect_modes(&s, &o), merged = collect_modes(&s, &o);
    assert_int_equal(abut_mode_merge(&s, &merged, NULL), ABUT_OK);
    assert_true(merged.count > 10 && merged.count < full.count);
    for (size_t i = 0; i < full.count; ++i) {
        int covered = 0;
        for (size_t j = 0; j < merged.count; ++j)
            covered |= abut_mode_is_face(&s, abut_mode_list_get(&full, i), abut_mode_list_get(&merged, j));
        assert_true(covered);
    }
    /* one contact with two lines: of 9 sliding patterns the 4 sectors and sticking stay, and separation */
    double row[3] = {0, 0, 1}, lines[6] = {1, 0, 0, 0, 1, 0};
    AbutModeSystem one = {1, 3, 2, row, lines, NULL, NULL, NULL, 0.0};
    AbutModeList few = collect_modes(&one, &o);
    assert_int_equal(few.count, 10);
    assert_int_equal(abut_mode_merge(&one, &few, NULL), ABUT_OK);
    assert_int_equal(few.count, 6);
    abut_mode_list_free(&few);
    abut_mode_list_free(&full);
    abut_mode_list_free(&merged);
    abut_mode_system_free(&s);
}

/* Rows with noise of 1e-8: cleaned, every mode has the dimension it has without noise, and a velocity that is of it. */
static void cleaning_takes_noise_out(void **state) {
    (void)state;
    AbutModeSystem s = builtin("box:2"), noisy = s;
    AbutModeOptions o = abut_mode_options_default();
    AbutModeList list = collect_modes(&s, &o);
    AbutRng rng = abut_rng(31, 7);
    double rows[8 * 3 * 6];
    int differ = 0;
    for (int i = 0; i < 8 * 3 * 6; ++i) rows[i] = s.normal_rows[i] + 1e-8 * abut_rng_between(&rng, -1.0, 1.0);
    noisy.normal_rows = rows, noisy.tangent_rows = rows + 8 * 6;
    for (size_t i = 0; i < list.count; i += 5) {
        AbutMode mode = abut_mode_list_get(&list, i);
        uint64_t plus, minus, facets, noisy_facets;
        double v[6];
        int dimension = mode_dimension(&s, mode);
        noisy.tolerance = 0.0;
        differ += mode_dimension(&noisy, mode) != dimension;
        noisy.tolerance = 1e-6;
        assert_int_equal(mode_dimension(&noisy, mode), dimension);
        assert_int_equal(abut_mode_velocity(&noisy, mode, v, NULL), ABUT_OK);
        for (int j = 0; j < 6; ++j) assert_true(fabs(v[j]) < 10.0);
        assert_int_equal(abut_mode_of_velocity(&s, v, 1e-5, (AbutMode){&plus, &minus}, NULL), ABUT_OK);
        assert_true(plus == *mode.plus && minus == *mode.minus);
        assert_int_equal(abut_mode_neighbors(&s, mode, ABUT_MODE_FACETS, NULL, NULL, &facets, NULL), ABUT_OK);
        assert_int_equal(abut_mode_neighbors(&noisy, mode, ABUT_MODE_FACETS, NULL, NULL, &noisy_facets, NULL), ABUT_OK);
        assert_true(facets == noisy_facets);
    }
    AbutModeResult counted;
    assert_int_equal(abut_mode_enumerate(&noisy, NULL, &counted, NULL), ABUT_OK);
    assert_true(counted.modes == list.count && counted.tolerance == 1e-6);
    assert_true(differ > 10); /* the noise does matter */
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

/* A point on a plane that moves along (cos t, sin t) and lifts off at t = 5. */
static AbutStatus circling(double t, double *normal, double *tangent, double *velocity, void *user) {
    const double rows[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    (void)user;
    memcpy(normal, rows, 3 * sizeof(double));
    memcpy(tangent, rows + 3, 6 * sizeof(double));
    velocity[0] = cos(t), velocity[1] = sin(t), velocity[2] = t > 5.0 ? 1.0 : 0.0;
    return ABUT_OK;
}

typedef struct Events {
    int count;
    double time[16];
    uint64_t plus[16], minus[16];
} Events;

static int note_event(double time, int allowed, AbutMode mode, void *user) {
    Events *e = user;
    assert_true(allowed && e->count < 16);
    e->time[e->count] = time, e->plus[e->count] = *mode.plus, e->minus[e->count++] = *mode.minus;
    return 0;
}

static void changes_along_a_motion_are_found(void **state) {
    (void)state;
    Events e = {0};
    AbutModeTrack track = {1, 3, 2, 0.1, 6.0, 50, 0, 1e-7, circling, note_event, &e};
    assert_int_equal(abut_mode_track(&track, NULL), ABUT_OK);
    const double want[5] = {0.1, 0.5 * ABUT_PI, ABUT_PI, 1.5 * ABUT_PI, 5.0};
    const uint64_t plus[5] = {6, 4, 0, 2, 1};
    assert_int_equal(e.count, 5);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(e.time[i], want[i], 3e-7);
        assert_int_equal(e.plus[i], plus[i]);
    }
    track.samples = 0;
    assert_int_equal(abut_mode_track(&track, NULL), ABUT_ERROR_ARGUMENT);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static const AbutModeBody planar_body = {.kind = ABUT_MODE_BODY_PLANAR, .position = {0, 1, 0}};

static AbutModeSystem planar_system(const AbutPointContact *contacts, int count) {
    return build_system(&(AbutModeSystemDef){
        .contacts = contacts, .contact_count = count, .bodies = &planar_body, .body_count = 1, .dof = 3, .planar = 1});
}

/* A block of 2 x 2 on a table, center at height 1; positive line velocity is to the left. */
static AbutModeSystem block_on_table(void) {
    AbutPointContact c[2] = {{.point = {-1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1}};
    return planar_system(c, 2);
}

static int feasible(const AbutModeSystem *s, const char *text, const AbutModeForces *f) {
    uint64_t plus, minus;
    AbutMode mode = {&plus, &minus};
    AbutModeForceResult r;
    AbutError error = {0};
    if (abut_mode_parse(s, 0, text, mode, &error) != ABUT_OK ||
        abut_mode_force_feasible(s, mode, f, &r, NULL, NULL, &error) != ABUT_OK)
        fail_msg("%s: %s", text, error.text);
    return r.feasible;
}

/* Weight 1, push F to the right at height y: slides when F = mu and y <= 1 / mu; tips about the right corner above. */
static void block_pushed_at_several_heights(void **state) {
    (void)state;
    AbutModeSystem s = block_on_table();
    for (int k = 0; k <= 8; ++k) {
        double mu = 0.8, height = 0.25 * k, push = mu;
        double force[3] = {push, -1.0, -push * (height - 1.0)};
        AbutModeForces f = {.force = force, .default_friction = mu};
        assert_int_equal(feasible(&s, "00--", &f), mu * height <= 1.0 + 1e-9);
        assert_false(feasible(&s, "00++", &f));
        assert_false(feasible(&s, "++..", &f));
        double tip = 1.0 / height, light[3] = {tip, -1.0, -tip * (height - 1.0)};
        f.force = light;
        if (k > 0) /* rolls about the corner, which sticks when the push is within friction */
            assert_int_equal(feasible(&s, "+0.0", &f), tip <= mu + 1e-9);
    }
    abut_mode_system_free(&s);
}

static int count_consistent(const AbutModeSystem *s, const AbutModeForces *f) {
    AbutModeResult r;
    AbutError error = {0};
    good(abut_mode_consistent(s, f, NULL, &r, &error), &error);
    return (int)r.modes;
}

static void block_moves_by_one_step(void **state) {
    (void)state;
    AbutModeSystem s = block_on_table();
    double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2.0 / 3.0}, rest[3] = {0, -1, 0}, push[3] = {0.5, -1, 0},
           up[3] = {0, 2, 0};
    double tip[3] = {0.9, -1, -0.9}, sliding[3] = {1, 0, 0};
    AbutModeForces f = {.force = rest, .mass = mass, .default_friction = 0.2};
    assert_true(feasible(&s, "0000", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    f.force = push;
    assert_true(feasible(&s, "00--", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    f.default_friction = 0.6;
    assert_true(feasible(&s, "0000", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    f.force = up;
    assert_true(feasible(&s, "++..", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    f.force = tip, f.default_friction = 2.0;
    assert_true(feasible(&s, "+0.0", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    f.force = rest, f.velocity = sliding, f.default_friction = 0.2;
    assert_true(feasible(&s, "00--", &f));
    assert_int_equal(count_consistent(&s, &f), 1);
    abut_mode_system_free(&s);
}

/* A block in a corner: floor and a wall on its left; pushed into the wall it stays. */
static void block_in_a_corner(void **state) {
    (void)state;
    AbutPointContact c[3] = {{.point = {-1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {-1, 1, 0}, .normal = {1, 0, 0}, .body_a = -1}};
    AbutModeSystem s = planar_system(c, 3);
    double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2.0 / 3.0}, in[3] = {-3, -1, 0}, out[3] = {3, -1, 0};
    AbutModeForces f = {.force = in, .mass = mass, .default_friction = 0.0};
    assert_int_equal(count_consistent(&s, &f), 1);
    assert_true(feasible(&s, "000000", &f));
    f.force = out;
    assert_int_equal(count_consistent(&s, &f), 1);
    assert_true(feasible(&s, "00+--.", &f));
    abut_mode_system_free(&s);
}

/* A peg between two walls: it may jam or fall. Both are possible, and only a list of all modes shows it. */
static void wedged_peg_has_two_futures(void **state) {
    (void)state;
    AbutPointContact c[2] = {{.point = {-1, 1, 0}, .normal = {1, 0, 0}, .body_a = -1},
        {.point = {1, 1, 0}, .normal = {-1, 0, 0}, .body_a = -1}};
    AbutModeSystem s = planar_system(c, 2);
    double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, weight[3] = {0, -1, 0};
    AbutModeForces f = {.force = weight, .mass = mass, .default_friction = 0.3};
    assert_true(feasible(&s, "0000", &f)); /* jammed */
    assert_true(feasible(&s, "00-+", &f)); /* falls */
    assert_false(feasible(&s, "00+-", &f));
    assert_int_equal(count_consistent(&s, &f), 2);
    f.default_friction = 0.0;
    assert_int_equal(count_consistent(&s, &f), 1);
    f.mass = NULL, f.default_friction = 0.3;
    assert_true(feasible(&s, "0000", &f));
    f.default_friction = 0.0;
    assert_false(feasible(&s, "0000", &f));
    abut_mode_system_free(&s);
}

/* Three fingers hold a ball against its weight with friction, and not without; a twist about the axis too. */
static void three_finger_grasp(void **state) {
    (void)state;
    AbutModeSystem s = builtin("grasp:3");
    double loads[3][6] = {{0, 0, -1, 0, 0, 0}, {0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        AbutModeForces f = {.force = loads[k], .default_friction = 0.4};
        uint64_t none = 0;
        AbutModeForceResult r;
        double contact[9], sum[6] = {0};
        assert_int_equal(abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &f, &r, NULL, contact, NULL), ABUT_OK);
        assert_true(r.feasible);
        for (int i = 0; i < 3; ++i) {
            assert_true(fabs(contact[3 * i + 1]) + fabs(contact[3 * i + 2]) <= 0.4 * contact[3 * i] + 1e-9);
            for (int j = 0; j < 6; ++j)
                sum[j] += contact[3 * i] * s.normal_rows[6 * i + j] + contact[3 * i + 1] * s.tangent_rows[12 * i + j] +
                          contact[3 * i + 2] * s.tangent_rows[12 * i + 6 + j];
        }
        for (int j = 0; j < 6; ++j) CHECK_NEAR(sum[j] + loads[k][j], 0.0, 1e-8);
        f.default_friction = 0.0;
        assert_int_equal(abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &f, &r, NULL, NULL, NULL), ABUT_OK);
        assert_int_equal(r.feasible, k == 2);
    }
    abut_mode_system_free(&s);
}

static double margin_of(const AbutModeSystem *s, const char *text, const AbutModeForces *f, const double *scale) {
    uint64_t plus, minus;
    AbutMode mode = {&plus, &minus};
    double margin = -1.0;
    AbutError error = {0};
    good(abut_mode_parse(s, 0, text, mode, &error), &error);
    good(abut_mode_margin(s, mode, f, scale, &margin, &error), &error);
    return margin;
}

/* Weight 1, half as wide as high: pushes up to mu, lifts up to 1, turns up to 1; bounds of the two feet change that. */
static void block_bears_disturbances(void **state) {
    (void)state;
    AbutModeSystem s = block_on_table();
    double weight[3] = {0, -1, 0}, lift[3] = {0, 1, 0}, least[2] = {0.3, 0.3}, most[2] = {0.6, 0.6};
    AbutModeForces f = {.force = weight, .default_friction = 0.8};
    const double wide[3] = {4, 1, 1}, narrow[3] = {0.1, 0.1, 0.5};
    CHECK_NEAR(margin_of(&s, "0000", &f, NULL), 0.8, 1e-7);
    CHECK_NEAR(margin_of(&s, "0000", &f, wide), 0.2, 1e-7);
    CHECK_NEAR(margin_of(&s, "0000", &f, narrow), 2.0, 1e-7);
    f.default_friction = 3.0;
    CHECK_NEAR(margin_of(&s, "0000", &f, NULL), 1.0, 1e-7); /* tips, lifts or turns */
    f.least = least;
    CHECK_NEAR(margin_of(&s, "0000", &f, NULL), 0.4, 1e-7); /* 0.6 must stay on the feet */
    f.most = most;
    CHECK_NEAR(margin_of(&s, "0000", &f, NULL), 0.2, 1e-7); /* at most 1.2 */
    f = (AbutModeForces){.force = lift, .default_friction = 0.8};
    assert_true(margin_of(&s, "0000", &f, NULL) == 0.0);
    abut_mode_system_free(&s);
    AbutPointContact c[2] = {{.point = {-1, 1, 0}, .normal = {1, 0, 0}, .body_a = -1},
        {.point = {1, 1, 0}, .normal = {-1, 0, 0}, .body_a = -1}};
    s = planar_system(c, 2);
    f = (AbutModeForces){.force = weight, .default_friction = 0.3};
    assert_true(isinf(margin_of(&s, "0000", &f, NULL))); /* walls squeeze as hard as they must */
    double grip[2] = {2.0, 2.0};
    f.most = grip;
    CHECK_NEAR(margin_of(&s, "0000", &f, NULL), 0.2, 1e-7); /* 2 * 0.3 * 2 hold 1 and 0.2 */
    abut_mode_system_free(&s);
}

/* The disturbances up to the margin are held, those a little beyond along some axis are not: force_feasible says so. */
static void margins_of_grasps(void **state) {
    (void)state;
    AbutModeSystem s = builtin("grasp:3");
    AbutRng rng = abut_rng(5, 0);
    uint64_t none = 0;
    AbutMode mode = {&none, &none};
    int positive = 0;
    for (int k = 0; k < check_cases(40); ++k) {
        double force[6], most[3], disturbed[6], margin;
        AbutModeForceResult r;
        for (int j = 0; j < 6; ++j) force[j] = (j < 3 ? 1.0 : 0.2) * abut_rng_normal(&rng);
        for (int i = 0; i < 3; ++i) most[i] = abut_rng_between(&rng, 1.0, 8.0);
        AbutModeForces f = {.force = force, .default_friction = 0.5, .most = most};
        assert_int_equal(abut_mode_margin(&s, mode, &f, NULL, &margin, NULL), ABUT_OK);
        int held = 1;
        f.force = disturbed;
        for (int side = 0; side < 2; ++side)
            for (int j = 0; j < 12; ++j) {
                memcpy(disturbed, force, sizeof disturbed);
                disturbed[j / 2] += (j % 2 ? 1.0 : -1.0) * margin * (side ? 1.0 + 1e-5 : 1.0 - 1e-6);
                assert_int_equal(abut_mode_force_feasible(&s, mode, &f, &r, NULL, NULL, NULL), ABUT_OK);
                if (side)
                    held &= r.feasible;
                else if (margin > 0.0)
                    assert_true(r.feasible);
            }
        positive += margin > 0.0;
        assert_true(!held || margin == 0.0);
    }
    assert_true(positive > check_cases(40) / 4);
    abut_mode_system_free(&s);
}

/* A point that slides at 20 degrees is braked at 200, not anywhere in the sector. */
static void exact_directions_of_sliding(void **state) {
    (void)state;
    AbutPointContact c = {.normal = {0, 0, 1}, .tangent_x = {1, 0, 0}, .tangent_y = {0, 1, 0}, .body_a = -1};
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    AbutModeSystem s = build_system(&(AbutModeSystemDef){
        .contacts = &c, .contact_count = 1, .bodies = &body, .body_count = 1, .dof = 6, .lines = 4});
    for (int k = 0; k < 2; ++k) {
        double angle = ABUT_PI / 18.0 * (2 - k), motion[6] = {cos(ABUT_PI / 9.0), sin(ABUT_PI / 9.0), 0};
        double force[6] = {0.5 * cos(angle), 0.5 * sin(angle), -1.0}, contact[3];
        uint64_t plus, minus;
        AbutMode mode = {&plus, &minus};
        AbutModeForces f = {.force = force, .default_friction = 0.5, .motion = motion};
        AbutModeForceResult r;
        assert_int_equal(abut_mode_of_velocity(&s, motion, 0.0, mode, NULL), ABUT_OK);
        assert_int_equal(abut_mode_force_feasible(&s, mode, &f, &r, NULL, contact, NULL), ABUT_OK);
        assert_int_equal(r.feasible, k == 0);
        if (k == 0) CHECK_NEAR(contact[1], -force[0], 1e-9);
        f.motion = NULL;
        force[0] *= 0.999, force[1] *= 0.999; /* into the chord of the sector */
        assert_int_equal(abut_mode_force_feasible(&s, mode, &f, &r, NULL, NULL, NULL), ABUT_OK);
    }
    abut_mode_system_free(&s);
}

/* The closed cone of a nonlinear mode is that of the linear ones of its pattern together: the nearest is the nearest.
 */
static void nonlinear_projection_is_the_best_of_all_sectors(void **state) {
    (void)state;
    AbutModeSystem s = builtin("box:1");
    AbutModeList all = {0}, few = {0};
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult counted;
    AbutRng rng = abut_rng(9, 0);
    assert_int_equal(abut_mode_collect(&s, &options, &all, &counted, NULL), ABUT_OK);
    options.nonlinear = 1;
    assert_int_equal(abut_mode_collect(&s, &options, &few, &counted, NULL), ABUT_OK);
    for (size_t k = 0; k < few.count; ++k) {
        AbutMode mode = abut_mode_list_get(&few, k);
        double wish[6], got[6], other[6], distance, best = INFINITY;
        for (int j = 0; j < 6; ++j) wish[j] = abut_rng_normal(&rng);
        assert_int_equal(abut_mode_project(&s, 1, mode, wish, NULL, got, &distance, NULL), ABUT_OK);
        for (size_t i = 0; i < all.count; ++i) {
            AbutMode linear = abut_mode_list_get(&all, i);
            int fits = 1;
            double far;
            for (int c = 0; c < s.contacts; ++c) {
                int parts = (int)(mode.plus[0] >> c & 1), slides = (int)(mode.plus[0] >> (s.contacts + c) & 1);
                int moves = 0;
                for (int l = 0; l < s.lines; ++l)
                    moves |= (int)((linear.plus[0] | linear.minus[0]) >> (s.contacts + c * s.lines + l) & 1);
                fits &= (int)(linear.plus[0] >> c & 1) == parts && (slides || !moves || parts);
            }
            if (!fits) continue;
            assert_int_equal(abut_mode_project(&s, 0, linear, wish, NULL, other, &far, NULL), ABUT_OK);
            best = fmin(best, far);
        }
        assert_true(isfinite(best));
        CHECK_NEAR(distance, best, 1e-8);
    }
    abut_mode_list_free(&all);
    abut_mode_list_free(&few);
    abut_mode_system_free(&s);
}

/* Contacts of a body with three velocities and a finger that a fourth drives along `way`. */
static AbutModeSystem driven_system(AbutPointContact *c, int count, AbutVec3 way) {
    double jacobian[24] = {0};
    jacobian[3] = way.x, jacobian[7] = way.y;
    AbutModeBody bodies[2] = {{.kind = ABUT_MODE_BODY_PLANAR},
        {.kind = ABUT_MODE_BODY_JACOBIAN, .rotation = abut_mat3_identity(), .jacobian = jacobian}};
    for (int i = 0; i < count; ++i) c[i].body_a = i == count - 1 ? 1 : -1;
    return build_system(&(AbutModeSystemDef){
        .contacts = c, .contact_count = count, .bodies = bodies, .body_count = 2, .dof = 4, .planar = 1});
}

/* A finger pushes a block of 2 x 2 at some height: it slides below 1 / mu, above it tips over the far corner. */
static void driven_finger_pushes_a_block(void **state) {
    (void)state;
    for (int k = 1; k < 8; ++k) {
        double height = 0.25 * k, mu[3] = {0.8, 0.8, 0.0}, weight[4] = {0, -1, 0, 0}, v[4];
        AbutPointContact c[3] = {{.point = {-1, -1, 0}, .normal = {0, 1, 0}},
            {.point = {1, -1, 0}, .normal = {0, 1, 0}}, {.point = {-1, height - 1.0, 0}, .normal = {1, 0, 0}}};
        AbutModeSystem s = driven_system(c, 3, abut_vec3(1, 0, 0));
        AbutModeForces f = {.force = weight, .friction = mu, .driven1 = 4};
        assert_int_equal(feasible(&s, "000--0", &f), 0.8 * height <= 1.0 + 1e-9);
        assert_int_equal(feasible(&s, "+00.0-", &f) || feasible(&s, "+00.0+", &f), 0.8 * height >= 1.0 - 1e-9);
        assert_false(feasible(&s, "000000", &f)); /* the finger does not stand still */
        if (height < 1.25) {
            uint64_t plus, minus;
            AbutModeForceResult r;
            assert_int_equal(abut_mode_parse(&s, 0, "000--0", (AbutMode){&plus, &minus}, NULL), ABUT_OK);
            assert_int_equal(abut_mode_force_feasible(&s, (AbutMode){&plus, &minus}, &f, &r, v, NULL, NULL), ABUT_OK);
            CHECK_NEAR(v[0], 1.0, 1e-9);
            CHECK_NEAR(v[3], 1.0, 1e-9);
            CHECK_NEAR(v[2], 0.0, 1e-9);
        }
        assert_true(count_consistent(&s, &f) >= 1);
        abut_mode_system_free(&s);
    }
}

/* A drawer between two walls, pushed up beside its middle: F e = 2 l N and F = 1 + 2 mu N, so it jams from e = l / mu
 * on: then nothing is consistent with a finger that moves. */
static void driven_finger_jams_a_drawer(void **state) {
    (void)state;
    for (int k = 1; k < 10; ++k) {
        double l = 0.2, mu = 0.4, e = 0.1 * k + 0.03, weight[4] = {0, -1, 0, 0}, friction[3] = {mu, mu, 0.0};
        AbutPointContact c[3] = {{.point = {-1, -l, 0}, .normal = {1, 0, 0}},
            {.point = {1, l, 0}, .normal = {-1, 0, 0}}, {.point = {-e, -l, 0}, .normal = {0, 1, 0}}};
        AbutModeSystem s = driven_system(c, 3, abut_vec3(0, 1, 0));
        AbutModeForces f = {.force = weight, .friction = friction, .driven1 = 4};
        assert_int_equal(count_consistent(&s, &f) > 0, mu * e < l);
        abut_mode_system_free(&s);
    }
}

static void bad_forces_are_refused(void **state) {
    (void)state;
    AbutModeSystem s = block_on_table();
    uint64_t none = 0;
    AbutModeForceResult r;
    double force[3] = {0, NAN, 0};
    AbutModeForces f = {.force = force, .default_friction = 0.2};
    assert_int_equal(
        abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &f, &r, NULL, NULL, NULL), ABUT_ERROR_NUMBER);
    force[1] = 0, f.default_friction = -1;
    assert_int_equal(
        abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &f, &r, NULL, NULL, NULL), ABUT_ERROR_ARGUMENT);
    const double low[2] = {0.5, -1.0}, high[2] = {0.4, 1.0}, mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {1, 0, 1};
    const AbutModeForces bad[] = {{.force = mass, .least = low}, {.force = mass, .least = mass, .most = high},
        {.force = mass, .driven1 = 4}, {.force = mass, .driven1 = -1}};
    double margin = 1.0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_int_equal(
            abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &bad[i], &r, NULL, NULL, NULL), ABUT_ERROR_ARGUMENT);
    f = (AbutModeForces){.force = mass, .mass = mass, .driven1 = 1};
    assert_int_equal(
        abut_mode_force_feasible(&s, (AbutMode){&none, &none}, &f, &r, NULL, NULL, NULL), ABUT_ERROR_UNSUPPORTED);
    assert_int_equal(abut_mode_margin(&s, (AbutMode){&none, &none}, &f, NULL, &margin, NULL), ABUT_ERROR_UNSUPPORTED);
    f.mass = NULL, f.driven1 = 0;
    assert_int_equal(abut_mode_margin(&s, (AbutMode){&none, &none}, &f, zero, &margin, NULL), ABUT_ERROR_ARGUMENT);
    assert_true(margin == 0.0);
    abut_mode_system_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_reproduce_their_modes),
        cmocka_unit_test(modes_that_do_not_exist_have_no_velocity),
        cmocka_unit_test(projection_is_the_closest_velocity),
        cmocka_unit_test(neighbors_are_the_edges_of_the_diagram),
        cmocka_unit_test(merging_drops_only_faces),
        cmocka_unit_test(cleaning_takes_noise_out),
        cmocka_unit_test(changes_along_a_motion_are_found),
        cmocka_unit_test(block_pushed_at_several_heights),
        cmocka_unit_test(block_moves_by_one_step),
        cmocka_unit_test(block_in_a_corner),
        cmocka_unit_test(wedged_peg_has_two_futures),
        cmocka_unit_test(three_finger_grasp),
        cmocka_unit_test(block_bears_disturbances),
        cmocka_unit_test(margins_of_grasps),
        cmocka_unit_test(exact_directions_of_sliding),
        cmocka_unit_test(nonlinear_projection_is_the_best_of_all_sectors),
        cmocka_unit_test(driven_finger_pushes_a_block),
        cmocka_unit_test(driven_finger_jams_a_drawer),
        cmocka_unit_test(bad_forces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
