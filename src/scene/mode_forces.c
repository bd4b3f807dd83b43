/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights, velocities, masses and friction in the velocities of abut_scene_mode_system: six per dynamic body, in the
 * order of the scene, of the centre of mass, then angular, world axes.
 */
#include "scene/parts.h"

#include <string.h>

static int is_dynamic(const AbutBody *body)
{
    return body->alive && body->kind == ABUT_BODY_DYNAMIC;
}

int abut_scene_mode_dof(const AbutScene *scene)
{
    ABUT_ASSERT(scene);
    int dof = 0;
    for (int32_t i = 0; i < scene->body_places; ++i)
        dof += 6 * is_dynamic(&scene->body[i]);
    return dof;
}

/* Mass and inertia about the centre of mass, world axes, into the block of a body. */
static void put_mass(const AbutBody *body, int at, int dof, double *mass)
{
    AbutMat3 turned = abut_mat3_mul(body->rotation, body->inertia);
    for (int r = 0; r < 3; ++r) {
        mass[(size_t)(at + r) * (size_t)dof + (size_t)(at + r)] = body->mass;
        AbutVec3 column = abut_mat3_apply(turned, abut_mat3_apply_t(body->rotation, abut_axis(r)));
        for (int k = 0; k < 3; ++k)
            mass[(size_t)(at + 3 + k) * (size_t)dof + (size_t)(at + 3 + r)] = abut_get(column, k);
    }
}

static void put_body(const AbutBody *body, AbutVec3 gravity, int at, int dof, const AbutSceneForces *out)
{
    for (int k = 0; k < 3; ++k) {
        if (out->force)
            out->force[at + k] = body->mass * abut_get(gravity, k), out->force[at + 3 + k] = 0.0;
        if (out->velocity)
            out->velocity[at + k] = abut_get(body->v, k), out->velocity[at + 3 + k] = abut_get(body->w, k);
    }
    if (out->mass)
        put_mass(body, at, dof, out->mass);
}

/* Static friction of a contact; 0 where its shapes are gone. */
static double friction_of(const AbutScene *scene, const AbutContact *contact)
{
    int32_t a = abut_scene_shape_place(scene, contact->shape_a), b = abut_scene_shape_place(scene, contact->shape_b);
    AbutScenePair pair = {.a = a < b ? a : b, .b = a < b ? b : a};
    if (pair.a < 0)
        return 0.0;
    abut_scene_set_pair_material(scene, &pair);
    return pair.friction;
}

void abut_scene_mode_forces(
    const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity, const AbutSceneForces *out)
{
    ABUT_ASSERT(scene && out && (contacts || !out->friction));
    int dof = abut_scene_mode_dof(scene), at = 0, n = 0;
    if (out->mass)
        memset(out->mass, 0, (size_t)dof * (size_t)dof * sizeof *out->mass);
    for (int32_t i = 0; i < scene->body_places; ++i)
        if (is_dynamic(&scene->body[i])) {
            put_body(&scene->body[i], gravity, at, dof, out);
            at += 6;
        }
    for (int32_t k = 0; out->friction && k < contacts->count; ++k)
        for (int i = 0; i < contacts->contacts[k].vertex_count; ++i)
            out->friction[n++] = friction_of(scene, &contacts->contacts[k]);
}
