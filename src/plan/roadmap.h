/* SPDX-License-Identifier: Apache-2.0 */
/* Ways through a roadmap, whose edges are proved again where the search asks for them. */
#ifndef ABUT_SRC_PLAN_ROADMAP_H
#define ABUT_SRC_PLAN_ROADMAP_H

#include "plan/roads.h"

/* Room for roads->route. */
AbutStatus abut_plan_route_make(const AbutRoadmap *map, AbutPlanRoute *out);

/* Points of roads->leg from one posture to another, every edge proved; 0: none found. */
int32_t abut_plan_route_find(AbutPlanRoads *roads, const double *from, const double *to);

/* The nearest postures of a map, but for one (-1: all count), nearest first; gives their number. `apart` receives
 * their distances. */
int32_t abut_plan_near_postures(
    const AbutRoadmap *map, const double *u, int32_t but, int32_t most, int32_t *out, double *apart);

#endif
