/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acting on bodies between steps: forces and torques for the next step, blows, weight and drag, materials and filters.
 * Changed bodies wake up; a refused call changes nothing.
 */
#include "scene/internal.h"

/* A dynamic body with a mass, for the call `what`. */
static AbutStatus movable(AbutScene *scene, AbutBodyId id, const char *what, AbutBody **out, AbutError *error) {
    ABUT_TRY(abut_scene_need_body(scene, id, what, out, error));
    if ((*out)->kind != ABUT_BODY_DYNAMIC || !((*out)->inv_mass > 0.0))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the body '%s' is not dynamic, or has no mass", what, (*out)->name);
    return ABUT_OK;
}

/* Adds to two vectors of a body, or to neither; it wakes. */
static AbutStatus add_both(AbutScene *scene, AbutBody *body, const char *what, AbutVec3 *linear, AbutVec3 more_linear,
    AbutVec3 *angular, AbutVec3 more_angular, AbutError *error) {
    AbutVec3 new_linear = abut_add(*linear, more_linear), new_angular = abut_add(*angular, more_angular);
    if (!abut_is_finite(new_linear) || !abut_is_finite(new_angular))
        return abut_fail(error, ABUT_ERROR_NUMBER, "%s: not finite", what);
    *linear = new_linear;
    *angular = new_angular;
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}

AbutStatus abut_scene_add_force(AbutScene *scene, AbutBodyId id, AbutVec3 force, AbutVec3 point, AbutError *error) {
    AbutBody *b;
    ABUT_TRY(movable(scene, id, "add force", &b, error));
    return add_both(
        scene, b, "add force", &b->force, force, &b->torque, abut_cross(abut_sub(point, b->x), force), error);
}

AbutStatus abut_scene_add_torque(AbutScene *scene, AbutBodyId id, AbutVec3 torque, AbutError *error) {
    AbutBody *b;
    ABUT_TRY(movable(scene, id, "add torque", &b, error));
    return add_both(scene, b, "add torque", &b->force, abut_zero(), &b->torque, torque, error);
}

AbutStatus abut_scene_add_impulse(AbutScene *scene, AbutBodyId id, AbutVec3 impulse, AbutVec3 point, AbutError *error) {
    AbutBody *b;
    ABUT_TRY(movable(scene, id, "add impulse", &b, error));
    AbutVec3 turn = abut_mat3_apply_t(b->rotation, abut_cross(abut_sub(point, b->x), impulse)),
             spin = abut_mat3_apply(b->rotation, abut_mat3_apply(b->inv_inertia, turn));
    return add_both(scene, b, "add impulse", &b->v, abut_scale(impulse, b->inv_mass), &b->w, spin, error);
}

AbutStatus abut_scene_set_gravity_scale(AbutScene *scene, AbutBodyId id, double scale, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(movable(scene, id, "set gravity scale", &body, error));
    if (!isfinite(scale)) return abut_fail(error, ABUT_ERROR_NUMBER, "set gravity scale: not finite");
    body->gravity_scale = scale;
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}

AbutStatus abut_scene_set_damping(
    AbutScene *scene, AbutBodyId id, double damping, double spin_damping, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(movable(scene, id, "set damping", &body, error));
    if (!(damping >= 0.0 && damping < INFINITY) || !(spin_damping >= 0.0 && spin_damping < INFINITY))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set damping: %g and %g: expected numbers of 0 or above", damping,
            spin_damping);
    body->damping = damping;
    body->spin_damping = spin_damping;
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}

AbutStatus abut_scene_lock_axes(AbutScene *scene, AbutBodyId id, uint32_t axes, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(movable(scene, id, "lock axes", &body, error));
    if (axes > 63 || body->robot >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "lock axes: expected a sum of the six locks, on a body outside robots, got %u", (unsigned)axes);
    body->locked = axes;
    abut_scene_disturb(scene, body);
    ++scene->revision;
    abut_scene_wake_neighbors(scene, (int32_t)(body - scene->body));
    return ABUT_OK;
}

AbutStatus abut_scene_wake(AbutScene *scene, AbutBodyId id, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "wake", &body, error));
    abut_scene_disturb(scene, body);
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_scene_set_material(AbutScene *scene, AbutShapeId id, const AbutMaterial *material, AbutError *error) {
    ABUT_ASSERT(material);
    AbutShape *shape;
    ABUT_TRY(abut_scene_need_shape(scene, id, "set material", &shape, error));
    ABUT_TRY(abut_check_material("set material", material, error));
    int32_t place = (int32_t)(shape - scene->shape);
    shape->def.material = *material;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutScenePair *pair = &scene->pair[i];
        if (pair->alive && (pair->a == place || pair->b == place)) abut_scene_set_pair_material(scene, pair);
    }
    abut_scene_disturb(scene, &scene->body[shape->body]);
    abut_scene_wake_neighbors(scene, shape->body);
    return ABUT_OK;
}

AbutStatus abut_scene_set_filter(AbutScene *scene, AbutShapeId id, uint32_t category, uint32_t mask, AbutError *error) {
    AbutShape *shape;
    ABUT_TRY(abut_scene_need_shape(scene, id, "set filter", &shape, error));
    shape->def.category = category;
    shape->def.mask = mask;
    abut_scene_drop_forbidden(scene);
    abut_scene_disturb(scene, &scene->body[shape->body]);
    if (!shape->def.visual)
        abut_scene_mark_moved(scene, (int32_t)(shape - scene->shape)); /* pairs that were not allowed are looked for */
    return ABUT_OK;
}
