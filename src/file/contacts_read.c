/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON file of contacts and bodies to the rows of a mode system; docs/contacts.md tells the keys. Everything is
 * checked here, where the key is known: kinds, sizes, zero vectors, names of bodies. In a file the normal points from
 * body_b into body_a; in the library from A to B. So the bodies change places: the file's body_b becomes A.
 */
#include "abut/file.h"
#include "file/json_read.h"

#include <string.h>

enum { MOST_LINES = 64 }; /* per contact */

typedef struct ContactFile {
    const AbutJsonText *json;
    const AbutJsonNode *root;
    AbutError *error;
    int planar, dof, lines; /* dof and lines: -1 until known */
    int contact_count, body_count;
    AbutPointContact *contacts;
    AbutModeBody *bodies;
    const char **names; /* of bodies */
    double *jacobians;  /* body_count x 6 x dof */
} ContactFile;

static const AbutJsonNode *member(const ContactFile *f, const AbutJsonNode *node, const char *key)
{
    return abut_json_member(f->json, node, key);
}

static AbutStatus wrong_kind(const ContactFile *f, const AbutJsonNode *node, const char *expected)
{
    return abut_json_fail(
        f->json, node, f->error, ABUT_ERROR_FORMAT, "expected %s, found %s", expected, abut_json_kind_name(node->kind));
}

static AbutStatus missing(const ContactFile *f, const AbutJsonNode *node, const char *key)
{
    return abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "the key %s is missing", key);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* An array of exactly `count` numbers. */
static AbutStatus read_numbers(const ContactFile *f, const AbutJsonNode *node, int count, double *out)
{
    if (node->kind != ABUT_JSON_ARRAY)
        return wrong_kind(f, node, "an array of numbers");
    if (node->count != count)
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected %d numbers, found %d values", count, node->count);
    for (const AbutJsonNode *n = abut_json_first(node); n; n = abut_json_next(f->json, n)) {
        if (n->kind != ABUT_JSON_NUMBER)
            return wrong_kind(f, n, "a number");
        *out++ = n->number;
    }
    return ABUT_OK;
}

/* `rows` arrays of `columns` numbers each. */
static AbutStatus read_matrix(const ContactFile *f, const AbutJsonNode *node, int rows, int columns, double *out)
{
    if (node->kind != ABUT_JSON_ARRAY)
        return wrong_kind(f, node, "an array of rows");
    if (node->count != rows)
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected %d rows, found %d", rows, node->count);
    AbutStatus status = ABUT_OK;
    for (const AbutJsonNode *n = abut_json_first(node); n && status == ABUT_OK;
         n = abut_json_next(f->json, n), out += columns)
        status = read_numbers(f, n, columns, out);
    return status;
}

/* Three numbers, or two in the plane. */
static AbutStatus read_vec3(const ContactFile *f, const AbutJsonNode *node, AbutVec3 *out)
{
    double v[3] = {0};
    int count = f->planar && node->kind == ABUT_JSON_ARRAY && node->count == 2 ? 2 : 3;
    AbutStatus status = read_numbers(f, node, count, v);
    *out = abut_vec3(v[0], v[1], v[2]);
    return status;
}

static AbutStatus read_direction(const ContactFile *f, const AbutJsonNode *node, AbutVec3 *out)
{
    AbutStatus status = read_vec3(f, node, out);
    if (status == ABUT_OK && !(abut_max_abs(*out) > 0.0))
        status = abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "a zero vector has no direction");
    if (status == ABUT_OK && (abut_max_abs(*out) > 1e150 || abut_max_abs(*out) < 1e-150))
        status = abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_NUMBER, "a direction of length 1e-150 to 1e150 was expected");
    return status;
}

/* A whole number from 0 to the limit of the mode room, at a key that may be missing. */
static AbutStatus read_size(const ContactFile *f, const AbutJsonNode *object, const char *key, int *out)
{
    const AbutJsonNode *node = member(f, object, key);
    if (!node)
        return ABUT_OK;
    if (node->kind != ABUT_JSON_NUMBER)
        return wrong_kind(f, node, "a whole number");
    if (!(node->number >= 0.0 && node->number <= ABUT_MODE_SIZE) || node->number != floor(node->number))
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected a whole number from 0 to %d", ABUT_MODE_SIZE);
    *out = (int)node->number;
    return ABUT_OK;
}

/* The array at a key: *out is NULL when it is missing. At most as many elements as the mode room takes. */
static AbutStatus find_array(const ContactFile *f, const char *key, const AbutJsonNode **out)
{
    *out = member(f, f->root, key);
    if (!*out)
        return ABUT_OK;
    if ((*out)->kind != ABUT_JSON_ARRAY)
        return wrong_kind(f, *out, "an array");
    if ((*out)->count > ABUT_MODE_SIZE)
        return abut_json_fail(
            f->json, *out, f->error, ABUT_ERROR_LIMIT, "%d elements are more than %d", (*out)->count, ABUT_MODE_SIZE);
    return ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static int find_body(const ContactFile *f, const char *name)
{
    for (int i = 0; i < f->body_count; ++i)
        if (strcmp(f->names[i], name) == 0)
            return i;
    return -1;
}

/* Kind and name of a body; *columns is how many velocities it brings, or the width of its Jacobian. */
static AbutStatus read_body_kind(ContactFile *f, const AbutJsonNode *node, int *columns)
{
    AbutModeBody *body = &f->bodies[f->body_count];
    const AbutJsonNode *name = member(f, node, "name"), *jacobian = member(f, node, "body_jacobian"),
                       *kind = member(f, node, "kind");
    if (node->kind != ABUT_JSON_OBJECT)
        return wrong_kind(f, node, "an object");
    if (!name)
        return missing(f, node, "name");
    if (name->kind != ABUT_JSON_STRING)
        return wrong_kind(f, name, "a string");
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
    AbutStatus status = read_size(f, node, "first_dof", &body->first_dof);
    if (status == ABUT_OK && jacobian && f->dof < 0) {
        const AbutJsonNode *row = jacobian->kind == ABUT_JSON_ARRAY ? abut_json_first(jacobian) : NULL;
        if (row && row->kind == ABUT_JSON_ARRAY && row->count <= ABUT_MODE_SIZE)
            f->dof = row->count;
    }
    return status;
}

/* Columns of the bodies that named none: one after the other. */
static AbutStatus place_columns(ContactFile *f, const AbutJsonNode *list, const int *columns)
{
    int used = 0, jacobians = 0;
    for (int i = 0; i < f->body_count; ++i) {
        AbutModeBody *body = &f->bodies[i];
        jacobians |= body->kind == ABUT_MODE_BODY_JACOBIAN;
        if (body->first_dof < 0)
            body->first_dof = columns[i] ? used : 0;
        used = columns[i] && body->first_dof + columns[i] > used ? body->first_dof + columns[i] : used;
    }
    if (jacobians && used > f->dof)
        return abut_json_fail(f->json, list, f->error, ABUT_ERROR_FORMAT,
            "%d velocities of free bodies, but the Jacobians have %d columns", used, f->dof);
    if (!jacobians && f->dof >= 0 && used > f->dof)
        return abut_json_fail(
            f->json, list, f->error, ABUT_ERROR_FORMAT, "the bodies have %d velocities, dof says %d", used, f->dof);
    if (f->dof < 0)
        f->dof = used;
    return ABUT_OK;
}

static AbutStatus read_rotation(const ContactFile *f, const AbutJsonNode *node, AbutMat3 *out)
{
    double m[9];
    AbutStatus status = read_matrix(f, node, 3, 3, m);
    if (status != ABUT_OK)
        return status;
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
static AbutStatus read_body(ContactFile *f, const AbutJsonNode *node, int i)
{
    const AbutJsonNode *position = member(f, node, "position"), *rotation = member(f, node, "rotation");
    const AbutJsonNode *jacobian = member(f, node, "body_jacobian");
    AbutModeBody *body = &f->bodies[i];
    AbutStatus status = ABUT_OK;
    body->rotation = abut_mat3_identity();
    if (position)
        status = read_vec3(f, position, &body->position);
    if (status == ABUT_OK && rotation)
        status = read_rotation(f, rotation, &body->rotation);
    if (status == ABUT_OK && jacobian) {
        double *to = f->jacobians + (size_t)i * 6 * (size_t)f->dof;
        body->jacobian = to;
        status = read_matrix(f, jacobian, 6, f->dof, to);
    }
    return status;
}

static AbutStatus no_memory(const ContactFile *f)
{
    return abut_fail(f->error, ABUT_ERROR_MEMORY, "%.200s: no memory for its contacts", f->json->name);
}

static AbutStatus make_room(ContactFile *f, int bodies, int contacts)
{
    f->bodies = abut_alloc_array((size_t)bodies + 1, sizeof *f->bodies);
    f->names = abut_alloc_array((size_t)bodies + 1, sizeof *f->names);
    f->contacts = abut_alloc_array((size_t)contacts + 1, sizeof *f->contacts);
    if (!f->bodies || !f->names || !f->contacts)
        return no_memory(f);
    memset(f->bodies, 0, ((size_t)bodies + 1) * sizeof *f->bodies);
    memset(f->contacts, 0, ((size_t)contacts + 1) * sizeof *f->contacts);
    return ABUT_OK;
}

static AbutStatus read_bodies(ContactFile *f, const AbutJsonNode *list)
{
    int *columns = abut_alloc_array((size_t)list->count + 1, sizeof *columns);
    AbutStatus status = columns ? ABUT_OK : no_memory(f);
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = read_body_kind(f, n, &columns[f->body_count]);
    if (status == ABUT_OK)
        status = place_columns(f, list, columns);
    abut_free(columns);
    if (status != ABUT_OK)
        return status;
    f->jacobians = abut_alloc_array((size_t)f->body_count * 6 * (size_t)f->dof + 1, sizeof(double));
    if (!f->jacobians)
        return no_memory(f);
    int i = 0;
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = read_body(f, n, i++);
    return status;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Is the name in the list `fixed` of the file? Without that list every name is. */
static AbutStatus check_fixed(const ContactFile *f, const AbutJsonNode *name)
{
    const AbutJsonNode *list;
    AbutStatus status = find_array(f, "fixed", &list);
    if (status != ABUT_OK || !list)
        return status;
    for (const AbutJsonNode *n = abut_json_first(list); n; n = abut_json_next(f->json, n))
        if (n->kind == ABUT_JSON_STRING && strcmp(n->string, name->string) == 0)
            return ABUT_OK;
    return abut_json_fail(f->json, name, f->error, ABUT_ERROR_FORMAT,
        "unknown body '%.60s': neither in bodies nor in fixed", name->string);
}

/* Body at a key of a contact; -1 for a fixed one. */
static AbutStatus read_body_name(
    const ContactFile *f, const AbutJsonNode *contact, const char *key, int missing_is, int *out)
{
    const AbutJsonNode *name = member(f, contact, key);
    *out = missing_is;
    if (!name || name->kind == ABUT_JSON_NULL) {
        *out = name ? -1 : missing_is;
        return ABUT_OK;
    }
    if (name->kind != ABUT_JSON_STRING)
        return wrong_kind(f, name, "the name of a body");
    *out = find_body(f, name->string);
    return *out < 0 ? check_fixed(f, name) : ABUT_OK;
}

static AbutStatus read_tangents(const ContactFile *f, const AbutJsonNode *node, AbutPointContact *c)
{
    if (node->kind != ABUT_JSON_ARRAY)
        return wrong_kind(f, node, "an array of two directions");
    if (node->count != 2 && !(f->planar && node->count == 1))
        return abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "expected 2 directions, found %d values", node->count);
    const AbutJsonNode *x = abut_json_first(node), *y = abut_json_next(f->json, x);
    AbutStatus status = read_direction(f, x, &c->tangent_x);
    return status == ABUT_OK && y ? read_direction(f, y, &c->tangent_y) : status;
}

static AbutStatus read_contact(const ContactFile *f, const AbutJsonNode *node, AbutPointContact *c)
{
    if (node->kind != ABUT_JSON_OBJECT)
        return wrong_kind(f, node, "an object");
    const AbutJsonNode *point = member(f, node, "point"), *normal = member(f, node, "normal"),
                       *tangents = member(f, node, "tangents");
    if (!point || !normal)
        return missing(f, node, point ? "normal" : "point");
    AbutStatus status = read_vec3(f, point, &c->point);
    if (status == ABUT_OK)
        status = read_direction(f, normal, &c->normal);
    if (status == ABUT_OK && tangents)
        status = read_tangents(f, tangents, c);
    if (status == ABUT_OK)
        status = read_body_name(f, node, "body_a", f->body_count == 1 ? 0 : -1, &c->body_b);
    if (status == ABUT_OK)
        status = read_body_name(f, node, "body_b", -1, &c->body_a);
    if (status == ABUT_OK && c->body_a < 0 && c->body_b < 0 && f->body_count > 0)
        status = abut_json_fail(
            f->json, node, f->error, ABUT_ERROR_FORMAT, "body_a, body_b: unknown bodies, neither of them is in bodies");
    if (status == ABUT_OK && c->body_a >= 0 && c->body_a == c->body_b)
        status =
            abut_json_fail(f->json, node, f->error, ABUT_ERROR_FORMAT, "body_a, body_b: a body cannot touch itself");
    return status;
}

/* Without a list of bodies, every name that stands as body_a is a free body; no name at all means one body. */
static AbutStatus invent_bodies(ContactFile *f, const AbutJsonNode *contacts)
{
    static const char *const nameless = "body";
    for (const AbutJsonNode *n = abut_json_first(contacts); n; n = abut_json_next(f->json, n)) {
        const AbutJsonNode *name = member(f, n, "body_a");
        const char *text = name && name->kind == ABUT_JSON_STRING ? name->string : nameless;
        if ((name && name->kind == ABUT_JSON_NULL) || find_body(f, text) >= 0)
            continue;
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

static AbutStatus read_contacts(ContactFile *f, const AbutJsonNode *bodies, const AbutJsonNode *contacts)
{
    AbutStatus status = make_room(f, bodies ? bodies->count : contacts->count, contacts->count);
    if (status == ABUT_OK)
        status = bodies ? read_bodies(f, bodies) : invent_bodies(f, contacts);
    for (const AbutJsonNode *n = abut_json_first(contacts); n && status == ABUT_OK; n = abut_json_next(f->json, n))
        status = read_contact(f, n, &f->contacts[f->contact_count++]);
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A system of zeros, for a file with rows alone. */
static AbutStatus empty_system(const ContactFile *f, AbutModeSystem *out)
{
    size_t n = (size_t)f->contact_count, d = (size_t)f->dof, rows = n * (1 + (size_t)f->lines);
    double *memory = abut_alloc_array(rows * d + 1, sizeof(double));
    if (!memory)
        return no_memory(f);
    memset(memory, 0, (rows * d + 1) * sizeof(double));
    *out = (AbutModeSystem){f->contact_count, f->dof, f->lines, memory, memory + n * d, memory, NULL, NULL};
    return ABUT_OK;
}

/* Sizes that follow from the rows. */
static AbutStatus measure_rows(
    ContactFile *f, const AbutJsonNode *normal, const AbutJsonNode *tangent, int has_contacts)
{
    const AbutJsonNode *row = normal ? abut_json_first(normal) : NULL;
    if (tangent && !normal && !has_contacts)
        return missing(f, f->root, "normal_rows");
    if (row && f->dof < 0 && row->kind == ABUT_JSON_ARRAY && row->count <= ABUT_MODE_SIZE)
        f->dof = row->count;
    if (!has_contacts && normal)
        f->contact_count = normal->count;
    f->dof = f->dof < 0 && !has_contacts ? 0 : f->dof;
    if (f->lines < 0 && f->planar)
        f->lines = 1;
    if (f->lines < 0 && tangent && normal && normal->count > 0)
        f->lines = tangent->count / normal->count;
    if (f->lines < 0)
        f->lines = !has_contacts && !tangent ? 0 : 2;
    if (!has_contacts && !tangent && f->lines > 0 && normal && normal->count > 0)
        return missing(f, f->root, "tangent_rows (or contacts)");
    return ABUT_OK;
}

static AbutStatus build(
    ContactFile *f, int has_contacts, const AbutJsonNode *normal, const AbutJsonNode *tangent, AbutModeSystem *out)
{
    AbutModeSystemDef def = {f->contacts, f->bodies, f->contact_count, f->body_count, f->dof, f->lines, f->planar, 0};
    AbutStatus status = has_contacts ? abut_mode_system_build(&def, out, f->error) : empty_system(f, out);
    if (status != ABUT_OK)
        return status;
    double *rows = out->memory;
    if (normal)
        status = read_matrix(f, normal, f->contact_count, f->dof, rows);
    if (status == ABUT_OK && tangent)
        status = read_matrix(
            f, tangent, f->contact_count * f->lines, f->dof, rows + (size_t)f->contact_count * (size_t)f->dof);
    if (status != ABUT_OK)
        abut_mode_system_free(out);
    return status;
}

/* The system with the lines that were asked for; `from` is taken over. */
static AbutStatus change_lines(ContactFile *f, AbutModeSystem *from, int lines, AbutModeSystem *out)
{
    if (lines < 0 || lines == from->lines || f->planar) {
        *out = *from;
        return ABUT_OK;
    }
    AbutStatus status = abut_mode_system_set_lines(from, lines, out, f->error);
    abut_mode_system_free(from);
    return status;
}

static AbutStatus check_contact_count(const ContactFile *f)
{
    int said = f->contact_count;
    AbutStatus status = read_size(f, f->root, "n_contacts", &said);
    if (status == ABUT_OK && said != f->contact_count)
        status = abut_json_fail(f->json, member(f, f->root, "n_contacts"), f->error, ABUT_ERROR_FORMAT,
            "says %d contacts, but there are %d", said, f->contact_count);
    return status;
}

static AbutStatus read_settings(ContactFile *f)
{
    const AbutJsonNode *planar = member(f, f->root, "planar");
    if (f->root->kind != ABUT_JSON_OBJECT)
        return wrong_kind(f, f->root, "an object with contacts");
    if (planar && planar->kind != ABUT_JSON_TRUE && planar->kind != ABUT_JSON_FALSE)
        return wrong_kind(f, planar, "true or false");
    f->planar = planar && planar->kind == ABUT_JSON_TRUE;
    AbutStatus status = read_size(f, f->root, "dof", &f->dof);
    if (status == ABUT_OK)
        status = read_size(f, f->root, "n_t", &f->lines);
    if (status == ABUT_OK && f->lines > MOST_LINES)
        status = abut_json_fail(
            f->json, member(f, f->root, "n_t"), f->error, ABUT_ERROR_LIMIT, "more than %d lines", MOST_LINES);
    return status;
}

static AbutStatus read_file(ContactFile *f, int lines, AbutModeSystem *out)
{
    const AbutJsonNode *bodies = NULL, *contacts = NULL, *normal = NULL, *tangent = NULL;
    AbutModeSystem system;
    AbutStatus status = read_settings(f);
    if (status == ABUT_OK)
        status = find_array(f, "bodies", &bodies);
    if (status == ABUT_OK)
        status = find_array(f, "contacts", &contacts);
    if (status == ABUT_OK)
        status = find_array(f, "normal_rows", &normal);
    tangent = member(f, f->root, "tangent_rows");
    if (status == ABUT_OK && tangent && tangent->kind != ABUT_JSON_ARRAY)
        status = wrong_kind(f, tangent, "an array");
    if (status == ABUT_OK && !contacts && !normal)
        status = missing(f, f->root, "contacts");
    if (status == ABUT_OK)
        status = measure_rows(f, normal, tangent, contacts != NULL);
    if (status == ABUT_OK && contacts)
        status = read_contacts(f, bodies, contacts);
    if (status == ABUT_OK)
        status = check_contact_count(f);
    if (status == ABUT_OK && !tangent && contacts && lines >= 0 && !f->planar)
        f->lines = lines;
    if (status == ABUT_OK)
        status = build(f, contacts != NULL, normal, tangent, &system);
    return status == ABUT_OK ? change_lines(f, &system, lines, out) : status;
}

static AbutStatus read_json(AbutJsonText *json, int lines, AbutModeSystem *out, AbutError *error)
{
    ContactFile f = {.json = json, .root = json->nodes, .error = error, .dof = -1, .lines = -1};
    AbutStatus status = read_file(&f, lines, out);
    abut_free(f.contacts);
    abut_free(f.bodies);
    abut_free((void *)f.names);
    abut_free(f.jacobians);
    abut_json_text_free(json);
    return status;
}

AbutStatus abut_mode_system_read(const char *path, int lines, AbutModeSystem *out, AbutError *error)
{
    AbutJsonText json;
    memset(out, 0, sizeof *out);
    AbutStatus status = abut_json_read(path, &json, error);
    return status == ABUT_OK ? read_json(&json, lines, out, error) : status;
}

AbutStatus abut_mode_system_parse(
    const void *bytes, size_t count, const char *name, int lines, AbutModeSystem *out, AbutError *error)
{
    AbutJsonText json;
    memset(out, 0, sizeof *out);
    AbutStatus status = abut_json_parse(bytes, count, name, &json, error);
    return status == ABUT_OK ? read_json(&json, lines, out, error) : status;
}
