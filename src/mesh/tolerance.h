/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Lengths are relative to the scale of the pair of trees. */
#ifndef ABUT_SRC_MESH_TOLERANCE_H
#define ABUT_SRC_MESH_TOLERANCE_H

#include "query/tolerance.h"

#define ABUT_MESH_TOUCH 1e-12       /* triangles with coordinates up to 1 nearer than this: exact signs decide */
#define ABUT_MESH_THICK 1e-6        /* squared sine of a corner above which a triangle has an inside */
#define ABUT_MESH_SLANTED 1e-14     /* squared sine above which two sides are not parallel */
#define ABUT_MESH_SPARE 6e-7        /* boxes grow by this: 4 * 2^-24 for rounding to float and three products, twice */
#define ABUT_MESH_EXACT_SPARE 2e-15 /* and by this for coordinates of size 1 in double */
#define ABUT_MESH_LIMIT_GROWTH (1.0 + 4e-6) /* growth of the squared limit that covers its rounding to float */
#define ABUT_MESH_ON_SURFACE 1e-13 /* points this near are on the surface, of their coordinates and of the radius */
#define ABUT_MESH_BOX_SLACK 1e-12  /* boxes and balls of whole meshes must be apart by this */
#define ABUT_MESH_ENOUGH_GAIN 0.98 /* a projection that gains less of the squared distance is the last */

/* ---- sweeps and depth -------------------------------------------------------------------------------------------- */

#define ABUT_SWEEP_OVER 1e-10    /* corners and crossings this far outside a face or a side still count, of its size */
#define ABUT_SWEEP_EDGE_ON 1e-13 /* area of a face seen along the sweep, of its squared sides: below it is a line */
#define ABUT_SWEEP_TINY 1e-9     /* intervals with a gap below this hang together, of the size of the scene */
#define ABUT_SWEEP_SAME 1e-13    /* ends of intervals this near are one */
#define ABUT_DEPTH_VERIFY (1.0 + 1e-6) /* a translation is verified when it is free at this multiple */
#define ABUT_DEPTH_HAIR 1e-7           /* places this far from contact are used as free, of the size of the scene */
#define ABUT_DEPTH_TIGHT 1e-5          /* a plane this near is touched, of the size of the scene */
#define ABUT_DEPTH_BALL_SLACK 4e-7     /* what rounding to float may add to a squared length */
#define ABUT_DEPTH_DEEP 0.4            /* overlaps beyond this part of the smaller radius are searched more widely */
#define ABUT_CORE_SAME_NORMAL 0.9998   /* cosine above which two triangles belong to one flat face */
#define ABUT_CORE_LEAST_AREA 0.02      /* flat faces below this part of the surface are not looked at */

/* ---- convex decomposition ---------------------------------------------------------------------------------------- */

#define ABUT_PIECES_LITTLE_GAIN 0.1 /* cuts that take off less of a hull are looked at twice: it may be hollow */
#define ABUT_PIECES_HOLLOW 0.03     /* a hull with more air than this part of it is cut even if that does not gain */
#define ABUT_PIECES_COARSE 2e-4 /* volumes that guide cuts leave out what stands less above faces, of the thickness */
#define ABUT_PIECES_BESIDE 1e-9 /* how far beside a triangle the winding number is asked for, of the radius */
#define ABUT_PIECES_BESIDE_WIDTH 1e-6 /* triangles narrower than this are not asked beside, of the radius */
#define ABUT_PIECES_COVERED 1e-9 /* vertices this far outside all pieces are covered, of 1 m and their coordinates */

/* ---- features ---------------------------------------------------------------------------------------------------- */

/* Sines of angles. Edges and corners below the first are flat, and straight. A vertex touches a face although a
 * neighbor reaches deeper by the second, an edge crosses another although the normal leaves its cone by the third;
 * edges nearer to parallel than the fourth do not cross: their ends lie over faces. A blunt touch has the normal of its
 * nearest points, to the fifth. */
#define ABUT_FEATURE_FLAT 1e-4
#define ABUT_FEATURE_CONE_FACE 0.02
#define ABUT_FEATURE_CONE_EDGE 0.01
#define ABUT_FEATURE_PARALLEL 0.02
#define ABUT_FEATURE_CONE_BLUNT 1e-9
/* Lists of features reach so many times as far as asked: bodies get faster. */
#define ABUT_TOUCH_LIST_SPARE 1.25
/* Cones of directions grow by the first, which covers rounding to float. A star whose neighbors are no higher or lower
 * than the second is flat: it touches on its outer side alone. */
#define ABUT_FACING_SPARE 1e-5
#define ABUT_FACING_FLAT 0.2
#define ABUT_FEATURE_THIN 1e-7 /* triangles of less height are lines, of the radius of the mesh */

#endif
