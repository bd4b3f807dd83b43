/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: the grid stands in the geometry; as a polyhedron, and for bounds, they are the box around it. */
#include "model/shape_kind.h"
#include "shape/height_grid.h"

static int tidy_size(AbutVec3 *size)
{
    *size = abut_zero();
    return 1;
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    AbutAabb box = ((const AbutHeightGrid *)(const void *)def->field)->box;
    AbutVec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] =
            abut_vec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    return abut_polyhedron_from_points(corner, 8, NULL, out, error);
}

const AbutShapeKindRow abut_kind_height_field = {0, tidy_size, make, abut_kind_polyhedron_convex};
