/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the curve of a search that has its bracket, and its minima. */
#ifndef ABUT_CLEARANCE_CURVE_H
#define ABUT_CLEARANCE_CURVE_H

#include "clearance/search.h"

void abut_search_curve(AbutSearch *s, double band, int (*visit)(const AbutClearanceSample *, void *), void *user);

/* At most `ceiling`: no time of the span has a larger distance, since the nearest points of two leaves at the middle,
 * kept on the bodies, stay that near. */
double abut_span_largest(AbutSearch *s, const AbutSpan *span, AbutWitness w, double ceiling);

/* Moves *t to the local minimum near it, looking at windows of +-width; 0 when that fails. */
int abut_search_polish(AbutSearch *s, double width, double *t, AbutWitness *witness);

#endif
