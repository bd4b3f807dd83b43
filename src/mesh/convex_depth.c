/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth of a mesh and a convex body.
 *
 * In: a tree, a convex body of any kind, its pose. Out: a translation of the body that parts them, verified by the
 * collision test. Method: along a direction the body leaves the triangles that it meets, each by tangent planes from
 * outside, until it meets none and is not inside the mesh. That length is asked along many directions; the planes of
 * contact lead from each good one to a shorter way nearby, and rings of directions surround the best.
 */
#include "mesh/depth_search.h"
#include "mesh/kernels.h"
#include "mesh/mesh_pair.h"
#include "mesh/near.h"
#include "mesh/tolerance.h"

enum { EVEN = 42, MOST_EVEN = 120, TANGENTS = 40, STOPS = 4000, ROUNDS = 12, RINGS = 8, RING = 6, LONGER = 60 };

typedef struct Search {
    const AbutMeshTree *tree;
    const AbutConvex *body;
    AbutPose pose;
    AbutMat3 r;
    double size, hair; /* of the scene; what counts as no length */
    /* one walk along u: */
    AbutVec3 u;
    double s, cut;   /* where the body is; lengths from here on do not matter */
    double low;      /* least u . x of the body where it began */
    double leaves;   /* where it leaves all triangles that it meets at s; -INFINITY: it meets none */
    AbutVec3 normal; /* of the plane of contact there */
    /* the shortest so far: */
    double best;
    AbutVec3 way;
    int64_t walks;
} Search;

static AbutPose pose_at(const Search *d, AbutVec3 way) { return (AbutPose){abut_add(d->pose.p, way), d->pose.q}; }

/* Least u . x of the body; -INFINITY for a half-space that has no end there. */
static double low_along(const Search *d, AbutVec3 u) {
    AbutVec3 own = abut_neg(abut_mat3_apply_t(d->r, u));
    if (d->body->kind == ABUT_CONVEX_HALF_SPACE)
        return abut_dot(own, d->body->p[0]) > 1.0 - 4e-15 ? abut_dot(u, d->pose.p) - d->body->p[1].x - d->body->radius
                                                          : -INFINITY;
    return abut_dot(u, d->pose.p) - abut_dot(own, abut_convex_farthest(d->body, own)) - d->body->radius;
}

/* Where the body leaves a triangle, from a place beyond it back to tangent planes: never below the truth. */
static double leave(const Search *d, const AbutVec3 v[3], double beyond, AbutVec3 *normal) {
    AbutConvex triangle = abut_convex_triangle(v[0], v[1], v[2], 0.0);
    *normal = d->u;
    for (int k = 0; k < TANGENTS; ++k) {
        AbutGap gap = abut_convex_distance(&triangle, d->body, pose_at(d, abut_scale(d->u, beyond)), NULL, NULL);
        double proved = gap.distance - gap.error, slope = abut_dot(gap.normal, d->u);
        if (!(proved > 0.1 * d->hair) || !(slope > 0.0)) break;
        *normal = gap.normal;
        beyond -= proved / slope;
    }
    return beyond;
}

/* Has the body left a triangle, which it meets at s, where it leaves those looked at before? */
static int has_left(const Search *d, const AbutVec3 v[3]) {
    AbutConvex triangle = abut_convex_triangle(v[0], v[1], v[2], 0.0);
    if (!(d->leaves > d->s)) return 0;
    AbutGap gap = abut_convex_distance(&triangle, d->body, pose_at(d, abut_scale(d->u, d->leaves)), NULL, NULL);
    return gap.distance > gap.error;
}

static int look_at(const AbutMeshNear *near, void *user) {
    Search *d = user;
    const AbutVec3 *v = near->a;
    double high = abut_larger(abut_dot(d->u, v[0]), abut_larger(abut_dot(d->u, v[1]), abut_dot(d->u, v[2])));
    double beyond = high - d->low;
    if (!near->meets || !(beyond > d->leaves) || has_left(d, v)) return 1;
    AbutVec3 normal;
    beyond = leave(d, v, beyond, &normal);
    if (beyond > d->leaves) d->leaves = beyond, d->normal = normal;
    return d->leaves < d->cut;
}

/* How far a point of the body has to go to the next surface, where it is inside the mesh; 0: it is outside. */
static double way_inside(Search *d) {
    AbutVec3 p = abut_pose_apply(pose_at(d, abut_scale(d->u, d->s)), abut_convex_farthest(d->body, abut_axis(0)));
    if (d->body->kind == ABUT_CONVEX_HALF_SPACE || abut_mesh_inside(d->tree, p) != 1) return 0.0;
    AbutMeshHit hit = abut_mesh_ray(d->tree, p, d->u, 8.0 * d->size, 0.0);
    d->normal = d->u;
    return hit.triangle >= 0 ? hit.t + d->hair : INFINITY;
}

/* The first free place along u; INFINITY when there is none before `cut`. */
static double first_free(Search *d, AbutVec3 u, double cut) {
    d->u = u, d->s = 0.0, d->cut = cut;
    d->low = low_along(d, u);
    ++d->walks;
    for (int k = 0; k < STOPS && d->s < cut; ++k) {
        d->leaves = -INFINITY;
        (void)abut_mesh_convex_near(d->tree, d->body, pose_at(d, abut_scale(u, d->s)), u, 1e-3 * d->hair, look_at, d);
        double step = d->leaves > -INFINITY ? abut_larger(0.0, d->leaves - d->s) + d->hair : way_inside(d);
        if (step == 0.0) return d->s;
        d->s += step;
    }
    return INFINITY;
}

/* Walks along u and takes what is shorter than the best. */
static double try_way(Search *d, AbutVec3 u, double cut) {
    double s = first_free(d, u, cut);
    if (s < d->best) d->best = s, d->way = u;
    return s;
}

/* To shorter ways near u: the point nearest to the origin beyond all planes of contact so far. */
static void refine(Search *d, AbutVec3 u, double s) {
    AbutDepthPlanes planes = {0};
    AbutVec3 x;
    for (int k = 0; k < ROUNDS && s < INFINITY; ++k) {
        planes.normal[planes.count] = d->normal;
        planes.offset[planes.count++] = s * abut_dot(d->normal, u);
        if (!abut_depth_nearest(&planes, &x) || !(abut_length(x) < d->best * (1.0 - 1e-7))) return;
        u = abut_normalize_or(x, u);
        s = try_way(d, u, 2.0 * d->best);
    }
}

static void try_start(Search *d, AbutVec3 u) {
    double s = try_way(d, u, d->best);
    if (s < INFINITY) refine(d, u, s);
}

static void try_rings(Search *d) {
    double angle = 0.35;
    for (int k = 0; k < RINGS && d->best < INFINITY;) {
        AbutVec3 u = d->way, v = abut_perpendicular(u), w = abut_cross(u, v);
        double before = d->best * (1.0 - 1e-6);
        for (int i = 0; i < RING; ++i) {
            double turn = 2.0 * ABUT_PI * i / RING + 0.5 * k;
            AbutVec3 side = abut_add(abut_scale(v, abut_cos(turn)), abut_scale(w, abut_sin(turn)));
            try_start(d, abut_normalize(abut_add(abut_scale(u, abut_cos(angle)), abut_scale(side, abut_sin(angle)))));
        }
        if (!(d->best < before)) ++k, angle *= 0.5;
    }
}

static void search(Search *d, const AbutDepthDef *def, AbutVec3 warm) {
    const double golden = ABUT_PI * (3.0 - sqrt(5.0));
    int count = def->directions > 0 ? def->directions : EVEN;
    if (d->body->kind == ABUT_CONVEX_HALF_SPACE) {
        try_start(d, abut_neg(abut_mat3_apply(d->r, d->body->p[0])));
        return;
    }
    if (abut_length_sq(warm) > 0.5) try_start(d, warm);
    AbutVec3 middle = abut_pose_apply(d->pose, abut_convex_farthest(d->body, abut_axis(0)));
    try_start(d, abut_normalize_or(abut_sub(middle, d->tree->center), abut_axis(0)));
    for (int i = 0; i < 12; ++i) {
        AbutVec3 axis = abut_scale(abut_axis(i / 2 % 3), i % 2 ? 1.0 : -1.0);
        try_start(d, i < 6 ? axis : abut_mat3_apply(d->r, axis));
    }
    for (int i = 0; def->core_a && i < def->core_a->normal_count; ++i) try_start(d, def->core_a->normal[i]);
    for (int i = 0; i < count; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / count, r = sqrt(1.0 - z * z);
        try_start(d, abut_vec3(r * abut_cos(golden * i), r * abut_sin(golden * i), z));
    }
    try_rings(d);
}

static int is_free(const Search *d, double length) {
    AbutPose pose = pose_at(d, abut_scale(d->way, length * ABUT_DEPTH_VERIFY));
    return abut_mesh_convex_collide(d->tree, d->body, pose, NULL).outcome == ABUT_SEPARATED;
}

/* The answer for the best way, made longer where rounding has left it short. Bodies that a hair parts touch: depth 0.
 */
static void answer(Search *d, AbutGap *out) {
    double step = d->hair;
    for (int k = 0; k < LONGER && d->best < INFINITY && !is_free(d, d->best); ++k, step *= 1.5) d->best += step;
    out->verified = d->best < INFINITY && is_free(d, d->best);
    if (!out->verified) {
        *out = abut_gap_invalid();
        return;
    }
    AbutPose pose = pose_at(d, abut_scale(d->way, d->best * ABUT_DEPTH_VERIFY));
    AbutGap near = abut_mesh_convex_distance(d->tree, d->body, pose, NULL, NULL);
    out->part_a = near.part_a;
    out->plane = near.normal;
    out->point_a = near.point_a;
    double depth = d->best > 2.0 * d->hair ? d->best : 0.0;
    out->point_b = abut_add_scaled(near.point_a, d->way, -depth);
    out->distance = 0.0 - depth; /* 0, not -0 */
    out->normal = d->way;
}

AbutGap abut_mesh_convex_depth(
    const AbutMeshTree *a, const AbutConvex *b, AbutPose b_in_a, const AbutDepthDef *def, AbutDepthCache *cache) {
    static const AbutDepthDef usual = {0};
    def = def ? def : &usual;
    AbutGap out = abut_mesh_convex_distance(a, b, b_in_a, NULL, NULL);
    if (def->directions < 0 || def->directions > MOST_EVEN || !abut_is_finite(def->along)) return abut_gap_invalid();
    if (out.outcome != ABUT_PENETRATING && out.outcome != ABUT_B_IN_A) {
        AbutPart none = abut_mesh_part(NULL, -1);
        AbutGap apart = {.outcome = out.outcome, .part_a = none, .part_b = none, .verified = 1};
        apart.containment_known = out.containment_known;
        return out.outcome == ABUT_INVALID ? out : apart;
    }
    Search d = {.tree = a, .body = b, .pose = b_in_a, .r = abut_quat_to_mat3(b_in_a.q), .best = INFINITY};
    d.size = a->radius + abut_length(abut_sub(out.point_a, a->center));
    d.hair = ABUT_SWEEP_TINY * d.size;
    AbutVec3 along = abut_normalize_or(def->along, abut_zero());
    if (abut_length_sq(along) > 0.5)
        (void)try_way(&d, along, INFINITY);
    else
        search(&d, def, cache ? cache->direction : abut_zero());
    out.kind = a->inside == ABUT_MESH_OPEN ? ABUT_GAP_SURFACE : ABUT_GAP_WAY_OUT;
    answer(&d, &out);
    if (def->work) def->work->sweeps += d.walks;
    if (cache && out.outcome != ABUT_INVALID && !(abut_length_sq(along) > 0.5)) cache->direction = out.normal;
    return out;
}
