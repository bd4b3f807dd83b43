/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input to the robots of a simulation, and values read back: controls, torques, forces from outside; forces
 * of actuators, limits, friction, equalities and tendons. Wrong counts and numbers are refused before anything changes;
 * what does change wakes those it acts on.
 */
#include "dynamics/solver_tree.h"

#include <string.h>

AbutStatus abut_simulation_set_force(
    AbutSimulation *sim, AbutBodyId id, AbutVec3 force, AbutVec3 torque, AbutError *error) {
    ABUT_ASSERT(sim);
    int32_t place = abut_scene_body_place(sim->scene, id);
    if (place < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "set force: no such body");
    if (!abut_is_finite(force) || !abut_is_finite(torque))
        return abut_fail(error, ABUT_ERROR_NUMBER, "set force: not finite");
    if (!abut_movers_reserve(sim)) return abut_fail_memory(error);
    AbutBody *body = &sim->scene->body[place];
    AbutSolverBody *m = &sim->mover[place];
    abut_mover_follow(m, body);
    if (abut_point_distance(m->force, force) > 0.0 || abut_point_distance(m->torque, torque) > 0.0)
        abut_scene_disturb(sim->scene, body);
    m->force = force;
    m->torque = torque;
    return ABUT_OK;
}

AbutStatus abut_simulation_sleep(AbutSimulation *sim, AbutBodyId id, AbutError *error) {
    ABUT_ASSERT(sim);
    int32_t place = abut_scene_body_place(sim->scene, id);
    if (place < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "sleep: no such body");
    if (sim->scene->body[place].kind != ABUT_BODY_DYNAMIC || !sim->def.sleeping)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "sleep: the body '%.100s' is not dynamic, or sleeping is off",
            sim->scene->body[place].name);
    if (!abut_movers_reserve(sim)) return abut_fail_memory(error);
    int32_t island = sim->mover[place].alive ? sim->mover[place].island : -1;
    for (int32_t i = 0; i < sim->mover_count; ++i) {
        AbutBody *body = &sim->scene->body[i];
        AbutSolverBody *m = &sim->mover[i];
        int with = i == place || (island >= 0 && m->alive && m->island == island);
        if (!with || !body->alive || body->kind != ABUT_BODY_DYNAMIC) continue;
        abut_mover_follow(m, body);
        m->rest_time = INFINITY; /* long enough */
        body->v = body->w = abut_zero();
    }
    return ABUT_OK;
}

/* ---- robots ------------------------------------------------------------------------------------------------------ */

static void wake_robot(AbutSimulation *sim, int32_t robot) {
    const AbutSceneRobot *r = &sim->scene->robot[robot];
    for (int32_t i = 0; i < r->model->body_count; ++i) abut_scene_disturb(sim->scene, &sim->scene->body[r->body[i]]);
}

/* Copies numbers to where they are kept; the robot wakes when they are others than before. */
static AbutStatus set_numbers(AbutSimulation *sim, int32_t robot, const char *what, int32_t wanted, int32_t count,
    const double *from, double *to, AbutError *error) {
    AbutStatus status = abut_robot_check_numbers(what, wanted, count, from, error);
    if (status == ABUT_OK && count > 0 && memcmp(to, from, (size_t)count * sizeof *to) != 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
        wake_robot(sim, robot);
    }
    return status;
}

AbutStatus abut_simulation_set_control(
    AbutSimulation *sim, int32_t robot, int32_t count, const double *controls, AbutError *error) {
    ABUT_ASSERT(sim && (controls || count == 0));
    AbutStatus status = abut_scene_check_robot(sim->scene, robot, error);
    if (status == ABUT_OK) status = abut_trees_follow(sim, error);
    if (status != ABUT_OK) return status;
    return set_numbers(sim, robot, "controls", sim->scene->robot[robot].model->actuator_count, count, controls,
        sim->trees->control + sim->trees->robot[robot].first_control, error);
}

AbutStatus abut_simulation_set_activation(
    AbutSimulation *sim, int32_t robot, int32_t count, const double *activations, AbutError *error) {
    ABUT_ASSERT(sim && (activations || count == 0));
    ABUT_TRY(abut_scene_check_robot(sim->scene, robot, error));
    ABUT_TRY(abut_trees_follow(sim, error));
    const AbutModel *model = sim->scene->robot[robot].model;
    int32_t wanted = abut_model_number_count(model, ABUT_NUMBERS_ACTIVATIONS), at = 0;
    ABUT_TRY(abut_robot_check_numbers("activations", wanted, count, activations, error));
    double *to = sim->trees->activation + sim->trees->robot[robot].first_control;
    for (int32_t a = 0; a < model->actuator_count; ++a)
        if (model->actuators[a].dynamics) to[a] = activations[at++];
    if (count > 0) wake_robot(sim, robot);
    return ABUT_OK;
}

int abut_simulation_get_control(const AbutSimulation *sim, int32_t robot, double *controls) {
    ABUT_ASSERT(sim && controls);
    if (abut_scene_check_robot(sim->scene, robot, NULL) != ABUT_OK) return 0;
    int known = sim->trees && robot < sim->trees->robot_count;
    for (int32_t i = 0; i < sim->scene->robot[robot].model->actuator_count; ++i)
        controls[i] = known ? sim->trees->control[sim->trees->robot[robot].first_control + i] : 0.0;
    return 1;
}

AbutStatus abut_simulation_set_torque(
    AbutSimulation *sim, int32_t robot, int32_t count, const double *torques, AbutError *error) {
    ABUT_ASSERT(sim && (torques || count == 0));
    AbutStatus status = abut_scene_check_robot(sim->scene, robot, error);
    if (status == ABUT_OK) status = abut_trees_follow(sim, error);
    if (status != ABUT_OK) return status;
    return set_numbers(sim, robot, "torques", sim->scene->robot[robot].velocity_count, count, torques,
        sim->trees->torque + sim->trees->robot[robot].first_torque, error);
}

void abut_simulation_set_controller(
    AbutSimulation *sim, AbutStatus (*control)(AbutSimulation *, double, void *, AbutError *), void *user) {
    ABUT_ASSERT(sim);
    sim->control = control;
    sim->control_user = user;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* First place of a degree of freedom of a tree among the velocities of its robot. */
static int32_t place_in_robot(const AbutSimulation *sim, int32_t robot, int32_t dof) {
    const AbutSceneRobot *r = &sim->scene->robot[robot];
    int32_t at = 0;
    for (int32_t i = 0; i < r->move_count; at += r->move[i].velocity_count, ++i) {
        const AbutRobotMove *move = &r->move[i];
        int32_t first = move->tree >= 0 ? sim->trees->tree[move->tree].first + move->in_velocities : 0;
        if (move->tree >= 0 && dof >= first && dof < first + move->velocity_count) return at + dof - first;
    }
    return -1;
}

/* Adds the force of a row to what was asked for. */
static void add_row(const AbutSimulation *sim, const AbutTreeRow *row, double per_time, const AbutRobotForces *out) {
    const AbutTrees *t = sim->trees;
    double force = row->active || row->locked ? row->impulse * per_time : 0.0;
    if (row->kind == ABUT_ROW_COUPLING && out->equality) out->equality[6 * row->number] = force;
    if (row->kind >= ABUT_ROW_TENDON_SPRING && row->kind <= ABUT_ROW_TENDON_HIGH && out->tendon)
        out->tendon[row->number] += row->kind == ABUT_ROW_TENDON_HIGH ? -force : force;
    double *to = row->kind == ABUT_ROW_FRICTION ? out->friction : row->kind >= ABUT_ROW_LOW ? out->limit : NULL;
    for (int32_t i = 0; to && i < row->term_count; ++i) {
        const AbutRowTerm *term = &t->term[row->first_term + i];
        to[place_in_robot(sim, row->robot, term->dof)] += term->coefficient * force;
    }
}

static void clear(double *numbers, int32_t count) {
    if (numbers) memset(numbers, 0, (size_t)count * sizeof *numbers);
}

int abut_simulation_get_robot_forces(const AbutSimulation *sim, int32_t robot, const AbutRobotForces *out) {
    ABUT_ASSERT(sim && out);
    if (abut_scene_check_robot(sim->scene, robot, NULL) != ABUT_OK) return 0;
    const AbutSceneRobot *r = &sim->scene->robot[robot];
    const AbutTrees *t = sim->trees;
    double per_time = sim->constants.dt > 0.0 ? 1.0 / sim->constants.dt : 0.0;
    clear(out->actuator, r->model->actuator_count);
    clear(out->activation, abut_model_number_count(r->model, ABUT_NUMBERS_ACTIVATIONS));
    clear(out->limit, r->velocity_count);
    clear(out->friction, r->velocity_count);
    clear(out->equality, 6 * r->model->equality_count);
    clear(out->tendon, r->model->tendon_count);
    if (!t || robot >= t->robot_count) return 1;
    for (int32_t a = 0; out->actuator && a < r->model->actuator_count; ++a)
        out->actuator[a] = abut_actuator_force(sim, robot, a);
    for (int32_t a = 0, at = 0; out->activation && a < r->model->actuator_count; ++a)
        if (r->model->actuators[a].dynamics) out->activation[at++] = t->activation[t->robot[robot].first_control + a];
    for (int32_t i = 0; i < t->row_count; ++i)
        if (t->row[i].robot == robot) add_row(sim, &t->row[i], per_time, out);
    for (int32_t i = 0; out->equality && i < t->join_count; ++i)
        for (int k = 0; t->join[i].robot == robot && k < t->join[i].rows; ++k)
            out->equality[6 * t->join[i].equality + k] = t->join[i].impulse[k] * per_time;
    return 1;
}
