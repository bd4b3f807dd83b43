/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth of two meshes.
 *
 * In: two trees, the pose of B in A, what is known about the meshes. Out: a translation of B that parts them, checked
 * by the exact collision test. Method: a search (depth_search.c); what it finds is drawn back to the
 * first contact and verified; if it were not free, the search is repeated without relying on the orientation of the
 * surfaces, and at last the way is made longer until it is.
 */
#include "mesh/depth_search.h"
#include "mesh/kernels.h"
#include "mesh/tolerance.h"

enum { MOST_DIRECTIONS = 120, FEW_TRIANGLES = 6000, VERY_FEW = 500, LONGER = 80 };

static const AbutDepthDef usual = {0};

static AbutGap no_depth(AbutGapOutcome outcome) {
    AbutPart none = abut_mesh_part(NULL, -1);
    if (outcome == ABUT_INVALID) return abut_gap_invalid();
    return (AbutGap){.outcome = outcome, .part_a = none, .part_b = none, .verified = outcome == ABUT_SEPARATED};
}

static int def_is_good(const AbutDepthDef *def) {
    return def->directions >= 0 && def->directions <= MOST_DIRECTIONS && abut_is_finite(def->along);
}

static int is_open(const AbutMeshPair *q) { return q->a->inside == ABUT_MESH_OPEN || q->b->inside == ABUT_MESH_OPEN; }

static int is_small(const AbutMeshPair *q) { return q->a->triangle_count + q->b->triangle_count <= FEW_TRIANGLES; }

/* Number of even directions. */
static int starts_for(const AbutMeshPair *q, const AbutDepthDef *def, int warm) {
    if (def->directions > 0) return def->directions;
    if (def->method) return 26;
    if (q->a->triangle_count + q->b->triangle_count <= VERY_FEW) return 80;
    return is_small(q) ? 42 : (warm ? 14 : 42);
}

static int is_outward(const AbutDepthDef *def) {
    return def->core_a && def->core_b && def->core_a->outward && def->core_b->outward;
}

/* The search of the method, with the surfaces taken as outward or not. */
static void search(AbutDepthSearch *d, const AbutDepthDef *def, const AbutDepthCache *cache, int outward) {
    const AbutMeshPair *q = &d->sweep.pair;
    AbutVec3 warm = cache ? cache->direction : abut_zero();
    int is_warm = abut_length_sq(warm) > 0.5;
    d->sweep.outward = outward;
    d->best = INFINITY;
    d->q = abut_zero();
    d->verified = 0;
    abut_depth_directions(d, starts_for(q, def, is_warm), is_warm ? cache->turn : 0, def->core_a, def->core_b);
    if (is_open(q))
        abut_depth_search_surface(d, warm);
    else if (def->method)
        def->method(d, warm);
    else if (is_small(q))
        abut_depth_search_small(d, warm);
    else
        abut_depth_search_large(d, warm);
}

/* The one way that is asked for. */
static void search_along(AbutDepthSearch *d, AbutVec3 u) {
    d->direction[0] = u;
    d->best = abut_depth_first_free(d, u, 8.0 * d->sweep.size);
    d->q = abut_scale(u, d->best);
    d->verified = 0;
}

static int verify(AbutDepthSearch *d) {
    if (d->best < INFINITY && !d->verified) d->verified = abut_depth_is_free(d, abut_scale(d->q, ABUT_DEPTH_VERIFY));
    return d->verified;
}

/* Goes on along the direction of the best until B is free, and back to where it no longer is. */
static void make_longer(AbutDepthSearch *d) {
    double blocked = d->best < INFINITY ? d->best : 0.0, hair = ABUT_SWEEP_TINY * d->sweep.size;
    double length = blocked + hair, step = hair;
    AbutVec3 u = abut_normalize_or(d->q, d->direction[0]);
    int steps = 0;
    for (; steps < LONGER && !abut_depth_is_free(d, abut_scale(u, length)); ++steps, step *= 1.5)
        blocked = length, length += step;
    for (int k = 0; k < LONGER && steps < LONGER && length - blocked > hair; ++k) {
        double middle = 0.5 * (blocked + length);
        *(abut_depth_is_free(d, abut_scale(u, middle)) ? &length : &blocked) = middle;
    }
    d->q = abut_scale(u, length);
    d->best = length;
    (void)verify(d);
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

/* Where no sweep sees the contact, as of sheets that move in their plane: the nearest points at the free place. */
static void touch_nearest(const AbutDepthSearch *d, AbutVec3 from, AbutGap *out) {
    const AbutMeshPair *q = &d->sweep.pair;
    AbutPose pose = d->pose;
    pose.p = abut_add_scaled(pose.p, from, 1.0 / q->scale);
    AbutGap near = abut_mesh_distance(q->a, q->b, pose, NULL, NULL);
    out->part_a = near.part_a, out->part_b = near.part_b;
    out->plane = near.normal;
    out->point_a = near.point_a;
}

/* Back from the free place to the first contact, which is reported. */
static void touch(AbutDepthSearch *d, AbutGap *out) {
    AbutMeshSweep *s = &d->sweep;
    AbutVec3 u = abut_normalize_or(d->q, abut_axis(0)), from = abut_scale(d->q, ABUT_DEPTH_VERIFY), at_a, at_b;
    double length = abut_length(from), back = 1.0 / s->pair.scale;
    abut_sweep_shift(s, from);
    double gap = abut_sweep_first_contact(s, abut_neg(u), length);
    if (s->slot_a >= 0) {
        AbutVec3 n = abut_sweep_plane(s, 0, &at_a, &at_b);
        double depth = abut_larger(0.0, length - gap);
        if (abut_depth_is_free(d, abut_scale(u, depth * ABUT_DEPTH_VERIFY))) d->best = depth;
        out->part_a = abut_mesh_part(s->pair.a, s->slot_a);
        out->part_b = abut_mesh_part(s->pair.b, s->slot_b);
        out->plane = n;
        out->point_a = abut_scale(at_a, back);
    } else {
        touch_nearest(d, from, out);
    }
    out->point_b = abut_add_scaled(out->point_a, u, -d->best * back);
    abut_sweep_shift(s, abut_zero());
    out->distance = 0.0 - d->best * back; /* 0, not -0 */
    out->normal = u;
    out->verified = d->verified;
}

static void count_work(const AbutDepthSearch *d, AbutWork *work) {
    abut_mesh_count(work, d->sweep.pair.node_pairs, d->sweep.pair.triangle_pairs);
    if (work) work->sweeps += d->sweeps;
}

/* Looks whether the bodies meet and opens the search; 0 when *out is the answer. */
static int begin(AbutDepthSearch *d, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a,
    const AbutDepthDef *def, AbutGap *out) {
    AbutPair cache = {0};
    AbutCollision c = abut_mesh_collide(a, b, b_in_a, &cache);
    *out = no_depth(def_is_good(def) ? c.outcome : ABUT_INVALID);
    out->containment_known = c.containment_known;
    if (out->outcome != ABUT_PENETRATING && out->outcome != ABUT_A_IN_B && out->outcome != ABUT_B_IN_A) return 0;
    if (!abut_sweep_open(&d->sweep, a, b, b_in_a, is_outward(def))) {
        *out = no_depth(ABUT_INVALID);
        return 0;
    }
    d->pose = b_in_a;
    d->slot_a = cache.a - 1, d->slot_b = cache.b - 1;
    d->sweeps = 0;
    abut_depth_balls_place(d, def->core_a, def->core_b);
    int classic = def->method && !(abut_length_sq(def->along) > 0.0);
    out->kind = is_open(&d->sweep.pair) ? ABUT_GAP_SURFACE : classic ? ABUT_GAP_CLASSIC : ABUT_GAP_WAY_OUT;
    return 1;
}

AbutGap abut_mesh_depth(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, const AbutDepthDef *def, AbutDepthCache *cache) {
    AbutDepthSearch d;
    AbutGap out;
    def = def ? def : &usual;
    if (!begin(&d, a, b, b_in_a, def, &out)) return out;
    AbutVec3 along = abut_normalize_or(def->along, abut_zero());
    int free_way = !(abut_length_sq(along) > 0.5);
    if (free_way)
        search(&d, def, cache, is_outward(def));
    else
        search_along(&d, along);
    if (!verify(&d) && free_way && is_outward(def)) search(&d, def, cache, 0);
    if (!verify(&d)) make_longer(&d);
    touch(&d, &out);
    if (!free_way) out.normal = along;
    count_work(&d, def->work);
    if (cache && free_way) cache->direction = out.normal, cache->turn = (cache->turn + 1) % 1024;
    return out;
}

AbutMeshCast abut_mesh_cast(
    const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, AbutVec3 direction, double limit) {
    AbutMeshSweep s;
    const AbutVec3 unknown = abut_vec3(NAN, NAN, NAN);
    AbutMeshCast out = {ABUT_INVALID, -1, -1, NAN, unknown, unknown};
    double length = abut_length(direction);
    AbutCollision c = abut_mesh_collide(a, b, b_in_a, NULL);
    if (!(length > 0.0) || !(length < ABUT_QUERY_LARGEST) || !(limit >= 0.0)) return out;
    out.outcome = c.outcome;
    out.t = c.outcome == ABUT_SEPARATED ? INFINITY : 0.0;
    out.triangle_a = c.first.a, out.triangle_b = c.first.b;
    if (c.outcome != ABUT_SEPARATED) return out;
    AbutVec3 u = abut_scale(direction, 1.0 / length), from_b;
    (void)abut_sweep_open(&s, a, b, b_in_a, 0);
    double most = abut_smaller(limit * length * s.pair.scale, 8.0 * s.size);
    double at = abut_sweep_first_contact(&s, u, most);
    if (s.slot_a < 0) return out;
    out.normal = abut_sweep_plane(&s, 0, &out.point, &from_b);
    out.point = abut_scale(out.point, 1.0 / s.pair.scale);
    out.t = at / (s.pair.scale * length);
    out.triangle_a = abut_tree_source(a)[s.slot_a], out.triangle_b = abut_tree_source(b)[s.slot_b];
    return out;
}
