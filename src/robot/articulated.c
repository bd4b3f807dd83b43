/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward dynamics by articulated inertias, one degree of freedom after the other: linear in their number, where the
 * factor of M costs depth squared for each. R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7.
 */
#include "robot/configuration.h"

/* The ten numbers as a symmetric matrix, angular rows first. */
static AbutMat6 full(const AbutInertia *i) {
    AbutVec3 h = i->h;
    AbutMat6 m = {
        {{i->xx, i->xy, i->xz, 0, -h.z, h.y}, {i->xy, i->yy, i->yz, h.z, 0, -h.x}, {i->xz, i->yz, i->zz, -h.y, h.x, 0},
            {0, h.z, -h.y, i->m, 0, 0}, {-h.z, 0, h.x, 0, i->m, 0}, {h.y, -h.x, 0, 0, 0, i->m}}};
    return m;
}

static AbutSpatial apply(const AbutMat6 *a, AbutSpatial v) {
    double x[6] = {v.w.x, v.w.y, v.w.z, v.l.x, v.l.y, v.l.z}, y[6];
    for (int i = 0; i < 6; ++i) {
        const double *r = a->m[i];
        y[i] = r[0] * x[0] + r[1] * x[1] + r[2] * x[2] + r[3] * x[3] + r[4] * x[4] + r[5] * x[5];
    }
    return abut_spatial(abut_vec3(y[0], y[1], y[2]), abut_vec3(y[3], y[4], y[5]));
}

/* a -= s u u^T */
static void take_away(AbutMat6 *a, AbutSpatial u, double s) {
    double x[6] = {u.w.x, u.w.y, u.w.z, u.l.x, u.l.y, u.l.z};
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) a->m[i][j] -= s * x[i] * x[j];
}

/* Inertia, velocity products and their force of each link. */
static void start(AbutConfiguration *c) {
    abut_robot_inverse(c, NULL, c->work); /* accelerations without those of the joints; its forces are not used */
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        const AbutLinkState *state = &c->states[i];
        AbutSpatial under =
            link->parent >= 0 ? c->states[link->parent].acceleration : abut_spatial(abut_zero(), abut_neg(c->gravity));
        c->drift[i] = abut_spatial_add_scaled(state->acceleration, under, -1.0);
        c->articulated[i] = full(&state->about);
        c->resistance[i] = abut_cross_force(state->velocity, abut_inertia_apply(&state->about, state->velocity));
    }
}

static void eliminate(AbutConfiguration *c, const double *torques) {
    for (int32_t i = c->tree->link_count - 1; i >= 0; --i) {
        const AbutLink *link = &c->tree->links[i];
        AbutMat6 *a = &c->articulated[i];
        for (int32_t d = link->first_dof + link->dof_count - 1; d >= link->first_dof; --d) {
            AbutSpatial u = apply(a, c->axes[d]);
            double inverse = 1.0 / (abut_spatial_dot(c->axes[d], u) + c->tree->dofs[d].armature);
            c->column[d] = u;
            c->pivot[d] = inverse;
            c->drive[d] = torques[d] - abut_spatial_dot(c->axes[d], c->resistance[i]);
            take_away(a, u, inverse);
            c->resistance[i] = abut_spatial_add_scaled(c->resistance[i], u, c->drive[d] * inverse);
        }
        if (link->parent < 0) continue;
        AbutSpatial pushed = abut_spatial_add(c->resistance[i], apply(a, c->drift[i]));
        c->resistance[link->parent] = abut_spatial_add(c->resistance[link->parent], pushed);
        for (int r = 0; r < 6; ++r)
            for (int k = 0; k < 6; ++k) c->articulated[link->parent].m[r][k] += a->m[r][k];
    }
}

void abut_robot_articulated(AbutConfiguration *c, const double *torques, double *accelerations) {
    start(c);
    eliminate(c, torques);
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        const AbutLink *link = &c->tree->links[i];
        AbutSpatial a =
            link->parent >= 0 ? c->states[link->parent].acceleration : abut_spatial(abut_zero(), abut_neg(c->gravity));
        a = abut_spatial_add(a, c->drift[i]);
        for (int32_t d = link->first_dof; d < link->first_dof + link->dof_count; ++d) {
            accelerations[d] = (c->drive[d] - abut_spatial_dot(c->column[d], a)) * c->pivot[d];
            a = abut_spatial_add_scaled(a, c->axes[d], accelerations[d]);
        }
        c->states[i].acceleration = a;
    }
}
