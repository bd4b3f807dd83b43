/* SPDX-License-Identifier: Apache-2.0 */
/* The writers of tables: JSON and text of all kinds of rows, picks, records within records, absent values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/pick.h"
#include "support/check.h"

typedef struct Inner {
    double t, d;
} Inner;

typedef struct Outer {
    int32_t number, flag, word, count, shown;
    double real;
    AbutVec3 point;
    const char *text, *missing;
    int64_t big;
    uint64_t huge;
    Inner inner;
    const Inner *list, *none;
    const double *matrix;
    int32_t width;
    double noise;
} Outer;

static const char *const two_words[] = {"clear", "contact", NULL};

static void put_two(AbutJson *json, const void *member) {
    abut_json_put_integer(json, NULL, 2 * *(const int32_t *)member);
}

static const AbutField inner_fields[] = {
    {ABUT_FIELD(Inner, t, REAL, "s", "Time.")},
    {ABUT_FIELD(Inner, d, REAL, "m", "Distance.")},
};
static const AbutRecord inner = ABUT_RECORD("Inner", "An inner one.", Inner, inner_fields);

static const AbutField outer_fields[] = {
    {ABUT_FIELD(Outer, number, INT, "", "A number.")},
    {ABUT_FIELD(Outer, flag, FLAG, "", "A flag.")},
    {ABUT_FIELD_WORDS(Outer, word, two_words, "A word.")},
    {ABUT_FIELD(Outer, real, REAL, "m", "A real.")},
    {ABUT_FIELD_VEC3(Outer, point, "m", "A point.")},
    {ABUT_FIELD(Outer, text, TEXT, "", "A text.")},
    {ABUT_FIELD(Outer, missing, TEXT, "", "None.")},
    {ABUT_FIELD(Outer, big, LONG, "", "Big."), .shown_at = offsetof(Outer, shown)},
    {ABUT_FIELD(Outer, huge, ULONG, "", "Huge.")},
    {ABUT_FIELD_AS("", Outer, inner, PICK, "", ""), .record = &inner, .pick = "when=t"},
    {ABUT_FIELD(Outer, inner, RECORD, "", "The inner one."), .record = &inner},
    {ABUT_FIELD(Outer, list, RECORD, "", "Some."), .record = &inner, .rows = ABUT_FIELD_POINTER,
        .count_at = offsetof(Outer, count)},
    {ABUT_FIELD(Outer, none, RECORD, "", "None."), .record = &inner, .rows = ABUT_FIELD_POINTER},
    {ABUT_FIELD(Outer, matrix, REAL, "", "A matrix."), .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Outer, count),
        .width_at = offsetof(Outer, width)},
    {ABUT_FIELD_AS("twice", Outer, number, PUT, "", "Twice the number."), .put = put_two},
    {ABUT_FIELD(Outer, noise, REAL, "", "Noise."), .hidden_at = offsetof(Outer, shown)},
};
static const AbutRecord outer = ABUT_RECORD("Outer", "An outer one.", Outer, outer_fields);

static const Inner two[] = {{1.0, 2.0}, {3.0, 4.0}};
static const double six[] = {1, 2, 3, 4, 5, 6};

static Outer make(void) {
    return (Outer){7, 1, 1, 2, 0, 0.5, {1.0, 0.0, -2.0}, "so", NULL, 1234567890123, UINT64_MAX, {0.25, NAN}, two, NULL,
        six, 3, 1e-17};
}

static void check_json(const char *pick, const Outer *data, const char *expected) {
    AbutJson json = abut_json_to_file(NULL, 0);
    abut_json_begin_object(&json);
    abut_record_put(&json, &outer, pick, data);
    abut_json_end_object(&json);
    assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
    assert_string_equal(json.text, expected);
    abut_json_free(&json);
}

static void as_json(void **state) {
    (void)state;
    Outer x = make();
    check_json(NULL, &x,
        "{\"number\":7,\"flag\":true,\"word\":\"contact\",\"real\":0.5,\"point\":[1,0,-2],\"text\":\"so\",\"missing\":"
        "null,\"huge\":1.8446744073709552e+19,\"when\":0.25,\"inner\":{\"t\":0.25,\"d\":null},\"list\":[{\"t\":1,\"d\":"
        "2},"
        "{\"t\":3,\"d\":4}],\"none\":null,\"matrix\":[[1,2,3],[4,5,6]],\"twice\":14,\"noise\":1e-17}\n");
    check_json("d=inner.d x=real big when number", &x, "{\"d\":null,\"x\":0.5,\"when\":0.25,\"number\":7}\n");
    x.shown = 1;
    x.flag = -1;
    check_json("big flag noise", &x, "{\"big\":1234567890123,\"flag\":null}\n");
    x.count = 0;
    x.list = NULL;
    check_json("list", &x, "{\"list\":[]}\n");
}

static void check_text(const char *text, const Outer *data, const char *expected) {
    char out[400] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    abut_record_print(file, &outer, text, data);
    rewind(file);
    size_t count = fread(out, 1, sizeof out - 1, file);
    out[count] = 0;
    fclose(file);
    assert_string_equal(out, expected);
}

static void as_text(void **state) {
    (void)state;
    Outer x = make();
    check_text("{number} {flag} {word} {real} {point:.3g} {text}\n", &x, "7 yes contact 0.5 1 0 -2 so\n");
    check_text(
        "{number:4d}|{real:6.2f}|{text:-4s}|{number:.1f}|{huge}\n", &x, "   7|  0.50|so  |7.0|18446744073709551615\n");
    check_text("a {missing}\nb {big}\nc {inner.d}\nd {none.t}\ne {when}\n", &x, "e 0.25\n");
    check_text("{flag?set|not}{missing?there}{text?, a text}{none?|, none}{big?|, hidden}\n", &x,
        "set, a text, none, hidden\n");
    check_text("{noise~:g} {noise~real:g} {noise~real point:g} {noise:g}\n", &x, "0 0 0 1e-17\n");
    x.point = (AbutVec3){1e-17, 1e-17, 0.0};
    check_text("{point:.3g}, {point~:.3g}, {point~noise:.3g}, {point~real:.3g}\n", &x,
        "1e-17 1e-17 0, 0 0 0, 1e-17 1e-17 0, 0 0 0\n");
    x.flag = -1;
    check_text("known {flag}\nno line end", &x, "no line end");
}

static void finding(void **state) {
    (void)state;
    Outer x = make();
    const char *at = (const char *)&x, *none = NULL;
    assert_ptr_equal(abut_record_find(&outer, "inner.d", &at), &inner_fields[1]);
    assert_ptr_equal(at, &x.inner);
    at = (const char *)&x;
    assert_ptr_equal(abut_record_find(&outer, "when", &at), &inner_fields[0]);
    assert_ptr_equal(at, &x.inner);
    at = (const char *)&x;
    assert_null(abut_record_find(&outer, "none.t", &at));
    assert_ptr_equal(abut_record_find(&outer, "none.t", &none), &inner_fields[0]);
    at = (const char *)&x;
    assert_null(abut_record_find(&outer, "nothing", &at));
}

/* Keys of a pick stand where it does, those of records behind their name, with [] where there are several. */
static void keys(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    abut_record_print_keys(file, &outer);
    fclose(file);
    assert_ptr_equal(
        strstr(text, "<!-- Outer -->\n| key | unit | meaning |\n|---|---|---|\n| `number` |  | A number. |\n"), text);
    assert_non_null(strstr(text, "| `word` |  | A word. One of `clear`, `contact`. |\n"));
    assert_non_null(
        strstr(text, "| `when` | s | Time. |\n| `inner` |  | The inner one. |\n| `inner.t` | s | Time. |\n"));
    assert_non_null(strstr(text, "| `list[].d` | m | Distance. |\n"));
    assert_null(strstr(text, "`none[]"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_json),
        cmocka_unit_test(as_text),
        cmocka_unit_test(finding),
        cmocka_unit_test(keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
