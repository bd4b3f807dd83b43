/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a block of memory is a sound mesh tree: what the tests ask of every tree that is made, and of broken ones. */
#ifndef ABUT_TEST_MESH_TREE_CHECK_H
#define ABUT_TEST_MESH_TREE_CHECK_H

#include "shape/mesh_tree.h"

/* Is this block of memory of `bytes` bytes, aligned to 64, a tree that the queries may trust? */
AbutStatus abut_mesh_tree_check(const void *block, size_t bytes, AbutError *error);

#endif
