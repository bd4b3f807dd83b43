# SPDX-License-Identifier: Apache-2.0
"""Questions about two bodies.

A body is a Convex or a Mesh. ``pose`` is the pose of B in A, and answers are in the frame of A; with n poses, shape
(n, 3), (n, 7) or (n, 4, 4), the answer is a structured array of n rows with the fields of the single answer
(``abut.words`` turns its numbers into words). NaN and other numbers that mean nothing have the outcome 'invalid'.
Normals point from A to B. ``threads`` of a batch: 0 for all processors; answers are the same bits for any number.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import (CastHit, Collision, Convex, DistanceDerivative, Gap, Intersection, Mesh,
                    NearestPoint, Overlap, Pieces)
from ._arrays import check_count, flag, give_methods, real
from ._errors import Error

Body = Convex | Mesh
Solid = Body | Pieces
Placed = Solid | tuple[Solid, ArrayLike]

_native_distance = _abut.distance


def distance(a: Body, b: Body, pose: ArrayLike | None = None, *, within: float = 0.0, tolerance: float = 0.0,
             max_supports: int = 0, absolute_error: float = 0.0, relative_error: float = 0.0,
             threads: int = 1) -> Gap | NDArray:
    """Distance of two bodies, in meters.

    Gives a ``Gap``. The distance of convex bodies is negative in penetration. Where one is a mesh it is 0 where they
    meet; ``depth`` says how deep.

    within: > 0: bodies farther apart than this need no exact answer.
    tolerance: of round bodies, part of the size of the pair; 0: 1e-10 apart, 1e-7 overlapping.
    max_supports: > 0: ends the search for convex bodies after about so many support points.
    absolute_error, relative_error: what the distance of meshes may be too large by.
    """
    return _native_distance(a, b, pose, within, tolerance, max_supports, absolute_error, relative_error, threads)


def closer_than(a: Body, b: Body, d: float, pose: ArrayLike | None = None, *, threads: int = 1) -> bool | NDArray[np.bool_]:
    """Are two bodies nearer than d meters, or as near? Cheaper than the distance. NaN is refused, as of ``meet``."""
    if np.ndim(d) != 0 or isinstance(d, str):
        raise TypeError(f"d: expected a distance, and the pose behind it: closer_than(a, b, d, pose); got {d!r}")
    if not real(d, "d") >= 0.0:
        raise Error(f"d: expected a distance of 0 or above, got {d}")
    return _yes_no(_abut.closer(a, b, pose, d, threads))


def meet(a: Body, b: Body, pose: ArrayLike | None = None, *, threads: int = 1) -> bool | NDArray[np.bool_]:
    """Do two bodies meet? Touching counts, and so does one inside the other. Cheaper than the distance.

    Yes and no leave no room for 'invalid': a pose with NaN is refused, and of a batch the message names the row.
    """
    return _yes_no(_abut.closer(a, b, pose, -1.0, threads))


def _bad_row(answers) -> str:
    return f"pose: row {np.argmax(np.less(answers, 0))}" if np.ndim(answers) else "pose"


def _yes_no(answer):
    if np.any(np.equal(answer, -1)):
        raise Error(f"{_bad_row(answer)}: NaN, infinity, a quaternion without length or lengths beyond 1e60",
                    "not a finite number")
    return answer.astype(bool) if isinstance(answer, np.ndarray) else bool(answer)


def depth(a: Body, b: Body, pose: ArrayLike | None = None, *, method: str = "sweep", directions: int = 0,
          along: ArrayLike | None = None, threads: int = 1) -> Gap | NDArray:
    """How far B must be moved to part two bodies that overlap: a ``Gap``, whose distance is the negative depth.

    Exact for two convex bodies, which may be apart. Meshes that are apart have distance 0. For two meshes the best way out that
    was found, never shorter than the truth:
    ``method`` 'sweep' or 'classic', from so many evenly spread ``directions`` (0: chosen), or the least way in one
    direction ``along`` (3,), which is exact. A mesh and a convex body likewise, by 'sweep'.
    """
    return _abut.depth(a, b, pose, method, directions, along, threads)


def signed_distance(a: Body, b: Body, pose: ArrayLike | None = None, within: float = 0.0) -> Gap:
    """The distance of two bodies of any form, negative where they meet: the depth, of meshes as of ``depth``."""
    gap = distance(a, b, pose, within=within)
    is_mesh = isinstance(a, Mesh) or isinstance(b, Mesh)
    return depth(a, b, pose) if is_mesh and gap.outcome in ("penetrating", "a_in_b", "b_in_a", "touching") else gap


def collide(a: Body, b: Body, pose: ArrayLike | None = None, *, all: bool = False, limit: int = 100000,
            threads: int = 1) -> Collision | tuple[Collision, NDArray[np.int32]] | NDArray:
    """Do two bodies meet, and with which triangles?

    With ``all`` the answer is (Collision, pairs (n, 2)): all pairs of triangles that meet, sorted, at most ``limit``;
    the column of a convex body is -1.
    """
    if not flag(all, "all"):
        return _abut.collide(a, b, pose, limit, threads)
    return _abut.collide_all(a, b, pose, limit, threads)


def derivative(a: Convex, b: Convex, pose_a: ArrayLike | None = None,
               pose_b: ArrayLike | None = None) -> tuple[Gap, DistanceDerivative]:
    """Distance of two convex bodies placed in the world, and how it changes when they move.

    The ``Gap`` is in the frame of A, the ``DistanceDerivative`` in world axes.
    """
    return _abut.derivative(a, b, pose_a, pose_b)


def _with_faces(body: Convex) -> Convex:
    is_box = isinstance(body, Convex) and body.kind == "box" and body.radius == 0.0
    return body.polyhedra(0)[0] if is_box else body


def intersect(a: Convex, b: Convex, pose: ArrayLike | None = None, *, method: str = "default", tolerance: float = 0.0,
              threads: int = 1) -> Intersection | NDArray:
    """Do two convex polyhedra or boxes meet: a common point or a plane between them as proof.

    method: 'default', 'ren', 'lp' or 'gjk'. tolerance: relative to their size; 0: 1e-10.
    """
    return _abut.intersect(_with_faces(a), _with_faces(b), pose, method, tolerance, threads)


def intersect_regions(a: tuple[ArrayLike, ArrayLike], b: tuple[ArrayLike, ArrayLike], *, method: str = "default",
                      tolerance: float = 0.0) -> Intersection:
    """Do two regions meet? Each is (normals (n, k), offsets (n,)): the points with normal . x <= offset, k = 1 to 8."""
    return _abut.intersect_regions(a[0], a[1], b[0], b[1], method, tolerance)


#: The fields of a batch of overlaps.
OVERLAP_OUTCOMES = ("volume", "touching", "disjoint", "capacity", "failed", "invalid", "unbounded", "unsupported")
_OVERLAP = np.dtype([("outcome", "i4"), ("volume", "f8"), ("centroid", "f8", (3,))])


def overlap(a: Convex, b: Convex, pose: ArrayLike | None = None, *, by_duality: bool = False,
            threads: int = 1) -> Overlap | NDArray:
    """The set of points that two boxes, polyhedra or half-spaces have in common.

    ``by_duality`` finds it by the other method, to check. With n poses a structured array: outcome (a place in
    ``abut.OVERLAP_OUTCOMES``), volume in m^3 (0 where there is none, NaN where it is not known), centroid (3,).
    """
    if pose is None or np.size(pose) > 0 and (np.ndim(pose) < 2 or np.shape(pose) == (4, 4)):
        check_count(threads, "threads")
        return _abut.overlap(a, b, pose, flag(by_duality, "by_duality"))
    rows = _abut.overlap_batch(a, b, pose, flag(by_duality, "by_duality"), threads)
    out = np.empty(len(rows), _OVERLAP)
    out["outcome"], out["volume"], out["centroid"] = rows[:, 0], rows[:, 1], rows[:, 2:]
    return out


def overlap_volume(a: Convex, b: Convex, pose: ArrayLike | None = None, *, directions: int = 0) -> tuple[float, float]:
    """Bounds (low, high) of the common volume of two convex bodies of any kind, m^3.

    Round bodies lie between polyhedra of so many ``directions`` (0: 512); equal bounds where both have faces only.
    """
    return _abut.overlap_volume(a, b, pose, directions)


def contact(a: Convex, b: Convex, pose: ArrayLike | None = None, *, margin: float = 1e-5,
            threads: int = 1) -> tuple[NDArray, NDArray[np.bool_]]:
    """The contact of two convex bodies without a scene: (array of Contact, which of them touch).

    One row per pose of B in A. margin: of each body, m; bodies farther apart than both margins do not touch. Boxes,
    polyhedra and half-spaces have a contact polygon, others touch in one point. Forces are zero. NaN is refused.
    """
    rows, found = _abut.contact_batch(a, b, pose, margin, threads)
    if (found < 0).any():
        raise Error(f"{_bad_row(found)}: not finite, or a pair of half-spaces", "not a finite number")
    return rows, found.astype(bool)


def contact_features(a: Convex, b: Convex, pose: ArrayLike | None = None, *, margin: float = 1e-5) -> dict | None:
    """Contact points on the true bodies, nothing grown; None where they are more than two margins apart.

    normal (3,) from A to B, distance, points (n, 3) in one plane, gaps (n,) along the normal, feature_a and feature_b:
    'point', 'line', 'polygon' or 'plane', what each body shows to the other.
    """
    return _abut.contact_features(a, b, pose, margin)


def settle(standing: Placed | Sequence[Placed], b: Convex, pose: ArrayLike, *, margin: float = 1e-4,
           length: float = 1.0) -> NDArray[np.float64] | None:
    """The pose (7,) of b after the least motion that closes its gaps with what stands within two margins; None: nothing does.

    standing: a body, (body, pose), or a list of them. length: how far a turn of 1 rad counts, m. Raises where no motion
    closes all gaps, as between walls that are too far apart.
    """
    items = standing if isinstance(standing, list) else [standing]
    bodies = [one[0] if isinstance(one, tuple) else one for one in items]
    poses = [one[1] if isinstance(one, tuple) else (0, 0, 0, 1, 0, 0, 0) for one in items]
    return _abut.contact_settle(bodies, np.array(poses, float).reshape(-1, 7), b, pose, margin, length)


# ---- casts ---------------------------------------------------------------------------------------------------------

class BodySet:
    """Bodies where they stand, with a tree over them: BodySet([body, (body, pose), ...]).

    ``cast_ray``, ``cast`` and ``nearest_point`` take it instead of a list, with the same answers, and ask only those
    bodies that can be met: worth it from some ten bodies on, and where many questions are asked. Immutable.
    """

    def __init__(self, bodies: Placed | Sequence[Placed]):
        self.bodies = list(bodies) if isinstance(bodies, list) else [bodies]
        self._handle = _handle_of(self.bodies, True)

    def __len__(self) -> int:
        return len(self.bodies)

    def __reduce__(self):
        return BodySet, (self.bodies,)

    def __repr__(self) -> str:
        return f"<abut.BodySet: {len(self)} bodies>"


def _handle_of(items: Sequence[Placed], tree: bool):
    pairs = [item if isinstance(item, tuple) else (item, None) for item in items]
    return _abut.body_set([body for body, _ in pairs], [pose for _, pose in pairs], int(tree))


def _set(bodies: Placed | Sequence[Placed] | BodySet):
    if isinstance(bodies, BodySet):
        return bodies._handle
    return _handle_of(bodies if isinstance(bodies, list) else [bodies], False)


def cast_ray(bodies: Placed | Sequence[Placed] | BodySet, origin: ArrayLike, way: ArrayLike, *, all: bool = False,
             threads: int = 1) -> CastHit | NDArray:
    """Where the ray origin + t way, 0 <= t <= 1, first meets a body: a ``CastHit``.

    bodies: a body, (body, pose), a list of such, or a BodySet. origin, way: (3,), or (n, 3) for many rays.
    all: an array of one hit for each body that is met, in order of t.
    """
    if flag(all, "all"):
        check_count(threads, "threads")
        hits, count = _abut.cast_all(_set(bodies), origin, way, None, None, 0.0)
        return hits[:count].copy()
    return _abut.cast_ray(_set(bodies), origin, way, threads)


def cast(bodies: Placed | Sequence[Placed] | BodySet, moved: Placed, way: ArrayLike, *, tolerance: float = 0.0,
         all: bool = False, threads: int = 1) -> CastHit | NDArray:
    """Where a body moved by ``way`` (3,) without turning first meets others: a ``CastHit``, never late.

    moved: a body or (body, pose). way: (n, 3) for many. tolerance: distance that counts as touching, m; 0: 1e-6 of
    the smaller radius. The normal points from what is hit to the moved body.
    """
    body, pose = moved if isinstance(moved, tuple) else (moved, None)
    if flag(all, "all"):
        check_count(threads, "threads")
        hits, count = _abut.cast_all(_set(bodies), (0.0, 0.0, 0.0), way, body, pose, tolerance)
        return hits[:count].copy()
    return _abut.cast_body(_set(bodies), body, pose, way, tolerance, threads)


def nearest_point(bodies: Placed | Sequence[Placed] | BodySet, points: ArrayLike, *, threads: int = 1) -> NearestPoint | NDArray:
    """The point of a surface nearest to a point (3,) or to many (n, 3); the distance is negative inside."""
    return _abut.nearest_point(_set(bodies), points, threads)


def _to_mesh(self, pose: ArrayLike | None = None) -> Mesh:
    """The overlap as a Mesh, moved by a pose."""
    return self.mesh_at(pose)


give_methods(Overlap, to_mesh=_to_mesh)
Overlap.__reduce__ = lambda self: (_abut.overlap, self.question())
Overlap.__copy__ = lambda self: self
Overlap.__deepcopy__ = lambda self, memo: self
Overlap.__repr__ = lambda self: f"<abut.Overlap: {self.outcome}, volume {self.volume:g}>"
