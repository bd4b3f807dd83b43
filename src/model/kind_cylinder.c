/* SPDX-License-Identifier: Apache-2.0 */
/* Cylinders along z; their pictures are prisms of `resolution` sides with the corners on the circle. */
#include "model/shape_kind.h"

static int tidy_size(AbutVec3 *size)
{
    size->y = size->x;
    return abut_is_size(size->x) && abut_is_size(size->z);
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    return abut_polyhedron_prism(def->resolution, def->size.x, 2.0 * def->size.z, out, error);
}

static AbutConvex convex(const AbutGeometry *geometry)
{
    return abut_convex_cylinder(geometry->size.x, geometry->size.z, 0.0);
}

const AbutShapeKindRow abut_kind_cylinder = {"cylinder", 1, tidy_size, make, convex};
