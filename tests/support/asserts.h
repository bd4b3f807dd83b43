/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTS(call): the call must fail an assertion; it does not return from it. */
#ifndef ABUT_TESTS_SUPPORT_ASSERTS_H
#define ABUT_TESTS_SUPPORT_ASSERTS_H

#include "abut/base.h"
#include "support/check.h"

#include <setjmp.h>

static jmp_buf back;

static void jump_back(const char *expression, const char *file, int line, void *user) {
    (void)expression, (void)file, (void)line, (void)user;
    longjmp(back, 1);
}

#define ASSERTS(call)                                                                                                  \
    do {                                                                                                               \
        abut_set_assert_handler(jump_back, NULL);                                                                      \
        if (setjmp(back) == 0) {                                                                                       \
            (void)(call);                                                                                              \
            abut_set_assert_handler(NULL, NULL);                                                                       \
            fail_msg("%s does not assert", #call);                                                                     \
        }                                                                                                              \
        abut_set_assert_handler(NULL, NULL);                                                                           \
    } while (0)

#endif
