# SPDX-License-Identifier: Apache-2.0
"""Convex bodies. Each function makes one, centered at the origin unless points say otherwise; lengths in meters.

``radius`` of those that take it rounds the body by a ball of that radius.
"""
from __future__ import annotations

import difflib
import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Mesh
from ._arrays import doubles, finite, flag, give_methods, numbers
from ._errors import Error


_LARGEST = 1e60  # beyond, squares overflow


def _make(kind: str, *points: ArrayLike, radius: float = 0.0, name: str = "") -> Convex:
    values = np.zeros(9)
    values[:3 * len(points)] = np.ravel(points)
    return _abut.convex_from_numbers(kind, values, radius, name or kind)


def _place(value: ArrayLike, name: str) -> NDArray[np.float64]:
    """A point (3,)."""
    point = numbers(value, name, (3,))
    if not (np.abs(point) <= _LARGEST).all():
        raise Error(f"{name}: expected finite numbers up to 1e60, got {point.tolist()}")
    return point


def _lengths(value: ArrayLike, name: str, shape: tuple[int, ...] = ()) -> NDArray[np.float64]:
    """One length, or some."""
    lengths = numbers(value, name, shape)
    if not ((lengths >= 0.0) & (lengths <= _LARGEST)).all():
        raise Error(f"{name}: expected {'lengths' if shape else 'a length'} from 0 to 1e60, got {lengths.tolist()}")
    return lengths


def sphere(radius: float, center: ArrayLike = (0.0, 0.0, 0.0)) -> Convex:
    """A ball."""
    return _make("point", _place(center, "center"), radius=_lengths(radius, "radius"), name="sphere")


def point(position: ArrayLike = (0.0, 0.0, 0.0)) -> Convex:
    """A single point."""
    return _make("point", _place(position, "position"))


def capsule(radius: float, half_length: float | None = None, *, a: ArrayLike | None = None,
            b: ArrayLike | None = None) -> Convex:
    """All points within ``radius`` of a segment: from a to b, or along z from -half_length to half_length."""
    if (half_length is None) == (a is None) or (a is None) != (b is None):
        raise Error("capsule: expected half_length, or a and b")
    if a is not None and b is not None:
        ends = _place(a, "a"), _place(b, "b")
    else:
        half = _lengths(half_length, "half_length")
        ends = np.array([0.0, 0.0, -half]), np.array([0.0, 0.0, half])
    return _make("segment", *ends, radius=_lengths(radius, "radius"), name="capsule")


def segment(a: ArrayLike, b: ArrayLike) -> Convex:
    """The segment from a to b."""
    return _make("segment", _place(a, "a"), _place(b, "b"))


def triangle(a: ArrayLike, b: ArrayLike, c: ArrayLike, radius: float = 0.0) -> Convex:
    """A triangle."""
    return _make("triangle", _place(a, "a"), _place(b, "b"), _place(c, "c"), radius=_lengths(radius, "radius"))


def box(half_size: ArrayLike, radius: float = 0.0) -> Convex:
    """A box along the axes; ``half_size`` (3,) from its center to its faces."""
    return _make("box", _lengths(half_size, "half_size", (3,)), radius=_lengths(radius, "radius"))


def cylinder(radius: float, half_height: float, rounding: float = 0.0) -> Convex:
    """A cylinder about z."""
    return _about_z("cylinder", radius, half_height, rounding)


def cone(radius: float, half_height: float, rounding: float = 0.0) -> Convex:
    """A cone about z: base at -half_height, apex at half_height."""
    return _about_z("cone", radius, half_height, rounding)


def _about_z(kind: str, radius: float, half_height: float, rounding: float) -> Convex:
    around, along = _lengths(radius, "radius"), _lengths(half_height, "half_height")
    return _make(kind, (around, around, along), radius=_lengths(rounding, "rounding"))


def ellipsoid(semi_axes: ArrayLike, radius: float = 0.0) -> Convex:
    """An ellipsoid; the least of its semi-axes (3,) is at least 1e-6 of the largest."""
    return _make("ellipsoid", _lengths(semi_axes, "semi_axes", (3,)), radius=_lengths(radius, "radius"))


def half_space(normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0) -> Convex:
    """All x with normal . x <= offset. A normal of another length than 1 is scaled, and the offset with it."""
    return _plane("half_space", normal, offset)


def plane(normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0) -> Convex:
    """The two-sided sheet normal . x = offset, without volume; not for questions with meshes."""
    return _plane("plane", normal, offset)


def _plane(kind: str, normal: ArrayLike, offset: float) -> Convex:
    n = doubles(normal, "normal")
    length = float(np.sqrt(n @ n)) if n.shape == (3,) else 0.0
    if not length > 0.0:
        raise Error(f"normal: expected three numbers that are not all 0, got {n.tolist()}")
    return _make(kind, n / length, (finite(offset, "offset") / length, 0.0, 0.0))


def hull(points: ArrayLike, radius: float = 0.0, *, solid: bool = False, max_vertices: int = 0) -> Convex:
    """The convex hull of points (n, 3).

    Flat sets give a polyhedron of lower dimension, or fail with ``solid``. ``max_vertices``: fail beyond; 0: no limit.
    """
    return _abut.hull(points, _lengths(radius, "radius"), flag(solid, "solid"), max_vertices)


def polyhedron(planes: ArrayLike, radius: float = 0.0) -> Convex:
    """The polyhedron normal . x <= offset for planes (n, 4), rows normal and offset; it must be bounded."""
    return _abut.from_planes(planes, radius)


def prism(sides: int, radius: float, height: float) -> Convex:
    """A prism over a regular polygon, about z."""
    return _abut.named_polyhedron("prism", sides, radius, height)


def pyramid(sides: int, radius: float, height: float) -> Convex:
    """A pyramid over a regular polygon, about z."""
    return _abut.named_polyhedron("cone", sides, radius, height)


def regular(faces: int, radius: float) -> Convex:
    """A regular polyhedron of 4, 6, 8, 12 or 20 faces; circumscribed radius."""
    return _abut.named_polyhedron("regular", faces, radius, 0.0)


_WORDS = {
    "sphere": (1, lambda v: sphere(v[0])),
    "capsule": (2, lambda v: capsule(v[0], v[1])),
    "cylinder": (2, lambda v: cylinder(v[0], v[1])),
    "cone": (2, lambda v: cone(v[0], v[1])),
    "box": (3, box),
    "ellipsoid": (3, ellipsoid),
    "half-space": (4, lambda v: half_space(v[:3], v[3])),
    "plane": (4, lambda v: plane(v[:3], v[3])),
}


def body(text: str) -> Convex | Mesh:
    """A body in the words of the command line, as 'sphere:0.1' or 'box:0.5,0.5,1', or the mesh of a file."""
    if not isinstance(text, str):
        raise TypeError(f"text: expected a text, got {text!r}")
    name, colon, rest = text.partition(":")
    if not colon or name not in _WORDS:
        near = difflib.get_close_matches(name, _WORDS, 1)
        if colon and near and not os.path.exists(text):
            raise Error(f"'{text}': there is no body '{name}', and no such file; did you mean '{near[0]}:'?")
        return Mesh.read(text)
    count, make = _WORDS[name]
    try:
        values = [float(x) for x in rest.split(",")]
    except ValueError:
        values = []
    if len(values) != count:
        raise Error(f"'{text}': expected {count} numbers behind '{name}:'")
    return make(values)


# ---- what the class Convex has beside the extension's own ----------------------------------------------------------

def _volume(self) -> float:
    """Volume, m^3."""
    return self.mass_properties()[0]


def _to_mesh(self, directions: int = 0) -> Mesh:
    """A mesh of the body: its faces, or of a round one those of a polyhedron inside, in so many directions (0: 512)."""
    if self.kind == "polyhedron" and self.radius == 0.0:
        return self.faces_to_mesh()
    return self.polyhedra(directions)[0].faces_to_mesh()


def _reduce(self):
    if self.kind == "polyhedron":
        return _abut.from_block, (self.block(), self.radius)
    return _abut.convex_from_numbers, (self.kind, self.numbers.tolist(), self.radius)


def _repr(self) -> str:
    if self.kind == "polyhedron":
        return f"<abut.Convex: polyhedron of {len(self.vertices)} vertices and {len(self.planes)} faces>"
    return f"<abut.Convex: {self.kind}, numbers {self.numbers.tolist()}, radius {self.radius}>"


Convex.volume = property(_volume)
give_methods(Convex, to_mesh=_to_mesh)
Convex.__reduce__ = _reduce
Convex.__copy__ = lambda self: self
Convex.__deepcopy__ = lambda self, memo: self
Convex.__repr__ = _repr
