/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON text laid flat. In: a text. Out: its values one after the other, each with its path. */
#include <stdio.h>
#include <string.h>

#include "abut/json.h"
#include "json/read.h"

enum { PATH = 500 };

typedef struct Walk {
    const AbutJsonText *json;
    void (*visit)(const AbutJsonLeaf *, void *);
    void *user;
    int longest;
} Walk;

static void tell(const Walk *w, const AbutJsonNode *node, const char *path) {
    int is_string = node->kind == ABUT_JSON_STRING, is_array = node->kind == ABUT_JSON_ARRAY;
    AbutJsonLeaf leaf = {.path = path, .text = "", .is_string = is_string, .elements = is_array ? node->count : -1};
    if (is_string) {
        leaf.text = node->string;
        leaf.count = strlen(node->string);
    } else if (!is_array && node->kind != ABUT_JSON_NULL) {
        leaf.text = node->where;
        leaf.count = strcspn(node->where, ",]} \r\n\t");
    }
    w->visit(&leaf, w->user);
}

static void walk(const Walk *w, const AbutJsonNode *node, const char *path) {
    int is_array = node->kind == ABUT_JSON_ARRAY, i = 0;
    if ((!is_array && node->kind != ABUT_JSON_OBJECT) || (is_array && node->count > w->longest)) {
        tell(w, node, path);
        return;
    }
    for (const AbutJsonNode *n = abut_json_first(node); n; n = abut_json_next(w->json, n), ++i) {
        char deeper[PATH], number[16];
        snprintf(number, sizeof number, "%d", i);
        snprintf(deeper, sizeof deeper, "%s%s%s", path, *path ? "." : "", n->key ? n->key : number);
        walk(w, n, deeper);
    }
}

AbutStatus abut_json_leaves(const char *text, size_t count, const char *name, int longest,
    void (*visit)(const AbutJsonLeaf *, void *), void *user, AbutError *error) {
    ABUT_ASSERT(text && name && visit);
    AbutJsonText json;
    AbutStatus status = abut_json_parse(text, count, name, &json, error);
    if (status != ABUT_OK) return status;
    walk(&(Walk){&json, visit, user, longest}, json.nodes, "");
    abut_json_text_free(&json);
    return ABUT_OK;
}
