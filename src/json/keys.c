/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of an object against those that are known: a misspelt one is an error, not a silent default. Keys that begin
 * with an underscore are the writer's own and are skipped.
 */
#include "json/read.h"

#include <string.h>

static int is_known(const char *key, const char *const *keys, int count)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(key, keys[i]) == 0)
            return 1;
    return 0;
}

AbutStatus abut_json_check_keys(
    const AbutJsonText *json, const AbutJsonNode *object, int count, const char *const *keys, AbutError *error)
{
    if (object->kind != ABUT_JSON_OBJECT)
        return ABUT_OK;
    for (const AbutJsonNode *n = abut_json_first(object); n; n = abut_json_next(json, n)) {
        if (n->key[0] == '_' || is_known(n->key, keys, count))
            continue;
        const char *near = abut_suggest(n->key, count, keys, sizeof *keys);
        return near ? abut_json_fail(json, n, error, ABUT_ERROR_FORMAT, "unknown key; did you mean '%s'?", near)
                    : abut_json_fail(json, n, error, ABUT_ERROR_FORMAT, "unknown key");
    }
    return ABUT_OK;
}
