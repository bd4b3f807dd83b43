/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON reader: one pass without recursion. `open` is the innermost array or object that is not closed; its next
 * member goes to the end of the node array and is chained to the member before it. Decoded strings are never longer
 * than their source, so that room for the whole text is enough for all of them.
 */
#include "json/read.h"

#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    AbutJsonText *json;
    AbutText text;
    int32_t open, last[ABUT_JSON_READ_DEPTH]; /* last: newest child per level, -1 when there is none */
    int depth;
} Reader;

void abut_json_text_free(AbutJsonText *json) {
    abut_free(json->text);
    abut_free(json->strings);
    abut_free(json->nodes);
    memset(json, 0, sizeof *json);
}

/* ---- walking ----------------------------------------------------------------------------------------------------- */

const AbutJsonNode *abut_json_first(const AbutJsonNode *node) { return node->count > 0 ? node + 1 : NULL; }

const AbutJsonNode *abut_json_next(const AbutJsonText *json, const AbutJsonNode *node) {
    return node->next >= 0 ? &json->nodes[node->next] : NULL;
}

static uint32_t hash_of(const char *key) {
    uint32_t h = 2166136261u;
    for (; *key; ++key) h = (h ^ (unsigned char)*key) * 16777619u;
    return h;
}

const AbutJsonNode *abut_json_member(const AbutJsonText *json, const AbutJsonNode *node, const char *key) {
    uint32_t hash = hash_of(key);
    if (!node || node->kind != ABUT_JSON_OBJECT) return NULL;
    for (const AbutJsonNode *m = abut_json_first(node); m; m = abut_json_next(json, m))
        if (m->hash == hash && m->key && strcmp(m->key, key) == 0) return m;
    return NULL;
}

const char *abut_json_kind_name(AbutJsonKind kind) {
    static const char *const names[] = {"null", "false", "true", "a number", "a string", "an array", "an object"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "nothing";
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

enum { PATH = 160, MESSAGE = 300 };

/* Position of a node among its siblings. */
static int place_of(const AbutJsonText *json, const AbutJsonNode *node) {
    int place = 0;
    for (const AbutJsonNode *n = &json->nodes[node->parent + 1]; n != node && n->next >= 0; n = &json->nodes[n->next])
        ++place;
    return place;
}

/* "contacts[3].normal"; the front is cut off when it is too long. */
static void path_of(const AbutJsonText *json, const AbutJsonNode *node, char path[PATH]) {
    char part[PATH], rest[PATH];
    path[0] = 0;
    for (; node->parent >= 0; node = &json->nodes[node->parent]) {
        memcpy(rest, path, PATH);
        if (node->key)
            snprintf(part, sizeof part, "%s%.40s", json->nodes[node->parent].parent >= 0 ? "." : "", node->key);
        else
            snprintf(part, sizeof part, "[%d]", place_of(json, node));
        if (strlen(part) + strlen(rest) >= PATH) return;
        snprintf(path, PATH, "%.79s%.79s", part, rest);
    }
    for (char *c = path; *c; ++c) *c = *c >= ' ' && *c < 127 ? *c : '?';
}

AbutStatus abut_json_fail(
    const AbutJsonText *json, const AbutJsonNode *node, AbutError *error, AbutStatus status, const char *format, ...) {
    char message[MESSAGE], path[PATH];
    AbutText text = {json->name, json->text, node->where, json->text + json->size, error};
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    path_of(json, node, path);
    return abut_text_fail(&text, node->where, status, "%s%s%s", path, path[0] ? ": " : "", message);
}

/* Failure at a place of the text, with the path of a node; NULL: none. */
static AbutStatus fail_of(Reader *r, const AbutJsonNode *node, AbutStatus status, const char *what, const char *where) {
    char path[PATH] = "";
    AbutFound found = abut_text_found(&r->text, where);
    if (node) path_of(r->json, node, path);
    return abut_text_fail(&r->text, where, status, "%s%s%s, got %s", path, path[0] ? ": " : "", what, found.text);
}

/* Failure at the reading position, with the path of what is being read. */
static AbutStatus fail_here(Reader *r, AbutStatus status, const char *what, const char *where) {
    const AbutJsonNode *last = r->json->count > 0 ? &r->json->nodes[r->json->count - 1] : NULL;
    return fail_of(r, last, status, what, where);
}

static AbutStatus format_error(Reader *r, const char *what) {
    return fail_here(r, ABUT_ERROR_FORMAT, what, r->text.at);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static void skip(Reader *r) {
    AbutText *t = &r->text;
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) ++t->at;
}

static int peek(const Reader *r) { return r->text.at < r->text.end ? (unsigned char)*r->text.at : -1; }

static int take(Reader *r, char c) {
    if (peek(r) != (unsigned char)c) return 0;
    ++r->text.at;
    return 1;
}

static int hex4(Reader *r, uint32_t *out) {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        int c = peek(r), digit = c >= '0' && c <= '9'                 ? c - '0'
                                 : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                                      : -1;
        if (digit < 0) return 0;
        value = 16 * value + (uint32_t)digit;
        ++r->text.at;
    }
    *out = value;
    return 1;
}

static void put_char(AbutJsonText *json, uint32_t c) { json->strings[json->string_count++] = (char)c; }

static void put_utf8(AbutJsonText *json, uint32_t c) {
    if (c < 0x80) {
        put_char(json, c);
        return;
    }
    if (c < 0x800) {
        put_char(json, 0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            put_char(json, 0xe0 | c >> 12);
        } else {
            put_char(json, 0xf0 | c >> 18);
            put_char(json, 0x80 | (c >> 12 & 63));
        }
        put_char(json, 0x80 | (c >> 6 & 63));
    }
    put_char(json, 0x80 | (c & 63));
}

/* Behind a backslash. NUL and lone surrogates are refused. */
static int escape(Reader *r) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    const char *known = c > 0 ? strchr(from, c) : NULL;
    uint32_t high, low;
    if (known) {
        ++r->text.at;
        put_char(r->json, (uint32_t)(unsigned char)to[known - from]);
        return 1;
    }
    if (!take(r, 'u') || !hex4(r, &high) || high == 0 || (high >= 0xdc00 && high < 0xe000)) return 0;
    if (high >= 0xd800 && high < 0xdc00) {
        if (!take(r, '\\') || !take(r, 'u') || !hex4(r, &low) || low < 0xdc00 || low > 0xdfff) return 0;
        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
    put_utf8(r->json, high);
    return 1;
}

/* At the opening quote; *out is the decoded string, zero-terminated. */
static AbutStatus read_string(Reader *r, const char **out) {
    const char *quote = r->text.at++;
    *out = r->json->strings + r->json->string_count;
    for (;;) {
        int c = peek(r);
        if (c < 0) return fail_here(r, ABUT_ERROR_FORMAT, "a string without an end", quote);
        if (c < 32) return format_error(r, "a control character in a string");
        ++r->text.at;
        if (c == '"') break;
        if (c != '\\')
            put_char(r->json, (uint32_t)c);
        else if (!escape(r))
            return format_error(r, "an escape that JSON does not have");
    }
    put_char(r->json, 0);
    return ABUT_OK;
}

static int skip_digits(const char **at, const char *end) {
    const char *begin = *at;
    while (*at < end && **at >= '0' && **at <= '9') ++*at;
    return *at > begin;
}

/* End of the number at `at` by the grammar of JSON; NULL when there is none. */
static const char *number_end(const char *at, const char *end) {
    at += at < end && *at == '-';
    if (at < end && *at == '0')
        ++at;
    else if (!skip_digits(&at, end))
        return NULL;
    if (at < end && *at == '.' && (++at, !skip_digits(&at, end))) return NULL;
    if (at < end && (*at == 'e' || *at == 'E')) {
        ++at;
        at += at < end && (*at == '+' || *at == '-');
        if (!skip_digits(&at, end)) return NULL;
    }
    return at;
}

static AbutStatus read_number(Reader *r, AbutJsonNode *node) {
    const char *at = r->text.at, *end = number_end(at, r->text.end);
    if (!end) return format_error(r, "expected a number");
    AbutNumber how = abut_parse_double(&at, end, &node->number);
    if (how == ABUT_NUMBER_NOT_FINITE) return fail_here(r, ABUT_ERROR_NUMBER, "expected a finite number", r->text.at);
    if (how != ABUT_NUMBER_OK || at != end) return format_error(r, "expected a number");
    node->kind = ABUT_JSON_NUMBER;
    r->text.at = end;
    return ABUT_OK;
}

static int take_word(Reader *r, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(r->text.end - r->text.at) < length || memcmp(r->text.at, word, length) != 0) return 0;
    r->text.at += length;
    return 1;
}

/* What Python and others write for numbers that are not finite. */
static int is_not_finite(const Reader *r) {
    Reader probe = *r;
    (void)take(&probe, '-');
    return take_word(&probe, "NaN") || take_word(&probe, "nan") || take_word(&probe, "Infinity") ||
           take_word(&probe, "inf");
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

/* A new node behind the others, as the newest child of the open one. */
static AbutJsonNode *new_node(Reader *r, const char *key) {
    AbutJsonText *json = r->json;
    if (json->count == INT32_MAX ||
        !abut_grow((void **)&json->nodes, &json->capacity, (size_t)json->count + 1, sizeof *json->nodes))
        return NULL;
    AbutJsonNode *node = &json->nodes[json->count];
    *node =
        (AbutJsonNode){.parent = r->open, .next = -1, .key = key, .hash = key ? hash_of(key) : 0, .where = r->text.at};
    if (r->open >= 0) {
        int32_t *last = &r->last[r->depth - 1];
        if (*last >= 0) json->nodes[*last].next = json->count;
        *last = json->count;
        json->nodes[r->open].count += 1;
    }
    ++json->count;
    return node;
}

/* Makes the node at hand the open one. */
static AbutStatus open_node(Reader *r, AbutJsonNode *node, AbutJsonKind kind) {
    if (r->depth == ABUT_JSON_READ_DEPTH)
        return fail_here(r, ABUT_ERROR_LIMIT, "arrays and objects are nested too deeply", r->text.at);
    node->kind = kind;
    r->open = (int32_t)(node - r->json->nodes);
    r->last[r->depth++] = -1;
    ++r->text.at;
    return ABUT_OK;
}

/* One value; arrays and objects are only opened. */
static AbutStatus read_value(Reader *r, const char *key) {
    AbutJsonNode *node = new_node(r, key);
    if (!node) return abut_fail_memory(r->text.error);
    switch (peek(r)) {
    case '{':
        return open_node(r, node, ABUT_JSON_OBJECT);
    case '[':
        return open_node(r, node, ABUT_JSON_ARRAY);
    case '"':
        node->kind = ABUT_JSON_STRING;
        return read_string(r, &node->string);
    default:
        break;
    }
    if (take_word(r, "null")) return ABUT_OK;
    if (take_word(r, "true") || take_word(r, "false")) {
        node->kind = r->text.at[-2] == 'u' ? ABUT_JSON_TRUE : ABUT_JSON_FALSE;
        return ABUT_OK;
    }
    if (is_not_finite(r)) return fail_here(r, ABUT_ERROR_NUMBER, "expected a finite number", r->text.at);
    return peek(r) == '-' || (peek(r) >= '0' && peek(r) <= '9') ? read_number(r, node)
                                                                : format_error(r, "expected a value");
}

static AbutStatus read_member(Reader *r) {
    const char *key, *where = r->text.at;
    const AbutJsonNode *object = &r->json->nodes[r->open];
    if (peek(r) != '"') return format_error(r, "expected a key in quotes");
    if (object->count == ABUT_JSON_READ_MEMBERS)
        return fail_here(r, ABUT_ERROR_LIMIT, "an object with too many keys", where);
    AbutStatus status = read_string(r, &key);
    if (status != ABUT_OK) return status;
    const AbutJsonNode *first = abut_json_member(r->json, object, key);
    if (first) return fail_of(r, first, ABUT_ERROR_FORMAT, "a key stands twice in one object", where);
    skip(r);
    if (!take(r, ':')) return format_error(r, "expected ':' behind a key");
    skip(r);
    return read_value(r, key);
}

/* Moves to the parent of the open node, whose closing bracket was read. */
static void close_node(Reader *r) {
    r->open = r->json->nodes[r->open].parent;
    --r->depth;
}

/* The next thing inside the open node: its end, or a separator and the next value. */
static AbutStatus read_inside(Reader *r) {
    const AbutJsonNode *node = &r->json->nodes[r->open];
    int object = node->kind == ABUT_JSON_OBJECT;
    if (take(r, object ? '}' : ']')) {
        close_node(r);
        return ABUT_OK;
    }
    if (node->count > 0) {
        if (!take(r, ',')) return format_error(r, object ? "expected ',' or '}'" : "expected ',' or ']'");
        skip(r);
    }
    return object ? read_member(r) : read_value(r, NULL);
}

static AbutStatus read_text(Reader *r) {
    skip(r);
    AbutStatus status = read_value(r, NULL);
    while (status == ABUT_OK && r->open >= 0) {
        skip(r);
        status = read_inside(r);
    }
    skip(r);
    if (status == ABUT_OK && peek(r) >= 0) status = format_error(r, "expected the end of the file");
    return status;
}

AbutStatus abut_json_parse_owned(char *text, size_t count, const char *name, AbutJsonText *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", name);
    out->text = text;
    out->size = count;
    out->strings = abut_alloc(count + 1);
    Reader r = {.json = out, .text = {out->name, text, abut_text_begin(text, count), text + count, error}, .open = -1};
    AbutStatus status = out->strings ? read_text(&r) : abut_fail_memory(error);
    if (status != ABUT_OK) abut_json_text_free(out);
    return status;
}

AbutStatus abut_json_parse(const void *bytes, size_t count, const char *name, AbutJsonText *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    if (count > ABUT_JSON_READ_BYTES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%.200s: more than %d bytes", name, ABUT_JSON_READ_BYTES);
    char *text = abut_alloc(count + 1);
    if (!text) return abut_fail_memory(error);
    if (count > 0) memcpy(text, bytes, count);
    return abut_json_parse_owned(text, count, name, out, error);
}
