/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double, up to 256 rows, AVX2. */
#define EXACT 0
#define DOUBLE_DOUBLE 0
#define WORDS 4
#define ISA 1
#define ENGINE abut_mode_engine_double_256_avx2
#include "mode/engine.inc"
