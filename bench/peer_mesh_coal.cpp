/* SPDX-License-Identifier: Apache-2.0 */
/* coal: distance and collision of triangle meshes in trees of oriented boxes and swept spheres. */
#include <memory>
#include <vector>

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include "bench/mesh_peer.h"

namespace {

using Model = coal::BVHModel<coal::OBBRSS>;

struct State {
    std::shared_ptr<Model> a, b;
};

std::shared_ptr<Model> make_model(const AbutMesh *mesh) {
    std::vector<coal::Vec3s> vertices;
    std::vector<coal::Triangle> triangles;
    for (int i = 0; i < mesh->vertex_count; ++i)
        vertices.emplace_back(mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const AbutTriangle &t = mesh->triangles[i];
        triangles.emplace_back((size_t)t.v[0], (size_t)t.v[1], (size_t)t.v[2]);
    }
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

coal::Transform3s transform_of(AbutPose pose) {
    return coal::Transform3s(coal::Quatf(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix(),
        coal::Vec3s(pose.p.x, pose.p.y, pose.p.z));
}

void *open_pair(const AbutMesh *a, const AbutMesh *b) { return new State{make_model(a), make_model(b)}; }

double distance(void *state, AbutPose b_in_a) {
    const State *s = static_cast<const State *>(state);
    coal::DistanceRequest request;
    coal::DistanceResult result;
    request.enable_signed_distance = false;
    return coal::distance(s->a.get(), coal::Transform3s::Identity(), s->b.get(), transform_of(b_in_a), request, result);
}

int collide(void *state, AbutPose b_in_a) {
    const State *s = static_cast<const State *>(state);
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    return coal::collide(s->a.get(), coal::Transform3s::Identity(), s->b.get(), transform_of(b_in_a), request, result) >
           0;
}

void close_pair(void *state) { delete static_cast<State *>(state); }

} // namespace

/* It has no question about a motion. */
extern "C" const BenchMeshPeer bench_mesh_coal = {"coal", open_pair, distance, collide, nullptr, close_pair};
