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

#endif
