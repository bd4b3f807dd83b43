/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over contacts in lanes with AVX2; plain C on other processor families. */
#define SWEEP abut_lanes_sweep_avx2
#define WIDTH 4
#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL __attribute__((target("avx2")))
#else
#define KERNEL
#endif
#include "solve/lanes_sweep.inc"
