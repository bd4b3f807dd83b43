/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Lengths are relative to the size of the set where not said. */
#ifndef ABUT_SHAPE_TOLERANCE_H
#define ABUT_SHAPE_TOLERANCE_H

/* ---- hulls ------------------------------------------------------------------------------------------------------- */

#define ABUT_SHAPE_MAX_COORDINATE 1e50  /* coordinates beyond this are refused; its inverse is the least size */
#define ABUT_HULL_TOLERANCE 1e-11       /* default: points closer to a plane than this part of the size lie on it */
#define ABUT_HULL_TOLERANCE_LEAST 1e-14 /* smaller ones are raised to this */
#define ABUT_HULL_TOLERANCE_MOST 1e-3   /* larger ones are refused */
#define ABUT_HULL_GRAIN 16.0 /* units in the last place of the largest coordinate that a tolerance is at least */
#define ABUT_HULL_KEEP_DISTANCE (-2e-15) /* points that rounding may have put inside are still watched */
#define ABUT_HULL_ORIENT_BOUND 8e-16     /* (7 + 56 u) u with u = 2^-53, rounded up: error of a determinant */
#define ABUT_HULL_TURN_BOUND 4e-16       /* the same in the plane */
#define ABUT_HULL_THIN_TRIANGLE 1e-4     /* squared sine above which a cross product keeps its digits */
#define ABUT_HULL_SMALL_SQUARE 1e-200    /* squares below this lose digits, absolute */
#define ABUT_HULL_MERGE_RISE 1.5         /* times the tolerance of a merge: a vertex may be above a face by this */
#define ABUT_HULL_THIN 1e4               /* tolerances: bodies thinner than this are held against all their points */
#define ABUT_HULL_HOLDS 6.0              /* tolerances: a point may be above a face of such a body by this */
#define ABUT_HULL_FACE_TURN 1e-3         /* sum of normals below this part of their length gives no normal */

/* ---- polyhedra from planes --------------------------------------------------------------------------------------- */

#define ABUT_PLANES_FAR 1e6              /* distance of the artificial planes, in units of the largest offset */
#define ABUT_PLANES_BALL_NOISE 1e-13     /* radius that rounding can make, in the same unit */
#define ABUT_PLANES_LONGEST 1e-9         /* a polyhedron longer than 1 / this of its width counts as unbounded */
#define ABUT_PLANES_NO_SHARE 1e-12       /* weights below this take no part */
#define ABUT_PLANES_TIE 1e-14            /* ratios and slacks this near to each other are equal */
#define ABUT_PLANES_NO_SPREAD 1e-12      /* three normals that span less have no common point */
#define ABUT_PLANES_HULL_TOLERANCE 1e-13 /* of the hull of dual points */

/* ---- check of a polyhedron --------------------------------------------------------------------------------------- */

#define ABUT_CHECK_UNIT 1e-12     /* squared length of a normal may differ from 1 by this */
#define ABUT_CHECK_PART 1e-9      /* mass properties may differ by this part */
#define ABUT_CHECK_ROUNDING 1e-12 /* vertices may miss their planes by this part of the extent */
#define ABUT_CHECK_GRAIN 256.0    /* and by this many units in the last place of the largest coordinate */
#define ABUT_CHECK_BOUND 1e-3     /* part of that slack that the bounding sphere may miss */

/* ---- spheres, capsules, meshes ----------------------------------------------------------------------------------- */

#define ABUT_BALL_FLAT 1e-24                     /* squared sine below which support points span nothing */
#define ABUT_BALL_INSIDE (1.0 + 1e-12)           /* a point this little outside is inside */
#define ABUT_BALL_ROUNDING (1.0 + 4.0 * 0x1p-52) /* growth that covers the rounding of distances */
#define ABUT_CAPSULE_DONE (1.0 + 1e-6)           /* the simplex search stops where its values agree to this */
#define ABUT_CAPSULE_INSIDE (1.0 + 1e-5)         /* points farther out than this need a larger radius */
#define ABUT_CAPSULE_INSIDE_LEAST 1e-12          /* the same, absolute */
#define ABUT_CAPSULE_ROUNDING 8.0                /* roundings (DBL_EPSILON) that the radius grows by */
#define ABUT_CAPSULE_MAX_COORDINATE 1e150        /* coordinates beyond this are refused */
#define ABUT_MESH_NO_VOLUME 1e-15                /* volume / area below this is no volume, m */
#define ABUT_MESH_THIN 1e-12                     /* a triangle lower than this part of the mesh size is degenerate */

/* ---- trees over meshes, in units of the tree --------------------------------------------------------------------- */

#define ABUT_TREE_SPARE 4e-7F     /* boxes are grown by this: rounding of vertices, products and half axes to float */
#define ABUT_TREE_CONE_SPARE 1e-5 /* cones of normals are widened by this, of the sine */
#define ABUT_TREE_NO_AREA 1e-20   /* weight of a triangle without area */
#define ABUT_TREE_NO_NORMAL 1e-6  /* sum of normals below this part of the area gives no frame */

#endif
