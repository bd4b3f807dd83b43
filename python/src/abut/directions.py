# SPDX-License-Identifier: Apache-2.0
"""In which direction two closed meshes part: soft directions, which do not jump while they move, Minkowski differences,
and the Phong distance to compare with."""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import ConvolutionMeasure, Convex, KernelDirection, Mesh, PhongDistance, Pressure, SoftBody, SoftDirection
from ._arrays import flag, real
from ._errors import Error


def _new(cls, mesh: Mesh, tau: float = 0.0, *, step: float = 0.0, margin: float = 0.0, threads: int = 1) -> SoftBody:
    return _abut.soft_body(mesh, tau, step, margin, threads)


SoftBody.__doc__ = """A closed mesh made ready for soft directions: SoftBody(mesh, tau).

tau: smoothing length, m; 0: 0.04 of the diameter. Give both bodies of a pair the same; ``soft_tau(a, b)`` suits two
meshes. step: of the distance grid, m; 0: 0.7 tau. margin: of the grid around the body, m; 0: 12 tau. Immutable.
"""
SoftBody.__new__ = staticmethod(_new)
SoftBody.__reduce__ = lambda self: (_abut.soft_from_block, (self.block(),))
SoftBody.__copy__ = lambda self: self
SoftBody.__deepcopy__ = lambda self, memo: self
SoftBody.__repr__ = lambda self: f"<abut.SoftBody: tau {self.tau:g} m>"


def soft_tau(a: Mesh, b: Mesh) -> float:
    """The smoothing length that suits two meshes, m: 0.04 of the smaller diameter."""
    return _abut.soft_tau(a, b)


def soft_direction(a: SoftBody, b: SoftBody, pose: ArrayLike | None = None, *, tau: float = 0.0, adaptive: bool = False,
                   threads: int = 1) -> SoftDirection | NDArray:
    """In which direction B parts from A: a ``SoftDirection``, or with n poses of B in A an array of them.

    tau: smoothing length, m; 0: the larger of the two. adaptive: tau grows far away.
    """
    return _abut.soft_direction(a, b, pose, tau, flag(adaptive, "adaptive"), threads)


def soft_turn_bound(b: SoftBody, soft: SoftDirection, start: ArrayLike, end: ArrayLike) -> float:
    """The direction stays within this angle, rad, of ``soft``, the answer at pose start, on the whole step to end."""
    return _abut.soft_turn_bound(b, soft, start, end)


def soft_turn_between(b: SoftBody, first: SoftDirection, start: ArrayLike, last: SoftDirection, end: ArrayLike) -> float:
    """The same between the answers at both ends of the step, rad, which is shared between them where that is better."""
    return _abut.soft_turn_between(b, first, start, last, end)


def soft_source(mesh: Mesh, tau: float = 0.0, *, step: float = 0.0, margin: float = 0.0) -> int:
    """What ``source`` of the SoftBody of this mesh and these settings is: the name by which it can be kept."""
    return _abut.soft_source(mesh, tau, step, margin)


def angle_between(u: ArrayLike, v: ArrayLike) -> float:
    """Angle between two unit vectors (3,), rad; 0 where one of them is zero."""
    return _abut.angle_between(u, v)


def soft_potential(soft: SoftDirection, stiffness: float, reach: float) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """A spring on the soft distance D, stiffness / 2 (reach - D)^2 where D is below reach, m: (energy, J, force (3,) and
    torque (3,) on B about its origin, axes of A)."""
    return _abut.soft_potential(soft, stiffness, reach)


def pressure_force(a: SoftBody | Convex, b: SoftBody | Convex, pose: ArrayLike | None = None, *, pressure: float, reach: float,
                   power: int = 4, derivative: bool = False) -> tuple[Pressure, NDArray[np.float64]]:
    """The force of two bodies that press on each other wherever they come nearer than reach, m: (Pressure, parts (n, 11)).

    pressure: Pa where surfaces meet; it falls as a power (2 to 8) of the distance. One body at least is a SoftBody, which
    has samples. parts: rows of place (3,), force (3,) on B, normal (3,), load (N) and stiffness (N/m).
    """
    return _abut.pressure_force(a, b, pose, pressure, reach, power, flag(derivative, "derivative"))


# ---- Minkowski difference ------------------------------------------------------------------------------------------

def minkowski_difference(a: Mesh, b: Mesh, pose: ArrayLike | None = None, *, grid: int = 0,
                         convolution: bool = False, center: ArrayLike = (0.0, 0.0, 0.0), radius: float = 0.0,
                         threads: int = 1) -> tuple[Mesh, bool, float] | tuple[Mesh, ConvolutionMeasure]:
    """The boundary of all a - b, the translations of B at which it meets A: (Mesh, exact, step).

    Exact for convex meshes. For others on a grid of so many cells (0: 32) along the longest side; step: of the grid, m:
    what is thinner may be missed.

    convolution: not the boundary but the signed convolution, which is exact for all meshes: (Mesh, ConvolutionMeasure).
    The mesh has every facet as often as its multiplicity says, turned over where that is negative; it is closed, and may
    cross itself. With a radius, m, only the facets that may come into the ball about center (3,).
    """
    return _minkowski(a, b, pose, grid, threads, 0, convolution, center, radius)


def minkowski_sum(a: Mesh, b: Mesh, pose: ArrayLike | None = None, *, grid: int = 0, convolution: bool = False,
                  center: ArrayLike = (0.0, 0.0, 0.0), radius: float = 0.0,
                  threads: int = 1) -> tuple[Mesh, bool, float] | tuple[Mesh, ConvolutionMeasure]:
    """The boundary of all a + b, or their convolution, as of ``minkowski_difference``."""
    return _minkowski(a, b, pose, grid, threads, 1, convolution, center, radius)


def _minkowski(a, b, pose, grid, threads, total, convolution, center, radius) -> tuple:
    whole = flag(convolution, "convolution")
    if whole and grid:
        raise Error(f"grid: expected none with a convolution, which is exact, got {grid}")
    if not whole and real(radius, "radius"):
        raise Error(f"radius: expected none without a convolution, got {radius}")
    mesh, exact, step, chain = _abut.minkowski(a, b, pose, grid, threads, total, whole, center, radius)
    return (mesh, chain) if whole else (mesh, exact, step)


class Convolution:
    """Facets that hold the boundary of the Minkowski difference of two closed meshes: Convolution(a, b).

    B stands at ``pose`` in A in each question. One thread at a time.
    """

    def __init__(self, a: Mesh, b: Mesh):
        self.a, self.b = a, b
        self._handle = _abut.convolution_new(a, b)

    def facets(self, pose: ArrayLike | None = None, *, center: ArrayLike = (0.0, 0.0, 0.0), radius: float = math.inf,
               whole: bool = False) -> NDArray:
        """All facets that may come within radius of center, m: an array of Facet.

        whole: with multiplicities, a closed chain; else those that can be part of the boundary.
        """
        return _abut.convolution_facets(self._handle, pose, center, radius, flag(whole, "whole"))

    def measure(self, pose: ArrayLike | None = None) -> ConvolutionMeasure:
        """Area, winding and volume of the closed chain."""
        return _abut.convolution_measure(self._handle, pose)

    def kernel_direction(self, distance: float, width: float, pose: ArrayLike | None = None) -> KernelDirection:
        """Of convex bodies: the mean normal of the boundary, weighted by a Gaussian of this width, m, about the origin;
        distance: the signed distance of the bodies, m."""
        return _abut.kernel_direction(self._handle, pose, distance, width)

    def __reduce__(self):
        return Convolution, (self.a, self.b)

    def __repr__(self) -> str:
        return f"<abut.Convolution of {self.a!r} and {self.b!r}>"


# ---- Phong distance ------------------------------------------------------------------------------------------------

class Phong:
    """The Phong distance of Lee (2017) of two closed meshes, for comparison: Phong(a, b).

    It holds the last answer, next to which the next one is sought; one thread at a time, and copies start anew.
    """

    def __init__(self, a: Mesh, b: Mesh):
        self.a, self.b = a, b
        self._handle = _abut.phong_new(a, b)

    def distance(self, pose: ArrayLike | None = None, *, mode: str = "track", literal: bool = False) -> PhongDistance | NDArray:
        """At a pose of B in A: a PhongDistance; at poses (n, 7), one after the other: an array of them.

        mode: 'track', the foot point nearest to the last one, or 'least', the one nearest to the origin. literal: take
        foot points inside the difference too, as the thesis does.
        """
        if not isinstance(mode, str):
            raise TypeError(f"mode: expected a text, got {mode!r}")
        if mode not in ("track", "least"):
            raise Error(f"mode: expected one of track, least, got '{mode}'")
        return _abut.phong_distance(self._handle, pose, int(mode == "least"), flag(literal, "literal"))

    def restart(self) -> None:
        """Forgets the last answer: the next question starts at the Euclidean foot point."""
        _abut.phong_restart(self._handle)

    def __reduce__(self):
        return Phong, (self.a, self.b)

    def __repr__(self) -> str:
        return f"<abut.Phong of {self.a!r} and {self.b!r}>"


# ---- cases to compare on -------------------------------------------------------------------------------------------

def direction_cases() -> dict[str, tuple[str, float]]:
    """Pairs of bodies with a path, on which directions are compared: name to (summary, smoothing length, m)."""
    return {name: (summary, tau) for name, summary, tau in _abut.direction_cases()}


def _number(name: str) -> int:
    names = list(direction_cases())
    if name not in names:
        raise Error(f"case: expected one of {', '.join(names)}, got '{name}'")
    return names.index(name)


def direction_case(name: str) -> tuple[Mesh, Mesh]:
    """The two meshes of a case."""
    return _abut.direction_case_meshes(_number(name))


def direction_case_pose(name: str, t: ArrayLike) -> NDArray[np.float64]:
    """The pose of B in A at 0 <= t <= 1 of the path of a case: (7,), or (n, 7) for (n,)."""
    return _abut.direction_case_pose(_number(name), t)
