/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a simulation: what every stage of a step reads, and what each stage owns. A stage writes what it owns
 * and reads what the stages before it have made; the header of a stage declares both its memory and its functions.
 */
#ifndef ABUT_DYNAMICS_SIM_H
#define ABUT_DYNAMICS_SIM_H

#include "dynamics/contact.h"
#include "dynamics/contact_model.h"
#include "dynamics/island.h"
#include "dynamics/sweep.h"

typedef struct AbutSolverBody AbutSolverBody;     /* mover.h */
typedef struct AbutTrees AbutTrees;               /* solver_tree.h */
typedef struct AbutPressureSet AbutPressureSet;   /* pressure.h */
typedef struct AbutMeshContacts AbutMeshContacts; /* mesh_contact.h */

/* Constants of a part of a step, derived from the definition and its length dt. */
typedef struct AbutStepConstants {
    double dt, beta, slop, alpha, tolerance, gravity_dt; /* tolerance in m/s */
    double root_gravity;                                 /* of gravity in standard ones */
    double kick; /* for how long a force acts that depends on places: half of the last part and half of this one */
    AbutMarginRule margins;
    int iterations, pad;
} AbutStepConstants;

/* grown_shapes.c: shapes grown by the margin, and room of each worker for the geometry of one pair. */
typedef struct AbutGrownShapes {
    AbutGrownSet grown;
    int32_t current;   /* 1: made from the scene at `revision` */
    uint32_t revision; /* of the scene */
    char *workspace;   /* workspace_bytes for each worker */
    size_t workspace_bytes;
} AbutGrownShapes;

/* continuous.c: least inner radius of a shape. */
typedef struct AbutContinuous {
    double thinnest;
    uint32_t revision; /* of the scene, plus one, when it was found; 0: never */
} AbutContinuous;

/* step.c: smallest sizes of bodies that touch, and of what parts of a step go by; in references. */
typedef struct AbutSizes {
    double least, pace;
    uint32_t changes, revision; /* of contacts and scene when they were found */
    int32_t known, pad;
} AbutSizes;

/* events.c: of the last step. */
typedef struct AbutEvents {
    AbutEvent *at;
    size_t capacity;
    int32_t count, lost; /* lost: no memory for one */
} AbutEvents;

struct AbutSimulation {
    /* Read by every stage. */
    AbutScene *scene;
    AbutSimulationDef def;
    const AbutContactModel *model;
    AbutStepConstants constants;
    double time, last_dt;
    int64_t step;
    AbutSolverBody *mover; /* by body place */
    size_t mover_capacity;
    int32_t mover_count;
    AbutStatus (*control)(AbutSimulation *, double, void *, AbutError *); /* of the caller */
    void *control_user;
    /* Of room `derivative`: called when a part of length h is solved and nothing has moved yet, and when it has. */
    AbutStatus (*watch)(AbutSimulation *, double h, int moved, void *, AbutError *);
    void *watch_user;

    /* Owned by the stages, in their order. */
    AbutAwake awake;
    AbutGrownShapes shapes;
    AbutContacts contacts;
    AbutIslands islands;
    AbutSolver solver;
    AbutTrees *trees;          /* NULL: the scene has no robots */
    AbutPressureSet *pressure; /* of compliant models; NULL: none yet */
    AbutMeshContacts *meshes;  /* of shapes taken by their features; NULL: none are */
    AbutContinuous continuous;
    AbutSizes sizes;
    AbutEvents events;
    AbutStepReport report;
};

/* Contact k of an island, of all awake or settled ones. */
static inline AbutSolverContact *abut_island_contact(const AbutSimulation *sim, const AbutIsland *island, int32_t k) {
    return &sim->contacts.at[sim->islands.contact[island->first + k]];
}

static inline AbutSolverContact *abut_ordered_contact(const AbutSimulation *sim, int32_t k) {
    return &sim->contacts.at[sim->islands.order[k]];
}

/*
 * No constant has a unit of its own: lengths go with the size of bodies, times with what gravity makes of it. Speeds
 * and times of tolerance.h are those of bodies of the reference size under standard gravity; `scale` is the size in
 * references. Without gravity it is counted as standard.
 */
double abut_scale_gravity(const AbutSimulationDef *def);             /* in standard gravities */
double abut_scale_speed(const AbutSimulationDef *def, double scale); /* what a speed of the tables is multiplied with */
double abut_scale_time(const AbutSimulationDef *def, double scale);

/* As above, at a contact. */
static inline double abut_contact_speed(const AbutSimulation *sim, const AbutSolverContact *contact) {
    return contact->touch->root * sim->constants.root_gravity;
}

double abut_slip_speed(const AbutSimulation *sim); /* below it nothing slides: what the solver leaves */

/* Is every setting in its range? The message names the one that is not. */
AbutStatus abut_simulation_check(const AbutSimulationDef *def, AbutError *error);

void abut_simulation_wake_all(AbutSimulation *sim);
double abut_body_potential(const AbutSimulation *sim, const AbutBody *body); /* energy of a body that forces move, J */

/* events.c: a contact that began or ended; bodies that fell asleep or woke since the last step. */
void abut_event_contact(AbutSimulation *sim, const AbutSolverContact *contact, AbutEventKind kind);
void abut_events_of_bodies(AbutSimulation *sim);

/* ---- stages of a step -------------------------------------------------------------------------------------------- */

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error);      /* grown shapes in step with the scene */
AbutStatus abut_stage_pair_shapes(AbutSimulation *sim, AbutError *error); /* those of pairs, which contacts need */
AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error);    /* geometry of all pairs */
AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error);
void abut_stage_solve(AbutSimulation *sim, double h);
void abut_stage_advance(AbutSimulation *sim, double h);
void abut_limit_motion(AbutSimulation *sim, double h); /* continuous.c: motion_part of fast bodies */

#endif
