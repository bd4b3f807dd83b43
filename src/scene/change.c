/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass and kind of a body change while it is there. In: what it shall be. Out: mass properties, centre, velocities and
 * pairs that fit; everything that touched it wakes. The body frame stays where it is, and a call that is refused
 * changes nothing.
 */
#include "scene/parts.h"

/* The centre of mass has moved from `old`: its velocity there. */
static void carry_velocity(AbutBody *body, AbutVec3 old)
{
    body->v = abut_add(body->v, abut_cross(body->w, abut_sub(body->x, old)));
}

static void tell(AbutScene *scene, int32_t place)
{
    ++scene->body[place].disturbed;
    ++scene->revision;
    abut_scene_wake_neighbours(scene, place);
}

AbutStatus abut_scene_set_mass(
    AbutScene *scene, AbutBodyId id, double mass, AbutVec3 center, AbutMat3 inertia, AbutError *error)
{
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_body_place(scene, id);
    AbutBodyDef def = abut_body_default();
    AbutMat3 inverse;
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set mass: no such body");
    AbutBody *body = &scene->body[place], old = *body;
    def.name = body->name;
    def.mass = mass, def.center = center, def.inertia = inertia;
    if (body->kind != ABUT_BODY_DYNAMIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set mass: the body '%.100s' is not dynamic", body->name);
    AbutStatus status = abut_check_body(&def, error);
    if (status == ABUT_OK && mass > 0.0 && !abut_invert_inertia(inertia, &inverse))
        status = abut_fail(error, ABUT_ERROR_NUMBER, "set mass: the inertia cannot be inverted");
    if (status != ABUT_OK)
        return status;
    body->mass_given = mass > 0.0;
    if (mass > 0.0)
        abut_body_set_mass(scene, body, mass, center, inertia, inverse);
    else
        status = abut_body_update_mass(scene, body, error);
    if (status == ABUT_OK && !(body->inv_mass > 0.0))
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "set mass: the shapes of '%.100s' have none", body->name);
    if (status != ABUT_OK) {
        abut_body_set_mass(scene, body, old.mass, old.local_center, old.inertia, old.inv_inertia);
        *body = old;
        return status;
    }
    carry_velocity(body, old.x);
    abut_scene_refit_body(scene, body);
    tell(scene, place);
    return ABUT_OK;
}

/* ---- kind -------------------------------------------------------------------------------------------------------- */

/* May its shapes be moved by forces? */
static AbutStatus check_shapes(const AbutScene *scene, const AbutBody *body, AbutError *error)
{
    double mass = 0.0;
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutShape *shape = &scene->shape[s];
        if (!shape->polyhedron || shape->polyhedron->dimension < 3)
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "set kind: '%.100s' has a half-space, or a shape without volume, and cannot be dynamic", body->name);
        mass += shape->def.sensor ? 0.0 : shape->def.density * shape->def.geometry->mass.volume;
    }
    if (!(mass > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: the shapes of '%.100s' have no mass", body->name);
    return ABUT_OK;
}

static AbutStatus check_kind(const AbutScene *scene, const AbutBody *body, AbutBodyKind kind, AbutError *error)
{
    if (kind != ABUT_BODY_DYNAMIC && kind != ABUT_BODY_STATIC && kind != ABUT_BODY_KINEMATIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: dynamic, static or kinematic was expected");
    if (body->kind == ABUT_BODY_LINK || body->robot >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: the body '%.100s' belongs to a robot", body->name);
    return kind == ABUT_BODY_DYNAMIC ? check_shapes(scene, body, error) : ABUT_OK;
}

AbutStatus abut_scene_set_kind(AbutScene *scene, AbutBodyId id, AbutBodyKind kind, AbutError *error)
{
    ABUT_ASSERT(scene);
    int32_t place = abut_scene_body_place(scene, id);
    if (place < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: no such body");
    AbutBody *body = &scene->body[place], old = *body;
    if (body->kind == kind)
        return ABUT_OK;
    AbutStatus status = check_kind(scene, body, kind, error);
    if (status != ABUT_OK)
        return status;
    AbutMat3 none = abut_mat3_diagonal(0.0, 0.0, 0.0);
    body->kind = kind;
    body->mass_given = 0;
    if (kind == ABUT_BODY_DYNAMIC)
        status = abut_body_update_mass(scene, body, error);
    else
        abut_body_set_mass(scene, body, 0.0, abut_zero(), none, none);
    if (status != ABUT_OK) {
        *body = old;
        return status;
    }
    carry_velocity(body, old.x);
    if (kind == ABUT_BODY_STATIC)
        body->v = body->w = abut_zero();
    body->force = body->torque = abut_zero();
    tell(scene, place);
    abut_scene_drop_pairs(scene, place); /* who is A of a contact depends on it */
    abut_scene_refit_body(scene, body);
    return ABUT_OK;
}
