# SPDX-License-Identifier: Apache-2.0
"""Planners of OMPL's Python package ask abut whether postures and edges are free; needs the package ``ompl``.

    space = abut.ompl.space(problem)
    info = ompl.base.SpaceInformation(space)
    abut.ompl.prove(info, problem, level=0.005)

States are those of a RealVectorStateSpace with a dimension for each planned coordinate of the problem, rad or m. An edge
is valid when it is proved to keep every pair farther apart than the level at all places of it, in place of samples.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from ompl import base

from ._arrays import instance
from ._errors import Error
from .plans import PlanProblem


def space(problem: PlanProblem) -> base.RealVectorStateSpace:
    """The coordinates of a problem within their limits."""
    coordinates = instance(problem, PlanProblem, "problem").coordinates
    made, bounds = base.RealVectorStateSpace(len(coordinates)), base.RealVectorBounds(len(coordinates))
    for i, (name, low, high) in enumerate(coordinates):
        made.setDimensionName(i, name)
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    made.setBounds(bounds)
    return made


def state(info: base.SpaceInformation, u: Sequence[float]) -> base.State:
    """A state with these coordinates."""
    made, count = info.allocState(), info.getStateDimension()
    if len(u) != count:
        raise Error(f"u: expected {count} coordinates, got {len(u)}")
    for i, value in enumerate(u):
        made[i] = float(value)
    return made


class _Questions:
    """The states of a space as joints of the model."""

    def __init__(self, info: base.SpaceInformation, problem: PlanProblem, level: float):
        self.problem, self.level = instance(problem, PlanProblem, "problem"), float(level)
        self.count = len(problem.coordinates)
        if info.getStateDimension() != self.count:
            raise Error(f"info: expected a space of {self.count} dimensions, got {info.getStateDimension()}")

    def joints(self, place: base.State) -> NDArray[np.float64]:
        return self.problem.joints_of([place[i] for i in range(self.count)])

    def is_free(self, start: base.State, end: base.State | None = None) -> bool:
        ends = [self.joints(place)[None] for place in (start, end) if place is not None]
        return bool(self.problem.free(*ends, level=self.level, threads=1)[0])


class StateValidityChecker(base.StateValidityChecker):
    """A state is valid within the bounds of its space where every pair is farther apart than ``level``, m."""

    def __init__(self, info: base.SpaceInformation, problem: PlanProblem, level: float = 0.0):
        super().__init__(info)
        self._questions, self._space = _Questions(info, problem, level), info.getStateSpace()

    def isValid(self, place: base.State) -> bool:
        return self._space.satisfiesBounds(place) and self._questions.is_free(place)

    def clearance(self, place: base.State) -> float:
        """The least distance of all pairs, m, less the level; infinity without pairs."""
        q = self._questions
        near = q.problem.nearest(q.joints(place))
        return near["distance"] - q.level if near["pair"] >= 0 else float("inf")


class MotionValidator(base.MotionValidator):
    """An edge is valid when all of it is proved free."""

    def __init__(self, info: base.SpaceInformation, problem: PlanProblem, level: float = 0.0):
        super().__init__(info)
        self._questions, self._space = _Questions(info, problem, level), info.getStateSpace()

    def checkMotion(self, start: base.State, end: base.State) -> bool:
        return self._space.satisfiesBounds(end) and self._questions.is_free(start, end)


def prove(info: base.SpaceInformation, problem: PlanProblem, level: float = 0.0) -> None:
    """Gives a SpaceInformation both, and sets it up."""
    info.setStateValidityChecker(StateValidityChecker(info, problem, level))
    info.setMotionValidator(MotionValidator(info, problem, level))
    info.setup()
