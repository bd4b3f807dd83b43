/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold for every polyhedron, tested without the library's own check. */
#ifndef ABUT_TESTS_HULL_CHECK_H
#define ABUT_TESTS_HULL_CHECK_H

#include "abut/shape.h"

/* NULL when p is sound and holds all points to `tolerance` (a length), else what is wrong. All vertices against all
 * planes: meant for hulls of some thousand faces. */
const char *hull_fault(const AbutPolyhedron *p, const AbutVec3 *points, int count, double tolerance);

#endif
