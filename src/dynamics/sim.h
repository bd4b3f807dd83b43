/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a simulation: what the stages of a step hand to each other.
 *
 * For a contact, B is the body that the contact frame is fixed to (the immovable one, if there is one), and nu points
 * from B to A. Wrenches and velocities of a contact are 6-vectors (linear, angular) about the centroid p of the
 * overlap, in the axes (e1, e2, nu) of the contact frame, of A relative to B; an impulse acts on A, and its opposite on
 * B.
 */
#ifndef ABUT_DYNAMICS_SIM_H
#define ABUT_DYNAMICS_SIM_H

#include "abut/dynamics.h"
#include "contact/patch.h"
#include "scene/grown_set.h"

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct AbutContactPoint {
    double x, y;                               /* about the centroid, in the contact plane */
    double xt, yt;                             /* the same for friction: shrunk when torsion is uniform */
    double built_thickness, thickness, target; /* overlap at the last build; now; wanted normal velocity */
    double n, t1, t2;                          /* impulse on A */
    double last_n;                             /* normal impulse the last warm start began with */
    double inv_kn, inv_kt;                     /* 1 / normal response; 1 / largest tangential response */
    double it11, it12, it22;                   /* inverse of the 2x2 tangential response */
    double mu;
    double cn[6], c1[6], c2[6]; /* change of the contact velocity by a unit impulse along nu, e1, e2 at this vertex */
    int32_t sliding, pad;
} AbutContactPoint;

typedef struct AbutTouch {
    int32_t pair, alive, built; /* place in the scene's pool of pairs; built in this step */
    int32_t shape_a, shape_b, body_a, body_b;
    int32_t island, count, capped;
    uint32_t serial;
    double mu_static, mu_kinetic, restitution;
    double alpha; /* compliance */
    double ell, height;
    double rolling;                 /* lever of the resistance to rocking, m */
    AbutVec3 nu, e1, e2;            /* world */
    AbutVec3 ra, rb;                /* centroid from the centres of mass, world */
    AbutVec3 nu_b, e1_b, e2_b, p_b; /* frame of B */
    AbutVec3 built_position;        /* A in B at the last build */
    AbutMat3 built_rotation;
    double area, volume, depth, built_depth;
    double plane[3]; /* thickness at the last build: at the centroid, slopes along e1, e2 */
    AbutOverlapCache cache;
    double phi[6][6]; /* change of the contact velocity by a unit impulse at the centroid */
    AbutContactPoint point[ABUT_CONTACT_VERTICES];
    double model[64]; /* room for a contact model; zeroed when the contact is new */
    int32_t model_index[32];
} AbutTouch;

/* What is remembered of a pair that does not touch. */
typedef struct AbutPairMemory {
    AbutDistanceCache cache;
    uint32_t serial;
    int32_t contact; /* -1: none */
    int32_t state;   /* of this step: see contact.c */
} AbutPairMemory;

/* Constants of a part of a step, derived from the definition and its length dt. */
typedef struct AbutStepConstants {
    double dt, beta, margin, slop, alpha, tolerance, gravity_dt; /* tolerance in m/s */
    int iterations;
} AbutStepConstants;

typedef struct AbutIsland {
    int32_t first, count; /* contacts: island_contact[first] .. */
    int32_t sweeps, capped, contacts, asleep;
    double residual, part; /* part: of the step that its bodies move */
    double violation;      /* distance from the law of contact, m/s, when asked for */
} AbutIsland;

typedef struct AbutContactModel AbutContactModel;

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

    AbutTouch *contact; /* pool */
    size_t contact_capacity;
    int32_t contact_places, contact_free; /* free list through pair */
    double contact_margin;                /* what the contacts were built with: where it differs they are built anew */
    uint32_t contact_revision;

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

    AbutVec3 *start_v, *start_w; /* velocities before the step, by body place: restitution, friction state */
    size_t start_v_capacity, start_w_capacity;

    double *motion_part; /* part of the step that a body moves: below 1 when it would pass through another */
    size_t motion_part_capacity;

    char *workspace; /* of the geometry of one pair, `workspace_bytes` for each worker */
    size_t workspace_bytes;
    int32_t worker_count;

    void *model_memory; /* workspace of the model, by worker */
    size_t model_memory_bytes;
    int32_t wants_violation; /* 1: fill island.violation */
    int32_t one_way;         /* 1: all sweeps in the same direction */
    AbutStepReport report;
};

/* ---- contact models ---------------------------------------------------------------------------------------------- */

/* New geometry of a contact, in the frame of the shape of its B: that is the pair's A. */
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
 */
struct AbutContactModel {
    const char *name;
    AbutContactModelKind kind;
    void (*begin)(AbutSimulation *sim, AbutTouch *contact, int worker);
    double (*visit)(AbutSimulation *sim, AbutTouch *contact, int backward, int worker);
    void (*solve_island)(AbutSimulation *sim, AbutIsland *island, int worker);
    AbutStatus (*prepare)(AbutSimulation *sim, AbutError *error);
    void (*built)(AbutSimulation *sim, AbutTouch *contact, const AbutBuilt *built);
    double (*residual)(AbutSimulation *sim, const AbutTouch *contact);
};

const AbutContactModel *abut_contact_model(AbutContactModelKind kind);

/* Velocity of A relative to B at the contact, and an impulse applied to both, in the contact frame. */
static inline void abut_contact_velocity(const AbutTouch *c, const AbutBody *a, const AbutBody *b, double u[6])
{
    AbutVec3 w = abut_sub(a->w, b->w);
    AbutVec3 v = abut_sub(abut_add(a->v, abut_cross(a->w, c->ra)), abut_add(b->v, abut_cross(b->w, c->rb)));
    u[0] = abut_dot(c->e1, v);
    u[1] = abut_dot(c->e2, v);
    u[2] = abut_dot(c->nu, v);
    u[3] = abut_dot(c->e1, w);
    u[4] = abut_dot(c->e2, w);
    u[5] = abut_dot(c->nu, w);
}

static inline void abut_contact_apply(const AbutTouch *c, AbutBody *a, AbutBody *b, const double f[6])
{
    AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
    AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
    a->v = abut_add_scaled(a->v, force, a->inv_mass);
    a->w = abut_add(a->w, abut_mat3_apply(a->inv_inertia_world, abut_add(torque, abut_cross(c->ra, force))));
    if (b->inv_mass > 0.0) {
        b->v = abut_add_scaled(b->v, force, -b->inv_mass);
        b->w = abut_sub(b->w, abut_mat3_apply(b->inv_inertia_world, abut_add(torque, abut_cross(c->rb, force))));
    }
}

/* Targets and friction of the vertices from the velocities before the step; impulses of the last step, capped and
 * applied. */
void abut_contact_set_targets(AbutSimulation *sim, AbutTouch *contact);
void abut_contact_warm_start(AbutSimulation *sim, AbutTouch *contact);

/* Sum of the vertex impulses as a wrench in the contact frame. */
void abut_contact_wrench(const AbutTouch *contact, double wrench[6]);

/* Is every setting in its range? The message names the one that is not. */
AbutStatus abut_simulation_check(const AbutSimulationDef *def, AbutError *error);

/* ---- stages of a step -------------------------------------------------------------------------------------------- */

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error);   /* grown shapes in step with the scene */
AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error); /* geometry of all pairs */
AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error);
void abut_stage_solve(AbutSimulation *sim, double h);
void abut_stage_advance(AbutSimulation *sim, double h);
void abut_limit_motion(AbutSimulation *sim, double h); /* continuous.c: fills motion_part for fast bodies */

#endif
