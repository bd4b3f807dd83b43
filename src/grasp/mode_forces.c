/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights, velocities, masses and friction in all velocities of a scene, in its order: six per free body, of the center
 * of mass, then angular, world axes; per tree of links those of its joints, where its root stands.
 */
#include "grasp/modes.h"

#include <string.h>

int abut_scene_mode_width(const AbutScene *scene, const AbutBody *body) {
    if (body->tree >= 0) return body->link == 0 ? scene->robot_tree[body->tree].configuration->tree->nv : 0;
    return body->kind == ABUT_BODY_DYNAMIC ? 6 : 0;
}

int abut_scene_mode_dof(const AbutScene *scene) {
    ABUT_ASSERT(scene);
    int dof = 0;
    for (int32_t i = 0; i < scene->live_count; ++i) dof += abut_scene_mode_width(scene, &scene->body[scene->live[i]]);
    return dof;
}

/* Mass and inertia about the center of mass, world axes, into the block of a body. */
static void put_mass(const AbutBody *body, int at, int dof, double *mass) {
    AbutMat3 turned = abut_mat3_mul(body->rotation, body->inertia);
    for (int r = 0; r < 3; ++r) {
        mass[(size_t)(at + r) * (size_t)dof + (size_t)(at + r)] = body->mass;
        AbutVec3 column = abut_mat3_apply(turned, abut_mat3_apply_t(body->rotation, abut_axis(r)));
        for (int k = 0; k < 3; ++k)
            mass[(size_t)(at + 3 + k) * (size_t)dof + (size_t)(at + 3 + r)] = abut_get(column, k);
    }
}

static void put_body(const AbutBody *body, AbutVec3 gravity, int at, int dof, const AbutSceneForces *out) {
    for (int k = 0; k < 3; ++k) {
        if (out->force)
            out->force[at + k] = body->mass * body->gravity_scale * abut_get(gravity, k), out->force[at + 3 + k] = 0.0;
        if (out->velocity)
            out->velocity[at + k] = abut_get(body->v, k), out->velocity[at + 3 + k] = abut_get(body->w, k);
    }
    if (out->mass) put_mass(body, at, dof, out->mass);
}

/* Adds what a force at a point of a link does to the joints between it and the root. */
static void add_force(const AbutConfiguration *c, const AbutLink *link, AbutVec3 point, AbutVec3 force, double *out) {
    AbutVec3 arm = abut_sub(point, c->origins[link->root]);
    for (int32_t d = link->last; d >= 0; d = c->tree->dofs[d].parent)
        out[d] += abut_dot(abut_add(c->axes[d].l, abut_cross(c->axes[d].w, arm)), force);
}

/* Weights of the links, less what is compensated. */
static void put_weights(const AbutConfiguration *c, AbutVec3 gravity, double *out) {
    memset(out, 0, (size_t)c->tree->nv * sizeof *out);
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        const AbutLinkState *state = &c->states[i];
        AbutVec3 center = abut_add(state->pose.p, abut_mat3_apply(state->axes, link->center));
        AbutVec3 lifted = abut_add(state->pose.p, abut_mat3_apply(state->axes, link->lifted_center));
        add_force(c, link, center, abut_scale(gravity, link->mass), out);
        add_force(c, link, lifted, abut_scale(gravity, -link->lifted_mass), out);
    }
}

/* The rows of a tree are written side by side where they fit for certain, then each goes to its place, the last first.
 */
static void put_tree_mass(AbutConfiguration *c, int at, int dof, double *mass) {
    size_t own = (size_t)c->tree->nv, wide = (size_t)dof, first = (size_t)at;
    double *rows = mass + first * wide;
    abut_configuration_mass_matrix(c, rows);
    for (size_t r = own; r-- > 0;) {
        double *row = rows + r * wide;
        memmove(row + first, rows + r * own, own * sizeof *row);
        memset(row, 0, first * sizeof *row);
        memset(row + first + own, 0, (wide - first - own) * sizeof *row);
    }
}

static void put_tree(AbutConfiguration *c, AbutVec3 gravity, int at, int dof, const AbutSceneForces *out) {
    if (out->force) put_weights(c, gravity, out->force + at);
    if (out->velocity) memcpy(out->velocity + at, c->v, (size_t)c->tree->nv * sizeof *c->v);
    if (out->mass) put_tree_mass(c, at, dof, out->mass);
}

/* Static friction of a contact; 0 where its shapes are gone. */
static double friction_of(const AbutScene *scene, const AbutContact *contact) {
    int32_t a = abut_scene_shape_place(scene, contact->shape_a), b = abut_scene_shape_place(scene, contact->shape_b);
    AbutScenePair pair = {.a = a < b ? a : b, .b = a < b ? b : a};
    if (pair.a < 0) return 0.0;
    abut_scene_set_pair_material(scene, &pair);
    return pair.friction;
}

void abut_scene_all_forces(
    const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity, const AbutSceneForces *out) {
    int dof = abut_scene_mode_dof(scene), at = 0, n = 0;
    if (out->mass) memset(out->mass, 0, (size_t)dof * (size_t)dof * sizeof *out->mass);
    for (int32_t i = 0; i < scene->live_count; ++i) {
        const AbutBody *body = &scene->body[scene->live[i]];
        int width = abut_scene_mode_width(scene, body);
        if (width > 0 && body->tree >= 0)
            put_tree(scene->robot_tree[body->tree].configuration, gravity, at, dof, out);
        else if (width > 0)
            put_body(body, gravity, at, dof, out);
        at += width;
    }
    for (int32_t k = 0; out->friction && k < contacts->count; ++k)
        for (int i = 0; i < contacts->contacts[k].vertex_count; ++i)
            out->friction[n++] = friction_of(scene, &contacts->contacts[k]);
}
