/* SPDX-License-Identifier: Apache-2.0 */
/* FCL: distance and collide of convex, box and capsule objects, with each of its two solvers (libccd and its own). */
#include <memory>
#include <vector>

#include <fcl/fcl.h>

#include "bench/engine.h"

namespace {

struct State {
    const BenchSet *set;
    fcl::GJKSolverType solver;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::Vector3d> guesses;
    std::vector<std::vector<fcl::Transform3d>> poses;
};

std::shared_ptr<fcl::CollisionGeometryd> make_convex(const AbutPolyhedron *p) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto polygons = std::make_shared<std::vector<int>>();
    for (int i = 0; i < p->vertex_count; ++i) {
        AbutVec3 v = abut_polyhedron_vertices(p)[i];
        vertices->emplace_back(v.x, v.y, v.z);
    }
    for (int f = 0; f < p->face_count; ++f) {
        AbutFace face = abut_polyhedron_faces(p)[f];
        polygons->push_back(face.count);
        for (int k = 0; k < face.count; ++k) polygons->push_back(abut_polyhedron_half_edges(p)[face.first + k].origin);
    }
    return std::make_shared<fcl::Convexd>(vertices, p->face_count, polygons);
}

std::shared_ptr<fcl::CollisionGeometryd> make_geometry(const AbutConvex &s) {
    if (s.kind == ABUT_CONVEX_BOX) return std::make_shared<fcl::Boxd>(2.0 * s.p[0].x, 2.0 * s.p[0].y, 2.0 * s.p[0].z);
    if (s.kind == ABUT_CONVEX_SEGMENT) return std::make_shared<fcl::Capsuled>(s.radius, 2.0 * s.p[1].z);
    return make_convex(s.polyhedron);
}

fcl::Transform3d transform(AbutPose pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.p.x, pose.p.y, pose.p.z);
    return t;
}

void *open_with(const BenchSet *set, fcl::GJKSolverType solver) {
    auto state = std::make_unique<State>();
    state->set = set;
    state->solver = solver;
    for (int i = 0; i < set->shape_count; ++i)
        state->objects.push_back(std::make_unique<fcl::CollisionObjectd>(make_geometry(set->shapes[i])));
    for (int i = 0; i < set->pair_count; ++i) {
        state->guesses.emplace_back(1.0, 0.0, 0.0);
        state->poses.emplace_back();
        for (int k = 0; k < set->pose_count; ++k) state->poses.back().push_back(transform(set->pairs[i].b_in_a[k]));
    }
    return state.release();
}

void *open_ccd(const BenchSet *set) { return open_with(set, fcl::GST_LIBCCD); }

void *open_indep(const BenchSet *set) { return open_with(set, fcl::GST_INDEP); }

BenchAnswer ask_distance(State *state, int pair) {
    const BenchPair &p = state->set->pairs[pair];
    fcl::DistanceRequestd request(false, false, 0.0, 0.0, 1e-8, state->solver);
    fcl::DistanceResultd result;
    double d = fcl::distance(state->objects[p.a].get(), state->objects[p.b].get(), request, result);
    return {d, d <= 0.0, 0};
}

BenchAnswer ask_collide(State *state, int pair) {
    const BenchPair &p = state->set->pairs[pair];
    bool depth = state->set->question == BENCH_DEPTH;
    fcl::CollisionRequestd request(depth ? 16 : 1, depth);
    request.gjk_solver_type = state->solver;
    request.gjk_tolerance = 1e-8;
    if (state->set->warm) {
        request.enable_cached_gjk_guess = true;
        request.cached_gjk_guess = state->guesses[pair];
    }
    fcl::CollisionResultd result;
    fcl::collide(state->objects[p.a].get(), state->objects[p.b].get(), request, result);
    if (state->set->warm) state->guesses[pair] = result.cached_gjk_guess;
    BenchAnswer answer = {0.0, result.isCollision(), 0};
    for (size_t i = 0; depth && i < result.numContacts(); ++i)
        answer.distance = std::min(answer.distance, -result.getContact(i).penetration_depth);
    return answer;
}

BenchAnswer ask(void *user, int pair, int pose) {
    auto *state = static_cast<State *>(user);
    state->objects[state->set->pairs[pair].b]->setTransform(state->poses[pair][pose]);
    try {
        return state->set->question == BENCH_DISTANCE ? ask_distance(state, pair) : ask_collide(state, pair);
    } catch (const std::exception &) {
        return {0.0, 0, 1};
    }
}

void close_state(void *user) { delete static_cast<State *>(user); }

} // namespace

extern "C" {
const BenchEngine bench_fcl_ccd = {"FCL (libccd)", 0, open_ccd, ask, close_state};
const BenchEngine bench_fcl_indep = {"FCL (own solver)", 0, open_indep, ask, close_state};
}
