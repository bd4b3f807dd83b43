/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the velocities found to the state after a part. In: the derivative of those velocities. Out: the rows of the
 * whole part, [2n][columns]. A body or a tree moves by itself, by functions without iteration over others: those of
 * free turns and of floating trees are differenced as they stand, the rest is exact.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

#define WIDTH 1e-5

/* part[row] += f * from[:]. */
static void add_row(AbutDerivative *d, int32_t row, double f, const double *from) {
    double *to = d->part + (size_t)row * (size_t)d->columns;
    for (int32_t k = 0; f != 0.0 && k < d->columns; ++k) to[k] += f * from[k];
}

static const double *solved(const AbutDerivative *d, int32_t row) {
    return d->solved + (size_t)row * (size_t)d->columns;
}

static void add_place(AbutDerivative *d, int32_t row, int32_t column, double f) {
    d->part[(size_t)row * (size_t)d->columns + (size_t)column] += f;
}

/* ---- free bodies --------------------------------------------------------------------------------------------------- */

typedef struct Turned {
    AbutQuat q;
    AbutVec3 w;
} Turned;

static Turned turned(const AbutSimulation *sim, int32_t place, AbutVec3 turn, AbutVec3 spin, double h) {
    AbutBody body = sim->scene->body[place];
    AbutSolverBody m = sim->mover[place];
    body.q = abut_quat_normalize(abut_quat_mul(abut_quat_exp(turn), body.q));
    abut_body_moved(&body);
    abut_mover_turned(&m, &body);
    body.w = abut_add(body.w, spin);
    abut_body_advance(&body, &m, h);
    return (Turned){body.q, body.w};
}

static void difference(Turned low, Turned high, double width, double out[6]) {
    AbutVec3 turn = abut_quat_log(abut_quat_mul(high.q, abut_quat_conj(low.q))), spin = abut_sub(high.w, low.w);
    for (int i = 0; i < 3; ++i) out[i] = abut_get(turn, i) / width, out[3 + i] = abut_get(spin, i) / width;
}

/* Inertia changes how a body turns by itself. */
static Turned turned_with(const AbutSimulation *sim, int32_t place, int axis, double by, double h) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    AbutBody body = sim->scene->body[place];
    AbutSolverBody m = sim->mover[place];
    AbutVec3 *columns[3] = {&body.inertia.x, &body.inertia.y, &body.inertia.z};
    for (int side = 0; side < (row[axis] == column[axis] ? 1 : 2); ++side) {
        int r = side ? column[axis] : row[axis], c = side ? row[axis] : column[axis];
        *columns[c] = abut_add(*columns[c], abut_scale(abut_axis(r), by));
    }
    body.inv_inertia = abut_mat3_inv(body.inertia);
    abut_mover_turned(&m, &body);
    abut_body_advance(&body, &m, h);
    return (Turned){body.q, body.w};
}

static void turn_by_inertia(AbutDerivative *d, int32_t place, double h, int axis, int32_t column) {
    AbutMat3 own = d->sim->scene->body[place].inertia;
    double by = 1e-5 * (own.x.x + own.y.y + own.z.z), out[6];
    difference(turned_with(d->sim, place, axis, -by, h), turned_with(d->sim, place, axis, by, h), 2.0 * by, out);
    for (int i = 0; i < 6; ++i) add_place(d, (i < 3 ? 0 : d->n) + d->first_of_body[place] + 3 + i % 3, column, out[i]);
}

static void move_body(AbutDerivative *d, int32_t place, double h) {
    const AbutSimulation *sim = d->sim;
    int32_t first = d->first_of_body[place], n = d->n;
    for (int k = 0; k < 3; ++k) {
        add_place(d, first + k, first + k, 1.0);
        add_row(d, first + k, h, solved(d, first + k));
        add_row(d, n + first + k, 1.0, solved(d, first + k));
    }
    for (int k = 0; k < 6; ++k) {
        AbutVec3 low = abut_scale(abut_axis(k % 3), -WIDTH), high = abut_scale(abut_axis(k % 3), WIDTH),
                 none = abut_zero();
        double out[6];
        difference(turned(sim, place, k < 3 ? low : none, k < 3 ? none : low, h),
            turned(sim, place, k < 3 ? high : none, k < 3 ? none : high, h), 2.0 * WIDTH, out);
        for (int i = 0; i < 6; ++i) {
            int32_t row = (i < 3 ? 0 : n) + first + 3 + i % 3;
            if (k < 3)
                add_place(d, row, first + 3 + k, out[i]);
            else
                add_row(d, row, out[i], solved(d, first + k));
        }
    }
    for (int32_t p = 0; p < d->parameters; ++p) {
        const AbutDerivativeParameter *x = &d->parameter[p];
        if (x->kind == ABUT_PARAMETER_INERTIA && abut_scene_body_place(sim->scene, x->body) == place)
            turn_by_inertia(d, place, h, x->axis, 2 * n + d->inputs + p);
    }
}

/* A body that sleeps stays as it is. */
static void stay(AbutDerivative *d, int32_t first, int32_t count) {
    for (int32_t k = first; k < first + count; ++k) add_place(d, k, k, 1.0);
}

/* ---- trees ---------------------------------------------------------------------------------------------------------- */

typedef struct Float {
    AbutDerivative *d;
    AbutSolverTree *tree;
    AbutConfiguration *c;
    double *q, *v, *mean, *q_low, *v_low, *q_high, *v_high, *step;
    AbutSpatial root;
    int in_air;
    double h;
} Float;

/* The force of the bias on the root, where the tree stands. */
static AbutSpatial root_force(Float *f, const double *mean) {
    size_t bytes = (size_t)f->c->tree->nv * sizeof *mean;
    memcpy(f->c->v, mean, bytes);
    abut_robot_inverse(f->c, NULL, f->step);
    return f->c->states[0].force;
}

static void go(Float *f, const double *q, const double *v, AbutSpatial root, double *q_out, double *v_out) {
    AbutConfiguration *c = f->c;
    memmove(c->q, q, (size_t)c->tree->nq * sizeof *q);
    abut_robot_update(c);
    memmove(c->v, v, (size_t)c->tree->nv * sizeof *v);
    abut_robot_velocities(c);
    f->tree->root_force = root;
    abut_tree_move(f->tree, f->d->sim->def.gravity, f->in_air, f->h);
    memcpy(q_out, c->q, (size_t)c->tree->nq * sizeof *q);
    memcpy(v_out, c->v, (size_t)c->tree->nv * sizeof *v);
}

/* Column of the differences: change of place and velocity, 2 nv numbers in q_low. */
static void column_of(Float *f, double width, double *out) {
    int32_t nv = f->c->tree->nv;
    abut_configuration_difference(f->c, f->q_low, f->q_high, out);
    for (int32_t i = 0; i < nv; ++i) {
        out[i] /= width;
        out[nv + i] = (f->v_high[i] - f->v_low[i]) / width;
    }
}

static AbutSpatial nudged(AbutSpatial root, int k, double by) {
    AbutVec3 step = abut_scale(abut_axis(k % 3), by);
    return k < 3 ? abut_spatial(abut_add(root.w, step), root.l) : abut_spatial(root.w, abut_add(root.l, step));
}

/* Columns by the force on the root, times how that changes with the mean velocity: [2 nv][nv]. */
static void by_mean(Float *f, double *column, double *out) {
    int32_t nv = f->c->tree->nv;
    double *slope = abut_derivative_take(f->d, 6 * (size_t)nv), *mean = f->v_low;
    double scale = abut_larger(1.0, f->tree->mass);
    if (!f->d->good) return;
    memmove(f->c->q, f->q, (size_t)f->c->tree->nq * sizeof *f->q);
    abut_robot_update(f->c);
    for (int32_t k = 0; k < nv; ++k) {
        memcpy(mean, f->mean, (size_t)nv * sizeof *mean);
        mean[k] -= 0.5;
        AbutSpatial low = root_force(f, mean);
        mean[k] += 1.0;
        AbutSpatial high = root_force(f, mean);
        for (int i = 0; i < 3; ++i) {
            slope[i * nv + k] = abut_get(high.w, i) - abut_get(low.w, i);
            slope[(3 + i) * nv + k] = abut_get(high.l, i) - abut_get(low.l, i);
        }
    }
    for (int k = 0; k < 6; ++k) {
        double by = 1e-4 * scale;
        go(f, f->q, f->v, nudged(f->root, k, -by), f->q_low, f->v_low);
        go(f, f->q, f->v, nudged(f->root, k, by), f->q_high, f->v_high);
        column_of(f, 2.0 * by, column);
        for (int32_t i = 0; i < 2 * nv; ++i)
            for (int32_t q = 0; q < nv; ++q) out[i * nv + q] += column[i] * slope[k * nv + q];
    }
}

static void put_tree_column(
    AbutDerivative *d, int32_t first, int32_t nv, const double *column, int32_t place, const double *by) {
    for (int32_t i = 0; i < 2 * nv; ++i) {
        int32_t row = (i < nv ? 0 : d->n) + first + i % nv;
        if (by)
            add_row(d, row, column[i], by);
        else
            add_place(d, row, place, column[i]);
    }
}

static int take_float(AbutDerivative *d, int32_t tree, double h, Float *f) {
    AbutSimulation *sim = d->sim;
    f->d = d, f->h = h;
    f->tree = &sim->trees->tree[tree];
    f->c = f->tree->c;
    const AbutIsland *island = &sim->islands.at[sim->mover[f->tree->body[0]].island];
    f->in_air = island->count == 0 && island->join_count == 0;
    f->root = f->tree->root_force;
    size_t nv = (size_t)f->c->tree->nv, nq = (size_t)f->c->tree->nq;
    double **places[] = {&f->q, &f->q_low, &f->q_high},
           **velocities[] = {&f->v, &f->mean, &f->v_low, &f->v_high, &f->step};
    for (size_t i = 0; i < 3; ++i) *places[i] = abut_derivative_take(d, nq);
    for (size_t i = 0; i < 5; ++i) *velocities[i] = abut_derivative_take(d, nv);
    if (!d->good) return 0;
    memcpy(f->q, f->c->q, nq * sizeof(double));
    memcpy(f->v, f->c->v, nv * sizeof(double));
    memcpy(f->mean, sim->trees->mean + f->tree->first, nv * sizeof(double));
    return 1;
}

/* Where the tree stands after a step along degree of freedom k, and the force on its root there. */
static AbutSpatial step_to(Float *f, int32_t k, double by, double *q) {
    memset(f->step, 0, (size_t)f->c->tree->nv * sizeof *f->step);
    f->step[k] = 1.0;
    abut_configuration_integrate(f->c, f->q, f->step, by, q);
    memcpy(f->c->q, q, (size_t)f->c->tree->nq * sizeof *q);
    abut_robot_update(f->c);
    return f->tree->floats ? root_force(f, f->mean) : f->root;
}

static void move_floating(AbutDerivative *d, int32_t tree, double h) {
    Float f;
    if (!take_float(d, tree, h, &f)) return;
    int32_t first = d->first_of_tree[tree], nv = f.c->tree->nv;
    double *column = abut_derivative_take(d, 2 * (size_t)nv),
           *mean = abut_derivative_take(d, 2 * (size_t)nv * (size_t)nv), *v = abut_derivative_take(d, (size_t)nv);
    if (!d->good) return;
    AbutSpatial own = f.tree->floats ? root_force(&f, f.mean) : f.root;
    AbutSpatial off = abut_spatial_add_scaled(f.root, own, -1.0); /* of a bias that was cut */
    for (int32_t k = 0; k < nv; ++k) {
        AbutSpatial low = abut_spatial_add(step_to(&f, k, -WIDTH, f.q_low), off);
        go(&f, f.q_low, f.v, low, f.q_low, f.v_low);
        AbutSpatial high = abut_spatial_add(step_to(&f, k, WIDTH, f.q_high), off);
        go(&f, f.q_high, f.v, high, f.q_high, f.v_high);
        column_of(&f, 2.0 * WIDTH, column);
        put_tree_column(d, first, nv, column, first + k, NULL);
        memcpy(v, f.v, (size_t)nv * sizeof *v);
        v[k] = f.v[k] - WIDTH;
        go(&f, f.q, v, f.root, f.q_low, f.v_low);
        v[k] = f.v[k] + WIDTH;
        go(&f, f.q, v, f.root, f.q_high, f.v_high);
        column_of(&f, 2.0 * WIDTH, column);
        put_tree_column(d, first, nv, column, 0, solved(d, first + k));
    }
    if (f.tree->floats) by_mean(&f, column, mean);
    for (int32_t k = 0; f.tree->floats && k < nv; ++k) {
        for (int32_t i = 0; i < 2 * nv; ++i) column[i] = mean[i * nv + k];
        put_tree_column(d, first, nv, column, 0, d->mean + (size_t)(first + k) * (size_t)d->columns);
    }
    go(&f, f.q, f.v, f.root, f.q_low, f.v_low);
    memcpy(d->expected + first, f.v_low, (size_t)nv * sizeof *f.v_low);
    memcpy(f.c->q, f.q, (size_t)f.c->tree->nq * sizeof *f.q);
    abut_robot_update(f.c);
    memcpy(f.c->v, f.v, (size_t)nv * sizeof *f.v);
    abut_robot_velocities(f.c);
    f.tree->root_force = f.root;
}

/* Hinges and slides on a base that stands still. */
static int is_plain(const AbutSolverTree *tree) {
    for (int32_t i = 0; i < tree->c->tree->move_count; ++i)
        if (tree->c->tree->moves[i].kind >= ABUT_MOVE_BALL) return 0;
    return !tree->floats;
}

static void move_tree(AbutDerivative *d, int32_t tree, double h) {
    const AbutSolverTree *t = &d->sim->trees->tree[tree];
    int32_t first = d->first_of_tree[tree], nv = t->c->tree->nv;
    if (d->sim->mover[t->body[0]].asleep) {
        stay(d, first, nv);
        return;
    }
    if (!is_plain(t)) {
        move_floating(d, tree, h);
        return;
    }
    memcpy(d->expected + first, t->c->v, (size_t)nv * sizeof *t->c->v);
    for (int32_t k = first; k < first + nv; ++k) {
        add_place(d, k, k, 1.0);
        add_row(d, k, h, solved(d, k));
        add_row(d, d->n + k, 1.0, solved(d, k));
    }
}

void abut_derivative_moves(AbutDerivative *d, double h) {
    memset(d->part, 0, 2 * (size_t)d->n * (size_t)d->columns * sizeof *d->part);
    for (int32_t b = 0; b < d->body_count; ++b) {
        if (d->sim->mover[d->body[b]].asleep)
            stay(d, d->first_of_body[d->body[b]], 6);
        else
            move_body(d, d->body[b], h);
    }
    for (int32_t i = 0; d->sim->trees && i < d->sim->trees->tree_count && d->good; ++i) move_tree(d, i, h);
}

/* Did robots move as they were expected to, and all bodies for the whole part? */
void abut_derivative_moved(AbutDerivative *d) {
    const AbutSimulation *sim = d->sim;
    int held = 0;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        const AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        held |= m->alive && m->inv_mass > 0.0 && !m->asleep && m->motion_part < 1.0;
    }
    for (int32_t i = 0; sim->trees && i < sim->trees->tree_count; ++i) {
        const AbutSolverTree *t = &sim->trees->tree[i];
        const double *v = d->expected + d->first_of_tree[i];
        for (int32_t k = 0; !sim->mover[t->body[0]].asleep && k < t->c->tree->nv; ++k)
            held |= fabs(v[k] - t->c->v[k]) > 1e-9 * (1.0 + fabs(v[k]));
    }
    if (held) abut_derivative_breaks(d, ABUT_BREAK_MOTION, -1);
}
