/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory that is being read, and failures that name the place. */
#ifndef ABUT_SRC_BASE_TEXT_H
#define ABUT_SRC_BASE_TEXT_H

#include "abut/base.h"

typedef struct AbutText {
    const char *name;
    const char *begin, *at, *end;
    AbutError *error;
} AbutText;

/* "name:line: ..." with the line of `where`, lines ending with \n, \r\n or \r. */
AbutStatus abut_text_fail(const AbutText *text, const char *where, AbutStatus status, const char *format, ...)
    ABUT_PRINTF(4, 5);

/* "name: byte N: ..." with N counted from 0. */
AbutStatus abut_byte_fail(const AbutText *text, const char *where, AbutStatus status, const char *format, ...)
    ABUT_PRINTF(4, 5);

/* "name: ..." */
AbutStatus abut_name_fail(const AbutText *text, AbutStatus status, const char *format, ...) ABUT_PRINTF(3, 4);

/* The text at `where`, short and printable, for messages: 'word', end of line or end of file. */
typedef struct AbutFound {
    char text[40];
} AbutFound;
AbutFound abut_text_found(const AbutText *text, const char *where);

/* Where the text begins: behind the byte order mark of UTF-8, if there is one. */
const char *abut_text_begin(const void *bytes, size_t count);

/* The text of `count` bytes, from there on; `bytes` may be NULL where there are none. */
static inline AbutText abut_text_of(const char *name, const void *bytes, size_t count, AbutError *error) {
    const char *begin = count ? (const char *)bytes : "";
    return (AbutText){name, begin, abut_text_begin(begin, count), begin + count, error};
}

/* Moves over spaces, tabs and line ends. */
void abut_text_skip_space(AbutText *text);

/* Is the word at text->at this one (lower case given, any case found), with a space or the end behind it? */
int abut_text_is_word(const AbutText *text, const char *lower);

/* Number at text->at (no space is skipped) that must be finite and end at a space, a line end, '\\' or '#'. */
AbutStatus abut_text_number(AbutText *text, const char *expected, double *out);

static inline int abut_is_space(char c) { return c == ' ' || (unsigned char)(c - '\t') < 5; }

#endif
