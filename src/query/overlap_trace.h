/* SPDX-License-Identifier: Apache-2.0 */
/* The overlap of two solids that lie deep in each other, by following the curves in which their surfaces cross. */
#ifndef ABUT_QUERY_OVERLAP_TRACE_H
#define ABUT_QUERY_OVERLAP_TRACE_H

#include "query/overlap.h"

/* Bytes for bodies that have `faces` faces together. */
size_t abut_overlap_trace_size(int faces);

/*
 * Fills `to` and the counts of `out` with the set of points in both bodies, about bodies->origin. 0: a vertex lies on
 * the surface of the other body, two crossings nearly coincide, or nothing is in common; then nothing is known.
 */
int abut_overlap_trace(const AbutOverlapBodies *bodies, void *memory, AbutOverlapArrays to, AbutOverlap *out);

#endif
