/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Lengths are relative to the scale of the pair of trees. */
#ifndef ABUT_SRC_MESH_TOLERANCE_H
#define ABUT_SRC_MESH_TOLERANCE_H

#include "query/tolerance.h"

#define ABUT_MESH_TOUCH 1e-12       /* triangles with coordinates up to 1 nearer than this: exact signs decide */
#define ABUT_MESH_SLANTED 1e-14     /* squared sine above which two sides are not parallel */
#define ABUT_MESH_SPARE 6e-7        /* boxes grow by this: 4 * 2^-24 for rounding to float and three products, twice */
#define ABUT_MESH_EXACT_SPARE 2e-15 /* and by this for coordinates of size 1 in double */
#define ABUT_MESH_LIMIT_GROWTH (1.0 + 4e-6) /* growth of the squared limit that covers its rounding to float */
#define ABUT_MESH_BOX_SLACK 1e-12           /* boxes and balls of whole meshes must be apart by this */
#define ABUT_MESH_ENOUGH_GAIN 0.98          /* a projection that gains less of the squared distance is the last */

#endif
