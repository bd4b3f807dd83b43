/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plates of half-spaces and planes for pages. In: the operands and their poses. Out: a square about the foot of the
 * other body's path on the plane, its half side the length of that path, twice the body's radius and its distance from
 * the plane; a half-space is a slab under it, a plane a sheet of a hundredth of that thickness.
 */
#include "endless.h"

#include <math.h>

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

void operands_write_page(const Operands *operands, const char *path, const AbutPageHead *head, AbutPageMeshes *page)
{
    AbutMesh plate[2] = {{0}, {0}};
    const Operand *of = operands->of;
    endless_meshes(operands, (EndlessPoses){page->count, page->poses_a, page->pose_b}, plate, page->mesh);
    page->name[0] = of[0].file, page->name[1] = of[1].file;
    page->pose_a = of[0].pose;
    cli_need(abut_page_write_meshes(path, head, page, &cli_why));
    abut_mesh_free(&plate[0]);
    abut_mesh_free(&plate[1]);
}
