/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies come and go; their mass properties.
 *
 * In: an AbutBodyDef and the shapes added to the body later. Out: center of mass, inertia about it in body axes, their
 * inverses. Method: volume integrals of the polyhedra times their densities, moved to the common center by the parallel
 * axis theorem. Static and kinematic bodies have mass 0, and x is the origin of their body frame.
 */
#include <string.h>

#include "scene/internal.h"

void abut_body_moved(AbutBody *body) { body->rotation = abut_quat_to_mat3(body->q); }

AbutPose abut_body_pose(const AbutBody *body) {
    return abut_pose(abut_sub(body->x, abut_quat_rotate(body->q, body->local_center)), body->q);
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

static AbutVec3 centroid_in_body(const AbutShape *shape) {
    return abut_pose_apply(shape->def.pose, shape->def.geometry->mass.centroid);
}

static double density_of(const AbutShape *shape) { return shape->def.sensor ? 0.0 : shape->def.density; }

static void sum_shapes(
    const AbutScene *scene, const AbutBody *body, double *mass, AbutVec3 *center, AbutMat3 *inertia) {
    AbutVec3 moment = abut_zero();
    AbutMat3 zero = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    *mass = 0.0;
    *inertia = zero;
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutShape *shape = &scene->shape[s];
        double m = density_of(shape) * shape->def.geometry->mass.volume;
        *mass += m;
        moment = abut_add_scaled(moment, centroid_in_body(shape), m);
    }
    *center = *mass > 0.0 ? abut_scale(moment, 1.0 / *mass) : abut_zero();
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutShape *shape = &scene->shape[s];
        AbutMat3 r = abut_quat_to_mat3(shape->def.pose.q);
        AbutMat3 own = abut_mat3_mul(r, abut_mat3_mul(shape->def.geometry->mass.inertia, abut_mat3_transpose(r)));
        double m = density_of(shape) * shape->def.geometry->mass.volume;
        *inertia = abut_mat3_add(*inertia, abut_mat3_scale(own, density_of(shape)));
        *inertia = abut_mat3_add(*inertia, abut_point_inertia(m, abut_sub(centroid_in_body(shape), *center)));
    }
}

/* Frame and bounds of a shape as seen from the center of mass. */
static void update_local_frame(const AbutBody *body, AbutShape *shape) {
    AbutPose local = shape->def.pose;
    local.p = abut_sub(local.p, body->local_center);
    shape->local_p = local.p;
    shape->local_q = local.q;
    shape->local_rotation = abut_quat_to_mat3(local.q);
    shape->bound_center = abut_pose_apply(local, shape->def.geometry->bound.center);
    shape->bound_radius = shape->def.geometry->bound.radius;
}

static void update_local_frames(AbutScene *scene, const AbutBody *body) {
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) update_local_frame(body, &scene->shape[s]);
}

void abut_body_set_mass(
    AbutScene *scene, AbutBody *body, double mass, AbutVec3 center, AbutMat3 inertia, AbutMat3 inverse) {
    AbutPose pose = abut_body_pose(body);
    body->mass = mass;
    body->inv_mass = mass > 0.0 ? 1.0 / mass : 0.0;
    body->local_center = center;
    body->inertia = inertia;
    body->inv_inertia = inverse;
    body->x = abut_pose_apply(pose, center);
    abut_body_moved(body);
    update_local_frames(scene, body);
}

AbutStatus abut_body_update_mass(AbutScene *scene, AbutBody *body, AbutError *error) {
    double mass;
    AbutVec3 center;
    AbutMat3 inertia, inverse = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (abut_body_mass_is_fixed(body)) {
        update_local_frames(scene, body);
        return ABUT_OK;
    }
    sum_shapes(scene, body, &mass, &center, &inertia);
    if (mass != 0.0 && (!isfinite(mass) || !isfinite(1.0 / mass) || !abut_is_finite(center) ||
                           !abut_invert_inertia(inertia, &inverse)))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "the body '%s': its shapes give a mass of %g kg, or an inertia, that cannot be used", body->name, mass);
    abut_body_set_mass(scene, body, mass, center, inertia, inverse);
    return ABUT_OK;
}

int abut_body_mass_is_fixed(const AbutBody *body) { return body->kind != ABUT_BODY_DYNAMIC || body->mass_given; }

AbutStatus abut_body_take_shape(AbutScene *scene, AbutBody *body, int32_t shape, AbutError *error) {
    if (!abut_body_mass_is_fixed(body)) return abut_body_update_mass(scene, body, error);
    update_local_frame(body, &scene->shape[shape]);
    return ABUT_OK;
}

/* Contacts are overlaps: a shape without volume never makes one. */
static AbutStatus check_volumes(const AbutScene *scene, const AbutBody *body, AbutError *error) {
    for (int32_t s = body->first_shape; s >= 0; s = scene->shape[s].next) {
        const AbutPolyhedron *p = scene->shape[s].def.geometry->polyhedron;
        if (p && p->dimension < 3)
            return abut_fail(error, ABUT_ERROR_DEGENERATE,
                "body '%s': a shape without volume cannot be in contact; give it a thickness or make it visual",
                body->name);
    }
    return ABUT_OK;
}

AbutStatus abut_scene_check(const AbutScene *scene, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < scene->live_count && status == ABUT_OK; ++i) {
        const AbutBody *body = &scene->body[scene->live[i]];
        if (body->kind == ABUT_BODY_DYNAMIC && !(body->inv_mass > 0.0))
            return abut_fail(
                error, ABUT_ERROR_ARGUMENT, "body %d ('%s') is dynamic and has no mass", scene->live[i], body->name);
        status = check_volumes(scene, body, error);
    }
    return status;
}

/* ---- definition -------------------------------------------------------------------------------------------------- */

/* A free place, not taken yet; -1: no memory. Room in the list of live bodies comes with it. */
static int32_t reserve_body(AbutScene *scene) {
    size_t need = (size_t)scene->body_places + 1;
    if (need > INT32_MAX / 2 || !abut_grow((void **)&scene->live, &scene->live_capacity, need, sizeof *scene->live))
        return -1;
    if (scene->body_free >= 0) return scene->body_free;
    return abut_grow((void **)&scene->body, &scene->body_capacity, need, sizeof *scene->body) ? scene->body_places : -1;
}

static void take_body(AbutScene *scene, int32_t place) {
    uint32_t generation = 1;
    if (place == scene->body_free) {
        generation = scene->body[place].generation;
        scene->body_free = scene->body[place].first_shape;
    } else {
        ++scene->body_places;
    }
    memset(&scene->body[place], 0, sizeof scene->body[place]);
    scene->body[place].generation = generation;
    scene->body[place].alive = 1;
    scene->body[place].first_shape = scene->body[place].first_visual = -1;
    scene->body[place].last_shape = scene->body[place].last_visual = -1;
    scene->body[place].tree = scene->body[place].link = scene->body[place].robot = -1;
    int32_t i = scene->live_count++;
    for (; i > 0 && scene->live[i - 1] > place; --i) scene->live[i] = scene->live[i - 1];
    scene->live[i] = place;
    ++scene->revision;
}

AbutStatus abut_scene_add_body(AbutScene *scene, const AbutBodyDef *given, AbutBodyId *out, AbutError *error) {
    ABUT_ASSERT(scene && given);
    AbutBodyId none = {0, 0};
    if (given->kind != ABUT_BODY_LINK) return abut_scene_put_body(scene, given, out, error);
    if (out) *out = none;
    return abut_fail(error, ABUT_ERROR_ARGUMENT, "body '%.100s': a link comes with its model, not alone",
        given->name ? given->name : "");
}

AbutStatus abut_scene_put_body(AbutScene *scene, const AbutBodyDef *given, AbutBodyId *out, AbutError *error) {
    AbutBodyDef def = *given;
    AbutBodyId none = {0, 0};
    AbutMat3 inverse;
    int has_mass = (def.kind == ABUT_BODY_DYNAMIC || def.kind == ABUT_BODY_LINK) && def.mass > 0.0;
    if (out) *out = none;
    ABUT_TRY(abut_check_body(&def, error));
    char *name;
    ABUT_TRY(abut_scene_copy_name(def.name, &name, error));
    int32_t place = reserve_body(scene);
    if (place < 0) {
        abut_free(name);
        return abut_fail_memory(error);
    }
    take_body(scene, place);
    AbutBody *body = &scene->body[place];
    body->name = name;
    body->kind = def.kind;
    body->x = def.pose.p;
    body->q = abut_quat_normalize(def.pose.q);
    body->v = def.velocity;
    body->w = def.spin;
    body->never_sleeps = def.never_sleeps;
    body->gravity_scale = 1.0 - (def.kind == ABUT_BODY_DYNAMIC ? def.gravity_compensation : 0.0);
    body->motion = def.motion;
    body->motion_user = def.motion_user;
    body->mass_given = has_mass;
    body->user = def.user;
    abut_body_moved(body);
    int inverted = has_mass && abut_invert_inertia(def.inertia, &inverse);
    if (!inverted) inverse = abut_mat3_diagonal(0.0, 0.0, 0.0); /* of a link: what it hangs on makes up for it */
    if (inverted || (has_mass && def.kind == ABUT_BODY_LINK))
        abut_body_set_mass(scene, body, def.mass, def.center, def.inertia, inverse);
    if (out) *out = abut_scene_body_id(scene, place);
    return ABUT_OK;
}

/* From this one to the end of its list. */
static void remove_shapes(AbutScene *scene, int32_t place) {
    while (place >= 0) {
        int32_t next = scene->shape[place].next;
        abut_shape_release(scene, place);
        place = next;
    }
}

AbutStatus abut_scene_remove_body(AbutScene *scene, AbutBodyId id, AbutError *error) {
    AbutBody *body;
    ABUT_TRY(abut_scene_need_body(scene, id, "remove body", &body, error));
    if (body->robot >= 0)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "remove body: the body '%.100s' belongs to a robot and stays", body->name);
    abut_scene_take_body(scene, (int32_t)(body - scene->body));
    return ABUT_OK;
}

void abut_scene_take_body(AbutScene *scene, int32_t place) {
    AbutBody *body = &scene->body[place];
    abut_scene_drop_pairs(scene, place);
    abut_scene_forget_rules(scene, place);
    remove_shapes(scene, body->first_shape);
    remove_shapes(scene, body->first_visual);
    abut_free(body->name);
    body->name = NULL;
    body->alive = 0;
    ++body->generation;
    body->first_shape = scene->body_free;
    scene->body_free = place;
    int32_t i = 0;
    while (scene->live[i] != place) ++i;
    --scene->live_count;
    memmove(scene->live + i, scene->live + i + 1, (size_t)(scene->live_count - i) * sizeof *scene->live);
    ++scene->revision;
}
