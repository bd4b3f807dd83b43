/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the casts of this room. */
#ifndef ABUT_SOLID_CAST_H
#define ABUT_SOLID_CAST_H

#include "solid/solid.h"

/* A cast that says nothing but its outcome; of INVALID all numbers are NaN. */
static inline AbutCastHit abut_cast_without(AbutImpactOutcome outcome) {
    int invalid = outcome == ABUT_IMPACT_INVALID;
    double t = invalid ? NAN : 1.0;
    AbutVec3 none = invalid ? abut_vec3(NAN, NAN, NAN) : abut_zero();
    AbutCastHit out = {outcome, t, t, t, none, none, -1, -1};
    return out;
}

/* No nearest point: nothing is near, or where the question has no meaning, nothing is known. */
static inline AbutNearestPoint abut_nearest_without(AbutVec3 point) {
    int known = abut_is_finite(point);
    AbutVec3 none = known ? abut_zero() : abut_vec3(NAN, NAN, NAN);
    AbutNearestPoint out = {-1, -1, known ? INFINITY : NAN, none, none};
    return out;
}

/* A ray that begins inside a body or on its surface, whichever way it goes: contact at 0, without a normal. */
static inline AbutCastHit abut_cast_at_start(AbutRay ray, int32_t feature) {
    AbutCastHit out = {ABUT_IMPACT_AT_START, 0.0, 0.0, 0.0, ray.origin, abut_zero(), 0, feature};
    return out;
}

/* The parts of abut_cast: a ray; a body moved by `way`. */
AbutCastHit abut_ray(const AbutPlaced *body, AbutRay ray);
AbutCastHit abut_cast_moved(const AbutPlaced *body, const AbutPlaced *moved, AbutVec3 way, double tolerance);

/* The kernel of abut_nearest_point_batch; a body that is not known, or bad numbers, give -1. */
AbutNearestPoint abut_nearest_point(const AbutPlaced *body, AbutVec3 point);

/* Ray against a convex body in the frame of the body; `body` of the answer is 0 where there is one. One that begins
 * nearer to the body than `touch` begins on its surface. */
AbutCastHit abut_ray_convex(const AbutConvex *c, AbutRay ray, double touch);

/* Is there something to report: contact, or contact that could not be ruled out? */
int abut_cast_is_hit(AbutCastHit hit);

/* Middle and half sides of a box around a body; infinite sides around a half-space or plane. */
void abut_placed_box(const AbutPlaced *body, AbutVec3 *middle, AbutVec3 *half);

#endif
