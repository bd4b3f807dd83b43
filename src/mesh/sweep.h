/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: moving mesh B along a direction against mesh A. Each pair of triangles meets for one interval of the length
 * s of the move; the sweeps ask for the ends of these intervals and do not iterate.
 *
 * All lengths are in the exact coordinates of the pair (caller's lengths times pair.scale), directions and translations
 * in the frame of A. `turn` has the direction as its first row; the triangles are put into its coordinates, origin at
 * the center of A, before they are measured.
 */
#ifndef ABUT_MESH_SWEEP_H
#define ABUT_MESH_SWEEP_H

#include "mesh/mesh_pair.h"

enum { ABUT_SWEEP_KILLERS = 8 };

typedef enum AbutSweepMode {
    ABUT_SWEEP_EXIT, /* the largest end of all intervals */
    ABUT_SWEEP_STAB, /* the largest end of those that begin at or before `at`, which grows with it */
    ABUT_SWEEP_FIRST /* the least s >= at in any interval */
} AbutSweepMode;

typedef struct AbutMeshSweep {
    AbutMeshPair pair;
    AbutVec3 start; /* place of B before any move, exact coordinates */
    double size;    /* of the scene, exact coordinates */
    int outward;    /* 1: both meshes are closed with outward normals, so that those that cannot matter are left out */
    int facing;     /* this walk may leave them out; set by the sweeps */
    AbutMat3 turn;  /* columns: the axes */
    AbutMat3 to_a, to_b; /* caller's coordinates of a vertex to those of the sweep: columns, and places */
    AbutVec3 place_a, place_b;
    float inverse_a, inverse_b, factor_a, factor_b; /* of the frames of the pair */
    AbutSweepMode mode;
    double best, at, cut;
    int32_t slot_a, slot_b; /* the pair that gave `best`; -1: none */
    int abandoned;          /* best went beyond cut */
    int32_t kill_a[ABUT_SWEEP_KILLERS], kill_b[ABUT_SWEEP_KILLERS];
    int killers, next_killer; /* pairs that ended recent sweeps, which are tried first */
} AbutMeshSweep;

/* Makes ready; 0 where abut_mesh_pair_open says so. `outward`: both meshes are known to be closed and outward. */
int abut_sweep_open(AbutMeshSweep *s, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, int outward);

/* B stands at its start plus `q` from now on. */
void abut_sweep_shift(AbutMeshSweep *s, AbutVec3 q);

/*
 * The last contact of B moved along the unit vector u: beyond it the surfaces are apart for ever. At least `known`,
 * which the caller has proved. Gives up when the result is beyond `cut`: then abandoned is 1 and the result a lower
 * bound.
 */
double abut_sweep_exit(AbutMeshSweep *s, AbutVec3 u, double known, double cut);

/* The first contact of B moved along u from where it is free, up to `limit`; slot_a is -1 and the result `limit` where
 * there is none. */
double abut_sweep_first_contact(AbutMeshSweep *s, AbutVec3 u, double limit);

/* How far the solids overlap without a break from a length s on, by means of the caller. */
typedef double AbutSweepAhead(const void *user, double s);

/* The least s >= 0 at which B moved along u is free: neither do the surfaces meet nor is one mesh inside the other.
 * `ahead` (may be NULL) jumps over lengths that are known to overlap. Beyond `cut` it gives up as the exit does. */
double abut_sweep_first_free(AbutMeshSweep *s, AbutVec3 u, double cut, AbutSweepAhead *ahead, const void *user);

/* Unit normal (frame of A) of the plane of contact of the pair slot_a, slot_b along the direction of the last sweep: B
 * may not go below it. `last`: at the last contact of the pair (normal . u >= 0), or at its first (<= 0). *point_a,
 * *point_b: where they touch, on A and on B before the move, exact coordinates. */
AbutVec3 abut_sweep_plane(const AbutMeshSweep *s, int last, AbutVec3 *point_a, AbutVec3 *point_b);

#endif
