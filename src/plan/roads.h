/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of straight lines of which every edge is proved, by two trees; shortcuts. */
#ifndef ABUT_SRC_PLAN_ROADS_H
#define ABUT_SRC_PLAN_ROADS_H

#include "plan/path.h"
#include "plan/planner.h"
#include "proof/prover.h"

enum { ABUT_PLAN_PATH_MOST = 400 }; /* points of a path */

typedef struct AbutPlanTreeOfNodes {
    int32_t count;
    int32_t *parent;
    float *domain; /* per node: samples farther away are not tried; INFINITY: all are */
    double *u;     /* [nodes][width] */
    float *lanes;  /* the same for nearest nodes: [nodes / 8][width][8]; INFINITY where there is none yet */
} AbutPlanTreeOfNodes;

/* roadmap.h: room of a search through a roadmap. */
typedef struct AbutPlanRouteEntry {
    double least, length;  /* of the way to the goal, of the way to the posture */
    int32_t posture, from; /* count of the map: the goal; from -1: the start */
} AbutPlanRouteEntry;

typedef struct AbutPlanRoute {
    int32_t *parent;          /* per posture and the goal; -2: not reached */
    uint8_t *is_last;         /* per posture: near the goal */
    AbutPlanRouteEntry *heap; /* the least first */
    int32_t heap_count;
    void *memory;
} AbutPlanRoute;

typedef struct AbutPlanRoads {
    const AbutPlanProblem *problem;
    const AbutPlanTask *task;
    AbutPlanWork *work; /* of an attempt that knows torques and leans; NULL: neither counts */
    AbutPlanProver *prover;
    AbutRng *rng;
    double deadline;
    int32_t width;
    int leans;    /* 1: steps are moved over the support */
    int uniform;  /* 1: every other sample is spread over the limits; else all are about the line between the ends */
    double range; /* length of an edge, rad */
    AbutPlanTreeOfNodes tree[2];
    double *path; /* [ABUT_PLAN_PATH_MOST][width] of the whole motion */
    int32_t path_count;
    double *leg, *sample, *point;
    double *spread; /* of samples, per coordinate */
    double *low, *high, *shift;
    uint8_t *free;          /* per pair: may meet next to where an edge is; NULL: there are no windows */
    const AbutRoadmap *map; /* tried before trees; NULL: none */
    AbutPlanRoute route;
    void *memory;
} AbutPlanRoads;

/* Room for a search with edges that keep `level`. The generator and the task must outlive it. */
AbutStatus abut_plan_roads_make(const AbutPlanProblem *problem, const AbutPlanTask *task, double level, AbutRng *rng,
    double deadline, AbutPlanRoads *out, AbutError *error);
void abut_plan_roads_free(AbutPlanRoads *roads);

/* roads->path through all postures of the task, cut short; 0: none was found. */
int abut_plan_roads_find(AbutPlanRoads *roads, int samples);

/* Is the straight edge proved free, with all that counts beside distances? */
int abut_plan_roads_edge(AbutPlanRoads *roads, const double *a, const double *b);

/* Are joints that follow several coordinates within their limits? */
int abut_plan_is_within(const AbutPlanProblem *problem, const double *u);

/* The distance that edges keep so that a curve about them can keep the level. */
double abut_plan_road_level(const AbutPlanProblem *problem, const AbutPlanSettings *settings);

/* shortcut.c: makes a leg of n points shorter; the new n. */
int32_t abut_plan_shorten(AbutPlanRoads *roads, double *leg, int32_t n);

#endif
