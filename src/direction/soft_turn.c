/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far can the soft direction have turned? In: an answer, the pose it is of, and another pose. Out: an angle that is
 * never exceeded on the way, rounding aside.
 *
 * Let no sample that was looked at move by more than `move` against the other body, and B turn by `turn`. Field values
 * change by at most e = min(1.2 move, move + slack), and so does D, which follows a weighted mean of them. The weights
 * t then change by at most x = e / (3 tau), and the sum F of weighted area vectors by E = 5 x sum a (t + x)^4 + turn
 * sum a (t + x)^5 over all samples with t + x > 0. If E < |F| the direction is within asin(E / |F|). Sums of a t^k say
 * enough: samples with t <= 0 count with t + x <= x. Samples that were not looked at may move farther, having a longer
 * lever; they stay without weight while their change and that of D + 6 tau do not use up what they are away from it,
 * `spare`.
 *
 * An adaptive tau changes by at most r = 0.25 e / tau of itself, e of the long lever; D + 6 tau then moves by at most
 * 6 tau T ((1 + r)^(4/3) - 1) more, where T is the largest t, and t by T r more; all of it over 1 - r.
 *
 * The rates are the slopes of E / |F| at no step: by meters that B moves, and by radians that it turns about its
 * origin. A rotation moves samples too, by its angle times their lever about that origin.
 */
#include "direction/soft_query.h"
#include "math/functions.h"
#include "mesh/mesh_pair.h"

double abut_angle_between(AbutVec3 u, AbutVec3 v) {
    if (abut_length_sq(u) == 0.0 || abut_length_sq(v) == 0.0) return 0.0;
    return abut_atan2(abut_length(abut_cross(u, v)), abut_dot(u, v));
}

/* Sum of area times (t + x)^n over the samples with weight, from the moments. */
static double shifted_sum(const struct AbutSoftCertificate *c, int n, double x) {
    static const double four[] = {1, 4, 6, 4, 1}, five[] = {1, 5, 10, 10, 5, 1};
    const double *binomial = n == 4 ? four : five;
    double sum = 0.0, power = 1.0;
    for (int k = n; k >= 0; --k, power *= x) sum += binomial[k] * c->moment[k] * power;
    return sum + c->near_area * power / (x > 0.0 ? x : 1.0);
}

/* How much field values may change when places move by so much. */
static double field_change(const struct AbutSoftCertificate *c, double move) {
    return abut_smaller(ABUT_SOFT_LIPSCHITZ * move, move + c->slack);
}

/* How much the weights may change, in units of t; INFINITY: no bound. `move` and `farther`: of the samples that were
 * looked at, and of all. */
static double weight_change(const struct AbutSoftCertificate *c, double move, double farther) {
    double unit = ABUT_SOFT_SUPPORT * c->tau, near = field_change(c, move) / unit,
           far = field_change(c, farther) / unit;
    double r = c->adaptive ? ABUT_SOFT_ADAPT * ABUT_SOFT_SUPPORT * far : 0.0;
    if (!(r < 0.5)) return INFINITY;
    double grown = c->most * ((1.0 + r) * abut_cbrt(1.0 + r) - 1.0);
    return near + far + grown <= c->spare ? (2.0 * near + grown + c->most * r) / (1.0 - r) : INFINITY;
}

/* The slope of weight_change, in t per radian or meter of which samples move by so much. */
static double weight_slope(const struct AbutSoftCertificate *c, double move, double farther) {
    double fixed = 2.0 / ABUT_SOFT_SUPPORT * move, adaptive = 7.0 / 3.0 * ABUT_SOFT_ADAPT * c->most * farther;
    return ABUT_SOFT_LIPSCHITZ / c->tau * (fixed + (c->adaptive ? adaptive : 0.0));
}

void abut_soft_set_rates(const AbutSoftBody *b, AbutPose b_in_a, AbutSoft *soft) {
    const struct AbutSoftCertificate *c = &soft->certificate;
    double force = soft->coherence * c->moment[5];
    double farther = abut_length(b->center) + c->lever;
    double near = abut_smaller(abut_point_distance(c->center, b_in_a.p) + c->radius, farther);
    soft->rate_move = 5.0 * weight_slope(c, 1.0, 1.0) * c->moment[4] / force;
    soft->rate_turn = (5.0 * weight_slope(c, near, farther) * c->moment[4] + c->moment[5]) / force;
}

static double bound_of_step(const AbutSoft *s, double move, double farther, double turn) {
    const struct AbutSoftCertificate *c = &s->certificate;
    if (s->outcome == ABUT_SOFT_NONE || s->outcome == ABUT_SOFT_INVALID || !(turn <= ABUT_SOFT_WIDEST_STEP))
        return ABUT_PI;
    double x = weight_change(c, move, farther);
    if (!isfinite(x)) return ABUT_PI;
    double change = 5.0 * x * shifted_sum(c, 4, x) + turn * shifted_sum(c, 5, x);
    double sine = change / (s->coherence * c->moment[5]) + 1e-12;
    return sine < 1.0 ? abut_atan2(sine, sqrt(1.0 - sine * sine)) : ABUT_PI;
}

/* Angle of the rotation from one pose to the other. */
static double turn_between(AbutPose from, AbutPose to) {
    return abut_length(abut_quat_log(abut_quat_mul(to.q, abut_quat_conj(from.q))));
}

/* How far the point p of B, or the point of A at p as B sees it, goes in a step. */
static double way_of(AbutVec3 p, AbutPose from, AbutPose to) {
    return abut_point_distance(p, abut_pose_apply(to, abut_pose_apply_inv(from, p)));
}

/* The bound over `part` of the step between the two poses, one of which is that of the answer. */
static double bound_of_part(const AbutSoftBody *b, const AbutSoft *soft, AbutPose at, AbutPose other, double part) {
    const struct AbutSoftCertificate *c = &soft->certificate;
    double turn = turn_between(at, other);
    double move = way_of(c->center, at, other) + turn * c->radius;
    double farther = way_of(abut_pose_apply(at, b->center), at, other) + turn * c->lever;
    return bound_of_step(soft, part * abut_smaller(move, farther), part * farther, part * turn);
}

double abut_soft_turn_bound(
    const AbutSoftBody *b, const AbutSoft *soft, AbutPose from, const AbutSoft *last, AbutPose to) {
    ABUT_ASSERT(b && soft);
    if (!abut_mesh_pose_is_good(from) || !abut_mesh_pose_is_good(to)) return ABUT_PI;
    double whole = bound_of_part(b, soft, from, to, 1.0);
    if (!last) return whole;
    double halves = bound_of_part(b, soft, from, to, 0.5) + bound_of_part(b, last, to, from, 0.5);
    return abut_smaller(halves, abut_smaller(whole, bound_of_part(b, last, to, from, 1.0)));
}
