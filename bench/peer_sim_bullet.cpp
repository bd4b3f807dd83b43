/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bullet as a simulator, double precision: the sequential impulse solver with the settings it starts with. Bullet
 * multiplies the frictions of two bodies, so each gets the root of the one wanted. Bodies never fall asleep.
 */
#include "bench/sim_engine.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct State {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; /* the ground, then the parts, then walls */
    int parts = 0;
    double dt = 0.0;

    ~State() {
        for (auto &body : bodies) world->removeRigidBody(body.get());
    }
};

btVector3 vec(AbutVec3 v) { return {v.x, v.y, v.z}; }

btTransform place(AbutPose pose) {
    return btTransform(btQuaternion(pose.q.x, pose.q.y, pose.q.z, pose.q.w), vec(pose.p));
}

AbutVec3 back(const btVector3 &v) { return abut_vec3(v.x(), v.y(), v.z()); }

std::unique_ptr<btCollisionShape> make_shape(const SimScene *scene, int number) {
    const AbutVec3 size = sim_shape(scene, number)->form.size;
    switch (sim_shape(scene, number)->form.kind) {
    case ABUT_SHAPE_BOX:
        return std::make_unique<btBoxShape>(vec(size));
    case ABUT_SHAPE_SPHERE:
        return std::make_unique<btSphereShape>(size.x);
    case ABUT_SHAPE_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(size.x, 2.0 * size.z);
    case ABUT_SHAPE_CYLINDER:
        return std::make_unique<btCylinderShapeZ>(btVector3(size.x, size.x, size.z));
    default:
        break;
    }
    auto hull = std::make_unique<btConvexHullShape>();
    const AbutPolyhedron *p = sim_shape(scene, number)->geometry->polyhedron;
    for (int i = 0; i < p->vertex_count; ++i)
        hull->addPoint(vec(abut_sub(abut_polyhedron_vertices(p)[i], sim_body(scene, number)->center)), false);
    hull->recalcLocalAabb();
    hull->setMargin(0.001); /* the default of 40 mm is as large as the hulls */
    return hull;
}

void add_body(
    State &state, std::unique_ptr<btCollisionShape> shape, double mass, const btTransform &at, double friction) {
    btVector3 inertia(0.0, 0.0, 0.0);
    if (mass > 0.0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo def(mass, nullptr, shape.get(), inertia);
    def.m_startWorldTransform = at;
    def.m_friction = std::sqrt(friction);
    auto body = std::make_unique<btRigidBody>(def);
    body->setUserIndex(static_cast<int>(state.bodies.size()) - 1); /* -1: the ground */
    if (mass > 0.0) body->setActivationState(DISABLE_DEACTIVATION);
    state.world->addRigidBody(body.get());
    state.shapes.push_back(std::move(shape));
    state.bodies.push_back(std::move(body));
}

void *open_state(const SimScene *scene, double, int threads) {
    if (threads != 1) return nullptr;
    auto state = std::make_unique<State>();
    state->world = std::make_unique<btDiscreteDynamicsWorld>(
        &state->dispatcher, &state->broadphase, &state->solver, &state->configuration);
    state->world->setGravity(vec(scene->gravity));
    auto plane = std::make_unique<btStaticPlaneShape>(vec(scene->ground.normal), scene->ground.offset);
    add_body(*state, std::move(plane), 0.0, btTransform::getIdentity(), scene->friction);
    for (int i = 0; i < scene->count; ++i) {
        add_body(*state, make_shape(scene, i), sim_body(scene, i)->mass, place(sim_start(scene, i)), scene->friction);
    }
    state->parts = scene->count;
    for (int i = 0; i < scene->wall_count; ++i) {
        const SimWall &wall = scene->wall[i];
        add_body(*state, std::make_unique<btBoxShape>(vec(wall.half)), 0.0, place(wall.pose), scene->friction);
    }
    return state.release();
}

int step(void *user, double dt) {
    auto *state = static_cast<State *>(user);
    state->dt = dt;
    state->world->stepSimulation(dt, 0); /* no substeps: exactly one step of dt */
    return 1;
}

void info(void *user, SimStep *out) {
    auto *state = static_cast<State *>(user);
    for (int i = 0; i < state->dispatcher.getNumManifolds(); ++i)
        out->pairs += state->dispatcher.getManifoldByIndexInternal(i)->getNumContacts() > 0;
}

void read_bodies(void *user, SimBody *body) {
    auto *state = static_cast<State *>(user);
    for (int i = 1; i <= state->parts; ++i) {
        const btRigidBody &b = *state->bodies[static_cast<size_t>(i)];
        const btQuaternion q = b.getWorldTransform().getRotation();
        body[i - 1] = {abut_pose(back(b.getWorldTransform().getOrigin()), abut_quat(q.w(), q.x(), q.y(), q.z())),
            back(b.getLinearVelocity()), back(b.getAngularVelocity()), 0.0};
    }
    for (int i = 0; i < state->dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold *m = state->dispatcher.getManifoldByIndexInternal(i);
        int a = m->getBody0()->getUserIndex(), b = m->getBody1()->getUserIndex();
        if (a >= 0 && b >= 0) continue;
        for (int k = 0; k < m->getNumContacts(); ++k)
            body[a < 0 ? b : a].ground_force += m->getContactPoint(k).m_appliedImpulse / state->dt;
    }
}

void close_state(void *user) { delete static_cast<State *>(user); }

} // namespace

extern "C" {
const SimEngine sim_bullet = {"Bullet", 0, 1, open_state, step, info, read_bodies, close_state};
}
