/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planes as two-sided sheets: a body lies on one side of a sheet, or the sheet cuts it, and then the body is parted
 * from it on the side where less of it stands over. A sheet is parted from a half-space or another sheet only where
 * they are parallel.
 */
#include "query/support.h"
#include "query/tolerance.h"

/* A half-space of the sheet that has the answer: the side towards which less of the other body would have to move. */
static AbutConvex facing(const AbutConvex *sheet, int flip)
{
    AbutPlane plane = {sheet->p[0], sheet->p[1].x};
    if (flip)
        plane = (AbutPlane){abut_neg(plane.normal), -plane.offset};
    return abut_convex_half_space(plane, sheet->radius);
}

static AbutGap farther(AbutGap x, AbutGap y)
{
    return y.distance > x.distance ? y : x;
}

static int is_opposite(AbutVec3 a, AbutVec3 b)
{
    return abut_length(abut_add(a, b)) <= ABUT_QUERY_OPPOSITE;
}

AbutGap abut_sheet_body(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    AbutConvex up = facing(a, 0), down = facing(a, 1);
    return farther(abut_plane_body(&up, b, b_in_a, def, cache), abut_plane_body(&down, b, b_in_a, NULL, cache));
}

AbutGap abut_body_sheet(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    AbutConvex up = facing(b, 0), down = facing(b, 1);
    return farther(abut_body_plane(a, &up, b_in_a, def, cache), abut_body_plane(a, &down, b_in_a, NULL, cache));
}

AbutGap abut_sheet_half_space(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    AbutVec3 n = abut_quat_rotate(abut_quat_normalize(b_in_a.q), b->p[0]);
    AbutConvex side = facing(a, !is_opposite(a->p[0], n) && is_opposite(abut_neg(a->p[0]), n));
    return abut_plane_plane(&side, b, b_in_a, def, cache);
}

AbutGap abut_half_space_sheet(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    AbutVec3 n = abut_quat_rotate(abut_quat_normalize(b_in_a.q), b->p[0]);
    AbutConvex side = facing(b, !is_opposite(a->p[0], n) && is_opposite(a->p[0], abut_neg(n)));
    return abut_plane_plane(a, &side, b_in_a, def, cache);
}

AbutGap abut_sheet_sheet(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache)
{
    AbutConvex up = facing(a, 0), down = facing(a, 1);
    return farther(
        abut_half_space_sheet(&up, b, b_in_a, def, cache), abut_half_space_sheet(&down, b, b_in_a, NULL, cache));
}
