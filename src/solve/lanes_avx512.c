/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over contacts in lanes with AVX-512; plain C on other processor families. */
#define SWEEP abut_lanes_sweep_avx512
#define WIDTH 8
#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL __attribute__((target("avx512f,avx512dq,avx512vl")))
#else
#define KERNEL
#endif
#include "solve/lanes_sweep.inc"
