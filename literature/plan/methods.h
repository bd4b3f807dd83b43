/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of Lee's thesis: its nonlinear program, and the least distances that it works with. */
#ifndef ABUT_LITERATURE_PLAN_METHODS_H
#define ABUT_LITERATURE_PLAN_METHODS_H

#include "abut/literature.h"
#include "plan/attempt.h"
#include "abut/plan.h"
#include "proof/certify.h"

/* The least distance of one item over one piece of a trajectory. */
AbutPlanLeast abut_plan_item_mcd(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanMcd mcd,
    int32_t item, int32_t piece, AbutPlanMoment *moment, AbutConvexCache *cache);

/* One nonlinear program, from work->control. */
AbutPlanSqp abut_plan_solve_thesis(AbutPlanWork *work);

#endif
