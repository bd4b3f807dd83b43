/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns Y = L^-T J^T of contacts and joins on links. In: two bodies, a point, three axes. Out: the degrees of freedom
 * that move the point (from the roots to the links; those of both sides in one list), with six numbers for each: what
 * an impulse along the axes, or a torque about them, does to z. B counts as positive, A as negative. Where both sides
 * are links of one tree the lists are merged, and what moves both alike cancels before L^-T.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static int32_t tree_of_body(const AbutSimulation *sim, int32_t place) {
    return place >= 0 ? sim->scene->body[place].tree : -1;
}

/* Degrees of freedom from the root to a link. */
static int32_t chain_of(const AbutSimulation *sim, int32_t place, const int32_t **out) {
    int32_t tree = tree_of_body(sim, place);
    *out = NULL;
    if (tree < 0) return 0;
    const AbutConfiguration *c = sim->trees->tree[tree].c;
    int32_t last = c->tree->links[sim->scene->body[place].link].last;
    *out = c->tree->ancestor + c->tree->row[last];
    return c->tree->dofs[last].depth;
}

/* Both chains, ascending, numbered through. */
static int32_t list_dofs(AbutSimulation *sim, const int32_t body[2], int32_t *out) {
    const int32_t *a, *b;
    int32_t in_a = chain_of(sim, body[0], &a), in_b = chain_of(sim, body[1], &b), i = 0, j = 0, n = 0;
    int32_t first_a = in_a ? sim->trees->tree[tree_of_body(sim, body[0])].first : 0,
            first_b = in_b ? sim->trees->tree[tree_of_body(sim, body[1])].first : 0;
    while (i < in_a || j < in_b) {
        int32_t next_a = i < in_a ? first_a + a[i] : INT32_MAX, next_b = j < in_b ? first_b + b[j] : INT32_MAX;
        out[n++] = next_a < next_b ? next_a : next_b;
        i += next_a <= next_b;
        j += next_b <= next_a;
    }
    return n;
}

void abut_whiten(const AbutTrees *t, const int32_t *dof, int32_t count, double *y, int width) {
    for (int32_t k = 0; k < count; ++k) t->spot[dof[k]] = k;
    for (int32_t k = count - 1; k >= 0; --k) {
        const AbutSolverTree *tree = &t->tree[t->tree_of[dof[k]]];
        const AbutConfiguration *c = tree->c;
        int32_t d = dof[k] - tree->first;
        const int32_t *at = c->tree->ancestor + c->tree->row[d];
        const double *row = c->factor + c->tree->row[d];
        double *f = y + (size_t)width * (size_t)k;
        for (int i = 0; i < width; ++i) f[i] *= c->inverse_diagonal[d];
        for (int32_t j = c->tree->dofs[d].depth - 2; j >= 0; --j) {
            double *to = y + (size_t)width * (size_t)t->spot[tree->first + at[j]];
            for (int i = 0; i < width; ++i) to[i] -= row[j] * f[i];
        }
    }
}

/* Adds the Jacobian of one side. */
static void add_side(
    AbutSimulation *sim, int32_t place, AbutVec3 point, const AbutVec3 axis[3], double sign, double *y) {
    const int32_t *chain;
    int32_t count = chain_of(sim, place, &chain), tree = tree_of_body(sim, place);
    if (count == 0) return;
    const AbutSolverTree *t = &sim->trees->tree[tree];
    AbutVec3 r = abut_sub(point, t->c->origins[0]);
    for (int32_t k = 0; k < count; ++k) {
        AbutSpatial s = t->c->axes[chain[k]];
        AbutVec3 v = abut_add(s.l, abut_cross(s.w, r));
        double *to = y + 6 * (size_t)sim->trees->spot[t->first + chain[k]];
        for (int i = 0; i < 3; ++i) {
            to[i] += sign * abut_dot(axis[i], v);
            to[3 + i] += sign * abut_dot(axis[i], s.w);
        }
    }
}

int32_t abut_columns_of(
    AbutSimulation *sim, const int32_t body[2], AbutVec3 point, const AbutVec3 axis[3], int32_t first) {
    AbutTrees *t = sim->trees;
    int32_t *dof = t->column_dof + first, count = list_dofs(sim, body, dof);
    double *y = abut_column(t, first);
    memset(y, 0, 6 * (size_t)count * sizeof *y);
    for (int32_t k = 0; k < count; ++k) t->spot[dof[k]] = k;
    add_side(sim, body[0], point, axis, -1.0, y);
    add_side(sim, body[1], point, axis, 1.0, y);
    abut_whiten(t, dof, count, y, 6);
    return count;
}

/* ---- what they do ------------------------------------------------------------------------------------------------ */

void abut_columns_gather(const AbutTrees *t, int32_t first, int32_t count, double u[6]) {
    const double *y = abut_column(t, first);
    const int32_t *dof = t->column_dof + first;
    for (int32_t k = 0; k < count; ++k, y += 6)
        for (int i = 0; i < 6; ++i) u[i] += y[i] * t->z[dof[k]];
}

void abut_columns_scatter(AbutTrees *t, int32_t first, int32_t count, const double w[6]) {
    const double *y = abut_column(t, first);
    const int32_t *dof = t->column_dof + first;
    for (int32_t k = 0; k < count; ++k, y += 6)
        t->z[dof[k]] += ((y[0] * w[0] + y[1] * w[1]) + (y[2] * w[2] + y[3] * w[3])) + (y[4] * w[4] + y[5] * w[5]);
}

void abut_columns_response(const AbutTrees *t, int32_t first, int32_t count, double phi[6][6]) {
    const double *y = abut_column(t, first);
    for (int32_t k = 0; k < count; ++k, y += 6)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) phi[i][j] += y[i] * y[j];
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static int32_t depth_of(const AbutSimulation *sim, int32_t place) {
    const int32_t *chain;
    return chain_of(sim, place, &chain);
}

int abut_trees_reserve_columns(AbutSimulation *sim) {
    AbutTrees *t = sim->trees;
    int64_t used = t->fixed_columns;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        AbutSolverContact *c = abut_ordered_contact(sim, k);
        c->link_sides = (int16_t)((sim->scene->body[c->body_a].tree >= 0 ? 1 : 0) |
                                  (sim->scene->body[c->body_b].tree >= 0 ? 2 : 0));
        c->first_column = (int32_t)used;
        c->column_count = 0;
        if (c->link_sides) used += depth_of(sim, c->body_a) + depth_of(sim, c->body_b);
        if (used > INT32_MAX / 8) return 0;
    }
    return abut_grow((void **)&t->column_dof, &t->column_dof_capacity, (size_t)used + 1, sizeof *t->column_dof) &&
           abut_grow((void **)&t->column, &t->column_capacity, 6 * ((size_t)used + 1), sizeof *t->column);
}

void abut_trees_set_contact(AbutSimulation *sim, AbutSolverContact *c) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    const int32_t body[2] = {c->body_a, c->body_b};
    const AbutVec3 axis[3] = {c->e1, c->e2, c->nu};
    if (!c->link_sides) return;
    c->column_count = abut_columns_of(sim, body, abut_add(a->x, c->ra), axis, c->first_column);
    AbutMat3 frame = abut_mat3(c->e1, c->e2, c->nu);
    memset(c->touch->phi, 0, sizeof c->touch->phi);
    abut_columns_response(sim->trees, c->first_column, c->column_count, c->touch->phi);
    if (!(c->link_sides & 1) && a->inv_mass > 0.0) abut_add_response(c->touch->phi, &frame, a, c->ra);
    if (!(c->link_sides & 2)) abut_add_response(c->touch->phi, &frame, b, c->rb);
    abut_contact_set_points(c, ABUT_STIFF_PART * (a->inv_mass + b->inv_mass));
}

static void add_twist(const AbutSolverContact *c, const AbutSolverBody *m, AbutVec3 r, double sign, double u[6]) {
    AbutVec3 v = abut_add(m->v, abut_cross(m->w, r));
    u[0] += sign * abut_dot(c->e1, v), u[1] += sign * abut_dot(c->e2, v), u[2] += sign * abut_dot(c->nu, v);
    u[3] += sign * abut_dot(c->e1, m->w), u[4] += sign * abut_dot(c->e2, m->w), u[5] += sign * abut_dot(c->nu, m->w);
}

void abut_contact_link_velocity(const AbutSimulation *sim, const AbutSolverContact *c, double u[6]) {
    for (int i = 0; i < 6; ++i) u[i] = 0.0;
    abut_columns_gather(sim->trees, c->first_column, c->column_count, u);
    if (!(c->link_sides & 1)) add_twist(c, &sim->mover[c->body_a], c->ra, -1.0, u);
    if (!(c->link_sides & 2)) add_twist(c, &sim->mover[c->body_b], c->rb, 1.0, u);
}

void abut_contact_link_apply(const AbutSimulation *sim, const AbutSolverContact *c, const double f[6]) {
    AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
    AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
    abut_columns_scatter(sim->trees, c->first_column, c->column_count, f);
    if (!(c->link_sides & 1)) abut_mover_push(a, c->ra, abut_neg(force), abut_neg(torque));
    if (!(c->link_sides & 2)) abut_mover_push(b, c->rb, force, torque);
}
