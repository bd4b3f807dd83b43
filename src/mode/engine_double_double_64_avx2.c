/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double-double numbers, up to 64 rows, AVX2 with FMA. */
#define EXACT 0
#define DOUBLE_DOUBLE 1
#define WORDS 1
#define ISA 1
#define ENGINE abut_mode_engine_double_double_64_avx2
#include "mode/engine.inc"
