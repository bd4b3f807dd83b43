/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Lengths are relative to the size of the pair where not said. */
#ifndef ABUT_QUERY_TOLERANCE_H
#define ABUT_QUERY_TOLERANCE_H

#define ABUT_QUERY_OPPOSITE 1e-12 /* unit normals this far from opposite still face each other */
#define ABUT_QUERY_UNIT 1e-9      /* squared length of a half-space's normal may differ from 1 by this */

#define ABUT_OVERLAP_APART 1e-9        /* bodies farther apart than this are DISJOINT without asking the distance */
#define ABUT_OVERLAP_TOUCH 1e-10       /* bodies without common volume this near each other touch */
#define ABUT_OVERLAP_LEAST_SIZE 1e-300 /* of a pair, absolute: two points touch where they coincide */
#define ABUT_OVERLAP_THIN 1e-12        /* volume / area below this is no volume */
#define ABUT_OVERLAP_NO_SIDE 1e-9      /* an area vector below this part of the area gives no normal */
#define ABUT_OVERLAP_SNAP 64.0         /* roundings (DBL_EPSILON): vertices this near a plane lie on it */

#endif
