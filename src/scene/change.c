/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass, kind and shapes of a body change while it is there. In: what it shall be. Out: mass properties, center,
 * velocities and pairs that fit; everything that touched it wakes. The body frame stays where it is, and a call that is
 * refused changes nothing.
 */
#include "scene/internal.h"

/* The center of mass has moved from `old`: its velocity there. */
static void carry_velocity(AbutBody *body, AbutVec3 old) {
    body->v = abut_add(body->v, abut_cross(body->w, abut_sub(body->x, old)));
}

static void tell(AbutScene *scene, int32_t place) {
    abut_scene_disturb(scene, &scene->body[place]);
    ++scene->revision;
    abut_scene_wake_neighbors(scene, place);
}

AbutStatus abut_scene_set_mass(
    AbutScene *scene, AbutBodyId id, double mass, AbutVec3 center, AbutMat3 inertia, AbutError *error) {
    AbutBodyDef def = abut_body_default();
    AbutMat3 inverse;
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "set mass", &body, error));
    AbutBody old = *body;
    def.name = body->name;
    def.mass = mass, def.center = center, def.inertia = inertia;
    if (body->kind != ABUT_BODY_DYNAMIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set mass: the body '%.100s' is not dynamic", body->name);
    ABUT_TRY(abut_check_body(&def, error));
    if (mass > 0.0 && !abut_invert_inertia(inertia, &inverse))
        return abut_fail(error, ABUT_ERROR_NUMBER, "set mass: the inertia cannot be inverted");
    body->mass_given = mass > 0.0;
    AbutStatus status = ABUT_OK;
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
    tell(scene, (int32_t)(body - scene->body));
    return ABUT_OK;
}

/* ---- kind -------------------------------------------------------------------------------------------------------- */

/* May its shapes be moved by forces? */
static AbutStatus check_shapes(const AbutScene *scene, const AbutBody *body, AbutError *error) {
    double mass = 0.0;
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutShape *shape = &scene->shape[s];
        if (!shape->polyhedron || shape->polyhedron->dimension < 3 || abut_shape_grid(shape))
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "set kind: '%.100s' has a half-space, a height field or a shape without volume, and cannot be dynamic",
                body->name);
        mass += shape->def.sensor ? 0.0 : shape->def.density * shape->def.geometry->mass.volume;
    }
    if (!(mass > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: the shapes of '%.100s' have no mass", body->name);
    return ABUT_OK;
}

static AbutStatus check_kind(const AbutScene *scene, const AbutBody *body, AbutBodyKind kind, AbutError *error) {
    if (kind != ABUT_BODY_DYNAMIC && kind != ABUT_BODY_STATIC && kind != ABUT_BODY_KINEMATIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: expected dynamic, static or kinematic");
    if (body->kind == ABUT_BODY_LINK || body->robot >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "set kind: the body '%.100s' belongs to a robot", body->name);
    return kind == ABUT_BODY_DYNAMIC ? check_shapes(scene, body, error) : ABUT_OK;
}

AbutStatus abut_scene_set_kind(AbutScene *scene, AbutBodyId id, AbutBodyKind kind, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "set kind", &body, error));
    AbutBody old = *body;
    int32_t place = (int32_t)(body - scene->body);
    if (body->kind == kind) return ABUT_OK;
    ABUT_TRY(check_kind(scene, body, kind, error));
    AbutMat3 none = abut_mat3_diagonal(0.0, 0.0, 0.0);
    body->kind = kind;
    body->mass_given = 0;
    AbutStatus status = ABUT_OK;
    if (kind == ABUT_BODY_DYNAMIC)
        status = abut_body_update_mass(scene, body, error);
    else
        abut_body_set_mass(scene, body, 0.0, abut_zero(), none, none);
    if (status != ABUT_OK) {
        *body = old;
        return status;
    }
    carry_velocity(body, old.x);
    if (kind == ABUT_BODY_STATIC) body->v = body->w = abut_zero();
    body->force = body->torque = abut_zero();
    tell(scene, place);
    abut_scene_drop_pairs(scene, place); /* who is A of a contact depends on it */
    abut_scene_refit_body(scene, body);
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* A shape that may change. */
static AbutStatus changeable(AbutScene *scene, AbutShapeId id, const char *what, AbutShape **out, AbutError *error) {
    ABUT_TRY(abut_scene_need_shape(scene, id, what, out, error));
    const AbutBody *body = &scene->body[(*out)->body];
    if (body->robot < 0 && body->kind != ABUT_BODY_LINK) return ABUT_OK;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the body '%.100s' belongs to a robot", what, body->name);
}

/* The shape before this one in the list of its body; -1: it is the first. */
static int32_t shape_before(const AbutScene *scene, int32_t place) {
    const AbutBody *body = &scene->body[scene->shape[place].body];
    int32_t before = -1, s = scene->shape[place].def.visual ? body->first_visual : body->first_shape;
    for (; s != place; s = scene->shape[s].next) before = s;
    return before;
}

/* After `before` comes `next`, whatever came there. */
static void set_next(AbutScene *scene, AbutBody *body, int visual, int32_t before, int32_t next) {
    *(before >= 0 ? &scene->shape[before].next : visual ? &body->first_visual : &body->first_shape) = next;
    if (next < 0 || scene->shape[next].next < 0)
        *(visual ? &body->last_visual : &body->last_shape) = next < 0 ? before : next;
}

/* Mass from the shapes as they are now; points of the body keep their velocity. Touches end, neighbors wake. */
static AbutStatus follow_shapes(AbutScene *scene, int32_t body, AbutError *error) {
    AbutBody *b = &scene->body[body];
    AbutVec3 old = b->x;
    ABUT_TRY(abut_body_update_mass(scene, b, error));
    carry_velocity(b, old);
    tell(scene, body);
    abut_scene_drop_pairs(scene, body);
    abut_scene_refit_body(scene, b);
    return ABUT_OK;
}

AbutStatus abut_scene_remove_shape(AbutScene *scene, AbutShapeId id, AbutError *error) {
    AbutShape *shape;
    ABUT_TRY(changeable(scene, id, "remove shape", &shape, error));
    int32_t place = (int32_t)(shape - scene->shape);
    int32_t before = shape_before(scene, place), visual = shape->def.visual;
    AbutBody *body = &scene->body[shape->body];
    set_next(scene, body, visual, before, shape->next);
    AbutStatus status = follow_shapes(scene, shape->body, error);
    if (status != ABUT_OK) {
        set_next(scene, body, visual, before, place);
        return status;
    }
    abut_scene_forget_shape(scene, place);
    abut_shape_release(scene, place);
    return ABUT_OK;
}

AbutStatus abut_scene_set_form(
    AbutScene *scene, AbutShapeId id, const AbutGeometryDef *form, AbutPose pose, AbutError *error) {
    ABUT_ASSERT(form);
    AbutShape *shape;
    ABUT_TRY(changeable(scene, id, "set form", &shape, error));
    const AbutBody *body = &scene->body[shape->body];
    AbutShapeDef def = shape->def;
    def.form = *form, def.pose = pose, def.geometry = NULL;
    ABUT_TRY(abut_check_shape(&scene->geometry, body->name, body->kind == ABUT_BODY_DYNAMIC, &def, error));
    const char *refused = NULL;
    if (!def.geometry->polyhedron != !shape->polyhedron)
        refused = "a half-space stays one, and nothing else becomes one";
    else if (def.geometry->field || shape->def.geometry->field)
        refused = "a height field stays as it is, and nothing becomes one";
    def.pose.q = abut_quat_normalize(def.pose.q);
    if (!refused) abut_shape_swap_form(shape, &def);
    AbutStatus status = refused ? abut_fail(error, ABUT_ERROR_ARGUMENT, "set form: %s", refused)
                                : follow_shapes(scene, shape->body, error);
    if (status != ABUT_OK && !refused) abut_shape_swap_form(shape, &def);
    abut_geometry_release(def.geometry);
    return status;
}
