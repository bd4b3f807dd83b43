/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree in the derivative of a step. In: its state before the part, its velocities after the solution, impulses. Out:
 * its block of the matrix, explicit terms, rows of limits, couplings, tendons and servos.
 *
 * With E = h d + h^2 k + lock on the diagonal, the solution fulfills
 *
 *     h ID(q, m, (v+ - v) / h) + E v+ - h f(q, v, u) - J^T l = 0
 *
 * where ID is inverse dynamics, taken at the mean velocity m = (v + p) / 2, and p solves the same equation with the
 * bias at v. ID is quadratic in velocities, so that central differences of any width are exact; forces of actuators,
 * springs and rows, of many kinds, are differenced as they stand in dynamics/tree_drive.c and tree_rows.c, which solve
 * nothing.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

#define WIDTH 1e-6 /* of differences by places: rad or m, times the reach of the tree for slides */

typedef struct Measure {
    double *t;         /* [nv] the equation at m */
    double *predicted; /* [nv] the one at v */
    double *twist;     /* [links][6] */
    double *rows;      /* [rows of the tree] what they miss */
} Measure;

typedef struct Work {
    AbutDerivativeGroup *g;
    AbutSimulation *sim;
    AbutSolverTree *tree;
    AbutConfiguration *c;
    int32_t nv, links;
    double h;
    const double *start, *mean; /* velocities */
    double *after, *q, *v, *p;  /* after the solution; places; velocities before, and predicted */
    double *acceleration, *room;
    Measure low, high;
} Work;

/* ---- what drives trees is put back -------------------------------------------------------------------------------- */

enum { ARRAYS = 9 };

typedef struct Saved {
    double *arrays;
    AbutTreeRow *rows;
    AbutRowTerm *terms;
    AbutSolverBody *movers;
    double work;
} Saved;

static void list_arrays(AbutTrees *t, double **list) {
    double *all[ARRAYS] = {t->force, t->stiffness, t->damping, t->servo_force, t->servo_stiffness, t->servo_damping,
        t->passive, t->work, t->other};
    memcpy(list, all, sizeof all);
}

static Saved save(AbutDerivative *d) {
    AbutSimulation *sim = d->sim;
    AbutTrees *t = sim->trees;
    double *list[ARRAYS];
    size_t dofs = (size_t)t->dof_count;
    Saved s = {abut_derivative_take(d, ARRAYS * dofs),
        abut_pool_take_array(&d->work, (size_t)t->row_count, sizeof *s.rows, &d->good),
        abut_pool_take_array(&d->work, (size_t)t->term_count, sizeof *s.terms, &d->good),
        abut_pool_take_array(&d->work, (size_t)sim->mover_count, sizeof *s.movers, &d->good), sim->report.work};
    if (!d->good) return s;
    list_arrays(t, list);
    for (int i = 0; i < ARRAYS; ++i) memcpy(s.arrays + (size_t)i * dofs, list[i], dofs * sizeof(double));
    memcpy(s.rows, t->row, (size_t)t->row_count * sizeof *s.rows);
    memcpy(s.terms, t->term, (size_t)t->term_count * sizeof *s.terms);
    memcpy(s.movers, sim->mover, (size_t)sim->mover_count * sizeof *s.movers);
    return s;
}

static void put_back(AbutDerivative *d, const Saved *s) {
    AbutSimulation *sim = d->sim;
    AbutTrees *t = sim->trees;
    double *list[ARRAYS];
    size_t dofs = (size_t)t->dof_count;
    list_arrays(t, list);
    for (int i = 0; i < ARRAYS; ++i) memcpy(list[i], s->arrays + (size_t)i * dofs, dofs * sizeof(double));
    memcpy(t->row, s->rows, (size_t)t->row_count * sizeof *s->rows);
    memcpy(t->term, s->terms, (size_t)t->term_count * sizeof *s->terms);
    memcpy(sim->mover, s->movers, (size_t)sim->mover_count * sizeof *s->movers);
    sim->report.work = s->work;
}

/* ---- the equation ------------------------------------------------------------------------------------------------- */

static void set_velocities(Work *w, const double *v) { memcpy(w->c->v, v, (size_t)w->nv * sizeof *v); }

/* Links, and what pushes them, where q says. */
static void place(Work *w, const double *q) {
    const AbutSceneTree *scene_tree = &w->sim->scene->robot_tree[w->tree - w->sim->trees->tree];
    memmove(w->c->q, q, (size_t)w->c->tree->nq * sizeof *q);
    abut_robot_update(w->c);
    abut_scene_place_links(w->sim->scene, scene_tree);
    for (int32_t i = 0; i < w->links; ++i) {
        const AbutBody *body = &w->sim->scene->body[w->tree->body[i]];
        AbutSolverBody *m = &w->sim->mover[w->tree->body[i]];
        m->x = body->x, m->q = body->q, m->rotation = body->rotation;
    }
}

/* Adds sign J^T of a force and a torque about the center of mass of a link. */
static void add_force(const Work *w, int32_t body, AbutVec3 force, AbutVec3 torque, double sign, double *t) {
    const AbutBody *b = &w->sim->scene->body[body];
    AbutVec3 arm = abut_sub(b->x, w->c->origins[0]);
    for (int32_t d = w->c->tree->links[b->link].last; d >= 0; d = w->c->tree->dofs[d].parent) {
        AbutSpatial s = w->c->axes[d];
        t[d] += sign * (abut_dot(s.w, abut_add(torque, abut_cross(arm, force))) + abut_dot(s.l, force));
    }
}

/* Impulses of contacts and joins, and of rows, as they are. */
static void add_impulses(const Work *w, double sign, double *t) {
    const AbutSimulation *sim = w->sim;
    int32_t number = sim->mover[w->tree->body[0]].island, own = (int32_t)(w->tree - sim->trees->tree);
    const AbutIsland *island = &sim->islands.at[number];
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        double f[6];
        if (sim->mover[c->body_a].tree != own && sim->mover[c->body_b].tree != own) continue;
        abut_contact_wrench(c, f);
        AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
        AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
        if (sim->mover[c->body_a].tree == own)
            add_force(w, c->body_a, force, abut_add(torque, abut_cross(c->ra, force)), -sign, t);
        if (sim->mover[c->body_b].tree == own)
            add_force(w, c->body_b, force, abut_add(torque, abut_cross(c->rb, force)), sign, t);
    }
    for (int32_t k = 0; k < island->join_count; ++k) {
        const AbutJoin *join = abut_island_join(sim, island, k);
        AbutVec3 force = abut_vec3(join->impulse[0], join->impulse[1], join->impulse[2]),
                 torque = abut_vec3(join->impulse[3], join->impulse[4], join->impulse[5]);
        for (int s = 0; s < 2; ++s)
            if (join->body[s] >= 0 && sim->mover[join->body[s]].tree == own)
                add_force(
                    w, join->body[s], force, abut_add(torque, abut_cross(join->arm[s], force)), s ? sign : -sign, t);
    }
}

static void add_rows(const Work *w, double sign, double *t, double *miss) {
    const AbutTrees *trees = w->sim->trees;
    for (int32_t i = 0; i < w->tree->row_count; ++i) {
        const AbutTreeRow *row = &trees->row[w->tree->first_row + i];
        double u = 0.0;
        for (int32_t k = 0; k < row->term_count; ++k) {
            const AbutRowTerm *term = &trees->term[row->first_term + k];
            int32_t d = term->dof - w->tree->first;
            if (d < 0 || d >= w->nv) continue; /* of another tree */
            u += term->coefficient * w->after[d];
            t[d] += sign * term->coefficient * row->impulse;
        }
        miss[i] = u + row->softness * row->impulse - row->target;
    }
}

/* Impulses are those found, whatever rows would do with them. */
static void keep_impulses(const Work *w, const Saved *s) {
    for (int32_t i = w->tree->first_row; i < w->tree->first_row + w->tree->row_count; ++i)
        w->sim->trees->row[i].impulse = s->rows[i].impulse;
}

static void inverse(Work *w, const double *at, const double *end, double *out) {
    for (int32_t i = 0; i < w->nv; ++i) w->acceleration[i] = (end[i] - w->v[i]) / w->h;
    set_velocities(w, at);
    abut_robot_inverse(w->c, w->acceleration, out);
}

/* Everything at the places, velocities and controls that are set. */
static void measure(Work *w, const Saved *s, Measure *m) {
    AbutTrees *t = w->sim->trees;
    int32_t first = w->tree->first;
    set_velocities(w, w->v);
    abut_robot_velocities(w->c);
    memcpy(t->start + first, w->v, (size_t)w->nv * sizeof(double));
    abut_trees_drive(w->sim, w->h);
    abut_rows_measure(w->sim, w->tree, w->h);
    keep_impulses(w, s);
    set_velocities(w, w->after);
    abut_robot_velocities(w->c);
    abut_scene_place_links(w->sim->scene, &w->sim->scene->robot_tree[w->tree - t->tree]);
    for (int32_t i = 0; i < w->links; ++i) {
        const AbutBody *body = &w->sim->scene->body[w->tree->body[i]];
        double twist[6] = {body->v.x, body->v.y, body->v.z, body->w.x, body->w.y, body->w.z};
        memcpy(m->twist + 6 * i, twist, sizeof twist);
    }
    inverse(w, w->mean, w->after, m->t);
    inverse(w, w->v, w->p, m->predicted);
    memset(w->room, 0, (size_t)w->nv * sizeof(double));
    add_rows(w, -1.0, w->room, m->rows);
    add_impulses(w, -1.0, w->room);
    for (int32_t i = 0; i < w->nv; ++i) {
        double e = w->h * t->damping[first + i] + w->h * w->h * t->stiffness[first + i] + t->lock[first + i],
               given = w->room[i] - w->h * t->force[first + i];
        m->t[i] = w->h * m->t[i] + e * w->after[i] + given;
        m->predicted[i] = w->h * m->predicted[i] + e * w->p[i] + given;
    }
}

/* ---- into the group ---------------------------------------------------------------------------------------------- */

static size_t at(const Work *w, int32_t row, int32_t column) { return (size_t)row * (size_t)w->nv + (size_t)column; }

/* Columns of one tree: [nv][nv] by place and velocity, [nv][inputs and parameters]. */
typedef struct Columns {
    double *place, *velocity, *other;
    double *row_place, *row_velocity, *row_other; /* by row of the tree */
} Columns;

static Columns take_columns(AbutDerivative *d, const Work *w) {
    size_t n = (size_t)w->nv, others = (size_t)(d->inputs + d->parameters), rows = (size_t)w->tree->row_count;
    return (Columns){abut_derivative_take(d, n * n), abut_derivative_take(d, n * n),
        abut_derivative_take(d, n * others), abut_derivative_take(d, rows * n), abut_derivative_take(d, rows * n),
        abut_derivative_take(d, rows * others)};
}

static void store(const Work *w, int32_t column, size_t columns, double width, double *t, double *p, double *rows) {
    for (int32_t i = 0; i < w->nv; ++i) {
        size_t to = (size_t)i * columns + (size_t)column;
        t[to] = (w->high.t[i] - w->low.t[i]) / width;
        p[to] = (w->high.predicted[i] - w->low.predicted[i]) / width;
    }
    for (int32_t i = 0; i < w->tree->row_count; ++i)
        rows[(size_t)i * columns + (size_t)column] = (w->high.rows[i] - w->low.rows[i]) / width;
}

static void by_places(Work *w, const Saved *s, Columns *t, Columns *p, AbutTreeRate *rate) {
    for (int32_t k = 0; k < w->nv; ++k) {
        double *step = w->room;
        for (int side = 0; side < 2; ++side) {
            memset(step, 0, (size_t)w->nv * sizeof *step);
            step[k] = 1.0;
            abut_configuration_integrate(w->c, w->q, step, side ? WIDTH : -WIDTH, w->c->q);
            place(w, w->c->q);
            measure(w, s, side ? &w->high : &w->low);
        }
        store(w, k, (size_t)w->nv, 2.0 * WIDTH, t->place, p->place, t->row_place);
        for (int32_t i = 0; i < 6 * w->links; ++i)
            rate->twist[(size_t)i * (size_t)w->nv + (size_t)k] = (w->high.twist[i] - w->low.twist[i]) / (2.0 * WIDTH);
    }
    place(w, w->q);
}

/* Velocities before the step, at an unchanged mean. */
static void by_velocities(Work *w, const Saved *s, Columns *t, Columns *p) {
    for (int32_t k = 0; k < w->nv; ++k) {
        double v = w->v[k], width = 1e-4;
        w->v[k] = v - width;
        measure(w, s, &w->low);
        w->v[k] = v + width;
        measure(w, s, &w->high);
        w->v[k] = v;
        store(w, k, (size_t)w->nv, 2.0 * width, t->velocity, p->velocity, t->row_velocity);
    }
}

/* h dID/dm. */
static void by_mean(Work *w, double *out) {
    double *mean = w->room, *low = w->low.t, *high = w->high.t;
    for (int32_t k = 0; k < w->nv; ++k) {
        memcpy(mean, w->mean, (size_t)w->nv * sizeof *mean);
        mean[k] = w->mean[k] - 0.5;
        inverse(w, mean, w->after, low);
        mean[k] = w->mean[k] + 0.5;
        inverse(w, mean, w->after, high);
        for (int32_t i = 0; i < w->nv; ++i) out[at(w, i, k)] = w->h * (high[i] - low[i]);
    }
}

static int32_t first_control(const AbutTrees *t, int32_t robot) { return t->robot[robot].first_control; }

static void by_inputs(Work *w, const Saved *s, Columns *t, Columns *p) {
    AbutDerivative *d = w->g->d;
    AbutTrees *trees = w->sim->trees;
    size_t others = (size_t)(d->inputs + d->parameters);
    int32_t robot = w->sim->scene->robot_tree[w->tree - trees->tree].robot,
            count = w->sim->scene->robot[robot].model->actuator_count;
    for (int32_t k = first_control(trees, robot); k < first_control(trees, robot) + count; ++k) {
        double u = trees->control[k], width = 1e-4 * abut_larger(1.0, fabs(u));
        trees->control[k] = u - width;
        measure(w, s, &w->low);
        trees->control[k] = u + width;
        measure(w, s, &w->high);
        trees->control[k] = u;
        store(w, k, others, 2.0 * width, t->other, p->other, t->row_other);
    }
}

static void by_gravity(Work *w, const Saved *s, int axis, int32_t column, Columns *t, Columns *p) {
    AbutDerivative *d = w->g->d;
    AbutVec3 g = w->sim->def.gravity;
    double width = 1e-3;
    w->sim->def.gravity = abut_add_scaled(g, abut_axis(axis), -width);
    measure(w, s, &w->low);
    w->sim->def.gravity = abut_add_scaled(g, abut_axis(axis), width);
    measure(w, s, &w->high);
    w->sim->def.gravity = g;
    store(w, column, (size_t)(d->inputs + d->parameters), 2.0 * width, t->other, p->other, t->row_other);
}

/* The actuator of a parameter with another gain, or one of the three of its bias, in a copy of the model. */
static void by_gain(Work *w, const Saved *s, const AbutDerivativeParameter *x, int32_t column, Columns *t, Columns *p) {
    AbutDerivative *d = w->g->d;
    AbutSceneRobot *robot = &w->sim->scene->robot[x->robot];
    const AbutModel *own = robot->model;
    AbutModel copy = *own;
    AbutActuatorDef *actuators =
        abut_pool_take_array(&d->work, (size_t)own->actuator_count, sizeof *actuators, &d->good);
    if (!d->good) return;
    memcpy(actuators, own->actuators, (size_t)own->actuator_count * sizeof *actuators);
    double *gain = x->axis == 0 ? &actuators[x->number].gain : &actuators[x->number].bias[x->axis - 1], at = *gain,
           width = 1e-4 * abut_larger(1e-3, fabs(at));
    copy.actuators = actuators;
    robot->model = &copy;
    *gain = at - width;
    measure(w, s, &w->low);
    *gain = at + width;
    measure(w, s, &w->high);
    robot->model = own;
    store(w, column, (size_t)(d->inputs + d->parameters), 2.0 * width, t->other, p->other, t->row_other);
}

static void by_damping(Work *w, const AbutDerivativeParameter *x, int32_t column, Columns *t, Columns *p) {
    AbutDerivative *d = w->g->d;
    const AbutSceneRobot *robot = &w->sim->scene->robot[x->robot];
    const AbutRobotMove *move = &robot->move[robot->move_of_joint[x->number]];
    size_t others = (size_t)(d->inputs + d->parameters);
    if (move->tree != (int32_t)(w->tree - w->sim->trees->tree)) return;
    for (int32_t k = move->in_velocities; k < move->in_velocities + move->velocity_count; ++k) {
        t->other[(size_t)k * others + (size_t)column] = w->h * w->after[k];
        p->other[(size_t)k * others + (size_t)column] = w->h * w->p[k];
    }
}

static void by_parameters(Work *w, const Saved *s, Columns *t, Columns *p) {
    AbutDerivative *d = w->g->d;
    int32_t robot = w->sim->scene->robot_tree[w->tree - w->sim->trees->tree].robot;
    for (int32_t i = 0; i < d->parameters; ++i) {
        const AbutDerivativeParameter *x = &d->parameter[i];
        if (x->kind == ABUT_PARAMETER_GRAVITY) by_gravity(w, s, x->axis, d->inputs + i, t, p);
        if (x->kind == ABUT_PARAMETER_GAIN && x->robot == robot) by_gain(w, s, x, d->inputs + i, t, p);
        if (x->kind == ABUT_PARAMETER_DAMPING && x->robot == robot) by_damping(w, x, d->inputs + i, t, p);
    }
}

/* The diagonal that is implicit, and the mass matrix. */
static void set_matrix(Work *w, double *m) {
    const AbutTrees *t = w->sim->trees;
    abut_configuration_mass_matrix(w->c, m);
    for (int32_t i = 0; i < w->nv; ++i)
        m[at(w, i, i)] += w->h * t->damping[w->tree->first + i] + w->h * w->h * t->stiffness[w->tree->first + i] +
                          t->lock[w->tree->first + i];
}

/* What the equation gets from the mean velocity: h dID/dm (dv + dp) / 2, (M + E) dp = -predicted. */
static void add_mean(Work *w, const double *matrix, const double *slope, Columns *t, const Columns *p) {
    AbutDerivative *d = w->g->d;
    size_t n = (size_t)w->nv, others = (size_t)(d->inputs + d->parameters);
    int32_t first = d->first_of_tree[w->tree - w->sim->trees->tree];
    size_t all = (size_t)d->n;
    int repeated = 0;
    for (int32_t i = 0; i < w->nv; ++i) repeated |= w->mean[i] != w->start[i];
    double *factor = abut_derivative_take(d, n * n), *scale = abut_derivative_take(d, n),
           *x = abut_derivative_take(d, n);
    if (!d->good) return;
    memcpy(factor, matrix, n * n * sizeof *factor);
    if (repeated && abut_cholesky_factor((int)n, factor, scale, 1e-16) >= 0) return;
    double *to[3] = {t->place, t->velocity, t->other};
    const double *from[3] = {p->place, p->velocity, p->other};
    for (int part = 0; part < 3; ++part) {
        size_t columns = part < 2 ? n : others;
        for (size_t k = 0; k < columns; ++k) {
            for (size_t i = 0; i < n; ++i) x[i] = repeated ? -from[part][i * columns + k] : 0.0;
            if (repeated) abut_cholesky_solve((int)n, factor, scale, x);
            for (size_t i = 0; i < n; ++i) x[i] *= 0.5;
            if (part == 1) x[k] += repeated ? 0.5 : 1.0;
            size_t column = (part == 0 ? (size_t)first : part == 1 ? all + (size_t)first : 2 * all) + k;
            for (size_t i = 0; i < n; ++i) d->mean[((size_t)first + i) * (size_t)d->columns + column] = x[i];
            for (size_t i = 0; i < n; ++i)
                for (size_t q = 0; q < n; ++q) to[part][i * columns + k] += slope[i * n + q] * x[q];
        }
    }
}

static void put_columns(const Work *w, const AbutTreeRate *rate, const double *matrix, const Columns *t) {
    AbutDerivativeGroup *g = w->g;
    size_t others = (size_t)(g->d->inputs + g->d->parameters), n = (size_t)g->n, columns = (size_t)g->columns;
    for (int32_t i = 0; i < w->nv; ++i) {
        size_t row = (size_t)(rate->first + i);
        for (int32_t k = 0; k < w->nv; ++k) {
            size_t column = (size_t)(rate->first + k);
            g->matrix[row * n + column] += matrix[at(w, i, k)];
            g->right[row * columns + column] -= t->place[at(w, i, k)];
            g->right[row * columns + n + column] -= t->velocity[at(w, i, k)];
        }
        for (size_t k = 0; k < others; ++k) g->right[row * columns + 2 * n + k] -= t->other[(size_t)i * others + k];
    }
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

#define ROW_SOFT 1e-7

/* Does its impulse follow its condition? Told where it is at the end of its range. */
static int carries(AbutDerivative *d, const AbutTreeRow *row, double miss) {
    double l = row->impulse, width = row->high - row->low, little = isfinite(width) ? 1e-6 * width : 0.0,
           speed = 1e-5 * d->sim->constants.gravity_dt / row->weight;
    int bound = l <= row->low || l >= row->high;
    if (!(row->low < row->high)) return 0;
    if (bound ? fabs(miss) < speed : l - row->low <= little || row->high - l <= little)
        abut_derivative_breaks(d, ABUT_BREAK_LIMIT, -1);
    int gap = row->low == 0.0 && row->high == INFINITY && row->kind != ABUT_ROW_SERVO;
    if (gap && !bound && fabs(row->target) < speed) /* a gap and an overlap are closed at different rates */
        abut_derivative_breaks(d, ABUT_BREAK_LIMIT, -1);
    if (!bound) d->residual = abut_larger(d->residual, fabs(miss) * row->weight);
    return !bound;
}

static void put_row(Work *w, const AbutTreeRate *rate, const AbutTreeRow *row, int32_t number, const Columns *t) {
    AbutDerivativeGroup *g = w->g;
    AbutDerivative *d = g->d;
    const AbutTrees *trees = w->sim->trees;
    int32_t count = w->nv;
    for (int32_t k = 0; k < row->term_count; ++k)
        count += trees->tree_of[trees->term[row->first_term + k].dof] != (int32_t)(w->tree - trees->tree);
    int32_t *list = abut_pool_take_array(&d->work, (size_t)count, sizeof *list, &d->good);
    AbutDerivativeRows *out = abut_derivative_rows(g, 1, 1, count, list);
    if (!out) return;
    out->by_other = abut_derivative_take(d, (size_t)(d->inputs + d->parameters));
    if (!d->good) return;
    int32_t more = w->nv;
    for (int32_t k = 0; k < w->nv; ++k) out->at[k] = rate->first + k;
    for (int32_t k = 0; k < row->term_count; ++k) {
        const AbutRowTerm *term = &trees->term[row->first_term + k];
        int32_t own = term->dof - w->tree->first, tree = trees->tree_of[term->dof];
        int32_t to = own >= 0 && own < w->nv ? own : more++;
        if (to >= w->nv) out->at[to] = g->local[d->first_of_tree[tree] + term->dof - trees->tree[tree].first];
        out->j[to] += term->coefficient;
    }
    memcpy(out->by_place, t->row_place + at(w, number, 0), (size_t)w->nv * sizeof(double));
    memcpy(out->by_velocity, t->row_velocity + at(w, number, 0), (size_t)w->nv * sizeof(double));
    memcpy(out->by_other, t->row_other + (size_t)number * (size_t)(d->inputs + d->parameters),
        (size_t)(d->inputs + d->parameters) * sizeof(double));
    out->soft[0] = ROW_SOFT / row->inverse;
    out->law[0] = 1.0 / (row->softness + out->soft[0]);
}

static void put_rows(Work *w, const AbutTreeRate *rate, const double *miss, const Columns *t) {
    for (int32_t i = 0; i < w->tree->row_count && w->g->d->good; ++i) {
        const AbutTreeRow *row = &w->sim->trees->row[w->tree->first_row + i];
        if (row->active && row->inverse > 0.0 && carries(w->g->d, row, miss[i])) put_row(w, rate, row, i, t);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static int begin(Work *w, AbutDerivativeGroup *g, int32_t tree) {
    AbutDerivative *d = g->d;
    AbutTrees *t = d->sim->trees;
    w->g = g, w->sim = d->sim, w->h = g->h;
    w->tree = &t->tree[tree];
    w->c = w->tree->c;
    w->nv = w->c->tree->nv, w->links = w->c->tree->link_count;
    size_t n = (size_t)w->nv, rows = (size_t)w->tree->row_count, links = 6 * (size_t)w->links;
    double **vectors[] = {&w->after, &w->v, &w->p, &w->acceleration, &w->room, &w->low.t, &w->high.t, &w->low.predicted,
        &w->high.predicted};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) *vectors[i] = abut_derivative_take(d, n);
    double *start = abut_derivative_take(d, n);
    w->q = abut_derivative_take(d, (size_t)w->c->tree->nq);
    w->low.twist = abut_derivative_take(d, links), w->high.twist = abut_derivative_take(d, links);
    w->low.rows = abut_derivative_take(d, rows), w->high.rows = abut_derivative_take(d, rows);
    if (!d->good) return 0;
    memcpy(start, t->start + w->tree->first, n * sizeof *start);
    memcpy(w->v, start, n * sizeof *start);
    memcpy(w->after, w->c->v, n * sizeof *start);
    memcpy(w->q, w->c->q, (size_t)w->c->tree->nq * sizeof *w->q);
    w->start = start, w->mean = t->mean + w->tree->first;
    for (int32_t i = 0; i < w->nv; ++i) w->p[i] = 2.0 * w->mean[i] - start[i];
    return 1;
}

void abut_derivative_tree(AbutDerivativeGroup *g, int32_t tree, AbutTreeRate *rate) {
    AbutDerivative *d = g->d;
    Work w;
    memset(&w, 0, sizeof w);
    if (!begin(&w, g, tree)) return;
    size_t n = (size_t)w.nv;
    *rate = (AbutTreeRate){g->local[d->first_of_tree[tree]], w.nv, abut_derivative_take(d, 6 * (size_t)w.links * n)};
    double *matrix = abut_derivative_take(d, n * n), *slope = abut_derivative_take(d, n * n);
    Columns t = take_columns(d, &w), p = take_columns(d, &w);
    Saved s = save(d);
    if (!d->good) return;
    by_places(&w, &s, &t, &p, rate);
    by_velocities(&w, &s, &t, &p);
    by_inputs(&w, &s, &t, &p);
    by_parameters(&w, &s, &t, &p);
    measure(&w, &s, &w.low);
    double *miss = w.high.rows;
    memcpy(miss, w.low.rows, (size_t)w.tree->row_count * sizeof *miss);
    by_mean(&w, slope);
    put_back(d, &s);
    memcpy(w.sim->trees->start + w.tree->first, w.start, n * sizeof *w.start);
    set_matrix(&w, matrix);
    add_mean(&w, matrix, slope, &t, &p);
    set_velocities(&w, w.after);
    abut_robot_velocities(w.c);
    abut_scene_place_links(w.sim->scene, &w.sim->scene->robot_tree[tree]);
    put_columns(&w, rate, matrix, &t);
    put_rows(&w, rate, miss, &t);
}
