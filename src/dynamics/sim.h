/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a simulation: what the stages of a step hand to each other.
 *
 * For a contact, A is the body that the contact frame is fixed to (the immovable one, if there is one), and nu points
 * from A to B. Wrenches and velocities of a contact are 6-vectors (linear, angular) about the centroid p of the
 * overlap, in the axes (e1, e2, nu) of the contact frame, of B relative to A; an impulse acts on B, and its opposite on
 * A.
 */
#ifndef ABUT_DYNAMICS_SIM_H
#define ABUT_DYNAMICS_SIM_H

#include "abut/dynamics.h"
#include "contact/patch.h"
#include "scene/grown_set.h"

#include <stddef.h>

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* A vertex of the contact polygon as the solver sees it. */
typedef struct AbutSolverVertex {
    double x, y;                               /* about the centroid, in the contact plane */
    double xt, yt;                             /* the same for friction: shrunk when torsion is uniform */
    double built_thickness, thickness, target; /* overlap at the last build; now; wanted normal velocity */
    double n, t1, t2;                          /* impulse on B */
    double last_n;                             /* normal impulse the last warm start began with */
    double inv_kn, inv_kt;                     /* 1 / normal response; 1 / largest tangential response */
    double it11, it12, it22;                   /* inverse of the 2x2 tangential response */
    double mu;
    double cn[6], c1[6], c2[6]; /* change of the contact velocity by a unit impulse along nu, e1, e2 at this vertex */
    int32_t sliding, pad;
} AbutSolverVertex;

/* What the solver keeps of a contact from step to step; AbutContact is what others read of it. */
typedef struct AbutSolverContact {
    int32_t pair, alive, built; /* place in the scene's pool of pairs; built in this step */
    int32_t known;              /* 1: its beginning was told */
    int32_t shape_a, shape_b, body_a, body_b;
    int32_t island, count, capped;
    uint32_t serial;
    double mu_static, mu_kinetic, restitution;
    double alpha; /* compliance */
    double ell, height;
    double rolling;                         /* lever of the resistance to rocking, m */
    double spinning_length, rolling_length; /* friction against spinning and rolling, m */
    double torque[3];                       /* its impulse on B: about e1, e2, nu */
    double impact[6];                       /* wrench of its impacts in this step, contact frame (impact.c) */
    double bend;                            /* gap that curved surfaces open in this step, m */
    int32_t seat, seat_of_b, seat_next;     /* what a round body rests on (AbutSeat); it is B; next of the same body */
    double margins;                         /* of both shapes: how far the grown shapes of bodies that touch overlap */
    double scale;                           /* size of the smaller body, part of the reference */
    AbutVec3 nu, e1, e2;                    /* world */
    AbutVec3 ra, rb;                        /* centroid from the centres of mass, world */
    AbutVec3 nu_a, e1_a, e2_a, p_a;         /* frame of A */
    AbutVec3 built_position;                /* B in A at the last build */
    AbutMat3 built_rotation;
    double area, volume, depth, built_depth;
    double torsion;  /* how far friction reaches: xt, yt of a vertex in parts of x, y */
    double plane[3]; /* thickness at the last build: at the centroid, slopes along e1, e2 */
    AbutOverlapCache cache;
    double phi[6][6];                   /* change of the contact velocity by a unit impulse at the centroid */
    double surface[2];                  /* velocity of the surfaces against their bodies, B less A, along e1, e2 */
    int32_t moving;                     /* 1: it is not zero */
    int32_t sensor;                     /* 1: tells, and does not push: a shape is one, or the rule says so */
    int32_t link_sides;                 /* sides that are links of robots: 1 A, 2 B */
    int32_t first_column, column_count; /* theirs, in tree.h */
    int32_t whole;                      /* 1: model[0 .. 5] is the wrench, of which the points have but a part */
    AbutSolverVertex point[ABUT_CONTACT_VERTICES];
    double model[64]; /* room for a contact model; zeroed when the contact is new */
    int32_t model_index[32];
} AbutSolverContact;

/* Loops over thousands of contacts ask for the next ones in time: without that they wait for the memory. */
static inline void abut_contact_fetch(const AbutSolverContact *contact)
{
    for (size_t i = 0; i < offsetof(AbutSolverContact, point[4]); i += 64)
        __builtin_prefetch((const char *)contact + i);
}

/* What is remembered of a pair that does not touch. */
typedef struct AbutPairMemory {
    AbutConvexCache cache;
    uint32_t serial;
    int32_t contact; /* -1: none */
    int32_t state;   /* of this step: see contact.c */
} AbutPairMemory;

/* Constants of a part of a step, derived from the definition and its length dt. */
typedef struct AbutStepConstants {
    double dt, beta, slop, alpha, tolerance, gravity_dt; /* tolerance in m/s */
    double kick; /* for how long a force acts that depends on places: half of the last part and half of this one */
    AbutMarginRule margins;
    int iterations, pad;
} AbutStepConstants;

typedef struct AbutIsland {
    int32_t first, count; /* contacts: island_contact[first] .. */
    int32_t sweeps, capped, contacts, asleep;
    int32_t starved;                                        /* no memory for a Newton step or a compact copy */
    int32_t packed;                                         /* 1: swept in a compact copy */
    int32_t held;                                           /* awake.c */
    int32_t iterations;                                     /* most sweeps */
    int32_t first_tree, tree_count, first_join, join_count; /* robots in it, and what joins bodies (tree.h) */
    double tolerance;                                       /* m/s */
    double residual, part;                                  /* part: of the step that its bodies move */
    double violation;                                       /* distance from the law of contact, m/s, when asked for */
} AbutIsland;

/*
 * No constant has a unit of its own: lengths go with the size of bodies, times with what gravity makes of it. Speeds
 * and times of tolerance.h are those of bodies of the reference size under standard gravity; `scale` is the size in
 * references. Without gravity it is counted as standard.
 */
double abut_scale_gravity(const AbutSimulationDef *def);             /* in standard gravities */
double abut_scale_speed(const AbutSimulationDef *def, double scale); /* what a speed of the tables is multiplied with */
double abut_scale_time(const AbutSimulationDef *def, double scale);

double abut_slip_speed(const AbutSimulation *sim); /* below it nothing slides: what the solver leaves */

typedef struct AbutContactModel AbutContactModel;
typedef struct AbutSolverBody AbutSolverBody;   /* mover.h */
typedef struct AbutNewton AbutNewton;           /* newton.h */
typedef struct AbutPacked AbutPacked;           /* packed.h */
typedef struct AbutTrees AbutTrees;             /* tree.h */
typedef struct AbutPressureSet AbutPressureSet; /* pressure.h */

struct AbutSimulation {
    AbutScene *scene;
    AbutSimulationDef def;
    const AbutContactModel *model;
    double time, last_dt;
    int64_t step;
    uint32_t scene_revision;
    AbutStepConstants constants;

    AbutGrownSet grown;
    int32_t grown_current; /* 1: made from the scene at scene_revision */
    double coherence;      /* of the size: relative motion below this keeps the geometry of a contact */

    AbutPairMemory *memory; /* by pair place */
    size_t memory_capacity;
    int32_t memory_count;

    AbutSolverContact *contact; /* pool */
    size_t contact_capacity;
    int32_t contact_places, contact_free; /* free list through pair */
    AbutMarginRule contact_margins;       /* what the contacts were built with: where it differs they are built anew */
    uint32_t contact_revision;
    uint32_t thinnest_revision; /* of the scene, plus one, when `thinnest` was found; 0: never */
    double thinnest;            /* least inner radius of a shape */

    int32_t *order; /* contacts alive, by height */
    size_t order_capacity;
    int32_t order_count;

    int32_t *parent; /* union-find over bodies */
    size_t parent_capacity;
    AbutIsland *island;
    size_t island_capacity;
    int32_t island_count;
    int32_t *island_contact;
    size_t island_contact_capacity;

    AbutSolverBody *mover; /* by body place */
    size_t mover_capacity;
    int32_t mover_count;
    uint8_t *still; /* by body place, 1: asleep */
    size_t still_capacity;

    int32_t *active; /* awake.c: movers that a step looks at, ascending */
    size_t active_capacity;
    int32_t active_count;
    int32_t *active_pair; /* and pairs */
    size_t active_pair_capacity;
    int32_t active_pair_count, pair_count;      /* pair_count: of all that are alive */
    int32_t settled_bodies, settled_islands;    /* those that it does not; islands: numbers below this */
    int32_t settled_contacts, settled_vertices; /* the first of `order` */
    double settled_depth;                       /* deepest of them */
    uint8_t *settled;                           /* by body place */
    double *settled_energy;                     /* potential, by body place */
    size_t settled_capacity, settled_energy_capacity;
    uint32_t seen_revision, seen_disturbances, seen_pairs; /* of the scene when the lists were made */
    int32_t all_awake, pairs_listed;                       /* the lists have everything; pairs are listed */

    char *workspace; /* of the geometry of one pair, `workspace_bytes` for each worker */
    size_t workspace_bytes;
    int32_t worker_count, team; /* threads; those that solve one island together */

    void *model_memory; /* workspace of the model, by worker */
    size_t model_memory_bytes;
    AbutNewton *newton;        /* by worker; NULL: the model takes no Newton steps */
    AbutPacked *packed;        /* by worker; NULL: the model has no compact sweeps */
    int32_t wants_violation;   /* 1: fill island.violation */
    int32_t one_way;           /* 1: all sweeps in the same direction */
    AbutTrees *trees;          /* NULL: the scene has no robots */
    AbutPressureSet *pressure; /* of compliant models; NULL: none yet */
    AbutControlFunction *control;
    void *control_user;
    AbutContactRule *rule;
    void *rule_user;
    AbutStepReport report;

    int32_t *seat_first; /* by shape: contacts of a round one with faces, through seat_next */
    size_t seat_first_capacity;

    AbutEvent *event; /* of the last step */
    size_t event_capacity;
    int32_t event_count, events_lost; /* lost: no memory for one */
};

/* ---- contact models ---------------------------------------------------------------------------------------------- */

/* New geometry of a contact, in the frame of the shape of its A. */
typedef struct AbutBuilt {
    const AbutPatchPair *pair;
    const AbutOverlap *overlap;
    const AbutPatch *patch;
} AbutBuilt;

/*
 * A model is a small table; the loop around it is common to all. `begin` readies a contact for this step (targets, warm
 * start applied to the bodies); `visit` improves one contact and gives the square of the change of velocity it made.
 * The others may be NULL: `solve_island` replaces the sweeps; `prepare` gets memory before them; `built` sees a contact
 * whose geometry is new, before it inherits impulses; `residual` measures how far a contact is from its law, m/s.
 *
 * Compliant models have the last three: `settle` readies them for the shapes of the scene, `build` makes a contact in
 * every step instead of abut_contact_build, and `longest` is the longest part of a step, s.
 */
struct AbutContactModel {
    const char *name;
    AbutContactModelKind kind;
    int newton;  /* 1: Newton steps go between the sweeps, and sweeps of large islands are compact (packed.h) */
    int watched; /* 1: its impulses were seen to run away (calm.c) */
    void (*begin)(AbutSimulation *sim, AbutSolverContact *contact, int worker);
    double (*visit)(AbutSimulation *sim, AbutSolverContact *contact, int backward, int worker);
    void (*solve_island)(AbutSimulation *sim, AbutIsland *island, int worker);
    AbutStatus (*prepare)(AbutSimulation *sim, AbutError *error);
    void (*built)(AbutSimulation *sim, AbutSolverContact *contact, const AbutBuilt *built);
    double (*residual)(AbutSimulation *sim, const AbutSolverContact *contact);
    AbutStatus (*settle)(AbutSimulation *sim, AbutError *error);
    int (*build)(AbutSimulation *sim, AbutSolverContact *contact, int worker);
    double (*longest)(const AbutSimulation *sim);
};

const AbutContactModel *abut_contact_model(AbutContactModelKind kind);

/* Responses of the vertices from phi. Where a response is below `reference`, no joint gives way, and there is no
 * impulse; 0: all bodies are free. */
void abut_contact_set_points(AbutSolverContact *contact, double reference);

/* Geometry and responses anew, with the workspace of that worker; 0 when the bodies do not overlap after all. */
int abut_contact_build(AbutSimulation *sim, AbutSolverContact *contact, int worker);

/* Frame and thickness of a contact that keeps its polygon, with B at this pose in A. */
void abut_contact_follow(
    const AbutSimulation *sim, AbutSolverContact *contact, const AbutMat3 *rotation, AbutVec3 position);

double abut_contact_size(const AbutSimulation *sim, const AbutSolverContact *contact); /* of the smaller body */

/* Targets and friction of the vertices from the velocities before the step; impulses of the last step, capped and
 * applied. */
void abut_contact_set_targets(AbutSimulation *sim, AbutSolverContact *contact);
void abut_contact_warm_start(AbutSimulation *sim, AbutSolverContact *contact);

/* spin_friction.c: friction against spinning and rolling. The impulse within its limits; in world axes and back; one
 * visit, which changes the contact velocity u and adds to the wrench w. */
static inline int abut_contact_resists_spin(const AbutSolverContact *contact)
{
    return contact->spinning_length > 0.0 || contact->rolling_length > 0.0;
}

void abut_spin_limit(AbutSolverContact *contact);
AbutVec3 abut_spin_world(const AbutSolverContact *contact);
void abut_spin_from_world(AbutSolverContact *contact, AbutVec3 torque);
void abut_spin_visit(AbutSolverContact *contact, double u[6], double w[6]);

/* True overlap, m, from the last build and what the bodies have moved since. */
double abut_contact_depth(const AbutSolverContact *contact);

/* What others read of it. */
void abut_contact_read(const AbutSimulation *sim, const AbutSolverContact *contact, AbutContact *out);

/* Sum of the impulses at the vertices, and against spinning and rolling, as a wrench in the contact frame. */
void abut_contact_wrench(const AbutSolverContact *contact, double wrench[6]);

/* events.c: a contact that began or ended; bodies that fell asleep or woke since the last step. */
void abut_event_contact(AbutSimulation *sim, const AbutSolverContact *contact, AbutEventKind kind);
void abut_events_of_bodies(AbutSimulation *sim);

/* contact_round.c. Contacts of round bodies with edges, counted; 0: none, -1: no memory. Then: is this one of an edge
 * that lies no higher than a face the body rests on? */
int abut_seams_begin(AbutSimulation *sim);
int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *contact);
double abut_contact_bend(const AbutSimulation *sim, const AbutSolverContact *contact, const AbutPatchPair *pair);

void abut_simulation_wake_all(AbutSimulation *sim);

/* Is every setting in its range? The message names the one that is not. */
AbutStatus abut_simulation_check(const AbutSimulationDef *def, AbutError *error);

/* awake.c. Lists of everything; the same where the scene has changed; pairs in step with the scene; everything when a
 * settled body is touched; at the end of a step: what sleeps leaves the lists. 0: no memory. */
int abut_awake_all(AbutSimulation *sim);
int abut_awake_follow(AbutSimulation *sim);
int abut_awake_list_pairs(AbutSimulation *sim);
int abut_awake_touched(AbutSimulation *sim);
void abut_awake_settle(AbutSimulation *sim);

/* island.c: contacts at these places of `order`, from the lowest up. */
void abut_sort_by_height(AbutSimulation *sim, int32_t from, int32_t to);

double abut_body_potential(const AbutSimulation *sim, const AbutBody *body); /* energy of a body that forces move, J */

/* ---- stages of a step -------------------------------------------------------------------------------------------- */

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error);   /* grown shapes in step with the scene */
AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error); /* geometry of all pairs */
AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error);
void abut_stage_solve(AbutSimulation *sim, double h);

/* solve.c: free bodies as before the impulses of the step. calm.c: have the impulses of an island of free bodies run
 * away; new ones that do not. */
void abut_island_restart(AbutSimulation *sim, const AbutIsland *island);
int abut_island_runs_away(const AbutSimulation *sim, const AbutIsland *island);
void abut_island_calm(AbutSimulation *sim, AbutIsland *island);

void abut_island_strike(AbutSimulation *sim, const AbutIsland *island); /* impact.c: impacts, one after the other */
void abut_stage_advance(AbutSimulation *sim, double h);
void abut_limit_motion(AbutSimulation *sim, double h); /* continuous.c: motion_part of fast bodies */

#endif
