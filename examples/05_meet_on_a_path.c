/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Yes or no along a path: a dodecahedron flies past an icosahedron in small steps. The cache of the pair carries the
 * last separating direction, so most steps need one or two looks at the bodies.
 */
#include <abut/abut.h>
#include <stdio.h>

int main(void) {
    AbutPolyhedron *twelve, *twenty;
    AbutError error;
    if (abut_polyhedron_regular(12, 1.0, &twelve, &error) || abut_polyhedron_regular(20, 1.0, &twenty, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    AbutConvex a = abut_convex_polyhedron(twelve, 0.0), b = abut_convex_polyhedron(twenty, 0.0);

    AbutConvexCache cache = {0}; /* one per pair; zeroed is a valid start */
    int steps = 1000, meeting = 0, changes = 0, last = 0;
    for (int i = 0; i <= steps; ++i) {
        double t = (double)i / steps;
        AbutPose b_in_a = abut_pose(abut_vec3(-4 + 8 * t, 0.9, 0.4), abut_quat_axis_angle(abut_axis(2), 3 * t));
        int meet = abut_convex_meet(&a, &b, b_in_a, &cache);
        if (meet < 0) return 1; /* not a number somewhere */
        if (meet != last) printf("step %4d: they %s\n", i, meet ? "meet" : "part");
        changes += meet != last;
        meeting += meet;
        last = meet;
        /* The cache changes the cost, never the answer. */
        if (i % 100 == 0 && abut_convex_meet(&a, &b, b_in_a, NULL) != meet) return 1;
    }
    printf("%d of %d steps in contact\n", meeting, steps + 1);
    abut_polyhedron_free(twelve);
    abut_polyhedron_free(twenty);
    return changes == 2 ? 0 : 1;
}
