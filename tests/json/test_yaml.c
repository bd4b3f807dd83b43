/* SPDX-License-Identifier: Apache-2.0 */
/* The YAML reader: each text gives the same nodes as the JSON beside it; what it refuses, with the line. Random texts
 * of another writer are read in python/tests/adapters/test_ros.py. */
#include "json/yaml.h"
#include "support/check.h"

#include <string.h>

static int same(const AbutJsonText *x, const AbutJsonText *y) {
    if (x->count != y->count) return 0;
    for (int32_t i = 0; i < x->count; ++i) {
        const AbutJsonNode *a = &x->nodes[i], *b = &y->nodes[i];
        if (a->kind != b->kind || a->parent != b->parent || a->count != b->count || a->number != b->number ||
            !a->key != !b->key || (a->key && strcmp(a->key, b->key) != 0) || !a->string != !b->string ||
            (a->string && strcmp(a->string, b->string) != 0))
            return 0;
    }
    return 1;
}

static void check_text(const char *yaml, const char *json) {
    AbutJsonText a, b;
    AbutError error;
    if (abut_yaml_parse(yaml, strlen(yaml), "t.yaml", &a, &error) != ABUT_OK) fail_msg("%s\n%s", yaml, error.text);
    if (abut_json_parse(json, strlen(json), "t.json", &b, &error) != ABUT_OK) fail_msg("%s\n%s", json, error.text);
    if (!same(&a, &b)) fail_msg("%s\nbecame\n%.*s\nin place of\n%s", yaml, (int)a.size, a.text, json);
    abut_json_text_free(&a);
    abut_json_text_free(&b);
}

static void texts_are_read(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"a: 1\nb: x\n", "{\"a\":1,\"b\":\"x\"}"},
        {"---\na: 1\n---\n", "{\"a\":1}"},
        {"\xef\xbb\xbf"
         "a: 1\r\nb:\r\n- 2\r\n",
            "{\"a\":1,\"b\":[2]}"},
        {"# c\n\na:   # c\n  b: 1 # c\n\n  c: 2\nd:\n", "{\"a\":{\"b\":1,\"c\":2},\"d\":null}"},
        {"a:\n- 1\n- - 2\n  - 3\n-\n  b: 4\n- c: 5\n  d:\n  - 6\n  e: 7\nf: 8", /* lists in the column of their key */
            "{\"a\":[1,[2,3],{\"b\":4},{\"c\":5,\"d\":[6],\"e\":7}],\"f\":8}"},
        {"- \n  - a\n-\n- ~", "[[\"a\"],null,null]"},
        {"a: [1, 'x, y', {b: 2, \"c\":3, d: }, [],\n   4,]\nb: {}", /* and JSON inside */
            "{\"a\":[1,\"x, y\",{\"b\":2,\"c\":3,\"d\":null},[],4],\"b\":{}}"},
        {"{\"a\":[1,-2.5e3,true,null],\"b\":{\"c\":\"\\u00e9\\ud83d\\ude00\\\\n\"}}",
            "{\"a\":[1,-2.5e3,true,null],\"b\":{\"c\":\"\xc3\xa9\xf0\x9f\x98\x80\\\\n\"}}"},
        {"[+1, .5, 2., -.5e-3, 1E5, 0, -0.0, 007, 0x10, 1_0, .nan, -.inf, 1.2.3, -, 1e]",
            "[1,0.5,2,-0.0005,100000,0,-0.0,\"007\",\"0x10\",\"1_0\",\".nan\",\"-.inf\",\"1.2.3\",\"-\",\"1e\"]"},
        {"[True, FALSE, Null, yes, 'true', \"1\"]", "[true,false,null,\"yes\",\"true\",\"1\"]"},
        {"a: http://x:1/b#c d\n'k: 1': \"t\\tq\\\"\\x41\\U0001F600\\0\"\n\"b\": 'it''s'",
            "{\"a\":\"http://x:1/b#c d\",\"k: 1\":\"t\\tq\\\"A\xf0\x9f\x98\x80\",\"b\":\"it's\"}"},
        {"a: one\n  two\n  three\nb: \"x\n  y\n\n  z \\\n   w\"\nc: 'p\n  q'",
            "{\"a\":\"one two three\",\"b\":\"x y\\nz w\",\"c\":\"p q\"}"},
        {"name: (noname)+\nid: <octomap>\nkey: ''\n", "{\"name\":\"(noname)+\",\"id\":\"<octomap>\",\"key\":\"\"}"},
        {"plain", "\"plain\""},
        {"# nothing\n", "null"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) check_text(pairs[i][0], pairs[i][1]);
}

static void refuse(const char *text, const char *part) {
    AbutJsonText out;
    AbutError error;
    AbutStatus status = abut_yaml_parse(text, strlen(text), "t.yaml", &out, &error);
    if (status == ABUT_OK) fail_msg("%s\nwas read", text);
    if (!strstr(error.text, part)) fail_msg("%s\ngave '%s', expected '%s'", text, error.text, part);
    assert_null(out.nodes);
}

static void bad_texts_are_refused(void **state) {
    (void)state;
    refuse("a: 1\n\tb: 2\n", "t.yaml:2: expected spaces");
    refuse("a:\n\t- 2\n", "t.yaml:2: expected spaces");
    refuse("a: &x 1", "t.yaml:1: expected a value without anchor, alias or tag, got '&x'");
    refuse("a: *x", "anchor, alias or tag");
    refuse("a: !!binary x", "anchor, alias or tag");
    refuse("\n\na: |\n  x\n", "t.yaml:3: expected a text in quotes, got '|'");
    refuse("%YAML 1.2\n---\na: 1\n", "t.yaml:1: expected a value");
    refuse("? a\n: b\n", "expected a value");
    refuse("a: b: c", "one value behind the key, got 'b:'");
    refuse("a: - 1", "one value behind the key");
    refuse("a: 1\n b: 2", "t.yaml:2: ");
    refuse("a: [1]\n b: 2", "t.yaml:2: expected a key in the column of the others");
    refuse("  a: 1\n b: 2", "t.yaml:2: expected one document");
    refuse("- 1\nb: 2", "t.yaml:2: expected one document, which ends here, got 'b:'");
    refuse("- [1]\n  - 2", "t.yaml:2: expected '-' in the column of the others");
    refuse("a: [1, 2", "expected ',' or ']', got end of file");
    refuse("a: [1 b: 2]", "expected a value without a key");
    refuse("a: {b 2}", "expected ':' behind a key");
    refuse("a: ]", "expected a value");
    refuse("a: {", "expected a key, got end of file");
    refuse("a: {b: 1,", "expected a key, got end of file");
    refuse("a: {b:", "got end of file");
    AbutJsonText out; /* the terminator is the last byte read */
    assert_int_not_equal(abut_yaml_parse("{\"a\"", 1, "t.yaml", &out, NULL), ABUT_OK);
    assert_int_not_equal(abut_yaml_parse("{a: \"b\"", 4, "t.yaml", &out, NULL), ABUT_OK);
    refuse("a: 'x", "expected a closing quote");
    refuse("a: \"x\n---\n", "t.yaml:1: expected a closing quote");
    refuse("a: \"\\q\"", "expected an escape of YAML");
    refuse("a: \"\\ud800\"", "expected an escape of YAML");
    refuse("a: 'x' y", "the end of the line, got 'y'");
    refuse("a: 1\n---\nb: 2", "t.yaml:3: expected one document");
    refuse("a: 1\nb: 2\na: 3", "t.yaml:3: a: a key stands twice");
    refuse("a:\n  b: 1e999", "t.yaml:2: a.b: expected a finite number");
    char deep[600];
    memset(deep, '[', 300);
    deep[300] = 0;
    refuse(deep, "fewer nodes inside each other");
    for (int i = 0; i < 290; i += 2) memcpy(deep + i, "- ", 2);
    refuse(deep, "fewer nodes inside each other");
}

/* Long lines, deep columns and many lines are read in time that grows with their size. */
static void large_texts(void **state) {
    (void)state;
    enum { SIZE = 2000000 };
    char *text = malloc(SIZE + 1);
    AbutJsonText out;
    AbutError error;
    assert_non_null(text);
    memset(text, ' ', SIZE);
    text[SIZE / 2] = '[';
    for (int i = SIZE / 2 + 1; i + 3 < SIZE; i += 3) memcpy(text + i, "1,\t", 3);
    text[SIZE - 1] = ']';
    assert_int_equal(abut_yaml_parse(text, SIZE, "t", &out, &error), ABUT_OK);
    assert_int_equal(out.nodes->count, (SIZE / 2 - 2) / 3);
    abut_json_text_free(&out);
    for (int i = 0; i < SIZE; i += 4) memcpy(text + i, "- a\n", 4);
    assert_int_equal(abut_yaml_parse(text, SIZE, "t", &out, &error), ABUT_OK);
    assert_int_equal(out.nodes->count, SIZE / 4);
    abut_json_text_free(&out);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read), cmocka_unit_test(bad_texts_are_refused), cmocka_unit_test(large_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
