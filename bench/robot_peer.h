/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of the cases of robots: kinematics and dynamics of one model at given states. */
#ifndef ABUT_BENCH_ROBOT_PEER_H
#define ABUT_BENCH_ROBOT_PEER_H

#include "bench/bench.h"

typedef enum BenchRobotQuestion {
    BENCH_ROBOT_POSES = 0, /* of all bodies; the answer is the sum of their positions, 3 numbers */
    BENCH_ROBOT_INVERSE,   /* torques without acceleration: the bias */
    BENCH_ROBOT_SOLVE,     /* M^-1 of ones */
    BENCH_ROBOT_FORWARD,   /* accelerations under no torque */
    BENCH_ROBOT_QUESTIONS
} BenchRobotQuestion;

typedef struct BenchRobotPeer {
    const char *name;
    void *(*open)(const AbutModel *model);
    /* Sets q and v and answers; `out` has room for as many numbers as there are velocities, at least 3. */
    void (*answer)(void *state, BenchRobotQuestion question, const double *q, const double *v, double *out);
    void (*close)(void *state);
} BenchRobotPeer;

extern const BenchRobotPeer bench_robot_mujoco;    /* peer_robot_mujoco.c */
extern const BenchRobotPeer bench_robot_pinocchio; /* peer_robot_pinocchio.cpp */

/* Copies of a robot of boxes beside each other on the ground, in its first keyframe. A step gives the height of the
 * first body. */
typedef struct BenchStandPeer {
    const char *name;
    void *(*open)(const AbutModel *model, int copies, double apart);
    double (*step)(void *state);
    void (*close)(void *state);
    /* For one copy: positions of all joints, at rest and without memory of what was; controls; a position. */
    void (*reset)(void *state, const double *q);
    void (*control)(void *state, const double *u);
    double (*look)(void *state, int place);
} BenchStandPeer;

extern const BenchStandPeer bench_stand_mujoco; /* peer_stand_mujoco.c */

#endif
