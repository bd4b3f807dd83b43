/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distance of a triangle mesh and a convex body; the triangles that a convex body meets.
 *
 * In: a tree, a convex body of any kind, its pose. Out: the least distance of a triangle and the body, with witness
 * points. Method: the body is a box in the query frame, from its farthest points along the axes; the frame's first axis
 * is the current shortest way, along which that box is as tight as the body. Triangles whose boxes are not too far are
 * measured by abut_convex_distance. All that are nearer than a length may be shown to a caller. The boxes of a
 * half-space have no end; they are cut where no triangle can be.
 */
#include "mesh/kernels.h"
#include "mesh/near.h"
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"

#include <float.h>
#include <string.h>

enum { STARTS = 3, HALVINGS = 100 };

typedef struct Search {
    AbutTreeVisit visit;
    AbutMeshBoxes box; /* of the body in the frame of the visit, in lane 0 */
    double unit;       /* of that frame */
    const AbutMeshTree *tree;
    const AbutConvex *body;
    AbutPose pose;
    AbutMat3 r;
    const AbutGapDef *def;
    AbutGap best;
    AbutVec3 aim; /* a point of the body that is near the mesh, frame of the mesh; used where there is a `least` */
    double least; /* distance from which nothing matters; INFINITY at first */
    int32_t slot;
    int invalid;
    int64_t triangles;
    AbutMeshNearFunction *show; /* not NULL: triangles nearer than `least` are shown, and the nearest is not kept */
    void *user;
} Search;

static int meets(const AbutGap *d) {
    return d->distance <= 0.0 || d->outcome == ABUT_TOUCHING || d->outcome == ABUT_PENETRATING;
}

/* Where the body reaches along a direction of the frame of A, its radius included; INFINITY for a half-space. */
static double reach_along(const Search *s, AbutVec3 d) {
    AbutVec3 own = abut_mat3_apply_t(s->r, d);
    if (s->body->kind == ABUT_CONVEX_HALF_SPACE) {
        if (!(abut_dot(own, s->body->p[0]) > 1.0 - 4e-15)) return INFINITY;
        return s->body->p[1].x + abut_dot(d, s->pose.p) + s->body->radius;
    }
    return abut_dot(own, abut_convex_farthest(s->body, own)) + abut_dot(d, s->pose.p) + s->body->radius;
}

/* Proved to be farther than what matters, by a plane across the way from the triangle to a near point of the body? */
static int is_farther(const Search *s, const AbutVec3 v[3]) {
    AbutVec3 p;
    if (!(s->least < ABUT_QUERY_LARGEST)) return 0;
    abut_triangle_nearest(s->aim, v, &p);
    AbutVec3 way = abut_sub(s->aim, p);
    double length = abut_length(way);
    if (!(length > s->least)) return 0;
    AbutVec3 u = abut_scale(way, 1.0 / length);
    double high = abut_larger(abut_dot(u, v[0]), abut_larger(abut_dot(u, v[1]), abut_dot(u, v[2])));
    double low = -reach_along(s, abut_neg(u)), size = fabs(high) + fabs(low) + length;
    return low - high > s->least + ABUT_MESH_BOX_SLACK * size;
}

/* The squared distance in the frame from which nothing matters, with the errors that are allowed. */
static float limit_of(const Search *s) {
    double least = abut_larger(0.0, (s->least - s->def->absolute_error) / (1.0 + s->def->relative_error)) * s->unit *
                   ABUT_MESH_LIMIT_GROWTH;
    return least < 1e15 ? (float)(least * least) + 1e-30F : FLT_MAX;
}

static void try_slot(Search *s, int32_t slot) {
    const AbutVec3 *v = abut_tree_vertices(s->tree) + 3 * (size_t)slot;
    const int32_t *source = abut_tree_source(s->tree);
    AbutConvex triangle = abut_convex_triangle(v[0], v[1], v[2], 0.0);
    if (is_farther(s, v)) {
        ++s->triangles;
        return;
    }
    AbutGapDef limits = {.within = s->least < ABUT_QUERY_LARGEST ? s->least : 0.0}; /* answers are the same */
    AbutGap d = abut_convex_distance(&triangle, s->body, s->pose, &limits, NULL);
    ++s->triangles;
    if (d.outcome == ABUT_INVALID) {
        s->invalid = s->visit.done = 1;
        return;
    }
    double distance = meets(&d) ? 0.0 : d.distance;
    if (distance - d.error > s->least) return;
    if (s->show) {
        AbutMeshNear near = {.a = {v[0], v[1], v[2]},
            .distance = abut_larger(0.0, distance - d.error),
            .way = d.normal,
            .triangle = source[slot],
            .meets = distance == 0.0};
        s->visit.done = !s->show(&near, s->user);
        return;
    }
    int first = s->slot >= 0 && distance == s->least && source[slot] < source[s->slot];
    if (!(distance < s->least) && !first) return;
    s->best = d;
    s->aim = d.point_b;
    s->least = distance;
    s->slot = slot;
    s->visit.limit = limit_of(s);
    s->visit.done = distance == 0.0 || distance <= s->def->enough;
}

/* The box of the body in the query frame of origin o, first axis u and scale `unit`, in lane 0. */
static AbutMeshBoxes box_of(const Search *s, AbutVec3 u, AbutVec3 o, double unit, float spare) {
    AbutMeshBoxes box;
    memset(&box, 0, sizeof box);
    AbutVec3 v = u.x == 1.0 ? abut_axis(1) : abut_perpendicular(u);
    const AbutVec3 axis[3] = {u, v, abut_cross(u, v)};
    for (int k = 0; k < 3; ++k) {
        double high = (reach_along(s, axis[k]) - abut_dot(axis[k], o)) * unit;
        double low = -(reach_along(s, abut_neg(axis[k])) + abut_dot(axis[k], o)) * unit;
        box.high[k][0] = (float)abut_smaller(high, 4.0) + spare;
        box.low[k][0] = (float)abut_larger(low, -4.0) - spare;
    }
    return box;
}

/* Boxes by their squared gap from that of the body. */
static unsigned rank_by_gap(AbutTreeVisit *visit, const AbutMeshBoxes *boxes, int count, float key[8]) {
    const AbutMeshBoxes *body = &((const Search *)visit)->box;
    for (int i = 0; i < count; ++i) {
        float square = 0.0F;
        for (int k = 0; k < 3; ++k) {
            float x = body->low[k][0] - boxes->high[k][i], y = boxes->low[k][i] - body->high[k][0];
            x = x > y ? x : y;
            x = x > 0.0F ? x : 0.0F;
            square += x * x;
        }
        key[i] = square;
    }
    return (1U << count) - 1U;
}

static void look_at(AbutTreeVisit *visit, int32_t slot) { try_slot((Search *)visit, slot); }

/* Through the tree in a frame along u, or along the normal of a half-space. */
static void walk(Search *s, AbutVec3 u) {
    AbutVec3 o = s->tree->center;
    u = abut_normalize_or(
        s->body->kind == ABUT_CONVEX_HALF_SPACE ? abut_mat3_apply(s->r, s->body->p[0]) : u, abut_axis(0));
    double size = 2.0 * s->tree->radius + (s->least < ABUT_QUERY_LARGEST ? s->least : 0.0);
    s->visit = (AbutTreeVisit){.tree = s->tree,
        .frame = abut_mesh_frame_alone(s->tree, u, o, size, &s->unit),
        .rank = rank_by_gap,
        .look = look_at};
    s->visit.limit = limit_of(s);
    s->box = box_of(s, u, o, s->unit, s->visit.frame.spare);
    abut_tree_visit(&s->visit);
}

/* A triangle near the body: the one nearest to a point of it, some times over. */
static void start(Search *s, const AbutPair *cache) {
    if (cache && cache->a > 0 && cache->a <= s->tree->triangle_count) {
        try_slot(s, cache->a - 1);
        return;
    }
    AbutVec3 from = abut_pose_apply_inv(s->pose, s->tree->center), at;
    AbutVec3 p = abut_pose_apply(s->pose, abut_convex_farthest(s->body, abut_normalize_or(from, abut_axis(0))));
    for (int i = 0; i < STARTS && !s->visit.done && abut_is_finite(p) && abut_max_abs(p) < ABUT_QUERY_LARGEST; ++i) {
        double square = INFINITY;
        int32_t slot = abut_mesh_walk()->nearest(s->tree, p, &square, &at);
        if (slot < 0 || slot == s->slot) return;
        try_slot(s, slot);
        p = s->best.point_b;
    }
}

static int holds(const Search *s, AbutVec3 p) {
    AbutConvex point = abut_convex_point(p, 0.0);
    return abut_convex_meet(&point, s->body, s->pose, NULL) == 1;
}

/* One half of a triangle, cut across its longest side. */
static void halve(const AbutVec3 v[3], int which, AbutVec3 out[3]) {
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (abut_point_distance(v[i], v[(i + 1) % 3]) > abut_point_distance(v[k], v[(k + 1) % 3])) k = i;
    AbutVec3 middle = abut_lerp(v[k], v[(k + 1) % 3], 0.5);
    out[0] = middle, out[1] = which ? v[(k + 1) % 3] : v[(k + 2) % 3], out[2] = which ? v[(k + 2) % 3] : v[k];
}

/* Puts a half of v that meets the body in its place, and its point of the deepest pair in p; 0: neither half does. */
static int take_half(const Search *s, AbutVec3 v[3], AbutVec3 *p) {
    for (int which = 0; which < 2; ++which) {
        AbutVec3 half[3];
        halve(v, which, half);
        AbutConvex triangle = abut_convex_triangle(half[0], half[1], half[2], 0.0);
        AbutGap d = abut_convex_distance(&triangle, s->body, s->pose, NULL, NULL);
        if (d.outcome == ABUT_INVALID || !meets(&d)) continue;
        memcpy(v, half, sizeof half);
        abut_triangle_nearest(d.point_a, v, p);
        return 1;
    }
    return 0;
}

/* A point of the triangle that lies in the body: that of the deepest pair, unless the body is slanted against the
 * triangle; then the triangle is halved, and a half that meets the body kept, until its point is in the body. */
static AbutVec3 common_point(const Search *s) {
    AbutVec3 v[3], p;
    memcpy(v, abut_tree_vertices(s->tree) + 3 * (size_t)s->slot, sizeof v);
    abut_triangle_nearest(s->best.point_a, v, &p);
    for (int i = 0; i < HALVINGS && !holds(s, p); ++i)
        if (!take_half(s, v, &p)) break;
    return p;
}

static AbutGap finish(const Search *s) {
    if (s->invalid) return abut_gap_invalid();
    AbutPart none = abut_mesh_part(NULL, -1);
    AbutGap out = {.outcome = ABUT_FARTHER, .part_a = none, .part_b = none};
    abut_mesh_count(s->def->work, s->visit.nodes, s->triangles);
    out.containment_known = s->tree->inside != ABUT_MESH_OPEN || s->body->kind == ABUT_CONVEX_HALF_SPACE;
    out.distance = out.surface = s->slot < 0 ? s->def->within : s->least;
    if (s->slot >= 0) {
        out.outcome = s->least > 0.0 ? ABUT_SEPARATED : ABUT_PENETRATING;
        out.normal = s->least > 0.0 ? s->best.normal : abut_zero();
        out.point_a = s->best.point_a, out.point_b = s->best.point_b;
        if (out.outcome == ABUT_PENETRATING) out.point_a = out.point_b = common_point(s);
        out.part_a = abut_mesh_part(s->tree, s->slot);
        out.error =
            s->visit.done
                ? s->least
                : s->least - abut_larger(0.0, (s->least - s->def->absolute_error) / (1.0 + s->def->relative_error));
    }
    if (out.outcome != ABUT_PENETRATING && s->body->kind != ABUT_CONVEX_HALF_SPACE) {
        AbutVec3 p = abut_pose_apply(s->pose, abut_convex_farthest(s->body, abut_axis(0)));
        if (abut_mesh_inside(s->tree, p) == 1) out.outcome = ABUT_B_IN_A, out.distance = 0.0;
    }
    return out;
}

AbutGap abut_mesh_convex_distance(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, const AbutGapDef *def, AbutPair *cache) {
    static const AbutGapDef everything = {0};
    Search s;
    memset(&s, 0, sizeof s);
    s.tree = a, s.body = b, s.pose = b_in_a, s.def = def ? def : &everything;
    s.slot = -1, s.least = INFINITY;
    s.invalid = !abut_mesh_def_is_good(s.def) || !abut_mesh_pose_is_good(b_in_a) || b->kind == ABUT_CONVEX_PLANE;
    if (s.invalid) return abut_gap_invalid();
    if (a->triangle_count == 0) {
        AbutGap none = finish(&s);
        none.outcome = ABUT_EMPTY;
        none.distance = none.surface = INFINITY;
        return none;
    }
    s.r = abut_quat_to_mat3(b_in_a.q);
    try_slot(&s, 0); /* refuses a bad body before anything is asked of it */
    if (!s.visit.done) start(&s, cache);
    if (s.def->within > 0.0 && s.least > s.def->within) s.slot = -1, s.least = s.def->within * (1.0 + 4e-16);
    if (!s.visit.done) walk(&s, s.best.normal);
    if (cache && s.slot >= 0) cache->a = s.slot + 1, cache->b = 0;
    return finish(&s);
}

int abut_mesh_convex_near(const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, AbutVec3 way, double within,
    AbutMeshNearFunction *show, void *user) {
    static const AbutGapDef everything = {0};
    Search s = {.tree = a, .body = b, .pose = b_in_a, .def = &everything, .least = within, .slot = -1, .show = show};
    if (a->triangle_count == 0 || b->kind == ABUT_CONVEX_PLANE || !abut_mesh_pose_is_good(b_in_a)) return 0;
    s.user = user;
    s.r = abut_quat_to_mat3(b_in_a.q);
    s.aim = abut_pose_apply(b_in_a, abut_convex_farthest(b, abut_mat3_apply_t(s.r, abut_neg(way))));
    walk(&s, way);
    return !s.visit.done;
}

AbutCollision abut_mesh_convex_collide(const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, AbutPair *cache) {
    AbutGapDef def = {.within = DBL_MIN};
    AbutGap d = abut_mesh_convex_distance(a, b, b_in_a, &def, cache);
    AbutCollision out = {d.outcome, d.containment_known, {-1, -1}, 0, 0};
    if (out.outcome == ABUT_FARTHER || out.outcome == ABUT_EMPTY) out.outcome = ABUT_SEPARATED;
    if (out.outcome == ABUT_PENETRATING) out.first.a = d.part_a.index[0], out.count = 1;
    return out;
}
