/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of a scene grown by a margin of contact: equal geometry is grown once. */
#ifndef ABUT_SCENE_GROWN_SET_H
#define ABUT_SCENE_GROWN_SET_H

#include "scene/scene.h"

typedef struct AbutGrownEntry {
    const AbutGeometry *geometry; /* retained */
    AbutGrownBody body;
} AbutGrownEntry;

/* Zeroed: empty. */
typedef struct AbutGrownSet {
    const AbutGrownBody **of_shape; /* by shape place; NULL for shapes that touch nothing */
    size_t of_shape_capacity;
    AbutGrownEntry *entry;
    int32_t entry_count;
    double margin;
    size_t workspace_bytes; /* enough for the contact of any two */
} AbutGrownSet;

/* Brings the set in step with the shapes of the scene; what is there already is used again. On failure it is empty. */
AbutStatus abut_grown_set_update(AbutGrownSet *set, const AbutScene *scene, double margin, AbutError *error);
void abut_grown_set_free(AbutGrownSet *set);

#endif
