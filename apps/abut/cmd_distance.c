/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut distance: the signed distance of two convex bodies. In: mesh files that are convex already, or with --convex any
 * meshes, taken as their hulls; poses. Out: outcome, distance, normal and witness points in the world frame.
 */
#include "bodies.h"

#include <math.h>
#include <stdlib.h>

typedef struct Args {
    AbutPose pose[2];
    int convex, json;
    const char *page, *names[2]; /* page: NULL when not wanted */
} Args;

static const char *outcome_name(AbutDistanceOutcome outcome)
{
    static const char *const names[] = {"separated", "touching", "penetrating", "not converged"};
    return names[outcome];
}

/* ---- is this mesh convex? ---------------------------------------------------------------------------------------- */

static int compare_vertices(const void *p, const void *q)
{
    const AbutVec3 *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

static int on_a_face(const AbutPolyhedron *hull, AbutVec3 v)
{
    const AbutFace *face = abut_polyhedron_faces(hull);
    for (int f = 0; f < hull->face_count; ++f)
        if (face[f].plane.offset - abut_dot(face[f].plane.normal, v) <= 1e-9 * hull->bound.radius)
            return 1;
    return 0;
}

/* Is every vertex of the mesh a corner of the hull or on one of its faces? -1: out of memory. */
static int vertices_on_hull(const AbutMesh *mesh, const AbutPolyhedron *hull)
{
    size_t count = (size_t)hull->vertex_count;
    AbutVec3 *corner = abut_alloc_array(count, sizeof *corner);
    int good = corner ? 1 : -1;
    for (size_t i = 0; corner && i < count; ++i)
        corner[i] = abut_polyhedron_vertices(hull)[i];
    if (corner)
        qsort(corner, count, sizeof *corner, compare_vertices);
    for (int i = 0; i < mesh->vertex_count && good == 1; ++i)
        good = bsearch(&mesh->vertices[i], corner, count, sizeof *corner, compare_vertices) ||
               on_a_face(hull, mesh->vertices[i]);
    abut_free(corner);
    return good;
}

/* What keeps the mesh from being the surface of its hull; NULL: nothing. */
static const char *convex_fault(const AbutMesh *mesh, const AbutMeshReport *report, const AbutPolyhedron *hull)
{
    double volume = hull->mass.volume;
    if (!report->closed)
        return "its surface is not closed";
    if (!report->oriented)
        return "its triangles do not run the same way";
    if (hull->dimension < 3)
        return "it is flat";
    if (report->mass.volume < 0.0)
        return "it is inside out";
    if (!(fabs(report->mass.volume - volume) <= 1e-9 * volume))
        return "its hull has another volume";
    int on_hull = vertices_on_hull(mesh, hull);
    return on_hull > 0 ? NULL
                       : (on_hull < 0 ? "there is no memory to look at its vertices" : "a vertex lies inside its hull");
}

static int read_convex(const CliCommand *command, const char *file, AbutPolyhedron **out)
{
    AbutMesh mesh = {0};
    AbutMeshReport report;
    AbutError error;
    if (abut_mesh_read(file, &mesh, NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus status = abut_mesh_report(&mesh, &report, &error);
    if (status == ABUT_OK)
        status = abut_mesh_hull(&mesh, out, &error);
    const char *fault = status == ABUT_OK ? convex_fault(&mesh, &report, *out) : NULL;
    abut_mesh_free(&mesh);
    if (status != ABUT_OK)
        return cli_error(command, "%s: no convex hull: %s", file, error.text);
    if (fault)
        return cli_error(command, "%s: the mesh is not convex (%s); --convex takes its hull", file, fault);
    return CLI_GO;
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static int print_json(const CliCommand *command, const AbutDistance *d)
{
    AbutJson json = abut_json_to_file(stdout, 2);
    abut_json_begin_object(&json);
    abut_json_put_string(&json, "outcome", outcome_name(d->outcome));
    abut_json_put_number(&json, "distance", d->distance);
    abut_json_put_vec3(&json, "normal", d->normal);
    abut_json_put_vec3(&json, "point_a", d->point_a);
    abut_json_put_vec3(&json, "point_b", d->point_b);
    abut_json_put_integer(&json, "iterations", d->iterations);
    abut_json_end_object(&json);
    return cli_json_end(command, &json, CLI_OK);
}

static void print_vec3(const char *name, AbutVec3 v, const char *unit)
{
    printf("  %-12s %.9g %.9g %.9g%s\n", name, v.x, v.y, v.z, unit);
}

static void print_text(const AbutDistance *d)
{
    printf("  %-12s %s\n  %-12s %.9g m\n", "outcome", outcome_name(d->outcome), "distance", d->distance);
    print_vec3("normal", d->normal, "");
    print_vec3("point a", d->point_a, " m");
    print_vec3("point b", d->point_b, " m");
    printf("  %-12s %d\n", "iterations", d->iterations);
}

static int write_page(const CliCommand *command, const AbutPolyhedron *a, const AbutPolyhedron *b, const Args *args,
    const AbutDistance *d)
{
    const AbutPolyhedron *hull[2] = {a, b};
    AbutModel *model;
    AbutError error;
    int status = bodies_make_model(command, hull, args->pose, args->names, &model);
    if (status != CLI_GO)
        return status;
    AbutPageHead head = {.title = "Distance", .note = outcome_name(d->outcome)};
    if (abut_page_write_distance(args->page, &head, model, d, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_model_free(model);
    return status;
}

static int answer(const CliCommand *command, const AbutPolyhedron *a, const AbutPolyhedron *b, const Args *args)
{
    AbutConvex ca = abut_convex_polyhedron(a, 0.0), cb = abut_convex_polyhedron(b, 0.0);
    AbutDistance d = abut_convex_distance(&ca, &cb, abut_pose_between(args->pose[0], args->pose[1]), NULL);
    if (d.outcome == ABUT_INVALID)
        return cli_error(command, "the numbers are too large or not finite");
    d.normal = abut_quat_rotate(args->pose[0].q, d.normal);
    d.point_a = abut_pose_apply(args->pose[0], d.point_a);
    d.point_b = abut_pose_apply(args->pose[0], d.point_b);
    if (args->page && write_page(command, a, b, args, &d) != CLI_GO)
        return CLI_BAD;
    if (args->json)
        return print_json(command, &d);
    print_text(&d);
    return CLI_OK;
}

int cli_distance(const CliCommand *command, int argc, char **argv)
{
    Args args = {.pose = {abut_pose_identity(), abut_pose_identity()}};
    const CliOption options[] = {
        {"--pose-a", NULL, CLI_POSE, &args.pose[0], "POSE", "place of A: x,y,z or x,y,z,qw,qx,qy,qz"},
        {"--pose-b", NULL, CLI_POSE, &args.pose[1], "POSE", "place of B"},
        {"--convex", NULL, CLI_FLAG, &args.convex, NULL, "take both meshes as their convex hulls"},
        {"--html", NULL, CLI_TEXT, &args.page, "FILE", "write the answer as a page to look at"},
        {"--json", NULL, CLI_FLAG, &args.json, NULL, "print the result as JSON"},
    };
    int count;
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &count);
    if (status != CLI_GO)
        return status;
    if (count != 2)
        return cli_error(command, "expected two mesh files A and B, got %d", count);
    AbutPolyhedron *body[2] = {NULL, NULL};
    for (int k = 0; k < 2 && status == CLI_GO; ++k)
        status = args.convex ? bodies_read_hull(command, argv[k], &body[k]) : read_convex(command, argv[k], &body[k]);
    args.names[0] = argv[0], args.names[1] = argv[1];
    if (status == CLI_GO)
        status = answer(command, body[0], body[1], &args);
    abut_polyhedron_free(body[0]);
    abut_polyhedron_free(body[1]);
    return status;
}
