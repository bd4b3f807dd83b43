/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: pairs of doubles, up to 256 rows, plain C. */
#define EXACT 0
#define PAIR 1
#define WORDS 4
#define ENGINE abut_mode_engine_p4
#define ISA 0
#define KERNEL
#include "mode/engine.inc"
