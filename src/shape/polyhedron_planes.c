/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polyhedron as the intersection of half-spaces n . x <= d.
 *
 * In: planes, rows of any length. Out: a packed polyhedron, or why there is none: EMPTY, DEGENERATE (no inner point),
 * ARGUMENT (unbounded). Steps:
 *   1. rows to unit normals; offsets divided by the largest one;
 *   2. the center x and radius r of a largest inscribed ball: maximize r under n . x + r <= d by the dual simplex
 * method on sets of four planes, from four far planes that are not part of the problem;
 *   3. seen from x, plane (n, d) becomes the point n / (d - n . x): the hull of those points has one face for each
 *      vertex of the polyhedron, and holds the origin inside just when the polyhedron is bounded;
 *   4. the vertices from the three best-conditioned planes of each such face, and their hull.
 */
#include "math/matrix.h"
#include "shape/hull.h"
#include "shape/tolerance.h"

typedef struct Rows {
    AbutPlane *planes; /* unit normals, offsets at most 1 */
    int count;
    double unit; /* what one unit of the offsets is in meters */
} Rows;

/* Step 1; rows without a direction are tested and left out. */
static AbutStatus read_rows(const AbutPlane *planes, int count, Rows *rows, AbutError *error) {
    double most = 0.0;
    rows->count = 0;
    for (int i = 0; i < count; ++i) {
        AbutVec3 n = planes[i].normal;
        double d = planes[i].offset, size = abut_max_abs(n);
        if (!abut_is_finite(n) || !isfinite(d)) return abut_fail(error, ABUT_ERROR_NUMBER, "plane %d is not finite", i);
        if (size == 0.0 && d < 0.0) return abut_fail(error, ABUT_ERROR_EMPTY, "plane %d says 0 <= %g", i, d);
        if (size == 0.0) continue;
        n = abut_vec3(n.x / size, n.y / size, n.z / size);
        double length = abut_length(n);
        AbutPlane row = {abut_scale(n, 1.0 / length), d / size / length};
        if (!(fabs(row.offset) <= ABUT_SHAPE_MAX_COORDINATE))
            return abut_fail(error, ABUT_ERROR_LIMIT, "plane %d lies %g from the origin", i, fabs(row.offset));
        most = fmax(most, fabs(row.offset));
        rows->planes[rows->count++] = row;
    }
    rows->unit = most > 1.0 / ABUT_SHAPE_MAX_COORDINATE ? most : 1.0;
    for (int i = 0; i < rows->count; ++i) rows->planes[i].offset /= rows->unit;
    return ABUT_OK;
}

/* Four planes; the ball that touches them; and how the origin and any normal mix from their normals. */
typedef struct Basis {
    AbutPlane plane[4];
    AbutMat3 inverse; /* of the matrix with columns n_i - n_0 */
    AbutVec3 center;
    double radius;
} Basis;

static void solve_basis(Basis *b) {
    AbutVec3 n0 = b->plane[0].normal;
    double d0 = b->plane[0].offset;
    b->inverse = abut_mat3_inv(abut_mat3(
        abut_sub(b->plane[1].normal, n0), abut_sub(b->plane[2].normal, n0), abut_sub(b->plane[3].normal, n0)));
    AbutVec3 right = abut_vec3(b->plane[1].offset - d0, b->plane[2].offset - d0, b->plane[3].offset - d0);
    b->center = abut_mat3_apply_t(b->inverse, right);
    b->radius = d0 - abut_dot(n0, b->center);
}

/* Weights w with sum 1 and sum w_i n_i = q. */
static void mix(const Basis *b, AbutVec3 q, double w[4]) {
    AbutVec3 s = abut_mat3_apply(b->inverse, abut_sub(q, b->plane[0].normal));
    w[0] = 1.0 - s.x - s.y - s.z;
    w[1] = s.x;
    w[2] = s.y;
    w[3] = s.z;
}

/* Which plane must leave for one with normal n: the least weight ratio; ties to the largest share of n. -1: none. */
static int leaving(const Basis *b, AbutVec3 n) {
    double weight[4], share[4], best = INFINITY, best_share = 0.0;
    int at = -1;
    mix(b, abut_zero(), weight);
    mix(b, n, share);
    for (int i = 0; i < 4; ++i) {
        double ratio = fmax(weight[i], 0.0) / share[i];
        if (share[i] > ABUT_PLANES_NO_SHARE &&
            (ratio < best - ABUT_PLANES_TIE || (ratio <= best + ABUT_PLANES_TIE && share[i] > best_share))) {
            best = fmin(ratio, best);
            best_share = share[i];
            at = i;
        }
    }
    return at;
}

/* The row that cuts deepest into the ball, or the first that cuts when `first`; -1 when none cuts. */
static int deepest_cut(const Rows *rows, const Basis *b, int first) {
    double limit = ABUT_PLANES_TIE * (1.0 + abut_max_abs(b->center));
    int at = -1;
    for (int i = 0; i < rows->count; ++i) {
        double cut = b->radius + abut_dot(rows->planes[i].normal, b->center) - rows->planes[i].offset;
        if (cut > limit) {
            limit = cut;
            at = i;
            if (first) break;
        }
    }
    return at;
}

/* Step 2. The answer is checked by the caller: any point with room around it serves. */
static Basis inscribed_ball(const Rows *rows) {
    Basis b = {.radius = 0.0};
    double s = 1.0 / sqrt(3.0);
    for (int i = 0; i < 4; ++i) {
        AbutVec3 n = abut_vec3(i == 1 || i == 2 ? -s : s, i == 1 || i == 3 ? -s : s, i == 2 || i == 3 ? -s : s);
        AbutPlane plane = {n, ABUT_PLANES_FAR};
        b.plane[i] = plane;
    }
    solve_basis(&b);
    for (int round = 0; round < 2000; ++round) {
        int in = deepest_cut(rows, &b, round > 1000), out = in < 0 ? -1 : leaving(&b, rows->planes[in].normal);
        if (out < 0) break;
        Basis next = b;
        next.plane[out] = rows->planes[in];
        solve_basis(&next);
        if (!abut_is_finite(next.center) || !isfinite(next.radius)) break;
        b = next;
    }
    return b;
}

static double room_around(const Rows *rows, AbutVec3 x) {
    double room = INFINITY;
    for (int i = 0; i < rows->count; ++i)
        room = fmin(room, rows->planes[i].offset - abut_dot(rows->planes[i].normal, x));
    return room;
}

static double spread(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    return fabs(abut_triple(a, b, c)) / (abut_length(a) * abut_length(b) * abut_length(c));
}

/* Step 4 for one face of the dual: w with q . w = 1 for its vertices q. */
static AbutVec3 dual_vertex(const AbutPolyhedron *dual, const AbutFace *face) {
    const AbutVec3 *v = abut_polyhedron_vertices(dual);
    const AbutHalfEdge *loop = abut_polyhedron_half_edges(dual) + face->first;
    AbutVec3 a = v[loop[0].origin], b = v[loop[1].origin], c = v[loop[2].origin];
    for (int32_t i = 2; i < face->count; ++i) {
        AbutVec3 q = v[loop[i].origin];
        if (abut_length(abut_cross(a, q)) / abut_length(q) > abut_length(abut_cross(a, b)) / abut_length(b)) b = q;
    }
    for (int32_t i = 1; i < face->count; ++i)
        if (spread(a, b, v[loop[i].origin]) > spread(a, b, c)) c = v[loop[i].origin];
    if (spread(a, b, c) < ABUT_PLANES_NO_SPREAD) return abut_scale(face->plane.normal, 1.0 / face->plane.offset);
    AbutMat3 inverse = abut_mat3_inv(abut_mat3_transpose(abut_mat3(a, b, c)));
    return abut_mat3_apply(inverse, abut_vec3(1.0, 1.0, 1.0));
}

static AbutStatus unbounded(AbutError *error) {
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "the half-spaces do not bound a polyhedron");
}

/* Vertices from the dual hull, and their hull. */
static AbutStatus from_dual(
    const AbutPolyhedron *dual, AbutVec3 x, double room, double unit, AbutPolyhedron **out, AbutError *error) {
    const AbutFace *faces = abut_polyhedron_faces(dual);
    AbutVec3 *points = abut_alloc_array((size_t)dual->face_count, sizeof *points);
    if (!points) return abut_fail_memory(error);
    AbutStatus status = ABUT_OK;
    for (int32_t f = 0; f < dual->face_count && status == ABUT_OK; ++f) {
        if (!(faces[f].plane.offset > ABUT_PLANES_LONGEST))
            status = unbounded(error);
        else
            points[f] = abut_scale(abut_add_scaled(x, dual_vertex(dual, &faces[f]), room), unit);
    }
    AbutHullDef def = {.solid_only = 1};
    if (status == ABUT_OK) status = abut_polyhedron_from_points(points, dual->face_count, &def, out, error);
    abut_free(points);
    return status;
}

/* Step 3; the dual points are scaled by the room around x, so that they lie in the unit ball. */
static AbutStatus through_dual(
    const Rows *rows, AbutVec3 *points, AbutVec3 x, double room, AbutPolyhedron **out, AbutError *error) {
    for (int i = 0; i < rows->count; ++i) {
        AbutPlane p = rows->planes[i];
        points[i] = abut_scale(p.normal, room / (p.offset - abut_dot(p.normal, x)));
    }
    AbutHullDef def = {.solid_only = 1};
    def.tolerance = ABUT_PLANES_HULL_TOLERANCE;
    AbutPolyhedron *dual = NULL;
    AbutStatus status = abut_polyhedron_from_points(points, rows->count, &def, &dual, error);
    if (status == ABUT_ERROR_DEGENERATE || status == ABUT_ERROR_EMPTY) return unbounded(error);
    if (status == ABUT_OK) status = from_dual(dual, x, room, rows->unit, out, error);
    abut_polyhedron_free(dual);
    return status;
}

static AbutStatus intersect(const Rows *rows, AbutVec3 *points, AbutPolyhedron **out, AbutError *error) {
    Basis ball = inscribed_ball(rows);
    double room = room_around(rows, ball.center), noise = ABUT_PLANES_BALL_NOISE * (1.0 + abut_max_abs(ball.center));
    if (rows->count == 0) return unbounded(error);
    if (room > noise) return through_dual(rows, points, ball.center, room, out, error);
    if (ball.radius < -noise) return abut_fail(error, ABUT_ERROR_EMPTY, "the half-spaces have no common point");
    return abut_fail(error, ABUT_ERROR_DEGENERATE, "the half-spaces meet in a set without volume");
}

AbutStatus abut_polyhedron_from_planes(const AbutPlane *planes, int count, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(out && (planes || count <= 0));
    *out = NULL;
    if (!planes || count <= 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "no half-spaces to intersect");
    Rows rows = {abut_alloc_array((size_t)count, sizeof *rows.planes), 0, 1.0};
    AbutVec3 *points = abut_alloc_array((size_t)count, sizeof *points);
    AbutStatus status = rows.planes && points ? read_rows(planes, count, &rows, error) : abut_fail_memory(error);
    if (status == ABUT_OK) status = intersect(&rows, points, out, error);
    abut_free(rows.planes);
    abut_free(points);
    return status;
}
