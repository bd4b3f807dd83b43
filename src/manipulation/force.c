/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces that balance the weight. Sticking touches and fingers push within pyramids of friction, sliding touches along
 * one ray against their direction, separating ones not at all: non-negative least squares in the edges of all these
 * cones decides whether the weight can be carried. Fingers have a preload, which is taken from the right side, and a
 * largest force, which is one more row with a slack.
 */
#include "manipulation/manip.h"

#include "math/functions.h"
#include "math/numbers.h"

#include <string.h>

/* The edges of all cones as columns of six numbers; first[i] is the first of finger i. */
typedef struct Edges {
    int count;
    int first[ABUT_MANIP_TRIED + 1];
    double (*column)[6];
    AbutVec3 *force;
} Edges;

/* Edge k of a friction pyramid, in its tangent plane: 45 degrees each. */
#define HALF_ROOT 0.70710678118654752
static const double sides[ABUT_MANIP_SIDES][2] = {{1.0, 0.0}, {HALF_ROOT, HALF_ROOT}, {0.0, 1.0},
    {-HALF_ROOT, HALF_ROOT}, {-1.0, 0.0}, {-HALF_ROOT, -HALF_ROOT}, {0.0, -1.0}, {HALF_ROOT, -HALF_ROOT}};

static void add_edge(Edges *e, const AbutManip *m, AbutPose x, AbutVec3 p, AbutVec3 force) {
    abut_manip_row(m, x, p, force, e->column[e->count]);
    e->force[e->count++] = force;
}

static void add_pyramid(Edges *e, const AbutManip *m, AbutPose x, AbutVec3 p, AbutVec3 n, double mu) {
    AbutVec3 t1 = abut_perpendicular(n), t2 = abut_cross(n, t1);
    double row[3][6];
    abut_manip_row(m, x, p, n, row[0]);
    abut_manip_row(m, x, p, t1, row[1]);
    abut_manip_row(m, x, p, t2, row[2]);
    for (int k = 0; k < ABUT_MANIP_SIDES; ++k) {
        double c = mu * sides[k][0], s = mu * sides[k][1], *column = e->column[e->count];
        for (int i = 0; i < 6; ++i) column[i] = row[0][i] + c * row[1][i] + s * row[2][i];
        e->force[e->count++] = abut_add(n, abut_add(abut_scale(t1, c), abut_scale(t2, s)));
    }
}

/* Without a pattern all touches stick. */
static void add_touches(
    Edges *e, const AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, double margin) {
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *t = &s->touch[i];
        int state = pattern ? pattern->state[i] : ABUT_MANIP_STICK;
        if (state == ABUT_MANIP_SLIDE)
            add_edge(e, m, s->x, t->p, abut_add_scaled(t->n, pattern->slide[i], -t->friction));
        else if (state == ABUT_MANIP_STICK)
            add_pyramid(e, m, s->x, t->p, t->n, margin * t->friction);
    }
}

static void finger_at(const AbutManip *m, AbutPose x, int32_t point, AbutVec3 *p, AbutVec3 *n) {
    *p = abut_pose_apply(x, m->point[point].point);
    *n = abut_quat_rotate(x.q, m->point[point].normal);
}

static void add_fingers(
    Edges *e, const AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold, double margin) {
    double mu = margin * ABUT_MANIP_FINGER_MARGIN / ABUT_MANIP_MARGIN * m->task->finger_friction;
    for (int32_t i = 0; i < hold->count; ++i) {
        AbutVec3 p, n;
        e->first[i] = e->count;
        if (hold->finger[i] < 0) continue;
        finger_at(m, s->x, hold->finger[i], &p, &n);
        add_pyramid(e, m, s->x, p, n, mu);
    }
    e->first[hold->count] = e->count;
}

static Edges edges_of(
    AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const AbutManipHold *hold, double margin) {
    Edges e = {.column = m->column, .force = m->edge};
    add_touches(&e, m, s, pattern, margin);
    add_fingers(&e, m, s, hold, margin);
    return e;
}

/* The wrench that the edges have to give: the weight, less disturbances and preloads. */
static void right_side(const AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold,
    const AbutManipDemand *demand, double b[6]) {
    double r[6];
    for (int k = 0; k < 6; ++k) b[k] = (k == 2) - (demand->disturb ? demand->disturb[k] : 0.0);
    for (int32_t i = 0; i < hold->count; ++i) {
        AbutVec3 p, n;
        if (hold->finger[i] < 0) continue;
        finger_at(m, s->x, hold->finger[i], &p, &n);
        abut_manip_row(m, s->x, p, n, r);
        for (int k = 0; k < 6; ++k) b[k] -= r[k] * demand->preload / m->weight;
    }
}

static void read_forces(const AbutManip *m, const AbutManipStance *s, const Edges *e, const AbutManipHold *hold,
    double preload, const double *x, AbutVec3 *forces) {
    for (int32_t i = 0; i < hold->count; ++i) {
        AbutVec3 p, n;
        forces[i] = abut_zero();
        if (hold->finger[i] < 0) continue;
        finger_at(m, s->x, hold->finger[i], &p, &n);
        forces[i] = abut_scale(n, preload);
        for (int k = e->first[i]; k < e->first[i + 1]; ++k)
            forces[i] = abut_add_scaled(forces[i], e->force[k], x[k] * m->weight);
    }
}

/* Rows of the least squares: the wrench, then the limits of fingers. */
static int fill_matrix(AbutManip *m, const Edges *e, int limits) {
    int columns = e->count + limits;
    for (int r = 0; r < 6; ++r) {
        double *row = m->matrix + r * columns;
        for (int k = 0; k < e->count; ++k) row[k] = e->column[k][r];
        for (int k = 0; k < limits; ++k) row[e->count + k] = 0.0;
    }
    memset(m->matrix + 6 * columns, 0, (size_t)(limits * columns) * sizeof *m->matrix);
    for (int i = 0; i < limits; ++i) {
        double *row = m->matrix + (6 + i) * columns;
        for (int k = e->first[i]; k < e->first[i + 1]; ++k) row[k] = 1.0;
        row[e->count + i] = 1.0;
    }
    return columns;
}

static void fill_side(
    AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold, const AbutManipDemand *demand) {
    right_side(m, s, hold, demand, m->side);
    for (int i = 0; demand->limited && i < hold->count; ++i)
        m->side[6 + i] = hold->finger[i] < 0 ? 0.0 : (m->task->force - demand->preload) / m->weight;
}

double abut_manip_balance(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern,
    const AbutManipHold *hold, AbutManipDemand demand, AbutVec3 *forces) {
    Edges e = edges_of(m, s, pattern, hold, demand.margin);
    int limits = demand.limited ? hold->count : 0;
    if (!e.count) return 1.0;
    int columns = m->columns = fill_matrix(m, &e, limits);
    fill_side(m, s, hold, &demand);
    AbutNnlsResult result =
        abut_nnls(6 + limits, columns, m->matrix, m->side, m->answer, m->workspace, m->workspace_size);
    if (forces) read_forces(m, s, &e, hold, demand.preload, m->answer, forces);
    return result.outcome == ABUT_NNLS_BAD_INPUT ? INFINITY : result.residual;
}

double abut_manip_least_forces(AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern,
    const AbutManipHold *hold, AbutManipDemand demand, AbutVec3 *forces) {
    static const double WEIGHT = 1e4, OF_FINGERS = 1e-2, OF_TOUCHES = 1e-3;
    Edges e = edges_of(m, s, pattern, hold, demand.margin);
    int n = e.count, rows = n + hold->count;
    double b[6], left = 0.0;
    double *h = m->matrix, *a = h + n * n, *g = m->side, *limit = g + n;
    if (!n) return 1.0;
    right_side(m, s, hold, &demand, b);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) h[i * n + j] = WEIGHT * abut_manip_dot(e.column[i], e.column[j]);
        h[i * n + i] += i >= e.first[0] ? OF_FINGERS : OF_TOUCHES;
        g[i] = -WEIGHT * abut_manip_dot(e.column[i], b);
    }
    memset(a, 0, (size_t)(rows * n) * sizeof *a);
    for (int i = 0; i < n; ++i) a[i * n + i] = -1.0, limit[i] = 0.0;
    for (int i = 0; i < hold->count; ++i) {
        for (int k = e.first[i]; k < e.first[i + 1]; ++k) a[(n + i) * n + k] = 1.0;
        limit[n + i] = (m->task->force - demand.preload) / m->weight;
    }
    AbutQp qp = {n, rows, 0, h, g, a, limit};
    AbutQpResult result = abut_qp_solve(&qp, m->answer, NULL, m->workspace, m->workspace_size);
    if (result.outcome != ABUT_QP_OK) {
        demand.limited = 1;
        return abut_manip_balance(m, s, pattern, hold, demand, forces);
    }
    for (int k = 0; k < 6; ++k) {
        double sum = -b[k];
        for (int i = 0; i < n; ++i) sum += e.column[i][k] * m->answer[i];
        left += sum * sum;
    }
    if (forces) read_forces(m, s, &e, hold, demand.preload, m->answer, forces);
    return sqrt(left);
}

/* ---- what else a hold must do ------------------------------------------------------------------------------------ */

static void add_square(const double *r, double *a) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) a[6 * i + j] += r[i] * r[j];
}

/* Are all eigenvalues above zero? The factor of Cholesky, as far as it goes. */
static int is_positive(double *a) {
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k) a[7 * j] -= a[6 * j + k] * a[6 * j + k];
        if (!(a[7 * j] > 0.0)) return 0;
        double pivot = a[7 * j] = sqrt(a[7 * j]);
        for (int i = j + 1; i < 6; ++i) {
            for (int k = 0; k < j; ++k) a[6 * i + j] -= a[6 * i + k] * a[6 * j + k];
            a[6 * i + j] /= pivot;
        }
    }
    return 1;
}

int abut_manip_determined(
    const AbutManip *m, const AbutManipStance *s, const AbutManipPattern *pattern, const AbutManipHold *hold) {
    static const double LEAST = 0.02;
    double a[36] = {0}, r[6];
    for (int32_t i = 0; i < hold->count; ++i)
        for (int k = 0; hold->finger[i] >= 0 && k < 3; ++k) {
            abut_manip_row(m, s->x, abut_pose_apply(s->x, m->point[hold->finger[i]].point), abut_axis(k), r);
            add_square(r, a);
        }
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *t = &s->touch[i];
        int state = pattern ? pattern->state[i] : ABUT_MANIP_STICK;
        AbutVec3 axis[3] = {t->n, t->t1, t->t2};
        for (int k = 0; k < (state == ABUT_MANIP_STICK ? 3 : state == ABUT_MANIP_SLIDE ? 1 : 0); ++k) {
            abut_manip_row(m, s->x, t->p, axis[k], r);
            add_square(r, a);
        }
    }
    for (int i = 0; i < 6; ++i) a[7 * i] -= LEAST;
    return is_positive(a);
}

/* Fingers that are driven while the object stands push along their velocities, with forces that grow without bound. */
double abut_manip_unjammed(AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold, const double *u) {
    static const double STRONG = 1.2;
    AbutVec3 v = abut_vec3(u[0], u[1], u[2]), w = abut_scale(abut_vec3(u[3], u[4], u[5]), 1.0 / m->length);
    AbutManipHold none = {0, {0}};
    double sum[6] = {0}, r[6];
    if (!s->count) return 1.0;
    for (int32_t i = 0; i < hold->count; ++i) {
        if (hold->finger[i] < 0) continue;
        AbutVec3 p = abut_pose_apply(s->x, m->point[hold->finger[i]].point);
        abut_manip_row(m, s->x, p, abut_add(v, abut_cross(w, abut_sub(p, s->x.p))), r);
        for (int k = 0; k < 6; ++k) sum[k] += r[k];
    }
    double size = sqrt(abut_manip_dot(sum, sum));
    if (size < 1e-12) return 0.0;
    Edges e = edges_of(m, s, NULL, &none, STRONG);
    for (int k = 0; k < 6; ++k) {
        m->side[k] = -sum[k] / size;
        for (int j = 0; j < e.count; ++j) m->matrix[k * e.count + j] = e.column[j][k];
    }
    return abut_nnls(6, e.count, m->matrix, m->side, m->answer, m->workspace, m->workspace_size).residual;
}

int abut_manip_stable(AbutManip *m, const AbutManipStance *s, const AbutManipHold *hold) {
    static const double DISTURBANCE = 0.05;
    AbutManipDemand demand = {ABUT_MANIP_MARGIN, 0.0, 1, NULL};
    for (int32_t i = 0; i < hold->count; ++i) demand.preload = hold->finger[i] >= 0 ? m->force_least : demand.preload;
    if (!abut_manip_determined(m, s, NULL, hold)) return 0;
    if (abut_manip_balance(m, s, NULL, hold, demand, NULL) > ABUT_MANIP_BALANCED) return 0;
    int columns = m->columns;
    demand.preload = 0.0;
    for (int k = 0; k < 12; ++k) {
        double disturb[6] = {0};
        disturb[k / 2] = k % 2 ? DISTURBANCE : -DISTURBANCE;
        demand.disturb = disturb;
        fill_side(m, s, hold, &demand);
        AbutNnlsResult r = abut_nnls_again(6 + hold->count, columns, m->side, m->answer, m->workspace);
        if (r.residual > ABUT_MANIP_BALANCED) return 0;
    }
    return 1;
}
