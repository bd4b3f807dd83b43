/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of soft directions with AVX2; plain C on other processor families. */
#define UNIT abut_soft_unit_avx2
#define UNIT_NAME "avx2"
#define ISA 1
#include "direction/soft_walk.inc"
