/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of the Point Cloud Library: lines FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, POINTS and DATA, then rows of text,
 * rows of bytes, or all values of each field one after the other, compressed as LZF. Fields x, y and z are read, others
 * are skipped with their sizes. VIEWPOINT is where the sensor stood, and is not applied.
 */
#include "base/number.h"
#include "file/mesh_formats.h"
#include "file/points.h"

enum { FIELDS = 64, WORD = 32 };

typedef struct Field {
    char name[WORD], type;
    int32_t size, count, axis; /* bytes of a value, values, coordinate or -1 */
    int64_t at;                /* bytes before it in a row */
} Field;

typedef struct Pcd {
    AbutText *text;
    int fields;
    Field field[FIELDS];
    int64_t width, height, points, row; /* row: its bytes, or with text its values */
    char data[WORD];
} Pcd;

int abut_points_is_pcd(const AbutText *text) {
    size_t size = (size_t)(text->end - text->begin);
    return (size > 6 && memcmp(text->begin, "# .PCD", 6) == 0) ||
           (size > 7 && memcmp(text->begin, "VERSION", 7) == 0) ||
           (size > 0 && abut_mesh_has_ending(text->name, ".pcd"));
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

/* The next word of the line, cut to the room; 0: there is none. */
static int next_word(AbutText *text, char word[WORD], const char **where) {
    size_t n = 0;
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')) ++text->at;
    *where = text->at;
    for (; text->at < text->end && !abut_is_space(*text->at); ++text->at)
        if (n + 1 < WORD) word[n++] = *text->at;
    word[n] = 0;
    return n > 0;
}

static void end_line(AbutText *text) {
    while (text->at < text->end && *text->at != '\n') ++text->at;
    text->at += text->at < text->end;
}

static AbutStatus refuse(const Pcd *p, const char *where, const char *expected) {
    return abut_text_fail(
        p->text, where, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, abut_text_found(p->text, where).text);
}

static AbutStatus read_count(Pcd *p, int64_t least, int64_t most, const char *expected, int64_t *out) {
    char word[WORD];
    const char *where, *end = word;
    int given = next_word(p->text, word, &where);
    if (!given || abut_parse_integer(&end, word + strlen(word), out) != ABUT_NUMBER_OK || *end || *out < least ||
        *out > most)
        return refuse(p, where, expected);
    return ABUT_OK;
}

static AbutStatus read_names(Pcd *p) {
    const char *where;
    for (p->fields = 0; next_word(p->text, p->field[p->fields].name, &where); ++p->fields) {
        Field *f = &p->field[p->fields];
        if (p->fields + 1 == FIELDS) return refuse(p, where, "at most 63 fields");
        f->axis = f->name[0] >= 'x' && f->name[0] <= 'z' && !f->name[1] ? f->name[0] - 'x' : -1;
        f->count = 1;
        for (int i = 0; i < p->fields && f->axis >= 0; ++i)
            if (p->field[i].axis == f->axis) return refuse(p, where, "each of x, y and z once");
    }
    return ABUT_OK;
}

static AbutStatus read_sizes(Pcd *p, const char *word) {
    for (int i = 0; i < p->fields; ++i) {
        Field *f = &p->field[i];
        char type[WORD];
        const char *where;
        int64_t n = 0;
        if (*word == 'T') {
            if (!next_word(p->text, type, &where) || type[1] || !strchr("FIU", type[0]))
                return refuse(p, where, "type F, I or U for each field");
            f->type = type[0];
        } else if (*word == 'S') {
            ABUT_TRY(read_count(p, 1, 8, "size 1, 2, 4 or 8 for each field", &n));
            f->size = (int32_t)n;
        } else {
            ABUT_TRY(read_count(p, 1, 1000000, "count from 1 to 1000000 for each field", &n));
            f->count = (int32_t)n;
        }
    }
    return ABUT_OK;
}

static AbutStatus read_line(Pcd *p, const char *word, const char *where) {
    static const char *const several[] = {"SIZE", "TYPE", "COUNT"};
    for (int i = 0; i < 3; ++i)
        if (strcmp(word, several[i]) == 0) return read_sizes(p, word);
    if (strcmp(word, "FIELDS") == 0) return read_names(p);
    if (strcmp(word, "WIDTH") == 0) return read_count(p, 1, ABUT_MESH_LIMIT, "width of 1 or more", &p->width);
    if (strcmp(word, "HEIGHT") == 0) return read_count(p, 1, ABUT_MESH_LIMIT, "height of 1 or more", &p->height);
    if (strcmp(word, "POINTS") == 0) return read_count(p, 1, ABUT_MESH_LIMIT, "1 to 100000000 points", &p->points);
    if (strcmp(word, "DATA") == 0)
        return next_word(p->text, p->data, &where) ? ABUT_OK : refuse(p, where, "ascii, binary or binary_compressed");
    if (strcmp(word, "VERSION") == 0 || strcmp(word, "VIEWPOINT") == 0) {
        char rest[WORD];
        while (next_word(p->text, rest, &where))
            ;
        return ABUT_OK;
    }
    return refuse(p, where, "FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, POINTS or DATA");
}

static AbutStatus check_header(Pcd *p, const char *where) {
    int found = 0;
    for (int i = 0; i < p->fields; ++i) {
        Field *f = &p->field[i];
        int wide = f->size == 4 || f->size == 8;
        f->at = p->row;
        p->row += (int64_t)f->count * f->size;
        if (!f->type || !(wide || f->size == 1 || f->size == 2)) return refuse(p, where, "SIZE and TYPE of fields");
        if (f->axis < 0) continue;
        if (f->type != 'F' || !wide || f->count != 1)
            return abut_text_fail(p->text, where, ABUT_ERROR_UNSUPPORTED,
                "field %s: expected one value F of 4 or 8 bytes, got %d %c of %d", f->name, (int)f->count, f->type,
                (int)f->size);
        found |= 1 << f->axis;
    }
    if (found != 7) return refuse(p, where, "FIELDS with x, y and z before DATA");
    if (p->width == 0 || p->width > ABUT_MESH_LIMIT / p->height || (p->points && p->points != p->width * p->height))
        return abut_text_fail(p->text, where, ABUT_ERROR_FORMAT,
            "expected WIDTH x HEIGHT = POINTS, got %lld x %lld, %lld", (long long)p->width, (long long)p->height,
            (long long)p->points);
    p->points = p->width * p->height;
    return ABUT_OK;
}

static AbutStatus read_header(Pcd *p) {
    char word[WORD];
    const char *where = p->text->at, *rest;
    while (!p->data[0]) {
        if (p->text->at == p->text->end) return refuse(p, p->text->at, "a line DATA");
        if (next_word(p->text, word, &where) && word[0] != '#') {
            ABUT_TRY(read_line(p, word, where));
            if (next_word(p->text, word, &rest)) return refuse(p, rest, "end of line");
        }
        end_line(p->text);
    }
    return check_header(p, where);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static AbutStatus read_text(Pcd *p, AbutPoints *out) {
    AbutText *text = p->text;
    int64_t left = text->end - text->at;
    ABUT_TRY(abut_points_make(text, text->at, p->points, left + 1, 2 * p->fields, out));
    for (int64_t i = 0; i < p->points; ++i)
        for (int k = 0; k < p->fields; ++k)
            for (int32_t n = 0; n < p->field[k].count; ++n) {
                double value = 0.0;
                abut_text_skip_space(text);
                const char *where = text->at;
                if (where == text->end) return refuse(p, where, "value of a field");
                if (p->field[k].axis < 0) { /* whatever it is */
                    while (text->at < text->end && !abut_is_space(*text->at)) ++text->at;
                    continue;
                }
                ABUT_TRY(abut_text_number(text, "coordinate", &value));
                ABUT_TRY(abut_points_set(text, where, &out->at[i], p->field[k].axis, value));
            }
    abut_text_skip_space(text);
    return text->at == text->end ? ABUT_OK : refuse(p, text->at, "end of file");
}

/* Coordinates from bytes: value i of a field is at first + i * step. `where` is their place in the file, for messages.
 */
static AbutStatus take_field(
    const Pcd *p, const Field *f, const char *first, int64_t step, const char *where, AbutPoints *out) {
    for (int64_t i = 0; i < p->points; ++i, first += step) {
        double value;
        uint64_t bits = f->size == 8 ? abut_load_u64(first) : 0;
        if (f->size == 8)
            memcpy(&value, &bits, sizeof value);
        else
            abut_load_float(first, &value);
        ABUT_TRY(abut_points_set(p->text, where ? where : first, &out->at[i], f->axis, value));
    }
    return ABUT_OK;
}

static AbutStatus read_bytes(Pcd *p, AbutPoints *out) {
    const char *begin = p->text->at;
    int64_t left = p->text->end - begin;
    ABUT_TRY(abut_points_make(p->text, begin, p->points, left, p->row, out));
    if (left != p->points * p->row)
        return abut_byte_fail(p->text, begin + p->points * p->row, ABUT_ERROR_FORMAT,
            "expected end of file, got %lld more bytes", (long long)(left - p->points * p->row));
    for (int k = 0; k < p->fields; ++k)
        if (p->field[k].axis >= 0) ABUT_TRY(take_field(p, &p->field[k], begin + p->field[k].at, p->row, NULL, out));
    return ABUT_OK;
}

/* LZF: a byte below 32 is followed by so many bytes and one; else a copy of 3 to 264 bytes from up to 8 KB before.
 * Gives the bytes that were made, or -1. */
static int64_t expand(const unsigned char *in, const unsigned char *end, unsigned char *out, int64_t room) {
    int64_t n = 0;
    while (in < end) {
        unsigned head = *in++;
        int64_t length = head < 32 ? head + 1 : (head >> 5) + 2;
        if (head < 32) {
            if (end - in < length || room - n < length) return -1;
            memcpy(out + n, in, (size_t)length);
            in += length;
            n += length;
            continue;
        }
        if (length == 9 && in < end) length += *in++;
        if (in == end) return -1;
        int64_t back = (int64_t)((head & 31u) << 8 | *in++) + 1;
        if (back > n || room - n < length) return -1;
        for (; length > 0; --length, ++n) out[n] = out[n - back];
    }
    return n;
}

static AbutStatus read_packed(Pcd *p, AbutPoints *out) {
    const char *begin = p->text->at;
    int64_t left = p->text->end - begin, packed = left >= 8 ? (int64_t)abut_load_u32(begin) : 0;
    int64_t whole = left >= 8 ? (int64_t)abut_load_u32(begin + 4) : 0;
    if (left < 8 || packed != left - 8 || p->points > INT64_C(4294967295) / p->row || whole != p->points * p->row ||
        whole > 264 * packed)
        return abut_byte_fail(p->text, begin, ABUT_ERROR_FORMAT,
            "expected sizes of %lld points of %lld bytes, and as many bytes as the first says, got %lld and %lld of "
            "%lld",
            (long long)p->points, (long long)p->row, (long long)packed, (long long)whole, (long long)left);
    ABUT_TRY(abut_points_make(p->text, begin, p->points, whole, p->row, out));
    unsigned char *all = abut_alloc((size_t)whole);
    if (!all) return abut_fail_memory(p->text->error);
    const unsigned char *in = (const unsigned char *)begin + 8;
    AbutStatus status = ABUT_OK;
    if (expand(in, in + packed, all, whole) != whole)
        status = abut_byte_fail(p->text, begin + 8, ABUT_ERROR_FORMAT,
            "expected data that expand to %lld bytes, got damaged data", (long long)whole);
    for (int k = 0; k < p->fields && !status; ++k)
        if (p->field[k].axis >= 0)
            status = take_field(
                p, &p->field[k], (const char *)all + p->points * p->field[k].at, p->field[k].size, begin + 8, out);
    abut_free(all);
    return status;
}

AbutStatus abut_points_pcd(AbutText *text, AbutPoints *out) {
    Pcd p = {.text = text, .height = 1};
    ABUT_TRY(read_header(&p));
    if (strcmp(p.data, "ascii") == 0) return read_text(&p, out);
    if (strcmp(p.data, "binary") == 0) return read_bytes(&p, out);
    if (strcmp(p.data, "binary_compressed") == 0) return read_packed(&p, out);
    return abut_name_fail(
        text, ABUT_ERROR_UNSUPPORTED, "expected DATA ascii, binary or binary_compressed, got '%s'", p.data);
}
