/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records as text for people. In: a text with names in braces, a table and a struct. Out: the text with the values,
 * without the lines that print an absent one.
 */
#include "field/pick.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

static const double NOISE = 1e-13; /* relative: what is smaller reads as 0 */

enum { PART = 200 };

/* The part between braces. */
typedef struct Hole {
    char name[ABUT_FIELD_NAME], beside[ABUT_FIELD_NAME], format[ABUT_FIELD_NAME];
    int calm;
    const char *yes, *no; /* a choice; NULL: a value */
    int yes_length, no_length;
} Hole;

typedef struct Printer {
    FILE *file;
    const AbutRecord *record;
    const char *data;
} Printer;

static void copy_part(char *out, const char *from, const char *end) {
    snprintf(out, ABUT_FIELD_NAME, "%.*s", (int)(end - from), from);
}

/* From behind the opening brace; gives what is behind the closing one. */
static const char *read_hole(const char *at, Hole *hole) {
    const char *end = at + strcspn(at, "}"), *name = at + strcspn(at, "~:?}"), *bar;
    memset(hole, 0, sizeof *hole);
    copy_part(hole->name, at, name);
    if (*name == '?') {
        bar = memchr(name, '|', (size_t)(end - name));
        hole->yes = name + 1;
        hole->yes_length = (int)((bar ? bar : end) - hole->yes);
        hole->no = bar ? bar + 1 : end;
        hole->no_length = (int)(end - hole->no);
    } else {
        const char *colon = memchr(name, ':', (size_t)(end - name));
        hole->calm = *name == '~';
        if (hole->calm) copy_part(hole->beside, name + 1, colon ? colon : end);
        if (colon) copy_part(hole->format, colon + 1, end);
    }
    return end + (*end == '}');
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double number_at(const AbutField *field, const char *at) {
    const void *value = at;
    switch (field->kind) {
    case ABUT_FIELD_REAL:
        return *(const double *)value;
    case ABUT_FIELD_LONG:
        return (double)*(const int64_t *)value;
    case ABUT_FIELD_ULONG:
        return (double)*(const uint64_t *)value;
    default:
        return *(const int32_t *)value;
    }
}

static double largest(const AbutField *field, const char *data) {
    AbutFieldValues v = abut_field_values(field, data);
    double most = 0.0;
    for (int i = 0, n = v.is_array ? v.rows : 1; v.at && i < n; ++i)
        most = fmax(most, fabs(number_at(field, v.at + (size_t)i * abut_field_size(field))));
    return most;
}

/* Beside which a number is noise; negative: nothing is. */
static double noise_scale(const Printer *p, const Hole *hole, const AbutField *field, const char *data) {
    const char *list = hole->beside;
    AbutPicked other;
    if (!hole->calm) return -1.0;
    double scale = hole->beside[0] ? 0.0 : 1.0;
    while (abut_pick_next(&list, &other)) {
        const char *at = p->data;
        const AbutField *beside = abut_record_find(p->record, other.name, &at);
        scale = beside ? fmax(scale, largest(beside, at)) : scale;
    }
    return abut_field_values(field, data).is_array ? fmax(scale, largest(field, data)) : scale;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_one(FILE *file, const AbutField *field, const char *at, const char *format, double scale) {
    char spec[ABUT_FIELD_NAME + 4];
    const void *value = at;
    size_t n = strlen(format);
    char last = n ? format[n - 1] : 0;
    if (field->kind == ABUT_FIELD_TEXT || field->kind == ABUT_FIELD_WORD || field->kind == ABUT_FIELD_FLAG) {
        const char *text = field->kind == ABUT_FIELD_TEXT   ? *(const char *const *)value
                           : field->kind == ABUT_FIELD_WORD ? abut_word(field->words, *(const int32_t *)value)
                           : *(const int32_t *)value        ? "yes"
                                                            : "no";
        snprintf(spec, sizeof spec, "%%%s", n ? format : "s");
        fprintf(file, spec, text);
    } else if (field->kind == ABUT_FIELD_REAL || (n && strchr("feg", last))) {
        double x = number_at(field, at);
        snprintf(spec, sizeof spec, "%%%s", n ? format : ".9g");
        fprintf(file, spec, scale >= 0.0 && fabs(x) <= NOISE * scale ? 0.0 : x);
    } else {
        long long x = field->kind == ABUT_FIELD_INT ? *(const int32_t *)value : *(const int64_t *)value;
        snprintf(spec, sizeof spec, "%%%.*sll%c", n ? (int)n - 1 : 0, format,
            n                                 ? last
            : field->kind == ABUT_FIELD_ULONG ? 'u'
                                              : 'd');
        fprintf(file, spec, x);
    }
}

#pragma GCC diagnostic pop

static const AbutField *find(const Printer *p, const char *name, const char **at) {
    *at = p->data;
    const AbutField *field = abut_record_find(p->record, name, at);
    ABUT_ASSERT(field || abut_record_find(p->record, name, &(const char *){NULL}));
    return field && abut_field_is_shown(field, *at) ? field : NULL;
}

/* 0: absent, -1: there, and neither number nor flag; else whether it is not 0. */
static int is_set(const Printer *p, const char *name) {
    const char *data;
    const AbutField *field = find(p, name, &data);
    AbutFieldValues v = field ? abut_field_values(field, data) : (AbutFieldValues){0};
    if (!v.at || (v.is_array && v.rows == 0)) return 0;
    if (field->kind == ABUT_FIELD_TEXT) return v.is_array || *(const char *const *)(const void *)v.at;
    return v.is_array || field->kind == ABUT_FIELD_RECORD || number_at(field, v.at) > 0.0 ||
           number_at(field, v.at) < 0.0;
}

static int is_absent(const Printer *p, const char *name) {
    const char *data;
    const AbutField *field = find(p, name, &data);
    AbutFieldValues v = field ? abut_field_values(field, data) : (AbutFieldValues){0};
    if (!v.at) return 1;
    if (v.is_array) return 0;
    if (field->kind == ABUT_FIELD_TEXT) return !*(const char *const *)(const void *)v.at;
    if (field->kind == ABUT_FIELD_FLAG) return number_at(field, v.at) < 0.0;
    return field->kind == ABUT_FIELD_REAL && isnan(number_at(field, v.at));
}

static void print_hole(const Printer *p, const Hole *hole) {
    if (hole->yes) {
        int yes = is_set(p, hole->name);
        fprintf(p->file, "%.*s", yes ? hole->yes_length : hole->no_length, yes ? hole->yes : hole->no);
        return;
    }
    const char *data;
    const AbutField *field = find(p, hole->name, &data);
    AbutFieldValues v = abut_field_values(field, data);
    double scale = noise_scale(p, hole, field, data);
    for (int i = 0, n = v.is_array ? v.rows : 1; i < n; ++i) {
        fputs(i ? " " : "", p->file);
        print_one(p->file, field, v.at + (size_t)i * abut_field_size(field), hole->format, scale);
    }
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static int line_is_absent(const Printer *p, const char *line, const char *end) {
    Hole hole;
    while ((line = memchr(line, '{', (size_t)(end - line)))) {
        line = read_hole(line + 1, &hole);
        if (!hole.yes && is_absent(p, hole.name)) return 1;
    }
    return 0;
}

static void print_line(const Printer *p, const char *line, const char *end) {
    Hole hole;
    while (line < end) {
        size_t plain = strcspn(line, "{");
        plain = plain < (size_t)(end - line) ? plain : (size_t)(end - line);
        fwrite(line, 1, plain, p->file);
        line += plain;
        if (line < end) {
            line = read_hole(line + 1, &hole);
            print_hole(p, &hole);
        }
    }
}

void abut_record_print(FILE *file, const AbutRecord *record, const char *text, const void *data) {
    ABUT_ASSERT(file && record && text && data);
    Printer p = {file, record, data};
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        end += *end == '\n';
        if (!line_is_absent(&p, text, end)) print_line(&p, text, end);
        text = end;
    }
}
