/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RRT-Connect with sampled edges beside RRT-Connect with proved edges: an arm of six joints reaches past thin posts,
 * from and to random postures. Both planners ask the same bodies of abut about postures; they differ in the edges.
 * Every plan is then certified, and those that really collide are counted. Prints a table as text, or as CSV with
 * --csv. Usage: proved_edges [--csv] [PROBLEMS]      (200)
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/base/terminationconditions/IterationTerminationCondition.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "abut_ompl.hpp"

namespace og = ompl::geometric;
namespace ob = ompl::base;

namespace {

enum { WIDTH = 6, POSTS = 5 };

void require(AbutStatus status, const AbutError &error) {
    if (status == ABUT_OK) return;
    std::fprintf(stderr, "%s\n", error.text);
    std::exit(1);
}

struct World {
    AbutModel *robot = nullptr, *posts = nullptr;
    AbutPlanProblem *problem = nullptr;
};

void addPost(AbutModel *model, double x, double y) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    body.kind = ABUT_BODY_STATIC;
    body.pose.p = abut_vec3(x, y, 0.4);
    shape.form.kind = ABUT_SHAPE_CAPSULE;
    shape.form.size = abut_vec3(0.006, 0.006, 0.4);
    require(abut_model_add_body(model, &body, &shape.body, &error), error);
    require(abut_model_add_shape(model, &shape, nullptr, &error), error);
}

World makeWorld() {
    static const double places[POSTS][2] = {{0.45, 0.1}, {0.25, 0.45}, {0.4, -0.3}, {-0.3, 0.35}, {-0.4, -0.2}};
    World world;
    const AbutTree *tree;
    AbutConfiguration *posture;
    AbutError error;
    require(abut_model_build("arm6", 1, &world.robot, &error), error);
    require(abut_model_create(&world.posts, &error), error);
    for (const auto &place : places) addPost(world.posts, place[0], place[1]);
    require(abut_tree_create(world.robot, &tree, &error), error);
    require(abut_configuration_create(tree, &posture, &error), error);
    require(abut_plan_problem_create(posture, world.posts, nullptr, &world.problem, &error), error);
    abut_configuration_free(posture);
    abut_tree_release(tree);
    return world;
}

/* Is a path in contact anywhere? Straight lines through its states, by the certificate; the deepest place too. */
bool collides(const World &world, const og::PathGeometric &path, double *deepest) {
    const int32_t count = static_cast<int32_t>(path.getStateCount());
    std::vector<double> times, values;
    for (int32_t i = 0; i < count; ++i) {
        const double *u = abut_ompl::valuesOf(path.getState(static_cast<unsigned>(i)));
        std::vector<double> joints(static_cast<std::size_t>(world.robot->joint_count));
        abut_plan_joints_of(world.problem, u, joints.data());
        times.push_back(i);
        values.insert(values.end(), joints.begin(), joints.end());
    }
    if (count < 2) return false;
    const AbutJointSamples samples = {world.robot->joint_count, count, times.data(), values.data(), nullptr, nullptr};
    const AbutCertifyDef def = {0.0, 0, 0};
    AbutTrajectory trajectory;
    AbutCertificate answer;
    AbutError error;
    require(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &trajectory, &error), error);
    require(abut_plan_certify(world.problem, &trajectory, &def, &answer, nullptr, &error), error);
    abut_trajectory_free(&trajectory);
    if (answer.status != ABUT_CERTIFICATE_CONTACT) return false;
    *deepest = std::fmax(*deepest, -answer.ub);
    return true;
}

struct Row {
    const char *edges;
    double resolution; /* of the whole space; 0: proved */
    int solved, colliding;
    double deepest, seconds;
};

void solve(const World &world, int problems, Row *row) {
    auto space = abut_ompl::stateSpace(world.problem);
    if (row->resolution > 0.0) space->setLongestValidSegmentFraction(row->resolution);
    auto info = std::make_shared<ob::SpaceInformation>(space);
    abut_ompl::prove(info, world.robot, world.problem);
    if (row->resolution > 0.0) info->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(info));
    info->setup();
    AbutRng rng = abut_rng(11, 0);
    ob::ScopedState<ob::RealVectorStateSpace> ends[2] = {
        ob::ScopedState<ob::RealVectorStateSpace>(info), ob::ScopedState<ob::RealVectorStateSpace>(info)};
    for (int i = 0; i < problems; ++i) {
        for (auto &end : ends) do
                for (int c = 0; c < WIDTH; ++c) end[static_cast<unsigned>(c)] = abut_rng_between(&rng, -2.5, 2.5);
            while (!info->isValid(end.get()) || info->getStateValidityChecker()->clearance(end.get()) < 0.005);
        auto definition = std::make_shared<ob::ProblemDefinition>(info);
        definition->setStartAndGoalStates(ends[0], ends[1]);
        og::RRTConnect planner(info);
        planner.setProblemDefinition(definition);
        planner.setup();
        const std::clock_t start = std::clock();
        const ob::PlannerStatus status = planner.solve(ob::IterationTerminationCondition(20000));
        row->seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (status != ob::PlannerStatus::EXACT_SOLUTION) continue;
        ++row->solved;
        row->colliding += collides(world, *definition->getSolutionPath()->as<og::PathGeometric>(), &row->deepest);
    }
}

} // namespace

int main(int argc, char **argv) {
    const bool csv = argc > 1 && std::strcmp(argv[1], "--csv") == 0;
    const char *number = argc > 1 + csv ? argv[1 + csv] : "200";
    const int problems = std::atoi(number);
    if (problems < 1 || problems > 100000) {
        std::fprintf(stderr, "PROBLEMS: expected 1 to 100000, got %s\n", number);
        return 2;
    }
    ompl::RNG::setSeed(1);
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    World world = makeWorld();
    Row rows[] = {{"sampled, 1 % of the space (OMPL's default)", 0.01, 0, 0, 0.0, 0.0},
        {"sampled, 0.5 % (MoveIt's default)", 0.005, 0, 0, 0.0, 0.0}, {"sampled, 0.1 %", 0.001, 0, 0, 0.0, 0.0},
        {"proved", 0.0, 0, 0, 0.0, 0.0}};
    int bad = 0;
    std::printf(csv ? "edges,problems,solved,collide,deepest_mm,ms_per_problem\n" : "%-44s %9s %8s %8s %11s %12s\n",
        "edges", "problems", "solved", "collide", "deepest, mm", "ms a problem");
    for (Row &row : rows) {
        solve(world, problems, &row);
        std::printf(csv ? "\"%s\",%d,%d,%d,%.3f,%.3f\n" : "%-44s %9d %8d %8d %11.2f %12.2f\n", row.edges, problems,
            row.solved, row.colliding, 1e3 * row.deepest, 1e3 * row.seconds / problems);
        bad += row.resolution == 0.0 && (row.colliding > 0 || row.solved < problems * 9 / 10);
    }
    abut_plan_problem_free(world.problem);
    abut_model_free(world.posts);
    abut_model_free(world.robot);
    return bad > 0;
}
