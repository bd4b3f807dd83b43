/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doubles as text. Up to 15 digits always come back from a double unchanged, so %.15g finds every number that has a
 * short form; otherwise 16 and then 17 digits are tried. Numbers below the normal range have fewer significant digits
 * and start from 1. The decimal point of the locale is put right.
 */
#include "abut/base.h"
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Replaces whatever the locale uses as decimal point. */
static void fix_point(char *text) {
    char *out = text;
    for (const char *p = text; *p; ++p) {
        int plain = (*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == 'e' || *p == '.';
        if (plain)
            *out++ = *p;
        else if (out > text && out[-1] != '.')
            *out++ = '.';
    }
    *out = 0;
}

static void print_shortest(char text[ABUT_DOUBLE_TEXT + 16], double value) {
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; ++digits) {
        snprintf(text, ABUT_DOUBLE_TEXT + 16, "%.*g", digits, value);
        fix_point(text);
        const char *at = text;
        double back = 0.0;
        if (abut_parse_double(&at, text + strlen(text), &back) == ABUT_NUMBER_OK && back == value) return;
    }
}

int abut_format_double(char *buffer, size_t size, double value) {
    ABUT_ASSERT(buffer || size == 0);
    char text[ABUT_DOUBLE_TEXT + 16];
    if (isnan(value)) return snprintf(buffer, size, "nan");
    if (isinf(value)) return snprintf(buffer, size, value < 0 ? "-inf" : "inf");
    if (value == 0.0) return snprintf(buffer, size, signbit(value) ? "-0" : "0");
    if (fabs(value) < 1e9 && value == floor(value)) return snprintf(buffer, size, "%d", (int)value);
    print_shortest(text, value);
    return snprintf(buffer, size, "%s", text);
}
