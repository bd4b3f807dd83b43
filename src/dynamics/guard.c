/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Energy comes from work alone. In: an island after its sweeps, with velocities before the step, before its impulses
 * and after them. An impulse l on a place that moves with u0 before the step and with u' after it does the work
 * l.(u0 + u') / 2. That of springs, servos, belts and kinematic bodies is meant; the rest comes from rigid rows that
 * push out of overlaps and gaps, or from sweeps that stopped at their limit. An island that has more of it than a small
 * part of its energy is solved anew with nothing pushed (calm.c), and keeps those velocities. The push that the first
 * solution has beyond them shoves it: it moves by that in this step, no faster than limits push, and forgets it. So
 * errors of positions are taken back, and speed does not come of it.
 *
 * Out: velocities with what shoves; that alone, which stays until the island has moved (step/advance.c).
 */
#include "dynamics/newton.h"
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* ---- energies ---------------------------------------------------------------------------------------------------- */

typedef struct Energies {
    double given, before, mass, lever; /* by impulses; before them; lever: mass times size */
} Energies;

/* Product of two angular velocities with the inertia of a body. */
static double turning(const AbutSimulation *sim, int32_t place, AbutVec3 a, AbutVec3 b) {
    AbutMat3 r = sim->mover[place].rotation;
    return abut_dot(abut_mat3_apply_t(r, a), abut_mat3_apply(sim->scene->body[place].inertia, abut_mat3_apply_t(r, b)));
}

/* Products of two velocities of a body with its mass and inertia. */
static double product(const AbutSimulation *sim, int32_t place, AbutVec3 v, AbutVec3 w, AbutVec3 v2, AbutVec3 w2) {
    return abut_dot(v, v2) / sim->mover[place].inv_mass + turning(sim, place, w, w2);
}

static void add_body(const AbutSimulation *sim, int32_t place, Energies *e) {
    const AbutSolverBody *m = &sim->mover[place];
    e->given += 0.5 * product(sim, place, abut_sub(m->v, m->free_v), abut_sub(m->w, m->free_w),
                          abut_add(m->v, m->start_v), abut_add(m->w, m->start_w));
    e->mass += 1.0 / m->inv_mass;
    e->lever += m->size / m->inv_mass;
    e->before += 0.5 * product(sim, place, m->free_v, m->free_w, m->free_v, m->free_w);
}

static void add_tree(const AbutTrees *t, const AbutSolverTree *tree, Energies *e) {
    for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) {
        e->given += 0.5 * (t->z[d] - t->free[d]) * (t->z[d] + t->begin[d]);
        e->before += 0.5 * t->free[d] * t->free[d];
    }
    e->mass += tree->mass;
    e->lever += tree->mass * tree->size;
}

/* The next free body among the sides of an island from *k on, each once for a mark; -1: there is none. */
static int32_t next_body(AbutSimulation *sim, const AbutIsland *island, int32_t mark, int32_t *k) {
    for (int32_t count = abut_island_sides(island); *k < count;) {
        int32_t place = abut_island_side(sim, island, (*k)++);
        if (place < 0 || sim->mover[place].mark == mark) continue;
        sim->mover[place].mark = mark;
        return place;
    }
    return -1;
}

static Energies energies_of(AbutSimulation *sim, AbutIsland *island) {
    Energies e = {0, 0, 0, 0};
    for (int32_t i = 0; i < island->tree_count; ++i) add_tree(sim->trees, abut_island_tree(sim, island, i), &e);
    for (int32_t k = 0, mark = ++island->marks, place; (place = next_body(sim, island, mark, &k)) >= 0;)
        add_body(sim, place, &e);
    return e;
}

typedef struct Kinetic {
    double start, before, after; /* the step, impulses, them */
} Kinetic;

/* Kinetic energy at z. Everything implicit in a step (damping, servos, springs, locks) stands on the diagonal of its
 * mass matrix and has none. */
static double kinetic_at(const AbutTrees *t, const AbutSolverTree *tree, const double *z, double h) {
    double *v = t->work + tree->first, twice = 0.0;
    memcpy(v, z + tree->first, (size_t)tree->c->tree->nv * sizeof *v);
    abut_robot_solve_down(tree->c, v);
    for (int32_t i = 0, d = tree->first; i < tree->c->tree->nv; ++i, ++d)
        twice += z[d] * z[d] - (h * t->damping[d] + h * h * t->stiffness[d] + t->lock[d]) * v[i] * v[i];
    return 0.5 * twice;
}

static Kinetic kinetic_of(AbutSimulation *sim, AbutIsland *island) {
    const AbutTrees *t = sim->trees;
    double h = sim->constants.dt;
    Kinetic e = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        e.start += kinetic_at(t, tree, t->begin, h);
        e.before += kinetic_at(t, tree, t->free, h);
        e.after += kinetic_at(t, tree, t->z, h);
    }
    for (int32_t k = 0, mark = ++island->marks, place; (place = next_body(sim, island, mark, &k)) >= 0;) {
        const AbutSolverBody *m = &sim->mover[place];
        e.start += 0.5 * product(sim, place, m->start_v, m->start_w, m->start_v, m->start_w);
        e.before += 0.5 * product(sim, place, m->free_v, m->free_w, m->free_v, m->free_w);
        e.after += 0.5 * product(sim, place, m->v, m->w, m->v, m->w);
    }
    return e;
}

/* ---- what is allowed --------------------------------------------------------------------------------------------- */

static double begin_speed(const AbutTrees *t, const AbutTreeRow *row) {
    double u = 0.0;
    for (int32_t k = 0; k < row->count; ++k) u += t->row_y[row->first + k] * t->begin[t->row_dof[row->first + k]];
    return u;
}

static double work_of_rows(const AbutTrees *t, const AbutSolverTree *tree) {
    double work = 0.0;
    for (int32_t k = 0; k < tree->row_count; ++k) {
        const AbutTreeRow *row = &t->row[tree->first_row + k];
        if (row->active && row->soft) work += 0.5 * row->impulse * (begin_speed(t, row) + abut_row_speed(t, row));
    }
    return work;
}

/* Work of springs and servos that are rows, of belts and of kinematic bodies. */
static double work_in(const AbutSimulation *sim, const AbutIsland *island) {
    double work = 0.0;
    for (int32_t k = 0; k < island->count; ++k) work += abut_contact_work(sim, abut_island_contact(sim, island, k));
    for (int32_t i = 0; i < island->tree_count; ++i) work += work_of_rows(sim->trees, abut_island_tree(sim, island, i));
    for (int32_t k = 0; k < island->join_count; ++k) work += abut_join_work(sim, abut_island_join(sim, island, k));
    return work;
}

static double push_of_contacts(const AbutSimulation *sim, const AbutIsland *island) {
    double push = 0.0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i) push += c->point[i].n * abut_larger(0.0, c->point[i].target);
    }
    return push;
}

static double push_of_rows(const AbutSimulation *sim, const AbutIsland *island) {
    double push = 0.0;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t k = tree->first_row; k < tree->first_row + tree->row_count; ++k) {
            const AbutTreeRow *row = &sim->trees->row[k];
            push += row->active && !row->soft ? abut_larger(0.0, row->impulse * row->target) : 0.0;
        }
    }
    for (int32_t k = 0; k < island->join_count; ++k) {
        const AbutJoin *join = abut_island_join(sim, island, k);
        for (int i = 0; i < join->rows; ++i) push += abut_larger(0.0, join->impulse[i] * join->target[i]);
    }
    return push;
}

/* Energy allowed to an island of free bodies: errors of its sweeps, and the work of pushing out. */
static double allowed_to_bodies(const AbutSimulation *sim, const AbutIsland *island, const Energies *e, double before) {
    double fast = ABUT_IMPACT_STEPS * sim->constants.gravity_dt, g = sim->constants.gravity_dt / sim->constants.dt;
    double most = ABUT_GAIN_PART * (before + g * e->lever);
    return abut_smaller(push_of_contacts(sim, island), most) +
           abut_smaller(ABUT_GAIN_PART * before + 0.5 * e->mass * fast * fast, most);
}

/* Piles that a robot touches are swept as those of free bodies are. */
static int is_pile(AbutSimulation *sim, const AbutIsland *island) {
    return island->tree_count + island->join_count == 0 ||
           2 * abut_newton_contacts(sim, island) > island->count + island->join_count;
}

int abut_island_gains(AbutSimulation *sim, AbutIsland *island) {
    if (!sim->model->watched || (!island->capped && island->tree_count + island->join_count == 0)) return 0;
    Energies e = energies_of(sim, island);
    double given = e.given - work_in(sim, island), slow = ABUT_GAIN_STEPS * sim->constants.gravity_dt,
           little = 0.5 * e.mass * slow * slow;
    if (given <= little) return 0;
    Kinetic k = kinetic_of(sim, island);
    given = abut_larger(
        abut_smaller(given, k.after - k.start), given - ABUT_GAIN_AGAINST * abut_larger(0.0, k.before - k.start));
    return !(given <= (is_pile(sim, island) ? allowed_to_bodies(sim, island, &e, k.before)
                                            : little + ABUT_GAIN_ERROR * k.before));
}

/* ---- what shoves ------------------------------------------------------------------------------------------------- */

void abut_island_keep_shove(AbutSimulation *sim, AbutIsland *island) {
    double rows = push_of_rows(sim, island), contacts = push_of_contacts(sim, island);
    island->rows = rows > 0.0 ? rows / (rows + contacts) : 0.0;
    AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        memcpy(t->shove + tree->first, t->z + tree->first, (size_t)tree->c->tree->nv * sizeof *t->z);
    }
    for (int32_t k = 0, mark = ++island->marks, place; (place = next_body(sim, island, mark, &k)) >= 0;) {
        AbutSolverBody *m = &sim->mover[place];
        m->shove_v = m->v, m->shove_w = m->w;
    }
}

static double part_of_tree(const AbutSimulation *sim, const AbutSolverTree *tree) {
    double *v = sim->trees->work + tree->first, most = 0.0;
    memcpy(v, sim->trees->shove + tree->first, (size_t)tree->c->tree->nv * sizeof *v);
    abut_robot_solve_down(tree->c, v);
    for (int32_t i = 0; i < tree->c->tree->move_count; ++i) {
        const AbutMove *move = &tree->c->tree->moves[i];
        int32_t free = move->kind == ABUT_MOVE_FREE, ball = move->kind == ABUT_MOVE_BALL;
        for (int32_t k = 0; k < (free ? 6 : ball ? 3 : 1); ++k) {
            int turns = free ? k >= 3 : move->kind != ABUT_MOVE_SLIDE;
            most = abut_larger(most, fabs(v[move->velocity + k]) / (turns ? tree->turning : tree->speed));
        }
    }
    return most > ABUT_ROW_SPEED ? ABUT_ROW_SPEED / most : 1.0;
}

/* The kept values become the difference to the velocities now; gives the part of it that is no faster than limits push.
 */
static double set_shove(AbutSimulation *sim, AbutIsland *island) {
    AbutTrees *t = sim->trees;
    double part = 1.0;
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) t->shove[d] -= t->z[d];
        part = abut_smaller(part, part_of_tree(sim, tree));
    }
    for (int32_t k = 0, mark = ++island->marks, place; (place = next_body(sim, island, mark, &k)) >= 0;) {
        AbutSolverBody *m = &sim->mover[place];
        m->shove_v = abut_sub(m->shove_v, m->v), m->shove_w = abut_sub(m->shove_w, m->w);
        double fast = abut_length(m->shove_v) + m->size * abut_length(m->shove_w),
               most = ABUT_ROW_SPEED * abut_scale_speed(&sim->def, m->size / ABUT_TREE_SIZE);
        part = fast > most ? abut_smaller(part, most / fast) : part;
    }
    return part;
}

void abut_island_add_shove(AbutSimulation *sim, AbutIsland *island) {
    AbutTrees *t = sim->trees;
    double part = set_shove(sim, island);
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) t->z[d] += t->shove[d] *= part;
    }
    for (int32_t k = 0, mark = ++island->marks, place; (place = next_body(sim, island, mark, &k)) >= 0;) {
        AbutSolverBody *m = &sim->mover[place];
        m->shove_v = abut_scale(m->shove_v, part), m->shove_w = abut_scale(m->shove_w, part);
        m->v = abut_add(m->v, m->shove_v), m->w = abut_add(m->w, m->shove_w);
    }
}

double abut_island_momentum(AbutSimulation *sim, AbutIsland *island) {
    Energies e = energies_of(sim, island);
    return sqrt(2.0 * e.mass * e.before) + e.mass * sim->constants.gravity_dt;
}
