/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of a scene as bodies that press on each other: equal geometry is made once. */
#ifndef ABUT_SCENE_PRESSURE_SET_H
#define ABUT_SCENE_PRESSURE_SET_H

#include "abut/contact.h"
#include "scene/scene.h"

typedef struct AbutPressureItem {
    const AbutGeometry *geometry; /* retained */
    AbutSoftBody *surface;        /* NULL: no samples */
    AbutConvex solid;             /* its field, in closed form */
    int32_t has_solid;
} AbutPressureItem;

/* Zeroed: empty. */
struct AbutPressureSet {
    AbutPressureItem *item;
    int32_t item_count;
    int32_t *of_shape;   /* -1: touches nothing */
    AbutPressureDef law; /* to be set before an update */
    double spacing;      /* likewise: of samples, m; large shapes have them farther apart */
    uint32_t revision;   /* of the scene */
    int32_t current;
};
typedef struct AbutPressureSet AbutPressureSet;

/* Brings the set in step with the shapes of the scene. `surfaces` 0: without samples and grids. */
AbutStatus abut_pressure_set_update(
    AbutPressureSet *set, const AbutScene *scene, int surfaces, int threads, AbutError *error);
void abut_pressure_set_free(AbutPressureSet *set); /* leaves an empty one */

/* A shape as a body that presses; it points into the set. */
AbutPressureBody abut_pressure_body(const AbutPressureSet *set, int32_t shape);

#endif
