/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts: the stage of contact*.c and spin_friction.c. AbutSolverContact and its vertices are what sweeps touch, and
 * nothing else; AbutTouch is the rest.
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
#include "math/functions.h"
#include "math/matrix.h"
#include "scene/grown_set.h"

#include <stddef.h>

/* A vertex of the contact polygon as sweeps see it: four lines of the cache. */
typedef struct AbutSolverVertex {
    double x, y;   /* about the centroid, in the contact plane */
    double xt, yt; /* the same for friction: shrunk when torsion is uniform */
    double target; /* wanted normal velocity */
    double mu;
    double inv_kn, inv_kt;      /* 1 / normal response; 1 / largest tangential response */
    double it11, it12, it22;    /* inverse of the 2x2 tangential response */
    double n, t1, t2;           /* impulse on B */
    double cn[6], c1[6], c2[6]; /* change of the contact velocity by a unit impulse along nu, e1, e2 at this vertex */
} AbutSolverVertex;

/* Numbers that a contact model keeps with a contact; zeroed when the contact is new. */
typedef struct AbutModelRoom {
    double number[64];
    int32_t index[32];
} AbutModelRoom;

/* Other data of a vertex. */
typedef struct AbutTouchVertex {
    double built, thickness; /* overlap at the last build; now */
    double last_n;           /* normal impulse the last warm start began with */
} AbutTouchVertex;

/* A contact as everything but the sweeps knows it: who touches, geometry as built, material, what is reported. */
typedef struct AbutTouch {
    int32_t pair; /* place in the scene's pool of pairs; of a free place: the next one */
    int32_t alive;
    int32_t known; /* 1: its beginning was reported */
    int32_t island;
    int32_t shape_a, shape_b;
    int32_t sensor; /* 1: reports, and does not push: a shape is one, or the rule says so */
    int32_t whole;  /* 1: the first six numbers of the model are the wrench, of which the points have but a part */
    uint32_t serial;
    int32_t restless;                   /* rest.c */
    int32_t flat;                       /* 1: a face lies on a face, on three corners or more */
    int32_t seat, seat_of_b, seat_next; /* what a round body rests on (AbutSeat); it is B; next of the same body */
    int32_t mesh, next; /* 1: one of the contacts of a pair of meshes; place of the next one, plus one; 0: the last */

    int32_t rocked, pad; /* 1: rocking was resisted in this step */
    double mu_static, mu_kinetic, restitution;
    double rolling;   /* lever of the resistance to rocking, m */
    double bend;      /* gap that curved surfaces open in this step, m */
    double margins;   /* of both shapes: how far the grown shapes of bodies that touch overlap */
    double root;      /* of the size of the smaller body, in references */
    double phi[6][6]; /* change of the contact velocity by a unit impulse at the centroid */

    AbutVec3 built_position; /* B in A at the last build */
    AbutMat3 built_rotation;
    AbutVec3 nu_a, e1_a, e2_a, p_a; /* frame of A */
    AbutTouchVertex vertex[ABUT_CONTACT_VERTICES];
    double torsion;  /* how far friction reaches: xt, yt of a vertex in parts of x, y */
    double plane[3]; /* thickness at the last build: at the centroid, slopes along e1, e2 */
    AbutOverlapCache cache;

    double area, volume, depth, built_depth;
    double impact[6]; /* wrench of its impacts in this step, contact frame (impacts_in_turn.c) */
} AbutTouch;

/* A contact as sweeps see it: what they read and write, in four lines of the cache, and its vertices. */
typedef struct AbutSolverContact {
    int32_t body_a, body_b;
    int32_t first_column, column_count;     /* of links of robots, in solver_tree.h */
    int16_t link_sides;                     /* sides that are such links: 1 A, 2 B */
    int16_t moving;                         /* 1: `surface` is not zero */
    int16_t count, most;                    /* vertices; most: room for so many */
    int16_t sliding[ABUT_CONTACT_VERTICES]; /* 1: friction of that vertex was at its limit */
    AbutSolverVertex *point;
    AbutTouch *touch;
    AbutModelRoom *room; /* NULL: the model keeps nothing */
    AbutVec3 nu, e1, e2; /* world */
    AbutVec3 ra, rb;     /* centroid from the centers of mass, world */
    double alpha;        /* compliance */
    double ell;
    double surface[2];                      /* velocity of the surfaces against their bodies, B less A, along e1, e2 */
    double spinning_length, rolling_length; /* friction against spinning and rolling, m */
    double torque[3];                       /* its impulse on B: about e1, e2, nu */
} AbutSolverContact;

_Static_assert(sizeof(void *) != 8 || (sizeof(AbutSolverVertex) == 256 && sizeof(AbutSolverContact) == 256),
    "whole lines of the cache");

/* Loops over thousands of contacts ask for the next ones in time: without that they wait for the memory. */
static inline void abut_contact_fetch(const AbutSolverContact *c) {
    __builtin_prefetch(&c->touch->mu_static);
    __builtin_prefetch(c->touch->vertex);
    for (size_t i = 0; i < (size_t)c->count * sizeof *c->point; i += 64) __builtin_prefetch((const char *)c->point + i);
}

/* Shapes and bodies of a pair in the order of a contact: A is the immovable one, or else that of the higher shape. */
typedef struct AbutPairSides {
    int32_t shape_a, shape_b, body_a, body_b;
} AbutPairSides;

/* Memory of a pair that does not touch. */
typedef struct AbutPairMemory {
    uint32_t serial;
    int32_t contact; /* -1: none */
    int32_t state;   /* of this step: see contact.c */
    int32_t pad;
    double until;            /* it is apart while the ways of both sides together are less (apart.c) */
    double reach_a, reach_b; /* of the sides, from the centers of mass, when that was found */
    AbutConvexCache cache;
} AbutPairMemory;

/* contact_room.c: room for vertices, of one worker. */
typedef struct AbutVertexChunk AbutVertexChunk;
typedef struct AbutVertexRoom {
    AbutVertexChunk *chunk;                            /* the newest first */
    int32_t starved;                                   /* 1: there was no memory */
    AbutSolverVertex *free[ABUT_CONTACT_VERTICES + 1]; /* by their number, each block with the next in its place */
} AbutVertexRoom;

/* Owned by the contact stage. A contact is its place in three arrays; it knows its vertices by pointer. */
typedef struct AbutContacts {
    AbutSolverContact *at;
    AbutTouch *touch;
    AbutModelRoom *room;
    size_t capacity, touch_capacity, room_capacity;
    int32_t keeps;            /* 1: the model keeps numbers with contacts, and there is room for them */
    int32_t places, free;     /* free list through pair */
    uint32_t changes;         /* of the contacts alive */
    AbutVertexRoom *vertices; /* by worker */
    size_t vertices_capacity;
    int32_t workers;
    AbutPairMemory *memory; /* by pair place */
    size_t memory_capacity;
    int32_t memory_count;
    AbutMarginRule margins; /* contacts built with other margins are built anew */
    uint32_t revision;      /* of the scene when they were built */
    double coherence;       /* of the size: relative motion below this keeps the geometry of a contact */
    int32_t chained;        /* 1: pairs of meshes may have contacts */
    uint32_t meshless;      /* revision of the scene, plus one, when it had no closed mesh; 0: never */
    int32_t *seat_first;    /* contact_round.c. By shape: contacts of a round one with faces, through seat_next */
    size_t seat_first_capacity;
    int (*rule)(const AbutSimulation *, const AbutContact *, AbutContactLaw *, void *); /* of the caller */
    void *rule_user;
} AbutContacts;

/* contact_room.c. Room for that many workers, and for what the model keeps; for so many contacts; 0: no memory. */
int abut_contacts_ready(AbutContacts *contacts, int32_t workers, int keeps);
int abut_contacts_reserve(AbutContacts *contacts, int32_t places);
void abut_contacts_forget_models(AbutContacts *contacts); /* what a model keeps with contacts becomes zero */
void abut_contacts_free(AbutContacts *contacts);

/* A place for a new contact, zeroed, -1: no memory; a place that is free again. */
int32_t abut_contact_take(AbutContacts *contacts);
void abut_contact_give_back(AbutContacts *contacts, int32_t place);

/* New vertices for a contact, zeroed, by that worker; 0: no memory, which abut_contacts_starved reports once. */
int abut_contact_set_count(AbutContacts *contacts, AbutSolverContact *contact, int count, int worker);
int abut_contacts_starved(AbutContacts *contacts);

/* For contacts that were restored: a chunk for so many vertices, NULL: no memory. It takes the place of all others: the
 * vertices of the contacts at the first `places` lie there one after the other, and are returned. */
AbutVertexChunk *abut_vertices_chunk(int32_t count);
AbutSolverVertex *abut_contacts_adopt(AbutContacts *contacts, int32_t places, AbutVertexChunk *chunk);

/* Responses of the vertices from phi. Where a response is below `reference`, no joint gives way, and there is no
 * impulse; 0: all bodies are free. */
void abut_contact_set_points(AbutSolverContact *contact, double reference);

/* The question about the shapes of a contact; `beside` is room for one of them. Gives the time that the bodies move on
 * before it is asked. */
double abut_contact_ask(
    const AbutSimulation *sim, const AbutSolverContact *contact, AbutGrownBody *beside, AbutPatchPair *pair);

/* Geometry and responses anew, with the workspace of that worker; 0 when the bodies do not overlap after all. */
int abut_contact_build(AbutSimulation *sim, AbutSolverContact *contact, int worker);

/* Overlap at the vertices of a contact that keeps its polygon, with B at this pose in A; gives the least. */
double abut_contact_thin(const AbutSolverContact *contact, const AbutMat3 *rotation, AbutVec3 position);

/* The same, and its frame. */
void abut_contact_follow(
    const AbutSimulation *sim, AbutSolverContact *contact, const AbutMat3 *rotation, AbutVec3 position);

double abut_contact_size(const AbutSimulation *sim, const AbutSolverContact *contact); /* of the smaller body */

/* apart.c: can the grown shapes of a pair without contact meet? Asked where its bodies have moved far enough since they
 * were found apart. */
int abut_pair_may_meet(const AbutSimulation *sim, AbutPairSides sides, int32_t pair, AbutPairMemory *memory);

/* contact_law.c: material, surfaces and the rule of the caller, for this step. */
AbutStatus abut_contact_set_law(AbutSimulation *sim, AbutSolverContact *contact, int idle, AbutError *error);

/* Targets and friction of the vertices from the velocities before the step; impulses of the last step, capped and
 * applied. */
void abut_contact_set_targets(AbutSimulation *sim, AbutSolverContact *contact);
void abut_contact_warm_start(AbutSimulation *sim, AbutSolverContact *contact);

/* spin_friction.c: friction against spinning and rolling. The impulse within its limits; in world axes and back; one
 * visit, which changes the contact velocity u and adds to the wrench w. */
static inline int abut_contact_resists_spin(const AbutSolverContact *contact) {
    return contact->spinning_length > 0.0 || contact->rolling_length > 0.0;
}

void abut_spin_limit(AbutSolverContact *contact);
AbutVec3 abut_spin_world(const AbutSolverContact *contact);
void abut_spin_from_world(AbutSolverContact *contact, AbutVec3 torque);
void abut_spin_visit(AbutSolverContact *contact, double u[6], double w[6]);

/* True overlap, m, from the last build and what the bodies have moved since. */
double abut_contact_depth(const AbutSolverContact *contact);

/* The part that others read. */
void abut_contact_read(const AbutSimulation *sim, const AbutSolverContact *contact, AbutContact *out);

/* Sum of the impulses at the vertices, and against spinning and rolling, as a wrench in the contact frame. */
void abut_contact_wrench(const AbutSolverContact *contact, double wrench[6]);

/* contact_round.c. Contacts of round bodies with edges, counted; 0: none, -1: no memory. Then: is this one of an edge
 * that lies no higher than a face the body rests on? */
int abut_seams_begin(AbutSimulation *sim);
int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *contact);
double abut_contact_bend_all(const AbutSimulation *sim, const AbutSolverContact *contact, const AbutPatchPair *pair,
    AbutRoundHit *hit); /* also where it is too small to count; minus infinity: there is none */
double abut_contact_bend(const AbutSimulation *sim, const AbutSolverContact *contact, const AbutPatchPair *pair);

#endif
