/* SPDX-License-Identifier: Apache-2.0 */
/* MJCF written into memory and loaded from there, by the MuJoCo of Debian (2.2) or a newer one (from 3.0 on). */
#ifndef ABUT_BENCH_MUJOCO_TEXT_H
#define ABUT_BENCH_MUJOCO_TEXT_H

#include <mujoco/mujoco.h>

#include "bench/bench.h"

/* MuJoCo 2 counts 222 for 2.2.2, MuJoCo 3 likewise 300; MuJoCo 4 counts 4000000. */
#define BENCH_MUJOCO_3 (mjVERSION_HEADER >= 300)
#define BENCH_MUJOCO_4 (mjVERSION_HEADER >= 4000000)

/* Neither contacts nor springs and dampers. */
#if BENCH_MUJOCO_4
#define BENCH_MUJOCO_NO_FORCES (mjDSBL_CONSTRAINT | mjDSBL_SPRING | mjDSBL_DAMPER)
#else
#define BENCH_MUJOCO_NO_FORCES (mjDSBL_CONSTRAINT | mjDSBL_PASSIVE)
#endif

/* Grows as it is written. Free `memory`. */
typedef struct MujocoText {
    char *memory;
    size_t used, size;
} MujocoText;

void mujoco_put(MujocoText *text, const char *format, ...) ABUT_PRINTF(2, 3);

/* NULL, after a word, where MuJoCo refuses the text. */
mjModel *mujoco_load(const char *text, size_t length);

/* "MuJoCo 4.0.0": the library that is loaded. */
const char *mujoco_name(void);

#endif
