/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the state of a search, and its parts.
 *
 * Everything happens in the frame of B about its center; A, the smaller body, moves. Directions n point from B to A
 * here; the interface turns them round.
 */
#ifndef ABUT_CLEARANCE_SEARCH_H
#define ABUT_CLEARANCE_SEARCH_H

#include "clearance/clearance_body.h"
#include "motion/pose_model.h"

enum { ABUT_CONTROLS = ABUT_MODEL_TERMS, ABUT_MOVING = 128, ABUT_PAIR_STACK = 512, ABUT_KEPT = 2048 };

#define ABUT_CLEARANCE_ALPHA 0.35    /* the motion is to blame when it costs more than this part of the boxes */
#define ABUT_CLEARANCE_LARGEST 1e30  /* m: longer lengths are refused, floats could not hold them */
#define ABUT_CLEARANCE_SHORTEST 1e-9 /* of a piece: no interval is cut shorter */

/* Where A stands in B at one time. */
typedef struct AbutPlace {
    AbutVec3 t;
    AbutMat3 r;
} AbutPlace;

/* The motion over an interval, as the search sees it. */
typedef struct AbutSpan {
    double a, e;
    double t[3][ABUT_CONTROLS]; /* Bernstein control points of the translation, by component */
    AbutMat3 r[ABUT_CONTROLS];
    AbutPlace middle;
    double turn;  /* >= |r[k] - middle.r| for all k */
    double error; /* of the model, for any point of A */
    double slack; /* error, and rounding of a bound */
} AbutSpan;

/* A node of A over an interval. */
typedef struct AbutMoving {
    double x[3][ABUT_CONTROLS]; /* control points of its center, by component */
    double h[3][3];             /* half axes at the middle: h[component][axis] */
    AbutVec3 middle;
    double sweep, turn;
    int32_t node;
    int64_t span;
} AbutMoving;

/* An open pair of nodes and the best bound so far, rounded down. */
typedef struct AbutFrontItem {
    int32_t i, j;
    float lb;
} AbutFrontItem;

/* Distance of two leaves at one time: witness points about the center of B, n from B to A. */
typedef struct AbutLeafGap {
    double d;
    AbutVec3 a, b, n;
    double off; /* d is more than the points are apart by this, so that the true distance is not above it */
    int saturated;
} AbutLeafGap;

typedef struct AbutWitness {
    int32_t leaf_a, leaf_b; /* -1: none */
} AbutWitness;

/* Which model of a link over an interval, or which pose at a time (a = e), stands in a slot. */
typedef struct AbutKept {
    const AbutChain *chain; /* NULL: none */
    double a, e;
    int32_t link;
} AbutKept;

/* Data shared by many pairs. */
typedef struct AbutKeeper {
    AbutKept model_of[ABUT_KEPT], pose_of[ABUT_KEPT];
    AbutPose pose[ABUT_KEPT];
    AbutPoseModel model[ABUT_KEPT];
} AbutKeeper;

/* A pair of nodes and its bound at one place. */
typedef struct AbutWaitingPair {
    AbutFrontItem pair;
    double lb;
} AbutWaitingPair;

struct AbutClearanceSpace {
    AbutFrontItem *items;
    int32_t capacity;
    AbutKeeper *keeper; /* NULL: chains may have changed from one search to the next */
    AbutMoving moving[ABUT_MOVING];
    AbutFrontItem stack[ABUT_PAIR_STACK];     /* pairs that wait while one of the front is worked off */
    AbutWaitingPair waiting[ABUT_PAIR_STACK]; /* the same while the nearest is looked for */
};

typedef struct AbutSearch {
    const AbutClearanceBody *a, *b;
    const AbutMotion *motion_a, *motion_b;
    int swapped, solid;
    double from, to, eps, relative;
    double ub, t, lb;
    AbutWitness witness;
    AbutClearanceSpace *space;
    int32_t top; /* items in use */
    int64_t span_count, node_pairs, evaluations, budget;
    double deadline;   /* of INFINITY: none */
    int64_t next_look; /* at the clock: after so many node pairs */
    int spent;
    int late;   /* the deadline is what was spent */
    int broken; /* numbers passed all bounds: nothing is known */
} AbutSearch;

/* Makes a search ready; 0 when the numbers are bad. */
int abut_search_open(
    AbutSearch *s, const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, AbutClearanceSpace *space);

/* Are the settings finite and in range? */
int abut_search_is_good_def(const AbutClearanceDef *def);

/* A quick upper bound, from the first and the middle time and the last; or from those between, of which only what is
 * nearer than s->ub counts (start.c). */
void abut_search_guess(AbutSearch *s, int between);

/* From now on the space keeps what it learns of chains, which must not change; 0 without memory (models.c). */
int abut_space_keep(AbutClearanceSpace *space);

/* The model of a motion, and its pose, from those that the space keeps (models.c). The model may be in `room`, and
 * holds until the next is asked for. */
const AbutPoseModel *abut_space_model(
    AbutClearanceSpace *space, const AbutMotion *motion, double a, double e, AbutPoseModel *room);
AbutPose abut_space_pose(AbutClearanceSpace *space, const AbutMotion *motion, double t);

/* The parts of the search in the order of their use. */
void abut_search_start(AbutSearch *s);                         /* upper bound (start.c) */
void abut_search_front(AbutSearch *s, double from, double to); /* proof over from .. to (prove.c) */

/* Largest allowed ub - lb; a part of ub where that was measured and is not the care distance. */
static inline double abut_search_tolerance(const AbutSearch *s) {
    return s->witness.leaf_a >= 0 ? abut_larger(s->eps, s->relative * s->ub) : s->eps;
}

/* The whole question; leaves the search open for more (clearance.c). `guessed`: a guess has found nothing nearer than
 * def->care, which is given, and only the proof that nothing is remains. */
AbutClearance abut_search_run(AbutSearch *s, const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def,
    int guessed, AbutClearanceSpace *space);

/* Findings of the search, for the caller. */
AbutClearance abut_search_answer(AbutSearch *s, const AbutClearanceDef *def);
AbutClearance abut_clearance_nothing(AbutClearanceStatus status, double value);
AbutClearance abut_clearance_invalid(void); /* the same of bad numbers: all of its own are NaN */
AbutClearance abut_clearance_empty(void);   /* the same of a body without leaves: infinitely far, when and where NaN */

/* Does a motion stay at its start? */
int abut_clearance_stays(const AbutMotion *motion);

/* Why a search that is certified or not has ended. */
static inline int32_t abut_search_reason(int certified, int late, int spent) {
    return certified ? ABUT_CLEARANCE_BY_TOLERANCE
           : late    ? ABUT_CLEARANCE_BY_TIME
           : spent   ? ABUT_CLEARANCE_BY_BUDGET
                     : ABUT_CLEARANCE_BY_ROUNDING;
}

/* When a search that may take so long has to end; 0: never (prove.c). */
double abut_search_deadline(double seconds);
int abut_search_is_late(double deadline);
int abut_search_is_spent(AbutSearch *s); /* Has the budget or the time ended? */

/* A pair of leaves measured at a time, in the outer frame and the caller's order: d, points, normal from A to B. */
typedef struct AbutSeen {
    double d;
    AbutVec3 point_a, point_b, normal;
    int32_t part_a, part_b;
    int saturated;
} AbutSeen;

AbutSeen abut_search_see(AbutSearch *s, double t, AbutWitness witness);

/* Next time after t where a motion changes its formula, at most `to`. */
double abut_search_next_break(const AbutSearch *s, double t, double to);

/* The last such time before t, at least the begin of the interval. */
double abut_search_break_before(const AbutSearch *s, double t);

/* ---- motion (span.c) --------------------------------------------------------------------------------------------- */

AbutPlace abut_search_place(const AbutSearch *s, double t);
void abut_search_span(AbutSearch *s, double a, double e, AbutSpan *out);

/* Square of the largest singular value, bounded by the largest row sum of |D^T D|. */
double abut_norm_square(AbutMat3 d);

/* Bernstein control point k of the polynomial with these coefficients of s in -1 .. 1. */
AbutVec3 abut_control_point(const AbutVec3 *coefficients, int k);

/* As above, for six numbers at once, all control points, in rows `columns` apart. */
void abut_control_rows(double coefficients[ABUT_CONTROLS][6], int columns, double *out);

/* ---- bounds (bound.c): all hold for every time of the span ------------------------------------------------------- */

typedef struct AbutBound {
    double lb;
    AbutVec3 n;        /* direction of the bound */
    double boxes, way; /* what the extents of the boxes cost it, and what the motion costs it */
} AbutBound;

/* For a pair of nodes; looks no further once it is above `cut`. */
AbutBound abut_bound_nodes(AbutSearch *s, const AbutSpan *span, int32_t i, int32_t j, double cut);

/* For a pair of leaves along a direction; *control receives the control point where it is attained. */
double abut_bound_leaves(
    const AbutSearch *s, const AbutSpan *span, int32_t leaf_a, int32_t leaf_b, AbutVec3 n, int *control);

/* Lower bound of the distance of a pair of nodes at one place. */
double abut_bound_at(const AbutSearch *s, const AbutPlace *place, int32_t i, int32_t j, double cut);

/* ---- leaves (leaf.c) --------------------------------------------------------------------------------------------- */

AbutLeafGap abut_leaf_gap(AbutSearch *s, const AbutPlace *place, int32_t leaf_a, int32_t leaf_b);

/* As above, to rounding, where the depth of round pieces allows it: distance and points of an answer agree. */
AbutLeafGap abut_leaf_gap_fine(AbutSearch *s, const AbutPlace *place, int32_t leaf_a, int32_t leaf_b);

/* Takes a distance found at time t if it is the smallest so far. */
void abut_search_take(AbutSearch *s, double t, double d, int32_t leaf_a, int32_t leaf_b);

/* ---- one time (start.c) ------------------------------------------------------------------------------------------ */

/* The distance at a place if it is below `cut`, else `cut`; may be too large by the part gamma of itself. *witness is
 * where to begin, and receives the leaves. */
double abut_search_nearest(AbutSearch *s, const AbutPlace *place, double cut, double gamma, AbutWitness *witness);

/* As above, below some pairs of nodes only. */
double abut_search_nearest_below(AbutSearch *s, const AbutPlace *place, const AbutFrontItem *items, int32_t count,
    double cut, double gamma, AbutWitness *witness);

/* ---- two capsules, searched without trees (capsule.c) ------------------------------------------------------------- */

/* Is each body a single sphere or capsule? */
int abut_search_is_capsules(const AbutSearch *s);

/* Upper bound and proof at once, over all of the interval. */
void abut_search_capsules(AbutSearch *s);

/* ---- the curve of a search that has its bracket (clearance_curve.c), and its minima (polish.c) -------------------- */

void abut_search_curve(AbutSearch *s, double band, int (*visit)(const AbutClearanceSample *, void *), void *user);

/* At most `ceiling`: no time of the span has a larger distance, since the nearest points of two leaves at the middle,
 * kept on the bodies, stay that near. */
double abut_span_largest(AbutSearch *s, const AbutSpan *span, AbutWitness w, double ceiling);

/* Moves *t to the local minimum near it, looking at windows of +-width; 0 when that fails. */
int abut_search_polish(AbutSearch *s, double width, double *t, AbutWitness *witness);

/* ---- pairs of nodes ---------------------------------------------------------------------------------------------- */

static inline int abut_both_leaves(const AbutSearch *s, AbutFrontItem pair) {
    return s->a->nodes[pair.i].child < 0 && s->b->nodes[pair.j].child < 0;
}

static inline AbutWitness abut_leaves_of(const AbutSearch *s, AbutFrontItem pair) {
    AbutWitness out = {~s->a->nodes[pair.i].child, ~s->b->nodes[pair.j].child};
    return out;
}

/* Rounds a bound down for an item. */
static inline float abut_item_bound(double lb) { return nextafterf((float)lb, -INFINITY); }

/* The pairs that a pair is opened into: the larger node that is not a leaf gives way to its children. */
static inline void abut_open_pair(const AbutSearch *s, AbutFrontItem pair, double lb, AbutFrontItem child[2]) {
    const AbutClearanceNode *a = &s->a->nodes[pair.i], *b = &s->b->nodes[pair.j];
    int opens_a = b->child < 0 || (a->child >= 0 && a->rho >= b->rho);
    for (int k = 0; k < 2; ++k) {
        child[k].i = opens_a ? a->child + k : pair.i;
        child[k].j = opens_a ? pair.j : b->child + k;
        child[k].lb = abut_item_bound(lb);
    }
}

/* As above, onto a stack of pairs with room for both; the first comes off first. Returns the new count. */
static inline int abut_push_opened(
    const AbutSearch *s, AbutFrontItem pair, double lb, AbutFrontItem *stack, int count) {
    AbutFrontItem child[2];
    abut_open_pair(s, pair, lb, child);
    stack[count] = child[1], stack[count + 1] = child[0];
    return count + 2;
}

/* Is it the motion that makes a bound loose, rather than the boxes? */
static inline int abut_blames_motion(const AbutBound *bound, double eps) {
    return bound->way > ABUT_CLEARANCE_ALPHA * bound->boxes && bound->way > 0.25 * eps;
}

static inline AbutVec3 abut_node_center(const AbutClearanceNode *n) { return abut_vec3(n->c[0], n->c[1], n->c[2]); }

#endif
