/* SPDX-License-Identifier: Apache-2.0 */
/* FCL: distance and collision of triangle meshes in trees of oriented boxes and swept spheres. */
#include <memory>
#include <vector>

#include <fcl/fcl.h>

#include "bench/mesh_peer.h"

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSSd>;

struct State {
    std::shared_ptr<Model> a, b;
};

std::shared_ptr<Model> make_model(const AbutMesh *mesh)
{
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

fcl::Transform3d transform_of(AbutPose pose)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.p.x, pose.p.y, pose.p.z);
    return t;
}

void *open_pair(const AbutMesh *a, const AbutMesh *b)
{
    return new State{make_model(a), make_model(b)};
}

double distance(void *state, AbutPose b_in_a)
{
    const State *s = static_cast<const State *>(state);
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(s->a.get(), fcl::Transform3d::Identity(), s->b.get(), transform_of(b_in_a), request, result);
}

int collide(void *state, AbutPose b_in_a)
{
    const State *s = static_cast<const State *>(state);
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(s->a.get(), fcl::Transform3d::Identity(), s->b.get(), transform_of(b_in_a), request, result) >
           0;
}

void close_pair(void *state)
{
    delete static_cast<State *>(state);
}

} // namespace

extern "C" const BenchMeshPeer bench_mesh_fcl = {"fcl", open_pair, distance, collide, close_pair};
