/* SPDX-License-Identifier: Apache-2.0 */
/* One attempt at a plan: its memory, its constraints, and the steps that share them. */
#ifndef ABUT_SRC_PLAN_PLANNER_H
#define ABUT_SRC_PLAN_PLANNER_H

#include "solve/solve.h"
#include "plan/effort.h"
#include "plan/spline.h"

enum {
    ABUT_PLAN_GRID = 65,       /* postures along the motion */
    ABUT_PLAN_FINE = 129,      /* the same where a certificate failed */
    ABUT_PLAN_ROWS = 900,      /* of a quadratic program */
    ABUT_PLAN_ROWS_NEAR = 640, /* of these for constraints; the rest is for limits */
    ABUT_PLAN_ESCAPES = 24
};

/* The plan wanted: from rest at `start` to rest at `goal`, through postures at times 0 < s < 1. All [coordinates]. */
typedef struct AbutPlanTask {
    const double *start, *goal;
    int32_t via_count;
    double via_s[ABUT_PLAN_VIA_LIMIT];
    const double *via[ABUT_PLAN_VIA_LIMIT];
} AbutPlanTask;

/* A constraint at one time: distance >= wanted; the gradient is [coordinates]. Numbered are pairs of pieces, then edges
 * of the support polygon, then torques of the joints of the problem. */
typedef struct AbutPlanRow {
    int32_t item;
    double s, value, wanted;
    double *gradient;
} AbutPlanRow;

/* All constraints that matter to a motion. */
typedef struct AbutPlanRows {
    int32_t count, worst; /* item of the largest violation; -1: none */
    double largest, sum;  /* violations */
    double worst_s;
    AbutPlanRow *rows; /* ABUT_PLAN_ROWS_NEAR */
} AbutPlanRows;

/* A direction in which all pieces of a group leave an obstacle. */
typedef struct AbutPlanEscape {
    int32_t group, from, to; /* samples of the episode */
    AbutVec3 n;
    int16_t *first, *last; /* per item: samples for which it holds; first > last: none */
} AbutPlanEscape;

/* A row of the quadratic program: (basis) x (gradient). */
typedef struct AbutPlanQpRow {
    double basis[ABUT_SPLINE_MOST], solved[ABUT_SPLINE_MOST]; /* solved = (H + lambda W)^-1 basis */
    double *gradient;
    double rhs, top, y;  /* multiplier between 0 and top */
    double norm;         /* root of its own entry in the dual */
    int32_t from, to;    /* of the basis: outside it is 0 */
    int equation, loose; /* loose: the multiplier is not at a bound */
    int32_t filled;      /* entries of its column that are known */
    int32_t mark;        /* of rows that are added once; 0: none */
} AbutPlanQpRow;

typedef struct AbutPlanWork {
    const AbutPlanProblem *problem;
    const AbutPlanSpline *spline;
    const AbutPlanTask *task;
    int32_t width;   /* coordinates */
    int32_t grid;    /* postures of a collection now */
    int32_t sampled; /* 1: constraints at the postures of the grid alone */
    double deadline; /* clock; the attempt ends there */
    const AbutPlanSettings *settings;
    AbutPlanDynamics *dynamics;  /* NULL: torques are no rows */
    double *torques, *joint_row; /* of the joints of the problem */
    AbutRng rng;
    AbutPlanPosture *postures; /* of the grid, and one more */
    AbutVec3 *centers;         /* [grid][pieces]: of the balls in these postures */
    double *moves;             /* the same: how far points of the piece go since the posture before, at most */
    double *joints;            /* of the problem, room for one posture */
    double *coordinates;       /* room for one */
    AbutConvexCache *caches;   /* per item */
    double *extra;             /* margin per constraint, beside that of the problem */
    AbutPlanDistance *along;   /* of one item over the grid */
    double *distance;          /* the same */
    double *depth;             /* [items][grid] of an episode search */
    int32_t escape_count;
    AbutPlanEscape escapes[ABUT_PLAN_ESCAPES];
    AbutPlanRows now, next;                /* of the iterate and of the trial */
    double *control, *trial, *step, *best; /* [points][width] */
    AbutPlanQpRow *qp;                     /* ABUT_PLAN_ROWS */
    int32_t *used;                         /* per coordinate: room */
    double *first, *slope;                 /* step without rows, gradient of the cost */
    double *kernel, *factor;               /* ABUT_PLAN_ROWS squared */
    void *memory;
    int64_t iterations;
} AbutPlanWork;

/* How an SQP ended. */
typedef struct AbutPlanSqp {
    int feasible;
    double cost, violation;
} AbutPlanSqp;

AbutStatus abut_plan_work_make(const AbutPlanProblem *problem, const AbutPlanSpline *spline, const AbutPlanTask *task,
    const AbutPlanSettings *settings, int32_t grid_most, AbutPlanWork *out, AbutError *error);
void abut_plan_work_free(AbutPlanWork *work);

/* Largest speed (order 1) or acceleration (order 2) of a joint of the problem. */
static inline double abut_plan_rate_limit(
    const AbutPlanProblem *problem, const AbutPlanSettings *settings, int32_t joint, int order) {
    double own = order == 1 ? problem->limits[joint].speed : problem->limits[joint].acceleration;
    return !isnan(own) ? own : order == 1 ? settings->speed : settings->acceleration;
}

/* Is the time of the attempt up? */
int abut_plan_is_over(const AbutPlanWork *work);

/* Which obstacle, or pair of links, an item belongs to. */
int32_t abut_plan_group(const AbutPlanProblem *problem, int32_t item);

/* The posture at coordinates u. */
void abut_plan_place(const AbutPlanWork *work, const double *u, AbutPlanPosture *out);

/* Constraints after the pairs: the first edge, the first torque, how many there are in all. */
static inline int32_t abut_plan_first_torque(const AbutPlanProblem *problem) {
    return problem->item_count + problem->edge_count;
}

static inline int32_t abut_plan_constraint_count(const AbutPlanProblem *problem) {
    return abut_plan_first_torque(problem) + problem->tree.joint_count;
}

/* A torque counts as a length: 10 cm is its whole limit, of which 2 mm are kept. */
#define ABUT_PLAN_TORQUE_LENGTH 0.1

static inline double abut_plan_wanted(const AbutPlanWork *work, int32_t item) {
    const AbutPlanProblem *p = work->problem;
    double margin = item < p->item_count ? p->margin : item < abut_plan_first_torque(p) ? p->balance_margin : 0.002;
    return margin + work->extra[item];
}

/* static.c: rows of balance and of static torques at the postures of the grid; and do they hold at coordinates u, in
 * the posture that these give? */
void abut_plan_collect_static(AbutPlanWork *work, const double *control, int bare, AbutPlanRows *out);
int abut_plan_is_steady(AbutPlanWork *work, const double *u, const AbutPlanPosture *at);

/* collect.c: a row of a constraint whose gradient is written, unless `bare`; where it goes, NULL: nowhere. */
AbutPlanRow *abut_plan_new_row(AbutPlanWork *work, AbutPlanRows *out, int32_t item, double s, double value, int bare);

/* collect.c: the postures of the grid along a motion; and how far an item is apart in number i, by the balls. */
void abut_plan_place_grid(AbutPlanWork *work, const double *control);
double abut_plan_grid_apart(const AbutPlanWork *work, const AbutPlanItem *item, int32_t i);

/* collect.c: the rows of a motion, gradients too unless `bare`. */
void abut_plan_collect(AbutPlanWork *work, const double *control, int bare, AbutPlanRows *out);

/* plan_qp.c: work->step from work->control and work->now; *decrease is what the model promises. */
void abut_plan_qp_step(AbutPlanWork *work, double lambda, double penalty, double *decrease);

/* sqp.c: improves work->control. */
AbutPlanSqp abut_plan_sqp(AbutPlanWork *work, int steps);

/* Another way to plan. `check` refuses a problem or a value. With `solve` one attempt is made, from work->control;
 * without it the attempts are the usual ones, with constraints at as many fixed times alone as the value says. */
typedef struct AbutPlanMethodRow {
    AbutStatus (*check)(const AbutPlanProblem *problem, int64_t value, AbutError *error);
    AbutPlanSqp (*solve)(AbutPlanWork *work);
} AbutPlanMethodRow;

static inline int abut_plan_is_solved_apart(const AbutPlanSettings *settings) {
    return settings->method.row && settings->method.row->solve;
}

/* 0: constraints hold at all times. */
static inline int32_t abut_plan_fixed_times(const AbutPlanSettings *settings) {
    return settings->method.row && !settings->method.row->solve ? (int32_t)settings->method.value : 0;
}

/* escape.c: escapes of that rank, then true distances, from work->control. */
AbutPlanSqp abut_plan_escape(AbutPlanWork *work, int rank, int steps);

/* guess.c: control points of the first guess, of a bump, of a path found by two trees. */
void abut_plan_guess(AbutPlanWork *work);
void abut_plan_bump(AbutPlanWork *work, double size);

/* roads.c: 1 when a path of proved edges was found; work->control, which was the first motion, then follows it. -1: no
 * memory. Focused: few coordinates are spread, and steps are moved over the support. */
int abut_plan_find_path(AbutPlanWork *work, int samples, int focused);

/* guess.c: control points nearest to a path of straight lines, [count][width]. */
void abut_plan_fit(AbutPlanWork *work, int32_t count, const double *path);

#endif
