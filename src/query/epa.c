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
 *   3 ask all faces whether they see w, by the vector unit, counting those within EPS of it as seeing: so no new face
 *     can have w on the line of its base, since then w would lie in the plane of the face kept on the other side;
 *   4 collect the edges between faces that see w and faces that do not, and replace the former by a fan from w to these
 *     edges. They form one ring; where rounding breaks it, only what hangs together with the face of step 1 goes.
 * A step has hardly a branch that depends on the numbers, since most of its time would go into guessing them wrongly.
 * Planes of thin faces are found with twice the digits, so that EPS is a few roundings. Whatever goes wrong by rounding
 * (a face without area, a corner found twice), and a polytope that outgrows its place, ends the search with found = 0,
 * and the caller looks at all facets instead. The place is small because it lies on the stack, of which a query takes
 * 64 kB at most.
 */
#include "query/careful.h"
#include "query/support.h"
#include "query/tolerance.h"

#include <string.h>

enum { MAX_POINTS = 288, MAX_FACES = 2 * MAX_POINTS, MAX_RIM = MAX_POINTS, MORE_STEPS = 8 };

typedef struct Face {
    int16_t corner[4]; /* counter-clockwise seen from outside; the last is the first again */
    int16_t across[4]; /* side k from corner k to k+1: neighbor * 4 + its side */
} Face;

/* An edge between a face that goes away and one that stays. */
typedef struct Rim {
    int16_t outer;    /* the face that stays * 4 + its side */
    int16_t from, to; /* its ends, as the face that goes away runs along it */
    int16_t place;    /* of the new face */
} Rim;

typedef struct Polytope {
    int points, faces, free_faces;
    int nearest; /* the face of least distance */
    double eps;
    AbutDifference point[MAX_POINTS];
    _Alignas(64) double plane[4][MAX_FACES]; /* unit normals by coordinate; distances, infinite for unused places */
    Face face[MAX_FACES];
    int16_t free_list[MAX_FACES];  /* places to use again; behind them, during a step, the faces that go away */
    uint64_t seen[MAX_FACES / 64]; /* bit per face: does it see the new point? */
    int gone, rim;                 /* numbers of such faces and of the edges around them */
    Rim edge[MAX_RIM];
    int16_t begins[MAX_POINTS]; /* by point: the edge of the rim that begins there */
} Polytope;

_Static_assert(sizeof(Polytope) <= 52 * 1024, "the polytope and the rest of a query share 64 kB of stack");
_Static_assert(MAX_FACES % 64 == 0, "a word holds 64 bits");

static AbutVec3 normal_of(const Polytope *t, int f) {
    return abut_vec3(t->plane[0][f], t->plane[1][f], t->plane[2][f]);
}

static void put_plane(Polytope *t, int f, AbutVec3 normal, AbutVec3 corner) {
    t->plane[0][f] = normal.x;
    t->plane[1][f] = normal.y;
    t->plane[2][f] = normal.z;
    t->plane[3][f] = abut_dot(normal, corner);
}

/* Fills the plane of any face; false when it has no area. */
static int set_plane(Polytope *t, int f) {
    const Face *face = &t->face[f];
    AbutVec3 a = t->point[face->corner[0]].w, b = t->point[face->corner[1]].w, c = t->point[face->corner[2]].w;
    AbutVec3 normal = abut_triangle_normal(a, b, c, ABUT_EPA_THIN);
    put_plane(t, f, normal, a);
    return abut_length_sq(normal) > 0.5;
}

/* A place for a face; -1 when there is none. */
static int new_face(Polytope *t) {
    if (t->free_faces > 0) return t->free_list[--t->free_faces];
    if (t->faces == MAX_FACES) return -1;
    if (t->faces % 8 == 0) /* the vector unit looks at eight */
        for (int k = 0; k < 8; ++k) {
            t->plane[0][t->faces + k] = t->plane[1][t->faces + k] = t->plane[2][t->faces + k] = 0.0;
            t->plane[3][t->faces + k] = INFINITY;
        }
    return t->faces++;
}

static void link_sides(Polytope *t, int f, int k, int other) {
    t->face[f].across[k] = (int16_t)other;
    t->face[other >> 2].across[other & 3] = (int16_t)(f * 4 + k);
}

/* ---- the first tetrahedron --------------------------------------------------------------------------------------- */

/* Distance of a point from the affine hull of the simplex. */
static double off_hull(const AbutSimplex *s, AbutVec3 w) {
    AbutVec3 r = abut_sub(w, s->p[0].w);
    if (s->count == 1) return abut_length(r);
    AbutVec3 u = abut_normalize(abut_sub(s->p[1].w, s->p[0].w));
    if (s->count == 2) return abut_length(abut_cross(u, r));
    return fabs(abut_dot(abut_triangle_normal(s->p[0].w, s->p[1].w, s->p[2].w, ABUT_EPA_THIN), r));
}

/* Directions in which a simplex of 1, 2 or 3 points should grow; gives their number. */
static int growth_directions(const AbutSimplex *s, AbutVec3 d[8]) {
    if (s->count == 1) {
        for (int k = 0; k < 6; ++k) d[k] = abut_scale(abut_axis(k / 2), (k & 1) ? -1.0 : 1.0);
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
static int grow_to_tetrahedron(AbutPairView *pair, AbutSimplex *s) {
    while (s->count > 1 && s->count < 4) { /* drop corners that add no extent */
        AbutSimplex base = *s;
        --base.count;
        if (off_hull(&base, s->p[s->count - 1].w) > pair->touch) break;
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
        if (!(most > pair->touch)) return 0;
        s->p[s->count++] = best;
    }
    return 1;
}

/* Four outward faces over the tetrahedron; false when it has no volume. */
static int start_polytope(Polytope *t, const AbutSimplex *s) {
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    t->points = t->faces = t->free_faces = t->nearest = 0;
    for (int i = 0; i < 4; ++i) t->point[t->points++] = s->p[i];
    int side = abut_side_of(s->p[0].w, s->p[1].w, s->p[2].w, s->p[3].w);
    if (side == 0) return 0;
    if (side > 0) { /* the fourth corner must lie below 0 1 2 */
        t->point[0] = s->p[1];
        t->point[1] = s->p[0];
    }
    for (int f = 0; f < 4; ++f) {
        new_face(t);
        for (int k = 0; k < 4; ++k) t->face[f].corner[k] = (int16_t)corner[f][k % 3];
        if (!set_plane(t, f)) return 0;
        t->nearest = t->plane[3][f] < t->plane[3][t->nearest] ? f : t->nearest;
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

static int is_seen(const Polytope *t, int f) { return (int)(t->seen[f >> 6] >> (f & 63)) & 1; }

/* Lists the faces that see the new point and the edges around them; false when these are too many. */
static int find_rim(Polytope *t) {
    t->gone = t->rim = 0;
    for (int word = 0; word * 64 < t->faces; ++word)
        for (uint64_t bits = t->seen[word]; bits; bits &= bits - 1) {
            int f = word * 64 + __builtin_ctzll(bits);
            if (t->rim > MAX_RIM - 3) return 0;
            t->free_list[t->free_faces + t->gone++] = (int16_t)f;
            const Face *face = &t->face[f];
            for (int k = 0; k < 3; ++k) {
                int16_t outer = face->across[k];
                t->edge[t->rim] = (Rim){outer, face->corner[k], face->corner[k + 1], 0};
                t->rim += !is_seen(t, outer >> 2);
            }
        }
    return 1;
}

/* Do the edges form one ring? Notes which one begins at a point. */
static int rim_is_ring(Polytope *t) {
    int count = t->rim, steps = 0, at = 0;
    for (int i = 0; i < count; ++i) t->begins[t->edge[i].from] = (int16_t)i;
    do at = t->begins[t->edge[at].to];
    while (++steps < count && at != 0);
    return count >= 3 && steps == count && at == 0;
}

/* Keeps, among the faces that see the point, those connected to face f. */
static void keep_connected(Polytope *t, int f) {
    uint64_t reached[MAX_FACES / 64] = {0};
    int16_t *list = t->free_list + t->free_faces;
    int count = 1;
    list[0] = (int16_t)f;
    reached[f >> 6] |= 1ULL << (f & 63);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            int g = t->face[list[i]].across[k] >> 2;
            if (!is_seen(t, g) || (reached[g >> 6] >> (g & 63) & 1)) continue;
            reached[g >> 6] |= 1ULL << (g & 63);
            list[count++] = (int16_t)g;
        }
    memcpy(t->seen, reached, sizeof reached);
}

/* Frees the places of the faces that go away and gives every edge of the rim one; false when there is no room. */
static int take_places(Polytope *t) {
    for (int i = 0; i < t->gone; ++i) t->plane[3][t->free_list[t->free_faces + i]] = INFINITY;
    t->free_faces += t->gone;
    for (int i = 0; i < t->rim; ++i) {
        int g = new_face(t);
        if (g < 0) return 0;
        t->edge[i].place = (int16_t)g;
    }
    return 1;
}

/* Finds the planes of a fan again, the thin ones with twice the digits; gives the nearest, -1 when one has no area. */
static __attribute__((cold, noinline)) int settle_thin(Polytope *t) {
    int nearest = t->edge[0].place;
    for (int i = 0; i < t->rim; ++i) {
        int g = t->edge[i].place;
        if (!set_plane(t, g)) return -1;
        nearest = t->plane[3][g] < t->plane[3][nearest] ? g : nearest;
    }
    return nearest;
}

/* A face from every edge of the rim to the last point; gives the nearest of them, -1 when one has no area. */
static int make_fan(Polytope *t) {
    int tip = t->points - 1, nearest = 0, thin = 0, count = t->rim;
    double low = INFINITY;
    AbutVec3 w = t->point[tip].w;
    for (int i = 0; i < count; ++i) {
        Rim edge = t->edge[i];
        int g = edge.place, next = t->edge[t->begins[edge.to]].place;
        AbutVec3 a = t->point[edge.from].w, ab = abut_sub(t->point[edge.to].w, a), aw = abut_sub(w, a);
        AbutVec3 n = abut_cross(ab, aw);
        double square = abut_length_sq(n);
        thin += !(square > ABUT_EPA_THIN * (abut_length_sq(ab) * abut_length_sq(aw)));
        put_plane(t, g, abut_scale(n, 1.0 / sqrt(square)), a);
        nearest = t->plane[3][g] < low ? g : nearest;
        low = abut_smaller(low, t->plane[3][g]);
        memcpy(t->face[g].corner, (int16_t[4]){edge.from, edge.to, (int16_t)tip, edge.from}, 8);
        t->face[g].across[0] = edge.outer;
        t->face[g].across[1] = (int16_t)(next * 4 + 2);
        t->face[next].across[2] = (int16_t)(g * 4 + 1);
        t->face[edge.outer >> 2].across[edge.outer & 3] = (int16_t)(g * 4);
    }
    return thin ? settle_thin(t) : nearest;
}

/* Replaces all faces that see point w, f among them, by a fan; false when rounding spoils the topology. */
static int add_point(AbutPairView *pair, Polytope *t, int f, const AbutDifference *w) {
    if (t->points == MAX_POINTS) return 0;
    double at[3] = {w->w.x, w->w.y, w->w.z};
    int kept = pair->scan->sees(t->plane[0], MAX_FACES, (t->faces + 7) & ~7, at, -t->eps, t->seen);
    t->seen[f >> 6] |= 1ULL << (f & 63);
    t->point[t->points++] = *w;
    if (!find_rim(t) || !rim_is_ring(t)) {
        keep_connected(t, f);
        kept = -1;
        if (!find_rim(t) || !rim_is_ring(t)) return 0;
    }
    if (!take_places(t)) return 0;
    int fresh = make_fan(t);
    if (fresh < 0) return 0;
    if (kept < 0) kept = pair->scan->smallest(t->plane[3], (t->faces + 7) & ~7);
    t->nearest = t->plane[3][kept] < t->plane[3][fresh] ? kept : fresh;
    return 1;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Weights of the origin's foot point in face f; gives the side to leave by, -1 when it is inside. */
static int foot_weights(const Polytope *t, int f, double weight[3]) {
    const Face *face = &t->face[f];
    AbutVec3 a = t->point[face->corner[0]].w, b = t->point[face->corner[1]].w, c = t->point[face->corner[2]].w;
    AbutVec3 ab = abut_sub(b, a), ac = abut_sub(c, a);
    int worst = 0;
    if (abut_length_sq(abut_cross(ab, ac)) > ABUT_EPA_THIN * (abut_length_sq(ab) * abut_length_sq(ac)))
        abut_triangle_weights(a, b, c, abut_scale(normal_of(t, f), t->plane[3][f]), weight);
    else
        abut_triangle_foot(a, b, c, weight);
    for (int k = 1; k < 3; ++k)
        if (weight[k] < weight[worst]) worst = k;
    return weight[worst] < 0.0 ? (worst + 1) % 3 : -1;
}

/* The facet may be cut into several faces: walk over those of the same plane to the one with the foot point. */
static void facet_simplex(const Polytope *t, int f, double slack, AbutSimplex *s) {
    double weight[3];
    int side = foot_weights(t, f, weight);
    for (int step = 0; side >= 0 && step < 64; ++step) {
        int g = t->face[f].across[side] >> 2;
        if (t->plane[3][g] - t->plane[3][f] > slack ||
            abut_dot(normal_of(t, g), normal_of(t, f)) < 1.0 - ABUT_EPA_SAME_NORMAL)
            break;
        f = g;
        side = foot_weights(t, f, weight);
    }
    double sum = 0.0;
    s->count = 0;
    for (int k = 0; k < 3; ++k)
        if (weight[k] > ABUT_EPA_NO_WEIGHT) {
            s->p[s->count] = t->point[t->face[f].corner[k]];
            s->weight[s->count++] = weight[k];
            sum += weight[k];
        }
    s->v = abut_zero();
    for (int k = 0; k < s->count; ++k) {
        s->weight[k] /= sum;
        s->v = abut_add_scaled(s->v, s->p[k].w, s->weight[k]);
    }
}

/* A set without volume: the origin lies in it, so a direction across it separates at once. */
static AbutFacet flat_facet(AbutPairView *pair, const AbutSimplex *s) {
    AbutFacet out = {0};
    AbutVec3 d[8];
    growth_directions(s, d);
    out.found = 1;
    out.normal = s->count == 1 ? abut_normalize_or(abut_pair_between(pair), abut_axis(2)) : d[0];
    if (abut_dot(out.normal, abut_pair_between(pair)) < 0.0) out.normal = abut_neg(out.normal);
    out.simplex = *s;
    abut_simplex_reduce(&out.simplex);
    out.depth = abut_dot(out.normal, s->p[0].w);
    return out;
}

/* Is w a corner of face f? Then the face cannot be improved. */
static int is_corner(const Polytope *t, int f, AbutVec3 w) {
    for (int k = 0; k < 3; ++k)
        if (abut_max_abs(abut_sub(t->point[t->face[f].corner[k]].w, w)) == 0.0) return 1;
    return 0;
}

/* The nearest face that looks elsewhere and is no farther than the answer: the tolerance of round bodies leaves room
 * for more than one. */
static AbutVec3 find_rival(const Polytope *t, const AbutFacet *answer) {
    AbutVec3 out = abut_zero();
    double low = answer->depth;
    for (int f = 0; f < t->faces; ++f)
        if (t->plane[3][f] < low && abut_dot(normal_of(t, f), answer->normal) < 1.0 - ABUT_ROUND_ELSEWHERE) {
            low = t->plane[3][f];
            out = normal_of(t, f);
        }
    return out;
}

/*
 * Grows the polytope until the bounds of its nearest face agree. A face within the tolerance is an answer; while its
 * bounds still differ by more than a support point is rounded, some steps more are taken for a better one.
 */
static void expand(AbutPairView *pair, Polytope *t, double tolerance, AbutFacet *answer) {
    AbutVec3 best = abut_zero();
    double depth = INFINITY, bound = INFINITY; /* of the best direction so far */
    answer->gap = INFINITY;
    for (int step = 0, more = MORE_STEPS; step < MAX_POINTS && more > 0; ++step) {
        int f = t->nearest;
        double low = t->plane[3][f];
        AbutVec3 normal = normal_of(t, f);
        pair->a.hint = t->point[t->face[f].corner[0]].ia;
        pair->b.hint = t->point[t->face[f].corner[0]].ib;
        AbutDifference w = abut_pair_support(pair, normal);
        double high = abut_dot(normal, w.w), gap = abut_larger(0.0, high - low);
        best = high < depth ? normal : best;
        depth = abut_smaller(high, depth);
        bound = abut_larger(0.0, depth - low);
        if ((gap <= tolerance || high < -tolerance) && gap < answer->gap) {
            answer->found = 1, answer->normal = normal, answer->depth = high, answer->gap = gap;
            facet_simplex(t, f, tolerance, &answer->simplex);
        }
        if (answer->found &&
            (gap <= pair->close_depth + ABUT_GJK_GAP * pair->noise || high < -tolerance || is_corner(t, f, w.w)))
            return;
        more -= answer->found;
        if (pair->supports >= pair->budget || !add_point(pair, t, f, &w)) break;
    }
    if (!answer->found) answer->normal = best, answer->depth = depth, answer->gap = bound;
}

void abut_epa(AbutPairView *pair, const AbutSimplex *start, AbutFacet *out) {
    Polytope t;
    AbutSimplex s = *start;
    out->found = out->simplex.count = 0;
    out->depth = out->gap = 0.0;
    out->normal = out->rival = abut_zero();
    t.eps = ABUT_EPA_EPS * pair->noise + ABUT_EPA_EPS_SMOOTH * pair->close_depth;
    if (!grow_to_tetrahedron(pair, &s)) {
        *out = flat_facet(pair, &s);
    } else if (start_polytope(&t, &s)) {
        expand(pair, &t, pair->close_depth + 3.0 * t.eps, out);
        if (out->found && abut_pair_is_round(pair)) out->rival = find_rival(&t, out);
    }
}
