# SPDX-License-Identifier: Apache-2.0
"""Triangle meshes, their convex pieces, and questions about one of them."""
from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Gap, Mesh, Pieces
from ._arrays import file_name, flag, give_methods, instance, integers, listed, read_file
from ._errors import Error


def _new(cls, vertices: ArrayLike, triangles: ArrayLike) -> Mesh:
    return _abut.mesh_from_arrays(vertices, integers(triangles, "triangles", 3))


def _read(path: str | os.PathLike) -> Mesh:
    """Reads a mesh file: OBJ, STL, PLY, TRI, GLB or DAE, told by its content."""
    return _abut.mesh_read(file_name(path))[0]


def _parse(data: bytes, name: str = "mesh") -> Mesh:
    """A mesh from the bytes of a file; ``name`` stands for it in messages, and its ending is a hint."""
    return _abut.mesh_parse(data, name)[0]


def _make(name: str, triangles: int = 0, sizes: ArrayLike | None = None) -> Mesh:
    """A procedural mesh: 'torus', 'cup', 'knot', ... with about so many triangles (0: a default).

    ``sizes`` in meters; ``abut.mesh_names()`` tells what each maker takes.
    """
    return _abut.mesh_make(name, triangles, sizes)


def _height_field(heights: ArrayLike, half_x: float, half_y: float, bottom: float) -> Mesh:
    """Ground as heights (rows, columns), z over a grid from -half_x to half_x and -half_y to half_y, solid to bottom."""
    return _abut.height_field(heights, half_x, half_y, bottom)


def read_heights(path: str | os.PathLike, height: float = 0.0) -> NDArray[np.float64]:
    """Heights (rows, columns) from a gray PNG picture (0 black to 1 white) or MuJoCo's binary format, the near side first,
    for ``Mesh.height_field``. height > 0: the lowest is brought to 0 and the highest to it, m."""
    return _abut.heights_parse(*read_file(path), height)


def height_field_pieces(heights: ArrayLike, half_x: float, half_y: float, bottom: float) -> Pieces:
    """The same ground as convex pieces that do not overlap; flat parts are joined to rectangles."""
    return Pieces(_abut.height_field_pieces(heights, half_x, half_y, bottom))


def mesh_names() -> dict[str, str]:
    """Names that ``Mesh.make`` knows, with what they are and which sizes they take."""
    return {name: f"{summary}; sizes {sizes}" for name, summary, sizes, _ in _abut.mesh_makers()}


def file_info(path: str | os.PathLike) -> dict:
    """What ``abut info`` tells of a mesh file, as a dictionary."""
    mesh, form, split, ignored = _abut.mesh_read(file_name(path))
    out = {"file": os.fsdecode(path), "format": form, "vertices": len(mesh.vertices), "triangles": len(mesh.triangles),
           "polygons_split": split, "elements_ignored": ignored}
    return out | mesh.report().as_dict()


def decompose(mesh: Mesh, excess: float = 0.02, max_pieces: int = 64, threads: int = 1) -> Pieces:
    """Convex pieces that cover a mesh; of a closed one the whole solid, without overlap.

    ``excess``: volume that the pieces may have too much, as part of the mesh's. Ends at ``max_pieces``;
    ``target_met`` of the answer tells which came first.
    """
    return _abut.decompose(mesh, excess, max_pieces, threads)


def pieces_distance(a: Pieces, b: Pieces, pose: ArrayLike | None = None) -> Gap:
    """Signed distance by pieces, the least of all pairs; ``part_a[0]`` and ``part_b[0]`` are the pieces."""
    return _abut.pieces_distance(a, b, pose)


def pieces_volume(a: Pieces, b: Pieces, pose: ArrayLike | None = None) -> tuple[float, float, NDArray[np.float64]]:
    """Bounds (low, high) of the common volume by pieces, m^3, and the centroid (3,) of what the pieces share."""
    return _abut.pieces_volume(a, b, pose)


def pieces_cover(pieces: Pieces, mesh: Mesh) -> tuple[int, int, float]:
    """Do pieces cover a mesh: (vertices left out, the one farthest outside or -1, how far in meters)."""
    return _abut.pieces_cover(pieces, mesh)


def _pieces_new(cls, pieces, *, closed: bool = True) -> Pieces:
    polyhedra = [instance(piece, Convex, "pieces") for piece in (pieces if np.iterable(pieces) else listed(pieces, "pieces"))]
    volume = sum(p.volume for p in polyhedra)
    return _abut.pieces_from(polyhedra, flag(closed, "closed"), 1, float("nan"), volume, float("nan"))


def _mesh_repr(self) -> str:
    return f"<abut.Mesh: {len(self.vertices)} vertices, {len(self.triangles)} triangles>"


def _moved(self, pose: ArrayLike) -> Mesh:
    """The same mesh with its vertices moved by a pose."""
    from .poses import moved
    return Mesh(moved(pose, self.vertices), self.triangles)


_native_write = Mesh.write


def _write(self, path: str | os.PathLike) -> None:
    """Writes .obj, .stl (binary) or .stla (ascii STL), as the ending says."""
    _native_write(self, file_name(path))


def _inside(self, points: ArrayLike, *, threads: int = 1) -> NDArray[np.bool_]:
    """Which points (n, 3) are inside: (n,). An open mesh has no inside and is refused."""
    answers = _abut.mesh_points(self, points, 0.0, threads, 0)
    if (answers < 0).any():
        raise Error("points: the mesh is open, or a point is not finite: what is inside is not known")
    return answers.astype(bool)


def _nearest(self, points: ArrayLike, *, within: float = 0.0, threads: int = 1) -> NDArray:
    """The points of the surface nearest to points (n, 3): an array of MeshNearest. within > 0: at most so far, m."""
    return _abut.mesh_points(self, points, within, threads, 1)


def _from_trimesh(mesh) -> Mesh:
    """From a ``trimesh.Trimesh``, or anything with ``vertices`` (n, 3) and ``faces`` (m, 3)."""
    return Mesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces))


def _to_trimesh(self):
    """A ``trimesh.Trimesh`` with the same vertices and triangles, in the same order."""
    import trimesh
    return trimesh.Trimesh(np.array(self.vertices), np.array(self.triangles), process=False)


def _from_open3d(mesh) -> Mesh:
    """From an ``open3d.geometry.TriangleMesh``, or one of ``open3d.t.geometry``."""
    legacy = mesh.to_legacy() if hasattr(mesh, "to_legacy") else mesh
    return Mesh(np.asarray(legacy.vertices, float), np.asarray(legacy.triangles))


def _to_open3d(self):
    """An ``open3d.geometry.TriangleMesh`` with the same vertices and triangles, in the same order."""
    import open3d
    return open3d.geometry.TriangleMesh(open3d.utility.Vector3dVector(np.array(self.vertices)),
                                        open3d.utility.Vector3iVector(np.array(self.triangles)))


def bounding_sphere(points: ArrayLike) -> tuple[NDArray[np.float64], float]:
    """A ball (center (3,), radius) around points (n, 3), within 5 % of the smallest."""
    return _abut.bounding_sphere(points)


def read_half_spaces(path: str | os.PathLike) -> NDArray[np.float64]:
    """A text file of half-spaces 'a b c d', ax + by + cz <= d: planes (n, 4), as ``polyhedron`` takes them."""
    return _abut.half_spaces_parse(*read_file(path))


def _summary(i: int, doc: str) -> property:
    return property(lambda self: self.summary[i], doc=doc)


Mesh.__doc__ = """A triangle mesh: vertices (n, 3) in meters and triangles (m, 3), counter-clockwise seen from outside.

``Mesh(vertices, triangles)`` copies arrays; ``Mesh.read(path)`` reads OBJ, STL, PLY, TRI, GLB or DAE;
``Mesh.make(name)`` makes one by name, as ``abut make`` does. A mesh does not change; the tree that questions need is
made by the first of them. ``vertices`` and ``triangles`` are read-only views.
"""
Mesh.__new__ = staticmethod(_new)
Mesh.__reduce__ = lambda self: (Mesh, (np.array(self.vertices), np.array(self.triangles)))
Mesh.__copy__ = lambda self: self
Mesh.__deepcopy__ = lambda self, memo: self
Mesh.__repr__ = _mesh_repr
give_methods(Mesh, read=staticmethod(_read), parse=staticmethod(_parse), make=staticmethod(_make),
             height_field=staticmethod(_height_field), moved=_moved, write=_write, inside=_inside, nearest=_nearest,
             from_trimesh=staticmethod(_from_trimesh), to_trimesh=_to_trimesh, from_open3d=staticmethod(_from_open3d),
             to_open3d=_to_open3d)
Mesh.decompose = decompose
Mesh.volume = property(lambda self: self.report().volume, doc="Volume of the solid inside, m^3.")

Pieces.__new__ = staticmethod(_pieces_new)
Pieces.closed = _summary(0, "False: the mesh is open, and the pieces cover its surface alone.")
Pieces.target_met = _summary(1, "The excess is as small as was asked for.")
Pieces.mesh_volume = _summary(2, "Volume of the mesh, m^3; NaN where it has none.")
Pieces.volume = _summary(3, "Volume of all pieces together, m^3.")
Pieces.excess = _summary(4, "volume / mesh_volume - 1.")
Pieces.__reduce__ = lambda self: (_abut.pieces_from, (list(self), *(int(x) for x in self.summary[:2]), *self.summary[2:]))
Pieces.__repr__ = lambda self: f"<abut.Pieces: {len(self)}, excess {self.excess:g}>"
Pieces.__copy__ = lambda self: self
Pieces.__deepcopy__ = lambda self, memo: self
