/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through mesh trees for any processor. */
#define WALK abut_mesh_walk_plain
#define WALK_NAME "plain"
#define ISA 0
#define KERNEL
#include "mesh/walk.inc"
