/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts of callers, for assertions; answers to questions that make no sense; unbounded bodies.
 */
#ifndef ABUT_QUERY_CONTRACT_H
#define ABUT_QUERY_CONTRACT_H

#include "abut/query.h"

/* A body is there, and so is what it points to. */
static inline int abut_convex_is_set(const AbutConvex *c) {
    return c && (c->kind != ABUT_CONVEX_POLYHEDRON || c->polyhedron);
}

/* Half-spaces and planes have no bounds. */
static inline int abut_convex_is_unbounded(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE;
}

/* The answer to a question that makes no sense: all numbers are NaN. */
AbutGap abut_gap_invalid(void);

#endif
