/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration from a tree of joints: all memory is taken here, from one pool. Refuses what moves without mass.
 */
#include "robot/configuration.h"

#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int take_state(AbutConfiguration *c) {
    const AbutTree *t = c->tree;
    size_t nv = (size_t)t->nv, links = (size_t)t->link_count, entries = (size_t)t->row[t->nv];
    int good = 1;
    c->states = abut_pool_take_array(&c->pool, links, sizeof *c->states, &good);
    c->origins = abut_pool_take_array(&c->pool, (size_t)t->root_count, sizeof *c->origins, &good);
    c->q = abut_pool_take_array(&c->pool, (size_t)t->nq, sizeof *c->q, &good);
    c->v = abut_pool_take_array(&c->pool, nv, sizeof *c->v, &good);
    c->axes = abut_pool_take_array(&c->pool, nv, sizeof *c->axes, &good);
    c->matrix = abut_pool_take_array(&c->pool, entries, sizeof *c->matrix, &good);
    c->factor = abut_pool_take_array(&c->pool, entries, sizeof *c->factor, &good);
    c->inverse_diagonal = abut_pool_take_array(&c->pool, nv, sizeof *c->inverse_diagonal, &good);
    c->composite = abut_pool_take_array(&c->pool, links, sizeof *c->composite, &good);
    c->work = abut_pool_take_array(&c->pool, nv, sizeof *c->work, &good);
    c->ik_best = abut_pool_take_array(&c->pool, (size_t)t->nq, sizeof *c->ik_best, &good);
    c->work2 = abut_pool_take_array(&c->pool, nv, sizeof *c->work2, &good);
    return good;
}

static int take_workspaces(AbutConfiguration *c) {
    size_t nv = (size_t)c->tree->nv, links = (size_t)c->tree->link_count;
    int good = 1;
    c->articulated = abut_pool_take_array(&c->pool, links, sizeof *c->articulated, &good);
    c->resistance = abut_pool_take_array(&c->pool, links, sizeof *c->resistance, &good);
    c->drift = abut_pool_take_array(&c->pool, links, sizeof *c->drift, &good);
    c->column = abut_pool_take_array(&c->pool, nv, sizeof *c->column, &good);
    c->pivot = abut_pool_take_array(&c->pool, nv, sizeof *c->pivot, &good);
    c->drive = abut_pool_take_array(&c->pool, nv, sizeof *c->drive, &good);
    c->swing = abut_pool_take_array(&c->pool, nv, sizeof *c->swing, &good);
    c->surge = abut_pool_take_array(&c->pool, nv, sizeof *c->surge, &good);
    c->sway = abut_pool_take_array(&c->pool, nv, sizeof *c->sway, &good);
    c->rates = abut_pool_take_array(&c->pool, links, sizeof *c->rates, &good);
    c->ik_rows = abut_pool_take_array(&c->pool, ABUT_IK_ROWS * nv, sizeof *c->ik_rows, &good);
    c->ik_matrix = abut_pool_take_array(&c->pool, ABUT_IK_ROWS * ABUT_IK_ROWS, sizeof *c->ik_matrix, &good);
    c->ik_step = abut_pool_take_array(&c->pool, nv, sizeof *c->ik_step, &good);
    c->ik_held = abut_pool_take_array(&c->pool, nv, sizeof *c->ik_held, &good);
    return good;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static AbutStatus refuse(const AbutConfiguration *c, const AbutLink *link, const char *why, AbutError *error) {
    const AbutBodyDef *body = &c->tree->model->bodies[link->body];
    if (body->source.file)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "%.100s:%d: body '%.100s' %s", body->source.file,
            (int)body->source.line, body->name, why);
    return abut_fail(error, ABUT_ERROR_DEGENERATE, "body '%.100s' %s", body->name, why);
}

/* Every link has mass, and every degree of freedom moves some at the reference. */
static AbutStatus check_masses(AbutConfiguration *c, AbutError *error) {
    for (int32_t i = 0; i < c->tree->link_count; ++i)
        if (!(c->tree->links[i].mass > 0.0)) return refuse(c, &c->tree->links[i], "moves and has no mass", error);
    abut_robot_factor(c);
    for (int32_t i = 0; i < c->tree->nv; ++i)
        if (!(c->matrix[c->tree->row[i] + c->tree->dofs[i].depth - 1] > 0.0))
            return refuse(c, &c->tree->links[c->tree->dofs[i].link],
                "can turn about an axis on which it has no inertia: expected armature, or a larger inertia", error);
    return ABUT_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static AbutStatus create(const AbutTree *tree, int lean, AbutConfiguration **out, AbutError *error) {
    *out = NULL;
    AbutConfiguration *c = abut_alloc(sizeof *c);
    if (!c) return abut_fail_memory(error);
    memset(c, 0, sizeof *c);
    c->tree = abut_tree_retain(tree);
    c->gravity = tree->model->gravity;
    AbutStatus status = ABUT_OK;
    if (!take_state(c) || (!lean && !take_workspaces(c))) {
        status = abut_fail_memory(error);
    } else {
        abut_configuration_reset(c);
        status = check_masses(c, error);
    }
    if (status)
        abut_configuration_free(c);
    else
        *out = c;
    return status;
}

AbutStatus abut_configuration_create(const AbutTree *tree, AbutConfiguration **out, AbutError *error) {
    ABUT_ASSERT(tree && out);
    return create(tree, 0, out, error);
}

AbutStatus abut_configuration_create_lean(const AbutTree *tree, AbutConfiguration **out, AbutError *error) {
    return create(tree, 1, out, error);
}

void abut_configuration_free(AbutConfiguration *configuration) {
    if (!configuration) return;
    abut_tree_release(configuration->tree);
    abut_pool_free(&configuration->pool);
    abut_free(configuration);
}
