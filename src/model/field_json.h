/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields in JSON: "field" with columns, rows, half_x, half_y, bottom and heights, row by row, along x first. */
#ifndef ABUT_MODEL_FIELD_JSON_H
#define ABUT_MODEL_FIELD_JSON_H

#include "abut/json.h"
#include "abut/shape.h"
#include "json/read.h"

/* The key and its object, into an object. */
void abut_field_write(AbutJson *json, const AbutHeightField *field);

/* From the object that has the key. The heights, which the field points to, are to be freed whatever comes of it. */
AbutStatus abut_field_read(
    const AbutJsonText *json, const AbutJsonNode *node, AbutHeightField *out, double **heights, AbutError *error);

#endif
