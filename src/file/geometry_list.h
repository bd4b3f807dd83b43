/* SPDX-License-Identifier: Apache-2.0 */
/* The different geometries of a model, numbered: files and pages write each once. */
#ifndef ABUT_SRC_FILE_GEOMETRY_LIST_H
#define ABUT_SRC_FILE_GEOMETRY_LIST_H

#include "abut/model.h"

typedef struct AbutGeometryList {
    const AbutGeometry **item; /* by number; they belong to the model */
    int32_t *of_shape;         /* number of the geometry of each shape */
    int32_t count;
} AbutGeometryList;

AbutStatus abut_geometry_list_make(const AbutModel *model, AbutGeometryList *out, AbutError *error);
void abut_geometry_list_free(AbutGeometryList *list);

#endif
