/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about two bodies: distance, depth, collision, intersection, casts, and of meshes. */
#include "records.h"

WORDS(intersect_outcome, "meet", "apart", "empty_a", "empty_b", "undecided", "unsupported", "invalid")
WORDS(intersect_method, "default", "ren", "lp", "gjk")

Record record_gap = RECORD_OF(abut_gap_record);

static const AbutField derivative_fields[] = {
    FLAG(AbutDistanceDerivative, valid),
    FLAG(AbutDistanceDerivative, points_valid),
    {ABUT_FIELD_AS("distance", AbutDistanceDerivative, distance, REAL, "", ""), .rows = 12},
    {ABUT_FIELD_AS("point_a", AbutDistanceDerivative, point_a, REAL, "", ""), .rows = 3, .columns = 12},
    {ABUT_FIELD_AS("point_b", AbutDistanceDerivative, point_b, REAL, "", ""), .rows = 3, .columns = 12},
};

Record record_derivative = RECORD("DistanceDerivative",
    "How a distance changes when the bodies move.\n\n"
    "distance (12,): by the translation of A, its rotation about its origin (a small rotation vector), and the same\n"
    "for B; world axes. point_a, point_b (3, 12): of the witness points. valid, points_valid: False where the\n"
    "nearest features are not unique or about to change.",
    AbutDistanceDerivative, derivative_fields);

Record record_collision = RECORD_OF(abut_collision_record);

static const AbutField intersection_fields[] = {
    {ABUT_FIELD_AS("outcome", Meeting, x.outcome, WORD, "", ""), .words = intersect_outcome},
    {ABUT_FIELD_AS("method", Meeting, x.method, WORD, "", ""), .words = intersect_method},
    {ABUT_FIELD_AS("witness", Meeting, x.witness, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION,
        .count_at = offsetof(Meeting, dimension)},
    {ABUT_FIELD_AS("violation", Meeting, x.violation, REAL, "", "")},
    {ABUT_FIELD_AS("plane", Meeting, x.plane, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION,
        .count_at = offsetof(Meeting, dimension)},
    {ABUT_FIELD_AS("plane_offset", Meeting, x.plane_offset, REAL, "", "")},
    {ABUT_FIELD_AS("gap", Meeting, x.gap, REAL, "", "")},
    {ABUT_FIELD_AS("proof_row", Meeting, x.proof_row, INT, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION + 1,
        .count_at = offsetof(Meeting, x.proof_count)},
    {ABUT_FIELD_AS("proof_weight", Meeting, x.proof_weight, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION + 1,
        .count_at = offsetof(Meeting, x.proof_count)},
    {ABUT_FIELD_AS("tests", Meeting, x.tests, LONG, "", "")},
    {ABUT_FIELD_AS("reductions", Meeting, x.reductions, LONG, "", "")},
    {ABUT_FIELD_AS("decided_by_box", Meeting, x.decided_by_box, FLAG, "", "")},
    {ABUT_FIELD_AS("overruled", Meeting, x.overruled, FLAG, "", "")},
    COUNT(Meeting, dimension),
};

Record record_intersection = RECORD("Intersection",
    "Do two regions meet? The answer carries its proof.\n\n"
    "outcome: 'meet' (witness: a point of both), 'apart' (plane . x <= plane_offset on A, >= on B; gap: width of the\n"
    "empty slab), 'empty_a', 'empty_b', 'undecided', 'unsupported' or 'invalid'.\n"
    "proof_row, proof_weight: rows whose weighted sum shows it, those of A first.",
    Meeting, intersection_fields);

Record record_cast = RECORD_OF(abut_cast_hit_record);

static const AbutField nearest_fields[] = {
    COUNT(AbutNearestPoint, body),
    COUNT(AbutNearestPoint, feature),
    REAL(AbutNearestPoint, distance),
    VECTOR(AbutNearestPoint, point),
    VECTOR(AbutNearestPoint, normal),
};

Record record_nearest = RECORD("NearestPoint",
    "The point of a body's surface nearest to a point.\n\n"
    "distance: meters, negative inside. point, normal (3,): of the surface, outward. body: its number, -1 for none.\n"
    "feature: triangle of a mesh, -1 of a convex body.",
    AbutNearestPoint, nearest_fields);

Record record_report = RECORD_OF(abut_mesh_report_record);

static const AbutField mesh_nearest_fields[] = {
    COUNT(AbutMeshNearest, triangle),
    FLAG(AbutMeshNearest, inside),
    REAL(AbutMeshNearest, distance),
    VECTOR(AbutMeshNearest, point),
};

Record record_mesh_nearest = RECORD("MeshNearest",
    "The point of a mesh nearest to a point.\n\n"
    "triangle: its number, -1 for none within the limit. inside: None where the mesh is open. distance: m, not "
    "negative.",
    AbutMeshNearest, mesh_nearest_fields);
