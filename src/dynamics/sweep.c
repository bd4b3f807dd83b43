/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The solve stage: sweeps over the contacts of each island until the velocities stand still, whatever the contact
 * model; with Newton steps of the whole island between them (newton.h) where the model takes them. The direction of the
 * sweeps alternates, because one-sided sweeps let the undetermined part of the forces drift. Islands share no moving
 * body, so they run in parallel; one that has more than its share of all contacts is solved by all threads together,
 * level by level (packed.h). The result does not depend on the number of threads.
 */
#include "dynamics/newton.h"
#include "dynamics/packed.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"

#include <string.h>

static int begins_backward(const AbutSimulation *sim, const AbutIsland *island) {
    return sim->solver.one_way ? 0 : (int)((island->sweeps + sim->step) & 1);
}

static int sweeps_left(const AbutIsland *island) { return island->begun + island->iterations - island->sweeps; }

/* One sweep; gives the square of the largest change of velocity. */
static double sweep(AbutSimulation *sim, AbutIsland *island, int worker) {
    AbutSolverContact *all = sim->contacts.at;
    const int32_t *list = sim->islands.contact + island->first;
    const uint8_t *mate = sim->islands.mate + island->first;
    int backward = begins_backward(sim, island), step = backward ? -1 : 1;
    int robots = island->tree_count + island->join_count > 0;
    double worst = robots && !backward ? abut_trees_sweep(sim, island, 0) : 0.0;
    for (int32_t k = 0, at = backward ? island->count - 1 : 0; k < island->count; ++k, at += step) {
        int two = mate[at] != ABUT_MATE_NONE;
        double change = two ? sim->model->visit_two(sim, all + list[at], all + list[at + step], backward)
                            : sim->model->visit(sim, all + list[at], backward, worker);
        worst = change > worst ? change : worst;
        k += two, at += two ? step : 0;
    }
    if (robots && backward) worst = abut_larger(worst, abut_trees_sweep(sim, island, 1));
    ++island->sweeps;
    return worst;
}

/* Up to so many sweeps, until the velocities stand still; gives the last change, `worst` where there is no sweep left.
 */
static double sweep_some(AbutSimulation *sim, AbutIsland *island, int most, double worst, int worker) {
    double limit = island->tolerance * island->tolerance;
    int left = sweeps_left(island);
    most = most < left ? most : left;
    if (island->packed && most > 0) {
        AbutLaneRun run = {most, limit, begins_backward(sim, island), sim->solver.one_way, sim->solver.team, 0};
        worst = abut_lanes_run(&sim->solver.packed[worker].lanes, &run);
        island->sweeps += run.done;
        return worst;
    }
    for (int i = 0; i < most; ++i) {
        worst = sweep(sim, island, worker);
        if (worst <= limit) break;
    }
    return worst;
}

/* A Newton step, of which a compact copy is told; 0: none was taken. */
static int take_newton_step(AbutSimulation *sim, AbutIsland *island, int first, int worker) {
    if (island->whole) return abut_tree_newton_step(sim, island, first, worker);
    if (island->packed) abut_packed_end(sim, island, &sim->solver.packed[worker]);
    int taken = abut_newton_step(sim, island, worker);
    if (island->packed) abut_packed_renew(sim, island, &sim->solver.packed[worker]);
    return taken;
}

static void undo_newton_step(AbutSimulation *sim, AbutIsland *island, int worker) {
    if (island->whole)
        abut_tree_newton_undo(sim, island, worker);
    else
        abut_newton_undo(sim, island, worker);
    if (island->packed) abut_packed_renew(sim, island, &sim->solver.packed[worker]);
}

/* Is the order of bodies for a Newton step found when the first one is taken? Small islands always have one; whether a
 * large one does decides how it is swept. */
static int has_late_order(const AbutIsland *island) { return !island->whole && island->count < ABUT_PACKED_LEAST; }

/* Newton steps, each followed by sweeps. One that makes the change of velocity grow, or with robots has impulses far
 * above the momentum there is, is taken back, and was the last. */
static double take_newton_steps(AbutSimulation *sim, AbutIsland *island, double worst, int worker) {
    double limit = island->tolerance * island->tolerance;
    int steps = island->whole ? ABUT_WHOLE_STEPS : ABUT_NEWTON_STEPS;
    if (!(worst > limit) || sweeps_left(island) <= 0 ||
        (has_late_order(island) && !abut_newton_begin(sim, island, worker)))
        return worst;
    for (int k = 0; k < steps && worst > limit && sweeps_left(island) > 0; ++k) {
        double before = worst;
        if (!take_newton_step(sim, island, k == 0, worker)) break;
        worst = sweep_some(sim, island, ABUT_NEWTON_SWEEPS, worst, worker);
        if (worst > ABUT_NEWTON_WORSE * before || (island->whole && abut_tree_newton_runs_wild(sim, island, worker))) {
            undo_newton_step(sim, island, worker);
            return before;
        }
    }
    return worst;
}

/* Newton steps solve tall stacks without help, and links are pressed by motors as well as by weights: there, compliance
 * that was left open lets a contact sag by one margin at most. */
static void limit_sag(AbutSimulation *sim, const AbutIsland *island, int newton) {
    double most = 0.25 * sim->constants.beta / sim->constants.dt; /* half of k times half of the margins */
    for (int32_t k = 0; k < island->count && sim->def.compliance < 0.0; ++k) {
        AbutSolverContact *c = abut_island_contact(sim, island, k);
        double pressed = 0.0;
        for (int i = 0; i < c->count && c->alpha > 0.0 && (newton || c->link_sides); ++i)
            if (c->point[i].inv_kn > 0.0) /* not in a direction that no joint gives way in */
                pressed = abut_larger(pressed, c->point[i].n / c->point[i].inv_kn);
        if (c->alpha * pressed > most * c->touch->margins) c->alpha = most * c->touch->margins / pressed;
    }
}

/* Sweeps after the Newton steps of robots: until velocities stand still, or go back and forth by little. */
static double sweep_on(AbutSimulation *sim, AbutIsland *island, double worst, int worker) {
    double limit = island->tolerance * island->tolerance, little = ABUT_STALL_PART * sim->constants.gravity_dt, before;
    do {
        before = worst;
        worst = sweep_some(sim, island, ABUT_STALL_SWEEPS, worst, worker);
    } while (worst > limit && sweeps_left(island) > 0 && !(worst > 0.25 * before && worst < little * little));
    return worst;
}

/* First sweeps of an island with robots, and some more where those will do at the pace of there and back. */
static double sweep_first(AbutSimulation *sim, AbutIsland *island, int worker) {
    double limit = island->tolerance * island->tolerance;
    double before = sweep_some(sim, island, ABUT_WHOLE_SWEEPS - 2, INFINITY, worker);
    double worst = before > limit ? sweep_some(sim, island, 2, before, worker) : before, later = worst;
    for (int i = 0; i < ABUT_WHOLE_PATIENCE && later > limit; i += 2) later *= worst / before;
    return worst > limit && later <= limit ? sweep_some(sim, island, ABUT_WHOLE_PATIENCE, worst, worker) : worst;
}

static void sweep_island(AbutSimulation *sim, AbutIsland *island, int newton, int worker) {
    double limit = island->tolerance * island->tolerance, worst = INFINITY;
    if (newton) {
        worst = island->whole ? sweep_first(sim, island, worker)
                              : sweep_some(sim, island, ABUT_NEWTON_SWEEPS, worst, worker);
        worst = take_newton_steps(sim, island, worst, worker);
    }
    if (worst > limit)
        worst = island->whole ? sweep_on(sim, island, worst, worker)
                              : sweep_some(sim, island, island->iterations, worst, worker);
    if (island->packed) abut_packed_end(sim, island, &sim->solver.packed[worker]);
    island->residual = sqrt(worst);
    island->capped = worst > limit;
    abut_island_rest_end(sim, island);
}

/* Largest distance of a contact from its law. */
static double island_violation(AbutSimulation *sim, const AbutIsland *island) {
    double worst = 0.0;
    for (int32_t k = 0; k < island->count && sim->model->residual; ++k)
        worst = abut_larger(worst, sim->model->residual(sim, abut_island_contact(sim, island, k)));
    return worst;
}

static void damp(AbutSolverBody *m, const AbutBody *body, double h) {
    if (body->damping > 0.0) m->v = abut_scale(m->v, abut_exp(-h * body->damping));
    if (body->spin_damping > 0.0) m->w = abut_scale(m->w, abut_exp(-h * body->spin_damping));
}

/* Effect of gravity, external forces and drag on a free body in a step; gives the work of the forces. */
static double kick_mover(AbutSolverBody *m, const AbutBody *body, AbutVec3 kick, double h) {
    m->start_v = m->free_v = m->v;
    m->start_w = m->free_w = m->w;
    if (!(m->inv_mass > 0.0) || m->asleep || m->tree >= 0) return 0.0;
    AbutVec3 force = abut_add(m->force, body->force), torque = abut_add(m->torque, body->torque);
    double work = 0.0;
    m->v = abut_add(m->v, body->gravity_scale == 1.0 ? kick : abut_scale(kick, body->gravity_scale));
    if (abut_max_abs(force) > 0.0 || abut_max_abs(torque) > 0.0)
        work = abut_push_work(m, abut_zero(), abut_scale(force, h), abut_scale(torque, h));
    damp(m, body, h);
    if (m->locked) m->v = abut_mul(m->v, m->along);
    m->free_v = m->v;
    m->free_w = m->w;
    return work;
}

/* Impulses of the last step, then sweeps; `keeps`: what they began with is kept for a redo. */
static void solve_once(AbutSimulation *sim, AbutIsland *island, int robots, int keeps, int worker) {
    island->begun = island->sweeps;
    if (robots)
        abut_trees_prepare(sim, island, sim->constants.dt);
    else if (sim->model->newton)
        abut_island_strike(sim, island);
    island->whole = robots && sim->solver.newton && abut_tree_newton_fits(sim, island);
    int newton =
        island->whole || (sim->solver.newton && (has_late_order(island) ? abut_newton_contacts(sim, island) > 0
                                                                        : abut_newton_begin(sim, island, worker)));
    if (newton || robots) limit_sag(sim, island, newton);
    if (robots) abut_trees_begin(sim, island);
    abut_island_rest_begin(sim, island);
    island->packed = sim->solver.packed && !island->whole && !has_late_order(island) &&
                     (!newton || sim->solver.newton[worker].now->plain) &&
                     abut_packed_begin(sim, island, &sim->solver.packed[worker]);
    if (island->packed) abut_packed_fill(sim, island, &sim->solver.packed[worker]);
    for (int32_t k = 0; k < island->count && !island->packed; ++k) {
        if (k + 2 < island->count && island->count > ABUT_FETCH_LEAST)
            abut_contact_fetch(abut_island_contact(sim, island, k + 2));
        sim->model->begin(sim, abut_island_contact(sim, island, k), worker);
    }
    if (robots) abut_trees_second_bias(sim, island, sim->constants.dt);
    if (keeps) abut_impulses_keep(sim, island, sim->solver.kept[worker].at, ABUT_KEEP);
    if (sim->model->solve_island)
        sim->model->solve_island(sim, island, worker);
    else
        sweep_island(sim, island, newton, worker);
}

void abut_island_restart(AbutSimulation *sim, const AbutIsland *island) {
    for (int32_t k = 0, sides = abut_island_sides(island); k < sides; ++k) {
        int32_t place = abut_island_side(sim, island, k);
        if (place < 0) continue;
        sim->mover[place].v = sim->mover[place].free_v;
        sim->mover[place].w = sim->mover[place].free_w;
    }
}

/* An island that gained energy from nowhere is solved again with nothing pushed, by the law that takes energy where
 * that gains too. */
static void guard_island(AbutSimulation *sim, AbutIsland *island, int worker) {
    if (!abut_island_gains(sim, island)) return;
    island->guarded = 1;
    abut_island_keep_shove(sim, island);
    abut_island_push_nothing(sim, island);
    if (island->tree_count + island->join_count > 0) {
        island->begun = island->sweeps;
        sweep_island(sim, island, island->whole, worker);
    }
    if (abut_island_gains(sim, island)) abut_island_calm(sim, island);
    abut_island_add_shove(sim, island);
}

/* Once, and again where friction losses that were taken for locks gave way: with the impulses of the first start, for
 * those that were found against locks are far too large without them. */
static void solve_robots(AbutSimulation *sim, AbutIsland *island, int worker) {
    double h = sim->constants.dt;
    int locks = abut_locks_set(sim, island, h) > 0;
    if (locks && !abut_kept_reserve(sim, island, 0, &sim->solver.kept[worker])) {
        island->starved = 1;
        return;
    }
    solve_once(sim, island, 1, locks, worker);
    for (int round = 1; round <= ABUT_LOCK_ROUNDS && abut_locks_break(sim, island, h, round == ABUT_LOCK_ROUNDS);
         ++round) {
        abut_island_restart(sim, island);
        abut_impulses_keep(sim, island, sim->solver.kept[worker].at, ABUT_KEPT_BUT_LOSSES);
        solve_once(sim, island, 1, 0, worker);
    }
    guard_island(sim, island, worker);
    abut_trees_finish(sim, island);
}

static void solve_island(AbutSimulation *sim, AbutIsland *island, int worker) {
    if (island->tree_count + island->join_count > 0) {
        solve_robots(sim, island, worker);
    } else {
        solve_once(sim, island, 0, 0, worker);
        if (island->capped && sim->model->watched && abut_island_runs_away(sim, island))
            abut_island_calm(sim, island);
        else
            guard_island(sim, island, worker);
    }
    if (sim->solver.wants_violation) island->violation = island_violation(sim, island);
}

static int is_shared(const AbutSimulation *sim, const AbutIsland *island) {
    return sim->solver.packed && sim->solver.workers > 1 && island->contacts >= ABUT_PACKED_LEAST &&
           (int64_t)island->contacts * sim->solver.workers > sim->islands.order_count - sim->awake.settled_contacts;
}

/* Those that the whole team solves together, or the others. */
static void solve_islands(int begin, int end, int worker, void *user) {
    AbutSimulation *sim = user;
    for (int k = begin; k < end; ++k) {
        AbutIsland *island = &sim->islands.at[sim->awake.settled_islands + k];
        if (!island->asleep && is_shared(sim, island) == (sim->solver.team > 1)) solve_island(sim, island, worker);
    }
}

void abut_stage_solve(AbutSimulation *sim, double h) {
    AbutVec3 kick = abut_scale(sim->def.gravity, h);
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        int32_t i = sim->awake.body[k];
        if (sim->mover[i].alive) sim->report.work += kick_mover(&sim->mover[i], &sim->scene->body[i], kick, h);
    }
    if (sim->trees) abut_trees_drive(sim, h);
    sim->solver.team = sim->solver.workers;
    if (sim->solver.team > 1) solve_islands(0, sim->islands.count - sim->awake.settled_islands, 0, sim);
    sim->solver.team = 1;
    abut_parallel_for(sim->islands.count - sim->awake.settled_islands, 1, sim->def.threads, solve_islands, sim);
    abut_movers_store(sim);
}

/* ---- memory of the workers --------------------------------------------------------------------------------------- */

static void *take_zeroed(size_t count, size_t bytes_each) {
    void *memory = abut_alloc_array(count, bytes_each);
    return memory ? memset(memory, 0, count * bytes_each) : NULL;
}

int abut_solver_make(AbutSolver *solver, const AbutContactModel *model, int32_t workers) {
    size_t count = (size_t)workers;
    solver->workers = workers;
    solver->kept = take_zeroed(count, sizeof *solver->kept);
    solver->newton = model->newton ? take_zeroed(count, sizeof *solver->newton) : NULL;
    solver->packed = model->newton ? take_zeroed(count, sizeof *solver->packed) : NULL;
    if (solver->kept && (!model->newton || (solver->newton && solver->packed))) return 1;
    abut_solver_free(solver);
    memset(solver, 0, sizeof *solver);
    return 0;
}

void abut_solver_free(AbutSolver *solver) {
    for (int32_t i = 0; i < solver->workers; ++i) {
        if (solver->kept) abut_free(solver->kept[i].at);
        if (solver->newton) abut_newton_free(&solver->newton[i]);
        if (solver->packed) abut_packed_free(&solver->packed[i]);
    }
    abut_free(solver->kept);
    abut_free(solver->newton);
    abut_free(solver->packed);
    abut_free(solver->model_memory);
}
