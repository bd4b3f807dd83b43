/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where energy comes from: the work of actuators, torques and forces from outside in a step, and of bodies and belts
 * that move by themselves; energy in springs. An impulse that changes the velocity from v to v' does the work of the
 * impulse times (v + v') / 2, so that kinetic energy and work agree to the last digits, whatever the step.
 */
#include "dynamics/solver_tree.h"

double abut_push_work(AbutSolverBody *m, AbutVec3 r, AbutVec3 impulse, AbutVec3 torque)
{
    AbutVec3 v = m->v, w = m->w, turn = abut_add(torque, abut_cross(r, impulse));
    abut_mover_push(m, r, impulse, torque);
    return 0.5 * (abut_dot(impulse, abut_add(v, m->v)) + abut_dot(turn, abut_add(w, m->w)));
}

/* Servos on tendons are rows. A limit gives work where it takes a joint back that is beyond it; it may take any. */
static double work_of_row(const AbutTrees *t, const AbutSolverTree *tree, const AbutTreeRow *row)
{
    int limit = row->kind == ABUT_ROW_TENDON_LOW || row->kind == ABUT_ROW_TENDON_HIGH || row->kind >= ABUT_ROW_LOW;
    double speed = 0.0;
    if (!row->active || (row->kind != ABUT_ROW_SERVO && !(limit && row->target > 0.0)))
        return 0.0;
    for (int32_t k = 0; k < row->term_count; ++k) {
        const AbutRowTerm *term = &t->term[row->first_term + k];
        speed += 0.5 * term->coefficient * (t->start[term->dof] + tree->c->v[term->dof - tree->first]);
    }
    return limit ? abut_larger(0.0, row->impulse * speed) : row->impulse * speed;
}

double abut_trees_work(const AbutTrees *t, const AbutSolverTree *tree, double moved, double h)
{
    double work = 0.0;
    for (int32_t i = 0; i < tree->c->tree->nv; ++i) {
        int32_t d = tree->first + i;
        double v = tree->c->v[i], given = t->servo_damping[d] + h * t->servo_stiffness[d],
               force = t->force[d] - t->passive[d] - given * v;
        work += 0.5 * h * force * (t->start[d] + v);
    }
    for (int32_t i = 0; i < tree->row_count; ++i)
        work += work_of_row(t, tree, &t->row[tree->first_row + i]);
    return moved * work;
}

double abut_work_of_motion(const AbutSimulation *sim)
{
    double work = 0.0;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        const AbutSolverBody *a = &sim->mover[c->body_a];
        double f[6];
        if (a->kind != ABUT_BODY_KINEMATIC && !c->moving)
            continue;
        abut_contact_wrench(c, f);
        work -= c->moving ? f[0] * c->surface[0] + f[1] * c->surface[1] : 0.0;
        if (a->kind != ABUT_BODY_KINEMATIC)
            continue;
        AbutVec3 v = abut_add(a->v, abut_cross(a->w, c->ra));
        work += f[0] * abut_dot(c->e1, v) + f[1] * abut_dot(c->e2, v) + f[2] * abut_dot(c->nu, v) +
                f[3] * abut_dot(c->e1, a->w) + f[4] * abut_dot(c->e2, a->w) + f[5] * abut_dot(c->nu, a->w);
    }
    return work;
}

static double length_of(const AbutScene *scene, const AbutSceneRobot *robot, const AbutTendonDef *tendon)
{
    double length = 0.0;
    for (int32_t i = 0; i < tendon->count; ++i) {
        const AbutRobotMove *move = &robot->move[robot->move_of_joint[tendon->joints[i]]];
        length += tendon->coefficients[i] * scene->robot_tree[move->tree].configuration->q[move->in_positions];
    }
    return length;
}

double abut_spring_energy(const AbutScene *scene)
{
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
