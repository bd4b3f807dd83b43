/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulators: abut and its peers behind one table of functions. All read the same model of abut (bodies of one box or
 * one polyhedron each, a half-space named "ground", and walls) and advance it by equal steps; all are measured by the
 * same code from poses of the centers of mass, velocities and ground forces.
 */
#ifndef ABUT_BENCH_SIM_ENGINE_H
#define ABUT_BENCH_SIM_ENGINE_H

#include "abut/dynamics.h"
#include "bench/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SimWall {
    AbutPose pose;
    AbutVec3 half;
} SimWall;

typedef struct SimScene {
    const char *spec; /* as abut_scene_build takes it */
    uint64_t seed;
    AbutModel *model; /* with the mass of every body stated */
    AbutVec3 gravity;
    AbutPlane ground; /* solid where normal . x <= offset */
    double friction;
    int32_t *body; /* numbers of the moving bodies in the model */
    int count;
    SimWall *wall; /* fixed boxes; only engines that scale take them */
    int wall_count;
} SimScene;

/* Moving body i: its description, its one shape (in the body frame), where its center of mass stands at the start. */
const AbutBodyDef *sim_body(const SimScene *scene, int i);
const AbutShapeDef *sim_shape(const SimScene *scene, int i);
AbutPose sim_start(const SimScene *scene, int i);

/* Ends the program when there is no such scene. */
void sim_open_scene(SimScene *scene, const char *spec, uint64_t seed);
void sim_close_scene(SimScene *scene);

typedef struct SimBody {
    AbutPose pose; /* body axes, at the center of mass */
    AbutVec3 velocity, spin;
    double ground_force; /* normal force of the ground in the last step, N; NAN: the engine cannot tell */
} SimBody;

/* Effects of one step; numbers that an engine does not have are 0. */
typedef struct SimStep {
    int pairs; /* in contact */
    double sweeps;
    int capped;
    double seconds; /* of processor time, where the engine measures them; below 0: the call is timed */
} SimStep;

typedef struct SimEngine {
    const char *name;
    int own, scales;                                              /* scales: fit for thousands of bodies */
    void *(*open)(const SimScene *scene, double dt, int threads); /* NULL: not this scene */
    int (*step)(void *state, double dt);                          /* 0: it failed. The step may change */
    void (*info)(void *state, SimStep *out);
    void (*read)(void *state, SimBody *body);
    void (*close)(void *state);
} SimEngine;

/* NULL at index `count` and beyond; number 0 is abut. */
const SimEngine *sim_engine(int index);

/* CPU seconds of the process. */
double sim_cpu_now(void);

/* Measures of one run; docs/reference/benchmark.md explains them. */
typedef struct SimResult {
    int failed;                   /* the engine gave up, or a number is not finite */
    double us, us_rest, us_worst; /* CPU time per step: mean, mean over the last second, largest */
    double settle; /* last time at which a body was faster than 5 mm/s, s; the length of the run: never settled */
    double depth_median, depth_max; /* over pairs of boxes that touch in the end, m */
    double ground_depth;            /* deepest corner below the floor in the end, m */
    double cv, cv_worst;   /* std/mean of ground forces in the last second: mean over boxes on the floor, worst box */
    double load_worst;     /* mean force on that box over its weight: near 0 where it only grazes the floor */
    int floor, chattering; /* boxes on the floor, and those of them that lose it in some step of the last second */
    double carried;        /* mean ground force of all boxes in the last second over their weight: 1 at rest */
    double energy_rise;    /* largest total energy less that at the start, over what lifts all bodies by their radius */
    double moved;          /* how far the body that moved most is from its start in the end, m */
    double tremble;        /* largest speed of a center of mass in the last quarter of the run, m/s */
    double creep;          /* the farthest that a body is from where it was a second before the end, m/s */
    double size;           /* bounding radius of the smallest body, m */
    double sweeps, sweeps_rest;
    int capped, steps;
} SimResult;

SimResult sim_measure(const SimEngine *engine, const SimScene *scene, double dt, double length);

/* The value below which this part of the values lies; sorts them. NAN when there are none. */
double sim_quantile(double *values, int count, double part);

extern const SimEngine sim_abut;
extern const SimEngine sim_mujoco, sim_mujoco_tight;
extern const SimEngine sim_bullet;
extern const SimEngine sim_ode;
extern const SimEngine sim_rapier, sim_rapier_tight;
extern const SimEngine sim_drake, sim_jolt, sim_havok; /* sim_pipe.c */

#ifdef __cplusplus
}
#endif

#endif
