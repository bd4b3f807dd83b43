/* SPDX-License-Identifier: Apache-2.0 */
/* The replaceable handler of assertions. Set it before threads start: it is a plain global. */
#include "abut/base.h"

#include <stdlib.h>

static void default_assert(const char *expression, const char *file, int line, void *user) {
    (void)expression, (void)file, (void)line, (void)user;
    abort();
}

static void (*assert_handler)(const char *, const char *, int, void *) = default_assert;
static void *assert_user;

void abut_set_assert_handler(void (*handler)(const char *, const char *, int, void *), void *user) {
    assert_handler = handler ? handler : default_assert;
    assert_user = user;
}

void abut_assert_failed(const char *expression, const char *file, int line) {
    assert_handler(expression, file, line, assert_user);
}
