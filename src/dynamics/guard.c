/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Energy comes from work alone. In: an island after its sweeps, with velocities before the impulses (free_v of bodies,
 * `free` of trees) and after them. An impulse l that takes its place from velocity u to u' brings in l.(u + u') / 2:
 * that of springs and servos, and what belts and kinematic bodies do, is work. What is left came from rigid rows, and
 * where their laws hold it is at most the sum of l times target: the work of pushing out. An island may have that much,
 * up to what its places would get if each were pushed alone, and a small error where sweeps stopped at their limit. An
 * island that gained more is solved anew (calm.c).
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

/* ---- energies ---------------------------------------------------------------------------------------------------- */

typedef struct Energies {
    double gain, before, mass, lever; /* by impulses; before them; lever: mass times size */
    int all;
} Energies;

/* Product of two angular velocities with the inertia of a body. */
static double turning(const AbutSimulation *sim, int32_t place, AbutVec3 a, AbutVec3 b)
{
    AbutMat3 r = sim->mover[place].rotation;
    return abut_dot(abut_mat3_apply_t(r, a), abut_mat3_apply(sim->scene->body[place].inertia, abut_mat3_apply_t(r, b)));
}

static void add_body(const AbutSimulation *sim, int32_t place, Energies *e)
{
    const AbutSolverBody *m = &sim->mover[place];
    double mass = 1.0 / m->inv_mass;
    e->gain += 0.5 * (mass * abut_dot(abut_sub(m->v, m->free_v), abut_add(m->v, m->free_v)) +
                         turning(sim, place, abut_sub(m->w, m->free_w), abut_add(m->w, m->free_w)));
    if (!e->all)
        return;
    e->mass += mass;
    e->lever += mass * m->size;
    e->before += 0.5 * (mass * abut_length_sq(m->free_v) + turning(sim, place, m->free_w, m->free_w));
}

static void add_tree(const AbutTrees *t, const AbutSolverTree *tree, Energies *e)
{
    for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) {
        e->gain += 0.5 * (t->z[d] - t->free[d]) * (t->z[d] + t->free[d]);
        e->before += 0.5 * t->free[d] * t->free[d];
    }
    e->mass += tree->mass;
    e->lever += tree->mass * tree->size;
}

static void add_bodies(AbutSimulation *sim, AbutIsland *island, Energies *e)
{
    int32_t mark = ++island->marks;
    for (int32_t k = 0, count = abut_island_sides(island); k < count; ++k) {
        int32_t place = abut_island_side(sim, island, k);
        if (place < 0 || sim->mover[place].mark == mark)
            continue;
        sim->mover[place].mark = mark; /* each body once */
        add_body(sim, place, e);
    }
}

/* `all`: not the gain alone. */
static Energies energies_of(AbutSimulation *sim, AbutIsland *island, int all)
{
    Energies e = {0, 0, 0, 0, all};
    for (int32_t i = 0; i < island->tree_count; ++i)
        add_tree(sim->trees, abut_island_tree(sim, island, i), &e);
    add_bodies(sim, island, &e);
    return e;
}

double abut_island_given(AbutSimulation *sim, AbutIsland *island)
{
    Energies e = {0, 0, 0, 0, 0};
    add_bodies(sim, island, &e);
    return e.gain;
}

/* ---- what is allowed --------------------------------------------------------------------------------------------- */

/* What rigid rows may bring in: `push`, impulses times targets; `alone`, `limits`, each place or limit pushed by
 * itself; `together`, everything at the speed of the fastest push. Work of others. */
typedef struct Allowed {
    double push, alone, limits, together, work;
} Allowed;

/* Where sweeps stopped at their limit, places push against each other: most of it is not work then. */
static double most_pushed(const Allowed *a, int jammed)
{
    double places = abut_larger((jammed ? ABUT_JAM_ALONE : 1.0) * a->alone, a->together);
    return abut_smaller(a->push, places + a->limits);
}

static double free_speed(const AbutTrees *t, const AbutTreeRow *row)
{
    double u = 0.0;
    for (int32_t k = 0; k < row->count; ++k)
        u += t->row_y[row->first + k] * t->free[t->row_dof[row->first + k]];
    return u;
}

static void allow_rows(const AbutTrees *t, const AbutSolverTree *tree, Allowed *a)
{
    for (int32_t k = 0; k < tree->row_count; ++k) {
        const AbutTreeRow *row = &t->row[tree->first_row + k];
        if (!row->active || row->impulse == 0.0)
            continue;
        double push = row->impulse * row->target;
        if (row->soft)
            a->work += 0.5 * row->impulse * (free_speed(t, row) + abut_row_speed(t, row));
        else if (push > 0.0)
            a->push += push,
                *(row->low < 0.0 ? &a->alone : &a->limits) += 0.5 * row->target * row->target * row->inverse;
    }
}

static void allow_contact(const AbutSimulation *sim, const AbutSolverContact *c, Allowed *a)
{
    double most = 0.0, fastest = 0.0, mass = c->link_sides ? abut_contact_moved_mass(sim, c) : 0.0;
    for (int i = 0; i < c->count; ++i) {
        double target = abut_larger(0.0, c->point[i].target);
        double square = target * (0.5 * target + sim->constants.gravity_dt);
        a->push += c->point[i].n * target;
        most = abut_larger(most, square * abut_smaller(ABUT_PUSH_LEVER * mass, c->point[i].inv_kn));
        fastest = abut_larger(fastest, square);
    }
    a->alone += most;
    a->together = abut_larger(a->together, fastest * mass);
    a->work += abut_contact_work(sim, c);
}

static void allow_join(const AbutSimulation *sim, const AbutJoin *join, Allowed *a)
{
    for (int i = 0; i < join->rows; ++i) {
        double push = join->impulse[i] * join->target[i], response = join->trace[i / 3] / 3.0;
        if (push > 0.0 && response > 0.0)
            a->push += push, a->alone += 0.5 * join->target[i] * join->target[i] / response;
    }
    a->work += abut_join_work(sim, join);
}

static Allowed allowed_in(const AbutSimulation *sim, const AbutIsland *island)
{
    Allowed a = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (int32_t k = 0; k < island->count; ++k)
        allow_contact(sim, abut_island_contact(sim, island, k), &a);
    for (int32_t i = 0; i < island->tree_count; ++i)
        allow_rows(sim->trees, abut_island_tree(sim, island, i), &a);
    for (int32_t k = 0; k < island->join_count; ++k)
        allow_join(sim, abut_island_join(sim, island, k), &a);
    return a;
}

double abut_island_pushed(const AbutSimulation *sim, const AbutIsland *island)
{
    Allowed a = allowed_in(sim, island);
    return most_pushed(&a, island->capped && !island->guarded);
}

/* Errors that sweeps may bring in; `most`: at most. */
static double error_in(const AbutSimulation *sim, const AbutIsland *island, const Energies *e, double *most)
{
    double fast = ABUT_IMPACT_STEPS * sim->constants.gravity_dt, g = sim->constants.gravity_dt / sim->constants.dt;
    *most = ABUT_GAIN_PART * (e->before + g * e->lever);
    double error = (island->whole ? ABUT_GAIN_ERROR : ABUT_GAIN_PART) * e->before + 0.5 * e->mass * fast * fast;
    return abut_smaller(error, *most);
}

static int gains(AbutSimulation *sim, AbutIsland *island, int jammed)
{
    int robots = island->tree_count + island->join_count > 0;
    double most;
    Energies e = energies_of(sim, island, 0);
    if (e.gain <= (island->capped ? 0.0 : error_in(sim, island, &e, &most)))
        return 0;
    e = energies_of(sim, island, 1);
    Allowed a = allowed_in(sim, island);
    double error = error_in(sim, island, &e, &most);
    return !(e.gain - a.work <= (robots ? most_pushed(&a, jammed) : abut_smaller(a.push, most)) + error);
}

/* ---- the guard --------------------------------------------------------------------------------------------------- */

void abut_island_guard(AbutSimulation *sim, AbutIsland *island)
{
    int robots = island->tree_count + island->join_count > 0;
    if (!sim->model->watched || (!island->capped && !robots) || !gains(sim, island, island->capped))
        return;
    island->guarded = 1;
    abut_island_calm(sim, island, ABUT_CALM_PUSH);
    if (gains(sim, island, 0))
        abut_island_calm(sim, island, 0.0);
}

double abut_island_momentum(AbutSimulation *sim, AbutIsland *island)
{
    Energies e = energies_of(sim, island, 1);
    return sqrt(2.0 * e.mass * e.before) + e.mass * sim->constants.gravity_dt;
}
