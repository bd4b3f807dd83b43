/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polyhedra inside and around convex bodies of any kind, and bounds of the volume of an overlap from them.
 *
 * In: a bounded body and a number of directions. Out: the hull of its farthest points along them, and the intersection
 * of the half-spaces that touch it there. The directions go round the axis of cylinders and cones and stand across
 * their straight parts, so that only the roundness is lost; those of an ellipsoid are the ones of a sphere in its own
 * proportions; the faces of a rounded box or polyhedron are among them. The volume of the overlap of two bodies lies
 * between that of the inner and that of the outer polyhedra, whose faces are checked against the bodies: how far one is
 * on the wrong side, since nearly equal faces are merged, widens the bounds. A convex set of volume V and area S holds
 * a ball of radius V / S, so that moving its faces by e changes V by a factor of at most (1 +- e S / V)^3.
 */
#include "query/contract.h"
#include "query/overlap.h"
#include "query/round.h"
#include "query/tolerance.h"

#include <float.h>
#include <string.h>

enum { DIRECTIONS = 512, LEAST_DIRECTIONS = 12, MOST_DIRECTIONS = 20000, POINTS_EACH = 3 };

/* Farthest points and touching planes, gathered one direction at a time. */
typedef struct Gathered {
    const AbutConvex *body;
    AbutVec3 *point;
    AbutPlane *plane;
    int points, planes;
} Gathered;

static AbutVec3 farthest(const AbutConvex *c, AbutVec3 unit) {
    return abut_add_scaled(abut_convex_farthest(c, unit), unit, c->radius);
}

static void add_direction(Gathered *g, AbutVec3 d) {
    AbutVec3 n = abut_normalize(d), p = farthest(g->body, n);
    g->point[g->points++] = p;
    g->plane[g->planes++] = (AbutPlane){n, abut_dot(n, p)};
}

/* A direction across a line of the surface that is not at right angles to z: both ends of the line. */
static void add_line(Gathered *g, AbutVec3 d) {
    static const double LEAN = 1e-6;
    add_direction(g, d);
    for (int sign = -1; sign <= 1; sign += 2)
        g->point[g->points++] = farthest(g->body, abut_normalize(abut_add_scaled(d, abut_axis(2), sign * LEAN)));
}

/* Direction i of n spread over the sphere (a spiral of golden angles), each part times `scale`. */
static void add_sphere(Gathered *g, int n, AbutVec3 scale) {
    const double golden = ABUT_PI * (3.0 - sqrt(5.0));
    for (int i = 0; i < n; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / n, r = sqrt(1.0 - z * z);
        add_direction(g, abut_mul(scale, abut_vec3(r * abut_cos(golden * i), r * abut_sin(golden * i), z)));
    }
}

/* n directions around `axis`, leaning towards it by the tangent `lean`. */
static void add_ring(Gathered *g, int n, AbutVec3 axis, double lean, int lines) {
    AbutVec3 u = axis.z == 1.0 ? abut_axis(0) : abut_perpendicular(axis), v = abut_cross(axis, u);
    for (int i = 0; i < n; ++i) {
        double angle = 2.0 * ABUT_PI * i / n;
        AbutVec3 d = abut_add(abut_scale(u, abut_cos(angle)), abut_scale(v, abut_sin(angle)));
        d = abut_add_scaled(d, axis, lean);
        if (lines)
            add_line(g, d);
        else
            add_direction(g, d);
    }
}

static void add_axes(Gathered *g) {
    for (int i = 0; i < 6; ++i) add_direction(g, abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0));
}

/* The directions for a body that is not bounded by faces alone; at most 2 n and those of its faces. */
static void gather(Gathered *g, int n) {
    const AbutConvex *c = g->body;
    AbutVec3 s = c->p[0], one = abut_vec3(1.0, 1.0, 1.0);
    add_axes(g);
    if (c->kind == ABUT_CONVEX_ELLIPSOID) {
        double least = abut_smaller(s.x, abut_smaller(s.y, s.z));
        add_sphere(g, n, abut_vec3(least / s.x, least / s.y, least / s.z));
        return;
    }
    if (c->kind == ABUT_CONVEX_CYLINDER || c->kind == ABUT_CONVEX_CONE)
        add_ring(g, n, abut_axis(2), c->kind == ABUT_CONVEX_CONE ? s.x / (2.0 * s.z) : 0.0, 1);
    if (c->kind == ABUT_CONVEX_SEGMENT && abut_point_distance(c->p[0], c->p[1]) > 0.0)
        add_ring(g, n, abut_normalize(abut_sub(c->p[1], c->p[0])), 0.0, 0);
    for (int i = 0; c->kind == ABUT_CONVEX_POLYHEDRON && i < c->polyhedron->face_count; ++i)
        add_direction(g, abut_polyhedron_faces(c->polyhedron)[i].plane.normal);
    if (c->radius > 0.0 || !abut_convex_is_round(c)) add_sphere(g, n, one);
}

/* Boxes and polyhedra without a radius are their own polyhedra. */
static AbutStatus copy_faces(const AbutConvex *c, AbutPolyhedron **out, AbutError *error) {
    if (c->kind == ABUT_CONVEX_BOX) return abut_polyhedron_box(c->p[0], out, error);
    *out = abut_alloc(c->polyhedron->bytes);
    if (!*out) return abut_fail_memory(error);
    memcpy(*out, c->polyhedron, c->polyhedron->bytes);
    return ABUT_OK;
}

static int has_faces(const AbutConvex *c) {
    return (c->kind == ABUT_CONVEX_BOX || c->kind == ABUT_CONVEX_POLYHEDRON) && c->radius == 0.0;
}

static AbutStatus both_polyhedra(
    const Gathered *g, AbutPolyhedron **inside, AbutPolyhedron **around, AbutError *error) {
    AbutHullDef solid = {.solid_only = 1};
    AbutStatus status = abut_polyhedron_from_points(g->point, g->points, &solid, inside, error);
    if (status != ABUT_OK) return status;
    status = abut_polyhedron_from_planes(g->plane, g->planes, around, error);
    if (status != ABUT_OK) {
        abut_polyhedron_free(*inside);
        *inside = NULL;
    }
    return status;
}

/* Sizes that make sense: what a distance to it needs too. */
static int is_good(const AbutConvex *c) {
    AbutConvex origin = abut_convex_point(abut_zero(), 0.0);
    return abut_convex_distance(c, &origin, abut_pose_identity(), NULL, NULL).outcome != ABUT_INVALID;
}

AbutStatus abut_convex_polyhedra(
    const AbutConvex *c, int directions, AbutPolyhedron **inside, AbutPolyhedron **around, AbutError *error) {
    ABUT_ASSERT(abut_convex_is_set(c) && inside && around);
    *inside = *around = NULL;
    int n = directions == 0 ? DIRECTIONS : directions;
    if (n < LEAST_DIRECTIONS || n > MOST_DIRECTIONS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%d directions: expected 0 or %d to %d", directions,
            LEAST_DIRECTIONS, MOST_DIRECTIONS);
    if (!is_good(c) || abut_convex_is_unbounded(c))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected a bounded body with finite sizes");
    if (has_faces(c)) {
        AbutStatus status = copy_faces(c, inside, error);
        if (status == ABUT_OK && copy_faces(c, around, error) != ABUT_OK) {
            abut_polyhedron_free(*inside);
            *inside = NULL;
            status = ABUT_ERROR_MEMORY;
        }
        return status;
    }
    size_t most = 2 * (size_t)n + 6 + (c->kind == ABUT_CONVEX_POLYHEDRON ? (size_t)c->polyhedron->face_count : 0);
    Gathered g = {
        c, abut_alloc_array(POINTS_EACH * most, sizeof(AbutVec3)), abut_alloc_array(most, sizeof(AbutPlane)), 0, 0};
    AbutStatus status = ABUT_OK;
    if (!g.point || !g.plane) {
        status = abut_fail_memory(error);
    } else {
        gather(&g, n);
        status = both_polyhedra(&g, inside, around, error);
    }
    abut_free(g.point);
    abut_free(g.plane);
    return status;
}

/* ---- bounds of the volume ---------------------------------------------------------------------------------------- */

/* A body of an overlap: inner and outer polyhedron, or itself where it is a half-space. */
typedef struct Cased {
    AbutPolyhedron *polyhedron[2];
    AbutConvex convex[2];
    double wrong[2]; /* how far a face of each is on the wrong side of the body */
    int flat;        /* no volume at all */
} Cased;

/* The farthest that a face of a polyhedron inside (sign 1) or around (-1) the body is on the wrong side of it. */
static double wrong_side(const AbutConvex *c, const AbutPolyhedron *p, double sign) {
    double most = 0.0;
    for (int i = 0; i < p->face_count; ++i) {
        AbutFace face = abut_polyhedron_faces(p)[i];
        AbutVec3 n = face.plane.normal;
        double end = abut_dot(n, farthest(c, n));
        most = abut_larger(most, sign * (face.plane.offset - end));
        for (int k = face.first; k < face.first + face.count; ++k) {
            AbutVec3 corner = abut_polyhedron_vertices(p)[abut_polyhedron_half_edges(p)[k].origin];
            most = abut_larger(most, sign * (abut_dot(n, corner) - end));
        }
    }
    return most;
}

static AbutStatus encase(const AbutConvex *c, int directions, Cased *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    out->flat = c->kind == ABUT_CONVEX_PLANE && c->radius == 0.0;
    if (c->kind == ABUT_CONVEX_HALF_SPACE && is_good(c)) {
        out->convex[0] = out->convex[1] = *c;
        return ABUT_OK;
    }
    if (out->flat && is_good(c)) return ABUT_OK;
    AbutStatus status = abut_convex_polyhedra(c, directions, &out->polyhedron[0], &out->polyhedron[1], error);
    out->flat = status == ABUT_ERROR_DEGENERATE;
    for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
        out->convex[i] = abut_convex_polyhedron(out->polyhedron[i], 0.0);
        out->flat = out->polyhedron[i]->dimension < 3;
        out->wrong[i] = has_faces(c) ? 0.0 : wrong_side(c, out->polyhedron[i], i == 0 ? 1.0 : -1.0);
    }
    return out->flat ? ABUT_OK : status;
}

static void open_case(Cased *c) {
    abut_polyhedron_free(c->polyhedron[0]);
    abut_polyhedron_free(c->polyhedron[1]);
}

static double reach_of(const AbutPolyhedron *p) { return p ? p->bound.radius : 0.0; }

/* How far a face of the overlap of inner (0) or outer (1) polyhedra may be off, with the rounding of clipping. */
static double slack_of(const Cased *a, const Cased *b, int i) {
    double reach = abut_larger(reach_of(a->polyhedron[i]), reach_of(b->polyhedron[i]));
    return abut_larger(a->wrong[i], b->wrong[i]) + ABUT_OVERLAP_SNAP * DBL_EPSILON * reach;
}

/* The volume of an overlap, its faces moved by `slack`. */
static AbutStatus volume_of(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, double slack, double *out, AbutError *error) {
    size_t bytes = abut_overlap_workspace_size(a, b);
    void *workspace = abut_alloc(bytes);
    if (!workspace) return abut_fail_memory(error);
    AbutOverlap o = abut_overlap(a, b, b_in_a, NULL, workspace, bytes);
    abut_free(workspace);
    *out = 0.0;
    if (o.outcome == ABUT_OVERLAP_VOLUME) {
        double part = abut_larger(0.0, 1.0 + slack * o.area / o.volume);
        *out = o.volume * part * part * part;
    }
    if (o.outcome == ABUT_OVERLAP_UNBOUNDED) *out = INFINITY;
    if (o.outcome == ABUT_OVERLAP_INVALID) return abut_fail(error, ABUT_ERROR_ARGUMENT, "the pose of B is not finite");
    return o.outcome == ABUT_OVERLAP_FAILED ? abut_fail(error, ABUT_ERROR_NUMBER, "rounding left no consistent overlap")
                                            : ABUT_OK;
}

AbutStatus abut_convex_overlap_volume(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, int directions, AbutVolume *out, AbutError *error) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b) && out);
    Cased of_a, of_b;
    memset(&of_b, 0, sizeof of_b);
    AbutVolume found = {.centroid = {NAN, NAN, NAN}, .pairs = 1};
    AbutStatus status = encase(a, directions, &of_a, error);
    if (status == ABUT_OK) status = encase(b, directions, &of_b, error);
    if (status == ABUT_OK && !of_a.flat && !of_b.flat) {
        int faces = abut_overlap_face_count(a) >= 0 && abut_overlap_face_count(b) >= 0;
        double low = faces ? 0.0 : slack_of(&of_a, &of_b, 0), high = faces ? 0.0 : slack_of(&of_a, &of_b, 1);
        status = volume_of(&of_a.convex[0], &of_b.convex[0], b_in_a, -low, &found.low, error);
        if (status == ABUT_OK) status = volume_of(&of_a.convex[1], &of_b.convex[1], b_in_a, high, &found.high, error);
    }
    if (status == ABUT_OK) *out = found;
    open_case(&of_a);
    open_case(&of_b);
    return status;
}
