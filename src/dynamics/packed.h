/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of the model vol over a compact copy of a large island (solve/lanes.h), eight contacts at a time: a contact of
 * four vertices is 740 bytes there instead of 1280.
 */
#ifndef ABUT_DYNAMICS_PACKED_H
#define ABUT_DYNAMICS_PACKED_H

#include "dynamics/mover.h"
#include "solve/lanes.h"

/* Room of one worker; zeroed: empty. */
struct AbutPacked {
    AbutLanes lanes;
    int32_t *place; /* of a body among the movers */
    size_t place_capacity;
};

void abut_packed_free(AbutPacked *packed);

/* Room for an island that is large enough and has nothing but free bodies and plain contacts. 0: it is not so, or there
 * is no memory (island->starved). */
int abut_packed_begin(AbutSimulation *sim, AbutIsland *island, AbutPacked *packed);

/* Begins the contacts of the island as the model does it, and copies them and the velocities; by the threads of the
 * team. */
void abut_packed_fill(AbutSimulation *sim, const AbutIsland *island, AbutPacked *packed);

/* Impulses and velocities into the copy, where they have changed outside of it. */
void abut_packed_renew(AbutSimulation *sim, const AbutIsland *island, AbutPacked *packed);

/* Impulses and velocities back to where they came from. */
void abut_packed_end(AbutSimulation *sim, const AbutIsland *island, AbutPacked *packed);

#endif
