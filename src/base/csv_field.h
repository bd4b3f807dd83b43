/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of a line of CSV that is read in place. A field that begins with a double quote ends with one, and may hold
 * commas and line breaks; a quote inside is doubled (RFC 4180). Quotes elsewhere are characters like any other.
 */
#ifndef ABUT_SRC_BASE_CSV_FIELD_H
#define ABUT_SRC_BASE_CSV_FIELD_H

#include "base/text.h"

enum { ABUT_CSV_QUOTED = 1000 }; /* room for the text of a field in quotes */

static inline const char *abut_csv_skip_space(const char *p, const char *end) {
    while (p < end && abut_is_space(*p)) ++p;
    return p;
}

static inline int abut_csv_ends_line(char c) { return c == '\n' || c == '\r'; }

/* The comma behind the field that begins at p, the end of its line, or the end. */
static inline const char *abut_csv_field_end(const char *p, const char *end) {
    while (p < end && abut_is_space(*p) && !abut_csv_ends_line(*p)) ++p;
    while (p < end && *p == '"') { /* once more where the quote was doubled */
        ++p;
        while (p < end && *p != '"') ++p;
        p += p < end;
    }
    while (p < end && *p != ',' && !abut_csv_ends_line(*p)) ++p;
    return p;
}

/* The text between p and end, trimmed of spaces. */
static inline size_t abut_csv_trimmed(const char **p, const char *end) {
    *p = abut_csv_skip_space(*p, end);
    while (end > *p && abut_is_space(end[-1])) --end;
    return (size_t)(end - *p);
}

/* The text of a trimmed field: where it is in quotes, it moves to `room` without them. 0: the closing quote is missing,
 * there is something behind it, or the text is too long for the room. */
static inline int abut_csv_unquote(const char **p, size_t *length, char room[ABUT_CSV_QUOTED]) {
    const char *from = *p, *end = from + *length;
    size_t n = 0;
    if (from == end || *from != '"') return 1;
    for (++from; from < end; ++from) {
        if (*from == '"' && (++from == end || *from != '"')) {
            *p = room;
            *length = n;
            return from == end;
        }
        if (n == ABUT_CSV_QUOTED) return 0;
        room[n++] = *from;
    }
    return 0;
}

/* As above, for a name in a table: 1, or 0 after an error of the text. */
static inline int abut_csv_name(const AbutText *text, const char **p, size_t *length, char room[ABUT_CSV_QUOTED]) {
    const char *field = *p;
    if (abut_csv_unquote(p, length, room)) return 1;
    abut_text_fail(
        text, field, ABUT_ERROR_FORMAT, "expected a name of at most %d characters between two quotes", ABUT_CSV_QUOTED);
    return 0;
}

/* The end of the line that begins at p; line breaks in quotes belong to it, but for lines of comment. */
static inline const char *abut_csv_line_end(const char *p, const char *end) {
    const char *first = p;
    while (first < end && abut_is_space(*first) && !abut_csv_ends_line(*first)) ++first;
    if (first < end && *first == '#') {
        while (first < end && !abut_csv_ends_line(*first)) ++first;
        return first;
    }
    while ((p = abut_csv_field_end(p, end)) < end && *p == ',') ++p;
    return p;
}

/* Calls `read` with each line, from text->at to `end`, that is neither empty nor a comment behind #; the first failure
 * ends it. */
static inline AbutStatus abut_csv_lines(
    AbutText *text, AbutStatus (*read)(AbutText *text, const char *end, void *user), void *user) {
    while (text->at < text->end) {
        const char *end = abut_csv_line_end(text->at, text->end);
        text->at = abut_csv_skip_space(text->at, end);
        if (text->at < end && *text->at != '#') ABUT_TRY(read(text, end, user));
        text->at = end < text->end ? end + 1 : end;
    }
    return ABUT_OK;
}

#endif
