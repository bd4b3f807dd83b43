/* SPDX-License-Identifier: Apache-2.0 */
#include "support/random_bodies.h"

#include "support/check.h"

AbutPolyhedron *hull_of(const AbutVec3 *points, int count) {
    AbutPolyhedron *hull = NULL;
    AbutError error;
    good(abut_polyhedron_from_points(points, count, NULL, &hull, &error), &error);
    return hull;
}

AbutPolyhedron *random_hull(AbutRng *rng, int count, AbutVec3 axes) {
    AbutVec3 *points = malloc((size_t)count * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < count; ++i) points[i] = abut_mul(abut_random_direction(rng), axes);
    AbutPolyhedron *hull = hull_of(points, count);
    free(points);
    return hull;
}

AbutQuat random_turn(AbutRng *rng) {
    double w = abut_rng_normal(rng), x = abut_rng_normal(rng), y = abut_rng_normal(rng), z = abut_rng_normal(rng);
    return abut_quat_normalize(abut_quat(w, x, y, z));
}

AbutPose random_pose(AbutRng *rng, double reach) {
    AbutVec3 direction = abut_random_direction(rng);
    double distance = reach * abut_rng_unit(rng);
    return abut_pose(abut_scale(direction, distance), abut_random_quat(rng));
}
