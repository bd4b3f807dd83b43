/* SPDX-License-Identifier: Apache-2.0 */
/* How far apart are two bodies, and where: a die above a capsule, the nearest points in the world frame. */
#include <abut/abut.h>
#include <stdio.h>

static void print(const char *name, AbutVec3 v) { printf("  %-8s (%8.5f, %8.5f, %8.5f)\n", name, v.x, v.y, v.z); }

int main(void) {
    /* Bodies in their own frames. A radius rounds a body: a segment with a radius is a capsule. */
    AbutConvex die = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0.0);
    AbutConvex bar = abut_convex_segment(abut_vec3(-1, 0, 0), abut_vec3(1, 0, 0), 0.2);

    /* Where they are in the world. The query wants B seen from A. */
    AbutPose die_pose = abut_pose(abut_vec3(0, 0, 1.5), abut_quat_axis_angle(abut_vec3(1, 0, 0), ABUT_PI / 4));
    AbutPose bar_pose = abut_pose_identity();
    AbutWork work = {0};
    AbutGapDef def = {.work = &work};
    AbutGap d = abut_convex_distance(&die, &bar, abut_pose_between(die_pose, bar_pose), &def, NULL);
    if (d.outcome != ABUT_SEPARATED) return 1;

    /* The answer is in the frame of A. */
    AbutGap world = abut_gap_in(die_pose, d);
    printf("distance %.6f m after %d support points\n", d.distance, (int)work.supports);
    print("on die", world.point_a);
    print("on bar", world.point_b);
    print("normal", world.normal);

    /* An edge of the die looks down: 1.5 - sqrt(1/2) - 0.2. */
    return fabs(d.distance - (1.3 - sqrt(0.5))) < 1e-12 && fabs(world.point_b.z - 0.2) < 1e-12 ? 0 : 1;
}
