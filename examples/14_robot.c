/* SPDX-License-Identifier: Apache-2.0 */
/* A robot from C: two links on hinges; the torques that hold it, and joint angles that bring its tip to a point. */
#include <stdio.h>

#include "abut/abut.h"

int main(void)
{
    AbutModel *model;
    AbutConfiguration *c;
    if (abut_model_create(&model, NULL))
        return 1;
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
        if (abut_model_add_body(model, &link, NULL, NULL) || abut_model_add_joint(model, &hinge, NULL, NULL))
            return 1;
    }
    if (abut_configuration_create(model, &c, NULL))
        return 1;
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
    if (abut_configuration_ik(c, 1, &task, &settings, &result, NULL) || !result.reached)
        return 1;
    const double *q = abut_configuration_positions(c);
    printf("the tip is at (0.6, 0, 0.4) for the angles %.4f and %.4f\n", q[0], q[1]);
    abut_configuration_free(c);
    abut_model_free(model);
    return 0;
}
