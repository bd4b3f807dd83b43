/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manipulation: planning through contact. A few fingers push, pivot, tumble, slide and lift a body that touches its
 * surroundings: the plan is a sequence of motions, each in one contact mode, with the fingers sticking to the body.
 *
 * Motions are quasi-static: at every step the forces of fingers and surroundings balance the weight, with margins in
 * friction, and the surroundings cannot hold the body against the fingers. docs/theory/manipulation.md has the method
 * and its assumptions.
 */
#ifndef ABUT_MANIPULATION_H
#define ABUT_MANIPULATION_H

#include "abut/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_MANIP_FINGERS = 3, ABUT_MANIP_FORBIDDEN = 4 };

/* The object to move, its target, and the fingers. Every finger is a ball that touches the object at one point. */
typedef struct AbutManipTask {
    const AbutModel *model;           /* static bodies and the object, all of convex shapes */
    int32_t object;                   /* number of its dynamic body, where it stands at the start */
    AbutPose goal;                    /* of the frame of the object, world */
    double goal_distance, goal_angle; /* tolerances, m and radians, above 0 */
    AbutVec3 low, high;               /* box of the centers of mass to try */
    AbutVec3 axis;                    /* turns to try, from the start, about this axis of the world; zero: all */
    double angle_low, angle_high;     /* their range, radians */
    int32_t fingers;                  /* 1 .. ABUT_MANIP_FINGERS */
    double finger_radius, force;      /* m; largest normal force of a finger, N */
    double force_least;               /* the least that plans use, N; 0: a sixth of the largest */
    double finger_friction;           /* between finger and object */
    AbutVec3 finger_low, finger_high; /* box of the centers of fingers */
    int32_t forbidden_count;          /* faces that fingers must not touch at first: */
    AbutVec3 forbidden[ABUT_MANIP_FORBIDDEN]; /* their outward normals, frame of the object */
    double step;                              /* longest step of a motion, m */
    int32_t falls;                            /* 1: the object may be pushed over and left to fall to rest */
} AbutManipTask;

/*
 * A task of a model: the goal to 5 mm and 0.05, two fingers of 6 mm, 6 N and friction 0.8 that may be anywhere within a
 * meter of the object. It tries places within 0.15 m of start and goal, and turns about the axis from one to the other;
 * without a turn it tries all. The model must outlive the task.
 */
ABUT_API AbutManipTask abut_manip_task_of(const AbutModel *model, int32_t object, AbutPose goal);

/* Names of the built-in tasks, the last NULL. */
ABUT_API extern const char *const abut_manip_tasks[];

/* Makes a built-in task; *model is that of the task, to be freed with abut_model_free. */
ABUT_API AbutStatus abut_manip_task_build(const char *name, AbutManipTask *out, AbutModel **model, AbutError *error);

typedef struct AbutManipOptions {
    uint64_t seed;
    int32_t attempts;           /* of the search; 0: 20000 */
    double seconds;             /* limit of wall time; 0: none. An answer it ends depends on the machine */
    int32_t shortcuts;          /* attempts to join motions of a plan; negative: none, 0: 200 */
    int32_t jam_test;           /* 0: on. 1: off, to see what it is worth */
    const volatile int *cancel; /* not NULL and non-zero: stop soon */
    void (*progress)(int32_t attempts, double left, void *user); /* NULL: none; `left`: nearest distance to the goal */
    void *user;
} AbutManipOptions;

/* The plan; zeroed: empty. Points and normals of fingers are in the frame of the object, normals into it. */
typedef struct AbutManipPlan {
    int32_t found;         /* 1: reaches the goal; 0: `left` away from it, without motions */
    int32_t attempts;      /* used */
    int32_t states, modes; /* of the search: states reached, contact modes enumerated */
    int32_t out_of_time;   /* 1: `seconds` or `cancel` ended the search */
    double left;           /* m, angles times the size of the object: nearest distance to the goal of any state */
    int32_t motion_count, step_count, point_count;
    struct AbutManipMotion {
        int32_t first_step, step_count;
        int32_t finger[ABUT_MANIP_FINGERS];     /* numbers of points; -1: none */
        int32_t relocation[ABUT_MANIP_FINGERS]; /* fingers that move to their points before the motion, in order */
        int32_t relocation_count;
        /* Corners of the way of each, from first_corner[k] on: its ball touches nothing on the lines between them,
           except the object at both ends. A finger that was nowhere begins at its first corner. */
        int32_t first_corner[ABUT_MANIP_FINGERS], corner_count[ABUT_MANIP_FINGERS];
        int32_t touch_count; /* contacts with the surroundings at its start ... */
        char mode[64];       /* ... each of which sticks (0), slides (s) or separates (+), zero-terminated */
        int32_t falls;       /* 1: after its first step the fingers let go, and the object falls to rest */
    } * motions;
    AbutPose *poses; /* of the frame of the object, after each step */
    struct AbutManipPoint {
        AbutVec3 point, normal;
    } * points;
    AbutVec3 *corners; /* of the ways of fingers: centers of their balls, world */
    int32_t corner_count;
    void *memory; /* owned by the library */
} AbutManipPlan;

/*
 * Searches a plan. Equal tasks and options give equal plans, unless `seconds` ends the search. A task that no
 * search can begin with (no convex shapes, an object that overlaps its surroundings by more than 0.02 mm, numbers out
 * of range) is refused. `options` may be NULL. Release with abut_manip_plan_free.
 */
ABUT_API AbutStatus abut_manip_plan(
    const AbutManipTask *task, const AbutManipOptions *options, AbutManipPlan *out, AbutError *error);
ABUT_API void abut_manip_plan_free(AbutManipPlan *plan); /* leaves an empty plan */

/* Findings of the check and the simulation of a plan. */
typedef struct AbutManipReport {
    int32_t places, unbalanced;       /* balance: places tested, and those where no forces balance the weight */
    int32_t arrives;                  /* simulation: 1: ends within twice the tolerances of the goal */
    int32_t motion;                   /* first motion in which the object leaves its plan by 4 mm or 0.08; -1: none */
    double distance, angle;           /* of the object from the goal at the end */
    double off_distance, off_angle;   /* from its plan, at the end, and ... */
    double most_distance, most_angle; /* ... at any time */
    double time;                      /* simulated, s */
} AbutManipReport;

/*
 * Does the plan hold? Forces are looked for at four places of each step by another path than the search takes: contacts
 * of grown bodies and sectors of friction without margins. Fills `places` and `unbalanced`.
 */
ABUT_API AbutStatus abut_manip_check(
    const AbutManipTask *task, const AbutManipPlan *plan, AbutManipReport *out, AbutError *error);

/* A moment of a plan that is carried out. */
typedef struct AbutManipMoment {
    const AbutSimulation *simulation;
    const AbutStepReport *report;
    AbutPose planned; /* of the frame of the object */
    int32_t motion;
    AbutVec3 center[ABUT_MANIP_FINGERS]; /* of fingers, as the plan has them, and ... */
    AbutVec3 force[ABUT_MANIP_FINGERS];  /* ... their forces on the object, N; zero: not at it */
    /* Contacts of the object with the surroundings, as the plan has them. */
    int32_t sticking, sliding, separating;
    /* The largest disturbance that full friction holds, as in abut_mode_margin: parts of the weight, and of the weight
     * times 0.7 of half the diagonal of the object. Infinite: all. */
    double margin;
} AbutManipMoment;

/* How the simulation differs from the task, to test how robust a plan is; zeroed: not at all. */
typedef struct AbutManipTrial {
    double friction, mass; /* of the surroundings, of the object: factors; 0: 1 */
    /* Called after every step of 1 ms; the fingers are the bodies "finger0", ... Non-zero stops. NULL: none. */
    int (*watch)(const AbutManipMoment *moment, void *user);
    void *user;
} AbutManipTrial;

/* Carries the plan out in a simulation with fingers of 50 g on springs. Fills all of the report but the balance. */
ABUT_API AbutStatus abut_manip_execute(const AbutManipTask *task, const AbutManipPlan *plan,
    const AbutManipTrial *trial, AbutManipReport *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
