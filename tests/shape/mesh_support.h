/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of meshes: makers that must succeed, and what they weigh. */
#ifndef ABUT_TESTS_SHAPE_MESH_SUPPORT_H
#define ABUT_TESTS_SHAPE_MESH_SUPPORT_H

#include "abut/shape.h"
#include "support/check.h"
#include "support/memory.h"

static inline AbutMesh made(const char *name, int triangles, const double *sizes) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make(name, triangles, sizes, &mesh, &error), &error);
    return mesh;
}

static inline AbutMeshReport reported(const AbutMesh *mesh) {
    AbutMeshReport report;
    AbutError error;
    good(abut_mesh_report(mesh, &report, &error), &error);
    return report;
}

/* Volume, centroid and inertia to `relative` of their size; the centroid to that part of `length`. */
static inline void check_mass(AbutMass got, AbutMass want, double length, double relative) {
    double size = abut_mat3_trace(want.inertia);
    CHECK_NEAR(got.volume, want.volume, relative * fabs(want.volume));
    CHECK_NEAR(got.area, want.area, relative * want.area);
    CHECK_VEC_NEAR(got.centroid, want.centroid, relative * length);
    CHECK_VEC_NEAR(got.inertia.x, want.inertia.x, relative * size);
    CHECK_VEC_NEAR(got.inertia.y, want.inertia.y, relative * size);
    CHECK_VEC_NEAR(got.inertia.z, want.inertia.z, relative * size);
}

#endif
