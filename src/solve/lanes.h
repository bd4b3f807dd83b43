/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps over many contacts of rigid bodies under Coulomb's law, eight contacts at a time, one in each lane of a
 * vector. In: bodies, contacts in the order in which they are to be visited, their vertices. Out: impulses and
 * velocities, as visits one after the other give them to the last bit.
 *
 * Method: the level of a contact is one more than the levels of the contacts before it that share a body that moves
 * with it. Contacts of one level share no such body, and go into groups of eight; any two that share one are visited in
 * the given order, backwards too. So the groups of a level can be visited by several threads, in any order, with the
 * same bits. A contact of four vertices takes 740 bytes, in the order of the visits, so that an island of thousands
 * streams through the cache.
 */
#ifndef ABUT_SOLVE_LANES_H
#define ABUT_SOLVE_LANES_H

#include "abut/math.h"

enum { ABUT_LANES = 8 };

/* Velocity 0 .. 2, spin 3 .. 5, 1/mass 6, inverse inertia in world axes 7 .. 12: xx, yy, zz, xy, xz, yz. Bodies that
 * forces do not move have zeros from 6 on. */
enum { ABUT_LANE_BODY = 16 };
typedef struct AbutLaneBody {
    double s[ABUT_LANE_BODY];
} AbutLaneBody;

typedef struct AbutLaneVertex {
    double x[ABUT_LANES], y[ABUT_LANES], target[ABUT_LANES];
    double n[ABUT_LANES], t1[ABUT_LANES], t2[ABUT_LANES]; /* impulses */
    double inv_kn[ABUT_LANES], inv_kt[ABUT_LANES], it11[ABUT_LANES], it12[ABUT_LANES], it22[ABUT_LANES], mu[ABUT_LANES];
    int64_t sliding[ABUT_LANES]; /* not 0: it slides */
} AbutLaneVertex;

/* Axes e1, e2 and normal, lever arms from A and B; phi: change of velocity j by a unit of wrench i at ABUT_LANE_PHI(i,
 * j), which is that of i by j. */
#define ABUT_LANE_PHI(i, j) ((i) < (j) ? (i) * (11 - (i)) / 2 + (j) : (j) * (11 - (j)) / 2 + (i))

typedef struct AbutLaneGroup {
    double frame[9][ABUT_LANES], ra[3][ABUT_LANES], rb[3][ABUT_LANES];
    double alpha[ABUT_LANES], ell[ABUT_LANES], torsion[ABUT_LANES];
    double phi[21][ABUT_LANES];
    int32_t a[ABUT_LANES], b[ABUT_LANES]; /* bodies */
    int32_t who[ABUT_LANES];              /* contacts; -1: none */
    int32_t first, count;                 /* vertices; lanes with fewer have zeros there */
} AbutLaneGroup;

/* A contact as it is handed over, and where it came to stand. */
typedef struct AbutLaneContact {
    int32_t a, b, count;
    int32_t level, group, lane;
} AbutLaneContact;

/* Groups that one thread visits, and the chunks of all lower levels and up to the end of their own. */
typedef struct AbutLaneChunk {
    int32_t first, end, before, through;
} AbutLaneChunk;

/* Zeroed: empty. The last body of all stands still and belongs to lanes without a contact. */
typedef struct AbutLanes {
    AbutLaneBody *body;
    AbutLaneContact *contact;
    AbutLaneGroup *group;
    AbutLaneVertex *vertex;
    AbutLaneChunk *chunk;  /* of the groups: pieces of levels, in their order */
    int32_t *last;         /* of a body: the level after its last one */
    int32_t *first, *next; /* of a level: its first group; the next free lane, counted from there */
    size_t body_capacity, contact_capacity, group_capacity, vertex_capacity, chunk_capacity, last_capacity,
        first_capacity, next_capacity;
    int32_t body_count, contact_count, level_count, group_count, chunk_count, vertex_count;
} AbutLanes;

void abut_lanes_free(AbutLanes *lanes);

/* Room for so many contacts and twice as many bodies; 0: no memory. */
int abut_lanes_reserve(AbutLanes *lanes, int32_t contacts);

/* Groups of the contacts, from their a, b and count and the bodies; then vertices and the rest of the groups are zero,
 * to be filled. 0: no memory. */
int abut_lanes_arrange(AbutLanes *lanes);

/* Calls `visit` with every contact, in an order and on threads that keep the given order of any two that share a body
 * that moves; `soon` is one that comes shortly after. */
typedef void AbutLaneVisit(int32_t contact, int32_t soon, int worker, void *user);
void abut_lanes_each(AbutLanes *lanes, int threads, AbutLaneVisit *visit, void *user);

/* Sweeps, as many as `most`, until none changes a velocity by more than the root of `limit`. */
typedef struct AbutLaneRun {
    int32_t most;
    double limit;
    int backward, one_way; /* the first one goes backward; all go the same way */
    int threads;
    int32_t done;
} AbutLaneRun;

/* Gives the square of the largest change of velocity in the last sweep, and how many were done. */
double abut_lanes_run(AbutLanes *lanes, AbutLaneRun *run);

/* ---- vector units ------------------------------------------------------------------------------------------------ */

/* The groups from .. to - 1, backwards where that is asked for. */
typedef double AbutLaneSweep(AbutLanes *lanes, int32_t from, int32_t to, int backward);
AbutLaneSweep abut_lanes_sweep_plain, abut_lanes_sweep_avx2, abut_lanes_sweep_avx512;

#endif
