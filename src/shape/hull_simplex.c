/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dimension of a point set to a tolerance, and well-spread points that show it: the farthest of the six extreme
 * points along the axes from each other, then the farthest point from their line, then from their plane.
 * In: scaled points, a distance. Out: dimension 0 to 3 and dimension + 1 points.
 */
#include "shape/hull.h"

/* The pair of axis extremes with the greatest distance. Ties go to the lower coordinates along the other axes, so that
 * boxes along the axes give corners. */
static double farthest_extremes(const AbutVec3 *points, int count, int32_t pair[2]) {
    int32_t extreme[6] = {0, 0, 0, 0, 0, 0};
    for (int32_t i = 1; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double x = abut_get(points[i], axis);
            if (x < abut_get(points[extreme[2 * axis]], axis)) extreme[2 * axis] = i;
            if (x > abut_get(points[extreme[2 * axis + 1]], axis)) extreme[2 * axis + 1] = i;
        }
    double best = -1.0;
    for (int i = 0; i < 6; ++i)
        for (int k = i + 1; k < 6; ++k) {
            double d = abut_point_distance(points[extreme[i]], points[extreme[k]]);
            if (d > best) {
                best = d;
                pair[0] = extreme[i];
                pair[1] = extreme[k];
            }
        }
    return best;
}

/* The point farthest from the line through `a` along the unit vector u, or from the plane across it. */
static double farthest(const AbutVec3 *points, int count, AbutVec3 a, AbutVec3 u, int from_plane, int32_t *at) {
    double best = -1.0;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 way = abut_sub(points[i], a);
        double d = from_plane ? fabs(abut_dot(u, way)) : abut_length_sq(abut_cross(u, way));
        if (d > best) {
            best = d;
            *at = i;
        }
    }
    return from_plane ? best : sqrt(fmax(best, 0.0));
}

AbutHullSimplex abut_hull_simplex(const AbutVec3 *points, int count, double tolerance) {
    AbutHullSimplex s = {0, {0, 0, 0, 0}};
    if (farthest_extremes(points, count, s.v) <= tolerance) return s;
    s.dimension = 1;
    AbutVec3 a = points[s.v[0]], along = abut_normalize(abut_sub(points[s.v[1]], a));
    if (farthest(points, count, a, along, 0, &s.v[2]) <= tolerance) return s;
    s.dimension = 2;
    AbutVec3 normal = abut_exact_normal(a, points[s.v[1]], points[s.v[2]]);
    if (farthest(points, count, a, normal, 1, &s.v[3]) <= tolerance) return s;
    s.dimension = abut_exact_side(a, points[s.v[1]], points[s.v[2]], points[s.v[3]]) != 0 ? 3 : 2;
    return s;
}
