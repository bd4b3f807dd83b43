/* SPDX-License-Identifier: Apache-2.0 */
/* bench: planners of other libraries on problems of abut. */
#ifndef ABUT_BENCH_PLAN_PEER_H
#define ABUT_BENCH_PLAN_PEER_H

#include "abut/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchPlanAsk {
    const AbutPlanProblem *problem;
    const AbutModel *robot, *obstacles;
    const double *start, *goal; /* coordinates */
    double seconds;             /* at most */
} BenchPlanAsk;

/* RRTConnect of OMPL and its simplification, postures checked by FCL at the resolution that OMPL has by itself. Writes
 * at most `most` points of a path to `out`; gives their number, 0: none found. */
int bench_plan_ompl(const BenchPlanAsk *ask, int most, double *out);

#ifdef __cplusplus
}
#endif

#endif
