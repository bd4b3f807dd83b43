/* SPDX-License-Identifier: Apache-2.0 */
/* The table of shape kinds, in the order of AbutShapeKind. */
#include "model/shape_kind.h"

#include <string.h>

static const AbutShapeKindRow *const rows[ABUT_SHAPE_KIND_COUNT] = {
    [ABUT_SHAPE_BOX] = &abut_kind_box,
    [ABUT_SHAPE_SPHERE] = &abut_kind_sphere,
    [ABUT_SHAPE_CAPSULE] = &abut_kind_capsule,
    [ABUT_SHAPE_CYLINDER] = &abut_kind_cylinder,
    [ABUT_SHAPE_ELLIPSOID] = &abut_kind_ellipsoid,
    [ABUT_SHAPE_POLYHEDRON] = &abut_kind_polyhedron,
    [ABUT_SHAPE_HALF_SPACE] = &abut_kind_half_space,
    [ABUT_SHAPE_HEIGHT_FIELD] = &abut_kind_height_field,
    [ABUT_SHAPE_CONE] = &abut_kind_cone,
};

const AbutShapeKindRow *abut_shape_kind_row(AbutShapeKind kind)
{
    return (int)kind >= 0 && kind < ABUT_SHAPE_KIND_COUNT ? rows[kind] : NULL;
}

const char *const abut_shape_kind_names[ABUT_SHAPE_KIND_COUNT + 1] = {
    [ABUT_SHAPE_BOX] = "box",
    [ABUT_SHAPE_SPHERE] = "sphere",
    [ABUT_SHAPE_CAPSULE] = "capsule",
    [ABUT_SHAPE_CYLINDER] = "cylinder",
    [ABUT_SHAPE_ELLIPSOID] = "ellipsoid",
    [ABUT_SHAPE_POLYHEDRON] = "polyhedron",
    [ABUT_SHAPE_HALF_SPACE] = "half_space",
    [ABUT_SHAPE_HEIGHT_FIELD] = "height_field",
    [ABUT_SHAPE_CONE] = "cone",
};
