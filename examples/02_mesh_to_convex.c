/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a mesh to simpler bodies: what the mesh encloses, its convex hull, and a capsule around it.
 * Usage: 02_mesh_to_convex [FILE]     without a file, a procedural fish is used
 */
#include <abut/abut.h>
#include <stdio.h>

static int fail(const AbutError *error) {
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

static void print_mass(const char *name, AbutMass mass) {
    printf("%-8s volume %.6g m^3, centroid (%.4g, %.4g, %.4g)\n", name, mass.volume, mass.centroid.x, mass.centroid.y,
        mass.centroid.z);
}

/* Every vertex of the mesh lies behind every face plane of the hull: the largest height is zero up to rounding. */
static double largest_height(const AbutMesh *mesh, const AbutPolyhedron *hull) {
    double largest = -INFINITY;
    for (int f = 0; f < hull->face_count; ++f) {
        AbutPlane plane = abut_polyhedron_faces(hull)[f].plane;
        for (int v = 0; v < mesh->vertex_count; ++v)
            largest = fmax(largest, abut_dot(plane.normal, mesh->vertices[v]) - plane.offset);
    }
    return largest;
}

int main(int argc, char **argv) {
    AbutError error;
    AbutMesh mesh;
    AbutStatus status = argc > 1 ? abut_mesh_read(argv[1], NULL, 0, &mesh, NULL, &error)
                                 : abut_mesh_make("fish", 2000, NULL, &mesh, &error);
    if (status != ABUT_OK) return fail(&error);

    AbutMeshReport report;
    if (abut_mesh_report(&mesh, &report, &error) != ABUT_OK) return fail(&error);
    if (!report.outward) printf("this mesh is not the surface of a solid\n");
    print_mass("mesh", report.mass);

    AbutPolyhedron *hull;
    if (abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &hull, &error) != ABUT_OK)
        return fail(&error);
    print_mass("hull", hull->mass);
    printf("         %d vertices, %d faces; the mesh passes its planes by %.1e m at most\n", hull->vertex_count,
        hull->face_count, largest_height(&mesh, hull));

    AbutCapsule capsule;
    if (abut_capsule_around(mesh.vertices, mesh.vertex_count, &capsule, &error) != ABUT_OK) return fail(&error);
    print_mass("capsule", abut_capsule_mass(capsule));
    printf("         length %.4g m, radius %.4g m\n", abut_point_distance(capsule.a, capsule.b), capsule.radius);

    abut_polyhedron_free(hull);
    abut_mesh_free(&mesh);
    return 0;
}
