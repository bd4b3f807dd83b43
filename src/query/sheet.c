/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planes as two-sided sheets: a body lies on one side of a sheet, or the sheet cuts it, and then the body is parted
 * from it on the side where less of it stands over. A sheet is parted from a half-space or another sheet only where
 * they are parallel.
 */
#include "query/support.h"
#include "query/tolerance.h"

/* The answer of `find` with the sheet of a body as the half-space on one side of it, or the other. */
static AbutGap with_side(AbutPairView *pair, AbutBodyView *body, int flip, AbutPairFind *find) {
    const AbutConvex *sheet = body->convex;
    AbutPlane plane = {sheet->p[0], sheet->p[1].x};
    if (flip) plane = (AbutPlane){abut_neg(plane.normal), -plane.offset};
    AbutConvex side = abut_convex_half_space(plane, sheet->radius);
    body->convex = &side;
    AbutGap out = find(pair, NULL);
    body->convex = sheet;
    return out;
}

/* The side towards which less of the other body would have to move. */
static AbutGap better_side(AbutPairView *pair, AbutBodyView *body, AbutPairFind *find) {
    AbutGap up = with_side(pair, body, 0, find), down = with_side(pair, body, 1, find);
    return down.distance > up.distance ? down : up;
}

/* The side of a sheet that faces another plane, if one does. */
static AbutGap facing_side(AbutPairView *pair, AbutBodyView *sheet) {
    AbutVec3 a = pair->a.convex->p[0], n = abut_mat3_apply(pair->rotation, pair->b.convex->p[0]);
    int flip = abut_length(abut_add(a, n)) > ABUT_QUERY_OPPOSITE && abut_length(abut_sub(a, n)) <= ABUT_QUERY_OPPOSITE;
    return with_side(pair, sheet, flip, abut_plane_plane);
}

AbutGap abut_sheet_body(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    return better_side(pair, &pair->a, abut_plane_body);
}

AbutGap abut_body_sheet(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    return better_side(pair, &pair->b, abut_body_plane);
}

AbutGap abut_sheet_half_space(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    return facing_side(pair, &pair->a);
}

AbutGap abut_half_space_sheet(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    return facing_side(pair, &pair->b);
}

AbutGap abut_sheet_sheet(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    return better_side(pair, &pair->a, abut_half_space_sheet);
}
