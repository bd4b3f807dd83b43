/* SPDX-License-Identifier: Apache-2.0 */
/* parry (Rust) as functions of C, from the library that `scripts/deps peers` builds of bench/rust. */
#ifndef ABUT_BENCH_PARRY_H
#define ABUT_BENCH_PARRY_H

#include <stddef.h>

#include "abut/math.h"

typedef struct ParryShape ParryShape;

/* Half sizes; half the length of the segment along z. NULL: parry refuses the shape. */
ParryShape *parry_box(double x, double y, double z);
ParryShape *parry_capsule(double half_length, double radius);
ParryShape *parry_hull(const AbutVec3 *points, size_t count);
void parry_free(ParryShape *shape);

double parry_distance(const ParryShape *a, const ParryShape *b, const AbutPose *b_in_a); /* 0 when they meet */
double parry_depth(const ParryShape *a, const ParryShape *b, const AbutPose *b_in_a);    /* signed; NaN: no contact */
int parry_meet(const ParryShape *a, const ParryShape *b, const AbutPose *b_in_a);        /* -1: no answer */

#endif
