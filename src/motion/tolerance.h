/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. */
#ifndef ABUT_MOTION_TOLERANCE_H
#define ABUT_MOTION_TOLERANCE_H

#define ABUT_MOTION_LARGEST                                                                                            \
    1e60 /* lengths, times and rates beyond this are refused, absolute: products would overflow */

#define ABUT_MOTION_UNIT 1e-6 /* squared lengths of axes and quaternions may differ from 1 by this */

#endif
