/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slow search for the least capsule: the two ends of the segment move at random, the radius is the largest distance of
 * a point; changes that lower the volume are kept, and the step grows after a success and shrinks after a failure.
 */
#include "oracle/capsule_search.h"

double oracle_segment_distance(AbutVec3 p, AbutVec3 a, AbutVec3 b) {
    AbutVec3 ab = abut_sub(b, a);
    double along = abut_dot(abut_sub(p, a), ab), whole = abut_dot(ab, ab);
    if (along <= 0.0 || whole == 0.0) return abut_point_distance(p, a);
    if (along >= whole) return abut_point_distance(p, b);
    return abut_point_distance(p, abut_add_scaled(a, ab, along / whole));
}

static double volume_of(const AbutVec3 *points, int count, AbutVec3 a, AbutVec3 b) {
    double r = 0.0;
    for (int i = 0; i < count; ++i) r = fmax(r, oracle_segment_distance(points[i], a, b));
    return abut_capsule_mass((AbutCapsule){a, b, r}).volume;
}

static AbutVec3 random_shift(AbutRng *rng, double size) {
    double x = abut_rng_normal(rng), y = abut_rng_normal(rng), z = abut_rng_normal(rng);
    return abut_vec3(size * x, size * y, size * z);
}

static double search_from(
    const AbutVec3 *points, int count, AbutVec3 a, AbutVec3 b, double size, int steps, AbutRng *rng) {
    double best = volume_of(points, count, a, b);
    for (int k = 0; k < steps && size > 1e-12; ++k) {
        uint32_t kind = abut_rng_below(rng, 3);
        AbutVec3 p = kind == 0 ? a : abut_add(a, random_shift(rng, size));
        AbutVec3 q = kind == 1 ? b : abut_add(b, random_shift(rng, size));
        double volume = volume_of(points, count, p, q);
        if (volume < best) {
            best = volume;
            a = p, b = q;
            size *= 1.6;
        } else {
            size *= 0.93;
        }
    }
    return best;
}

double oracle_capsule_volume(const AbutVec3 *points, int count, int starts, int steps, uint64_t seed) {
    AbutRng rng = abut_rng(seed, 77);
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < count; ++i) box = abut_aabb_add(box, points[i]);
    AbutVec3 middle = abut_lerp(box.min, box.max, 0.5);
    double size = 0.5 * abut_point_distance(box.min, box.max), best = INFINITY;
    for (int k = 0; k < starts; ++k) {
        AbutVec3 d = abut_scale(abut_random_direction(&rng), size * abut_rng_unit(&rng));
        double volume = search_from(points, count, abut_sub(middle, d), abut_add(middle, d), 0.3 * size, steps, &rng);
        best = fmin(best, volume);
    }
    return best;
}
