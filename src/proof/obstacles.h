/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-ins of meshes for the search. */
#ifndef ABUT_SRC_PROOF_OBSTACLES_H
#define ABUT_SRC_PROOF_OBSTACLES_H

#include "abut/proof.h"

/* A convex piece of an obstacle, to body 0. */
AbutStatus abut_plan_add_piece(AbutModel *model, const AbutPolyhedron *piece, AbutError *error);

/* sheets.c: thin pieces over the triangles of an open mesh, to body 0; *thick is how thick the worst is where they are
 * not flat, else 0. */
AbutStatus abut_plan_add_sheets(AbutModel *model, const AbutMesh *mesh, double *thick, AbutError *error);

#endif
