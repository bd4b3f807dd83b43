/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: contacts and bodies on their way to rows. */
#ifndef ABUT_SRC_MODE_CONTACT_ROWS_H
#define ABUT_SRC_MODE_CONTACT_ROWS_H

#include "abut/mode.h"

/* Reason why a contact is invalid, or NULL: numbers, directions, right angles; in the plane, what leaves it. */
const char *abut_mode_contact_fault(const AbutPointContact *c, int planar);

/* The two axes of the tangent plane of a contact, of length 1, chosen where they are not given. */
void abut_mode_line_axes(const AbutPointContact *c, int planar, AbutVec3 *x, AbutVec3 *y);

/* A row of contact i in double-double numbers: the normal row (line -1) or that of a line. */
void abut_mode_row_double_double(const AbutModeSystemDef *def, int i, int line, double *hi, double *low);

/* A system of rows that are still to be filled, at *rows: normal rows, tangent rows, and as many behind them with
 * `low_rows`. Release with abut_mode_system_free. */
AbutStatus abut_mode_system_room(
    int contacts, int dof, int lines, int low_rows, AbutModeSystem *out, double **rows, AbutError *error);

/* A copy in one block, for abut_free; NULL: no memory. */
AbutModeSystemDef *abut_mode_def_copy(const AbutModeSystemDef *from);

#endif
