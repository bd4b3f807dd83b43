/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the distance field of a body that presses: that of a grid, or of a convex body in closed form.
 *
 * In: a place in the frame of the body. Out: value, or value and gradient. Closed forms change by at most 1 per meter.
 * That of a polyhedron is the largest distance from a plane of its faces: the distance inside and before faces, less
 * than it beyond edges.
 */
#ifndef ABUT_SRC_CONTACT_SOLID_FIELD_H
#define ABUT_SRC_CONTACT_SOLID_FIELD_H

#include "abut/contact.h"
#include "direction/field.h"

typedef struct AbutSolidField {
    const AbutConvex *solid; /* NULL: the grid */
    AbutSoftGrid grid;
    double lipschitz, slack; /* it changes by at most `lipschitz` per meter, and differs from a function that changes by
                                at most 1 by half of `slack` */
} AbutSolidField;

/* Has it a closed form? */
int abut_solid_has_field(const AbutConvex *solid);

/* 0: the body has no field. */
int abut_solid_field_open(AbutPressureBody body, AbutSolidField *out);

/* `gradient` may be NULL. */
double abut_solid_field(const AbutSolidField *field, AbutVec3 p, AbutVec3 *gradient);

#endif
