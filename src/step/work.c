/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where energy comes from: the work of actuators, torques and forces from outside in a step, and of bodies and belts
 * that move by themselves; energy in springs. An impulse that changes the velocity from v to v' does the work of the
 * impulse times (v + v') / 2, so that kinetic energy and work agree to the last digits, whatever the step.
 */
#include "dynamics/solver_tree.h"

double abut_push_work(AbutSolverBody *m, AbutVec3 r, AbutVec3 impulse, AbutVec3 torque) {
    AbutVec3 v = m->v, w = m->w, turn = abut_add(torque, abut_cross(r, impulse));
    abut_mover_push(m, r, impulse, torque);
    return 0.5 * (abut_dot(impulse, abut_add(v, m->v)) + abut_dot(turn, abut_add(w, m->w)));
}

/* Mean of the speeds of a row before and after the step; it may name joints of two trees. */
static double mean_speed(const AbutTrees *t, const AbutTreeRow *row) {
    double speed = 0.0;
    for (int32_t k = 0; k < row->term_count; ++k) {
        const AbutRowTerm *term = &t->term[row->first_term + k];
        speed += 0.5 * term->coefficient * (t->start[term->dof] + t->other[term->dof]);
    }
    return speed;
}

/* Servos on tendons are rows. A limit or coupling gives work where it takes back an error; it may take any. */
static double work_of_row(const AbutTrees *t, const AbutTreeRow *row) {
    int friction = row->kind == ABUT_ROW_FRICTION || row->kind == ABUT_ROW_TENDON_FRICTION;
    if (!row->active || friction || row->kind == ABUT_ROW_TENDON_SPRING) return 0.0;
    if (row->kind == ABUT_ROW_SERVO) return row->impulse * mean_speed(t, row);
    return row->impulse * row->target > 0.0 ? abut_larger(0.0, row->impulse * mean_speed(t, row)) : 0.0;
}

double abut_tree_force_work(const AbutTrees *t, const AbutSolverTree *tree, double h) {
    double work = 0.0;
    for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) {
        double v = t->other[d], given = t->servo_damping[d] + h * t->servo_stiffness[d],
               force = t->force[d] - t->passive[d] - given * v;
        work += 0.5 * h * force * (t->start[d] + v);
    }
    return work;
}

double abut_tree_row_work(const AbutTrees *t, const AbutSolverTree *tree) {
    double work = 0.0;
    for (int32_t i = 0; i < tree->row_count; ++i) work += work_of_row(t, &t->row[tree->first_row + i]);
    return work;
}

/* Work of a belt, or of a kinematic body A, on what a contact pushes. */
double abut_contact_work(const AbutSimulation *sim, const AbutSolverContact *c) {
    const AbutSolverBody *a = &sim->mover[c->body_a];
    double f[6], work = 0.0;
    if (a->kind != ABUT_BODY_KINEMATIC && !c->moving) return 0.0;
    abut_contact_wrench(c, f);
    work -= c->moving ? f[0] * c->surface[0] + f[1] * c->surface[1] : 0.0;
    if (a->kind != ABUT_BODY_KINEMATIC) return work;
    AbutVec3 v = abut_add(a->v, abut_cross(a->w, c->ra));
    return work + f[0] * abut_dot(c->e1, v) + f[1] * abut_dot(c->e2, v) + f[2] * abut_dot(c->nu, v) +
           f[3] * abut_dot(c->e1, a->w) + f[4] * abut_dot(c->e2, a->w) + f[5] * abut_dot(c->nu, a->w);
}

/* Work of a join that takes back its gap, from rest. */
static double work_of_join(const AbutSimulation *sim, const AbutJoin *join) {
    double rest[6], work = 0.0;
    abut_join_rest(sim, join, rest);
    for (int i = 0; i < join->rows; ++i) {
        double speed = join->target[i] - abut_join_softness(join, i) * join->impulse[i] - rest[i];
        if (join->impulse[i] * join->target[i] > 0.0) work += abut_larger(0.0, 0.5 * join->impulse[i] * speed);
    }
    return work;
}

/* Work of kinematic bodies that a join holds something to. */
double abut_join_work(const AbutSimulation *sim, const AbutJoin *join) {
    AbutVec3 force = abut_vec3(join->impulse[0], join->impulse[1], join->impulse[2]),
             torque = abut_vec3(join->impulse[3], join->impulse[4], join->impulse[5]);
    double work = 0.0;
    for (int side = 0; side < 2; ++side) {
        const AbutSolverBody *m = join->body[side] >= 0 ? &sim->mover[join->body[side]] : NULL;
        if (!m || m->kind != ABUT_BODY_KINEMATIC) continue;
        double own = abut_dot(force, abut_add(m->v, abut_cross(m->w, join->arm[side]))) + abut_dot(torque, m->w);
        work += side ? -own : own;
    }
    return work;
}

double abut_work_of_motion(const AbutSimulation *sim) {
    double work = 0.0;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k)
        work += abut_contact_work(sim, abut_ordered_contact(sim, k));
    for (int32_t k = 0; sim->trees && k < sim->trees->join_count; ++k)
        work += abut_join_work(sim, &sim->trees->join[k]) + work_of_join(sim, &sim->trees->join[k]);
    return work;
}

static double length_of(const AbutScene *scene, const AbutSceneRobot *robot, const AbutTendonDef *tendon) {
    double length = tendon->path_count > 0 ? abut_path_now(scene, robot, tendon, NULL) : 0.0;
    for (int32_t i = 0; i < tendon->count; ++i) {
        const AbutRobotMove *move = &robot->move[robot->move_of_joint[tendon->joints[i]]];
        length += tendon->coefficients[i] * scene->robot_tree[move->tree].configuration->q[move->in_positions];
    }
    return length;
}

double abut_spring_energy(const AbutScene *scene) {
    double energy = 0.0;
    for (int32_t i = 0; i < scene->robot_tree_count; ++i)
        energy += abut_robot_spring_energy(scene->robot_tree[i].configuration);
    for (int32_t r = 0; r < scene->robot_count; ++r) {
        const AbutModel *model = scene->robot[r].model;
        for (int32_t i = 0; i < model->tendon_count; ++i) {
            const AbutTendonDef *tendon = &model->tendons[i];
            double length = length_of(scene, &scene->robot[r], tendon),
                   rest = abut_larger(tendon->rest[0], abut_smaller(tendon->rest[1], length));
            energy += 0.5 * tendon->stiffness * (length - rest) * (length - rest);
        }
    }
    return energy;
}
