/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double-double numbers, up to 64 rows, AVX2 with FMA; plain C on other processor families. */
#define EXACT 0
#define DOUBLE_DOUBLE 1
#define WORDS 1
#define ENGINE abut_mode_engine_double_double_64_avx2
#if defined(__x86_64__) && defined(__GNUC__)
#define ISA 1
#define KERNEL __attribute__((target("avx2,fma,bmi,bmi2,popcnt")))
#else
#define ISA 0
#define KERNEL
#endif
#include "mode/engine.inc"
