/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Newton step for all that acts in an island with robots: contacts, limits, friction losses, couplings, tendons,
 * joins (solve/row_newton.h). Unknown are the changes x of z of its trees, where the mass is 1, and of the velocities
 * of its free bodies. A row with the impulse l0 that moves with u has, when that changes by J x, the impulse
 *
 *     l(x) = bounded( l0 + (target - u - J x - softness l0) / c )
 *
 * friction of a contact in the disc of its normal impulse before the step. c is the softness of the row and 1/w of its
 * response: what the equations miss by that, sweeps and the next step make good. All impulses are set at once, so their
 * bounds hold, and the friction is cut to the disc of the new normal impulse.
 *
 * In: impulses and velocities after some sweeps. Out: new ones; those before can be put back.
 */
#include "dynamics/newton.h"
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

struct AbutTreeNewton {
    AbutRowProblem problem;
    int32_t contacts, rows; /* groups of contacts, then of rows; joins after them */
    int32_t *body, *row;    /* places of free bodies; numbers of the rows that act */
    int32_t *at, *spot;
    double *g, *room, momentum;
    double (*start)[6]; /* by group: velocity of a contact, what others miss, before the step */
    AbutBlock *mass;
    AbutRowGroup *group;
    AbutKept saved;
    size_t body_capacity, row_capacity, at_capacity, spot_capacity, g_capacity, room_capacity, start_capacity,
        mass_capacity, group_capacity;
};

typedef struct Laws {
    const AbutSimulation *sim;
    const AbutIsland *island;
    const AbutTreeNewton *n;
} Laws;

void abut_tree_newton_free(AbutTreeNewton *n) {
    if (!n) return;
    void *const parts[] = {n->body, n->row, n->at, n->spot, n->g, n->room, n->start, n->mass, n->group, n->saved.at};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) abut_free(parts[i]);
    abut_free(n);
}

/* ---- which islands ----------------------------------------------------------------------------------------------- */

/* Piles that a robot touches keep the Newton steps of free bodies. */
int abut_tree_newton_fits(AbutSimulation *sim, AbutIsland *island) {
    int32_t size = 0, mark = ++island->marks;
    if (2 * abut_newton_contacts(sim, island) > island->count + island->join_count) return 0;
    for (int32_t i = 0; i < island->tree_count; ++i) size += abut_island_tree(sim, island, i)->c->tree->nv;
    for (int32_t k = 0, sides = abut_island_sides(island); k < sides && size <= ABUT_WHOLE_UNKNOWNS; ++k) {
        int32_t place = abut_island_side(sim, island, k);
        if (place < 0 || sim->mover[place].mark == mark) continue;
        sim->mover[place].mark = mark;
        size += 6;
    }
    return size <= ABUT_WHOLE_UNKNOWNS;
}

/* ---- unknowns and columns ---------------------------------------------------------------------------------------- */

static AbutBlock mass_of(const AbutSimulation *sim, int32_t place) {
    const AbutSolverBody *m = &sim->mover[place];
    double mass = 1.0 / m->inv_mass;
    AbutBlock block = {{{0.0}}};
    abut_block_add(&block, 0, 0, abut_mat3_diagonal(mass, mass, mass), 1.0);
    abut_block_add(&block, 3, 3, abut_mover_inertia(sim, place), 1.0);
    for (int i = 0; i < 6; ++i) /* a locked axis is as good as one of endless mass */
        if (m->locked >> i & 1) block.m[i][i] += block.m[i][i] / ABUT_STIFF_PART;
    return block;
}

static int number_bodies(AbutSimulation *sim, AbutIsland *island, AbutTreeNewton *n) {
    AbutRowProblem *p = &n->problem;
    p->plain = p->body_count = 0;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        AbutSolverTree *tree = abut_island_tree(sim, island, i);
        tree->number = p->plain;
        p->plain += tree->c->tree->nv;
    }
    for (int32_t k = 0, sides = abut_island_sides(island), mark = ++island->marks; k < sides; ++k) {
        int32_t place = abut_island_side(sim, island, k);
        size_t count = (size_t)p->body_count + 1;
        if (place < 0 || sim->mover[place].mark == mark) continue;
        if (!abut_grow((void **)&n->body, &n->body_capacity, count, sizeof *n->body) ||
            !abut_grow((void **)&n->mass, &n->mass_capacity, count, sizeof *n->mass))
            return 0;
        sim->mover[place].mark = mark;
        sim->mover[place].number = p->plain + 6 * p->body_count;
        n->body[p->body_count] = place;
        n->mass[p->body_count++] = mass_of(sim, place);
    }
    p->body = n->mass;
    return 1;
}

static int works(const AbutTreeRow *row) { return row->active && row->inverse > 0.0; }

/* Room for groups and their columns; the groups know how many they have at most. */
static int reserve(const AbutSimulation *sim, const AbutIsland *island, AbutTreeNewton *n) {
    size_t groups = (size_t)(island->count + island->join_count), columns = 12 * groups,
           size = (size_t)abut_row_size(&n->problem);
    for (int32_t k = 0; k < island->count + island->join_count; ++k)
        columns += (size_t)(k < island->count ? abut_island_contact(sim, island, k)->column_count
                                              : abut_island_join(sim, island, k - island->count)->count);
    size_t numbers = 6 * columns, rows = 0;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t k = 0; k < tree->row_count; ++k) {
            const AbutTreeRow *row = &sim->trees->row[tree->first_row + k];
            rows += (size_t)works(row);
            columns += works(row) ? (size_t)row->count : 0;
            numbers += works(row) ? (size_t)row->count : 0;
        }
    }
    groups += rows;
    return abut_grow((void **)&n->row, &n->row_capacity, rows, sizeof *n->row) &&
           abut_grow((void **)&n->group, &n->group_capacity, groups, sizeof *n->group) &&
           abut_grow((void **)&n->start, &n->start_capacity, groups, sizeof *n->start) &&
           abut_grow((void **)&n->at, &n->at_capacity, columns, sizeof *n->at) &&
           abut_grow((void **)&n->g, &n->g_capacity, numbers, sizeof *n->g) &&
           abut_grow((void **)&n->spot, &n->spot_capacity, size, sizeof *n->spot) &&
           abut_grow((void **)&n->room, &n->room_capacity, abut_row_room((int32_t)size), sizeof *n->room) &&
           abut_kept_reserve(sim, island, n->problem.body_count, &n->saved);
}

static int32_t unknown_of(const AbutTrees *t, int32_t dof) {
    const AbutSolverTree *tree = &t->tree[t->tree_of[dof]];
    return tree->number + dof - tree->first;
}

/* A new group, after the last one. */
static AbutRowGroup *add_group(AbutTreeNewton *n, int32_t width) {
    AbutRowGroup *group = &n->group[n->problem.group_count];
    const AbutRowGroup *last = group - 1;
    memset(group, 0, sizeof *group);
    group->width = width;
    if (n->problem.group_count++ > 0) {
        group->first = last->first + last->count;
        group->column = last->column + (size_t)(last->width * last->count);
    }
    return group;
}

static void add_columns(
    const AbutTrees *t, AbutTreeNewton *n, AbutRowGroup *group, const int32_t *dof, const double *y, int32_t count) {
    for (int32_t k = 0; k < count; ++k) n->at[group->first + k] = unknown_of(t, dof[k]);
    memcpy(n->g + group->column, y, (size_t)(group->width * count) * sizeof *y);
    group->count = count;
}

static void add_free(const AbutSimulation *sim, AbutTreeNewton *n, AbutRowGroup *group, int32_t place, AbutVec3 arm,
    const AbutVec3 axis[3], double sign) {
    if (place < 0 || sim->mover[place].tree >= 0 || !(sim->mover[place].inv_mass > 0.0)) return;
    for (int k = 0; k < 6; ++k) {
        double *to = n->g + group->column + 6 * (size_t)(group->count + k);
        AbutVec3 unit = abut_axis(k % 3), moved = k < 3 ? unit : abut_cross(unit, arm);
        n->at[group->first + group->count + k] = sim->mover[place].number + k;
        for (int i = 0; i < 3; ++i) {
            to[i] = sign * abut_dot(axis[i], moved);
            to[3 + i] = k < 3 ? 0.0 : sign * abut_dot(axis[i], unit);
        }
    }
    group->count += 6;
}

static void add_six(const AbutSimulation *sim, AbutTreeNewton *n, int32_t first, int32_t count, const int32_t body[2],
    const AbutVec3 arm[2], const AbutVec3 axis[3]) {
    const AbutTrees *t = sim->trees;
    AbutRowGroup *group = add_group(n, 6);
    add_columns(t, n, group, t->column_dof + first, abut_column(t, first), count);
    add_free(sim, n, group, body[0], arm[0], axis, -1.0);
    add_free(sim, n, group, body[1], arm[1], axis, 1.0);
}

static void add_groups(const AbutSimulation *sim, const AbutIsland *island, AbutTreeNewton *n) {
    const AbutTrees *t = sim->trees;
    n->contacts = island->count;
    n->rows = n->problem.group_count = 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        const int32_t body[2] = {c->body_a, c->body_b};
        const AbutVec3 arm[2] = {c->ra, c->rb}, axis[3] = {c->e1, c->e2, c->nu};
        add_six(sim, n, c->first_column, c->link_sides ? c->column_count : 0, body, arm, axis);
    }
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t k = tree->first_row; k < tree->first_row + tree->row_count; ++k) {
            const AbutTreeRow *row = &t->row[k];
            if (!works(row)) continue;
            n->row[n->rows++] = k;
            add_columns(t, n, add_group(n, 1), t->row_dof + row->first, t->row_y + row->first, row->count);
        }
    }
    for (int32_t k = 0; k < island->join_count; ++k) {
        const AbutJoin *join = abut_island_join(sim, island, k);
        const AbutVec3 axis[3] = {abut_axis(0), abut_axis(1), abut_axis(2)};
        add_six(sim, n, join->first, join->count, join->body, join->arm, axis);
    }
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

typedef struct VertexLaw { /* impulses less those before; their slopes */
    double n, t1, t2, kn, k11, k12, k22;
} VertexLaw;

static VertexLaw vertex_law(
    const AbutSimulation *sim, const AbutSolverContact *c, const AbutSolverVertex *v, const double u[6]) {
    VertexLaw law = {0, 0, 0, 0, 0, 0, 0};
    if (!(v->inv_kn > 0.0)) return law;
    double weight = ABUT_WHOLE_CONTACT * abut_larger(1.0, v->n / (v->inv_kn * sim->constants.gravity_dt));
    double soft = (c->alpha + 1.0 / weight) / v->inv_kn;
    double rest = v->target - (u[2] + u[3] * v->y - u[4] * v->x) - c->alpha * v->n / v->inv_kn, n = v->n + rest / soft;
    law.n = abut_larger(n, 0.0) - v->n;
    law.kn = n > 0.0 ? 1.0 / soft : 0.0;
    if (!(v->inv_kt > 0.0) || !(v->n > 0.0) || !(v->mu > 0.0)) return law;
    double k = weight * ABUT_WHOLE_TANGENT * v->inv_kt, most = v->mu * v->n;
    double s1 = v->t1 - k * (u[0] - u[5] * v->yt), s2 = v->t2 - k * (u[1] + u[5] * v->xt), t = sqrt(s1 * s1 + s2 * s2);
    law.k11 = law.k22 = k;
    if (t > most) {
        double part = most / t, e1 = s1 / t, e2 = s2 / t;
        s1 *= part, s2 *= part;
        law.k11 = k * part * (1.0 - e1 * e1), law.k12 = -k * part * e1 * e2, law.k22 = k * part * (1.0 - e2 * e2);
    }
    law.t1 = s1 - v->t1, law.t2 = s2 - v->t2;
    return law;
}

static void add_wrench(const AbutSolverVertex *v, const VertexLaw *law, double w[6]) {
    w[0] += law->t1, w[1] += law->t2, w[2] += law->n;
    w[3] += law->n * v->y, w[4] -= law->n * v->x, w[5] += law->t2 * v->xt - law->t1 * v->yt;
}

static void add_slopes(const AbutSolverVertex *v, const VertexLaw *law, double (*s)[6]) {
    double p = law->k12 * v->xt - law->k11 * v->yt, q = law->k22 * v->xt - law->k12 * v->yt;
    s[0][0] += law->k11, s[0][1] += law->k12, s[1][1] += law->k22;
    s[0][5] += p, s[1][5] += q, s[5][5] += q * v->xt - p * v->yt;
    s[2][2] += law->kn, s[2][3] += law->kn * v->y, s[2][4] -= law->kn * v->x;
    s[3][3] += law->kn * v->y * v->y, s[3][4] -= law->kn * v->x * v->y, s[4][4] += law->kn * v->x * v->x;
}

static void contact_law(
    const AbutSimulation *sim, const AbutSolverContact *c, const double u[6], double w[6], double (*s)[6]) {
    for (int i = 0; i < c->count; ++i) {
        VertexLaw law = vertex_law(sim, c, &c->point[i], u);
        add_wrench(&c->point[i], &law, w);
        if (s) add_slopes(&c->point[i], &law, s);
    }
    for (int i = 0; s && i < 6; ++i)
        for (int j = 0; j < i; ++j) s[i][j] = s[j][i];
}

/* Change of the impulse of a row that misses so much; *stiff: its slope. */
static double row_law(const AbutTreeRow *row, double rest, double *stiff) {
    double weight = row->kind == ABUT_ROW_COUPLING ? ABUT_WHOLE_JOIN : ABUT_WHOLE_ROW;
    double c = row->softness + (1.0 / row->inverse - row->softness) / weight, l = row->impulse + rest / c;
    *stiff = l > row->low && l < row->high ? 1.0 / c : 0.0;
    return (l < row->low ? row->low : l > row->high ? row->high : l) - row->impulse;
}

static double join_stiffness(const AbutJoin *join, int i) {
    double c = abut_join_softness(join, i) + join->trace[i / 3] / (3.0 * ABUT_WHOLE_JOIN);
    return i < join->rows && c > 0.0 ? 1.0 / c : 0.0;
}

static void law_of(const void *user, int32_t k, const double v[6], double w[6], double (*s)[6]) {
    const Laws *laws = user;
    const AbutTreeNewton *n = laws->n;
    const double *start = n->start[k];
    double stiff;
    if (k < n->contacts) {
        double u[6];
        for (int i = 0; i < 6; ++i) u[i] = start[i] + v[i];
        contact_law(laws->sim, abut_island_contact(laws->sim, laws->island, k), u, w, s);
    } else if (k < n->contacts + n->rows) {
        w[0] = row_law(&laws->sim->trees->row[n->row[k - n->contacts]], start[0] - v[0], &stiff);
        if (s) s[0][0] = stiff;
    } else {
        const AbutJoin *join = abut_island_join(laws->sim, laws->island, k - n->contacts - n->rows);
        for (int i = 0; i < 6; ++i) {
            stiff = join_stiffness(join, i);
            w[i] = stiff * (start[i] - v[i]);
            if (s) s[i][i] = stiff;
        }
    }
}

/* Velocities of contacts, and what rows and joins miss. */
static void set_start(const AbutSimulation *sim, const AbutIsland *island, AbutTreeNewton *n) {
    const AbutTrees *t = sim->trees;
    for (int32_t k = 0; k < n->contacts; ++k)
        abut_contact_velocity(sim, abut_island_contact(sim, island, k), n->start[k]);
    for (int32_t k = 0; k < n->rows; ++k) {
        const AbutTreeRow *row = &t->row[n->row[k]];
        n->start[n->contacts + k][0] = row->target - abut_row_speed(t, row) - row->softness * row->impulse;
    }
    for (int32_t k = 0; k < island->join_count; ++k)
        abut_join_rest(sim, abut_island_join(sim, island, k), n->start[n->contacts + n->rows + k]);
}

/* ---- new impulses ------------------------------------------------------------------------------------------------ */

static void move_contact(
    const AbutSimulation *sim, AbutSolverContact *c, const double start[6], const double change[6]) {
    double u[6], w[6] = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 6; ++i) u[i] = start[i] + change[i];
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        VertexLaw law = vertex_law(sim, c, v, u);
        double n = abut_larger(v->n + law.n, 0.0), t1 = v->t1 + law.t1, t2 = v->t2 + law.t2,
               t = sqrt(t1 * t1 + t2 * t2), most = v->mu * n;
        if (t > most) t1 *= most / t, t2 *= most / t;
        law.n = n - v->n, law.t1 = t1 - v->t1, law.t2 = t2 - v->t2;
        add_wrench(v, &law, w);
        v->n = n, v->t1 = t1, v->t2 = t2;
    }
    abut_contact_apply(sim, c, w);
}

static void move_all(AbutSimulation *sim, const AbutIsland *island, AbutTreeNewton *n) {
    AbutTrees *t = sim->trees;
    const AbutRowGroup *group = n->group;
    for (int32_t k = 0; k < n->contacts; ++k, ++group)
        move_contact(sim, abut_island_contact(sim, island, k), n->start[k], group->change);
    for (int32_t k = 0; k < n->rows; ++k, ++group) {
        AbutTreeRow *row = &t->row[n->row[k]];
        double stiff, l = row_law(row, n->start[n->contacts + k][0] - group->change[0], &stiff);
        for (int32_t j = 0; j < row->count; ++j) t->z[t->row_dof[row->first + j]] += t->row_y[row->first + j] * l;
        row->impulse += l;
    }
    for (int32_t k = 0; k < island->join_count; ++k, ++group) {
        AbutJoin *join = abut_island_join(sim, island, k);
        double w[6];
        for (int i = 0; i < 6; ++i) {
            w[i] = join_stiffness(join, i) * (n->start[n->contacts + n->rows + k][i] - group->change[i]);
            join->impulse[i] += w[i];
        }
        abut_join_apply(sim, join, w);
    }
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static void keep(AbutSimulation *sim, const AbutIsland *island, const AbutTreeNewton *n, AbutKeep way) {
    double *at = abut_impulses_keep(sim, island, n->saved.at, way);
    abut_velocities_keep(sim, island, n->body, n->problem.body_count, at, way);
}

/* Columns and masses are the same in all steps of a solution. */
static int begin(AbutSimulation *sim, AbutIsland *island, AbutNewton *newton) {
    AbutTreeNewton *n = newton->whole;
    if (!n && (n = newton->whole = abut_alloc(sizeof *n))) memset(n, 0, sizeof *n);
    if (!n || !number_bodies(sim, island, n) || !reserve(sim, island, n)) {
        island->starved = 1;
        return 0;
    }
    add_groups(sim, island, n);
    n->momentum = abut_island_momentum(sim, island);
    return 1;
}

int abut_tree_newton_step(AbutSimulation *sim, AbutIsland *island, int first, int worker) {
    if (first && !begin(sim, island, &sim->solver.newton[worker])) return 0;
    AbutTreeNewton *n = sim->solver.newton[worker].whole;
    AbutRowProblem *p = &n->problem;
    Laws laws = {sim, island, n};
    p->group = n->group, p->at = n->at, p->g = n->g, p->room = n->room, p->spot = n->spot;
    p->law = law_of;
    p->user = &laws;
    keep(sim, island, n, ABUT_KEEP);
    set_start(sim, island, n);
    if (!abut_rows_solve(p)) return 0;
    move_all(sim, island, n);
    return 1;
}

void abut_tree_newton_undo(AbutSimulation *sim, const AbutIsland *island, int worker) {
    keep(sim, island, sim->solver.newton[worker].whole, ABUT_KEPT);
}

int abut_tree_newton_runs_wild(const AbutSimulation *sim, const AbutIsland *island, int worker) {
    double most = 0.0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i) most = abut_larger(most, c->point[i].n);
    }
    return sim->def.compliance <= 0.0 && !(most <= ABUT_WILD_MOMENTUM * sim->solver.newton[worker].whole->momentum);
}
