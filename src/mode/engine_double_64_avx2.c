/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double, up to 64 rows, AVX2. */
#define EXACT 0
#define DOUBLE_DOUBLE 0
#define WORDS 1
#define ISA 1
#define ENGINE abut_mode_engine_double_64_avx2
#include "mode/engine.inc"
