/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of soft directions for any processor, and the choice between the units. */
#define UNIT abut_soft_unit_plain
#define UNIT_NAME "plain"
#define ISA 0
#include "direction/soft_walk.inc"

static const AbutSoftUnit *forced;

void abut_soft_unit_force(const AbutSoftUnit *unit) { forced = unit; }

const AbutSoftUnit *abut_soft_unit(void) {
    if (forced) return forced;
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") ? &abut_soft_unit_avx2 : &abut_soft_unit_plain;
#else
    return &abut_soft_unit_plain;
#endif
}
