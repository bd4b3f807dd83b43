/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan: motions of a robot that avoid the robot itself and all obstacles, with proof. Problems and
 * certificates are those of proof.h. Lengths in meters, angles in radians, times in seconds.
 */
#ifndef ABUT_PLAN_H
#define ABUT_PLAN_H

#include "abut/dynamics.h"
#include "abut/proof.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Effort of a motion: torques by inverse dynamics, and where the ground must push. Looked at 400 times, not proved. A
 * robot on two feet shares its weight so that the sum of squares of the forces and of the moments, at 5 cm, is least.
 */
typedef struct AbutPlanEffort {
    int32_t samples;
    int32_t joint;     /* of the model, with the largest part of its torque limit; -1: none has a limit */
    double part;       /* that part: 1 is the limit */
    double torque, t;  /* of that joint, and when */
    double zmp, zmp_t; /* how far the zero moment point stays inside the support polygon, negative: how far outside, and
                          when; INFINITY: no balance */
    double torque_duration, zmp_duration; /* the shortest with which they hold along the same path; INFINITY: none does,
                                             as gravity alone is too much; 0: any */
} AbutPlanEffort;

ABUT_API extern const AbutRecord abut_plan_effort_record;

enum { ABUT_PLAN_EFFORT_SAMPLES = 400 };

/* `torques`, unless NULL, is [ABUT_PLAN_EFFORT_SAMPLES][joints that move], at times that are evenly spread. */
ABUT_API AbutStatus abut_plan_effort(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    AbutPlanEffort *out, double *torques, AbutError *error);

enum { ABUT_PLAN_ATTEMPTS = 17, ABUT_PLAN_VIA_LIMIT = 8 };

/* From rest at `start` to rest at `goal`, in planned coordinates; through the postures via[i] at the parts via_at[i] of
 * the time, which grow within 0 .. 1. */
typedef struct AbutPlanQuery {
    const double *start, *goal;
    int32_t via_count;
    const double *via_at;
    const double *via; /* [via_count][coordinates] */
} AbutPlanQuery;

/* Another way to plan, from a library that has one, to compare with; zeros: that of this library. */
typedef struct AbutPlanMethod {
    const struct AbutPlanMethodRow *row; /* NULL: none */
    int64_t value;                       /* setting of the row */
} AbutPlanMethod;

/*
 * The fast attempt comes first where there are no windows, no postures on the way, no balance, no torques and no given
 * duration: a path of proved edges, cut short and rounded off. FAST: its plan is given, or without it the first one
 * that is certified. GOOD: the better of it and a smooth motion from its path; without it the best of three attempts.
 * BEST: the best of six attempts.
 */
typedef enum AbutPlanQuality {
    ABUT_PLAN_QUALITY_FAST = 0,
    ABUT_PLAN_QUALITY_GOOD,
    ABUT_PLAN_QUALITY_BEST,
    ABUT_PLAN_QUALITY_COUNT
} AbutPlanQuality;

/* "fast", "good", "best". */
ABUT_API extern const char *const abut_plan_quality_names[];

/*
 * A roadmap: postures of a robot and edges between them. Solving looks for a way through it before it grows trees, and
 * proves the edges that it takes again, among the obstacles of its own problem: a roadmap may be old, of other
 * obstacles, or wrong, and plans are proved all the same. Any number of threads may ask it. Free with
 * abut_roadmap_free.
 */
typedef struct AbutRoadmap {
    int32_t width, count; /* planned coordinates, postures */
    double *postures;     /* [count][width] */
    int32_t *start, *to;  /* edges of posture i lead to to[start[i]] up to to[start[i + 1] - 1] */
} AbutRoadmap;

typedef struct AbutPlanSettings {
    double level;        /* what the certificate must show, m; at most the margin of the problem */
    int32_t points;      /* control points of each coordinate, 9 to 32; more where postures on the way need them */
    int32_t attempts;    /* at most, up to ABUT_PLAN_ATTEMPTS */
    int32_t quality;     /* of AbutPlanQuality: how long the search goes on after a certified plan */
    double budget;       /* seconds of wall time, INFINITY: none. Where it ends the search (`out_of_time`) what is found
                            depends on the machine; `attempts` alone is a limit with the same plan in every run */
    double speed;        /* of every coordinate, for the duration: per second */
    double acceleration; /* per second squared */
    double duration;     /* seconds; 0: as speed and acceleration allow, and balance in motion and torques where these
                            count. Else speeds and accelerations are kept by rows, and reported where they cannot be */
    int32_t torque;  /* 1: torques keep their limits: those that gravity asks for by rows, the rest by the duration */
    int32_t threads; /* 0: all processors; the plan is the same for any number unless the budget ends it */
    uint64_t seed;
    AbutPlanMethod method;
    const AbutRoadmap *roadmap; /* for the fast attempt, which must be possible then; NULL: none */
    /* Called after attempts; anything but 0 ends the search with what it has. NULL: not called */
    int (*progress)(int32_t attempts, double best_cost, void *user);
    void *user;
} AbutPlanSettings;

ABUT_API AbutPlanSettings abut_plan_settings_default(void);

typedef enum AbutPlanStatus {
    ABUT_PLAN_CERTIFIED = 0,     /* proved: every pair keeps the level at all times */
    ABUT_PLAN_CERTIFIED_EXCEPT,  /* the same but for pairs that are always near: abut_plan_exceptions, `reason` */
    ABUT_PLAN_CLEAR_UNCERTIFIED, /* clear where it was looked at; not proved, or no pair was there to be looked at, or a
                                    posture on the way is missed: `reason` */
    ABUT_PLAN_BLOCKED,           /* no attempt became clear; the best is given */
    ABUT_PLAN_BUDGET,            /* time ran out before a plan was certified; the best is given: `reason` */
    ABUT_PLAN_INFEASIBLE_INPUT,  /* the start, the goal or a posture on the way cannot be: `reason` */
    ABUT_PLAN_STATUS_COUNT
} AbutPlanStatus;

/* "certified", "certified_except", "clear_uncertified", "blocked", "budget", "infeasible_input". */
ABUT_API extern const char *const abut_plan_status_names[];

typedef enum AbutPlanAttemptKind {
    ABUT_PLAN_PLAIN = 0, /* from the smoothest motion */
    ABUT_PLAN_ESCAPE,    /* from there, obstacles left in one direction each */
    ABUT_PLAN_PATH,      /* from a path by two random trees */
    ABUT_PLAN_BUMP,      /* from the smoothest motion with a random bump, then as ESCAPE */
    ABUT_PLAN_THESIS,    /* by the method of the settings, from the smoothest motion */
    ABUT_PLAN_FAST,      /* a path of proved edges, rounded off */
    ABUT_PLAN_ATTEMPT_KIND_COUNT
} AbutPlanAttemptKind;

/* "plain", "escape", "path", "bump", "thesis", "fast". */
ABUT_API extern const char *const abut_plan_attempt_names[];

typedef struct AbutPlanAttempt {
    AbutPlanAttemptKind kind;
    AbutPlanStatus status;  /* CERTIFIED, CLEAR_UNCERTIFIED or BLOCKED */
    double cost, violation; /* of the margin, m */
    int64_t iterations;
    double seconds;
} AbutPlanAttempt;

ABUT_API extern const AbutRecord abut_plan_attempt_record;

typedef struct AbutPlan {
    AbutPlanStatus status;
    char reason[400]; /* why not certified; else empty */
    double cost;      /* jerk: 1/2 is one coordinate moved by 1 from rest to rest */
    double seconds;   /* spent */
    int64_t iterations;
    AbutPlanEffort effort;       /* where balance or torques count; else `samples` is 0 */
    int32_t attempt_count, best; /* best: number of the attempt that is given; -1: none */
    int32_t attempt_limit;       /* attempts that would have been made at most */
    int32_t out_of_time;         /* 1: the budget was over when the search ended */
    AbutPlanAttempt attempts[ABUT_PLAN_ATTEMPTS];
    int32_t point_count, coordinate_count;
    double *points;            /* [point_count][coordinate_count]: B-spline of degree 5, uniform knots */
    AbutTrajectory trajectory; /* empty when the input is infeasible */
    AbutCertificate certificate;
    AbutPairCertificate *pairs; /* per pair of the problem */
} AbutPlan;

/*
 * A motion that keeps the margin of the problem, with its certificate. Attempts of several kinds are made, and the
 * certified one of least cost is given; the same for the same seed. Not finding a plan is no failure: `status` and
 * `reason` tell. Free it with abut_plan_free.
 */
ABUT_API AbutStatus abut_plan_solve(const AbutPlanProblem *problem, const AbutPlanQuery *query,
    const AbutPlanSettings *settings, AbutPlan *out, AbutError *error);
ABUT_API void abut_plan_free(AbutPlan *plan); /* leaves an empty one */

/*
 * The path of a trajectory in the least time that limits allow: speeds and accelerations of the problem and the
 * settings, with `torque` of the settings torques, and of a robot in balance the zero moment point. Cubics in 400
 * pieces from rest to rest, through the same postures in the same order; accelerations jump, as they do when time is
 * least. Speeds and accelerations keep their limits at all times, the others where they are looked at, 400 times. The
 * path between the knots is the same to within the error of cubics, so a proof is to be made anew. Fails where the path
 * stands still, or no speed keeps the limits. To be freed.
 */
ABUT_API AbutStatus abut_plan_retime(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutPlanSettings *settings, AbutTrajectory *out, AbutError *error);

enum { ABUT_ROADMAP_POSTURES = 100000 }; /* at most */

/*
 * Random postures within the limits of the coordinates, `count` of them or as many as are found, and the edges between
 * near ones, all proved free among the obstacles of the problem, which may be none. The settings level, seed,
 * threads and progress count; the roadmap is the same for any number of threads. On failure *out is empty.
 */
ABUT_API AbutStatus abut_roadmap_create(const AbutPlanProblem *problem, int32_t count, const AbutPlanSettings *settings,
    AbutRoadmap *out, AbutError *error);
ABUT_API void abut_roadmap_free(AbutRoadmap *map); /* leaves an empty one */

/* Targets of inverse kinematics, and how to search for postures that reach them. */
typedef struct AbutPlanReach {
    const double *start; /* coordinates */
    int32_t task_count;
    const AbutIkTask *tasks; /* with a support: positions and poses */
    int32_t tries;           /* searches: the first from the start, the others from random postures around it */
    uint64_t seed;
} AbutPlanReach;

/*
 * Finds postures that reach the targets, keep the margin and 1 mm more, lie within the limits, and are in balance where
 * that counts. Writes at most `capacity` of them as coordinates [capacity][coordinates], nearest to the start first;
 * *count is how many.
 */
ABUT_API AbutStatus abut_plan_reach(const AbutPlanProblem *problem, const AbutPlanReach *reach, int32_t capacity,
    double *out, int32_t *count, AbutError *error);

/* ---- following --------------------------------------------------------------------------------------------------- */

/*
 * A motion that the position servos of a simulated robot, the first of its scene, follow; with the torques of inverse
 * dynamics as feed-forward where no body is free. The caller sets what it is about, from the problem on down to
 * `given`; these must live on. Free `numbers` and `poses` with abut_free.
 */
typedef struct AbutPlanFollower {
    const AbutPlanProblem *problem;
    AbutConfiguration *c; /* of the robot, at the start; its state changes */
    const AbutTrajectory *trajectory;
    const uint8_t *given; /* per joint: does the motion move it? */
    int32_t followed;     /* servos that follow it */
    int32_t fixed;        /* 1: torques are fed forward */
    /* The nearest pair by the plan at the times of the steps, and where the links were; when. */
    AbutPlanNear planned, measured;
    double planned_t, measured_t;
    double error, error_t; /* of the joint that was off by most */
    int32_t joint;         /* -1: none was */
    double *numbers, *q, *v, *a, *positions, *state, *velocities, *accelerations, *torques;
    AbutPose *poses;
} AbutPlanFollower;

ABUT_API AbutStatus abut_plan_follower_create(AbutPlanFollower *follower, AbutError *error);
ABUT_API int abut_plan_follower_drives(const AbutPlanFollower *follower, int32_t actuator);

/* Before a step: controls of the servos, and torques. After it: how near the links came. */
ABUT_API AbutStatus abut_plan_follower_drive(
    AbutPlanFollower *follower, AbutSimulation *simulation, double time, double *control, AbutError *error);
ABUT_API AbutStatus abut_plan_follower_measure(
    AbutPlanFollower *follower, const AbutScene *scene, double time, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
