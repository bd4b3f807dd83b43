/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: the search for the shortest translation of B that parts two meshes. Lengths and translations are in the
 * exact coordinates of the pair (sweep.h), frame of A.
 */
#ifndef ABUT_MESH_DEPTH_SEARCH_H
#define ABUT_MESH_DEPTH_SEARCH_H

#include "solve/solve.h"
#include "mesh/sweep.h"

enum {
    ABUT_DEPTH_PAIRS = ABUT_MESH_CORE_BALLS * ABUT_MESH_CORE_BALLS, /* a multiple of 8 */
    ABUT_DEPTH_DIRECTIONS = 160,
    ABUT_DEPTH_PLANES = 20
};

/* Pairs of inscribed balls: B's ball moved by s u meets A's for s in one interval. */
typedef struct AbutDepthBalls {
    int count;                                                           /* rounded up to a multiple of 8 */
    float x[ABUT_DEPTH_PAIRS], y[ABUT_DEPTH_PAIRS], z[ABUT_DEPTH_PAIRS]; /* from B's center to A's */
    float rest[ABUT_DEPTH_PAIRS]; /* squared sum of radii less squared distance; -4: never meets */
    float low[ABUT_DEPTH_PAIRS], high[ABUT_DEPTH_PAIRS]; /* intervals along the direction set last */
} AbutDepthBalls;

/* Half-spaces normal . x >= offset. */
typedef struct AbutDepthPlanes {
    int count;
    AbutVec3 normal[ABUT_DEPTH_PLANES];
    double offset[ABUT_DEPTH_PLANES];
} AbutDepthPlanes;

typedef struct AbutDepthSearch {
    AbutMeshSweep sweep;
    AbutPose pose;          /* of B in A, caller's lengths */
    int32_t slot_a, slot_b; /* triangles that meet; -1: one body is inside the other */
    AbutDepthBalls balls;
    double best;  /* INFINITY: none yet */
    AbutVec3 q;   /* the best translation; its length is best */
    int verified; /* q * (1 + 1e-6) was asked and is free */
    int sweeps;   /* work done */
    int direction_count;
    AbutVec3 direction[ABUT_DEPTH_DIRECTIONS];
} AbutDepthSearch;

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void abut_depth_balls_place(AbutDepthSearch *d, const AbutMeshCore *a, const AbutMeshCore *b);

/* Lower bound of the exit along u. */
double abut_depth_balls_exit(const AbutDepthBalls *balls, AbutVec3 u);

/* Sets the direction for `abut_depth_balls_ahead`, an AbutSweepAhead. */
void abut_depth_balls_turn(AbutDepthBalls *balls, AbutVec3 u);
double abut_depth_balls_ahead(const void *balls, double s);

/* The point nearest to the origin in all half-spaces; 0 when there is none. */
int abut_depth_nearest(const AbutDepthPlanes *planes, AbutVec3 *x);

/* The sweeps with the balls of the search. */
double abut_depth_exit(AbutDepthSearch *d, AbutVec3 u, double cut);
double abut_depth_first_free(AbutDepthSearch *d, AbutVec3 u, double cut);

/* Are the bodies apart with B moved by q? */
int abut_depth_is_free(const AbutDepthSearch *d, AbutVec3 q);

/* The length s along u; bodies that only touch are a least length apart from there. */
AbutVec3 abut_depth_place(const AbutDepthSearch *d, AbutVec3 u, double s);

/* Takes q when it is shorter than the best; `accept` asks first whether q (1 + 1e-6) is free. */
void abut_depth_propose(AbutDepthSearch *d, AbutVec3 q);
int abut_depth_accept(AbutDepthSearch *d, AbutVec3 q);

/* A shorter exit near the direction u, by planes of contact: gives its length and direction. */
double abut_depth_refine(AbutDepthSearch *d, AbutVec3 u, AbutVec3 *u_out, int rounds);

/* From the free translation q towards the origin through free space, sliding along what is in the way. */
AbutVec3 abut_depth_descend(AbutDepthSearch *d, AbutVec3 q, int rounds);

/* A little farther out than the length s along u, where B is free. */
AbutVec3 abut_depth_outside(const AbutDepthSearch *d, AbutVec3 u, double s);

/* ---- searches ---------------------------------------------------------------------------------------------------- */

/* Fills the directions: `count` even ones, turned by `turn`, the way of the centers, flat faces of both. */
void abut_depth_directions(
    AbutDepthSearch *d, int count, int turn, const AbutMeshCore *core_a, const AbutMeshCore *core_b);

/* The search by sweeps, for few triangles and for many; `warm` (zero: none) is the direction of the last answer. */
void abut_depth_search_small(AbutDepthSearch *d, AbutVec3 warm);
void abut_depth_search_large(AbutDepthSearch *d, AbutVec3 warm);

/* The exits alone, for surfaces without an inside. */
void abut_depth_search_surface(AbutDepthSearch *d, AbutVec3 warm);

#endif
