/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of joints from a model: bodies become links, welded ones are merged with their mass and keep their pose in the
 * link; degrees of freedom are numbered in the order of the bodies, which is MJCF's. All memory is taken here, from one
 * pool.
 */
#include "robot/tree.h"

#include <string.h>

#include "model/mass.h"

typedef struct Build {
    AbutTree *t;
    const AbutTreePart *part; /* NULL: the whole model */
} Build;

static int is_part(const Build *b, int32_t body) { return !b->part || b->part->root_of[body] == b->part->root; }

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* Does the body begin a link of its own? */
static int starts_link(const AbutModel *model, int32_t body) {
    const AbutBodyDef *def = &model->bodies[body];
    return def->kind == ABUT_BODY_DYNAMIC ||
           (def->kind == ABUT_BODY_LINK && abut_model_next_joint(model, body, -1) >= 0);
}

/* The parent of the body; -1: the world. */
static int32_t parent_of(const Build *b, int32_t body) {
    return b->part && b->part->root == body ? -1 : b->t->model->bodies[body].parent;
}

/* In its parent. A scene gives poses of unit length, and the place of the root in the world. */
static AbutPose pose_of(const Build *b, int32_t body) {
    AbutPose pose = b->t->model->bodies[body].pose;
    if (!b->part) return pose;
    if (b->part->root == body && b->part->base) pose = abut_pose_mul(*b->part->base, pose);
    pose.q = abut_quat_normalize(pose.q);
    return pose;
}

static void add_link(Build *b, int32_t body, AbutBodyPlace *place) {
    AbutTree *t = b->t;
    int32_t parent = parent_of(b, body);
    const AbutBodyPlace *under = parent >= 0 ? &t->bodies[parent] : NULL;
    AbutLink *link = &t->links[t->link_count];
    memset(link, 0, sizeof *link);
    link->parent = under ? under->link : -1;
    link->body = body;
    link->fixed = under ? abut_pose_mul(under->pose, pose_of(b, body)) : pose_of(b, body);
    link->turned = link->fixed.q.w != 1.0;
    link->first_move = t->move_count;
    link->root = link->parent < 0 ? t->root_count++ : t->links[link->parent].root;
    place->link = t->link_count++;
    place->pose = abut_pose_identity();
}

/* Adds the mass of a body to its link. */
static void add_mass(Build *b, int32_t body) {
    AbutTree *t = b->t;
    const AbutBodyPlace *place = &t->bodies[body];
    if (place->link < 0) return;
    AbutLink *link = &t->links[place->link];
    AbutRigid own = abut_rigid_of_body(t->model, body);
    if (b->part) own.inertia = abut_mat3_scale(abut_mat3_add(own.inertia, abut_mat3_transpose(own.inertia)), 0.5);
    own = abut_rigid_move(own, place->pose);
    AbutRigid sum = abut_rigid_add((AbutRigid){link->mass, link->center, link->inertia}, own);
    double lifted = t->model->bodies[body].gravity_compensation * own.mass, all = link->lifted_mass + lifted;
    if (all != 0.0) link->lifted_center = abut_lerp(link->lifted_center, own.center, lifted / all);
    link->lifted_mass = all;
    link->mass = sum.mass;
    link->center = sum.center;
    link->inertia = sum.inertia;
}

/* ---- degrees of freedom ------------------------------------------------------------------------------------------ */

static void add_move(AbutTree *t, AbutLink *link, AbutMove move, double damping, double armature) {
    static const int32_t positions[] = {1, 1, 4, 7}, velocities[] = {1, 1, 3, 6};
    move.link = (int32_t)(link - t->links);
    move.position = t->nq;
    move.velocity = t->nv;
    int32_t count = velocities[move.kind];
    for (int32_t i = 0; i < count; ++i) {
        int32_t before = link->last, half = move.kind == ABUT_MOVE_FREE && i >= 3;
        t->dofs[t->nv] = (AbutDof){before, before >= 0 ? t->dofs[before].depth + 1 : 1, move.link,
            2 * t->move_count + half, move.kind == ABUT_MOVE_FREE && !half, damping, armature};
        t->depth = t->dofs[t->nv].depth > t->depth ? t->dofs[t->nv].depth : t->depth;
        link->last = t->nv++;
    }
    t->nq += positions[move.kind];
    link->dof_count += count;
    ++link->move_count;
    t->moves[t->move_count++] = move;
}

static void add_moves(AbutTree *t, int32_t body) {
    const AbutModel *model = t->model;
    const AbutBodyDef *def = &model->bodies[body];
    AbutBodyPlace *place = &t->bodies[body];
    AbutLink *link = &t->links[place->link];
    link->last = link->parent >= 0 ? t->links[link->parent].last : -1;
    link->first_dof = t->nv;
    if (def->kind == ABUT_BODY_DYNAMIC) {
        AbutMove move = {.kind = ABUT_MOVE_FREE, .joint = -1};
        place->position = t->nq;
        place->velocity = t->nv;
        add_move(t, link, move, def->damping, def->armature);
    }
    for (int32_t j = abut_model_next_joint(model, body, -1); j >= 0; j = abut_model_next_joint(model, body, j)) {
        const AbutJointDef *joint = &model->joints[j];
        AbutMove move = {.kind = (AbutMoveKind)joint->kind,
            .joint = j,
            .force_limited = joint->force_limited,
            .lifted = joint->lifted,
            .beside = abut_dot(joint->position, joint->position) > 0.0,
            .at = joint->position,
            .axis = joint->axis,
            .reference = joint->reference,
            .stiffness = joint->stiffness,
            .spring_reference = joint->spring_reference};
        t->move_of[j] = t->move_count;
        add_move(t, link, move, joint->damping, joint->armature);
    }
}

static void add_body(Build *b, int32_t body) {
    AbutTree *t = b->t;
    AbutBodyPlace *place = &t->bodies[body];
    int32_t parent = parent_of(b, body);
    *place = (AbutBodyPlace){-1, -1, -1, pose_of(b, body)};
    if (starts_link(t->model, body)) {
        add_link(b, body, place);
        add_moves(t, body);
    } else if (parent >= 0) {
        place->link = t->bodies[parent].link;
        place->pose = abut_pose_mul(t->bodies[parent].pose, pose_of(b, body));
    }
    add_mass(b, body);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Room for links, moves and degrees of freedom, as many as the bodies of the tree need. */
static int take_structure(Build *b) {
    static const size_t velocities[] = {1, 1, 3};
    AbutTree *t = b->t;
    const AbutModel *model = t->model;
    size_t bodies = 0, moves = 0, nv = 0;
    int good = 1;
    for (int32_t i = 0; i < model->body_count; ++i) {
        if (!is_part(b, i)) continue;
        size_t is_free = model->bodies[i].kind == ABUT_BODY_DYNAMIC;
        ++bodies, moves += is_free, nv += 6 * is_free;
        for (int32_t j = abut_model_next_joint(model, i, -1); j >= 0; j = abut_model_next_joint(model, i, j))
            ++moves, nv += velocities[model->joints[j].kind];
    }
    t->links = abut_pool_take_array(&t->pool, bodies, sizeof *t->links, &good);
    t->moves = abut_pool_take_array(&t->pool, moves, sizeof *t->moves, &good);
    t->dofs = abut_pool_take_array(&t->pool, nv, sizeof *t->dofs, &good);
    t->bodies = b->part ? b->part->bodies : abut_pool_take_array(&t->pool, bodies, sizeof *t->bodies, &good);
    t->move_of = b->part ? b->part->move_of
                         : abut_pool_take_array(&t->pool, (size_t)model->joint_count, sizeof *t->move_of, &good);
    t->couplings =
        b->part ? NULL : abut_pool_take_array(&t->pool, (size_t)model->joint_count, sizeof *t->couplings, &good);
    return good;
}

/* Rows of the mass matrix and their columns; 0: too many entries. */
static int make_rows(AbutTree *t) {
    int good = 1;
    int64_t sum = 0;
    t->row = abut_pool_take_array(&t->pool, (size_t)t->nv, sizeof *t->row, &good);
    for (int32_t i = 0; good && i < t->nv; ++i) {
        t->row[i] = (int32_t)sum;
        sum += t->dofs[i].depth;
        good = sum < INT32_MAX;
    }
    if (!good) return 0;
    t->row[t->nv] = (int32_t)sum;
    t->ancestor = abut_pool_take_array(&t->pool, (size_t)sum, sizeof *t->ancestor, &good);
    for (int32_t i = 0; good && i < t->nv; ++i)
        for (int32_t d = i, k = t->dofs[i].depth - 1; k >= 0; --k, d = t->dofs[d].parent)
            t->ancestor[t->row[i] + k] = d;
    return good;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* The counter is all of a tree that ever changes. */
static AbutTree *counted(const AbutTree *tree) { return (AbutTree *)(uintptr_t)tree; }

static AbutStatus build(Build *b, AbutError *error) {
    AbutTree *t = b->t;
    if (!take_structure(b)) return abut_fail_memory(error);
    for (int32_t i = 0; i < t->model->body_count; ++i)
        if (is_part(b, i)) add_body(b, i);
    for (int32_t i = 0; i < t->link_count; ++i) t->mass += t->links[i].mass;
    if (t->couplings) abut_tree_make_couplings(t);
    if (!make_rows(t)) return abut_fail_memory(error);
    return ABUT_OK;
}

AbutStatus abut_tree_create_part(
    const AbutModel *model, const AbutTreePart *part, const AbutTree **out, AbutError *error) {
    ABUT_ASSERT(model && out);
    *out = NULL;
    AbutTree *t = abut_alloc(sizeof *t);
    if (!t) return abut_fail_memory(error);
    memset(t, 0, sizeof *t);
    atomic_init(&t->references, 1);
    t->model = model;
    Build b = {t, part};
    AbutStatus status = build(&b, error);
    if (status)
        abut_tree_release(t);
    else
        *out = t;
    return status;
}

AbutStatus abut_tree_create(const AbutModel *model, const AbutTree **out, AbutError *error) {
    return abut_tree_create_part(model, NULL, out, error);
}

const AbutTree *abut_tree_retain(const AbutTree *tree) {
    ABUT_ASSERT(tree);
    atomic_fetch_add_explicit(&counted(tree)->references, 1, memory_order_relaxed);
    return tree;
}

void abut_tree_release(const AbutTree *tree) {
    AbutTree *t = counted(tree);
    if (!t || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) > 1) return;
    abut_pool_free(&t->pool);
    abut_free(t);
}
