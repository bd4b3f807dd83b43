/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups: what is solved together. In: the simulation after the solution of a part, before anything has moved. Out:
 * how the velocities found change with places, velocities, inputs and parameters.
 *
 * With rows J dv + R dx whose impulses change by -W (J dv + R dx), a group solves (M + J^T W J) dv = (explicit terms) -
 * J^T W R dx. W is not symmetric where something slides. The softness that rows have of their own is taken out by a
 * second pass, as in the method of multipliers: it leaves the square of it.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

/* ---- linear algebra ---------------------------------------------------------------------------------------------- */

static void swap_rows(double *a, size_t width, size_t i, size_t j) {
    for (size_t k = 0; k < width; ++k) {
        double x = a[i * width + k];
        a[i * width + k] = a[j * width + k];
        a[j * width + k] = x;
    }
}

/* LU with partial pivots in place; 0: singular. */
static int factor(size_t n, double *a, int32_t *order) {
    for (size_t k = 0; k < n; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < n; ++i) best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        if (!(fabs(a[best * n + k]) > 0.0) || !isfinite(a[best * n + k])) return 0;
        order[k] = (int32_t)best;
        if (best != k) swap_rows(a, n, k, best);
        for (size_t i = k + 1; i < n; ++i) {
            double f = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; f != 0.0 && j < n; ++j) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return 1;
}

static void solve(size_t n, const double *a, const int32_t *order, size_t width, double *x) {
    for (size_t k = 0; k < n; ++k) {
        if ((size_t)order[k] != k) swap_rows(x, width, k, (size_t)order[k]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < i; ++k) {
            double f = a[i * n + k];
            for (size_t j = 0; f != 0.0 && j < width; ++j) x[i * width + j] -= f * x[k * width + j];
        }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; ++k) {
            double f = a[i * n + k];
            for (size_t j = 0; f != 0.0 && j < width; ++j) x[i * width + j] -= f * x[k * width + j];
        }
        double f = 1.0 / a[i * n + i];
        for (size_t j = 0; j < width; ++j) x[i * width + j] *= f;
    }
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* out[row][:] = R dx of the rows, for all columns. */
static void explicit_rows(const AbutDerivativeGroup *g, const AbutDerivativeRows *r, double *out) {
    size_t width = (size_t)g->columns, n = (size_t)g->n, others = width - 2 * n;
    memset(out, 0, (size_t)r->rows * width * sizeof *out);
    for (int32_t i = 0; i < r->rows; ++i) {
        double *to = out + (size_t)i * width;
        const double *place = r->by_place + (size_t)i * (size_t)r->count,
                     *velocity = r->by_velocity + (size_t)i * (size_t)r->count;
        for (int32_t k = 0; k < r->count; ++k) {
            to[r->at[k]] += place[k];
            to[n + (size_t)r->at[k]] += velocity[k];
        }
        for (size_t k = 0; r->by_other && k < others; ++k) to[2 * n + k] += r->by_other[(size_t)i * others + k];
    }
}

/* out += J dv. */
static void implicit_rows(const AbutDerivativeGroup *g, const AbutDerivativeRows *r, const double *dv, double *out) {
    size_t width = (size_t)g->columns;
    for (int32_t i = 0; i < r->rows; ++i)
        for (int32_t k = 0; k < r->count; ++k) {
            double f = r->j[(size_t)i * (size_t)r->count + (size_t)k];
            const double *from = dv + (size_t)r->at[k] * width;
            double *to = out + (size_t)i * width;
            for (size_t j = 0; f != 0.0 && j < width; ++j) to[j] += f * from[j];
        }
}

/* x <- W x. */
static void apply_law(const AbutDerivativeGroup *g, const AbutDerivativeRows *r, double *x) {
    size_t width = (size_t)g->columns, b = (size_t)r->block;
    for (int32_t first = 0; first < r->rows; first += r->block) {
        const double *law = r->law + (size_t)first * b;
        for (size_t j = 0; j < width; ++j) {
            double in[3 * ABUT_CONTACT_VERTICES + 3];
            for (size_t i = 0; i < b; ++i) in[i] = x[((size_t)first + i) * width + j];
            for (size_t i = 0; i < b; ++i) {
                double sum = 0.0;
                for (size_t k = 0; k < b; ++k) sum += law[i * b + k] * in[k];
                x[((size_t)first + i) * width + j] = sum;
            }
        }
    }
}

/* right += sign J^T x. */
static void add_back(
    const AbutDerivativeGroup *g, const AbutDerivativeRows *r, const double *x, double sign, double *right) {
    size_t width = (size_t)g->columns;
    for (int32_t i = 0; i < r->rows; ++i)
        for (int32_t k = 0; k < r->count; ++k) {
            double f = sign * r->j[(size_t)i * (size_t)r->count + (size_t)k];
            double *to = right + (size_t)r->at[k] * width;
            for (size_t j = 0; f != 0.0 && j < width; ++j) to[j] += f * x[(size_t)i * width + j];
        }
}

/* matrix += J^T W J. */
static void add_stiffness(const AbutDerivativeGroup *g, const AbutDerivativeRows *r) {
    size_t b = (size_t)r->block, n = (size_t)g->n, count = (size_t)r->count;
    for (size_t first = 0; first < (size_t)r->rows; first += b)
        for (size_t i = 0; i < b; ++i)
            for (size_t q = 0; q < b; ++q) {
                double w = r->law[first * b + i * b + q];
                if (w == 0.0) continue;
                const double *left = r->j + (first + i) * count, *right = r->j + (first + q) * count;
                for (size_t k = 0; k < count; ++k) {
                    double f = w * left[k];
                    double *to = g->matrix + (size_t)r->at[k] * n;
                    for (size_t p = 0; f != 0.0 && p < count; ++p) to[r->at[p]] += f * right[p];
                }
            }
}

/* ---- solution ------------------------------------------------------------------------------------------------------ */

/* Locked axes keep their velocity: their rows of the right-hand side, and of the matrix where it is not factored yet.
 */
static void hold_locked(AbutDerivativeGroup *g, double *right, int matrix) {
    const AbutDerivative *d = g->d;
    for (int32_t b = 0; b < d->body_count; ++b) {
        int32_t first = g->local[d->first_of_body[d->body[b]]];
        uint32_t locked = d->sim->mover[d->body[b]].locked;
        for (int k = 0; first >= 0 && k < 6; ++k) {
            if (!(locked >> k & 1)) continue;
            size_t row = (size_t)(first + k);
            memset(right + row * (size_t)g->columns, 0, (size_t)g->columns * sizeof *right);
            if (!matrix) continue;
            memset(g->matrix + row * (size_t)g->n, 0, (size_t)g->n * sizeof *g->matrix);
            g->matrix[row * (size_t)g->n + row] = 1.0;
        }
    }
}

static int any_locked(const AbutDerivativeGroup *g) {
    const AbutDerivative *d = g->d;
    for (int32_t b = 0; b < d->body_count; ++b)
        if (g->local[d->first_of_body[d->body[b]]] >= 0 && d->sim->mover[d->body[b]].locked) return 1;
    return 0;
}

static void solve_group(AbutDerivativeGroup *g) {
    AbutDerivative *d = g->d;
    size_t n = (size_t)g->n, width = (size_t)g->columns, most = 0;
    int locked = any_locked(g);
    for (int32_t k = 0; k < g->row_count; ++k) most = (size_t)g->rows[k].rows > most ? (size_t)g->rows[k].rows : most;
    double *room = abut_derivative_take(d, most * width), *x = abut_derivative_take(d, n * width);
    int32_t *order = abut_pool_take_array(&d->work, n, sizeof *order, &d->good);
    if (!d->good) return;
    for (int32_t k = 0; k < g->row_count; ++k) {
        add_stiffness(g, &g->rows[k]);
        explicit_rows(g, &g->rows[k], room);
        apply_law(g, &g->rows[k], room);
        add_back(g, &g->rows[k], room, -1.0, g->right);
    }
    if (locked) hold_locked(g, g->right, 1);
    if (!factor(n, g->matrix, order)) {
        abut_derivative_breaks(d, ABUT_BREAK_SOLVER, -1);
        return;
    }
    memcpy(x, g->right, n * width * sizeof *x);
    solve(n, g->matrix, order, width, x);
    for (int32_t k = 0; k < g->row_count; ++k) {
        const AbutDerivativeRows *r = &g->rows[k];
        explicit_rows(g, r, room);
        implicit_rows(g, r, x, room);
        apply_law(g, r, room); /* - d l */
        for (size_t i = 0; i < (size_t)r->rows; ++i)
            for (size_t j = 0; j < width; ++j) room[i * width + j] *= -r->soft[i];
        apply_law(g, r, room);
        add_back(g, r, room, 1.0, g->right);
    }
    if (locked) hold_locked(g, g->right, 0);
    solve(n, g->matrix, order, width, g->right);
    for (size_t i = 0; i < n; ++i) {
        double *to = d->solved + (size_t)g->number[i] * (size_t)d->columns;
        const double *from = g->right + i * width;
        for (size_t k = 0; k < n; ++k) {
            to[g->number[k]] = from[k];
            to[(size_t)d->n + (size_t)g->number[k]] = from[n + k];
        }
        memcpy(to + 2 * (size_t)d->n, from + 2 * n, (width - 2 * n) * sizeof *to);
    }
}

/* ---- groups -------------------------------------------------------------------------------------------------------- */

static void add_numbers(AbutDerivativeGroup *g, int32_t first, int32_t count) {
    if (g->local[first] >= 0) return;
    for (int32_t k = 0; k < count; ++k) {
        g->local[first + k] = g->n;
        g->number[g->n++] = first + k;
    }
}

static int32_t tree_numbers(const AbutDerivative *d, int32_t tree) { return d->sim->trees->tree[tree].c->tree->nv; }

/* Numbers of a group: of an island, or of one body. */
static void list_numbers(AbutDerivativeGroup *g, const AbutIsland *island, int32_t body) {
    AbutDerivative *d = g->d;
    if (body >= 0) add_numbers(g, d->first_of_body[body], 6);
    for (int32_t k = 0, sides = island ? abut_island_sides(island) : 0; k < sides; ++k) {
        int32_t place = abut_island_side(d->sim, island, k);
        if (place >= 0) add_numbers(g, d->first_of_body[place], 6);
    }
    for (int32_t k = 0; island && k < island->tree_count; ++k) {
        int32_t tree = d->sim->trees->island_tree[island->first_tree + k];
        add_numbers(g, d->first_of_tree[tree], tree_numbers(d, tree));
    }
}

static void fill_group(AbutDerivativeGroup *g, const AbutIsland *island) {
    AbutDerivative *d = g->d;
    AbutSimulation *sim = d->sim;
    AbutTreeRate *rates = NULL;
    if (sim->trees) rates = abut_pool_take_array(&d->work, (size_t)sim->trees->tree_count, sizeof *rates, &d->good);
    for (int32_t k = 0; k < g->n && d->good; ++k)
        for (int32_t b = 0; b < d->body_count; ++b)
            if (d->first_of_body[d->body[b]] == g->number[k]) abut_derivative_body(g, d->body[b]);
    for (int32_t k = 0; island && d->good && k < island->tree_count; ++k) {
        int32_t tree = sim->trees->island_tree[island->first_tree + k];
        abut_derivative_tree(g, tree, &rates[tree]);
    }
    for (int32_t k = 0; island && d->good && k < island->count; ++k)
        abut_derivative_contact(g, abut_island_contact(sim, island, k), rates);
    for (int32_t k = 0; island && d->good && k < island->join_count; ++k)
        abut_derivative_join(g, abut_island_join(sim, island, k), rates);
}

static void do_group(AbutDerivative *d, int32_t *local, const AbutIsland *island, int32_t body, double h) {
    AbutDerivativeGroup g = {.d = d, .h = h, .local = local};
    g.number = abut_pool_take_array(&d->work, (size_t)d->n, sizeof *g.number, &d->good);
    if (!d->good) return;
    list_numbers(&g, island, body);
    g.columns = 2 * g.n + d->inputs + d->parameters;
    g.row_most = island ? island->count + island->join_count : 0;
    for (int32_t k = 0; island && k < island->tree_count; ++k)
        g.row_most += abut_island_tree(d->sim, island, k)->row_count;
    g.matrix = abut_derivative_take(d, (size_t)g.n * (size_t)g.n);
    g.right = abut_derivative_take(d, (size_t)g.n * (size_t)g.columns);
    g.rows = abut_pool_take_array(&d->work, (size_t)g.row_most, sizeof *g.rows, &d->good);
    if (d->good && g.n > 0) fill_group(&g, island);
    if (d->good && g.n > 0) solve_group(&g);
    for (int32_t k = 0; k < g.n; ++k) local[g.number[k]] = -1;
}

void abut_derivative_groups(AbutDerivative *d, double h) {
    AbutSimulation *sim = d->sim;
    int32_t *local = abut_pool_take_array(&d->work, (size_t)d->n, sizeof *local, &d->good);
    memset(d->solved, 0, (size_t)d->n * (size_t)d->columns * sizeof *d->solved);
    memset(d->mean, 0, (size_t)d->n * (size_t)d->columns * sizeof *d->mean);
    for (int32_t k = 0; d->good && k < d->n; ++k) local[k] = -1;
    for (int32_t i = 0; i < sim->islands.count && d->good; ++i) {
        const AbutIsland *island = &sim->islands.at[i];
        if (island->asleep || i < sim->awake.settled_islands) continue;
        do_group(d, local, island, -1, h);
        if (d->good && island->guarded) abut_derivative_breaks(d, ABUT_BREAK_SOLVER, -1);
    }
    for (int32_t b = 0; b < d->body_count && d->good; ++b) {
        const AbutSolverBody *m = &sim->mover[d->body[b]];
        if (m->island < 0 && !m->asleep) do_group(d, local, NULL, d->body[b], h);
    }
}
