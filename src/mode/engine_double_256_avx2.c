/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double, up to 256 rows, AVX2; plain C on other processor families. */
#define EXACT 0
#define DOUBLE_DOUBLE 0
#define WORDS 4
#define ENGINE abut_mode_engine_double_256_avx2
#if defined(__x86_64__) && defined(__GNUC__)
#define ISA 1
#define KERNEL __attribute__((target("avx2,bmi,bmi2,popcnt")))
#else
#define ISA 0
#define KERNEL
#endif
#include "mode/engine.inc"
