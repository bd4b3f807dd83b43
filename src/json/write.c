/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text from calls that follow its structure. Text collects in memory and goes to the file in pieces. Per level one
 * byte says object or array, and whether it has a member yet.
 */
#include "abut/json.h"

#include <string.h>

enum { IN_OBJECT = 1, HAS_MEMBER = 2, PIECE = 1 << 16 };

AbutJson abut_json_to_file(FILE *file, int indent) {
    AbutJson json;
    memset(&json, 0, sizeof json);
    json.file = file;
    json.indent = indent;
    return json;
}

void abut_json_free(AbutJson *json) {
    ABUT_ASSERT(json);
    abut_free(json->text);
    *json = abut_json_to_file(NULL, 0);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void fail(AbutJson *json, AbutStatus status) {
    if (json->status == ABUT_OK) json->status = status;
}

static void flush(AbutJson *json) {
    if (json->status == ABUT_OK && fwrite(json->text, 1, json->count, json->file) != json->count)
        fail(json, ABUT_ERROR_FILE);
    json->count = 0;
}

static void put(AbutJson *json, const char *bytes, size_t count) {
    if (json->status) return;
    if (json->file && json->count >= PIECE) flush(json);
    void *memory = json->text;
    int grown = abut_grow(&memory, &json->capacity, json->count + count + 1, 1);
    json->text = memory;
    if (!grown) {
        fail(json, ABUT_ERROR_MEMORY);
        return;
    }
    memcpy(json->text + json->count, bytes, count);
    json->count += count;
}

static void put_text(AbutJson *json, const char *text) { put(json, text, strlen(text)); }

static void new_line(AbutJson *json) {
    if (json->indent <= 0) return;
    put(json, "\n", 1);
    for (int i = 0; i < json->indent * json->depth; ++i) put(json, " ", 1);
}

/* Comma and line end in front of a member of the level at hand. */
static void next_member(AbutJson *json) {
    if (json->level[json->depth] & HAS_MEMBER) put(json, ",", 1);
    json->level[json->depth] |= HAS_MEMBER;
    new_line(json);
}

/* Called in front of each value: true when one may stand here. */
static int begin_value(AbutJson *json) {
    ABUT_ASSERT(json);
    int in_object = json->level[json->depth] & IN_OBJECT;
    if (in_object ? !json->wants_value : json->depth == 0 && (json->level[0] & HAS_MEMBER))
        fail(json, ABUT_ERROR_ARGUMENT);
    if (json->status) return 0;
    if (json->depth == 0)
        json->level[0] |= HAS_MEMBER;
    else if (!in_object)
        next_member(json);
    json->wants_value = 0;
    return 1;
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s (zero-terminated), or 0 when there is none: overlong forms, surrogates and values
 * beyond U+10FFFF are none. */
static int utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < length; ++i)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] >= 0x90))
        return 0;
    return length;
}

static void put_escaped(AbutJson *json, unsigned char c) {
    static const char letters[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
    const char *known = c ? memchr(letters, c, sizeof letters - 1) : NULL;
    char escape[8];
    int n = known ? snprintf(escape, sizeof escape, "\\%c", names[known - letters])
                  : snprintf(escape, sizeof escape, "\\u%04x", c);
    put(json, escape, (size_t)n);
}

static void put_quoted(AbutJson *json, const char *text) {
    put(json, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = utf8_length(s);
        if (length == 0)
            put(json, "\xef\xbf\xbd", 3);
        else if (length == 1 && (*s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7f))
            put_escaped(json, *s);
        else
            put(json, (const char *)s, (size_t)length);
        s += length ? length : 1;
    }
    put(json, "\"", 1);
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

static void begin(AbutJson *json, const char *bracket, unsigned char kind) {
    ABUT_ASSERT(json);
    if (!begin_value(json)) return;
    if (json->depth == ABUT_JSON_DEPTH) {
        fail(json, ABUT_ERROR_LIMIT);
        return;
    }
    put_text(json, bracket);
    json->level[++json->depth] = kind;
}

static void end(AbutJson *json, const char *bracket, unsigned char kind) {
    ABUT_ASSERT(json);
    if (json->depth == 0 || (json->level[json->depth] & IN_OBJECT) != kind || json->wants_value)
        fail(json, ABUT_ERROR_ARGUMENT);
    if (json->status) return;
    int filled = json->level[json->depth--] & HAS_MEMBER;
    if (filled) new_line(json);
    put_text(json, bracket);
}

void abut_json_begin_object(AbutJson *json) { begin(json, "{", IN_OBJECT); }

void abut_json_end_object(AbutJson *json) { end(json, "}", IN_OBJECT); }

void abut_json_begin_array(AbutJson *json) { begin(json, "[", 0); }

void abut_json_end_array(AbutJson *json) { end(json, "]", 0); }

AbutJson *abut_json_key(AbutJson *json, const char *key) {
    ABUT_ASSERT(json);
    if (!(json->level[json->depth] & IN_OBJECT) || json->wants_value || !key) fail(json, ABUT_ERROR_ARGUMENT);
    if (json->status) return json;
    next_member(json);
    put_quoted(json, key);
    put_text(json, json->indent > 0 ? ": " : ":");
    json->wants_value = 1;
    return json;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void put_number(AbutJson *json, double value) {
    char text[ABUT_DOUBLE_TEXT] = "null";
    if (isfinite(value)) abut_format_double(text, sizeof text, value);
    put_text(json, text);
}

/* The key, if there is one; true when a value may follow. */
static int begin_member(AbutJson *json, const char *key) {
    if (key) abut_json_key(json, key);
    return begin_value(json);
}

void abut_json_put_number(AbutJson *json, const char *key, double value) {
    if (begin_member(json, key)) put_number(json, value);
}

void abut_json_put_integer(AbutJson *json, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    if (begin_member(json, key)) put_text(json, text);
}

void abut_json_put_bool(AbutJson *json, const char *key, int value) {
    if (begin_member(json, key)) put_text(json, value ? "true" : "false");
}

void abut_json_put_string(AbutJson *json, const char *key, const char *text) {
    if (!begin_member(json, key)) return;
    if (text)
        put_quoted(json, text);
    else
        put_text(json, "null");
}

void abut_json_numbers(AbutJson *json, const double *values, int count) {
    ABUT_ASSERT(values || count <= 0);
    if (!begin_value(json)) return;
    put(json, "[", 1);
    for (int i = 0; i < count; ++i) {
        if (i > 0) put_text(json, json->indent > 0 ? ", " : ",");
        put_number(json, values[i]);
    }
    put(json, "]", 1);
}

void abut_json_put_vec3(AbutJson *json, const char *key, AbutVec3 value) {
    double values[3] = {value.x, value.y, value.z};
    abut_json_numbers(abut_json_key(json, key), values, 3);
}

AbutStatus abut_json_finish(AbutJson *json, AbutError *error) {
    ABUT_ASSERT(json);
    if (json->depth != 0 || !(json->level[0] & HAS_MEMBER)) fail(json, ABUT_ERROR_ARGUMENT);
    put(json, "\n", 1);
    if (json->text) json->text[json->count] = 0; /* put leaves room for it */
    if (json->file && json->text) {
        flush(json);
        if (json->status == ABUT_OK && fflush(json->file) != 0) fail(json, ABUT_ERROR_FILE);
    }
    switch (json->status) {
    case ABUT_OK:
        return ABUT_OK;
    case ABUT_ERROR_ARGUMENT:
        return abut_fail(error, json->status, "JSON: a value, key or end where none may stand, or one that is missing");
    case ABUT_ERROR_LIMIT:
        return abut_fail(error, json->status, "JSON: deeper than %d levels", ABUT_JSON_DEPTH);
    default:
        return abut_fail(error, json->status, "JSON: %s", abut_status_text(json->status));
    }
}
