# SPDX-License-Identifier: Apache-2.0
"""Robots: where the bodies of a kinematic tree are, how they move, which forces that takes."""
from __future__ import annotations

import copy
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import IkResult, Model, Motion, RobotMotion
from ._arrays import doubles, frozen, give_methods, listed, read_file
from ._errors import Error
from .models import model_of, named_sensors, some_names
from .motions import Curve, rebuild


class Robot:
    """A state of a model: positions q (nq,) and velocities v (nv,), in MJCF's order.

    ``Robot("arm6")``, of a file (MJCF or URDF) or of a Model. Linear before angular, world axes. Bodies, frames and joints
    by name or number; where a frame is asked for, the name of a body stands for the frame at its origin.
    A robot belongs to one thread at a time; copies are independent.
    """

    def __init__(self, model: Model | str | os.PathLike):
        self.model = model_of(model)
        self._handle = _abut.robot_new(self.model)

    # ---- state

    @property
    def nq(self) -> int:
        """Number of positions."""
        return _abut.robot_numbers(self._handle)[0]

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return _abut.robot_numbers(self._handle)[1]

    @property
    def q(self) -> NDArray[np.float64]:
        """Positions (nq,): m, rad, quaternions. Setting them sets the velocities to zero."""
        return _abut.robot_tell(self._handle, "positions")

    @q.setter
    def q(self, value: ArrayLike) -> None:
        _abut.robot_set(self._handle, value, None)

    @property
    def v(self) -> NDArray[np.float64]:
        """Velocities (nv,)."""
        return _abut.robot_tell(self._handle, "velocities")

    @v.setter
    def v(self, value: ArrayLike) -> None:
        _abut.robot_set(self._handle, self.q, value)

    def set(self, q: ArrayLike, v: ArrayLike | None = None) -> Robot:
        """Sets positions and velocities (None: zero)."""
        _abut.robot_set(self._handle, q, v)
        return self

    def reset(self, keyframe: str | int | None = None) -> Robot:
        """To the reference, at rest, or to a keyframe of the model."""
        _abut.robot_reset(self._handle, -1 if keyframe is None else self.model.find("keyframe", keyframe))
        return self

    def joint_place(self, joint: str | int) -> tuple[int, int]:
        """First place of a joint among the positions and among the velocities."""
        return _abut.robot_joint_place(self._handle, self.model.find("joint", joint))

    def body_place(self, body: str | int) -> tuple[int, int]:
        """First place of a dynamic body among the positions and among the velocities; -1: it has none."""
        return _abut.robot_body_place(self._handle, self.model.find("body", body))

    def read_state(self, path: str | os.PathLike) -> Robot:
        """Sets positions and velocities from a JSON file, {"qpos": [...], "qvel": [...]}."""
        _abut.robot_parse_state(self._handle, *read_file(path))
        return self

    def integrate(self, q: ArrayLike, v: ArrayLike, h: float = 1.0) -> NDArray[np.float64]:
        """q moved on by the velocity v for h seconds."""
        return _abut.robot_integrate(self._handle, q, v, h)

    def difference(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        """The velocity (nv,) that leads from positions a to b in one second."""
        return _abut.robot_difference(self._handle, a, b)

    # ---- kinematics

    def body_pose(self, body: str | int, q: ArrayLike | None = None) -> NDArray[np.float64]:
        """Pose (7,) of a body in the world; (n, 7) for positions q (n, nq), the last of which the robot then has."""
        return _abut.robot_poses(self._handle, 0, self.model.find("body", body), q)

    def frame_pose(self, frame: str | int, q: ArrayLike | None = None) -> NDArray[np.float64]:
        """Pose (7,) of a frame in the world; (n, 7) for positions q (n, nq), the last of which the robot then has."""
        return _abut.robot_poses(self._handle, *self._frame(frame), q)

    def body_poses(self, q: ArrayLike | None = None) -> NDArray[np.float64]:
        """Poses (bodies, 7) of all bodies; (n, bodies, 7) for positions q (n, nq)."""
        return _abut.robot_poses(self._handle, 0, -1, q)

    def jacobian(self, body: str | int, point: ArrayLike | None = None) -> NDArray[np.float64]:
        """(6, nv): velocity of the body's point that is at ``point`` (world; None: its origin), then angular velocity."""
        return _abut.robot_jacobian(self._handle, 0, self.model.find("body", body), point)

    def frame_jacobian(self, frame: str | int) -> NDArray[np.float64]:
        """(6, nv): of the origin of a frame."""
        return _abut.robot_jacobian(self._handle, *self._frame(frame), None)

    def _frame(self, frame: str | int) -> tuple[int, int]:
        """(1, number) of a frame; of a name that no frame has (0, number) of a body."""
        frames, bodies = ([item["name"] for item in items] for items in (self.model.frames, self.model.bodies))
        if not isinstance(frame, str):
            number = self.model.find("frame", frame)
            if not 0 <= number < len(frames):
                raise Error(f"frame: expected a name, or a number from 0 to {len(frames) - 1}, got {number}")
            return 1, number
        if frame not in frames and frame not in bodies:
            raise Error(f"frame: the model has no frame or body '{frame}'; frames: {some_names(frames)}; bodies: {some_names(bodies)}")
        return (1, frames.index(frame)) if frame in frames else (0, bodies.index(frame))

    # ---- mass

    @property
    def mass(self) -> float:
        """Of all bodies that move, kg."""
        return _abut.robot_numbers(self._handle)[2]

    @property
    def energy(self) -> tuple[float, float]:
        """(kinetic, potential), J; gravity's potential is 0 at the origin."""
        return _abut.robot_numbers(self._handle)[3:]

    @property
    def center(self) -> NDArray[np.float64]:
        """Center of mass (3,), m."""
        return _abut.robot_tell(self._handle, "center")

    @property
    def center_velocity(self) -> NDArray[np.float64]:
        """Velocity of the center of mass (3,), m/s."""
        return _abut.robot_tell(self._handle, "center_velocity")

    @property
    def center_jacobian(self) -> NDArray[np.float64]:
        """(3, nv) of the center of mass."""
        return _abut.robot_tell(self._handle, "center_jacobian")

    @property
    def momentum(self) -> NDArray[np.float64]:
        """(6,): momentum, and angular momentum about the center of mass."""
        return _abut.robot_tell(self._handle, "momentum")

    @property
    def momentum_matrix(self) -> NDArray[np.float64]:
        """(6, nv): makes the momentum from v."""
        return _abut.robot_tell(self._handle, "momentum_matrix")

    # ---- dynamics

    @property
    def mass_matrix(self) -> NDArray[np.float64]:
        """M (nv, nv), armatures in it: M a + bias = torques."""
        return _abut.robot_tell(self._handle, "mass_matrix")

    @property
    def bias(self) -> NDArray[np.float64]:
        """(nv,) gravity and velocity products, N and N m."""
        return _abut.robot_tell(self._handle, "bias")

    @property
    def passive(self) -> NDArray[np.float64]:
        """(nv,) torques of springs, damping and gravity compensation."""
        return _abut.robot_tell(self._handle, "passive")

    def sensors(self, accelerations: ArrayLike | None = None) -> dict[str, NDArray[np.float64]]:
        """The values of the model's sensors by name, as if the robot had these accelerations (nv,).

        NaN for what only a simulation knows: forces of actuators, limits and contacts, and without accelerations what
        depends on them.
        """
        return named_sensors(self.model, _abut.robot_sensors(self._handle, accelerations))

    def inverse_dynamics(self, accelerations: ArrayLike, q: ArrayLike | None = None,
                         v: ArrayLike | None = None) -> NDArray[np.float64]:
        """Torques (nv,) for accelerations (nv,); with q (n, nq), and v (n, nv), of n states at once."""
        return _abut.robot_dynamics(self._handle, "inverse", "automatic", accelerations, q, v)

    def forward_dynamics(self, torques: ArrayLike, q: ArrayLike | None = None, v: ArrayLike | None = None, *,
                         method: str = "automatic") -> NDArray[np.float64]:
        """Accelerations (nv,) under torques (nv,); n states as of inverse_dynamics. method: 'factor', 'articulated'."""
        return _abut.robot_dynamics(self._handle, "forward", method, torques, q, v)

    def solve(self, x: ArrayLike) -> NDArray[np.float64]:
        """M^-1 x (nv,)."""
        return _abut.robot_dynamics(self._handle, "solve", "automatic", x, None, None)

    def inverse_derivatives(self, accelerations: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of the torques by positions (tangent space) and by velocities: (nv, nv) each."""
        return _abut.robot_derivatives(self._handle, "inverse", accelerations)[1:]

    def forward_derivatives(self, torques: ArrayLike):
        """(accelerations (nv,), by positions (nv, nv), by velocities (nv, nv))."""
        return _abut.robot_derivatives(self._handle, "forward", torques)

    # ---- inverse kinematics

    def task(self, frame: str | int | None, target: ArrayLike | None = None, kind: str | None = None, **fields) -> dict:
        """A task for ``ik``: bring a frame or body to a target pose (7,), or with three numbers its origin there.

        kind: 'position', 'pose', 'rotation', 'upright' and 'look_at' (with axis, direction (3,)), or 'center' (of
        mass; no frame). Fields: weight.
        """
        where = {}
        if frame is not None:
            is_frame, number = self._frame(frame)
            item = self.model.frames[number] if is_frame else {"body": number, "pose": (0, 0, 0, 1, 0, 0, 0)}
            where = {"body": item["body"], "pose": item["pose"]}
        default = "position" if np.size(target) == 3 else "pose"
        return {"kind": kind or default, "target": target, **where, **fields}

    def ik(self, frame: str | int | None = None, target: ArrayLike | None = None, *, tasks: Sequence[dict] | None = None,
           seed: int = 0, **settings) -> IkResult:
        """Joint coordinates that bring a frame to a target, or that meet several ``tasks``.

        Searches from the present positions within the joint limits, then from random starts; the robot is left at the
        best state that was found. Settings: tolerance_position (m), tolerance_rotation (rad), length (m that one
        radian counts as), iterations, restarts.
        """
        if (tasks is None) == (frame is None):
            raise Error("ik: expected a frame and a target, or tasks")
        wanted = [self.task(frame, target)] if tasks is None else listed(tasks, "tasks")
        return _abut.robot_ik(self._handle, wanted, settings, seed)

    def __getstate__(self) -> dict:
        return {"model": self.model, "q": self.q, "v": self.v}

    def __setstate__(self, state: dict) -> None:
        self.__init__(state["model"])
        self.set(state["q"], state["v"])

    def __copy__(self) -> Robot:
        other = Robot.__new__(Robot)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, memo) -> Robot:
        return copy.copy(self)

    def __repr__(self) -> str:
        return f"<abut.Robot {self.model.name!r}: {self.nq} positions, {self.nv} velocities>"


# ---- models that move

def _model(model: Model | str | os.PathLike) -> Model:
    """One of its own, which nobody changes."""
    return model.copy() if isinstance(model, Model) else model_of(model)


def _through(model: Model | str, times: ArrayLike, positions: ArrayLike) -> RobotMotion:
    """Through rows of positions (n, nq), as of ``Robot.q``, at growing times (n,), s: joints go straight from one row to
    the next, balls and free bodies turn at constant spins; at rest before the first and after the last."""
    return _abut.robot_motion_rows(_model(model), frozen(doubles(times, "times")), frozen(doubles(positions, "positions")))


def _curves(model: Model | str, curves: Sequence[Curve | None]) -> RobotMotion:
    """By a ``Curve`` for each of all positions; None: it stays as in the reference. Quaternions follow no curves."""
    for curve in curves:
        if curve is not None and not isinstance(curve, Curve):
            raise TypeError(f"curves: expected an abut.Curve or None, got {curve!r}")
    return _abut.robot_motion_curves(_model(model), [None if c is None else (c.pieces, c.end) for c in curves])


def _body(self, body: str | int) -> Motion:
    """How a body of the model, by name or number, moves. All bodies of one RobotMotion share its chain of joints, so that
    ``clearance_pairs`` reckons it once."""
    return _abut.robot_motion_body(self, self.recipe[1][0].find("body", body))


def _joint(self, joint: str | int) -> int:
    """The row of a joint of the model, by name or number, in what ``clearance_gradient`` and ``Motion.gradient`` give."""
    return _abut.robot_motion_joint(self, self.recipe[1][0].find("joint", joint))


give_methods(RobotMotion, through=staticmethod(_through), curves=staticmethod(_curves), body=_body, joint=_joint)
RobotMotion.__reduce__ = lambda self: (rebuild, self.recipe)
RobotMotion.__copy__ = lambda self: self
RobotMotion.__deepcopy__ = lambda self, memo: self
RobotMotion.__repr__ = lambda self: f"<abut.RobotMotion of {self.recipe[1][0].name!r}>"
