/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of joints: poses of links, how a point moves with the joints, bounds of speed.
 *
 * In: joints with their curves. Out: poses and bounds. Method: products of poses from the link towards the outer frame.
 * A hinge moves a point at its rate times the distance from the joint, which the lengths of all that lies between
 * bound.
 */
#include "motion/chain.h"
#include "motion/curve.h"

#include <string.h>

const char *abut_chain_kind_name(AbutChainKind kind) {
    static const char *const names[ABUT_CHAIN_KIND_COUNT] = {"fixed", "hinge", "slide", "place", "ball"};
    return kind >= 0 && kind < ABUT_CHAIN_KIND_COUNT ? names[kind] : "invalid";
}

/* ---- rotations over time ----------------------------------------------------------------------------------------- */

AbutSpin abut_spin_between(double from, AbutQuat q, double to, AbutQuat next) {
    AbutQuat turn = abut_quat_mul(next, abut_quat_conj(q));
    if (turn.w < 0.0) turn = abut_quat(-turn.w, -turn.x, -turn.y, -turn.z);
    AbutSpin out = {from, q, abut_scale(abut_quat_log(turn), 1.0 / (to - from))};
    return out;
}

AbutSpin abut_spin_at(int32_t count, const AbutKeyframe *turns, double t) {
    int32_t i = abut_last_at(turns, sizeof *turns, count, t);
    if (i >= 0 && i + 1 < count)
        return abut_spin_between(turns[i].t, turns[i].pose.q, turns[i + 1].t, turns[i + 1].pose.q);
    AbutSpin still = {t, turns[i < 0 ? 0 : count - 1].pose.q, abut_zero()};
    return still;
}

AbutQuat abut_spin_value(const AbutSpin *s, double t) {
    return abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(s->spin, t - s->from)), s->q));
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* A turn about the origin after `pose`. */
static AbutPose turned(AbutQuat q, AbutPose pose) {
    return abut_motion_turns(q) ? abut_pose(abut_quat_rotate(q, pose.p), abut_quat_mul(q, pose.q)) : pose;
}

static AbutPose moved(AbutVec3 way, AbutPose pose) { return abut_pose(abut_add(way, pose.p), pose.q); }

/* Motion of the joint, after `pose`. */
static AbutPose after_joint(const AbutChainJoint *j, double t, AbutPose pose) {
    AbutSpin spin;
    switch (j->kind) {
    case ABUT_CHAIN_HINGE:
        return turned(abut_quat_axis_angle(abut_normalize(j->axis), abut_curve_value(&j->curve[0], t)), pose);
    case ABUT_CHAIN_SLIDE:
        return moved(abut_scale(j->axis, abut_curve_value(&j->curve[0], t)), pose);
    case ABUT_CHAIN_PLACE:
        return moved(abut_vec3(abut_curve_value(&j->curve[0], t), abut_curve_value(&j->curve[1], t),
                         abut_curve_value(&j->curve[2], t)),
            pose);
    case ABUT_CHAIN_BALL:
        spin = abut_spin_at(j->turn_count, j->turns, t);
        return turned(abut_spin_value(&spin, t), pose);
    default:
        return pose;
    }
}

AbutPose abut_chain_pose(const AbutChain *chain, int32_t link, double t) {
    AbutPose pose = abut_pose_identity();
    for (int32_t i = link; i >= 0; i = chain->joints[i].parent) {
        const AbutChainJoint *j = &chain->joints[i];
        pose = after_joint(j, t, pose);
        if (abut_motion_turns(j->fixed.q)) pose = turned(abut_quat_normalize(j->fixed.q), pose);
        pose = moved(j->fixed.p, pose);
    }
    pose.q = abut_quat_normalize(pose.q);
    return pose;
}

void abut_chain_gradient(
    const AbutChain *chain, int32_t link, double t, AbutVec3 point, AbutVec3 direction, double *out) {
    memset(out, 0, sizeof(double) * 3 * (size_t)chain->joint_count);
    for (int32_t i = link; i >= 0; i = chain->joints[i].parent) {
        const AbutChainJoint *j = &chain->joints[i];
        AbutPose frame = abut_pose_mul(abut_chain_pose(chain, j->parent, t), j->fixed);
        AbutVec3 arm = abut_sub(point, frame.p), turning = abut_cross(arm, direction); /* d . (a x arm) = a . this */
        AbutVec3 local = abut_quat_rotate_inv(frame.q, direction), turn = abut_quat_rotate_inv(frame.q, turning);
        AbutVec3 value = abut_zero();
        if (j->kind == ABUT_CHAIN_HINGE) value.x = abut_dot(j->axis, turn);
        if (j->kind == ABUT_CHAIN_SLIDE) value.x = abut_dot(j->axis, local);
        if (j->kind == ABUT_CHAIN_PLACE) value = local;
        if (j->kind == ABUT_CHAIN_BALL) value = turn;
        memcpy(out + 3 * (size_t)i, &value, sizeof value);
    }
}

/* ---- breaks and speed -------------------------------------------------------------------------------------------- */

static double joint_next_break(const AbutChainJoint *j, double t) {
    double next = INFINITY;
    int curves = j->kind == ABUT_CHAIN_PLACE ? 3 : (j->kind == ABUT_CHAIN_HINGE || j->kind == ABUT_CHAIN_SLIDE);
    for (int k = 0; k < curves; ++k) next = abut_smaller(next, abut_curve_next_break(&j->curve[k], t));
    if (j->kind == ABUT_CHAIN_BALL) {
        int32_t i = abut_last_at(j->turns, sizeof *j->turns, j->turn_count, t) + 1;
        next = i < j->turn_count ? j->turns[i].t : INFINITY;
    }
    return next;
}

double abut_chain_next_break(const AbutChain *chain, int32_t link, double t) {
    double next = INFINITY;
    for (int32_t i = link; i >= 0; i = chain->joints[i].parent)
        next = abut_smaller(next, joint_next_break(&chain->joints[i], t));
    return next;
}

static double largest_spin(const AbutChainJoint *j, double a, double b) {
    double most = 0.0;
    int32_t first = abut_last_at(j->turns, sizeof *j->turns, j->turn_count, a);
    for (int32_t i = first < 0 ? 0 : first; i + 1 < j->turn_count && j->turns[i].t <= b; ++i)
        most = abut_larger(most, abut_length(abut_spin_at(j->turn_count, j->turns, j->turns[i].t).spin));
    return most;
}

double abut_chain_speed(const AbutChain *chain, int32_t link, double a, double b, double reach) {
    double speed = 0.0;
    for (int32_t i = link; i >= 0; i = chain->joints[i].parent) {
        const AbutChainJoint *j = &chain->joints[i];
        double rate[3] = {0.0, 0.0, 0.0}, value[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3 && j->kind != ABUT_CHAIN_BALL && j->kind != ABUT_CHAIN_FIXED; ++k) {
            rate[k] = abut_curve_largest(&j->curve[k], a, b, 1);
            value[k] = abut_curve_largest(&j->curve[k], a, b, 0);
        }
        if (j->kind == ABUT_CHAIN_HINGE) speed += rate[0] * reach;
        if (j->kind == ABUT_CHAIN_BALL) speed += largest_spin(j, a, b) * reach;
        if (j->kind == ABUT_CHAIN_SLIDE || j->kind == ABUT_CHAIN_PLACE) {
            speed += sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
            reach += sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
        }
        reach += abut_length(j->fixed.p);
    }
    return speed;
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

static AbutStatus check_joint(const AbutChainJoint *j, int32_t number, AbutError *error) {
    if (j->parent < -1 || j->parent >= number)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "its parent %d does not stand before it", j->parent);
    if (j->kind < 0 || j->kind >= ABUT_CHAIN_KIND_COUNT)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "there is no kind %d", (int)j->kind);
    if (!abut_motion_fits_all(j->fixed.p) || !abut_motion_is_unit(j->fixed.q))
        return abut_fail(error, ABUT_ERROR_NUMBER, "its fixed pose is not finite, beyond 1e60, or not of unit length");
    int axis = j->kind == ABUT_CHAIN_HINGE || j->kind == ABUT_CHAIN_SLIDE;
    if (axis && !(fabs(abut_length_sq(j->axis) - 1.0) <= ABUT_MOTION_UNIT))
        return abut_fail(error, ABUT_ERROR_NUMBER, "its axis is not of unit length");
    if (j->kind == ABUT_CHAIN_BALL) return abut_keyframes_check(j->turn_count, j->turns, 1, error);
    for (int k = 0; k < (j->kind == ABUT_CHAIN_PLACE ? 3 : axis); ++k) {
        AbutStatus status = abut_curve_check(&j->curve[k], error);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

AbutStatus abut_chain_check(const AbutChain *chain, AbutError *error) {
    AbutError why;
    for (int32_t i = 0; i < chain->joint_count; ++i) {
        AbutStatus status = check_joint(&chain->joints[i], i, &why);
        if (status != ABUT_OK) return abut_fail(error, status, "joint %d: %.400s", i, why.text);
    }
    return ABUT_OK;
}
