/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acting on bodies between steps: forces and torques for the next step, blows, weight and drag, materials and filters.
 * What is changed wakes up; a call that is refused changes nothing.
 */
#include "scene/internal.h"

/* The place of a dynamic body with a mass, for the call `what`; -1: refused. */
static int32_t movable(AbutScene *scene, AbutBodyId id, const char *what, AbutStatus *status, AbutError *error)
{
    int32_t place = abut_scene_body_place(scene, id);
    *status = ABUT_OK;
    if (place < 0)
        *status = abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: no such body", what);
    else if (scene->body[place].kind != ABUT_BODY_DYNAMIC || !(scene->body[place].inv_mass > 0.0))
        *status = abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the body '%s' is not dynamic, or has no mass", what,
            scene->body[place].name);
    return *status == ABUT_OK ? place : -1;
}

static AbutStatus not_finite(const char *what, AbutError *error)
{
    return abut_fail(error, ABUT_ERROR_NUMBER, "%s: not finite", what);
}

/* Two vectors of a body at once, or neither; it wakes. */
static AbutStatus change(AbutScene *scene, AbutBody *body, AbutVec3 *linear, AbutVec3 new_linear, AbutVec3 *angular,
    AbutVec3 new_angular, const char *what, AbutError *error)
{
    if (!abut_is_finite(new_linear) || !abut_is_finite(new_angular))
        return not_finite(what, error);
    *linear = new_linear;
    *angular = new_angular;
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}

AbutStatus abut_scene_add_force(AbutScene *scene, AbutBodyId id, AbutVec3 force, AbutVec3 point, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "add force", &status, error);
    if (place < 0)
        return status;
    AbutBody *b = &scene->body[place];
    return change(scene, b, &b->force, abut_add(b->force, force), &b->torque,
        abut_add(b->torque, abut_cross(abut_sub(point, b->x), force)), "add force", error);
}

AbutStatus abut_scene_add_torque(AbutScene *scene, AbutBodyId id, AbutVec3 torque, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "add torque", &status, error);
    if (place < 0)
        return status;
    AbutBody *b = &scene->body[place];
    return change(scene, b, &b->force, b->force, &b->torque, abut_add(b->torque, torque), "add torque", error);
}

AbutStatus abut_scene_add_impulse(AbutScene *scene, AbutBodyId id, AbutVec3 impulse, AbutVec3 point, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "add impulse", &status, error);
    if (place < 0)
        return status;
    AbutBody *b = &scene->body[place];
    AbutVec3 turn = abut_mat3_apply_t(b->rotation, abut_cross(abut_sub(point, b->x), impulse)),
             spin = abut_mat3_apply(b->rotation, abut_mat3_apply(b->inv_inertia, turn));
    return change(scene, b, &b->v, abut_add_scaled(b->v, impulse, b->inv_mass), &b->w, abut_add(b->w, spin),
        "add impulse", error);
}

AbutStatus abut_scene_set_gravity_scale(AbutScene *scene, AbutBodyId id, double scale, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "set gravity scale", &status, error);
    if (place < 0)
        return status;
    if (!isfinite(scale))
        return not_finite("set gravity scale", error);
    scene->body[place].gravity_scale = scale;
    abut_scene_disturb(scene, &scene->body[place]);
    return ABUT_OK;
}

AbutStatus abut_scene_set_damping(
    AbutScene *scene, AbutBodyId id, double damping, double spin_damping, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "set damping", &status, error);
    if (place < 0)
        return status;
    if (!(damping >= 0.0 && damping < INFINITY) || !(spin_damping >= 0.0 && spin_damping < INFINITY))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set damping: %g and %g: numbers of 0 or above were expected",
            damping, spin_damping);
    scene->body[place].damping = damping;
    scene->body[place].spin_damping = spin_damping;
    abut_scene_disturb(scene, &scene->body[place]);
    return ABUT_OK;
}

AbutStatus abut_scene_lock_axes(AbutScene *scene, AbutBodyId id, uint32_t axes, AbutError *error)
{
    ABUT_ASSERT(scene);
    AbutStatus status;
    int32_t place = movable(scene, id, "lock axes", &status, error);
    if (place < 0)
        return status;
    if (axes > 63 || scene->body[place].robot >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "lock axes: a sum of the six locks was expected, of a body that is no robot's, found %u", (unsigned)axes);
    scene->body[place].locked = axes;
    abut_scene_disturb(scene, &scene->body[place]);
    ++scene->revision;
    abut_scene_wake_neighbours(scene, place);
    return ABUT_OK;
}

AbutStatus abut_scene_wake(AbutScene *scene, AbutBodyId id, AbutError *error)
{
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_body_place(scene, id);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "wake: no such body");
    abut_scene_disturb(scene, &scene->body[place]);
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_scene_set_material(AbutScene *scene, AbutShapeId id, const AbutMaterial *material, AbutError *error)
{
    ABUT_ASSERT(scene && material);
    int32_t place = abut_scene_shape_place(scene, id);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set material: no such shape");
    ABUT_TRY(abut_check_material("set material", material, error));
    scene->shape[place].def.material = *material;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutScenePair *pair = &scene->pair[i];
        if (pair->alive && (pair->a == place || pair->b == place))
            abut_scene_set_pair_material(scene, pair);
    }
    abut_scene_disturb(scene, &scene->body[scene->shape[place].body]);
    abut_scene_wake_neighbours(scene, scene->shape[place].body);
    return ABUT_OK;
}

AbutStatus abut_scene_set_filter(AbutScene *scene, AbutShapeId id, uint32_t category, uint32_t mask, AbutError *error)
{
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_shape_place(scene, id);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set filter: no such shape");
    scene->shape[place].def.category = category;
    scene->shape[place].def.mask = mask;
    abut_scene_drop_forbidden(scene);
    abut_scene_disturb(scene, &scene->body[scene->shape[place].body]);
    if (!scene->shape[place].def.visual)
        abut_scene_mark_moved(scene, place); /* pairs that were not allowed are looked for */
    return ABUT_OK;
}
