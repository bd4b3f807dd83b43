/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of a file of contacts: members, numbers, vectors, matrices and sizes, checked where their key is known, and
 * the failures that name it; the keys themselves.
 */
#include "file/contacts_file.h"

const AbutJsonNode *abut_contacts_member(const AbutContactFile *f, const AbutJsonNode *node, const char *key) {
    return abut_json_member(f->json, node, key);
}

AbutStatus abut_contacts_wrong_kind(const AbutContactFile *f, const AbutJsonNode *node, const char *expected) {
    return abut_json_fail(
        f->json, node, f->error, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, abut_json_kind_name(node->kind));
}

AbutStatus abut_contacts_missing(const AbutContactFile *f, const AbutJsonNode *node, const char *key) {
    return abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "the key %s is missing", key);
}

AbutStatus abut_contacts_matrix(
    const AbutContactFile *f, const AbutJsonNode *node, int rows, int columns, double *out) {
    if (node->kind != ABUT_JSON_ARRAY) return abut_contacts_wrong_kind(f, node, "an array of rows");
    if (node->count != rows)
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected %d rows, got %d", rows, node->count);
    for (const AbutJsonNode *n = abut_json_first(node); n; n = abut_json_next(f->json, n), out += columns)
        ABUT_TRY(abut_json_read_numbers(f->json, n, columns, out, f->error));
    return ABUT_OK;
}

AbutStatus abut_contacts_vec3(const AbutContactFile *f, const AbutJsonNode *node, AbutVec3 *out) {
    double v[3] = {0};
    int count = f->planar && node->kind == ABUT_JSON_ARRAY && node->count == 2 ? 2 : 3;
    AbutStatus status = abut_json_read_numbers(f->json, node, count, v, f->error);
    *out = abut_vec3(v[0], v[1], v[2]);
    return status;
}

AbutStatus abut_contacts_direction(const AbutContactFile *f, const AbutJsonNode *node, AbutVec3 *out) {
    ABUT_TRY(abut_contacts_vec3(f, node, out));
    if (!(abut_max_abs(*out) > 0.0))
        return abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "a zero vector has no direction");
    if (abut_max_abs(*out) > 1e150 || abut_max_abs(*out) < 1e-150)
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_NUMBER, "expected a direction of length 1e-150 to 1e150");
    return ABUT_OK;
}

AbutStatus abut_contacts_size(const AbutContactFile *f, const AbutJsonNode *object, const char *key, int *out) {
    const AbutJsonNode *node = abut_contacts_member(f, object, key);
    if (!node) return ABUT_OK;
    if (node->kind != ABUT_JSON_NUMBER) return abut_contacts_wrong_kind(f, node, "a whole number");
    if (!(node->number >= 0.0 && node->number <= ABUT_MODE_SIZE) || node->number != floor(node->number))
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected a whole number from 0 to %d", ABUT_MODE_SIZE);
    *out = (int)node->number;
    return ABUT_OK;
}

AbutStatus abut_contacts_array(const AbutContactFile *f, const char *key, const AbutJsonNode **out) {
    *out = abut_contacts_member(f, f->root, key);
    if (!*out) return ABUT_OK;
    if ((*out)->kind != ABUT_JSON_ARRAY) return abut_contacts_wrong_kind(f, *out, "an array");
    if ((*out)->count > ABUT_MODE_SIZE)
        return abut_json_fail(
            f->json, *out, f->error, ABUT_ERROR_LIMIT, "%d elements are more than %d", (*out)->count, ABUT_MODE_SIZE);
    return ABUT_OK;
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* The elements of an array against a list of keys. */
static AbutStatus check_elements(const AbutContactFile *f, const char *key, int count, const char *const *keys) {
    const AbutJsonNode *list = abut_contacts_member(f, f->root, key);
    AbutStatus status = ABUT_OK;
    if (!list || list->kind != ABUT_JSON_ARRAY) return status;
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = abut_json_check_keys(f->json, n, count, keys, f->error);
    return status;
}

AbutStatus abut_contacts_check_keys(const AbutContactFile *f) {
    static const char *const file[] = {"contacts", "bodies", "fixed", "dof", "n_t", "n_contacts", "planar",
        "normal_rows", "tangent_rows", "name", "note", "comment", "conventions", "dof_names"};
    static const char *const contact[] = {"point", "normal", "tangents", "body_a", "body_b", "name", "note", "comment"};
    static const char *const body[] = {
        "name", "position", "rotation", "kind", "first_dof", "body_jacobian", "note", "comment"};
    ABUT_TRY(abut_json_check_keys(f->json, f->root, sizeof file / sizeof file[0], file, f->error));
    ABUT_TRY(check_elements(f, "contacts", sizeof contact / sizeof contact[0], contact));
    return check_elements(f, "bodies", sizeof body / sizeof body[0], body);
}
