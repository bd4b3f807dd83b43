/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of eight intervals with the short vectors of AVX-512; plain C on other processor families. */
#define BLOCK abut_plan_block_avx512
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define KERNEL __attribute__((target("avx512f,avx512vl,avx512dq")))
#define BITS(mask) ((uint32_t)_mm256_movepi32_mask((__m256i)(mask)))
#define ROOT(x) ((Lane)_mm256_sqrt_ps((__m256)(x)))
#else
#define KERNEL
#endif
#include "proof/lanes.inc"
