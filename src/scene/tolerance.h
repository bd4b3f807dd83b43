/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of the broad phase and of margins, none with a unit; "size" is the cube root of the volume of a shape, or a
 * part of its radius where it is nearly flat.
 */
#ifndef ABUT_SCENE_TOLERANCE_H
#define ABUT_SCENE_TOLERANCE_H

#define ABUT_FAT_MARGIN 0.2   /* of the size: how much larger than needed a new fat box is, on each side */
#define ABUT_FAT_AHEAD 4.0    /* steps: where the way of so many is more than the margin, a box looks so far ahead */
#define ABUT_FAT_EXCESS 4.0   /* a fat box that is larger by more margins than this is replaced */
#define ABUT_MARGIN_SIZE 3e-5 /* of the size: margin of contact where it is left open, at least */
#define ABUT_FLAT_SIZE 0.1    /* of the bounding radius: least size of a shape */
#define ABUT_ROUND_BOX 1e-14  /* boxes of round shapes are larger by this part, so that rounding never parts bodies */

/* A tree of links is a balanced wheel where its reach, squared, is less than this of its radius of gyration, squared.
 */
#define ABUT_BALANCED 1e-12

/* Bodies that press: samples of a shape at most; cells along a grid; points around a round shape. */
#define ABUT_PRESSURE_SAMPLES 20000.0
#define ABUT_PRESSURE_CELLS 80.0
#define ABUT_PRESSURE_AROUND 48

#define ABUT_FEATURE_CROSSES 1e-9 /* of the size: sides of triangles that go farther through others cross them */
#define ABUT_FEATURE_DEEPEST 0.05 /* of the size: deepest touch that is looked for where surfaces cross */

#endif
