/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of an object against those that are known: a misspelled one is an error, not a silent default. Keys that begin
 * with an underscore are the writer's own and are skipped. Arrays of numbers.
 */
#include "json/read.h"

#include <string.h>

static int is_known(const char *key, const char *const *keys, int count) {
    for (int i = 0; i < count; ++i)
        if (strcmp(key, keys[i]) == 0) return 1;
    return 0;
}

AbutStatus abut_json_check_keys(
    const AbutJsonText *json, const AbutJsonNode *object, int count, const char *const *keys, AbutError *error) {
    if (object->kind != ABUT_JSON_OBJECT) return ABUT_OK;
    for (const AbutJsonNode *n = abut_json_first(object); n; n = abut_json_next(json, n)) {
        if (n->key[0] == '_' || is_known(n->key, keys, count)) continue;
        const char *near = abut_suggest(n->key, count, keys, sizeof *keys);
        return near ? abut_json_fail(json, n, error, ABUT_ERROR_FORMAT, "unknown key; did you mean '%s'?", near)
                    : abut_json_fail(json, n, error, ABUT_ERROR_FORMAT, "unknown key");
    }
    return ABUT_OK;
}

AbutStatus abut_json_read_numbers(
    const AbutJsonText *json, const AbutJsonNode *array, int32_t count, double *out, AbutError *error) {
    if (array->kind != ABUT_JSON_ARRAY)
        return abut_json_fail(json, array, error, ABUT_ERROR_FORMAT, "expected %d numbers, got %s", (int)count,
            abut_json_kind_name(array->kind));
    if (array->count != count)
        return abut_json_fail(
            json, array, error, ABUT_ERROR_FORMAT, "expected %d numbers, got %d values", (int)count, (int)array->count);
    for (const AbutJsonNode *n = abut_json_first(array); n; n = abut_json_next(json, n)) {
        if (n->kind != ABUT_JSON_NUMBER)
            return abut_json_fail(
                json, n, error, ABUT_ERROR_FORMAT, "expected a number, got %s", abut_json_kind_name(n->kind));
        *out++ = n->number;
    }
    return ABUT_OK;
}
