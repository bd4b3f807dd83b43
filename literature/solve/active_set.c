/* SPDX-License-Identifier: Apache-2.0 */
/*
 * min 1/2 |B x|^2 + g.x over x >= 0 by active set: the one numerical kernel of the generator models (six rows) and of
 * the joint model (six rows per body).
 *
 * Method, after Lawson and Hanson. Columns are scaled to length one. The passive columns, those with x > 0, are kept as
 * Q R, with columns added by Gram-Schmidt (twice) and removed by plane rotations.
 *   1. The column with the most negative slope enters; none: done.
 *   2. If it depends on the passive ones, B x can stay while x moves along the dependence and the objective falls: up
 * to the first passive column that reaches zero, which leaves. If none would, the objective has no lower bound: the
 * column is locked out and the fact is reported.
 *   3. z = minimum over the passive columns, R^T R z = -g. If z > 0, x = z. Otherwise x moves towards z up to the first
 * zero, that column leaves, and again. A column that leaves as it enters is locked out until another one has made
 * progress.
 */
#include "literature/solve/active_set.h"
#include "math/functions.h"

#include "math/functions.h"

#define ABUT_CONE_STEP 1e-12     /* steps below this part of the largest are zero */
#define ABUT_CONE_DEPENDENT 1e-9 /* a column this close to the others depends on them */

enum { COLUMN_FREE = 0, COLUMN_PASSIVE, COLUMN_LOCKED, COLUMN_UNBOUNDED };

size_t abut_cone_room(int dimension) {
    size_t d = (size_t)dimension;
    return 2 * d * d + 5 * (d + 1);
}

void abut_cone_place(AbutConeProblem *p, int dimension, double *room) {
    size_t d = (size_t)dimension;
    p->dimension = dimension;
    p->q = room;
    p->r = room + d * d;
    p->x = room + 2 * d * d;
    p->work = p->x + d + 1;
}

static double *q_row(const AbutConeProblem *p, int i) { return p->q + (size_t)i * (size_t)p->dimension; }

/* Column j of R. */
static double *r_column(const AbutConeProblem *p, int j) { return p->r + (size_t)j * (size_t)p->dimension; }

static double column_dot(const AbutConeColumn *c, const double *dense) {
    double sum = 0.0;
    for (int b = 0; b < c->blocks; ++b)
        for (int k = 0; k < 6; ++k) sum += c->v[b][k] * dense[c->at[b] + k];
    return sum;
}

static void column_add(const AbutConeColumn *c, double scale, double *dense) {
    for (int b = 0; b < c->blocks; ++b)
        for (int k = 0; k < 6; ++k) dense[c->at[b] + k] += scale * c->v[b][k];
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static void scale_columns(AbutConeProblem *p) {
    for (int i = 0; i < p->count; ++i) {
        AbutConeColumn *c = &p->column[i];
        double sum = 0.0;
        for (int b = 0; b < c->blocks; ++b) sum += dot(c->v[b], c->v[b], 6);
        c->inv_norm = sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
        c->state = sum > 0.0 ? COLUMN_FREE : COLUMN_UNBOUNDED;
    }
}

/* ---- passive columns --------------------------------------------------------------------------------------------- */

/* Coordinates of a column in Q in h[]; what is left over in rest[]; gives its length. */
static double split_column(const AbutConeProblem *p, int column, double *h, double *rest) {
    const AbutConeColumn *c = &p->column[column];
    int d = p->dimension, n = p->passive_count;
    for (int k = 0; k < d; ++k) rest[k] = 0.0;
    column_add(c, c->inv_norm, rest);
    for (int i = 0; i < n; ++i) h[i] = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < n; ++i) {
            const double *q = q_row(p, i);
            double s = dot(q, rest, d);
            h[i] += s;
            for (int k = 0; k < d; ++k) rest[k] -= s * q[k];
        }
    return sqrt(dot(rest, rest, d));
}

/* Makes a column passive with value x; 0 when it depends on the passive ones: h then holds its coordinates in Q. */
static int push_column(AbutConeProblem *p, int column, double x, double *h, double *rest) {
    int d = p->dimension, n = p->passive_count;
    double left = split_column(p, column, h, rest);
    if (n == d || left < ABUT_CONE_DEPENDENT) return 0;
    double *q = q_row(p, n), *r = r_column(p, n);
    for (int k = 0; k < d; ++k) q[k] = rest[k] / left;
    for (int i = 0; i < n; ++i) r[i] = h[i];
    r[n] = left;
    p->passive[n] = column;
    p->x[n] = x;
    p->column[column].state = COLUMN_PASSIVE;
    ++p->passive_count;
    return 1;
}

/* Takes the passive column at place j out; plane rotations bring R back to triangular form. */
static void pop_column(AbutConeProblem *p, int j) {
    int n = --p->passive_count;
    p->column[p->passive[j]].state = COLUMN_FREE;
    for (int i = j; i < n; ++i) {
        double *to = r_column(p, i), *from = r_column(p, i + 1);
        for (int k = 0; k <= i + 1; ++k) to[k] = from[k];
        p->passive[i] = p->passive[i + 1];
        p->x[i] = p->x[i + 1];
    }
    for (int i = j; i < n; ++i) {
        double *r = r_column(p, i), length = abut_hypot(r[i], r[i + 1]), c = r[i] / length, s = r[i + 1] / length;
        double *q0 = q_row(p, i), *q1 = q_row(p, i + 1);
        for (int k = i; k < n; ++k) {
            double *column = r_column(p, k), a = column[i], b = column[i + 1];
            column[i] = c * a + s * b;
            column[i + 1] = c * b - s * a;
        }
        for (int k = 0; k < p->dimension; ++k) {
            double a = q0[k], b = q1[k];
            q0[k] = c * a + s * b;
            q1[k] = c * b - s * a;
        }
    }
}

static void back_substitute(const AbutConeProblem *p, double *z) {
    for (int i = p->passive_count - 1; i >= 0; --i) {
        z[i] /= r_column(p, i)[i];
        for (int k = 0; k < i; ++k) z[k] -= r_column(p, i)[k] * z[i];
    }
}

/* Minimum over the passive columns, signs free. */
static void free_minimum(const AbutConeProblem *p, double *z) {
    for (int i = 0; i < p->passive_count; ++i) {
        const AbutConeColumn *c = &p->column[p->passive[i]];
        const double *r = r_column(p, i);
        z[i] = (-c->g * c->inv_norm - dot(r, z, i)) / r[i];
    }
    back_substitute(p, z);
}

/* Moves x to the minimum over the passive columns, dropping those that reach zero on the way. */
static void settle(AbutConeProblem *p, double *z) {
    while (p->passive_count > 0) {
        int first = -1;
        double step = 1.0;
        free_minimum(p, z);
        for (int i = 0; i < p->passive_count; ++i) {
            double t = z[i] > 0.0 ? INFINITY : (p->x[i] > 0.0 ? p->x[i] / (p->x[i] - z[i]) : 0.0);
            if (t < step || (t <= step && first < 0 && z[i] <= 0.0)) {
                step = t;
                first = i;
            }
        }
        for (int i = 0; i < p->passive_count; ++i) p->x[i] = first < 0 ? z[i] : p->x[i] + step * (z[i] - p->x[i]);
        if (first < 0) return;
        pop_column(p, first);
    }
}

/* ---- pivots ------------------------------------------------------------------------------------------------------ */

/* The column with the most negative slope, -1 when there is none. */
static int entering_column(const AbutConeProblem *p, double *sum) {
    int best = -1;
    double largest = 0.0, least = 0.0;
    for (int k = 0; k < p->dimension; ++k) sum[k] = 0.0;
    for (int i = 0; i < p->passive_count; ++i) {
        const AbutConeColumn *c = &p->column[p->passive[i]];
        column_add(c, c->inv_norm * p->x[i], sum);
    }
    for (int i = 0; i < p->count; ++i) {
        const AbutConeColumn *c = &p->column[i];
        largest = abut_larger(largest, fabs(c->g) * c->inv_norm);
        if (c->state != COLUMN_FREE) continue;
        double slope = (column_dot(c, sum) + c->g) * c->inv_norm;
        if (slope < least) {
            least = slope;
            best = i;
        }
    }
    return least < -p->tolerance * largest ? best : -1;
}

/* A dependent column takes the place of a passive one; 0 when the objective has no lower bound along the dependence. */
static int exchange(AbutConeProblem *p, int column, double *z, double *rest) {
    int drop = -1;
    double step = INFINITY;
    back_substitute(p, z);
    for (int i = 0; i < p->passive_count; ++i)
        if (z[i] > ABUT_CONE_STEP && p->x[i] / z[i] < step) {
            step = p->x[i] / z[i];
            drop = i;
        }
    if (drop < 0) {
        p->column[column].state = COLUMN_UNBOUNDED;
        p->unbounded = 1;
        return 0;
    }
    for (int i = 0; i < p->passive_count; ++i) p->x[i] = abut_larger(0.0, p->x[i] - step * z[i]);
    pop_column(p, drop);
    if (!push_column(p, column, step, z, rest)) p->column[column].state = COLUMN_LOCKED;
    return 1;
}

static void unlock(AbutConeProblem *p) {
    for (int i = 0; i < p->count; ++i)
        if (p->column[i].state == COLUMN_LOCKED) p->column[i].state = COLUMN_FREE;
}

/* Passive columns to begin with: those given, as far as they are independent. */
static void begin_passive(AbutConeProblem *p, double *z, double *rest) {
    int given = p->passive_count < p->dimension ? p->passive_count : p->dimension;
    p->passive_count = 0;
    for (int i = 0; i < given; ++i) {
        int32_t column = p->passive[i];
        double x = p->x[i];
        if (column >= 0 && column < p->count && p->column[column].state == COLUMN_FREE)
            push_column(p, column, x / p->column[column].inv_norm, z, rest);
    }
    settle(p, z);
}

/* Goes on from the last solve: its columns, its factors. */
static void resume_passive(AbutConeProblem *p, double *z) {
    for (int i = 0; i < p->count; ++i)
        if (p->column[i].state != COLUMN_PASSIVE)
            p->column[i].state = p->column[i].inv_norm > 0.0 ? COLUMN_FREE : COLUMN_UNBOUNDED;
    for (int i = 0; i < p->passive_count; ++i) p->x[i] /= p->column[p->passive[i]].inv_norm;
    settle(p, z);
}

int abut_cone_solve(AbutConeProblem *p) {
    double *z = p->work, *rest = z + p->dimension + 1, *sum = rest + p->dimension + 1;
    int most = 60 + 20 * p->dimension, locked = 0, column = -1;
    p->unbounded = 0;
    if (p->resume) {
        resume_passive(p, z);
    } else {
        scale_columns(p);
        begin_passive(p, z, rest);
    }
    for (p->pivots = 0; p->pivots < most; ++p->pivots) {
        column = entering_column(p, sum);
        if (column < 0) break;
        if (!push_column(p, column, 0.0, z, rest) && !exchange(p, column, z, rest)) continue;
        settle(p, z);
        int stays = p->column[column].state == COLUMN_PASSIVE;
        if (!stays) {
            p->column[column].state = COLUMN_LOCKED;
            locked = 1;
        } else if (locked) {
            unlock(p);
            locked = 0;
        }
    }
    for (int i = 0; i < p->passive_count; ++i) p->x[i] *= p->column[p->passive[i]].inv_norm;
    return column < 0;
}
