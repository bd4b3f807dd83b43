/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration from a model: bodies become links, welded ones are merged with their mass and keep their pose in the
 * link; degrees of freedom are numbered in the order of the bodies, which is MJCF's. All memory is taken here, from one
 * pool.
 */
#include "robot/configuration.h"

#include <string.h>

#include "model/mass.h"

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* Does the body begin a link of its own? */
static int starts_link(const AbutModel *model, int32_t body)
{
    const AbutBodyDef *def = &model->bodies[body];
    return def->kind == ABUT_BODY_DYNAMIC ||
           (def->kind == ABUT_BODY_LINK && abut_model_next_joint(model, body, -1) >= 0);
}

static void add_link(AbutConfiguration *c, int32_t body, AbutBodyPlace *place)
{
    const AbutBodyDef *def = &c->model->bodies[body];
    const AbutBodyPlace *under = def->parent >= 0 ? &c->bodies[def->parent] : NULL;
    AbutLink *link = &c->links[c->link_count];
    memset(link, 0, sizeof *link);
    link->parent = under ? under->link : -1;
    link->body = body;
    link->fixed = under ? abut_pose_mul(under->pose, def->pose) : def->pose;
    link->first_move = c->move_count;
    if (link->parent < 0) {
        link->tree = c->tree_count;
        c->trees[c->tree_count++] = (AbutTree){c->link_count, abut_zero()};
    } else {
        link->tree = c->links[link->parent].tree;
    }
    place->link = c->link_count++;
    place->pose = abut_pose_identity();
}

/* Adds the mass of a body to its link. */
static void add_mass(AbutConfiguration *c, int32_t body)
{
    const AbutBodyPlace *place = &c->bodies[body];
    if (place->link < 0)
        return;
    AbutLink *link = &c->links[place->link];
    AbutRigid own = abut_rigid_move(abut_rigid_of_body(c->model, body), place->pose);
    AbutRigid sum = abut_rigid_add((AbutRigid){link->mass, link->center, link->inertia}, own);
    double lifted = c->model->bodies[body].gravity_compensation * own.mass, all = link->lifted_mass + lifted;
    if (all != 0.0)
        link->lifted_center = abut_lerp(link->lifted_center, own.center, lifted / all);
    link->lifted_mass = all;
    link->mass = sum.mass;
    link->center = sum.center;
    link->inertia = sum.inertia;
}

/* ---- degrees of freedom ------------------------------------------------------------------------------------------ */

static void add_move(AbutConfiguration *c, AbutLink *link, AbutMove move, double damping, double armature)
{
    static const int32_t positions[] = {1, 1, 4, 7}, velocities[] = {1, 1, 3, 6};
    move.link = (int32_t)(link - c->links);
    move.position = c->nq;
    move.velocity = c->nv;
    int32_t count = velocities[move.kind];
    for (int32_t i = 0; i < count; ++i) {
        int32_t before = link->last, half = move.kind == ABUT_MOVE_FREE && i >= 3;
        c->dofs[c->nv] = (AbutDof){before, before >= 0 ? c->dofs[before].depth + 1 : 1, move.link,
            2 * c->move_count + half, move.kind == ABUT_MOVE_FREE && !half, damping, armature};
        c->depth = c->dofs[c->nv].depth > c->depth ? c->dofs[c->nv].depth : c->depth;
        link->last = c->nv++;
    }
    c->nq += positions[move.kind];
    link->dof_count += count;
    ++link->move_count;
    c->moves[c->move_count++] = move;
}

static void add_moves(AbutConfiguration *c, int32_t body)
{
    const AbutModel *model = c->model;
    const AbutBodyDef *def = &model->bodies[body];
    AbutBodyPlace *place = &c->bodies[body];
    AbutLink *link = &c->links[place->link];
    link->last = link->parent >= 0 ? c->links[link->parent].last : -1;
    link->first_dof = c->nv;
    if (def->kind == ABUT_BODY_DYNAMIC) {
        AbutMove move = {.kind = ABUT_MOVE_FREE, .joint = -1};
        place->position = c->nq;
        place->velocity = c->nv;
        add_move(c, link, move, def->damping, def->armature);
    }
    for (int32_t j = abut_model_next_joint(model, body, -1); j >= 0; j = abut_model_next_joint(model, body, j)) {
        const AbutJointDef *joint = &model->joints[j];
        AbutMove move = {.kind = (AbutMoveKind)joint->kind,
            .joint = j,
            .force_limited = joint->force_limited,
            .at = joint->position,
            .axis = joint->axis,
            .reference = joint->reference,
            .stiffness = joint->stiffness,
            .spring_reference = joint->spring_reference};
        c->move_of[j] = c->move_count;
        add_move(c, link, move, joint->damping, joint->armature);
    }
}

static void add_bodies(AbutConfiguration *c)
{
    for (int32_t i = 0; i < c->model->body_count; ++i) {
        const AbutBodyDef *def = &c->model->bodies[i];
        AbutBodyPlace *place = &c->bodies[i];
        *place = (AbutBodyPlace){-1, -1, -1, def->pose};
        if (starts_link(c->model, i)) {
            add_link(c, i, place);
            add_moves(c, i);
        } else if (def->parent >= 0) {
            place->link = c->bodies[def->parent].link;
            place->pose = abut_pose_mul(c->bodies[def->parent].pose, def->pose);
        }
        add_mass(c, i);
    }
    for (int32_t i = 0; i < c->link_count; ++i)
        c->mass += c->links[i].mass;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void *take(AbutConfiguration *c, size_t count, size_t bytes_each, int *good)
{
    void *memory = count < SIZE_MAX / 8 / bytes_each ? abut_pool_take(&c->pool, (count + 1) * bytes_each) : NULL;
    if (memory)
        memset(memory, 0, (count + 1) * bytes_each);
    *good &= memory != NULL;
    return memory;
}

/* What the tree is made of; sizes from the model. */
static int take_structure(AbutConfiguration *c)
{
    size_t bodies = (size_t)c->model->body_count, joints = (size_t)c->model->joint_count;
    size_t nv = (size_t)abut_model_velocity_count(c->model);
    int good = 1;
    c->links = take(c, bodies, sizeof *c->links, &good);
    c->trees = take(c, bodies, sizeof *c->trees, &good);
    c->bodies = take(c, bodies, sizeof *c->bodies, &good);
    c->moves = take(c, bodies + joints, sizeof *c->moves, &good);
    c->move_of = take(c, joints, sizeof *c->move_of, &good);
    c->dofs = take(c, nv, sizeof *c->dofs, &good);
    return good;
}

static int take_state(AbutConfiguration *c)
{
    size_t nv = (size_t)c->nv, links = (size_t)c->link_count, entries = (size_t)c->row[c->nv];
    int good = 1;
    c->q = take(c, (size_t)c->nq, sizeof *c->q, &good);
    c->v = take(c, nv, sizeof *c->v, &good);
    c->axes = take(c, nv, sizeof *c->axes, &good);
    c->ancestor = take(c, entries, sizeof *c->ancestor, &good);
    c->matrix = take(c, entries, sizeof *c->matrix, &good);
    c->factor = take(c, entries, sizeof *c->factor, &good);
    c->inverse_diagonal = take(c, nv, sizeof *c->inverse_diagonal, &good);
    c->composite = take(c, links, sizeof *c->composite, &good);
    c->work = take(c, nv, sizeof *c->work, &good);
    c->work2 = take(c, nv, sizeof *c->work2, &good);
    return good;
}

static int take_workspaces(AbutConfiguration *c)
{
    size_t nv = (size_t)c->nv, links = (size_t)c->link_count;
    int good = 1;
    c->articulated = take(c, links, sizeof *c->articulated, &good);
    c->resistance = take(c, links, sizeof *c->resistance, &good);
    c->drift = take(c, links, sizeof *c->drift, &good);
    c->column = take(c, nv, sizeof *c->column, &good);
    c->pivot = take(c, nv, sizeof *c->pivot, &good);
    c->drive = take(c, nv, sizeof *c->drive, &good);
    c->swing = take(c, nv, sizeof *c->swing, &good);
    c->surge = take(c, nv, sizeof *c->surge, &good);
    c->sway = take(c, nv, sizeof *c->sway, &good);
    c->rates = take(c, links, sizeof *c->rates, &good);
    c->ik_rows = take(c, ABUT_IK_ROWS * nv, sizeof *c->ik_rows, &good);
    c->ik_matrix = take(c, ABUT_IK_ROWS * ABUT_IK_ROWS, sizeof *c->ik_matrix, &good);
    c->ik_step = take(c, nv, sizeof *c->ik_step, &good);
    c->ik_best = take(c, (size_t)c->nq, sizeof *c->ik_best, &good);
    c->ik_held = take(c, nv, sizeof *c->ik_held, &good);
    return good;
}

/* Starts of the rows; 0: too many entries. */
static int place_rows(AbutConfiguration *c)
{
    int good = 1;
    int64_t sum = 0;
    c->row = take(c, (size_t)c->nv, sizeof *c->row, &good);
    for (int32_t i = 0; good && i < c->nv; ++i) {
        c->row[i] = (int32_t)sum;
        sum += c->dofs[i].depth;
        good = sum < INT32_MAX;
    }
    if (good)
        c->row[c->nv] = (int32_t)sum;
    return good;
}

static void fill_ancestors(AbutConfiguration *c)
{
    for (int32_t i = 0; i < c->nv; ++i)
        for (int32_t d = i, k = c->dofs[i].depth - 1; k >= 0; --k, d = c->dofs[d].parent)
            c->ancestor[c->row[i] + k] = d;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static AbutStatus refuse(const AbutConfiguration *c, const AbutLink *link, const char *why, AbutError *error)
{
    const AbutBodyDef *body = &c->model->bodies[link->body];
    if (body->source.file)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "%.100s:%d: body '%.100s' %s", body->source.file,
            (int)body->source.line, body->name, why);
    return abut_fail(error, ABUT_ERROR_DEGENERATE, "body '%.100s' %s", body->name, why);
}

/* Every link has mass, and every degree of freedom moves some at the reference. */
static AbutStatus check_masses(AbutConfiguration *c, AbutError *error)
{
    for (int32_t i = 0; i < c->link_count; ++i)
        if (!(c->links[i].mass > 0.0))
            return refuse(c, &c->links[i], "moves and has no mass", error);
    abut_robot_factor(c);
    for (int32_t i = 0; i < c->nv; ++i)
        if (!(c->matrix[c->row[i] + c->dofs[i].depth - 1] > 0.0))
            return refuse(c, &c->links[c->dofs[i].link],
                "can turn about an axis on which it has no inertia: armature, or a larger inertia, was expected",
                error);
    return ABUT_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static AbutStatus build(AbutConfiguration *c, AbutError *error)
{
    if (!take_structure(c))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a configuration");
    add_bodies(c);
    if (!place_rows(c) || !take_state(c) || !take_workspaces(c))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a configuration of %d velocities", (int)c->nv);
    fill_ancestors(c);
    abut_configuration_reset(c);
    return check_masses(c, error);
}

AbutStatus abut_configuration_create(const AbutModel *model, AbutConfiguration **out, AbutError *error)
{
    ABUT_ASSERT(model && out);
    *out = NULL;
    AbutConfiguration *c = abut_alloc(sizeof *c);
    if (!c)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a configuration");
    memset(c, 0, sizeof *c);
    c->model = model;
    AbutStatus status = build(c, error);
    if (status)
        abut_configuration_free(c);
    else
        *out = c;
    return status;
}

void abut_configuration_free(AbutConfiguration *configuration)
{
    if (!configuration)
        return;
    abut_pool_free(&configuration->pool);
    abut_free(configuration);
}
