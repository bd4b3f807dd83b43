/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/mesh.h"

static const AbutField pieces_fields[] = {
    {ABUT_FIELD_AS("pieces", AbutPieces, count, INT, "", "Number of convex pieces.")},
    {ABUT_FIELD(AbutPieces, excess, REAL, "", "Volume of the pieces beyond the mesh, over the volume of the mesh.")},
    {ABUT_FIELD(AbutPieces, target_met, FLAG, "", "The excess is as small as requested.")},
    {ABUT_FIELD(AbutPieces, closed, FLAG, "", "The mesh is closed; otherwise the pieces cover only its surface.")},
    {ABUT_FIELD(AbutPieces, mesh_volume, REAL, "m^3", "Volume of the mesh; null where it is not known.")},
    {ABUT_FIELD(AbutPieces, volume, REAL, "m^3", "Volume of all pieces together.")},
};

const AbutRecord abut_pieces_record =
    ABUT_RECORD("Pieces", "Convex pieces that cover a mesh.", AbutPieces, pieces_fields);

static const AbutField collision_fields[] = {
    {ABUT_FIELD_WORDS(AbutCollision, outcome, abut_gap_outcome_names, "How the bodies lie to each other.")},
    {ABUT_FIELD(AbutCollision, containment_known, FLAG, "", "False where a mesh is open.")},
    {ABUT_FIELD_AS("first_a", AbutCollision, first.a, INT, "", "Triangle of A that meets `first_b`; -1 for none.")},
    {ABUT_FIELD_AS("first_b", AbutCollision, first.b, INT, "", "Triangle of B; -1 for none.")},
    {ABUT_FIELD(AbutCollision, count, INT, "", "Pairs of triangles that are listed.")},
    {ABUT_FIELD(AbutCollision, more, FLAG, "", "There are more pairs than the limit.")},
};

const AbutRecord abut_collision_record =
    ABUT_RECORD("Collision", "Do two bodies meet, and with which triangles?", AbutCollision, collision_fields);
