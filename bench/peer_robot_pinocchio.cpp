/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pinocchio on a robot: bodies, hinges and slides of a model. A free body has its velocity in its own axes there and
 * in those of the world here, which the answers turn back; that, and the copy of the state, is timed.
 */
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cmath>
#include <memory>
#include <vector>

extern "C" {
#include "bench/robot_peer.h"
}

namespace {

using Vector = Eigen::VectorXd;
using Eigen::Vector3d;

/* Where a body of the model is: behind a joint, or fixed in the world (joint 0). */
struct Place {
    pinocchio::JointIndex joint;
    pinocchio::SE3 offset;
};

struct State {
    pinocchio::Model model;
    pinocchio::Data data;
    std::vector<Place> places;
    int free_q = -1, free_v = -1; /* where the numbers of the free body begin */
    Vector q, v, tau, zero;
};

Vector3d vec(AbutVec3 v) { return {v.x, v.y, v.z}; }

pinocchio::SE3 transform(AbutPose pose) {
    Eigen::Quaterniond q(pose.q.w, pose.q.x, pose.q.y, pose.q.z);
    return {q.normalized().toRotationMatrix(), vec(pose.p)};
}

/* The joints of a body, one after the other about their own places. */
Place add_joints(State *s, const AbutModel *m, int32_t body, Place at, std::vector<double> &armature) {
    for (int32_t j = abut_model_next_joint(m, body, -1); j >= 0; j = abut_model_next_joint(m, body, j)) {
        const AbutJointDef &d = m->joints[j];
        pinocchio::SE3 there(Eigen::Matrix3d::Identity(), vec(d.position));
        pinocchio::SE3 before = at.offset * there;
        std::string name = "j" + std::to_string(j);
        Vector3d axis = vec(d.axis).normalized();
        if (d.kind == ABUT_JOINT_SLIDE)
            at.joint = s->model.addJoint(at.joint, pinocchio::JointModelPrismaticUnaligned(axis), before, name);
        else
            at.joint = s->model.addJoint(at.joint, pinocchio::JointModelRevoluteUnaligned(axis), before, name);
        at.offset = there.inverse();
        armature.push_back(d.armature);
    }
    return at;
}

void add_body(State *s, const AbutModel *m, int32_t b, std::vector<double> &armature) {
    const AbutBodyDef &d = m->bodies[b];
    Place at = d.parent >= 0 ? s->places[(size_t)d.parent] : Place{0, pinocchio::SE3::Identity()};
    at.offset = at.offset * transform(d.pose);
    if (d.kind == ABUT_BODY_DYNAMIC) {
        at.joint = s->model.addJoint(0, pinocchio::JointModelFreeFlyer(), pinocchio::SE3::Identity(), "free");
        at.offset = pinocchio::SE3::Identity();
        s->free_q = s->model.joints[at.joint].idx_q();
        s->free_v = s->model.joints[at.joint].idx_v();
        armature.insert(armature.end(), 6, d.armature);
    }
    at = add_joints(s, m, b, at, armature);
    if (d.mass > 0.0 && d.kind != ABUT_BODY_STATIC) {
        const AbutMat3 &i = d.inertia;
        Eigen::Matrix3d inertia;
        inertia << i.x.x, i.y.x, i.z.x, i.x.y, i.y.y, i.z.y, i.x.z, i.y.z, i.z.z;
        s->model.appendBodyToJoint(at.joint, pinocchio::Inertia(d.mass, vec(d.center), inertia), at.offset);
    }
    s->places.push_back(at);
}

void *open_model(const AbutModel *m) {
    auto s = std::make_unique<State>();
    std::vector<double> armature;
    for (int32_t b = 0; b < m->body_count; ++b) add_body(s.get(), m, b, armature);
    s->model.gravity.linear(vec(m->gravity));
    s->model.armature = Eigen::Map<Vector>(armature.data(), (Eigen::Index)armature.size());
    s->data = pinocchio::Data(s->model);
    s->q.resize(s->model.nq), s->v.resize(s->model.nv), s->tau.resize(s->model.nv);
    s->zero = Vector::Zero(s->model.nv);
    return s.release();
}

/* The state of the free body in Pinocchio's order and axes. */
Eigen::Matrix3d load(State *s, const double *q, const double *v) {
    s->q = Eigen::Map<const Vector>(q, s->model.nq);
    s->v = Eigen::Map<const Vector>(v, s->model.nv);
    if (s->free_q < 0) return Eigen::Matrix3d::Identity();
    const double *x = q + s->free_q + 3;
    Eigen::Quaterniond turn(x[0], x[1], x[2], x[3]);
    s->q.segment<4>(s->free_q + 3) << x[1], x[2], x[3], x[0];
    Eigen::Matrix3d r = turn.toRotationMatrix();
    s->v.segment<3>(s->free_v) = r.transpose() * s->v.segment<3>(s->free_v);
    return r;
}

void put(const State *s, const Vector &x, const Eigen::Matrix3d &turn, double *out) {
    Eigen::Map<Vector> to(out, s->model.nv);
    to = x;
    if (s->free_v >= 0) to.segment<3>(s->free_v) = turn * x.segment<3>(s->free_v);
}

/* The acceleration in body axes of a free body whose velocity in world axes does not change: -w x v. */
Vector3d apparent(const State *s) {
    return -Vector3d(s->v.segment<3>(s->free_v + 3)).cross(Vector3d(s->v.segment<3>(s->free_v)));
}

void poses(State *s, double *out) {
    pinocchio::forwardKinematics(s->model, s->data, s->q);
    Vector3d sum = Vector3d::Zero();
    for (const Place &p : s->places) sum += s->data.oMi[p.joint].act(p.offset.translation());
    for (int k = 0; k < 3; ++k) out[k] = sum[k];
}

void solve(State *s, const Eigen::Matrix3d &turn, double *out) {
    pinocchio::crba(s->model, s->data, s->q, pinocchio::Convention::WORLD);
    pinocchio::cholesky::decompose(s->model, s->data);
    s->tau.setOnes();
    if (s->free_v >= 0) s->tau.segment<3>(s->free_v) = turn.transpose() * s->tau.segment<3>(s->free_v);
    pinocchio::cholesky::solve(s->model, s->data, s->tau);
    put(s, s->tau, turn, out);
}

void answer(void *user, BenchRobotQuestion question, const double *q, const double *v, double *out) {
    auto *s = static_cast<State *>(user);
    Eigen::Matrix3d turn = load(s, q, v);
    if (question == BENCH_ROBOT_POSES) {
        poses(s, out);
    } else if (question == BENCH_ROBOT_SOLVE) {
        solve(s, turn, out);
    } else if (question == BENCH_ROBOT_INVERSE) {
        s->tau.setZero();
        if (s->free_v >= 0) s->tau.segment<3>(s->free_v) = apparent(s);
        put(s, pinocchio::rnea(s->model, s->data, s->q, s->v, s->tau), turn, out);
    } else {
        s->tau = pinocchio::aba(s->model, s->data, s->q, s->v, s->zero, pinocchio::Convention::WORLD);
        if (s->free_v >= 0) s->tau.segment<3>(s->free_v) -= apparent(s);
        put(s, s->tau, turn, out);
    }
}

void close_model(void *user) { delete static_cast<State *>(user); }

} // namespace

extern "C" const BenchRobotPeer bench_robot_pinocchio = {"Pinocchio", open_model, answer, close_model};
