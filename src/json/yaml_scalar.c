/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalars of YAML as JSON: plain ones become null, true, false, numbers or strings, as in the core schema of YAML 1.2
 * without octal and hexadecimal numbers; those in quotes are strings. Numbers that are not finite stay strings.
 */
#include "json/yaml_text.h"

#include <stdio.h>
#include <string.h>

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* A byte of a string; NUL, which a byte field of ROS may hold, has no place in texts and is left out. */
static void put_byte(AbutYaml *y, char c) {
    char escape[8];
    if ((unsigned char)c >= 32) {
        if (c == '"' || c == '\\') abut_yaml_put(y, '\\');
        abut_yaml_put(y, c);
    } else if (c) {
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
        for (const char *p = escape; *p; ++p) abut_yaml_put(y, *p);
    }
}

static void put_utf8(AbutYaml *y, uint32_t c) {
    if (c < 0x80) {
        put_byte(y, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    abut_yaml_put(y, (char)(first[more] | c >> 6 * more));
    while (more-- > 0) abut_yaml_put(y, (char)(0x80 | (c >> 6 * more & 63)));
}

/* A line break inside a scalar is a space; empty lines behind it are line breaks. */
static void fold(AbutYaml *y) {
    int lines = 0;
    while (y->count && (y->out[y->count - 1] == ' ' || y->out[y->count - 1] == '\t')) --y->count;
    while (y->text.at < y->text.end && (abut_yaml_is_end(*y->text.at) || *y->text.at == ' ' || *y->text.at == '\t')) {
        lines += abut_yaml_is_end(*y->text.at);
        if (abut_yaml_is_end(*y->text.at))
            abut_yaml_next_line(y);
        else
            ++y->text.at;
    }
    if (lines == 1) abut_yaml_put(y, ' ');
    while (--lines > 0) put_byte(y, '\n');
}

/* As many hexadecimal digits, or 0. */
static int hex(AbutYaml *y, int digits, uint32_t *out) {
    for (*out = 0; digits > 0; --digits, ++y->text.at) {
        char c = abut_yaml_look(y, 0), low = (char)(c | 32);
        int digit = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
        if (digit < 0) return 0;
        *out = 16 * *out + (uint32_t)digit;
    }
    return *out < 0x110000;
}

/* Behind a backslash. Two halves of a surrogate pair are put together. */
static AbutStatus escape(AbutYaml *y) {
    static const char from[] = "0abtnvfre \"/\\N_LP\t";
    static const uint32_t to[] = {
        0, 7, 8, 9, 10, 11, 12, 13, 27, ' ', '"', '/', '\\', 0x85, 0xa0, 0x2028, 0x2029, '\t'};
    char c = abut_yaml_look(y, 0);
    const char *known = c ? strchr(from, c) : NULL;
    uint32_t code = 0, low;
    if (abut_yaml_is_end(c)) { /* joins two lines */
        abut_yaml_next_line(y);
        while (abut_yaml_look(y, 0) == ' ' || abut_yaml_look(y, 0) == '\t') ++y->text.at;
        return ABUT_OK;
    }
    y->text.at += c != 0;
    int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (!known && (!digits || !hex(y, digits, &code))) return abut_yaml_fail(y, "an escape of YAML");
    if (known) code = to[known - from];
    if (code >= 0xd800 && code < 0xdc00 && abut_yaml_look(y, 0) == '\\' && abut_yaml_look(y, 1) == 'u') {
        y->text.at += 2;
        if (!hex(y, 4, &low) || low < 0xdc00 || low > 0xdfff) return abut_yaml_fail(y, "an escape of YAML");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code >= 0xd800 && code < 0xe000) return abut_yaml_fail(y, "an escape of YAML");
    put_utf8(y, code);
    return ABUT_OK;
}

AbutStatus abut_yaml_quoted(AbutYaml *y) {
    AbutYaml begin = *y;
    char quote = *y->text.at++;
    abut_yaml_put_word(y, "\"");
    for (;;) {
        char c = abut_yaml_look(y, 0);
        if (y->text.at == y->text.end || (y->text.at == y->line && abut_yaml_at_end(y)))
            return abut_yaml_fail(&begin, "a closing quote");
        if (abut_yaml_is_end(c)) {
            fold(y);
            continue;
        }
        ++y->text.at;
        if (c == quote && !(quote == '\'' && abut_yaml_look(y, 0) == '\'')) break;
        if (c == quote) ++y->text.at; /* doubled */
        if (c == '\\' && quote == '"')
            ABUT_TRY(escape(y));
        else
            put_byte(y, c);
    }
    abut_yaml_put(y, '"');
    return ABUT_OK;
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

const char *abut_yaml_plain_end(const AbutYaml *y, int flow, int *key) {
    const char *p = y->text.at, *stop = p;
    for (*key = 0; p < y->text.end && !abut_yaml_is_end(*p); ++p) {
        ptrdiff_t behind = p + 1 - y->text.at;
        if (flow && strchr(",[]{}", *p) && *p) break;
        if (*p == '#' && p > y->text.at && (p[-1] == ' ' || p[-1] == '\t')) break;
        *key = *p == ':' && (abut_yaml_is_gap(y, behind) ||
                                (flow && abut_yaml_look(y, behind) && strchr(",[]{}", abut_yaml_look(y, behind))));
        if (*key) break;
        if (*p != ' ' && *p != '\t') stop = p + 1;
    }
    return stop;
}

static int is_one_of(const char *word, size_t length, const char *const *words, int count) {
    for (int i = 0; i < count; ++i)
        if (strlen(words[i]) == length && memcmp(word, words[i], length) == 0) return 1;
    return 0;
}

static size_t digits(const char **p, const char *end) {
    const char *from = *p;
    while (*p < end && **p >= '0' && **p <= '9') ++*p;
    return (size_t)(*p - from);
}

/* A number with the marks that JSON asks for: no '+', a digit on both sides of the point. 0: it is none. */
static int put_number(AbutYaml *y, const char *p, const char *end) {
    const char *sign = p, *whole, *part = NULL, *power;
    p += p < end && (*p == '-' || *p == '+');
    whole = p;
    size_t before = digits(&p, end), after = 0;
    if (p < end && *p == '.') {
        part = ++p;
        after = digits(&p, end);
    }
    power = p;
    if (before + after == 0 || (before > 1 && *whole == '0')) return 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        ++p;
        p += p < end && (*p == '-' || *p == '+');
        if (!digits(&p, end)) return 0;
    }
    if (p != end) return 0;
    abut_yaml_put_word(y, *sign == '-' ? "-" : "");
    if (!before) abut_yaml_put(y, '0');
    for (p = whole; p < whole + before; ++p) abut_yaml_put(y, *p);
    if (part) abut_yaml_put(y, '.');
    if (part && !after) abut_yaml_put(y, '0');
    for (p = part; after > 0; --after) abut_yaml_put(y, *p++);
    for (p = power; p < end; ++p) abut_yaml_put(y, *p);
    return 1;
}

static const char *const nulls[] = {"~", "null", "Null", "NULL"}, *const truths[] = {"true", "True", "TRUE"},
                         *const lies[] = {"false", "False", "FALSE"};

/* Does the text go on in the line below? */
static int goes_on(AbutYaml *y, ptrdiff_t least) {
    AbutYaml next = *y;
    if (least < 0 || !abut_yaml_is_end(abut_yaml_look(y, 0))) return 0;
    abut_yaml_next_line(&next);
    while (abut_yaml_look(&next, 0) == ' ') ++next.text.at;
    return !abut_yaml_at_end(&next) && next.text.at - next.line >= least && !abut_yaml_is_gap(&next, 0) &&
           *next.text.at != '#';
}

AbutStatus abut_yaml_plain(AbutYaml *y, const char *end, int key, ptrdiff_t least) {
    const char *word = y->text.at;
    size_t length = (size_t)(end - word);
    y->text.at = end;
    while (abut_yaml_look(y, 0) == ' ' || abut_yaml_look(y, 0) == '\t') ++y->text.at;
    int more = !key && goes_on(y, least), other;
    if (!key && !more) {
        if (is_one_of(word, length, nulls, 4)) return abut_yaml_put_word(y, "null"), ABUT_OK;
        if (is_one_of(word, length, truths, 3)) return abut_yaml_put_word(y, "true"), ABUT_OK;
        if (is_one_of(word, length, lies, 3)) return abut_yaml_put_word(y, "false"), ABUT_OK;
        if (put_number(y, word, end)) return ABUT_OK;
    }
    abut_yaml_put_word(y, "\"");
    for (; word < end; ++word) put_byte(y, *word);
    while (more) {
        fold(y);
        end = abut_yaml_plain_end(y, 0, &other);
        if (other) return abut_yaml_fail(y, "a value on one line, or a key in the column of the others");
        while (y->text.at < end) put_byte(y, *y->text.at++);
        while (abut_yaml_look(y, 0) == ' ' || abut_yaml_look(y, 0) == '\t') ++y->text.at;
        more = goes_on(y, least);
    }
    abut_yaml_put(y, '"');
    return ABUT_OK;
}
