/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about two bodies: distance, depth, collision, intersection, casts, and of meshes. */
#include "records.h"

WORDS(part_kind, "none", "vertex", "edge", "face", "triangle", "piece")
WORDS(intersect_outcome, "meet", "apart", "empty_a", "empty_b", "undecided", "unsupported", "invalid")
WORDS(intersect_method, "default", "ren", "lp", "gjk")
NAMES(gap_outcome, abut_gap_outcome_name, AbutGapOutcome, ABUT_GAP_OUTCOME_COUNT)
NAMES(gap_kind, abut_gap_kind_name, AbutGapKind, ABUT_GAP_KIND_COUNT)
NAMES(impact_outcome, abut_impact_outcome_name, AbutImpactOutcome, ABUT_IMPACT_OUTCOME_COUNT)

static const Field gap_fields[] = {
    WORD(AbutGap, outcome, gap_outcome),
    WORD(AbutGap, kind, gap_kind),
    REAL(AbutGap, distance),
    REAL(AbutGap, error),
    VECTOR(AbutGap, normal),
    VECTOR(AbutGap, point_a),
    VECTOR(AbutGap, point_b),
    {"part_kind_a", FIELD_WORD, offsetof(AbutGap, part_a.kind), 0, 0, part_kind, 0},
    {"part_a", FIELD_I4, offsetof(AbutGap, part_a.index), 3, 0, NULL, 0},
    {"part_kind_b", FIELD_WORD, offsetof(AbutGap, part_b.kind), 0, 0, part_kind, 0},
    {"part_b", FIELD_I4, offsetof(AbutGap, part_b.index), 3, 0, NULL, 0},
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

static const Field derivative_fields[] = {
    FLAG(AbutDistanceDerivative, valid),
    FLAG(AbutDistanceDerivative, points_valid),
    {"distance", FIELD_F8, offsetof(AbutDistanceDerivative, distance), 12, 0, NULL, 0},
    {"point_a", FIELD_F8, offsetof(AbutDistanceDerivative, point_a), 3, 12, NULL, 0},
    {"point_b", FIELD_F8, offsetof(AbutDistanceDerivative, point_b), 3, 12, NULL, 0},
};

Record record_derivative = RECORD("DistanceDerivative",
    "How a distance changes when the bodies move.\n\n"
    "distance (12,): by the translation of A, its rotation about its origin (a small rotation vector), and the same\n"
    "for B; world axes. point_a, point_b (3, 12): of the witness points. valid, points_valid: False where the\n"
    "nearest features are not unique or about to change.",
    AbutDistanceDerivative, derivative_fields);

static const Field collision_fields[] = {
    WORD(AbutCollision, outcome, gap_outcome),
    FLAG(AbutCollision, containment_known),
    {"first_a", FIELD_I4, offsetof(AbutCollision, first.a), 0, 0, NULL, 0},
    {"first_b", FIELD_I4, offsetof(AbutCollision, first.b), 0, 0, NULL, 0},
    COUNT(AbutCollision, count),
    FLAG(AbutCollision, more),
};

Record record_collision = RECORD("Collision",
    "Do two bodies meet, and with which triangles?\n\n"
    "outcome: as of Gap. first_a, first_b: a pair of triangles that meets, -1 of a convex body or none.\n"
    "count: pairs that were listed. more: True where there are more than `limit`.",
    AbutCollision, collision_fields);

static const Field intersection_fields[] = {
    {"outcome", FIELD_WORD, offsetof(Meeting, x.outcome), 0, 0, intersect_outcome, 0},
    {"method", FIELD_WORD, offsetof(Meeting, x.method), 0, 0, intersect_method, 0},
    {"witness", FIELD_F8, offsetof(Meeting, x.witness), ABUT_INTERSECT_MAX_DIMENSION, 0, NULL,
        offsetof(Meeting, dimension)},
    {"violation", FIELD_F8, offsetof(Meeting, x.violation), 0, 0, NULL, 0},
    {"plane", FIELD_F8, offsetof(Meeting, x.plane), ABUT_INTERSECT_MAX_DIMENSION, 0, NULL,
        offsetof(Meeting, dimension)},
    {"plane_offset", FIELD_F8, offsetof(Meeting, x.plane_offset), 0, 0, NULL, 0},
    {"gap", FIELD_F8, offsetof(Meeting, x.gap), 0, 0, NULL, 0},
    {"proof_row", FIELD_I4, offsetof(Meeting, x.proof_row), ABUT_INTERSECT_MAX_DIMENSION + 1, 0, NULL,
        offsetof(Meeting, x.proof_count)},
    {"proof_weight", FIELD_F8, offsetof(Meeting, x.proof_weight), ABUT_INTERSECT_MAX_DIMENSION + 1, 0, NULL,
        offsetof(Meeting, x.proof_count)},
    {"tests", FIELD_I8, offsetof(Meeting, x.tests), 0, 0, NULL, 0},
    {"reductions", FIELD_I8, offsetof(Meeting, x.reductions), 0, 0, NULL, 0},
    {"decided_by_box", FIELD_FLAG, offsetof(Meeting, x.decided_by_box), 0, 0, NULL, 0},
    {"overruled", FIELD_FLAG, offsetof(Meeting, x.overruled), 0, 0, NULL, 0},
    COUNT(Meeting, dimension),
};

Record record_intersection = RECORD("Intersection",
    "Do two regions meet? The answer carries its proof.\n\n"
    "outcome: 'meet' (witness: a point of both), 'apart' (plane . x <= plane_offset on A, >= on B; gap: width of the\n"
    "empty slab), 'empty_a', 'empty_b', 'undecided', 'unsupported' or 'invalid'.\n"
    "proof_row, proof_weight: rows whose weighted sum shows it, those of A first.",
    Meeting, intersection_fields);

static const Field cast_fields[] = {
    WORD(AbutCastHit, outcome, impact_outcome),
    REAL(AbutCastHit, t),
    REAL(AbutCastHit, t_lo),
    REAL(AbutCastHit, t_hi),
    VECTOR(AbutCastHit, point),
    VECTOR(AbutCastHit, normal),
    COUNT(AbutCastHit, body),
    COUNT(AbutCastHit, feature),
};

Record record_cast = RECORD("CastHit",
    "Where a ray, or a body moved along a straight way, first meets a body.\n\n"
    "outcome: 'none', 'hit', 'at_start', 'grazing', 'undecided' or 'invalid'. t: part of the way, 0 to 1; free until\n"
    "t_lo, in contact at t_hi. point (3,): on the body. normal (3,): unit, out of it. body: its number, -1 for none.\n"
    "feature: triangle of a mesh, or face; -1 where there is none.",
    AbutCastHit, cast_fields);

static const Field nearest_fields[] = {
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

static const Field report_fields[] = {
    FLAG(AbutMeshReport, closed),
    FLAG(AbutMeshReport, oriented),
    FLAG(AbutMeshReport, outward),
    COUNT(AbutMeshReport, degenerate),
    COUNT(AbutMeshReport, boundary_edges),
    COUNT(AbutMeshReport, crowded_edges),
    COUNT(AbutMeshReport, unused_vertices),
    COUNT(AbutMeshReport, components),
    {"volume", FIELD_F8, offsetof(AbutMeshReport, mass.volume), 0, 0, NULL, 0},
    {"area", FIELD_F8, offsetof(AbutMeshReport, mass.area), 0, 0, NULL, 0},
    {"centroid", FIELD_F8, offsetof(AbutMeshReport, mass.centroid), 3, 0, NULL, 0},
    {"inertia", FIELD_F8, offsetof(AbutMeshReport, mass.inertia), 3, 3, NULL, 0},
    {"min", FIELD_F8, offsetof(AbutMeshReport, box.min), 3, 0, NULL, 0},
    {"max", FIELD_F8, offsetof(AbutMeshReport, box.max), 3, 0, NULL, 0},
};

Record record_report = RECORD("MeshReport",
    "What a mesh is: closed, oriented, outward; counts of flaws; mass of the solid inside.\n\n"
    "volume (m^3), area (m^2), centroid (3,), inertia (3, 3) about it: of density 1, meaningful when the mesh is "
    "closed\n"
    "and oriented. min, max (3,): corners of the bounding box.",
    AbutMeshReport, report_fields);

static const Field mesh_nearest_fields[] = {
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
