/* SPDX-License-Identifier: Apache-2.0 */
/* FCL: distance and collision of triangle meshes in trees of oriented boxes and swept spheres. */
#include <memory>
#include <vector>

#include <fcl/fcl.h>

#include "bench/mesh_peer.h"

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

struct State {
    std::shared_ptr<Model> a, b;
};

std::shared_ptr<Model> make_model(const AbutMesh *mesh) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
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

fcl::Transform3d transform_of(AbutPose pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.p.x, pose.p.y, pose.p.z);
    return t;
}

void *open_pair(const AbutMesh *a, const AbutMesh *b) { return new State{make_model(a), make_model(b)}; }

double distance(void *state, AbutPose b_in_a) {
    const State *s = static_cast<const State *>(state);
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(s->a.get(), fcl::Transform3d::Identity(), s->b.get(), transform_of(b_in_a), request, result);
}

int collide(void *state, AbutPose b_in_a) {
    const State *s = static_cast<const State *>(state);
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(s->a.get(), fcl::Transform3d::Identity(), s->b.get(), transform_of(b_in_a), request, result) >
           0;
}

int meet_on_line(void *state, AbutPose from, AbutPose to, int samples) {
    const State *s = static_cast<const State *>(state);
    const fcl::Transform3d still = fcl::Transform3d::Identity();
    fcl::ContinuousCollisionRequestd request(samples > 0 ? (size_t)samples : 1000, 1e-4, fcl::CCDM_TRANS,
        fcl::GST_LIBCCD, samples > 0 ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(s->a.get(), transform_of(from), transform_of(to), s->b.get(), still, still, request, result);
    return result.is_collide;
}

void close_pair(void *state) { delete static_cast<State *>(state); }

} // namespace

extern "C" const BenchMeshPeer bench_mesh_fcl = {"FCL", open_pair, distance, collide, meet_on_line, close_pair};
