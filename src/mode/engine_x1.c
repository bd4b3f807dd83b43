/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: exact integers, up to 64 rows. */
#define EXACT 1
#define PAIR 0
#define WORDS 1
#define ENGINE abut_mode_engine_x1
#define ISA 0
#define KERNEL
#include "mode/engine.inc"
