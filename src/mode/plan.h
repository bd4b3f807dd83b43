/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the mode room: the prepared system (different rows, scaled), what the engines are asked to do, and the
 * engines themselves. An engine is one instance of engine.inc: double or int64 values, 1 or 4 mask words, one vector
 * unit.
 */
#ifndef ABUT_SRC_MODE_PLAN_H
#define ABUT_SRC_MODE_PLAN_H

#include "abut/mode.h"

#include "mode/pair.h"

__extension__ typedef unsigned __int128 AbutU128;

/* Relative: what counts as zero in pairs of doubles. */
#define ABUT_MODE_PAIR_TOLERANCE 1e-17

/* The rows after scaling and merging. Raw row i equals sign[i] times a positive factor times unique row index[i]. */
typedef struct AbutModePlan {
    int contacts, lines, dof;
    int raw;     /* contacts + contacts * lines */
    int unique;  /* different rows */
    int words;   /* words of an output bit set */
    int exact;   /* `whole` is set and decides */
    double bits; /* exact: no number in the search is longer than this */
    double tolerance;
    int *index;     /* raw -> unique, -1 for a zero row */
    int8_t *sign;   /* raw -> -1 or 1 */
    int pairs;      /* `low` is filled and decides, in pairs of doubles */
    double *matrix; /* unique x dof */
    double *low;    /* unique x dof: what to add to the matrix for twice the digits */
    double *column; /* dof: matrix column = original column * column[j] */
    int64_t *whole; /* unique x dof, exact integers, or NULL */
    void *memory;
} AbutModePlan;

AbutStatus abut_mode_plan_make(const AbutModeSystem *system, double tolerance, AbutModeArithmetic arithmetic,
    AbutModePlan *plan, AbutError *error);
void abut_mode_plan_free(AbutModePlan *plan);

/* Checks sizes and numbers of a system. */
AbutStatus abut_mode_system_check(const AbutModeSystem *system, AbutError *error);

/*
 * Small rationals: scales rows and columns of the unique matrix to integers; 0 when they are not small. `bits`: bound
 * on the length of every number that can occur.
 */
int abut_mode_rationalize(const double *matrix, int rows, int columns, int64_t *out, double *bits);

/* How close to the tolerance values came, relative to the largest of their ray or vector. */
typedef struct AbutModeSeen {
    double largest_zero, smallest_nonzero;
} AbutModeSeen;

/* What an engine does and what came out. */
typedef struct AbutModeRun {
    const AbutModePlan *plan;
    const AbutModeOptions *options;
    int use_flats; /* count by the sum over flats */
    int threads;
    AbutU128 modes;
    uint64_t cs_modes;
    AbutModeSeen seen;
    int stopped, out_of_memory;
} AbutModeRun;

typedef void AbutModeEngine(AbutModeRun *run);
extern AbutModeEngine abut_mode_engine_d1, abut_mode_engine_d1_avx2, abut_mode_engine_d1_avx512;
extern AbutModeEngine abut_mode_engine_d4, abut_mode_engine_d4_avx2;
extern AbutModeEngine abut_mode_engine_p1, abut_mode_engine_p1_avx2, abut_mode_engine_p1_avx512, abut_mode_engine_p4;
extern AbutModeEngine abut_mode_engine_x1, abut_mode_engine_x4;

/* The engine for a plan: vector level 0 plain, 1 AVX2, 2 AVX-512, or -1 for the best of this processor. */
AbutModeEngine *abut_mode_engine_pick(const AbutModePlan *plan, int level);

/* abut_mode_enumerate with a chosen vector level, so that tests can compare them. */
AbutStatus abut_mode_enumerate_level(
    const AbutModeSystem *system, const AbutModeOptions *options, int level, AbutModeResult *result, AbutError *error);

/* A bump arena of linked blocks that never moves what it gave out. */
typedef struct AbutModeBlock {
    struct AbutModeBlock *next;
    size_t size;
} AbutModeBlock;

typedef struct AbutModeArena {
    AbutModeBlock *first, *block; /* block: where the bump pointer is */
    size_t used;
} AbutModeArena;

typedef struct AbutModeMark {
    AbutModeBlock *block;
    size_t used;
} AbutModeMark;

enum { ABUT_MODE_BLOCK_HEAD = 64 };

void *abut_mode_arena_more(AbutModeArena *arena, size_t bytes);
void abut_mode_arena_free(AbutModeArena *arena);

static inline void *abut_mode_arena_take(AbutModeArena *arena, size_t bytes)
{
    bytes = (bytes + 63) & ~(size_t)63;
    if (ABUT_UNLIKELY(!arena->block || arena->block->size - arena->used < bytes))
        return abut_mode_arena_more(arena, bytes);
    void *at = (unsigned char *)arena->block + arena->used;
    arena->used += bytes;
    return at;
}

static inline AbutModeMark abut_mode_arena_mark(const AbutModeArena *arena)
{
    AbutModeMark mark = {arena->block, arena->used};
    return mark;
}

static inline void abut_mode_arena_rewind(AbutModeArena *arena, AbutModeMark mark)
{
    arena->block = mark.block ? mark.block : arena->first;
    arena->used = mark.block ? mark.used : ABUT_MODE_BLOCK_HEAD;
}

/*
 * The weight of a flat: the sum of |mu(X, top)| over the flats X of the matroid of `count` vectors of `dim` numbers
 * (row-major). None of them may be zero. Saturates at the largest 64-bit number.
 */
uint64_t abut_mode_flat_weight(
    const double *vectors, int count, int dim, double tolerance, AbutModeArena *arena, AbutModeSeen *seen);
uint64_t abut_mode_flat_weight_pair(
    const AbutPair *vectors, int count, int dim, double tolerance, AbutModeArena *arena, AbutModeSeen *seen);

#endif
