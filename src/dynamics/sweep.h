/* SPDX-License-Identifier: Apache-2.0 */
/* The solve stage: sweeps and Newton steps (sweep.c), impacts (impacts_in_turn.c), islands that run away (calm.c). */
#ifndef ABUT_DYNAMICS_SOLVE_H
#define ABUT_DYNAMICS_SOLVE_H

#include "dynamics/contact_model.h"
#include "dynamics/tolerance.h"

typedef struct AbutNewton AbutNewton; /* newton.h */
typedef struct AbutPacked AbutPacked; /* packed.h */

/* kept.c: numbers of an island that may be put back. */
typedef struct AbutKept {
    double *at;
    size_t capacity;
} AbutKept;

/* Owned by the solve stage: memory of its workers, and how they run. */
typedef struct AbutSolver {
    int32_t workers, team; /* threads; those that solve one island together */
    AbutNewton *newton;    /* by worker; NULL: the model takes no Newton steps */
    AbutPacked *packed;    /* by worker; NULL: the model has no compact sweeps */
    AbutKept *kept;        /* by worker: impulses that a step with robots began with */
    void *model_memory;    /* workspace of the model, by worker */
    size_t model_memory_bytes;
    int32_t wants_violation; /* 1: fill island.violation */
    int32_t one_way;         /* 1: all sweeps in the same direction */
} AbutSolver;

/* Room of each worker for what the model does. 0: no memory. */
int abut_solver_make(AbutSolver *solver, const AbutContactModel *model, int32_t workers);
void abut_solver_free(AbutSolver *solver);

/* Free bodies as before the impulses of the step. */
void abut_island_restart(AbutSimulation *sim, const AbutIsland *island);

/* kept.c. Numbers are kept, or put back, or put back but for those of friction losses. Impulses of all that acts in an
 * island, giving the place after them; velocities of these free bodies and of its trees; room for both, 0: no memory.
 */
typedef enum AbutKeep { ABUT_KEEP = 0, ABUT_KEPT, ABUT_KEPT_BUT_LOSSES } AbutKeep;
double *abut_impulses_keep(AbutSimulation *sim, const AbutIsland *island, double *at, AbutKeep way);
void abut_velocities_keep(
    AbutSimulation *sim, const AbutIsland *island, const int32_t *body, int32_t count, double *at, AbutKeep way);
int abut_kept_reserve(const AbutSimulation *sim, const AbutIsland *island, int32_t bodies, AbutKept *kept);

/* calm.c: have the impulses of an island of free bodies run away; new ones that do not, and push nothing out. */
int abut_island_runs_away(const AbutSimulation *sim, const AbutIsland *island);
void abut_island_calm(AbutSimulation *sim, AbutIsland *island);
void abut_island_push_nothing(AbutSimulation *sim, const AbutIsland *island); /* nor take back */

/* guard.c: has an island gained energy from nowhere? Its velocities are kept; the part of them that is new to what is
 * found next shoves it. */
int abut_island_gains(AbutSimulation *sim, AbutIsland *island);
void abut_island_keep_shove(AbutSimulation *sim, AbutIsland *island);
void abut_island_add_shove(AbutSimulation *sim, AbutIsland *island);
double abut_island_momentum(AbutSimulation *sim, AbutIsland *island); /* before impulses; N s */

/* rest.c. Before a step: a part of an island cannot rest. A resting contact asks for nothing. After the
 * sweeps: who is restless, who rests. */
static inline int abut_contact_rests(const AbutSolverContact *contact) {
    return contact->touch->restless > ABUT_REST_WAIT;
}
void abut_island_rest_begin(AbutSimulation *sim, const AbutIsland *island);
void abut_contact_rest(const AbutSimulation *sim, AbutSolverContact *contact);
void abut_island_rest_end(AbutSimulation *sim, const AbutIsland *island);

void abut_island_strike(
    AbutSimulation *sim, const AbutIsland *island); /* impacts_in_turn.c: impacts, one after the other */

#endif
