# SPDX-License-Identifier: Apache-2.0
"""Simulations: scenes through time, and what contact forces do to their bodies."""
from __future__ import annotations

import copy
import os
import weakref
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Contact, Model, ModeSystem, StepReport
from ._arrays import finite, frozen, function, real
from ._errors import Error
from .derivatives import Jacobian, jacobian
from .models import model_of, named_sensors, some_names
from .poses import pose_multiply
from .runs import Run
from .scenes import Scene

_MOST_STEPS = 2**31 - 1


class Simulation:
    """A scene through time, with volumetric contact forces.

    ``Simulation("boxes:50")``, of a file (MJCF or URDF), a Model or a Scene. mu: friction of all shapes. Settings are those of ``Simulation.settings()``: gravity (3,),
    model ('vol', 'convex', 'point', ...), iterations, tolerance, margin, threads, sleeping, continuous, ... The same
    steps give the same bits on every machine and for any number of threads. Ctrl-C ends a row of steps.
    """

    def __init__(self, scene: Scene | Model | str | os.PathLike, *, seed: int = 1, mu: float | None = None, **settings):
        model = None if isinstance(scene, Scene) else model_of(scene, "scene", seed)
        self.scene = scene if model is None else Scene(model)
        if mu is not None:
            self._set_friction(finite(mu, "mu"))
        if model is not None:
            settings.setdefault("gravity", model.gravity)
        self._about = model
        #: Step size, s: that of the model, or 1 ms.
        self.timestep = model.timestep if model is not None and model.timestep > 0.0 else 1e-3
        self._handle = _abut.simulation_new(self.scene._handle, settings)
        self.report: StepReport | None = None

    def _set_friction(self, mu: float) -> None:
        for body in self.scene.bodies:
            for shape in self.scene.shapes(body):
                self.scene.set_material(shape, friction=mu, friction_kinetic=-1.0)

    @staticmethod
    def settings() -> dict:
        """All settings with their defaults."""
        return _abut.simulation_settings(None)

    @property
    def current_settings(self) -> dict:
        """All settings as they are."""
        return _abut.simulation_settings(self._handle)

    def change_settings(self, **settings) -> None:
        """Other settings from the next step on; everything wakes."""
        _abut.simulation_set_settings(self._handle, settings)

    def set_contact_rule(self, call: Callable[[Contact, float, float, float], object] | None) -> None:
        """``call(contact, friction, friction_kinetic, restitution)`` is asked about each contact in each part of a step.

        It answers None (as it is), False (the contact does not push), or other (friction, friction_kinetic,
        restitution); its exception ends the step, which is then half done: ``save`` before it and ``restore`` after it
        give the bits of a step that never was. Copies have no rule.
        """
        _abut.simulation_set_contact_rule(self._handle, call)

    def step(self, count: int = 1, dt: float | None = None) -> StepReport:
        """Makes ``count`` steps of ``dt`` seconds (``timestep``); gives the StepReport of the last."""
        self.report = _abut.simulation_step(self._handle, self.timestep if dt is None else dt, count, None, 1)
        return self.report

    def jacobian(self, dt: float | None = None, *, forces: bool = False, smoothing: float = 0.0, parameters: Sequence = ()) -> Jacobian:
        """One step of ``dt`` seconds (``timestep``), and its derivative by state, inputs and parameters.

        parameters: ('gravity', axis), ('mass', body), ('center', body, axis), ('inertia', body, axis), ('friction', body),
        ('body_damping', body, axis), ('damping', joint, robot), ('gain', actuator, axis, robot). forces: inputs also have
        force and torque on each free body. smoothing: m/s over which contacts open and begin to slide, in the derivative alone.
        """
        return jacobian(self, self.timestep if dt is None else dt, forces, smoothing, parameters)

    def run(self, time: float, dt: float | None = None, *, every: int = 1, keep: str = "all", settings: str = "") -> Run:
        """Simulates so many seconds and records the state before the first step, then every so many-th step and the last: a Run.

        keep: 'all', 'motion' (no contacts) or 'poses'. settings: a text kept with the run.
        """
        step, time = real(self.timestep if dt is None else dt, "dt"), real(time, "time")
        if not step > 0.0:
            raise Error(f"dt: expected a step above 0, got {step}")
        if not 0.0 < time < np.inf:
            raise Error(f"time: expected a time above 0, got {time}")
        if time / step > _MOST_STEPS:
            raise Error(f"time: expected at most {_MOST_STEPS} steps of {step} s, got {time} s")
        count = max(1, int(np.ceil(time / step - 1e-9)))
        run = Run(_abut.run_of_scene(self.scene._handle, self._about, settings, keep))
        self.report = _abut.simulation_step(self._handle, step, count, run._handle, every)
        return run

    def set_keyframe(self, keyframe: str | int, robot: int = 0) -> None:
        """Sets positions, velocities, controls and activations of a keyframe of a robot's model."""
        model = self.scene.robot_model(robot)
        stored = model.keyframes[model.find("keyframe", keyframe)]
        self.scene.set_keyframe(keyframe, robot)
        if len(stored["controls"]) > 0:
            self.set_controls(stored["controls"], robot)
        if len(stored["activations"]) > 0:
            self.set_activations(stored["activations"], robot)

    def set_controls(self, controls: ArrayLike, robot: int = 0) -> None:
        """One number for each actuator of a robot; they hold until they are set again."""
        _abut.simulation_drive(self._handle, robot, controls, 0)

    def controls(self, robot: int = 0) -> NDArray[np.float64]:
        """(actuators,) as they were set."""
        return _abut.simulation_get_control(self._handle, robot)

    def set_activations(self, activations: ArrayLike, robot: int = 0) -> None:
        """One number for each actuator that has dynamics: part of the state, which their controls change."""
        _abut.simulation_drive(self._handle, robot, activations, 2)

    def activations(self, robot: int = 0) -> NDArray[np.float64]:
        """One number for each actuator that has dynamics."""
        return self.robot_forces(robot)["activation"]

    def set_torques(self, torques: ArrayLike, robot: int = 0) -> None:
        """Forces (nv,) along the velocities of a robot beside those of its actuators, N and N m; they hold."""
        _abut.simulation_drive(self._handle, robot, torques, 1)

    def set_force(self, body: str | int, force: ArrayLike = (0, 0, 0), torque: ArrayLike = (0, 0, 0)) -> None:
        """A force (3,), N, at the center of mass and a torque (3,), N m, that act on a body until they are set again."""
        state = self.scene[body]
        if state["kind"] in ("static", "kinematic"):
            raise Error(f"body: '{state['name']}' is {state['kind']}, and forces do not move it")
        _abut.simulation_set_force(self._handle, self.scene.body(body), force, torque)

    def set_controller(self, call: Callable[[Simulation, float], object] | None) -> None:
        """``call(simulation, time)`` is asked before each part of a step, until it is None; its exception ends the step
        as that of a contact rule does.

        It may look at bodies and joints, and set controls, torques and forces. Copies have no controller.
        """
        if call is None:
            return _abut.simulation_set_controller(self._handle, None)
        asked, self_ref = function(call, "call"), weakref.ref(self)
        return _abut.simulation_set_controller(self._handle, lambda time: asked(self_ref(), time))

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Another gravity (3,), m/s^2, from the next step on; everything wakes."""
        _abut.simulation_set_gravity(self._handle, gravity)

    def sleep(self, body: str | int) -> None:
        """Puts a body and what touched it in the last step to sleep, until something wakes them."""
        _abut.simulation_sleep(self._handle, self.scene.body(body))

    def robot_forces(self, robot: int = 0) -> dict[str, NDArray[np.float64]]:
        """What acted in a robot in the last step: actuator, limit, friction, equality (n, 6), tendon; N and N m. And
        the activation of each actuator that has dynamics."""
        names = ("actuator", "limit", "friction", "equality", "tendon", "activation")
        return dict(zip(names, _abut.simulation_robot_forces(self._handle, robot)))

    def sensors(self, robot: int = 0) -> dict[str, NDArray[np.float64]]:
        """The values of a robot's sensors by name (KIND and its number for those without a name).

        Positions and velocities are those of now; forces and accelerations those of the last part of a step, and NaN
        before the first.
        """
        return named_sensors(self.scene.robot_model(robot), self.sensor_values(robot))

    def sensor_values(self, robot: int = 0) -> NDArray[np.float64]:
        """All values of sensors one after the other, each from its place in Model.sensors."""
        return _abut.simulation_get_sensors(self._handle, robot)

    @property
    def time(self) -> float:
        """Sum of all steps so far, s."""
        return _abut.simulation_time(self._handle)

    @property
    def energy(self) -> tuple[float, float]:
        """(kinetic, potential), J."""
        return _abut.simulation_energy(self._handle)

    @property
    def hash(self) -> int:
        """Hash of poses, velocities and impulses: equal hashes, equal futures."""
        return _abut.simulation_hash(self._handle)

    @property
    def poses(self) -> NDArray[np.float64]:
        """(n, 7) of all body frames as they are now; read-only."""
        return self.scene.poses

    def body_pose(self, body: str | int) -> NDArray[np.float64]:
        """Pose (7,) of a body in the world as it is now."""
        return self.scene[body]["pose"]

    def frame_pose(self, frame: str, robot: int = 0) -> NDArray[np.float64]:
        """Pose (7,) in the world as it is now of a frame (site) of the model; the name of a body stands for its frame."""
        model = self.scene.robot_model(robot) if robot < self.scene.robots else self._about
        frames = [] if model is None else model.frames
        item = next((item for item in frames if item["name"] == frame), None)
        if item is None and frame in self.scene.names:
            return self.body_pose(frame)
        if item is None:
            raise Error(f"frame: there is no frame or body '{frame}'; frames: {some_names(x['name'] for x in frames)}; "
                        f"bodies: {some_names(self.scene.names)}")
        if item["body"] < 0:
            return item["pose"]
        name = model.bodies[item["body"]]["name"]
        body = self.scene.robot_body(item["body"], robot) if robot < self.scene.robots else self.scene.body(name)
        return pose_multiply(self.body_pose(body), item["pose"])

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

    def contacts(self, body: str | int | None = None) -> NDArray:
        """Contacts of the last step, or those of one body: a structured array with the fields of Contact."""
        if body is not None:
            return _abut.simulation_body_contacts(self._handle, self.scene.body(body))
        return _abut.simulation_contacts(self._handle)

    def events(self) -> NDArray:
        """What happened in the steps of the last call of ``step`` or ``run``, in order: a structured array with the
        fields of Event; ``abut.words(events, "kind")`` gives 'begin', 'end', 'sleep', 'wake', 'guarded'."""
        return _abut.simulation_events(self._handle)

    def mode_system(self, lines: int = 2) -> ModeSystem:
        """Contact modes of the scene as the last step left it."""
        return self.scene.mode_system(lines)

    def mode(self, lines: int = 2, speed: float = 1e-6) -> str:
        """The contact mode after the last step; velocities up to ``speed``, m/s, count as zero."""
        return self.scene.mode(lines, speed)

    def save(self) -> bytes:
        """The state: restored, it goes on bit for bit."""
        return _abut.simulation_save(self._handle)

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state of the same bodies and shapes."""
        _abut.simulation_restore(self._handle, state)

    def __getstate__(self) -> dict:
        return {"scene": self.scene, "about": self._about,
                "settings": self.current_settings, "timestep": self.timestep, "state": self.save()}

    def __setstate__(self, state: dict) -> None:
        self.__init__(state["scene"], **state["settings"])
        self._about, self.timestep = state["about"], state["timestep"]
        self.restore(state["state"])

    def __deepcopy__(self, memo) -> Simulation:
        other = Simulation.__new__(Simulation)
        other.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return other

    __copy__ = lambda self: copy.deepcopy(self)

    def __repr__(self) -> str:
        return f"<abut.Simulation: {len(self.scene)} bodies at {self.time:g} s>"
