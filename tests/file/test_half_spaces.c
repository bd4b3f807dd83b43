/* SPDX-License-Identifier: Apache-2.0 */
/* Files of half-spaces: what is taken, what is refused and how it is said. */
#include "support/check.h"

#include "abut/file.h"

#include <string.h>

static AbutStatus parse(const char *text, int32_t *count, AbutPlane **planes, AbutError *error) {
    return abut_half_spaces_parse(text, strlen(text), "p.txt", count, planes, error);
}

static void lines_are_planes(void **state) {
    (void)state;
    AbutPlane *planes;
    int32_t count;
    assert_int_equal(
        parse("# a wedge\n\n 1 0 0 0.75   # x <= 0.75\r\n-2e0\t0 .5 -0.8\r0 0 1 9", &count, &planes, NULL), ABUT_OK);
    assert_int_equal(count, 3);
    CHECK(planes[0].normal.x == 1.0 && planes[0].offset == 0.75);
    CHECK(planes[1].normal.x == -2.0 && planes[1].normal.z == 0.5 && planes[1].offset == -0.8);
    CHECK(planes[2].normal.z == 1.0 && planes[2].offset == 9.0);
    abut_free(planes);
}

/* A file that says nothing would mean all of space: refused. */
static void bad_texts_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "p.txt: there is no half-space"},
        {"# nothing\n\n  \n", "p.txt: there is no half-space"},
        {"1 0 0 1\n1 0 0\n", "p.txt:2: expected four numbers"},
        {"1 0 0 1 1\n", "p.txt:1: expected four numbers"},
        {"\r\n1 0 0 x\n", "p.txt:2: expected four numbers"},
        {"1 0 0 1e999", "p.txt:1: expected four numbers"},
        {"nan 0 0 1", "p.txt:1: expected four numbers"},
        {"1 0 0 1x", "p.txt:1: expected four numbers"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutPlane *planes;
        int32_t count;
        AbutError error = {0};
        assert_int_equal(parse(bad[i].text, &count, &planes, &error), ABUT_ERROR_FORMAT);
        if (!strstr(error.text, bad[i].says)) fail_msg("'%s' instead of '%s'", error.text, bad[i].says);
        assert_null(planes);
        assert_int_equal(count, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_planes),
        cmocka_unit_test(bad_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
