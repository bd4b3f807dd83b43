/* SPDX-License-Identifier: Apache-2.0 */
/* How exact a description must be. All relative. */
#ifndef ABUT_MODEL_TOLERANCE_H
#define ABUT_MODEL_TOLERANCE_H

#define ABUT_UNIT_TOLERANCE 1e-6     /* length of a quaternion or an axis */
#define ABUT_SYMMETRY_TOLERANCE 1e-6 /* of a given inertia, part of its trace */
#define ABUT_MOMENT_TOLERANCE 1e-6   /* of "the largest moment is at most the sum of the others" */
#define ABUT_LEAST_MOMENT 1e-14      /* part of the trace; smaller ones cannot be inverted */

#endif
