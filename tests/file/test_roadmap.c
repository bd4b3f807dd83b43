/* SPDX-License-Identifier: Apache-2.0 */
/* Roadmaps in files: there and back, and what is refused, with the array. */
#include "file/npz.h"
#include "support/check.h"
#include "support/tool.h"

#include <math.h>
#include <string.h>

static double postures[6] = {0.5, -1, 2, 3, 0.25, 1e-9};
static int32_t start[4] = {0, 1, 3, 4}, to[4] = {1, 0, 2, 1};

static void there_and_back(void **state) {
    (void)state;
    AbutRoadmap map = {2, 3, postures, start, to}, again;
    AbutError error;
    size_t size;
    char *bytes;
    Tool tool = tool_open();
    good(abut_roadmap_write(tool_path(&tool, "m.npz"), &map, &error), &error);
    good(abut_file_load(tool_path(&tool, "m.npz"), "a roadmap", 1 << 20, &bytes, &size, &error), &error);
    good(abut_roadmap_read(tool_path(&tool, "m.npz"), NULL, 0, &again, &error), &error);
    tool_close(&tool);
    assert_int_equal(again.width, 2);
    assert_int_equal(again.count, 3);
    assert_memory_equal(again.postures, postures, sizeof postures);
    assert_memory_equal(again.start, start, sizeof start);
    assert_memory_equal(again.to, to, sizeof to);
    abut_roadmap_free(&again);
    for (size_t i = 0; i < size; i += 7) /* cut anywhere */
        assert_int_not_equal(abut_roadmap_read("m.npz", bytes, i, &again, &error), ABUT_OK);
    abut_free(bytes);
}

static void check_refused(const AbutArray *arrays, int count, const char *text) {
    AbutRoadmap map;
    AbutError error;
    Tool tool = tool_open();
    good(abut_npz_write(tool_path(&tool, "m.npz"), arrays, count, &error), &error);
    assert_int_equal(abut_roadmap_read(tool_path(&tool, "m.npz"), NULL, 0, &map, &error), ABUT_ERROR_FORMAT);
    if (!strstr(error.text, text)) fail_msg("got '%s'", error.text);
    assert_null(map.postures);
    tool_close(&tool);
}

static void bad_maps_are_refused(void **state) {
    (void)state;
    const AbutArray right[3] = {{"postures", ABUT_ARRAY_F8, 2, {3, 2, 0, 0}, postures},
        {"start", ABUT_ARRAY_I4, 1, {4, 0, 0, 0}, start}, {"to", ABUT_ARRAY_I4, 1, {4, 0, 0, 0}, to}};
    AbutArray a[3];
    double none[6] = {0.5, -1, NAN, 3, 0.25, 1e-9};
    int32_t backward[4] = {0, 3, 1, 4}, late[4] = {1, 1, 3, 4}, high[4] = {1, 0, 3, 1}, low[4] = {1, 0, -1, 1};
    check_refused(right, 2, "m.npz: to: expected 32-bit integers");
    check_refused(right + 1, 2, "m.npz: postures: expected doubles");
    memcpy(a, right, sizeof a);
    a[0].data = none;
    check_refused(a, 3, "m.npz: postures: expected finite numbers");
    memcpy(a, right, sizeof a);
    a[0].dimensions = 1;
    check_refused(a, 3, "m.npz: postures: expected doubles of the shape");
    memcpy(a, right, sizeof a);
    a[1].data = backward;
    check_refused(a, 3, "m.npz: start: expected numbers that grow");
    a[1].data = late;
    check_refused(a, 3, "m.npz: start: expected numbers that grow");
    a[1] = right[1];
    a[1].shape[0] = 3;
    check_refused(a, 3, "m.npz: start: expected 32-bit integers, one more than postures");
    a[1] = right[1];
    a[2].shape[0] = 3; /* fewer edges than told */
    check_refused(a, 3, "m.npz: start: expected numbers that grow");
    a[2] = right[2];
    a[2].data = high;
    check_refused(a, 3, "m.npz: to: expected numbers of postures");
    a[2].data = low;
    check_refused(a, 3, "m.npz: to: expected numbers of postures");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(bad_maps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
