/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about two bodies: distance, depth, collision, intersection, casts, and of meshes. */
#include "records.h"

WORDS(part_kind, "none", "vertex", "edge", "face", "triangle", "piece")
WORDS(intersect_outcome, "meet", "apart", "empty_a", "empty_b", "undecided", "unsupported", "invalid")
WORDS(intersect_method, "default", "ren", "lp", "gjk")
ABUT_NAMES(gap_outcome, abut_gap_outcome_name, AbutGapOutcome, ABUT_GAP_OUTCOME_COUNT)
ABUT_NAMES(gap_kind, abut_gap_kind_name, AbutGapKind, ABUT_GAP_KIND_COUNT)

static const AbutField gap_fields[] = {
    WORD(AbutGap, outcome, gap_outcome),
    WORD(AbutGap, kind, gap_kind),
    REAL(AbutGap, distance),
    REAL(AbutGap, error),
    VECTOR(AbutGap, normal),
    VECTOR(AbutGap, point_a),
    VECTOR(AbutGap, point_b),
    {ABUT_FIELD_AS("part_kind_a", AbutGap, part_a.kind, WORD, "", ""), .word = part_kind},
    {ABUT_FIELD_AS("part_a", AbutGap, part_a.index, INT, "", ""), .rows = 3},
    {ABUT_FIELD_AS("part_kind_b", AbutGap, part_b.kind, WORD, "", ""), .word = part_kind},
    {ABUT_FIELD_AS("part_b", AbutGap, part_b.index, INT, "", ""), .rows = 3},
    REAL(AbutGap, surface),
    VECTOR(AbutGap, plane),
    FLAG(AbutGap, containment_known),
    FLAG(AbutGap, verified),
};

Record record_gap = RECORD("Gap",
    "How two bodies lie to each other, in the frame of A: their distance or depth.\n\n"
    "outcome: 'separated', 'touching', 'penetrating' (of meshes: the surfaces touch or cross), 'a_in_b', 'b_in_a',\n"
    "'farther' (than `within`), 'not converged', 'empty' or 'invalid' (NaN or lengths beyond 1e60).\n"
    "distance: metres, negative in penetration; 0 where meshes meet and no depth was asked for.\n"
    "kind: what a depth is: 'exact', 'sweep', 'classic', 'decomposition' or 'surface' (a mesh is open).\n"
    "error: bound on the error of the distance, m. normal (3,): unit, from A to B; moving B by -distance along it\n"
    "makes the bodies touch. point_a, point_b (3,): witness points; point_b - point_a = distance * normal, of meshes\n"
    "without a depth surface * normal. part_kind_a: 'vertex', 'edge' or 'face' of a convex body, whose vertices "
    "part_a\n"
    "(3,) names (-1: none), 'triangle' or 'piece' with its number in part_a[0], or 'none'; part_kind_b, part_b alike.\n"
    "surface: distance of the surfaces of meshes alone. containment_known: False where a mesh is open.\n"
    "Depths of meshes: plane (3,): unit normal in which they touch after the move. verified: B moved by a little more\n"
    "was asked, and is apart.",
    AbutGap, gap_fields);

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

static const AbutField collision_fields[] = {
    WORD(AbutCollision, outcome, gap_outcome),
    FLAG(AbutCollision, containment_known),
    {ABUT_FIELD_AS("first_a", AbutCollision, first.a, INT, "", "")},
    {ABUT_FIELD_AS("first_b", AbutCollision, first.b, INT, "", "")},
    COUNT(AbutCollision, count),
    FLAG(AbutCollision, more),
};

Record record_collision = RECORD("Collision",
    "Do two bodies meet, and with which triangles?\n\n"
    "outcome: as of Gap. first_a, first_b: a pair of triangles that meets, -1 of a convex body or none.\n"
    "count: pairs that were listed. more: True where there are more than `limit`.",
    AbutCollision, collision_fields);

static const AbutField intersection_fields[] = {
    {ABUT_FIELD_AS("outcome", Meeting, x.outcome, WORD, "", ""), .word = intersect_outcome},
    {ABUT_FIELD_AS("method", Meeting, x.method, WORD, "", ""), .word = intersect_method},
    {ABUT_FIELD_AS("witness", Meeting, x.witness, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION, .count_at = offsetof(Meeting, dimension)},
    {ABUT_FIELD_AS("violation", Meeting, x.violation, REAL, "", "")},
    {ABUT_FIELD_AS("plane", Meeting, x.plane, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION, .count_at = offsetof(Meeting, dimension)},
    {ABUT_FIELD_AS("plane_offset", Meeting, x.plane_offset, REAL, "", "")},
    {ABUT_FIELD_AS("gap", Meeting, x.gap, REAL, "", "")},
    {ABUT_FIELD_AS("proof_row", Meeting, x.proof_row, INT, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION + 1, .count_at = offsetof(Meeting, x.proof_count)},
    {ABUT_FIELD_AS("proof_weight", Meeting, x.proof_weight, REAL, "", ""), .rows = ABUT_INTERSECT_MAX_DIMENSION + 1, .count_at = offsetof(Meeting, x.proof_count)},
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
    "distance: metres, negative inside. point, normal (3,): of the surface, outward. body: its number, -1 for none.\n"
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
