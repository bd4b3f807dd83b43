# SPDX-License-Identifier: Apache-2.0
"""abut.ompl: answers against samples of edges, against the same questions without OMPL, and what is refused."""
import numpy as np
import pytest

base = pytest.importorskip("ompl.base", reason="ompl is not installed")
from ompl import geometric, util  # noqa: E402

import abut  # noqa: E402
import abut.ompl  # noqa: E402

util.setLogLevel(util.LogLevel.LOG_ERROR)


@pytest.fixture(scope="module")
def problem():
    post = abut.Model()
    post.add_shape(post.add_body(kind="static", pose=(0.45, 0.1, 0.4)), "capsule", (0.006, 0.006, 0.4))
    return abut.PlanProblem(abut.Robot("arm6"), post)


def info_of(problem, level=0.0):
    info = base.SpaceInformation(abut.ompl.space(problem))
    abut.ompl.prove(info, problem, level)
    return info


def test_the_space_has_the_coordinates_and_limits_of_the_problem(problem):
    space = abut.ompl.space(problem)
    bounds = space.getBounds()
    for i, (name, low, high) in enumerate(problem.coordinates):
        assert (space.getDimensionName(i), bounds.low[i], bounds.high[i]) == (name, low, high)


def test_valid_edges_keep_the_level_at_samples(problem):
    level, rng, counts = 0.01, np.random.default_rng(5), [0, 0]
    info = info_of(problem, level)
    motion = info.getMotionValidator()
    for _ in range(150):
        start = rng.uniform(-2, 2, 6)
        end = start + rng.normal(0, 0.3, 6)
        least = min(problem.nearest(problem.joints_of(start + t * (end - start)))["distance"] for t in np.linspace(0, 1, 60))
        valid = motion.checkMotion(abut.ompl.state(info, start), abut.ompl.state(info, end))
        counts[valid] += 1
        assert least > level if valid else least < level + 0.005
    assert min(counts) > 10


def test_states(problem):
    info, rng = info_of(problem), np.random.default_rng(6)
    checker = info.getStateValidityChecker()
    for _ in range(60):
        u = rng.uniform(-2, 2, 6)
        place = abut.ompl.state(info, u)
        distance = problem.nearest(problem.joints_of(u))["distance"]
        assert checker.clearance(place) == distance
        assert checker.isValid(place) is bool(problem.free([problem.joints_of(u)])[0])
    outside = np.zeros(6)
    outside[0] = problem.coordinates[0][2] + 0.1
    assert not info.isValid(abut.ompl.state(info, outside))


def test_a_plan_is_certified(problem):
    info = info_of(problem, 0.002)
    ends = [abut.ompl.state(info, u) for u in ((-0.6, 0.9, 0.6, 0, 0, 0), (1.0, 0.9, 0.6, 0, 0, 0))]
    assert not info.checkMotion(*ends)  # the post is between
    task = base.ProblemDefinition(info)
    task.setStartAndGoalStates(*ends)
    planner = geometric.RRTConnect(info)
    planner.setProblemDefinition(task)
    planner.setup()
    planner.solve(20.0)
    assert task.hasExactSolution()
    joints = [problem.joints_of([s[i] for i in range(6)]) for s in task.getSolutionPath().getStates()]
    certificate, _ = problem.certify(np.arange(len(joints)), joints, interpolation="linear", level=0.002)
    assert certificate.status in ("clear", "clear_except")


def test_refusals(problem):
    info = base.SpaceInformation(base.RealVectorStateSpace(5))
    with pytest.raises(abut.Error, match="expected a space of 6 dimensions, got 5"):
        abut.ompl.prove(info, problem)
    with pytest.raises(abut.Error, match="expected 5 coordinates, got 6"):
        abut.ompl.state(info, np.zeros(6))
    with pytest.raises(TypeError, match="problem: expected an abut.PlanProblem"):
        abut.ompl.space("arm6")
