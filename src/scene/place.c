/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model placed in a scene. Bodies hang together in groups: a link without joints belongs to the group of its parent,
 * a link of the world without joints stands for itself. Each group is one body of the scene, in the frame of its
 * outermost body, with the mass of all of them.
 */
#include <string.h>

#include "scene/internal.h"

typedef AbutPlacing Placing;

static AbutStatus fail_at(AbutError *error, AbutStatus status, AbutSource source, const char *tag, const char *text) {
    if (!source.file) return abut_fail(error, status, "%s: %.300s", tag, text);
    return abut_fail(error, status, "%.100s:%d: <%s>: %.300s", source.file, (int)source.line, tag, text);
}

static AbutStatus reserve(Placing *p) {
    size_t bodies = (size_t)p->model->body_count;
    int good = 1;
    p->owner = abut_pool_take_array(&p->pool, bodies, sizeof *p->owner, &good);
    p->stated = abut_pool_take_array(&p->pool, bodies, sizeof *p->stated, &good);
    p->pose = abut_pool_take_array(&p->pool, bodies, sizeof *p->pose, &good);
    p->mass = abut_pool_take_array(&p->pool, bodies, sizeof *p->mass, &good);
    p->body = abut_pool_take_array(&p->pool, bodies, sizeof *p->body, &good);
    p->shape = abut_pool_take_array(&p->pool, (size_t)p->model->shape_count, sizeof *p->shape, &good);
    return good ? ABUT_OK
                : abut_fail(
                      p->error, ABUT_ERROR_MEMORY, "no memory to place a model of %d bodies", p->model->body_count);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Does the body move against what it hangs on? */
static int stands_alone(const AbutModel *model, int32_t body) {
    return model->bodies[body].parent < 0 || abut_model_next_joint(model, body, -1) >= 0;
}

static AbutStatus find_groups(Placing *p) {
    const AbutModel *model = p->model;
    for (int32_t i = 0; i < model->body_count; ++i) {
        const AbutBodyDef *body = &model->bodies[i];
        int own = stands_alone(model, i);
        p->owner[i] = own ? i : p->owner[body->parent];
        p->pose[i] = own ? abut_pose_identity() : abut_pose_mul(p->pose[body->parent], body->pose);
        p->pose[i].q = abut_quat_normalize(p->pose[i].q);
        if (own && body->parent >= 0 && model->bodies[p->owner[body->parent]].kind == ABUT_BODY_KINEMATIC)
            return fail_at(p->error, ABUT_ERROR_UNSUPPORTED, body->source, "body",
                "a joint on a body with prescribed motion is not simulated");
    }
    return ABUT_OK;
}

/* Masses of the groups of dynamic bodies; left to the shapes where no body of a group states one. */
static void add_masses(Placing *p) {
    const AbutModel *model = p->model;
    for (int32_t i = 0; i < model->body_count; ++i) p->stated[p->owner[i]] |= model->bodies[i].mass > 0.0;
    for (int32_t i = 0; i < model->body_count; ++i) {
        int32_t owner = p->owner[i];
        if (!p->stated[owner] || model->bodies[owner].kind != ABUT_BODY_DYNAMIC) continue;
        AbutRigid own = abut_rigid_of_body(model, i);
        p->mass[owner] = owner == i ? own : abut_rigid_add(p->mass[owner], abut_rigid_move(own, p->pose[i]));
    }
}

/* ---- bodies and shapes ------------------------------------------------------------------------------------------- */

/* A link stands where its tree has it, with the mass of its group. */
static void describe_link(const AbutConfiguration *c, int32_t number, AbutBodyDef *def) {
    const AbutLink *link = &c->tree->links[number];
    def->kind = ABUT_BODY_LINK;
    def->parent = -1;
    def->pose = c->states[number].pose;
    def->velocity = def->spin = abut_zero();
    def->mass = link->mass;
    def->center = link->center;
    def->inertia = link->inertia;
}

static void describe_single(const Placing *p, int32_t i, AbutBodyDef *def) {
    if (def->kind == ABUT_BODY_LINK) def->kind = ABUT_BODY_STATIC;
    if (p->moved) {
        def->pose = abut_pose_mul(p->at, def->pose);
        def->velocity = abut_quat_rotate(p->at.q, def->velocity);
        def->spin = abut_quat_rotate(p->at.q, def->spin);
    }
    def->mass = def->kind == ABUT_BODY_DYNAMIC ? p->mass[i].mass : 0.0;
    def->center = p->mass[i].center;
    def->inertia = p->mass[i].inertia;
}

static AbutStatus add_body(Placing *p, int32_t i) {
    AbutBodyDef def = p->model->bodies[i];
    AbutError inner;
    const AbutConfiguration *c;
    int32_t link = abut_placed_link(p, i, &c);
    if (link >= 0)
        describe_link(c, link, &def);
    else
        describe_single(p, i, &def);
    def.inertia = abut_mat3_scale(abut_mat3_add(def.inertia, abut_mat3_transpose(def.inertia)), 0.5);
    AbutStatus status = abut_scene_put_body(p->scene, &def, &p->body[i], &inner);
    return status == ABUT_OK ? ABUT_OK : fail_at(p->error, status, def.source, "body", inner.text);
}

static AbutStatus add_shape(Placing *p, int32_t i) {
    AbutShapeDef def = p->model->shapes[i];
    AbutError inner;
    def.pose = abut_pose_mul(p->pose[def.body], def.pose);
    def.pose.q = abut_quat_normalize(def.pose.q);
    AbutStatus status = abut_scene_add_shape(p->scene, p->body[def.body], &def, &p->shape[i], &inner);
    return status == ABUT_OK ? ABUT_OK : fail_at(p->error, status, def.source, "shape", inner.text);
}

/* Shapes that are only drawn come last, so that they do not change the places of the others. */
static AbutStatus add_shapes(Placing *p, int32_t visual) {
    for (int32_t b = 0; b < p->model->body_count; ++b)
        for (int32_t s = abut_model_next_shape(p->model, b, -1); s >= 0; s = abut_model_next_shape(p->model, b, s))
            if ((p->model->shapes[s].visual != 0) == visual) ABUT_TRY(add_shape(p, s));
    return ABUT_OK;
}

/* Does a pair of the model say that shapes of these two groups meet? */
static int are_paired(const Placing *p, int32_t a, int32_t b) {
    for (int32_t i = 0; i < p->model->pair_count; ++i) {
        const AbutPairDef *pair = &p->model->pairs[i];
        if (pair->exclude) continue;
        int32_t x = p->owner[p->model->shapes[pair->a].body], y = p->owner[p->model->shapes[pair->b].body];
        if ((x == a && y == b) || (x == b && y == a)) return 1;
    }
    return 0;
}

/* A link never meets the link that it hangs on, unless a pair says so; what stands still it does meet, as in MJCF. */
static AbutStatus exclude_neighbors(Placing *p) {
    const AbutConfiguration *c;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < p->model->body_count && status == ABUT_OK; ++i) {
        int32_t parent = p->model->bodies[i].parent, owner = parent >= 0 ? p->owner[parent] : -1;
        if (p->owner[i] == i && owner >= 0 && abut_placed_link(p, owner, &c) >= 0 && !are_paired(p, i, owner))
            status = abut_scene_exclude(p->scene, p->body[i], p->body[owner], p->error);
    }
    return status;
}

static AbutStatus add_pairs(Placing *p) {
    AbutStatus status = p->robot ? exclude_neighbors(p) : ABUT_OK;
    for (int32_t i = 0; i < p->model->pair_count && status == ABUT_OK; ++i) {
        const AbutPairDef *pair = &p->model->pairs[i];
        if (pair->exclude)
            status = abut_scene_exclude(p->scene, p->body[pair->a], p->body[pair->b], p->error);
        else if (pair->a != pair->b)
            status = abut_scene_add_pair(p->scene, p->shape[pair->a], p->shape[pair->b], pair, p->error);
    }
    return status;
}

static AbutStatus place(Placing *p) {
    ABUT_TRY(find_groups(p));
    ABUT_TRY(abut_robot_begin(p));
    add_masses(p);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < p->model->body_count && status == ABUT_OK; ++i) {
        if (p->owner[i] == i)
            status = add_body(p, i);
        else
            p->body[i] = p->body[p->owner[i]];
    }
    if (status == ABUT_OK) status = add_shapes(p, 0);
    if (status == ABUT_OK) status = add_shapes(p, 1);
    if (status == ABUT_OK) status = add_pairs(p);
    return status == ABUT_OK ? abut_robot_finish(p) : status;
}

/* Remains of a model that could not be placed. */
static void take_back(Placing *p) {
    abut_robot_cancel(p);
    for (int32_t i = 0; i < p->model->body_count; ++i) {
        int32_t at = abut_scene_body_place(p->scene, p->body[i]);
        if (at >= 0) abut_scene_take_body(p->scene, at);
    }
}

static AbutStatus add_model(Placing *p, AbutBodyId *bodies, AbutShapeId *shapes) {
    AbutStatus status = reserve(p);
    if (status == ABUT_OK) {
        status = place(p);
        if (status != ABUT_OK) take_back(p);
    }
    if (status == ABUT_OK && bodies) memcpy(bodies, p->body, (size_t)p->model->body_count * sizeof *bodies);
    if (status == ABUT_OK && shapes) memcpy(shapes, p->shape, (size_t)p->model->shape_count * sizeof *shapes);
    abut_pool_free(&p->pool);
    return status;
}

AbutStatus abut_scene_add_model(
    AbutScene *scene, const AbutModel *model, AbutPose pose, AbutBodyId *bodies, AbutError *error) {
    ABUT_ASSERT(scene && model);
    Placing p = {.scene = scene, .model = model, .at = pose, .error = error};
    p.moved = abut_max_abs(pose.p) > 0.0 || pose.q.x != 0.0 || pose.q.y != 0.0 || pose.q.z != 0.0;
    ABUT_TRY(abut_check_pose("the pose of a model", &pose, error));
    return add_model(&p, bodies, NULL);
}

/* Room for as many bodies and shapes as another scene has, and no more. */
static int reserve_like(AbutScene *scene, const AbutScene *like) {
    return abut_grow((void **)&scene->body, &scene->body_capacity, (size_t)like->body_places, sizeof *scene->body) &&
           abut_grow(
               (void **)&scene->shape, &scene->shape_capacity, (size_t)like->shape_places, sizeof *scene->shape) &&
           abut_grow((void **)&scene->tree.node, &scene->tree.capacity, (size_t)like->tree.places + 2,
               sizeof *scene->tree.node);
}

AbutStatus abut_scene_share_model(
    AbutScene *scene, const AbutModel *model, const AbutScene *like, AbutShapeId *shapes, AbutError *error) {
    ABUT_ASSERT(scene && model && scene->live_count == 0);
    if (like && !reserve_like(scene, like)) return abut_fail_memory(error);
    Placing p = {.scene = scene, .model = model, .at = abut_pose_identity(), .error = error, .borrow = 1, .like = like};
    return add_model(&p, NULL, shapes);
}

AbutStatus abut_scene_build(AbutScene *scene, const char *spec, uint64_t seed, AbutError *error) {
    ABUT_ASSERT(scene && spec);
    AbutModel *model;
    if (scene->live_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "a built-in scene needs an empty scene; this one has %d bodies",
            scene->live_count);
    AbutStatus status = abut_model_build(spec, seed, &model, error);
    if (status == ABUT_OK) status = abut_scene_add_model(scene, model, abut_pose_identity(), NULL, error);
    abut_model_free(model);
    return status;
}
