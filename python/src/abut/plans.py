# SPDX-License-Identifier: Apache-2.0
"""Plans: motions of a robot that keep clear of the robot itself and of what stands around it, with proof."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Certificate, Model
from .robots import Robot


class PlanProblem:
    """A robot in a posture, obstacles, and the pairs of links that must not meet.

    robot: free bodies and balls stay as they are in it. obstacles: a Model that stands where it says. margin: distance
    that a plan keeps, m. neighbours, near_joints: which links may touch; None: the usual.
    """

    def __init__(self, robot: Robot, obstacles: Model | None = None, *, margin: float = 0.0, neighbours: int | None = None,
                 near_joints: int | None = None):
        self.robot = robot
        self._handle = _abut.problem_new(robot._handle, obstacles, margin, -1 if neighbours is None else neighbours,
                                         -1 if near_joints is None else near_joints)

    @property
    def joints(self) -> list[int]:
        """Numbers of the joints that move."""
        return _abut.problem_tell(self._handle)[0]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names of the links of each pair that must not meet."""
        return _abut.problem_tell(self._handle)[1]

    @property
    def notes(self) -> list[str]:
        """What was left out and why."""
        return _abut.problem_tell(self._handle)[2]

    def nearest(self, joints: ArrayLike) -> dict:
        """The nearest pair at values of all joints of the model: pair (-1: none), distance (m), point_a, point_b,
        normal (3,), and distances (pairs,) of all."""
        names = ("pair", "distance", "point_a", "point_b", "normal", "distances")
        return dict(zip(names, _abut.problem_nearest(self._handle, joints)))

    def certify(self, times: ArrayLike, joints: ArrayLike, *, interpolation: str = "cubic", level: float = 0.0,
                budget: int = 0) -> tuple[Certificate, NDArray]:
        """Does the trajectory through joints (n, joints of the model) at times (n,) keep every pair farther apart than
        ``level`` metres at all times? (Certificate, array of PairCertificate).

        interpolation: 'linear', 'cubic' (smooth, at rest at its ends) or 'quintic'. budget: bounds; 0: 5 million.
        """
        return _abut.problem_certify(times, joints, interpolation, self._handle, level, budget)

    def __repr__(self) -> str:
        return f"<abut.PlanProblem: {len(self.joints)} joints, {len(self.pairs)} pairs>"


def trajectory_values(times: ArrayLike, joints: ArrayLike, at: ArrayLike, *, interpolation: str = "cubic",
                      order: int = 0) -> NDArray[np.float64]:
    """Joints (m, joints), or their derivatives of an order up to 5, at times ``at`` (m,) of such a trajectory."""
    return _abut.trajectory_values(times, joints, interpolation, at, order)
