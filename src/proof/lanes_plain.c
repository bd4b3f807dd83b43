/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of eight intervals without a vector unit in particular. */
#define BLOCK abut_plan_block_plain
#define KERNEL
#include "proof/lanes.inc"
