/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader against what it must take and refuse, round trips through the writer, and files of contacts. */
#include "support/check.h"
#include "support/json.h"
#include "support/optional_data.h"

#include "json/read.h"
#include "abut/file.h"

#include <string.h>

static AbutStatus parse(const char *text, AbutJsonText *out, AbutError *error) {
    return abut_json_parse(text, strlen(text), "t.json", out, error);
}

static void values_are_read(void **state) {
    (void)state;
    AbutJsonText json;
    AbutError error;
    const char *text = " {\"a\": [1, -2.5e3, 0.1], "
                       "\"b\":{\"c\":null,\"d\":true,\"e\":false},\n\t\"s\":\"x\\u00e9\\ud83d\\ude00\\n\\\"\"} ";
    assert_int_equal(parse(text, &json, &error), ABUT_OK);
    const AbutJsonNode *root = json.nodes, *a = abut_json_member(&json, root, "a"),
                       *b = abut_json_member(&json, root, "b");
    assert_int_equal(root->count, 3);
    assert_int_equal(a->count, 3);
    const AbutJsonNode *n = abut_json_first(a);
    CHECK(n->number == 1.0);
    n = abut_json_next(&json, n);
    CHECK(n->number == -2500.0);
    n = abut_json_next(&json, n);
    CHECK(n->number == 0.1);
    assert_null(abut_json_next(&json, n));
    assert_int_equal(abut_json_member(&json, b, "c")->kind, ABUT_JSON_NULL);
    assert_int_equal(abut_json_member(&json, b, "d")->kind, ABUT_JSON_TRUE);
    assert_int_equal(abut_json_member(&json, b, "e")->kind, ABUT_JSON_FALSE);
    assert_null(abut_json_member(&json, b, "f"));
    assert_null(abut_json_member(&json, a, "f"));
    assert_string_equal(abut_json_member(&json, root, "s")->string, "x\xc3\xa9\xf0\x9f\x98\x80\n\"");
    abut_json_text_free(&json);
    abut_json_text_free(&json);
}

static void bad_texts_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "expected a value"},
        {"{", "expected a key"},
        {"[", "expected a value"},
        {"[1,]", "expected a value"},
        {"[1 2]", "expected ',' or ']'"},
        {"{\"a\":1,}", "expected a key"},
        {"{\"a\" 1}", "expected ':'"},
        {"{\"a\":1 \"b\":2}", "expected ',' or '}'"},
        {"{a:1}", "expected a key"},
        {"01", "expected the end"},
        {"+1", "expected a value"},
        {".5", "expected a value"},
        {"1.", "expected a number"},
        {"1e", "expected a number"},
        {"-", "expected a number"},
        {"1e999", "finite"},
        {"[NaN]", "[0]: expected a finite number"},
        {"[1,\n-Infinity]", "t.json:2: [1]: expected a finite number"},
        {"tru", "expected a value"},
        {"nul", "expected a value"},
        {"\"abc", "a string without an end"},
        {"\"a\nb\"", "control character"},
        {"\"\\x\"", "escape"},
        {"\"\\ud800\"", "escape"},
        {"\"\\u0000\"", "escape"},
        {"\"\\udc00\"", "escape"},
        {"1 1", "expected the end"},
        {"{\"a\":1,\n\"a\":2}", "t.json:2: a: a key stands twice"},
        {"{\"c\":[{\"p\":[0],\"n\":[1,2],\"p\":[3]}]}", "t.json:1: c[0].p: a key stands twice"},
        {"[]]", "expected the end"},
        {"[}", "expected a value"},
        {"'a'", "expected a value"},
        {"[1]//", "expected the end"},
    };
    AbutJsonText json;
    AbutError error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_not_equal(parse(bad[i].text, &json, &error), ABUT_OK);
        if (!strstr(error.text, bad[i].says)) fail_msg("'%s' says: %s", bad[i].text, error.text);
        assert_null(json.nodes);
    }
    static const char whole[] = "{\"a\":[1,\"b\"]}"; /* no proper part of it from the start is JSON */
    for (size_t n = 0; n + 1 < sizeof whole; ++n)
        assert_int_not_equal(abut_json_parse(whole, n, "t", &json, &error), ABUT_OK);
}

static void limits_hold(void **state) {
    (void)state;
    enum { DEEP = 100000, MANY = 3000 };
    AbutJsonText json;
    AbutError error;
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    assert_int_equal(parse(text, &json, &error), ABUT_ERROR_LIMIT);
    memset(text + 64, ']', 64);
    text[128] = 0;
    assert_int_equal(parse(text, &json, &error), ABUT_OK);
    abut_json_text_free(&json);
    free(text);
    text = malloc(MANY * 16);
    size_t at = 0;
    for (int i = 0; i < MANY; ++i) at += (size_t)sprintf(text + at, "%c\"k%d\":1", i ? ',' : '{', i);
    strcpy(text + at, "}");
    assert_int_equal(parse(text, &json, &error), ABUT_ERROR_LIMIT);
    free(text);
}

/* A random value through the writer and back. */
static void write_random(AbutJson *json, AbutRng *rng, int depth) {
    char text[40];
    int kind = (int)abut_rng_below(rng, depth > 5 ? 4 : 6), count = (int)abut_rng_below(rng, 5);
    if (kind == 0) {
        abut_json_put_bool(json, NULL, (int)abut_rng_below(rng, 2));
    } else if (kind == 1) {
        abut_json_put_string(json, NULL, NULL);
    } else if (kind == 2) {
        abut_json_put_number(json, NULL, abut_rng_normal(rng) * pow(10.0, abut_rng_between(rng, -300, 300)));
    } else if (kind == 3) {
        for (int i = 0; i < count; ++i) text[i] = (char)(1 + abut_rng_below(rng, 127));
        text[count] = 0;
        abut_json_put_string(json, NULL, text);
    } else if (kind == 4) {
        abut_json_begin_array(json);
        for (int i = 0; i < count; ++i) write_random(json, rng, depth + 1);
        abut_json_end_array(json);
    } else {
        abut_json_begin_object(json);
        for (int i = 0; i < count; ++i) {
            snprintf(text, sizeof text, "k%d\"\n", i);
            abut_json_key(json, text);
            write_random(json, rng, depth + 1);
        }
        abut_json_end_object(json);
    }
}

static void write_again(AbutJson *to, const AbutJsonText *json, const AbutJsonNode *node) {
    if (node->key) abut_json_key(to, node->key);
    if (node->kind == ABUT_JSON_NUMBER)
        abut_json_put_number(to, NULL, node->number);
    else if (node->kind == ABUT_JSON_STRING)
        abut_json_put_string(to, NULL, node->string);
    else if (node->kind == ABUT_JSON_NULL)
        abut_json_put_string(to, NULL, NULL);
    else if (node->kind == ABUT_JSON_ARRAY)
        abut_json_begin_array(to);
    else if (node->kind == ABUT_JSON_OBJECT)
        abut_json_begin_object(to);
    else
        abut_json_put_bool(to, NULL, node->kind == ABUT_JSON_TRUE);
    for (const AbutJsonNode *n = abut_json_first(node); n; n = abut_json_next(json, n)) write_again(to, json, n);
    if (node->kind == ABUT_JSON_ARRAY)
        abut_json_end_array(to);
    else if (node->kind == ABUT_JSON_OBJECT)
        abut_json_end_object(to);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    AbutRng rng = abut_rng(7, 1);
    int large = 0;
    for (int round = 0; round < check_cases(2000); ++round) {
        AbutJson first = abut_json_to_file(NULL, round % 3), second = abut_json_to_file(NULL, round % 3);
        AbutJsonText json;
        AbutError error;
        write_random(&first, &rng, 0);
        assert_int_equal(abut_json_finish(&first, &error), ABUT_OK);
        if (abut_json_parse(first.text, first.count, "t", &json, &error) != ABUT_OK)
            fail_msg("%s in %s", error.text, first.text);
        large += json.count > 5;
        write_again(&second, &json, json.nodes);
        assert_int_equal(abut_json_finish(&second, &error), ABUT_OK);
        assert_string_equal(first.text, second.text);
        abut_json_text_free(&json);
        abut_json_free(&first);
        abut_json_free(&second);
    }
    CHECK(large > check_cases(2000) / 20);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static AbutStatus contacts(const char *text, AbutModeSystem *out, AbutError *error) {
    return abut_mode_system_read("c.json", text, strlen(text), -1, out, error);
}

static void bad_contacts_name_the_key(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"[]", "expected an object with contacts"},
        {"{}", "contacts is missing"},
        {"{\"contacts\":3}", "contacts: expected an array, got a number"},
        {"{\"contacts\":[3]}", "contacts[0]: expected an object"},
        {"{\"contacts\":[{\"point\":[0,0,0]}]}", "contacts[0]: the key normal is missing"},
        {"{\"contacts\":[{\"normal\":[0,0,1]}]}", "contacts[0]: the key point is missing"},
        {"{\"contacts\":[{\"point\":[0,0],\"normal\":[0,0,1]}]}", "contacts[0].point: expected 3 numbers"},
        {"{\"contacts\":[{\"point\":[0,0,\"1\"],\"normal\":[0,0,1]}]}",
            "contacts[0].point[2]: expected a number, got a string"},
        {"{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,0]}]}", "contacts[0].normal: a zero vector"},
        {"{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,NaN,0]}]}",
            "contacts[0].normal[1]: expected a finite number"},
        {"{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"tangents\":[[1,0,0]]}]}",
            "contacts[0].tangents: expected 2"},
        {"{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"tangents\":[[1,0,0],[0,0,0]]}]}",
            "contacts[0].tangents[1]: a zero vector"},
        {"{\"bodies\":[{\"name\":\"a\"}],\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"body_a\":\"x\",\"body_"
         "b\":\"y\"}]}",
            "unknown bod"},
        {"{\"bodies\":[{\"name\":\"a\"}],\"fixed\":[\"w\"],\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"body_"
         "a\":\"a\",\"body_b\":\"y\"}]}",
            "contacts[0].body_b: unknown body 'y'"},
        {"{\"bodies\":[{\"name\":\"a\"}],\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"body_a\":\"a\",\"body_"
         "b\":\"a\"}]}",
            "touch itself"},
        {"{\"bodies\":[{\"name\":\"a\"},{\"name\":\"a\"}],\"contacts\":[]}", "bodies[1].name: a second body"},
        {"{\"bodies\":[{}],\"contacts\":[]}", "bodies[0]: the key name is missing"},
        {"{\"bodies\":[{\"name\":\"a\",\"kind\":\"fre\"}],\"contacts\":[]}",
            "bodies[0].kind: expected free, planar or fixed"},
        {"{\"bodies\":[{\"name\":\"a\",\"rotation\":[[1,0,0],[0,1,0],[0,0,2]]}],\"contacts\":[]}",
            "bodies[0].rotation"},
        {"{\"bodies\":[{\"name\":\"a\",\"body_jacobian\":[[1],[0]]}],\"contacts\":[]}",
            "bodies[0].body_jacobian: expected 6 rows"},
        {"{\"dof\":2,\"bodies\":[{\"name\":\"a\",\"body_jacobian\":[[1],[0],[0],[0],[0],[0]]}],\"contacts\":[]}",
            "bodies[0].body_jacobian[0]: expected 2"},
        {"{\"dof\":5,\"bodies\":[{\"name\":\"a\"}],\"contacts\":[]}",
            "bodies: the bodies have 6 velocities, dof says 5"},
        {"{\"dof\":-1,\"contacts\":[]}", "dof: expected a whole number"},
        {"{\"n_t\":2.5,\"contacts\":[]}", "n_t: expected a whole number"},
        {"{\"n_t\":65,\"contacts\":[]}", "n_t: more than 64"},
        {"{\"n_contacts\":1,\"contacts\":[]}", "n_contacts: says 1 contacts"},
        {"{\"n_t\":1,\"normal_rows\":[[1,0],[1]],\"tangent_rows\":[[1,0],[0,1]]}",
            "normal_rows[1]: expected 2 numbers"},
        {"{\"n_t\":1,\"normal_rows\":[[1,0]],\"tangent_rows\":[[1,0],[0,1]]}", "tangent_rows: expected 1 rows, got 2"},
        {"{\"n_t\":1,\"normal_rows\":[[1,0]]}", "tangent_rows"},
        {"{\"planar\":1,\"contacts\":[]}", "planar: expected true or false"},
    };
    AbutModeSystem system;
    AbutError error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        error.text[0] = 0;
        if (contacts(bad[i].text, &system, &error) == ABUT_OK) fail_msg("taken: %s", bad[i].text);
        if (!strstr(error.text, bad[i].says) || strncmp(error.text, "c.json:1: ", 10) != 0)
            fail_msg("'%s' says: %s", bad[i].text, error.text);
        assert_null(system.memory);
    }
}

static void short_files_work(void **state) {
    (void)state;
    AbutModeSystem s;
    AbutError error;
    assert_int_equal(contacts("{\"contacts\":[{\"point\":[1,2,3],\"normal\":[0,0,2]}]}", &s, &error), ABUT_OK);
    assert_int_equal(s.contacts, 1);
    assert_int_equal(s.dof, 6);
    assert_int_equal(s.lines, 2);
    const double normal[6] = {0, 0, 1, 2, -1, 0}; /* unit normal, and point x normal */
    for (int j = 0; j < 6; ++j) CHECK(s.normal_rows[j] == normal[j]);
    abut_mode_system_free(&s);
    assert_int_equal(
        contacts("{\"contacts\":[{\"point\":[1,0],\"normal\":[0,1]}],\"planar\":true}", &s, &error), ABUT_OK);
    assert_int_equal(s.dof, 3);
    assert_int_equal(s.lines, 1);
    CHECK(s.normal_rows[1] == 1.0 && s.normal_rows[2] == 1.0);
    abut_mode_system_free(&s);
    /* rows of the file win over what the contacts say */
    assert_int_equal(
        contacts("{\"contacts\":[{\"point\":[1,2,3],\"normal\":[0,0,2]}],\"normal_rows\":[[1,2,3,4,5,6]]}", &s, &error),
        ABUT_OK);
    CHECK(s.normal_rows[5] == 6.0 && s.lines == 2);
    abut_mode_system_free(&s);
    assert_int_equal(contacts("{\"normal_rows\":[[1,2]],\"tangent_rows\":[[0,1],[1,1],[1,0]]}", &s, &error), ABUT_OK);
    assert_int_equal(s.lines, 3);
    abut_mode_system_free(&s);
    assert_int_equal(contacts("{\"contacts\":[]}", &s, &error), ABUT_OK);
    assert_int_equal(s.contacts, 0);
    abut_mode_system_free(&s);
}

/* Rows that are derived from the contacts and bodies of a case file equal the rows that stand in it. */
static void derived_rows_equal_given_ones(void **state) {
    (void)state;
    static const char *const files[] = {
        "box-1", "box-3", "box-5", "peg-in-hole-4", "peg-in-hole-8", "box-box-1", "box-box-2", "hand-ball-generic"};
    const char *folder = optional_data("cases/modes");
    if (!folder) skip();
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        char path[600];
        AbutModeSystem given, derived;
        AbutJsonText json;
        AbutError error;
        snprintf(path, sizeof path, "%s/%s.json", folder, files[k]);
        good(abut_mode_system_read(path, NULL, 0, -1, &given, &error), &error);
        char *text;
        size_t count;
        good(abut_file_load(path, "JSON", ABUT_JSON_READ_BYTES, &text, &count, &error), &error);
        good(abut_json_parse_owned(text, count, path, &json, &error), &error);
        for (int i = 0; i < 2; ++i) { /* hide the rows by renaming their keys */
            char *key = strstr(json.text, i ? "\"tangent_rows\"" : "\"normal_rows\"");
            assert_non_null(key);
            key[1] = '_';
        }
        good(abut_mode_system_read(path, json.text, json.size, -1, &derived, &error), &error);
        assert_int_equal(derived.contacts, given.contacts);
        assert_int_equal(derived.dof, given.dof);
        assert_int_equal(derived.lines, given.lines);
        for (size_t i = 0; i < (size_t)given.contacts * (size_t)(1 + given.lines) * (size_t)given.dof; ++i)
            CHECK_NEAR(derived.normal_rows[i], given.normal_rows[i],
                1e-9 * fmax(1.0, fabs(given.normal_rows[i]))); /* the decimals of the hand are cut at 1e-10 */
        abut_mode_system_free(&given);
        abut_mode_system_free(&derived);
        abut_json_text_free(&json);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(bad_contacts_name_the_key),
        cmocka_unit_test(short_files_work),
        cmocka_unit_test(derived_rows_equal_given_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
