/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the distance changes when a body moves: the derivative by the pose of B, beside differences of the distance
 * itself, and a descent that brings B to a wanted distance.
 */
#include <abut/abut.h>
#include <stdio.h>

static AbutGap ask(const AbutConvex *a, const AbutConvex *b, AbutPose pose_b) {
    return abut_convex_distance(a, b, pose_b, NULL, NULL); /* A stands at the origin, so the frame of A is the world */
}

/* Pose moved by a small step along column k of the derivative: 0-2 translation, 3-5 rotation, world axes. */
static AbutPose nudge(AbutPose pose, int k, double step) {
    if (k < 3)
        pose.p = abut_add_scaled(pose.p, abut_axis(k), step);
    else
        pose.q = abut_quat_mul(abut_quat_axis_angle(abut_axis(k - 3), step), pose.q);
    return pose;
}

int main(void) {
    AbutConvex a = abut_convex_box(abut_vec3(0.5, 0.4, 0.3), 0.0);
    AbutConvex b = abut_convex_triangle(abut_vec3(0.3, 0, 0), abut_vec3(0, 0.4, 0.1), abut_vec3(-0.2, -0.1, 0.5), 0.05);
    AbutPose pose = abut_pose(abut_vec3(1.2, 0.3, 0.1), abut_quat_axis_angle(abut_normalize(abut_vec3(1, -1, 2)), 0.7));

    AbutGap d = ask(&a, &b, pose);
    AbutDistanceDerivative g = abut_distance_derivative(&a, &b, abut_pose_identity(), pose, &d);
    if (!g.valid) return 1; /* two features are equally near: no derivative here */
    double worst = 0.0, h = 1e-6;
    for (int k = 0; k < 6; ++k) {
        double slope = (ask(&a, &b, nudge(pose, k, h)).distance - ask(&a, &b, nudge(pose, k, -h)).distance) / (2 * h);
        printf("  column %2d: %+.8f, by differences %+.8f\n", 6 + k, g.distance[6 + k], slope);
        worst = fmax(worst, fabs(slope - g.distance[6 + k]));
    }

    /* Newton steps in translation until B is 0.1 m away. */
    for (int i = 0; i < 20 && fabs(d.distance - 0.1) > 1e-12; ++i) {
        g = abut_distance_derivative(&a, &b, abut_pose_identity(), pose, &d);
        AbutVec3 slope = abut_vec3(g.distance[6], g.distance[7], g.distance[8]);
        pose.p = abut_add_scaled(pose.p, slope, (0.1 - d.distance) / abut_length_sq(slope));
        d = ask(&a, &b, pose);
    }
    printf("moved to (%.6f, %.6f, %.6f): distance %.12f\n", pose.p.x, pose.p.y, pose.p.z, d.distance);
    return worst < 1e-6 && fabs(d.distance - 0.1) < 1e-9 ? 0 : 1;
}
