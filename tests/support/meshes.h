/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes and trees for tests. What cannot be made fails the test. */
#ifndef ABUT_TESTS_MESHES_H
#define ABUT_TESTS_MESHES_H

#include "abut/mesh.h"

/* The tree of a mesh, to be freed. */
AbutMeshTree *tree_of(const AbutMesh *mesh);

/* A maker's mesh as a tree; the mesh is freed. */
AbutMeshTree *made_tree(const char *name, int triangles);

/* A torus of 2 nu nv triangles with waves on it. */
AbutMesh wavy_torus(int nu, int nv, int waves_u, int waves_v);

/* A box of twelve triangles around `center`; `inward` turns them over. */
AbutMesh box_mesh(AbutVec3 center, AbutVec3 half, int inward);

/* Both meshes in one, to be freed. */
AbutMesh both_meshes(const AbutMesh *a, const AbutMesh *b);

/* `count` triangles that have nothing to do with each other. Kind 0: of all sizes; 1: slivers; 2: corners on a lattice,
 * some without area; 3: small ones far from the origin; 4: tiny; 5: huge. */
AbutMesh random_soup(AbutRng *rng, int count, int kind);

/* Corners of triangle t. */
void corners_of(const AbutMesh *mesh, int t, AbutVec3 out[3]);

#endif
