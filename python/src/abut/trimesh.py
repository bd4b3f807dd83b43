# SPDX-License-Identifier: Apache-2.0
"""What ``trimesh.collision`` offers, answered by abut: ``CollisionManager`` with the same methods and return types.

Meshes are ``trimesh.Trimesh``, or anything with ``vertices`` and ``faces``. Closed convex meshes are taken as their
hulls, all others by their triangles. Distances are signed: negative is the depth, for meshes of any form. Normals point
from the first object to the second; a single object is the second, '__external'.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Mesh
from ._errors import Error
from .bodies import hull
from .motions import time_of_impact
from .poses import pose_apply, pose_matrix
from .queries import collide, depth, signed_distance

EXTERNAL = "__external"
_IDENTITY = np.eye(4)
_LIMIT = 100000  # contacts of one pair


class ContactData:
    """One contact of two objects; ``index`` gives the triangle of a mesh, -1 for one taken as its hull."""

    def __init__(self, names: tuple, normal: NDArray, point: NDArray, depth: float, parts: tuple[int, int]):
        self.names, self.normal, self.point, self.depth = set(names), normal, point, depth
        self._parts = dict(zip(names, parts))

    def index(self, name: Hashable) -> int:
        """The triangle in contact of the object with this name; -1: it is taken as its hull."""
        return self._parts[name]


class DistanceData:
    """The distance of two objects, and the points that are that far apart."""

    def __init__(self, names: tuple, distance: float, points: tuple[NDArray, NDArray], parts: tuple[int, int]):
        self.names, self.distance = set(names), distance
        self._points, self._parts = dict(zip(names, points)), dict(zip(names, parts))

    def point(self, name: Hashable) -> NDArray[np.float64]:
        """The point (3,) on the object with this name."""
        return self._points[name]

    def index(self, name: Hashable) -> int:
        """The triangle with that point; -1: the object is taken as its hull."""
        return self._parts[name]


class ImpactData:
    """The first contact of a moving object: free until ``t_lo``, in contact at ``t_hi``, parts of the way."""

    def __init__(self, names: tuple, impact: _abut.Impact):
        self.names, self.outcome = set(names), impact.outcome
        self.t, self.t_lo, self.t_hi = impact.t, impact.t_lo, impact.t_hi
        self.point, self.normal = 0.5 * (impact.point_a + impact.point_b), impact.normal


def solid_of(mesh: Any) -> Convex | Mesh:
    """The body of a mesh: its hull if the mesh is closed and convex, else its triangles."""
    if isinstance(mesh, (Convex, Mesh)):
        return mesh
    is_convex = getattr(mesh, "is_watertight", False) and getattr(mesh, "is_convex", False)
    return hull(mesh.vertices) if is_convex else Mesh.from_trimesh(mesh)


def _box(solid: Convex | Mesh) -> tuple[NDArray, NDArray]:
    """Center and half size of the box around a body in its own frame."""
    if isinstance(solid, Convex):
        ways = np.array([*np.eye(3), *-np.eye(3)])
        corners = np.array([solid.farthest(way) for way in ways]) + solid.radius * ways
    else:
        corners = np.asarray(solid.vertices)
    if len(corners) == 0 or not np.isfinite(corners).all():
        raise Error("mesh: expected a bounded body, got none")
    low, high = corners.min(axis=0), corners.max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low)


class _Object:
    """A solid, its pose (7,) and the box around it."""

    def __init__(self, mesh: Any, transform: ArrayLike | None):
        kept = getattr(mesh, "_cache", None)
        found = kept["abut_box"] if kept is not None else None
        if found is None:
            solid = solid_of(mesh)
            found = solid, *_box(solid)
            if kept is not None:
                kept["abut_box"] = found
        self.solid, self.middle, self.half = found
        self.move(transform)

    def move(self, transform: ArrayLike | None) -> None:
        matrix = _IDENTITY if transform is None else np.asarray(transform, float)
        self.pose = _abut.pose_numbers(matrix, "transform")
        if self.pose.shape != (7,) or not math.isfinite(self.pose.sum()):
            raise Error("transform: expected a 4 x 4 matrix that turns and moves, got another")
        if matrix.shape != (4, 4):
            matrix = pose_matrix(self.pose)
        center, half = matrix[:3, :3] @ self.middle + matrix[:3, 3], np.abs(matrix[:3, :3]) @ self.half
        half = half + 1e-9 * (half + np.abs(center))  # rounding
        self.low, self.high = center - half, center + half


class _Group(dict):
    """Objects by name, with their boxes in one array (n, 2, 3), which is made again after a change."""

    boxes: NDArray | None = None

    def put(self, name: Hashable, thing: _Object) -> None:
        self[name] = thing
        self.boxes = None

    def list(self) -> tuple[list, NDArray]:
        if self.boxes is None:
            self.items_, self.boxes = list(self.items()), np.array([[x.low, x.high] for x in self.values()]).reshape(-1, 2, 3)
        return self.items_, self.boxes


class CollisionManager:
    """Objects by name, and questions about all of them: the methods of ``trimesh.collision.CollisionManager``.

    Also ``depth`` and ``toi``. Transforms are matrices (4, 4), or any pose of abut; they turn and move, and do not scale.
    """

    def __init__(self):
        self._objs = _Group()

    # ---- what is in it

    def add_object(self, name: Hashable, mesh: Any, transform: ArrayLike | None = None) -> Convex | Mesh:
        """Adds an object, or replaces that of the same name; gives the body that stands for it."""
        self._objs.put(name, _Object(mesh, transform))
        return self._objs[name].solid

    def remove_object(self, name: Hashable) -> None:
        """Removes an object."""
        self._find(name)
        del self._objs[name]
        self._objs.boxes = None

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Places an object."""
        self._find(name).move(transform)
        self._objs.boxes = None

    def _find(self, name: Hashable) -> _Object:
        if name not in self._objs:
            raise Error(f"name: expected an object of the manager, got {name!r}")
        return self._objs[name]

    # ---- collision

    def in_collision_single(self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False,
                            return_data: bool = False):
        """Does an object meet any of the manager? (bool, set of names, list of ContactData), as many as are asked for."""
        found = self._collisions(_Pairs(self._objs, _Group({EXTERNAL: _Object(mesh, transform)})), return_names, return_data)
        return _several(found[0], (return_names, {a for a, _ in found[1]}), (return_data, found[2]))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False):
        """Do two objects of the manager meet? (bool, set of pairs of sorted names, list of ContactData)."""
        found = self._collisions(_Pairs(self._objs), return_names, return_data)
        return _several(found[0], (return_names, {_sorted(pair) for pair in found[1]}), (return_data, found[2]))

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False):
        """Does an object meet one of another manager? Names are (of this manager, of the other)."""
        found = self._collisions(_Pairs(self._objs, other_manager._objs), return_names, return_data)
        return _several(found[0], (return_names, set(found[1])), (return_data, found[2]))

    @staticmethod
    def _collisions(pairs: _Pairs, names: bool, data: bool) -> tuple[bool, list[tuple], list[ContactData]]:
        hits = list(pairs.meeting(not (names or data)))
        contacts = [contact for hit in hits for contact in _contacts(*hit)] if data else []
        return bool(hits), [hit[0] for hit in hits], contacts

    # ---- distance

    def min_distance_single(self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False,
                            return_data: bool = False):
        """The least signed distance of an object to those of the manager: (float, name, DistanceData)."""
        return self._nearest(_Pairs(self._objs, _Group({EXTERNAL: _Object(mesh, transform)})), return_name, return_data, lambda pair: pair[0])

    def min_distance_internal(self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False):
        """The least signed distance of two objects, one of them ``name`` if given: (float, sorted names, DistanceData)."""
        if name is None:
            pairs = _Pairs(self._objs)
        else:
            own = self._find(name)
            pairs = _Pairs(_Group({key: value for key, value in self._objs.items() if key != name}), _Group({name: own}))
        return self._nearest(pairs, return_names, return_data, _sorted)

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False):
        """The least signed distance to an object of another manager: (float, names, DistanceData)."""
        return self._nearest(_Pairs(self._objs, other_manager._objs), return_names, return_data, tuple)

    @staticmethod
    def _nearest(pairs: _Pairs, names: bool, data: bool, order: Callable[[tuple], Any]):
        best, found = np.inf, None
        for pair, a, b in pairs.by_bound():
            if pairs.bound >= best:
                break
            gap = _signed(a, b, max(best, 0.0) if np.isfinite(best) else 0.0)
            if gap.outcome != "farther" and gap.distance < best:
                best, found = float(gap.distance), (pair, a, gap)
        name = order(found[0]) if found else None
        return _several(best, (names, name), (data, _distance_data(*found) if data and found else None))

    # ---- what abut knows besides

    def depth(self, first: Hashable, second: Hashable) -> ContactData:
        """How far ``second`` must be moved along ``normal`` to part it from ``first``; 0 where they are apart."""
        a, b = self._find(first), self._find(second)
        gap = depth(a.solid, b.solid, _abut.pose_between(a.pose, b.pose))
        point = pose_apply(a.pose, 0.5 * (gap.point_a + gap.point_b))
        normal = _turned(a.pose, gap.normal)
        return ContactData((first, second), normal, point, max(0.0, -float(gap.distance)), _parts(gap))

    def toi(self, name: Hashable, transform: ArrayLike, return_names: bool = False, return_data: bool = False):
        """When an object meets another on its way to ``transform``, which takes it in a line with a constant turn from 0 to 1.

        Never late; inf: it meets none. (float, name of the other, ImpactData). The object stays where it is.
        """
        own, end = self._find(name), _Object(self._find(name).solid, transform)
        motion = _abut.motion_keyframes([0.0, 1.0], np.array([own.pose, end.pose]))
        reach = np.linalg.norm(np.abs(own.middle) + own.half)
        low, high = np.minimum(own.pose[:3], end.pose[:3]) - reach, np.maximum(own.pose[:3], end.pose[:3]) + reach
        best, found = np.inf, None
        for other, still in self._objs.items():
            if other == name or (still.low > high).any() or (still.high < low).any():
                continue
            impact = time_of_impact(own.solid, still.solid, motion, still.pose, start=0.0, end=min(best, 1.0))
            if impact.outcome not in ("none", "invalid") and impact.t_lo < best:
                best, found = float(impact.t_lo), (other, impact)
        data = ImpactData((name, found[0]), found[1]) if found else None
        return _several(best, (return_names, found[0] if found else None), (return_data, data))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Hashable, Convex | Mesh]]:
    """A manager with the objects of a ``trimesh.Scene`` by the names of their nodes, and the bodies that stand for them."""
    manager, bodies = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        mesh, transform = scene.geometry[name], np.asarray(transform, float)
        if np.abs(transform[:3, :3] @ transform[:3, :3].T - np.eye(3)).max() > 1e-9 or np.linalg.det(transform[:3, :3]) < 0:
            mesh, transform = mesh.copy().apply_transform(transform), None  # scaled or mirrored
        bodies[node] = manager.add_object(node, mesh, transform)
    return manager, bodies


# ---- pairs of objects ----------------------------------------------------------------------------------------------

class _Pairs:
    """Pairs of one of a group and one of another, or of two of one group."""

    def __init__(self, first: _Group, second: _Group | None = None):
        self.inner, self.bound = second is None, -np.inf
        (self.first, self.a), (self.second, self.b) = first.list(), (first if second is None else second).list()

    def _at(self, i: int, j: int) -> tuple[tuple, _Object, _Object]:
        (first, a), (second, b) = self.first[i], self.second[j]
        return (first, second), a, b

    def meeting(self, one: bool) -> Iterator[tuple[tuple, _Object, _Object]]:
        """The pairs that meet, or the first of them."""
        for i, j in self._near():
            pair, a, b = self._at(i, j)
            answer = _abut.closer(a.solid, b.solid, _abut.pose_between(a.pose, b.pose), -1.0, 1)
            if answer < 0:
                raise Error(f"transform: expected numbers of at most 1e60, got others for {pair[0]!r} or {pair[1]!r}")
            if answer:
                yield pair, a, b
                if one:
                    return

    def _near(self) -> Iterator[tuple[int, int]]:
        """Pairs whose boxes overlap, in order."""
        if len(self.b) == 1 and not self.inner:
            i = np.flatnonzero(((self.a[:, 0] <= self.b[0, 1]) & (self.a[:, 1] >= self.b[0, 0])).all(axis=1))
            return ((k, 0) for k in i.tolist())
        i, j = _overlaps(self.a, self.b)
        if self.inner:
            i, j = i[i < j], j[i < j]
        order = np.lexsort((j, i))
        return zip(i[order].tolist(), j[order].tolist())

    def by_bound(self) -> Iterator[tuple[tuple, _Object, _Object]]:
        """All pairs, nearest boxes first; ``bound`` is what their distance is at least."""
        a, b = self.a, self.b
        if self.inner:
            i, j = np.triu_indices(len(a), 1)
            gap = np.maximum(a[i, 0] - b[j, 1], b[j, 0] - a[i, 1])
        else:
            gap = np.maximum(a[:, None, 0] - b[:, 1], b[:, 0] - a[:, None, 1]).reshape(-1, 3)
        np.maximum(gap, 0.0, out=gap)
        bound = np.einsum("ij,ij->i", gap, gap)
        for k in np.argsort(bound, kind="stable"):
            self.bound = math.sqrt(bound[k]) if bound[k] > 0.0 else -np.inf
            yield self._at(*((i[k], j[k]) if self.inner else divmod(int(k), len(b))))


def _overlaps(a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Which boxes of two lists overlap: those that begin within another along x, then the rest of the coordinates."""
    out = []
    for low, high, side, swap in ((a, b, "left", False), (b, a, "right", True)):
        order = np.argsort(high[:, 0, 0], kind="stable")
        starts = high[order, 0, 0]
        begin, end = np.searchsorted(starts, low[:, 0, 0], side), np.searchsorted(starts, low[:, 1, 0], "right")
        count = np.maximum(end - begin, 0)
        one = np.repeat(np.arange(len(low)), count)
        place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(begin, count)
        other = order[place]
        out.append((other, one) if swap else (one, other))
    i, j = (np.concatenate(x) for x in zip(*out))
    inside = ((a[i, 0] <= b[j, 1]) & (b[j, 0] <= a[i, 1])).all(axis=1)
    return i[inside], j[inside]


def _signed(a: _Object, b: _Object, within: float = 0.0) -> _abut.Gap:
    gap = signed_distance(a.solid, b.solid, _abut.pose_between(a.pose, b.pose), within)
    if gap.outcome == "invalid":
        raise Error("transform: expected finite numbers of at most 1e60, got others")
    return gap


def _parts(gap: _abut.Gap) -> tuple[int, ...]:
    return tuple(int(part[0]) if kind == "triangle" else -1 for kind, part in ((gap.part_kind_a, gap.part_a), (gap.part_kind_b, gap.part_b)))


def _turned(pose: NDArray, direction: NDArray) -> NDArray[np.float64]:
    return pose_apply(pose, direction) - pose[:3]


def _distance_data(pair: tuple, a: _Object, gap: _abut.Gap) -> DistanceData:
    return DistanceData(pair, float(gap.distance), (pose_apply(a.pose, gap.point_a), pose_apply(a.pose, gap.point_b)), _parts(gap))


def _contacts(pair: tuple, a: _Object, b: _Object) -> list[ContactData]:
    """The contacts of a pair that meets: one of convex bodies, one for each two triangles that meet else."""
    gap = _signed(b, a)  # the manager's object is moved: of equal ways out this is the one that FCL names
    normal, deep = -_turned(b.pose, gap.normal), max(0.0, -float(gap.distance))
    middle = pose_apply(b.pose, 0.5 * (gap.point_a + gap.point_b))
    if isinstance(a.solid, Convex) and isinstance(b.solid, Convex):
        return [ContactData(pair, normal, middle, deep, (-1, -1))]
    _, triangles = collide(a.solid, b.solid, _abut.pose_between(a.pose, b.pose), all=True, limit=_LIMIT)
    if len(triangles) == 0:  # one is inside the other
        return [ContactData(pair, normal, middle, deep, (-1, -1))]
    corners = [_corners(x, column) for x, column in zip((a, b), triangles.T)]
    points = _crossings(*corners)
    return [ContactData(pair, normal, point, deep, (int(i), int(j))) for point, (i, j) in zip(points, triangles)]


def _corners(x: _Object, numbers: NDArray) -> NDArray | None:
    if isinstance(x.solid, Convex):
        return None
    vertices, triangles = np.asarray(x.solid.vertices), np.asarray(x.solid.triangles)
    return pose_apply(x.pose, vertices[triangles[numbers]].reshape(-1, 3)).reshape(-1, 3, 3)


def _crossings(a: NDArray | None, b: NDArray | None) -> NDArray[np.float64]:
    """A point of each pair of triangles that meet: the mean of the places where sides of one pass through the other."""
    if a is None or b is None:
        return (b if a is None else a).mean(axis=1)
    total, count = np.zeros((len(a), 3)), np.zeros(len(a))
    for sides, through in ((a, b), (b, a)):
        normal = np.cross(through[:, 1] - through[:, 0], through[:, 2] - through[:, 0])
        for k in range(3):
            p, way = sides[:, k], sides[:, (k + 1) % 3] - sides[:, k]
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.einsum("ij,ij->i", through[:, 0] - p, normal) / np.einsum("ij,ij->i", way, normal)
                at = p + t[:, None] * way
            inside = (t >= 0.0) & (t <= 1.0)
            for m in range(3):
                edge = through[:, (m + 1) % 3] - through[:, m]
                with np.errstate(invalid="ignore"):
                    inside &= np.einsum("ij,ij->i", np.cross(edge, at - through[:, m]), normal) >= 0.0
            total[inside] += at[inside]
            count[inside] += 1
    flat = count == 0  # in one plane, or touching within rounding
    total[flat], count[flat] = 0.5 * (a[flat].mean(axis=1) + b[flat].mean(axis=1)), 1
    return total / count[:, None]


def _sorted(pair: tuple) -> tuple:
    return tuple(sorted(pair))


def _several(answer, *more):
    """The answer alone, or with what else is asked for."""
    wanted = [value for flag, value in more if flag]
    return (answer, *wanted) if wanted else answer
