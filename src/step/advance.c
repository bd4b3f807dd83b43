/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that moves bodies on by their velocities; robots follow in tree_advance.c. */
#include "dynamics/solver_tree.h"
#include "step/turn.h"

/* Turns a body; its angular momentum is kept exactly, which is all of the gyroscopic term. */
static void turn_body(AbutBody *body, AbutSolverBody *mover, double h) {
    AbutVec3 own = abut_mat3_apply(body->inertia, abut_mat3_apply_t(body->rotation, body->w)),
             momentum = abut_mat3_apply(body->rotation, own);
    body->q = abut_quat_normalize(abut_quat_mul(body->q, abut_free_turn(&body->inv_inertia, own, abut_zero(), h)));
    abut_body_moved(body);
    abut_mover_turned(mover, body);
    body->w = abut_mat3_apply(mover->inv_inertia, momentum);
}

/* About the axes that are free alone: the spin keeps its direction, and the energy stays. */
static void turn_locked(AbutBody *body, AbutSolverBody *mover, double h) {
    AbutVec3 w = abut_mat3_apply_t(body->rotation, body->w);
    double energy = abut_dot(w, abut_mat3_apply(body->inertia, w));
    body->q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(body->w, h)), body->q));
    abut_body_moved(body);
    abut_mover_turned(mover, body);
    w = abut_mat3_apply_t(body->rotation, body->w);
    double now = abut_dot(w, abut_mat3_apply(body->inertia, w));
    if (now > 0.0) body->w = abut_scale(body->w, sqrt(energy / now));
}

void abut_body_advance(AbutBody *body, AbutSolverBody *mover, double h) {
    body->x = abut_add_scaled(body->x, body->v, h);
    if (abut_length_sq(body->w) == 0.0) return;
    if (body->inv_mass > 0.0 && mover->locked) {
        turn_locked(body, mover, h);
    } else if (body->inv_mass > 0.0) {
        turn_body(body, mover, h);
    } else {
        body->q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(abut_scale(body->w, h)), body->q));
        abut_body_moved(body);
    }
}

/* In a guarded island: what shoves it moves it too, and is not kept. */
static void advance_shoved(AbutBody *body, AbutSolverBody *mover, double h) {
    body->v = abut_sub(body->v, mover->shove_v), body->w = abut_sub(body->w, mover->shove_w);
    abut_body_advance(body, mover, h);
    AbutVec3 v = body->v, w = body->w;
    body->v = mover->shove_v, body->w = mover->shove_w;
    abut_body_advance(body, mover, h);
    body->v = v, body->w = w;
}

/* A body that is held back has not fallen all the way: of the speed that gravity gave it, the part that it missed goes.
 */
static void take_back_gravity(AbutBody *body, AbutVec3 gravity, double missed) {
    double g = abut_length(gravity), along = g > 0.0 ? abut_dot(body->v, gravity) / g : 0.0;
    if (body->inv_mass > 0.0 && along > 0.0)
        body->v = abut_add_scaled(body->v, gravity, -abut_smaller(missed * g, along) / g);
}

void abut_stage_advance(AbutSimulation *sim, double h) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) sim->mover[sim->awake.body[k]].motion_part = 1.0;
    if (sim->def.continuous && !sim->model->longest) abut_limit_motion(sim, h);
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        AbutBody *body = &sim->scene->body[sim->awake.body[k]];
        if (!m->alive || m->kind == ABUT_BODY_STATIC || m->asleep || m->tree >= 0) continue;
        if (m->motion_part < 1.0)
            take_back_gravity(body, abut_mover_free(m, abut_scale(sim->def.gravity, body->gravity_scale)),
                h * (1.0 - m->motion_part));
        if (m->inv_mass > 0.0 && m->island >= 0 && sim->islands.at[m->island].guarded)
            advance_shoved(body, m, h * m->motion_part);
        else
            abut_body_advance(body, m, h * m->motion_part);
    }
    if (sim->trees) abut_trees_advance(sim, h);
}
