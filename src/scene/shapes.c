/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of bodies: they come with geometry that equal ones share, find their place in the tree, and leave it. Visual
 * shapes belong to their body and stand in no tree.
 */
#include "math/functions.h"
#include "scene/internal.h"
#include "scene/tolerance.h"

#include <string.h>

AbutPose abut_shape_pose(const AbutScene *scene, const AbutShape *shape) {
    const AbutBody *body = &scene->body[shape->body];
    return abut_pose(
        abut_add(abut_mat3_apply(body->rotation, shape->local_p), body->x), abut_quat_mul(body->q, shape->local_q));
}

AbutPose abut_contact_shape_pose(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    return abut_pose_between(
        abut_shape_pose(scene, &scene->shape[shape_a]), abut_shape_pose(scene, &scene->shape[shape_b]));
}

AbutPlane abut_shape_plane(const AbutScene *scene, const AbutShape *shape) {
    AbutPose pose = abut_shape_pose(scene, shape);
    AbutPlane plane;
    plane.normal = abut_quat_rotate(pose.q, abut_axis(2));
    plane.offset = abut_dot(plane.normal, pose.p);
    return plane;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* Room for one more shape everywhere; its place, or -1. */
static int32_t reserve_shape(AbutScene *scene) {
    size_t need = (size_t)scene->shape_places + 1;
    if (need > INT32_MAX / 4 ||
        !abut_grow((void **)&scene->moved, &scene->moved_capacity, need, sizeof *scene->moved) ||
        !abut_grow(
            (void **)&scene->plane, &scene->plane_capacity, (size_t)scene->plane_count + 1, sizeof *scene->plane) ||
        !abut_box_tree_reserve(&scene->tree, 1))
        return -1;
    if (scene->shape_free >= 0) return scene->shape_free;
    return abut_grow((void **)&scene->shape, &scene->shape_capacity, need, sizeof *scene->shape) ? scene->shape_places
                                                                                                 : -1;
}

/* Puts the shape last in its list of its body; and takes it away again, `last` being the one before. */
static void link_shape(AbutScene *scene, int32_t place) {
    AbutBody *body = &scene->body[scene->shape[place].body];
    int visual = scene->shape[place].def.visual != 0;
    int32_t *first = visual ? &body->first_visual : &body->first_shape,
            *last = visual ? &body->last_visual : &body->last_shape;
    *(*last >= 0 ? &scene->shape[*last].next : first) = place;
    *last = place;
}

static void unlink_shape(AbutScene *scene, int32_t place, int32_t last) {
    AbutBody *body = &scene->body[scene->shape[place].body];
    int visual = scene->shape[place].def.visual != 0;
    *(visual ? &body->last_visual : &body->last_shape) = last;
    *(last >= 0 ? &scene->shape[last].next : visual ? &body->first_visual : &body->first_shape) = -1;
}

static double size_of(const AbutGeometry *g) {
    if (!g->polyhedron) return 0.0;
    double volume = g->field ? g->polyhedron->mass.volume : g->mass.volume;
    return abut_larger(abut_cbrt(volume), ABUT_FLAT_SIZE * g->bound.radius);
}

AbutConvex abut_shape_piece(const AbutShape *field, int32_t piece, AbutHeightPrism *prism) {
    *prism = abut_height_piece(abut_shape_grid(field), piece);
    return abut_convex_support(abut_height_prism_support, prism, 0.0);
}

static void fill_shape(AbutScene *scene, int32_t place, const AbutShapeDef *def, int32_t body) {
    AbutShape *shape = &scene->shape[place];
    uint32_t generation = place < scene->shape_places ? shape->generation : 1;
    memset(shape, 0, sizeof *shape);
    shape->def = *def;
    shape->polyhedron = def->geometry->polyhedron;
    shape->size = size_of(def->geometry);
    shape->body = body;
    shape->next = shape->node = -1;
    shape->generation = generation;
}

/* Takes over name and geometry when it succeeds. */
static AbutStatus insert_shape(
    AbutScene *scene, int32_t body, const AbutShapeDef *def, int32_t *out, AbutError *error) {
    int32_t place = reserve_shape(scene);
    if (place < 0) return abut_fail_memory(error);
    int32_t next_free = scene->shape_free >= 0 ? scene->shape[place].next : -1;
    fill_shape(scene, place, def, body);
    int32_t last = def->visual ? scene->body[body].last_visual : scene->body[body].last_shape;
    link_shape(scene, place);
    AbutStatus status = abut_body_take_shape(scene, &scene->body[body], place, error);
    if (status != ABUT_OK) { /* the mass is unchanged: only the list needs mending */
        unlink_shape(scene, place, last);
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
    AbutScene *scene, AbutBodyId id, const AbutShapeDef *given, AbutShapeId *out, AbutError *error) {
    ABUT_ASSERT(scene && given);
    AbutShapeDef def = *given;
    AbutShapeId none = {0, 0};
    char *name = NULL;
    int32_t body = abut_scene_body_place(scene, id), place = -1;
    if (out) *out = none;
    if (body < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "add shape: no such body");
    int movable = scene->body[body].kind == ABUT_BODY_DYNAMIC || scene->body[body].kind == ABUT_BODY_LINK;
    ABUT_TRY(abut_check_shape(&scene->geometry, scene->body[body].name, movable, &def, error));
    def.pose.q = abut_quat_normalize(def.pose.q);
    AbutStatus status = abut_scene_copy_name(given->name, &name, error);
    def.name = name;
    if (status == ABUT_OK) status = insert_shape(scene, body, &def, &place, error);
    if (status != ABUT_OK) {
        abut_free(name);
        abut_geometry_release(def.geometry);
        return status;
    }
    if (!def.geometry->polyhedron && !def.visual) abut_scene_add_half_space(scene, place);
    if (!abut_body_mass_is_fixed(&scene->body[body]))
        abut_scene_refit_body(scene, &scene->body[body]); /* all shapes: with a mass it may have become movable */
    else if (!def.visual)
        abut_scene_refit_shape(scene, place);
    ++scene->revision;
    if (out) *out = abut_scene_shape_id(scene, place);
    return ABUT_OK;
}

void abut_shape_leave(AbutScene *scene, int32_t place) {
    AbutShape *shape = &scene->shape[place];
    if (shape->node >= 0) abut_box_tree_remove(&scene->tree, shape->node);
    shape->node = -1;
    for (int32_t i = 0; !shape->polyhedron && i < scene->plane_count; ++i)
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

void abut_shape_release(AbutScene *scene, int32_t place) {
    AbutShape *shape = &scene->shape[place];
    abut_shape_leave(scene, place);
    abut_free((char *)shape->def.name);
    abut_geometry_release(shape->def.geometry);
    shape->def.name = NULL;
    shape->def.geometry = NULL;
    shape->polyhedron = NULL;
    shape->alive = 0;
    ++shape->generation;
    shape->next = scene->shape_free;
    scene->shape_free = place;
}

void abut_shape_swap_form(AbutShape *shape, AbutShapeDef *def) {
    AbutShapeDef old = shape->def;
    shape->def.form = def->form;
    shape->def.pose = def->pose;
    shape->def.geometry = def->geometry;
    shape->polyhedron = def->geometry->polyhedron;
    shape->size = size_of(def->geometry);
    def->form = old.form;
    def->pose = old.pose;
    def->geometry = old.geometry;
}
