/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Energy comes from work alone. In: an island after its sweeps, with velocities before the impulses (free_v of bodies,
 * `free` of trees: gravity, forces, motors and springs have acted) and after them. The difference of the two energies
 * is what the impulses did. With impulses l, velocities u after and their response A it is l.u - l.A.l / 2, and where
 * the law of contact holds, l.u is at most the sum of l times target: what pushing out of an overlap and into a join
 * takes, and what bounces. So sweeps that got to their tolerance need no test; those that stopped at their limit are
 * allowed that work, what springs and servos on tendons do, and an error, each up to a part of what there is. An island
 * that gained more is solved anew (calm.c).
 *
 * Islands are left alone that a moving surface or a kinematic body drives, and contact models that are not watched.
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

/* ---- energies ---------------------------------------------------------------------------------------------------- */

typedef struct Energies {
    double before, after, mass, lever; /* lever: mass times size */
} Energies;

/* Bodies of contacts and joins, with repetitions; NULL: none that impulses move, or a link. */
static int32_t side_count(const AbutIsland *island)
{
    return 2 * (island->count + island->join_count);
}

static int32_t free_side(const AbutSimulation *sim, const AbutIsland *island, int32_t k)
{
    int32_t place;
    if (k < 2 * island->count) {
        const AbutSolverContact *c = abut_island_contact(sim, island, k / 2);
        place = k & 1 ? c->body_b : c->body_a;
    } else {
        place = abut_island_join(sim, island, k / 2 - island->count)->body[k & 1];
    }
    return place >= 0 && sim->mover[place].tree < 0 && sim->mover[place].inv_mass > 0.0 ? place : -1;
}

static double energy(double mass, AbutMat3 inertia, AbutVec3 v, AbutVec3 w)
{
    return 0.5 * (mass * abut_length_sq(v) + abut_dot(w, abut_mat3_apply(inertia, w)));
}

static void add_body(const AbutSimulation *sim, int32_t place, Energies *e)
{
    const AbutSolverBody *m = &sim->mover[place];
    AbutMat3 inertia = abut_mover_inertia(sim, place);
    double mass = 1.0 / m->inv_mass;
    e->mass += mass;
    e->lever += mass * m->size;
    e->before += energy(mass, inertia, m->free_v, m->free_w);
    e->after += energy(mass, inertia, m->v, m->w);
}

static Energies energies_of(AbutSimulation *sim, const AbutIsland *island)
{
    const AbutTrees *t = sim->trees;
    Energies e = {0, 0, 0, 0};
    for (int32_t i = 0; i < island->tree_count; ++i) {
        const AbutSolverTree *tree = abut_island_tree(sim, island, i);
        e.mass += tree->mass;
        e.lever += tree->mass * tree->size;
        for (int32_t d = tree->first; d < tree->first + tree->c->tree->nv; ++d) {
            e.before += 0.5 * t->free[d] * t->free[d];
            e.after += 0.5 * t->z[d] * t->z[d];
        }
    }
    for (int pass = 0; pass < 2; ++pass) /* each body once */
        for (int32_t k = 0, count = side_count(island); k < count; ++k) {
            int32_t place = free_side(sim, island, k);
            if (place < 0 || sim->mover[place].counted == pass)
                continue;
            sim->mover[place].counted = pass;
            if (pass)
                add_body(sim, place, &e);
        }
    return e;
}

/* ---- what is allowed --------------------------------------------------------------------------------------------- */

static double row_speed(const AbutTrees *t, const AbutTreeRow *row)
{
    double u = 0.0;
    for (int32_t k = 0; k < row->count; ++k)
        u += t->row_y[row->first + k] * t->z[t->row_dof[row->first + k]];
    return u;
}

/* Work of rows: pushes, and (in *soft) springs and servos on tendons. */
static double work_of_rows(const AbutTrees *t, const AbutSolverTree *tree, double *soft)
{
    double push = 0.0;
    for (int32_t k = 0; k < tree->row_count; ++k) {
        const AbutTreeRow *row = &t->row[tree->first_row + k];
        if (row->active && row->softness > 0.0)
            *soft += fabs(row->impulse) * (fabs(row->target) + fabs(row_speed(t, row)));
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

static int gains(AbutSimulation *sim, const AbutIsland *island)
{
    Energies e = energies_of(sim, island);
    if (e.after <= e.before)
        return 0;
    double soft = 0.0, push = work_of_pushes(sim, island, &soft), fast = ABUT_IMPACT_STEPS * sim->constants.gravity_dt,
           g = sim->constants.gravity_dt / sim->constants.dt, most = ABUT_GAIN_PART * (e.before + g * e.lever),
           error = ABUT_GAIN_PART * e.before + 0.5 * e.mass * fast * fast;
    return !(e.after - e.before <= abut_smaller(push, most) + abut_smaller(error, most) + soft);
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

double abut_island_momentum(AbutSimulation *sim, const AbutIsland *island)
{
    Energies e = energies_of(sim, island);
    return sqrt(2.0 * e.mass * e.before) + e.mass * sim->constants.gravity_dt;
}
