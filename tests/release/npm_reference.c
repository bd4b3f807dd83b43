/* SPDX-License-Identifier: Apache-2.0 */
/* Distances by the native library, for tests/release/npm_compare.mjs. In: words of A and B, then poses of B in A as
 * seven numbers each, on standard input. Out: outcome, distance and the point of A, a line for each pose. */
#include "abut/solid.h"

#include <stdio.h>

int main(int argc, char **argv) {
    AbutConvex a, b;
    AbutPose pose;
    int found[2] = {0, 0};
    if (argc != 3 || abut_convex_parse(argv[1], &a, &found[0], NULL) != ABUT_OK ||
        abut_convex_parse(argv[2], &b, &found[1], NULL) != ABUT_OK || !found[0] || !found[1])
        return 2;
    while (scanf("%lf %lf %lf %lf %lf %lf %lf", &pose.p.x, &pose.p.y, &pose.p.z, &pose.q.w, &pose.q.x, &pose.q.y,
               &pose.q.z) == 7) {
        AbutGap gap = abut_distance(abut_solid_convex(&a), abut_solid_convex(&b), pose, NULL, NULL);
        printf("%s %.17g %.17g %.17g %.17g\n", abut_word(abut_gap_outcome_names, gap.outcome), gap.distance,
            gap.point_a.x, gap.point_a.y, gap.point_a.z);
    }
    return 0;
}
