/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers of a text in memory, and failures that name the place. Lines are counted only when one fails. */
#include "base/text.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE = 360, NAME_SHOWN = 300 };

static long long line_of(const AbutText *text, const char *where) {
    long long line = 1;
    for (const char *p = text->begin; p < where; ++p)
        line += *p == '\n' || (*p == '\r' && (p + 1 == text->end || p[1] != '\n'));
    return line;
}

AbutStatus abut_text_fail(const AbutText *text, const char *where, AbutStatus status, const char *format, ...) {
    char message[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return abut_fail(text->error, status, "%.*s:%lld: %s", NAME_SHOWN, text->name, line_of(text, where), message);
}

AbutStatus abut_byte_fail(const AbutText *text, const char *where, AbutStatus status, const char *format, ...) {
    char message[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return abut_fail(
        text->error, status, "%.*s: byte %lld: %s", NAME_SHOWN, text->name, (long long)(where - text->begin), message);
}

AbutStatus abut_name_fail(const AbutText *text, AbutStatus status, const char *format, ...) {
    char message[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return abut_fail(text->error, status, "%.*s: %s", NAME_SHOWN, text->name, message);
}

AbutFound abut_text_found(const AbutText *text, const char *where) {
    AbutFound found;
    if (where >= text->end) {
        strcpy(found.text, "end of file");
    } else if (*where == '\n' || *where == '\r') {
        strcpy(found.text, "end of line");
    } else {
        char word[32];
        size_t n = 0;
        for (; where < text->end && !abut_is_space(*where) && n + 1 < sizeof word; ++where)
            word[n++] = *where > ' ' && *where < 127 ? *where : '?';
        word[n] = 0;
        snprintf(found.text, sizeof found.text, "'%s'", word);
    }
    return found;
}

const char *abut_text_begin(const void *bytes, size_t count) {
    return (const char *)bytes + (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

void abut_text_skip_space(AbutText *text) {
    while (text->at < text->end && abut_is_space(*text->at)) ++text->at;
}

int abut_text_is_word(const AbutText *text, const char *lower) {
    const char *p = text->at;
    for (; *lower; ++p, ++lower) {
        char c = p < text->end ? *p : (char)0;
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != *lower) return 0;
    }
    return p == text->end || abut_is_space(*p);
}

AbutStatus abut_text_number(AbutText *text, const char *expected, double *out) {
    const char *start = text->at;
    AbutNumber kind = abut_parse_double(&text->at, text->end, out);
    const char *p = text->at;
    if (kind == ABUT_NUMBER_OK && (p == text->end || abut_is_space(*p) || *p == '\\' || *p == '#')) return ABUT_OK;
    text->at = start;
    AbutFound found = abut_text_found(text, start);
    if (kind == ABUT_NUMBER_NOT_FINITE)
        return abut_text_fail(text, start, ABUT_ERROR_NUMBER, "expected finite %s, got %s", expected, found.text);
    return abut_text_fail(text, start, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, found.text);
}
