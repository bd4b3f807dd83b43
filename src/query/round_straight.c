/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact normals where round bodies touch along a line or a face: the side of a cylinder or a cone, a cap, a face of the
 * other body. In: the simplex of GJK, whose long edges are the straight directions. Method: the ends of the line or the
 * corners of the face are farthest points along the normal leaned towards them; they give the straight directions
 * anew, the normal stands across them, and one turn about a line is left to Newton's method.
 */
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_STEPS = 8, FACE_ROUNDS = 3 };

/* The farthest point along n leaned towards t, but for what leaning moves along curved parts of the bodies. */
static AbutDifference leaned(AbutPairView *pair, AbutVec3 n, AbutVec3 t) {
    AbutVec3 d = abut_add_scaled(n, t, ABUT_ROUND_LEAN);
    AbutDifference out = abut_pair_support(pair, d);
    AbutVec3 a = abut_add(out.w, out.b);
    if (abut_convex_is_round(pair->a.convex)) a = abut_round_leaned(pair->a.convex, pair->a.inset, n, d);
    if (abut_convex_is_round(pair->b.convex)) {
        AbutVec3 back_n = abut_mat3_apply_t(pair->rotation, n), back_d = abut_mat3_apply_t(pair->rotation, d);
        AbutVec3 b = abut_round_leaned(pair->b.convex, pair->b.inset, abut_neg(back_n), abut_neg(back_d));
        out.b = abut_add(abut_mat3_apply(pair->rotation, b), pair->position);
    }
    out.w = abut_sub(a, out.b);
    return out;
}

/* The longest edge between corners that matter; 0: none is long. */
static int long_edge(const AbutPairView *pair, const AbutSimplex *s, AbutVec3 *out) {
    double most = ABUT_ROUND_LONG * pair->size;
    int found = 0;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < i; ++k) {
            double length = abut_point_distance(s->p[i].w, s->p[k].w);
            if (s->weight[i] > ABUT_ROUND_WEIGHT && s->weight[k] > ABUT_ROUND_WEIGHT && length > most) {
                most = length;
                *out = abut_scale(abut_sub(s->p[i].w, s->p[k].w), 1.0 / length);
                found = 1;
            }
        }
    return found;
}

static AbutVec3 across(AbutVec3 n, AbutVec3 f) { return abut_normalize(abut_add_scaled(n, f, -abut_dot(n, f))); }

/* A line of A - B that may hold the nearest point, with the normal across it. */
typedef struct Line {
    AbutDifference low, high;
    AbutVec3 f, n;
    double part;     /* of the way from low to high where the line is nearest to the origin */
    double distance; /* along the normal */
} Line;

static int find_line(AbutPairView *pair, AbutVec3 n, AbutVec3 f, Line *out) {
    out->n = across(n, f);
    out->low = leaned(pair, out->n, abut_neg(f));
    out->high = leaned(pair, out->n, f);
    AbutVec3 way = abut_sub(out->high.w, out->low.w);
    double length = abut_length(way);
    if (!(length > ABUT_ROUND_LONG * pair->size)) return 0;
    out->f = abut_scale(way, 1.0 / length);
    out->n = across(out->n, out->f);
    out->part = -abut_dot(out->low.w, out->f) / length;
    out->distance = -abut_larger(abut_dot(out->n, out->low.w), abut_dot(out->n, out->high.w));
    return out->part >= 0.0 && out->part <= 1.0;
}

/* Curvature about the line at its nearest point, plus the distance; e is across line and normal. */
static double stiffness_about(const AbutPairView *pair, const Line *line, AbutVec3 e) {
    AbutVec3 back = abut_normalize(abut_add_scaled(line->n, line->f, -ABUT_ROUND_LEAN));
    AbutVec3 forth = abut_normalize(abut_add_scaled(line->n, line->f, ABUT_ROUND_LEAN));
    AbutMat3 low = abut_round_stiffness(pair, back, line->distance),
             high = abut_round_stiffness(pair, forth, line->distance);
    return (1.0 - line->part) * abut_dot(e, abut_mat3_apply(low, e)) +
           line->part * abut_dot(e, abut_mat3_apply(high, e));
}

/* Does nothing of A - B lie beyond the plane at -*distance along n, but for rounding? Then *distance is where it ends.
 */
static int is_extreme(AbutPairView *pair, AbutVec3 n, double *distance) {
    double top = abut_dot(n, abut_pair_support(pair, n).w);
    int out = top <= ABUT_ROUND_LEVEL * pair->size + pair->noise - *distance;
    *distance = abut_smaller(*distance, -top);
    return out;
}

static void take_line(const Line *line, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    AbutVec3 v = abut_add_scaled(line->low.w, abut_sub(line->high.w, line->low.w), line->part);
    *s = (AbutSimplex){2, {line->low, line->high}, {1.0 - line->part, line->part}, v};
    *distance = line->distance;
    *normal = line->n;
}

int abut_round_polish_line(AbutPairView *pair, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    Line line;
    AbutVec3 n = *normal, f;
    double last = INFINITY, least = *distance - ABUT_ROUND_WORSE * pair->size;
    if (!long_edge(pair, s, &f)) return 0;
    for (int step = 0; step < MAX_STEPS && find_line(pair, n, f, &line); ++step) {
        AbutVec3 e = abut_cross(line.n, line.f);
        double g = abut_dot(e, line.low.w), stiffness = stiffness_about(pair, &line, e), delta = -g / stiffness;
        if (!(stiffness > 0.0) || !(line.distance >= least) || !(fabs(delta) <= 0.5 * last) ||
            fabs(delta) > ABUT_ROUND_FIRST_STEP)
            return 0;
        if (fabs(g) <= ABUT_ROUND_DONE * pair->size + pair->noise) {
            if (!is_extreme(pair, line.n, &line.distance)) return 0;
            take_line(&line, s, distance, normal);
            return 1;
        }
        n = abut_normalize(abut_add_scaled(line.n, e, delta));
        f = line.f;
        last = fabs(delta);
    }
    return 0;
}

/* Normal of the corners, towards n; 0: they lie on a line. */
static int face_normal(const AbutPairView *pair, const AbutSimplex *s, AbutVec3 *n) {
    AbutVec3 m = abut_cross(abut_sub(s->p[1].w, s->p[0].w), abut_sub(s->p[2].w, s->p[0].w));
    double length = abut_length(m), least = ABUT_ROUND_LONG * pair->size;
    if (!(length > least * least)) return 0;
    *n = abut_scale(m, (abut_dot(m, *n) < 0.0 ? -1.0 : 1.0) / length);
    return 1;
}

int abut_round_polish_face(AbutPairView *pair, AbutSimplex *s, double *distance, AbutVec3 *normal) {
    AbutSimplex face = *s;
    AbutVec3 n = *normal;
    if (s->count != 3) return 0;
    for (int round = 0; round < FACE_ROUNDS; ++round) {
        for (int i = 0; i < 3; ++i) {
            AbutVec3 out = abut_sub(face.p[i].w, face.v);
            face.p[i] = leaned(pair, n, abut_normalize_or(across(out, n), abut_zero()));
        }
        if (!face_normal(pair, &face, &n)) return 0;
        AbutVec3 corner[3] = {face.p[0].w, face.p[1].w, face.p[2].w};
        face.v = abut_scale(abut_add(abut_add(corner[0], corner[1]), corner[2]), 1.0 / 3.0);
    }
    double d = -abut_dot(n, face.p[0].w);
    AbutSimplex nearest = face;
    abut_simplex_reduce(&nearest);
    if (!(d >= *distance - ABUT_ROUND_WORSE * pair->size) || nearest.count != 3 || !is_extreme(pair, n, &d)) return 0;
    *s = nearest;
    s->v = abut_scale(n, -d);
    *distance = d;
    *normal = n;
    return 1;
}
