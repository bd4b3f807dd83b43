/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories between Python and the library. */
#ifndef ABUT_PYTHON_TRAJECTORIES_H
#define ABUT_PYTHON_TRAJECTORIES_H

#include "convert.h"

/* (times (n,), joints (n, joints), a word of interpolation), or (times (n + 1,), coefficients (n, joints, 6), None);
 * 0, or -1 with an exception. To be freed with abut_trajectory_free. */
int read_trajectory(PyObject *const *args, AbutTrajectory *out);

/* (times, coefficients) */
PyObject *tell_trajectory(const AbutTrajectory *trajectory);

#endif
