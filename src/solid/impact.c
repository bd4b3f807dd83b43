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
 * (impact_near.c). Pieces are asked pair by pair. The signed distance of convex bodies is the most that any direction
 * parts them by, so that in overlap too the bound along its normal holds: the search may stop at a level below 0.
 */
#include "mesh/kernels.h"
#include "query/contract.h"
#include "solid/impact.h"
#include "motion/chain.h"
#include "solid/solid.h"

#include <float.h>
#include <string.h>

enum { ROUNDS = 2000, PROBES = 24 };

static const double DEFAULT_TOLERANCE = 1e-6; /* of the smaller radius */
static const double STEP = 1.0 - 1e-9;        /* of the proven step: rounding */

typedef AbutImpactSearch Search;

/* The smallest box that holds the vertices farthest along the axes. */
static AbutAabb box_of(const AbutConvex *convex) {
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < 6; ++i)
        box = abut_aabb_add(box, abut_convex_farthest(convex, abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0)));
    return box;
}

/* A solid that is not made of pieces. */
static AbutImpactBody body_of(AbutSolid solid, const AbutMotion *motion) {
    AbutImpactBody m = {solid, motion, abut_zero(), 0.0, 0};
    if (solid.kind == ABUT_SOLID_MESH) {
        m.center = solid.mesh->center;
        m.radius = solid.mesh->radius;
        return m;
    }
    const AbutConvex *convex = solid.convex;
    if (convex->kind == ABUT_CONVEX_POLYHEDRON) {
        m.center = convex->polyhedron->bound.center;
        m.radius = convex->polyhedron->bound.radius + convex->radius;
        return m;
    }
    m.half_space = abut_convex_is_unbounded(convex);
    if (!m.half_space) {
        AbutAabb box = box_of(convex);
        m.center = abut_scale(abut_add(box.min, box.max), 0.5);
        m.radius = 0.5 * abut_point_distance(box.min, box.max) + convex->radius;
    }
    return m;
}

/* ---- distance at a time ------------------------------------------------------------------------------------------ */

/* Distance at one time, in the outer frame: 0 in contact, negative in overlap of convex bodies. A mesh is asked first.
 */
static AbutGap gap_at(Search *s, double t) {
    AbutPose a = abut_motion_pose(s->a.motion, t), b = abut_motion_pose(s->b.motion, t);
    ++s->rounds;
    if (!abut_impact_is_mesh(&s->a) && abut_impact_is_mesh(&s->b))
        return abut_gap_swapped(
            abut_gap_in(b, abut_distance(s->b.solid, s->a.solid, abut_pose_between(b, a), NULL, &s->cache)));
    AbutGap g = abut_gap_in(a, abut_distance(s->a.solid, s->b.solid, abut_pose_between(a, b), NULL, &s->cache));
    if (g.outcome == ABUT_NOT_CONVERGED && !abut_impact_is_mesh(&s->a)) /* its lower bound is still good */
        g.distance -= g.error;
    return g;
}

static int is_valid(const AbutGap *g) { return g->outcome != ABUT_INVALID && g->outcome != ABUT_EMPTY; }

/* ---- advancement ------------------------------------------------------------------------------------------------- */

/* How fast the bodies can approach each other between t and the end. Backward in time velocities change sign. */
static double approach(const Search *s, const AbutGap *g, double t, double to) {
    const AbutMotion *a = s->a.motion, *b = s->b.motion;
    if (abut_impact_is_mesh(&s->a) || abut_impact_is_mesh(&s->b))
        return abut_motion_speed(a, t, to, NULL, s->a.center, s->a.radius) +
               abut_motion_speed(b, t, to, NULL, s->b.center, s->b.radius);
    AbutVec3 n = to >= t ? g->normal : abut_neg(g->normal), back = abut_neg(n);
    return abut_motion_speed(a, t, to, &n, s->a.center, s->a.radius) +
           abut_motion_speed(b, t, to, &back, s->b.center, s->b.radius);
}

static int32_t triangle_of(const AbutPart *part) { return part->kind == ABUT_PART_TRIANGLE ? part->index[0] : -1; }

static AbutImpact impact_at(const Search *s, AbutImpactOutcome outcome, double t, const AbutGap *g) {
    double distance = s->level < 0.0 ? g->distance : abut_larger(g->distance, 0.0);
    AbutImpact out = {outcome, t, t, t, distance, 0.0, g->normal, g->point_a, g->point_b, triangle_of(&g->part_a),
        triangle_of(&g->part_b), s->rounds};
    return out;
}

static AbutImpact no_impact(int32_t rounds) {
    const AbutVec3 unknown = abut_vec3(NAN, NAN, NAN);
    AbutImpact out = {ABUT_IMPACT_INVALID, NAN, NAN, NAN, NAN, NAN, unknown, unknown, unknown, -1, -1, rounds};
    return out;
}

static int is_sheet(const AbutImpactBody *m) { return m->half_space && m->solid.convex->kind == ABUT_CONVEX_PLANE; }

/* In contact, or beyond it: on the other side of a sheet there is no way but through it. */
static int is_met(const Search *s, const AbutGap *before, const AbutGap *g) {
    int through = (is_sheet(&s->a) || is_sheet(&s->b)) && abut_dot(before->normal, g->normal) < 0.0;
    return is_valid(g) && (g->distance <= s->level || through);
}

/* The end of the bracket: steps that double from t on, until one is in contact. */
static AbutImpact close_bracket(Search *s, double t, double to, double speed, const AbutGap *g) {
    double step = s->tolerance / speed, way = fabs(to - t), sign = to >= t ? 1.0 : -1.0;
    AbutImpact out = impact_at(s, ABUT_IMPACT_GRAZING, t, g);
    out.t_hi = to;
    for (int k = 0; k < PROBES; ++k, step *= 2.0) {
        double h = abut_smaller(step, way), later = h < way ? t + sign * h : to;
        AbutGap probe = gap_at(s, later);
        if (is_met(s, g, &probe)) {
            out.outcome = ABUT_IMPACT_HIT;
            out.t_hi = later;
            break;
        }
        if (h >= way) break;
    }
    out.rounds = s->rounds;
    return out;
}

/* A proven step from time t on. */
static double free_time(const Search *s, const AbutGap *g, double t, double to, double speed) {
    double step = speed > 0.0 ? STEP * (g->distance - s->level - 0.5 * s->tolerance) / speed : INFINITY;
    int mesh = abut_impact_is_mesh(&s->a) || abut_impact_is_mesh(&s->b);
    return mesh ? abut_impact_near_step(s, g, t, to, speed, step) : step;
}

/* The time to begin with: nothing touches before it. */
static double begin_time(const Search *s, const AbutImpactDef *def) {
    int swept = abut_impact_is_mesh(&s->a) && abut_impact_is_mesh(&s->b) && s->level == 0.0;
    return swept ? abut_impact_straight(s, def->from, def->to) : def->from;
}

/* Answer for a time at which the level is reached; `speed` bounds the approach from there on. */
static AbutImpact arrived(Search *s, const AbutImpactDef *def, double t, double speed, const AbutGap *g) {
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
static int is_beyond_digits(const Search *s, const AbutImpactDef *def, double t, double speed, const AbutGap *g) {
    double fastest = approach(s, g, def->from, def->to), room = g->distance - s->level;
    double lost = 4.0 * DBL_EPSILON * (fastest * abut_larger(fabs(def->from), fabs(def->to)) + g->distance);
    if (!(lost < room)) return 1;
    return lost >= abut_larger(s->a.radius, s->b.radius) && !(room - speed * fabs(def->to - t) > lost);
}

/* The remaining time is below rounding; only its end is known. */
static AbutImpact last_moment(Search *s, const AbutImpactDef *def, double t, double speed, const AbutGap *g) {
    AbutGap end = gap_at(s, def->to);
    AbutImpact out = impact_at(s, is_met(s, g, &end) ? ABUT_IMPACT_HIT : ABUT_IMPACT_UNDECIDED, t, g);
    out.t_hi = def->to;
    out.approach = speed;
    return out;
}

static AbutImpact advance(Search *s, const AbutImpactDef *def) {
    double t = begin_time(s, def), left = fabs(def->to - t), sign = def->to >= def->from ? 1.0 : -1.0;
    int32_t limit = def->round_limit > 0 ? def->round_limit : ROUNDS;
    for (;;) {
        AbutGap g = gap_at(s, t);
        if (!is_valid(&g)) return no_impact(s->rounds);
        double speed = approach(s, &g, t, def->to);
        if (g.distance - s->level <= s->tolerance) return arrived(s, def, t, speed, &g);
        double step = free_time(s, &g, t, def->to, speed);
        if (!(step < left)) {
            if (is_beyond_digits(s, def, t, speed, &g)) return last_moment(s, def, t, speed, &g);
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

static int good_motion(const AbutImpactBody *m) {
    const AbutMotion *motion = m->motion;
    if (abut_motion_check(motion, NULL) != ABUT_OK) return 0;
    for (int32_t i = 1; i < motion->keyframe_count && m->half_space; ++i) {
        AbutQuat p = motion->keyframes[i - 1].pose.q, q = motion->keyframes[i].pose.q;
        if (!(fabs(abut_quat_dot(p, q)) >= 1.0 - 1e-15)) return 0;
    }
    return !m->half_space || abut_length_sq(motion->spin) == 0.0;
}

/* For two solids that are not made of pieces. */
static AbutImpact meet(
    AbutSolid a, const AbutMotion *motion_a, AbutSolid b, const AbutMotion *motion_b, const AbutImpactDef *def) {
    Search s;
    memset(&s, 0, sizeof s);
    s.a = body_of(a, motion_a), s.b = body_of(b, motion_b);
    double small = s.a.half_space ? s.b.radius : s.b.half_space ? s.a.radius : abut_smaller(s.a.radius, s.b.radius);
    double large = abut_larger(s.a.radius, s.b.radius);
    s.level = def->level;
    s.tolerance =
        def->tolerance > 0.0 ? def->tolerance : DEFAULT_TOLERANCE * (small > 0.0 ? small : (large > 0.0 ? large : 1.0));
    if (!abut_motion_fits(def->from) || !abut_motion_fits(def->to) || !(def->tolerance >= 0.0) ||
        !isfinite(s.tolerance) || !isfinite(s.level) ||
        (s.level < 0.0 && (abut_impact_is_mesh(&s.a) || abut_impact_is_mesh(&s.b))) || !good_motion(&s.a) ||
        !good_motion(&s.b))
        return no_impact(0);
    return advance(&s, def);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static int32_t part_count(AbutSolid solid) { return solid.kind == ABUT_SOLID_PIECES ? solid.pieces->count : 1; }

/* Piece i in `room`, or the solid itself. */
static AbutSolid part_of(AbutSolid solid, int32_t i, AbutConvex *room) {
    if (solid.kind != ABUT_SOLID_PIECES) return solid;
    *room = abut_convex_polyhedron(solid.pieces->piece[i], 0.0);
    return abut_solid_convex(room);
}

/* Does x come before the best so far? Without contact, the nearer one counts. */
static int is_before(const AbutImpact *x, const AbutImpact *best, const AbutImpactDef *def) {
    int none = x->outcome == ABUT_IMPACT_NONE, best_none = best->outcome == ABUT_IMPACT_NONE;
    double t = fabs(x->t - def->from), best_t = fabs(best->t - def->from);
    if (none || best_none) return none ? best_none && x->distance < best->distance : 1;
    return t < best_t || (t == best_t && x->outcome == ABUT_IMPACT_HIT && best->outcome == ABUT_IMPACT_GRAZING);
}

/* The first impact of all pairs of pieces. Most pairs need only be proved to meet no earlier than the best so far. */
static AbutImpact meet_by_pieces(const AbutMover *a, const AbutMover *b, const AbutImpactDef *def) {
    AbutConvex room_a, room_b;
    int32_t count_a = part_count(a->solid), count_b = part_count(b->solid), rounds = 0;
    AbutImpact best = no_impact(0);
    for (int32_t k = 0; k < count_a * count_b && best.outcome != ABUT_IMPACT_AT_START; ++k) {
        int32_t i = k / count_b, j = k % count_b;
        AbutSolid x = part_of(a->solid, i, &room_a), y = part_of(b->solid, j, &room_b);
        AbutImpactDef until = *def;
        if (k > 0 && best.outcome != ABUT_IMPACT_NONE) {
            until.to = best.t, until.no_bracket = 1;
            AbutImpact early = meet(x, &a->motion, y, &b->motion, &until);
            rounds += early.rounds;
            if (early.outcome == ABUT_IMPACT_NONE) continue;
        }
        AbutImpact found = meet(x, &a->motion, y, &b->motion, def);
        rounds += found.rounds;
        if (found.outcome == ABUT_IMPACT_INVALID) return found;
        if (k > 0 && !is_before(&found, &best, def)) continue;
        best = found;
        best.part_a = a->solid.kind == ABUT_SOLID_PIECES ? i : found.part_a;
        best.part_b = b->solid.kind == ABUT_SOLID_PIECES ? j : found.part_b;
    }
    best.rounds = rounds;
    return best;
}

AbutImpact abut_time_of_impact(const AbutMover *a, const AbutMover *b, const AbutImpactDef *def) {
    ABUT_ASSERT(a && b && def);
    if (!abut_solids_are_known(a->solid, b->solid) || a->solid.kind == ABUT_SOLID_FIELD ||
        b->solid.kind == ABUT_SOLID_FIELD)
        return no_impact(0);
    if (a->solid.kind == ABUT_SOLID_PIECES || b->solid.kind == ABUT_SOLID_PIECES) return meet_by_pieces(a, b, def);
    return meet(a->solid, &a->motion, b->solid, &b->motion, def);
}

const char *const abut_impact_outcome_names[ABUT_IMPACT_OUTCOME_COUNT + 1] = {
    "none", "hit", "at_start", "grazing", "undecided", "invalid", NULL};
