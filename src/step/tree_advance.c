/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees move on by their velocities. A tree whose base is free keeps its momentum: at the new positions the velocities
 * found at the old ones would give another one, so the base is turned and shifted in velocity until momentum and
 * angular momentum about the centre of mass are what forces make of them. The base turns as a free body does (turn.c)
 * that has the inertia of the whole tree and, inside, the momentum of the joints: with joints that stand still energy
 * stays too, whatever the step; where joints move it is off by an order of the step. In the air the centre of mass also
 * moves exactly by its velocity.
 *
 * Positions, velocities and bodies end as plain functions of q and v, so that a restored state is the same to the bit.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"
#include "model/check.h"
#include "step/turn.h"

#include <string.h>

/* Momentum after the step: of the new velocities at the old positions, plus what of the bias is none of gravity. */
static AbutTwist wanted_momentum(const AbutSolverTree *tree, AbutVec3 gravity, double h)
{
    const AbutConfiguration *c = tree->c;
    AbutTwist p = abut_configuration_momentum(c);
    AbutVec3 arm = abut_sub(abut_configuration_center(c), c->origins[0]);
    AbutVec3 force = abut_add_scaled(tree->root_force.l, gravity, tree->mass);
    AbutVec3 torque = abut_sub(tree->root_force.w, abut_cross(arm, tree->root_force.l));
    p.linear = abut_add_scaled(p.linear, force, h);
    p.angular = abut_add_scaled(p.angular, torque, h);
    return p;
}

/* Inertia of the whole tree about its centre of mass. */
static AbutMat3 whole_inertia(AbutConfiguration *c, AbutVec3 arm)
{
    abut_robot_sum_inertias(c);
    const AbutInertia *i = &c->composite[0];
    double m = i->m, d = abut_length_sq(arm);
    AbutMat3 about =
        abut_mat3(abut_vec3(i->xx, i->xy, i->xz), abut_vec3(i->xy, i->yy, i->yz), abut_vec3(i->xz, i->yz, i->zz));
    AbutMat3 shift = abut_mat3(abut_vec3(d - arm.x * arm.x, -arm.x * arm.y, -arm.x * arm.z),
        abut_vec3(-arm.x * arm.y, d - arm.y * arm.y, -arm.y * arm.z),
        abut_vec3(-arm.x * arm.z, -arm.y * arm.z, d - arm.z * arm.z));
    return abut_mat3_sub(about, abut_mat3_scale(shift, m));
}

/* Makes the turn of the base for the time h that of a free body with this momentum. */
static void turn_base(const AbutSolverTree *tree, AbutTwist wanted, double h)
{
    AbutConfiguration *c = tree->c;
    AbutMat3 axes = c->states[0].axes, inverse,
             inertia = whole_inertia(c, abut_sub(abut_configuration_center(c), c->origins[0]));
    if (!(h > 0.0) || !abut_invert_inertia(inertia, &inverse))
        return;
    AbutVec3 spin = abut_mat3_apply(axes, abut_vec3(c->v[3], c->v[4], c->v[5]));
    AbutVec3 inside = abut_sub(abut_configuration_momentum(c).angular, abut_mat3_apply(inertia, spin));
    inverse = abut_mat3_mul_t(axes, abut_mat3_mul(inverse, axes));
    AbutQuat turn =
        abut_free_turn(&inverse, abut_mat3_apply_t(axes, wanted.angular), abut_mat3_apply_t(axes, inside), h);
    AbutVec3 mean = abut_scale(abut_quat_log(turn), 1.0 / h);
    c->v[3] = mean.x, c->v[4] = mean.y, c->v[5] = mean.z;
}

/* Velocities of the base that give the tree this momentum while its joints stand still; 0: it has no inertia. */
static int base_for_momentum(const AbutSolverTree *tree, AbutTwist momentum, double base[6])
{
    AbutConfiguration *c = tree->c;
    AbutVec3 arm = abut_sub(abut_configuration_center(c), c->origins[0]);
    AbutMat3 inverse, inertia = whole_inertia(c, arm);
    if (!abut_invert_inertia(inertia, &inverse))
        return 0;
    AbutVec3 turn = abut_mat3_apply(inverse, momentum.angular), shift = abut_scale(momentum.linear, 1.0 / tree->mass);
    AbutVec3 linear = abut_sub(shift, abut_cross(turn, arm)), body = abut_mat3_apply_t(c->states[0].axes, turn);
    base[0] = linear.x, base[1] = linear.y, base[2] = linear.z;
    base[3] = body.x, base[4] = body.y, base[5] = body.z;
    return 1;
}

/* Gives the tree this momentum by a twist of its base. */
static void set_momentum(const AbutSolverTree *tree, AbutTwist wanted)
{
    AbutTwist now = abut_configuration_momentum(tree->c);
    double base[6];
    AbutTwist missing = {abut_sub(wanted.linear, now.linear), abut_sub(wanted.angular, now.angular)};
    if (!base_for_momentum(tree, missing, base))
        return;
    for (int k = 0; k < 6; ++k)
        tree->c->v[k] += base[k];
    abut_robot_velocities(tree->c);
}

static void move_floating(const AbutSolverTree *tree, AbutVec3 gravity, int in_air, double h)
{
    AbutConfiguration *c = tree->c;
    AbutTwist wanted = wanted_momentum(tree, gravity, h);
    AbutVec3 center = abut_add_scaled(abut_configuration_center(c), wanted.linear, h / tree->mass);
    turn_base(tree, wanted, h);
    abut_configuration_integrate(c, c->q, c->v, h, c->q);
    abut_robot_update(c);
    if (in_air) {
        AbutVec3 miss = abut_sub(center, abut_configuration_center(c));
        c->q[0] += miss.x, c->q[1] += miss.y, c->q[2] += miss.z;
        abut_robot_update(c);
    }
    set_momentum(tree, wanted);
}

/* A tree that is held back changes its velocities by the part that it moved: more would feed on itself. */
static void take_back_change(const AbutTrees *t, const AbutSolverTree *tree, double missed)
{
    AbutConfiguration *c = tree->c;
    const double *start = t->start + tree->first, *solved = t->other + tree->first;
    for (int32_t d = 0; d < c->tree->nv; ++d)
        c->v[d] -= missed * (solved[d] - start[d]);
    abut_robot_velocities(c);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static double energy_of(const AbutConfiguration *c)
{
    return abut_configuration_kinetic_energy(c) + abut_configuration_potential_energy(c);
}

/* Does a joint turn so far in the time h that the step is not of small angles? */
static int turns_fast(const AbutConfiguration *c, double h)
{
    double most = 0.0;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        int32_t count = move->kind == ABUT_MOVE_HINGE ? 1 : move->kind == ABUT_MOVE_BALL ? 3 : 0;
        for (int32_t k = 0; k < count; ++k)
            most = abut_larger(most, fabs(c->v[move->velocity + k]));
    }
    return most * h > ABUT_FAST_TURN;
}

/* Work that gravity and velocity products were counted with in the solve: moving gives it back. */
static double work_of_bias(const AbutTrees *t, const AbutSolverTree *tree, double h)
{
    const double *bias = t->bias + tree->first, *start = t->start + tree->first, *v = tree->c->v;
    double work = 0.0;
    for (int32_t d = 0; d < tree->c->tree->nv; ++d)
        work += 0.5 * h * bias[d] * (start[d] + v[d]);
    return work;
}

static double start_kinetic(const AbutTrees *t, const AbutSolverTree *tree)
{
    AbutConfiguration *c = tree->c;
    size_t bytes = (size_t)c->tree->nv * sizeof *c->v;
    memcpy(c->v, t->start + tree->first, bytes);
    abut_robot_velocities(c);
    double kinetic = abut_configuration_kinetic_energy(c);
    memcpy(c->v, t->other + tree->first, bytes);
    abut_robot_velocities(c);
    return kinetic;
}

/* Energy that the tree may have after moving: that of the solve, or of the start where no time passed. */
static double energy_after(const AbutTrees *t, const AbutSolverTree *tree, double moved, double h)
{
    double most = energy_of(tree->c) + work_of_bias(t, tree, moved * h);
    if (moved < 1.0)
        most += (1.0 - moved) * (start_kinetic(t, tree) - abut_configuration_kinetic_energy(tree->c));
    return most;
}

/* Slows the joints until the energy is `most`; momentum of a free base stays. */
static void limit_energy(const AbutSolverTree *tree, double most)
{
    AbutConfiguration *c = tree->c;
    double over = energy_of(c) - most, base[6] = {0};
    if (!(over > 0.0) || (tree->floats && !base_for_momentum(tree, abut_configuration_momentum(c), base)))
        return;
    for (int k = 0; tree->floats && k < 6; ++k)
        c->v[k] -= base[k];
    abut_robot_velocities(c);
    double inside = abut_configuration_kinetic_energy(c), part = inside > over ? sqrt(1.0 - over / inside) : 0.0;
    for (int32_t d = 0; d < c->tree->nv; ++d)
        c->v[d] *= part;
    for (int k = 0; tree->floats && k < 6; ++k)
        c->v[k] += base[k];
    abut_robot_velocities(c);
}

void abut_trees_advance(AbutSimulation *sim, double h)
{
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) {
        const AbutSolverTree *tree = &t->tree[i];
        const AbutSolverBody *m = &sim->mover[tree->body[0]];
        if (m->asleep)
            continue;
        const AbutIsland *island = &sim->islands.at[m->island];
        double part = h * m->motion_part;
        memcpy(t->other + tree->first, tree->c->v, (size_t)tree->c->tree->nv * sizeof *t->other);
        sim->report.work += abut_trees_work(t, tree, m->motion_part, h);
        int fast = turns_fast(tree->c, part);
        double most = fast ? energy_after(t, tree, m->motion_part, h) : 0.0;
        if (tree->floats) {
            move_floating(tree, sim->def.gravity, island->count == 0 && island->join_count == 0, part);
        } else {
            abut_configuration_integrate(tree->c, tree->c->q, tree->c->v, part, tree->c->q);
            abut_robot_update(tree->c);
        }
        if (m->motion_part < 1.0)
            take_back_change(t, tree, 1.0 - m->motion_part);
        if (fast)
            limit_energy(tree, most);
        abut_scene_place_links(sim->scene, &sim->scene->robot_tree[i]);
    }
}

void abut_trees_rest(AbutSimulation *sim)
{
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) {
        const AbutSolverTree *tree = &t->tree[i];
        AbutConfiguration *c = tree->c;
        int moves = 0;
        for (int32_t d = 0; d < c->tree->nv; ++d)
            moves |= c->v[d] != 0.0;
        if (!sim->mover[tree->body[0]].asleep || !moves)
            continue;
        for (int32_t d = 0; d < c->tree->nv; ++d)
            c->v[d] = 0.0;
        abut_robot_velocities(c);
        abut_scene_place_links(sim->scene, &sim->scene->robot_tree[i]);
    }
}
