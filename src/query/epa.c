/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nearest facet of a convex set around the origin, by growing a polytope inside it (the expanding polytope method).
 *
 * In: the Minkowski difference A - B and a simplex near or around the origin. Out: the unit normal and support value of
 * the facet nearest to the origin (the penetration depth), with a proof: the polytope lies inside A - B, so no boundary
 * point of A - B is nearer than the nearest face of the polytope, and the support value along any direction is an upper
 * bound. The search ends when the two agree, which on polyhedra happens after finitely many steps.
 *
 * Design of one step
 *   1 take the face of least distance d, its normal n, and the support point w along n;
 *   2 if n.w - d is within the tolerance, that face is the answer;
 *   3 walk from the face over all faces that see w, counting those within EPS of it as seeing: so no new face can have
 * w on the line of its base, since then w would lie in the plane of the face kept on the other side; 4 replace what the
 * walk has seen by a fan from w to the edges around it. Planes of thin faces are found with twice the digits, so that
 * EPS is a few roundings. Whatever goes wrong by rounding (a face without area, a corner found twice), and a polytope
 * that outgrows its place, ends the search with found = 0, and the caller looks at all facets instead. The place is
 * small because it lies on the stack, of which a query takes 64 kB at most.
 */
#include "query/careful.h"
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_POINTS = 288, MAX_FACES = 2 * MAX_POINTS, MAX_HORIZON = 256, MAX_WALK = 256, MORE_STEPS = 8 };

typedef struct Face {
    AbutVec3 normal;
    int16_t corner[3]; /* counter-clockwise seen from outside */
    int16_t across[3]; /* side k from corner k to k+1: neighbour * 4 + its side */
    int16_t seen;      /* step in which a walk took it away */
} Face;

typedef struct Polytope {
    int points, faces, free_faces, horizon;
    double eps;
    AbutDifference point[MAX_POINTS];
    Face face[MAX_FACES];
    _Alignas(64) double distance[MAX_FACES]; /* of the face planes to the origin; infinity for unused places */
    int16_t free_list[MAX_FACES];
    int16_t edge[MAX_HORIZON]; /* around the hole: neighbour * 4 + its side */
} Polytope;

_Static_assert(sizeof(Polytope) <= 52 * 1024, "the polytope and the rest of a query share 64 kB of stack");

/* Fills plane and distance of a face; false when it has no area. */
static int set_plane(Polytope *t, int f)
{
    Face *face = &t->face[f];
    AbutVec3 a = t->point[face->corner[0]].w, b = t->point[face->corner[1]].w, c = t->point[face->corner[2]].w;
    face->normal = abut_triangle_normal(a, b, c, ABUT_EPA_THIN);
    t->distance[f] = abut_dot(face->normal, a);
    return abut_length_sq(face->normal) > 0.5;
}

static int new_face(Polytope *t)
{
    if (t->free_faces > 0)
        return t->free_list[--t->free_faces];
    if (t->faces == MAX_FACES)
        return -1;
    if (t->faces % 8 == 0)
        for (int k = 0; k < 8; ++k)
            t->distance[t->faces + k] = INFINITY;
    t->face[t->faces].seen = -1;
    return t->faces++;
}

static void link_sides(Polytope *t, int f, int k, int other)
{
    t->face[f].across[k] = (int16_t)other;
    t->face[other >> 2].across[other & 3] = (int16_t)(f * 4 + k);
}

/* ---- the first tetrahedron --------------------------------------------------------------------------------------- */

/* Distance of a point from the affine hull of the simplex. */
static double off_hull(const AbutSimplex *s, AbutVec3 w)
{
    AbutVec3 r = abut_sub(w, s->p[0].w);
    if (s->count == 1)
        return abut_length(r);
    AbutVec3 u = abut_normalize(abut_sub(s->p[1].w, s->p[0].w));
    if (s->count == 2)
        return abut_length(abut_cross(u, r));
    return fabs(abut_dot(abut_triangle_normal(s->p[0].w, s->p[1].w, s->p[2].w, ABUT_EPA_THIN), r));
}

/* Directions in which a simplex of 1, 2 or 3 points should grow; gives their number. */
static int growth_directions(const AbutSimplex *s, AbutVec3 d[8])
{
    if (s->count == 1) {
        for (int k = 0; k < 6; ++k)
            d[k] = abut_scale(abut_axis(k / 2), (k & 1) ? -1.0 : 1.0);
        return 6;
    }
    AbutVec3 u = abut_normalize(abut_sub(s->p[1].w, s->p[0].w));
    if (s->count == 2) {
        AbutVec3 e = abut_perpendicular(u), f = abut_cross(u, e);
        for (int k = 0; k < 6; ++k)
            d[k] = abut_add(abut_scale(e, abut_cos(k * ABUT_PI / 3.0)), abut_scale(f, abut_sin(k * ABUT_PI / 3.0)));
        return 6;
    }
    d[0] = abut_triangle_normal(s->p[0].w, s->p[1].w, s->p[2].w, ABUT_EPA_THIN);
    d[1] = abut_neg(d[0]);
    return 2;
}

/* Adds support points until the simplex is a tetrahedron with volume; false when the set is flat. */
static int grow_to_tetrahedron(AbutPairView *pair, AbutSimplex *s)
{
    while (s->count > 1 && s->count < 4) { /* drop corners that add no extent */
        AbutSimplex base = *s;
        --base.count;
        if (off_hull(&base, s->p[s->count - 1].w) > pair->touch)
            break;
        --s->count;
    }
    while (s->count < 4) {
        AbutVec3 d[8];
        AbutDifference best = s->p[0];
        double most = pair->touch;
        int n = growth_directions(s, d);
        for (int k = 0; k < n; ++k) {
            AbutDifference w = abut_pair_support(pair, d[k]);
            double off = off_hull(s, w.w);
            if (off > most) {
                most = off;
                best = w;
            }
        }
        if (!(most > pair->touch))
            return 0;
        s->p[s->count++] = best;
    }
    return 1;
}

/* Four outward faces over the tetrahedron; false when it has no volume. */
static int start_polytope(Polytope *t, const AbutSimplex *s)
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    t->points = t->faces = t->free_faces = 0;
    for (int i = 0; i < 4; ++i)
        t->point[t->points++] = s->p[i];
    int side = abut_careful_side(s->p[0].w, s->p[1].w, s->p[2].w, s->p[3].w);
    if (side == 0)
        return 0;
    if (side > 0) { /* the fourth corner must lie below 0 1 2 */
        t->point[0] = s->p[1];
        t->point[1] = s->p[0];
    }
    for (int f = 0; f < 4; ++f) {
        new_face(t);
        for (int k = 0; k < 3; ++k)
            t->face[f].corner[k] = (int16_t)corner[f][k];
        if (!set_plane(t, f))
            return 0;
    }
    link_sides(t, 0, 0, 1 * 4 + 2);
    link_sides(t, 0, 1, 2 * 4 + 2);
    link_sides(t, 0, 2, 3 * 4 + 0);
    link_sides(t, 1, 0, 3 * 4 + 2);
    link_sides(t, 1, 1, 2 * 4 + 0);
    link_sides(t, 2, 1, 3 * 4 + 1);
    return 1;
}

/* ---- growing ----------------------------------------------------------------------------------------------------- */

/* Takes a face away. */
static void remove_face(Polytope *t, int f, int step)
{
    t->face[f].seen = (int16_t)step;
    t->distance[f] = INFINITY;
    t->free_list[t->free_faces++] = (int16_t)f;
}

/*
 * Takes away the faces that see w and hang together with those beyond side `entry` (face * 4 + its side); notes the
 * edges around them in order. False when it runs out of room.
 */
static int walk(Polytope *t, int entry, AbutVec3 w, int step)
{
    int16_t pending[MAX_WALK]; /* sides to enter by later, the next one last */
    int count = 0;
    for (int next = entry;;) {
        int f = next >> 2, side = next & 3;
        const Face *face = &t->face[f];
        int gone = face->seen == step, seen = abut_dot(face->normal, w) - t->distance[f] >= -t->eps;
        if (!gone && seen) {
            if (count == MAX_WALK)
                return 0;
            remove_face(t, f, step);
            pending[count++] = face->across[side == 0 ? 2 : side - 1];
            next = face->across[side == 2 ? 0 : side + 1];
            continue;
        }
        if (!gone) {
            if (t->horizon == MAX_HORIZON)
                return 0;
            t->edge[t->horizon++] = (int16_t)next;
        }
        if (count == 0)
            return 1;
        next = pending[--count];
    }
}

/* Opens a hole around face f and closes it with a fan to point w; false when rounding spoils the topology. */
static int add_point(Polytope *t, int f, const AbutDifference *w, int step)
{
    if (t->points == MAX_POINTS)
        return 0;
    int tip = t->points++, first = -1, previous = -1;
    t->point[tip] = *w;
    t->horizon = 0;
    remove_face(t, f, step);
    for (int k = 0; k < 3; ++k)
        if (!walk(t, t->face[f].across[k], w->w, step))
            return 0;
    if (t->horizon < 3)
        return 0;
    for (int i = 0; i < t->horizon; ++i) {
        int outer = t->edge[i], g = new_face(t);
        if (g < 0)
            return 0;
        int16_t from = t->face[outer >> 2].corner[((outer & 3) + 1) % 3], to = t->face[outer >> 2].corner[outer & 3];
        Face *face = &t->face[g];
        face->corner[0] = from;
        face->corner[1] = to;
        face->corner[2] = (int16_t)tip;
        face->seen = -1;
        if (!set_plane(t, g) || (previous >= 0 && t->face[previous].corner[1] != from))
            return 0;
        link_sides(t, g, 0, outer);
        if (previous >= 0)
            link_sides(t, previous, 1, g * 4 + 2);
        else
            first = g;
        previous = g;
    }
    if (t->face[previous].corner[1] != t->face[first].corner[0])
        return 0;
    link_sides(t, previous, 1, first * 4 + 2);
    return 1;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Weights of the origin's foot point in face f; gives the side to leave by, -1 when it is inside. */
static int foot_weights(const Polytope *t, int f, double weight[3])
{
    const Face *face = &t->face[f];
    AbutVec3 a = t->point[face->corner[0]].w, b = t->point[face->corner[1]].w, c = t->point[face->corner[2]].w;
    AbutVec3 ab = abut_sub(b, a), ac = abut_sub(c, a);
    int worst = 0;
    if (abut_length_sq(abut_cross(ab, ac)) > ABUT_EPA_THIN * (abut_length_sq(ab) * abut_length_sq(ac)))
        abut_triangle_weights(a, b, c, abut_scale(face->normal, t->distance[f]), weight);
    else
        abut_careful_foot(a, b, c, weight);
    for (int k = 1; k < 3; ++k)
        if (weight[k] < weight[worst])
            worst = k;
    return weight[worst] < 0.0 ? (worst + 1) % 3 : -1;
}

/* The facet may be cut into several faces: walk over those of the same plane to the one with the foot point. */
static AbutSimplex facet_simplex(const Polytope *t, int f, double slack)
{
    double weight[3];
    int side = foot_weights(t, f, weight);
    for (int step = 0; side >= 0 && step < 64; ++step) {
        int g = t->face[f].across[side] >> 2;
        if (t->distance[g] - t->distance[f] > slack ||
            abut_dot(t->face[g].normal, t->face[f].normal) < 1.0 - ABUT_EPA_SAME_NORMAL)
            break;
        f = g;
        side = foot_weights(t, f, weight);
    }
    AbutSimplex s;
    s.count = 0;
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
        if (weight[k] > ABUT_EPA_NO_WEIGHT) {
            s.p[s.count] = t->point[t->face[f].corner[k]];
            s.weight[s.count++] = weight[k];
            sum += weight[k];
        }
    s.v = abut_zero();
    for (int k = 0; k < s.count; ++k) {
        s.weight[k] /= sum;
        s.v = abut_add_scaled(s.v, s.p[k].w, s.weight[k]);
    }
    return s;
}

/* A set without volume: the origin lies in it, so a direction across it separates at once. */
static AbutFacet flat_facet(AbutPairView *pair, const AbutSimplex *s)
{
    AbutFacet out = {0};
    AbutVec3 d[8];
    growth_directions(s, d);
    out.found = 1;
    out.normal = s->count == 1 ? abut_normalize_or(abut_pair_between(pair), abut_axis(2)) : d[0];
    if (abut_dot(out.normal, abut_pair_between(pair)) < 0.0)
        out.normal = abut_neg(out.normal);
    out.simplex = *s;
    abut_simplex_reduce(&out.simplex);
    out.depth = abut_dot(out.normal, s->p[0].w);
    return out;
}

/* Is w a corner of face f? Then the face cannot be improved. */
static int is_corner(const Polytope *t, int f, AbutVec3 w)
{
    for (int k = 0; k < 3; ++k)
        if (abut_max_abs(abut_sub(t->point[t->face[f].corner[k]].w, w)) == 0.0)
            return 1;
    return 0;
}

/*
 * Grows the polytope until the bounds of its nearest face agree. A face within the tolerance is an answer; while its
 * bounds still differ by more than a support point is rounded, some steps more are taken for a better one.
 */
static AbutFacet expand(AbutPairView *pair, Polytope *t, double tolerance)
{
    AbutFacet best, answer;
    best.found = answer.found = 0;
    best.depth = answer.gap = INFINITY;
    for (int step = 0, more = MORE_STEPS; step < MAX_POINTS && more > 0; ++step) {
        int f = pair->scan->smallest(t->distance, (t->faces + 7) & ~7);
        double low = t->distance[f];
        AbutVec3 normal = t->face[f].normal;
        pair->a.hint = t->point[t->face[f].corner[0]].ia;
        pair->b.hint = t->point[t->face[f].corner[0]].ib;
        AbutDifference w = abut_pair_support(pair, normal);
        double high = abut_dot(normal, w.w), gap = abut_larger(0.0, high - low);
        if (high < best.depth) {
            best.depth = high;
            best.normal = normal;
        }
        best.gap = abut_larger(0.0, best.depth - low);
        if ((gap <= tolerance || high < -tolerance) && gap < answer.gap)
            answer = (AbutFacet){1, normal, high, gap, facet_simplex(t, f, tolerance)};
        if (answer.found &&
            (gap <= pair->close_depth + ABUT_GJK_GAP * pair->noise || high < -tolerance || is_corner(t, f, w.w)))
            return answer;
        more -= answer.found;
        if (pair->supports >= pair->budget || !add_point(t, f, &w, step))
            break;
    }
    return answer.found ? answer : best;
}

AbutFacet abut_epa(AbutPairView *pair, const AbutSimplex *start)
{
    Polytope t;
    AbutFacet out = {0};
    AbutSimplex s = *start;
    t.eps = ABUT_EPA_EPS * pair->noise + ABUT_EPA_EPS_SMOOTH * pair->close_depth;
    if (!grow_to_tetrahedron(pair, &s))
        return flat_facet(pair, &s);
    if (!start_polytope(&t, &s))
        return out;
    return expand(pair, &t, pair->close_depth + 3.0 * t.eps);
}
