/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mass matrix by composite rigid bodies, its factor M = L^T L with the sparsity of the tree, and what composite
 * inertias give besides: center of mass and momentum as matrices. R. Featherstone, Efficient factorization of the
 * joint-space inertia matrix for branched kinematic trees, 2005.
 */
#include "robot/configuration.h"

#include <string.h>

#define ABUT_PIVOT_LEFT 1e-13 /* of its own inertia: what rounding leaves of a direction that joints share */

void abut_robot_sum_inertias(AbutConfiguration *c) {
    if (c->summed) return;
    abut_robot_place_inertias(c);
    for (int32_t i = 0; i < c->tree->link_count; ++i) c->composite[i] = c->states[i].about;
    for (int32_t i = c->tree->link_count - 1; i >= 0; --i)
        if (c->tree->links[i].parent >= 0) abut_inertia_add(&c->composite[c->tree->links[i].parent], &c->composite[i]);
    c->summed = 1;
}

static void fill_matrix(AbutConfiguration *c) {
    abut_robot_sum_inertias(c);
    for (int32_t i = 0; i < c->tree->nv; ++i) {
        AbutSpatial f = abut_inertia_apply(&c->composite[c->tree->dofs[i].link], c->axes[i]);
        double *row = c->matrix + c->tree->row[i];
        const int32_t *at = c->tree->ancestor + c->tree->row[i];
        int32_t depth = c->tree->dofs[i].depth;
        for (int32_t k = 0; k < depth; ++k) row[k] = abut_spatial_dot(f, c->axes[at[k]]);
        row[depth - 1] += c->tree->dofs[i].armature;
    }
}

/* A direction that joints share, as of two parallel hinges of one body, has no inertia of its own: it gets that of its
 * joint, where rounding would be left. */
static double pivot_of(const AbutConfiguration *c, int32_t k, double left) {
    double own = c->matrix[c->tree->row[k + 1] - 1];
    return left > ABUT_PIVOT_LEFT * own ? left : own;
}

/* M = L^T L in place of the factor. */
static void factorize(AbutConfiguration *c) {
    for (int32_t k = c->tree->nv - 1; k >= 0; --k) {
        double *row = c->factor + c->tree->row[k];
        const int32_t *at = c->tree->ancestor + c->tree->row[k];
        int32_t depth = c->tree->dofs[k].depth;
        double s = 1.0 / sqrt(row[depth - 1] = pivot_of(c, k, row[depth - 1]));
        c->inverse_diagonal[k] = s;
        for (int32_t i = 0; i < depth; ++i) row[i] *= s;
        for (int32_t i = depth - 2; i >= 0; --i) {
            double *to = c->factor + c->tree->row[at[i]], f = row[i];
            for (int32_t j = 0; j <= i; ++j) to[j] -= f * row[j];
        }
    }
}

void abut_robot_factor(AbutConfiguration *c) {
    if (c->factored) return;
    fill_matrix(c);
    memcpy(c->factor, c->matrix, (size_t)c->tree->row[c->tree->nv] * sizeof *c->factor);
    factorize(c);
    c->factored = 1;
}

void abut_robot_factor_with(AbutConfiguration *c, const double *diagonal) {
    fill_matrix(c);
    memcpy(c->factor, c->matrix, (size_t)c->tree->row[c->tree->nv] * sizeof *c->factor);
    for (int32_t k = 0; k < c->tree->nv; ++k) c->factor[c->tree->row[k + 1] - 1] += diagonal[k];
    factorize(c);
    c->factored = 0;
}

void abut_robot_apply_factor(const AbutConfiguration *c, const double *x, double *out) {
    for (int32_t k = 0; k < c->tree->nv; ++k) {
        const double *row = c->factor + c->tree->row[k];
        const int32_t *at = c->tree->ancestor + c->tree->row[k];
        double sum = 0.0;
        for (int32_t i = 0; i < c->tree->dofs[k].depth; ++i) sum += row[i] * x[at[i]];
        out[k] = sum;
    }
}

void abut_robot_solve_up(const AbutConfiguration *c, double *x) {
    for (int32_t k = c->tree->nv - 1; k >= 0; --k) {
        const double *row = c->factor + c->tree->row[k];
        const int32_t *at = c->tree->ancestor + c->tree->row[k];
        double f = x[k] *= c->inverse_diagonal[k];
        for (int32_t i = 0; i < c->tree->dofs[k].depth - 1; ++i) x[at[i]] -= row[i] * f;
    }
}

void abut_robot_solve_down(const AbutConfiguration *c, double *x) {
    for (int32_t k = 0; k < c->tree->nv; ++k) {
        const double *row = c->factor + c->tree->row[k];
        const int32_t *at = c->tree->ancestor + c->tree->row[k];
        double f = x[k];
        for (int32_t i = 0; i < c->tree->dofs[k].depth - 1; ++i) f -= row[i] * x[at[i]];
        x[k] = f * c->inverse_diagonal[k];
    }
}

void abut_configuration_mass_matrix(AbutConfiguration *configuration, double *out) {
    ABUT_ASSERT(configuration && out);
    AbutConfiguration *c = configuration;
    size_t n = (size_t)c->tree->nv;
    abut_robot_factor(c);
    memset(out, 0, n * n * sizeof *out);
    for (int32_t i = 0; i < c->tree->nv; ++i)
        for (int32_t k = 0; k < c->tree->dofs[i].depth; ++k) {
            size_t j = (size_t)c->tree->ancestor[c->tree->row[i] + k];
            out[(size_t)i * n + j] = out[j * n + (size_t)i] = c->matrix[c->tree->row[i] + k];
        }
}

void abut_configuration_solve(AbutConfiguration *configuration, double *x) {
    ABUT_ASSERT(configuration && x);
    abut_robot_factor(configuration);
    abut_robot_solve_up(configuration, x);
    abut_robot_solve_down(configuration, x);
}

void abut_configuration_forward_dynamics(
    AbutConfiguration *configuration, int method, const double *torques, double *accelerations) {
    ABUT_ASSERT(configuration && torques && accelerations);
    AbutConfiguration *c = configuration;
    if (method == ABUT_FORWARD_ARTICULATED || (method == ABUT_FORWARD_AUTOMATIC && c->tree->depth > 48)) {
        abut_robot_articulated(c, torques, accelerations);
        return;
    }
    abut_robot_inverse(c, NULL, c->work);
    for (int32_t i = 0; i < c->tree->nv; ++i) accelerations[i] = torques[i] - c->work[i];
    abut_configuration_solve(c, accelerations);
}

/* ---- mass, center, momentum -------------------------------------------------------------------------------------- */

double abut_configuration_mass(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return configuration->tree->mass;
}

AbutVec3 abut_configuration_center(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    AbutVec3 sum = abut_zero();
    AbutInertia spare;
    for (int32_t i = 0; i < configuration->tree->link_count; ++i) {
        const AbutLink *link = &configuration->tree->links[i];
        sum = abut_add(sum, abut_add_scaled(abut_robot_inertia(configuration, i, &spare)->h,
                                configuration->origins[link->root], link->mass));
    }
    return configuration->tree->mass > 0.0 ? abut_scale(sum, 1.0 / configuration->tree->mass) : sum;
}

/* Momentum and angular momentum about a point. */
static AbutTwist momentum_about(const AbutConfiguration *c, AbutVec3 point) {
    AbutTwist sum = {abut_zero(), abut_zero()};
    AbutInertia spare;
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        AbutSpatial p = abut_inertia_apply(abut_robot_inertia(c, i, &spare), c->states[i].velocity);
        AbutVec3 arm = abut_sub(c->origins[c->tree->links[i].root], point);
        sum.linear = abut_add(sum.linear, p.l);
        sum.angular = abut_add(sum.angular, abut_add(p.w, abut_cross(arm, p.l)));
    }
    return sum;
}

AbutTwist abut_configuration_momentum(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return momentum_about(configuration, abut_configuration_center(configuration));
}

AbutVec3 abut_configuration_center_velocity(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    AbutVec3 p = momentum_about(configuration, abut_zero()).linear;
    return configuration->tree->mass > 0.0 ? abut_scale(p, 1.0 / configuration->tree->mass) : p;
}

/* Momentum per unit of velocity d, angular about `point`. */
static AbutSpatial momentum_column(const AbutConfiguration *c, int32_t d, AbutVec3 point) {
    int32_t link = c->tree->dofs[d].link;
    AbutSpatial f = abut_inertia_apply(&c->composite[link], c->axes[d]);
    AbutVec3 arm = abut_sub(c->origins[c->tree->links[link].root], point);
    return abut_spatial(abut_add(f.w, abut_cross(arm, f.l)), f.l);
}

void abut_configuration_center_jacobian(AbutConfiguration *configuration, double *out) {
    ABUT_ASSERT(configuration && out);
    AbutConfiguration *c = configuration;
    size_t n = (size_t)c->tree->nv;
    abut_robot_sum_inertias(c);
    for (size_t d = 0; d < n; ++d) {
        AbutVec3 p = abut_scale(momentum_column(c, (int32_t)d, abut_zero()).l, 1.0 / c->tree->mass);
        out[d] = p.x, out[n + d] = p.y, out[2 * n + d] = p.z;
    }
}

void abut_configuration_momentum_matrix(AbutConfiguration *configuration, double *out) {
    ABUT_ASSERT(configuration && out);
    AbutConfiguration *c = configuration;
    size_t n = (size_t)c->tree->nv;
    AbutVec3 center = abut_configuration_center(c);
    abut_robot_sum_inertias(c);
    for (size_t d = 0; d < n; ++d) {
        AbutSpatial p = momentum_column(c, (int32_t)d, center);
        double column[6] = {p.l.x, p.l.y, p.l.z, p.w.x, p.w.y, p.w.z};
        for (size_t k = 0; k < 6; ++k) out[k * n + d] = column[k];
    }
}

double abut_configuration_kinetic_energy(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    const AbutConfiguration *c = configuration;
    double sum = 0.0;
    AbutInertia spare;
    for (int32_t i = 0; i < c->tree->link_count; ++i) {
        AbutSpatial velocity = c->states[i].velocity;
        sum += abut_spatial_dot(velocity, abut_inertia_apply(abut_robot_inertia(c, i, &spare), velocity));
    }
    for (int32_t d = 0; d < c->tree->nv; ++d) sum += c->tree->dofs[d].armature * c->v[d] * c->v[d];
    return 0.5 * sum;
}

double abut_configuration_potential_energy(const AbutConfiguration *configuration) {
    ABUT_ASSERT(configuration);
    return -configuration->tree->mass * abut_dot(configuration->gravity, abut_configuration_center(configuration));
}
