/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the two bodies of a pair: hulls of meshes, half-spaces of text files. */
#include "bodies.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bodies_read_hull(const CliCommand *command, const char *file, AbutPolyhedron **out)
{
    AbutMesh mesh = {0};
    AbutError error;
    if (abut_mesh_read(file, &mesh, NULL, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus status = abut_mesh_hull(&mesh, out, &error);
    abut_mesh_free(&mesh);
    if (status != ABUT_OK)
        return cli_error(command, "%s: no convex hull: %s", file, error.text);
    return CLI_GO;
}

static int add_plane(BodiesPlanes *planes, AbutPlane plane)
{
    void *memory = planes->plane;
    int grown = abut_grow(&memory, &planes->capacity, planes->count + 1, sizeof plane);
    planes->plane = memory;
    if (grown)
        planes->plane[planes->count++] = plane;
    return grown;
}

/* The numbers of a line: 0 for an empty one, 4 for a plane, -1 for anything else. */
static int parse_line(char *line, double *number)
{
    int count = 0;
    line[strcspn(line, "#\r\n")] = 0;
    for (char *at = line;;) {
        while (isspace((unsigned char)*at))
            ++at;
        if (*at == 0)
            return count == 0 || count == 4 ? count : -1;
        char *end;
        double value = strtod(at, &end);
        if (end == at || count == 4 || !isfinite(value) || (*end && !isspace((unsigned char)*end)))
            return -1;
        number[count++] = value;
        at = end;
    }
}

static int read_lines(const CliCommand *command, const char *file, FILE *from, BodiesPlanes *out)
{
    char line[4096];
    for (int number = 1; fgets(line, sizeof line, from); ++number) {
        double v[4];
        if (!strchr(line, '\n') && !feof(from))
            return cli_error(
                command, "%s:%d: the line is longer than %d characters", file, number, (int)sizeof line - 2);
        int count = parse_line(line, v);
        if (count < 0)
            return cli_error(
                command, "%s:%d: expected four numbers 'a b c d', meaning ax + by + cz <= d", file, number);
        AbutPlane plane = {{v[0], v[1], v[2]}, v[3]};
        if (count == 4 && (out->count >= 10000000 || !add_plane(out, plane)))
            return cli_error(command, "%s:%d: too many half-spaces", file, number);
    }
    return ferror(from) ? cli_error(command, "%s: cannot be read", file) : CLI_GO;
}

int bodies_read_planes(const CliCommand *command, const char *file, BodiesPlanes *out)
{
    FILE *from = fopen(file, "r");
    if (!from)
        return cli_error(command, "%s: %s", file, strerror(errno));
    int status = read_lines(command, file, from, out);
    fclose(from);
    return status;
}

int bodies_planes_of_hull(const AbutPolyhedron *hull, BodiesPlanes *out)
{
    const AbutFace *face = abut_polyhedron_faces(hull);
    for (int i = 0; i < hull->face_count; ++i)
        if (!add_plane(out, face[i].plane))
            return 0;
    return 1;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

static AbutStatus add_hull(
    AbutModel *model, const AbutPolyhedron *hull, AbutPose pose, const char *name, AbutError *error)
{
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = ABUT_BODY_KINEMATIC; /* flat hulls are welcome */
    body.name = name;
    body.pose = pose;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    AbutStatus status = abut_model_add_body(model, &body, &shape.body, error);
    return status == ABUT_OK ? abut_model_add_shape(model, &shape, NULL, error) : status;
}

int bodies_make_model(const CliCommand *command, const AbutPolyhedron *const hull[2], const AbutPose pose[2],
    const char *const names[2], AbutModel **out)
{
    AbutError error;
    AbutStatus status = abut_model_create(out, &error);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k)
        status = add_hull(*out, hull[k], pose[k], names[k], &error);
    if (status == ABUT_OK)
        return CLI_GO;
    abut_model_free(*out);
    return cli_error(command, "%s", error.text);
}
