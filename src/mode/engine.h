/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the mode room: what an engine is asked to do and gives back, and the engines themselves. An engine is one
 * instance of engine.inc: double, double-double or int64 values, masks of 64 or 256 rows, one vector unit.
 */
#ifndef ABUT_SRC_MODE_ENGINE_H
#define ABUT_SRC_MODE_ENGINE_H

#include "mode/block_arena.h"
#include "math/double_double.h"
#include "mode/prepared_rows.h"

__extension__ typedef unsigned __int128 AbutU128;

/* How close to the tolerance values came, relative to the largest of their ray or vector. */
typedef struct AbutModeSeen {
    double largest_zero, smallest_nonzero;
} AbutModeSeen;

/* Task and result of an engine. */
typedef struct AbutModeRun {
    const AbutModePrepared *prepared;
    const AbutModeOptions *options;
    int use_flats; /* count by the sum over flats */
    int threads;
    AbutU128 modes;
    uint64_t cs_modes;
    AbutModeSeen seen;
    int stopped, out_of_memory, out_of_budget;
} AbutModeRun;

typedef void AbutModeEngine(AbutModeRun *run);
extern AbutModeEngine abut_mode_engine_double_64, abut_mode_engine_double_64_avx2, abut_mode_engine_double_64_avx512;
extern AbutModeEngine abut_mode_engine_double_256, abut_mode_engine_double_256_avx2;
extern AbutModeEngine abut_mode_engine_double_double_64, abut_mode_engine_double_double_64_avx2,
    abut_mode_engine_double_double_64_avx512, abut_mode_engine_double_double_256;
extern AbutModeEngine abut_mode_engine_exact_64, abut_mode_engine_exact_256;

/* The engine for prepared rows: vector level 0 plain, 1 AVX2, 2 AVX-512, or -1 for the best of this processor. */
AbutModeEngine *abut_mode_choose_engine(const AbutModePrepared *prepared, int level);

/* abut_mode_enumerate with a chosen vector level, so that tests can compare them. */
AbutStatus abut_mode_enumerate_level(
    const AbutModeSystem *system, const AbutModeOptions *options, int level, AbutModeResult *result, AbutError *error);

/*
 * The weight of a flat: the sum of |mu(X, top)| over the flats X of the matroid of `count` vectors of `dim` numbers
 * (row-major). None of them may be zero. Saturates at the largest 64-bit number.
 */
uint64_t abut_mode_flat_weight(
    const double *vectors, int count, int dim, double tolerance, AbutModeArena *arena, AbutModeSeen *seen);
uint64_t abut_mode_flat_weight_double_double(
    const AbutDD *vectors, int count, int dim, double tolerance, AbutModeArena *arena, AbutModeSeen *seen);

#endif
