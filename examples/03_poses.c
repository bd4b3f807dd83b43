/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poses: a pose maps the coordinates of a body to those of the world. Two bodies, the pose of one seen from the other,
 * and a path between two poses.
 */
#include <abut/abut.h>
#include <stdio.h>

static void print(const char *name, AbutVec3 v) { printf("%-28s (%8.4f, %8.4f, %8.4f)\n", name, v.x, v.y, v.z); }

int main(void) {
    /* A stands one meter along x; B is turned by 90 degrees about z and stands two meters along y. */
    AbutPose a = abut_pose(abut_vec3(1, 0, 0), abut_quat_identity());
    AbutPose b = abut_pose(abut_vec3(0, 2, 0), abut_quat_axis_angle(abut_axis(2), ABUT_PI / 2));

    AbutVec3 tip = abut_vec3(0.5, 0, 0); /* in B */
    AbutVec3 in_world = abut_pose_apply(b, tip);
    AbutVec3 in_a = abut_pose_apply(abut_pose_between(a, b), tip);
    print("tip of B in the world", in_world);
    print("tip of B seen from A", in_a);
    print("the same, the long way", abut_pose_apply_inv(a, in_world));

    AbutVec3 turn = abut_quat_log(abut_quat_mul(abut_quat_conj(a.q), b.q)); /* the shorter way round */
    for (int i = 0; i <= 4; ++i) {
        double t = i / 4.0;
        AbutQuat turned = abut_quat_mul(a.q, abut_quat_exp(abut_scale(turn, t)));
        AbutPose on_the_way = abut_pose(abut_lerp(a.p, b.p, t), turned);
        char name[40];
        snprintf(name, sizeof name, "tip on the way, t = %.2f", t);
        print(name, abut_pose_apply(on_the_way, tip));
    }
    return abut_point_distance(in_a, abut_pose_apply_inv(a, in_world)) < 1e-15 ? 0 : 1;
}
