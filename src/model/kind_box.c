/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes: half sizes along the axes. */
#include "model/shape_kind.h"

static int tidy_size(AbutVec3 *size)
{
    return abut_is_size(size->x) && abut_is_size(size->y) && abut_is_size(size->z);
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    return abut_polyhedron_box(def->size, out, error);
}

static AbutConvex convex(const AbutGeometry *geometry)
{
    return abut_convex_box(geometry->size, 0.0);
}

const AbutShapeKindRow abut_kind_box = {0, tidy_size, make, convex};
