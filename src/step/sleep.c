/* SPDX-License-Identifier: Apache-2.0 */
/* Sleep. In: islands and the velocities of their bodies. Out: which islands and bodies sleep; those stand still. */
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"

/* A robot rests when its joints do, and nothing asks them to move. */
static int rests(const AbutSimulation *sim, const AbutSolverTree *tree) {
    double slow = ABUT_SLEEP_SPEED * tree->speed / (ABUT_TREE_LEVER * tree->size);
    for (int32_t d = 0; d < tree->c->tree->nv; ++d)
        if (!(fabs(tree->c->v[d]) < slow)) return 0;
    return !tree->restless && !sim->mover[tree->body[0]].never_sleeps;
}

static int is_driven(const AbutSimulation *sim, int32_t place) {
    const AbutSolverBody *m = place >= 0 ? &sim->mover[place] : NULL;
    return m && m->kind == ABUT_BODY_KINEMATIC && abut_length_sq(m->v) + abut_length_sq(m->w) > 0.0;
}

static void keep_awake(AbutSimulation *sim, int32_t place) {
    int32_t island = place >= 0 && sim->mover[place].inv_mass > 0.0 ? sim->mover[place].island : -1;
    if (island >= sim->awake.settled_islands) sim->islands.at[island].capped = 0;
}

static int32_t path_place(const AbutSceneRobot *robot, const AbutPathPoint *point) {
    return point->kind != ABUT_PATH_PULLEY && point->body >= 0 ? robot->body[point->body] : -1;
}

/* A moving kinematic body keeps what is joined to it awake, and what hangs on it by a tendon. */
static void keep_held_awake(AbutSimulation *sim) {
    const AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->join_count; ++i)
        for (int side = 0; side < 2; ++side)
            if (is_driven(sim, t->join[i].body[side])) keep_awake(sim, t->join[i].body[1 - side]);
    for (int32_t r = 0; r < t->robot_count; ++r) {
        const AbutSceneRobot *robot = &sim->scene->robot[r];
        for (int32_t k = 0; k < robot->model->tendon_count; ++k) {
            const AbutTendonDef *def = &robot->model->tendons[k];
            int driven = 0;
            for (int32_t i = 0; i < def->path_count; ++i) driven |= is_driven(sim, path_place(robot, &def->path[i]));
            for (int32_t i = 0; i < def->path_count && driven; ++i) keep_awake(sim, path_place(robot, &def->path[i]));
        }
    }
}

/* An island sleeps when all of its bodies have been slow for long, and wakes when one of them has not. Without contacts
 * a body sleeps on demand only. */
void abut_update_sleep(AbutSimulation *sim) {
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *body = &sim->mover[sim->awake.body[k]];
        if (!body->alive || body->inv_mass == 0.0) continue;
        double speed = abut_length(body->v) + body->size * abut_length(body->w),
               slow = ABUT_SLEEP_SPEED * abut_scale_speed(&sim->def, body->size / ABUT_REFERENCE_SIZE);
        if (!body->asleep)
            body->rest_time = speed < slow && !body->never_sleeps ? body->rest_time + sim->constants.dt : 0.0;
    }
    for (int32_t i = 0; sim->trees && i < sim->trees->tree_count; ++i) {
        AbutSolverBody *base = &sim->mover[sim->trees->tree[i].body[0]];
        if (!base->asleep && !rests(sim, &sim->trees->tree[i])) base->rest_time = 0.0;
    }
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        sim->islands.at[i].capped = 1; /* borrowed here: may sleep */
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *body = &sim->mover[sim->awake.body[k]];
        double enough = ABUT_SLEEP_TIME * abut_scale_time(&sim->def, body->size / ABUT_REFERENCE_SIZE);
        if (body->alive && body->island >= 0 && body->rest_time < enough) sim->islands.at[body->island].capped = 0;
    }
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count;
         ++k) { /* a moving kinematic body keeps what it touches awake */
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        const AbutSolverBody *a = &sim->mover[c->body_a];
        if (a->kind == ABUT_BODY_KINEMATIC && abut_length_sq(a->v) + abut_length_sq(a->w) > 0.0)
            sim->islands.at[c->touch->island].capped = 0;
    }
    if (sim->trees) keep_held_awake(sim);
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *body = &sim->mover[sim->awake.body[k]];
        if (!body->alive || body->inv_mass == 0.0) continue;
        int sleeps = body->island >= 0 ? sim->islands.at[body->island].capped : body->rest_time == (double)INFINITY;
        if (sleeps && !body->asleep) body->v = body->w = abut_zero();
        if (!sleeps && body->asleep) body->rest_time = 0.0;
        body->asleep = sleeps;
    }
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        sim->islands.at[i].asleep = sim->islands.at[i].capped;
        sim->islands.at[i].capped = 0;
    }
    if (sim->trees) abut_trees_rest(sim);
}
