# SPDX-License-Identifier: Apache-2.0
"""Derivatives of steps and of rollouts by state, inputs and parameters."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._arrays import numbers, real
from ._errors import Error

if TYPE_CHECKING:
    from .worlds import Simulation

_OF_BODY = ("mass", "center", "inertia", "friction", "body_damping")
_LISTS = {"damping": "joint", "gain": "actuator"}


@dataclass(frozen=True)
class Jacobian:
    """What the state after a step does when the state before it, inputs or parameters change.

    A change of state has n numbers of place, then n of velocity: of free bodies in order (way of the body frame, turn;
    velocity of the center of mass, angular velocity; world axes), then of robots as in ``Robot``. Experimental: can be wrong
    for standing robots, stacks and closed loops although ``smooth`` is true.
    """

    by_state: NDArray[np.float64]
    by_input: NDArray[np.float64]
    by_parameter: NDArray[np.float64]
    #: Columns of by_input that are controls; force and torque on each free body follow, if they were asked for.
    controls: int
    #: False: the derivative is one of one side, or lacks something: see ``why`` and ``contact``.
    smooth: bool
    #: 'none', 'opens', 'slides', 'feature', 'limit', 'rocking', 'solver' or 'motion'.
    why: str
    #: Number of the contact where that was; -1: at none.
    contact: int
    #: False: rigid corners that slide share a load in more than one way.
    unique: bool
    #: Largest distance of the step from its own law, m/s.
    residual: float

    @property
    def n(self) -> int:
        """Numbers of place, and as many of velocity."""
        return len(self.by_state) // 2


class RolloutGradient(NamedTuple):
    """Cost of a rollout and its gradients by inputs (steps, inputs), start (2 n,) and parameters; ``smooth``: how many steps were."""

    cost: float
    inputs: NDArray[np.float64]
    start: NDArray[np.float64]
    parameters: NDArray[np.float64]
    smooth: int


def _row(simulation: Simulation, parameter: Sequence) -> tuple:
    """(kind, axis, body or None, robot, number) of a parameter in words."""
    kinds = _abut.parameter_kinds()
    kind, *rest = (parameter,) if isinstance(parameter, str) else tuple(parameter)
    if kind not in kinds:
        raise Error(f"parameters: expected one of {', '.join(kinds)}, got '{kind}'")
    if kind == "gravity":
        axis, *rest = (*rest, None) if rest else (0, None)
        return kinds.index(kind), axis, None, 0, 0
    if not rest:
        raise Error(f"parameters: expected ('{kind}', {_LISTS.get(kind, 'body')}, ...)")
    if kind in _OF_BODY:
        return kinds.index(kind), rest[1] if len(rest) > 1 else 0, simulation.scene.body(rest[0]), 0, 0
    axis = rest[1] if kind == "gain" and len(rest) > 1 else 0
    robot = rest[-1] if len(rest) > (2 if kind == "gain" else 1) else 0
    number = simulation.scene.robot_model(robot).find(_LISTS[kind], rest[0]) if isinstance(rest[0], str) else rest[0]
    return kinds.index(kind), axis, None, robot, number


def jacobian(simulation: Simulation, dt: float, forces: bool, smoothing: float, parameters: Sequence) -> Jacobian:
    """One step, and its derivative."""
    rows = tuple(_row(simulation, p) for p in parameters)
    out = _abut.simulation_jacobian(simulation._handle, dt, int(bool(forces)), real(smoothing, "smoothing"), rows)
    state, inputs, parameter, controls, smooth, why, contact, unique, residual = out
    return Jacobian(state, inputs, parameter, controls, bool(smooth), why, contact, bool(unique), residual)


class _Inputs:
    """Controls of all robots, then forces on free bodies, as one row."""

    def __init__(self, simulation: Simulation, forces: bool):
        self.simulation, scene = simulation, simulation.scene
        self.counts = [len(simulation.controls(r)) for r in range(scene.robots)]
        links = {scene.robot_body(k, r) for r in range(scene.robots) for k, b in enumerate(scene.robot_model(r).bodies)
                 if b["kind"] == "link"}
        dynamic = [b for b in scene.bodies if scene[b]["kind"] == "dynamic"]
        self.bodies = [b for b in dynamic if b not in links] if forces else []
        self.count = sum(self.counts) + 6 * len(self.bodies)

    def set(self, row: NDArray[np.float64]) -> None:
        at = 0
        for robot, count in enumerate(self.counts):
            if count:
                self.simulation.set_controls(row[at:at + count], robot)
            at += count
        for body in self.bodies:
            self.simulation.set_force(body, row[at:at + 3], row[at + 3:at + 6])
            at += 6


def rollout_grad(simulation: Simulation, inputs: ArrayLike, cost: Callable[[int, Simulation], tuple[float, ArrayLike] | None],
                 *, dt: float | None = None, forces: bool = False, smoothing: float = 0.0, parameters: Sequence = (),
                 every: int | None = None) -> RolloutGradient:
    """Steps with each row of ``inputs``, and the gradient of what they cost: the simulation ends after them.

    ``cost(k, simulation)`` is asked after step k, from 0 on: None, or a number and its gradient (2 n,) by the state.
    inputs: (steps, controls of all robots in order, and 6 numbers for each free body with ``forces``). States are kept
    every so many steps (by default the root of their number), and the steps between are made again on the way back:
    memory is that of steps / every states and of ``every`` Jacobians.
    """
    step = simulation.timestep if dt is None else real(dt, "dt")
    drive = _Inputs(simulation, forces)
    rows = np.asarray(inputs, dtype=np.float64)
    rows = numbers(rows, "inputs", (len(rows) if rows.ndim else 0, drive.count))
    stride = math.isqrt(max(1, len(rows) - 1)) + 1 if every is None else every
    if stride < 1:
        raise Error(f"every: expected at least 1, got {stride}")
    saved, total, pulls = [], 0.0, {}
    for k, row in enumerate(rows):
        if k % stride == 0:
            saved.append(simulation.save())
        drive.set(row)
        simulation.step(1, step)
        answer = cost(k, simulation)
        if answer is not None:
            total += float(answer[0])
            pulls[k] = np.asarray(answer[1], dtype=np.float64)
    end, by_inputs, by_parameters, back, smooth = simulation.save(), np.zeros(rows.shape), np.zeros(len(parameters)), None, 0
    for first in range((len(saved) - 1) * stride, -1, -stride):
        simulation.restore(saved[first // stride])
        jacobians = []
        for k in range(first, min(first + stride, len(rows))):
            drive.set(rows[k])
            jacobians.append(jacobian(simulation, step, forces, smoothing, parameters))
        for k in range(first + len(jacobians) - 1, first - 1, -1):
            j = jacobians[k - first]
            back = np.zeros(2 * j.n) if back is None else back
            if k in pulls:
                back = back + numbers(pulls[k], "cost", (2 * j.n,))
            by_inputs[k], by_parameters, back = j.by_input.T @ back, by_parameters + j.by_parameter.T @ back, j.by_state.T @ back
            smooth += j.smooth
    simulation.restore(end)
    return RolloutGradient(total, by_inputs, np.zeros(0) if back is None else back, by_parameters, smooth)
