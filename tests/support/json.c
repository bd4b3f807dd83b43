/* SPDX-License-Identifier: Apache-2.0 */
#include "support/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MEMBERS = 256 };

static const char *value_end(const char *p, int depth);

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
    return p;
}

static const char *string_end(const char *p) {
    if (*p++ != '"') return NULL;
    for (; *p != '"'; ++p) {
        if ((unsigned char)*p < 0x20) return NULL;
        if (*p != '\\') continue;
        ++p;
        if (!*p || !strchr("\"\\/bfnrtu", *p)) return NULL;
        for (int i = 0; *p == 'u' && i < 4; ++i)
            if (!isxdigit((unsigned char)p[1 + i])) return NULL;
    }
    return p + 1;
}

static const char *digits_end(const char *p) {
    if (!isdigit((unsigned char)*p)) return NULL;
    while (isdigit((unsigned char)*p)) ++p;
    return p;
}

static const char *number_end(const char *p) {
    p += *p == '-';
    if (*p == '0' && isdigit((unsigned char)p[1])) return NULL;
    p = digits_end(p);
    if (p && *p == '.') p = digits_end(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        ++p;
        p += *p == '-' || *p == '+';
        p = digits_end(p);
    }
    return p;
}

/* Is the key that starts at `keys[count]` new among those before it? */
static int key_is_new(const char **keys, const size_t *lengths, int count) {
    for (int i = 0; i < count; ++i)
        if (lengths[i] == lengths[count] && memcmp(keys[i], keys[count], lengths[i]) == 0) return 0;
    return 1;
}

/* Elements or members; with `wanted` (a key or an index) *found is set to the start of that one's value. */
static const char *group_end(
    const char *p, int depth, const char *wanted, size_t wanted_length, const char **found, int *count) {
    const char *keys[MEMBERS];
    size_t lengths[MEMBERS];
    char close = *p == '{' ? '}' : ']';
    *count = 0;
    p = skip_space(p + 1);
    if (*p == close) return p + 1;
    for (;; p = skip_space(p + 1)) {
        int match = close == ']' && wanted && atoi(wanted) == *count && isdigit((unsigned char)*wanted);
        if (close == '}') {
            const char *end = string_end(p);
            if (!end || *count == MEMBERS) return NULL;
            keys[*count] = p + 1, lengths[*count] = (size_t)(end - p) - 2;
            if (!key_is_new(keys, lengths, *count)) return NULL;
            match = wanted && lengths[*count] == wanted_length && memcmp(p + 1, wanted, wanted_length) == 0;
            p = skip_space(end);
            if (*p++ != ':') return NULL;
            p = skip_space(p);
        }
        if (match) *found = p;
        ++*count;
        p = value_end(p, depth + 1);
        p = p ? skip_space(p) : p;
        if (!p || (*p != ',' && *p != close)) return NULL;
        if (*p == close) return p + 1;
    }
}

static const char *value_end(const char *p, int depth) {
    static const char *const literals[] = {"true", "false", "null"};
    const char *found;
    int count;
    if (depth > DEEPEST) return NULL;
    if (*p == '"') return string_end(p);
    if (*p == '{' || *p == '[') return group_end(p, depth, NULL, 0, &found, &count);
    for (int i = 0; i < 3; ++i)
        if (strncmp(p, literals[i], strlen(literals[i])) == 0) return p + strlen(literals[i]);
    return number_end(p);
}

int json_valid(const char *text) {
    const char *end = value_end(skip_space(text), 0);
    return end && *skip_space(end) == 0;
}

const char *json_at(const char *text, const char *path) {
    if (!json_valid(text)) return NULL;
    const char *p = skip_space(text);
    while (p && *path) {
        size_t length = strcspn(path, ".");
        const char *found = NULL;
        int count;
        if (*p == '{' || *p == '[') group_end(p, 0, path, length, &found, &count);
        p = found;
        path += length + (path[length] == '.');
    }
    return p;
}

double json_number(const char *text, const char *path) {
    const char *p = json_at(text, path);
    return p && (*p == '-' || isdigit((unsigned char)*p)) ? strtod(p, NULL) : NAN;
}

int json_is(const char *text, const char *path, const char *literal) {
    const char *p = json_at(text, path), *end = p ? value_end(p, 0) : NULL;
    return end && (size_t)(end - p) == strlen(literal) && strncmp(p, literal, strlen(literal)) == 0;
}

int json_count(const char *text, const char *path) {
    const char *p = json_at(text, path), *found;
    int count = -1;
    if (p && (*p == '{' || *p == '[')) group_end(p, 0, NULL, 0, &found, &count);
    return count;
}
