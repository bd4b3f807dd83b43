/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces that fit a mode. In: a mode, what acts on the system, friction. Out: whether contact forces by Coulomb's law
 * balance it (quasi-static) or bring about a velocity of the mode (dynamic, one step).
 *
 * The forces a contact may give are a cone; its edges, pulled back to generalized forces, are columns of a matrix G.
 * Quasi-static: G p + force = 0 with p >= 0, by non-negative least squares; bounds of normal forces are more rows, with
 * slacks. The disturbances that are held are a convex set: the largest of a cross-polytope is that of its corners.
 * Dynamic: unknown are the new velocity v, the impulses p >= 0 and the margin t; M v - G p = M v0 + h force, zero rows
 * of the mode vanish on v, the others are at least t; t is made as large as possible (at most 1 in units of the motion)
 * by a linear program, written as a quadratic one with a small quadratic term that keeps the answer unique. A mode is
 * consistent when t comes out positive.
 */
#include "mode/constraints.h"
#include "mode/tolerance.h"
#include "solve/solve.h"

#include <string.h>

/* An edge of a contact's force cone: normal 1, tangential (x, y). */
typedef struct Edge {
    int contact;
    double x, y;
} Edge;

/* The one edge against the velocity of a contact; 0: it does not slide. */
static int edge_against(const AbutModeSystem *s, const double *motion, int contact, double mu, Edge *out) {
    const double *first = s->tangent_rows + (size_t)contact * (size_t)s->lines * (size_t)s->dof;
    const double *second = s->lines > 1 ? first + s->dof : NULL;
    double x = 0.0, y = 0.0, angle = s->lines > 1 ? ABUT_PI / s->lines : 0.0, size = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        x += first[j] * motion[j];
        y += second ? (second[j] - abut_cos(angle) * first[j]) / abut_sin(angle) * motion[j] : 0.0;
        size += fabs(first[j] * motion[j]) + (second ? fabs(second[j] * motion[j]) : 0.0);
    }
    double speed = sqrt(x * x + y * y);
    if (!(speed > ABUT_MODE_ZERO * size)) return 0;
    *out = (Edge){contact, -mu * x / speed, -mu * y / speed};
    return 1;
}

/* Edges of a contact that stays: the pyramid when it sticks, the sector against the sliding otherwise. */
static int contact_edges(
    const AbutModeSystem *s, AbutMode mode, const double *motion, int contact, double mu, Edge *out) {
    int lines = s->lines, n = 0, sliding = 0;
    int8_t sign[ABUT_MODE_ROWS];
    for (int k = 0; k < lines; ++k) {
        sign[k] = (int8_t)abut_mode_sign(mode, s->contacts + contact * lines + k);
        sliding |= sign[k] != 0;
    }
    if (lines == 0 || !(mu > 0.0)) {
        out[0] = (Edge){contact, 0.0, 0.0};
        return 1;
    }
    if (sliding && motion && edge_against(s, motion, contact, mu, out)) return 1;
    /* directions at right angles to the lines: the rays between sectors; with one line, the line itself */
    int rays = lines == 1 ? 1 : lines;
    for (int k = 0; k < 2 * rays; ++k) {
        double angle = lines == 1 ? ABUT_PI * k : ABUT_PI * (0.5 + (double)k / lines);
        double x = abut_cos(angle), y = lines == 1 ? 0.0 : abut_sin(angle);
        int fits = 1;
        for (int l = 0; l < lines && sliding; ++l) {
            double across = x * abut_cos(ABUT_PI * l / lines) + y * abut_sin(ABUT_PI * l / lines);
            int side = across > ABUT_MODE_ZERO ? 1 : across < -ABUT_MODE_ZERO ? -1 : 0;
            fits &= side == sign[l] || side == 0;
        }
        if (fits) out[n++] = (Edge){contact, sliding ? -mu * x : mu * x, sliding ? -mu * y : mu * y};
    }
    return n;
}

/* Generalized force of a unit push along an edge. */
static void edge_column(const AbutModeSystem *s, const Edge *e, double *out) {
    const double *first = s->tangent_rows + (size_t)e->contact * (size_t)s->lines * (size_t)s->dof,
                 *second = first + s->dof;
    double angle = s->lines > 1 ? ABUT_PI / s->lines : 0.0;
    for (int j = 0; j < s->dof; ++j) {
        double value = s->normal_rows[(size_t)e->contact * (size_t)s->dof + (size_t)j];
        if (s->lines > 0) value += e->x * first[j];
        if (s->lines > 1) value += e->y * (second[j] - abut_cos(angle) * first[j]) / abut_sin(angle);
        out[j] = value;
    }
}

/* Bounds, the motion, what is driven. */
static AbutStatus check_limits(const AbutModeSystem *s, const AbutModeForces *f, AbutError *error) {
    if (f->mass && (f->least || f->most || f->driven1))
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "bounds of forces and driven velocities: expected a quasi-static problem, got a mass");
    if (f->driven1 < 0 || f->driven1 > s->dof)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "driven1: expected 0 to %d, got %d", s->dof, (int)f->driven1);
    for (int j = 0; f->motion && j < s->dof; ++j)
        if (!isfinite(f->motion[j])) return abut_fail(error, ABUT_ERROR_NUMBER, "motion: velocity %d is not finite", j);
    for (int i = 0; i < s->contacts; ++i) {
        double least = f->least ? f->least[i] : 0.0, most = f->most ? f->most[i] : INFINITY;
        if (!(least >= 0.0 && isfinite(least) && most >= least))
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "contact %d: expected bounds 0 <= least <= most of its force, got %g and %g", i, least, most);
    }
    return ABUT_OK;
}

static AbutStatus check_forces(const AbutModeSystem *s, const AbutModeForces *f, AbutError *error) {
    ABUT_ASSERT(s && f && (s->dof == 0 || f->force));
    if (s->lines > ABUT_MODE_ROWS)
        return abut_fail(error, ABUT_ERROR_LIMIT, "forces need at most %d lines", ABUT_MODE_ROWS);
    if (!(f->step >= 0.0 && isfinite(f->step)))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "step %g: must be 0 or more", f->step);
    for (int j = 0; j < s->dof; ++j)
        if (!isfinite(f->force[j]) || (f->velocity && !isfinite(f->velocity[j])))
            return abut_fail(error, ABUT_ERROR_NUMBER, "force or velocity %d is not finite", j);
    for (int j = 0; f->mass && j < s->dof * s->dof; ++j)
        if (!isfinite(f->mass[j])) return abut_fail(error, ABUT_ERROR_NUMBER, "the mass matrix is not finite");
    for (int i = 0; i < s->contacts; ++i) {
        double mu = f->friction ? f->friction[i] : f->default_friction;
        if (!(mu >= 0.0 && isfinite(mu)))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "contact %d: friction %g", i, mu);
    }
    return check_limits(s, f, error);
}

/* Everything the two programs share. */
typedef struct Problem {
    const AbutModeSystem *system;
    const AbutModeForces *forces;
    AbutModeConstraints *constraints;
    Edge *edges;
    int edge_count;
    double *columns; /* edge_count x dof */
    double *push;    /* edge_count: how much of each edge */
} Problem;

/* Quasi-static balance as least squares: rows of the velocities, scaled by their units, then of bounds. */
typedef struct Balance {
    int rows, columns, bounds; /* columns: edges, then slacks of the bounds */
    double *a, *b, *x;
    void *workspace;
    int solved; /* the workspace has the factors of this matrix */
} Balance;

/* Bounds of the contacts that push: `least` and `most` each give a row and a slack. */
static int bounds_of(const Problem *p, double *side) {
    int n = 0;
    for (int k = 0; k < p->edge_count; ++k) {
        int i = p->edges[k].contact;
        if (k > 0 && p->edges[k - 1].contact == i) continue;
        if (p->forces->least && p->forces->least[i] > 0.0) {
            if (side) side[n] = p->forces->least[i];
            ++n;
        }
        if (p->forces->most && isfinite(p->forces->most[i])) {
            if (side) side[n] = p->forces->most[i];
            ++n;
        }
    }
    return n;
}

static void fill_bounds(const Problem *p, Balance *q) {
    int row = p->system->dof, slack = p->edge_count;
    for (int k = 0; k < p->edge_count; ++k) {
        int i = p->edges[k].contact, first = k;
        if (k > 0 && p->edges[k - 1].contact == i) continue;
        int least = p->forces->least && p->forces->least[i] > 0.0,
            most = p->forces->most && isfinite(p->forces->most[i]);
        for (int side = !least; side < 1 + most; ++side, ++row, ++slack) {
            for (int e = first; e < p->edge_count && p->edges[e].contact == i; ++e) q->a[row * q->columns + e] = 1.0;
            q->a[row * q->columns + slack] = side ? 1.0 : -1.0;
        }
    }
}

static void balance_free(Balance *q) {
    abut_free(q->a);
    abut_free(q->workspace);
}

static AbutStatus balance_make(const Problem *p, Balance *q, AbutError *error) {
    int d = p->system->dof;
    memset(q, 0, sizeof *q);
    q->bounds = bounds_of(p, NULL);
    q->rows = d + q->bounds, q->columns = p->edge_count + q->bounds;
    size_t entries = (size_t)q->rows * (size_t)q->columns;
    q->a = abut_alloc((entries + (size_t)(q->rows + q->columns) + 1) * sizeof(double));
    q->workspace = abut_alloc(abut_nnls_workspace_size(q->rows, q->columns));
    if (!q->a || !q->workspace) {
        balance_free(q);
        return abut_fail_memory(error);
    }
    q->b = q->a + entries, q->x = q->b + q->rows;
    memset(q->a, 0, entries * sizeof(double));
    for (int j = 0; j < d; ++j)
        for (int k = 0; k < p->edge_count && j != p->forces->driven1 - 1; ++k)
            q->a[j * q->columns + k] = p->columns[k * d + j] * p->constraints->column[j];
    fill_bounds(p, q);
    return ABUT_OK;
}

/* What is left of the force, with `more` added to velocity `at`, relative to all that acts. */
static double balance_rest(const Problem *p, Balance *q, int at, double more) {
    double size = 0.0;
    bounds_of(p, q->b + p->system->dof);
    for (int j = 0; j < p->system->dof; ++j) {
        q->b[j] = -(p->forces->force[j] + (j == at ? more : 0.0)) * p->constraints->column[j];
        if (j == p->forces->driven1 - 1) q->b[j] = 0.0;
        size = fmax(size, fabs(q->b[j]));
    }
    for (int i = 0; i < q->bounds; ++i) size = fmax(size, fabs(q->b[p->system->dof + i]));
    memset(p->push, 0, sizeof(double) * (size_t)(p->edge_count + 1));
    if (size == 0.0 || p->edge_count == 0 || q->rows == 0) return size > 0.0 ? 1.0 : 0.0;
    for (int i = 0; i < q->rows; ++i) q->b[i] /= size;
    AbutNnlsResult r = q->solved ? abut_nnls_again(q->rows, q->columns, q->b, q->x, q->workspace)
                                 : abut_nnls(q->rows, q->columns, q->a, q->b, q->x, q->workspace,
                                       abut_nnls_workspace_size(q->rows, q->columns));
    q->solved = r.outcome == ABUT_NNLS_OK;
    for (int k = 0; k < p->edge_count; ++k) p->push[k] = q->x[k] * size;
    return q->solved ? r.residual : fmax(r.residual, 1.0);
}

static double balance_tolerance(const Problem *p) { return fmax(ABUT_MODE_BALANCE, p->system->tolerance); }

static AbutStatus balance(const Problem *p, AbutModeForceResult *result, AbutError *error) {
    Balance q;
    ABUT_TRY(balance_make(p, &q, error));
    result->residual = balance_rest(p, &q, -1, 0.0);
    result->feasible = result->residual < balance_tolerance(p);
    balance_free(&q);
    return ABUT_OK;
}

/* Rows of the dynamic program: d of motion, the zero rows, then signed rows, pushes and the bound on t as inequalities.
 */
static void motion_rows(const Problem *p, double size, int n, double *a, double *b) {
    const AbutModeConstraints *constraints = p->constraints;
    int d = constraints->dof, row = 0;
    double h = p->forces->step > 0.0 ? p->forces->step : 1.0;
    for (int i = 0; i < d; ++i, ++row) {
        double right = h * p->forces->force[i];
        for (int j = 0; j < d; ++j) {
            a[row * n + j] = p->forces->mass[i * d + j] * constraints->column[j] * constraints->column[i];
            right += p->forces->velocity ? p->forces->mass[i * d + j] * p->forces->velocity[j] : 0.0;
        }
        for (int k = 0; k < p->edge_count; ++k) a[row * n + d + k] = -p->columns[k * d + i] * constraints->column[i];
        b[row] = right * constraints->column[i] / size;
    }
    for (int i = 0; i < constraints->zeros; ++i, ++row)
        memcpy(a + row * n, constraints->rows + i * d, sizeof(double) * (size_t)d);
    for (int i = 0; i < constraints->signed_rows; ++i, ++row) {
        for (int j = 0; j < d; ++j) a[row * n + j] = -constraints->rows[(constraints->zeros + i) * d + j];
        a[row * n + n - 1] = 1.0;
    }
    for (int k = 0; k < p->edge_count; ++k, ++row) a[row * n + d + k] = -1.0;
    a[row * n + n - 1] = 1.0;
    b[row] = 1.0;
}

/* Size of the momentum that the step brings in, in scaled units. */
static double motion_size(const Problem *p) {
    int d = p->system->dof;
    double size = 0.0, h = p->forces->step > 0.0 ? p->forces->step : 1.0;
    for (int i = 0; i < d; ++i) {
        double right = fabs(h * p->forces->force[i]);
        for (int j = 0; j < d && p->forces->velocity; ++j)
            right += fabs(p->forces->mass[i * d + j] * p->forces->velocity[j]);
        size = fmax(size, right * p->constraints->column[i]);
    }
    return size > 0.0 ? size : 1.0;
}

static AbutStatus move(const Problem *p, AbutModeForceResult *result, double *velocity, AbutError *error) {
    int d = p->system->dof, n = d + p->edge_count + 1;
    int rows = d + p->constraints->zeros + p->constraints->signed_rows + p->edge_count + 1;
    size_t nn = (size_t)n, mm = (size_t)rows, room = abut_qp_workspace_size(n, rows);
    size_t doubles = nn * nn + 2 * nn + nn * mm + mm;
    double *h = abut_alloc(doubles * sizeof(double)), size = motion_size(p);
    void *workspace = abut_alloc(room);
    if (!h || !workspace) {
        abut_free(h);
        abut_free(workspace);
        return abut_fail_memory(error);
    }
    double *g = h + nn * nn, *x = g + nn, *a = x + nn, *b = a + nn * mm;
    memset(h, 0, doubles * sizeof(double));
    for (int k = 0; k < n; ++k) h[k * n + k] = ABUT_MODE_REGULAR;
    g[n - 1] = p->constraints->signed_rows ? -1.0 : 0.0;
    motion_rows(p, size, n, a, b);
    AbutQp qp = {n, rows, d + p->constraints->zeros, h, g, a, b};
    AbutQpResult r = abut_qp_solve(&qp, x, NULL, workspace, room);
    double most = 0.0;
    for (int j = 0; j < d; ++j) most = fmax(most, fabs(x[j]));
    result->margin = p->constraints->signed_rows && most > 0.0 ? x[n - 1] / most : 0.0;
    result->feasible =
        r.outcome == ABUT_QP_OK &&
        (!p->constraints->signed_rows || (x[n - 1] > ABUT_MODE_MARGIN && result->margin > ABUT_MODE_MARGIN));
    result->residual = r.outcome == ABUT_QP_OK ? 0.0 : 1.0;
    for (int j = 0; j < d && velocity; ++j) velocity[j] = x[j] * p->constraints->column[j] * size;
    for (int k = 0; k < p->edge_count; ++k) p->push[k] = fmax(x[d + k], 0.0) * size;
    abut_free(h);
    abut_free(workspace);
    return ABUT_OK;
}

/* All edges of the contacts that stay in contact. */
static void list_edges(Problem *p, AbutMode mode) {
    const AbutModeSystem *s = p->system;
    for (int i = 0; i < s->contacts; ++i) {
        double mu = p->forces->friction ? p->forces->friction[i] : p->forces->default_friction;
        if (!abut_mode_bit(mode.plus, i))
            p->edge_count += contact_edges(s, mode, p->forces->motion, i, mu, p->edges + p->edge_count);
    }
    for (int k = 0; k < p->edge_count; ++k) edge_column(s, &p->edges[k], p->columns + (size_t)k * (size_t)s->dof);
}

static int pushes_are_finite(const Problem *p) {
    double sum = 0.0;
    for (int k = 0; k < p->edge_count; ++k) sum += p->push[k] * (1.0 + fabs(p->edges[k].x) + fabs(p->edges[k].y));
    return isfinite(sum);
}

/* ---- the problem of a mode --------------------------------------------------------------------------------------- */

static void problem_free(Problem *p) {
    abut_free(p->edges);
    abut_free(p->columns);
    if (p->constraints) abut_mode_constraints_free(p->constraints);
}

static AbutStatus problem_make(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    AbutModeConstraints *constraints, Problem *p, AbutError *error) {
    *p = (Problem){.system = system, .forces = forces};
    ABUT_TRY(check_forces(system, forces, error));
    ABUT_TRY(abut_mode_constraints_make(system, mode, constraints, error));
    p->constraints = constraints;
    size_t most = (size_t)system->contacts * (size_t)(2 * system->lines + 2) + 1, d = (size_t)system->dof;
    p->edges = abut_alloc_array(most, sizeof(Edge));
    p->columns = abut_alloc_array(most * (d + 1), sizeof(double));
    if (!p->edges || !p->columns) {
        problem_free(p);
        return abut_fail_memory(error);
    }
    p->push = p->columns + most * d;
    list_edges(p, mode);
    return ABUT_OK;
}

/*
 * A velocity inside the mode in which the driven one is 1: the nearest to it, if the mode has such a one, and a part of
 * any inner one. *there is 0 if there is none.
 */
static AbutStatus driven_velocity(
    const AbutModeSystem *s, AbutMode mode, int at, double *velocity, int *there, AbutError *error) {
    double *wish = abut_alloc_array(2 * (size_t)s->dof, sizeof *wish), *inner = wish ? wish + s->dof : NULL;
    if (!wish) return abut_fail_memory(error);
    memset(wish, 0, (size_t)s->dof * sizeof *wish);
    wish[at] = 1.0;
    AbutStatus status = abut_mode_project(s, 0, mode, wish, NULL, wish, NULL, error);
    *there = status == ABUT_OK && wish[at] > ABUT_MODE_MARGIN;
    if (*there && velocity) status = abut_mode_velocity(s, mode, inner, error);
    if (*there && velocity && status == ABUT_OK) {
        double much = (fabs(inner[at]) + 1.0) / wish[at], all = inner[at] + much * wish[at];
        for (int j = 0; j < s->dof; ++j) velocity[j] = (inner[j] + much * wish[j]) / all;
    }
    abut_free(wish);
    return status;
}

static AbutStatus solve(
    const Problem *p, AbutMode mode, AbutModeForceResult *result, double *velocity, AbutError *error) {
    int there = 1;
    if (p->forces->mass && p->system->dof > 0) return move(p, result, velocity, error);
    ABUT_TRY(balance(p, result, error));
    if (!result->feasible) return ABUT_OK;
    if (p->forces->driven1) {
        AbutStatus status = driven_velocity(p->system, mode, p->forces->driven1 - 1, velocity, &there, error);
        result->feasible = there;
        return status;
    }
    return !p->forces->mass && velocity ? abut_mode_velocity(p->system, mode, velocity, error) : ABUT_OK;
}

AbutStatus abut_mode_force_feasible(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    AbutModeForceResult *result, double *velocity, double *contact_force, AbutError *error) {
    AbutModeConstraints constraints;
    Problem p;
    ABUT_ASSERT(result);
    memset(result, 0, sizeof *result);
    ABUT_TRY(problem_make(system, mode, forces, &constraints, &p, error));
    AbutStatus status = solve(&p, mode, result, velocity, error);
    if (status == ABUT_OK && result->feasible && !pushes_are_finite(&p))
        status = abut_fail(error, ABUT_ERROR_NUMBER, "the contact forces are larger than numbers can be");
    result->feasible &= status == ABUT_OK;
    if (contact_force) memset(contact_force, 0, sizeof(double) * 3 * (size_t)system->contacts);
    for (int k = 0; k < p.edge_count && contact_force; ++k) {
        contact_force[3 * p.edges[k].contact] += p.push[k];
        contact_force[3 * p.edges[k].contact + 1] += p.push[k] * p.edges[k].x;
        contact_force[3 * p.edges[k].contact + 2] += p.push[k] * p.edges[k].y;
    }
    problem_free(&p);
    return status;
}

/* ---- the largest disturbance ------------------------------------------------------------------------------------- */

/* How much of a force along one velocity is held, at most `most`; NNLS again and again, halving. */
static double held_along(const Problem *p, Balance *q, int at, double unit, double start, double most) {
    static const double ENDLESS = 1e6;
    double good = 0.0, bad = most, tolerance = balance_tolerance(p);
    if (isfinite(most) && balance_rest(p, q, at, most * unit) < tolerance) return most;
    for (double t = start; !isfinite(bad); t *= 4.0) {
        if (t > ENDLESS * start) return INFINITY;
        if (balance_rest(p, q, at, t * unit) < tolerance)
            good = t;
        else
            bad = t;
    }
    while (bad - good > 1e-10 * bad) {
        double t = 0.5 * (good + bad);
        if (t <= good || t >= bad) break;
        if (balance_rest(p, q, at, t * unit) < tolerance)
            good = t;
        else
            bad = t;
        if (bad < 1e-9 * start) return 0.0;
    }
    return good;
}

static double held_at_most(const Problem *p, Balance *q, const double *scale) {
    double most = INFINITY, start = 0.0;
    for (int j = 0; j < p->system->dof; ++j) start = fmax(start, fabs(p->forces->force[j]) / (scale ? scale[j] : 1.0));
    for (int k = 0; k < p->edge_count; ++k) {
        int i = p->edges[k].contact;
        start = fmax(start, p->forces->least ? p->forces->least[i] : 0.0);
        if (p->forces->most && isfinite(p->forces->most[i])) start = fmax(start, p->forces->most[i]);
    }
    if (!(start > 0.0)) start = 1.0;
    for (int j = 0; j < 2 * p->system->dof && most > 0.0; ++j) {
        double unit = (scale ? scale[j / 2] : 1.0) * (j % 2 ? 1.0 : -1.0);
        if (j / 2 != p->forces->driven1 - 1) most = held_along(p, q, j / 2, unit, start, most);
    }
    return most;
}

AbutStatus abut_mode_margin(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    const double *scale, double *margin, AbutError *error) {
    AbutModeConstraints constraints;
    Problem p;
    Balance q;
    ABUT_ASSERT(system && forces && margin);
    *margin = 0.0;
    if (forces->mass)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "margin: expected a quasi-static problem, got a mass");
    for (int j = 0; scale && j < system->dof; ++j)
        if (!(scale[j] > 0.0 && isfinite(scale[j])))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "scale %d: expected a number above 0, got %g", j, scale[j]);
    ABUT_TRY(problem_make(system, mode, forces, &constraints, &p, error));
    AbutStatus status = balance_make(&p, &q, error);
    if (status == ABUT_OK) {
        if (balance_rest(&p, &q, -1, 0.0) < balance_tolerance(&p)) *margin = held_at_most(&p, &q, scale);
        balance_free(&q);
    }
    problem_free(&p);
    return status;
}

/* ---- all consistent modes ---------------------------------------------------------------------------------------- */

typedef struct Filter {
    const AbutModeSystem *system;
    const AbutModeForces *forces;
    const AbutModeOptions *options;
    AbutStatus status;
    AbutError *error;
    uint64_t kept;
} Filter;

static int filter_one(AbutMode mode, void *user) {
    Filter *f = user;
    AbutModeForceResult r;
    f->status = abut_mode_force_feasible(f->system, mode, f->forces, &r, NULL, NULL, f->error);
    if (f->status != ABUT_OK) return 1;
    if (!r.feasible) return 0;
    ++f->kept;
    if (f->options->visit && f->options->visit(mode, f->options->user)) return 1;
    return f->options->limit && f->kept >= f->options->limit;
}

AbutStatus abut_mode_consistent(const AbutModeSystem *system, const AbutModeForces *forces,
    const AbutModeOptions *options, AbutModeResult *result, AbutError *error) {
    AbutModeOptions standard = abut_mode_options_default(), own;
    Filter filter = {system, forces, options ? options : &standard, ABUT_OK, error, 0};
    own = *filter.options;
    ABUT_ASSERT(result);
    memset(result, 0, sizeof *result);
    if (own.nonlinear || own.kind == ABUT_MODES_CS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "forces need modes with directions of sliding");
    own.visit = filter_one, own.user = &filter, own.limit = 0;
    AbutStatus status = abut_mode_enumerate(system, &own, result, error);
    result->modes = filter.kept;
    return filter.status != ABUT_OK ? filter.status : status;
}
