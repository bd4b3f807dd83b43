/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through mesh trees with AVX2; plain C on other processor families. */
#define WALK abut_mesh_walk_avx2
#define WALK_NAME "avx2"
#if defined(__x86_64__) && defined(__GNUC__)
#define ISA 1
#define KERNEL __attribute__((target("avx2")))
#else
#define ISA 0
#define KERNEL
#endif
#include "mesh/walk.inc"
