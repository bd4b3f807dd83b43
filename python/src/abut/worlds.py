# SPDX-License-Identifier: Apache-2.0
"""Scenes and simulations: bodies in the world, and what contact forces do to them."""
from __future__ import annotations

import copy
import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import CastHit, Convex, Model, ModeSystem, NearestPoint, StepReport
from ._arrays import frozen
from ._errors import Error
from .models import shape_fields
from .runs import Run

_LEAST_NUMBER = 1 << 32  # a number is a place and, above its 32 bits, how often the place was taken


class Scene:
    """Bodies in the world: placed models, and bodies added one by one.

    Bodies are named by numbers that the scene gives, or by their names. Arrays are in the order of ``bodies``.
    """

    def __init__(self, model: Model | str | None = None, pose: ArrayLike | None = None):
        """Empty, or with a model (or a built-in one, as 'boxes:50') placed at a pose."""
        self._handle = _abut.scene_new()
        self._recipe: list[tuple] = []
        if model is not None:
            self.add_model(Model.build(model) if isinstance(model, str) else model, pose)

    def _call(self, name: str, *arguments):
        result = getattr(_abut, "scene_" + name)(self._handle, *arguments)
        self._recipe.append((name, arguments))
        return result

    def body(self, name: str | int) -> int:
        """The number of a body by its name."""
        if not isinstance(name, str):
            if int(name) < _LEAST_NUMBER:
                raise Error(f"body: the scene gave no body the number {name}; that of the first is scene.bodies[0]")
            return int(name)
        found = _abut.scene_find_body(self._handle, name)
        if found is None:
            raise Error(f"body: the scene has no '{name}'")
        return found

    @property
    def bodies(self) -> list[int]:
        """Numbers of all bodies."""
        return _abut.scene_bodies(self._handle)

    @property
    def names(self) -> list[str]:
        """Names of all bodies."""
        return [self[body]["name"] for body in self.bodies]

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, name: str | int) -> dict:
        """State of a body: kind, name, pose, center, velocity, spin, mass, local_center, inertia, shape_count."""
        return _abut.scene_get_body(self._handle, self.body(name))

    def add_model(self, model: Model, pose: ArrayLike | None = None) -> list[int]:
        """Places a model; gives the numbers of its bodies."""
        return self._call("add_model", copy.deepcopy(model) if model.recipe else model, pose)

    def add_body(self, name: str = "", kind: str = "dynamic", *, pose: ArrayLike | None = None, **fields) -> int:
        """Adds a body, as of ``Model.add_body``; gives its number."""
        return self._call("add_body", {"name": name, "kind": kind, "pose": pose, **fields})

    def add_shape(self, body: str | int, kind: str | None = None, size: ArrayLike | None = None, *,
                  convex: Convex | None = None, pose: ArrayLike | None = None, **fields) -> None:
        """Adds a shape to a body, as of ``Model.add_shape``."""
        self._call("add_shape", self.body(body), shape_fields(kind, size, pose, fields), convex)

    def remove_body(self, body: str | int) -> None:
        """Removes a body with its shapes."""
        self._call("remove_body", self.body(body))

    def exclude(self, a: str | int, b: str | int) -> None:
        """The shapes of these two bodies never meet."""
        self._call("exclude", self.body(a), self.body(b))

    def set_pose(self, body: str | int, pose: ArrayLike) -> None:
        """Moves a body."""
        self._call("set_pose", self.body(body), pose)

    def set_velocity(self, body: str | int, velocity: ArrayLike = (0, 0, 0), spin: ArrayLike = (0, 0, 0)) -> None:
        """Velocity (3,) of the centre of mass, m/s, and angular velocity (3,), rad/s, world axes."""
        self._call("set_velocity", self.body(body), velocity, spin)

    @property
    def poses(self) -> NDArray[np.float64]:
        """(n, 7) of all body frames as they are now; read-only."""
        return frozen(_abut.scene_state(self._handle)[0])

    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, 6): velocity of the centre of mass, m/s, and angular velocity, rad/s, world axes; read-only."""
        return frozen(_abut.scene_state(self._handle)[1])

    @property
    def robots(self) -> int:
        """Number of robots: placed models that have joints, actuators, equalities or keyframes."""
        return _abut.scene_robot_count(self._handle)

    def joints(self, robot: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Positions (nq,) and velocities (nv,) of a robot, in the order of Robot."""
        return _abut.scene_get_joints(self._handle, robot)

    def set_joints(self, q: ArrayLike, v: ArrayLike | None = None, robot: int = 0) -> None:
        """Sets all positions and velocities (None: zero) of a robot."""
        _abut.scene_set_joints(self._handle, robot, q, v)

    def contacts(self, margin: float = -1.0) -> NDArray:
        """Contacts as the scene stands: a structured array with the fields of Contact; forces are zero.

        margin: shapes touch when they meet with every face moved out by this, m; negative: 3e-5 of their size.
        """
        return _abut.scene_find_contacts(self._handle, margin)

    def mode_system(self, lines: int = 2, margin: float = -1.0) -> ModeSystem:
        """Contact modes of the scene as it stands: six velocities per free body, those of the joints per tree of links."""
        return _abut.scene_mode_system(self._handle, None, margin, lines)

    def mode_forces(self, gravity: ArrayLike = (0.0, 0.0, -9.80665), margin: float = -1.0) -> dict:
        """What acts on that system: force, velocity (dof,), mass (dof, dof), friction (contacts,); for
        ``ModeSystem.forces`` and ``.consistent``."""
        return dict(zip(("force", "velocity", "mass", "friction"),
                        _abut.scene_mode_forces(self._handle, None, margin, gravity)))

    def cast_ray(self, origin: ArrayLike, way: ArrayLike) -> CastHit:
        """Where a ray from origin along way (3,) first meets a shape; ``body`` is a place among the bodies."""
        return _abut.scene_cast(self._handle, origin, way)

    def nearest_point(self, point: ArrayLike) -> NearestPoint:
        """The point of a shape nearest to a point (3,)."""
        return _abut.scene_nearest(self._handle, point)

    def model(self) -> Model:
        """The scene as it stands, as a model."""
        return _abut.scene_model(self._handle)

    def __getstate__(self) -> dict:
        return {"recipe": self._recipe, "poses": self.poses, "velocities": self.velocities,
                "joints": [self.joints(i) for i in range(self.robots)]}

    def __setstate__(self, state: dict) -> None:
        self.__init__()
        for name, arguments in state["recipe"]:
            self._call(name, *arguments)
        for body, pose, velocity in zip(self.bodies, state["poses"], state["velocities"]):
            if self[body]["kind"] in ("dynamic", "kinematic"):
                _abut.scene_set_pose(self._handle, body, pose)
                _abut.scene_set_velocity(self._handle, body, velocity[:3], velocity[3:])
        for robot, (q, v) in enumerate(state["joints"]):
            self.set_joints(q, v, robot)

    def __deepcopy__(self, memo) -> Scene:
        other = Scene.__new__(Scene)
        other.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return other

    def __repr__(self) -> str:
        return f"<abut.Scene: {len(self)} bodies>"


class Simulation:
    """A scene through time, with volumetric contact forces.

    ``Simulation("boxes:50")``, of a Model or of a Scene. Settings are those of ``Simulation.settings()``: gravity (3,),
    model ('vol', 'convex', 'point', ...), iterations, tolerance, margin, threads, sleeping, continuous, ... The same
    steps give the same bits on every machine and for any number of threads. Ctrl-C ends a row of steps.
    """

    def __init__(self, scene: Scene | Model | str, *, seed: int = 1, **settings):
        model = Model.build(scene, seed) if isinstance(scene, str) else scene if isinstance(scene, Model) else None
        self.scene = Scene(model) if model is not None else scene
        if not isinstance(self.scene, Scene):
            raise TypeError(f"scene: expected an abut.Scene, an abut.Model or a name, got {scene!r}")
        if model is not None:
            settings.setdefault("gravity", model.gravity)
        self._about = model
        self._settings = settings
        #: Step size, s: that of the model, or 1 ms.
        self.timestep = model.timestep if model is not None and model.timestep > 0.0 else 1e-3
        self._handle = _abut.simulation_new(self.scene._handle, settings)
        self.report: StepReport | None = None

    @staticmethod
    def settings() -> dict:
        """All settings with their defaults."""
        return _abut.simulation_settings()

    def step(self, count: int = 1, dt: float | None = None) -> StepReport:
        """Makes ``count`` steps of ``dt`` seconds (``timestep``); gives the StepReport of the last."""
        self.report = _abut.simulation_step(self._handle, self.timestep if dt is None else dt, count, None, 1)
        return self.report

    def run(self, time: float, dt: float | None = None, *, every: int = 1, keep: str = "all", settings: str = "") -> Run:
        """Simulates so many seconds and records every so many-th step: a Run.

        keep: 'all', 'motion' (no contacts) or 'poses'. settings: a text kept with the run.
        """
        step = self.timestep if dt is None else dt
        if not step > 0.0:
            raise Error(f"dt: expected a step above 0, got {step}")
        if not 0.0 < time < np.inf:
            raise Error(f"time: expected a time above 0, got {time}")
        count = max(1, int(np.ceil(time / step - 1e-9)))
        run = Run(_abut.run_of_scene(self.scene._handle, self._about, settings, keep))
        self.report = _abut.simulation_step(self._handle, step, count, run._handle, every)
        return run

    def set_controls(self, controls: ArrayLike, robot: int = 0) -> None:
        """One number for each actuator of a robot; they hold until they are set again."""
        _abut.simulation_drive(self._handle, robot, controls, 0)

    def controls(self, robot: int = 0) -> NDArray[np.float64]:
        """(actuators,) as they were set."""
        return _abut.simulation_get_control(self._handle, robot)

    def set_torques(self, torques: ArrayLike, robot: int = 0) -> None:
        """Forces (nv,) along the velocities of a robot beside those of its actuators, N and N m; they hold."""
        _abut.simulation_drive(self._handle, robot, torques, 1)

    def set_force(self, body: str | int, force: ArrayLike = (0, 0, 0), torque: ArrayLike = (0, 0, 0)) -> None:
        """A force (3,), N, at the centre of mass and a torque (3,), N m, that act on a body until they are set again."""
        state = self.scene[body]
        if state["kind"] in ("static", "kinematic"):
            raise Error(f"body: '{state['name']}' is {state['kind']}, and forces do not move it")
        _abut.simulation_set_force(self._handle, self.scene.body(body), force, torque)

    def robot_forces(self, robot: int = 0) -> dict[str, NDArray[np.float64]]:
        """What acted in a robot in the last step: actuator, limit, friction, equality (n, 6), tendon; N and N m."""
        names = ("actuator", "limit", "friction", "equality", "tendon")
        return dict(zip(names, _abut.simulation_robot_forces(self._handle, robot)))

    @property
    def time(self) -> float:
        """Sum of all steps so far, s."""
        return _abut.simulation_numbers(self._handle)[0]

    @property
    def energy(self) -> tuple[float, float]:
        """(kinetic, potential), J."""
        return _abut.simulation_numbers(self._handle)[1:3]

    @property
    def hash(self) -> int:
        """Hash of poses, velocities and impulses: equal hashes, equal futures."""
        return _abut.simulation_numbers(self._handle)[3]

    @property
    def poses(self) -> NDArray[np.float64]:
        """(n, 7) of all body frames as they are now; read-only."""
        return self.scene.poses

    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, 6) of all bodies, as of Scene."""
        return self.scene.velocities

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """(n,) which bodies rest and are left out until touched."""
        return frozen(_abut.simulation_activity(self._handle)[:, 0].astype(bool))

    @property
    def islands(self) -> NDArray[np.int32]:
        """(n,) number of the set of touching bodies that each belonged to in the last step; -1: none."""
        return frozen(_abut.simulation_activity(self._handle)[:, 1].copy())

    def contacts(self) -> NDArray:
        """Contacts of the last step: a structured array with the fields of Contact."""
        return _abut.simulation_contacts(self._handle)

    def mode_system(self, lines: int = 2) -> ModeSystem:
        """Contact modes of the contacts of the last step."""
        return _abut.scene_mode_system(self.scene._handle, self._handle, -1.0, lines)

    def save(self) -> bytes:
        """The state: restored, it goes on bit for bit."""
        return _abut.simulation_save(self._handle)

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state of the same bodies and shapes."""
        _abut.simulation_restore(self._handle, state)

    def __getstate__(self) -> dict:
        return {"scene": self.scene, "about": self._about if self._about is not None and self._about.recipe else None,
                "settings": self._settings, "timestep": self.timestep, "state": self.save()}

    def __setstate__(self, state: dict) -> None:
        self.__init__(state["scene"], **state["settings"])
        self._about, self.timestep = state["about"], state["timestep"]
        self.restore(state["state"])

    def __deepcopy__(self, memo) -> Simulation:
        other = Simulation.__new__(Simulation)
        other.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return other

    def __repr__(self) -> str:
        return f"<abut.Simulation: {len(self.scene)} bodies at {self.time:g} s>"


def read_scene(path: str | os.PathLike, **options) -> Scene:
    """A scene from an MJCF file."""
    return Scene(Model.read(path, **options))
