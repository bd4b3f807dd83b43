/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The joint model: all contacts of an island in one problem over their friction generators. Its cost grows with the
 * cube of the number of bodies; it is the reference for the models that go from contact to contact.
 *
 * In the coordinates M^(1/2) V of the bodies the generators become columns with at most two blocks of six, and
 * min 1/2 |B z|^2 + (v0 - v*).A z over z >= 0 is the convex problem of the whole island; compliance adds a block of its
 * own. Coulomb's law follows by passes: the sliding speeds of the last answer enter the slopes, as mu |u|, until they
 * stand still. Bodies that are pinched may have no answer as rigid ones; the island is then solved with compliance, and
 * counts as capped.
 */
#include "literature/dynamics/generators.h"
#include "literature/dynamics/models.h"
#include "literature/dynamics/tolerance.h"
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

#include <string.h>

enum { MAX_CONTACTS = 400, PASSES = 20 };

/* A moving body of the island. */
typedef struct Moving {
    int32_t body, pad;
    AbutVec3 v0, w0;
    double root_mass; /* sqrt(1/m) */
    AbutMat3 root;    /* lower triangular, root root^T = inverse inertia, world */
    AbutVec3 along;   /* 0 for an axis that is locked */
} Moving;

/* Workspace of one worker; lives in sim->solver.model_memory. */
typedef struct Joint {
    AbutConeColumn *column;
    Moving *moving;
    int32_t *first, *passive; /* first column of each contact */
    double *speed, *room;     /* sliding speed by contact and vertex */
    int moving_count;
} Joint;

typedef struct Sizes {
    size_t contacts, columns, dimension;
} Sizes;

enum { HEAD = 64 }; /* the block begins with the sizes it is laid out for */

static size_t joint_bytes(Sizes s) {
    size_t bytes = s.columns * sizeof(AbutConeColumn) + (s.contacts + 1) * sizeof(Moving) +
                   (s.contacts * ABUT_CONTACT_VERTICES + abut_cone_room((int)s.dimension)) * sizeof(double) +
                   (s.contacts + 1 + s.dimension + 1) * sizeof(int32_t);
    return (bytes + 63) / 64 * 64;
}

static Sizes largest_island(const AbutSimulation *sim) {
    Sizes s = {1, 1, 6};
    size_t bodies = (size_t)sim->scene->body_places;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        const AbutIsland *island = &sim->islands.at[i];
        size_t columns = 0, contacts = (size_t)island->count;
        for (int32_t k = 0; k < island->count; ++k) {
            const AbutSolverContact *c = abut_island_contact(sim, island, k);
            columns += (size_t)c->count * (size_t)sim->def.generators;
        }
        size_t movers = contacts + 1 < bodies ? contacts + 1 : bodies, dimension = 6 * movers + 3 * contacts + 3;
        s.contacts = contacts > s.contacts ? contacts : s.contacts;
        s.columns = columns > s.columns ? columns : s.columns;
        s.dimension = dimension > s.dimension ? dimension : s.dimension;
    }
    return s;
}

/* Parts of the block of one worker. */
static Joint joint_of(const AbutSimulation *sim, int worker) {
    Joint j;
    Sizes s = *(const Sizes *)sim->solver.model_memory;
    char *at = (char *)sim->solver.model_memory + HEAD + (size_t)worker * joint_bytes(s);
    j.moving_count = 0;
    j.column = (void *)at;
    at += s.columns * sizeof *j.column;
    j.moving = (void *)at;
    at += (s.contacts + 1) * sizeof *j.moving;
    j.speed = (void *)at;
    at += s.contacts * ABUT_CONTACT_VERTICES * sizeof *j.speed;
    j.room = (void *)at;
    at += abut_cone_room((int)s.dimension) * sizeof *j.room;
    j.first = (void *)at;
    at += (s.contacts + 1) * sizeof *j.first;
    j.passive = (void *)at;
    return j;
}

static AbutStatus prepare(AbutSimulation *sim, AbutError *error) {
    Sizes s = largest_island(sim);
    if (s.contacts > MAX_CONTACTS)
        return abut_fail(error, ABUT_ERROR_LIMIT,
            "an island of %zu contacts: the direct model solves at most %d at once", s.contacts, (int)MAX_CONTACTS);
    size_t bytes = HEAD + joint_bytes(s) * (size_t)sim->solver.workers;
    if (bytes > sim->solver.model_memory_bytes) {
        abut_free(sim->solver.model_memory);
        sim->solver.model_memory_bytes = 0;
        sim->solver.model_memory = abut_alloc(bytes + bytes / 2);
        if (!sim->solver.model_memory) return abut_fail_memory(error);
        sim->solver.model_memory_bytes = bytes + bytes / 2;
    }
    *(Sizes *)sim->solver.model_memory = s;
    return ABUT_OK;
}

/* ---- bodies and columns ------------------------------------------------------------------------------------------ */

static AbutMat3 lower_root(AbutMat3 m) {
    AbutMat3 l = {abut_zero(), abut_zero(), abut_zero()};
    l.x.x = sqrt(abut_larger(m.x.x, 0.0));
    l.x.y = l.x.x > 0.0 ? m.x.y / l.x.x : 0.0;
    l.x.z = l.x.x > 0.0 ? m.x.z / l.x.x : 0.0;
    l.y.y = sqrt(abut_larger(m.y.y - l.x.y * l.x.y, 0.0));
    l.y.z = l.y.y > 0.0 ? (m.y.z - l.x.y * l.x.z) / l.y.y : 0.0;
    l.z.z = sqrt(abut_larger(m.z.z - l.x.z * l.x.z - l.y.z * l.y.z, 0.0));
    return l;
}

/* Place of a body among the moving ones, added when it is new; -1 for a body that is not moved by forces. */
static int moving_of(const AbutSimulation *sim, Joint *j, int32_t body) {
    const AbutSolverBody *b = &sim->mover[body];
    if (b->inv_mass == 0.0) return -1;
    for (int i = 0; i < j->moving_count; ++i)
        if (j->moving[i].body == body) return i;
    Moving m = {
        body, 0, b->v, b->w, sqrt(b->inv_mass), lower_root(b->inv_inertia), b->locked ? b->along : abut_vec3(1, 1, 1)};
    j->moving[j->moving_count] = m;
    return j->moving_count++;
}

static void set_block(double v[6], const Moving *m, AbutVec3 force, AbutVec3 torque) {
    AbutVec3 f = abut_mul(abut_scale(force, m->root_mass), m->along), t = abut_mat3_apply_t(m->root, torque);
    v[0] = f.x, v[1] = f.y, v[2] = f.z;
    v[3] = t.x, v[4] = t.y, v[5] = t.z;
}

/* A block with b.b = iota^T R iota: alpha times the square root of the normal and tilting part of phi. Three rows of
 * the six. */
static void set_compliance_block(double v[6], const AbutSolverContact *c, const double a[6]) {
    AbutMat3 m = abut_mat3(abut_vec3(c->touch->phi[2][2], c->touch->phi[3][2], c->touch->phi[4][2]),
        abut_vec3(c->touch->phi[3][2], c->touch->phi[3][3], c->touch->phi[4][3]),
        abut_vec3(c->touch->phi[4][2], c->touch->phi[4][3], c->touch->phi[4][4]));
    AbutVec3 r = abut_scale(abut_mat3_apply_t(lower_root(m), abut_vec3(a[2], a[3], a[4])), sqrt(c->alpha));
    v[0] = r.x, v[1] = r.y, v[2] = r.z;
    v[3] = v[4] = v[5] = 0.0;
}

static void add_columns(
    const AbutSimulation *sim, Joint *j, const AbutSolverContact *c, int first, int b_at, int a_at, int soft_at) {
    int sides = sim->def.generators;
    double v0[6];
    abut_contact_velocity(sim, c, v0);
    for (int k = 0; k < c->count * sides; ++k) {
        AbutConeColumn *column = &j->column[first + k];
        double a[6];
        abut_generator(c, k, sides, a);
        AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, a[0]), abut_scale(c->e2, a[1])), abut_scale(c->nu, a[2]));
        AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, a[3]), abut_scale(c->e2, a[4])), abut_scale(c->nu, a[5]));
        column->blocks = 0;
        if (b_at >= 0) {
            column->at[0] = 6 * b_at;
            set_block(column->v[column->blocks++], &j->moving[b_at], force, abut_add(torque, abut_cross(c->rb, force)));
        }
        if (a_at >= 0) {
            column->at[column->blocks] = 6 * a_at;
            set_block(column->v[column->blocks++], &j->moving[a_at], abut_neg(force),
                abut_neg(abut_add(torque, abut_cross(c->ra, force))));
        }
        if (soft_at >= 0) {
            column->at[column->blocks] = soft_at;
            set_compliance_block(column->v[column->blocks++], c, a);
        }
        column->g = 0.0;
        for (int i = 0; i < 6; ++i) column->g += a[i] * (v0[i] - c->room->number[ABUT_AT_TARGET + i]);
    }
}

static void start_passive(AbutConeProblem *p, const AbutSolverContact *c, int first) {
    for (int k = 0; k < c->room->index[0] && p->passive_count < p->dimension; ++k) {
        p->passive[p->passive_count] = first + c->room->index[2 + k];
        p->x[p->passive_count++] = c->room->number[ABUT_AT_EPS + k];
    }
}

static void build_problem(AbutSimulation *sim, const AbutIsland *island, Joint *j, AbutConeProblem *p) {
    int soft = 0, columns = 0;
    j->moving_count = 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        moving_of(sim, j, c->body_b);
        moving_of(sim, j, c->body_a);
        soft += c->alpha > 0.0;
    }
    memset(p, 0, sizeof *p);
    abut_cone_place(p, 6 * j->moving_count + (soft ? 3 * soft + 3 : 0), j->room);
    soft = 6 * j->moving_count;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        j->first[k] = columns;
        add_columns(
            sim, j, c, columns, moving_of(sim, j, c->body_b), moving_of(sim, j, c->body_a), c->alpha > 0.0 ? soft : -1);
        columns += c->count * sim->def.generators;
        soft += c->alpha > 0.0 ? 3 : 0;
    }
    j->first[island->count] = columns;
    p->count = columns;
    p->column = j->column;
    p->passive = j->passive;
    p->tolerance = ABUT_CONE_JOINT_SLOPE;
    for (int32_t k = 0; k < island->count; ++k) start_passive(p, abut_island_contact(sim, island, k), j->first[k]);
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

/* Velocities of the bodies with the impulses of the program. */
static void set_velocities(AbutSimulation *sim, const Joint *j, const AbutConeProblem *p) {
    double *sum = p->work;
    int rows = p->dimension;
    for (int i = 0; i < rows; ++i) sum[i] = 0.0;
    for (int i = 0; i < p->passive_count; ++i) {
        const AbutConeColumn *c = &p->column[p->passive[i]];
        for (int b = 0; b < c->blocks; ++b)
            for (int k = 0; k < 6; ++k) sum[c->at[b] + k] += p->x[i] * c->v[b][k];
    }
    for (int m = 0; m < j->moving_count; ++m) {
        const Moving *from = &j->moving[m];
        AbutSolverBody *body = &sim->mover[from->body];
        const double *s = sum + 6 * m;
        body->v = abut_add_scaled(from->v0, abut_vec3(s[0], s[1], s[2]), from->root_mass);
        body->w = abut_add(from->w0, abut_mat3_apply(from->root, abut_vec3(s[3], s[4], s[5])));
    }
}

/* Sliding speeds into the slopes; gives the largest change of mu |u|. */
static double set_sliding(AbutSimulation *sim, const AbutIsland *island, Joint *j) {
    int sides = sim->def.generators;
    double change = 0.0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        double u[6];
        abut_contact_velocity(sim, c, u);
        for (int l = 0; l < c->count; ++l) {
            double *speed = &j->speed[k * ABUT_CONTACT_VERTICES + l], now = abut_vertex_speed(c, l, u);
            double more = c->point[l].mu * (now - *speed);
            for (int i = 0; i < sides; ++i) j->column[j->first[k] + l * sides + i].g += more;
            change = abut_larger(change, fabs(more));
            *speed = now;
        }
    }
    return change;
}

/* Impulses of the program to the contacts. */
static void keep_impulses(AbutSimulation *sim, const AbutIsland *island, const Joint *j, const AbutConeProblem *p) {
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        int32_t index[ABUT_MAX_GENERATORS];
        double x[ABUT_MAX_GENERATORS], u[6];
        int count = 0;
        for (int i = 0; i < p->passive_count; ++i)
            if (p->passive[i] >= j->first[k] && p->passive[i] < j->first[k + 1]) {
                index[count] = p->passive[i] - j->first[k];
                x[count++] = p->x[i];
            }
        abut_generators_keep(c, sim->def.generators, index, x, count);
        abut_contact_velocity(sim, c, u);
        for (int i = 0; i < c->count; ++i)
            c->sliding[i] = c->point[i].n > 0.0 && abut_vertex_speed(c, i, u) > abut_slip_speed(sim);
    }
}

static void set_start_velocities(AbutSimulation *sim, const Joint *j) {
    for (int m = 0; m < j->moving_count; ++m) {
        AbutSolverBody *body = &sim->mover[j->moving[m].body];
        body->v = body->start_v;
        body->w = body->start_w;
    }
}

/* Has the problem an answer of sensible size? */
static int is_bounded(const AbutConeProblem *p) {
    double largest = 0.0, most = 0.0;
    for (int i = 0; i < p->count; ++i) largest = abut_larger(largest, fabs(p->column[i].g) * p->column[i].inv_norm);
    for (int i = 0; i < p->passive_count; ++i) most = abut_larger(most, p->x[i] / p->column[p->passive[i]].inv_norm);
    return !p->unbounded && most <= ABUT_ENDLESS * largest;
}

static void restore_velocities(AbutSimulation *sim, const Joint *j) {
    for (int m = 0; m < j->moving_count; ++m) {
        sim->mover[j->moving[m].body].v = j->moving[m].v0;
        sim->mover[j->moving[m].body].w = j->moving[m].w0;
    }
}

/* Passes over the joint problem; 0 when it has no answer. The bodies keep the velocities of the answer. */
static int solve_passes(AbutSimulation *sim, AbutIsland *island, Joint *j, AbutConeProblem *p, int passes) {
    int optimal = 0, bounded = 1;
    double change = 0.0,
           limit = abut_larger(ABUT_SLIDING_STILL * sim->constants.gravity_dt, 0.1 * sim->constants.tolerance);
    build_problem(sim, island, j, p);
    memset(j->speed, 0, (size_t)island->count * ABUT_CONTACT_VERTICES * sizeof *j->speed);
    if (passes > 0) /* first guess: the bodies slide on as before */
        set_start_velocities(sim, j);
    for (int pass = 0; pass <= passes && bounded; ++pass) {
        change = passes > 0 ? set_sliding(sim, island, j) : 0.0;
        if (pass > 0 && change <= limit) break;
        p->resume = pass > 0;
        optimal = abut_cone_solve(p);
        bounded = is_bounded(p);
        set_velocities(sim, j, p);
        ++island->sweeps;
    }
    island->residual = change;
    island->capped = !optimal || !bounded || change > abut_larger(limit, sim->constants.tolerance);
    return bounded;
}

static void solve_joint(AbutSimulation *sim, AbutIsland *island, int worker, int passes) {
    Joint j = joint_of(sim, worker);
    AbutConeProblem p;
    if (!solve_passes(sim, island, &j, &p, passes)) {
        restore_velocities(sim, &j);
        for (int32_t k = 0; k < island->count; ++k) {
            AbutSolverContact *c = abut_island_contact(sim, island, k);
            c->alpha = abut_larger(c->alpha, ABUT_PINCHED);
            c->room->index[0] = 0;
        }
        solve_passes(sim, island, &j, &p, passes);
        island->capped = 1;
    }
    keep_impulses(sim, island, &j, &p);
}

static void solve_coulomb(AbutSimulation *sim, AbutIsland *island, int worker) {
    solve_joint(sim, island, worker, PASSES);
}

static void solve_convex(AbutSimulation *sim, AbutIsland *island, int worker) { solve_joint(sim, island, worker, 0); }

/* Impulses of the last step only choose the columns to begin with; they are not applied. */
static void begin(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    (void)worker;
    abut_generators_begin(sim, c);
    for (int i = 0; i < c->count; ++i) {
        c->touch->vertex[i].last_n = c->point[i].n;
        c->point[i].n = c->point[i].t1 = c->point[i].t2 = 0.0;
    }
}

static double residual(AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6];
    abut_contact_velocity(sim, c, u);
    return abut_generator_residual(c, sim->def.generators, 1, 0, u);
}

/* clang-format off */
const AbutContactModel abut_contact_model_direct = {.name = "direct", .number = ABUT_CONTACT_MODEL_DIRECT,
    .keeps = 1, .begin = begin, .solve_island = solve_coulomb, .prepare = prepare, .residual = residual};
const AbutContactModel abut_contact_model_joint_convex = {.name = "direct", .number = ABUT_CONTACT_MODEL_DIRECT,
    .keeps = 1, .begin = begin, .solve_island = solve_convex, .prepare = prepare, .residual = residual};
/* clang-format on */
