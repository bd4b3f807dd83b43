/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON file of contacts and bodies to the rows of a mode system; docs/reference/contacts.md tells the keys.
 * Everything is checked here, where the key is known: kinds, sizes, zero vectors, names of bodies (contacts_bodies.c).
 * Rows that the file gives win over those that follow from its contacts.
 */
#include "file/contacts_file.h"
#include "file/input.h"

#include <string.h>

enum { MOST_LINES = 64 }; /* per contact */

/* A system of zeros, for a file with rows alone. */
static AbutStatus empty_system(const AbutContactFile *f, AbutModeSystem *out) {
    size_t n = (size_t)f->contact_count, d = (size_t)f->dof, rows = n * (1 + (size_t)f->lines);
    double *memory = abut_alloc_array(rows * d + 1, sizeof(double));
    if (!memory) return abut_fail_memory(f->error);
    memset(memory, 0, (rows * d + 1) * sizeof(double));
    *out = (AbutModeSystem){f->contact_count, f->dof, f->lines, memory, memory + n * d, memory, NULL, NULL, 0.0};
    return ABUT_OK;
}

/* Sizes that follow from the rows. */
static AbutStatus measure_rows(
    AbutContactFile *f, const AbutJsonNode *normal, const AbutJsonNode *tangent, int has_contacts) {
    const AbutJsonNode *row = normal ? abut_json_first(normal) : NULL;
    if (tangent && !normal && !has_contacts) return abut_contacts_missing(f, f->root, "normal_rows");
    if (row && f->dof < 0 && row->kind == ABUT_JSON_ARRAY && row->count <= ABUT_MODE_SIZE) f->dof = row->count;
    if (!has_contacts && normal) f->contact_count = normal->count;
    f->dof = f->dof < 0 && !has_contacts ? 0 : f->dof;
    if (f->lines < 0 && f->planar) f->lines = 1;
    if (f->lines < 0 && tangent && normal && normal->count > 0) f->lines = tangent->count / normal->count;
    if (f->lines < 0) f->lines = !has_contacts && !tangent ? 0 : 2;
    if (!has_contacts && !tangent && f->lines > 0 && normal && normal->count > 0)
        return abut_contacts_missing(f, f->root, "tangent_rows (or contacts)");
    return ABUT_OK;
}

static AbutStatus build(AbutContactFile *f, int has_contacts, const AbutJsonNode *normal, const AbutJsonNode *tangent,
    AbutModeSystem *out) {
    AbutModeSystemDef def = {f->contact_count, f->body_count, f->contacts, f->bodies, f->dof, f->lines, f->planar, 0};
    ABUT_TRY(has_contacts ? abut_mode_system_build(&def, out, f->error) : empty_system(f, out));
    double *rows = out->memory;
    AbutStatus status = ABUT_OK;
    if (normal) status = abut_contacts_matrix(f, normal, f->contact_count, f->dof, rows);
    if (status == ABUT_OK && tangent)
        status = abut_contacts_matrix(
            f, tangent, f->contact_count * f->lines, f->dof, rows + (size_t)f->contact_count * (size_t)f->dof);
    if (status != ABUT_OK) abut_mode_system_free(out);
    return status;
}

/* The system with the lines that were asked for; `from` is taken over. */
static AbutStatus change_lines(AbutContactFile *f, AbutModeSystem *from, int lines, AbutModeSystem *out) {
    if (lines < 0 || lines == from->lines || f->planar) {
        *out = *from;
        return ABUT_OK;
    }
    AbutStatus status = abut_mode_system_set_lines(from, lines, out, f->error);
    abut_mode_system_free(from);
    return status;
}

static AbutStatus check_contact_count(const AbutContactFile *f) {
    int said = f->contact_count;
    ABUT_TRY(abut_contacts_size(f, f->root, "n_contacts", &said));
    if (said != f->contact_count)
        return abut_json_fail(f->json, abut_contacts_member(f, f->root, "n_contacts"), f->error, ABUT_ERROR_FORMAT,
            "says %d contacts, but there are %d", said, f->contact_count);
    return ABUT_OK;
}

static AbutStatus read_settings(AbutContactFile *f) {
    const AbutJsonNode *planar = abut_contacts_member(f, f->root, "planar");
    if (f->root->kind != ABUT_JSON_OBJECT) return abut_contacts_wrong_kind(f, f->root, "an object with contacts");
    if (planar && planar->kind != ABUT_JSON_TRUE && planar->kind != ABUT_JSON_FALSE)
        return abut_contacts_wrong_kind(f, planar, "true or false");
    f->planar = planar && planar->kind == ABUT_JSON_TRUE;
    ABUT_TRY(abut_contacts_check_keys(f));
    ABUT_TRY(abut_contacts_size(f, f->root, "dof", &f->dof));
    ABUT_TRY(abut_contacts_size(f, f->root, "n_t", &f->lines));
    if (f->lines > MOST_LINES)
        return abut_json_fail(f->json, abut_contacts_member(f, f->root, "n_t"), f->error, ABUT_ERROR_LIMIT,
            "more than %d lines", MOST_LINES);
    return ABUT_OK;
}

static AbutStatus read_file(AbutContactFile *f, int lines, AbutModeSystem *out) {
    const AbutJsonNode *bodies = NULL, *contacts = NULL, *normal = NULL, *tangent = NULL;
    AbutModeSystem system;
    ABUT_TRY(read_settings(f));
    ABUT_TRY(abut_contacts_array(f, "bodies", &bodies));
    ABUT_TRY(abut_contacts_array(f, "contacts", &contacts));
    ABUT_TRY(abut_contacts_array(f, "normal_rows", &normal));
    tangent = abut_contacts_member(f, f->root, "tangent_rows");
    if (tangent && tangent->kind != ABUT_JSON_ARRAY) return abut_contacts_wrong_kind(f, tangent, "an array");
    if (!contacts && !normal) return abut_contacts_missing(f, f->root, "contacts");
    ABUT_TRY(measure_rows(f, normal, tangent, contacts != NULL));
    if (contacts) ABUT_TRY(abut_contacts_read_all(f, bodies, contacts));
    ABUT_TRY(check_contact_count(f));
    if (!tangent && contacts && lines >= 0 && !f->planar) f->lines = lines;
    ABUT_TRY(build(f, contacts != NULL, normal, tangent, &system));
    return change_lines(f, &system, lines, out);
}

AbutStatus abut_mode_system_read(
    const char *name, const void *bytes, size_t count, int lines, AbutModeSystem *out, AbutError *error) {
    AbutJsonText json;
    char *own;
    memset(out, 0, sizeof *out);
    ABUT_TRY(abut_file_take(name, "JSON", ABUT_JSON_READ_BYTES, &bytes, &count, &own, error));
    AbutStatus status = abut_json_parse(bytes, count, name, &json, error);
    abut_free(own);
    if (status) return status;
    AbutContactFile f = {.json = &json, .root = json.nodes, .error = error, .dof = -1, .lines = -1};
    status = read_file(&f, lines, out);
    abut_free(f.contacts);
    abut_free(f.bodies);
    abut_free((void *)f.names);
    abut_free(f.jacobians);
    abut_json_text_free(&json);
    return status;
}
