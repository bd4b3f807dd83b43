/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields in JSON, as field_json.h says. The numbers are checked where a shape is made of them. */
#include "model/field_json.h"

void abut_field_write(AbutJson *json, const AbutHeightField *f) {
    abut_json_begin_object(abut_json_key(json, "field"));
    abut_json_put_integer(json, "columns", f->columns);
    abut_json_put_integer(json, "rows", f->rows);
    abut_json_put_number(json, "half_x", f->half_x);
    abut_json_put_number(json, "half_y", f->half_y);
    abut_json_put_number(json, "bottom", f->bottom);
    abut_json_numbers(abut_json_key(json, "heights"), f->heights, f->columns * f->rows);
    abut_json_end_object(json);
}

/* All five numbers of the object are there. */
static AbutStatus read_head(
    const AbutJsonText *json, const AbutJsonNode *field, AbutHeightField *out, AbutError *error) {
    static const char *const keys[5] = {"columns", "rows", "half_x", "half_y", "bottom"};
    double v[5];
    for (int i = 0; i < 5; ++i) {
        const AbutJsonNode *node = abut_json_member(json, field, keys[i]);
        int whole = i >= 2 || (node && node->kind == ABUT_JSON_NUMBER && node->number >= 2.0 &&
                                  node->number <= INT32_MAX && floor(node->number) == node->number);
        if (!node || node->kind != ABUT_JSON_NUMBER || !whole)
            return abut_json_fail(json, node ? node : field, error, ABUT_ERROR_FORMAT, "expected \"%s\" with %s",
                keys[i], i < 2 ? "a whole number of 2 or more" : "a number");
        v[i] = node->number;
    }
    out->columns = (int32_t)v[0], out->rows = (int32_t)v[1];
    out->half_x = v[2], out->half_y = v[3], out->bottom = v[4];
    return ABUT_OK;
}

AbutStatus abut_field_read(
    const AbutJsonText *json, const AbutJsonNode *node, AbutHeightField *out, double **heights, AbutError *error) {
    const AbutJsonNode *field = abut_json_member(json, node, "field");
    *heights = NULL;
    if (!field || field->kind != ABUT_JSON_OBJECT)
        return abut_json_fail(
            json, field ? field : node, error, ABUT_ERROR_FORMAT, "expected \"field\" with an object");
    ABUT_TRY(read_head(json, field, out, error));
    const AbutJsonNode *list = abut_json_member(json, field, "heights");
    if (!list || list->kind != ABUT_JSON_ARRAY || list->count != (int64_t)out->columns * out->rows)
        return abut_json_fail(
            json, field, error, ABUT_ERROR_FORMAT, "expected \"heights\" with as many numbers as columns times rows");
    *heights = abut_alloc_array((size_t)list->count, sizeof **heights);
    if (!*heights) return abut_fail_memory(error);
    const AbutJsonNode *n = abut_json_first(list);
    for (int32_t i = 0; i < list->count; ++i, n = abut_json_next(json, n)) {
        if (n->kind != ABUT_JSON_NUMBER) return abut_json_fail(json, n, error, ABUT_ERROR_FORMAT, "expected a number");
        (*heights)[i] = n->number;
    }
    out->heights = *heights;
    return ABUT_OK;
}
