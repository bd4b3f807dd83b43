/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: one row of a contact. */
#ifndef ABUT_SRC_MODE_ROWS_H
#define ABUT_SRC_MODE_ROWS_H

#include "mode/plan.h"

/* The two axes of the tangent plane of a contact, chosen where they are not given. */
void abut_mode_line_axes(const AbutPointContact *c, int planar, AbutVec3 *x, AbutVec3 *y);

/* A row in pairs of doubles: the normal row (line -1) or that of a line. */
void abut_mode_row_pair(const AbutPointContact *c, const AbutModeBody *bodies, int line, int lines, int planar, int dof,
    double *hi, double *low);

/* A copy in one block, for abut_free; NULL: no memory. */
AbutModeParts *abut_mode_parts_copy(const AbutModeParts *from);

#endif
