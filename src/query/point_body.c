/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points, and so spheres, against boxes, cylinders, cones and ellipsoids in closed form.
 *
 * In: a point in the frame of the body. Out: its signed distance, the outward unit normal there and the foot point,
 * from which the result of the pair is made. The point of an ellipsoid with semi-axes a nearest to p has the normal g_i
 * = p_i / (t + a_i^2), where t is the root of sum (a_i p_i / (t + a_i^2))^2 = 1 above -a_min^2. The search runs on u =
 * t + a_min^2, whose small values keep their digits, and on one over the root of the sum, which is concave: from the
 * left Newton's method never steps over the root (as in the trust-region problem, More and Sorensen 1983).
 */
#include "math/functions.h"
#include "query/round.h"
#include "query/support.h"
#include "query/tolerance.h"

enum { MAX_STEPS = 60 };

/* Where a point is over a body, in the frame of the body. */
typedef struct Foot {
    double distance;
    AbutVec3 normal; /* unit, from the body to the point */
    AbutPart part;   /* of a box; otherwise vertex -1 */
} Foot;

static const AbutPart nowhere = {ABUT_PART_VERTEX, {-1, 0, 0}};

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* Corner with the signs of p where `fixed`, and `sign` along the other axes. */
static int32_t corner(AbutVec3 p, const int fixed[3], int first_sign, int second_sign) {
    int32_t out = 0, seen = 0;
    for (int i = 0; i < 3; ++i) {
        int sign = fixed[i] ? abut_get(p, i) > 0.0 : (seen++ == 0 ? first_sign : second_sign);
        out |= sign << i;
    }
    return out;
}

/* The vertex, edge or triangle of a face under p; `fixed` says along which axes p lies at or beyond the end. */
static AbutPart box_part(AbutVec3 h, AbutVec3 p, const int fixed[3]) {
    int free_axes = 3 - fixed[0] - fixed[1] - fixed[2];
    AbutPart out = {(int32_t)(free_axes + 1), {corner(p, fixed, 0, 0), 0, 0}};
    if (free_axes == 1) out.index[1] = corner(p, fixed, 1, 1);
    if (free_axes == 2) { /* the half of the face, cut along its diagonal, that holds p */
        int i = fixed[0] ? 1 : 0, j = fixed[2] ? 1 : 2;
        int right = abut_get(p, i) * abut_get(h, j) > abut_get(p, j) * abut_get(h, i);
        out.index[1] = corner(p, fixed, right, !right);
        out.index[2] = corner(p, fixed, 1, 1);
    }
    return out;
}

static Foot over_box(const AbutConvex *c, AbutVec3 p) {
    AbutVec3 h = c->p[0], over = abut_zero();
    double most = -INFINITY;
    int fixed[3] = {0}, deepest = 0;
    for (int i = 0; i < 3; ++i) {
        double x = abut_get(p, i), beyond = fabs(x) - abut_get(h, i);
        fixed[i] = beyond > 0.0;
        if (beyond > most) most = beyond, deepest = i;
        if (beyond > 0.0) over = abut_add_scaled(over, abut_axis(i), x > 0.0 ? beyond : -beyond);
    }
    Foot out;
    if (most > ABUT_QUERY_SMALLEST) {
        AbutVec3 part = abut_scale(over, 1.0 / most); /* squares of tiny numbers would vanish */
        double length = abut_length(part);
        out.distance = most * length;
        out.normal = abut_scale(part, 1.0 / length);
    } else {
        fixed[deepest] = 1;
        out.distance = most;
        out.normal = abut_scale(abut_axis(deepest), abut_get(p, deepest) > 0.0 ? 1.0 : -1.0);
    }
    out.part = box_part(h, p, fixed);
    return out;
}

/* ---- bodies about z ---------------------------------------------------------------------------------------------- */

/* From the half plane through the axis and p back to space. */
static Foot from_half_plane(AbutVec3 p, double rho, double distance, double across, double along) {
    AbutVec3 out = rho > ABUT_QUERY_SMALLEST ? abut_vec3(p.x / rho, p.y / rho, 0.0) : abut_axis(0);
    return (Foot){distance, abut_vec3(across * out.x, across * out.y, along), nowhere};
}

static Foot over_cylinder(const AbutConvex *c, AbutVec3 p) {
    double rho = abut_hypot(p.x, p.y), u = rho - c->p[0].x, v = fabs(p.z) - c->p[0].z, up = p.z < 0.0 ? -1.0 : 1.0;
    if (u > ABUT_QUERY_SMALLEST && v > ABUT_QUERY_SMALLEST) {
        double d = abut_hypot(u, v);
        return from_half_plane(p, rho, d, u / d, up * (v / d));
    }
    return u > v ? from_half_plane(p, rho, u, 1.0, 0.0) : from_half_plane(p, rho, v, 0.0, up);
}

/* Over a corner at (at_rho, at_z) of the half plane. */
static Foot over_corner(AbutVec3 p, double rho, double at_rho, double at_z) {
    double u = rho - at_rho, v = p.z - at_z, d = abut_hypot(u, v);
    int far = d > ABUT_QUERY_SMALLEST;
    return from_half_plane(p, rho, d, far ? u / d : 0.0, far ? v / d : 1.0);
}

static Foot over_cone(const AbutConvex *c, AbutVec3 p) {
    double r = c->p[0].x, h = c->p[0].z, rho = abut_hypot(p.x, p.y), length = abut_hypot(r, 2.0 * h);
    if (!(length > ABUT_QUERY_SMALLEST)) return over_corner(p, rho, 0.0, 0.0);
    double across = 2.0 * h / length, along = r / length; /* normal of the slant */
    double slant = (rho - r) * across + (p.z + h) * along, base = -h - p.z;
    double from_rim = (p.z + h) * across - (rho - r) * along, from_apex = (p.z - h) * across - rho * along; /* upward */
    if (slant <= 0.0 && base <= 0.0 && rho <= r && p.z <= h)
        return slant > base ? from_half_plane(p, rho, slant, across, along) : from_half_plane(p, rho, base, 0.0, -1.0);
    if (base > 0.0 && rho <= r) return from_half_plane(p, rho, base, 0.0, -1.0);
    if (from_rim <= 0.0) return over_corner(p, rho, r, -h);
    return from_apex >= 0.0 ? over_corner(p, rho, 0.0, h) : from_half_plane(p, rho, slant, across, along);
}

/* ---- ellipsoids -------------------------------------------------------------------------------------------------- */

/* An ellipsoid whose largest semi-axis is 1 and a point of the first octant. */
typedef struct Secular {
    double a[3], y[3], more[3]; /* more: a^2 less the least a^2 */
    int least;                  /* the shortest axis */
} Secular;

static Secular secular(AbutVec3 axes, AbutVec3 p, double most) {
    Secular s = {{0}, {0}, {0}, 0};
    for (int i = 0; i < 3; ++i) {
        s.a[i] = abut_get(axes, i) / most;
        s.y[i] = fabs(abut_get(p, i)) / most;
        if (!(s.y[i] > ABUT_ROUND_CENTER)) s.y[i] = 0.0;
        if (s.a[i] < s.a[s.least]) s.least = i;
    }
    for (int i = 0; i < 3; ++i) s.more[i] = (s.a[i] - s.a[s.least]) * (s.a[i] + s.a[s.least]);
    return s;
}

/* Sum of (a y / (u + more))^2, and with *slope that of a^2 y^2 / (u + more)^3. */
static double secular_sum(const Secular *s, double u, double *slope) {
    double sum = 0.0;
    *slope = 0.0;
    for (int i = 0; i < 3; ++i) {
        double under = u + s->more[i], part = s->y[i] > 0.0 ? s->a[i] * s->y[i] / under : 0.0;
        sum += part * part;
        *slope += part > 0.0 ? part * part / under : 0.0;
    }
    return sum;
}

/* The root, from the left. 0: the point lies deep inside on the plane across the shortest axis. */
static double secular_root(const Secular *s) {
    double u = 0.0, slope;
    for (int i = 0; i < 3; ++i) u = abut_larger(u, s->a[i] * s->y[i] - s->more[i]);
    if (u == 0.0 && !(secular_sum(s, u, &slope) >= 1.0)) return 0.0;
    for (int step = 0; step < MAX_STEPS; ++step) {
        double sum = secular_sum(s, u, &slope), next = u + sum * (sqrt(sum) - 1.0) / slope;
        if (!(next > u)) break;
        u = next;
    }
    return u;
}

/* From so far away that the ellipsoid is a point to the last digit: quotients of the search would overflow. */
static Foot far_over_ellipsoid(const AbutConvex *c, AbutVec3 p, double far) {
    AbutVec3 part = abut_scale(p, 1.0 / far), n = abut_normalize(part);
    return (Foot){far * abut_length(part) - abut_length(abut_mul(c->p[0], n)), n, nowhere};
}

static Foot over_ellipsoid(const AbutConvex *c, AbutVec3 p) {
    double most = abut_max_abs(c->p[0]), far = abut_max_abs(p), g[3], rest = 1.0;
    if (far > ABUT_QUERY_SMALLEST && far * 0x1p-60 > most) return far_over_ellipsoid(c, p, far);
    Secular s = secular(c->p[0], p, most);
    double u = secular_root(&s);
    for (int i = 0; i < 3; ++i) {
        g[i] = s.y[i] > 0.0 ? s.y[i] / (u + s.more[i]) : 0.0;
        rest -= s.a[i] * s.a[i] * g[i] * g[i];
        g[i] = copysign(g[i], abut_get(p, i));
    }
    if (u == 0.0) g[s.least] = sqrt(abut_larger(0.0, rest)) / s.a[s.least];
    AbutVec3 n = abut_normalize(abut_vec3(g[0], g[1], g[2]));
    double reach = abut_length(abut_vec3(s.a[0] * n.x, s.a[1] * n.y, s.a[2] * n.z));
    return (Foot){abut_dot(n, p) - most * reach, n, nowhere};
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static Foot over(const AbutConvex *c, AbutVec3 p) {
    switch (c->kind) {
    case ABUT_CONVEX_BOX:
        return over_box(c, p);
    case ABUT_CONVEX_CYLINDER:
        return over_cylinder(c, p);
    case ABUT_CONVEX_CONE:
        return over_cone(c, p);
    default:
        return over_ellipsoid(c, p);
    }
}

double abut_round_over(const AbutConvex *c, AbutVec3 p, AbutVec3 *normal) {
    Foot foot = over(c, p);
    *normal = foot.normal;
    return foot.distance;
}

/* Result from the point p and the normal n that points to it from the body, both in the frame of A. */
static AbutGap finish(AbutPairView *pair, const Foot *foot, AbutVec3 p, AbutVec3 n, int point_is_b) {
    double inset = point_is_b ? pair->a.inset : pair->b.inset, core = foot->distance + inset;
    AbutVec3 at = abut_add_scaled(p, n, -core);
    AbutDifference w = {abut_sub(at, p), p, -1, 0};
    if (!point_is_b) w = (AbutDifference){abut_sub(p, at), at, 0, -1};
    AbutSimplex s = {1, {w}, {1.0}, w.w};
    AbutGap out = abut_pair_finish(pair, &s, core, point_is_b ? n : abut_neg(n), 0.0);
    *(point_is_b ? &out.part_a : &out.part_b) = foot->part;
    return out;
}

AbutGap abut_body_point(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    AbutVec3 p = abut_add(abut_mat3_apply(pair->rotation, pair->b.convex->p[0]), pair->position);
    Foot foot = over(pair->a.convex, p);
    return finish(pair, &foot, p, foot.normal, 1);
}

AbutGap abut_point_body(AbutPairView *pair, AbutConvexCache *cache) {
    (void)cache;
    AbutVec3 p = pair->a.convex->p[0];
    Foot foot = over(pair->b.convex, abut_mat3_apply_t(pair->rotation, abut_sub(p, pair->position)));
    return finish(pair, &foot, p, abut_mat3_apply(pair->rotation, foot.normal), 0);
}
