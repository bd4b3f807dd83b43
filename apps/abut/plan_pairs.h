/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of links that the options of `abut plan` name. */
#ifndef ABUT_CLI_PLAN_PAIRS_H
#define ABUT_CLI_PLAN_PAIRS_H

#include "plan.h"

typedef struct PlanPairList {
    int32_t count;
    AbutPlanLinks *pairs;
} PlanPairList;

typedef struct PlanWindowList {
    int32_t count;
    AbutPlanWindow *windows;
} PlanWindowList;

/* Of --allow, --pairs and --add; and those of --allow that have times. */
typedef struct PlanPairs {
    PlanPairList allowed, only, added;
    PlanWindowList timed;
} PlanPairs;

/* Reads them. CLI_GO, or CLI_BAD after one line; to be freed in either case. */
void plan_take_pairs(const PlanSetup *setup, PlanPairs *out);
void plan_free_pairs(PlanPairs *pairs);

/* Number of the link whose name is `length` characters long; -1 after one line. */
int32_t plan_find_link(const PlanSetup *setup, const char *option, const char *name, size_t length);

#endif
