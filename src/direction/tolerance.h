/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. */
#ifndef ABUT_SRC_DIRECTION_TOLERANCE_H
#define ABUT_SRC_DIRECTION_TOLERANCE_H

#include "mesh/tolerance.h"

/* ---- field ------------------------------------------------------------------------------------------------------- */

#define ABUT_SOFT_LIPSCHITZ 1.2  /* the field changes by at most this per meter: see field.h */
#define ABUT_SOFT_FIELD_OFF 0.87 /* and differs from a signed distance by at most this many steps of the grid */

/* ---- body -------------------------------------------------------------------------------------------------------- */

#define ABUT_SOFT_TAU 0.04      /* smoothing length, of the diameter of the smaller body */
#define ABUT_SOFT_STEP 0.7      /* step of the grid, of tau */
#define ABUT_SOFT_MARGIN 12.0   /* of the grid around the body, of tau */
#define ABUT_SOFT_FINE 0.7      /* sides of the triangles that are clustered, of the spacing */
#define ABUT_SOFT_SHARP 0.94    /* cosine of the turn (20 degrees) above which an edge gets points */
#define ABUT_SOFT_SMALLEST 1e-9 /* smoothing length, of the diameter of the body */
#define ABUT_SOFT_LENGTH 1e30   /* bodies are from 1 / this to this large, m */

/* ---- query ------------------------------------------------------------------------------------------------------- */

#define ABUT_SOFT_SUPPORT 6.0     /* the weight ends this many tau above D */
#define ABUT_SOFT_CUT 6.0         /* samples up to this many tau above the nearest are looked at first, */
#define ABUT_SOFT_LOOKED_AT 6.9   /* and up to this many above D in the end: the rest is for the certificate */
#define ABUT_SOFT_SETTLED 1e-13   /* a change of D below this, of tau, is the last */
#define ABUT_SOFT_CONFIDENT 0.1   /* confidence below which a direction is undecided */
#define ABUT_SOFT_SURE 0.3        /* and the same where both sides cancel: */
#define ABUT_SOFT_CANCELED 0.03   /* coherence below which the sum of area vectors is no better than their samples */
#define ABUT_SOFT_COHERENT 1e-6   /* coherence below which there is none */
#define ABUT_SOFT_FARTHEST 1e9    /* distance beyond which nothing is answered, of tau */
#define ABUT_SOFT_ADAPT 0.25      /* growth of an adaptive tau with the distance */
#define ABUT_SOFT_WIDEST_STEP 0.5 /* radians: certificates are for smaller rotations */

#endif
