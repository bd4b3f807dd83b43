/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of contacts: what the tangents of a contact mean does not depend on their length, frames that are none are
 * refused, and so are keys that nobody reads.
 */
#include "support/check.h"

#include "abut/file.h"

#include <string.h>

enum { TEXT = 2000 };

/* A box on four corners; every contact with these two tangents. */
static void write_box(char text[TEXT], const char *tangents, const char *extra) {
    static const char *const points[4] = {"[1,1,0]", "[1,-1,0]", "[-1,-1,0]", "[-1,1,0]"};
    int used = snprintf(text, TEXT, "{%s\"contacts\":[", extra);
    for (int i = 0; i < 4; ++i)
        used += snprintf(text + used, (size_t)(TEXT - used), "%s\n{\"point\":%s,\"normal\":[0,0,1],\"tangents\":%s}",
            i ? "," : "", points[i], tangents);
    snprintf(text + used, (size_t)(TEXT - used), "]}");
}

static AbutStatus parse(const char *text, int lines, AbutModeSystem *out, AbutError *error) {
    return abut_mode_system_read("c.json", text, strlen(text), lines, out, error);
}

static AbutModeSystem read_box(const char *tangents, int lines) {
    char text[TEXT];
    AbutModeSystem system;
    AbutError error;
    write_box(text, tangents, "");
    good(parse(text, lines, &system, &error), &error);
    return system;
}

static const char *const same_frames[] = {"[[1,0,0],[0,1,0]]", "[[2,0,0],[0,2,0]]", "[[0.1,0,0],[0,0.1,0]]",
    "[[3,0,0],[0,0.25,0]]", "[[1e-120,0,0],[0,1e120,0]]"};

static uint64_t count_modes(const char *tangents, int lines) {
    AbutModeSystem system = read_box(tangents, lines);
    AbutModeOptions options = {.threads = 1};
    AbutModeResult result;
    AbutError error;
    good(abut_mode_enumerate(&system, &options, &result, &error), &error);
    abut_mode_system_free(&system);
    return result.modes;
}

static void lengths_of_tangents_change_no_count(void **state) {
    (void)state;
    for (int lines = 2; lines <= 4; lines += 2) {
        uint64_t expected = count_modes(same_frames[0], lines);
        for (size_t i = 1; i < sizeof same_frames / sizeof same_frames[0]; ++i)
            assert_int_equal(count_modes(same_frames[i], lines), expected);
    }
}

/* A push of 0.4 weights against friction 0.3 slides, one of 0.2 sticks, whatever the length of the tangents. */
static void lengths_of_tangents_change_no_friction(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof same_frames / sizeof same_frames[0]; ++i)
        for (int slides = 0; slides < 2; ++slides) {
            AbutModeSystem system = read_box(same_frames[i], 2);
            const double force[6] = {slides ? 0.4 : 0.2, 0, -1, 0, 0, 0};
            uint64_t bits[2] = {0, 0};
            AbutModeForces forces = {.force = force, .default_friction = 0.3};
            AbutModeForceResult result;
            AbutError error;
            good(abut_mode_force_feasible(&system, (AbutMode){bits, bits + 1}, &forces, &result, NULL, NULL, &error),
                &error);
            assert_int_equal(result.feasible, !slides);
            abut_mode_system_free(&system);
        }
}

/* Rows with twice the digits: the same, and unequal lengths leave no trace beyond their rounding. */
static void literal_rows_do_not_feel_lengths(void **state) {
    (void)state;
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    AbutPointContact c = {{1, 2, 3}, {0, 0, 5}, {1, 1, 0}, {-1, 1, 0}, -1, 0};
    AbutModeSystemDef def = {.contacts = &c, .contact_count = 1, .bodies = &body, .body_count = 1, .dof = 6};
    AbutModeSystem one, other;
    def.lines = 3, def.literal = 1;
    good(abut_mode_system_build(&def, &one, NULL), NULL);
    c.tangent_x = abut_scale(c.tangent_x, 3.0), c.tangent_y = abut_scale(c.tangent_y, 0.1);
    good(abut_mode_system_build(&def, &other, NULL), NULL);
    for (int j = 0; j < 18; ++j) {
        long double a = (long double)one.tangent_rows[j] + one.low_rows[6 + j];
        long double b = (long double)other.tangent_rows[j] + other.low_rows[6 + j];
        CHECK(fabsl(a - b) < 1e-18L);
    }
    abut_mode_system_free(&one);
    abut_mode_system_free(&other);
}

static void refuses_text(const char *text, const char *says) {
    AbutModeSystem system;
    AbutError error = {0};
    if (parse(text, -1, &system, &error) == ABUT_OK) fail_msg("taken: %s", text);
    if (!strstr(error.text, says)) fail_msg("'%s' says: %s", text, error.text);
    assert_null(system.memory);
}

static void frames_that_are_none_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "[[1,0,0],[1,1,0]]", "[[1,0,0],[1,0,0]]", "[[1,0,0],[0,1,1e-5]]", "[[0,0,1],[0,1,0]]", "[[1,1e-5,0],[0,1,0]]"};
    char text[TEXT];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        write_box(text, bad[i], "");
        refuses_text(text, "c.json:2: contacts[0]: its tangents are not at right angles");
    }
    write_box(text, "[[1,0,1e-7],[0,1,1e-7]]", "");
    AbutModeSystem system;
    assert_int_equal(parse(text, -1, &system, NULL), ABUT_OK); /* numbers of single precision */
    abut_mode_system_free(&system);
}

static void calls_refuse_them_as_well(void **state) {
    (void)state;
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    AbutPointContact c[2] = {
        {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, -1, 0}, {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, -1, 0}};
    AbutModeSystemDef def = {.contacts = c, .contact_count = 2, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    AbutModeSystem system;
    AbutError error;
    assert_int_equal(abut_mode_system_build(&def, &system, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "contact 1: its tangents are not at right angles to each other"));
}

static void planar_files_stay_in_the_plane(void **state) {
    (void)state;
    refuses_text("{\"planar\":true,\"contacts\":[{\"point\":[1,0,2],\"normal\":[0,1]}]}", "contacts[0]: its point");
    refuses_text("{\"planar\":true,\"contacts\":[{\"point\":[1,0],\"normal\":[0,1,1]}]}", "contacts[0]: its normal");
    refuses_text("{\"planar\":true,\"contacts\":[{\"point\":[1,0],\"normal\":[0,1],\"tangents\":[[1,0,1]]}]}",
        "contacts[0]: its tangent is out of the plane");
}

static void unknown_keys_are_refused(void **state) {
    (void)state;
    refuses_text("{\"nt\":4,\"contacts\":[]}", "c.json:1: nt: unknown key; did you mean 'n_t'?");
    refuses_text("{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"tangent\":[[1,0,0],[0,1,0]]}]}",
        "contacts[0].tangent: unknown key; did you mean 'tangents'?");
    refuses_text("{\"bodies\":[{\"name\":\"a\",\"pos\":[0,0,0]}],\"contacts\":[]}",
        "bodies[0].pos: unknown key; did you mean 'position'?");
    refuses_text("{\"friction\":1,\"contacts\":[]}", "friction: unknown key");
    AbutModeSystem system;
    assert_int_equal(parse("{\"_mine\":1,\"note\":\"x\",\"contacts\":[]}", -1, &system, NULL), ABUT_OK);
    abut_mode_system_free(&system);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_tangents_change_no_count),
        cmocka_unit_test(lengths_of_tangents_change_no_friction),
        cmocka_unit_test(literal_rows_do_not_feel_lengths),
        cmocka_unit_test(frames_that_are_none_are_refused),
        cmocka_unit_test(calls_refuse_them_as_well),
        cmocka_unit_test(planar_files_stay_in_the_plane),
        cmocka_unit_test(unknown_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
