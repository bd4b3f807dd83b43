/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/mode.h"

static const AbutField result_fields[] = {
    {ABUT_FIELD(AbutModeResult, cs_modes, ULONG, "", "Patterns of separation with at least one mode.")},
    {ABUT_FIELD(AbutModeResult, modes, ULONG, "", "Number of modes.")},
    {ABUT_FIELD(AbutModeResult, complete, FLAG, "",
        "False where a limit, the budget or an interruption ended the enumeration.")},
    {ABUT_FIELD(AbutModeResult, out_of_budget, FLAG, "", "The budget ended the enumeration.")},
    {ABUT_FIELD(AbutModeResult, saturated, FLAG, "", "The number of modes does not fit 64 bits.")},
    {ABUT_FIELD(AbutModeResult, exact, FLAG, "", "Decided in exact integers.")},
    {ABUT_FIELD(AbutModeResult, unique_rows, INT, "", "Rows left after parallel ones are merged.")},
    {ABUT_FIELD(AbutModeResult, tolerance, REAL, "", "Relative size of what counts as zero; 0 when exact.")},
    {ABUT_FIELD(AbutModeResult, largest_zero, REAL, "", "Largest relative value taken for zero.")},
    {ABUT_FIELD(AbutModeResult, smallest_nonzero, REAL, "", "Smallest relative value taken for non-zero.")},
    {ABUT_FIELD(AbutModeResult, depends_on_tolerance, FLAG, "", "No clear gap between zero and non-zero.")},
    {ABUT_FIELD(AbutModeResult, double_double, FLAG, "", "Decided in double-double numbers.")},
};

const AbutRecord abut_mode_result_record =
    ABUT_RECORD("ModeCount", "How an enumeration of contact modes went.", AbutModeResult, result_fields);

static const AbutField force_fields[] = {
    {ABUT_FIELD(AbutModeForceResult, feasible, FLAG, "", "The contacts can produce forces that fit the mode.")},
    {ABUT_FIELD(AbutModeForceResult, residual, REAL, "", "What stays unbalanced, relative to the forces that act.")},
    {ABUT_FIELD(AbutModeForceResult, margin, REAL, "", "How far inside the mode the new velocity can be, relative.")},
};

const AbutRecord abut_mode_force_result_record =
    ABUT_RECORD("ForceResult", "Can the contacts produce forces that fit a mode?", AbutModeForceResult, force_fields);
