/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: exact integers, up to 64 rows. */
#define EXACT 1
#define DOUBLE_DOUBLE 0
#define WORDS 1
#define ISA 0
#define ENGINE abut_mode_engine_exact_64
#include "mode/engine.inc"
