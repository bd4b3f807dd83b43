# SPDX-License-Identifier: Apache-2.0
"""What people look at: pages for a browser or a notebook, and rendered images."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abut
from ._abut import Convex, Mesh, Model, Motion, Pieces
from ._arrays import DTYPES, file_name
from ._errors import Error
from .queries import distance
from .robots import Robot
from .runs import Run
from .scenes import Scene
from .worlds import Simulation


def show(x, path: str | os.PathLike | None = None, *, title: str = "abut", open: bool = True) -> pathlib.Path:
    """Writes the page of x and opens it in a browser; gives the path of the file.

    x: a Run; a Simulation, Scene, Model or Robot as it stands; or what ``pair`` made. path: the file (None: a
    temporary one). open: False to write only.
    """
    if path is None:
        handle, name = tempfile.mkstemp(suffix=".html", prefix="abut-")
        os.close(handle)
        path = name
    target = pathlib.Path(os.fsdecode(path)).resolve()
    _write(x, str(target), title)
    if open:
        webbrowser.open(target.as_uri())
    return target


def _write(x, path: str, title: str) -> None:
    if isinstance(x, Pair):
        x.write(path, title)
    else:
        still = not isinstance(x, Run)
        _abut.page_run(file_name(path), {"title": title, "without_charts": still}, as_run(x)._handle)


def as_run(x: Run | Simulation | Scene | Model | Robot) -> Run:
    """x as a run: a run as it is, anything else as one step of it, as it stands."""
    if isinstance(x, Run):
        return x
    if isinstance(x, Robot):
        return Run.of_poses(x.model, [0.0], x.body_poses()[None])
    if isinstance(x, Model):
        return as_run(Robot(x)) if x.joints else as_run(Scene(x))
    if isinstance(x, Simulation):
        return as_run(x.scene)
    if isinstance(x, Scene):
        return Run.of_poses(x.model(), [0.0], x.poses[None])
    raise TypeError(f"expected a Run, Simulation, Scene, Model or Robot, got {x!r}")


class Pair:
    """Two bodies with their distance, to be shown: at one pose of B in A, or at many times."""

    def __init__(self, a: Convex | Mesh, b: Convex | Mesh, pose: ArrayLike | Motion | None = None,
                 times: ArrayLike | None = None):
        """pose: of B in A, or a Motion, which ``times`` (n,) sample (None: 100 over its span)."""
        self.a, self.b = a, b
        if isinstance(pose, Motion):
            self.times = np.linspace(*pose.span, 100) if times is None else np.asarray(times, float)
            self.poses = pose.pose_at(self.times)
        else:
            self.times, self.poses = np.zeros(1), _abut.pose_numbers(pose).reshape(-1, 7)
            if len(self.poses) != 1:
                raise Error(f"pose: expected one pose or a Motion, got {len(self.poses)} poses")
        self.answers = distance(a, b, self.poses)

    def write(self, path: str, title: str) -> None:
        meshes = [x if isinstance(x, Mesh) else x.to_mesh() for x in (self.a, self.b)]
        rows = np.zeros(len(self.times), DTYPES["Distance"])
        for field in ("distance", "normal", "point_a", "point_b"):
            rows[field] = self.answers[field]
        _abut.page_meshes(file_name(path), {"title": title}, *meshes, self.times, self.poses, rows)

    def _repr_html_(self) -> str:
        return _inline(self)


def pair(a: Convex | Mesh, b: Convex | Mesh, pose: ArrayLike | Motion | None = None,
         times: ArrayLike | None = None) -> Pair:
    """Two bodies and their distance, for ``show``: at a pose of B in A, or along a Motion."""
    return Pair(a, b, pose, times)


def _inline(x) -> str:
    if not _abut.page_available():
        return html.escape(repr(x))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        _write(x, path, "abut")
        with open(path, encoding="utf-8") as file:
            page = file.read()
    return f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="600" style="border:0"></iframe>'


def render(x, *, step: int = -1, time: float | None = None, size: tuple[int, int] = (640, 480), forces: bool = False,
           eye: ArrayLike | None = None, target: ArrayLike = (0.0, 0.0, 0.0),
           background: int | None = None) -> NDArray[np.uint8]:
    """A picture, uint8 (height, width, 3), drawn without a graphics card.

    x: a Run (``step``, or the step nearest to ``time``, s); a Simulation, Scene, Model or Robot as it stands; a Mesh,
    Convex, Pieces or Pair; or a list of (body, pose). eye, target: (3,) m; without eye all is shown. forces: arrows.
    """
    settings = {"width": size[0], "height": size[1]}
    if background is not None:
        settings["background"] = background
    if eye is not None:
        settings |= {"eye": np.asarray(eye, float), "target": np.asarray(target, float)}
    if isinstance(x, Pair):
        x = [x.a, (x.b, x.poses[step if time is None else int(np.abs(x.times - time).argmin())])]
    if isinstance(x, (Mesh, Convex, Pieces, list)):
        return _abut.render_meshes(*_items(x), settings)
    run = as_run(x)
    number = run.step_at(time) if time is not None else step if step >= 0 else len(run) + step
    return _abut.render_run(run._handle, number, int(forces), int(eye is None), settings)


_COLORS = (0x4C78A8, 0xF58518, 0x54A24B, 0xE45756, 0x72B7B2, 0xB279A2, 0xEECA3B, 0x9D755D)


def _items(x) -> tuple[list[Mesh], list, list[int]]:
    placed = list(x) if isinstance(x, (list, Pieces)) else [x]
    pairs = [item if isinstance(item, tuple) else (item, None) for item in placed]
    meshes = [body if isinstance(body, Mesh) else body.to_mesh() for body, _ in pairs]
    return meshes, [pose for _, pose in pairs], [_COLORS[i % len(_COLORS)] for i in range(len(pairs))]


def write_png(path: str | os.PathLike, image: NDArray[np.uint8]) -> None:
    """Writes an image (height, width, 3) as PNG."""
    pixels = np.ascontiguousarray(image)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.size == 0:
        raise Error(f"image: expected uint8 of shape (height, width, 3), got {pixels.dtype} of shape {pixels.shape}")
    _abut.write_png(file_name(path), pixels, *pixels.shape[:2])


for _class in (Run, Simulation, Scene, Model, Robot):
    _class._repr_html_ = _inline
