/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the file room: a file of contacts while it is being read. */
#ifndef ABUT_SRC_FILE_CONTACTS_FILE_H
#define ABUT_SRC_FILE_CONTACTS_FILE_H

#include "abut/file.h"
#include "json/read.h"

/* Findings so far. */
typedef struct AbutContactFile {
    const AbutJsonText *json;
    const AbutJsonNode *root;
    AbutError *error;
    int planar, dof, lines; /* dof and lines: -1 until known */
    int contact_count, body_count;
    AbutPointContact *contacts;
    AbutModeBody *bodies;
    const char **names; /* of bodies */
    double *jacobians;  /* body_count x 6 x dof */
} AbutContactFile;

/* ---- values (contacts_values.c) ---------------------------------------------------------------------------------- */

const AbutJsonNode *abut_contacts_member(const AbutContactFile *f, const AbutJsonNode *node, const char *key);

AbutStatus abut_contacts_wrong_kind(const AbutContactFile *f, const AbutJsonNode *node, const char *expected);

AbutStatus abut_contacts_missing(const AbutContactFile *f, const AbutJsonNode *node, const char *key);

/* `rows` arrays of `columns` numbers each. */
AbutStatus abut_contacts_matrix(const AbutContactFile *f, const AbutJsonNode *node, int rows, int columns, double *out);

/* Three numbers, or two in the plane. */
AbutStatus abut_contacts_vec3(const AbutContactFile *f, const AbutJsonNode *node, AbutVec3 *out);

AbutStatus abut_contacts_direction(const AbutContactFile *f, const AbutJsonNode *node, AbutVec3 *out);

/* A whole number from 0 to the limit of the mode room, at a key that may be missing. */
AbutStatus abut_contacts_size(const AbutContactFile *f, const AbutJsonNode *object, const char *key, int *out);

/* The array at a key: *out is NULL when it is missing. At most as many elements as the mode room takes. */
AbutStatus abut_contacts_array(const AbutContactFile *f, const char *key, const AbutJsonNode **out);

/* Every key of the file, its contacts and bodies is known; one that is misspelled is an error, not a default. */
AbutStatus abut_contacts_check_keys(const AbutContactFile *f);

/* ---- bodies and contacts (contacts_bodies.c) --------------------------------------------------------------------- */

/* Fills bodies, contacts and dof. `bodies` may be NULL: then the contacts name them. */
AbutStatus abut_contacts_read_all(AbutContactFile *f, const AbutJsonNode *bodies, const AbutJsonNode *contacts);

#endif
