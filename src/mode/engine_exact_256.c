/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: exact integers, up to 256 rows. */
#define EXACT 1
#define DOUBLE_DOUBLE 0
#define WORDS 4
#define ISA 0
#define ENGINE abut_mode_engine_exact_256
#include "mode/engine.inc"
