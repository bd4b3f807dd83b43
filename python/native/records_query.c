/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about two bodies: distance, depth, collision, intersection, casts, and of meshes. */
#include "records.h"

WORDS(distance_outcome, "separated", "touching", "penetrating", "not converged", "invalid")
WORDS(intersect_outcome, "meet", "apart", "empty_a", "empty_b", "undecided", "unsupported", "invalid")
WORDS(intersect_method, "default", "ren", "lp", "gjk")
ABUT_NAMES(meeting, abut_mesh_meeting_name, AbutMeshMeeting, ABUT_MESH_MEETING_COUNT)
ABUT_NAMES(depth_kind, abut_depth_kind_name, AbutDepthKind, ABUT_DEPTH_KIND_COUNT)

static const AbutField distance_fields[] = {
    WORD(AbutDistance, outcome, distance_outcome),
    REAL(AbutDistance, distance),
    VECTOR(AbutDistance, normal),
    VECTOR(AbutDistance, point_a),
    VECTOR(AbutDistance, point_b),
    {ABUT_FIELD_AS("feature_a", AbutDistance, feature_a.vertex, INT, "", ""), .rows = 3,
        .count_at = offsetof(AbutDistance, feature_a.count)},
    {ABUT_FIELD_AS("feature_b", AbutDistance, feature_b.vertex, INT, "", ""), .rows = 3,
        .count_at = offsetof(AbutDistance, feature_b.count)},
    REAL(AbutDistance, gap),
    COUNT(AbutDistance, iterations),
};

Record record_distance = RECORD("Distance",
    "Signed distance of two convex bodies, in the frame of A.\n\n"
    "outcome: 'separated', 'touching', 'penetrating', 'not converged' or 'invalid' (NaN or lengths beyond 1e60).\n"
    "distance: metres, negative in penetration. normal (3,): unit, from A to B.\n"
    "point_a, point_b (3,): witness points; point_b - point_a = distance * normal.\n"
    "feature_a, feature_b: vertices that hold the points. gap: bound on the error, m. iterations: support points.",
    AbutDistance, distance_fields);

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

static const AbutField mesh_distance_fields[] = {
    WORD(AbutMeshDistance, meeting, meeting),
    FLAG(AbutMeshDistance, containment_known),
    REAL(AbutMeshDistance, distance),
    REAL(AbutMeshDistance, surface_distance),
    VECTOR(AbutMeshDistance, normal),
    VECTOR(AbutMeshDistance, point_a),
    VECTOR(AbutMeshDistance, point_b),
    COUNT(AbutMeshDistance, triangle_a),
    COUNT(AbutMeshDistance, triangle_b),
    REAL(AbutMeshDistance, gap),
    BIG_COUNT(AbutMeshDistance, node_pairs),
    BIG_COUNT(AbutMeshDistance, triangle_pairs),
};

Record record_mesh_distance = RECORD("MeshDistance",
    "Distance of two bodies of which one at least is a mesh, in the frame of A.\n\n"
    "meeting: 'apart', 'crossing', 'a_in_b', 'b_in_a', 'farther' (than `within`), 'empty' or 'invalid'.\n"
    "distance: metres, 0 where the bodies meet. surface_distance: of the surfaces alone.\n"
    "normal, point_a, point_b (3,): point_b - point_a = surface_distance * normal.\n"
    "triangle_a, triangle_b: numbers of the nearest triangles, -1 of a convex body.\n"
    "containment_known: False where a mesh is open. gap: surface_distance is at most this much too large.",
    AbutMeshDistance, mesh_distance_fields);

static const AbutField depth_fields[] = {
    WORD(AbutMeshDepth, meeting, meeting),
    WORD(AbutMeshDepth, kind, depth_kind),
    FLAG(AbutMeshDepth, certified),
    FLAG(AbutMeshDepth, verified_free),
    FLAG(AbutMeshDepth, containment_known),
    COUNT(AbutMeshDepth, triangle_a),
    COUNT(AbutMeshDepth, triangle_b),
    REAL(AbutMeshDepth, depth),
    VECTOR(AbutMeshDepth, direction),
    VECTOR(AbutMeshDepth, normal),
    VECTOR(AbutMeshDepth, point_a),
    VECTOR(AbutMeshDepth, point_b),
    BIG_COUNT(AbutMeshDepth, sweeps),
};

Record record_depth = RECORD("Depth",
    "A short translation of B that parts two bodies, in the frame of A.\n\n"
    "depth: metres, 0 where they are apart. direction (3,): unit; moving B by depth along it parts the bodies.\n"
    "kind: 'exact' (convex bodies, or apart), 'sweep', 'classic', 'decomposition' or 'surface' (a mesh is open).\n"
    "certified: the number is proved within its kind. verified_free: B moved by a little more was asked, and is "
    "apart.\n"
    "point_a, point_b (3,): what touches after the move. meeting, triangle_a, triangle_b: as of MeshDistance.",
    AbutMeshDepth, depth_fields);

static const AbutField collision_fields[] = {
    WORD(AbutMeshCollision, meeting, meeting),
    FLAG(AbutMeshCollision, containment_known),
    {ABUT_FIELD_AS("first_a", AbutMeshCollision, first.a, INT, "", "")},
    {ABUT_FIELD_AS("first_b", AbutMeshCollision, first.b, INT, "", "")},
    COUNT(AbutMeshCollision, count),
    FLAG(AbutMeshCollision, more),
};

Record record_collision = RECORD("Collision",
    "Do two bodies meet, and with which triangles?\n\n"
    "meeting: as of MeshDistance. first_a, first_b: a pair of triangles that meets, -1 of a convex body or none.\n"
    "count: pairs that were listed. more: True where there are more than `limit`.",
    AbutMeshCollision, collision_fields);

static const AbutField intersection_fields[] = {
    {ABUT_FIELD_AS("outcome", Meeting, x.outcome, WORD, "", ""), .word = intersect_outcome},
    {ABUT_FIELD_AS("method", Meeting, x.method, WORD, "", ""), .word = intersect_method},
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
