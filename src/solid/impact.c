/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of impact of two moving bodies.
 *
 * In: two bodies with their motions, an interval of time, forward or backward. Out: the first contact, bracketed.
 * Method: conservative advancement with a warm distance query: at distance d, points that approach at no more than v
 * cannot meet within d / v; go on that far and ask again. The bound is taken anew over what is left of the interval;
 * for two convex bodies along the normal of the distance, which parts them as a whole. Where the distance has fallen to
 * the tolerance, growing steps look for a time of true contact, the far end of the bracket. A mesh near another or near
 * a convex body takes longer steps, and meshes on a straight line begin where a sweep found the first contact
 * (impact_near.c). The signed distance of convex bodies is the most that any direction parts them by, so that in
 * overlap too the bound along its normal holds: the search may stop at a level below 0.
 */
#include "solid/impact.h"
#include "motion/chain.h"

#include <float.h>
#include <string.h>

enum { ROUNDS = 2000, PROBES = 24 };

static const double DEFAULT_TOLERANCE = 1e-6; /* of the smaller radius */
static const double STEP = 1.0 - 1e-9;        /* of the proven step: rounding */

/* Distance at one time, in the outer frame. */
typedef struct Gap {
    int valid;
    double distance; /* 0 in contact; negative in overlap of convex bodies */
    AbutVec3 normal, point_a, point_b;
    int32_t triangle_a, triangle_b;
} Gap;

typedef struct Search {
    AbutImpactBody a, b;
    double tolerance, level;
    AbutMeshCache mesh_cache;
    AbutConvexCache convex_cache;
    int32_t rounds;
} Search;

static AbutImpactBody mover_of(const AbutMovingBody *body)
{
    AbutImpactBody m = {body, abut_zero(), 0.0, 0};
    if (body->mesh) {
        m.center = body->mesh->center;
        m.radius = body->mesh->radius;
        return m;
    }
    if (body->convex->kind == ABUT_CONVEX_POLYHEDRON) {
        m.center = body->convex->polyhedron->bound.center;
        m.radius = body->convex->polyhedron->bound.radius + body->convex->radius;
        return m;
    }
    m.half_space = body->convex->kind == ABUT_CONVEX_HALF_SPACE || body->convex->kind == ABUT_CONVEX_PLANE;
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < 6 && !m.half_space; ++i)
        box =
            abut_aabb_add(box, abut_convex_farthest(body->convex, abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0)));
    if (!m.half_space) {
        m.center = abut_scale(abut_add(box.min, box.max), 0.5);
        m.radius = 0.5 * abut_point_distance(box.min, box.max) + body->convex->radius;
    }
    return m;
}

/* ---- distance at a time ------------------------------------------------------------------------------------------ */

static Gap gap_of_mesh(const AbutGap *d)
{
    Gap g = {1, d->distance, d->normal, d->point_a, d->point_b, d->part_a.index[0], d->part_b.index[0]};
    g.valid = d->outcome != ABUT_INVALID && d->outcome != ABUT_EMPTY;
    return g;
}

static Gap gap_of_convex(const AbutGap *d)
{
    Gap g = {1, d->distance, d->normal, d->point_a, d->point_b, -1, -1};
    g.valid = d->outcome != ABUT_INVALID && d->outcome != ABUT_NOT_CONVERGED;
    if (d->outcome == ABUT_NOT_CONVERGED) { /* its lower bound is still good */
        g.valid = 1;
        g.distance = d->distance - d->error;
    }
    return g;
}

static Gap swapped(Gap g)
{
    Gap out = {g.valid, g.distance, abut_neg(g.normal), g.point_b, g.point_a, g.triangle_b, g.triangle_a};
    return out;
}

static Gap moved(Gap g, AbutPose pose)
{
    g.normal = abut_quat_rotate(pose.q, g.normal);
    g.point_a = abut_pose_apply(pose, g.point_a);
    g.point_b = abut_pose_apply(pose, g.point_b);
    return g;
}

static Gap gap_at(Search *s, double t)
{
    const AbutMovingBody *a = s->a.body, *b = s->b.body;
    AbutPose pa = abut_motion_pose(&a->motion, t), pb = abut_motion_pose(&b->motion, t);
    ++s->rounds;
    if (a->mesh && b->mesh) {
        AbutGap d = abut_mesh_distance(a->mesh, b->mesh, abut_pose_between(pa, pb), NULL, &s->mesh_cache);
        return moved(gap_of_mesh(&d), pa);
    }
    if (a->mesh) {
        AbutGap d = abut_mesh_convex_distance(a->mesh, b->convex, abut_pose_between(pa, pb), NULL, &s->mesh_cache);
        return moved(gap_of_mesh(&d), pa);
    }
    if (b->mesh) {
        AbutGap d = abut_mesh_convex_distance(b->mesh, a->convex, abut_pose_between(pb, pa), NULL, &s->mesh_cache);
        return swapped(moved(gap_of_mesh(&d), pb));
    }
    AbutGap d = abut_convex_distance(a->convex, b->convex, abut_pose_between(pa, pb), NULL, &s->convex_cache);
    return moved(gap_of_convex(&d), pa);
}

/* ---- advancement ------------------------------------------------------------------------------------------------- */

/* How fast the bodies can approach each other between t and the end. Backward in time velocities change sign. */
static double approach(const Search *s, const Gap *g, double t, double to)
{
    const AbutMotion *a = &s->a.body->motion, *b = &s->b.body->motion;
    if (s->a.body->mesh || s->b.body->mesh)
        return abut_motion_speed(a, t, to, s->a.center, s->a.radius) +
               abut_motion_speed(b, t, to, s->b.center, s->b.radius);
    AbutVec3 n = to >= t ? g->normal : abut_neg(g->normal);
    return abut_motion_speed_along(a, t, to, n, s->a.center, s->a.radius) +
           abut_motion_speed_along(b, t, to, abut_neg(n), s->b.center, s->b.radius);
}

static AbutImpact impact_at(const Search *s, AbutImpactOutcome outcome, double t, const Gap *g)
{
    double distance = s->level < 0.0 ? g->distance : abut_larger(g->distance, 0.0);
    AbutImpact out = {
        outcome, t, t, t, distance, 0.0, g->normal, g->point_a, g->point_b, g->triangle_a, g->triangle_b, s->rounds};
    return out;
}

static AbutImpact no_impact(const Search *s)
{
    const AbutVec3 unknown = abut_vec3(NAN, NAN, NAN);
    AbutImpact out = {ABUT_IMPACT_INVALID, NAN, NAN, NAN, NAN, NAN, unknown, unknown, unknown, -1, -1, s->rounds};
    return out;
}

static int is_sheet(const AbutImpactBody *m)
{
    return m->half_space && m->body->convex->kind == ABUT_CONVEX_PLANE;
}

/* In contact, or beyond it: on the other side of a sheet there is no way but through it. */
static int is_met(const Search *s, const Gap *before, const Gap *g)
{
    int through = (is_sheet(&s->a) || is_sheet(&s->b)) && abut_dot(before->normal, g->normal) < 0.0;
    return g->valid && (g->distance <= s->level || through);
}

/* The end of the bracket: steps that double from t on, until one is in contact. */
static AbutImpact close_bracket(Search *s, double t, double to, double speed, const Gap *g)
{
    double step = s->tolerance / speed, way = fabs(to - t), sign = to >= t ? 1.0 : -1.0;
    AbutImpact out = impact_at(s, ABUT_IMPACT_GRAZING, t, g);
    out.t_hi = to;
    for (int k = 0; k < PROBES; ++k, step *= 2.0) {
        double h = abut_smaller(step, way), later = h < way ? t + sign * h : to;
        Gap probe = gap_at(s, later);
        if (is_met(s, g, &probe)) {
            out.outcome = ABUT_IMPACT_HIT;
            out.t_hi = later;
            break;
        }
        if (h >= way)
            break;
    }
    out.rounds = s->rounds;
    return out;
}

/* A proven step from time t on. */
static double free_time(const Search *s, const Gap *g, double t, double to, double speed)
{
    double step = speed > 0.0 ? STEP * (g->distance - s->level - 0.5 * s->tolerance) / speed : INFINITY;
    if (!s->a.body->mesh && !s->b.body->mesh)
        return step;
    AbutImpactPlace place = {&s->a, &s->b, t, to, g->distance, s->level, s->tolerance, g->normal, speed};
    return abut_impact_near_step(&place, step);
}

/* The time to begin with: nothing touches before it. */
static double begin_time(const Search *s, const AbutImpactDef *def)
{
    int swept = s->a.body->mesh && s->b.body->mesh && s->level == 0.0;
    return swept ? abut_impact_straight(&s->a, &s->b, def->from, def->to, s->tolerance) : def->from;
}

/* What is to be said of a time at which the level is reached; `speed` bounds the approach from there on. */
static AbutImpact arrived(Search *s, const AbutImpactDef *def, double t, double speed, const Gap *g)
{
    AbutImpact out = impact_at(s, ABUT_IMPACT_GRAZING, t, g);
    if (t == def->from)
        out.outcome = ABUT_IMPACT_AT_START;
    else if (g->distance <= s->level)
        out.outcome = ABUT_IMPACT_HIT;
    else if (def->no_bracket)
        out.outcome = ABUT_IMPACT_HIT, out.t_hi = def->to;
    else if (speed > 0.0)
        out = close_bracket(s, t, def->to, speed, g);
    out.approach = speed;
    return out;
}

/* Are times and places known too badly to say that bodies pass? Places far away have few digits, and between two times
 * that follow each other as numbers fast bodies can go farther than their distance. */
static int is_beyond_digits(const Search *s, const AbutImpactDef *def, double t, double speed, const Gap *g)
{
    double fastest = approach(s, g, def->from, def->to), room = g->distance - s->level;
    double lost = 4.0 * DBL_EPSILON * (fastest * abut_larger(fabs(def->from), fabs(def->to)) + g->distance);
    if (!(lost < room))
        return 1;
    return lost >= abut_larger(s->a.radius, s->b.radius) && !(room - speed * fabs(def->to - t) > lost);
}

/* What is left of the time has no digits, and of it the end alone is known. */
static AbutImpact last_moment(Search *s, const AbutImpactDef *def, double t, double speed, const Gap *g)
{
    Gap end = gap_at(s, def->to);
    AbutImpact out = impact_at(s, is_met(s, g, &end) ? ABUT_IMPACT_HIT : ABUT_IMPACT_UNDECIDED, t, g);
    out.t_hi = def->to;
    out.approach = speed;
    return out;
}

static AbutImpact advance(Search *s, const AbutImpactDef *def)
{
    double t = begin_time(s, def), left = fabs(def->to - t), sign = def->to >= def->from ? 1.0 : -1.0;
    int32_t limit = def->round_limit > 0 ? def->round_limit : ROUNDS;
    for (;;) {
        Gap g = gap_at(s, t);
        if (!g.valid)
            return no_impact(s);
        double speed = approach(s, &g, t, def->to);
        if (g.distance - s->level <= s->tolerance)
            return arrived(s, def, t, speed, &g);
        double step = free_time(s, &g, t, def->to, speed);
        if (!(step < left)) {
            if (is_beyond_digits(s, def, t, speed, &g))
                return last_moment(s, def, t, speed, &g);
            AbutImpact none = impact_at(s, ABUT_IMPACT_NONE, def->to, &g);
            none.approach = speed;
            return none;
        }
        if (s->rounds >= limit) {
            AbutImpact out = impact_at(s, ABUT_IMPACT_UNDECIDED, t, &g);
            out.t_hi = def->to;
            out.approach = speed;
            return out;
        }
        t += sign * step;
        left = fabs(def->to - t);
    }
}

static int good_motion(const AbutImpactBody *m)
{
    const AbutMotion *motion = &m->body->motion;
    if (abut_motion_check(motion, NULL) != ABUT_OK)
        return 0;
    for (int32_t i = 1; i < motion->keyframe_count && m->half_space; ++i) {
        AbutQuat p = motion->keyframes[i - 1].pose.q, q = motion->keyframes[i].pose.q;
        if (!(fabs(abut_quat_dot(p, q)) >= 1.0 - 1e-15))
            return 0;
    }
    return !m->half_space || abut_length_sq(motion->spin) == 0.0;
}

AbutImpact abut_time_of_impact(const AbutMovingBody *a, const AbutMovingBody *b, const AbutImpactDef *def)
{
    Search s;
    memset(&s, 0, sizeof s);
    ABUT_ASSERT(!a->mesh != !a->convex && !b->mesh != !b->convex);
    s.a = mover_of(a), s.b = mover_of(b);
    double small = s.a.half_space ? s.b.radius : s.b.half_space ? s.a.radius : abut_smaller(s.a.radius, s.b.radius);
    double large = abut_larger(s.a.radius, s.b.radius);
    s.level = def->level;
    s.tolerance =
        def->tolerance > 0.0 ? def->tolerance : DEFAULT_TOLERANCE * (small > 0.0 ? small : (large > 0.0 ? large : 1.0));
    if (!abut_motion_fits(def->from) || !abut_motion_fits(def->to) || !(def->tolerance >= 0.0) ||
        !isfinite(s.tolerance) || !isfinite(s.level) || (s.level < 0.0 && (a->mesh || b->mesh)) || !good_motion(&s.a) ||
        !good_motion(&s.b))
        return no_impact(&s);
    return advance(&s, def);
}

const char *abut_impact_outcome_name(AbutImpactOutcome outcome)
{
    static const char *const names[ABUT_IMPACT_OUTCOME_COUNT] = {
        "none", "hit", "at_start", "grazing", "undecided", "invalid"};
    return outcome >= 0 && outcome < ABUT_IMPACT_OUTCOME_COUNT ? names[outcome] : "invalid";
}
