/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Energy comes from work alone. In: an island after its sweeps, with velocities before the impulses (free_v of bodies,
 * `free` of trees) and after them. Impulses l that end with velocities u did l.u - l.A.l / 2, A their response, and
 * where the law of contact holds l.u is at most the sum of l times target. So sweeps that got to their tolerance need
 * no test; those that stopped at their limit are allowed that work, what soft rows do, and an error, each up to a part
 * of what there is. An island that gained more is solved anew (calm.c), unless a moving surface or a kinematic body
 * drives it.
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

/* `all`: not the gain alone. */
static Energies energies_of(AbutSimulation *sim, AbutIsland *island, int all)
{
    Energies e = {0, 0, 0, 0, all};
    int32_t mark = ++island->marks;
    for (int32_t i = 0; i < island->tree_count; ++i)
        add_tree(sim->trees, abut_island_tree(sim, island, i), &e);
    for (int32_t k = 0, count = abut_island_sides(island); k < count; ++k) {
        int32_t place = abut_island_side(sim, island, k);
        if (place < 0 || sim->mover[place].mark == mark)
            continue;
        sim->mover[place].mark = mark; /* each body once */
        add_body(sim, place, &e);
    }
    return e;
}

/* ---- what is allowed --------------------------------------------------------------------------------------------- */

/* Work of rows: pushes, and (in *soft) springs and servos on tendons. */
static double work_of_rows(const AbutTrees *t, const AbutSolverTree *tree, double *soft)
{
    double push = 0.0;
    for (int32_t k = 0; k < tree->row_count; ++k) {
        const AbutTreeRow *row = &t->row[tree->first_row + k];
        if (row->active && row->softness > 0.0)
            *soft += fabs(row->impulse) * (fabs(row->target) + fabs(abut_row_speed(t, row)));
        else if (row->active)
            push += abut_larger(0.0, row->impulse * row->target);
    }
    return push;
}

static double work_of_pushes(AbutSimulation *sim, const AbutIsland *island, double *soft)
{
    double push = 0.0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        for (int i = 0; i < c->count; ++i)
            push += c->point[i].n * abut_larger(0.0, c->point[i].target);
    }
    for (int32_t i = 0; i < island->tree_count; ++i)
        push += work_of_rows(sim->trees, abut_island_tree(sim, island, i), soft);
    for (int32_t k = 0; k < island->join_count; ++k) {
        const AbutJoin *join = abut_island_join(sim, island, k);
        for (int i = 0; i < join->rows; ++i)
            push += abut_larger(0.0, join->impulse[i] * join->target[i]);
    }
    return push;
}

static int is_driven(const AbutSimulation *sim, const AbutIsland *island)
{
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k);
        const AbutSolverBody *a = &sim->mover[c->body_a];
        if (c->moving || (a->inv_mass == 0.0 && (abut_max_abs(a->v) > 0.0 || abut_max_abs(a->w) > 0.0)))
            return 1;
    }
    return 0;
}

static int gains(AbutSimulation *sim, AbutIsland *island)
{
    if (energies_of(sim, island, 0).gain <= 0.0)
        return 0;
    Energies e = energies_of(sim, island, 1);
    double soft = 0.0, push = work_of_pushes(sim, island, &soft), fast = ABUT_IMPACT_STEPS * sim->constants.gravity_dt,
           g = sim->constants.gravity_dt / sim->constants.dt, most = ABUT_GAIN_PART * (e.before + g * e.lever),
           error = ABUT_GAIN_PART * e.before + 0.5 * e.mass * fast * fast;
    return !(e.gain <= abut_smaller(push, most) + abut_smaller(error, most) + soft);
}

/* ---- the guard --------------------------------------------------------------------------------------------------- */

void abut_island_guard(AbutSimulation *sim, AbutIsland *island)
{
    if (!island->capped || !sim->model->watched || !gains(sim, island) || is_driven(sim, island))
        return;
    island->guarded = 1;
    abut_island_calm(sim, island, ABUT_CALM_PUSH);
    if (gains(sim, island))
        abut_island_calm(sim, island, 0.0);
}

double abut_island_momentum(AbutSimulation *sim, AbutIsland *island)
{
    Energies e = energies_of(sim, island, 1);
    return sqrt(2.0 * e.mass * e.before) + e.mass * sim->constants.gravity_dt;
}
