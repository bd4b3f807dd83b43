/* SPDX-License-Identifier: Apache-2.0 */
#include "support/random_trees.h"

#include <stdio.h>
#include <stdlib.h>

static AbutVec3 random_vec(AbutRng *rng) {
    double x = abut_rng_between(rng, -0.5, 0.5), y = abut_rng_between(rng, -0.5, 0.5);
    return abut_vec3(x, y, abut_rng_between(rng, -0.5, 0.5));
}

static void must(AbutStatus status, const AbutError *error) {
    if (!status) return;
    fprintf(stderr, "%s\n", error->text);
    abort();
}

/* Of a box with random sides, turned. */
static void random_mass(AbutRng *rng, AbutBodyDef *body) {
    double a = abut_rng_between(rng, 0.1, 0.5), b = abut_rng_between(rng, 0.1, 0.5),
           c = abut_rng_between(rng, 0.1, 0.5);
    AbutMat3 r = abut_quat_to_mat3(abut_random_quat(rng));
    body->mass = abut_rng_between(rng, 0.1, 2.0);
    body->center = random_vec(rng);
    AbutMat3 own = abut_mat3_diagonal(b * b + c * c, a * a + c * c, a * a + b * b);
    body->inertia = abut_mat3_scale(abut_mat3_mul(abut_mat3_mul(r, own), abut_mat3_transpose(r)), body->mass / 12.0);
}

static void add_joints(AbutRng *rng, AbutModel *model, int32_t body, uint32_t count) {
    AbutError error = {0};
    int velocities = 0; /* MuJoCo takes at most 6 in a body */
    for (uint32_t i = 0; i < count; ++i) {
        AbutJointDef joint = abut_joint_default();
        joint.kind = (AbutJointKind)abut_rng_below(rng, velocities > 3 ? ABUT_JOINT_BALL : ABUT_JOINT_KIND_COUNT);
        velocities += joint.kind == ABUT_JOINT_BALL ? 3 : 1;
        if (velocities > 6) return;
        joint.body = body;
        if (abut_rng_below(rng, 3)) joint.position = random_vec(rng);
        joint.axis = abut_random_direction(rng);
        joint.armature = count > 1 || abut_rng_below(rng, 2) ? abut_rng_between(rng, 0.05, 0.1) : 0.0;
        joint.damping = abut_rng_unit(rng);
        joint.stiffness = abut_rng_below(rng, 2) ? abut_rng_unit(rng) : 0.0;
        joint.reference = joint.kind == ABUT_JOINT_BALL ? 0.0 : abut_rng_between(rng, -1.0, 1.0);
        joint.spring_reference = abut_rng_between(rng, -1.0, 1.0);
        must(abut_model_add_joint(model, &joint, NULL, &error), &error);
    }
}

static void add_body(AbutRng *rng, AbutModel *model) {
    AbutError error = {0};
    AbutBodyDef body = abut_body_default();
    int32_t count = model->body_count, number;
    body.kind = ABUT_BODY_LINK;
    body.pose = abut_pose(random_vec(rng), abut_random_quat(rng));
    random_mass(rng, &body);
    if (count == 0 || abut_rng_below(rng, 6) == 0)
        body.kind = abut_rng_below(rng, 2) ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
    if (body.kind == ABUT_BODY_DYNAMIC && abut_rng_below(rng, 3) == 0) body.armature = 0.05;
    if (body.kind == ABUT_BODY_LINK && abut_rng_below(rng, 8))
        body.parent = (int32_t)abut_rng_below(rng, (uint32_t)count);
    body.gravity_compensation = abut_rng_below(rng, 4) ? 0.0 : 0.7;
    must(abut_model_add_body(model, &body, &number, &error), &error);
    if (body.kind == ABUT_BODY_LINK) add_joints(rng, model, number, abut_rng_below(rng, 4));
}

AbutModel *random_tree(AbutRng *rng, int bodies) {
    AbutModel *model;
    AbutError error = {0};
    must(abut_model_create(&model, &error), &error);
    model->gravity = abut_vec3(1.0, -2.0, -9.0);
    for (int i = 0; i < bodies; ++i) add_body(rng, model);
    AbutFrameDef frame = abut_frame_default();
    frame.name = "tip";
    frame.body = bodies - 1;
    frame.pose = abut_pose(random_vec(rng), abut_random_quat(rng));
    must(abut_model_add_frame(model, &frame, NULL, &error), &error);
    return model;
}

AbutModel *hinge_chain(int links) {
    AbutModel *model;
    AbutError error = {0};
    must(abut_model_create(&model, &error), &error);
    for (int32_t i = 0; i < links; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutJointDef joint = abut_joint_default();
        body.kind = ABUT_BODY_LINK;
        body.parent = i - 1;
        body.pose.p = abut_vec3(i ? 0.1 : 0.0, 0.0, 0.0);
        body.mass = 0.1;
        body.center = abut_vec3(0.05, 0.0, 0.0);
        body.inertia = abut_mat3_diagonal(1e-5, 1e-4, 1e-4);
        joint.body = i;
        joint.axis = abut_axis(i % 2 ? 2 : 1);
        must(abut_model_add_body(model, &body, NULL, &error), &error);
        must(abut_model_add_joint(model, &joint, NULL, &error), &error);
    }
    return model;
}

void random_state(AbutRng *rng, const AbutModel *model, double *q, double *v) {
    for (int32_t b = 0; b < model->body_count; ++b) {
        int quats = model->bodies[b].kind == ABUT_BODY_DYNAMIC;
        for (int i = 0; quats && i < 3; ++i) *q++ = abut_rng_between(rng, -1.0, 1.0);
        for (int32_t j = -1; quats || (j = abut_model_next_joint(model, b, j)) >= 0; quats = 0) {
            if (quats || model->joints[j].kind == ABUT_JOINT_BALL) {
                AbutQuat turn = abut_random_quat(rng);
                *q++ = turn.w, *q++ = turn.x, *q++ = turn.y, *q++ = turn.z;
            } else {
                *q++ = abut_rng_between(rng, -1.5, 1.5);
            }
        }
    }
    for (int32_t i = 0; i < abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES); ++i)
        *v++ = abut_rng_between(rng, -2.0, 2.0);
}
