/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON, and as a file of contacts. */
#include "fuzz.h"

#include <string.h>

#include "abut/file.h"
#include "json/read.h"

/* Links, counts and kinds of all nodes agree. */
static void check_nodes(const AbutJsonText *json) {
    FUZZ_REQUIRE(json->count > 0 && json->nodes[0].parent == -1 && json->nodes[0].next == -1);
    for (int32_t i = 0; i < json->count; ++i) {
        const AbutJsonNode *node = &json->nodes[i];
        int holds = node->kind == ABUT_JSON_ARRAY || node->kind == ABUT_JSON_OBJECT;
        int32_t count = 0;
        for (const AbutJsonNode *n = abut_json_first(node); n; n = abut_json_next(json, n)) {
            FUZZ_REQUIRE(n > node && n->parent == i && (n->key != NULL) == (node->kind == ABUT_JSON_OBJECT));
            FUZZ_REQUIRE(!n->key || abut_json_member(json, node, n->key) == n);
            ++count;
        }
        FUZZ_REQUIRE(count == node->count && (holds || count == 0));
        FUZZ_REQUIRE(node->kind != ABUT_JSON_NUMBER || isfinite(node->number));
        FUZZ_REQUIRE(node->kind != ABUT_JSON_STRING || strlen(node->string) <= json->size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutJsonText json;
    AbutModeSystem system;
    AbutError error = {0};
    if (size > 4096) return 0;
    AbutStatus status = abut_json_parse(data, size, "input.json", &json, &error);
    FUZZ_REQUIRE(status == error.status && (!status || (error.text[0] && !json.nodes)));
    if (status == ABUT_OK) check_nodes(&json);
    abut_json_text_free(&json);
    AbutStatus rows = abut_mode_system_read("input.json", data, size, -1, &system, &error);
    FUZZ_REQUIRE(status == ABUT_OK || rows == status);
    if (rows == ABUT_OK)
        for (size_t i = 0; i < (size_t)system.contacts * (size_t)(1 + system.lines) * (size_t)system.dof; ++i)
            FUZZ_REQUIRE(isfinite(system.normal_rows[i]));
    abut_mode_system_free(&system);
    return 0;
}
