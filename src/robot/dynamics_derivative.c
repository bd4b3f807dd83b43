/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derivatives of inverse and forward dynamics by position and velocity, in one frame per tree.
 *
 * Per degree of freedom j, with velocity V and acceleration A of the frame before its joint: P = V x S (swing),
 * Q = A x S + V x P (surge), and P + V_after x S (sway; the second term is missing where S does not turn). The force of
 * a link changes with a motion (a, b) of it by 2 B (a, b) = (X a; 2 a x p), X = [w](2 J - tr J) - 2 [h][l], p its
 * momentum; X, p and inertias add up over subtrees. S. Singh, R. Russell, P. Wensing, Efficient analytical derivatives
 * of rigid-body dynamics using spatial vector algebra, 2022.
 */
#include "math/matrix.h"
#include "robot/configuration.h"

#include <string.h>

static AbutSpatial rate_apply(const AbutRate *b, AbutSpatial x) {
    return abut_spatial(abut_mat3_apply(b->turn, x.w), abut_scale(abut_cross(x.w, b->momentum), 2.0));
}

/* s . 2B x as a covector on the angular part of x. */
static AbutVec3 rate_apply_t(const AbutRate *b, AbutSpatial s) {
    return abut_add_scaled(abut_mat3_apply_t(b->turn, s.w), abut_cross(b->momentum, s.l), 2.0);
}

/* One group of degrees of freedom: their vectors, and the motion behind them. */
static void pass_group(
    AbutConfiguration *c, int32_t first, int32_t count, const double *accelerations, AbutLinkState *state) {
    AbutSpatial x = abut_spatial_zero(), y = abut_spatial_zero();
    for (int32_t d = first; d < first + count; ++d) {
        AbutSpatial s = c->axes[d];
        c->swing[d] = abut_cross_motion(state->velocity, s);
        c->surge[d] = abut_spatial_add(
            abut_cross_motion(state->acceleration, s), abut_cross_motion(state->velocity, c->swing[d]));
        x = abut_spatial_add_scaled(x, s, c->v[d]);
        y = abut_spatial_add_scaled(y, s, accelerations[d]);
    }
    if (!c->tree->dofs[first].prismatic) y = abut_spatial_add(y, abut_cross_motion(state->velocity, x));
    state->acceleration = abut_spatial_add(state->acceleration, y);
    state->velocity = abut_spatial_add(state->velocity, x);
    for (int32_t d = first; d < first + count; ++d)
        c->sway[d] = c->tree->dofs[d].prismatic
                         ? c->swing[d]
                         : abut_spatial_add(c->swing[d], abut_cross_motion(state->velocity, c->axes[d]));
}

static AbutRate rate_of(const AbutLinkState *state) {
    const AbutInertia *i = &state->about;
    AbutVec3 w = state->velocity.w, l = state->velocity.l;
    double trace = i->xx + i->yy + i->zz;
    AbutMat3 k = abut_mat3(abut_vec3(2 * i->xx - trace, 2 * i->xy, 2 * i->xz),
        abut_vec3(2 * i->xy, 2 * i->yy - trace, 2 * i->yz), abut_vec3(2 * i->xz, 2 * i->yz, 2 * i->zz - trace));
    AbutMat3 turn = abut_mat3(abut_cross(w, k.x), abut_cross(w, k.y), abut_cross(w, k.z));
    double hl = 2.0 * abut_dot(i->h, l);
    turn = abut_mat3_sub(turn, abut_mat3_scale(abut_mat3_outer(l, i->h), 2.0));
    turn = abut_mat3_add(turn, abut_mat3_diagonal(hl, hl, hl));
    return (AbutRate){turn, abut_add(abut_scale(l, i->m), abut_cross(w, i->h))};
}

static void forward_pass(AbutConfiguration *c, const double *accelerations) {
    abut_robot_place_inertias(c);
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutLinkState *state = &c->states[i];
        state->velocity = abut_spatial_zero();
        state->acceleration = abut_spatial(abut_zero(), abut_neg(c->gravity));
        if (link->parent >= 0) {
            state->velocity = c->states[link->parent].velocity;
            state->acceleration = c->states[link->parent].acceleration;
        }
        for (int32_t d = link->first_dof, end = d + link->dof_count; d < end;) {
            int32_t count = 1;
            while (d + count < end && c->tree->dofs[d + count].group == c->tree->dofs[d].group) ++count;
            pass_group(c, d, count, accelerations, state);
            d += count;
        }
        AbutSpatial momentum = abut_inertia_apply(&state->about, state->velocity);
        state->force = abut_spatial_add(
            abut_inertia_apply(&state->about, state->acceleration), abut_cross_force(state->velocity, momentum));
        c->rates[i] = rate_of(state);
    }
}

/* Row and column of degree of freedom i, as far as its ancestors. */
static void fill_row(
    const AbutConfiguration *c, int32_t i, AbutSpatial force, double *by_position, double *by_velocity) {
    size_t n = (size_t)c->tree->nv;
    int32_t link = c->tree->dofs[i].link;
    const AbutInertia *inertia = &c->composite[link];
    const AbutRate *rate = &c->rates[link];
    AbutSpatial s = c->axes[i];
    AbutSpatial own = abut_spatial_add(rate_apply(rate, c->swing[i]), abut_inertia_apply(inertia, c->surge[i]));
    AbutSpatial whole = abut_spatial_add(own, abut_cross_force(s, force));
    AbutSpatial speed = abut_spatial_add(rate_apply(rate, s), abut_inertia_apply(inertia, c->sway[i]));
    AbutSpatial weight = abut_inertia_apply(inertia, s);
    AbutVec3 turn = rate_apply_t(rate, s);
    for (int32_t k = 0; k < c->tree->dofs[i].depth; ++k) {
        int32_t j = c->tree->ancestor[c->tree->row[i] + k];
        size_t up = (size_t)j * n + (size_t)i, across = (size_t)i * n + (size_t)j;
        int same = c->tree->dofs[j].group == c->tree->dofs[i].group;
        by_position[up] = abut_spatial_dot(c->axes[j], same ? own : whole);
        by_velocity[up] = abut_spatial_dot(c->axes[j], speed);
        if (j == i) continue;
        by_position[across] = abut_dot(turn, c->swing[j].w) + abut_spatial_dot(weight, c->surge[j]);
        by_velocity[across] = abut_dot(turn, c->axes[j].w) + abut_spatial_dot(weight, c->sway[j]);
    }
}

void abut_configuration_inverse_derivatives(
    AbutConfiguration *configuration, const double *accelerations, double *by_position, double *by_velocity) {
    ABUT_ASSERT(configuration && accelerations && by_position && by_velocity);
    AbutConfiguration *c = configuration;
    size_t bytes = (size_t)c->tree->nv * (size_t)c->tree->nv * sizeof *by_position;
    memset(by_position, 0, bytes);
    memset(by_velocity, 0, bytes);
    abut_robot_sum_inertias(c);
    forward_pass(c, accelerations);
    for (int32_t i = c->tree->link_count - 1; i >= 0; --i) {
        const AbutLink *link = &c->tree->links[i];
        AbutSpatial force = c->states[i].force;
        for (int32_t d = link->first_dof; d < link->first_dof + link->dof_count; ++d)
            fill_row(c, d, force, by_position, by_velocity);
        if (link->parent < 0) continue;
        AbutRate *to = &c->rates[link->parent];
        to->turn = abut_mat3_add(to->turn, c->rates[i].turn);
        to->momentum = abut_add(to->momentum, c->rates[i].momentum);
        c->states[link->parent].force = abut_spatial_add(c->states[link->parent].force, force);
    }
}

/* x <- -M^-1 x for all columns at once: rows of x combine. */
static void solve_rows(const AbutConfiguration *c, double *x) {
    size_t n = (size_t)c->tree->nv;
    for (int32_t k = c->tree->nv - 1; k >= 0; --k) {
        double *own = x + (size_t)k * n, s = c->inverse_diagonal[k];
        for (size_t j = 0; j < n; ++j) own[j] *= s;
        for (int32_t i = 0; i < c->tree->dofs[k].depth - 1; ++i) {
            double *to = x + (size_t)c->tree->ancestor[c->tree->row[k] + i] * n, f = c->factor[c->tree->row[k] + i];
            for (size_t j = 0; j < n; ++j) to[j] -= f * own[j];
        }
    }
    for (int32_t k = 0; k < c->tree->nv; ++k) {
        double *own = x + (size_t)k * n, s = c->inverse_diagonal[k];
        for (int32_t i = 0; i < c->tree->dofs[k].depth - 1; ++i) {
            const double *from = x + (size_t)c->tree->ancestor[c->tree->row[k] + i] * n;
            double f = c->factor[c->tree->row[k] + i];
            for (size_t j = 0; j < n; ++j) own[j] -= f * from[j];
        }
        for (size_t j = 0; j < n; ++j) own[j] *= s;
    }
    for (size_t i = 0; i < n * n; ++i) x[i] = -x[i];
}

void abut_configuration_forward_derivatives(AbutConfiguration *configuration, const double *torques,
    double *accelerations, double *by_position, double *by_velocity) {
    ABUT_ASSERT(configuration && torques && accelerations && by_position && by_velocity);
    abut_configuration_forward_dynamics(configuration, ABUT_FORWARD_FACTOR, torques, accelerations);
    abut_configuration_inverse_derivatives(configuration, accelerations, by_position, by_velocity);
    solve_rows(configuration, by_position);
    solve_rows(configuration, by_velocity);
}
