/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two capsules whose axis ends follow polynomials.
 *
 * In: Bernstein control points of the four ends, in one frame, or motions of two bodies. Out: the bracket of a search.
 * Method: depth first over halves of the interval, by de Casteljau. Along any unit n the distance is at least
 * min n.a - max n.b over control points of equal number, less the radii, and it never falls below minus their sum. A
 * half is measured only where the direction of its parent does not rule it out. The ends of chains of joints become
 * polynomials with a remainder: intervals are cut until that is a tenth of eps, and then halved as if it were fixed.
 */
#include "clearance/search.h"
#include "query/capsules.h"

#include <string.h>

enum { TERMS = ABUT_CONTROLS, ENDS = 12, STACK = 64, LEVELS = 56 };

static const double SMALL_ERROR = 0.1; /* of eps: models are then halved, no longer made anew */
static const double GRAINS = 3.0; /* what rounding does to the numbers of a part: no bracket is finer than this many */

/* An interval: control points of the ends of A and of B, a row of `columns` numbers for each control point. The ends of
 * a body B that stands still are not in it. */
typedef struct Part {
    double x[TERMS * ENDS];
    double a, h, lb;
    AbutVec3 n;
} Part;

typedef struct Search {
    double eps, floor, radii; /* floor: no distance is smaller */
    double error;             /* of the polynomials, both bodies together */
    double grain;             /* its part that comes from rounding, and does not fall with the interval */
    double coarsest;          /* the same of all of a piece of the motion */
    int columns;              /* 6: B stands still */
    double still[6];          /* its ends then */
    double still_error;
    double ub, t, lb, shortest;
    int64_t evaluations, bounds;
} Search;

static AbutVec3 end_of(const double *x, int k) { return abut_vec3(x[3 * k], x[3 * k + 1], x[3 * k + 2]); }

static inline double to_unit(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

/* A direction across both axes, for axes that meet. */
static AbutVec3 across(AbutVec3 d1, AbutVec3 d2) {
    AbutVec3 n = abut_cross(d1, d2);
    if (abut_length_sq(n) > 1e-28 * abut_length_sq(d1) * abut_length_sq(d2)) return abut_normalize(n);
    AbutVec3 d = abut_length_sq(d1) > abut_length_sq(d2) ? d1 : d2;
    return abut_length_sq(d) > 0.0 ? abut_perpendicular(abut_normalize(d)) : abut_axis(2);
}

/* Distance of two points of the axes x and y, as near to each other as one round of clamping gets; *n from y to x. Any
 * two points bound the distance from above, and any direction bounds it from below: no proof rests on this. */
static double axes_apart(const double *x, const double *y, AbutVec3 *n) {
    AbutVec3 p = end_of(x, 0), q = end_of(y, 0), d1 = abut_sub(end_of(x, 1), p), d2 = abut_sub(end_of(y, 1), q);
    AbutVec3 r = abut_sub(p, q);
    double a = abut_length_sq(d1), e = abut_length_sq(d2), b = abut_dot(d1, d2), c = abut_dot(d1, r);
    double f = abut_dot(d2, r), den = a * e - b * b;
    double u = den > 1e-14 * a * e ? to_unit((b * f - c * e) / den) : 0.0, v = e > 0.0 ? (b * u + f) / e : 0.0;
    if (!(v >= 0.0 && v <= 1.0) || den <= 1e-14 * a * e) { /* the nearest point of x to an end of y */
        v = to_unit(v);
        u = a > 0.0 ? to_unit((b * v - c) / a) : 0.0;
    }
    AbutVec3 way = abut_add_scaled(abut_add_scaled(r, d1, u), d2, -v);
    double length = abut_length(way);
    *n = length > 1e-12 ? abut_scale(way, 1.0 / length) : across(d1, d2);
    return length;
}

/* Distance at one time, from a row; *n from B to A. */
static double measure(Search *s, const double *x, double t, AbutVec3 *n) {
    double d = axes_apart(x, s->columns == ENDS ? x + 6 : s->still, n) - s->radii;
    ++s->evaluations;
    if (d + s->error < s->ub) s->ub = d + s->error, s->t = t;
    return d;
}

static inline void middle_row(const double *x, int columns, double *out) {
    for (int j = 0; j < columns; ++j)
        out[j] = (x[j] + x[5 * columns + j] + 5.0 * (x[columns + j] + x[4 * columns + j]) +
                     10.0 * (x[2 * columns + j] + x[3 * columns + j])) /
                 32.0;
}

static void at_middle(const Search *s, const Part *p, double out[ENDS]) {
    if (s->columns == ENDS)
        middle_row(p->x, ENDS, out);
    else
        middle_row(p->x, 6, out);
}

/* Lower bound over the interval along n. */
static double bound_along(Search *s, const Part *p, AbutVec3 n) {
    double least = INFINITY, b0 = abut_dot(n, end_of(s->still, 0)), b1 = abut_dot(n, end_of(s->still, 1));
    ++s->bounds;
    for (int k = 0; k < TERMS; ++k) {
        const double *x = p->x + k * s->columns;
        double a0 = n.x * x[0] + n.y * x[1] + n.z * x[2], a1 = n.x * x[3] + n.y * x[4] + n.z * x[5];
        if (s->columns == ENDS) b0 = n.x * x[6] + n.y * x[7] + n.z * x[8], b1 = n.x * x[9] + n.y * x[10] + n.z * x[11];
        least = abut_smaller(least, abut_smaller(a0, a1) - abut_larger(b0, b1));
    }
    return least - s->radii - s->error;
}

/* Both halves of rows of control points, by de Casteljau; the first takes their place. */
static inline void halve_rows(double *x, int columns, double *right) {
    size_t row = sizeof(double) * (size_t)columns;
    memcpy(right, x, TERMS * row);
    for (int k = TERMS - 1; k > 0; --k) {
        for (int i = 0; i < k * columns; ++i) right[i] = 0.5 * (right[i] + right[i + columns]);
        memcpy(x + (TERMS - k) * columns, right, row);
    }
}

/* Makes p its first half, and `right` the second. */
static void halve(Part *p, int columns, Part *right) {
    if (columns == ENDS)
        halve_rows(p->x, ENDS, right->x);
    else
        halve_rows(p->x, 6, right->x);
    p->h *= 0.5;
    right->a = p->a + p->h;
    right->h = p->h;
}

/* Width of the bracket that can be had. */
static double width_of(const Search *s) { return abut_larger(s->eps, GRAINS * s->grain); }

/* No bound is finer than what rounding does to the distance. */
static double cut_of(const Search *s) {
    double grain = 0x1p-48 * (s->radii + abut_smaller(fabs(s->ub), ABUT_CLEARANCE_LARGEST));
    return s->ub - abut_larger(width_of(s), grain);
}

/* Bounds a half of a part with bound lb along n, measuring it where needed; gives its distance, or INFINITY where it is
 * done with. */
static double judge(Search *s, double lb, AbutVec3 n, Part *half) {
    double middle[ENDS], d;
    half->lb = abut_larger(abut_larger(lb, bound_along(s, half, n)), s->floor);
    if (half->lb > cut_of(s)) return INFINITY;
    at_middle(s, half, middle);
    d = measure(s, middle, half->a + 0.5 * half->h, &half->n);
    half->lb = abut_larger(half->lb, bound_along(s, half, half->n));
    return d;
}

/* Parts stay where they are made: halves take the place of their parent, and a free one. */
typedef struct Pool {
    Part part[STACK];
    int waiting[STACK], spare[STACK]; /* numbers of parts; the last is the next */
    int waiting_count, spare_count;
} Pool;

/* Keeps a half for later, or is done with it. */
static void put_back(Search *s, Pool *pool, int half) {
    double lb = pool->part[half].lb;
    if (lb > cut_of(s)) {
        s->lb = abut_smaller(s->lb, lb);
        pool->spare[pool->spare_count++] = half;
    } else {
        pool->waiting[pool->waiting_count++] = half;
    }
}

static void search_part(Search *s, const Part *root) {
    Pool pool;
    pool.part[0] = *root;
    pool.waiting[0] = 0, pool.waiting_count = 1;
    for (pool.spare_count = 0; pool.spare_count < STACK - 1; ++pool.spare_count)
        pool.spare[pool.spare_count] = STACK - 1 - pool.spare_count;
    while (pool.waiting_count > 0) {
        int first = pool.waiting[--pool.waiting_count];
        Part *p = &pool.part[first];
        if (p->lb > cut_of(s) || p->h < s->shortest || pool.spare_count == 0) {
            s->lb = abut_smaller(s->lb, p->lb);
            pool.spare[pool.spare_count++] = first;
            continue;
        }
        int second = pool.spare[--pool.spare_count];
        double lb = p->lb;
        AbutVec3 n = p->n;
        halve(p, s->columns, &pool.part[second]);
        double d[2] = {judge(s, lb, n, p), judge(s, lb, n, &pool.part[second])};
        put_back(s, &pool, d[1] < d[0] ? first : second); /* the nearer one is taken next */
        put_back(s, &pool, d[1] < d[0] ? second : first);
    }
}

/* The first bound of a part, from the direction at its middle. */
static void begin_part(Search *s, Part *p, double lb) {
    double middle[ENDS];
    at_middle(s, p, middle);
    measure(s, middle, p->a + 0.5 * p->h, &p->n);
    p->lb = abut_larger(abut_larger(lb, bound_along(s, p, p->n)), s->floor);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

int abut_search_is_capsules(const AbutSearch *s) {
    return s->solid && s->a->leaf_count == 1 && s->b->leaf_count == 1 && s->a->piece[0].kind <= ABUT_CONVEX_SEGMENT &&
           s->b->piece[0].kind <= ABUT_CONVEX_SEGMENT;
}

static AbutCapsule capsule_of(const AbutConvex *c) {
    AbutCapsule out = {c->p[0], c->kind == ABUT_CONVEX_SEGMENT ? c->p[1] : c->p[0], c->radius};
    return out;
}

/* Control points of the ends of a capsule, in rows of `columns` numbers; gives the error of both. */
static double end_controls(AbutClearanceSpace *space, const AbutMotion *motion, const AbutCapsule *c, double a,
    double e, int columns, double *out) {
    AbutPoseModel room;
    const AbutPoseModel *m = abut_space_model(space, motion, a, e, &room);
    double x[TERMS][6];
    for (int k = 0; k < TERMS; ++k) {
        AbutVec3 end[2] = {m->t[k], m->t[k]};
        if (k < m->turning) {
            end[0] = abut_add(m->t[k], abut_mat3_apply(m->r[k], c->a));
            end[1] = abut_add(m->t[k], abut_mat3_apply(m->r[k], c->b));
        }
        memcpy(x[k], end, sizeof end);
    }
    abut_control_rows(x, columns, out);
    return m->error_t + m->error_r * abut_larger(abut_length(c->a), abut_length(c->b));
}

static double size_of(int count, const double *x) {
    double most = 0.0;
    for (int j = 0; j < count; ++j) most = abut_larger(most, fabs(x[j]));
    return most;
}

/* Rounding errors in the numbers of a part. */
static double grain_of(const Search *s, const Part *p) {
    return 0x1p-44 * abut_larger(size_of(TERMS * s->columns, p->x), size_of(6, s->still));
}

/* An interval that waits. */
typedef struct Waiting {
    double a, e, lb;
    double error; /* remainder of the models of the interval that it was cut from; then its own */
} Waiting;

/* A remainder as small as this that halving the interval did not lower comes from rounding as well. */
static int is_rounding(double exact, double before, double grain) {
    return exact <= 64.0 * grain && exact > 0.5 * before;
}

/* Models of a .. e; gives 1 where the interval must be cut, since their remainder is large. */
static int search_interval(AbutSearch *search, Search *s, const AbutCapsule c[2], Waiting *w) {
    Part p = {.a = w->a, .h = w->e - w->a};
    double exact = end_controls(search->space, search->motion_a, &c[0], w->a, w->e, s->columns, p.x);
    exact += s->columns == ENDS ? end_controls(search->space, search->motion_b, &c[1], w->a, w->e, ENDS, p.x + 6)
                                : s->still_error;
    s->grain = grain_of(s, &p);
    s->error = exact + s->grain;
    s->coarsest = isinf(w->error) ? s->grain : s->coarsest;
    if (is_rounding(exact, w->error, s->coarsest)) s->grain = s->error;
    w->error = exact;
    ++search->span_count;
    if (!(s->error < ABUT_CLEARANCE_LARGEST)) {
        search->broken = 1;
        return 0;
    }
    begin_part(s, &p, w->lb);
    w->lb = p.lb;
    if (p.lb > cut_of(s)) {
        s->lb = abut_smaller(s->lb, p.lb);
        return 0;
    }
    if (exact > SMALL_ERROR * width_of(s) && p.h > s->shortest) return 1;
    search_part(s, &p);
    return 0;
}

/* Is there a time between the ends of an interval? Where there is none its bound is all that can be had. */
static int cut_in_two(Search *s, const Waiting *w, double middle) {
    if (w->a < middle && middle < w->e) return 1;
    s->lb = abut_smaller(s->lb, w->lb);
    return 0;
}

static void search_piece(AbutSearch *search, Search *s, const AbutCapsule c[2], double a, double e) {
    Waiting stack[STACK];
    int count = 1;
    stack[0] = (Waiting){a, e, -INFINITY, INFINITY};
    while (count > 0) {
        Waiting w = stack[--count];
        double middle = 0.5 * (w.a + w.e);
        if (!search_interval(search, s, c, &w) || !cut_in_two(s, &w, middle)) continue;
        Waiting half[2] = {{w.a, middle, w.lb, w.error}, {middle, w.e, w.lb, w.error}};
        int later = s->t > middle; /* the half with the best time on top */
        stack[count++] = half[!later];
        stack[count++] = half[later];
    }
}

static void measure_at(AbutSearch *search, Search *s, const AbutCapsule c[2], double t) {
    AbutPose a = abut_space_pose(search->space, search->motion_a, t);
    AbutPose b = abut_space_pose(search->space, search->motion_b, t);
    AbutVec3 end[4] = {abut_pose_apply(a, c[0].a), abut_pose_apply(a, c[0].b), abut_pose_apply(b, c[1].a),
        abut_pose_apply(b, c[1].b)},
             n;
    double x[ENDS];
    memcpy(x, end, sizeof x);
    s->error = s->columns == ENDS ? 0.0 : s->still_error;
    measure(s, x, t, &n);
}

void abut_search_capsules(AbutSearch *search) {
    AbutCapsule c[2] = {capsule_of(&search->a->piece[0]), capsule_of(&search->b->piece[0])};
    Search s = {
        .eps = search->eps, .radii = c[0].radius + c[1].radius, .ub = search->ub, .t = search->from, .lb = INFINITY};
    s.floor = -s.radii;
    s.columns = abut_clearance_stays(search->motion_b) ? 6 : ENDS;
    if (s.columns < ENDS) {
        double x[TERMS * 6];
        s.still_error = end_controls(search->space, search->motion_b, &c[1], search->from, search->to, 6, x);
        memcpy(s.still, x, sizeof s.still);
    }
    double found = search->ub, a = search->from;
    measure_at(search, &s, c, search->from);
    do {
        double e = abut_search_next_break(search, a, search->to);
        measure_at(search, &s, c, e);
        s.shortest = ldexp(e - a, -LEVELS);
        search_piece(search, &s, c, a, e);
        a = e;
    } while (a < search->to);
    if (s.ub < found) search->witness.leaf_a = search->witness.leaf_b = 0;
    search->ub = s.ub, search->t = s.t;
    search->lb = abut_smaller(s.lb, s.ub);
    search->evaluations += s.evaluations;
    search->node_pairs += s.bounds;
}

/* ---- polynomial ends --------------------------------------------------------------------------------------------- */

static int is_good_path(const AbutCapsulePath *p) {
    int good = p->radius >= 0.0 && isfinite(p->radius);
    for (int k = 0; k < TERMS; ++k) good = good && abut_is_finite(p->a[k]) && abut_is_finite(p->b[k]);
    return good;
}

/* Value of the polynomials of a path at u in 0 .. 1. */
static AbutCapsule path_at(const AbutCapsulePath *p, double u) {
    AbutVec3 a[TERMS], b[TERMS];
    memcpy(a, p->a, sizeof a);
    memcpy(b, p->b, sizeof b);
    for (int k = TERMS - 1; k > 0; --k)
        for (int i = 0; i < k; ++i) a[i] = abut_lerp(a[i], a[i + 1], u), b[i] = abut_lerp(b[i], b[i + 1], u);
    AbutCapsule out = {a[0], b[0], p->radius};
    return out;
}

/* Do all control points of the ends of a path agree? */
static int path_stays(const AbutCapsulePath *p) {
    int still = 1;
    for (int k = 1; k < TERMS; ++k)
        still =
            still && memcmp(&p->a[k], &p->a[0], sizeof p->a[0]) == 0 && memcmp(&p->b[k], &p->b[0], sizeof p->b[0]) == 0;
    return still;
}

static void fill_part(const AbutCapsulePath *a, const AbutCapsulePath *b, Search *s, Part *p) {
    AbutVec3 first[2] = {b->a[0], b->b[0]};
    s->columns = path_stays(b) ? 6 : ENDS;
    if (s->columns < ENDS) memcpy(s->still, first, sizeof s->still);
    for (int k = 0; k < TERMS; ++k) {
        AbutVec3 end[4] = {a->a[k], a->b[k], b->a[k], b->b[k]};
        memcpy(p->x + k * s->columns, end, sizeof(double) * (size_t)s->columns);
    }
}

AbutClearance abut_clearance_capsules(
    const AbutCapsulePath *a, const AbutCapsulePath *b, double from, double to, double eps) {
    Part p = {.a = from, .h = to - from};
    AbutVec3 n;
    if (!is_good_path(a) || !is_good_path(b) || !isfinite(from) || !(to >= from) || !isfinite(to) || !(eps > 0.0))
        return abut_clearance_invalid();
    Search s = {.eps = 0.999 * eps, .radii = a->radius + b->radius, .ub = INFINITY, .t = from, .lb = INFINITY};
    fill_part(a, b, &s, &p);
    s.floor = -s.radii;
    s.shortest = ldexp(to - from, -LEVELS);
    s.error = s.grain = grain_of(&s, &p);
    measure(&s, p.x, from, &n);
    measure(&s, p.x + (TERMS - 1) * s.columns, to, &n);
    begin_part(&s, &p, -INFINITY);
    search_part(&s, &p);
    double u = to > from ? (s.t - from) / (to - from) : 0.0;
    AbutGap d = abut_capsule_distance(path_at(a, u), path_at(b, u));
    AbutClearance out = abut_clearance_nothing(ABUT_CLEARANCE_UNDECIDED, d.distance);
    out.t = s.t;
    out.lb = abut_smaller(s.lb, d.distance);
    out.certified = out.ub - out.lb <= eps;
    out.saturated = s.radii > 0.0 && d.distance <= -s.radii * (1.0 - 1e-9);
    out.containment_known = 1;
    out.status = out.ub <= 0.0 ? ABUT_CLEARANCE_CONTACT : (out.lb > 0.0 ? ABUT_CLEARANCE_CLEAR : out.status);
    out.point_a = d.point_a, out.point_b = d.point_b, out.normal = d.normal;
    out.part_a = out.part_b = 0;
    out.evaluations = s.evaluations;
    out.node_pairs = s.bounds;
    return out;
}
