# SPDX-License-Identifier: Apache-2.0
"""Plans: motions of a robot that keep clear of the robot itself and of what stands around it, with proof."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Certificate, Model
from ._errors import Error
from .robots import Robot


class Plan:
    """A motion that a search found, with its certificate.

    status: 'certified' (proved clear at all times), 'clear_uncertified', 'blocked' or 'infeasible_input'; reason: why
    not certified. cost: jerk. times (pieces + 1,), coefficients (pieces, joints, 6): in piece k, x from 0 to 1, joint j
    is the sum of coefficients[k, j, i] x^i. certificate: a Certificate; pairs: an array of PairCertificate.
    """

    def __init__(self, status: str, reason: str, cost: float, seconds: float, times: NDArray[np.float64],
                 coefficients: NDArray[np.float64], certificate: Certificate, pairs: NDArray):
        self.status, self.reason, self.cost, self.seconds = status, reason, cost, seconds
        self.times, self.coefficients, self.certificate, self.pairs = times, coefficients, certificate, pairs

    def joints_at(self, t: ArrayLike) -> NDArray[np.float64]:
        """Values of all joints of the model at times (n,), s: (n, joints); at rest before and after."""
        if len(self.times) == 0:
            raise Error(f"this plan has no motion: {self.reason}")
        at = np.clip(np.atleast_1d(np.asarray(t, float)), self.times[0], self.times[-1])
        piece = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 2)
        x = (at - self.times[piece]) / (self.times[piece + 1] - self.times[piece])
        return np.einsum("nji,ni->nj", self.coefficients[piece], x[:, None] ** np.arange(6))

    def __repr__(self) -> str:
        return f"<abut.Plan: {self.status}, {self.times[-1] if len(self.times) else 0.0:g} s>"


class PlanProblem:
    """A robot in a posture, obstacles, and the pairs of links that must not meet.

    robot: free bodies and balls stay as they are in it. obstacles: a Model that stands where it says. margin: distance
    that a plan keeps, m. neighbours, near_joints: which links may touch. None: the usual.
    """

    def __init__(self, robot: Robot, obstacles: Model | None = None, *, margin: float | None = None, neighbours: int | None = None,
                 near_joints: int | None = None):
        self.robot = robot
        self._handle = _abut.problem_new(robot._handle, obstacles, -1.0 if margin is None else margin, -1 if neighbours is None else neighbours,
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

    def solve(self, start: ArrayLike, goal: ArrayLike, *, seed: int = 1, **settings) -> Plan:
        """A motion from rest at joints ``start`` to rest at ``goal``, (joints of the model,), that keeps the margin: a Plan.

        Settings: level (what the certificate must show, m), points, attempts, always, budget (seconds), speed,
        acceleration, duration (s; 0: as they allow), samples, threads. Ctrl-C ends the search.
        """
        return Plan(*_abut.problem_solve(self._handle, start, goal, {"threads": 1, **settings}, seed))

    def __repr__(self) -> str:
        return f"<abut.PlanProblem: {len(self.joints)} joints, {len(self.pairs)} pairs>"


def trajectory_values(times: ArrayLike, joints: ArrayLike, at: ArrayLike, *, interpolation: str = "cubic",
                      order: int = 0) -> NDArray[np.float64]:
    """Joints (m, joints), or their derivatives of an order up to 5, at times ``at`` (m,) of such a trajectory."""
    return _abut.trajectory_values(times, joints, interpolation, at, order)
