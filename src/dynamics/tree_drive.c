/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces along the degrees of freedom at the start of a step. In: controls, torques, springs, forces from outside. Out:
 * for each degree of freedom a force, a stiffness and a damping; the last two enter the step implicitly, so that a
 * servo of any stiffness is stable. A servo that stays beyond its limit gives a constant force.
 *
 * Actuators on tendons, balls, free bodies and frames whose force depends on length or speed are rows (tree_rows.c),
 * but for those on a free body that belongs to no tree: there the force is that of the end of the step, as long as
 * nothing else moves the body.
 */
#include "dynamics/solver_tree.h"

#include <string.h>

#define STILL 1e-9 /* change of an activation in a step below which it rests */

typedef struct Reading {
    double length, speed;
} Reading;

static double clamped(double x, const double range[2], int32_t limited) {
    return limited ? abut_larger(range[0], abut_smaller(range[1], x)) : x;
}

static const AbutSceneRobot *robot_at(const AbutSimulation *sim, int32_t robot) { return &sim->scene->robot[robot]; }

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Adds the force and torque (about `point`) on a body of the scene, for one step. */
static void push_body(AbutSimulation *sim, int32_t place, AbutVec3 point, AbutVec3 force, AbutVec3 torque, double h) {
    AbutTrees *t = sim->trees;
    AbutSolverBody *m = &sim->mover[place];
    if (m->tree < 0) {
        if (!m->asleep)
            sim->report.work += abut_push_work(m, abut_sub(point, m->x), abut_scale(force, h), abut_scale(torque, h));
        return;
    }
    abut_link_push(t, &sim->scene->body[place], point, force, torque, t->force);
}

void abut_link_push(
    const AbutTrees *t, const AbutBody *body, AbutVec3 point, AbutVec3 force, AbutVec3 torque, double *to) {
    const AbutSolverTree *tree = &t->tree[body->tree];
    const AbutConfiguration *c = tree->c;
    AbutVec3 r = abut_sub(point, c->origins[0]);
    AbutSpatial f = abut_spatial(abut_add(torque, abut_cross(r, force)), force);
    for (int32_t d = c->tree->links[body->link].last; d >= 0; d = c->tree->dofs[d].parent)
        to[tree->first + d] += abut_spatial_dot(c->axes[d], f);
}

/* Numbers along the six velocities of a free body: force along world axes at its frame, torque about body axes. */
static void push_free(AbutSimulation *sim, const AbutRobotMove *move, const double f[6], double h) {
    if (move->tree >= 0) {
        const AbutSolverTree *tree = &sim->trees->tree[move->tree];
        for (int k = 0; k < 6; ++k) sim->trees->force[tree->first + move->in_velocities + k] += f[k];
        return;
    }
    const AbutBody *body = &sim->scene->body[move->body];
    AbutVec3 origin = abut_sub(body->x, abut_mat3_apply(body->rotation, body->local_center));
    push_body(sim, move->body, origin, abut_vec3(f[0], f[1], f[2]),
        abut_mat3_apply(body->rotation, abut_vec3(f[3], f[4], f[5])), h);
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

static const AbutRobotMove *move_of(const AbutSceneRobot *robot, const AbutActuatorDef *def) {
    return &robot->move[def->target == ABUT_TARGET_JOINT ? robot->move_of_joint[def->number]
                                                         : robot->move_of_body[def->number]];
}

/* The frame of an actuator: its place and axes in the world, and the body it is on. */
static AbutPose frame_of(const AbutSimulation *sim, const AbutSceneRobot *robot, int32_t frame, int32_t *place) {
    const AbutFrameDef *def = &robot->model->frames[frame];
    *place = def->body >= 0 ? robot->body[def->body] : -1;
    if (*place < 0) return abut_pose_mul(robot->at, def->pose);
    const AbutBody *body = &sim->scene->body[*place];
    AbutPose pose = abut_pose(abut_sub(body->x, abut_mat3_apply(body->rotation, body->local_center)), body->q);
    return abut_pose_mul(pose, abut_pose_mul(robot->pose[def->body], def->pose));
}

static Reading read_joint(const AbutSimulation *sim, const AbutRobotMove *move, const AbutActuatorDef *def) {
    const AbutConfiguration *c = sim->trees->tree[move->tree].c;
    const double *q = c->q + move->in_positions, *v = c->v + move->in_velocities;
    if (move->velocity_count == 1) return (Reading){def->gear[0] * q[0], def->gear[0] * v[0]};
    AbutVec3 gear = abut_vec3(def->gear[0], def->gear[1], def->gear[2]);
    return (Reading){
        abut_dot(gear, abut_quat_log(abut_quat(q[0], q[1], q[2], q[3]))), abut_dot(gear, abut_vec3(v[0], v[1], v[2]))};
}

static Reading read_tendon(const AbutSimulation *sim, const AbutSceneRobot *robot, const AbutActuatorDef *def) {
    const AbutTendonDef *tendon = &robot->model->tendons[def->number];
    Reading sum = {0.0, 0.0};
    if (tendon->path_count > 0) {
        sum.length = def->gear[0] * abut_path_now(sim->scene, robot, tendon, &sum.speed);
        sum.speed *= def->gear[0];
    }
    for (int32_t i = 0; i < tendon->count; ++i) {
        const AbutRobotMove *move = &robot->move[robot->move_of_joint[tendon->joints[i]]];
        const AbutConfiguration *c = sim->trees->tree[move->tree].c;
        sum.length += def->gear[0] * tendon->coefficients[i] * c->q[move->in_positions];
        sum.speed += def->gear[0] * tendon->coefficients[i] * c->v[move->in_velocities];
    }
    return sum;
}

/* Speed of a body along a gear that is given in axes and at a point. */
static double speed_along(const AbutSimulation *sim, int32_t place, AbutVec3 point, const AbutMat3 *linear,
    const AbutMat3 *angular, const double gear[6]) {
    if (place < 0) return 0.0;
    const AbutBody *body = &sim->scene->body[place];
    AbutVec3 v = abut_add(body->v, abut_cross(body->w, abut_sub(point, body->x)));
    return abut_dot(abut_vec3(gear[0], gear[1], gear[2]), abut_mat3_apply_t(*linear, v)) +
           abut_dot(abut_vec3(gear[3], gear[4], gear[5]), abut_mat3_apply_t(*angular, body->w));
}

static Reading read(const AbutSimulation *sim, const AbutSceneRobot *robot, const AbutActuatorDef *def) {
    AbutMat3 world = abut_mat3_diagonal(1.0, 1.0, 1.0);
    int32_t place;
    if (def->target == ABUT_TARGET_JOINT) return read_joint(sim, move_of(robot, def), def);
    if (def->target == ABUT_TARGET_TENDON) return read_tendon(sim, robot, def);
    if (def->target == ABUT_TARGET_CONTACTS) return (Reading){0.0, 0.0};
    if (def->target == ABUT_TARGET_BODY) {
        place = robot->body[def->number];
        const AbutBody *body = &sim->scene->body[place];
        AbutVec3 origin = abut_sub(body->x, abut_mat3_apply(body->rotation, body->local_center));
        return (Reading){0.0, speed_along(sim, place, origin, &world, &body->rotation, def->gear)};
    }
    AbutPose frame = frame_of(sim, robot, def->number, &place);
    AbutMat3 axes = abut_quat_to_mat3(frame.q);
    return (Reading){0.0, speed_along(sim, place, frame.p, &axes, &axes, def->gear)};
}

/* Input of the gain: the control, or the activation. */
static double input_of(const AbutSimulation *sim, int32_t robot, int32_t a) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    int32_t at = sim->trees->robot[robot].first_control + a;
    double u = sim->trees->control[at], w = sim->trees->activation[at];
    if (def->dynamics == ABUT_ACTIVATION_NONE) return abut_actuator_control(def, u);
    return def->activation_early ? abut_activation_next(def, u, w, sim->constants.dt) : w;
}

static AbutActuatorLaw law_at(const AbutSimulation *sim, int32_t robot, int32_t a, Reading *r) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    *r = read(sim, robot_at(sim, robot), def);
    return abut_actuator_law(def, input_of(sim, robot, a), r->length, r->speed);
}

AbutActuatorLaw abut_actuator_law_now(const AbutSimulation *sim, int32_t robot, int32_t a) {
    Reading r;
    return law_at(sim, robot, a, &r);
}

static double force_of(AbutActuatorLaw law, Reading r) {
    return law.given + law.by_length * r.length + law.by_speed * r.speed;
}

/* The force at the start of the step, before its range. */
static double raw_force(const AbutSimulation *sim, int32_t robot, int32_t a) {
    Reading r;
    AbutActuatorLaw law = law_at(sim, robot, a, &r);
    return force_of(law, r);
}

/* Does it resist motion now? Then the solution of the step has it as a row, where it is no servo of a single joint. */
static int resists(const AbutSimulation *sim, int32_t robot, int32_t a) {
    AbutActuatorLaw law = abut_actuator_law_now(sim, robot, a);
    return law.by_length < 0.0 || law.by_speed < 0.0;
}

double abut_actuator_force(const AbutSimulation *sim, int32_t robot, int32_t a) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    return clamped(raw_force(sim, robot, a), def->force_range, def->force_limited);
}

/* Remainder of the force of a servo at the end of a step, when nothing but its joint moves: a force that is held at
 * the limit for longer than it is beyond it carries a light joint far beyond the goal. */
static double force_after(
    const AbutSolverTree *tree, int32_t d, double force, double damping, double stiffness, double h) {
    AbutConfiguration *c = tree->c;
    abut_robot_sum_inertias(c);
    AbutSpatial f = abut_inertia_apply(&c->composite[c->tree->dofs[d].link], c->axes[d]);
    double mass = abut_spatial_dot(f, c->axes[d]) + c->tree->dofs[d].armature;
    return mass > 0.0 ? force / (1.0 + (h * damping + h * h * stiffness) / mass) : 0.0;
}

static int is_within(double force, const double range[2]) { return force >= range[0] && force <= range[1]; }

/* A servo on a hinge or slide: implicit where it is within its range of force, at the latest when the step ends. */
static void drive_single(AbutSimulation *sim, int32_t robot, int32_t a, const AbutRobotMove *move, double h) {
    AbutTrees *t = sim->trees;
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    Reading r;
    AbutActuatorLaw law = law_at(sim, robot, a, &r);
    int32_t d = t->tree[move->tree].first + move->in_velocities;
    double g = def->gear[0], still = law.given + law.by_length * r.length, force = still + law.by_speed * r.speed,
           stiffness = abut_larger(0.0, -g * g * law.by_length), damping = abut_larger(0.0, -g * g * law.by_speed);
    if (def->force_limited && !is_within(force, def->force_range) &&
        !is_within(
            force_after(&t->tree[move->tree], move->in_velocities, force, damping, stiffness, h), def->force_range)) {
        t->servo_force[d] += g * clamped(force, def->force_range, 1);
        return;
    }
    t->servo_force[d] += g * (law.by_speed > 0.0 ? force : still);
    t->servo_stiffness[d] += stiffness;
    t->servo_damping[d] += damping;
}

int32_t abut_servo_last(const AbutScene *scene, int32_t robot, int32_t a, int32_t *tree) {
    const AbutSceneRobot *r = &scene->robot[robot];
    const AbutActuatorDef *def = &r->model->actuators[a];
    *tree = -1;
    if (!abut_actuator_is_servo(def) || def->target == ABUT_TARGET_TENDON || def->target == ABUT_TARGET_CONTACTS)
        return -1;
    if (def->target == ABUT_TARGET_FRAME) {
        int32_t body = r->model->frames[def->number].body, place = body >= 0 ? r->body[body] : -1;
        if (place < 0 || scene->body[place].tree < 0) return -1;
        *tree = scene->body[place].tree;
        return scene->robot_tree[*tree].configuration->tree->links[scene->body[place].link].last;
    }
    const AbutRobotMove *move = move_of(r, def);
    *tree = move->tree;
    return move->tree >= 0 && move->velocity_count > 1 ? move->in_velocities + move->velocity_count - 1 : -1;
}

double abut_servo_terms(AbutSimulation *sim, const AbutTreeRow *row) {
    const AbutSceneRobot *r = robot_at(sim, row->robot);
    const AbutActuatorDef *def = &r->model->actuators[row->number];
    const double *g = def->gear;
    AbutRowTerm *term = sim->trees->term + row->first_term;
    const AbutSolverTree *tree = &sim->trees->tree[sim->trees->tree_of[term->dof]];
    if (def->target == ABUT_TARGET_FRAME) {
        int32_t place;
        AbutPose frame = frame_of(sim, r, def->number, &place);
        AbutVec3 force = abut_quat_rotate(frame.q, abut_vec3(g[0], g[1], g[2])),
                 torque = abut_quat_rotate(frame.q, abut_vec3(g[3], g[4], g[5]));
        AbutVec3 arm = abut_sub(frame.p, tree->c->origins[0]);
        AbutSpatial f = abut_spatial(abut_add(torque, abut_cross(arm, force)), force);
        for (int32_t k = 0; k < row->term_count; ++k)
            term[k].coefficient = abut_spatial_dot(tree->c->axes[term[k].dof - tree->first], f);
        return 0.0;
    }
    const AbutRobotMove *move = move_of(r, def);
    for (int32_t k = 0; k < row->term_count; ++k) {
        int32_t which = term[k].dof - tree->first - move->in_velocities;
        term[k].coefficient = which >= 0 && which < move->velocity_count ? g[which] : 0.0;
    }
    return move->velocity_count == 3 ? read_joint(sim, move, def).length : 0.0;
}

/* The force of a servo on a free body at the end of a step in which nothing else moves it. */
static double force_on_free(const AbutSimulation *sim, const AbutActuatorDef *def, AbutActuatorLaw law, double force,
    int32_t place, AbutVec3 arm, AbutVec3 linear, AbutVec3 angular, double h) {
    const AbutSolverBody *m = &sim->mover[place];
    AbutVec3 turn = abut_add(angular, abut_cross(arm, linear));
    double response = m->inv_mass * abut_length_sq(linear) + abut_dot(turn, abut_mat3_apply(m->inv_inertia, turn));
    double after = force / (1.0 + h * abut_larger(0.0, -law.by_speed) * response);
    return def->force_limited && !(after >= def->force_range[0] && after <= def->force_range[1]) ? force : after;
}

static void drive_tendon(AbutSimulation *sim, int32_t robot, int32_t a) {
    const AbutSceneRobot *r = robot_at(sim, robot);
    const AbutActuatorDef *def = &r->model->actuators[a];
    const AbutTendonDef *tendon = &r->model->tendons[def->number];
    if (resists(sim, robot, a)) return; /* a row */
    double force = def->gear[0] * abut_actuator_force(sim, robot, a);
    abut_path_push(sim, r, tendon, force, sim->trees->force);
    for (int32_t i = 0; i < tendon->count; ++i) {
        const AbutRobotMove *move = &r->move[r->move_of_joint[tendon->joints[i]]];
        sim->trees->force[sim->trees->tree[move->tree].first + move->in_velocities] += tendon->coefficients[i] * force;
    }
}

static void drive_frame(AbutSimulation *sim, int32_t robot, int32_t a, double h) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    int32_t place;
    AbutPose frame = frame_of(sim, robot_at(sim, robot), def->number, &place);
    const double *g = def->gear;
    if (place < 0) return;
    AbutVec3 linear = abut_quat_rotate(frame.q, abut_vec3(g[0], g[1], g[2])),
             angular = abut_quat_rotate(frame.q, abut_vec3(g[3], g[4], g[5]));
    AbutActuatorLaw law = abut_actuator_law_now(sim, robot, a);
    double force = raw_force(sim, robot, a);
    if (abut_actuator_is_servo(def)) /* of a body in no tree: the others are rows */
        force = force_on_free(sim, def, law, force, place, abut_sub(frame.p, sim->mover[place].x), linear, angular, h);
    force = clamped(force, def->force_range, def->force_limited);
    push_body(sim, place, frame.p, abut_scale(linear, force), abut_scale(angular, force), h);
}

void abut_actuator_push(
    const AbutSimulation *sim, int32_t robot, const AbutActuatorDef *def, double force, double *to) {
    const AbutSceneRobot *r = robot_at(sim, robot);
    const double *g = def->gear;
    if (def->target == ABUT_TARGET_TENDON) abut_path_push(sim, r, &r->model->tendons[def->number], g[0] * force, to);
    if (def->target != ABUT_TARGET_FRAME) return;
    int32_t place;
    AbutPose frame = frame_of(sim, r, def->number, &place);
    if (place < 0 || sim->scene->body[place].tree < 0) return;
    AbutVec3 linear = abut_quat_rotate(frame.q, abut_vec3(g[0], g[1], g[2])),
             angular = abut_quat_rotate(frame.q, abut_vec3(g[3], g[4], g[5]));
    abut_link_push(
        sim->trees, &sim->scene->body[place], frame.p, abut_scale(linear, force), abut_scale(angular, force), to);
}

/* An actuator along the velocities of a free body. */
static void drive_free(AbutSimulation *sim, int32_t robot, int32_t a, double h) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    const AbutRobotMove *move = move_of(robot_at(sim, robot), def);
    const double *g = def->gear;
    AbutActuatorLaw law = abut_actuator_law_now(sim, robot, a);
    double force = raw_force(sim, robot, a), f[6];
    if (abut_actuator_is_servo(def)) {
        const AbutBody *body = &sim->scene->body[move->body];
        AbutVec3 arm = abut_neg(abut_mat3_apply(body->rotation, body->local_center)),
                 angular = abut_mat3_apply(body->rotation, abut_vec3(g[3], g[4], g[5]));
        force = force_on_free(sim, def, law, force, move->body, arm, abut_vec3(g[0], g[1], g[2]), angular, h);
    }
    force = clamped(force, def->force_range, def->force_limited);
    for (int k = 0; k < 6; ++k) f[k] = g[k] * force;
    push_free(sim, move, f, h);
}

static int is_contact_of(const AbutSolverContact *c, int32_t place) { return c->body_a == place || c->body_b == place; }

/* Adhesion: each contact of the body pulls its two sides together, all with the same part of the force. */
static void drive_contacts(AbutSimulation *sim, int32_t place, double force, double h) {
    int32_t count = 0;
    for (int32_t k = 0; k < sim->islands.order_count; ++k) count += is_contact_of(abut_ordered_contact(sim, k), place);
    for (int32_t k = 0; k < sim->islands.order_count && force != 0.0; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        if (!is_contact_of(c, place)) continue;
        const AbutBody *a = &sim->scene->body[c->body_a];
        AbutVec3 point = abut_add(a->x, abut_mat3_apply(a->rotation, c->touch->p_a)),
                 pull = abut_scale(c->nu, force / count);
        push_body(sim, c->body_a, point, pull, abut_zero(), h);
        push_body(sim, c->body_b, point, abut_neg(pull), abut_zero(), h);
    }
}

static void drive(AbutSimulation *sim, int32_t robot, int32_t a, double h) {
    AbutTrees *t = sim->trees;
    const AbutSceneRobot *r = robot_at(sim, robot);
    const AbutActuatorDef *def = &r->model->actuators[a];
    int32_t tree;
    if (def->target == ABUT_TARGET_CONTACTS) {
        drive_contacts(sim, r->body[def->number], abut_actuator_force(sim, robot, a), h);
    } else if (def->target == ABUT_TARGET_JOINT && move_of(r, def)->velocity_count == 1) {
        drive_single(sim, robot, a, move_of(r, def), h);
    } else if (abut_servo_last(sim->scene, robot, a, &tree) >= 0 && resists(sim, robot, a)) {
        return; /* a row */
    } else if (def->target == ABUT_TARGET_TENDON) {
        drive_tendon(sim, robot, a);
    } else if (def->target == ABUT_TARGET_FRAME) {
        drive_frame(sim, robot, a, h);
    } else if (def->target == ABUT_TARGET_BODY) {
        drive_free(sim, robot, a, h);
    } else {
        const AbutRobotMove *move = move_of(r, def);
        double force = abut_actuator_force(sim, robot, a);
        for (int k = 0; k < 3; ++k)
            t->force[t->tree[move->tree].first + move->in_velocities + k] += def->gear[k] * force;
    }
}

/* A velocity that is asked for, or an activation that changes, keeps a robot awake. */
static int asks_for_motion(const AbutSimulation *sim, int32_t robot, int32_t a) {
    const AbutActuatorDef *def = &robot_at(sim, robot)->model->actuators[a];
    int32_t at = sim->trees->robot[robot].first_control + a;
    double w = sim->trees->activation[at], h = sim->constants.dt;
    if (def->dynamics && fabs(abut_activation_next(def, sim->trees->control[at], w, h) - w) > STILL) return 1;
    if (def->muscle || (def->bias[2] == 0.0 && def->gain_by[1] == 0.0)) return 0;
    AbutActuatorLaw law = abut_actuator_law_now(sim, robot, a);
    return law.by_speed != 0.0 && law.by_length == 0.0 && law.given != 0.0;
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* Gravity compensation along joints that say so is a force of their actuators, which a range limits. */
static void lift_by_actuators(AbutTrees *t, const AbutSolverTree *tree) {
    const AbutConfiguration *c = tree->c;
    double *lift = t->other + tree->first;
    int some = 0;
    for (int32_t i = 0; i < c->tree->move_count; ++i) some |= c->tree->moves[i].lifted;
    if (!some) return;
    memset(lift, 0, (size_t)c->tree->nv * sizeof *lift);
    abut_robot_lift(c, lift);
    for (int32_t i = 0; i < c->tree->move_count; ++i)
        for (int32_t k = 0; c->tree->moves[i].lifted && k < (c->tree->moves[i].kind == ABUT_MOVE_BALL ? 3 : 1); ++k) {
            int32_t d = c->tree->moves[i].velocity + k;
            t->force[tree->first + d] -= lift[d];
            t->servo_force[tree->first + d] += lift[d];
        }
}

static void begin_tree(AbutSimulation *sim, AbutSolverTree *tree) {
    AbutTrees *t = sim->trees;
    AbutConfiguration *c = tree->c;
    size_t bytes = (size_t)c->tree->nv * sizeof(double);
    double *cleared[] = {t->force, t->stiffness, t->servo_force, t->servo_stiffness, t->servo_damping};
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; ++i) memset(cleared[i] + tree->first, 0, bytes);
    c->gravity = sim->def.gravity;
    tree->restless = 0;
    abut_robot_springs(c, t->force + tree->first);
    memcpy(t->passive + tree->first, t->force + tree->first, bytes);
    lift_by_actuators(t, tree);
    for (int32_t i = 0; i < c->tree->move_count; ++i)
        for (int32_t k = 0; c->tree->moves[i].joint >= 0 && k < (c->tree->moves[i].kind == ABUT_MOVE_BALL ? 3 : 1); ++k)
            t->stiffness[tree->first + c->tree->moves[i].velocity + k] = c->tree->moves[i].stiffness;
    for (int32_t d = 0; d < c->tree->nv; ++d) t->damping[tree->first + d] = c->tree->dofs[d].damping;
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutSolverBody *m = &sim->mover[tree->body[i]];
        if (abut_max_abs(m->force) > 0.0 || abut_max_abs(m->torque) > 0.0)
            push_body(sim, tree->body[i], m->x, m->force, m->torque, 0.0);
    }
}

static void add_torques(AbutSimulation *sim, int32_t robot, double h) {
    const AbutSceneRobot *r = robot_at(sim, robot);
    const double *torque = sim->trees->torque + sim->trees->robot[robot].first_torque;
    for (int32_t i = 0; i < r->move_count; torque += r->move[i].velocity_count, ++i) {
        const AbutRobotMove *move = &r->move[i];
        int some = 0;
        for (int32_t k = 0; k < move->velocity_count; ++k) some |= torque[k] != 0.0;
        if (some && move->velocity_count == 6) push_free(sim, move, torque, h);
        for (int32_t k = 0; some && move->velocity_count < 6 && k < move->velocity_count; ++k)
            sim->trees->force[sim->trees->tree[move->tree].first + move->in_velocities + k] += torque[k];
    }
}

/* The actuators of a joint together keep to its range of force. */
static void add_servos(AbutSimulation *sim, const AbutSolverTree *tree, double h) {
    AbutTrees *t = sim->trees;
    const AbutConfiguration *c = tree->c;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutJointDef *def =
            c->tree->moves[i].force_limited ? &c->tree->model->joints[c->tree->moves[i].joint] : NULL;
        int32_t d = tree->first + c->tree->moves[i].velocity;
        double force = t->servo_force[d] - t->servo_damping[d] * c->v[c->tree->moves[i].velocity];
        if (!def || c->tree->moves[i].kind > ABUT_MOVE_SLIDE || is_within(force, def->force_range) ||
            is_within(
                force_after(tree, c->tree->moves[i].velocity, force, t->servo_damping[d], t->servo_stiffness[d], h),
                def->force_range))
            continue;
        t->servo_force[d] = clamped(force, def->force_range, 1);
        t->servo_stiffness[d] = t->servo_damping[d] = 0.0;
    }
    for (int32_t d = tree->first; d < tree->first + c->tree->nv; ++d) {
        t->force[d] += t->servo_force[d];
        t->stiffness[d] += t->servo_stiffness[d];
        t->damping[d] += t->servo_damping[d];
    }
}

void abut_activations_advance(AbutSimulation *sim, double h) {
    AbutTrees *t = sim->trees;
    for (int32_t r = 0; t && r < t->robot_count; ++r) {
        const AbutModel *model = robot_at(sim, r)->model;
        for (int32_t a = 0; a < model->actuator_count; ++a) {
            int32_t at = t->robot[r].first_control + a;
            if (model->actuators[a].dynamics)
                t->activation[at] = abut_activation_next(&model->actuators[a], t->control[at], t->activation[at], h);
        }
    }
}

void abut_trees_drive(AbutSimulation *sim, double h) {
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) begin_tree(sim, &t->tree[i]);
    for (int32_t r = 0; r < t->robot_count; ++r) {
        const AbutModel *model = robot_at(sim, r)->model;
        add_torques(sim, r, h);
        for (int32_t a = 0; a < model->actuator_count; ++a) {
            drive(sim, r, a, h);
            for (int32_t i = 0; i < robot_at(sim, r)->tree_count && asks_for_motion(sim, r, a); ++i)
                t->tree[robot_at(sim, r)->first_tree + i].restless = 1;
        }
    }
    for (int32_t i = 0; i < t->tree_count; ++i) add_servos(sim, &t->tree[i], h);
}
