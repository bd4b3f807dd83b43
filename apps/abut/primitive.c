/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies in words: "cylinder:0.1,0.3" is an exact cylinder. One table has the names, how many numbers each takes and
 * the shape that draws it. A name that is none of these is left to be a file.
 */
#include "operands.h"

#include <string.h>
#include <math.h>

static const double FLATTEST = 1e-6; /* ellipsoid that the queries take */

static const struct Primitive {
    const char *name;
    AbutConvexKind kind;
    int count; /* of numbers */
    const char *numbers;
    AbutShapeKind shape; /* of those that have an end */
} primitives[] = {
    {"sphere", ABUT_CONVEX_POINT, 1, "RADIUS", ABUT_SHAPE_SPHERE},
    {"capsule", ABUT_CONVEX_SEGMENT, 2, "RADIUS,HALF_LENGTH", ABUT_SHAPE_CAPSULE},
    {"cylinder", ABUT_CONVEX_CYLINDER, 2, "RADIUS,HALF_HEIGHT", ABUT_SHAPE_CYLINDER},
    {"cone", ABUT_CONVEX_CONE, 2, "RADIUS,HALF_HEIGHT", ABUT_SHAPE_CONE},
    {"box", ABUT_CONVEX_BOX, 3, "X,Y,Z", ABUT_SHAPE_BOX},
    {"ellipsoid", ABUT_CONVEX_ELLIPSOID, 3, "X,Y,Z", ABUT_SHAPE_ELLIPSOID},
    {"half-space", ABUT_CONVEX_HALF_SPACE, 4, "NX,NY,NZ,OFFSET", ABUT_SHAPE_BOX},
    {"plane", ABUT_CONVEX_PLANE, 4, "NX,NY,NZ,OFFSET", ABUT_SHAPE_BOX},
};

static AbutConvex make(AbutConvexKind kind, const double *v)
{
    AbutVec3 size = abut_vec3(v[0], v[1], v[2]);
    double length = abut_length(size); /* a normal may have any; the offset goes with it */
    AbutPlane plane = {abut_scale(size, 1.0 / length), v[3] / length};
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(abut_zero(), v[0]);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(abut_vec3(0, 0, -v[1]), abut_vec3(0, 0, v[1]), v[0]);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(v[0], v[1], 0.0);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(v[0], v[1], 0.0);
    case ABUT_CONVEX_ELLIPSOID:
        return abut_convex_ellipsoid(size, 0.0);
    case ABUT_CONVEX_HALF_SPACE:
        return abut_convex_half_space(plane, 0.0);
    case ABUT_CONVEX_PLANE:
        return abut_convex_plane(plane, 0.0);
    default:
        return abut_convex_box(size, 0.0);
    }
}

/* Positive sizes, or a normal of some length; not too flat. */
static AbutStatus read_numbers(
    const char *text, const char *numbers, const struct Primitive *p, AbutConvex *out, AbutError *error)
{
    CliReals r = {{0}, 0};
    int fits = cli_read_reals(numbers, &r) && r.count == p->count;
    double least = INFINITY, most = 0.0;
    for (int i = 0; fits && i < (p->count == 4 ? 3 : p->count); ++i)
        least = fmin(least, r.value[i]), most = fmax(most, fabs(r.value[i]));
    if (!fits || !(p->count == 4 ? most > 0.0 : least > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': expected %s:%s, %s", text, p->name, p->numbers,
            p->count == 4 ? "with a normal that is not zero" : "all positive");
    if (p->kind == ABUT_CONVEX_ELLIPSOID && !(least >= FLATTEST * most))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': the shortest semi-axis must be at least %g of the longest",
            text, FLATTEST);
    *out = make(p->kind, r.value);
    return ABUT_OK;
}

AbutStatus primitive_parse(const char *text, AbutConvex *out, int *found, AbutError *error)
{
    char name[32];
    size_t length = strcspn(text, ":");
    *found = 0;
    if (!text[length] || length >= sizeof name)
        return ABUT_OK;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (int i = 0; i < CLI_ROWS(primitives); ++i)
        if (strcmp(name, primitives[i].name) == 0)
            return *found = 1, read_numbers(text, text + length + 1, &primitives[i], out, error);
    const char *near = abut_suggest(name, CLI_ROWS(primitives), &primitives[0].name, sizeof primitives[0]);
    return near ? abut_fail(
                      error, ABUT_ERROR_ARGUMENT, "'%s': no body is called '%s'; did you mean '%s'?", text, name, near)
                : ABUT_OK;
}

int primitive_read(const char *text, AbutConvex *out)
{
    int found;
    cli_need(primitive_parse(text, out, &found, &cli_why));
    return found;
}

void primitive_shape(const AbutConvex *convex, AbutGeometryDef *out)
{
    if (is_endless(convex))
        cli_error("half-spaces and planes have no end: no mesh of them can be made");
    int row = 0;
    while (primitives[row].kind != convex->kind)
        ++row;
    out->kind = primitives[row].shape;
    out->resolution = 64;
    out->size = convex->p[0];
    if (convex->kind == ABUT_CONVEX_POINT || convex->kind == ABUT_CONVEX_SEGMENT)
        out->size = abut_vec3(convex->radius, 0, convex->kind == ABUT_CONVEX_SEGMENT ? convex->p[1].z : 0.0);
}

/* ---- plates of what has no end -------------------------------------------------------------------------------------- */

/* Around what is shown of an operand, in its own frame; nothing of one without end. */
static AbutSphere bound_of(const Operand *operand)
{
    AbutAabb box = abut_aabb_empty();
    double radius = 0.0;
    for (int32_t i = 0; i < operand->mesh.vertex_count; ++i)
        box = abut_aabb_add(box, operand->mesh.vertices[i]);
    if (operand->mesh.vertex_count == 0) {
        radius = operand->body.hull || is_endless(&operand->body.convex) ? 0.0 : operand->body.convex.radius;
        for (int i = 0; i < 6; ++i)
            box = abut_aabb_add(
                box, abut_convex_farthest(&operand->body.convex, abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0)));
    }
    return (AbutSphere){
        abut_scale(abut_add(box.min, box.max), 0.5), 0.5 * abut_point_distance(box.min, box.max) + radius};
}

/* A slab along a plane: half sides along the plane and the depth under it. */
static void make_slab(AbutPlane plane, AbutVec3 middle, double half, double under, double over, AbutPolyhedron **out)
{
    AbutVec3 n = plane.normal, u = abut_perpendicular(n), v = abut_cross(n, u), corner[8];
    AbutVec3 foot = abut_add_scaled(middle, n, plane.offset - abut_dot(n, middle));
    for (int i = 0; i < 8; ++i) {
        AbutVec3 p = abut_add_scaled(foot, n, (i & 4) ? over : -under);
        p = abut_add_scaled(p, u, (i & 1) ? half : -half);
        corner[i] = abut_add_scaled(p, v, (i & 2) ? half : -half);
    }
    cli_need(abut_polyhedron_from_points(corner, 8, NULL, out, &cli_why));
}

/* The place of the other body in the frame of operand `which`, pose i of the movement. */
static AbutVec3 other_at(const Operands *operands, int which, EndlessPoses poses, int32_t i, AbutVec3 center)
{
    AbutPose a = poses.a ? poses.a[i] : operands->of[0].pose, b = poses.b[i];
    return which == 0 ? abut_pose_apply_inv(a, abut_pose_apply(b, center))
                      : abut_pose_apply_inv(b, abut_pose_apply(a, center));
}

void endless_plate(const Operands *operands, int which, EndlessPoses poses, AbutPolyhedron **out)
{
    const AbutConvex *c = &operands->of[which].body.convex;
    AbutPlane plane = {c->p[0], c->p[1].x};
    AbutSphere other = bound_of(&operands->of[!which]);
    AbutAabb track = abut_aabb_empty();
    double away = 0.0;
    for (int32_t i = 0; i < poses.count; ++i) {
        AbutVec3 at = other_at(operands, which, poses, i, other.center);
        track = abut_aabb_add(track, at);
        away = fmax(away, fabs(abut_dot(plane.normal, at) - plane.offset));
    }
    double half = 0.5 * abut_point_distance(track.min, track.max) + 2.0 * other.radius + 0.5 * away;
    if (!(half > 0.0))
        half = 1.0; /* of two planes */
    int sheet = c->kind == ABUT_CONVEX_PLANE;
    make_slab(plane, abut_scale(abut_add(track.min, track.max), 0.5), half, (sheet ? 0.001 : 0.1) * half,
        (sheet ? 0.001 : 0.0) * half, out);
}

static void endless_meshes(const Operands *operands, EndlessPoses poses, AbutMesh plate[2], const AbutMesh *shown[2])
{
    for (int k = 0; k < 2; ++k) {
        const Operand *operand = &operands->of[k];
        AbutPolyhedron *made = NULL;
        shown[k] = &operand->mesh;
        if (operand->mesh.vertex_count > 0 || !operand->body.is_convex || !is_endless(&operand->body.convex))
            continue;
        endless_plate(operands, k, poses, &made);
        cli_need_of(operand->file, abut_polyhedron_to_mesh(made, &plate[k], &cli_why));
        abut_polyhedron_free(made);
        shown[k] = &plate[k];
    }
}

const char *endless_note(const Operands *operands, const char *note, char text[256])
{
    int k = is_endless(&operands->of[0].body.convex) ? 0 : is_endless(&operands->of[1].body.convex) ? 1 : -1;
    if (k < 0)
        return note;
    snprintf(text, 256, "%.120s; %.80s has no end, a plate of it is shown", note, operands->of[k].file);
    return text;
}

const char *operands_title(const Operands *operands, char title[300])
{
    const Operand *of = operands->of;
    snprintf(title, 300, "%.140s and %.140s", cli_base_name(of[0].file), cli_base_name(of[1].file));
    return title;
}

void operands_write_page(const Operands *operands, const char *path, AbutPageHead *head, AbutPageMeshes *page)
{
    char title[300];
    AbutMesh plate[2] = {{0}, {0}};
    const Operand *of = operands->of;
    endless_meshes(operands, (EndlessPoses){page->count, page->poses_a, page->pose_b}, plate, page->mesh);
    page->name[0] = cli_base_name(of[0].file), page->name[1] = cli_base_name(of[1].file);
    head->title = operands_title(operands, title);
    page->pose_a = of[0].pose;
    cli_need(abut_page_write_meshes(path, head, page, &cli_why));
    abut_mesh_free(&plate[0]);
    abut_mesh_free(&plate[1]);
}
