/* SPDX-License-Identifier: Apache-2.0 */
/* The least distance of two pieces over one piece of a trajectory. */
#ifndef ABUT_SRC_PLAN_MCD_H
#define ABUT_SRC_PLAN_MCD_H

#include "plan/certify.h"

/* Of one item. */
AbutPlanLeast abut_plan_item_mcd(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanMcd mcd,
    int32_t item, int32_t piece, AbutPlanMoment *moment, AbutConvexCache *cache);

#endif
