/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the mode room: every number that decides what is zero, in one place. All are relative: to the largest
 * value of a ray, a row, a column or a velocity, as said.
 */
#ifndef ABUT_SRC_MODE_TOLERANCE_H
#define ABUT_SRC_MODE_TOLERANCE_H

/* Values of rows on a ray below this part of the largest are zero, unless the options say otherwise. */
#define ABUT_MODE_ZERO 1e-9
#define ABUT_MODE_ZERO_DOUBLE_DOUBLE 1e-17

/* Size of a zero after rounding; a gap to the smallest other value is measured from here at least. */
#define ABUT_MODE_ROUNDING 1e-15
#define ABUT_MODE_ROUNDING_DOUBLE_DOUBLE 1e-31
/* Values below this are plain rounding; those between it and the next are noted, to tell how wide the gap is. */
#define ABUT_MODE_DUST 1e-14
#define ABUT_MODE_DUST_DOUBLE_DOUBLE 1e-30
#define ABUT_MODE_WATCHED 1e-4
#define ABUT_MODE_WATCHED_DOUBLE_DOUBLE 1e-8
/* Where a segment of two rays crosses a row, values below this (or twice the tolerance) are computed with care. */
#define ABUT_MODE_CROSSING 1e-6
/* Absolute, next to the smallest double: a vector without a larger value is the zero vector. */
#define ABUT_MODE_NOTHING 1e-290
/* The result is trusted when the smallest value taken for non-zero is so many times the largest taken for zero. */
#define ABUT_MODE_GAP 10.0

/* A column whose largest entry is below this part of all entries is rounding and is not scaled up. */
#define ABUT_MODE_COLUMN_NOISE 1e-12
/* For a row with scaled columns: below this it is a row of zeros; entries below that part of its largest are zero. */
#define ABUT_MODE_ROW_NOISE 1e-12
#define ABUT_MODE_ENTRY_NOISE 1e-14

/* A row of length 1 adds to the rank when more than this is left of it. */
#define ABUT_MODE_RANK 1e-9
#define ABUT_MODE_RANK_DOUBLE_DOUBLE 1e-17
/* Rows of a mode of a system with a tolerance are one another's up to this many times it: enumeration measures on rays,
 * this on rows, and what is left of a row may be larger. */
#define ABUT_MODE_CLEAN 10.0
/* A projected velocity below this part of the one asked for is rest. */
#define ABUT_MODE_REST 1e-11

/* Forces balance when less than this part of what acts is left over. */
#define ABUT_MODE_BALANCE 1e-8
/* A step leads into the mode when its margin is more than this. */
#define ABUT_MODE_MARGIN 1e-7
/* Weight of the quadratic term that keeps the answer of the linear program unique. */
#define ABUT_MODE_REGULAR 1e-6

/* Tangents and normal of a contact are at right angles when the cosine between them is at most this. */
#define ABUT_MODE_RIGHT_ANGLE 1e-6

/* An entry is the fraction p / q when it is that close to it. */
#define ABUT_MODE_FRACTION 4e-15

#endif
