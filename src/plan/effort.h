/* SPDX-License-Identifier: Apache-2.0 */
/* Torques of a robot in motion, and what the ground does. */
#ifndef ABUT_SRC_PLAN_EFFORT_H
#define ABUT_SRC_PLAN_EFFORT_H

#include "abut/plan.h"
#include "proof/problem.h"

typedef struct AbutPlanDynamics {
    const AbutPlanProblem *problem;
    AbutConfiguration *c;
    AbutPlanPosture at;
    int32_t root, base, foot_count; /* free base of what stands, and its first velocity; -1: none */
    int32_t velocity_count;
    double *positions, *velocities, *accelerations, *torques;
    double *jacobian; /* [12][velocities] */
    void *memory;
} AbutPlanDynamics;

/* Force and moment about a point, world. */
typedef struct AbutPlanWrench {
    AbutVec3 point, force, moment;
} AbutPlanWrench;

AbutStatus abut_plan_dynamics_make(const AbutPlanProblem *problem, AbutPlanDynamics *out, AbutError *error);
void abut_plan_dynamics_free(AbutPlanDynamics *dynamics);

/* Torques of the joints of the problem at its joints q, speeds and accelerations (both NULL: at rest); the wrench that
 * the ground gives what stands. */
AbutStatus abut_plan_dynamics_at(AbutPlanDynamics *dynamics, const double *q, const double *v, const double *a,
    double *torques, AbutPlanWrench *ground, AbutError *error);

/* The moment about an edge of the support polygon: a force times the distance inside of it. */
double abut_plan_edge_moment(const AbutPlanProblem *problem, const AbutPlanEdge *edge, const AbutPlanWrench *wrench);

#endif
