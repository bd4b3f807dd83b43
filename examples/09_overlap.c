/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common volume of two bodies as a polyhedron whose faces know where they come from: a cube and an octahedron that
 * sinks into it. The sum of area times normal over the faces of A gives the normal of the contact.
 */
#include <abut/abut.h>
#include <stdio.h>

static double area_of(const AbutOverlap *o, int owner) {
    double area = 0.0;
    for (int f = 0; f < o->face_count; ++f) area += o->face[f].owner == owner ? o->face[f].area : 0.0;
    return area;
}

int main(void) {
    AbutPolyhedron *polyhedron;
    AbutError error;
    if (abut_polyhedron_regular(8, 1.0, &polyhedron, &error)) return fprintf(stderr, "%s\n", error.text), 1;
    AbutConvex cube = abut_convex_box(abut_vec3(1, 1, 1), 0.0), octahedron = abut_convex_polyhedron(polyhedron, 0.0);

    /* Memory comes from the caller, once; the cache makes the next step cheaper. */
    size_t bytes = abut_overlap_workspace_size(&cube, &octahedron);
    void *workspace = abut_alloc(bytes);
    AbutOverlapCache cache = {0};
    double worst = 0.0;
    for (int i = 0; workspace && i <= 4; ++i) {
        double sunk = 0.25 * i; /* of the lower tip below the top face */
        AbutPose pose = abut_pose(abut_vec3(0.1, 0.2, 2.0 - sunk), abut_quat_identity());
        AbutOverlap o = abut_overlap(&cube, &octahedron, pose, &cache, workspace, bytes);
        if (o.outcome != ABUT_OVERLAP_VOLUME) {
            printf("sunk %.2f m: no volume\n", sunk);
            continue;
        }
        printf("sunk %.2f m: volume %.6f m^3, %d faces, %.4f m^2 from the cube, %.4f m^2 from the octahedron, normal z "
               "%.3f\n",
            sunk, o.volume, o.face_count, area_of(&o, 0), area_of(&o, 1), o.normal.z);
        /* a pyramid over a square of diagonals 2 sunk until it meets the sides of the cube */
        if (sunk <= 0.75) worst = fmax(worst, fabs(o.volume - 2.0 / 3.0 * sunk * sunk * sunk));
    }
    abut_free(workspace);
    abut_polyhedron_free(polyhedron);
    return workspace && worst < 1e-12 ? 0 : 1;
}
