/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth of round bodies about a common axis.
 *
 * In: a pair of bodies of revolution whose axes are the same but for a slack, cores overlapping. Out: the facet of
 * A - B nearest to the origin, with proof. Such a pair has the same depth along a whole circle of directions, which the
 * expanding polytope would have to cover with faces. But A - B is a body of revolution about the same axis, and its
 * half section through the axis says everything: a polygon grown in that half plane, from the axis to the equator and
 * back to the axis, does what the polytope does in space, and one edge is left where the depth is.
 */
#include "math/functions.h"
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_EDGES = 256 };

/* For a body of revolution, frame of A: a point of the axis and its direction; zero for a ball, which has all axes. */
typedef struct Axis {
    AbutVec3 center, along;
} Axis;

/* A point of A - B in the half plane. */
typedef struct Corner {
    double r, z;
    AbutDifference point;
} Corner;

typedef struct Section {
    AbutVec3 axis, out, center; /* z and r of the half plane; a point of the common axis */
    int count;
    Corner corner[MAX_EDGES + 1];
} Section;

/* An edge: its unit normal and distance from the origin. */
typedef struct Edge {
    double r, z, low;
} Edge;

/* ---- the common axis --------------------------------------------------------------------------------------------- */

static int own_axis(const AbutConvex *c, Axis *out) {
    AbutVec3 s = c->p[0];
    *out = (Axis){abut_zero(), abut_zero()};
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
        out->center = s;
        return 1;
    case ABUT_CONVEX_SEGMENT:
        *out = (Axis){s, abut_normalize_or(abut_sub(c->p[1], s), abut_zero())};
        return 1;
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
        out->along = abut_axis(2);
        return 1;
    case ABUT_CONVEX_ELLIPSOID:
        if (s.x == s.y && s.y == s.z) return 1;
        out->along = abut_axis(s.x == s.y ? 2 : (s.x == s.z ? 1 : 0));
        return s.x == s.y || s.x == s.z || s.y == s.z;
    default:
        return 0;
    }
}

/* Possible loss of depth since the bodies do not quite have one axis, which is left in the section; infinity: they
 * have none. The half plane goes towards B, where A - B is least deep; the axis corners then miss by the way between
 * the axes, and a tilt moves A - B and its section each. */
static double off_axis(const AbutPairView *pair, Section *section) {
    Axis a, b;
    if (!own_axis(pair->a.convex, &a) || !own_axis(pair->b.convex, &b)) return INFINITY;
    b.center = abut_add(abut_mat3_apply(pair->rotation, b.center), pair->position);
    b.along = abut_mat3_apply(pair->rotation, b.along);
    AbutVec3 axis = abut_length_sq(a.along) > 0.0 ? a.along : b.along;
    if (!(abut_length_sq(axis) > 0.0)) return INFINITY;
    AbutVec3 across = abut_cross(abut_cross(axis, abut_sub(b.center, a.center)), axis);
    double aside = abut_length(across), tilt = 2.0 * pair->size * abut_length(abut_cross(axis, b.along));
    int sided = aside > pair->touch; /* else rounding, and either side will do */
    section->axis = axis;
    section->center = a.center;
    section->out = sided ? abut_normalize(across) : abut_perpendicular(axis);
    return (sided ? aside : 2.0 * aside) + 2.0 * tilt;
}

/* ---- the polygon ------------------------------------------------------------------------------------------------- */

static Corner corner_along(AbutPairView *pair, const Section *s, double r, double z) {
    Corner out;
    out.point = abut_pair_support(pair, abut_add(abut_scale(s->out, r), abut_scale(s->axis, z)));
    out.r = abut_dot(s->out, out.point.w);
    out.z = abut_dot(s->axis, out.point.w);
    return out;
}

/* The farthest corner along the axis, brought onto it: both bodies hold their points of the axis at that height. */
static Corner corner_on_axis(AbutPairView *pair, const Section *s, double z) {
    Corner out = corner_along(pair, s, 0.0, z);
    double height = abut_dot(s->axis, abut_sub(out.point.b, s->center));
    out.r = 0.0;
    out.point.w = abut_scale(s->axis, out.z);
    out.point.b = abut_add_scaled(s->center, s->axis, height);
    return out;
}

/* The edge from corner i to the next. */
static Edge edge_at(const Section *s, int i) {
    const Corner *p = &s->corner[i], *q = &s->corner[i + 1];
    double r = p->z - q->z, z = q->r - p->r, length = abut_hypot(r, z);
    Edge out = {r / length, z / length, INFINITY};
    if (length > 0.0) out.low = out.r * p->r + out.z * p->z;
    return out;
}

static int nearest_edge(const Section *s, Edge *out) {
    int best = 0;
    *out = edge_at(s, 0);
    for (int i = 1; i < s->count - 1; ++i) {
        Edge edge = edge_at(s, i);
        if (edge.low < out->low) {
            *out = edge;
            best = i;
        }
    }
    return best;
}

static void insert(Section *s, int at, const Corner *corner) {
    for (int k = s->count++; k > at; --k) s->corner[k] = s->corner[k - 1];
    s->corner[at] = *corner;
}

/* The foot of the origin on edge i as a combination of its ends. */
static AbutSimplex foot_on(const Section *s, int i) {
    const Corner *p = &s->corner[i], *q = &s->corner[i + 1];
    double r = q->r - p->r, z = q->z - p->z, t = -(p->r * r + p->z * z) / (r * r + z * z);
    t = abut_smaller(1.0, abut_larger(0.0, t));
    AbutVec3 v = abut_add_scaled(p->point.w, abut_sub(q->point.w, p->point.w), t);
    return (AbutSimplex){2, {p->point, q->point}, {1.0 - t, t}, v};
}

static int is_end(const Section *s, int i, const Corner *c) {
    const Corner *p = &s->corner[i], *q = &s->corner[i + 1];
    return (c->r == p->r && c->z == p->z) || (c->r == q->r && c->z == q->z);
}

__attribute__((noinline)) AbutFacet abut_coaxial_facet(AbutPairView *pair, double slack) {
    AbutFacet out = {0};
    Section s;
    double off = off_axis(pair, &s);
    if (!(off <= slack)) return out;
    s.corner[0] = corner_on_axis(pair, &s, 1.0);
    s.corner[1] = corner_along(pair, &s, 1.0, 0.0);
    s.corner[2] = corner_on_axis(pair, &s, -1.0);
    s.count = 3;
    if (!(s.corner[1].r > pair->touch && s.corner[0].z > s.corner[2].z)) return out;
    while (s.count <= MAX_EDGES && pair->supports < pair->budget) {
        Edge edge;
        int i = nearest_edge(&s, &edge);
        Corner next = corner_along(pair, &s, edge.r, edge.z);
        double high = edge.r * next.r + edge.z * next.z, gap = abut_larger(0.0, high - edge.low);
        if (gap <= ABUT_GJK_GAP * pair->noise || is_end(&s, i, &next)) {
            AbutVec3 n = abut_normalize(abut_add(abut_scale(s.out, edge.r), abut_scale(s.axis, edge.z)));
            return (AbutFacet){1, n, high, gap + off, foot_on(&s, i), abut_zero()};
        }
        insert(&s, i + 1, &next);
    }
    return out;
}
