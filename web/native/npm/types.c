/* SPDX-License-Identifier: Apache-2.0 */
/* TypeScript interfaces of the answers, from the tables that write them. Numbers that are not finite are NaN there. */
#include "npm.h"

#include <string.h>

enum { ROOM = 1 << 15 };
static char text[ROOM];
static size_t used;

static void add(const char *words) {
    size_t length = strlen(words);
    if (used + length < ROOM) memcpy(text + used, words, length + 1);
    used += length;
}

static void add_type(const AbutField *field) {
    if (field->kind == ABUT_FIELD_WORD) {
        for (int i = 0; field->words[i]; ++i) {
            add(i ? " | \"" : "\"");
            add(field->words[i]);
            add("\"");
        }
    } else if (field->record)
        add(field->record->name);
    else
        add(field->kind == ABUT_FIELD_FLAG ? "boolean" : field->kind == ABUT_FIELD_TEXT ? "string" : "number");
    if (field->rows == 3 && !field->count_at && !field->columns) {
        AbutField single = *field;
        single.rows = 0;
        add(", ");
        add_type(&single);
        add(", ");
        add_type(&single);
        add("]");
    } else if (field->rows)
        add("[]");
}

static void add_record(const AbutRecord *record) {
    for (int i = 0; i < record->count; ++i)
        if (record->fields[i].record) add_record(record->fields[i].record);
    add("/** ");
    add(record->sentence);
    add(" */\nexport interface ");
    add(record->name);
    add(" {\n");
    for (int i = 0; i < record->count; ++i) {
        const AbutField *field = &record->fields[i];
        add("  /** ");
        add(field->sentence);
        add(*field->unit ? " Unit: " : "");
        add(field->unit);
        add(" */\n  ");
        add(field->name);
        add(field->rows == 3 && !field->count_at && !field->columns ? ": [" : ": ");
        add_type(field);
        add(";\n");
    }
    add("}\n\n");
}

const char *js_types(void) {
    static const AbutRecord *const records[] = {&abut_gap_record, &abut_collision_record, &js_volume_record,
        &abut_cast_hit_record, &abut_impact_record, &abut_step_report_record, &js_contact_record,
        &abut_builtin_scene_record};
    used = 0;
    add("// Written by scripts/npm from the tables of the library.\n\n");
    for (size_t i = 0; i < sizeof records / sizeof *records; ++i) add_record(records[i]);
    if (used >= ROOM) js_fail("out of memory");
    return used < ROOM ? text : NULL;
}
