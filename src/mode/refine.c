/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/plan.h"
void abut_mode_refine(AbutModeRun *run, int level)
{
    abut_mode_engine_pick(run->plan, 0, level)(run);
}
