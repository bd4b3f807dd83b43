/* SPDX-License-Identifier: Apache-2.0 */
/* Slow search for the least capsule around points. */
#ifndef ABUT_TESTS_CAPSULE_SEARCH_H
#define ABUT_TESTS_CAPSULE_SEARCH_H

#include "abut/shape.h"

/* Distance of p from the segment a b, written apart from the library. */
double oracle_segment_distance(AbutVec3 p, AbutVec3 a, AbutVec3 b);

/* Least volume found from `starts` random segments, each moved by `steps` random changes of its ends. */
double oracle_capsule_volume(const AbutVec3 *points, int count, int starts, int steps, uint64_t seed);

#endif
