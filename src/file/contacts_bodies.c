/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies and contacts of a file. In a file the normal points from body_b into body_a; in the library from A to B. So
 * the bodies change places: the file's body_b becomes A.
 */
#include "file/contacts_file.h"
#include "mode/contact_rows.h"

#include <string.h>

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static int find_body(const AbutContactFile *f, const char *name) {
    for (int i = 0; i < f->body_count; ++i)
        if (strcmp(f->names[i], name) == 0) return i;
    return -1;
}

/* Kind and name of a body; *columns is how many velocities it brings, or the width of its Jacobian. */
static AbutStatus read_body_kind(AbutContactFile *f, const AbutJsonNode *node, int *columns) {
    AbutModeBody *body = &f->bodies[f->body_count];
    const AbutJsonNode *name = abut_contacts_member(f, node, "name"),
                       *jacobian = abut_contacts_member(f, node, "body_jacobian"),
                       *kind = abut_contacts_member(f, node, "kind");
    if (node->kind != ABUT_JSON_OBJECT) return abut_contacts_wrong_kind(f, node, "an object");
    if (!name) return abut_contacts_missing(f, node, "name");
    if (name->kind != ABUT_JSON_STRING) return abut_contacts_wrong_kind(f, name, "a string");
    if (find_body(f, name->string) >= 0)
        return abut_json_fail(f->json, name, f->error, ABUT_ERROR_FORMAT, "a second body '%.60s'", name->string);
    const char *word = kind && kind->kind == ABUT_JSON_STRING ? kind->string : f->planar ? "planar" : "free";
    if (kind && strcmp(word, "free") != 0 && strcmp(word, "planar") != 0 && strcmp(word, "fixed") != 0)
        return abut_json_fail(f->json, kind, f->error, ABUT_ERROR_FORMAT, "expected free, planar or fixed");
    body->kind = jacobian               ? ABUT_MODE_BODY_JACOBIAN
                 : word[0] == 'p'       ? ABUT_MODE_BODY_PLANAR
                 : strcmp(word, "free") ? ABUT_MODE_BODY_FIXED
                                        : ABUT_MODE_BODY_FREE;
    *columns = body->kind == ABUT_MODE_BODY_FREE ? 6 : body->kind == ABUT_MODE_BODY_PLANAR ? 3 : 0;
    body->first_dof = -1;
    f->names[f->body_count++] = name->string;
    AbutStatus status = abut_contacts_size(f, node, "first_dof", &body->first_dof);
    if (status == ABUT_OK && jacobian && f->dof < 0) {
        const AbutJsonNode *row = jacobian->kind == ABUT_JSON_ARRAY ? abut_json_first(jacobian) : NULL;
        if (row && row->kind == ABUT_JSON_ARRAY && row->count <= ABUT_MODE_SIZE) f->dof = row->count;
    }
    return status;
}

/* Columns of the bodies that named none: one after the other. */
static AbutStatus place_columns(AbutContactFile *f, const AbutJsonNode *list, const int *columns) {
    int used = 0, jacobians = 0;
    for (int i = 0; i < f->body_count; ++i) {
        AbutModeBody *body = &f->bodies[i];
        jacobians |= body->kind == ABUT_MODE_BODY_JACOBIAN;
        if (body->first_dof < 0) body->first_dof = columns[i] ? used : 0;
        used = columns[i] && body->first_dof + columns[i] > used ? body->first_dof + columns[i] : used;
    }
    if (jacobians && used > f->dof)
        return abut_json_fail(f->json, list, f->error, ABUT_ERROR_FORMAT,
            "%d velocities of free bodies, but the Jacobians have %d columns", used, f->dof);
    if (!jacobians && f->dof >= 0 && used > f->dof)
        return abut_json_fail(
            f->json, list, f->error, ABUT_ERROR_FORMAT, "the bodies have %d velocities, dof says %d", used, f->dof);
    if (f->dof < 0) f->dof = used;
    return ABUT_OK;
}

static AbutStatus read_rotation(const AbutContactFile *f, const AbutJsonNode *node, AbutMat3 *out) {
    double m[9];
    ABUT_TRY(abut_contacts_matrix(f, node, 3, 3, m));
    *out = abut_mat3(abut_vec3(m[0], m[3], m[6]), abut_vec3(m[1], m[4], m[7]), abut_vec3(m[2], m[5], m[8]));
    AbutMat3 gram = abut_mat3_mul_t(*out, *out);
    double off = fmax(abut_max_abs(abut_sub(gram.x, abut_axis(0))),
        fmax(abut_max_abs(abut_sub(gram.y, abut_axis(1))), abut_max_abs(abut_sub(gram.z, abut_axis(2)))));
    if (!(off < 1e-6))
        return abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT,
            "the columns of a rotation are at right angles and of length 1");
    return ABUT_OK;
}

/* Frame and Jacobian of body i; dof is known. */
static AbutStatus read_body(AbutContactFile *f, const AbutJsonNode *node, int i) {
    const AbutJsonNode *position = abut_contacts_member(f, node, "position"),
                       *rotation = abut_contacts_member(f, node, "rotation");
    const AbutJsonNode *jacobian = abut_contacts_member(f, node, "body_jacobian");
    AbutModeBody *body = &f->bodies[i];
    body->rotation = abut_mat3_identity();
    if (position) ABUT_TRY(abut_contacts_vec3(f, position, &body->position));
    if (rotation) ABUT_TRY(read_rotation(f, rotation, &body->rotation));
    if (!jacobian) return ABUT_OK;
    double *to = f->jacobians + (size_t)i * 6 * (size_t)f->dof;
    body->jacobian = to;
    return abut_contacts_matrix(f, jacobian, 6, f->dof, to);
}

static AbutStatus make_room(AbutContactFile *f, int bodies, int contacts) {
    f->bodies = abut_alloc_array((size_t)bodies + 1, sizeof *f->bodies);
    f->names = abut_alloc_array((size_t)bodies + 1, sizeof *f->names);
    f->contacts = abut_alloc_array((size_t)contacts + 1, sizeof *f->contacts);
    if (!f->bodies || !f->names || !f->contacts) return abut_fail_memory(f->error);
    memset(f->bodies, 0, ((size_t)bodies + 1) * sizeof *f->bodies);
    memset(f->contacts, 0, ((size_t)contacts + 1) * sizeof *f->contacts);
    return ABUT_OK;
}

static AbutStatus read_bodies(AbutContactFile *f, const AbutJsonNode *list) {
    int *columns = abut_alloc_array((size_t)list->count + 1, sizeof *columns);
    AbutStatus status = columns ? ABUT_OK : abut_fail_memory(f->error);
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = read_body_kind(f, n, &columns[f->body_count]);
    if (status == ABUT_OK) status = place_columns(f, list, columns);
    abut_free(columns);
    if (status != ABUT_OK) return status;
    f->jacobians = abut_alloc_array((size_t)f->body_count * 6 * (size_t)f->dof + 1, sizeof(double));
    if (!f->jacobians) return abut_fail_memory(f->error);
    int i = 0;
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = read_body(f, n, i++);
    return status;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Is the name in the list `fixed` of the file? Without that list every name is. */
static AbutStatus check_fixed(const AbutContactFile *f, const AbutJsonNode *name) {
    const AbutJsonNode *list;
    AbutStatus status = abut_contacts_array(f, "fixed", &list);
    if (status != ABUT_OK || !list) return status;
    for (const AbutJsonNode *n = abut_json_first(list); n; n = abut_json_next(f->json, n))
        if (n->kind == ABUT_JSON_STRING && strcmp(n->string, name->string) == 0) return ABUT_OK;
    return abut_json_fail(f->json, name, f->error, ABUT_ERROR_FORMAT,
        "unknown body '%.60s': neither in bodies nor in fixed", name->string);
}

/* Body at a key of a contact; -1 for a fixed one. */
static AbutStatus read_body_name(
    const AbutContactFile *f, const AbutJsonNode *contact, const char *key, int missing_is, int *out) {
    const AbutJsonNode *name = abut_contacts_member(f, contact, key);
    *out = missing_is;
    if (!name || name->kind == ABUT_JSON_NULL) {
        *out = name ? -1 : missing_is;
        return ABUT_OK;
    }
    if (name->kind != ABUT_JSON_STRING) return abut_contacts_wrong_kind(f, name, "the name of a body");
    *out = find_body(f, name->string);
    return *out < 0 ? check_fixed(f, name) : ABUT_OK;
}

static AbutStatus read_tangents(const AbutContactFile *f, const AbutJsonNode *node, AbutPointContact *c) {
    if (node->kind != ABUT_JSON_ARRAY) return abut_contacts_wrong_kind(f, node, "an array of two directions");
    if (node->count != 2 && !(f->planar && node->count == 1))
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected 2 directions, got %d values", node->count);
    const AbutJsonNode *x = abut_json_first(node), *y = abut_json_next(f->json, x);
    AbutStatus status = abut_contacts_direction(f, x, &c->tangent_x);
    return status == ABUT_OK && y ? abut_contacts_direction(f, y, &c->tangent_y) : status;
}

static AbutStatus read_contact(const AbutContactFile *f, const AbutJsonNode *node, AbutPointContact *c) {
    if (node->kind != ABUT_JSON_OBJECT) return abut_contacts_wrong_kind(f, node, "an object");
    const AbutJsonNode *point = abut_contacts_member(f, node, "point"),
                       *normal = abut_contacts_member(f, node, "normal"),
                       *tangents = abut_contacts_member(f, node, "tangents");
    if (!point || !normal) return abut_contacts_missing(f, node, point ? "normal" : "point");
    ABUT_TRY(abut_contacts_vec3(f, point, &c->point));
    ABUT_TRY(abut_contacts_direction(f, normal, &c->normal));
    if (tangents) ABUT_TRY(read_tangents(f, tangents, c));
    const char *fault = abut_mode_contact_fault(c, f->planar);
    if (!fault) {
        ABUT_TRY(read_body_name(f, node, "body_a", f->body_count == 1 ? 0 : -1, &c->body_b));
        ABUT_TRY(read_body_name(f, node, "body_b", -1, &c->body_a));
        if (c->body_a < 0 && c->body_b < 0 && f->body_count > 0)
            fault = "body_a, body_b: unknown bodies, neither of them is in bodies";
        else if (c->body_a >= 0 && c->body_a == c->body_b)
            fault = "body_a, body_b: a body cannot touch itself";
    }
    return fault ? abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "%s", fault) : ABUT_OK;
}

/* Without a list of bodies, every name that stands as body_a is a free body; no name at all means one body. */
static AbutStatus invent_bodies(AbutContactFile *f, const AbutJsonNode *contacts) {
    static const char *const nameless = "body";
    for (const AbutJsonNode *n = abut_json_first(contacts); n; n = abut_json_next(f->json, n)) {
        const AbutJsonNode *name = abut_contacts_member(f, n, "body_a");
        const char *text = name && name->kind == ABUT_JSON_STRING ? name->string : nameless;
        if ((name && name->kind == ABUT_JSON_NULL) || find_body(f, text) >= 0) continue;
        int columns = f->planar ? 3 : 6;
        f->bodies[f->body_count].kind = f->planar ? ABUT_MODE_BODY_PLANAR : ABUT_MODE_BODY_FREE;
        f->bodies[f->body_count].first_dof = columns * f->body_count;
        f->names[f->body_count++] = text;
    }
    int used = (f->planar ? 3 : 6) * f->body_count;
    if (f->dof >= 0 && f->dof < used)
        return abut_json_fail(f->json, f->root, f->error, ABUT_ERROR_FORMAT,
            "dof: the contacts name bodies of %d velocities, not %d", used, f->dof);
    f->dof = f->dof >= 0 ? f->dof : used;
    return ABUT_OK;
}

AbutStatus abut_contacts_read_all(AbutContactFile *f, const AbutJsonNode *bodies, const AbutJsonNode *contacts) {
    ABUT_TRY(make_room(f, bodies ? bodies->count : contacts->count, contacts->count));
    ABUT_TRY(bodies ? read_bodies(f, bodies) : invent_bodies(f, contacts));
    for (const AbutJsonNode *n = abut_json_first(contacts); n; n = abut_json_next(f->json, n))
        ABUT_TRY(read_contact(f, n, &f->contacts[f->contact_count++]));
    return ABUT_OK;
}
