/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces that fit a mode. In: a mode, what acts on the system, friction. Out: whether contact forces by Coulomb's law
 * balance it (quasi-static) or bring about a velocity of the mode (dynamic, one step).
 *
 * The forces a contact may give are a cone; its edges, pulled back to generalized forces, are columns of a matrix G.
 * Quasi-static: G p + force = 0 with p >= 0, by non-negative least squares. Dynamic: unknown are the new velocity v,
 * the impulses p >= 0 and the margin t; M v - G p = M v0 + h force, zero rows of the mode vanish on v, the others are
 * at least t; t is made as large as possible (at most 1 in units of the motion) by a linear program, written as a
 * quadratic one with a small quadratic term that keeps the answer unique. A mode is consistent when t comes out
 * positive.
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

/* Edges of a contact that stays: the pyramid when it sticks, the sector against the sliding otherwise. */
static int contact_edges(const AbutModeSystem *s, AbutMode mode, int contact, double mu, Edge *out) {
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
    return ABUT_OK;
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

/* Forces balance: rows are scaled by the units of the velocities. */
static AbutStatus balance(const Problem *p, AbutModeForceResult *result, AbutError *error) {
    int d = p->system->dof, n = p->edge_count;
    double size = 0.0;
    for (int j = 0; j < d; ++j) size = fmax(size, fabs(p->forces->force[j] * p->constraints->column[j]));
    memset(p->push, 0, sizeof(double) * (size_t)(n + 1));
    if (size == 0.0 || n == 0 || d == 0) {
        result->residual = size > 0.0 ? 1.0 : 0.0;
        result->feasible = !(size > 0.0);
        return ABUT_OK;
    }
    size_t room = abut_nnls_workspace_size(d, n), entries = (size_t)d * (size_t)n;
    double *a = abut_alloc((entries + (size_t)d) * sizeof(double)), *b = a ? a + entries : NULL;
    void *workspace = abut_alloc(room);
    if (a && workspace) {
        for (int j = 0; j < d; ++j) {
            for (int k = 0; k < n; ++k) a[j * n + k] = p->columns[k * d + j] * p->constraints->column[j];
            b[j] = -p->forces->force[j] * p->constraints->column[j] / size;
        }
        AbutNnlsResult r = abut_nnls(d, n, a, b, p->push, workspace, room);
        result->residual = r.residual;
        result->feasible = r.outcome == ABUT_NNLS_OK && r.residual < fmax(ABUT_MODE_BALANCE, p->system->tolerance);
        for (int k = 0; k < n; ++k) p->push[k] *= size;
    }
    int failed = !a || !workspace;
    abut_free(a);
    abut_free(workspace);
    return failed ? abut_fail_memory(error) : ABUT_OK;
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
        if (!abut_mode_bit(mode.plus, i)) p->edge_count += contact_edges(s, mode, i, mu, p->edges + p->edge_count);
    }
    for (int k = 0; k < p->edge_count; ++k) edge_column(s, &p->edges[k], p->columns + (size_t)k * (size_t)s->dof);
}

static int pushes_are_finite(const Problem *p) {
    double sum = 0.0;
    for (int k = 0; k < p->edge_count; ++k) sum += p->push[k] * (1.0 + fabs(p->edges[k].x) + fabs(p->edges[k].y));
    return isfinite(sum);
}

AbutStatus abut_mode_force_feasible(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    AbutModeForceResult *result, double *velocity, double *contact_force, AbutError *error) {
    AbutModeConstraints constraints;
    ABUT_ASSERT(result);
    memset(result, 0, sizeof *result);
    AbutStatus status = check_forces(system, forces, error);
    if (status == ABUT_OK) status = abut_mode_constraints_make(system, mode, &constraints, error);
    if (status != ABUT_OK) return status;
    size_t most = (size_t)system->contacts * (size_t)(2 * system->lines + 2) + 1, d = (size_t)system->dof;
    Problem p = {.system = system, .forces = forces, .constraints = &constraints};
    p.edges = abut_alloc_array(most, sizeof(Edge));
    p.columns = abut_alloc_array(most * (d + 1), sizeof(double));
    if (p.edges && p.columns) {
        p.push = p.columns + most * d;
        list_edges(&p, mode);
        status = forces->mass && d > 0 ? move(&p, result, velocity, error) : balance(&p, result, error);
        if (status == ABUT_OK && result->feasible && !pushes_are_finite(&p))
            status = abut_fail(error, ABUT_ERROR_NUMBER, "the contact forces are larger than numbers can be");
        result->feasible &= status == ABUT_OK;
        if (!forces->mass && velocity && status == ABUT_OK && result->feasible)
            status = abut_mode_velocity(system, mode, velocity, error);
        if (contact_force) memset(contact_force, 0, sizeof(double) * 3 * (size_t)system->contacts);
        for (int k = 0; k < p.edge_count && contact_force; ++k) {
            contact_force[3 * p.edges[k].contact] += p.push[k];
            contact_force[3 * p.edges[k].contact + 1] += p.push[k] * p.edges[k].x;
            contact_force[3 * p.edges[k].contact + 2] += p.push[k] * p.edges[k].y;
        }
    } else {
        status = abut_fail_memory(error);
    }
    abut_free(p.edges);
    abut_free(p.columns);
    abut_mode_constraints_free(&constraints);
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
