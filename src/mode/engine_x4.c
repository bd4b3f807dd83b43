/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: exact integers, up to 256 rows. */
#define EXACT 1
#define PAIR 0
#define WORDS 4
#define ENGINE abut_mode_engine_x4
#define ISA 0
#define KERNEL
#include "mode/engine.inc"
