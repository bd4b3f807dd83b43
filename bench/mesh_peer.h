/* SPDX-License-Identifier: Apache-2.0 */
/* Another library that answers about two triangle meshes. */
#ifndef ABUT_BENCH_MESH_PEER_H
#define ABUT_BENCH_MESH_PEER_H

#include "bench/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchMeshPeer {
    const char *name;
    void *(*open)(const AbutMesh *a, const AbutMesh *b);
    double (*distance)(void *state, AbutPose b_in_a); /* 0 or below when they meet */
    int (*collide)(void *state, AbutPose b_in_a);
    /* Is there contact while A moves on a straight line, without turning, and B stands at the origin? By so many
     * samples of the motion, or with 0 by conservative advancement. NULL: it has no such question. */
    int (*meet_on_line)(void *state, AbutPose from, AbutPose to, int samples);
    void (*close)(void *state);
} BenchMeshPeer;

extern const BenchMeshPeer bench_mesh_fcl;  /* peer_mesh_fcl.cpp */
extern const BenchMeshPeer bench_mesh_coal; /* peer_mesh_coal.cpp */

/* Those that are here, and a NULL (case_mesh.c). */
extern const BenchMeshPeer *const bench_mesh_peers[];

/* A torus of 2 nu nv triangles with waves on it, to be freed (case_mesh.c). */
AbutMesh bench_wavy_torus(int nu, int nv, int waves_u, int waves_v);

#ifdef __cplusplus
}
#endif

#endif
