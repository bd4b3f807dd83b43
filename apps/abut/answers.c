/* SPDX-License-Identifier: Apache-2.0 */
/* `abut help json`: the keys of every answer, from the tables that print them, as docs/json.md has them. */
#include "answers.h"

#include <string.h>

static const AbutRecord *const answers[] = {
    &cli_info_answer,
    &cli_make_answer,
    &abut_mesh_maker_record,
    &cli_intersect_answer,
    &cli_distance_answer,
    &cli_collide_answer,
    &cli_cast_answer,
    &cli_toi_answer,
    &cli_clearance_answer,
    &cli_decompose_answer,
    &cli_minkowski_answer,
    &cli_volume_answer,
    &cli_volume_pieces_answer,
    &cli_simulate_answer,
    &cli_simulate_list,
    &cli_modes_answer,
    &cli_grasp_answer,
    &cli_robot_answer,
    &abut_builtin_scene_record,
    &cli_ik_answer,
    &cli_plan_answer,
    &cli_plan_check_answer,
    &plan_certificate_file,
    &cli_sweep_answer,
};

enum { PATH = 200 };

static void print_words(const AbutField *field)
{
    for (int i = 0; field->words && field->words[i]; ++i)
        printf("%s`%s`", i ? ", " : " One of ", field->words[i]);
    if (field->words)
        printf(".");
}

static void print_rows(const AbutRecord *record, const char *pick, const char *path);

static void print_field(const AbutField *field, const char *name, const char *path)
{
    char deeper[PATH];
    if (field->kind == ABUT_FIELD_PICK) {
        print_rows(field->record, field->pick, path);
        return;
    }
    int array = field->kind == ABUT_FIELD_PUT || field->count_at || field->rows > 0;
    printf("| `%s%s` | %s | %s", path, name, field->unit, field->sentence);
    print_words(field);
    printf(" |\n");
    snprintf(deeper, sizeof deeper, "%s%s%s.", path, name, array && field->record ? "[]" : "");
    if (field->record)
        print_rows(field->record, NULL, deeper);
}

static void print_rows(const AbutRecord *record, const char *pick, const char *path)
{
    for (int i = 0; !pick && i < record->count; ++i)
        print_field(&record->fields[i], record->fields[i].name, path);
    while (pick && *pick) { /* KEY=NAME with spaces between */
        char word[PATH];
        const char *none = NULL;
        size_t length = strcspn(pick, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, pick);
        char *equals = strchr(word, '=');
        const AbutField *field = abut_record_find(record, equals ? equals + 1 : word, &none);
        if (equals)
            *equals = 0;
        print_field(field, word, path);
        pick += length + strspn(pick + length, " ");
    }
}

int answers_print(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i) {
        printf("<!-- %s -->\n| key | unit | meaning |\n|---|---|---|\n", answers[i]->name);
        print_rows(answers[i], NULL, "");
        printf("\n");
    }
    return CLI_OK;
}
