/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engines: abut and its peers behind one small table of functions, so that all answer the same questions about the same
 * pairs. An engine that does not offer a question, or a kind of shape, gives NULL from `open`.
 */
#ifndef ABUT_BENCH_ENGINE_H
#define ABUT_BENCH_ENGINE_H

#include "bench/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BenchQuestion {
    BENCH_DISTANCE, /* the pairs are apart: how far */
    BENCH_DEPTH,    /* the pairs overlap: how deep */
    BENCH_MEET      /* yes or no */
} BenchQuestion;

enum { BENCH_POSES = 4 };

typedef struct BenchPair {
    int a, b;                     /* shapes */
    AbutPose b_in_a[BENCH_POSES]; /* a small motion */
    double truth[BENCH_POSES];    /* signed distance */
    double size;                  /* of the larger body */
} BenchPair;

/* Shapes are polyhedra, boxes, or capsules along z with their center at the origin. All shapes of a set are of a kind.
 */
typedef struct BenchSet {
    BenchQuestion question;
    int warm; /* the poses of a pair are asked one after the other, round and round: engines may keep what they learned
               */
    int shape_count, pair_count, pose_count;
    AbutConvex *shapes;
    BenchPair *pairs;
} BenchSet;

typedef struct BenchAnswer {
    double distance; /* signed; unused for BENCH_MEET */
    int meets;
    int failed; /* the engine itself says that it has no answer */
} BenchAnswer;

typedef struct BenchEngine {
    const char *name;
    int own;
    void *(*open)(const BenchSet *set);
    BenchAnswer (*ask)(void *state, int pair, int pose);
    void (*close)(void *state);
} BenchEngine;

/* NULL at index `count` and beyond. */
const BenchEngine *bench_engine(int index);

/* Asks every engine, counts wrong answers, times them, adds a row each. */
void bench_compare(BenchRun *run, const BenchSet *set);

extern const BenchEngine bench_abut, bench_abut_warm;
extern const BenchEngine bench_ccd_epa, bench_ccd_mpr;
extern const BenchEngine bench_fcl_ccd, bench_fcl_indep;
extern const BenchEngine bench_coal;
extern const BenchEngine bench_parry;
extern const BenchEngine bench_bullet;
extern const BenchEngine bench_ode;
extern const BenchEngine bench_mujoco;

#ifdef __cplusplus
}
#endif

#endif
