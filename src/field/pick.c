/* SPDX-License-Identifier: Apache-2.0 */
/* Fields by name, and where their values are. */
#include "field/pick.h"

#include <string.h>

int abut_pick_next(const char **list, AbutPicked *out) {
    const char *at = *list + strspn(*list, " \n");
    size_t length = strcspn(at, " \n"), key = strcspn(at, "= \n");
    if (length == 0) return 0;
    const char *name = key < length ? at + key + 1 : at;
    size_t rest = length - (size_t)(name - at);
    ABUT_ASSERT(key < ABUT_FIELD_NAME && rest < ABUT_FIELD_NAME);
    snprintf(out->key, sizeof out->key, "%.*s", (int)key, at);
    snprintf(out->name, sizeof out->name, "%.*s", (int)rest, name);
    *list = at + length;
    return 1;
}

const AbutField *abut_record_row(const AbutRecord *record, const char *name) {
    for (int i = 0; i < record->count; ++i)
        if (record->fields[i].kind != ABUT_FIELD_PICK && strcmp(record->fields[i].name, name) == 0)
            return &record->fields[i];
    return NULL;
}

static int int_at(const char *data, size_t offset) {
    int value;
    memcpy(&value, data + offset, sizeof value);
    return value;
}

int abut_field_is_shown(const AbutField *field, const char *data) {
    return (!field->shown_at || int_at(data, field->shown_at)) &&
           (!field->hidden_at || !int_at(data, field->hidden_at));
}

size_t abut_field_size(const AbutField *field) {
    switch (field->kind) {
    case ABUT_FIELD_INT:
    case ABUT_FIELD_FLAG:
    case ABUT_FIELD_WORD:
        return sizeof(int32_t);
    case ABUT_FIELD_TEXT:
        return sizeof(const char *);
    case ABUT_FIELD_RECORD:
    case ABUT_FIELD_PICK:
        return field->record->size;
    default:
        return sizeof(double);
    }
}

AbutFieldValues abut_field_values(const AbutField *field, const char *data) {
    AbutFieldValues v = {data + field->offset, field->rows, field->columns, field->rows != 0};
    if (field->rows == ABUT_FIELD_POINTER) {
        memcpy(&v.at, data + field->offset, sizeof v.at);
        v.rows = 1;
        v.is_array = field->count_at != 0;
    }
    if (field->count_at) {
        int count = int_at(data, field->count_at);
        v.rows = field->rows > 0 && count > field->rows ? field->rows : count > 0 ? count : 0;
    }
    if (field->known_at && !int_at(data, field->known_at)) v.at = NULL;
    if (field->width_at) v.columns = int_at(data, field->width_at);
    return v;
}

/* Looks a name up in a row that picks. */
static const AbutField *find_picked(const AbutField *row, const char *name, const char **at) {
    const char *data = *at ? abut_field_values(row, *at).at : NULL, *list = row->pick;
    AbutPicked picked = {"", ""};
    if (*at && (!data || !abut_field_is_shown(row, *at))) return NULL;
    while (list && abut_pick_next(&list, &picked))
        if (strcmp(picked.key, name) == 0) break;
    if (row->pick && strcmp(picked.key, name) != 0) return NULL;
    const AbutField *found = abut_record_find(row->record, row->pick ? picked.name : name, &data);
    if (found) *at = data;
    return found;
}

const AbutField *abut_record_find(const AbutRecord *record, const char *name, const char **at) {
    char first[ABUT_FIELD_NAME];
    size_t length = strcspn(name, ".");
    ABUT_ASSERT(record && at && length < sizeof first);
    snprintf(first, sizeof first, "%.*s", (int)length, name);
    const AbutField *row = abut_record_row(record, first);
    for (int i = 0; !row && i < record->count; ++i)
        if (record->fields[i].kind == ABUT_FIELD_PICK) row = find_picked(&record->fields[i], first, at);
    if (!row || !name[length]) return row;
    const char *inner = *at ? abut_field_values(row, *at).at : NULL;
    if (*at && (!inner || !abut_field_is_shown(row, *at))) return NULL;
    *at = inner;
    return abut_record_find(row->record, name + length + 1, at);
}
