# SPDX-License-Identifier: Apache-2.0
"""Soft directions: in which direction two closed meshes part, without jumps while they move."""
from __future__ import annotations

from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Mesh, SoftBody, SoftDirection


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
    return _abut.soft_direction(a, b, pose, tau, int(adaptive), threads)


def soft_turn_bound(b: SoftBody, soft: SoftDirection, start: ArrayLike, end: ArrayLike) -> float:
    """The direction stays within this angle, rad, of ``soft``, the answer at pose start, on the whole step to end."""
    return _abut.soft_turn_bound(b, soft, start, end)
