/* SPDX-License-Identifier: Apache-2.0 */
/* Replaceable handlers for assertions and log messages. Set them before threads start: they are plain globals. */
#include "abut/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void default_assert(const char *expression, const char *file, int line, void *user)
{
    (void)expression, (void)file, (void)line, (void)user;
    abort();
}

static AbutAssertHandler *assert_handler = default_assert;
static void *assert_user;
static AbutLogHandler *log_handler;
static void *log_user;

void abut_set_assert_handler(AbutAssertHandler *handler, void *user)
{
    assert_handler = handler ? handler : default_assert;
    assert_user = user;
}

void abut_assert_failed(const char *expression, const char *file, int line)
{
    assert_handler(expression, file, line, assert_user);
}

void abut_set_log_handler(AbutLogHandler *handler, void *user)
{
    log_handler = handler;
    log_user = user;
}

void abut_log(AbutLogLevel level, const char *format, ...)
{
    ABUT_ASSERT(format);
    if (!log_handler)
        return;
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_handler(level, text, log_user);
}
