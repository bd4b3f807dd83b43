# SPDX-License-Identifier: Apache-2.0
"""Models: what bodies are, before they are placed anywhere; built in, read from MJCF or URDF, or put together."""
from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _abut
from ._abut import Convex, Model
from ._arrays import file_name, give_methods
from ._errors import Error

_Model = Model


def _new(cls) -> Model:
    return _made(_abut.model_new(), "model_new", ())


def _build(spec: str, seed: int = 1) -> Model:
    """A built-in scene or robot, as 'boxes:50' or 'arm6'; ``seed`` chooses random poses. ``model_names()`` lists them."""
    return _made(_abut.model_build(spec, seed), "model_build", (spec, seed))


def _read(path: str | os.PathLike, *, folder: str | None = None, without_meshes: bool = False, convex_pieces: bool = False,
          without_visuals: bool = False, free_root: bool = False, packages: Mapping[str, str] | None = None) -> Model:
    """From an MJCF or URDF file. What the file holds and is not read is told as ``abut.Warning``, once per kind.

    folder: of meshes and includes. convex_pieces: MJCF meshes that are not convex become convex pieces instead of
    hulls. free_root: the root link of a URDF is free to move. packages: where package:// URLs lie, by name.
    """
    options = {"folder": None if folder is None else file_name(folder), "without_meshes": without_meshes, "convex_pieces": convex_pieces,
               "without_visuals": without_visuals, "free_root": free_root}
    names = {name: file_name(place) for name, place in (packages or {}).items()}
    model = _abut.model_read(file_name(path), options, names)
    if folder is not None:
        options["folder"] = os.path.abspath(options["folder"])
    places = {name: os.path.abspath(place) for name, place in names.items()}
    return _made(model, "model_read", (os.path.abspath(file_name(path)), options, places))


def model_names() -> dict[str, str]:
    """Built-in scenes and robots, with what they are."""
    return {f"{name}:{argument}" if argument else name: text for name, argument, text in _abut.builtin_names()}


def _made(model: Model, maker: str, arguments: tuple) -> Model:
    model.recipe.append((maker, arguments))
    return model


def _add(self, maker: str, *arguments):
    number = getattr(_abut, maker)(self, *arguments)
    self.recipe.append((maker, arguments))
    return number


def _plain(fields: dict) -> dict:
    return {key: np.array(value) if isinstance(value, np.ndarray) else value for key, value in fields.items()}


def _add_body(self, name: str = "", kind: str = "dynamic", *, pose: ArrayLike | None = None, **fields) -> int:
    """Adds a body and gives its number. kind: 'dynamic', 'static', 'kinematic' or 'link'.

    Fields: parent (of a link: number, -1 the world), velocity, spin (3,), mass (0: from its shapes), center (3,),
    inertia (3, 3), gravity_compensation, damping, armature, friction_loss, never_sleeps.
    """
    return _add(self, "model_add_body", _plain({"name": name, "kind": kind, "pose": pose, **fields}))


def _add_shape(self, body: int, kind: str | None = None, size: ArrayLike | None = None, *, convex: Convex | None = None,
               pose: ArrayLike | None = None, **fields) -> int:
    """Adds a shape to a body. kind: 'box' (half sizes), 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'half_space'.

    size: (3,) m; of a sphere the radius first, of a capsule and a cylinder the radius first and half the length last.
    convex: a polyhedron instead. Fields: name, density (kg/m^3), friction, friction_kinetic, restitution,
    friction_spinning, friction_rolling (m), category, mask, color, visual, priority, resolution.
    """
    return _add(self, "model_add_shape", {"body": body, **shape_fields(kind, size, pose, fields)}, convex)


def shape_fields(kind: str | None, size: ArrayLike | None, pose: ArrayLike | None, fields: dict) -> dict:
    """The dictionary that describes a shape."""
    given = {"kind": kind, "size": size, "pose": pose}
    if kind == "sphere" and np.ndim(size) == 0 and size is not None:
        given["size"] = (size, 0.0, 0.0)
    return _plain({key: value for key, value in given.items() if value is not None} | fields)


def _add_joint(self, body: int, kind: str = "hinge", **fields) -> int:
    """Adds a joint that moves a link. kind: 'hinge', 'slide' or 'ball'. Fields: name, position, axis (3,), limited,
    range (2,), stiffness, damping, armature, friction_loss, reference, spring_reference, force_limited, force_range."""
    return _add(self, "model_add_joint", _plain({"body": body, "kind": kind, **fields}))


def _add_frame(self, name: str, body: int = -1, pose: ArrayLike | None = None) -> int:
    """Adds a named place on a body."""
    return _add(self, "model_add_frame", _plain({"name": name, "body": body, "pose": pose}))


def _add_actuator(self, number: int, target: str = "joint", **fields) -> int:
    """Adds what drives a joint, body, tendon or frame. Fields: name, gear (6,), gain, bias (3,), control_limited,
    control_range (2,), force_limited, force_range (2,)."""
    return _add(self, "model_add_actuator", _plain({"number": number, "target": target, **fields}))


def _add_pair(self, a: int, b: int, **fields) -> int:
    """Two shapes that meet whatever their filters say; with exclude=True two bodies that never do."""
    return _add(self, "model_add_pair", {"a": a, "b": b, **fields})


def _add_equality(self, kind: str, a: int, b: int = -1, **fields) -> int:
    """Adds an equality: 'joint' (polynomial (5,)), 'connect' or 'weld' (pose_a, pose_b)."""
    return _add(self, "model_add_equality", _plain({"kind": kind, "a": a, "b": b, **fields}))


def _set(self, **options) -> None:
    """Sets gravity (3,) m/s^2, timestep and time, s."""
    _add(self, "model_set", _plain(options))


def _find(self, what: str, name: str | int) -> int:
    """The number of a body, joint, frame or keyframe by its name; a number stays what it is."""
    if isinstance(name, (int, np.integer)):
        return int(name)
    names = [item["name"] for item in getattr(self, {"body": "bodies"}.get(what, what + "s"))]
    if name not in names:
        raise Error(f"{what}: the model has no '{name}'")
    return names.index(name)


def _rebuild(recipe: list) -> Model:
    (maker, arguments), *rest = recipe
    model = _made(getattr(_abut, maker)(*arguments), maker, arguments)
    for maker, arguments in rest:
        _add(model, maker, *arguments)
    return model


def _reduce(self):
    if not self.recipe:
        raise Error("this model was made from a scene: pickle the scene or the simulation instead")
    return _rebuild, (self.recipe,)


Model.__doc__ = """What bodies are: bodies, shapes, joints, frames, actuators, filters, each a list of dictionaries.

``Model()`` is empty; ``Model.build(spec)`` makes a built-in one, ``Model.read(path)`` reads MJCF or URDF. A pickled
model is made again by the calls that made it: one that was read is read again from its file, by its absolute path.
"""
Model.__new__ = staticmethod(_new)
give_methods(Model, build=staticmethod(_build), read=staticmethod(_read), add_body=_add_body, add_shape=_add_shape,
             add_joint=_add_joint, add_frame=_add_frame, add_actuator=_add_actuator, add_pair=_add_pair,
             add_equality=_add_equality, set=_set, find=_find)
Model.__reduce__ = _reduce
Model.__repr__ = lambda self: f"<abut.Model {self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints>"
Model.gravity = property(lambda self: self.options["gravity"], doc="(3,) m/s^2")
Model.timestep = property(lambda self: self.options["timestep"], doc="s; 0: not stated")
