/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a table as a table of Markdown, for people. */
#include "field/pick.h"

enum { PATH = 200 };

static void print_rows(FILE *file, const AbutRecord *record, const char *pick, const char *path);

static void print_field(FILE *file, const AbutField *field, const char *name, const char *path) {
    char deeper[PATH];
    if (field->kind == ABUT_FIELD_PICK) {
        print_rows(file, field->record, field->pick, path);
        return;
    }
    int array = field->kind == ABUT_FIELD_PUT || field->count_at || field->rows > 0;
    fprintf(file, "| `%s%s` | %s | %s", path, name, field->unit, field->sentence);
    for (int i = 0; field->words && field->words[i]; ++i)
        fprintf(file, "%s`%s`", i ? ", " : " One of ", field->words[i]);
    fputs(field->words ? ". |\n" : " |\n", file);
    snprintf(deeper, sizeof deeper, "%s%s%s.", path, name, array && field->record ? "[]" : "");
    if (field->record) print_rows(file, field->record, NULL, deeper);
}

static void print_rows(FILE *file, const AbutRecord *record, const char *pick, const char *path) {
    AbutPicked picked;
    for (int i = 0; !pick && i < record->count; ++i)
        print_field(file, &record->fields[i], record->fields[i].name, path);
    while (pick && abut_pick_next(&pick, &picked))
        print_field(file, abut_record_find(record, picked.name, &(const char *){NULL}), picked.key, path);
}

void abut_record_print_keys(FILE *file, const AbutRecord *record) {
    ABUT_ASSERT(file && record);
    fprintf(file, "<!-- %s -->\n| key | unit | meaning |\n|---|---|---|\n", record->name);
    print_rows(file, record, NULL, "");
    fputc('\n', file);
}
