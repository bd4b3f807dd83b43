/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/shape.h"

static const AbutField mass_fields[] = {
    {ABUT_FIELD(AbutMass, volume, REAL, "m^3", "Volume, signed by the orientation of the surface.")},
    {ABUT_FIELD(AbutMass, area, REAL, "m^2", "Area of the surface.")},
    {ABUT_FIELD_VEC3(AbutMass, centroid, "m", "Center of mass.")},
    {ABUT_FIELD(AbutMass, inertia, REAL, "m^5", "Inertia matrix about the centroid, for density 1."), .rows = 3,
        .columns = 3},
};

const AbutRecord abut_mass_record =
    ABUT_RECORD("Mass", "Volume, area, centroid and inertia of a solid of density 1.", AbutMass, mass_fields);

static const AbutField report_fields[] = {
    {ABUT_FIELD(AbutMeshReport, closed, FLAG, "", "Every edge has exactly two triangles.")},
    {ABUT_FIELD(AbutMeshReport, oriented, FLAG, "", "Neighboring triangles agree about the outside.")},
    {ABUT_FIELD(AbutMeshReport, outward, FLAG, "", "Closed, oriented and of positive volume.")},
    {ABUT_FIELD(AbutMeshReport, degenerate, INT, "", "Triangles without area.")},
    {ABUT_FIELD(AbutMeshReport, boundary_edges, INT, "", "Edges with one triangle.")},
    {ABUT_FIELD(AbutMeshReport, crowded_edges, INT, "", "Edges with more than two triangles.")},
    {ABUT_FIELD(AbutMeshReport, unused_vertices, INT, "", "Vertices of no triangle.")},
    {ABUT_FIELD(AbutMeshReport, components, INT, "", "Sets of triangles connected over common edges.")},
    {ABUT_FIELD_AS("volume", AbutMeshReport, mass.volume, REAL, "m^3", "Volume; needs a closed, oriented mesh.")},
    {ABUT_FIELD_AS("area", AbutMeshReport, mass.area, REAL, "m^2", "Area of the surface.")},
    {ABUT_FIELD_AS("centroid", AbutMeshReport, mass.centroid, REAL, "m", "Center of mass."), .rows = 3},
    {ABUT_FIELD_AS("inertia", AbutMeshReport, mass.inertia, REAL, "m^5", "Inertia about the centroid, for density 1."),
        .rows = 3, .columns = 3},
    {ABUT_FIELD_AS("min", AbutMeshReport, box.min, REAL, "m", "Least corner of the bounding box."), .rows = 3},
    {ABUT_FIELD_AS("max", AbutMeshReport, box.max, REAL, "m", "Greatest corner of the bounding box."), .rows = 3},
};

const AbutRecord abut_mesh_report_record =
    ABUT_RECORD("MeshReport", "What a mesh is: closed, oriented, outward; counts of flaws; mass of the solid inside.",
        AbutMeshReport, report_fields);

static const AbutField maker_fields[] = {
    {ABUT_FIELD(AbutMeshMaker, name, TEXT, "", "Name of the shape.")},
    {ABUT_FIELD(AbutMeshMaker, summary, TEXT, "", "A summary in one line.")},
    {ABUT_FIELD(AbutMeshMaker, sizes, TEXT, "", "Names of its sizes, with their defaults.")},
    {ABUT_FIELD_AS("defaults", AbutMeshMaker, size_default, REAL, "m", "Default sizes."), .rows = 4,
        .count_at = offsetof(AbutMeshMaker, size_count)},
    {ABUT_FIELD_AS("triangles", AbutMeshMaker, triangles_default, INT, "", "Default number of triangles.")},
};

const AbutRecord abut_mesh_maker_record =
    ABUT_RECORD("MeshMaker", "A shape that the library makes as a mesh.", AbutMeshMaker, maker_fields);
