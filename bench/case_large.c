/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth of large equal bodies in each other, where almost every facet of the Minkowski difference is nearly the nearest
 * and the number of edge pairs is in the hundreds of millions. Concentric spheres whose points lie along a spiral with
 * their opposites, and coaxial prisms moved along their axis: their depth has a formula.
 */
#include "bench/engine.h"

#include <stdlib.h>

typedef enum Body { SPHERES, PRISMS } Body;
#define CASE(body, size) ((int)(body) | (size) << 4)

/* `count` points of the unit sphere, each with its opposite. */
static AbutPolyhedron *make_sphere(int count) {
    AbutVec3 *points = bench_memory((size_t)count, sizeof *points);
    AbutPolyhedron *out = NULL;
    AbutError error;
    for (int i = 0; i < count / 2; ++i) {
        double z = (2 * i + 1.0) / count, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
        points[2 * i] = abut_vec3(r * cos(angle), r * sin(angle), z);
        points[2 * i + 1] = abut_neg(points[2 * i]);
    }
    bench_require(abut_polyhedron_from_points(points, count, NULL, &out, &error), &error);
    free(points);
    return out;
}

static AbutPolyhedron *make_body(Body body, int size) {
    AbutPolyhedron *out = NULL;
    AbutError error;
    if (body == SPHERES) return make_sphere(size);
    bench_require(abut_polyhedron_prism(size, 0.5, 0.5, 2.0, &out, &error), &error);
    return out;
}

/* A body that is its own mirror image, moved by z along an axis on which it is 2 long: out across the nearest pair of
 * opposite faces, or along the axis. */
static double depth_at(const AbutPolyhedron *p, double z) {
    double depth = 2.0 - z;
    for (int f = 0; f < p->face_count; ++f) {
        AbutPlane plane = abut_polyhedron_faces(p)[f].plane;
        depth = fmin(depth, 2.0 * plane.offset - z * fabs(plane.normal.z));
    }
    return depth;
}

static void run_large(BenchRun *run, int parameter) {
    Body body = (Body)(parameter & 15);
    AbutPolyhedron *p = make_body(body, parameter >> 4);
    AbutConvex shapes[2] = {abut_convex_polyhedron(p, 0.0), abut_convex_polyhedron(p, 0.0)};
    BenchPair pair = {0, 1, {abut_pose_identity()}, {0.0}, p->bound.radius};
    BenchSet set = {BENCH_DEPTH, 0, 2, 1, body == PRISMS ? BENCH_POSES : 1, shapes, &pair};
    for (int k = 0; k < set.pose_count; ++k) {
        pair.b_in_a[k] = abut_pose(abut_vec3(0.0, 0.0, 0.4 * k), abut_quat_identity());
        pair.truth[k] = -depth_at(p, 0.4 * k);
    }
    bench_compare(run, &set);
    abut_polyhedron_free(p);
}

static const BenchCase cases[] = {
    {"large/spheres/1000", run_large, CASE(SPHERES, 1000)},
    {"large/spheres/6000", run_large, CASE(SPHERES, 6000)},
    {"large/spheres/10002", run_large, CASE(SPHERES, 10002)},
    {"large/prisms/2000", run_large, CASE(PRISMS, 2000)},
};

const BenchList bench_large_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
