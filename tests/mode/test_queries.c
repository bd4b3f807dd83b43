/* SPDX-License-Identifier: Apache-2.0 */
/* Velocities of modes, projection, neighbours and diagram, forces against cases worked out by hand. */
#include "modes_support.h"

static AbutModeSystem builtin(const char *name)
{
    AbutModeSystem s;
    AbutError error = {ABUT_OK, ""};
    if (abut_mode_builtin(name, &s, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    return s;
}

static void check_velocities(const AbutModeSystem *s, size_t step, AbutRng *rng)
{
    AbutModeOptions o = abut_default_mode_options();
    AbutModeList list = collect_modes(s, &o);
    AbutError error = {ABUT_OK, ""};
    for (size_t i = 0; i < list.count; i += step) {
        const uint64_t *mode = list.bits + 2 * i;
        double v[20];
        uint64_t plus, minus;
        for (int k = 0; k < 3; ++k) {
            AbutStatus status = k == 0 ? abut_mode_velocity(s, mode, mode + 1, v, &error)
                                       : abut_mode_sample(s, mode, mode + 1, rng, v, &error);
            if (status != ABUT_OK)
                fail_msg("mode %zu: %s", i, error.text);
            assert_int_equal(abut_mode_of_velocity(s, v, 1e-7, &plus, &minus, &error), ABUT_OK);
            assert_int_equal(plus, mode[0]);
            assert_int_equal(minus, mode[1]);
        }
    }
    abut_mode_list_free(&list);
}

static void velocities_reproduce_their_modes(void **state)
{
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

static void modes_that_do_not_exist_have_no_velocity(void **state)
{
    (void)state;
    AbutModeSystem s = builtin("box:1");
    AbutModeOptions o = abut_default_mode_options();
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
        int listed = bsearch(mode, list.bits, list.count, 16, mode_pair_order) != NULL;
        AbutStatus status = abut_mode_velocity(&s, mode, mode + 1, v, NULL);
        assert_int_equal(status, listed ? ABUT_OK : ABUT_ERROR_EMPTY);
        missing += !listed;
    }
    assert_true(missing > 50 && missing < 300);
    double down[6] = {0, 0, -1, 0, 0, 0};
    uint64_t plus, minus;
    assert_int_equal(abut_mode_of_velocity(&s, down, 0, &plus, &minus, NULL), ABUT_ERROR_EMPTY);
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

/* The projection is in the closed cone and no sample of the mode is closer. */
static void projection_is_the_closest_velocity(void **state)
{
    (void)state;
    AbutModeSystem s = builtin("box:2");
    AbutModeOptions o = abut_default_mode_options();
    AbutModeList list = collect_modes(&s, &o);
    AbutRng rng = abut_rng(21, 0);
    for (size_t i = 0; i < list.count; i += 3) {
        const uint64_t *mode = list.bits + 2 * i;
        double want[6], got[6], again[6], other[6], distance, second;
        for (int j = 0; j < 6; ++j)
            want[j] = abut_rng_normal(&rng);
        assert_int_equal(abut_mode_project(&s, mode, mode + 1, want, NULL, got, &distance, NULL), ABUT_OK);
        assert_int_equal(abut_mode_project(&s, mode, mode + 1, got, NULL, again, &second, NULL), ABUT_OK);
        CHECK_NEAR(second, 0.0, 1e-9);
        /* the cone contains all positive multiples, so the difference is at right angles to the answer */
        double along = 0.0;
        for (int j = 0; j < 6; ++j)
            along += got[j] * (want[j] - got[j]);
        CHECK_NEAR(along, 0.0, 1e-8);
        for (int k = 0; k < 5; ++k) {
            double inner = 0.0;
            assert_int_equal(abut_mode_sample(&s, mode, mode + 1, &rng, other, NULL), ABUT_OK);
            for (int j = 0; j < 6; ++j)
                inner += (want[j] - got[j]) * other[j];
            assert_true(inner < 1e-7);
        }
    }
    abut_mode_list_free(&list);
    abut_mode_system_free(&s);
}

typedef struct Seen {
    const AbutModeSystem *system;
    const uint64_t *mode;
    AbutModeList *sorted;
    int side, count;
} Seen;

static int check_neighbour(const uint64_t *plus, const uint64_t *minus, void *user)
{
    Seen *seen = user;
    uint64_t pair[2] = {*plus, *minus};
    assert_non_null(bsearch(pair, seen->sorted->bits, seen->sorted->count, 16, mode_pair_order));
    const uint64_t *low = seen->side < 0 ? pair : seen->mode, *high = seen->side < 0 ? seen->mode : pair;
    assert_true(abut_mode_is_face(seen->system, low, low + 1, high, high + 1));
    ++seen->count;
    return 0;
}

static void neighbours_are_the_edges_of_the_diagram(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(5, 2);
    for (int k = 0; k < 6 + check_cases(20); ++k) {
        AbutModeSystem s = k == 0   ? builtin("box:1")
                           : k == 1 ? builtin("box:2")
                           : k == 2 ? builtin("grasp:2")
                                    : random_contacts(&rng, 3, 1 + k % 2, k & 1, 1);
        AbutModeOptions o = abut_default_mode_options();
        AbutModeList list = collect_modes(&s, &o);
        AbutModeEdge *edges;
        size_t count;
        sort_modes(&list);
        assert_int_equal(abut_mode_hasse(&s, &list, &edges, &count, NULL), ABUT_OK);
        for (size_t i = 0; i < list.count; i += 1 + list.count / 60) {
            int down = 0, up = 0;
            for (size_t e = 0; e < count; ++e)
                down += edges[e].of == i, up += edges[e].face == i;
            for (int side = -1; side <= 1; side += 2) {
                Seen seen = {&s, list.bits + 2 * i, &list, side, 0};
                uint64_t found;
                assert_int_equal(
                    abut_mode_neighbours(&s, seen.mode, seen.mode + 1, side, check_neighbour, &seen, &found, NULL),
                    ABUT_OK);
                assert_int_equal(found, side < 0 ? down : up);
                assert_int_equal(seen.count, found);
            }
        }
        abut_free(edges);
        abut_mode_list_free(&list);
        abut_mode_system_free(&s);
    }
}

/* Merging keeps the modes of full freedom: no kept one is a face of another, every dropped one is. */
static void merging_drops_only_faces(void **state)
{
    (void)state;
    AbutModeSystem s = builtin("box:1");
    AbutModeOptions o = abut_default_mode_options();
    AbutModeList full = collect_modes(&s, &o), merged = collect_modes(&s, &o);
    assert_int_equal(abut_mode_merge(&s, &merged, NULL), ABUT_OK);
    assert_true(merged.count > 10 && merged.count < full.count);
    for (size_t i = 0; i < full.count; ++i) {
        int covered = 0;
        for (size_t j = 0; j < merged.count; ++j)
            covered |= abut_mode_is_face(
                &s, full.bits + 2 * i, full.bits + 2 * i + 1, merged.bits + 2 * j, merged.bits + 2 * j + 1);
        assert_true(covered);
    }
    /* one contact with two lines: of 9 sliding patterns the 4 sectors and sticking stay, and separation */
    double row[3] = {0, 0, 1}, lines[6] = {1, 0, 0, 0, 1, 0};
    AbutModeSystem one = {1, 3, 2, row, lines, NULL, NULL, NULL};
    AbutModeList few = collect_modes(&one, &o);
    assert_int_equal(few.count, 10);
    assert_int_equal(abut_mode_merge(&one, &few, NULL), ABUT_OK);
    assert_int_equal(few.count, 6);
    abut_mode_list_free(&few);
    abut_mode_list_free(&full);
    abut_mode_list_free(&merged);
    abut_mode_system_free(&s);
}

/* A point on a plane that moves along (cos t, sin t) and lifts off at t = 5. */
static AbutStatus circling(double t, double *normal, double *tangent, double *velocity, void *user)
{
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

static int note_event(double time, int allowed, const uint64_t *plus, const uint64_t *minus, void *user)
{
    Events *e = user;
    assert_true(allowed && e->count < 16);
    e->time[e->count] = time, e->plus[e->count] = *plus, e->minus[e->count++] = *minus;
    return 0;
}

static void changes_along_a_motion_are_found(void **state)
{
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

/* A block of 2 x 2 on a table, centre at height 1; positive line velocity is to the left. */
static AbutModeSystem block_on_table(void)
{
    AbutPointContact c[2] = {{.point = {-1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1}};
    AbutModeSystem s;
    assert_int_equal(abut_mode_system_build(c, 2, &planar_body, 1, 3, 1, 1, &s, NULL), ABUT_OK);
    return s;
}

static int feasible(const AbutModeSystem *s, const char *text, const AbutModeForces *f)
{
    uint64_t plus, minus;
    AbutModeForceResult r;
    AbutError error = {ABUT_OK, ""};
    if (abut_mode_parse(s, text, &plus, &minus, &error) != ABUT_OK ||
        abut_mode_force_feasible(s, &plus, &minus, f, &r, NULL, NULL, &error) != ABUT_OK)
        fail_msg("%s: %s", text, error.text);
    return r.feasible;
}

/* Weight 1, push F to the right at height y: slides when F = mu and y <= 1 / mu; tips about the right corner above. */
static void block_pushed_at_several_heights(void **state)
{
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

static int count_consistent(const AbutModeSystem *s, const AbutModeForces *f)
{
    AbutModeResult r;
    AbutError error = {ABUT_OK, ""};
    if (abut_mode_consistent(s, f, NULL, &r, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    return (int)r.modes;
}

static void block_moves_by_one_step(void **state)
{
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
static void block_in_a_corner(void **state)
{
    (void)state;
    AbutPointContact c[3] = {{.point = {-1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {1, 0, 0}, .normal = {0, 1, 0}, .body_a = -1},
        {.point = {-1, 1, 0}, .normal = {1, 0, 0}, .body_a = -1}};
    AbutModeSystem s;
    assert_int_equal(abut_mode_system_build(c, 3, &planar_body, 1, 3, 1, 1, &s, NULL), ABUT_OK);
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
static void wedged_peg_has_two_futures(void **state)
{
    (void)state;
    AbutPointContact c[2] = {{.point = {-1, 1, 0}, .normal = {1, 0, 0}, .body_a = -1},
        {.point = {1, 1, 0}, .normal = {-1, 0, 0}, .body_a = -1}};
    AbutModeSystem s;
    assert_int_equal(abut_mode_system_build(c, 2, &planar_body, 1, 3, 1, 1, &s, NULL), ABUT_OK);
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
static void three_finger_grasp(void **state)
{
    (void)state;
    AbutModeSystem s = builtin("grasp:3");
    double loads[3][6] = {{0, 0, -1, 0, 0, 0}, {0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        AbutModeForces f = {.force = loads[k], .default_friction = 0.4};
        uint64_t none = 0;
        AbutModeForceResult r;
        double contact[9], sum[6] = {0};
        assert_int_equal(abut_mode_force_feasible(&s, &none, &none, &f, &r, NULL, contact, NULL), ABUT_OK);
        assert_true(r.feasible);
        for (int i = 0; i < 3; ++i) {
            assert_true(fabs(contact[3 * i + 1]) + fabs(contact[3 * i + 2]) <= 0.4 * contact[3 * i] + 1e-9);
            for (int j = 0; j < 6; ++j)
                sum[j] += contact[3 * i] * s.normal_rows[6 * i + j] + contact[3 * i + 1] * s.tangent_rows[12 * i + j] +
                          contact[3 * i + 2] * s.tangent_rows[12 * i + 6 + j];
        }
        for (int j = 0; j < 6; ++j)
            CHECK_NEAR(sum[j] + loads[k][j], 0.0, 1e-8);
        f.default_friction = 0.0;
        assert_int_equal(abut_mode_force_feasible(&s, &none, &none, &f, &r, NULL, NULL, NULL), ABUT_OK);
        assert_int_equal(r.feasible, k == 2);
    }
    abut_mode_system_free(&s);
}

static void bad_forces_are_refused(void **state)
{
    (void)state;
    AbutModeSystem s = block_on_table();
    uint64_t none = 0;
    AbutModeForceResult r;
    double force[3] = {0, NAN, 0};
    AbutModeForces f = {.force = force, .default_friction = 0.2};
    assert_int_equal(abut_mode_force_feasible(&s, &none, &none, &f, &r, NULL, NULL, NULL), ABUT_ERROR_NUMBER);
    force[1] = 0, f.default_friction = -1;
    assert_int_equal(abut_mode_force_feasible(&s, &none, &none, &f, &r, NULL, NULL, NULL), ABUT_ERROR_ARGUMENT);
    f.force = NULL;
    assert_int_equal(abut_mode_force_feasible(&s, &none, &none, &f, &r, NULL, NULL, NULL), ABUT_ERROR_ARGUMENT);
    abut_mode_system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_reproduce_their_modes),
        cmocka_unit_test(modes_that_do_not_exist_have_no_velocity),
        cmocka_unit_test(projection_is_the_closest_velocity),
        cmocka_unit_test(neighbours_are_the_edges_of_the_diagram),
        cmocka_unit_test(merging_drops_only_faces),
        cmocka_unit_test(changes_along_a_motion_are_found),
        cmocka_unit_test(block_pushed_at_several_heights),
        cmocka_unit_test(block_moves_by_one_step),
        cmocka_unit_test(block_in_a_corner),
        cmocka_unit_test(wedged_peg_has_two_futures),
        cmocka_unit_test(three_finger_grasp),
        cmocka_unit_test(bad_forces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
