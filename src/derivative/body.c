/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A free body in the derivative of a step. In: its velocities before the part and after the solution, force, drag and
 * mass. Out: its block of the matrix; explicit terms of
 *
 *     m (v+ - e (v + h g s)) - e h f = impulses,   I (w+ - e' w) - e' h t = their torques,   e = exp(-h drag)
 *
 * Axes that are locked keep the velocity zero, whatever acts along them.
 */
#include "derivative/derivative.h"

#include <math.h>

static void put3(double *to, size_t width, int32_t row, int32_t column, AbutMat3 m) {
    const AbutVec3 columns[3] = {m.x, m.y, m.z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) to[(size_t)(row + i) * width + (size_t)(column + k)] += abut_get(columns[k], i);
}

static void put_column(AbutDerivativeGroup *g, int32_t row, int32_t column, AbutVec3 x) {
    for (int i = 0; i < 3; ++i) g->right[(size_t)(row + i) * (size_t)g->columns + (size_t)column] += abut_get(x, i);
}

/* Change of the inertia by one of its six numbers. */
static AbutMat3 unit_inertia(int axis) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double m[3][3] = {{0}};
    m[row[axis]][column[axis]] = m[column[axis]][row[axis]] = 1.0;
    return abut_mat3(abut_vec3(m[0][0], m[1][0], m[2][0]), abut_vec3(m[0][1], m[1][1], m[2][1]),
        abut_vec3(m[0][2], m[1][2], m[2][2]));
}

typedef struct Motion {
    AbutVec3 linear, angular; /* v+ - e (v + h g s), w+ - e' w */
    double e, e_spin;
} Motion;

static Motion motion_of(const AbutDerivativeGroup *g, int32_t place) {
    const AbutSimulation *sim = g->d->sim;
    const AbutBody *body = &sim->scene->body[place];
    const AbutSolverBody *m = &sim->mover[place];
    double e = abut_exp(-g->h * body->damping), e_spin = abut_exp(-g->h * body->spin_damping);
    AbutVec3 fall = abut_scale(sim->def.gravity, g->h * body->gravity_scale);
    return (Motion){abut_sub(m->v, abut_scale(abut_add(m->start_v, fall), e)),
        abut_sub(m->w, abut_scale(m->start_w, e_spin)), e, e_spin};
}

static void add_parameter(AbutDerivativeGroup *g, int32_t place, int32_t first, const Motion *x,
    const AbutDerivativeParameter *p, int32_t column) {
    const AbutSimulation *sim = g->d->sim;
    const AbutBody *body = &sim->scene->body[place];
    const AbutSolverBody *m = &sim->mover[place];
    int own = p->kind != ABUT_PARAMETER_GRAVITY && abut_scene_body_place(sim->scene, p->body) == place;
    AbutMat3 inertia = abut_mover_inertia(sim, place), r = m->rotation;
    if (p->kind == ABUT_PARAMETER_GRAVITY)
        put_column(g, first, column, abut_scale(abut_axis(p->axis), body->mass * x->e * g->h * body->gravity_scale));
    if (!own) return;
    if (p->kind == ABUT_PARAMETER_MASS) {
        put_column(g, first, column, abut_neg(x->linear));
        put_column(g, first + 3, column, abut_scale(abut_mat3_apply(inertia, x->angular), -1.0 / body->mass));
    } else if (p->kind == ABUT_PARAMETER_INERTIA) {
        AbutMat3 unit = abut_mat3_mul(abut_mat3_mul(r, unit_inertia(p->axis)), abut_mat3_transpose(r));
        put_column(g, first + 3, column, abut_neg(abut_mat3_apply(unit, x->angular)));
    } else if (p->kind == ABUT_PARAMETER_BODY_DAMPING && p->axis == 0) {
        AbutVec3 free = abut_sub(m->v, x->linear), force = abut_add(m->force, body->force);
        free = abut_add(abut_scale(free, body->mass), abut_scale(force, x->e * g->h));
        put_column(g, first, column, abut_scale(free, -g->h));
    } else if (p->kind == ABUT_PARAMETER_BODY_DAMPING) {
        AbutVec3 spin = abut_sub(m->w, x->angular), torque = abut_add(m->torque, body->torque);
        spin = abut_add(abut_mat3_apply(inertia, spin), abut_scale(torque, x->e_spin * g->h));
        put_column(g, first + 3, column, abut_scale(spin, -g->h));
    }
}

void abut_derivative_body(AbutDerivativeGroup *g, int32_t place) {
    AbutDerivative *d = g->d;
    const AbutBody *body = &d->sim->scene->body[place];
    int32_t first = g->local[d->first_of_body[place]], n = g->n;
    size_t columns = (size_t)g->columns;
    Motion x = motion_of(g, place);
    AbutMat3 inertia = abut_mover_inertia(d->sim, place), mass = abut_mat3_diagonal(body->mass, body->mass, body->mass);
    AbutVec3 spin = abut_mat3_apply(inertia, x.angular);
    put3(g->matrix, (size_t)n, first, first, mass);
    put3(g->matrix, (size_t)n, first + 3, first + 3, inertia);
    put3(g->right, columns, first, n + first, abut_mat3_scale(mass, x.e));
    put3(g->right, columns, first + 3, n + first + 3, abut_mat3_scale(inertia, x.e_spin));
    AbutMat3 turned = abut_mat3_sub(abut_mat3_skew(spin), abut_mat3_mul(inertia, abut_mat3_skew(x.angular)));
    put3(g->right, columns, first + 3, first + 3, turned);
    if (d->def.forces) {
        int32_t own = 0;
        while (d->body[own] != place) ++own;
        int32_t at = 2 * n + d->controls + 6 * own;
        for (int k = 0; k < 3; ++k) {
            put_column(g, first, at + k, abut_scale(abut_axis(k), x.e * g->h));
            put_column(g, first + 3, at + 3 + k, abut_scale(abut_axis(k), x.e_spin * g->h));
        }
    }
    for (int32_t p = 0; p < d->parameters; ++p)
        add_parameter(g, place, first, &x, &d->parameter[p], 2 * n + d->inputs + p);
}
