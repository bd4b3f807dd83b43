/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inverse dynamics by the recursive Newton-Euler method: velocities and accelerations of the links from the roots,
 * forces back to them. Gravity enters as an acceleration of the world. J. Luh, M. Walker, R. Paul, On-line
 * computational scheme for mechanical manipulators, 1980; in one frame per tree, so that nothing is transformed.
 */
#include "robot/configuration.h"

#include <string.h>

/* Adds one group of degrees of freedom that act together: velocities x first change with the frame they turn in. */
static void add_group(const AbutConfiguration *c, int32_t first, int32_t count, int turns, const double *accelerations,
    AbutLinkState *state) {
    AbutSpatial x = abut_spatial_zero();
    for (int32_t d = first; d < first + count; ++d) x = abut_spatial_add_scaled(x, c->axes[d], c->v[d]);
    if (turns) state->acceleration = abut_spatial_add(state->acceleration, abut_cross_motion(state->velocity, x));
    state->velocity = abut_spatial_add(state->velocity, x);
    for (int32_t d = first; accelerations && d < first + count; ++d)
        state->acceleration = abut_spatial_add_scaled(state->acceleration, c->axes[d], accelerations[d]);
}

static void move_link(AbutConfiguration *c, const double *accelerations, int32_t number) {
    const AbutLink *link = &c->tree->links[number];
    AbutLinkState *state = &c->states[number];
    AbutVec3 g = c->gravity;
    state->velocity = abut_spatial_zero();
    state->acceleration = abut_spatial(abut_zero(), abut_neg(g));
    if (link->parent >= 0) {
        state->velocity = c->states[link->parent].velocity;
        state->acceleration = c->states[link->parent].acceleration;
    }
    for (int32_t i = 0; i < link->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[link->first_move + i];
        int32_t at = move->velocity;
        if (move->kind == ABUT_MOVE_FREE) { /* its linear half moves along fixed axes */
            add_group(c, at, 3, 0, accelerations, state);
            at += 3;
        }
        add_group(c, at, move->kind >= ABUT_MOVE_BALL ? 3 : 1, 1, accelerations, state);
    }
    AbutSpatial momentum = abut_inertia_apply(&state->about, state->velocity);
    state->force = abut_spatial_add(
        abut_inertia_apply(&state->about, state->acceleration), abut_cross_force(state->velocity, momentum));
}

void abut_robot_inverse(AbutConfiguration *c, const double *accelerations, double *torques) {
    abut_robot_place_inertias(c);
    for (int32_t i = 0; i < c->tree->link_count; ++i) move_link(c, accelerations, i);
    for (int32_t i = c->tree->link_count - 1; i >= 0; --i) {
        const AbutLink *link = &c->tree->links[i];
        const AbutLinkState *state = &c->states[i];
        for (int32_t d = link->first_dof; d < link->first_dof + link->dof_count; ++d)
            torques[d] = abut_spatial_dot(c->axes[d], state->force) +
                         (accelerations ? c->tree->dofs[d].armature * accelerations[d] : 0.0);
        if (link->parent >= 0)
            c->states[link->parent].force = abut_spatial_add(c->states[link->parent].force, state->force);
    }
}

void abut_configuration_inverse_dynamics(
    AbutConfiguration *configuration, const double *accelerations, double *torques) {
    ABUT_ASSERT(configuration && accelerations && torques);
    abut_robot_inverse(configuration, accelerations, torques);
}

void abut_configuration_bias(AbutConfiguration *configuration, double *out) {
    ABUT_ASSERT(configuration && out);
    abut_robot_inverse(configuration, NULL, out);
}

/* ---- passive torques --------------------------------------------------------------------------------------------- */

static void add_spring(const AbutConfiguration *c, const AbutMove *move, double *out) {
    if (move->joint < 0) return;
    const double *q = c->q + move->position;
    if (move->kind == ABUT_MOVE_BALL) {
        AbutVec3 turn = abut_quat_log(abut_quat(q[0], q[1], q[2], q[3]));
        for (int i = 0; i < 3; ++i) out[move->velocity + i] -= move->stiffness * abut_get(turn, i);
    } else {
        out[move->velocity] -= move->stiffness * (*q - move->spring_reference);
    }
}

/* The weight that something carries, as a force up along the chain. */
static void add_lift(const AbutConfiguration *c, int32_t number, double *out) {
    const AbutLink *link = &c->tree->links[number];
    const AbutLinkState *state = &c->states[number];
    if (link->lifted_mass == 0.0) return;
    AbutVec3 f = abut_scale(c->gravity, -link->lifted_mass);
    AbutVec3 at = abut_add(state->pose.p, abut_mat3_apply(state->axes, link->lifted_center));
    AbutSpatial force = abut_spatial(abut_cross(abut_sub(at, c->origins[link->root]), f), f);
    for (int32_t d = link->last; d >= 0; d = c->tree->dofs[d].parent) out[d] += abut_spatial_dot(c->axes[d], force);
}

void abut_robot_lift(const AbutConfiguration *c, double *out) {
    for (int32_t i = 0; i < c->tree->link_count; ++i) add_lift(c, i, out);
}

void abut_robot_springs(const AbutConfiguration *c, double *out) {
    for (int32_t i = 0; i < c->tree->move_count; ++i) add_spring(c, &c->tree->moves[i], out);
    abut_robot_lift(c, out);
}

double abut_robot_spring_energy(const AbutConfiguration *c) {
    double energy = 0.0;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        const double *q = c->q + move->position;
        if (move->joint < 0 || !(move->stiffness > 0.0)) continue;
        double turn = move->kind == ABUT_MOVE_BALL ? abut_length(abut_quat_log(abut_quat(q[0], q[1], q[2], q[3])))
                                                   : *q - move->spring_reference;
        energy += 0.5 * move->stiffness * turn * turn;
    }
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutVec3 at = abut_add(c->states[i].pose.p, abut_mat3_apply(c->states[i].axes, link->lifted_center));
        if (link->lifted_mass != 0.0) energy += link->lifted_mass * abut_dot(c->gravity, at);
    }
    return energy;
}

void abut_configuration_passive(const AbutConfiguration *configuration, double *out) {
    ABUT_ASSERT(configuration && out);
    for (int32_t d = 0; d < configuration->tree->nv; ++d)
        out[d] = -configuration->tree->dofs[d].damping * configuration->v[d];
    abut_robot_springs(configuration, out);
}
