/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poses, joint axes and velocities of all links, in one pass from the roots, and their inertias when somebody asks;
 * poses of bodies and frames, Jacobians.
 */
#include "math/numbers.h"
#include "robot/configuration.h"

#include <string.h>

/* Three turns about the axes of the link through the point r from O. */
static void turning_axes(const AbutLinkState *state, AbutVec3 r, AbutSpatial *axes) {
    axes[0] = abut_spatial(state->axes.x, abut_cross(r, state->axes.x));
    axes[1] = abut_spatial(state->axes.y, abut_cross(r, state->axes.y));
    axes[2] = abut_spatial(state->axes.z, abut_cross(r, state->axes.z));
}

static void place_free(const AbutConfiguration *c, const AbutMove *move, AbutLinkState *state) {
    const double *q = c->q + move->position;
    AbutSpatial *axes = c->axes + move->velocity;
    state->pose = abut_pose_at(q);
    state->axes = abut_quat_to_mat3(state->pose.q);
    c->origins[c->tree->links[move->link].root] = state->pose.p;
    for (int i = 0; i < 3; ++i) axes[i] = abut_spatial(abut_zero(), abut_axis(i));
    turning_axes(state, abut_zero(), axes + 3);
}

/* One joint after the other moves the link on from where it would stand without. */
static void apply_move(const AbutConfiguration *c, const AbutMove *move, AbutVec3 origin, AbutLinkState *state) {
    AbutSpatial *axes = c->axes + move->velocity;
    const double *q = c->q + move->position;
    AbutVec3 at = move->beside ? abut_add(state->pose.p, abut_mat3_apply(state->axes, move->at)) : state->pose.p;
    AbutVec3 r = abut_sub(at, origin), axis = abut_mat3_apply(state->axes, move->axis);
    if (move->kind == ABUT_MOVE_SLIDE) {
        *axes = abut_spatial(abut_zero(), axis);
        state->pose.p = abut_add_scaled(state->pose.p, axis, *q - move->reference);
        return;
    }
    AbutQuat turn = abut_quat_at(q);
    if (move->kind == ABUT_MOVE_HINGE) {
        *axes = abut_spatial(axis, abut_cross(r, axis));
        turn = abut_quat_axis_angle(move->axis, *q - move->reference);
    }
    state->pose.q = abut_quat_mul(state->pose.q, turn);
    state->axes = abut_quat_to_mat3(state->pose.q);
    if (move->kind == ABUT_MOVE_BALL) turning_axes(state, r, axes);
    if (move->beside) state->pose.p = abut_sub(at, abut_mat3_apply(state->axes, move->at));
}

static void place_jointed(const AbutConfiguration *c, const AbutLink *link, AbutLinkState *state) {
    AbutVec3 *origin = &c->origins[link->root];
    if (link->parent >= 0) {
        const AbutLinkState *under = &c->states[link->parent];
        state->pose.p = abut_add(under->pose.p, abut_mat3_apply(under->axes, link->fixed.p));
        state->pose.q = link->turned ? abut_quat_mul(under->pose.q, link->fixed.q) : under->pose.q;
        state->axes = link->turned ? abut_quat_to_mat3(state->pose.q) : under->axes;
    } else {
        state->pose = link->fixed;
        state->axes = abut_quat_to_mat3(state->pose.q);
        *origin = state->pose.p;
    }
    for (int32_t i = 0; i < link->move_count; ++i) apply_move(c, &c->tree->moves[link->first_move + i], *origin, state);
    if (fabs(abut_quat_dot(state->pose.q, state->pose.q) - 1.0) > 1e-14) {
        state->pose.q = abut_quat_normalize(state->pose.q);
        state->axes = abut_quat_to_mat3(state->pose.q);
    }
}

/* About O along world axes. */
AbutInertia abut_robot_link_inertia(const AbutConfiguration *c, int32_t i) {
    const AbutLink *link = &c->tree->links[i];
    const AbutLinkState *state = &c->states[i];
    AbutVec3 d = abut_add(abut_sub(state->pose.p, c->origins[link->root]), abut_mat3_apply(state->axes, link->center));
    AbutMat3 turned = abut_mat3_mul(abut_mat3_mul(state->axes, link->inertia), abut_mat3_transpose(state->axes));
    double m = link->mass;
    AbutVec3 h = abut_scale(d, m);
    double xx = h.x * d.x, yy = h.y * d.y, zz = h.z * d.z;
    return (AbutInertia){m, h, turned.x.x + yy + zz, turned.y.y + xx + zz, turned.z.z + xx + yy, turned.y.x - h.x * d.y,
        turned.z.x - h.x * d.z, turned.z.y - h.y * d.z};
}

void abut_robot_place_inertias(AbutConfiguration *c) {
    if (c->massed) return;
    for (int32_t i = 0; i < c->tree->link_count; ++i) c->states[i].about = abut_robot_link_inertia(c, i);
    c->massed = 1;
}

void abut_robot_velocities(AbutConfiguration *c) {
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutSpatial v = link->parent >= 0 ? c->states[link->parent].velocity : abut_spatial_zero();
        for (int32_t d = link->first_dof; d < link->first_dof + link->dof_count; ++d)
            v = abut_spatial_add_scaled(v, c->axes[d], c->v[d]);
        c->states[i].velocity = v;
    }
}

void abut_robot_place(AbutConfiguration *c) {
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutLinkState *state = &c->states[i];
        const AbutMove *first = &c->tree->moves[link->first_move];
        if (first->kind == ABUT_MOVE_FREE)
            place_free(c, first, state);
        else
            place_jointed(c, link, state);
    }
    c->massed = c->factored = c->summed = 0;
    abut_robot_velocities(c);
}

void abut_robot_update(AbutConfiguration *c) {
    abut_robot_place(c);
    abut_robot_place_inertias(c);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

AbutPose abut_configuration_body_pose(const AbutConfiguration *configuration, int32_t body) {
    ABUT_ASSERT(configuration && body >= 0 && body < configuration->tree->model->body_count);
    const AbutBodyPlace *place = &configuration->tree->bodies[body];
    return place->link < 0 ? place->pose : abut_pose_mul(configuration->states[place->link].pose, place->pose);
}

AbutPose abut_configuration_frame_pose(const AbutConfiguration *configuration, int32_t frame) {
    ABUT_ASSERT(configuration && frame >= 0 && frame < configuration->tree->model->frame_count);
    const AbutFrameDef *def = &configuration->tree->model->frames[frame];
    return def->body < 0 ? def->pose : abut_pose_mul(abut_configuration_body_pose(configuration, def->body), def->pose);
}

static int32_t link_of(const AbutConfiguration *c, int32_t body) { return body < 0 ? -1 : c->tree->bodies[body].link; }

static void fill_jacobian(const AbutConfiguration *c, int32_t number, AbutVec3 point, double *out) {
    size_t n = (size_t)c->tree->nv;
    memset(out, 0, 6 * n * sizeof *out);
    if (number < 0) return;
    const AbutLink *link = &c->tree->links[number];
    AbutVec3 r = abut_sub(point, c->origins[link->root]);
    for (int32_t d = link->last; d >= 0; d = c->tree->dofs[d].parent) {
        AbutSpatial s = c->axes[d];
        AbutVec3 v = abut_add(s.l, abut_cross(s.w, r));
        double column[6] = {v.x, v.y, v.z, s.w.x, s.w.y, s.w.z};
        for (size_t k = 0; k < 6; ++k) out[k * n + (size_t)d] = column[k];
    }
}

void abut_configuration_jacobian(const AbutConfiguration *configuration, int32_t body, AbutVec3 point, double *out) {
    ABUT_ASSERT(configuration && out && body >= 0 && body < configuration->tree->model->body_count);
    fill_jacobian(configuration, link_of(configuration, body), point, out);
}

void abut_configuration_frame_jacobian(const AbutConfiguration *configuration, int32_t frame, double *out) {
    ABUT_ASSERT(configuration && out && frame >= 0 && frame < configuration->tree->model->frame_count);
    AbutVec3 point = abut_configuration_frame_pose(configuration, frame).p;
    fill_jacobian(configuration, link_of(configuration, configuration->tree->model->frames[frame].body), point, out);
}
