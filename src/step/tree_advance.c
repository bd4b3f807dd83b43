/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees move on by their velocities. A tree whose base is free keeps its momentum: at the new positions the velocities
 * found at the old ones would give another one, so the base is turned and shifted in velocity until momentum and
 * angular momentum about the center of mass are what forces make of them. The base turns as a free body does (turn.c)
 * that has the inertia of the whole tree and, inside, the momentum of the joints: with joints that stand still energy
 * stays too, whatever the step; where joints move it is off by an order of the step. In the air the center of mass also
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
static AbutTwist wanted_momentum(const AbutSolverTree *tree, AbutVec3 gravity, double h) {
    const AbutConfiguration *c = tree->c;
    AbutTwist p = abut_configuration_momentum(c);
    AbutVec3 arm = abut_sub(abut_configuration_center(c), c->origins[0]);
    AbutVec3 force = abut_add_scaled(tree->root_force.l, gravity, tree->mass);
    AbutVec3 torque = abut_sub(tree->root_force.w, abut_cross(arm, tree->root_force.l));
    p.linear = abut_add_scaled(p.linear, force, h);
    p.angular = abut_add_scaled(p.angular, torque, h);
    return p;
}

/* Inertia of the whole tree about its center of mass. */
static AbutMat3 whole_inertia(AbutConfiguration *c, AbutVec3 arm) {
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
static void turn_base(const AbutSolverTree *tree, AbutTwist wanted, double h) {
    AbutConfiguration *c = tree->c;
    AbutMat3 axes = c->states[0].axes, inverse,
             inertia = whole_inertia(c, abut_sub(abut_configuration_center(c), c->origins[0]));
    if (!(h > 0.0) || !abut_invert_inertia(inertia, &inverse)) return;
    AbutVec3 spin = abut_mat3_apply(axes, abut_vec3(c->v[3], c->v[4], c->v[5]));
    AbutVec3 inside = abut_sub(abut_configuration_momentum(c).angular, abut_mat3_apply(inertia, spin));
    inverse = abut_mat3_mul_t(axes, abut_mat3_mul(inverse, axes));
    AbutQuat turn =
        abut_free_turn(&inverse, abut_mat3_apply_t(axes, wanted.angular), abut_mat3_apply_t(axes, inside), h);
    AbutVec3 mean = abut_scale(abut_quat_log(turn), 1.0 / h);
    c->v[3] = mean.x, c->v[4] = mean.y, c->v[5] = mean.z;
}

/* Velocities of the base that give the tree this momentum while its joints stand still; 0: it has no inertia. */
static int base_for_momentum(const AbutSolverTree *tree, AbutTwist momentum, double base[6]) {
    AbutConfiguration *c = tree->c;
    AbutVec3 arm = abut_sub(abut_configuration_center(c), c->origins[0]);
    AbutMat3 inverse, inertia = whole_inertia(c, arm);
    if (!abut_invert_inertia(inertia, &inverse)) return 0;
    AbutVec3 turn = abut_mat3_apply(inverse, momentum.angular), shift = abut_scale(momentum.linear, 1.0 / tree->mass);
    AbutVec3 linear = abut_sub(shift, abut_cross(turn, arm)), body = abut_mat3_apply_t(c->states[0].axes, turn);
    base[0] = linear.x, base[1] = linear.y, base[2] = linear.z;
    base[3] = body.x, base[4] = body.y, base[5] = body.z;
    return 1;
}

/* Gives the tree this momentum by a twist of its base. */
static void set_momentum(const AbutSolverTree *tree, AbutTwist wanted) {
    AbutTwist now = abut_configuration_momentum(tree->c);
    double base[6];
    AbutTwist missing = {abut_sub(wanted.linear, now.linear), abut_sub(wanted.angular, now.angular)};
    if (!base_for_momentum(tree, missing, base)) return;
    for (int k = 0; k < 6; ++k) tree->c->v[k] += base[k];
    abut_robot_velocities(tree->c);
}

static void move_floating(const AbutSolverTree *tree, AbutVec3 gravity, int in_air, double h) {
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
static void take_back_change(const AbutTrees *t, const AbutSolverTree *tree, double missed) {
    AbutConfiguration *c = tree->c;
    const double *start = t->start + tree->first, *solved = t->other + tree->first;
    for (int32_t d = 0; d < c->tree->nv; ++d) c->v[d] -= missed * (solved[d] - start[d]);
    abut_robot_velocities(c);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* Energy of gravity, springs of joints, and gravity compensation. */
static double stored_energy(const AbutConfiguration *c) {
    return abut_configuration_potential_energy(c) + abut_robot_spring_energy(c);
}

static double start_kinetic(const AbutTrees *t, const AbutSolverTree *tree) {
    AbutConfiguration *c = tree->c;
    size_t bytes = (size_t)c->tree->nv * sizeof *c->v;
    memcpy(c->v, t->start + tree->first, bytes);
    abut_robot_velocities(c);
    return abut_configuration_kinetic_energy(c);
}

static void scale_velocities(AbutConfiguration *c, double part) {
    for (int32_t d = 0; d < c->tree->nv; ++d) c->v[d] *= part;
    abut_robot_velocities(c);
}

/* Slows the joints until this kinetic energy is left; momentum of a free base stays, unless that alone is too much. */
static void limit_energy(const AbutSolverTree *tree, double most) {
    AbutConfiguration *c = tree->c;
    double kinetic = abut_configuration_kinetic_energy(c), base[6] = {0};
    if (tree->floats && !base_for_momentum(tree, abut_configuration_momentum(c), base)) return;
    for (int k = 0; tree->floats && k < 6; ++k) c->v[k] -= base[k];
    abut_robot_velocities(c);
    double inside = abut_configuration_kinetic_energy(c), over = kinetic - most;
    scale_velocities(c, inside > over ? sqrt(1.0 - over / inside) : 0.0);
    for (int k = 0; tree->floats && k < 6; ++k) c->v[k] += base[k];
    abut_robot_velocities(c);
    kinetic = abut_configuration_kinetic_energy(c);
    if (inside <= over && kinetic > most) scale_velocities(c, sqrt(most / kinetic));
}

/* Energy of an island after moving is that of its start and of work: what is too much, its joints lose. */
static void limit_island(AbutSimulation *sim, AbutIsland *island) {
    double most = 0.0, kinetic = 0.0;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        most += tree->allowed - stored_energy(tree->c);
        kinetic += abut_configuration_kinetic_energy(tree->c);
    }
    if (island->turn <= ABUT_FAST_TURN && !island->guarded) most += ABUT_TURN_GAIN * island->turn * kinetic;
    for (int32_t i = 0; i < island->tree_count && kinetic > most; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        limit_energy(tree, abut_larger(0.0, most) * (abut_configuration_kinetic_energy(tree->c) / kinetic));
    }
}

/* Moves a tree by so much of what shoves it; gives the energy that is stored then. */
static double shove_by(const AbutTrees *t, const AbutSolverTree *tree, double h) {
    abut_configuration_integrate(tree->c, tree->c->q, t->shove + tree->first, h, tree->c->q);
    abut_robot_update(tree->c);
    return stored_energy(tree->c);
}

/* The shove of a tree in a guarded island moves it and is not kept. It lifts the tree, or bends its springs, by the
 * work of its weight at a small speed at most, where `rows` push at up to that of limits; gives that work. */
static double shove_tree(const AbutSimulation *sim, const AbutSolverTree *tree, double rows, double h) {
    AbutTwist momentum = abut_configuration_momentum(tree->c);
    double lift = abut_smaller(ABUT_ROW_SPEED, ABUT_SHOVE_LIFT / (1.0 - abut_smaller(rows, 0.999))),
           most = tree->mass * sim->constants.gravity_dt * lift * tree->speed, before = stored_energy(tree->c),
           rise = shove_by(sim->trees, tree, h) - before;
    for (int k = 0; k < ABUT_SHOVE_ROUNDS && rise > most; ++k) {
        double back = h * (1.0 - most / rise);
        rise = shove_by(sim->trees, tree, -back) - before;
        h -= back;
    }
    abut_robot_velocities(tree->c);
    if (tree->floats) set_momentum(tree, momentum);
    return rise;
}

void abut_tree_move(const AbutSolverTree *tree, AbutVec3 gravity, int in_air, double h) {
    if (tree->floats) {
        move_floating(tree, gravity, in_air, h);
    } else {
        abut_configuration_integrate(tree->c, tree->c->q, tree->c->v, h, tree->c->q);
        abut_robot_update(tree->c);
    }
}

/* Is the energy of an island compared before and after it moves? */
static int is_watched(const AbutIsland *island) { return island->turn > ABUT_WATCHED_TURN || island->guarded; }

static void advance_tree(AbutSimulation *sim, AbutSolverTree *tree, const AbutIsland *island, double moved, double h) {
    AbutTrees *t = sim->trees;
    double work = moved * abut_tree_force_work(t, tree, h);
    sim->report.work += work + moved * abut_tree_row_work(t, tree);
    if (is_watched(island)) {
        tree->allowed = start_kinetic(t, tree) + stored_energy(tree->c) + work + moved * tree->given;
        memcpy(tree->c->v, t->other + tree->first, (size_t)tree->c->tree->nv * sizeof *t->other);
        abut_robot_velocities(tree->c);
    }
    abut_tree_move(tree, sim->def.gravity, island->count == 0 && island->join_count == 0, moved * h);
    if (island->guarded) {
        work = island->rows * abut_larger(0.0, shove_tree(sim, tree, island->rows, moved * h));
        sim->report.work += work;
        tree->allowed += work;
    }
    if (moved < 1.0) take_back_change(t, tree, 1.0 - moved);
}

/* The velocities that stay, beside those it moves with. */
static void keep_velocities(const AbutTrees *t, const AbutSolverTree *tree, int shoved) {
    for (int32_t i = 0; i < tree->c->tree->nv; ++i)
        t->other[tree->first + i] = tree->c->v[i] - (shoved ? t->shove[tree->first + i] : 0.0);
}

void abut_trees_advance(AbutSimulation *sim, double h) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) {
        const AbutSolverBody *m = &sim->mover[t->tree[i].body[0]];
        const AbutConfiguration *c = t->tree[i].c;
        keep_velocities(t, &t->tree[i], !m->asleep && sim->islands.at[m->island].guarded);
        if (!m->asleep)
            sim->islands.at[m->island].turn = abut_larger(sim->islands.at[m->island].turn, h * abut_tree_turn(c));
    }
    for (int32_t i = 0; i < t->tree_count; ++i) {
        const AbutSolverBody *m = &sim->mover[t->tree[i].body[0]];
        if (!m->asleep) advance_tree(sim, &t->tree[i], &sim->islands.at[m->island], m->motion_part, h);
    }
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        if (is_watched(&sim->islands.at[i])) limit_island(sim, &sim->islands.at[i]);
    for (int32_t i = 0; i < t->tree_count; ++i)
        if (!sim->mover[t->tree[i].body[0]].asleep) abut_scene_place_links(sim->scene, &sim->scene->robot_tree[i]);
}

void abut_trees_rest(AbutSimulation *sim) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) {
        const AbutSolverTree *tree = &t->tree[i];
        AbutConfiguration *c = tree->c;
        int moves = 0;
        for (int32_t d = 0; d < c->tree->nv; ++d) moves |= c->v[d] != 0.0;
        if (!sim->mover[tree->body[0]].asleep || !moves) continue;
        for (int32_t d = 0; d < c->tree->nv; ++d) c->v[d] = 0.0;
        abut_robot_velocities(c);
        abut_scene_place_links(sim->scene, &sim->scene->robot_tree[i]);
    }
}
