/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The YAML reader. In: a text. Out: JSON, line by line in its place, which the reader of JSON makes nodes of; that one
 * checks depths, numbers and keys that stand twice. Nodes by columns are read with a recursion as deep as JSON allows.
 */
#include "json/yaml_text.h"

#include <string.h>

AbutStatus abut_yaml_fail(const AbutYaml *y, const char *what) {
    return abut_text_fail(&y->text, y->text.at, ABUT_ERROR_FORMAT, "expected %s, got %s", what,
        abut_text_found(&y->text, y->text.at).text);
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

void abut_yaml_put(AbutYaml *y, char c) {
    if (!y->no_memory && !abut_grow((void **)&y->out, &y->capacity, y->count + 1, 1)) y->no_memory = 1;
    if (!y->no_memory) y->out[y->count++] = c;
}

void abut_yaml_put_word(AbutYaml *y, const char *word) {
    for (; y->put_row < y->row; ++y->put_row) abut_yaml_put(y, '\n');
    for (; *word; ++word) abut_yaml_put(y, *word);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

void abut_yaml_next_line(AbutYaml *y) {
    y->text.at += abut_yaml_look(y, 0) == '\r' && abut_yaml_look(y, 1) == '\n' ? 2 : 1;
    y->line = y->first = y->text.at;
    while (y->first < y->text.end && *y->first == ' ') ++y->first;
    ++y->row;
}

int abut_yaml_at_end(const AbutYaml *y) {
    const char *p = y->text.at;
    if (p == y->text.end) return 1;
    return p == y->line && y->text.end - p >= 3 && (memcmp(p, "---", 3) == 0 || memcmp(p, "...", 3) == 0) &&
           abut_yaml_is_gap(y, 3);
}

static ptrdiff_t column(const AbutYaml *y) { return y->text.at - y->line; }

AbutStatus abut_yaml_skip(AbutYaml *y) {
    int tab = 0; /* in the indentation of the line */
    for (;;) {
        const char *p = y->text.at;
        char c = abut_yaml_look(y, 0);
        if (p < y->text.end && abut_yaml_is_end(c)) {
            abut_yaml_next_line(y);
            tab = 0;
        } else if (c == ' ' || c == '\t') {
            tab |= c == '\t' && p == y->first;
            ++y->text.at;
        } else if (c == '#' && (p == y->line || p[-1] == ' ' || p[-1] == '\t')) {
            while (y->text.at < y->text.end && !abut_yaml_is_end(*y->text.at)) ++y->text.at;
        } else {
            return tab && p < y->text.end ? abut_yaml_fail(y, "spaces in front of this, got a tab;") : ABUT_OK;
        }
    }
}

/* Nothing but a comment may follow on the line. */
static AbutStatus end_line(AbutYaml *y) {
    int row = y->row;
    ABUT_TRY(abut_yaml_skip(y));
    return y->row > row || y->text.at == y->text.end ? ABUT_OK : abut_yaml_fail(y, "the end of the line");
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static AbutStatus flow(AbutYaml *y);

static int is_dash(const AbutYaml *y) { return abut_yaml_look(y, 0) == '-' && abut_yaml_is_gap(y, 1); }

/* Things of YAML that messages do not use. */
static AbutStatus check_mark(const AbutYaml *y) {
    char c = abut_yaml_look(y, 0);
    if (c == '&' || c == '*' || c == '!') return abut_yaml_fail(y, "a value without anchor, alias or tag");
    if (c == '|' || c == '>') return abut_yaml_fail(y, "a text in quotes");
    if (c == '@' || c == '`' || c == '%' || c == ',' || c == ']' || c == '}' || (c == '?' && abut_yaml_is_gap(y, 1)))
        return abut_yaml_fail(y, "a value");
    return ABUT_OK;
}

/* Is the scalar at hand a key, with ':' behind it on the line? */
static int is_key(const AbutYaml *y, int in_flow) {
    const char *p = y->text.at;
    char quote = *p;
    int key;
    if (quote != '"' && quote != '\'') return (void)abut_yaml_plain_end(y, in_flow, &key), key;
    for (++p; p < y->text.end && !abut_yaml_is_end(*p); ++p) {
        if (*p == quote && !(quote == '\'' && p + 1 < y->text.end && p[1] == '\'')) break;
        p += (*p == quote || (*p == '\\' && quote == '"')) && p + 1 < y->text.end;
    }
    for (++p; p < y->text.end && (*p == ' ' || *p == '\t');) ++p;
    return p < y->text.end && *p == ':' && (in_flow || abut_yaml_is_gap(y, p + 1 - y->text.at));
}

/* The key, as a string, and the ':' behind it. */
static AbutStatus key(AbutYaml *y, int in_flow) {
    int is;
    if (y->text.at == y->text.end) return abut_yaml_fail(y, "a key");
    const char *end = abut_yaml_plain_end(y, in_flow, &is);
    ABUT_TRY(check_mark(y));
    if (*y->text.at == '"' || *y->text.at == '\'')
        ABUT_TRY(abut_yaml_quoted(y));
    else
        ABUT_TRY(abut_yaml_plain(y, end, 1, -1));
    while (abut_yaml_look(y, 0) == ' ' || abut_yaml_look(y, 0) == '\t') ++y->text.at;
    if (abut_yaml_look(y, 0) != ':') return abut_yaml_fail(y, "':' behind a key");
    ++y->text.at;
    abut_yaml_put(y, ':');
    return ABUT_OK;
}

static AbutStatus scalar(AbutYaml *y, int in_flow, ptrdiff_t least) {
    int is;
    ABUT_TRY(check_mark(y));
    if (*y->text.at == '"' || *y->text.at == '\'') return abut_yaml_quoted(y);
    const char *end = abut_yaml_plain_end(y, in_flow, &is);
    if (end == y->text.at) return abut_yaml_fail(y, "a value");
    return abut_yaml_plain(y, end, 0, in_flow ? -1 : least);
}

/* An item in brackets: a value, or in an object a key with one. */
static AbutStatus flow_item(AbutYaml *y, int object) {
    char c = abut_yaml_look(y, 0);
    if (object) {
        ABUT_TRY(key(y, 1));
        ABUT_TRY(abut_yaml_skip(y));
        c = abut_yaml_look(y, 0);
        if (c == ',' || c == '}') return abut_yaml_put_word(y, "null"), ABUT_OK;
    }
    if (c == '[' || c == '{') return flow(y);
    if (y->text.at == y->text.end) return abut_yaml_fail(y, "a value");
    if (!object && is_key(y, 1)) return abut_yaml_fail(y, "a value without a key");
    return scalar(y, 1, -1);
}

static AbutStatus flow(AbutYaml *y) {
    int object = *y->text.at++ == '{', items = 0;
    const char close = object ? '}' : ']';
    if (y->depth++ == ABUT_JSON_READ_DEPTH) return abut_yaml_fail(y, "fewer nodes inside each other");
    abut_yaml_put_word(y, object ? "{" : "[");
    for (;; ++items) {
        ABUT_TRY(abut_yaml_skip(y));
        if (abut_yaml_look(y, 0) == close) break;
        if (items > 0) abut_yaml_put_word(y, ",");
        ABUT_TRY(flow_item(y, object));
        ABUT_TRY(abut_yaml_skip(y));
        if (abut_yaml_look(y, 0) == close) break;
        if (abut_yaml_look(y, 0) != ',') return abut_yaml_fail(y, object ? "',' or '}'" : "',' or ']'");
        ++y->text.at;
    }
    ++y->text.at;
    --y->depth;
    abut_yaml_put_word(y, object ? "}" : "]");
    return ABUT_OK;
}

static AbutStatus node(AbutYaml *y, ptrdiff_t least, int inside);

/* From the first dash on; what stands right of a dash begins in its own column. */
static AbutStatus sequence(AbutYaml *y) {
    ptrdiff_t at = column(y);
    abut_yaml_put_word(y, "[");
    for (;;) {
        ++y->text.at;
        ABUT_TRY(abut_yaml_skip(y));
        ABUT_TRY(node(y, at + 1, 0));
        ABUT_TRY(abut_yaml_skip(y));
        if (abut_yaml_at_end(y) || column(y) < at || (column(y) == at && !is_dash(y))) break;
        if (column(y) > at) return abut_yaml_fail(y, "'-' in the column of the others");
        abut_yaml_put_word(y, ",");
    }
    abut_yaml_put_word(y, "]");
    return ABUT_OK;
}

static AbutStatus mapping(AbutYaml *y) {
    ptrdiff_t at = column(y);
    abut_yaml_put_word(y, "{");
    for (;;) {
        ABUT_TRY(key(y, 0));
        int row = y->row;
        ABUT_TRY(abut_yaml_skip(y));
        int same = y->row == row;
        if (!same && !abut_yaml_at_end(y) && column(y) == at && is_dash(y))
            ABUT_TRY(sequence(y));
        else
            ABUT_TRY(node(y, at + 1, same));
        ABUT_TRY(abut_yaml_skip(y));
        if (abut_yaml_at_end(y) || column(y) < at) break;
        if (column(y) > at || is_dash(y) || !is_key(y, 0))
            return abut_yaml_fail(y, "a key in the column of the others");
        abut_yaml_put_word(y, ",");
    }
    abut_yaml_put_word(y, "}");
    return ABUT_OK;
}

/* A value in column `least` or farther right; null where there is none. `inside`: on the line of its key. */
static AbutStatus node(AbutYaml *y, ptrdiff_t least, int inside) {
    if (abut_yaml_at_end(y) || column(y) < least) return abut_yaml_put_word(y, "null"), ABUT_OK;
    if (y->depth++ == ABUT_JSON_READ_DEPTH) return abut_yaml_fail(y, "fewer nodes inside each other");
    char c = *y->text.at;
    AbutStatus status;
    if (c == '[' || c == '{') {
        status = flow(y);
        if (!status) status = end_line(y);
    } else if (is_dash(y) || is_key(y, 0)) {
        if (inside) return abut_yaml_fail(y, "one value behind the key");
        status = is_dash(y) ? sequence(y) : mapping(y);
    } else {
        status = scalar(y, 0, least);
        if (!status) status = end_line(y);
    }
    --y->depth;
    return status;
}

static AbutStatus document(AbutYaml *y) {
    ABUT_TRY(abut_yaml_skip(y));
    if (y->text.at < y->text.end && abut_yaml_at_end(y)) {
        y->text.at += 3;
        ABUT_TRY(abut_yaml_skip(y));
    }
    ABUT_TRY(node(y, 0, 0));
    for (;;) {
        ABUT_TRY(abut_yaml_skip(y));
        if (y->text.at == y->text.end) return ABUT_OK;
        if (!abut_yaml_at_end(y)) return abut_yaml_fail(y, "one document, which ends here");
        y->text.at += 3;
    }
}

AbutStatus abut_yaml_parse(const void *bytes, size_t count, const char *name, AbutJsonText *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    if (count > ABUT_JSON_READ_BYTES)
        return abut_fail(
            error, ABUT_ERROR_LIMIT, "%.200s: expected at most %d bytes, got more", name, ABUT_JSON_READ_BYTES);
    AbutYaml y = {.text = abut_text_of(name, bytes, count, error)};
    y.line = y.first = y.text.at;
    while (y.first < y.text.end && *y.first == ' ') ++y.first;
    AbutStatus status = document(&y);
    abut_yaml_put(&y, '\n'); /* so that there is a text, */
    abut_yaml_put(&y, '\n'); /* and a byte more than the reader of JSON is given */
    if (!status && y.no_memory) status = abut_fail_memory(error);
    if (!status) return abut_json_parse_owned(y.out, y.count - 1, name, out, error);
    abut_free(y.out);
    return status;
}
