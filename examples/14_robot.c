/* SPDX-License-Identifier: Apache-2.0 */
/* A robot from C: two links on hinges; the torques that hold it, joint angles that bring its tip to a point, and how
 * near the upper link comes to a post on its way there, with proof. */
#include <stdio.h>

#include "abut/abut.h"

/* The upper link as a capsule, a post beside it, from stretched out to q within a second. */
static int passes_a_post(const AbutTree *tree, const double *q) {
    AbutConvex shape[2] = {abut_convex_segment(abut_zero(), abut_vec3(0.5, 0.0, 0.0), 0.04),
        abut_convex_segment(abut_vec3(1.0, 0.0, 0.45), abut_vec3(1.0, 0.0, 1.0), 0.05)};
    const double times[2] = {0.0, 1.0}, rows[2][2] = {{0.0, 0.0}, {q[0], q[1]}};
    AbutRobotMotion *motion;
    AbutClearanceBody *body[2] = {NULL, NULL};
    AbutClearanceSpace *space = NULL;
    if (abut_robot_motion_create(tree, 2, times, rows[0], &motion, NULL)) return 0;
    int good = !abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&shape[0])}, &body[0], NULL) &&
               !abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&shape[1])}, &body[1], NULL) &&
               !abut_clearance_space_create(0, &space, NULL);
    if (good) {
        AbutMover link = {abut_solid_prepared(body[0]), abut_robot_motion_body(motion, 1)};
        AbutMover post = {abut_solid_prepared(body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = {.from = 0.0, .to = 1.0};
        AbutClearance x = abut_clearance(&link, &post, &def, space);
        printf("on its way it is never nearer to the post than %.4f m, and %.4f m at %.3f s\n", x.lb, x.ub, x.t);
        good = x.status == ABUT_CLEARANCE_CLEAR;
    }
    abut_clearance_space_free(space);
    abut_clearance_body_free(body[0]);
    abut_clearance_body_free(body[1]);
    abut_robot_motion_free(motion);
    return good;
}

int main(void) {
    AbutModel *model;
    const AbutTree *tree;
    AbutConfiguration *c;
    if (abut_model_create(&model, NULL)) return 1;
    for (int32_t i = 0; i < 2; ++i) { /* each link is 0.5 m long and lies along x */
        AbutBodyDef link = abut_body_default();
        AbutJointDef hinge = abut_joint_default();
        link.kind = ABUT_BODY_LINK;
        link.parent = i - 1;
        link.pose.p = abut_vec3(i ? 0.5 : 0.0, 0.0, 0.0);
        link.mass = 1.0;
        link.center = abut_vec3(0.25, 0.0, 0.0);
        link.inertia = abut_mat3_diagonal(0.001, 0.02, 0.02);
        hinge.body = i;
        hinge.axis = abut_vec3(0.0, -1.0, 0.0); /* positive angles lift */
        if (abut_model_add_body(model, &link, NULL, NULL) || abut_model_add_joint(model, &hinge, NULL, NULL)) return 1;
    }
    if (abut_tree_create(model, &tree, NULL) || abut_configuration_create(tree, &c, NULL)) return 1;
    double torques[2];
    abut_configuration_bias(c, torques);
    printf("stretched out it is held by %.4f and %.4f N m\n", torques[0], torques[1]);
    AbutIkTask task = abut_ik_task_default();
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    task.kind = ABUT_IK_POSITION;
    task.body = 1;
    task.pose.p = abut_vec3(0.5, 0.0, 0.0);
    task.target.p = abut_vec3(0.6, 0.0, 0.4);
    if (abut_configuration_ik(c, 1, &task, &settings, &result, NULL) || !result.reached) return 1;
    const double *q = abut_configuration_positions(c);
    printf("the tip is at (0.6, 0, 0.4) for the angles %.4f and %.4f\n", q[0], q[1]);
    int good = passes_a_post(tree, q);
    abut_configuration_free(c);
    abut_tree_release(tree);
    abut_model_free(model);
    return good ? 0 : 1;
}
