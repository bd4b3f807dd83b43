/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of bodies: checks, the polyhedron behind each kind, and their place in the tree.
 *
 * Round shapes become polyhedra whose vertices lie on the true surface, on circles of latitude about z with
 * `resolution` points each; their volume and mass are those of the polyhedron, a little below those of the round body.
 */
#include "scene/parts.h"

#include <stdio.h>
#include <string.h>

enum { MIN_RESOLUTION = 3, MAX_RESOLUTION = 256, DEFAULT_RESOLUTION = 16 };

AbutShapeDef abut_default_shape_def(void)
{
    AbutShapeDef def = {0};
    def.pose = abut_pose_identity();
    def.size = abut_vec3(0.5, 0.5, 0.5);
    def.density = 1000.0;
    def.friction = 0.5;
    def.friction_kinetic = -1.0;
    def.category = 1;
    def.mask = UINT32_MAX;
    return def;
}

AbutPose abut_shape_pose(const AbutScene *scene, const AbutShape *shape)
{
    const AbutBody *body = &scene->body[shape->body];
    return abut_pose(
        abut_add(abut_mat3_apply(body->rotation, shape->local_p), body->x), abut_quat_mul(body->q, shape->local_q));
}

AbutPlane abut_shape_plane(const AbutScene *scene, const AbutShape *shape)
{
    AbutPose pose = abut_shape_pose(scene, shape);
    AbutPlane plane;
    plane.normal = abut_quat_rotate(pose.q, abut_axis(2));
    plane.offset = abut_dot(plane.normal, pose.p);
    return plane;
}

/* ---- polyhedra --------------------------------------------------------------------------------------------------- */

/* Points of two half ellipsoids, `shift` apart from the middle along z; gives their number. */
static int round_points(AbutVec3 size, double shift, int around, AbutVec3 *points)
{
    int rings = around / 4 > 1 ? around / 4 : 1, n = 0;
    for (int side = 0; side < 2; ++side) {
        double sign = side ? 1.0 : -1.0;
        for (int ring = shift > 0.0 || !side ? 0 : 1; ring < rings;
             ++ring) { /* the equator once where both halves share it */
            double latitude = 0.5 * ABUT_PI * ring / rings;
            for (int i = 0; i < around; ++i) {
                double angle = 2.0 * ABUT_PI * i / around;
                points[n++] = abut_vec3(size.x * cos(latitude) * cos(angle), size.y * cos(latitude) * sin(angle),
                    sign * (size.z * sin(latitude) + shift));
            }
        }
        points[n++] = abut_vec3(0.0, 0.0, sign * (size.z + shift));
    }
    return n;
}

static AbutStatus make_round(AbutVec3 size, double shift, int around, AbutPolyhedron **out, AbutError *error)
{
    AbutVec3 *points = abut_alloc_array((size_t)around * (size_t)(around / 2 + 2) + 2, sizeof *points);
    if (!points)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a round shape of resolution %d", around);
    AbutHullDef def = abut_default_hull_def();
    def.flat_allowed = 0;
    AbutStatus status =
        abut_polyhedron_from_points(points, round_points(size, shift, around, points), &def, out, error);
    abut_free(points);
    return status;
}

static AbutStatus copy_polyhedron(const AbutPolyhedron *given, AbutPolyhedron **out, AbutError *error)
{
    if (!given)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a polyhedron shape without a polyhedron");
    AbutStatus status = abut_polyhedron_check(given, (size_t)given->bytes, error);
    if (status != ABUT_OK)
        return status;
    *out = abut_alloc((size_t)given->bytes);
    if (!*out)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a polyhedron of %d vertices", given->vertex_count);
    memcpy(*out, given, (size_t)given->bytes);
    return ABUT_OK;
}

AbutStatus abut_shape_make_polyhedron(const AbutShapeDef *def, AbutPolyhedron **out, AbutError *error)
{
    AbutVec3 s = def->size;
    int around = def->resolution;
    *out = NULL;
    switch (def->kind) {
    case ABUT_SHAPE_BOX:
        return abut_polyhedron_box(s, out, error);
    case ABUT_SHAPE_SPHERE:
        return make_round(abut_vec3(s.x, s.x, s.x), 0.0, around, out, error);
    case ABUT_SHAPE_CAPSULE:
        return make_round(abut_vec3(s.x, s.x, s.x), s.z, around, out, error);
    case ABUT_SHAPE_CYLINDER:
        return abut_polyhedron_prism(around, s.x, 2.0 * s.z, out, error);
    case ABUT_SHAPE_ELLIPSOID:
        return make_round(s, 0.0, around, out, error);
    case ABUT_SHAPE_POLYHEDRON:
        return copy_polyhedron(def->polyhedron, out, error);
    case ABUT_SHAPE_HALF_SPACE:
    default:
        return ABUT_OK;
    }
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static int is_positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static AbutStatus check_size(const char *what, const AbutShapeDef *def, AbutError *error)
{
    AbutVec3 s = def->size;
    int good = 1;
    if (def->kind == ABUT_SHAPE_BOX || def->kind == ABUT_SHAPE_ELLIPSOID)
        good = is_positive(s.x) && is_positive(s.y) && is_positive(s.z);
    else if (def->kind == ABUT_SHAPE_CAPSULE)
        good = is_positive(s.x) && s.z >= 0.0 && isfinite(s.z);
    else if (def->kind == ABUT_SHAPE_CYLINDER)
        good = is_positive(s.x) && is_positive(s.z);
    else if (def->kind == ABUT_SHAPE_SPHERE)
        good = is_positive(s.x);
    if (!good)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: a size is not a positive number: %g %g %g", what, s.x, s.y, s.z);
    if (def->resolution < MIN_RESOLUTION || def->resolution > MAX_RESOLUTION)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the resolution %d is not in %d .. %d", what, def->resolution,
            MIN_RESOLUTION, MAX_RESOLUTION);
    return ABUT_OK;
}

static AbutStatus check_shape(const AbutBody *body, AbutShapeDef *def, AbutError *error)
{
    char what[200];
    snprintf(what, sizeof what, "shape '%.80s' of the body '%.80s'", def->name ? def->name : "", body->name);
    if ((int)def->kind < 0 || def->kind > ABUT_SHAPE_HALF_SPACE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: unknown kind %d", what, (int)def->kind);
    if (def->kind == ABUT_SHAPE_HALF_SPACE && body->kind == ABUT_BODY_DYNAMIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a half-space cannot be part of a dynamic body", what);
    if (!(def->density >= 0.0) || !isfinite(def->density))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the density %g is negative or not finite", what, def->density);
    if (!(def->friction >= 0.0) || !isfinite(def->friction))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the friction %g is negative or not finite", what, def->friction);
    if (!isfinite(def->friction_kinetic) || def->friction_kinetic > def->friction)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: the kinetic friction %g is above the static one, %g, or not finite", what, def->friction_kinetic,
            def->friction);
    if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the restitution %g is not in 0 .. 1", what, def->restitution);
    if (def->resolution == 0)
        def->resolution = DEFAULT_RESOLUTION;
    AbutStatus status = check_size(what, def, error);
    return status == ABUT_OK ? abut_scene_check_pose(what, &def->pose, error) : status;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* Room for one more shape everywhere; its place, or -1. */
static int32_t reserve_shape(AbutScene *scene)
{
    size_t need = (size_t)scene->shape_places + 1;
    if (need > INT32_MAX / 4 ||
        !abut_grow((void **)&scene->moved, &scene->moved_capacity, need, sizeof *scene->moved) ||
        !abut_grow(
            (void **)&scene->plane, &scene->plane_capacity, (size_t)scene->plane_count + 1, sizeof *scene->plane) ||
        !abut_tree_reserve(scene, 1))
        return -1;
    if (scene->shape_free >= 0)
        return scene->shape_free;
    return abut_grow((void **)&scene->shape, &scene->shape_capacity, need, sizeof *scene->shape) ? scene->shape_places
                                                                                                 : -1;
}

/* Puts the shape last in the list of its body and gives the link to it. */
static int32_t *link_shape(AbutScene *scene, int32_t place)
{
    int32_t *link = &scene->body[scene->shape[place].body].first_shape;
    while (*link >= 0)
        link = &scene->shape[*link].next;
    *link = place;
    return link;
}

static void fill_shape(
    AbutScene *scene, int32_t place, const AbutShapeDef *def, AbutPolyhedron *polyhedron, int32_t body)
{
    AbutShape *shape = &scene->shape[place];
    uint32_t generation = place < scene->shape_places ? shape->generation : 1;
    memset(shape, 0, sizeof *shape);
    shape->def = *def;
    shape->def.polyhedron = NULL;
    shape->polyhedron = polyhedron;
    shape->body = body;
    shape->next = shape->node = -1;
    shape->generation = generation;
}

/* Takes over name and polyhedron when it succeeds. */
static AbutStatus insert_shape(
    AbutScene *scene, int32_t body, const AbutShapeDef *def, AbutPolyhedron *polyhedron, int32_t *out, AbutError *error)
{
    int32_t place = reserve_shape(scene);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a shape of the body '%s'", scene->body[body].name);
    int32_t next_free = scene->shape_free >= 0 ? scene->shape[place].next : -1;
    fill_shape(scene, place, def, polyhedron, body);
    int32_t *link = link_shape(scene, place);
    AbutStatus status = abut_body_update_mass(scene, &scene->body[body], error);
    if (status != ABUT_OK) { /* the mass is unchanged: only the list needs mending */
        *link = -1;
        scene->shape[place].next = next_free;
        return status;
    }
    if (scene->shape_free >= 0)
        scene->shape_free = next_free;
    else
        ++scene->shape_places;
    scene->shape[place].alive = 1;
    *out = place;
    return ABUT_OK;
}

AbutStatus abut_scene_add_shape(
    AbutScene *scene, AbutBodyId id, const AbutShapeDef *given, AbutShapeId *out, AbutError *error)
{
    AbutShapeDef def = *given;
    AbutShapeId none = {0, 0};
    AbutPolyhedron *polyhedron;
    char *name;
    int32_t body = abut_scene_body_place(scene, id), place = -1;
    if (out)
        *out = none;
    if (body < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "add shape: no such body");
    AbutStatus status = check_shape(&scene->body[body], &def, error);
    if (status == ABUT_OK)
        status = abut_shape_make_polyhedron(&def, &polyhedron, error);
    if (status != ABUT_OK)
        return status;
    if (polyhedron && polyhedron->dimension < 3 && scene->body[body].kind == ABUT_BODY_DYNAMIC) {
        abut_polyhedron_free(polyhedron);
        return abut_fail(
            error, ABUT_ERROR_DEGENERATE, "the dynamic body '%s': a shape without volume", scene->body[body].name);
    }
    status = abut_scene_copy_name(given->name, &name, error);
    def.name = name;
    if (status == ABUT_OK)
        status = insert_shape(scene, body, &def, polyhedron, &place, error);
    if (status != ABUT_OK) {
        abut_free(name);
        abut_polyhedron_free(polyhedron);
        return status;
    }
    if (!polyhedron)
        abut_scene_add_half_space(scene, place);
    abut_scene_refit_body(scene, &scene->body[body]); /* all its shapes: with a mass the body may have become movable */
    ++scene->revision;
    if (out)
        *out = abut_scene_shape_id(scene, place);
    return ABUT_OK;
}

void abut_shape_leave(AbutScene *scene, int32_t place)
{
    AbutShape *shape = &scene->shape[place];
    if (shape->node >= 0)
        abut_tree_remove(scene, place);
    for (int32_t i = 0; shape->def.kind == ABUT_SHAPE_HALF_SPACE && i < scene->plane_count; ++i)
        if (scene->plane[i] == place) {
            --scene->plane_count;
            memmove(scene->plane + i, scene->plane + i + 1, (size_t)(scene->plane_count - i) * sizeof *scene->plane);
        }
    for (int32_t i = 0; shape->moved && i < scene->moved_count; ++i)
        if (scene->moved[i] == place) {
            scene->moved[i] = scene->moved[--scene->moved_count];
            shape->moved = 0;
        }
}
