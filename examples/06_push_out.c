/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How deep do two bodies overlap, and what is the shortest way out? A small box sits inside a large hull; moving it by
 * the depth along the normal makes the two touch, and by 99 % of it does not.
 */
#include <abut/abut.h>
#include <stdio.h>

static AbutGap ask(const AbutPolyhedron *hull, AbutVec3 half_size, AbutPose b_in_a) {
    AbutConvex a = abut_convex_polyhedron(hull, 0.0), b = abut_convex_box(half_size, 0.0);
    return abut_convex_distance(&a, &b, b_in_a, NULL, NULL);
}

int main(void) {
    static const char *const names[] = {"separated", "touching", "penetrating", "not converged", "invalid"};
    AbutVec3 half_size = abut_vec3(0.3, 0.1, 0.2);
    AbutPolyhedron *hull;
    AbutError error;
    if (abut_polyhedron_prism(7, 1.0, 1.0, 1.5, &hull, &error) != ABUT_OK)
        return fprintf(stderr, "%s\n", error.text), 1;

    AbutPose start =
        abut_pose(abut_vec3(0.2, -0.1, 0.3), abut_quat_axis_angle(abut_normalize(abut_vec3(1, 2, 3)), 0.8));
    AbutGap d = ask(hull, half_size, start);
    printf("depth %.6f m along (%.4f, %.4f, %.4f)\n", -d.distance, d.normal.x, d.normal.y, d.normal.z);

    static const double parts[] = {0.0, 0.5, 0.99, 1.0, 1.01};
    int good = 0;
    for (int i = 0; i < 5; ++i) {
        AbutPose moved = start;
        moved.p = abut_add_scaled(start.p, d.normal, -d.distance * parts[i]);
        AbutGap after = ask(hull, half_size, moved);
        printf("  moved by %4.0f %% of it: %-12s %+.2e m\n", 100 * parts[i], names[after.outcome], after.distance);
        AbutGapOutcome expected = i < 3 ? ABUT_PENETRATING : (i == 3 ? ABUT_TOUCHING : ABUT_SEPARATED);
        good += after.outcome == expected;
    }
    abut_polyhedron_free(hull);
    return good == 5 ? 0 : 1;
}
