/* SPDX-License-Identifier: Apache-2.0 */
/* Free turning of rigid bodies. */
#ifndef ABUT_STEP_TURN_H
#define ABUT_STEP_TURN_H

#include "abut/math.h"

/* How a free body turns in the time h, in its own axes. Inverse inertia, angular momentum, and what of it joints carry,
 * all in body axes; momentum and energy stay. */
AbutQuat abut_free_turn(const AbutMat3 *inverse, AbutVec3 momentum, AbutVec3 inside, double h);

#endif
