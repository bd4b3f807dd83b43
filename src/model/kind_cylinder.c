/* SPDX-License-Identifier: Apache-2.0 */
/* Cylinders and cones along z; their pictures are prisms and pyramids of `resolution` sides with the corners on the
 * circle. */
#include "model/shape_kind.h"

static int tidy_size(AbutVec3 *size)
{
    size->y = size->x;
    return abut_is_size(size->x) && abut_is_size(size->z);
}

static AbutStatus make_cylinder(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    return abut_polyhedron_prism(def->resolution, def->size.x, def->size.x, 2.0 * def->size.z, out, error);
}

static AbutStatus make_cone(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    return abut_polyhedron_prism(def->resolution, def->size.x, 0.0, 2.0 * def->size.z, out, error);
}

static AbutConvex cylinder_convex(const AbutGeometry *geometry)
{
    return abut_convex_cylinder(geometry->size.x, geometry->size.z, 0.0);
}

static AbutConvex cone_convex(const AbutGeometry *geometry)
{
    return abut_convex_cone(geometry->size.x, geometry->size.z, 0.0);
}

const AbutShapeKindRow abut_kind_cylinder = {1, tidy_size, make_cylinder, cylinder_convex};
const AbutShapeKindRow abut_kind_cone = {1, tidy_size, make_cone, cone_convex};
