/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact models over friction generators, one contact at a time. A contact knows the velocity v_free it would have
 * without its own impulse, the velocity v* it wants, and the response phi; b = v* - v_free. Its impulse is A eps with
 * eps >= 0, and vol-generator  Coulomb's law on the pyramid: the convex problem with the sliding term mu |u_l|, passes
 * until that stands still convex         min 1/2 |A eps|^2_(phi + R) - b.A eps; a sliding contact is lifted by mu times
 * its speed emin           min of the velocity error over the surface of the overlap, |phi A eps - b|^2_Q: what the
 * paper wants to minimize paper          the printed formula: the least eps with A eps = phi^-1 b, negative parts cut.
 * Not a minimum of anything: it pushes far too hard on small patches and sliding ones, and explodes. Kept to show that
 *   paper-guarded  the same, made shorter until the objective of `convex` does not rise
 */
#include "literature/dynamics/generators.h"
#include "literature/dynamics/models.h"
#include "literature/dynamics/tolerance.h"
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

#include <string.h>

enum { PASSES = 3 };

/* Everything of a contact that one visit needs. */
typedef struct Local {
    AbutSolverContact *c;
    int sides, count;
    double u[6], old[6], b[6]; /* velocity now, impulse now, wanted change without it */
    double a[ABUT_MAX_GENERATORS][6];
    AbutConeColumn column[ABUT_MAX_GENERATORS];
} Local;

static void apply_phi(const AbutSolverContact *c, const double f[6], double v[6]) {
    for (int i = 0; i < 6; ++i) {
        v[i] = 0.0;
        for (int j = 0; j < 6; ++j) v[i] += c->touch->phi[i][j] * f[j];
    }
}

static double dot6(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void look_at(AbutSimulation *sim, AbutSolverContact *c, Local *local) {
    double own[6];
    local->c = c;
    local->sides = sim->def.generators;
    local->count = c->count * local->sides;
    abut_contact_velocity(sim, c, local->u);
    abut_contact_wrench(c, local->old);
    apply_phi(c, local->old, own);
    for (int k = 0; k < 6; ++k) local->b[k] = c->room->number[ABUT_AT_TARGET + k] - local->u[k] + own[k];
    for (int i = 0; i < local->count; ++i) abut_generator(c, i, local->sides, local->a[i]);
}

static void mark_sliding(AbutSolverContact *c, const double v[6], double still) {
    for (int i = 0; i < c->count; ++i) c->sliding[i] = c->point[i].n > 0.0 && abut_vertex_speed(c, i, v) > still;
}

/* Takes the new impulse, tells the bodies the difference; gives the squared change of velocity. */
static double finish(AbutSimulation *sim, Local *local) {
    AbutSolverContact *c = local->c;
    double now[6], change[6], du[6], v[6];
    abut_contact_wrench(c, now);
    for (int k = 0; k < 6; ++k) change[k] = now[k] - local->old[k];
    abut_contact_apply(sim, c, change);
    apply_phi(c, change, du);
    for (int k = 0; k < 6; ++k) v[k] = local->u[k] + du[k];
    mark_sliding(c, v, abut_slip_speed(sim));
    double angular = du[3] * du[3] + du[4] * du[4] + du[5] * du[5];
    return du[0] * du[0] + du[1] * du[1] + du[2] * du[2] + c->ell * c->ell * angular;
}

/* ---- quadratic programs ------------------------------------------------------------------------------------------ */

/* U with U^T U = m, m positive semidefinite. */
static void square_root(const AbutMat6 *m, double u[6][6]) {
    double scale[6], s[36], value[6], vectors[36];
    for (int i = 0; i < 6; ++i) scale[i] = m->m[i][i] > 0.0 ? sqrt(m->m[i][i]) : 1.0;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) s[6 * i + j] = m->m[i][j] / (scale[i] * scale[j]);
    memset(u, 0, 36 * sizeof(double));
    double unit[6], copy[36];
    memcpy(copy, s, sizeof s);
    if (abut_cholesky_factor(6, copy, unit, 1e-14) < 0) {
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j) u[j][i] = copy[6 * i + j] / unit[i] * scale[i];
        return;
    }
    abut_eigen_symmetric(6, s, value, vectors);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) u[i][j] = sqrt(abut_larger(0.0, value[i])) * vectors[6 * i + j] * scale[j];
}

/* Columns U a and slopes -a.side. */
static void set_columns(Local *local, double u[6][6], const double side[6]) {
    for (int i = 0; i < local->count; ++i) {
        AbutConeColumn *column = &local->column[i];
        column->blocks = 1;
        column->at[0] = 0;
        for (int k = 0; k < 6; ++k) column->v[0][k] = dot6(u[k], local->a[i]);
        column->g = -dot6(local->a[i], side);
    }
}

static void start_program(Local *local, AbutConeProblem *p, int32_t *passive, double *room) {
    AbutSolverContact *c = local->c;
    memset(p, 0, sizeof *p);
    abut_cone_place(p, 6, room);
    p->count = local->count;
    p->column = local->column;
    p->passive = passive;
    p->tolerance = ABUT_CONE_SLOPE;
    p->passive_count = c->room->index[0] < 6 ? c->room->index[0] : 6;
    for (int k = 0; k < p->passive_count; ++k) {
        passive[k] = c->room->index[2 + k];
        p->x[k] = c->room->number[ABUT_AT_EPS + k];
    }
}

enum { CONE_ROOM = 2 * 36 + 5 * 7 };

/* Velocity of the contact with the impulse of the program. */
static void program_velocity(const Local *local, const AbutConeProblem *p, double v[6]) {
    double f[6] = {0, 0, 0, 0, 0, 0}, own[6];
    for (int i = 0; i < p->passive_count; ++i)
        for (int k = 0; k < 6; ++k) f[k] += p->x[i] * local->a[p->passive[i]][k];
    apply_phi(local->c, f, own);
    for (int k = 0; k < 6; ++k) v[k] = local->c->room->number[ABUT_AT_TARGET + k] - local->b[k] + own[k];
}

/* Sliding speeds of the vertices as slopes; gives the largest change. */
static double set_sliding(Local *local, const double v[6], double *speed) {
    double change = 0.0;
    for (int l = 0; l < local->c->count; ++l) {
        double now = abut_vertex_speed(local->c, l, v), more = local->c->point[l].mu * (now - speed[l]);
        change = abut_larger(change, fabs(now - speed[l]));
        for (int i = l * local->sides; i < (l + 1) * local->sides; ++i) local->column[i].g += more;
        speed[l] = now;
    }
    return change;
}

static double visit_program(AbutSimulation *sim, AbutSolverContact *c, int passes) {
    Local local;
    AbutConeProblem program;
    AbutMat6 w;
    int32_t passive[7];
    double room[CONE_ROOM], u[6][6], v[6], speed[ABUT_CONTACT_VERTICES] = {0};
    look_at(sim, c, &local);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) w.m[i][j] = c->touch->phi[i][j] + abut_compliance(c, i, j);
    square_root(&w, u);
    set_columns(&local, u, local.b);
    start_program(&local, &program, passive, room);
    memcpy(v, local.u, sizeof v);
    if (passes == 0) abut_cone_solve(&program);
    for (int pass = 0; pass < passes; ++pass) {
        if (set_sliding(&local, v, speed) < ABUT_SLIDING_STILL * sim->constants.gravity_dt && pass > 0) break;
        program.resume = pass > 0;
        abut_cone_solve(&program);
        program_velocity(&local, &program, v);
    }
    abut_generators_keep(c, local.sides, passive, program.x, program.passive_count);
    return finish(sim, &local);
}

/* The paper's objective: columns L^T phi a with Q = L L^T. */
static double visit_emin(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    Local local;
    AbutConeProblem program;
    AbutSurfaceMoments m;
    int32_t passive[7];
    double room[CONE_ROOM], root[6][6], u[6][6], half[6], side[6];
    const double *q = c->room->number + ABUT_AT_MOMENTS;
    (void)backward;
    (void)worker;
    memset(&m, 0, sizeof m);
    m.s = q[0];
    m.m1 = abut_vec3(q[1], q[2], 0.0);
    m.m2 = abut_mat3(abut_vec3(q[3], q[4], 0.0), abut_vec3(q[4], q[5], 0.0), abut_zero());
    AbutMat6 matrix = abut_moments_matrix(&m);
    look_at(sim, c, &local);
    square_root(&matrix, root);
    for (int i = 0; i < 6; ++i) {
        half[i] = dot6(root[i], local.b);
        for (int j = 0; j < 6; ++j) {
            u[i][j] = 0.0;
            for (int k = 0; k < 6; ++k) u[i][j] += root[i][k] * c->touch->phi[k][j];
        }
    }
    for (int j = 0; j < 6; ++j) {
        side[j] = 0.0;
        for (int i = 0; i < 6; ++i) side[j] += u[i][j] * half[i];
    }
    set_columns(&local, u, side);
    start_program(&local, &program, passive, room);
    abut_cone_solve(&program);
    abut_generators_keep(c, local.sides, passive, program.x, program.passive_count);
    return finish(sim, &local);
}

/* ---- the printed algorithm --------------------------------------------------------------------------------------- */

/* y = (A A^T)^+ wanted. */
static void paper_dual(const double (*a)[6], int count, const double wanted[6], double y[6]) {
    AbutMat6 m;
    memset(&m, 0, sizeof m);
    for (int k = 0; k < count; ++k)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) m.m[i][j] += a[k][i] * a[k][j];
    abut_mat6_solve(&m, wanted, y, NULL);
}

void abut_paper_impulse(const double (*a)[6], int count, const double wanted[6], double y[6], double *eps) {
    paper_dual(a, count, wanted, y);
    for (int k = 0; k < count; ++k) eps[k] = abut_larger(0.0, dot6(a[k], y));
}

/* Part of the impulse that the objective of `convex` allows. */
static double guard(const Local *local, const double f[6]) {
    double response[6];
    apply_phi(local->c, f, response);
    double work = dot6(f, local->b), curve = dot6(f, response);
    return curve > 0.0 ? abut_smaller(1.0, abut_larger(0.0, work / curve)) : 0.0;
}

static double visit_printed(AbutSimulation *sim, AbutSolverContact *c, int guarded) {
    Local local;
    AbutMat6 phi;
    double wanted[6], eps[ABUT_MAX_GENERATORS], f[6] = {0, 0, 0, 0, 0, 0}, *y = c->room->number + ABUT_AT_DUAL;
    look_at(sim, c, &local);
    memcpy(phi.m, c->touch->phi, sizeof phi.m);
    abut_mat6_solve(&phi, local.b, wanted, NULL);
    abut_paper_impulse((const double(*)[6])local.a, local.count, wanted, y, eps);
    for (int i = 0; i < local.count; ++i)
        for (int k = 0; k < 6; ++k) f[k] += eps[i] * local.a[i][k];
    double part = guarded ? guard(&local, f) : 1.0;
    for (int k = 0; k < 6; ++k) y[k] *= part;
    for (int l = 0; l < c->count; ++l) c->point[l].n = c->point[l].t1 = c->point[l].t2 = 0.0;
    for (int i = 0; i < local.count; ++i) {
        AbutSolverVertex *v = &c->point[i / local.sides];
        v->n += part * eps[i];
        v->t1 += part * eps[i] * local.a[i][0];
        v->t2 += part * eps[i] * local.a[i][1];
    }
    return finish(sim, &local);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void begin(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    (void)worker;
    abut_generators_begin(sim, c);
    abut_contact_warm_start(sim, c);
}

/* The moments of the surface stay with the contact, for its later visits. */
static void keep_moments(AbutSimulation *sim, AbutSolverContact *c, const AbutBuilt *geometry) {
    AbutSurfaceMoments m = abut_surface_moments(geometry->overlap, geometry->patch, 1);
    (void)sim;
    double *q = c->room->number + ABUT_AT_MOMENTS;
    q[0] = m.s;
    q[1] = m.m1.x, q[2] = m.m1.y;
    q[3] = m.m2.x.x, q[4] = m.m2.x.y, q[5] = m.m2.y.y;
}

static double visit_vol(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    (void)backward;
    (void)worker;
    return visit_program(sim, c, PASSES);
}

static double visit_convex(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    (void)backward;
    (void)worker;
    return visit_program(sim, c, 0);
}

static double visit_paper(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    (void)backward;
    (void)worker;
    return visit_printed(sim, c, 0);
}

static double visit_guarded(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    (void)backward;
    (void)worker;
    return visit_printed(sim, c, 1);
}

static double residual_vol(AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6];
    abut_contact_velocity(sim, c, u);
    return abut_generator_residual(c, sim->def.generators, 1, 0, u);
}

static double residual_convex(AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6];
    abut_contact_velocity(sim, c, u);
    return abut_generator_residual(c, sim->def.generators, 0, 0, u);
}

static double residual_paper(AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6];
    abut_contact_velocity(sim, c, u);
    return abut_generator_residual(c, sim->def.generators, 0, 1, u);
}

/* clang-format off */
const AbutContactModel abut_contact_model_vol_generator = {.name = "vol-generator", .number = ABUT_CONTACT_MODEL_VOL_GENERATOR,
    .keeps = 1, .begin = begin, .visit = visit_vol, .residual = residual_vol};
const AbutContactModel abut_contact_model_convex = {.name = "convex", .number = ABUT_CONTACT_MODEL_CONVEX,
    .keeps = 1, .begin = begin, .visit = visit_convex, .residual = residual_convex};
const AbutContactModel abut_contact_model_emin = {.name = "emin", .number = ABUT_CONTACT_MODEL_EMIN, .watched = 1,
    .keeps = 1, .begin = begin, .visit = visit_emin, .residual = residual_convex, .built = keep_moments};
const AbutContactModel abut_contact_model_paper = {.name = "paper", .number = ABUT_CONTACT_MODEL_PAPER,
    .keeps = 1, .begin = begin, .visit = visit_paper, .residual = residual_paper};
const AbutContactModel abut_contact_model_paper_guarded = {.name = "paper-guarded", .number = ABUT_CONTACT_MODEL_PAPER_GUARDED,
    .keeps = 1, .begin = begin, .visit = visit_guarded, .residual = residual_paper};
/* clang-format on */
