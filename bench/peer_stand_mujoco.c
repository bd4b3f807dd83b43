/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MuJoCo on robots that stand or act: the bodies, boxes, joints, couplings and servos of a model as MJCF, as many times
 * as asked for, on a plane. Newton solver and Euler steps, which are its fastest.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/mujoco_text.h"
#include "bench/robot_peer.h"

typedef struct State {
    mjModel *model;
    mjData *data;
} State;

/* Damping of a joint, that of its servo included: MuJoCo takes steps with it implicitly, with a servo's own it does
 * not. */
static double damping_of(const AbutModel *m, int32_t joint) {
    double sum = m->joints[joint].damping;
    for (int32_t a = 0; a < m->actuator_count; ++a)
        if (m->actuators[a].target == ABUT_TARGET_JOINT && m->actuators[a].number == joint)
            sum -= m->actuators[a].bias[2];
    return sum;
}

static void write_body(MujocoText *t, const AbutModel *m, int32_t b, int copy, double x) {
    const AbutBodyDef *body = &m->bodies[b];
    AbutMat3 i = body->inertia;
    AbutQuat q = body->pose.q;
    mujoco_put(t, "<body name='b%d_%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", copy, (int)b,
        body->pose.p.x + x, body->pose.p.y, body->pose.p.z, q.w, q.x, q.y, q.z);
    if (body->mass > 0.0)
        mujoco_put(t,
            "<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>",
            body->center.x, body->center.y, body->center.z, body->mass, i.x.x, i.y.y, i.z.z, i.y.x, i.z.x, i.z.y);
    if (body->kind == ABUT_BODY_DYNAMIC) mujoco_put(t, "<freejoint/>");
    for (int32_t j = abut_model_next_joint(m, b, -1); j >= 0; j = abut_model_next_joint(m, b, j)) {
        const AbutJointDef *d = &m->joints[j];
        mujoco_put(t,
            "<joint name='j%d_%d' type='%s' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g' damping='%g' "
            "armature='%g'",
            copy, (int)j, d->kind == ABUT_JOINT_SLIDE ? "slide" : "hinge", d->position.x, d->position.y, d->position.z,
            d->axis.x, d->axis.y, d->axis.z, damping_of(m, j), d->armature);
        mujoco_put(t, " frictionloss='%g' limited='%s' range='%.17g %.17g'/>", d->friction_loss,
            d->limited ? "true" : "false", d->range[0], d->range[1]);
    }
    for (int32_t s = abut_model_next_shape(m, b, -1); s >= 0; s = abut_model_next_shape(m, b, s)) {
        const AbutShapeDef *d = &m->shapes[s];
        if (d->form.kind == ABUT_SHAPE_BOX)
            mujoco_put(t,
                "<geom type='box' size='%g %g %g' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g' mass='0'/>",
                d->form.size.x, d->form.size.y, d->form.size.z, d->pose.p.x, d->pose.p.y, d->pose.p.z, d->pose.q.w,
                d->pose.q.x, d->pose.q.y, d->pose.q.z);
    }
    for (int32_t k = b + 1; k < m->body_count; ++k)
        if (m->bodies[k].kind == ABUT_BODY_LINK && m->bodies[k].parent == b) write_body(t, m, k, copy, 0.0);
    mujoco_put(t, "</body>");
}

/* Bodies that hang on nothing, but for the ground. */
static int is_root(const AbutModel *m, int32_t b) {
    int32_t s = abut_model_next_shape(m, b, -1);
    return m->bodies[b].parent < 0 && !(s >= 0 && m->shapes[s].form.kind == ABUT_SHAPE_HALF_SPACE);
}

static void write_rules(MujocoText *t, const AbutModel *m, int copy) {
    mujoco_put(t, "<contact>");
    for (int32_t i = 0; i < m->pair_count; ++i)
        if (m->pairs[i].exclude)
            mujoco_put(
                t, "<exclude body1='b%d_%d' body2='b%d_%d'/>", copy, (int)m->pairs[i].a, copy, (int)m->pairs[i].b);
    for (int32_t b = 0; b < m->body_count; ++b) /* MuJoCo lets links meet what they hang on where that stands still */
        if (m->bodies[b].parent >= 0 && m->bodies[m->bodies[b].parent].kind == ABUT_BODY_STATIC)
            mujoco_put(t, "<exclude body1='b%d_%d' body2='b%d_%d'/>", copy, (int)b, copy, (int)m->bodies[b].parent);
    mujoco_put(t, "</contact><equality>");
    for (int32_t i = 0; i < m->equality_count; ++i) {
        const AbutEqualityDef *e = &m->equalities[i];
        const double *p = e->polynomial;
        if (e->kind == ABUT_EQUALITY_JOINT && !e->inactive)
            mujoco_put(t, "<joint joint1='j%d_%d' joint2='j%d_%d' polycoef='%g %g %g %g %g'/>", copy, (int)e->a, copy,
                (int)e->b, p[0], p[1], p[2], p[3], p[4]);
    }
    mujoco_put(t, "</equality>");
}

static void write_servos(MujocoText *t, const AbutModel *m, int copy) {
    for (int32_t a = 0; a < m->actuator_count; ++a) {
        const AbutActuatorDef *d = &m->actuators[a];
        mujoco_put(t, "<general joint='j%d_%d' biastype='affine' gainprm='%g' biasprm='%g %g 0'/>", copy,
            (int)d->number, d->gain, d->bias[0], d->bias[1]);
    }
}

/* Positions and controls of the first keyframe, for each copy; the trunk beside that of the copy before. */
static void set_state(State *s, const AbutModel *m, int copies, double apart) {
    const AbutKeyframeDef *key = &m->keyframes[0];
    int whole = m->keyframe_count > 0 && copies * key->position_count == s->model->nq &&
                copies * key->control_count == s->model->nu;
    for (int c = 0; c < copies && whole; ++c) {
        memcpy(s->data->qpos + c * key->position_count, key->positions, (size_t)key->position_count * sizeof(double));
        s->data->qpos[c * key->position_count] += c * apart;
        memcpy(s->data->ctrl + c * key->control_count, key->controls, (size_t)key->control_count * sizeof(double));
    }
}

static void *open_standing(const AbutModel *m, int copies, double apart) {
    MujocoText t = {NULL, 0, 0};
    State *s = bench_memory(1, sizeof *s);
    mujoco_put(&t,
        "<mujoco><compiler angle='radian'/><option timestep='0.001' solver='Newton' integrator='Euler'/><size "
        "nconmax='2000' njmax='8000'/><worldbody>");
    mujoco_put(&t, "<geom type='plane' size='100 100 1'/>");
    for (int c = 0; c < copies; ++c)
        for (int32_t b = 0; b < m->body_count; ++b)
            if (is_root(m, b)) write_body(&t, m, b, c, c * apart);
    mujoco_put(&t, "</worldbody>");
    for (int c = 0; c < copies; ++c) write_rules(&t, m, c);
    mujoco_put(&t, "<actuator>");
    for (int c = 0; c < copies; ++c) write_servos(&t, m, c);
    mujoco_put(&t, "</actuator></mujoco>");
    s->model = mujoco_load(t.memory, t.used);
    free(t.memory);
    if (!s->model) exit(1);
    s->data = mj_makeData(s->model);
    set_state(s, m, copies, apart);
    return s;
}

static double step(void *user) {
    State *s = user;
    mj_step(s->model, s->data);
    return s->data->qpos[2];
}

static void close_standing(void *user) {
    State *s = user;
    mj_deleteData(s->data);
    mj_deleteModel(s->model);
    abut_free(s);
}

static void reset(void *user, const double *q) {
    State *s = user;
    mj_resetData(s->model, s->data);
    memcpy(s->data->qpos, q, (size_t)s->model->nq * sizeof *q);
}

static void control(void *user, const double *u) {
    State *s = user;
    memcpy(s->data->ctrl, u, (size_t)s->model->nu * sizeof *u);
}

static double look(void *user, int place) {
    const State *s = user;
    return s->data->qpos[place];
}

const BenchStandPeer bench_stand_mujoco = {"MuJoCo", open_standing, step, close_standing, reset, control, look};
