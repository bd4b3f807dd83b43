/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts: the stage of contact.c, contact_build.c, contact_round.c and spin_friction.c.
 *
 * For a contact, A is the body that the contact frame is fixed to (the immovable one, if there is one), and nu points
 * from A to B. Wrenches and velocities of a contact are 6-vectors (linear, angular) about the centroid p of the
 * overlap, in the axes (e1, e2, nu) of the contact frame, of B relative to A; an impulse acts on B, and its opposite on
 * A.
 */
#ifndef ABUT_DYNAMICS_CONTACT_H
#define ABUT_DYNAMICS_CONTACT_H

#include "abut/dynamics.h"
#include "contact/patch.h"
#include "scene/grown_set.h"

#include <stddef.h>

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

/* Owned by the contact stage. */
typedef struct AbutContacts {
    AbutSolverContact *at; /* pool */
    size_t capacity;
    int32_t places, free;   /* free list through pair */
    AbutPairMemory *memory; /* by pair place */
    size_t memory_capacity;
    int32_t memory_count;
    AbutMarginRule margins; /* contacts built with other margins are built anew */
    uint32_t revision;      /* of the scene when they were built */
    double coherence;       /* of the size: relative motion below this keeps the geometry of a contact */
    int32_t *seat_first;    /* contact_round.c. By shape: contacts of a round one with faces, through seat_next */
    size_t seat_first_capacity;
    AbutContactRule *rule; /* of the caller */
    void *rule_user;
} AbutContacts;

void abut_contacts_free(AbutContacts *contacts);

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

/* contact_round.c. Contacts of round bodies with edges, counted; 0: none, -1: no memory. Then: is this one of an edge
 * that lies no higher than a face the body rests on? */
int abut_seams_begin(AbutSimulation *sim);
int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *contact);
double abut_contact_bend(const AbutSimulation *sim, const AbutSolverContact *contact, const AbutPatchPair *pair);

#endif
