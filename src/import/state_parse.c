/* SPDX-License-Identifier: Apache-2.0 */
/* States of a configuration from JSON: {"qpos": [...], "qvel": [...]}, in the order of abut/robot.h. */
#include <string.h>

#include "abut/import.h"
#include "file/input.h"
#include "json/read.h"

/* Numbers of a member, to be freed; *count is 0 when there is no such member. */
static AbutStatus read_numbers(
    const AbutJsonText *json, const char *key, int32_t wanted, double **out, int32_t *count, AbutError *error) {
    const AbutJsonNode *node = abut_json_member(json, &json->nodes[0], key);
    *out = NULL;
    *count = 0;
    if (!node) return ABUT_OK;
    *out = abut_alloc_array((size_t)wanted + 1, sizeof **out);
    *count = *out ? wanted : 0;
    return *out ? abut_json_read_numbers(json, node, wanted, *out, error) : abut_fail_memory(error);
}

static AbutStatus set_state(const AbutJsonText *json, AbutConfiguration *configuration, AbutError *error) {
    static const char *const keys[] = {"qpos", "qvel"};
    double *q = NULL, *v = NULL;
    int32_t q_count = 0, v_count = 0;
    if (json->nodes[0].kind != ABUT_JSON_OBJECT || !abut_json_member(json, &json->nodes[0], "qpos"))
        return abut_json_fail(json, &json->nodes[0], error, ABUT_ERROR_FORMAT, "expected an object with qpos");
    AbutStatus status = abut_json_check_keys(json, &json->nodes[0], 2, keys, error);
    if (!status)
        status = read_numbers(json, "qpos", abut_configuration_position_count(configuration), &q, &q_count, error);
    if (!status)
        status = read_numbers(json, "qvel", abut_configuration_velocity_count(configuration), &v, &v_count, error);
    AbutError inner;
    if (!status && abut_configuration_set(configuration, q_count, q, v_count, v, &inner) != ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s", json->name, inner.text);
    abut_free(q);
    abut_free(v);
    return status;
}

AbutStatus abut_state_read(
    const char *name, const void *bytes, size_t count, AbutConfiguration *configuration, AbutError *error) {
    ABUT_ASSERT((name || bytes) && configuration);
    AbutJsonText json;
    char *own;
    ABUT_TRY(abut_file_take(name, "a state as JSON", ABUT_JSON_READ_BYTES, &bytes, &count, &own, error));
    AbutStatus status = abut_json_parse(bytes, count, name && *name ? name : "state", &json, error);
    abut_free(own);
    if (status) return status;
    status = set_state(&json, configuration, error);
    abut_json_text_free(&json);
    return status;
}
