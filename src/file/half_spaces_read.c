/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text files of half-spaces. In: lines `a b c d`, each meaning ax + by + cz <= d; # starts a comment, empty lines are
 * skipped. Out: planes with the numbers as they stand. A file without a half-space is an error: it would mean all
 * of space.
 */
#include "abut/file.h"
#include "base/csv_field.h"
#include "base/number.h"

#include <string.h>

enum { MOST_PLANES = 10000000 };

typedef struct Planes {
    AbutPlane *plane;
    size_t count, capacity;
} Planes;

static const char *line_end(const AbutText *text) {
    const char *p = text->at;
    while (p < text->end && *p != '\n' && *p != '\r') ++p;
    return p;
}

/* Where what counts of a line ends: at its comment, or at its end. */
static const char *content_end(const char *from, const char *end) {
    while (from < end && *from != '#') ++from;
    return from;
}

/* The numbers of a line: 0 for an empty one, 4 for a plane, -1 for anything else. */
static int read_numbers(const char *p, const char *end, double number[4]) {
    for (int count = 0;; ++count) {
        p = abut_csv_skip_space(p, end);
        if (p == end) return count == 0 || count == 4 ? count : -1;
        if (count == 4 || abut_parse_double(&p, end, &number[count]) != ABUT_NUMBER_OK ||
            (p < end && !abut_is_space(*p)))
            return -1;
    }
}

static AbutStatus read_line(AbutText *text, const char *end, Planes *out) {
    double v[4];
    int count = read_numbers(text->at, content_end(text->at, end), v);
    if (count < 0)
        return abut_text_fail(
            text, text->at, ABUT_ERROR_FORMAT, "expected four numbers 'a b c d', meaning ax + by + cz <= d");
    if (count == 0) return ABUT_OK;
    if (out->count >= MOST_PLANES)
        return abut_text_fail(text, text->at, ABUT_ERROR_LIMIT, "more than %d half-spaces", MOST_PLANES);
    if (!abut_grow((void **)&out->plane, &out->capacity, out->count + 1, sizeof *out->plane))
        return abut_fail_memory(text->error);
    out->plane[out->count++] = (AbutPlane){{v[0], v[1], v[2]}, v[3]};
    return ABUT_OK;
}

AbutStatus abut_half_spaces_parse(
    const void *bytes, size_t count, const char *name, int32_t *plane_count, AbutPlane **out, AbutError *error) {
    ABUT_ASSERT((bytes || count == 0) && name && plane_count && out);
    AbutText text = abut_text_of(name, bytes, count, error);
    Planes planes = {0};
    AbutStatus status = ABUT_OK;
    *out = NULL, *plane_count = 0;
    while (text.at < text.end && status == ABUT_OK) {
        const char *end = line_end(&text);
        status = read_line(&text, end, &planes);
        text.at = end < text.end ? end + 1 : end;
    }
    if (status == ABUT_OK && planes.count == 0)
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "there is no half-space 'a b c d' in it");
    if (status != ABUT_OK) {
        abut_free(planes.plane);
        return status;
    }
    *out = planes.plane, *plane_count = (int32_t)planes.count;
    return ABUT_OK;
}
