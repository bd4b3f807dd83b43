/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of eight intervals with AVX2; plain C on other processor families. */
#define BLOCK abut_plan_block_avx2
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define KERNEL __attribute__((target("avx2")))
#define BITS(mask) ((uint32_t)_mm256_movemask_ps((__m256)(mask)))
#define ROOT(x) ((Lane)_mm256_sqrt_ps((__m256)(x)))
#else
#define KERNEL
#endif
#include "proof/lanes.inc"
