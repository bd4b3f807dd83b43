/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning.  */
#ifndef ABUT_MATH_TOLERANCE_H
#define ABUT_MATH_TOLERANCE_H

#define ABUT_EIGEN3_DONE 1e-300    /* sum of the entries off the diagonal that counts as zero */
#define ABUT_POLY_SHARP 1e-15      /* bounds this near to a value that is reached are sharp */
#define ABUT_POLY_SAME_ROOT 1e-12  /* roots closer than this part of the interval count once */
#define ABUT_QUAT_SMALL_ANGLE 1e-4 /* sine below which the angle is taken by its series */
#define ABUT_QUAT_OPPOSITE 1e-8    /* 1 + cosine below which two directions are opposite */

#define ABUT_MATH_DETERMINANT 1e-14 /* rounding of a determinant of three vectors, of their sizes multiplied */

#endif
