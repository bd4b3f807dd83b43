/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the writers: walking over the fields that a list of names picks, and where their values are. */
#ifndef ABUT_SRC_FIELD_PICK_H
#define ABUT_SRC_FIELD_PICK_H

#include "abut/field.h"

enum { ABUT_FIELD_NAME = 64 };

/* One word of a list: its key and the field's name. 1, or 0 at the end of the list. */
typedef struct AbutPicked {
    char key[ABUT_FIELD_NAME], name[ABUT_FIELD_NAME];
} AbutPicked;
int abut_pick_next(const char **list, AbutPicked *out);

/* The row of that name, without looking into picks and records. */
const AbutField *abut_record_row(const AbutRecord *record, const char *name);

/* The field of that name, those that are picked included; *at is where its struct begins. "residual.last" goes into a
 * record. NULL: there is none, or `data` is NULL there. `data` may be NULL to ask for the description alone. */
const AbutField *abut_record_find(const AbutRecord *record, const char *name, const char **at);

int abut_field_is_shown(const AbutField *field, const char *data);

/* Where the values are, how many rows and columns; NULL: absent. */
typedef struct AbutFieldValues {
    const char *at;
    int rows, columns, is_array;
} AbutFieldValues;
AbutFieldValues abut_field_values(const AbutField *field, const char *data);

size_t abut_field_size(const AbutField *field); /* of one value */

#endif
