/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut_ompl.hpp: planners of OMPL ask abut whether postures and edges are free. C++17, header only; OMPL 1.5 or later.
 *
 * In: a problem of abut/proof.h. A state is a RealVectorStateSpace of its coordinates, in their order, rad or m. Out: a
 * StateValidityChecker with clearance, and a MotionValidator for which an edge is valid when it is proved to keep every
 * pair farther apart than the level at all places of it, in place of samples along it. As usual with OMPL, wrong
 * arguments throw ompl::Exception. The problem must outlive both; any number of threads may ask at once.
 *
 *     auto space = abut_ompl::stateSpace(problem);
 *     auto info = std::make_shared<ompl::base::SpaceInformation>(space);
 *     abut_ompl::prove(info, robot, problem, 0.005);      // robot: the AbutModel of the problem
 */
#ifndef ABUT_OMPL_HPP
#define ABUT_OMPL_HPP

#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Exception.h>

#include "abut/abut.h"

namespace abut_ompl {

namespace ob = ompl::base;

/* The coordinates of a problem within their limits; the names of its dimensions are those of the coordinates. */
inline std::shared_ptr<ob::RealVectorStateSpace> stateSpace(const AbutPlanProblem *problem) {
    const int32_t count = abut_plan_coordinate_count(problem);
    auto space = std::make_shared<ob::RealVectorStateSpace>();
    for (int32_t i = 0; i < count; ++i) {
        double limits[2];
        abut_plan_coordinate_limits(problem, i, limits);
        space->addDimension(abut_plan_coordinate_name(problem, i), limits[0], limits[1]);
    }
    return space;
}

/* The questions about one problem, with a prover for each thread that asks at a time. */
class Questions {
  public:
    Questions(const AbutModel *robot, const AbutPlanProblem *problem, double level)
        : problem_(problem), level_(level), joints_(static_cast<std::size_t>(robot->joint_count)) {
        give(take());
    }

    /* Is the straight line between two places proved free? */
    bool isFree(const double *from, const double *to) const {
        Prover prover = take();
        const bool is_free = abut_plan_edge_free(prover.get(), from, to) == 1;
        give(std::move(prover));
        return is_free;
    }

    /* The least distance of all pairs, m, less the level; infinity where no pair counts. */
    double clearance(const double *u) const {
        AbutPlanNear near;
        AbutError error;
        std::vector<double> joints(joints_);
        abut_plan_joints_of(problem_, u, joints.data());
        if (abut_plan_nearest(problem_, joints.data(), &near, nullptr, &error) != ABUT_OK)
            throw ompl::Exception("abut", error.text);
        return near.pair < 0 ? std::numeric_limits<double>::infinity() : near.distance - level_;
    }

  private:
    struct Free {
        void operator()(AbutPlanProver *prover) const { abut_plan_prover_free(prover); }
    };
    using Prover = std::unique_ptr<AbutPlanProver, Free>;

    Prover take() const {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!idle_.empty()) {
                Prover prover = std::move(idle_.back());
                idle_.pop_back();
                return prover;
            }
        }
        AbutPlanProver *made = nullptr;
        AbutError error;
        if (abut_plan_prover_create(problem_, level_, &made, &error) != ABUT_OK)
            throw ompl::Exception("abut", error.text);
        return Prover(made);
    }
    void give(Prover prover) const {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(std::move(prover));
    }

    const AbutPlanProblem *problem_;
    double level_;
    std::size_t joints_; /* of the model */
    mutable std::mutex mutex_;
    mutable std::vector<Prover> idle_;
};

inline const double *valuesOf(const ob::State *state) {
    return state->as<ob::RealVectorStateSpace::StateType>()->values;
}

inline void checkSpace(const ob::SpaceInformation &info, const AbutPlanProblem *problem) {
    const int32_t expected = abut_plan_coordinate_count(problem);
    const auto *space = dynamic_cast<const ob::RealVectorStateSpace *>(info.getStateSpace().get());
    if (space == nullptr || static_cast<int32_t>(space->getDimension()) != expected)
        throw ompl::Exception("abut", "space: expected a RealVectorStateSpace with a dimension for each of " +
                                          std::to_string(expected) + " coordinates, got another");
}

/* A state is valid within the bounds of the space where every pair is farther apart than the level, m. */
class StateValidityChecker : public ob::StateValidityChecker {
  public:
    StateValidityChecker(
        const ob::SpaceInformationPtr &info, const AbutModel *robot, const AbutPlanProblem *problem, double level = 0.0)
        : ob::StateValidityChecker(info), questions_(robot, problem, level) {
        checkSpace(*info, problem);
        specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::EXACT;
    }
    bool isValid(const ob::State *state) const override {
        return si_->satisfiesBounds(state) && questions_.isFree(valuesOf(state), valuesOf(state));
    }
    /* For optimizers: the least distance of all pairs, m, less the level. */
    double clearance(const ob::State *state) const override { return questions_.clearance(valuesOf(state)); }

  private:
    Questions questions_;
};

/* An edge is valid when all of it is proved free. */
class MotionValidator : public ob::MotionValidator {
  public:
    MotionValidator(
        const ob::SpaceInformationPtr &info, const AbutModel *robot, const AbutPlanProblem *problem, double level = 0.0)
        : ob::MotionValidator(info), questions_(robot, problem, level) {
        checkSpace(*info, problem);
    }
    bool checkMotion(const ob::State *from, const ob::State *to) const override {
        const bool is_valid = si_->satisfiesBounds(to) && questions_.isFree(valuesOf(from), valuesOf(to));
        ++(is_valid ? valid_ : invalid_);
        return is_valid;
    }
    /* Also how far an edge is proved free, to 1/256 of it. */
    bool checkMotion(const ob::State *from, const ob::State *to, std::pair<ob::State *, double> &last) const override {
        if (checkMotion(from, to)) return true;
        const auto &space = si_->getStateSpace();
        ob::State *at = si_->allocState();
        double free = 0.0;
        for (double step = 0.5; step > 0.002; step *= 0.5) {
            space->interpolate(from, to, free + step, at);
            if (si_->satisfiesBounds(at) && questions_.isFree(valuesOf(from), valuesOf(at))) free += step;
        }
        si_->freeState(at);
        last.second = free;
        if (last.first != nullptr) space->interpolate(from, to, free, last.first);
        return false;
    }

  private:
    Questions questions_;
};

/* Gives a SpaceInformation both, and sets it up. */
inline void prove(
    const ob::SpaceInformationPtr &info, const AbutModel *robot, const AbutPlanProblem *problem, double level = 0.0) {
    info->setStateValidityChecker(std::make_shared<StateValidityChecker>(info, robot, problem, level));
    info->setMotionValidator(std::make_shared<MotionValidator>(info, robot, problem, level));
    info->setup();
}

} // namespace abut_ompl

#endif
