/* SPDX-License-Identifier: Apache-2.0 */
/* What the results of the room hold, field by field. */
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
