# SPDX-License-Identifier: Apache-2.0
"""Motions, time of impact, and certified clearance over a whole motion.

A motion is a ``Motion``; wherever one is expected a pose will do, for a body that stands. Seconds and meters, outer
frame. Bodies are Convex, Mesh or Pieces; clearance also takes a list of Convex that move as one.
"""
from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Clearance, ContactTime, Convex, Impact, Mesh, Motion, Pieces, SoftBody
from ._arrays import doubles, flag, frozen, give_methods, integers, listed, numbers, real, read_file
from ._errors import Error

Body = Convex | Mesh | Pieces
Solid = Body | Sequence[Convex]
Moving = Motion | ArrayLike | None


def _static(pose: ArrayLike | None = None) -> Motion:
    """A body that stands."""
    return _abut.motion_record(0.0, pose, (0.0, 0.0, 0.0), np.zeros((3, 3)), (0.0, 0.0, 0.0))


def _translation(pose: ArrayLike | None, velocity: ArrayLike) -> Motion:
    """At ``pose`` at time 0, with a constant velocity (3,), m/s."""
    return _path(pose, [velocity, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)])


def _path(pose: ArrayLike | None, path: ArrayLike, spin: ArrayLike = (0.0, 0.0, 0.0), center: ArrayLike = (0.0, 0.0, 0.0),
          start_time: float = 0.0) -> Motion:
    """A point ``center`` of the body moves by path[0] s + path[1] s^2 + path[2] s^3, s = t - start_time.

    path: (3, 3), meters per second to the power; spin: (3,) angular velocity about that point, rad/s, outer frame.
    """
    return _abut.motion_record(start_time, pose, center, path, spin)


def _screw(pose: ArrayLike | None, point: ArrayLike, axis: ArrayLike, rate: float, speed: float = 0.0) -> Motion:
    """At ``pose`` at time 0; turns about the line through ``point`` along ``axis`` at ``rate`` rad/s, and moves along it."""
    return _abut.motion_screw(pose, point, axis, rate, speed)


def _keyframes(times: ArrayLike, poses: ArrayLike) -> Motion:
    """Straight lines and constant spins between poses (n, 7) at times (n,), which grow; at rest before and after."""
    return _abut.motion_keyframes(times, poses)


def _read(path: str | os.PathLike) -> Motion:
    """From a file: CSV of poses ``t,x,y,z,qw,qx,qy,qz``, an animation, or a chain of joints as JSON."""
    return _abut.motion_parse(*read_file(path))


def _parse(text: str | bytes, name: str = "motion") -> Motion:
    """From the text of such a file; ``name`` stands for it in messages."""
    return _abut.motion_parse(text.encode() if isinstance(text, str) else text, name)


def _next_break(self, t: float) -> float:
    """First time after t at which the motion changes its formula: a keyframe, the end of a piece; infinity: none."""
    return _abut.motion_next_break(self, t)


def _speed_along(self, a: float, b: float, direction: ArrayLike, around: ArrayLike = (0.0, 0.0, 0.0), radius: float = 0.0) -> float:
    """Upper bound, m/s, of the velocity along a unit direction (3,) of the outer frame, for points within radius of
    ``around`` (3,) of the body, over the times a to b; may be negative."""
    return _abut.motion_speed_along(self, a, b, direction, around, radius)


def _gradient(self, t: float, point: ArrayLike, direction: ArrayLike) -> NDArray[np.float64]:
    """Of a link of a chain: how direction . (its point that is at ``point`` at time t) changes with the joint values,
    (joints, 3): the first number of hinges and slides, three of places and balls."""
    return _abut.motion_gradient(self, t, point, direction)


class Curve:
    """One number over time: polynomials of degree up to 5, one after the other; it stays what it is at its ends.

    pieces: (n, 7), rows of a start and the coefficients of 1, s, ... s^5 with s = t - start. end: of the last piece, s.
    """

    def __init__(self, pieces: ArrayLike, end: float):
        self.pieces, self.end = frozen(np.atleast_2d(doubles(pieces, "pieces"))), float(end)
        self.value(self.end)  # refuses what is no curve

    @staticmethod
    def bernstein(start: float, end: float, coefficients: ArrayLike) -> Curve:
        """The polynomial with these Bernstein coefficients (degree + 1,) on start .. end."""
        return Curve(_abut.curve_bernstein(start, end, coefficients), end)

    @staticmethod
    def spline(degree: int, knots: ArrayLike, control: ArrayLike) -> Curve:
        """A B-spline of degree 1 to 5: control values (n,), knots (n + degree + 1,) that do not fall."""
        return Curve(*_abut.curve_spline(degree, knots, control))

    def value(self, t: ArrayLike) -> float | NDArray[np.float64]:
        """Value at a time, or at times of any shape."""
        return _abut.curve_value(self.pieces, self.end, t)

    def __repr__(self) -> str:
        return f"<abut.Curve: {len(self.pieces)} pieces to {self.end:g} s>"


def rebuild(maker: str, arguments: tuple) -> object:
    """What a recipe makes, for pickles."""
    return getattr(_abut, maker)(*arguments)


give_methods(Motion, static=staticmethod(_static), translation=staticmethod(_translation), path=staticmethod(_path),
             screw=staticmethod(_screw), keyframes=staticmethod(_keyframes), read=staticmethod(_read),
             parse=staticmethod(_parse), next_break=_next_break, speed_along=_speed_along, gradient=_gradient)
Motion.__reduce__ = lambda self: (rebuild, self.recipe)
Motion.__copy__ = lambda self: self
Motion.__deepcopy__ = lambda self, memo: self
Motion.__repr__ = lambda self: f"<abut.Motion from {self.span[0]:g} to {self.span[1]:g} s>"


def _interval(start: float | None, end: float | None, *motions: Moving) -> tuple[float, float]:
    spans = [m.span for m in motions if isinstance(m, Motion) and m.span != (0.0, 0.0)]
    first = min((s[0] for s in spans), default=0.0) if start is None else real(start, "start")
    last = max((s[1] for s in spans), default=1.0) if end is None else real(end, "end")
    return first, last


def time_of_impact(a: Body, b: Body, motion_a: Moving = None, motion_b: Moving = None, *, start: float | None = None,
                   end: float | None = None, tolerance: float = 0.0, rounds: int = 0) -> Impact:
    """When two moving bodies first touch: an ``Impact``, never late.

    start, end: seconds; by default the span of the motions, or 0 to 1. end < start asks backward, for the last contact.
    tolerance: distance that counts as touching, m; 0: 1e-6 of the smaller radius. rounds: distance queries; 0: 2000.
    """
    first, last = _interval(start, end, motion_a, motion_b)
    return _abut.time_of_impact(a, b, motion_a, motion_b, first, last, tolerance, rounds)


def _solid(body: Solid):
    return tuple(body) if isinstance(body, list) else body


def _settings(interval, eps: float, relative: float, care: float, budget: int, seconds: float) -> list[float]:
    named = {"eps": eps, "relative": relative, "care": care, "budget": budget, "seconds": seconds}
    return [*interval, *(real(value, name) for name, value in named.items())]


def clearance(a: Solid, b: Solid, motion_a: Moving = None, motion_b: Moving = None, *, start: float | None = None,
              end: float | None = None, eps: float = 1e-3, relative: float = 0.0, care: float = 0.0, budget: int = 0,
              seconds: float = 0.0, method: str = "front") -> Clearance:
    """How near two moving bodies come over a whole motion: a ``Clearance``, a bracket with proof.

    eps: width of the bracket to reach, m. relative: or this part of the distance, where that is larger.
    care: > 0: only distances below this matter. budget: node pairs to look at; 0: 5 million. seconds: > 0: time to
    spend. method: 'front', or one of the literature: 'gss', 'ca', 'hybrid-classic', 'hybrid', 'as', 'as-thesis',
    'sampling'.
    """
    settings = _settings(_interval(start, end, motion_a, motion_b), eps, relative, care, budget, seconds)
    return _abut.clearance(_solid(a), _solid(b), motion_a, motion_b, settings, method)


def clearance_soft(a: SoftBody, b: SoftBody, motion_a: Moving = None, motion_b: Moving = None, *, start: float | None = None,
                   end: float | None = None, eps: float = 1e-3, budget: int = 0) -> Clearance:
    """The least soft distance D, m, of two moving bodies over a whole motion: a ``Clearance``, a bracket with proof.

    ``normal`` is the soft direction at that time; points are not told. budget: soft distances to ask for; 0: 100,000.
    """
    settings = _settings(_interval(start, end, motion_a, motion_b), eps, 0.0, 0.0, budget, 0.0)
    return _abut.clearance_soft(a, b, motion_a, motion_b, settings)


def clearance_curve(a: Solid, b: Solid, motion_a: Moving = None, motion_b: Moving = None, *, start: float | None = None,
                    end: float | None = None, eps: float = 1e-3, band: float = math.inf, budget: int = 0,
                    seconds: float = 0.0) -> tuple[Clearance, NDArray]:
    """The distance over time with its certified band: (Clearance, array of ClearanceSample in order of time).

    Every sample has lb >= min(d, ub + band) - eps; a band of infinity gives the whole curve.
    """
    settings = _settings(_interval(start, end, motion_a, motion_b), eps, 0.0, 0.0, budget, seconds)
    return _abut.clearance_curve(_solid(a), _solid(b), motion_a, motion_b, settings, band)


def clearance_minima(a: Solid, b: Solid, motion_a: Moving = None, motion_b: Moving = None, *, start: float | None = None,
                     end: float | None = None, eps: float = 1e-3, band: float = math.inf, limit: int = 1000,
                     budget: int = 0, seconds: float = 0.0) -> tuple[Clearance, NDArray]:
    """Local minima of the distance, nearest first: (Clearance, array of ClearanceMinimum), at most ``limit``."""
    settings = _settings(_interval(start, end, motion_a, motion_b), eps, 0.0, 0.0, budget, seconds)
    found, minima, _ = _abut.clearance_minima(_solid(a), _solid(b), motion_a, motion_b, settings, band, limit)
    return found, minima


def contact_time(a: Solid, b: Solid, motion_a: Moving = None, motion_b: Moving = None, *, last: bool = False,
                 start: float | None = None, end: float | None = None, level: float = 0.0, tolerance: float = 0.0,
                 eps: float = 1e-3, budget: int = 0) -> ContactTime:
    """The first time, or the last, at which the distance is at most ``level`` meters: a ``ContactTime``."""
    settings = _settings(_interval(start, end, motion_a, motion_b), eps, 0.0, 0.0, budget, 0.0)
    return _abut.contact_time(_solid(a), _solid(b), motion_a, motion_b, settings, level, tolerance, flag(last, "last"))


def clearance_pairs(bodies: Sequence[Solid], motions: Sequence[Moving], pairs: ArrayLike | None = None, *,
                    worst: bool = False, start: float | None = None, end: float | None = None, eps: float = 1e-3,
                    care: float = 0.0, budget: int = 0, threads: int = 1) -> NDArray | tuple[int, bool, float, Clearance]:
    """Clearance of many pairs of moving bodies: an array of Clearance.

    pairs: (n, 2) numbers of bodies; None: all. With ``worst`` only the pair that comes nearest:
    (its row in pairs or -1, whether all are certified, a lower bound for all, its Clearance), which is far cheaper.
    """
    solids, moving = [_solid(body) for body in listed(bodies, "bodies")], listed(motions, "motions")
    count = len(solids)
    if len(moving) != count:
        raise Error(f"motions: expected {count}, one for each of bodies, got {len(moving)}")
    rows = [(i, j) for i in range(count) for j in range(i + 1, count)] if pairs is None else pairs
    settings = _settings(_interval(start, end, *moving), eps, 0.0, care, budget, 0.0)
    return _abut.clearance_pairs(solids, moving, integers(rows, "pairs", 2), settings, flag(worst, "worst"), threads)


def clearance_gradient(minimum: NDArray, motion_a: Moving = None, motion_b: Moving = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How a minimum, one row of what ``clearance_minima`` gave, changes with the joint values of the chains that move A
    and B: (joints of a, 3) and (joints of b, 3), as of ``Motion.gradient``; empty for a motion without a chain."""
    return _abut.clearance_gradient(np.array(minimum).reshape(-1), motion_a, motion_b)


def clearance_capsules(a: ArrayLike, radius_a: float, b: ArrayLike, radius_b: float, *, start: float = 0.0,
                       end: float = 1.0, eps: float = 1e-3) -> Clearance:
    """Clearance of two capsules whose axis ends follow polynomials of degree 5.

    a, b: (2, 6, 3): Bernstein control points of the first and the second end of the axis over start .. end, m.
    """
    points = [numbers(x, name, (2, 6, 3)).reshape(12, 3) for x, name in ((a, "a"), (b, "b"))]
    return _abut.clearance_capsules(points[0], radius_a, points[1], radius_b, start, end, eps)
