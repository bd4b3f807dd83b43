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
 * walk has seen by a fan from w to the edges around it. Whatever goes wrong by rounding (a face without area, a corner
 * found twice, no room) ends the search with found = 0, and the caller looks at all facets instead.
 */
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_POINTS = 1000, MAX_FACES = 2 * MAX_POINTS, MAX_HORIZON = 256, MAX_STEPS = 4000 };

typedef struct Face {
    AbutVec3 normal;
    int32_t corner[3]; /* counter-clockwise seen from outside */
    int32_t across[3]; /* side k from corner k to k+1: neighbour * 4 + its side */
    int32_t seen;      /* step in which a walk took it away */
} Face;

typedef struct Polytope {
    int points, faces, free_faces, horizon;
    double eps;
    AbutDifference point[MAX_POINTS];
    Face face[MAX_FACES];
    _Alignas(64) double distance[MAX_FACES]; /* of the face planes to the origin; infinity for unused places */
    int32_t free_list[MAX_FACES];
    int32_t edge[MAX_HORIZON]; /* around the hole: neighbour * 4 + its side */
} Polytope;

/* Fills plane and distance of a face; false when it has no area. */
static int set_plane(Polytope *t, int f)
{
    Face *face = &t->face[f];
    AbutVec3 a = t->point[face->corner[0]].w, b = t->point[face->corner[1]].w, c = t->point[face->corner[2]].w;
    AbutVec3 n = abut_cross(abut_sub(b, a), abut_sub(c, a));
    double length = abut_length(n);
    if (!(length > 0.0))
        return 0;
    face->normal = abut_scale(n, 1.0 / length);
    t->distance[f] = abut_dot(face->normal, a);
    return 1;
}

static int new_face(Polytope *t)
{
    if (t->free_faces > 0)
        return t->free_list[--t->free_faces];
    if (t->faces + 8 > MAX_FACES)
        return -1;
    if (t->faces % 8 == 0)
        for (int k = 0; k < 8; ++k)
            t->distance[t->faces + k] = INFINITY;
    t->face[t->faces].seen = -1;
    return t->faces++;
}

static void link_sides(Polytope *t, int f, int k, int32_t other)
{
    t->face[f].across[k] = other;
    t->face[other >> 2].across[other & 3] = f * 4 + k;
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
    AbutVec3 n = abut_normalize(abut_cross(u, abut_sub(s->p[2].w, s->p[0].w)));
    return fabs(abut_dot(n, r));
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
            d[k] = abut_add(abut_scale(e, cos(k * ABUT_PI / 3.0)), abut_scale(f, sin(k * ABUT_PI / 3.0)));
        return 6;
    }
    d[0] = abut_normalize(abut_cross(u, abut_sub(s->p[2].w, s->p[0].w)));
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
    AbutVec3 a = s->p[0].w;
    double volume = abut_triple(abut_sub(s->p[1].w, a), abut_sub(s->p[2].w, a), abut_sub(s->p[3].w, a));
    if (volume == 0.0)
        return 0;
    if (volume > 0.0) { /* the fourth corner must lie below 0 1 2 */
        t->point[0] = s->p[1];
        t->point[1] = s->p[0];
    }
    for (int f = 0; f < 4; ++f) {
        new_face(t);
        for (int k = 0; k < 3; ++k)
            t->face[f].corner[k] = corner[f][k];
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

/* Walks over the faces that see w, entering `f` through its side `side`; notes the edges around them in order. */
static int walk(Polytope *t, int f, int side, AbutVec3 w, int step, int depth)
{
    Face *face = &t->face[f];
    if (face->seen == step)
        return 1;
    if (abut_dot(face->normal, w) - t->distance[f] < -t->eps) {
        if (t->horizon == MAX_HORIZON)
            return 0;
        t->edge[t->horizon++] = f * 4 + side;
        return 1;
    }
    if (depth == 0)
        return 0;
    face->seen = step;
    t->distance[f] = INFINITY;
    t->free_list[t->free_faces++] = f;
    int32_t first = face->across[(side + 1) % 3], second = face->across[(side + 2) % 3];
    return walk(t, first >> 2, first & 3, w, step, depth - 1) && walk(t, second >> 2, second & 3, w, step, depth - 1);
}

/* Opens a hole around face f and closes it with a fan to point w; false when rounding spoils the topology. */
static int add_point(Polytope *t, int f, const AbutDifference *w, int step)
{
    if (t->points == MAX_POINTS)
        return 0;
    int tip = t->points++, first = -1, previous = -1;
    t->point[tip] = *w;
    t->horizon = 0;
    t->face[f].seen = step;
    t->distance[f] = INFINITY;
    for (int k = 0; k < 3; ++k) {
        int32_t other = t->face[f].across[k];
        if (!walk(t, other >> 2, other & 3, w->w, step, 200))
            return 0;
    }
    t->free_list[t->free_faces++] = f;
    if (t->horizon < 3)
        return 0;
    for (int i = 0; i < t->horizon; ++i) {
        int32_t outer = t->edge[i], from = t->face[outer >> 2].corner[((outer & 3) + 1) % 3],
                to = t->face[outer >> 2].corner[outer & 3];
        int g = new_face(t);
        if (g < 0)
            return 0;
        Face *face = &t->face[g];
        face->corner[0] = from;
        face->corner[1] = to;
        face->corner[2] = tip;
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
    AbutVec3 n = face->normal, foot = abut_scale(n, t->distance[f]), r[3];
    double sum = 0.0;
    int worst = 0;
    for (int k = 0; k < 3; ++k)
        r[k] = abut_sub(t->point[face->corner[k]].w, foot);
    for (int k = 0; k < 3; ++k) {
        weight[k] = abut_triple(n, r[(k + 1) % 3], r[(k + 2) % 3]);
        sum += weight[k];
        if (weight[k] < weight[worst])
            worst = k;
    }
    for (int k = 0; k < 3; ++k)
        weight[k] /= sum;
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

AbutFacet abut_epa(AbutPairView *pair, const AbutSimplex *start)
{
    Polytope t;
    AbutFacet out = {0};
    AbutSimplex s = *start;
    t.eps = ABUT_EPA_GAP * pair->size + pair->noise;
    double tolerance = abut_pair_is_smooth(pair) ? ABUT_EPA_GAP_SMOOTH * pair->size + 4.0 * t.eps : 3.0 * t.eps;
    if (!grow_to_tetrahedron(pair, &s))
        return flat_facet(pair, &s);
    if (!start_polytope(&t, &s))
        return out;
    out.depth = INFINITY;
    for (int step = 0; step < MAX_STEPS; ++step) {
        int f = pair->scan->smallest(t.distance, (t.faces + 7) & ~7);
        double low = t.distance[f];
        pair->a.hint = t.point[t.face[f].corner[0]].ia;
        pair->b.hint = t.point[t.face[f].corner[0]].ib;
        AbutDifference w = abut_pair_support(pair, t.face[f].normal);
        double high = abut_dot(t.face[f].normal, w.w);
        if (high < out.depth) {
            out.depth = high;
            out.normal = t.face[f].normal;
        }
        out.gap = abut_larger(0.0, out.depth - low);
        if (high - low <= tolerance || high < -tolerance) {
            out.found = 1;
            out.depth = high;
            out.normal = t.face[f].normal;
            out.gap = abut_larger(0.0, high - low);
            out.simplex = facet_simplex(&t, f, tolerance);
            return out;
        }
        if (pair->supports >= pair->budget || !add_point(&t, f, &w, step))
            return out;
    }
    return out;
}
