/* SPDX-License-Identifier: Apache-2.0 */
#include "support/write_mjcf.h"
#include "math/matrix.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void add(MjcfText *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(MjcfText *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->text + t->count, sizeof t->text - t->count, format, args);
    va_end(args);
    t->count += (size_t)n;
    if (t->count >= sizeof t->text) abort();
}

static void add_vec(MjcfText *t, const char *name, AbutVec3 v) {
    add(t, " %s='%.17g %.17g %.17g'", name, v.x, v.y, v.z);
}

static void write_joint(MjcfText *t, const AbutJointDef *joint) {
    add(t, "<joint type='%s'", abut_word(abut_joint_kind_names, joint->kind));
    add_vec(t, "pos", joint->position);
    add_vec(t, "axis", joint->axis);
    add(t, " armature='%.17g' damping='%.17g' stiffness='%.17g'", joint->armature, joint->damping, joint->stiffness);
    if (joint->kind != ABUT_JOINT_BALL)
        add(t, " ref='%.17g' springref='%.17g'", joint->reference, joint->spring_reference);
    add(t, "/>");
}

static void write_body(MjcfText *t, const AbutModel *model, int32_t b) {
    const AbutBodyDef *body = &model->bodies[b];
    double value[3];
    AbutMat3 axes = abut_mat3_eigen_symmetric(body->inertia, value); /* MuJoCo's own eigenvalues have nine digits */
    AbutQuat q = body->pose.q, turn = abut_quat_from_mat3(axes);
    add(t, "<body name='b%d' quat='%.17g %.17g %.17g %.17g'", (int)b, q.w, q.x, q.y, q.z);
    add_vec(t, "pos", body->pose.p);
    add(t, "><inertial mass='%.17g' diaginertia='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'", body->mass,
        value[0], value[1], value[2], turn.w, turn.x, turn.y, turn.z);
    add_vec(t, "pos", body->center);
    add(t, "/>");
    if (body->kind == ABUT_BODY_DYNAMIC) add(t, "<joint type='free' armature='%.17g'/>", body->armature);
    for (int32_t j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j))
        write_joint(t, &model->joints[j]);
    for (int32_t k = b + 1; k < model->body_count; ++k)
        if (model->bodies[k].parent == b) write_body(t, model, k);
    add(t, "</body>");
}

void write_mjcf(MjcfText *t, const AbutModel *model) {
    t->count = 0;
    add(t, "<mujoco><compiler angle='radian'/><option gravity='%.17g %.17g %.17g'/><worldbody>", model->gravity.x,
        model->gravity.y, model->gravity.z);
    for (int32_t b = 0; b < model->body_count; ++b)
        if (model->bodies[b].parent < 0) write_body(t, model, b);
    add(t, "</worldbody></mujoco>");
}
