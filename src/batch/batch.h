/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a batch. Each world is a scene and a simulation of its own, whose robot shares model, trees and tables
 * with the first scene, which never moves. A world with masses or gains of its own has a variant: the structure of the
 * model with other bodies and actuators, and everything else shared.
 */
#ifndef ABUT_BATCH_BATCH_H
#define ABUT_BATCH_BATCH_H

#include "abut/batch.h"
#include "dynamics/sim.h"
#include "model/inside.h"

enum { ABUT_REASON = 248 };

typedef struct AbutWorld {
    AbutScene *scene;
    AbutSimulation *sim;
    AbutModelInside *variant; /* NULL: the model of the batch */
    char reason[ABUT_REASON]; /* of the status */
} AbutWorld;

/* Memory of the world that steps on a thread. Worlds of free bodies keep their solver: it remembers orders of piles. */
typedef struct AbutRoom {
    char *workspace;
    size_t workspace_bytes;
    AbutSolver solver;
} AbutRoom;

struct AbutBatch {
    AbutModel *model;
    AbutSimulationDef def; /* of each world: one thread */
    int32_t worlds, threads, watch_count;
    AbutPair *watch;
    AbutWorld first;    /* at the reference, never stepped */
    AbutShapeId *shape; /* per shape of the model: the same in all scenes */
    void *start;        /* saved state of the first */
    size_t start_bytes;
    int32_t width[ABUT_BATCH_FIELD_COUNT][2];  /* columns, numbers per column */
    double *array[ABUT_BATCH_FIELD_COUNT];     /* NULL: not asked for, or not of doubles */
    double *applied[ABUT_BATCH_FIELD_COUNT];   /* parameters that the simulations have */
    double *model_row[ABUT_BATCH_FIELD_COUNT]; /* parameters of the model */
    int32_t *status;
    double *keyframes; /* reference, then keyframes: time, positions, velocities, controls of each */
    double *scratch;   /* per thread: positions and velocities, activations */
    AbutRoom *room;    /* per thread */
    AbutWorld *world;
};

static inline size_t abut_batch_width(const AbutBatch *b, int field) {
    return (size_t)b->width[field][0] * (size_t)b->width[field][1];
}

/* Numbers of the scratch of a thread; a few more than are used, so that threads share no line of the cache. */
static inline size_t abut_batch_scratch(const AbutBatch *b) {
    return abut_batch_width(b, ABUT_BATCH_POSITIONS) + abut_batch_width(b, ABUT_BATCH_VELOCITIES) +
           abut_batch_width(b, ABUT_BATCH_ACTIVATIONS) + 8;
}

/* The row of a world; NULL where nobody asked for the field. */
static inline double *abut_batch_row(const AbutBatch *b, int field, int32_t world) {
    return b->array[field] ? b->array[field] + (size_t)world * abut_batch_width(b, field) : NULL;
}

/* world.c */
AbutStatus abut_world_make(
    const AbutBatch *b, AbutModelInside *variant, AbutShapeId *shapes, AbutWorld *out, AbutError *error);
void abut_world_free(AbutWorld *world);
AbutStatus abut_world_renew(AbutBatch *b, int32_t world, AbutError *error); /* as new, with its masses and gains */
AbutStatus abut_world_tune(AbutBatch *b, int32_t world, AbutError *error);  /* parameters that changed */
void abut_world_fail(AbutBatch *b, int32_t world, AbutStatus status, const char *reason);

#endif
