/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/robot.h"

static const AbutField ik_fields[] = {
    {ABUT_FIELD(AbutIkResult, reached, FLAG, "", "Both errors are within their tolerances.")},
    {ABUT_FIELD(AbutIkResult, iterations, INT, "", "Steps of the search.")},
    {ABUT_FIELD(AbutIkResult, restarts, INT, "", "Random starts after the first.")},
    {ABUT_FIELD(AbutIkResult, error_position, REAL, "m", "Largest position error of any task.")},
    {ABUT_FIELD(AbutIkResult, error_rotation, REAL, "rad", "Largest rotation error of any task.")},
};

const AbutRecord abut_ik_result_record =
    ABUT_RECORD("IkResult", "How a search for joint coordinates ended.", AbutIkResult, ik_fields);
