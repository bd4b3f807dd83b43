/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of the simulation, each with its unit; "size" is the cube root of the volume of the smaller body. */
#ifndef ABUT_DYNAMICS_TOLERANCE_H
#define ABUT_DYNAMICS_TOLERANCE_H

/* Relative motion below this part of the size keeps the geometry of a contact. */
#define ABUT_COHERENCE 2e-7

/* Bodies that just touch keep their last polygon: up to this gap and this motion since it was made, parts of the size.
 */
#define ABUT_KEPT_GAP 1e-14
#define ABUT_KEPT_SHIFT 1e-3

/* Steps longer than this are cut into equal parts, s. */
#define ABUT_LONGEST_PART 2.5e-3

/* Slower than this, plus what the solver leaves, nothing slides, m/s. */
#define ABUT_SLIP_SPEED 1e-9

/* A body slower than this (m/s, its spin counted at this many metres) for so long (s) may sleep. */
#define ABUT_SLEEP_SPEED 2e-3
#define ABUT_SLEEP_LENGTH 0.1
#define ABUT_SLEEP_TIME 0.5

/* Continuous motion, parts of the inner radius of the thinner body: a pair that touches may sink in by so much in a
 * step, found to within the slack; an overlap that ends shallower needs no help. */
#define ABUT_IMPACT_SINK 0.25
#define ABUT_IMPACT_SLACK 0.05
#define ABUT_IMPACT_SHALLOW 0.5

#endif
