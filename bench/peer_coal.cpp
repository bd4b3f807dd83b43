/* SPDX-License-Identifier: Apache-2.0 */
/* coal: signed distance of convex, box and capsule objects; yes or no by its collision call. Pairs are prepared once.
 */
#include <memory>
#include <vector>

#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include "bench/engine.h"

namespace {

struct State {
    const BenchSet *set;
    std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;
    std::vector<std::vector<coal::Transform3s>> poses;
    std::vector<coal::ComputeDistance> distances;
    std::vector<coal::ComputeCollision> collisions;
    std::vector<coal::DistanceRequest> guesses; /* of each pair: what the last answer taught */
    bool refused = false;                       /* it does not take one of the shapes: every answer fails */
};

/* Faces of more than three corners become fans. */
std::shared_ptr<coal::CollisionGeometry> make_convex(const AbutPolyhedron *p) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (int i = 0; i < p->vertex_count; ++i) {
        AbutVec3 v = abut_polyhedron_vertices(p)[i];
        points->emplace_back(v.x, v.y, v.z);
    }
    for (int f = 0; f < p->face_count; ++f) {
        AbutFace face = abut_polyhedron_faces(p)[f];
        auto corner = [&](int k) { return (size_t)abut_polyhedron_half_edges(p)[face.first + k].origin; };
        for (int k = 2; k < face.count; ++k) triangles->emplace_back(corner(0), corner(k - 1), corner(k));
    }
    unsigned int point_count = (unsigned int)points->size(), triangle_count = (unsigned int)triangles->size();
    return std::make_shared<coal::Convex<coal::Triangle>>(points, point_count, triangles, triangle_count);
}

std::shared_ptr<coal::CollisionGeometry> make_geometry(const AbutConvex &s) {
    if (s.kind == ABUT_CONVEX_BOX) return std::make_shared<coal::Box>(2.0 * s.p[0].x, 2.0 * s.p[0].y, 2.0 * s.p[0].z);
    if (s.kind == ABUT_CONVEX_SEGMENT) return std::make_shared<coal::Capsule>(s.radius, 2.0 * s.p[1].z);
    return make_convex(s.polyhedron);
}

coal::Transform3s transform(AbutPose pose) {
    return coal::Transform3s(coal::Quatf(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix(),
        coal::Vec3s(pose.p.x, pose.p.y, pose.p.z));
}

coal::DistanceRequest precise(const BenchSet *set) {
    coal::DistanceRequest request;
    request.gjk_tolerance = request.epa_tolerance = 1e-8;
    request.gjk_max_iterations = request.epa_max_iterations = 1000;
    if (set->warm) request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    return request;
}

void make_shapes(State *state) {
    for (int i = 0; i < state->set->shape_count; ++i) {
        state->shapes.push_back(make_geometry(state->set->shapes[i]));
        state->shapes.back()->computeLocalAABB();
    }
}

void *open_state(const BenchSet *set) {
    auto state = std::make_unique<State>();
    state->set = set;
    try {
        make_shapes(state.get());
    } catch (const std::exception &) {
        state->refused = true; /* a vertex with more neighbors than it can count */
        return state.release();
    }
    for (int i = 0; i < set->pair_count; ++i) {
        const BenchPair &p = set->pairs[i];
        const coal::CollisionGeometry *a = state->shapes[p.a].get(), *b = state->shapes[p.b].get();
        state->distances.emplace_back(a, b);
        state->collisions.emplace_back(a, b);
        state->guesses.push_back(precise(set));
        state->poses.emplace_back();
        for (int k = 0; k < set->pose_count; ++k) state->poses.back().push_back(transform(p.b_in_a[k]));
    }
    return state.release();
}

BenchAnswer ask_meet(State *state, int pair, int pose) {
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    state->collisions[pair](coal::Transform3s::Identity(), state->poses[pair][pose], request, result);
    return {0.0, result.isCollision(), 0};
}

BenchAnswer ask(void *user, int pair, int pose) {
    auto *state = static_cast<State *>(user);
    if (state->refused) return {0.0, 0, 1};
    try {
        if (state->set->question == BENCH_MEET) return ask_meet(state, pair, pose);
        coal::DistanceResult result;
        coal::DistanceRequest &request = state->guesses[pair];
        double d = state->distances[pair](coal::Transform3s::Identity(), state->poses[pair][pose], request, result);
        if (state->set->warm) request.updateGuess(result);
        return {d, d <= 0.0, 0};
    } catch (const std::exception &) {
        return {0.0, 0, 1};
    }
}

void close_state(void *user) { delete static_cast<State *>(user); }

} // namespace

extern "C" const BenchEngine bench_coal = {"coal " COAL_VERSION, 0, open_state, ask, close_state};
