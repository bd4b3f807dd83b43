/* SPDX-License-Identifier: Apache-2.0 */
/* The Newton steps of row_newton.h. In: masses, columns and laws of the groups. Out: changes of their velocities. */
#include "solve/row_newton.h"
#include "solve/tolerance.h"
#include "solve/vector.h"

#include <math.h>
#include <string.h>

typedef struct Work {
    AbutRowProblem *p;
    size_t size;
    double steepest;               /* of the first slopes */
    double *matrix, *x, *sum, *mx; /* lower half; right-hand side, then the line; x so far; M times that */
} Work;

/* ---- masses ------------------------------------------------------------------------------------------------------ */

static void add_masses(Work *k) {
    size_t plain = (size_t)k->p->plain;
    for (size_t i = 0; i < plain; ++i) k->matrix[i * (k->size + 1)] = 1.0;
    for (int32_t b = 0; b < k->p->body_count; ++b)
        for (size_t i = 0; i < 6; ++i)
            for (size_t j = 0; j <= i; ++j)
                k->matrix[(plain + 6 * (size_t)b + i) * k->size + plain + 6 * (size_t)b + j] = k->p->body[b].m[i][j];
}

static void mass_times(const Work *k, const double *x, double *out) {
    size_t plain = (size_t)k->p->plain;
    memcpy(out, x, plain * sizeof *out);
    for (int32_t b = 0; b < k->p->body_count; ++b)
        for (size_t i = 0; i < 6; ++i) {
            const double *m = k->p->body[b].m[i], *from = x + plain + 6 * (size_t)b;
            out[plain + 6 * (size_t)b + i] = ((m[0] * from[0] + m[1] * from[1]) + (m[2] * from[2] + m[3] * from[3])) +
                                             (m[4] * from[4] + m[5] * from[5]);
        }
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void add_single(Work *k, const AbutRowGroup *group, const double *y, double push, double stiff) {
    const int32_t *at = k->p->at + group->first;
    for (int32_t a = 0; a < group->count; ++a) {
        double f = stiff * y[a], *to = k->matrix + (size_t)at[a] * k->size;
        k->x[at[a]] += push * y[a];
        for (int32_t b = 0; f != 0.0 && b < group->count; ++b)
            if (at[b] <= at[a]) to[at[b]] += f * y[b];
    }
}

static void add_six(Work *k, const AbutRowGroup *group, const double *g, const double w[6], double s[6][6]) {
    const int32_t *at = k->p->at + group->first;
    for (int32_t a = 0; a < group->count; ++a) {
        const double *ga = g + 6 * (size_t)a;
        double f[6], sum = 0.0, *to = k->matrix + (size_t)at[a] * k->size;
        for (int i = 0; i < 6; ++i) {
            f[i] = ((s[i][0] * ga[0] + s[i][1] * ga[1]) + (s[i][2] * ga[2] + s[i][3] * ga[3])) +
                   (s[i][4] * ga[4] + s[i][5] * ga[5]);
            sum += w[i] * ga[i];
        }
        k->x[at[a]] += sum;
        for (int32_t b = 0; b < group->count; ++b) {
            const double *gb = g + 6 * (size_t)b;
            if (at[b] <= at[a])
                to[at[b]] +=
                    ((f[0] * gb[0] + f[1] * gb[1]) + (f[2] * gb[2] + f[3] * gb[3])) + (f[4] * gb[4] + f[5] * gb[5]);
        }
    }
}

/* Matrix, and what is left of the equation on the right-hand side. */
static void assemble(Work *k) {
    memset(k->matrix, 0, k->size * k->size * sizeof *k->matrix);
    add_masses(k);
    mass_times(k, k->sum, k->mx);
    for (size_t i = 0; i < k->size; ++i) k->x[i] = -k->mx[i];
    for (int32_t n = 0; n < k->p->group_count; ++n) {
        const AbutRowGroup *group = &k->p->group[n];
        double w[6] = {0, 0, 0, 0, 0, 0}, s[6][6];
        memset(s, 0, sizeof s);
        k->p->law(k->p->user, n, group->change, w, s);
        if (group->width == 1)
            add_single(k, group, k->p->g + group->column, w[0], s[0][0]);
        else
            add_six(k, group, k->p->g + group->column, w, s);
    }
}

static void set_line(Work *k) {
    for (int32_t n = 0; n < k->p->group_count; ++n) {
        AbutRowGroup *group = &k->p->group[n];
        const int32_t *at = k->p->at + group->first;
        const double *g = k->p->g + group->column;
        memset(group->line, 0, sizeof group->line);
        for (int32_t a = 0; a < group->count; ++a, g += group->width)
            for (int i = 0; i < group->width; ++i) group->line[i] += g[i] * k->x[at[a]];
    }
}

/* ---- the factor -------------------------------------------------------------------------------------------------- */

static int eliminate(Work *k) {
    int32_t *at = k->p->spot;
    for (size_t n = k->size; n-- > 0;) {
        double *row = k->matrix + n * k->size, d = row[n];
        int32_t some = 0;
        if (!(d > 0.0) || !isfinite(d)) return 0;
        for (size_t i = 0; i < n; ++i)
            if (row[i] != 0.0) at[some++] = (int32_t)i;
        for (int32_t a = 0; a < some; ++a) {
            double f = row[at[a]] / d, *to = k->matrix + (size_t)at[a] * k->size;
            for (int32_t b = 0; b <= a; ++b) to[at[b]] -= f * row[at[b]];
            k->x[at[a]] -= f * k->x[n];
        }
        k->x[n] /= d;
    }
    for (size_t n = 0; n < k->size; ++n) {
        const double *row = k->matrix + n * k->size;
        k->x[n] -= abut_row_dot((int)n, row, k->x) / row[n];
    }
    return 1;
}

/* ---- the line ---------------------------------------------------------------------------------------------------- */

/* Slope of the convex function at this part of the line; `rigid`, `square`: line . M x, line . M line. */
static double slope_at(const Work *k, double part, double rigid, double square) {
    double slope = rigid + part * square;
    for (int32_t n = 0; n < k->p->group_count; ++n) {
        const AbutRowGroup *group = &k->p->group[n];
        double v[6], w[6] = {0, 0, 0, 0, 0, 0};
        for (int i = 0; i < group->width; ++i) v[i] = group->change[i] + part * group->line[i];
        k->p->law(k->p->user, n, v, w, NULL);
        for (int i = 0; i < group->width; ++i) slope -= w[i] * group->line[i];
    }
    return slope;
}

/* The part of the line at which the slope vanishes, to a tenth of that at its start; *done: all of it, and exactly, or
 * there was little to do. */
static double search_line(Work *k, double square, int *done) {
    double rigid = abut_row_dot((int)k->size, k->x, k->mx), first = slope_at(k, 0.0, rigid, square),
           last = slope_at(k, 1.0, rigid, square), small = ABUT_ROW_LINE_LEFT * fabs(first);
    k->steepest = fmin(k->steepest, first);
    *done = !(first < 0.0) || fabs(last) <= ABUT_ROW_EXACT * fabs(first) || first > ABUT_ROW_SLIGHT * k->steepest;
    if (!(first < 0.0)) return 0.0;
    double low = 0.0, high = 1.0, at_low = first, at_high = last, part = 1.0, now = last;
    for (int i = 0; i < ABUT_ROW_TRIES && now > small; ++i) {
        part = i & 1 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        now = slope_at(k, part, rigid, square);
        if (now > 0.0)
            high = part, at_high = now;
        else
            low = part, at_low = now;
    }
    return now > small && low > 0.0 ? low : part;
}

static void move_along(Work *k, double part) {
    abut_row_add((int)k->size, k->sum, k->x, part);
    for (int32_t n = 0; n < k->p->group_count; ++n)
        for (int i = 0; i < k->p->group[n].width; ++i) k->p->group[n].change[i] += part * k->p->group[n].line[i];
}

int abut_rows_solve(AbutRowProblem *p) {
    size_t size = (size_t)abut_row_size(p);
    Work k = {
        p, size, 0.0, p->room, p->room + size * size, p->room + size * size + size, p->room + size * size + 2 * size};
    int factors = 0, done = 0, most = size <= ABUT_ROW_FEW ? ABUT_ROW_FACTORS_FEW : ABUT_ROW_FACTORS;
    memset(k.sum, 0, size * sizeof *k.sum);
    for (int32_t n = 0; n < p->group_count; ++n) memset(p->group[n].change, 0, sizeof p->group[n].change);
    while (!done && factors < most) {
        assemble(&k);
        if (!eliminate(&k)) break;
        ++factors;
        set_line(&k);
        double *mass_line = k.matrix; /* the factor is spent */
        mass_times(&k, k.x, mass_line);
        move_along(&k, search_line(&k, abut_row_dot((int)size, k.x, mass_line), &done));
    }
    return factors;
}
