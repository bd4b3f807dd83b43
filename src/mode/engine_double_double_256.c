/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double-double numbers, up to 256 rows, plain C. */
#define EXACT 0
#define DOUBLE_DOUBLE 1
#define WORDS 4
#define ISA 0
#define ENGINE abut_mode_engine_double_double_256
#include "mode/engine.inc"
