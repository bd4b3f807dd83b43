/* SPDX-License-Identifier: Apache-2.0 */
/* Polyhedra as they are given: checked and copied. */
#include "model/shape_kind.h"

#include <string.h>

static int tidy_size(AbutVec3 *size)
{
    *size = abut_zero();
    return 1;
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    const AbutPolyhedron *given = def->polyhedron;
    ABUT_TRY(abut_polyhedron_check(given, (size_t)given->bytes, error));
    *out = abut_alloc((size_t)given->bytes);
    if (!*out)
        return abut_fail_memory(error);
    memcpy(*out, given, (size_t)given->bytes);
    return ABUT_OK;
}

AbutConvex abut_kind_polyhedron_convex(const AbutGeometry *geometry)
{
    return abut_convex_polyhedron(geometry->polyhedron, 0.0);
}

const AbutShapeKindRow abut_kind_polyhedron = {0, tidy_size, make, abut_kind_polyhedron_convex};
