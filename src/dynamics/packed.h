/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of the model vol over a compact copy of a large island. A contact of four vertices is 624 bytes there instead
 * of the 2 kB that a sweep touches of AbutSolverContact, in the order of the sweeps, so that an island of thousands of
 * contacts streams through the cache. Responses are kept in single precision: they only say how far a visit goes, and
 * the law that the sweeps settle at does not depend on them, but for the compliance, to 6e-8 of it.
 */
#ifndef ABUT_DYNAMICS_PACKED_H
#define ABUT_DYNAMICS_PACKED_H

#include "dynamics/mover.h"

typedef struct AbutPackedBody {
    AbutVec3 v, w;
    double inv_mass;
    double inertia[6]; /* inverse: xx, yy, zz, xy, xz, yz */
    double pad[3];
} AbutPackedBody;

typedef struct AbutPackedVertex {
    double x, y, target, n, t1, t2;
    float inv_kn, inv_kt, it11, it12, it22, mu;
    int32_t sliding, pad;
} AbutPackedVertex;

typedef struct AbutPackedContact {
    AbutVec3 e1, e2, nu, ra, rb;
    double alpha, ell, torsion;
    float phi[6][6];
    int32_t a, b, first, count; /* bodies, vertices */
} AbutPackedContact;

/* Room of one worker; zeroed: empty. */
struct AbutPacked {
    AbutPackedBody *body;
    AbutPackedContact *contact;
    AbutPackedVertex *vertex;
    int32_t *place; /* of a body among the movers */
    size_t body_capacity, contact_capacity, vertex_capacity, place_capacity;
    int32_t body_count, contact_count, vertex_count;
};

void abut_packed_free(AbutPacked *packed);

/* Copies an island that is large enough and has nothing but free bodies and plain contacts. 0: it is not so, or there
 * is no memory (island->starved). */
int abut_packed_begin(AbutSimulation *sim, AbutIsland *island, AbutPacked *packed);

/* One sweep; gives the square of the largest change of velocity. */
double abut_packed_sweep(AbutPacked *packed, int backward);

/* Impulses and velocities back to where they came from. */
void abut_packed_end(AbutSimulation *sim, const AbutIsland *island, const AbutPacked *packed);

#endif
