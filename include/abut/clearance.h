/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clearance: how near two moving bodies come to each other over a whole motion, and when, with proof.
 *
 * The answer is a bracket: at time t two points of the bodies are `ub` apart, and at no time of the interval are the
 * bodies nearer than `lb`; ub - lb is at most the requested tolerance. Meshes are surfaces: their distance is 0 where
 * they meet, but not while one is inside the other (see CONTAINED). Bodies made of convex pieces are solid: their
 * distance continues below zero, to minus the depth of the deepest pair of pieces.
 */
#ifndef ABUT_CLEARANCE_H
#define ABUT_CLEARANCE_H

#include "abut/direction.h"
#include "abut/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/*
 * Prepares a body: a tree of boxes over one mesh, or over the union of convex solids and pieces in one frame. The body
 * does not change, and any number of threads may use it: abut_solid_prepared makes it the solid of a mover. A mesh is a
 * surface, but a closed mesh may contain the other body; a pointer to its tree is kept. Convex solids are copied, but
 * not the data they point to. A half-space or a plane must be alone in its body; two such bodies have no clearance
 * (INVALID). A mesh together with other solids is refused.
 */
ABUT_API AbutStatus abut_clearance_body_create(
    int32_t count, const AbutSolid *solids, AbutClearanceBody **out, AbutError *error);
ABUT_API void abut_clearance_body_free(AbutClearanceBody *body);

/* ---- the question ------------------------------------------------------------------------------------------------ */

typedef struct AbutClearanceDef {
    double from, to; /* interval of time, to >= from */
    double eps;      /* ub - lb to reach, m; 0: 1e-3 */
    double relative; /* > 0: or this fraction of ub, if that is larger */
    double care;     /* > 0: only distances below this matter */
    int64_t budget;  /* > 0: largest number of node pairs; 0: 5 million */
    double seconds;  /* > 0: largest wall time; if it ends the search (`reason`), the bracket depends on the machine but
                        is still valid */
} AbutClearanceDef;

typedef enum AbutClearanceStatus {
    ABUT_CLEARANCE_CLEAR = 0, /* proved: lb > 0 */
    ABUT_CLEARANCE_CONTACT,   /* certain: ub <= 0 */
    ABUT_CLEARANCE_CONTAINED, /* the surfaces never meet, and one body is inside the other all the time: ub = lb = 0, as
                                 for solids; points, normal, curves and minima are those of the surfaces */
    ABUT_CLEARANCE_UNDECIDED, /* lb <= 0 < ub: a smaller eps, or a larger budget, decides */
    ABUT_CLEARANCE_EMPTY,     /* a body without leaves: ub = lb = INFINITY; time and points are NaN */
    ABUT_CLEARANCE_INVALID,   /* bad numbers: all numbers of the answer are NaN */
    ABUT_CLEARANCE_STATUS_COUNT
} AbutClearanceStatus;

/* "clear", "contact", "contained", "undecided", "empty", "invalid". */
ABUT_API extern const char *const abut_clearance_status_names[];

/* Why a search ended. */
enum {
    ABUT_CLEARANCE_BY_TOLERANCE = 0, /* the bracket is as narrow as requested, or the status is certain */
    ABUT_CLEARANCE_BY_BUDGET,        /* `budget`, or the memory of the space, was used up */
    ABUT_CLEARANCE_BY_TIME,          /* `seconds` were over: another run may end differently */
    ABUT_CLEARANCE_BY_ROUNDING,      /* intervals cannot be halved any more */
    ABUT_CLEARANCE_BY_METHOD,        /* a method of the literature that proves less */
    ABUT_CLEARANCE_REASON_COUNT
};

typedef struct AbutClearance {
    AbutClearanceStatus status;
    int32_t certified; /* 1: ub - lb is at most the tolerance; 0: the budget ended first, the bracket is still valid */
    int32_t saturated; /* 1: the cores of rounded pieces cross at t, so no smaller distance exists */
    int32_t containment_known; /* 0: a mesh is open and has no inside */
    double ub, t, lb;          /* ub INFINITY: nothing nearer than `care`; lb of surfaces is never below 0 */
    AbutVec3 point_a, point_b; /* at time t, in the outer frame; if a mesh meets a solid, each on its own body */
    AbutVec3 normal;           /* unit, from A to B; zero where meshes meet */
    int32_t part_a, part_b;    /* triangle or piece */
    int64_t evaluations;       /* exact distances of two triangles or pieces */
    int64_t node_pairs;
    int32_t intervals;
    int32_t reason; /* ABUT_CLEARANCE_BY_... */
} AbutClearance;

ABUT_API extern const AbutRecord abut_clearance_record;

/* Memory for searches, used by one at a time. `items` is the largest number of open node pairs; 0: 65,536, or 0.8 MB.
 * A search that needs more stops as if its budget were spent. */
typedef struct AbutClearanceSpace AbutClearanceSpace;
ABUT_API AbutStatus abut_clearance_space_create(int32_t items, AbutClearanceSpace **out, AbutError *error);
ABUT_API void abut_clearance_space_free(AbutClearanceSpace *space);

/* The least distance over the interval. Movers hold prepared solids; others are INVALID. */
ABUT_API AbutClearance abut_clearance(
    const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def, AbutClearanceSpace *space);

/* A capsule whose axis ends follow polynomials of degree 5: Bernstein control points over the interval. */
typedef struct AbutCapsulePath {
    AbutVec3 a[6], b[6];
    double radius;
} AbutCapsulePath;

/* As above for two capsule paths in one frame, from `from` to `to`; needs no space. */
ABUT_API AbutClearance abut_clearance_capsules(
    const AbutCapsulePath *a, const AbutCapsulePath *b, double from, double to, double eps);

/* ---- many pairs -------------------------------------------------------------------------------------------------- */

/*
 * An answer for each pair of movers, as abut_clearance gives it; with a care distance, pairs whose swept boxes stay
 * beyond it need no search. Models of links are shared by all pairs. Same bits for any number of threads.
 */
ABUT_API AbutStatus abut_clearance_pairs(int32_t mover_count, const AbutMover *movers, int32_t pair_count,
    const AbutPair *pairs, const AbutClearanceDef *def, AbutClearance *out, int threads, AbutError *error);

/* The pair that comes nearest, and a bound for all pairs. */
typedef struct AbutClearanceWorst {
    int32_t pair;            /* -1: none within `care`, or no pairs */
    int32_t certified;       /* of all pairs */
    double lb;               /* no pair comes nearer; -infinity if a contact was found before all pairs were tested;
                                NaN if a pair is INVALID, which ends the search as the worst */
    AbutClearance clearance; /* of that pair */
} AbutClearanceWorst;

/* Far cheaper than all answers: other pairs are only proved not to be the worst. */
ABUT_API AbutStatus abut_clearance_worst(int32_t mover_count, const AbutMover *movers, int32_t pair_count,
    const AbutPair *pairs, const AbutClearanceDef *def, int threads, AbutClearanceWorst *out, AbutError *error);

/* ---- the whole curve and its minima ------------------------------------------------------------------------------ */

/* Between `from` and `to` the distance is at least lb, and d at the middle t. */
typedef struct AbutClearanceSample {
    double from, to, t, d, lb;
    int32_t beyond; /* 1: d is only a lower bound, outside of the band */
} AbutClearanceSample;

ABUT_API extern const AbutRecord abut_clearance_sample_record;

/*
 * The distance over time with its certified band: every sample has lb >= min(d, ub + band) - eps, where ub is
 * that of the surfaces (CONTAINED). `visit` receives the samples in the order of time, without gaps; a nonzero return
 * ends the search. A band of INFINITY gives the whole curve. Answers as abut_clearance does. `care`
 * and `relative` are not used.
 */
ABUT_API AbutClearance abut_clearance_curve(const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def,
    double band, int (*visit)(const AbutClearanceSample *sample, void *user), void *user, AbutClearanceSpace *space);

enum {
    ABUT_MINIMUM_INTERIOR = 0,
    ABUT_MINIMUM_START,     /* at the start of the interval */
    ABUT_MINIMUM_END,       /* at its end */
    ABUT_MINIMUM_CONTACT,   /* surfaces that meet: the middle of the time of contact */
    ABUT_MINIMUM_SATURATED, /* axes of capsules cross */
    ABUT_MINIMUM_KIND_COUNT
};

/* "interior", "start", "end", "contact", "saturated". */
ABUT_API extern const char *const abut_minimum_kind_names[];

/* A local minimum of the distance over time; planners make one smooth constraint of it. */
typedef struct AbutClearanceMinimum {
    int32_t kind;     /* ABUT_MINIMUM_INTERIOR, ... */
    int32_t polished; /* 1: t is where the distance is stationary, to rounding */
    double t, d;
    double lb, from, to;               /* between `from` and `to`, around t, the distance is at least lb */
    AbutVec3 point_a, point_b, normal; /* outer frame, at t */
    int32_t part_a, part_b;
} AbutClearanceMinimum;

ABUT_API extern const AbutRecord abut_clearance_minimum_record;

/*
 * All local minima with a distance of at most ub + band that are at least 2 eps below the distance between them,
 * nearest first, at most `capacity`. *count receives their number, which may be larger. One minimum represents its
 * whole valley, `from` to `to`: in a flat valley other times may be as low, or lower by up to eps (see lb). The first
 * of the list is no higher than ub. CONTAINED: ub is replaced by the least distance of the surfaces.
 * abut_chain_gradient with point_a and minus the normal, or point_b and the normal, gives the change of a minimum with
 * the joints that move A or B: the coefficient c[k] of a curve has the derivative (t - from)^k times that of its joint.
 */
ABUT_API AbutClearance abut_clearance_minima(const AbutMover *a, const AbutMover *b, const AbutClearanceDef *def,
    double band, int32_t capacity, AbutClearanceMinimum *out, int32_t *count, AbutClearanceSpace *space);

/* ---- times of contact -------------------------------------------------------------------------------------------- */

typedef struct AbutContactTime {
    int32_t found; /* 0: no contact was found; with resolved 1 the distance is proved to stay above the level */
    int32_t
        resolved; /* 0: grazing, or the budget ended; then times after `free`, up to `touching` if found, are unknown */
    double free;  /* before this time (for the last contact: after it) the distance is above the level */
    double touching; /* at this time it is not */
} AbutContactTime;

ABUT_API extern const AbutRecord abut_contact_time_record;

/*
 * The first time, or the last, at which the distance is at most `level`, with `free` and `touching` no more than
 * `tolerance` apart (0: 1e-6 of the piece of the motions, from one break to the next). A level of 0 means 1e-9 of
 * the smaller body's radius if one is a mesh: surfaces that touch without crossing have no interval at 0.
 */
ABUT_API AbutContactTime abut_clearance_contact_time(const AbutMover *a, const AbutMover *b,
    const AbutClearanceDef *def, double level, double tolerance, int last, AbutClearanceSpace *space);

/* ---- the soft distance ------------------------------------------------------------------------------------------- */

/*
 * The least soft distance D (abut/direction.h) over the interval, with proof: D changes no faster than the fields of
 * the bodies do. D is not the distance; CLEAR and CONTACT are its sign. `normal` is the soft direction; there are no
 * points and parts. `evaluations` counts soft distances, and `budget` limits them (0: 100,000); `relative` and
 * `care` are not used. Fails only out of memory.
 */
ABUT_API AbutStatus abut_clearance_soft(const AbutSoftBody *a, const AbutMotion *motion_a, const AbutSoftBody *b,
    const AbutMotion *motion_b, const AbutClearanceDef *def, AbutClearance *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
