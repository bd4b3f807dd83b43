/* SPDX-License-Identifier: Apache-2.0 */
/* Half-spaces: z <= 0 of the shape frame. They have no size and no polyhedron. */
#include "model/shape_kind.h"

static int tidy_size(AbutVec3 *size)
{
    *size = abut_zero();
    return 1;
}

static AbutStatus make(const AbutGeometryDef *def, AbutPolyhedron **out, AbutError *error)
{
    (void)def, (void)error;
    *out = NULL;
    return ABUT_OK;
}

static AbutConvex convex(const AbutGeometry *geometry)
{
    AbutPlane plane = {{0.0, 0.0, 1.0}, 0.0};
    (void)geometry;
    return abut_convex_half_space(plane, 0.0);
}

const AbutShapeKindRow abut_kind_half_space = {0, tidy_size, make, convex};
