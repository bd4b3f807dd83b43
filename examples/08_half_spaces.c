/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two regions given by inequalities meet? In the plane: a triangle against a half-infinite strip. The answer carries
 * its proof, a common point or a line between them.
 */
#include <abut/abut.h>
#include <stdio.h>

int main(void) {
    /* x >= 0, y >= 0, x + y <= 1; and x >= s, 0.2 <= y <= 0.4, open to the right. A row says normal . x <= offset. */
    static const double triangle_rows[] = {-1, 0, 0, -1, 1, 1}, triangle_offsets[] = {0, 0, 1};
    static const double strip_rows[] = {-1, 0, 0, -1, 0, 1};
    double workspace[4096];
    if (abut_intersect_workspace_size(2, 6) > sizeof workspace) return 1;

    int good = 0;
    for (int k = 0; k < 3; ++k) {
        double s = 0.5 + 0.3 * k; /* they meet up to s = 0.8: touching counts */
        double strip_offsets[] = {-s, -0.2, 0.4};
        AbutRegion a = {3, triangle_rows, triangle_offsets}, b = {3, strip_rows, strip_offsets};
        AbutIntersection r = abut_intersect_regions(2, &a, &b, NULL, workspace, sizeof workspace);
        printf("strip from %.1f: ", s);
        if (r.outcome == ABUT_INTERSECT_MEET)
            printf("meet at (%.4f, %.4f)\n", r.witness[0], r.witness[1]);
        else if (r.outcome == ABUT_INTERSECT_APART)
            printf(
                "apart by %.4f about the line %.4f x + %.4f y = %.4f\n", r.gap, r.plane[0], r.plane[1], r.plane_offset);
        good += r.outcome == (k < 2 ? ABUT_INTERSECT_MEET : ABUT_INTERSECT_APART);
    }
    return good == 3 ? 0 : 1;
}
