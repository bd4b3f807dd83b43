/* SPDX-License-Identifier: Apache-2.0 */
/* io: JSON text as written, escapes, numbers, misuse, files and memory that fail. */
#include "abut/file.h"
#include "support/check.h"
#include "support/memory.h"

#include <string.h>

static void nested_values(AbutJson *json) {
    double values[3] = {1.0, NAN, 0.1};
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", "a \"b\"");
    abut_json_put_number(json, "pi", 3.25);
    abut_json_put_integer(json, "big", INT64_MIN);
    abut_json_put_bool(json, "yes", 2);
    abut_json_put_vec3(json, "at", abut_vec3(1, -2.5, INFINITY));
    abut_json_key(json, "list");
    abut_json_begin_array(json);
    abut_json_put_number(json, NULL, 1e-7);
    abut_json_put_string(json, NULL, NULL);
    abut_json_put_string(json, NULL, NULL);
    abut_json_put_bool(json, NULL, 0);
    abut_json_begin_object(json);
    abut_json_end_object(json);
    abut_json_begin_array(json);
    abut_json_end_array(json);
    abut_json_numbers(json, values, 3);
    abut_json_end_array(json);
    abut_json_end_object(json);
}

static const char compact[] = "{\"name\":\"a \\\"b\\\"\",\"pi\":3.25,\"big\":-9223372036854775808,\"yes\":true,"
                              "\"at\":[1,-2.5,null],\"list\":[1e-07,null,null,false,{},[],[1,null,0.1]]}\n";

static void structure_is_written(void **state) {
    (void)state;
    AbutJson json = abut_json_to_file(NULL, 0);
    nested_values(&json);
    assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
    assert_string_equal(json.text, compact);
    assert_int_equal(json.count, strlen(compact));
    abut_json_free(&json);
    assert_null(json.text);
    json = abut_json_to_file(NULL, 2);
    nested_values(&json);
    assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
    assert_string_equal(json.text,
        "{\n  \"name\": \"a \\\"b\\\"\",\n  \"pi\": 3.25,\n  \"big\": -9223372036854775808,\n"
        "  \"yes\": true,\n  \"at\": [1, -2.5, null],\n  \"list\": [\n    1e-07,\n    null,\n"
        "    null,\n    false,\n    {},\n    [],\n    [1, null, 0.1]\n  ]\n}\n");
    abut_json_free(&json);
}

static void strings_are_escaped(void **state) {
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {{"", "\"\"\n"}, {"\\ / \b\f\n\r\t\x01\x1f\x7f", "\"\\\\ / \\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"\n"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n"},
        {"a\xff"
         "b",
            "\"a\xef\xbf\xbd"
            "b\"\n"},
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n"}, {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"},
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"},
        {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n"}, {"\xe0\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutJson json = abut_json_to_file(NULL, 0);
        abut_json_put_string(&json, NULL, cases[i].in);
        assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
        assert_string_equal(json.text, cases[i].out);
        abut_json_free(&json);
    }
}

static void misuse_is_told(void **state) {
    (void)state;
    for (int i = 0; i < 9; ++i) {
        AbutJson json = abut_json_to_file(NULL, 0);
        AbutError error;
        AbutStatus expected = ABUT_ERROR_ARGUMENT;
        switch (i) {
        case 0: /* nothing */
            break;
        case 1:
            abut_json_put_string(&json, NULL, NULL), abut_json_put_string(&json, NULL, NULL);
            break;
        case 2:
            abut_json_begin_object(&json), abut_json_put_number(&json, NULL, 1);
            break;
        case 3:
            abut_json_begin_array(&json), abut_json_key(&json, "k");
            break;
        case 4:
            abut_json_begin_array(&json), abut_json_end_object(&json);
            break;
        case 5:
            abut_json_begin_object(&json), abut_json_key(&json, "k"), abut_json_end_object(&json);
            break;
        case 6:
            abut_json_end_array(&json);
            break;
        case 7:
            abut_json_begin_array(&json);
            break;
        default:
            for (int k = 0; k < 2 * ABUT_JSON_DEPTH; ++k) abut_json_begin_array(&json);
            for (int k = 0; k < ABUT_JSON_DEPTH; ++k) abut_json_end_array(&json);
            expected = ABUT_ERROR_LIMIT;
        }
        assert_int_equal(abut_json_finish(&json, &error), expected);
        assert_int_equal(strncmp(error.text, "JSON: ", 6), 0);
        abut_json_free(&json);
    }
}

static void files_are_written_in_pieces(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    AbutJson json = abut_json_to_file(file, 0);
    abut_json_begin_array(&json);
    for (int i = 0; i < 100000; ++i) abut_json_put_integer(&json, NULL, i);
    abut_json_end_array(&json);
    assert_int_equal(abut_json_finish(&json, NULL), ABUT_OK);
    assert_true(json.capacity < 200000);
    abut_json_free(&json);
    rewind(file);
    assert_int_equal(fgetc(file), '[');
    for (int i = 0; i < 100000; ++i) {
        int got = -1;
        assert_int_equal(fscanf(file, "%d", &got), 1);
        assert_int_equal(got, i);
        assert_int_equal(fgetc(file), i < 99999 ? ',' : ']');
    }
    assert_int_equal(fgetc(file), '\n');
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

static void full_disk_is_told(void **state) {
    (void)state;
    FILE *file = fopen("/dev/full", "w");
    if (!file) skip();
    AbutJson json = abut_json_to_file(file, 0);
    AbutError error;
    nested_values(&json);
    assert_int_equal(abut_json_finish(&json, &error), ABUT_ERROR_FILE);
    abut_json_free(&json);
    fclose(file);
}

static void no_memory_is_told(void **state) {
    (void)state;
    FailingMemory memory = {0, 0};
    AbutAllocator none = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&none);
    AbutJson json = abut_json_to_file(NULL, 2);
    AbutError error;
    nested_values(&json);
    AbutStatus status = abut_json_finish(&json, &error);
    abut_json_free(&json);
    abut_set_allocator(NULL);
    assert_int_equal(status, ABUT_ERROR_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_written),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(files_are_written_in_pieces),
        cmocka_unit_test(full_disk_is_told),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
