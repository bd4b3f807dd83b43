/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the methods of the literature, for comparison. They see the bodies only through the distance at one time and
 * bounds of speed; of two single convex bodies also through a bound along a direction over an interval.
 */
#ifndef ABUT_CLEARANCE_METHODS_H
#define ABUT_CLEARANCE_METHODS_H

#include "clearance/search.h"

typedef struct AbutMethod {
    AbutSearch *s;
    double eps;
    int convex; /* both bodies are single convex pieces */
    double ub, t, lb;
    AbutWitness warm, best;
    int64_t evaluations, limit;
    int sound; /* lb is proved */
} AbutMethod;

/* Distance at time t; *n from B to A, *witness the nearest leaves. Either may be NULL. */
double abut_method_distance(AbutMethod *m, double t, AbutVec3 *n, AbutWitness *witness);

/* How fast the distance can change between a and e: the speeds of both bodies together. */
double abut_method_speed(const AbutMethod *m, double a, double e);

/* How much it changes from a to e on the way there and back to the lowest point, at most: by these speeds or, where no
 * break is inside, by that of A in the frame of B. */
double abut_method_way(const AbutMethod *m, double a, double e);

/* A time that may pass from t on, in the direction of `back`, before a distance of x falls to the level; along n for
 * two convex bodies. */
double abut_method_step(AbutMethod *m, double t, double left, int back, double x, double level, AbutVec3 n);

/* Lower bound over a .. e along n, which has no break inside; -INFINITY for bodies that are not convex. */
double abut_method_bound(AbutMethod *m, double a, double e, AbutVec3 n);

/* How much the distance can fall from one end of the span to the other: of a leaf of A along n, of all of A along n,
 * and in any direction. Over a part of it, that part of this and 2 span->slack. */
double abut_rate_leaf(const AbutSearch *s, const AbutSpan *span, int32_t leaf_a, AbutVec3 n);
double abut_rate_along(const AbutSearch *s, const AbutSpan *span, AbutVec3 n);
double abut_rate_any(const AbutSearch *s, const AbutSpan *span);

/* Is the number of distances used up? */
static inline int abut_method_is_spent(const AbutMethod *m) { return m->evaluations >= m->limit; }

/* No distance is smaller than this, by the speed alone; needs the distances at both ends. */
double abut_method_floor(const AbutMethod *m, double at_from, double at_to);

void abut_method_golden(AbutMethod *m, double from, double to); /* only lowers ub */
void abut_method_advance(AbutMethod *m);
void abut_method_hybrid_classic(AbutMethod *m);
void abut_method_hybrid(AbutMethod *m);
void abut_method_subdivide(AbutMethod *m, int thesis);
void abut_method_best_first(AbutMethod *m);
void abut_method_sample(AbutMethod *m);

#endif
