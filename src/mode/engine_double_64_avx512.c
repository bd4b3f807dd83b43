/* SPDX-License-Identifier: Apache-2.0 */
/* Engine: double, up to 64 rows, AVX-512; plain C on other processor families. */
#define EXACT 0
#define DOUBLE_DOUBLE 0
#define WORDS 1
#define ENGINE abut_mode_engine_double_64_avx512
#if defined(__x86_64__) && defined(__GNUC__)
#define ISA 2
#define KERNEL __attribute__((target("avx512f,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")))
#else
#define ISA 0
#define KERNEL
#endif
#include "mode/engine.inc"
