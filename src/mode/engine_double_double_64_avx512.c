/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double-double numbers, up to 64 rows, AVX-512. */
#define EXACT 0
#define DOUBLE_DOUBLE 1
#define WORDS 1
#define ISA 2
#define ENGINE abut_mode_engine_double_double_64_avx512
#include "mode/engine.inc"
