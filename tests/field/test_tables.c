/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every table of the library: rows lie inside the struct and do not overlap in it, names are unique, sentences are
 * there; a struct filled with numbers comes back from JSON with the same ones.
 */
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "support/check.h"

static const AbutRecord *const tables[] = {
    &abut_actuator_record,
    &abut_builtin_scene_record,
    &abut_cast_hit_record,
    &abut_certificate_record,
    &abut_clearance_minimum_record,
    &abut_clearance_record,
    &abut_clearance_sample_record,
    &abut_collision_record,
    &abut_contact_time_record,
    &abut_gap_record,
    &abut_ik_result_record,
    &abut_impact_record,
    &abut_joint_record,
    &abut_mass_record,
    &abut_mesh_maker_record,
    &abut_mesh_report_record,
    &abut_mode_force_result_record,
    &abut_mode_result_record,
    &abut_pair_certificate_record,
    &abut_pieces_record,
    &abut_plan_attempt_record,
    &abut_plan_effort_record,
    &abut_plan_excess_record,
    &abut_plan_sample_record,
    &abut_step_report_record,
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static size_t width_of(const AbutField *f) {
    return f->kind == ABUT_FIELD_INT || f->kind == ABUT_FIELD_FLAG || f->kind == ABUT_FIELD_WORD ? 4 : 8;
}

static int values_of(const AbutField *f) { return (f->rows ? f->rows : 1) * (f->columns ? f->columns : 1); }

static void rows(void **state) {
    (void)state;
    for (int t = 0; t < TABLES; ++t) {
        const AbutRecord *r = tables[t];
        assert_true(r->count > 0 && r->name[0] && r->sentence[0]);
        for (int i = 0; i < r->count; ++i) {
            const AbutField *f = &r->fields[i];
            size_t end = f->offset + width_of(f) * (size_t)values_of(f), length = strlen(f->sentence);
            assert_true(f->offset % width_of(f) == 0 && end <= r->size);
            assert_true(length > 5 && f->sentence[length - 1] == '.' && f->unit);
            assert_true((f->kind == ABUT_FIELD_WORD) == (f->words != NULL));
            for (int k = 0; k < i; ++k) {
                const AbutField *g = &r->fields[k];
                assert_string_not_equal(f->name, g->name);
                assert_true(f->offset >= g->offset + width_of(g) * (size_t)values_of(g) || end <= g->offset);
            }
        }
    }
}

static void words(void **state) {
    (void)state;
    for (int t = 0; t < TABLES; ++t)
        for (int i = 0; i < tables[t]->count; ++i) {
            const AbutField *f = &tables[t]->fields[i];
            if (f->kind != ABUT_FIELD_WORD) continue;
            assert_string_equal(abut_word(f->words, -1), "unknown");
            assert_string_not_equal(abut_word(f->words, 0), "unknown");
            assert_string_equal(abut_word(f->words, 1000), "unknown");
        }
}

/* The number, flag, word or text that a filled struct has at place `k` of a field. */
static double number_for(int field, int k) { return 100.0 * field + k + 1.0; }

static void fill(const AbutRecord *r, char *data) {
    memset(data, 0, r->size);
    for (int i = 0; i < r->count; ++i)
        for (int k = 0; k < values_of(&r->fields[i]); ++k) {
            const AbutField *f = &r->fields[i];
            void *at = data + f->offset + width_of(f) * (size_t)k;
            int flag = f->kind == ABUT_FIELD_FLAG || f->kind == ABUT_FIELD_WORD;
            if (f->kind == ABUT_FIELD_REAL)
                *(double *)at = number_for(i, k) + 0.1;
            else if (f->kind == ABUT_FIELD_TEXT)
                *(const char **)at = f->name;
            else if (width_of(f) == 4)
                *(int32_t *)at = flag ? i % 2 : (int32_t)number_for(i, k);
            else
                *(int64_t *)at = (int64_t)number_for(i, k);
        }
    for (int i = 0; i < r->count; ++i) /* counts of arrays say all */
        if (r->fields[i].count_at || r->fields[i].known_at)
            memcpy(data + r->fields[i].count_at + r->fields[i].known_at, &r->fields[i].rows, sizeof(int));
}

typedef struct Compare {
    const AbutRecord *record;
    int leaves;
} Compare;

static void compare_leaf(const AbutJsonLeaf *leaf, void *user) {
    Compare *c = user;
    char name[64], text[64];
    int i = 0, a = 0, b = 0;
    sscanf(leaf->path, "%63[^.].%d.%d", name, &a, &b);
    while (i < c->record->count && strcmp(c->record->fields[i].name, name) != 0) ++i;
    assert_true(i < c->record->count);
    const AbutField *f = &c->record->fields[i];
    int k = f->columns ? a * f->columns + b : a;
    snprintf(text, sizeof text, "%.*s", (int)leaf->count, leaf->text);
    ++c->leaves;
    if (f->kind == ABUT_FIELD_FLAG)
        assert_string_equal(text, i % 2 ? "true" : "false");
    else if (f->kind == ABUT_FIELD_WORD)
        assert_string_equal(text, abut_word(f->words, i % 2));
    else if (f->kind == ABUT_FIELD_TEXT)
        assert_string_equal(text, f->name);
    else
        assert_true(strtod(text, NULL) == number_for(i, k) + (f->kind == ABUT_FIELD_REAL ? 0.1 : 0.0));
}

static void round_trip(void **state) {
    (void)state;
    for (int t = 0; t < TABLES; ++t) {
        const AbutRecord *r = tables[t];
        Compare c = {r, 0};
        AbutJson json = abut_json_to_file(NULL, 2);
        char *data = malloc(r->size);
        int expected = 0;
        fill(r, data);
        abut_json_begin_object(&json);
        abut_record_put(&json, r, NULL, data);
        abut_json_end_object(&json);
        assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
        assert_int_equal(abut_json_leaves(json.text, json.count, r->name, 1000, compare_leaf, &c, NULL), ABUT_OK);
        for (int i = 0; i < r->count; ++i) expected += values_of(&r->fields[i]);
        assert_int_equal(c.leaves, expected);
        abut_json_free(&json);
        free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(words),
        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
