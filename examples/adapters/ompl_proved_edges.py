# SPDX-License-Identifier: Apache-2.0
"""RRT-Connect of OMPL with sampled edges and with proved edges: an arm among posts. How many plans really collide?"""
import time

import numpy as np
from ompl import base, geometric, util

import abut
import abut.ompl

PROBLEMS = 20


def make_problem():
    posts = abut.Model()
    for x, y in ((0.45, 0.1), (0.25, 0.45), (0.4, -0.3), (-0.3, 0.35), (-0.4, -0.2)):
        posts.add_shape(posts.add_body(kind="static", pose=(x, y, 0.4)), "capsule", (0.006, 0.006, 0.4))
    return abut.PlanProblem(abut.Robot("arm6"), posts)


def solve(problem, proved):
    """How many plans there are, and how many of them meet a post between their states."""
    info = base.SpaceInformation(abut.ompl.space(problem))
    validity = abut.ompl.StateValidityChecker(info, problem)
    info.setStateValidityChecker(validity)
    if proved:
        info.setMotionValidator(abut.ompl.MotionValidator(info, problem))
    info.setup()
    rng, found, colliding = np.random.default_rng(3), 0, 0
    for _ in range(PROBLEMS):
        ends = []
        while len(ends) < 2:
            u = rng.uniform(-2.5, 2.5, 6)
            place = abut.ompl.state(info, u)
            if validity.isValid(place) and validity.clearance(place) > 0.005:
                ends.append(place)
        task = base.ProblemDefinition(info)
        task.setStartAndGoalStates(*ends)
        planner = geometric.RRTConnect(info)
        planner.setProblemDefinition(task)
        planner.setup()
        planner.solve(10.0)
        if task.hasExactSolution():
            path = task.getSolutionPath()
            joints = [problem.joints_of([s[i] for i in range(6)]) for s in path.getStates()]
            certificate, _ = problem.certify(np.arange(len(joints)), joints, interpolation="linear")
            found, colliding = found + 1, colliding + (certificate.status == "contact")
    return found, colliding


util.RNG.setSeed(1)
util.setLogLevel(util.LogLevel.LOG_ERROR)
problem = make_problem()
for proved in (False, True):
    start = time.process_time()
    found, colliding = solve(problem, proved)
    spent = 1e3 * (time.process_time() - start) / PROBLEMS
    print(f"{'proved' if proved else 'sampled'} edges: {found} plans, {colliding} of them collide, {spent:.1f} ms each")
    assert found > PROBLEMS * 0.8 and not (proved and colliding)
