/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a scene, ids, and reading and setting the state of its bodies.
 *
 * An id is the place in an array plus one, with the generation of that place: removing a body raises the generation, so
 * that old ids are refused. A body keeps its center of mass (x); the caller sees the pose of the body frame. Both
 * differ by local_center.
 */
#include "scene/internal.h"

#include <string.h>

AbutStatus abut_scene_create(AbutScene **out, AbutError *error) {
    ABUT_ASSERT(out);
    *out = NULL;
    AbutScene *scene = abut_alloc(sizeof *scene);
    if (!scene) return abut_fail_memory(error);
    memset(scene, 0, sizeof *scene);
    scene->body_free = scene->shape_free = scene->pair_free = -1;
    scene->tree = abut_box_tree_make();
    *out = scene;
    return ABUT_OK;
}

void abut_scene_free(AbutScene *scene) {
    if (!scene) return;
    for (int32_t i = 0; i < scene->body_places; ++i)
        if (scene->body[i].alive) abut_free(scene->body[i].name);
    for (int32_t i = 0; i < scene->shape_places; ++i)
        if (scene->shape[i].alive) {
            abut_free((char *)scene->shape[i].def.name);
            abut_geometry_release(scene->shape[i].def.geometry);
        }
    abut_scene_free_robots(scene);
    abut_geometry_set_free(&scene->geometry);
    abut_box_tree_free(&scene->tree);
    void *arrays[] = {scene->body, scene->shape, scene->pair, scene->pair_table, scene->moved, scene->live,
        scene->plane, scene->fresh, scene->excluded, scene->pair_rule};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) abut_free(arrays[i]);
    abut_free(scene);
}

/* ---- ids --------------------------------------------------------------------------------------------------------- */

int32_t abut_scene_body_place(const AbutScene *scene, AbutBodyId id) {
    if (id.index1 == 0 || id.index1 > (uint32_t)scene->body_places) return -1;
    const AbutBody *body = &scene->body[id.index1 - 1];
    return body->alive && body->generation == id.generation ? (int32_t)(id.index1 - 1) : -1;
}

int32_t abut_scene_shape_place(const AbutScene *scene, AbutShapeId id) {
    if (id.index1 == 0 || id.index1 > (uint32_t)scene->shape_places) return -1;
    const AbutShape *shape = &scene->shape[id.index1 - 1];
    return shape->alive && shape->generation == id.generation ? (int32_t)(id.index1 - 1) : -1;
}

AbutBodyId abut_scene_body_id(const AbutScene *scene, int32_t place) {
    AbutBodyId id = {0, 0};
    if (place >= 0 && place < scene->body_places && scene->body[place].alive) {
        id.index1 = (uint32_t)place + 1;
        id.generation = scene->body[place].generation;
    }
    return id;
}

AbutShapeId abut_scene_shape_id(const AbutScene *scene, int32_t place) {
    AbutShapeId id = {0, 0};
    if (place >= 0 && place < scene->shape_places && scene->shape[place].alive) {
        id.index1 = (uint32_t)place + 1;
        id.generation = scene->shape[place].generation;
    }
    return id;
}

AbutStatus abut_scene_need_body(AbutScene *scene, AbutBodyId id, const char *what, AbutBody **out, AbutError *error) {
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_body_place(scene, id);
    *out = place < 0 ? NULL : &scene->body[place];
    return *out ? ABUT_OK : abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: no such body", what);
}

AbutStatus abut_scene_need_shape(
    AbutScene *scene, AbutShapeId id, const char *what, AbutShape **out, AbutError *error) {
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_shape_place(scene, id);
    *out = place < 0 ? NULL : &scene->shape[place];
    return *out ? ABUT_OK : abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: no such shape", what);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

int abut_scene_body_count(const AbutScene *scene) {
    ABUT_ASSERT(scene);
    return scene->live_count;
}

AbutBodyId abut_scene_body_at(const AbutScene *scene, int index) {
    ABUT_ASSERT(scene);
    return abut_scene_body_id(scene, index >= 0 && index < scene->live_count ? scene->live[index] : -1);
}

AbutBodyId abut_scene_find_body(const AbutScene *scene, const char *name) {
    ABUT_ASSERT(scene && name);
    for (int32_t i = 0; *name && i < scene->live_count; ++i)
        if (strcmp(scene->body[scene->live[i]].name, name) == 0) return abut_scene_body_id(scene, scene->live[i]);
    return abut_scene_body_id(scene, -1);
}

int abut_scene_get_body(const AbutScene *scene, AbutBodyId id, AbutBodyState *out) {
    ABUT_ASSERT(scene && out);
    int32_t place = abut_scene_body_place(scene, id);
    if (place < 0) return 0;
    const AbutBody *body = &scene->body[place];
    AbutBodyState state = {body->kind, body->name, abut_body_pose(body), body->x, body->v, body->w, body->mass,
        body->local_center, body->inertia, abut_scene_shape_count(scene, id), body->user, body->gravity_scale,
        body->damping, body->spin_damping, body->locked};
    *out = state;
    return 1;
}

/* Shapes of a body, visual ones last. */
static int32_t first_of(const AbutScene *scene, AbutBodyId id) {
    int32_t place = abut_scene_body_place(scene, id);
    if (place < 0) return -1;
    const AbutBody *body = &scene->body[place];
    return body->first_shape >= 0 ? body->first_shape : body->first_visual;
}

static int32_t next_of(const AbutScene *scene, int32_t place) {
    const AbutShape *shape = &scene->shape[place];
    return shape->next >= 0 || shape->def.visual ? shape->next : scene->body[shape->body].first_visual;
}

int abut_scene_shape_count(const AbutScene *scene, AbutBodyId id) {
    ABUT_ASSERT(scene);
    int count = 0;
    for (int32_t s = first_of(scene, id); s >= 0; s = next_of(scene, s)) ++count;
    return count;
}

AbutShapeId abut_scene_shape_at(const AbutScene *scene, AbutBodyId id, int index) {
    ABUT_ASSERT(scene);
    int32_t s = index < 0 ? -1 : first_of(scene, id);
    while (s >= 0 && index-- > 0) s = next_of(scene, s);
    return abut_scene_shape_id(scene, s);
}

int abut_scene_get_shape(const AbutScene *scene, AbutShapeId id, AbutShapeDef *out, AbutBodyId *body) {
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_shape_place(scene, id);
    if (place < 0) return 0;
    const AbutShape *shape = &scene->shape[place];
    if (out) *out = shape->def;
    if (body) *body = abut_scene_body_id(scene, shape->body);
    return 1;
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

AbutStatus abut_scene_copy_name(const char *name, char **out, AbutError *error) {
    size_t bytes = strlen(name ? name : "") + 1;
    *out = abut_alloc(bytes);
    if (!*out) return abut_fail_memory(error);
    memcpy(*out, name ? name : "", bytes);
    return ABUT_OK;
}

static AbutStatus refuse_link(const char *what, const AbutBody *body, AbutError *error) {
    if (body->tree < 0) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the body '%.100s' is a link, which abut_scene_set_joints moves",
        what, body->name);
}

AbutStatus abut_scene_set_pose(AbutScene *scene, AbutBodyId id, AbutPose pose, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "set pose", &body, error));
    ABUT_TRY(refuse_link("set pose", body, error));
    ABUT_TRY(abut_check_pose("set pose", &pose, error));
    abut_scene_wake_neighbors(scene, (int32_t)(body - scene->body));
    body->q = pose.q = abut_quat_normalize(pose.q);
    body->x = abut_pose_apply(pose, body->local_center);
    abut_scene_disturb(scene, body);
    abut_body_moved(body);
    abut_scene_refit_body(scene, body);
    return ABUT_OK;
}

AbutStatus abut_scene_set_velocity(
    AbutScene *scene, AbutBodyId id, AbutVec3 velocity, AbutVec3 spin, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "set velocity", &body, error));
    if (!abut_is_finite(velocity) || !abut_is_finite(spin))
        return abut_fail(error, ABUT_ERROR_NUMBER, "set velocity: not finite");
    ABUT_TRY(refuse_link("set velocity", body, error));
    if (body->kind == ABUT_BODY_STATIC && (abut_max_abs(velocity) > 0.0 || abut_max_abs(spin) > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set velocity: the body '%s' is static", body->name);
    body->v = velocity;
    body->w = spin;
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}
