/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: the grid stands in the geometry; as a polyhedron, and for bounds, they are the box around it. */
#include "model/shape_kind.h"

static int tidy_size(AbutVec3 *size)
{
    *size = abut_zero();
    return 1;
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    const AbutHeightField *f = def->field;
    AbutVec3 corner[8];
    double top = f->bottom;
    for (int64_t i = 0; i < (int64_t)f->columns * f->rows; ++i)
        top = abut_larger(top, f->heights[i]);
    for (int i = 0; i < 8; ++i)
        corner[i] = abut_vec3(i & 1 ? f->half_x : -f->half_x, i & 2 ? f->half_y : -f->half_y, i & 4 ? top : f->bottom);
    return abut_polyhedron_from_points(corner, 8, NULL, out, error);
}

const AbutShapeKindRow abut_kind_height_field = {"height_field", 0, tidy_size, make, abut_kind_polyhedron_convex};
