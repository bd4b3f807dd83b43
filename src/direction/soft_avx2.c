/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of soft directions with AVX2; plain C on other processor families. */
#define UNIT abut_soft_unit_avx2
#define UNIT_NAME "avx2"
#if defined(__x86_64__) && defined(__GNUC__)
#define ISA 1
#define KERNEL __attribute__((target("avx2")))
#else
#define ISA 0
#define KERNEL
#endif
#include "direction/soft_walk.inc"
