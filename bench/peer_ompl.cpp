/* SPDX-License-Identifier: Apache-2.0 */
/* OMPL: RRTConnect and simplification with its own settings; a posture is valid when FCL finds no pair that collides.
 */
#include <memory>
#include <utility>
#include <vector>

#include <fcl/fcl.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "bench/plan_peer.h"

namespace {

namespace ob = ompl::base;

fcl::Transform3d transform(const AbutPose &pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.p.x, pose.p.y, pose.p.z);
    return t;
}

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(AbutShapeKind kind, AbutVec3 size) {
    switch (kind) {
    case ABUT_SHAPE_BOX:
        return std::make_shared<fcl::Boxd>(2.0 * size.x, 2.0 * size.y, 2.0 * size.z);
    case ABUT_SHAPE_SPHERE:
        return std::make_shared<fcl::Sphered>(size.x);
    case ABUT_SHAPE_CAPSULE:
        return std::make_shared<fcl::Capsuled>(size.x, 2.0 * size.z);
    case ABUT_SHAPE_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(size.x, 2.0 * size.z);
    case ABUT_SHAPE_HALF_SPACE:
        return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0.0);
    default:
        return nullptr;
    }
}

struct Part {
    std::unique_ptr<fcl::CollisionObjectd> object;
    fcl::Transform3d in_link;
};

/* The bodies of all links, moved to a posture. */
class Checker {
  public:
    explicit Checker(const BenchPlanAsk &ask) : problem(ask.problem), joints(ask.robot->joint_count + 1) {
        const int robot = ask.robot->body_count;
        links.resize(abut_plan_link_count(problem));
        poses.resize(links.size());
        for (int i = 0; i < static_cast<int>(links.size()); ++i)
            add(i < robot ? ask.robot : ask.obstacles, i < robot ? i : i - robot, links[i]);
        for (int i = 0; i < abut_plan_pair_count(problem); ++i) pairs.push_back(abut_plan_pair(problem, i));
    }

    bool complete = true; /* every shape has a form in FCL */

    bool is_free(const double *u) {
        abut_plan_joints_of(problem, u, joints.data());
        if (abut_plan_link_poses(problem, joints.data(), poses.data(), nullptr) != ABUT_OK) return false;
        for (size_t i = 0; i < links.size(); ++i)
            for (Part &part : links[i]) {
                part.object->setTransform(transform(poses[i]) * part.in_link);
                part.object->computeAABB();
            }
        for (const AbutPair &pair : pairs)
            if (collide(links[pair.a], links[pair.b])) return false;
        return true;
    }

  private:
    void add(const AbutModel *model, int body, std::vector<Part> &out) {
        for (int k = abut_model_next_shape(model, body, -1); k >= 0; k = abut_model_next_shape(model, body, k)) {
            const AbutShapeDef &shape = model->shapes[k];
            if (shape.visual) continue;
            auto geometry = geometry_of(shape.form.kind, shape.form.size);
            if (!geometry) {
                complete = false;
                continue;
            }
            out.push_back({std::make_unique<fcl::CollisionObjectd>(geometry), transform(shape.pose)});
        }
    }

    static bool collide(const std::vector<Part> &a, const std::vector<Part> &b) {
        static const fcl::CollisionRequestd request;
        for (const Part &x : a)
            for (const Part &y : b) {
                if (!x.object->getAABB().overlap(y.object->getAABB())) continue;
                fcl::CollisionResultd result;
                if (fcl::collide(x.object.get(), y.object.get(), request, result) > 0) return true;
            }
        return false;
    }

    const AbutPlanProblem *problem;
    std::vector<double> joints;
    std::vector<AbutPose> poses;
    std::vector<std::vector<Part>> links;
    std::vector<AbutPair> pairs;
};

std::shared_ptr<ob::RealVectorStateSpace> space_of(const AbutPlanProblem *problem) {
    const int width = abut_plan_coordinate_count(problem);
    auto space = std::make_shared<ob::RealVectorStateSpace>(width);
    ob::RealVectorBounds bounds(width);
    for (int i = 0; i < width; ++i) {
        double limits[2];
        abut_plan_coordinate_limits(problem, i, limits);
        bounds.setLow(i, limits[0] - 1e-9);
        bounds.setHigh(i, limits[1] + 1e-9);
    }
    space->setBounds(bounds);
    return space;
}

ob::ScopedState<> state_of(const ob::StateSpacePtr &space, const double *u) {
    ob::ScopedState<> state(space);
    for (unsigned i = 0; i < space->getDimension(); ++i) state[i] = u[i];
    return state;
}

} // namespace

int bench_plan_ompl(const BenchPlanAsk *ask, int most, double *out) {
    ompl::msg::noOutputHandler();
    static const bool seeded = (ompl::RNG::setSeed(1), true);
    (void)seeded;
    Checker checker(*ask);
    if (!checker.complete) return 0;
    auto space = space_of(ask->problem);
    ompl::geometric::SimpleSetup setup(space);
    setup.setStateValidityChecker(
        [&](const ob::State *s) { return checker.is_free(s->as<ob::RealVectorStateSpace::StateType>()->values); });
    setup.setStartAndGoalStates(state_of(space, ask->start), state_of(space, ask->goal));
    setup.setPlanner(std::make_shared<ompl::geometric::RRTConnect>(setup.getSpaceInformation()));
    if (setup.solve(ask->seconds) != ob::PlannerStatus::EXACT_SOLUTION) return 0;
    setup.simplifySolution(ask->seconds);
    auto &states = setup.getSolutionPath().getStates();
    const int count = static_cast<int>(states.size()), width = static_cast<int>(space->getDimension());
    for (int i = 0; i < count && i < most; ++i)
        for (int c = 0; c < width; ++c)
            out[i * width + c] = states[i]->as<ob::RealVectorStateSpace::StateType>()->values[c];
    return count <= most ? count : 0;
}
