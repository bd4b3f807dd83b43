/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query: two convex bodies. Do they meet, how far apart or how deep are they, what volume do they share?
 *
 * A query is a plain function: bodies and the pose of B in A go in, a result comes out by value, in the frame of A.
 * Nothing is allocated and nothing is shared, so any number of threads may query at once. A cache, if given, makes the
 * next query of the same pair cheaper. A zeroed cache is valid, and no answer depends on it beyond rounding.
 *
 * Signs: distance is negative in penetration; the normal is a unit vector from A to B: moving B along it by -distance
 * makes the bodies touch.
 */
#ifndef ABUT_QUERY_H
#define ABUT_QUERY_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- convex bodies ----------------------------------------------------------------------------------------------- */

typedef enum AbutConvexKind {
    ABUT_CONVEX_POINT = 0,  /* p[0]; with a radius: a sphere */
    ABUT_CONVEX_SEGMENT,    /* p[0] p[1]; with a radius: a capsule */
    ABUT_CONVEX_TRIANGLE,   /* p[0] p[1] p[2] */
    ABUT_CONVEX_BOX,        /* half sizes in p[0], centered at the origin, along the axes */
    ABUT_CONVEX_POLYHEDRON, /* polyhedron */
    ABUT_CONVEX_SUPPORT,    /* support(direction, user) */
    ABUT_CONVEX_HALF_SPACE, /* all x with p[0] . x <= p[1].x, p[0] of unit length; a radius moves the plane outward */
    ABUT_CONVEX_CYLINDER,   /* radius p[0].x and half height p[0].z, about z, centered at the origin */
    ABUT_CONVEX_CONE,       /* base of radius p[0].x at z = -p[0].z, apex at z = p[0].z */
    ABUT_CONVEX_ELLIPSOID,  /* semi-axes p[0], centered at the origin; the least at least 1e-6 of the largest */
    ABUT_CONVEX_PLANE, /* the sheet p[0] . x = p[1].x, two-sided, without volume; a radius makes it a slab; INVALID with
                          meshes */
    ABUT_CONVEX_KIND_COUNT
} AbutConvexKind;

/* A convex body, rounded by a ball of `radius` (0: not rounded). It points to data that the caller keeps alive. */
typedef struct AbutConvex {
    AbutConvexKind kind;
    double radius;
    AbutVec3 p[3];
    const AbutPolyhedron *polyhedron;
    /* A point of the body farthest along `direction` (not zero, any length). */
    AbutVec3 (*support)(AbutVec3 direction, const void *user);
    const void *user;
} AbutConvex;

ABUT_INLINE AbutConvex abut_convex_point(AbutVec3 p, double radius) {
    AbutConvex c = {ABUT_CONVEX_POINT, radius, {p, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_segment(AbutVec3 a, AbutVec3 b, double radius) {
    AbutConvex c = {ABUT_CONVEX_SEGMENT, radius, {a, b, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_triangle(AbutVec3 a, AbutVec3 b, AbutVec3 c, double radius) {
    AbutConvex shape = {ABUT_CONVEX_TRIANGLE, radius, {a, b, c}, NULL, NULL, NULL};
    return shape;
}

ABUT_INLINE AbutConvex abut_convex_box(AbutVec3 half_size, double radius) {
    AbutConvex c = {ABUT_CONVEX_BOX, radius, {half_size, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_polyhedron(const AbutPolyhedron *polyhedron, double radius) {
    AbutConvex c = {ABUT_CONVEX_POLYHEDRON, radius, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, polyhedron, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_support(
    AbutVec3 (*support)(AbutVec3 direction, const void *user), const void *user, double radius) {
    AbutConvex c = {ABUT_CONVEX_SUPPORT, radius, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, NULL, support, user};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_half_space(AbutPlane plane, double radius) {
    AbutConvex c = {ABUT_CONVEX_HALF_SPACE, radius, {plane.normal, {plane.offset, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_cylinder(double cylinder_radius, double half_height, double radius) {
    AbutVec3 size = {cylinder_radius, cylinder_radius, half_height};
    AbutConvex c = {ABUT_CONVEX_CYLINDER, radius, {size, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_cone(double base_radius, double half_height, double radius) {
    AbutConvex c = abut_convex_cylinder(base_radius, half_height, radius);
    c.kind = ABUT_CONVEX_CONE;
    return c;
}

ABUT_INLINE AbutConvex abut_convex_ellipsoid(AbutVec3 semi_axes, double radius) {
    AbutConvex c = {ABUT_CONVEX_ELLIPSOID, radius, {semi_axes, {0, 0, 0}, {0, 0, 0}}, NULL, NULL, NULL};
    return c;
}

ABUT_INLINE AbutConvex abut_convex_plane(AbutPlane plane, double radius) {
    AbutConvex c = abut_convex_half_space(plane, radius);
    c.kind = ABUT_CONVEX_PLANE;
    return c;
}

/* ---- gap of two bodies ------------------------------------------------------------------------------------------- */

typedef enum AbutGapOutcome {
    ABUT_SEPARATED = 0, /* distance > 0 */
    ABUT_TOUCHING,      /* |distance| is at most `error`: rounding hides its sign */
    ABUT_PENETRATING,   /* distance < 0. Meshes: the surfaces touch or cross, and distance is 0 if no depth is known */
    ABUT_A_IN_B,        /* the surfaces do not meet, and a component of A lies inside B; distance <= 0 */
    ABUT_B_IN_A,
    ABUT_FARTHER,       /* apart by more than `within`. Convex bodies: `distance` is the best known, and
                           distance - error > within; meshes: `distance` is `within`, and no points are known */
    ABUT_NOT_CONVERGED, /* the best answer found; `error` bounds its error and exceeds the tolerance */
    ABUT_EMPTY,         /* a mesh without triangles: distance INFINITY */
    ABUT_INVALID, /* NaN, lengths beyond 1e60, a negative radius, a normal or quaternion that is not of unit length, an
                     unknown kind, or no pieces; all numbers of the answer are NaN */
    ABUT_GAP_OUTCOME_COUNT
} AbutGapOutcome;

/* A word for each: "separated", "touching", "penetrating", "a_in_b", "b_in_a", "farther", "not converged", "empty",
 * "invalid". */
ABUT_API extern const char *const abut_gap_outcome_names[];

/* Meaning of the distance of overlapping bodies. */
typedef enum AbutGapKind {
    ABUT_GAP_EXACT = 0, /* exact within `error`; for overlapping meshes: no depth was requested */
    ABUT_GAP_WAY_OUT,   /* the shortest separating move that the search by sweeps found: never below the truth */
    ABUT_GAP_CLASSIC,   /* the same by the classic search */
    ABUT_GAP_PIECES,    /* of the deepest pair of convex pieces: at most the depth of all pieces */
    ABUT_GAP_SURFACE,   /* a mesh is open: a move after which the surfaces stay apart */
    ABUT_GAP_KIND_COUNT
} AbutGapKind;

/* "exact", "sweep", "classic", "decomposition", "surface". */
ABUT_API extern const char *const abut_gap_kind_names[];

enum {
    ABUT_PART_NONE = 0, /* index[0] is -1 */
    ABUT_PART_VERTEX,   /* of a convex body: one vertex, by number; -1 for a support function, a half-space, a plane or
                           a round kind */
    ABUT_PART_EDGE,     /* two vertices */
    ABUT_PART_FACE,     /* three vertices of a face */
    ABUT_PART_TRIANGLE, /* of a mesh, by its number in the caller's mesh */
    ABUT_PART_PIECE,    /* a convex piece */
    ABUT_PART_PLANE     /* a whole plane; only in contacts */
};

/* The part of a body that holds a witness point. A box numbers its corners by bits: bit 0 for +x, bit 1 for +y, bit 2
 * for +z. */
typedef struct AbutPart {
    int32_t kind; /* ABUT_PART_NONE, ... */
    int32_t index[3];
} AbutPart;

/* The relation of two bodies: the answer of every distance and depth query, in the frame of A. */
typedef struct AbutGap {
    AbutGapOutcome outcome;
    AbutGapKind kind;
    double distance; /* signed: negative is the depth; never above 0 if the bodies overlap or one contains the other */
    double error; /* bound on the error of the distance, including rounding of vertices and pose. Meshes: `surface` is
                     at most this much too large, except for rounding */
    AbutVec3 normal; /* unit, from A to B: moving B along it by -distance makes the bodies touch. Meshes: zero if the
                        surfaces meet and no depth was requested */
    AbutVec3 point_a, point_b; /* witness points; point_b - point_a = distance * normal, for meshes without a depth
                                  surface * normal. Convex bodies: neither is farther than `error` outside its body */
    AbutPart part_a, part_b;   /* the parts that hold them */
    double surface;            /* meshes: distance of the surfaces, above 0 if one body contains the other */
    AbutVec3 plane; /* depths of meshes: unit normal from A to B of the plane in which they touch after the move */
    int32_t containment_known; /* 0: a mesh is open, so nothing is known about its inside */
    int32_t verified; /* depths of meshes: 1: a test of B moved by -distance (1 + 1e-6) along `normal` found it apart */
} AbutGap;

ABUT_API extern const AbutRecord abut_gap_record;

/* The gap with points and directions moved by `pose`: from the frame of A to the frame in which A is at `pose`. */
ABUT_INLINE AbutGap abut_gap_in(AbutPose pose, AbutGap gap) {
    gap.normal = abut_quat_rotate(pose.q, gap.normal);
    gap.plane = abut_quat_rotate(pose.q, gap.plane);
    gap.point_a = abut_pose_apply(pose, gap.point_a);
    gap.point_b = abut_pose_apply(pose, gap.point_b);
    return gap;
}

/* Do the bodies have a common point, by the outcome? NOT_CONVERGED: look at the distance. */
ABUT_INLINE int abut_gap_meets(AbutGapOutcome outcome) { return outcome >= ABUT_TOUCHING && outcome <= ABUT_B_IN_A; }

/* Work done by queries, summed. Zeroed is valid. */
typedef struct AbutWork {
    int64_t supports;                   /* support points of convex bodies */
    int64_t node_pairs, triangle_pairs; /* of trees of meshes */
    int64_t sweeps;                     /* of depth searches */
    int64_t piece_pairs;                /* pairs of pieces that were measured */
} AbutWork;

/* Limits of one distance query; zeroed: none, the exact answer. */
typedef struct AbutGapDef {
    double within; /* > 0: stop as soon as the distance is proved to be larger: FARTHER; nearer pairs get the full
                      answer. For a security margin set this and test distance <= margin. NaN: INVALID; for meshes
                      negative numbers too */
    double enough; /* meshes: > 0: stop at the first pair of triangles this near */
    double absolute_error; /* meshes: >= 0: the distance may be too large by this much, */
    double relative_error; /* meshes: >= 0: and by this fraction of itself */
    double tolerance; /* convex: error, relative to the size of the pair (sum of the bounding radii), at which a search
                         with a support function stops, and above which it is NOT_CONVERGED; 0: 1e-10 apart, 1e-7
                         overlapping. 1e-12 is reachable if the nearest or deepest point is unique. Bodies with
                         vertices are always exact to rounding. Not within 0 .. 1: INVALID */
    int32_t max_supports; /* convex: > 0: stop after about this many support points (a dozen more or less):
                             NOT_CONVERGED, and `error` bounds the error, also in overlap */
    AbutWork *work;       /* not NULL: work is added to it */
} AbutGapDef;

/* ---- signed distance of convex bodies ---------------------------------------------------------------------------- */

/* Warm start for one pair of convex bodies: the vertices of the last answer. Zeroed is valid. */
typedef struct AbutConvexCache {
    int32_t count;
    int32_t vertex_a[4], vertex_b[4];
    AbutVec3 direction; /* last separating direction, frame of A; zero: none */
} AbutConvexCache;

/*
 * Signed distance of A and B, B placed by `b_in_a`. `def` and `cache` may be NULL. Lengths below 1e-60 count as zero.
 * Two half-spaces that do not face each other (normals more than 1e-12 from opposite) always meet, and no move
 * separates them: PENETRATING with distance -INFINITY, the normal of A, and both points at the foot of A's plane. The
 * same holds for a plane that is not parallel to the other half-space or plane. Cylinders, cones and ellipsoids: to
 * 1e-9 of the size of the pair when apart or not deeper than 2 % of it, deeper to 1e-6; `error` is a proven bound,
 * larger than the error if the depth was refined. About one axis: to rounding. Deep pairs whose axes nearly agree take
 * some thousand support points, since a ring of directions is almost equally good. Closed forms take no support points:
 * spheres and capsules with each other, spheres with boxes, cylinders, cones and ellipsoids, all bodies with
 * half-spaces and planes.
 */
ABUT_API AbutGap abut_convex_distance(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutConvexCache *cache);

/* Mass properties of a body of density 1, in its own frame; allocates for a box. UNSUPPORTED for
 * rounded boxes, polyhedra, cylinders, cones and ellipsoids, triangles, support functions, half-spaces and
 * planes. */
ABUT_API AbutStatus abut_convex_mass(const AbutConvex *convex, AbutMass *out, AbutError *error);

/* Do they meet (touching counts)? Cheaper than the distance: stops at the first separating direction. -1: invalid
 * input. */
ABUT_API int abut_convex_meet(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutConvexCache *cache);

/* Farthest vertex of a body along a direction, in its own frame; for a half-space or plane, the point of its plane
 * nearest to the origin. */
ABUT_API AbutVec3 abut_convex_farthest(const AbutConvex *convex, AbutVec3 direction);

/*
 * How a distance changes when the bodies move. Columns 0-2: translation of A, 3-5: rotation of A (a small rotation
 * vector about the origin of A), 6-8 and 9-11: the same for B about its own origin; all in world axes.
 */
typedef struct AbutDistanceDerivative {
    int valid; /* 0: the nearest features are not unique or about to change; the numbers are one-sided at best, and
                  NaN if the distance or the poses are invalid */
    int points_valid; /* the same for the witness points; 0 for support functions, and for round kinds that overlap
                         deeper than their radii */
    double distance[12];
    double point_a[3][12], point_b[3][12];
} AbutDistanceDerivative;

/* `result` is the answer for inv(pose_a) pose_b, in the frame of A. */
ABUT_API AbutDistanceDerivative abut_distance_derivative(
    const AbutConvex *a, const AbutConvex *b, AbutPose pose_a, AbutPose pose_b, const AbutGap *result);

/* ---- intersection of half-space regions -------------------------------------------------------------------------- */

enum { ABUT_INTERSECT_MAX_DIMENSION = 8 };

typedef enum AbutIntersectMethod {
    ABUT_INTERSECT_DEFAULT = 0, /* GJK for polyhedra, LP for rows */
    ABUT_INTERSECT_REN,         /* the `search` of AbutIntersectDef; without it the linear program */
    ABUT_INTERSECT_LP,          /* randomized incremental linear program */
    ABUT_INTERSECT_GJK,         /* distance query; bounded regions of dimension 3 only */
    ABUT_INTERSECT_METHOD_COUNT
} AbutIntersectMethod;

typedef enum AbutIntersectOutcome {
    ABUT_INTERSECT_MEET = 0,    /* witness */
    ABUT_INTERSECT_APART,       /* plane */
    ABUT_INTERSECT_EMPTY_A,     /* region A is empty: no witness, no plane; the proof combines rows of A only */
    ABUT_INTERSECT_EMPTY_B,     /* the same for B; if both are empty either is named */
    ABUT_INTERSECT_UNDECIDED,   /* neither answer could be verified at the tolerance */
    ABUT_INTERSECT_UNSUPPORTED, /* the method does not support these regions (GJK: unbounded, flat, or not of dimension
                                   3) */
    ABUT_INTERSECT_INVALID      /* NaN, infinity, sizes out of range, or a workspace too small */
} AbutIntersectOutcome;

/* The points x with normal_i . x <= offset_i for every row i. No rows: the whole space. */
typedef struct AbutRegion {
    int count;
    const double *normal; /* count x dimension; need not have unit length; a zero row is the constant 0 <= offset */
    const double *offset; /* count */
} AbutRegion;

/*
 * Every answer carries its proof. MEET: `witness` violates no row by more than its tolerance. APART: plane.x <=
 * plane_offset on A and >= plane_offset on B; it follows from `proof_count` rows (those of A first, row r of B counted
 * as A.count + r) with weights w > 0: sum w normal = 0 to rounding and sum w offset < 0, where the A part of the first
 * sum is along `plane`. The proof is in rows as given, scaled to unit normals.
 */
typedef struct AbutIntersection {
    AbutIntersectOutcome outcome;
    AbutIntersectMethod method; /* the method that found the answer */
    double witness[ABUT_INTERSECT_MAX_DIMENSION];
    double violation; /* MEET: largest violation of a row by the witness; <= 0: inside */
    double plane[ABUT_INTERSECT_MAX_DIMENSION], plane_offset; /* unit normal, from A to B */
    double gap;                                               /* APART: width of the empty slab around the plane */
    int proof_count; /* 0 for GJK and for the bounding-box test, whose planes are checked against the vertices */
    int proof_row[ABUT_INTERSECT_MAX_DIMENSION + 1];
    double proof_weight[ABUT_INTERSECT_MAX_DIMENSION + 1];
    int64_t tests;      /* regions searched by a search, steps of the linear programs, or support points */
    int64_t reductions; /* rows that a search rewrote */
    int decided_by_box; /* 1: the bounding boxes were apart, and nothing else was tested */
    int overruled;      /* 1: a search failed by rounding or reached its limit, and the linear program answered */
} AbutIntersection;

struct AbutRows;

/* Settings of the intersection test; valid when zeroed. */
typedef struct AbutIntersectDef {
    AbutIntersectMethod method;
    double tolerance; /* relative to the rows' typical offset (bodies: to their size); closer regions meet. 0: 1e-10 */
    int64_t max_reductions; /* of a search before the linear program takes over; 0: chosen by the search */
    /* REN: a search from another library, for comparison. It returns MEET with a witness, APART if
     * neither region is empty, EMPTY_A, EMPTY_B or UNDECIDED, and sets `tests` and `reductions`. */
    AbutIntersectOutcome (*search)(const struct AbutRows *rows, int64_t max_reductions, AbutIntersection *out);
} AbutIntersectDef;

/* Bytes for regions of this many rows together; 0 if a size is out of range. */
ABUT_API size_t abut_intersect_workspace_size(int dimension, int rows_of_both);

/*
 * Do two regions meet? Regions are closed, touching counts. Dimension 1..8. `def` may be NULL. The workspace is plain
 * memory aligned for double. Only the GJK method on rows allocates: it makes two polyhedra first.
 */
ABUT_API AbutIntersection abut_intersect_regions(int dimension, const AbutRegion *a, const AbutRegion *b,
    const AbutIntersectDef *def, void *workspace, size_t workspace_size);

/*
 * As above for two polyhedra; answers in the frame of A. Bounding boxes are tested first. The linear program takes over
 * if GJK finds no certificate, and for flat bodies.
 */
ABUT_API size_t abut_intersect_polyhedra_workspace_size(const AbutPolyhedron *a, const AbutPolyhedron *b);
ABUT_API AbutIntersection abut_intersect_polyhedra(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose b_in_a,
    const AbutIntersectDef *def, void *workspace, size_t workspace_size);

/* As above for two convex bodies of any kind, by their distance; answers in world coordinates. MEET: `violation` is at
 * most the error of the distance. */
ABUT_API AbutIntersection abut_intersect_convex(
    const AbutConvex *a, AbutPose pose_a, const AbutConvex *b, AbutPose pose_b);

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

typedef enum AbutOverlapOutcome {
    ABUT_OVERLAP_VOLUME = 0, /* the polyhedron is valid */
    ABUT_OVERLAP_TOUCHING,   /* the bodies meet, but the overlap is thinner than 1e-12 of their size, or a body has no
                                volume */
    ABUT_OVERLAP_DISJOINT,
    ABUT_OVERLAP_CAPACITY,    /* the workspace is too small */
    ABUT_OVERLAP_FAILED,      /* rounding left no consistent polyhedron */
    ABUT_OVERLAP_INVALID,     /* NaN or infinity in the pose, in the sizes of a box or in a half-space */
    ABUT_OVERLAP_UNBOUNDED,   /* two half-spaces that meet */
    ABUT_OVERLAP_UNSUPPORTED, /* a kind without faces, or a rounded box or polyhedron */
    ABUT_OVERLAP_OUTCOME_COUNT
} AbutOverlapOutcome;

/* A face of the overlap: part of face `source` of body A (owner 0) or B (owner 1). Corners run counter-clockwise. The
 * faces of a box are numbered -x, +x, -y, +y, -z, +z; a half-space has face 0. */
typedef struct AbutOverlapFace {
    AbutPlane plane; /* outward */
    double area;
    int32_t first, count; /* its corners are corner[first] .. corner[first + count - 1] */
    int32_t owner, source;
} AbutOverlapFace;

/* The set of points in both bodies, in the frame of A. The arrays lie in the workspace. */
typedef struct AbutOverlap {
    AbutOverlapOutcome outcome;
    int32_t vertex_count, face_count, corner_count; /* corner_count: twice the number of edges */
    const AbutVec3 *vertex;
    const AbutOverlapFace *face;
    const int32_t *corner; /* vertex numbers */
    double volume, area;
    AbutVec3 centroid;
    AbutVec3 area_vector; /* sum of area x outward normal over the faces of A; the faces of B give its opposite */
    AbutVec3 normal; /* unit, from A to B: along area_vector; or, if that vanishes, the face normal of least depth */
    int32_t normal_from_depth; /* 1: the second case (one body inside the other, a rod through a plate) */
    int32_t cuts;              /* planes that cut */
} AbutOverlap;

/* Combinatorial shape of an overlap of boxes and half-spaces; no vertices: unknown. `off` 1: none is learned, and
 * bodies are cut each time. */
typedef struct AbutOverlapShape {
    uint8_t vertices, faces, corners, off;
    struct AbutOverlapCorner {
        uint16_t on; /* planes through it, by bit, those of B from bit 6 on */
        uint8_t owner,
            axis; /* its body, of which it is a corner or a point of an edge; the axis of the edge, 3: a corner */
        uint8_t ends, plane; /* ends of the edge, by bit; the plane of the other body */
    } vertex[16];
    struct {
        uint8_t plane, count; /* of B: from 6 on; corners */
    } face[12];
    uint8_t corner[48];
} AbutOverlapShape;

/* Warm start for one pair: the planes that cut last time come first; boxes whose overlap keeps its shape are not cut
 * at all. Zeroed is valid. */
typedef struct AbutOverlapCache {
    int32_t count;
    int32_t plane[24]; /* faces of the body whose planes cut */
    int32_t apart;     /* 1 + number of the last separating plane; 0: none */
    AbutOverlapShape shape;
} AbutOverlapCache;

/* Bytes for the overlap of two bodies; 0 for kinds without one. */
ABUT_API size_t abut_overlap_workspace_size(const AbutConvex *a, const AbutConvex *b);

/* Overlap of boxes, polyhedra and half-spaces by clipping one body with the face planes of the other. `cache` may be
 * NULL. The workspace is plain memory, best aligned to 64 bytes. */
ABUT_API AbutOverlap abut_overlap(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, AbutOverlapCache *cache,
    void *workspace, size_t workspace_size);

/*
 * Polyhedra inside and around a bounded body of any kind: the hull of its farthest points along `directions` directions
 * (0: 512; 12 to 20000), and the polyhedron of the planes that touch it there; up to rounding. Free with
 * abut_polyhedron_free. For a box or a polyhedron without a radius both are the body itself. Fails on half-spaces,
 * planes, bad sizes, and as DEGENERATE on bodies without volume.
 */
ABUT_API AbutStatus abut_convex_polyhedra(
    const AbutConvex *convex, int directions, AbutPolyhedron **inside, AbutPolyhedron **around, AbutError *error);

/* Bounds of a common volume. */
typedef struct AbutVolume {
    double low, high;
    AbutVec3 centroid; /* of the volume that pieces share, frame of A; NaN if unknown */
    int64_t pairs;     /* of convex bodies that were clipped */
} AbutVolume;

/* Triangles of an overlap with volume, vertices moved by `pose` (of A). Free with abut_mesh_free. */
ABUT_API AbutStatus abut_overlap_to_mesh(const AbutOverlap *overlap, AbutPose pose, AbutMesh *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
