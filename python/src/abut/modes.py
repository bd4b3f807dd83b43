# SPDX-License-Identifier: Apache-2.0
"""Contact modes: every way in which a set of contacts can separate, stick and slide.

A mode is its text of signs: per contact 0 (stays) or + (separates), then per contact and dividing line of its tangent
plane -, 0 or +, the sign of the sliding velocity, or . where the contact separates. Velocities are arrays (dof,).
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import ForceResult, ModeCount, ModeSystem
from ._arrays import doubles, flag, function, give_methods, read_file, whole
from ._errors import Error

_KINDS = {"fixed": 0, "free": 1, "planar": 2}


def _named(name: str) -> ModeSystem:
    """A named system: box:1..5, peg:N, box-box:1|2, hand-ball, hand-ball-generic, grasp:N."""
    return _abut.mode_builtin(name)


def _read(path: str | os.PathLike, lines: int = -1) -> ModeSystem:
    """From a JSON file of contacts and bodies; ``lines`` of each tangent plane, negative: as the file says."""
    return _abut.mode_parse(*read_file(path), lines)


def _rows(normal_rows: ArrayLike, tangent_rows: ArrayLike | None = None, lines: int = 0,
          tolerance: float = 0.0) -> ModeSystem:
    """From rows: normal velocities (contacts, dof) and tangential ones (contacts * lines, dof).

    tolerance: their relative error; enumeration and all that asks about one mode take what is smaller for zero."""
    normal = doubles(normal_rows, "normal_rows")
    if normal.ndim != 2:
        raise Error(f"normal_rows: expected shape (contacts, dof), got shape {normal.shape}")
    tangent = np.empty((0, normal.shape[-1])) if tangent_rows is None else tangent_rows
    return _abut.mode_rows(normal, tangent, lines, np.empty((0, normal.shape[-1])), tolerance)


def _contacts(points: ArrayLike, normals: ArrayLike, *, body_a: ArrayLike = -1, body_b: ArrayLike = 0,
              bodies: Sequence[tuple[str, ArrayLike]] = (("free", (0.0, 0.0, 0.0)),), tangents: ArrayLike | None = None,
              lines: int = 2, planar: bool = False, literal: bool = False) -> ModeSystem:
    """From contacts at points (n, 3) with normals (n, 3) that point from body A to body B.

    body_a, body_b: numbers of bodies, -1 for a fixed one. bodies: ('free', position) has six velocities, of the
    position and angular, world axes; ('planar', position) has three, in the plane z = 0; ('fixed', position) none.
    tangents: (n, 3) first tangents; None: chosen. lines: that divide each tangent plane. literal: the numbers are
    meant with all their digits.
    """
    p, n = np.atleast_2d(doubles(points, "points")), np.atleast_2d(doubles(normals, "normals"))
    if p.shape != n.shape or p.shape[1:] != (3,):
        raise Error(f"points and normals: expected shape (n, 3) of both, got {p.shape} and {n.shape}")
    rows = np.zeros((len(p), 11))
    rows[:, :3], rows[:, 3:6], rows[:, 9], rows[:, 10] = p, n, whole(body_a, "body_a"), whole(body_b, "body_b")
    if tangents is not None:
        rows[:, 6:9] = tangents
    for kind, _ in bodies:
        if kind not in _KINDS:
            raise Error(f"bodies: expected one of {', '.join(_KINDS)}, got '{kind}'")
    return _abut.mode_contacts(rows, [[_KINDS[kind], *position] for kind, position in bodies], lines, flag(planar, "planar"), flag(literal, "literal"))


def _options(form: str, cs: bool, of: str | None, nonlinear: bool, arithmetic: str, tolerance: float, limit: int,
             budget: float, threads: int, visit, method: str) -> tuple:
    return form, flag(cs, "cs"), of, flag(nonlinear, "nonlinear"), arithmetic, tolerance, limit, threads, visit, method, int(budget)


def _count(self, *, cs: bool = False, of: str | None = None, nonlinear: bool = False, arithmetic: str = "auto",
           tolerance: float = 0.0, limit: int = 0, budget: float = 0, threads: int = 1, method: str = "search") -> ModeCount:
    """How many modes there are: a ``ModeCount``. Counting is its own method, much faster than listing.

    cs: separation patterns only. of: the modes of one such pattern, as '00+0'. nonlinear: sliding or sticking only.
    arithmetic: 'auto', 'double', 'exact' or 'double_double'. tolerance: 0: that of the system. limit: stop after so many; 0: none.
    budget: stop after so much work, about so many numbers made or sets compared; 0: 2e10. Then ``out_of_budget``, and lists raise. Ctrl-C works.
    """
    return _abut.mode_enumerate(self, *_options("count", cs, of, nonlinear, arithmetic, tolerance, limit, budget, threads, None, method))[1]


def _modes(self, *, cs: bool = False, of: str | None = None, nonlinear: bool = False, arithmetic: str = "auto",
           tolerance: float = 0.0, limit: int = 0, budget: float = 0, threads: int = 1, method: str = "search") -> list[str]:
    """All modes as texts of signs. Options as of ``count``."""
    return _abut.mode_enumerate(self, *_options("texts", cs, of, nonlinear, arithmetic, tolerance, limit, budget, threads, None, method))[0]


def _signs(self, *, cs: bool = False, of: str | None = None, nonlinear: bool = False, arithmetic: str = "auto",
           tolerance: float = 0.0, limit: int = 0, budget: float = 0, threads: int = 1, method: str = "search") -> NDArray[np.int8]:
    """All modes as signs -1, 0, 1: int8 (modes, contacts + contacts * lines). Options as of ``count``."""
    return _abut.mode_enumerate(self, *_options("signs", cs, of, nonlinear, arithmetic, tolerance, limit, budget, threads, None, method))[0]


def _visit(self, call: Callable[[str], object], *, cs: bool = False, of: str | None = None, nonlinear: bool = False,
           arithmetic: str = "auto", tolerance: float = 0.0, limit: int = 0, budget: float = 0, threads: int = 1,
           method: str = "search") -> ModeCount:
    """Calls ``call(text)`` for every mode as it is found; a true answer stops. For lists too long to keep."""
    return _abut.mode_enumerate(self, *_options("calls", cs, of, nonlinear, arithmetic, tolerance, limit, budget, threads, function(call, "call"), method))[1]


def _iterate(self) -> Iterator[str]:
    """The modes, pattern by pattern, so that only those of one separation pattern are in memory."""
    for pattern in self.modes(cs=True):
        yield from self.modes(of=pattern[:self.contacts])


def _consistent(self, force: ArrayLike, *, friction: ArrayLike = 0.5, mass: ArrayLike | None = None,
                velocity: ArrayLike | None = None, step: float = 0.0, least: ArrayLike | None = None,
                most: ArrayLike | None = None, motion: ArrayLike | None = None, driven: int = -1, limit: int = 0,
                budget: float = 0, threads: int = 1) -> list[str]:
    """All modes that some contact forces go with: every possible future. Arguments as of ``forces``."""
    options = _options("texts", False, None, False, "auto", 0.0, limit, budget, threads, None, "search")
    return _abut.mode_consistent(self, *options, force, mass, velocity, step, doubles(friction, "friction"), least, most,
                                 motion, driven)[0]


def _forces(self, mode: str, force: ArrayLike, *, friction: ArrayLike = 0.5, mass: ArrayLike | None = None,
            velocity: ArrayLike | None = None, step: float = 0.0, least: ArrayLike | None = None,
            most: ArrayLike | None = None, motion: ArrayLike | None = None,
            driven: int = -1) -> tuple[ForceResult, NDArray[np.float64], NDArray[np.float64]]:
    """Can the contacts produce forces that fit a mode? (ForceResult, velocity (dof,), contact forces (contacts, 3)).

    force: (dof,) what acts, N and N m. friction: a number or one per contact. Without ``mass`` (dof, dof) the forces
    must balance; with it they turn ``velocity`` (dof,) before the step of ``step`` seconds (0: 1) into one of the mode.
    least, most: bounds of the normal force, one per contact. motion (dof,): sliding contacts push exactly against it, not
    anywhere in their sector. driven: number of a velocity that a motor sets, as of fingers: it is positive, and the motor
    pushes as hard as it must. Contact forces: normal, along the first line, at right angles to it.
    """
    return _abut.mode_feasible(self, mode, force, mass, velocity, step, doubles(friction, "friction"), least, most, motion,
                               driven)


def _margin(self, mode: str, force: ArrayLike, *, friction: ArrayLike = 0.5, scale: ArrayLike | None = None,
            least: ArrayLike | None = None, most: ArrayLike | None = None, motion: ArrayLike | None = None,
            driven: int = -1) -> float:
    """The largest disturbance that is held: forces of the mode balance every d (dof,) added to ``force`` whose sum of
    abs(d_j) / scale_j is at most that. 0: not even the force alone; infinite: all. Arguments as of ``forces``.
    """
    return _abut.mode_margin(self, mode, force, None, None, 0.0, doubles(friction, "friction"), least, most, motion, driven,
                             scale)


def _neighbors(self, mode: str, above: bool = False) -> list[str]:
    """Modes of one dimension less that are faces of it, or with ``above`` of one more that have it as a face."""
    return _abut.mode_neighbors(self, mode, 1 if above else -1)


def _of_velocity(self, velocity: ArrayLike, tolerance: float = 0.0) -> str | None:
    """The mode of a velocity (dof,); None where it moves a contact into itself."""
    return _abut.mode_of_velocity(self, velocity, tolerance)


def _velocity(self, mode: str, seed: int | None = None) -> NDArray[np.float64]:
    """A velocity (dof,) inside a mode; with a seed a random one."""
    return _abut.mode_velocity(self, mode, -1 if seed is None else seed)


def _project(self, mode: str, desired: ArrayLike, weight: ArrayLike | None = None, *,
             nonlinear: bool = False) -> tuple[NDArray[np.float64], float]:
    """The velocity of a mode's closed cone nearest to ``desired`` (dof,), and how far that is. In a nonlinear mode sliding
    contacts slide any way."""
    return _abut.mode_project(self, mode, desired, weight, nonlinear)


def _dimension(self, mode: str) -> int:
    """Dimension of the set of velocities of a mode."""
    return _abut.mode_dimension(self, mode)


def _is_face(self, a: str, b: str) -> bool:
    """Is every velocity of mode a a limit of velocities of mode b?"""
    return _abut.mode_is_face(self, a, b)


def _hasse(self, modes: Sequence[str]) -> NDArray[np.uint32]:
    """Edges (n, 2) of the Hasse diagram: mode modes[row[0]] is a facet of modes[row[1]]."""
    return _abut.mode_hasse(self, list(modes))


def _merge(self, modes: Sequence[str]) -> list[str]:
    """The modes that stay when those that are faces of others with the same contacts sticking are dropped."""
    return _abut.mode_merge(self, list(modes))


def _with_lines(self, lines: int) -> ModeSystem:
    """The same contacts with another number of lines, from a system with two."""
    return _abut.mode_set_lines(self, lines)


def track_modes(motion: Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]], contacts: int, dof: int, lines: int, *,
                begin: float = 0.0, end: float = 1.0, samples: int = 100, tolerance: float = 1e-9,
                time_tolerance: float = 0.0) -> list[tuple[float, str | None]]:
    """The modes along a motion: [(time from which on, mode)], None where it drives a contact into itself.

    motion(t) gives (normal_rows (contacts, dof), tangent_rows (contacts * lines, dof), velocity (dof,)) at a time.
    Looked at in so many equal steps; changes between two of them are narrowed down to time_tolerance, s (0: 1e-9 of all).
    """
    return _abut.mode_track(function(motion, "motion"), contacts, dof, lines, (begin, end, tolerance, time_tolerance), samples)


def _restricted(self, basis: ArrayLike) -> ModeSystem:
    """The system in fewer velocities y, x = basis y with basis (dof, k)."""
    return _abut.mode_restrict(self, basis)


def _reduce(self):
    return _abut.mode_rows, (np.array(self.normal_rows), np.array(self.tangent_rows), self.lines, np.array(self.low_rows), self.tolerance)


ModeSystem.__doc__ = """Contacts and the velocities that move them: rows of a linear map. Immutable.

``ModeSystem.named``, ``.read``, ``.rows`` and ``.contacts_at`` make one; iterating gives its modes as texts.
"""
give_methods(ModeSystem, named=staticmethod(_named), read=staticmethod(_read), rows=staticmethod(_rows),
             contacts_at=staticmethod(_contacts), count=_count, modes=_modes, signs=_signs, visit=_visit,
             consistent=_consistent, forces=_forces, margin=_margin, neighbors=_neighbors, of_velocity=_of_velocity,
             velocity=_velocity, project=_project, dimension=_dimension, is_face=_is_face, hasse=_hasse, merge=_merge,
             with_lines=_with_lines, restricted=_restricted)
ModeSystem.__iter__ = _iterate
ModeSystem.__reduce__ = _reduce
ModeSystem.__copy__ = lambda self: self
ModeSystem.__deepcopy__ = lambda self, memo: self
ModeSystem.__repr__ = lambda self: f"<abut.ModeSystem: {self.contacts} contacts, {self.dof} velocities, {self.lines} lines>"
