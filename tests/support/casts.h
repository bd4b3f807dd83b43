/* SPDX-License-Identifier: Apache-2.0 */
/* Single casts against sets of bodies. */
#ifndef ABUT_TESTS_CASTS_H
#define ABUT_TESTS_CASTS_H

#include "abut/solid.h"

/* The first hit of a ray. */
static inline AbutCastHit first_ray(const AbutBodySet *set, AbutRay ray) {
    AbutCast cast = {.ray = ray};
    AbutCastHit out;
    abut_cast_batch(set, 1, &cast, &out, 1);
    return out;
}

/* The first hit of a moved solid. */
static inline AbutCastHit first_cast(const AbutBodySet *set, const AbutPlaced *moved, AbutVec3 way, double tolerance) {
    AbutCast cast = {{moved->pose.p, way}, moved, tolerance};
    AbutCastHit out;
    abut_cast_batch(set, 1, &cast, &out, 1);
    return out;
}

/* All hits of a ray, and of a moved solid. */
static inline int32_t all_rays(const AbutBodySet *set, AbutRay ray, int32_t capacity, AbutCastHit *hits) {
    AbutCast cast = {.ray = ray};
    return abut_cast_all(set, &cast, capacity, hits);
}

static inline int32_t all_casts(const AbutBodySet *set, const AbutPlaced *moved, AbutVec3 way, double tolerance,
    int32_t capacity, AbutCastHit *hits) {
    AbutCast cast = {{moved->pose.p, way}, moved, tolerance};
    return abut_cast_all(set, &cast, capacity, hits);
}

static inline AbutNearestPoint nearest_of_set(const AbutBodySet *set, AbutVec3 point) {
    AbutNearestPoint out;
    abut_nearest_point_batch(set, 1, &point, &out, 1);
    return out;
}

#endif
