/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. Lengths are relative to the size of the pair where not said. */
#ifndef ABUT_QUERY_TOLERANCE_H
#define ABUT_QUERY_TOLERANCE_H

/* ---- signed distance --------------------------------------------------------------------------------------------- */

#define ABUT_QUERY_LARGEST                                                                                             \
    1e60 /* lengths beyond this are refused, absolute: their squares and products would overflow */
#define ABUT_QUERY_SMALLEST                                                                                            \
    1e-60                    /* lengths below this are rounding, absolute: their squares and products would vanish */
#define ABUT_QUERY_NOISE 4.0 /* roundings (DBL_EPSILON) of the largest coordinate: those of a support point */
#define ABUT_QUERY_TOUCH 4.0 /* times that: bound of what rounding does to a distance; those up to it are zero */
#define ABUT_QUERY_SEGMENTS 16.0        /* roundings of the largest coordinate: bound of the closed forms of segments */
#define ABUT_QUERY_PROVEN 4.0           /* roundings of a support point: gap with which ordinary arithmetic may stop */
#define ABUT_QUERY_WANTED 1e-12         /* gap beyond which an answer is NOT_CONVERGED */
#define ABUT_QUERY_UNIT_QUATERNION 1e-6 /* squared length of a quaternion may differ from 1 by this */
#define ABUT_QUERY_UNIT 1e-9            /* squared length of a half-space's normal may differ from 1 by this */
#define ABUT_QUERY_OPPOSITE 1e-12       /* unit normals this far from opposite still face each other */
#define ABUT_QUERY_PARALLEL 1e-9        /* sine below which two segments count as parallel */
#define ABUT_QUERY_SHORT_WAY 1e-2       /* way between two segments whose direction has lost too many digits */
#define ABUT_QUERY_PARALLEL_GRAM 1e-29  /* squared sine below which rounding alone parts their directions */
#define ABUT_QUERY_NO_EDGE_PAIR 1e-12   /* sine below which two edges span no direction */
#define ABUT_QUERY_BOX_FACE 4.0         /* roundings by which an edge direction of two boxes must beat the faces */
#define ABUT_QUERY_BOX_SLANTED 4e-4     /* squared sine above which a box edge direction may be judged unscaled */
#define ABUT_QUERY_BOX_FOOT 1e-12       /* the foot may leave a box's facet by this part of its side */

/* ---- GJK and the expanding polytope ------------------------------------------------------------------------------ */

#define ABUT_GJK_GAP 4.0                /* roundings of a support point: gap at which bodies with vertices are done */
#define ABUT_GJK_GAP_SMOOTH 1e-10       /* the same with a support function */
#define ABUT_GJK_FLAT_TRIANGLE 1e-28    /* squared sine below which a triangle is a segment */
#define ABUT_GJK_FLAT_TETRAHEDRON 1e-13 /* part of its size below which a tetrahedron is a triangle */
#define ABUT_EPA_EPS 16.0               /* roundings of a support point: distance to a plane that counts as none */
#define ABUT_EPA_EPS_SMOOTH 3e-4        /* the same as part of the gap that is asked for with a support function */
#define ABUT_EPA_THIN (1.0 / 256.0)     /* squared sine below which the plane of a face is found carefully */
#define ABUT_EPA_GAP_SMOOTH 1e-7        /* gap at which bodies with a support function are done */
#define ABUT_EPA_SAME_NORMAL 1e-9       /* 1 - cosine below which two facets have one normal */
#define ABUT_EPA_NO_WEIGHT 1e-14        /* weights below this are left out */
#define ABUT_FACET_ARC 1e-9             /* slack of the test whether a normal lies on an arc */
#define ABUT_FACET_PUSH 0.1             /* how far bodies are pushed apart to find the normal of a facet again */
#define ABUT_FACET_THICK 1e-9           /* vertices this near the extreme lie on the facet */

/* ---- cylinders, cones, ellipsoids ----------------------------------------------------------------------------------- */

#define ABUT_ROUND_FLATTEST 1e-6 /* least semi-axis of an ellipsoid, of the largest */
#define ABUT_ROUND_INSET                                                                                               \
    0.999999 /* of the least radius of curvature: how deep the searched body lies in it; all, but for rounding */
#define ABUT_ROUND_WORSE 1e-9      /* the distance along a normal on the way to the answer may fall short by this */
#define ABUT_ROUND_FIRST_STEP 1e-2 /* radians: a step longer than this shows a contact that is not of points */
#define ABUT_ROUND_DONE 1e-14      /* tangential part of the nearest point that counts as none */
#define ABUT_ROUND_CENTER 1e-150   /* a point of an ellipsoid this near its center, of its size, is the center */
#define ABUT_ROUND_LONG 0.005      /* corners of a simplex this far apart span a straight direction */
#define ABUT_ROUND_WEIGHT 1e-9     /* weight of a corner that counts for that */
#define ABUT_ROUND_LEAN 1e-7       /* radians: how far the normal is leaned to find the ends of a line or a face */
#define ABUT_ROUND_LEVEL 1e-13     /* a plane this little inside its body touches it: twenty squares of the lean */
#define ABUT_ROUND_SHIFT 0.02      /* overlapping bodies are parted by this */
#define ABUT_ROUND_DEEP 1e-6       /* gap that is good enough for a deep pair when rounding ends the polytope */
#define ABUT_ROUND_SHALLOW 0.02    /* pairs up to this depth are promised more */
#define ABUT_ROUND_FINE 5e-10      /* gap at which a polytope of theirs is done when it is grown once more */
#define ABUT_ROUND_CELLS 5e-7      /* gap to which cells of directions are halved where the polytope gave up */
#define ABUT_ROUND_ELSEWHERE 5e-5  /* 1 - cosine beyond which a facet that is as near is another one */
#define ABUT_ROUND_SAME 1e-9       /* radians: two normals in a row this near each other end the rounds */

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

#define ABUT_DERIVATIVE_FLAT                                                                                           \
    1e-9 /* vertices this near each other span nothing; distances this small have no direction */
#define ABUT_DERIVATIVE_MARGIN 1e-7    /* weights below this are about to leave the feature */
#define ABUT_DERIVATIVE_RING 1e-6      /* curvature that exceeds the depth by no more leaves it the same all around */
#define ABUT_DERIVATIVE_STRAIGHT 1e-9  /* normals of round bodies this near that of a face or a line belong to it */
#define ABUT_DERIVATIVE_SINGULAR 1e-12 /* determinant below which the witness points can slide */

/* ---- intersection of regions ------------------------------------------------------------------------------------- */

#define ABUT_INTERSECT_TOLERANCE 1e-10 /* default: regions closer than this, of the typical offset, meet */
#define ABUT_INTERSECT_FAR 1e150       /* rows with offsets beyond this, absolute, are constants */
#define ABUT_INTERSECT_PROOF 1e-11     /* residual of a proof, of the sum of its weights */

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

#define ABUT_OVERLAP_APART 1e-9        /* bodies farther apart than this are DISJOINT without asking the distance */
#define ABUT_OVERLAP_TOUCH 1e-10       /* bodies without common volume this near each other touch */
#define ABUT_OVERLAP_LEAST_SIZE 1e-300 /* of a pair, absolute: two points touch where they coincide */
#define ABUT_OVERLAP_THIN 1e-12        /* volume / area below this is no volume */
#define ABUT_OVERLAP_NO_SIDE 1e-9      /* an area vector below this part of the area gives no normal */
#define ABUT_OVERLAP_DEEP 0.6          /* of its radius: a middle nearer to the other body is deep in it */
#define ABUT_OVERLAP_NEAR 1e-9         /* relative slack of a quick look at whether a plane is near */
#define ABUT_OVERLAP_TRACE_NEAR 1e-11  /* crossings this near a vertex or each other are left to the clipping */
#define ABUT_OVERLAP_TRACE_SLANT 1e-6  /* sine below which two faces that cross are left to it as well */
#define ABUT_OVERLAP_SAME 1e-11        /* vertices this near another plane may belong to another shape */
#define ABUT_OVERLAP_SLANT 1e-3        /* edges that meet a plane at a smaller sine are left to the clipping */
#define ABUT_OVERLAP_SNAP 64.0         /* roundings (DBL_EPSILON): vertices this near a plane lie on it */

#endif
