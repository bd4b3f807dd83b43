/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the planner: a task made ready, contacts at a pose, velocities and wrenches of six numbers.
 *
 * Poses are those of the center of mass, body axes. A velocity is (v, L w), world axes, with a length L that makes
 * angles comparable; a force along d at p has the row (d, ((p - x) x d) / L), and forces are in units of the weight.
 */
#ifndef ABUT_MANIPULATION_MANIP_H
#define ABUT_MANIPULATION_MANIP_H

#include "abut/manipulation.h"
#include "base/pool.h"
#include "solve/solve.h"

enum {
    ABUT_MANIP_TOUCHES = 48,
    ABUT_MANIP_POINTS = 120, /* where fingers may touch */
    ABUT_MANIP_TRIED = 16,   /* points in one choice of fingers */
    ABUT_MANIP_SIDES = 8,    /* of friction pyramids */
    ABUT_MANIP_COLUMNS = ABUT_MANIP_SIDES * (ABUT_MANIP_TOUCHES + ABUT_MANIP_TRIED) + ABUT_MANIP_FINGERS,
    ABUT_MANIP_STEPS = 80 /* of one motion */
};

/* Lengths in m. */
#define ABUT_MANIP_TOUCH 2e-4   /* bodies no farther apart touch */
#define ABUT_MANIP_FEATURE 3e-4 /* how far the features of a contact may be from its plane */
#define ABUT_MANIP_DEEP 2e-5    /* overlap that is allowed */
#define ABUT_MANIP_CLOSED 1e-9  /* gap of contacts that are held, after settling */
#define ABUT_MANIP_BALANCED 1e-5
#define ABUT_MANIP_MARGIN 0.8         /* part of the friction of the surroundings that plans use */
#define ABUT_MANIP_FINGER_MARGIN 0.44 /* part of that of fingers, which must stick */

typedef enum AbutManipState { ABUT_MANIP_STICK = 0, ABUT_MANIP_SLIDE, ABUT_MANIP_PART } AbutManipState;

typedef struct AbutManipTouch {
    AbutVec3 p, n, t1, t2; /* n from the surroundings to the object */
    double gap, friction;
    int32_t pair;
} AbutManipTouch;

typedef struct AbutManipStance {
    AbutPose x;
    int32_t count;
    double nearest; /* least distance of object and surroundings */
    AbutManipTouch touch[ABUT_MANIP_TOUCHES];
} AbutManipStance;

/* Behavior of every touch, and the direction in which it slides. */
typedef struct AbutManipPattern {
    int8_t state[ABUT_MANIP_TOUCHES];
    AbutVec3 slide[ABUT_MANIP_TOUCHES];
} AbutManipPattern;

/* A convex shape: of the object in its frame, of the surroundings in the world. */
typedef struct AbutManipShape {
    AbutConvex convex;
    AbutPose pose;
    double reach, friction; /* reach: of the shape from its origin */
    int32_t priority;
    const AbutGeometry *geometry;
} AbutManipShape;

typedef struct AbutManip {
    const AbutManipTask *task;
    AbutPool pool;
    AbutManipShape *part, *wall;
    int32_t part_count, wall_count;
    double mass, length, weight, force_least, turn_step;
    AbutVec3 center; /* of mass, frame of the object */
    AbutMat3 inertia;
    AbutVec3 principal[3];        /* its axes */
    AbutPose start, goal;         /* of the center of mass */
    struct AbutManipPoint *point; /* frame of the center of mass */
    int32_t point_count;
    AbutRng rng;
    double jam;                     /* least distance to a jam; 0: not tested */
    double *matrix, *side, *answer; /* of the least squares */
    double (*column)[6];            /* its columns: edges of friction cones ... */
    AbutVec3 *edge;                 /* ... and their forces */
    int columns;                    /* of the last balance */
    void *workspace;
    size_t workspace_size;
} AbutManip;

/* setup.c */
AbutStatus abut_manip_setup(const AbutManipTask *task, uint64_t seed, AbutManip *out, AbutError *error);
void abut_manip_free(AbutManip *m);
AbutPose abut_manip_frame_pose(const AbutManip *m, AbutPose center); /* of the frame of the object */
AbutPose abut_manip_center_pose(const AbutManip *m, AbutPose frame);

/* stance.c: what touches, with gaps up to `tolerance`; without `touches` the least distance alone. */
void abut_manip_stand(const AbutManip *m, AbutPose x, double tolerance, int touches, AbutManipStance *out);

/* twist.c */
void abut_manip_row(const AbutManip *m, AbutPose x, AbutVec3 p, AbutVec3 d, double r[6]);
double abut_manip_dot(const double *a, const double *b);
AbutPose abut_manip_move(const AbutManip *m, AbutPose x, const double *u, double h); /* along a screw */
void abut_manip_wish(const AbutManip *m, AbutPose x, AbutPose goal, double u[6]);
double abut_manip_far(const AbutManip *m, AbutPose a, AbutPose b, double *distance, double *angle);
AbutPose abut_manip_between(AbutPose a, AbutPose b, double t);
/* Behavior of the touches under u: separate faster than `parts` of its size, slide faster than `slides`, else stick. */
void abut_manip_classify(
    const AbutManip *m, const AbutManipStance *s, const double *u, double parts, double slides, AbutManipPattern *out);
/* The velocity of the pattern that is nearest to the wish; 0: there is none. */
int abut_manip_project(AbutManip *m, const AbutManipStance *s, const int8_t *state, const double *wish, double u[6]);

/* force.c. A hold: where fingers touch, numbers of points, -1: nowhere. */
typedef struct AbutManipHold {
    int32_t count;
    int32_t finger[ABUT_MANIP_TRIED];
} AbutManipHold;

typedef struct AbutManipDemand {
    double margin;         /* part of the friction */
    double preload;        /* N, normal force of every finger at least */
    int limited;           /* 1: forces of fingers are limited */
    const double *disturb; /* NULL: none; wrench that acts besides */
} AbutManipDemand;

/* The rest of the weight when the forces of the pattern balance it; `forces` of fingers, N, world; may be NULL. */
double abut_manip_balance(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern,
    const AbutManipHold *hold, AbutManipDemand demand, AbutVec3 *forces);
/* As above, with the least forces, which do not jump from step to step. */
double abut_manip_least_forces(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern,
    const AbutManipHold *hold, AbutManipDemand demand, AbutVec3 *forces);
/* Do fingers and touches fix the velocity? */
int abut_manip_determined(
    const AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const AbutManipHold *hold);
/* How far is rest from being a way out, when fingers are driven along u? 0: rest is; 1: not at all. */
double abut_manip_unjammed(AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold, const double *u);
/* Does the hold keep the object, also under small disturbances? */
int abut_manip_stable(AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold);

typedef struct AbutManipCourse AbutManipCourse;

/* fingers.c */
AbutVec3 abut_manip_finger_center(const AbutManip *m, AbutPose x, int32_t point);
int abut_manip_finger_free(const AbutManip *m, AbutPose x, int32_t point);
AbutStatus abut_manip_make_points(AbutManip *m, AbutError *error);
/* Holds come first that look good along the course and, with `ahead`, also balance on the way to that pose and there.
 */
int abut_manip_choose(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const uint8_t *free_at,
    const AbutManipHold *present, AbutManipCourse *course, const AbutPose *ahead, AbutManipHold *out);
/* May the fingers go from one hold to another, one by one? Gives how many move, in which order, -1: they may not; puts
 * the fingers of `to` into the slots that keep most of them. */
int abut_manip_relocate(
    AbutManip *m, const AbutManipStance *s, const AbutManipHold *from, AbutManipHold *to, int32_t *order);

/* ways.c: the ways of fingers that move, in order; 0: one finds none. */
enum { ABUT_MANIP_WAY = 10 };

typedef struct AbutManipWay {
    int32_t count;
    AbutVec3 corner[ABUT_MANIP_WAY];
} AbutManipWay;

int abut_manip_find_ways(const AbutManip *m, AbutPose x, const AbutManipHold *before, const AbutManipHold *after,
    const int32_t *order, int32_t moved, AbutManipWay *out);

/* motion.c: one motion towards a target, in the pattern given. */
typedef struct AbutManipPath {
    int32_t count;
    AbutPose pose[ABUT_MANIP_STEPS];
} AbutManipPath;

typedef struct AbutManipAim {
    AbutPose target;
    double exact;                     /* nearer than this is there */
    double most_distance, most_angle; /* of the motion */
} AbutManipAim;

/* The course of the object in a pattern, whatever holds it: leg k goes from the pose of leg k to that of leg k + 1. */
typedef struct AbutManipLeg {
    AbutManipStance stance;
    int8_t want[ABUT_MANIP_TOUCHES]; /* of the touches */
    AbutManipPattern pattern;        /* what they do */
    double u[6], speed, turning;     /* speeds of u */
    double gone, turned;             /* before */
    int ends;                        /* 1: nothing follows */
} AbutManipLeg;

struct AbutManipCourse {
    AbutManip *m;
    AbutManipAim aim;
    int32_t known; /* legs so far */
    int over;      /* 1: there are no more */
    AbutManipLeg leg[ABUT_MANIP_STEPS + 1];
};

int abut_manip_settle(
    const AbutManip *m, AbutPose *x, const AbutManipStance *reference, const int8_t *state, double reach);
void abut_manip_set_out(AbutManip *m, const AbutManipStance *from, const AbutManipPattern *pattern,
    const AbutManipAim *aim, AbutManipCourse *out);
/* Could the hold do a few of the legs ahead? */
int abut_manip_looks_good(AbutManipCourse *c, const AbutManipHold *hold);
int abut_manip_advance(AbutManipCourse *c, const AbutManipHold *hold, AbutManipPath *out);
/* A fall to rest without fingers, damped: velocities do not build up. 0: it does not come to rest in a stable pose. */
int abut_manip_fall(AbutManip *m, AbutPose from, AbutManipPath *out);

/* check.c: the largest disturbance that is held in the middle of a step from a to b, by the path of the check. */
AbutStatus abut_manip_margin(
    const AbutManip *m, AbutPose a, AbutPose b, const AbutManipHold *hold, double *margin, AbutError *error);
#endif
