/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Motions as records: makers, poses, bounds of speed.
 *
 * In: a motion and times. Out: poses, and upper bounds of the speed of a body's points. Method: the velocity of the
 * point that follows the path is a quadratic polynomial; over an interval it lies in the triangle of its three
 * Bernstein control points, so the longest of these bounds it. The spin adds its rate times the distance from that
 * point. Keyframes are taken piece by piece, each a straight line with a constant spin.
 */
#include "motion/chain.h"
#include "motion/curve.h"
#include "motion/rate.h"
#include "motion/pose_model.h"

#include <string.h>

AbutMotion abut_motion_static(AbutPose pose) {
    AbutMotion m;
    memset(&m, 0, sizeof m);
    m.start = pose;
    return m;
}

AbutMotion abut_motion_translation(AbutPose pose, AbutVec3 velocity) {
    AbutMotion m = abut_motion_static(pose);
    m.path[0] = velocity;
    return m;
}

AbutMotion abut_motion_screw(AbutPose pose, AbutVec3 point, AbutVec3 axis, double rate, double speed) {
    AbutMotion m = abut_motion_static(pose);
    m.center = abut_pose_apply_inv(pose, point);
    m.path[0] = abut_scale(axis, speed);
    m.spin = abut_scale(axis, rate);
    return m;
}

AbutStatus abut_keyframes_check(int32_t count, const AbutKeyframe *keyframes, int rotations, AbutError *error) {
    const char *what = rotations ? "rotation" : "keyframe";
    if (count < 1 || !keyframes) return abut_fail(error, ABUT_ERROR_EMPTY, "a motion needs at least one %s", what);
    for (int32_t i = 0; i < count; ++i) {
        const AbutKeyframe *k = &keyframes[i];
        if (!abut_motion_fits(k->t) || (!rotations && !abut_motion_fits_all(k->pose.p)) ||
            !abut_motion_is_unit(k->pose.q))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "%s %d: a number is not finite or beyond 1e60, or the quaternion is not of unit length", what, i);
        if (i > 0 && !(k->t > k[-1].t))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s %d: its time %g is not after %g", what, i, k->t, k[-1].t);
    }
    return ABUT_OK;
}

AbutStatus abut_motion_keyframes(int32_t count, const AbutKeyframe *keyframes, AbutMotion *out, AbutError *error) {
    AbutStatus status = abut_keyframes_check(count, keyframes, 0, error);
    if (status != ABUT_OK) return status;
    *out = abut_motion_static(keyframes[0].pose);
    out->keyframe_count = count;
    out->keyframes = keyframes;
    return ABUT_OK;
}

AbutStatus abut_motion_chain(const AbutChain *chain, int32_t link, AbutMotion *out, AbutError *error) {
    if (link < 0 || link >= chain->joint_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a chain of %d joints has no link %d", chain->joint_count, link);
    AbutStatus status = abut_chain_check(chain, error);
    if (status != ABUT_OK) return status;
    *out = abut_motion_static(abut_pose_identity());
    out->chain = chain;
    out->link = link;
    return ABUT_OK;
}

AbutStatus abut_motion_check(const AbutMotion *m, AbutError *error) {
    AbutMotion same;
    if (m->chain) return abut_motion_chain(m->chain, m->link, &same, error);
    if (m->keyframe_count > 0) return abut_motion_keyframes(m->keyframe_count, m->keyframes, &same, error);
    if (!abut_motion_fits(m->from) || !abut_motion_fits_all(m->start.p) || !abut_motion_fits_all(m->center) ||
        !abut_motion_fits_all(m->path[0]) || !abut_motion_fits_all(m->path[1]) || !abut_motion_fits_all(m->path[2]) ||
        !abut_motion_fits_all(m->spin) || !abut_motion_is_unit(m->start.q))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "a number of the motion is not finite or beyond 1e60, or its quaternion is not of unit length");
    return ABUT_OK;
}

/* Last keyframe at or before t, -1 before the first. */
static int32_t find_keyframe(const AbutMotion *m, double t) {
    return abut_last_at(m->keyframes, sizeof *m->keyframes, m->keyframe_count, t);
}

/* The motion from keyframe i on to the next, without keyframes; at rest before the first and after the last. */
static AbutMotion piece_of(const AbutMotion *m, int32_t i) {
    if (i < 0 || i + 1 >= m->keyframe_count)
        return abut_motion_static(m->keyframes[i < 0 ? 0 : m->keyframe_count - 1].pose);
    const AbutKeyframe *k = &m->keyframes[i];
    AbutMotion piece = abut_motion_static(k[0].pose);
    piece.from = k[0].t;
    piece.path[0] = abut_scale(abut_sub(k[1].pose.p, k[0].pose.p), 1.0 / (k[1].t - k[0].t));
    piece.spin = abut_spin_between(k[0].t, k[0].pose.q, k[1].t, k[1].pose.q).spin;
    return piece;
}

static AbutPose smooth_pose(const AbutMotion *m, double t) {
    double s = t - m->from;
    AbutQuat q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(m->spin, s)), m->start.q));
    AbutVec3 c = abut_pose_apply(m->start, m->center);
    AbutVec3 way = abut_scale(abut_add(m->path[0], abut_scale(abut_add_scaled(m->path[1], m->path[2], s), s)), s);
    return abut_pose(abut_sub(abut_add(c, way), abut_quat_rotate(q, m->center)), q);
}

AbutPose abut_motion_pose(const AbutMotion *m, double t) {
    if (m->chain) return abut_chain_pose(m->chain, m->link, t);
    if (m->keyframe_count == 0) return smooth_pose(m, t);
    int32_t i = find_keyframe(m, t);
    if (i >= 0 && m->keyframes[i].t == t) return m->keyframes[i].pose;
    AbutMotion piece = piece_of(m, i);
    return smooth_pose(&piece, t);
}

AbutMotion abut_motion_piece(const AbutMotion *m, double t) {
    return m->keyframe_count > 0 && !m->chain ? piece_of(m, find_keyframe(m, t)) : *m;
}

/* ---- breaks ------------------------------------------------------------------------------------------------------ */

double abut_motion_next_break(const AbutMotion *m, double t) {
    if (m->chain) return abut_chain_next_break(m->chain, m->link, t);
    int32_t i = m->keyframe_count > 0 ? find_keyframe(m, t) + 1 : 0;
    return i < m->keyframe_count ? m->keyframes[i].t : INFINITY;
}

void abut_motion_span(const AbutMotion *m, double *from, double *to) {
    double first = abut_motion_next_break(m, -INFINITY);
    *from = *to = isfinite(first) ? first : 0.0;
    if (!m->chain && m->keyframe_count > 0) *to = m->keyframes[m->keyframe_count - 1].t;
    for (double t = first; m->chain && isfinite(t); t = abut_motion_next_break(m, t)) *to = t;
}

/* ---- speed ------------------------------------------------------------------------------------------------------- */

/* Bernstein control points over a..b of the velocity of the point that follows the path. */
static void velocity_points(const AbutMotion *m, double a, double b, AbutVec3 out[3]) {
    double s = a - m->from, e = b - m->from;
    out[0] = abut_add(m->path[0], abut_add(abut_scale(m->path[1], 2.0 * s), abut_scale(m->path[2], 3.0 * s * s)));
    out[1] = abut_add(m->path[0], abut_add(abut_scale(m->path[1], s + e), abut_scale(m->path[2], 3.0 * s * e)));
    out[2] = abut_add(m->path[0], abut_add(abut_scale(m->path[1], 2.0 * e), abut_scale(m->path[2], 3.0 * e * e)));
}

static double smooth_speed(const AbutMotion *m, double a, double b, const AbutVec3 *n, AbutVec3 around, double radius) {
    AbutVec3 v[3];
    double most = -INFINITY, rate = abut_length(m->spin);
    velocity_points(m, a, b, v);
    for (int k = 0; k < 3; ++k) most = abut_larger(most, n ? abut_dot(*n, v[k]) : abut_length(v[k]));
    return most + (rate > 0.0 ? rate * (abut_point_distance(around, m->center) + radius) : 0.0);
}

double abut_motion_speed(const AbutMotion *m, double a, double b, const AbutVec3 *n, AbutVec3 around, double radius) {
    double low = abut_smaller(a, b), high = abut_larger(a, b), most = -INFINITY;
    if (m->chain) return abut_chain_speed(m->chain, m->link, low, high, abut_length(around) + radius);
    if (m->keyframe_count == 0) return smooth_speed(m, low, high, n, around, radius);
    for (int32_t i = find_keyframe(m, low), last = find_keyframe(m, high); i <= last; ++i) {
        AbutMotion piece = piece_of(m, i);
        most = abut_larger(most, smooth_speed(&piece, low, high, n, around, radius));
    }
    return most;
}

/* ---- rate -------------------------------------------------------------------------------------------------------- */

static AbutMotionRate smooth_rate(const AbutMotion *m, double t, double to, AbutVec3 around, double radius) {
    double s = t - m->from, e = to - m->from, rate_sq = abut_length_sq(m->spin);
    AbutVec3 v[3], start = abut_scale(abut_add_scaled(m->path[1], m->path[2], 3.0 * s), 2.0);
    AbutVec3 end = abut_scale(abut_add_scaled(m->path[1], m->path[2], 3.0 * e), 2.0);
    velocity_points(m, t, to, v);
    double bound = abut_larger(abut_length(start), abut_length(end));
    if (rate_sq > 0.0) bound += rate_sq * (abut_point_distance(around, m->center) + radius);
    return (AbutMotionRate){abut_pose_apply(smooth_pose(m, t), m->center), v[0], m->spin, bound, to};
}

AbutMotionRate abut_motion_rate(const AbutMotion *m, double t, double to, AbutVec3 around, double radius) {
    if (m->chain) return (AbutMotionRate){.until = t};
    if (m->keyframe_count == 0) return smooth_rate(m, t, to, around, radius);
    int32_t i = find_keyframe(m, t), last = m->keyframe_count - 1;
    if (to < t && i >= 0 && m->keyframes[i].t == t) /* backward: the piece before */
        --i;
    double until = to;
    if (to >= t && i < last) until = abut_smaller(to, m->keyframes[i + 1].t);
    if (to < t && i >= 0) until = abut_larger(to, m->keyframes[i].t);
    AbutMotion piece = piece_of(m, i);
    return smooth_rate(&piece, t, until, around, radius);
}
