/* SPDX-License-Identifier: Apache-2.0 */
/* One attempt of the portfolio, from its first motion to its certificate. */
#ifndef ABUT_SRC_PLAN_ATTEMPT_H
#define ABUT_SRC_PLAN_ATTEMPT_H

#include "plan/planner.h"

typedef struct AbutPlanTry {
    AbutPlanAttempt report;
    AbutStatus status; /* of the memory */
    int32_t done;
    int32_t worst; /* constraint; -1: no violation */
    double worst_s;
    AbutCertificate certificate;
    int32_t point_count;
    double *points; /* the caller's, or `own` */
    double *own;    /* of the fast attempt: to be freed, as is its path [path_count][coordinates] */
    int32_t path_count;
    double *path;
    int32_t missed; /* posture on the way, by `miss`; -1: none is */
    double miss;
} AbutPlanTry;

/* Attempt number `number` of the portfolio; its kind and its random numbers follow from it. `fast`, unless NULL, is the
 * fast attempt, which was made before as number 0. */
void abut_plan_try(const AbutPlanProblem *problem, const AbutPlanSpline *spline, const AbutPlanTask *task,
    const AbutPlanSettings *settings, int32_t number, const AbutPlanTry *fast, double deadline, AbutPlanTry *out);

/* quick.c: is the fast attempt for this; and that attempt. Where no path is found it is the straight line. */
int abut_plan_is_quick(const AbutPlanProblem *problem, const AbutPlanQuery *query, const AbutPlanSettings *settings);
void abut_plan_try_quick(const AbutPlanProblem *problem, const AbutPlanTask *task, const AbutPlanSettings *settings,
    double deadline, AbutPlanTry *out);

/* input.c: are the settings and the query such as can be planned with? */
AbutStatus abut_plan_check_settings(const AbutPlanProblem *problem, const AbutPlanSettings *settings, AbutError *error);
AbutStatus abut_plan_check_query(const AbutPlanProblem *problem, const AbutPlanQuery *query, AbutError *error);
/* Are its postures within limits, clear and in balance? Else *plan says why they cannot be. */
AbutStatus abut_plan_check_postures(
    const AbutPlanProblem *problem, const AbutPlanQuery *query, int torque, AbutPlan *plan, AbutError *error);

#endif
