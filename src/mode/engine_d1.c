/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double, up to 64 rows, plain C. */
#define EXACT 0
#define PAIR 0
#define WORDS 1
#define ENGINE abut_mode_engine_d1
#define ISA 0
#define KERNEL
#include "mode/engine.inc"
