/* SPDX-License-Identifier: Apache-2.0 */
/* Records as JSON. In: a table and a struct. Out: keys and values in the object that is open. */
#include "field/pick.h"

#include <string.h>

static void put_value(AbutJson *json, const AbutField *field, const char *at) {
    const void *value = at;
    switch (field->kind) {
    case ABUT_FIELD_REAL:
        abut_json_put_number(json, NULL, *(const double *)value);
        break;
    case ABUT_FIELD_INT:
        abut_json_put_integer(json, NULL, *(const int32_t *)value);
        break;
    case ABUT_FIELD_LONG:
        abut_json_put_integer(json, NULL, *(const int64_t *)value);
        break;
    case ABUT_FIELD_ULONG:
        if (*(const uint64_t *)value <= INT64_MAX)
            abut_json_put_integer(json, NULL, *(const int64_t *)value);
        else
            abut_json_put_number(json, NULL, (double)*(const uint64_t *)value);
        break;
    case ABUT_FIELD_FLAG:
        if (*(const int32_t *)value < 0)
            abut_json_put_string(json, NULL, NULL);
        else
            abut_json_put_bool(json, NULL, *(const int32_t *)value);
        break;
    case ABUT_FIELD_WORD:
        abut_json_put_string(json, NULL, abut_word(field->words, *(const int32_t *)value));
        break;
    case ABUT_FIELD_TEXT:
        abut_json_put_string(json, NULL, *(const char *const *)value);
        break;
    default:
        abut_record_put_object(json, field->record, value);
    }
}

static void put_row(AbutJson *json, const AbutField *field, const char *at, int columns) {
    const void *values = at;
    if (field->kind == ABUT_FIELD_REAL) { /* on one line */
        abut_json_numbers(json, values, columns);
        return;
    }
    abut_json_begin_array(json);
    for (int i = 0; i < columns; ++i) put_value(json, field, at + (size_t)i * abut_field_size(field));
    abut_json_end_array(json);
}

static void put_field(AbutJson *json, const AbutField *field, const char *key, const char *data) {
    AbutFieldValues v = abut_field_values(field, data);
    if (!abut_field_is_shown(field, data)) return;
    if (field->kind == ABUT_FIELD_PICK) {
        if (v.at) abut_record_put(json, field->record, field->pick, v.at);
        return;
    }
    abut_json_key(json, key);
    if (field->kind == ABUT_FIELD_PUT)
        field->put(json, data + field->offset);
    else if (!v.at && v.rows > 0)
        abut_json_put_string(json, NULL, NULL);
    else if (!v.is_array)
        put_value(json, field, v.at);
    else if (!field->columns && !field->width_at)
        put_row(json, field, v.at, v.rows);
    else {
        abut_json_begin_array(json);
        for (int i = 0; i < v.rows; ++i)
            put_row(json, field, v.at + (size_t)i * (size_t)v.columns * abut_field_size(field), v.columns);
        abut_json_end_array(json);
    }
}

void abut_record_put(AbutJson *json, const AbutRecord *record, const char *pick, const void *data) {
    ABUT_ASSERT(json && record && data);
    AbutPicked picked;
    if (!pick)
        for (int i = 0; i < record->count; ++i) put_field(json, &record->fields[i], record->fields[i].name, data);
    while (pick && abut_pick_next(&pick, &picked)) {
        const char *at = data;
        const AbutField *field = abut_record_find(record, picked.name, &at);
        ABUT_ASSERT(field || abut_record_find(record, picked.name, &(const char *){NULL}));
        if (field) put_field(json, field, picked.key, at);
    }
}

void abut_record_put_object(AbutJson *json, const AbutRecord *record, const void *data) {
    abut_json_begin_object(json);
    abut_record_put(json, record, NULL, data);
    abut_json_end_object(json);
}
