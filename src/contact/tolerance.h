/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tolerances of the contact room. Lengths are parts of the size of the smaller body (the cube root of its volume); they
 * were found for bodies of 0.1 m.
 */
#ifndef ABUT_CONTACT_TOLERANCE_H
#define ABUT_CONTACT_TOLERANCE_H

/* Overlaps of less volume, part of size^3, are none. */
#define ABUT_CONTACT_VOLUME 1e-27

/* Where the area vector is shorter than this part of the surface, it gives no normal. */
#define ABUT_CONTACT_NORMAL 0.005

/* Faces whose normals have less than this along the contact normal are sides: they cast no shadow. */
#define ABUT_CONTACT_SIDE 0.01

/* Corners of the polygon nearer than this part of the size, plus this part of the length of the patch, are one. */
#define ABUT_CONTACT_MERGE 1e-3
#define ABUT_CONTACT_MERGE_PATCH 1e-4

/* Slopes of the thickness over patches shorter than this part of the size are damped. */
#define ABUT_CONTACT_DAMP 1e-2

/* Least length of a patch, part of the size. */
#define ABUT_CONTACT_LENGTH 1e-6

/* Bounding radii are larger by this part than computed, so that rounding never parts bodies. */
#define ABUT_CONTACT_REACH 1e-9

/* Round bodies. A contact normal with this cosine to that of a face is the face's, where the bodies are as far apart
 * along it to this part of the size. Sharp bodies are parted by this part of the size, until the normal changes by less
 * than this. */
#define ABUT_ROUND_FACE 0.999
#define ABUT_ROUND_FACE_SLACK 1e-9
#define ABUT_ROUND_PART 0.02
#define ABUT_ROUND_SETTLED 1e-5

/* A contact whose normal is this close to that of a face is on the face, not on its edge. */
#define ABUT_ROUND_ON_FACE 1e-6

/* A cylinder or cone shows its end to directions within this cosine of its axis. A disc that is tilted by less than
 * this part of the margin at its rim lies flat. Polygons are widened by this part of the size before they cut. Where no
 * corner comes as close to the full thickness as this part of the margin, the point of the distance is one too; corners
 * nearer to each other than ABUT_CONTACT_MERGE of the size are one. */
#define ABUT_ROUND_END 0.70710678118654752
#define ABUT_ROUND_FLAT 0.2
#define ABUT_ROUND_WIDER 1e-4
#define ABUT_ROUND_MISSED 0.02

/* Faces steeper than this cosine are not measured against. */
#define ABUT_ROUND_STEEP 0.05

/* Round bodies found deeper than this part of their size met earlier in the step; how near the meeting is found. */
#define ABUT_TOUCH_DEEP 2e-3
#define ABUT_TOUCH_NEAR 1e-4

/* Touches of meshes. Those of one patch have normals that differ by less than this; crossing edges count so much in its
 * normal. Corners nearer than this part of the size are one; no patch is shorter than this part of it. Among many
 * touches those whose wrenches differ by less than the first are one, and stand for deeper ones up to the second;
 * touches that are apart count so much. */
#define ABUT_TOUCH_TURNED 2e-3
#define ABUT_TOUCH_CROSSING_WEIGHT 1e-3
#define ABUT_TOUCH_SAME 1e-6
#define ABUT_TOUCH_LEAST_LENGTH 1e-3
#define ABUT_TOUCH_LEAST 0.01
#define ABUT_TOUCH_CELL 0.32
#define ABUT_TOUCH_LOOSE 0.05

#define ABUT_PRESSURE_PATCH 0.5 /* cosine between normals of points of one patch that presses */

#endif
