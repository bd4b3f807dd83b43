/* SPDX-License-Identifier: Apache-2.0 */
/* Bullet in double precision: its GJK pair detector with EPA for depth, margins 0. */
#include <memory>
#include <vector>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "bench/engine.h"

namespace {

struct State {
    const BenchSet *set;
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    std::vector<std::vector<btTransform>> poses;
    std::vector<btVector3> axes; /* last separating axis per pair, for the warm cases */
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver penetration;
};

std::unique_ptr<btConvexShape> make_shape(const AbutConvex &s) {
    if (s.kind == ABUT_CONVEX_BOX) {
        auto box = std::make_unique<btBoxShape>(btVector3(s.p[0].x, s.p[0].y, s.p[0].z));
        box->setMargin(0.0);
        return box;
    }
    if (s.kind == ABUT_CONVEX_SEGMENT) /* its radius is its margin */
        return std::make_unique<btCapsuleShapeZ>(s.radius, 2.0 * s.p[1].z);
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < s.polyhedron->vertex_count; ++i) {
        AbutVec3 v = abut_polyhedron_vertices(s.polyhedron)[i];
        hull->addPoint(btVector3(v.x, v.y, v.z), false);
    }
    hull->recalcLocalAabb();
    hull->setMargin(0.0);
    return hull;
}

void *open_state(const BenchSet *set) {
    auto state = std::make_unique<State>();
    state->set = set;
    for (int i = 0; i < set->shape_count; ++i) state->shapes.push_back(make_shape(set->shapes[i]));
    for (int i = 0; i < set->pair_count; ++i) {
        state->axes.emplace_back(0.0, 1.0, 0.0);
        state->poses.emplace_back();
        for (int k = 0; k < set->pose_count; ++k) {
            AbutPose pose = set->pairs[i].b_in_a[k];
            btQuaternion q(pose.q.x, pose.q.y, pose.q.z, pose.q.w);
            state->poses.back().emplace_back(q, btVector3(pose.p.x, pose.p.y, pose.p.z));
        }
    }
    return state.release();
}

BenchAnswer ask(void *user, int pair, int pose) {
    auto *state = static_cast<State *>(user);
    const BenchPair &p = state->set->pairs[pair];
    btGjkPairDetector detector(
        state->shapes[p.a].get(), state->shapes[p.b].get(), &state->simplex, &state->penetration);
    if (state->set->warm) detector.setCachedSeparatingAxis(state->axes[pair]);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA.setIdentity();
    input.m_transformB = state->poses[pair][pose];
    if (state->set->question == BENCH_MEET) input.m_maximumDistanceSquared = 0.0;
    btPointCollector output;
    detector.getClosestPoints(input, output, nullptr);
    if (state->set->warm) state->axes[pair] = detector.getCachedSeparatingAxis();
    if (state->set->question == BENCH_MEET) return {0.0, output.m_hasResult && output.m_distance <= 0.0, 0};
    return {output.m_hasResult ? output.m_distance : 0.0, output.m_distance <= 0.0, !output.m_hasResult};
}

void close_state(void *user) { delete static_cast<State *>(user); }

} // namespace

extern "C" {
const BenchEngine bench_bullet = {"Bullet", 0, open_state, ask, close_state};
}
