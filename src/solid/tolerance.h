/* SPDX-License-Identifier: Apache-2.0 */
/* The tolerances of this room, each with its meaning. */
#ifndef ABUT_SOLID_TOLERANCE_H
#define ABUT_SOLID_TOLERANCE_H

#define ABUT_CAST_GRAIN                                                                                                \
    1e-13 /* rays this near to a body touch it, of the lengths of ray and distance; they begin on its surface, of the  \
             lengths of their origin and of the numbers that describe the body */

#endif
