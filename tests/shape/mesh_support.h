/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of meshes: makers that must succeed, and an allocator that fails at a chosen request. */
#ifndef ABUT_TESTS_SHAPE_MESH_SUPPORT_H
#define ABUT_TESTS_SHAPE_MESH_SUPPORT_H

#include "abut/shape.h"
#include "support/check.h"

typedef struct FailingMemory {
    int left; /* requests that still succeed */
    int live; /* blocks that have not been given back */
} FailingMemory;

static inline void *failing_alloc(size_t bytes, void *user)
{
    FailingMemory *memory = user;
    if (memory->left-- <= 0)
        return NULL;
    ++memory->live;
    return aligned_alloc(64, bytes);
}

static inline void failing_release(void *block, void *user)
{
    --((FailingMemory *)user)->live;
    free(block);
}

static inline AbutMesh made(const char *name, int triangles, const double *sizes)
{
    AbutMesh mesh;
    AbutError error;
    if (abut_mesh_make(name, triangles, sizes, &mesh, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    return mesh;
}

static inline AbutMeshReport reported(const AbutMesh *mesh)
{
    AbutMeshReport report;
    AbutError error;
    if (abut_mesh_report(mesh, &report, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    return report;
}

/* Volume, centroid and inertia to `relative` of their size; the centroid to that part of `length`. */
static inline void check_mass(AbutMass got, AbutMass want, double length, double relative)
{
    double size = abut_mat3_trace(want.inertia);
    CHECK_NEAR(got.volume, want.volume, relative * fabs(want.volume));
    CHECK_NEAR(got.area, want.area, relative * want.area);
    CHECK_VEC_NEAR(got.centroid, want.centroid, relative * length);
    CHECK_VEC_NEAR(got.inertia.x, want.inertia.x, relative * size);
    CHECK_VEC_NEAR(got.inertia.y, want.inertia.y, relative * size);
    CHECK_VEC_NEAR(got.inertia.z, want.inertia.z, relative * size);
}

#endif
