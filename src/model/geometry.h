/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of geometry, so that equal shapes of a model or scene share one. A set holds a reference to what it made; what
 * nobody else holds any longer goes when the set grows, or with the set. A zeroed set is empty.
 */
#ifndef ABUT_MODEL_GEOMETRY_H
#define ABUT_MODEL_GEOMETRY_H

#include "abut/model.h"
#include "shape/height_grid.h"

typedef struct AbutGeometrySet {
    const AbutGeometry **slots; /* open addressing, at most half full; NULL: free */
    size_t size, count;
} AbutGeometrySet;

/* Checks a definition and brings it into the one form that equal geometry has. `what` begins the message. */
AbutStatus abut_geometry_check(const char *what, AbutGeometryDef *def, AbutError *error);

/* The geometry of a checked definition: one of the set, or a new one that joins it. To be released. */
AbutStatus abut_geometry_set_get(
    AbutGeometrySet *set, const AbutGeometryDef *def, const AbutGeometry **out, AbutError *error);
void abut_geometry_set_free(AbutGeometrySet *set);

/* Is it a round body, one that rolls? */
static inline int abut_geometry_is_round(const AbutGeometry *geometry) { return geometry->resolution > 0; }

/* The grid of a height field; NULL: it is none. */
static inline const AbutHeightGrid *abut_geometry_grid(const AbutGeometry *geometry) {
    return (const AbutHeightGrid *)(const void *)geometry->field; /* the field is its first member */
}

/* Surface for pictures and pressure: its surface, or that of its polyhedron, which it must have; of a round kind with
 * at least `around` points around. To be freed. */
AbutStatus abut_geometry_to_mesh(const AbutGeometry *geometry, int around, AbutMesh *out, AbutError *error);

/* The definition that would make this geometry; its polyhedron lies in the geometry. */
AbutGeometryDef abut_geometry_def(const AbutGeometry *geometry);

/* One more reference; returns the geometry. */
const AbutGeometry *abut_geometry_retain(const AbutGeometry *geometry);

#endif
