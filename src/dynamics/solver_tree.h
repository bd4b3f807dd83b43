/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots inside a simulation. The degrees of freedom of all trees are numbered through; the solver knows a tree by
 * z = L v, with M = L^T L the mass matrix of the implicit step (damping, servos and springs on its diagonal). In z an
 * impulse w at a place with the Jacobian J acts as z += Y w, and moves that place by u = Y^T z, with Y = L^-T J^T: both
 * ways cost as many products as there are degrees of freedom between the root and the link, and everything that acts
 * on a tree is coupled through z alone. docs/theory/robots.md derives it.
 *
 * Rows are scalar conditions on z (limits, friction, couplings, tendons), joins hold two bodies together in three or
 * six directions. Their impulses live here from step to step.
 */
#ifndef ABUT_DYNAMICS_TREE_H
#define ABUT_DYNAMICS_TREE_H

#include "dynamics/mover.h"
#include "robot/actuator.h"

typedef struct AbutSolverTree {
    AbutConfiguration *c;
    const int32_t *body; /* places of its links */
    int32_t first;       /* its first degree of freedom among all */
    int32_t first_row, row_count;
    int32_t number;         /* its first unknown in a Newton step */
    int32_t floats;         /* 1: its base is free, and its momentum is kept */
    int32_t restless;       /* 1: a velocity is asked for: it does not sleep */
    double mass, size;      /* size in meters */
    double speed, turning;  /* what speeds and angular speeds of tolerance.h are multiplied with */
    AbutSpatial root_force; /* of the bias of this step, about its origin */
    int32_t fast;           /* 1: a joint turns far in the step that begins; `square` of z then */
    double square;
    double given;   /* by impulses: energy */
    double allowed; /* energy that its start and work give it, where its island is fast */
} AbutSolverTree;

typedef enum AbutRowKind {
    ABUT_ROW_COUPLING = 0, /* equality of two joints */
    ABUT_ROW_SERVO,        /* actuator on a tendon, ball, free body or frame whose force depends on its motion */
    ABUT_ROW_TENDON_SPRING,
    ABUT_ROW_TENDON_FRICTION,
    ABUT_ROW_TENDON_LOW,
    ABUT_ROW_TENDON_HIGH,
    ABUT_ROW_FRICTION, /* friction loss of one degree of freedom */
    ABUT_ROW_LOW,      /* limits of a joint */
    ABUT_ROW_HIGH,
    ABUT_ROW_BALL /* largest turn of a ball */
} AbutRowKind;

/* b = sum of coefficients times unit vectors; u = b.v wants to be `target` less softness times its impulse. */
typedef struct AbutTreeRow {
    AbutRowKind kind;
    int32_t robot, number; /* of the joint, equality, tendon, actuator; of friction: the degree of freedom */
    int32_t active, turns; /* turns: of a hinge, not a slide */
    int32_t locked;        /* friction: it holds on the diagonal of the mass matrix, and is no row */
    int32_t soft;          /* 1: a spring or servo, whose softness is its law */
    int32_t first_term, term_count;
    int32_t first, count; /* in row_dof and row_y */
    double target, low, high, softness, inverse, impulse;
    double limit;  /* of a hinge or slide */
    int32_t path;  /* of the path of a tendon: 1 or -1, its sign; 0: of another row */
    double length; /* of a path, with its sign */
    double weight; /* m/s that one unit of velocity counts as, when sweeps are judged */
} AbutTreeRow;

typedef struct AbutRowTerm {
    int32_t dof;
    const double *position; /* NULL: has none of its own */
    double coefficient;
} AbutRowTerm;

/* Two bodies held together: B's place on A's, and its axes too when `rows` is 6. World axes. */
typedef struct AbutJoin {
    int32_t robot, equality, rows;
    int32_t body[2];       /* places; -1: the world */
    AbutPose frame[2];     /* from the center of mass in body axes; in the world where there is no body */
    AbutVec3 arm[2];       /* the place from the center of mass, world axes */
    int32_t first, count;  /* columns */
    double speed, turning; /* what speeds of tolerance.h are multiplied with */
    double inverse[6][6], target[6], impulse[6];
    double trace[2]; /* of its response, linear and angular: how much it gives way */
} AbutJoin;

/* Data of a robot of the scene. */
typedef struct AbutDrivenRobot {
    int32_t first_control, first_torque;
} AbutDrivenRobot;

struct AbutTrees {
    AbutPool pool; /* of all arrays but the columns */
    int32_t robot_count, tree_count, dof_count, row_count, join_count, term_count, control_count, torque_count;
    AbutDrivenRobot *robot;
    AbutSolverTree *tree;
    AbutTreeRow *row;
    AbutRowTerm *term;
    AbutJoin *join;
    double *control;      /* of all robots */
    double *activation;   /* beside the controls; 0 where an actuator has no dynamics */
    double *torque;       /* of all robots, in the order of their velocities */
    double *acceleration; /* in the same order, of robots with sensors: mean of the last part of a step */
    /* per degree of freedom */
    int32_t *tree_of, *spot; /* spot: place in the list that is worked on */
    double *z, *start, *bias, *force, *stiffness, *damping, *loss, *lock, *work, *other;
    double *mean;         /* velocities that the bias is taken at */
    double *begin, *free; /* z before the step, and before impulses */
    double *shove;        /* of a guarded island: velocity for this step alone (guard.c) */
    double *servo_force, *servo_stiffness, *servo_damping;
    double *passive; /* of `force`, what springs and gravity compensation give */
    /* of rows: their lists of degrees of freedom, and y there */
    int32_t *row_dof;
    double *row_y;
    /* by islands */
    int32_t *island_tree, *island_join;
    /* columns of contacts, then of joins: six numbers for each degree of freedom in the list */
    int32_t *column_dof;
    double *column;
    size_t column_dof_capacity, column_capacity;
    int32_t fixed_columns; /* of the joins; those of contacts come after them */
};

static inline double *abut_column(const AbutTrees *t, int32_t at) { return t->column + 6 * (size_t)at; }

/* Tree k of an island, join k. */
static inline AbutSolverTree *abut_island_tree(const AbutSimulation *sim, const AbutIsland *island, int32_t k) {
    return &sim->trees->tree[sim->trees->island_tree[island->first_tree + k]];
}

static inline AbutJoin *abut_island_join(const AbutSimulation *sim, const AbutIsland *island, int32_t k) {
    return &sim->trees->join[sim->trees->island_join[island->first_join + k]];
}

/* Sides of the contacts and joins of an island: the free body there, -1: a link, or nothing that impulses move. */
static inline int32_t abut_island_sides(const AbutIsland *island) { return 2 * (island->count + island->join_count); }

static inline int32_t abut_island_side(const AbutSimulation *sim, const AbutIsland *island, int32_t k) {
    int32_t place;
    if (k < 2 * island->count) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k / 2);
        place = k & 1 ? c->body_b : c->body_a;
    } else {
        place = abut_island_join(sim, island, k / 2 - island->count)->body[k & 1];
    }
    return place >= 0 && sim->mover[place].tree < 0 && sim->mover[place].inv_mass > 0.0 ? place : -1;
}

/* u = y.z of a row. */
static inline double abut_row_speed(const AbutTrees *t, const AbutTreeRow *row) {
    double u = 0.0;
    for (int32_t k = 0; k < row->count; ++k) u += t->row_y[row->first + k] * t->z[t->row_dof[row->first + k]];
    return u;
}

/* tree_build.c: trees in step with the robots of the scene. */
AbutStatus abut_trees_follow(AbutSimulation *sim, AbutError *error);
void abut_trees_free(AbutTrees *trees);

/* tree_drive.c: forces of this step from controls, torques, springs and what pushes links. */
void abut_trees_drive(AbutSimulation *sim, double h);
double abut_actuator_force(const AbutSimulation *sim, int32_t robot, int32_t actuator);
AbutActuatorLaw abut_actuator_law_now(const AbutSimulation *sim, int32_t robot, int32_t actuator);
void abut_activations_advance(AbutSimulation *sim, double h);

/* tree_drive.c: a servo on a ball, a free body or a frame of a tree is a row: the last degree of freedom that moves it
 * (-1: it is none), and its tree; in a step the coefficients of its terms, giving its length. */
int32_t abut_servo_last(const AbutScene *scene, int32_t robot, int32_t actuator, int32_t *tree);
double abut_servo_terms(AbutSimulation *sim, const AbutTreeRow *row);

/* tree_drive.c: adds a force and torque (about `point`) on a link along the degrees of freedom. */
void abut_link_push(
    const AbutTrees *t, const AbutBody *body, AbutVec3 point, AbutVec3 force, AbutVec3 torque, double *to);

/* The same of an actuator on a frame or on a tendon along a path. */
void abut_actuator_push(const AbutSimulation *sim, int32_t robot, const AbutActuatorDef *def, double force, double *to);

/* tree_path.c: tendons along paths. The bodies of the path of a tendon are links of trees, or stand still. Length and
 * speed now; forces along it; the length of a row and the coefficients of its terms. */
double abut_path_now(
    const AbutScene *scene, const AbutSceneRobot *robot, const AbutTendonDef *tendon, double *speed /* NULL */);
void abut_path_push(const AbutSimulation *sim, const AbutSceneRobot *robot, const AbutTendonDef *tendon, double force,
    double *to); /* per degree of freedom */
void abut_path_terms(AbutSimulation *sim, AbutTreeRow *row, const AbutTendonDef *tendon);

/* work.c: work of forces along the degrees of freedom of a tree in a step, and of actuators that are rows; of bodies
 * and belts that move by themselves; of an impulse on a free body, which is applied; energy in springs and tendons. */
double abut_tree_force_work(const AbutTrees *t, const AbutSolverTree *tree, double h);
double abut_tree_row_work(const AbutTrees *t, const AbutSolverTree *tree);
double abut_work_of_motion(const AbutSimulation *sim);
double abut_contact_work(const AbutSimulation *sim, const AbutSolverContact *c);
double abut_join_work(const AbutSimulation *sim, const AbutJoin *join);
double abut_push_work(AbutSolverBody *m, AbutVec3 r, AbutVec3 impulse, AbutVec3 torque);
double abut_spring_energy(const AbutScene *scene);

/* sensors.c of step: the velocities before a part of a step; then its mean accelerations. */
void abut_sensors_begin(AbutSimulation *sim);
AbutStatus abut_sensors_end(AbutSimulation *sim, double h, AbutError *error);

/* tree_columns.c */
int abut_trees_reserve_columns(AbutSimulation *sim); /* a place for those of each contact; 0: no memory */
void abut_trees_set_contact(AbutSimulation *sim, AbutSolverContact *c);
int32_t abut_columns_of(
    AbutSimulation *sim, const int32_t body[2], AbutVec3 point, const AbutVec3 axis[3], int32_t first);
void abut_columns_gather(const AbutTrees *t, int32_t first, int32_t count, double u[6]);
void abut_columns_scatter(AbutTrees *t, int32_t first, int32_t count, const double w[6]);
void abut_columns_response(const AbutTrees *t, int32_t first, int32_t count, double phi[6][6]);
void abut_whiten(const AbutTrees *t, const int32_t *dof, int32_t count, double *y, int width); /* y <- L^-T y */

/* tree_rows.c */
void abut_rows_set(AbutSimulation *sim, AbutSolverTree *tree, double h);
void abut_rows_measure(AbutSimulation *sim, const AbutSolverTree *tree, double h); /* without their responses */

/* tree_join.c */
AbutPose abut_join_frame(const AbutSimulation *sim, const AbutJoin *join, int side); /* now, world */
void abut_join_aim(const AbutJoin *join, AbutPose a, AbutPose b, double h, double target[6]);
void abut_join_set(AbutSimulation *sim, AbutJoin *join, double h);
void abut_join_begin(AbutSimulation *sim, const AbutJoin *join);
double abut_join_softness(const AbutJoin *join, int row);
void abut_join_apply(AbutSimulation *sim, const AbutJoin *join, const double w[6]);
void abut_join_rest(const AbutSimulation *sim, const AbutJoin *join, double rest[6]); /* what is missing of its law */
double abut_join_visit(AbutSimulation *sim, AbutJoin *join);                          /* square of the change */

/* tree_lock.c: friction losses that hold, for the trees of an island. How many of them are locks in this step; after
 * the sweeps, how many of those were too weak: they are rows from now on, and the step is to be solved again, for the
 * last time without any lock. */
int32_t abut_locks_set(AbutSimulation *sim, const AbutIsland *island, double h);
int abut_locks_break(AbutSimulation *sim, const AbutIsland *island, double h, int last);

/* tree_step.c: of the trees of an island. */
void abut_trees_prepare(AbutSimulation *sim, const AbutIsland *island, double h);
void abut_trees_begin(AbutSimulation *sim, const AbutIsland *island);
void abut_trees_second_bias(AbutSimulation *sim, const AbutIsland *island, double h);
double abut_trees_sweep(AbutSimulation *sim, const AbutIsland *island, int backward); /* square of the change */
void abut_trees_finish(AbutSimulation *sim, const AbutIsland *island);
double abut_tree_turn(const AbutConfiguration *c); /* of its fastest joint, rad/s */

/* tree_advance.c */
void abut_trees_advance(AbutSimulation *sim, double h);
void abut_tree_move(const AbutSolverTree *tree, AbutVec3 gravity, int in_air, double h); /* by its velocities */
void abut_trees_rest(AbutSimulation *sim); /* joints of trees that have fallen asleep stand still */

#endif
