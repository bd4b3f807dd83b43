/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. */
#ifndef ABUT_SRC_MINKOWSKI_TOLERANCE_H
#define ABUT_SRC_MINKOWSKI_TOLERANCE_H

#include "mesh/tolerance.h"

#define ABUT_RINGS_FLAT 1e-9   /* sine of the turn below which an edge is flat */
#define ABUT_TIE_TURN 1e-9     /* radians by which B is turned before facets are looked for: nothing is parallel then */
#define ABUT_MINKOWSKI_ON 1e-9 /* a place this near to a facet lies on it, of an edge of the grid */

#endif
