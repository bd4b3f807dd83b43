# SPDX-License-Identifier: Apache-2.0
"""Models: what bodies are, before they are placed anywhere; built in, read from MJCF or URDF, or put together."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Model
from ._arrays import file_name, give_methods, whole
from ._errors import Error

_Model = Model


def _new(cls) -> Model:
    return _abut.model_new()


def _build(spec: str, seed: int = 1) -> Model:
    """A built-in scene or robot, as 'boxes:50' or 'arm6'; ``seed`` chooses random poses. ``model_names()`` lists them."""
    return _abut.model_build(spec, seed)


def _read(path: str | os.PathLike, *, folder: str | None = None, without_meshes: bool = False, convex_pieces: bool = False, hulls: bool = False,
          without_visuals: bool = False, allow_outside: bool = False, free_root: bool = False, all_warnings: bool = False, cache: bool = True,
          packages: Mapping[str, str] | None = None, package_path: str = "", args: Mapping[str, object] | None = None) -> Model:
    """From an MJCF, URDF or xacro file. Content of the file that is not read raises an ``abut.Warning``, one per kind.

    folder: of meshes and includes. Closed meshes stay as they are, for contact in the models 'vol' and 'pressure' and for
    distances by triangles; other queries take their hulls. convex_pieces: those that are not convex become convex pieces instead. hulls: their hulls alone. all_warnings: every warning, not one per kind. cache: keep hulls and convex pieces of meshes for the next time, where ``abut simulate`` does. allow_outside: they may lie outside the folder. free_root: the root link of a URDF is free to move. packages: where package:// and $(find) lead, by name. package_path: folders that hold packages, separated by ':'; then those above the file, AMENT_PREFIX_PATH and ROS_PACKAGE_PATH. args: arguments of a xacro file.
    """
    options = {"folder": None if folder is None else file_name(folder), "without_meshes": without_meshes, "convex_pieces": convex_pieces, "hulls": hulls,
               "without_visuals": without_visuals, "allow_outside": allow_outside, "free_root": free_root, "all_warnings": all_warnings, "cache": cache}
    names = {name: file_name(place) for name, place in (packages or {}).items()}
    return _abut.model_read(file_name(path), options, names, file_name(package_path), {name: str(value) for name, value in (args or {}).items()})


def _read_srdf(self, path: str | os.PathLike) -> dict:
    """What an SRDF file of MoveIt says of the robot of this model.

    states: {"GROUP/NAME": {joint: value}}; groups: {name: [joint, ...]} of those that move; disabled: pairs of links
    that need not be checked, for ``PlanOptions.allow``.
    """
    states, groups, pairs = _abut.model_srdf(self, file_name(path))
    values = {name: dict(item.split("=") for item in text.split(",") if item) for name, text in states.items()}
    return {"states": {name: {joint: float(value) for joint, value in state.items()} for name, state in values.items()},
            "groups": {name: [joint for joint in text.split(",") if joint] for name, text in groups.items()},
            "disabled": [tuple(pair.split(":")) for pair in pairs.split(",") if pair]}


def model_of(source: Model | str | bytes | os.PathLike, name: str = "model", seed: int = 1) -> Model:
    """A Model as it is; from a path, or a text that names a file, what the file holds; else a built-in one."""
    if isinstance(source, Model):
        return source
    if isinstance(source, str) and not (source.lower().endswith((".xml", ".urdf", ".xacro")) or os.path.isfile(source)):
        return Model.build(source, seed)
    if isinstance(source, (str, bytes, os.PathLike)):
        return Model.read(source)
    raise TypeError(f"{name}: expected an abut.Model, a file or the name of a built-in one, got {source!r}")


def some_names(names: Iterable[str]) -> str:
    """Names for a message about one that is not there: at most 20 of them."""
    known = [name for name in names if name]
    return ", ".join(known[:20] + ["..."] * (len(known) > 20)) or "none"


def model_names() -> dict[str, str]:
    """Built-in scenes and robots, with what they are."""
    return {f"{name}:{argument}" if argument else name: text for name, argument, text in _abut.builtin_names()}


def _add_body(self, name: str = "", kind: str = "dynamic", *, pose: ArrayLike | None = None, **fields) -> int:
    """Adds a body and gives its number. kind: 'dynamic', 'static', 'kinematic' or 'link'.

    Fields: parent (of a link: number, -1 the world), velocity, spin (3,), mass (0: from its shapes), center (3,),
    inertia (3, 3), gravity_compensation, damping, armature, friction_loss, never_sleeps.
    """
    return _abut.model_add_body(self, {"name": name, "kind": kind, "pose": pose, **fields})


def _add_shape(self, body: int, kind: str | None = None, size: ArrayLike | None = None, *, convex: Convex | None = None,
               field: tuple[ArrayLike, float, float, float] | None = None, pose: ArrayLike | None = None, **fields) -> int:
    """Adds a shape to a body. kind: 'box' (half sizes), 'sphere', 'capsule', 'cylinder', 'cone', 'ellipsoid',
    'half_space'.

    size: (3,) m; of a sphere the radius first, of a capsule, a cylinder and a cone (apex up) the radius first and half the
    length last.
    convex: a polyhedron instead. field: a height field instead, (heights (rows, columns), half_x, half_y, bottom) as of
    ``Mesh.height_field``, on a body that does not move. Fields: name, density (kg/m^3), friction, friction_kinetic,
    restitution, friction_spinning, friction_rolling (m), surface_velocity (3,), category, mask, color, visual, sensor,
    priority, resolution.
    """
    form = convex if field is None else tuple(field)
    return _abut.model_add_shape(self, {"body": body, **shape_fields(kind, size, form, pose, fields)}, form)


def shape_fields(kind: str | None, size: ArrayLike | None, convex: Convex | tuple | None, pose: ArrayLike | None,
                 fields: dict) -> dict:
    """The dictionary that describes a shape; ``convex``, or the tuple of a height field, goes beside it."""
    if kind is None and convex is None:
        raise Error("kind: expected the form of the shape, as 'box' with its size, or convex, got neither")
    given = {"kind": kind, "size": size, "pose": pose}
    if kind == "sphere" and np.ndim(size) == 0 and size is not None:
        given["size"] = (size, 0.0, 0.0)
    return {key: value for key, value in given.items() if value is not None} | fields


def _add_joint(self, body: int, kind: str = "hinge", **fields) -> int:
    """Adds a joint that moves a link. kind: 'hinge', 'slide' or 'ball'. Fields: name, position, axis (3,), limited,
    range (2,), stiffness, damping, armature, friction_loss, reference, spring_reference, force_limited, force_range, lifted."""
    return _abut.model_add_joint(self, {"body": body, "kind": kind, **fields})


def _add_frame(self, name: str, body: int = -1, pose: ArrayLike | None = None) -> int:
    """Adds a named place on a body."""
    return _abut.model_add_frame(self, {"name": name, "body": body, "pose": pose})


def _add_actuator(self, number: int, target: str = "joint", **fields) -> int:
    """Adds what drives a joint, body, tendon or frame, or the contacts of a body. Fields: name, gear (6,), gain,
    bias (3,), gain_by (2,), control_limited, control_range (2,), force_limited, force_range (2,), dynamics, time (3,),
    activation_limited, activation_range (2,), activation_early, muscle, muscle_numbers (9,), length_range (2,),
    response."""
    return _abut.model_add_actuator(self, {"number": number, "target": target, **fields})


def _add_pair(self, a: int, b: int, **fields) -> int:
    """Two shapes that meet whatever their filters say; with exclude=True two bodies that never do. Fields of shapes:
    friction, friction_kinetic, restitution, friction_spinning, friction_rolling (m), margin (m); those that are not
    given are as the shapes say."""
    return _abut.model_add_pair(self, {"a": a, "b": b, **fields})


def _add_equality(self, kind: str, a: int, b: int = -1, **fields) -> int:
    """Adds an equality: 'joint' (polynomial (5,)), 'connect' or 'weld' (pose_a, pose_b)."""
    return _abut.model_add_equality(self, {"kind": kind, "a": a, "b": b, **fields})


def _set(self, **options) -> None:
    """Sets gravity (3,) m/s^2, magnetic (3,), timestep and time, s."""
    _abut.model_set(self, options)


def _add_tendon(self, joints: ArrayLike = (), coefficients: ArrayLike = (), *, path: Iterable[dict] = (), **fields) -> int:
    """Adds a length: the sum of coordinates of hinges and slides, by number, times coefficients (n,); or that of a path through bodies.
    Fields: name, limited, range (2,), stiffness, damping, friction_loss, rest (2,).

    A path has dictionaries: kind 'site', 'sphere', 'cylinder' (which the path goes around, between two sites) or
    'pulley'; body (-1: the world), pose, radius; sided, side_body and side (3,): a point on whose side it stays; divisor of a pulley."""
    return _abut.model_add_tendon(self, fields, whole(joints, "joints"), coefficients, list(path))


def _add_sensor(self, kind: str, number: int = 0, **fields) -> int:
    """Adds a sensor of a kind of MJCF: 'gyro', 'jointpos', .... number: of its joint, tendon, actuator or, of a subtree,
    body (-1: the world). Fields: name, body, pose (of a frame), has_reference, reference_body, reference_pose, zone,
    zone_size (3,) (of touch, and of contact within a site; 0: everywhere), cutoff. Of contact: first_kind 'any', 'shape', 'body' or 'subtree' and
    first, its number; second_kind and second; data, the sum of 1 found, 2 force, 4 torque, 8 gap, 16 place, 32 normal, 64 tangent; reduce 'none',
    'mindist', 'maxforce' or 'netforce'; rows."""
    if kind == "contact":
        fields = {"zone_size": (0.0, 0.0, 0.0), **fields}
    return _abut.model_add_sensor(self, {"kind": kind, "number": number, **fields})


def named_sensors(model: Model, values: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Values of all sensors by their names; those without a name are called by kind and number."""
    return {s["name"] or f"{s['kind']}{i}": values[s["place"]:s["place"] + s["width"]] for i, s in enumerate(model.sensors)}


def _add_keyframe(self, name: str = "", positions: ArrayLike = (), velocities: ArrayLike = (), controls: ArrayLike = (),
                  activations: ArrayLike = (), *, time: float = 0.0) -> int:
    """Adds a stored state: positions (nq,), velocities (nv,), one control per actuator, one activation per actuator that
    has dynamics; what is empty is not stated."""
    return _abut.model_add_keyframe(self, {"name": name, "time": time}, positions, velocities, controls, activations)


def _add_element(self, section: str, tag: str, name: str = "", **attributes: str) -> int:
    """Keeps an element of a file for which the model has no structure of its own; texts."""
    return _abut.model_add_element(self, section, tag, name, list(attributes.items()))


def _find(self, what: str, name: str | int) -> int:
    """The number of a body, joint, frame or keyframe by its name; a number stays what it is."""
    if isinstance(name, (int, np.integer)):
        return int(name)
    if not isinstance(name, str):
        raise TypeError(f"{what}: expected a name or a number, got {name!r}")
    names = [item["name"] for item in getattr(self, {"body": "bodies"}.get(what, what + "s"))]
    if name not in names:
        raise Error(f"{what}: the model has no '{name}'; it has: {some_names(names)}")
    return names.index(name)


def _shapes_of(self, body: str | int) -> list[int]:
    """Numbers of the shapes of a body."""
    return _abut.model_of_body(self, self.find("body", body))[0]


def _joints_of(self, body: str | int) -> list[int]:
    """Numbers of the joints that move a body against its parent."""
    return _abut.model_of_body(self, self.find("body", body))[1]


def _is_movable(self, body: str | int) -> bool:
    """Is the body dynamic, a link with a joint, or welded to such a one?"""
    return _abut.model_of_body(self, self.find("body", body))[2]


def _number_names(self, which: str = "positions") -> list[str]:
    """Names of the 'positions', 'velocities' or 'forces' (of actuators) of a robot of this model, as tables have them."""
    return _abut.model_number_names(self, which)


def _shape_body(self, shape: int) -> Convex:
    """A shape as a body of the queries, in the frame of the shape; its pose in its body is shapes[shape]["pose"]."""
    return _abut.model_shape_convex(self, shape)


def _shape_field(self, shape: int) -> tuple[NDArray[np.float64], float, float, float] | None:
    """The height field that a shape is: (heights (rows, columns), half_x, half_y, bottom); None: it is none."""
    return _abut.model_shape_field(self, shape)


def _copy(self) -> Model:
    """A copy, to which things may be added also where a robot stands on this one."""
    return _abut.model_copy(self)


# ---- pickles: all that a model holds, with all its bits

_PARTS = (("bodies", "body"), ("joints", "joint"), ("frames", "frame"), ("actuators", "actuator"), ("pairs", "pair"),
          ("equalities", "equality"), ("sensors", "sensor"))


def _exact(fields: dict) -> dict:
    return {key: value.tobytes() if "pose" in key else value for key, value in fields.items()}


def _form(self, shape: int) -> Convex | tuple:
    mesh = _abut.model_shape_mesh(self, shape)
    return self.shape_body(shape) if mesh is None else (self.shape_body(shape), mesh)


def _content(self) -> dict:
    content = {name: [_exact(item) for item in getattr(self, name)] for name, _ in _PARTS}
    content["shapes"] = [(_exact(item), _form(self, i) if item["kind"] == "polyhedron" else self.shape_field(i))
                         for i, item in enumerate(self.shapes)]
    return content | {"name": self.name, "options": self.options, "tendons": self.tendons, "keyframes": self.keyframes,
                      "elements": self.elements}


def _rebuild(content: dict) -> Model:
    model = Model()
    model.name = content["name"]
    model.set(**content["options"])
    for name, part in _PARTS[:2] + (("shapes", "shape"),) + _PARTS[2:]:
        if part == "actuator":
            for tendon in content["tendons"]:
                _abut.model_add_tendon(model, tendon, tendon.pop("joints"), tendon.pop("coefficients"), tendon.pop("path"))
        for item in content[name]:
            getattr(_abut, "model_add_" + part)(model, *(item if part == "shape" else (item,)))
    for item in content["keyframes"]:
        model.add_keyframe(**item)
    for item in content["elements"]:
        model.add_element(item["section"], item["tag"], item["name"], **item["attributes"])
    return model


Model.__doc__ = """What bodies are: bodies, shapes, joints, frames, actuators, filters, each a list of dictionaries.

``Model()`` is empty; ``Model.build(spec)`` makes a built-in one, ``Model.read(path)`` reads MJCF or URDF. A pickled
model has all that it holds, and needs no file.
"""
Model.__new__ = staticmethod(_new)
give_methods(Model, build=staticmethod(_build), read=staticmethod(_read), read_srdf=_read_srdf, add_body=_add_body, add_shape=_add_shape,
             add_joint=_add_joint, add_frame=_add_frame, add_actuator=_add_actuator, add_pair=_add_pair,
             add_equality=_add_equality, add_tendon=_add_tendon, add_keyframe=_add_keyframe, add_element=_add_element, add_sensor=_add_sensor,
             set=_set, find=_find, shapes_of=_shapes_of, joints_of=_joints_of, is_movable=_is_movable,
             shape_body=_shape_body, shape_field=_shape_field, number_names=_number_names, copy=_copy)
Model.__reduce__ = lambda self: (_rebuild, (_content(self),))
Model.__copy__ = _copy
Model.__deepcopy__ = lambda self, memo: self.copy()
Model.__repr__ = lambda self: f"<abut.Model {self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints>"
Model.name = property(lambda self: _abut.model_name(self), lambda self, name: _abut.model_set_name(self, name),
                      doc="Name of the model.")
Model.gravity = property(lambda self: self.options["gravity"], doc="(3,) m/s^2")
Model.timestep = property(lambda self: self.options["timestep"], doc="s; 0: not stated")
