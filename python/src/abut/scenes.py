# SPDX-License-Identifier: Apache-2.0
"""Scenes: bodies in the world, what acts on them, and what can be asked as they stand."""
from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import CastHit, Convex, Mesh, Model, ModeSystem, NearestPoint
from ._arrays import check_int, flag, frozen, numbers
from ._errors import Error
from .models import model_of, shape_fields, some_names

_LEAST_NUMBER = 1 << 32  # a number is a place and, above its 32 bits, how often the place was taken
_KINDS = ("dynamic", "static", "kinematic", "link")
_AXES = ("x", "y", "z", "turn_x", "turn_y", "turn_z")


class Scene:
    """Bodies in the world: placed models, and bodies added one by one.

    Bodies are named by numbers that the scene gives, or by their names; shapes by numbers. Arrays are in the order of
    ``bodies``.
    """

    def __init__(self, model: Model | str | os.PathLike | None = None, pose: ArrayLike | None = None):
        """Empty, or with a model (of a file, or a built-in one, as 'boxes:50') placed at a pose."""
        self._handle = _abut.scene_new()
        self._recipe: list[tuple[str, tuple]] = []
        if model is not None:
            self.add_model(model_of(model), pose)

    def _build(self, name: str, *arguments):
        """A call that is part of what the scene is: a copy makes it again."""
        result = getattr(_abut, "scene_" + name)(self._handle, *arguments)
        kept = copy.deepcopy(arguments)
        if name in ("set_material", "set_filter"):
            for call in [call for call in self._recipe if call[0] == name and call[1][0] == kept[0]]:
                self._recipe.remove(call)
                kept = (kept[0], {**call[1][1], **kept[1]})
        self._recipe.append((name, kept))
        return result

    def _act(self, name: str, body: str | int, *values: NDArray) -> None:
        """A call that changes the state of a body, which a copy takes over."""
        _abut.scene_act(self._handle, name, self.body(body), np.concatenate([np.zeros(0), *(np.ravel(x) for x in values)]))

    # ---- what is in it

    def body(self, name: str | int) -> int:
        """The number of a body by its name."""
        if not isinstance(name, str):
            if check_int(name, "body") < _LEAST_NUMBER:
                raise Error(f"body: the scene gave no body the number {name}; that of the first is scene.bodies[0]")
            return check_int(name, "body")
        found = _abut.scene_find_body(self._handle, name)
        if found is None:
            raise Error(f"body: the scene has no '{name}'; it has: {some_names(self.names)}")
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
        """State of a body: kind, name, pose, center, velocity, spin, mass, local_center, inertia, shape_count,
        gravity_scale, damping, spin_damping, locked."""
        return _abut.scene_get_body(self._handle, self.body(name))

    def add_model(self, model: Model, pose: ArrayLike | None = None) -> list[int]:
        """Places a model; gives the numbers of its bodies."""
        return self._build("add_model", model, pose)

    def add_body(self, name: str = "", kind: str = "dynamic", *, pose: ArrayLike | None = None, **fields) -> int:
        """Adds a body, as of ``Model.add_body``; gives its number."""
        return self._build("add_body", {"name": name, "kind": kind, "pose": pose, **fields})

    def add_shape(self, body: str | int, kind: str | None = None, size: ArrayLike | None = None, *,
                  convex: Convex | None = None, field: tuple[ArrayLike, float, float, float] | None = None,
                  pose: ArrayLike | None = None, **fields) -> int:
        """Adds a shape to a body, as of ``Model.add_shape``; gives its number."""
        form = convex if field is None else tuple(field)
        return self._build("add_shape", self.body(body), shape_fields(kind, size, form, pose, fields), form)

    def remove_body(self, body: str | int) -> None:
        """Removes a body with its shapes."""
        self._build("remove_body", self.body(body))

    def exclude(self, a: str | int, b: str | int) -> None:
        """The shapes of these two bodies never meet."""
        self._build("exclude", self.body(a), self.body(b))

    def shapes(self, body: str | int) -> list[int]:
        """Numbers of the shapes of a body."""
        return _abut.scene_shapes(self._handle, self.body(body))

    def shape(self, shape: int) -> dict:
        """A shape as it is kept: the fields of ``Model.add_shape``, and body, the number of its body."""
        fields, body = _abut.scene_get_shape(self._handle, shape)
        return fields | {"body": body}

    def remove_shape(self, shape: int) -> None:
        """Takes a shape away; the mass of its body follows."""
        self._build("remove_shape", shape)

    def set_form(self, shape: int, kind: str | None = None, size: ArrayLike | None = None, *, convex: Convex | None = None,
                 pose: ArrayLike | None = None, resolution: int = 0) -> None:
        """Gives a shape another form and pose in its body, as of ``add_shape``; material and filter stay."""
        self._build("set_form", shape, shape_fields(kind, size, convex, pose, {"resolution": resolution}), convex)

    def set_pair_filter(self, call: Callable[[int, int], bool] | None) -> None:
        """``call(a, b)`` forbids pairs of shapes, by number, that everything else allows, where it is False; None: none.

        Its answer must not change while they are near. An exception in it is raised by the call that asked, which has
        let the pair through and asked no further; set the filter again to have all pairs judged. It must not use the
        scene. Copies have no such function.
        """
        _abut.scene_set_pair_filter(self._handle, call)

    def set_material(self, shape: int, **fields) -> None:
        """Sets friction, friction_kinetic, restitution, friction_spinning, friction_rolling (m) or surface_velocity
        (3,) of a shape, also while it is touched; others stay."""
        self._build("set_material", shape, fields)

    def set_filter(self, shape: int, **fields) -> None:
        """Sets category or mask of a shape: two shapes may meet when each category is in the other's mask."""
        self._build("set_filter", shape, fields)

    def set_pair_friction(self, a: int, b: int, friction: float, friction_kinetic: float = -1.0) -> None:
        """Friction of one pair of shapes; kinetic negative: the same."""
        self._build("set_pair_friction", a, b, friction, friction_kinetic)

    def set_pair(self, a: int, b: int, **fields) -> None:
        """All that one pair of shapes has of its own: friction, friction_kinetic, restitution, friction_spinning,
        friction_rolling (m), margin (m) of contact; what is not given is as the shapes say. Filters stay."""
        self._build("set_pair", a, b, fields)

    # ---- state

    def set_pose(self, body: str | int, pose: ArrayLike) -> None:
        """Moves a body."""
        _abut.scene_set_pose(self._handle, self.body(body), pose)

    def set_velocity(self, body: str | int, velocity: ArrayLike = (0, 0, 0), spin: ArrayLike = (0, 0, 0)) -> None:
        """Velocity (3,) of the center of mass, m/s, and angular velocity (3,), rad/s, world axes."""
        _abut.scene_set_velocity(self._handle, self.body(body), velocity, spin)

    def add_force(self, body: str | int, force: ArrayLike, point: ArrayLike | None = None) -> None:
        """A force (3,), N, at a point (3,) of the world (None: the center of mass) during the next step."""
        at = self[body]["center"] if point is None else numbers(point, "point", (3,))
        self._act("add_force", body, numbers(force, "force", (3,)), at)

    def add_torque(self, body: str | int, torque: ArrayLike) -> None:
        """A torque (3,), N m, during the next step."""
        self._act("add_torque", body, numbers(torque, "torque", (3,)))

    def add_impulse(self, body: str | int, impulse: ArrayLike, point: ArrayLike | None = None) -> None:
        """A blow (3,), N s, at a point (3,) of the world (None: the center of mass): changes the velocities at once."""
        at = self[body]["center"] if point is None else numbers(point, "point", (3,))
        self._act("add_impulse", body, numbers(impulse, "impulse", (3,)), at)

    def set_gravity_scale(self, body: str | int, scale: float) -> None:
        """Part of its weight that acts on a body: 1 all, 0 none."""
        self._act("set_gravity_scale", body, numbers(scale, "scale", ()))

    def set_damping(self, body: str | int, damping: float = 0.0, spin_damping: float = 0.0) -> None:
        """Drag: velocity and spin decay at these rates, 1/s."""
        self._act("set_damping", body, numbers(damping, "damping", ()), numbers(spin_damping, "spin_damping", ()))

    def lock_axes(self, body: str | int, axes: Sequence[str] = ()) -> None:
        """Axes of the world along and about which a body does not move: of 'x', 'y', 'z', 'turn_x', 'turn_y',
        'turn_z'; the others are free."""
        for axis in axes:
            if axis not in _AXES:
                raise Error(f"axes: expected of {', '.join(_AXES)}, got '{axis}'")
        self._act("lock_axes", body, np.array(float(sum(1 << _AXES.index(axis) for axis in set(axes)))))

    def wake(self, body: str | int) -> None:
        """A body that sleeps is looked at again in the next step."""
        self._act("wake", body)

    def set_mass(self, body: str | int, mass: float, center: ArrayLike = (0, 0, 0), inertia: ArrayLike | None = None) -> None:
        """Mass (kg), center (3,) and inertia (3, 3) about it of a dynamic body, body axes; 0: from its shapes."""
        matrix = np.zeros((3, 3)) if inertia is None else numbers(inertia, "inertia", (3, 3))
        values = np.concatenate([[numbers(mass, "mass", ())], numbers(center, "center", (3,)), matrix.ravel()])
        self._build("act", "set_mass", self.body(body), values)

    def set_kind(self, body: str | int, kind: str) -> None:
        """Makes a body 'dynamic', 'static' or 'kinematic'."""
        if kind not in _KINDS:
            raise Error(f"kind: expected one of {', '.join(_KINDS)}, got '{kind}'")
        self._build("act", "set_kind", self.body(body), np.array([float(_KINDS.index(kind))]))

    @property
    def poses(self) -> NDArray[np.float64]:
        """(n, 7) of all body frames as they are now; read-only."""
        return frozen(_abut.scene_state(self._handle)[0])

    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, 6): velocity of the center of mass, m/s, and angular velocity, rad/s, world axes; read-only."""
        return frozen(_abut.scene_state(self._handle)[1])

    # ---- robots

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

    def set_keyframe(self, keyframe: str | int, robot: int = 0) -> None:
        """Sets the state of a keyframe of a robot's model."""
        _abut.scene_set_keyframe(self._handle, robot, self.robot_model(robot).find("keyframe", keyframe))

    def robot_model(self, robot: int = 0) -> Model:
        """A copy of the model of a robot."""
        return _abut.scene_robot_model(self._handle, robot)

    def robot_body(self, body: str | int, robot: int = 0) -> int | None:
        """The body of the scene that a body of a robot's model, by name or number, is."""
        return _abut.scene_robot_body(self._handle, robot, self.robot_model(robot).find("body", body))

    # ---- questions

    def contacts(self, margin: float = -1.0, features: bool = False) -> NDArray:
        """Contacts as the scene stands: a structured array with the fields of Contact; forces are zero.

        margin: shapes touch when they meet with every face moved out by this, m; negative: 3e-5 of their size.
        features: contact points on the true bodies, as ``mode_system`` takes them, without volume.
        """
        return _abut.scene_find_contacts(self._handle, margin, flag(features, "features"))

    def mode_system(self, lines: int = 2, margin: float = -1.0) -> ModeSystem:
        """Contact modes of the scene as it stands: six velocities per free body, those of the joints per tree of links,
        less those that follow from equalities of robots; contact points on the true bodies, as of ``abut modes``."""
        return _abut.scene_mode_system(self._handle, margin, lines)

    def mode(self, lines: int = 2, speed: float = 1e-6, margin: float = -1.0) -> str:
        """The contact mode that the bodies are in; velocities up to ``speed``, m/s, count as zero."""
        return _abut.scene_mode(self._handle, margin, lines, speed)

    def mode_forces(self, gravity: ArrayLike = (0.0, 0.0, -9.80665), margin: float = -1.0) -> dict:
        """What acts on that system: force, velocity (dof,), mass (dof, dof), friction (contacts,); for
        ``ModeSystem.forces`` and ``.consistent``."""
        return dict(zip(("force", "velocity", "mass", "friction"),
                        _abut.scene_mode_forces(self._handle, margin, gravity)))

    def mode_basis(self) -> NDArray[np.float64]:
        """(all, dof): all velocities of the scene from those of ``mode_system``, which keep the equalities of robots."""
        return _abut.scene_mode_basis(self._handle)

    def grasp(self, body: str | int, margin: float = -1.0) -> dict:
        """How a free body is held: matrix (6, 3 contacts), wrench of unit forces; jacobian (3 contacts, dof), velocity of
        what touches it; friction (contacts,), rank, least_singular, closure (forces resist every wrench)."""
        return _abut.scene_grasp(self._handle, margin, self.body(body))

    def distances(self, within: float = math.inf, triangles: bool = False) -> NDArray:
        """All pairs of bodies that may meet and are at most ``within`` meters apart: an array of SceneDistance.
        ``triangles``: shapes that keep a mesh are measured by it, 0 where they meet, not as their hulls."""
        return _abut.scene_distances(self._handle, within, triangles)

    def _cast(self, origin, way, skip, moved, tolerance: float, all: bool, nearest: int, threads: int):
        body, pose = moved if isinstance(moved, tuple) else (moved, None)
        question = (self._handle, origin, way, [self.body(name) for name in skip], body, pose, tolerance)
        return _abut.scene_cast_all(*question) if all else _abut.scene_cast(*question, nearest, threads)

    def cast_ray(self, origin: ArrayLike, way: ArrayLike, *, all: bool = False, skip: Sequence[str | int] = (),
                 threads: int = 1) -> CastHit | NDArray:
        """Where a ray from origin along way, (3,) or (n, 3), first meets a shape; ``body`` is a place among the bodies.

        all: every shape that one ray meets, in order. skip: bodies that are passed over.
        """
        return self._cast(origin, way, skip, None, 0.0, all, 0, threads)

    def cast(self, moved: Convex | Mesh | tuple[Convex | Mesh, ArrayLike], way: ArrayLike, *, tolerance: float = 0.0,
             all: bool = False, skip: Sequence[str | int] = (), threads: int = 1) -> CastHit | NDArray:
        """Where a body, or (body, pose), moved by way (3,) or (n, 3) first meets a shape; as of ``abut.cast``."""
        return self._cast(way, way, skip, moved, tolerance, all, 0, threads)

    def nearest_point(self, points: ArrayLike, *, skip: Sequence[str | int] = (), threads: int = 1) -> NearestPoint | NDArray:
        """The point of a shape nearest to a point (3,), or to many (n, 3)."""
        return self._cast(points, points, skip, None, 0.0, False, 1, threads)

    def model(self) -> Model:
        """The scene as it stands, as a model."""
        return _abut.scene_model(self._handle)

    def describe_body(self, body: str | int, model: Model) -> int:
        """Adds a body as it stands, with its shapes, to a model; gives its number there."""
        return _abut.scene_describe_body(self._handle, self.body(body), model)

    # ---- copies

    def __getstate__(self) -> dict:
        bodies = [{key: self[body][key] for key in ("gravity_scale", "damping", "spin_damping", "locked")} for body in self.bodies]
        return {"recipe": self._recipe, "poses": self.poses, "velocities": self.velocities, "bodies": bodies,
                "joints": [self.joints(i) for i in range(self.robots)]}

    def __setstate__(self, state: dict) -> None:
        self.__init__()
        for name, arguments in state["recipe"]:
            self._build(name, *arguments)
        for body, pose, velocity, fields in zip(self.bodies, state["poses"], state["velocities"], state["bodies"]):
            self._restore(body, self[body], pose, velocity, fields)
        for robot, (q, v) in enumerate(state["joints"]):
            self.set_joints(q, v, robot)

    def _restore(self, body: int, now: dict, pose: NDArray, velocity: NDArray, fields: dict) -> None:
        if now["kind"] != "link":
            self.set_pose(body, pose)
        if now["kind"] in ("dynamic", "kinematic"):
            self.set_velocity(body, velocity[:3], velocity[3:])
        if fields["gravity_scale"] != now["gravity_scale"]:
            self.set_gravity_scale(body, fields["gravity_scale"])
        if (fields["damping"], fields["spin_damping"]) != (now["damping"], now["spin_damping"]):
            self.set_damping(body, fields["damping"], fields["spin_damping"])
        if fields["locked"] != now["locked"]:
            self._act("lock_axes", body, np.array(float(fields["locked"])))

    def __deepcopy__(self, memo) -> Scene:
        other = Scene.__new__(Scene)
        other.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return other

    __copy__ = lambda self: copy.deepcopy(self)

    def __repr__(self) -> str:
        return f"<abut.Scene: {len(self)} bodies>"


def read_scene(path: str | os.PathLike, **options) -> Scene:
    """A scene from an MJCF or URDF file; options as of ``Model.read``."""
    return Scene(Model.read(path, **options))
