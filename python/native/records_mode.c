/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about contact modes. */
#include "records.h"

static const Field mode_result_fields[] = {
    BIG_COUNT(AbutModeResult, cs_modes),
    BIG_COUNT(AbutModeResult, modes),
    FLAG(AbutModeResult, complete),
    FLAG(AbutModeResult, saturated),
    FLAG(AbutModeResult, exact),
    COUNT(AbutModeResult, unique_rows),
    REAL(AbutModeResult, tolerance),
    REAL(AbutModeResult, largest_zero),
    REAL(AbutModeResult, smallest_nonzero),
    FLAG(AbutModeResult, depends_on_tolerance),
    FLAG(AbutModeResult, double_double),
};

Record record_mode_result = RECORD("ModeCount",
    "How an enumeration of contact modes went.\n\n"
    "modes: their number. cs_modes: of separation patterns. complete: False where a limit or Ctrl-C ended it.\n"
    "exact: decided in exact integers. depends_on_tolerance: no clear gap between zero and not zero.",
    AbutModeResult, mode_result_fields);

static const Field force_result_fields[] = {
    FLAG(AbutModeForceResult, feasible),
    REAL(AbutModeForceResult, residual),
    REAL(AbutModeForceResult, margin),
};

Record record_force_result = RECORD("ForceResult",
    "Can the contacts produce forces that fit a mode? residual: what stays unbalanced, relative. margin: how far "
    "inside\n"
    "the mode the new velocity can be, relative.",
    AbutModeForceResult, force_result_fields);
