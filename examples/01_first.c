/* SPDX-License-Identifier: Apache-2.0 */
#include <abut/abut.h>
#include <stdio.h>

int main(void) {
    AbutConvex box = abut_convex_box(abut_vec3(0.2, 0.2, 0.2), 0.0); /* half sizes, m */
    AbutConvex ball = abut_convex_point(abut_vec3(0, 0, 0), 0.1);    /* a point with a radius */
    AbutPose poses[] = {abut_pose_identity(), abut_pose_identity()}; /* of the ball, in the frame of the box */
    poses[0].p.z = 1.0;
    poses[1].p.z = 0.25;
    for (int i = 0; i < 2; ++i) {
        AbutGap gap = abut_distance(abut_solid_convex(&box), abut_solid_convex(&ball), poses[i], NULL, NULL);
        printf("%s: %.2f m, normal (%g, %g, %g)\n", abut_word(abut_gap_outcome_names, gap.outcome), gap.distance,
            gap.normal.x, gap.normal.y, gap.normal.z);
    }
    return 0;
}
